#include "dpcompat/session/socket_transport.hpp"

#include <asio/io_context.hpp>
#include <asio/post.hpp>

#include "dpcompat/session/tcp_links.hpp"
#include "dpcompat/session/udp_socket.hpp"

namespace iron::dpcompat {
namespace {

Result<asio::ip::address_v4> parse_address(const std::string& text) {
    IRON_TRY(const Ipv4 ip, parse_ipv4(text));
    return asio::ip::address_v4(ip);
}

Error name_enum_port(Error error, std::uint16_t port) {
    if (error.code() != "port_in_use") return error;
    return Error("port_in_use", "UDP port " + std::to_string(port) +
                                    " is taken: another host on this machine, or a stale dplaysvr.exe that outlived its game");
}

}  // namespace

struct SocketTransport::Impl : std::enable_shared_from_this<SocketTransport::Impl> {
    Impl(NetContext& n, TransportSettings s)
        : net(n), settings(std::move(s)), listener(std::make_shared<TcpListener>(n.io())), udp(std::make_shared<UdpSocket>(n.io())),
          ticker(n.io()) {}

    NetContext& net;
    TransportSettings settings;
    asio::ip::address_v4 address;
    std::shared_ptr<TcpListener> listener;
    std::shared_ptr<UdpSocket> udp, enumeration;
    asio::steady_timer ticker;
    std::map<Endpoint, std::shared_ptr<TcpSender>> senders;
    std::map<ConnectionId, std::shared_ptr<TcpReceiver>> receivers;
    ConnectionId next_connection = 1;
    TransportEvents* events = nullptr;
    std::uint64_t dropped = 0;

    void tick() {
        ticker.expires_after(std::chrono::milliseconds(100));
        ticker.async_wait([weak = weak_from_this()](const asio::error_code& e) {
            const auto self = weak.lock();
            if (e || !self || self->events == nullptr) return;
            self->events->on_tick(self->net.now_ms());
            self->tick();
        });
    }

    void accepted(asio::ip::tcp::socket socket, Ipv4 from) {
        if (events == nullptr || receivers.size() >= settings.max_incoming) return;  // the socket closes itself
        const ConnectionId id = next_connection++;
        HeaderPolicy policy = settings.policy;
        policy.allow_helper_tokens = false;
        auto receiver = std::make_shared<TcpReceiver>(std::move(socket), from, policy);
        const std::weak_ptr<Impl> weak = weak_from_this();
        const auto alive = [weak] {
            auto self = weak.lock();
            return self && self->events != nullptr ? self : nullptr;
        };
        receiver->on_block = [alive, id, from](ByteView block) {
            if (const auto self = alive()) self->events->on_block(id, from, block);
        };
        receiver->on_bad = [alive, id, from](const Error& error) {
            if (const auto self = alive()) {
                self->receivers.erase(id);
                self->events->on_bad_stream(id, from, error);
            }
        };
        receiver->on_closed = [alive, id, from] {
            if (const auto self = alive()) {
                self->receivers.erase(id);
                self->events->on_closed(id, from);
            }
        };
        receivers.emplace(id, receiver);
        receiver->start(settings.read_deadline_ms);
    }

    void unreachable(const Endpoint& to) {
        // Never inside the call that sent.
        asio::post(net.io(), [weak = weak_from_this(), to] {
            const auto self = weak.lock();
            if (self && self->events != nullptr) self->events->on_unreachable(to);
        });
    }

    void send_tcp(const Endpoint& to, Bytes block) {
        auto& slot = senders[to];
        if (!slot || !slot->usable()) {
            if (slot) slot->close_when_sent();
            std::size_t connecting = 0;
            for (const auto& [other, sender] : senders) connecting += sender && sender != slot && sender->connecting() ? 1 : 0;
            if (connecting >= settings.max_connecting) {
                senders.erase(to);
                ++dropped;
                unreachable(to);
                return;
            }
            slot = std::make_shared<TcpSender>(net.io(), to);
            slot->open(settings.connect_timeout_ms, address, [weak = weak_from_this(), to] {
                const auto self = weak.lock();
                if (!self) return;
                self->senders.erase(to);
                self->unreachable(to);
            });
        }
        if (!slot->send(std::move(block), settings.max_queued_bytes)) {
            // A receiver that does not read would fill our memory; its connection counts as broken.
            ++dropped;
            slot->close();
            senders.erase(to);
            unreachable(to);
        }
    }

    Status open_enumeration() {
        if (enumeration) return {};
        auto socket = std::make_shared<UdpSocket>(net.io());
        if (auto bound = socket->bind(address, settings.enum_port, settings.enum_port, settings.reuse_address, false); !bound)
            return tl::unexpected(name_enum_port(bound.error(), settings.enum_port));
        enumeration = std::move(socket);
        if (events != nullptr) listen_enumeration();
        return {};
    }
    void listen_enumeration() {
        enumeration->receive([weak = weak_from_this()](const Endpoint& from, ByteView bytes) {
            const auto self = weak.lock();
            if (self && self->events != nullptr) self->events->on_enumeration(from, bytes);
        });
    }

    void close() {
        events = nullptr;
        listener->close();
        udp->close();
        if (enumeration) enumeration->close();
        ticker.cancel();
        // What was queued (the goodbyes) still leaves; the senders keep themselves alive until then.
        for (auto& [to, sender] : senders) sender->close_when_sent();
        for (auto& [id, receiver] : receivers) receiver->close();
        senders.clear();
        receivers.clear();
    }
};

SocketTransport::SocketTransport(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
SocketTransport::~SocketTransport() { impl_->close(); }

Result<std::unique_ptr<SocketTransport>> SocketTransport::open(NetContext& net, TransportSettings settings) {
    auto impl = std::make_shared<Impl>(net, std::move(settings));
    const TransportSettings& s = impl->settings;
    IRON_TRY(impl->address, parse_address(s.address));
    IRON_CHECK(impl->listener->bind(impl->address, s.tcp_first, s.tcp_last));
    IRON_CHECK(impl->udp->bind(impl->address, s.udp_first, s.udp_last, false, true));
    if (s.enumeration) IRON_CHECK(impl->open_enumeration());
    return std::unique_ptr<SocketTransport>(new SocketTransport(std::move(impl)));
}

void SocketTransport::start(TransportEvents& events) {
    Impl& i = *impl_;
    i.events = &events;
    const std::weak_ptr<Impl> weak = impl_;
    i.listener->accept([weak](asio::ip::tcp::socket socket, Ipv4 from) {
        if (const auto self = weak.lock()) self->accepted(std::move(socket), from);
    });
    i.udp->receive([weak](const Endpoint& from, ByteView bytes) {
        const auto self = weak.lock();
        if (self && self->events != nullptr) self->events->on_datagram(from, bytes);
    });
    if (i.enumeration) i.listen_enumeration();
    events.on_tick(i.net.now_ms());
    i.tick();
}

std::uint16_t SocketTransport::tcp_port() const {
    return impl_->settings.advertised_tcp_port != 0 ? impl_->settings.advertised_tcp_port : impl_->listener->port();
}
std::uint16_t SocketTransport::udp_port() const {
    return impl_->settings.advertised_udp_port != 0 ? impl_->settings.advertised_udp_port : impl_->udp->port();
}
std::uint16_t SocketTransport::bound_udp_port() const { return impl_->udp->port(); }
std::uint16_t SocketTransport::enum_port() const { return impl_->enumeration ? impl_->enumeration->port() : std::uint16_t{0}; }
void SocketTransport::send_tcp(const Endpoint& to, Bytes block) { impl_->send_tcp(to, std::move(block)); }
void SocketTransport::send_udp(const Endpoint& to, Bytes datagram) {
    if (!impl_->udp->send(to, datagram)) ++impl_->dropped;
}
void SocketTransport::close_to(const Endpoint& to) {
    if (const auto found = impl_->senders.find(to); found != impl_->senders.end()) {
        found->second->close_when_sent();
        impl_->senders.erase(found);
    }
}
void SocketTransport::drop(ConnectionId connection) {
    if (const auto found = impl_->receivers.find(connection); found != impl_->receivers.end()) {
        found->second->close();
        impl_->receivers.erase(found);
    }
}
Status SocketTransport::open_enumeration() { return impl_->open_enumeration(); }
std::uint64_t SocketTransport::dropped() const { return impl_->dropped; }

// ---- shared enumeration port

struct EnumerationSocket::Impl {
    std::shared_ptr<UdpSocket> socket;
};
EnumerationSocket::EnumerationSocket(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
EnumerationSocket::~EnumerationSocket() { impl_->socket->close(); }

Result<std::unique_ptr<EnumerationSocket>> EnumerationSocket::open(NetContext& net, const std::string& address, std::uint16_t port,
                                                                  bool reuse_address, std::function<void(const Endpoint&, ByteView)> received) {
    auto impl = std::make_shared<Impl>();
    impl->socket = std::make_shared<UdpSocket>(net.io());
    IRON_TRY(const asio::ip::address_v4 where, parse_address(address));
    if (auto bound = impl->socket->bind(where, port, port, reuse_address, false); !bound)
        return tl::unexpected(name_enum_port(bound.error(), port));
    impl->socket->receive(std::move(received));
    return std::unique_ptr<EnumerationSocket>(new EnumerationSocket(std::move(impl)));
}
std::uint16_t EnumerationSocket::port() const { return impl_->socket->port(); }

}  // namespace iron::dpcompat
