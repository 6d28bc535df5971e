#include "dpcompat/bridge/relay.hpp"

#include <map>

#include <asio/io_context.hpp>
#include <nlohmann/json.hpp>

#include "dpcompat/bridge/evidence.hpp"
#include "dpcompat/session/tcp_links.hpp"
#include "dpcompat/session/udp_socket.hpp"

namespace iron::dpcompat {
namespace {

constexpr std::size_t kMaxQueued = 8 * 1024 * 1024;

/// Applies `change` to every pair of sockets in a message; true when there was one.
struct SocketVisitor {
    const std::function<void(SpData&)>& change;
    bool found = false;
    void one(std::optional<SpData>& data) {
        if (!data) return;
        change(*data);
        found = true;
    }
    template <class B>
    void operator()(B&) {}
    void operator()(CreateBody& b) { one(b.player.sp_data); }
    void operator()(AddForwardBody& b) { one(b.player.sp_data); }
    void operator()(AddForwardRequestBody& b) { one(b.player.sp_data); }
    void operator()(NameServerBody& b) { one(b.sp_data); }
    void operator()(SuperEnumReplyBody& b) {
        for (auto& p : b.players) one(p.sp_data);
    }
    void operator()(EnumPlayersReplyBody& b) {
        for (auto& p : b.players) one(p.sp_data);
    }
};

}  // namespace

struct Relay::Impl : std::enable_shared_from_this<Relay::Impl> {
    Impl(NetContext& n, BridgeSettings s)
        : net(n), settings(std::move(s)), inside(std::make_shared<TcpListener>(n.io())), outside(std::make_shared<TcpListener>(n.io())),
          inside_udp(std::make_shared<UdpSocket>(n.io())), outside_udp(std::make_shared<UdpSocket>(n.io())),
          enumeration(std::make_shared<UdpSocket>(n.io())) {}

    NetContext& net;
    BridgeSettings settings;
    Relay* owner = nullptr;
    asio::ip::address_v4 address;
    Endpoint host_enum;                     ///< where enumerations go
    Endpoint client_tcp, client_udp;        ///< learned from the client
    Endpoint host_tcp, host_udp;            ///< learned from the host
    std::shared_ptr<TcpListener> inside, outside;
    std::shared_ptr<UdpSocket> inside_udp, outside_udp, enumeration;
    std::map<Endpoint, std::shared_ptr<TcpSender>> senders;
    std::map<TcpReceiver*, std::shared_ptr<TcpReceiver>> receivers;
    RelayCounters counters;
    NativeRecorder recorder;

    void log(const std::string& text) const {
        if (owner && owner->on_log) owner->on_log("info", text);
    }
    void record(bool from_client, bool udp, const Content& content) {
        if (const auto* data = std::get_if<PlayerMessage>(&content)) {
            ++counters.opaque;
            counters.opaque_bytes += data->data.size();
        }
        recorder.message(from_client ? NativeDirection::to_host : NativeDirection::from_host, 1, udp, content);
    }
    bool from_host(Ipv4 ip) const { return ip == host_enum.ip; }

    /// The block with our ports in its header and sockets, as the other side must see it.
    Bytes rewritten(ByteView bytes, bool from_client, bool udp, bool known_peer);
    void client_sockets(SpData& d);
    void host_sockets(SpData& d);

    void forward_tcp(const Endpoint& to, Bytes block);
    void accept(const std::shared_ptr<TcpListener>& listener, bool from_client);
    void block(bool from_client, Ipv4 from, ByteView bytes);
    void datagram(bool from_client, const Endpoint& from, ByteView bytes);
    void enumerate(const Endpoint& from, ByteView bytes);
    void close();
};

/// The client's own sockets become ours towards the host; what it told is remembered.
void Relay::Impl::client_sockets(SpData& d) {
    if (d.tcp.endpoint.port != client_tcp.port) return;
    client_udp = {client_tcp.ip, d.udp.endpoint.port};
    d.tcp.endpoint.port = outside->port();
    d.udp.endpoint.port = outside_udp->port();
}

/// The host's sockets become ours towards the client; the client's own come back as it knows them.
void Relay::Impl::host_sockets(SpData& d) {
    if (d.tcp.endpoint.port == host_tcp.port && (d.tcp.endpoint.ip == 0 || d.tcp.endpoint.ip == host_tcp.ip)) {
        host_udp = {host_tcp.ip, d.udp.endpoint.port};
        d.tcp.endpoint = {0, inside->port()};
        d.udp.endpoint = {0, inside_udp->port()};
    } else if (d.tcp.endpoint.port == outside->port() && d.udp.endpoint.port == outside_udp->port() && d.tcp.endpoint.ip != 0) {
        d.tcp.endpoint = client_tcp;
        d.udp.endpoint = client_udp;
    }
}

Bytes Relay::Impl::rewritten(ByteView bytes, bool from_client, bool udp, bool known_peer) {
    const std::uint16_t port = from_client ? outside->port() : inside->port();
    auto read = read_block(bytes);
    if (!read) {
        // Not understood: only the header is ours to change.
        ++counters.unreadable;
        Bytes out(bytes.begin(), bytes.end());
        if (known_peer && out.size() >= kSpHeaderBytes) {
            out[6] = static_cast<std::uint8_t>(port >> 8);
            out[7] = static_cast<std::uint8_t>(port);
        }
        return out;
    }
    record(from_client, udp, read->content);
    if (!known_peer) return Bytes(bytes.begin(), bytes.end());
    read->header.address.endpoint.port = port;
    if (auto* message = std::get_if<Message>(&read->content)) {
        const std::function<void(SpData&)> change = [&](SpData& d) { from_client ? client_sockets(d) : host_sockets(d); };
        SocketVisitor visitor{change};
        std::visit(visitor, message->body);
        if (visitor.found) ++counters.rewritten;
    }
    return write_block(*read);
}

void Relay::Impl::forward_tcp(const Endpoint& to, Bytes bytes) {
    if (to.port == 0) {
        ++counters.refused;
        return;
    }
    auto& slot = senders[to];
    if (!slot || !slot->usable()) {
        slot = std::make_shared<TcpSender>(net.io(), to);
        slot->open(2'000, address, [weak = weak_from_this(), to] {
            const auto self = weak.lock();
            if (!self) return;
            self->senders.erase(to);
            self->log("the connection to " + to_string(to) + " was lost");
        });
    }
    if (!slot->send(std::move(bytes), kMaxQueued)) ++counters.refused;
}

void Relay::Impl::block(bool from_client, Ipv4 from, ByteView bytes) {
    ++counters.blocks;
    const std::uint16_t port = read_sp_header(bytes)->address.endpoint.port;
    if (from_client) {
        client_tcp = {from, port};
        forward_tcp(host_tcp, rewritten(bytes, true, false, true));
        return;
    }
    const bool host = from_host(from);
    if (host) host_tcp = {from, port};
    forward_tcp(client_tcp, rewritten(bytes, false, false, host));
}

void Relay::Impl::accept(const std::shared_ptr<TcpListener>& listener, bool from_client) {
    listener->accept([weak = weak_from_this(), from_client](asio::ip::tcp::socket socket, Ipv4 from) {
        const auto self = weak.lock();
        if (!self || self->receivers.size() >= 64) return;
        HeaderPolicy policy;
        policy.max_system_bytes = policy.max_player_bytes = kMaxSpSize;
        policy.check_port = false;
        policy.no_message_id = true;  // not ours to judge
        auto receiver = std::make_shared<TcpReceiver>(std::move(socket), from, policy);
        TcpReceiver* raw = receiver.get();
        receiver->on_block = [weak, from_client, from](ByteView bytes) {
            if (const auto relay = weak.lock()) relay->block(from_client, from, bytes);
        };
        const auto ended = [weak, raw, from_client, from] {
            const auto relay = weak.lock();
            if (!relay || relay->receivers.erase(raw) == 0) return;
            // Who closes to us closes to the other side: an original notices a lost machine by that.
            const Endpoint other = from_client ? relay->host_tcp : relay->client_tcp;
            if (!from_client && !relay->from_host(from)) return;
            if (const auto found = relay->senders.find(other); found != relay->senders.end()) {
                found->second->close_when_sent();
                relay->senders.erase(found);
            }
        };
        receiver->on_closed = ended;
        receiver->on_bad = [weak, ended](const Error& error) {
            if (const auto relay = weak.lock()) {
                ++relay->counters.unreadable;
                relay->log("a stream that is not DirectPlay: " + error.to_string());
            }
            ended();
        };
        self->receivers.emplace(raw, receiver);
        receiver->start(30'000);
    });
}

void Relay::Impl::datagram(bool from_client, const Endpoint& from, ByteView bytes) {
    ++counters.datagrams;
    const bool play = has_play(bytes, kSpHeaderBytes) && check_block(bytes, true, {kMaxSpSize, kMaxSpSize, true, false, true});
    Bytes out;
    if (play) {
        out = rewritten(bytes, from_client, true, from_client || from_host(from.ip));
    } else {
        out.assign(bytes.begin(), bytes.end());
        if (auto data = read_bare_player_message(bytes)) record(from_client, true, std::move(*data));
        else ++counters.unreadable;
    }
    if (from_client) {
        if (client_udp.port == 0) client_udp = from;
        if (host_udp.port == 0 || !outside_udp->send(host_udp, out)) ++counters.refused;
    } else if (client_udp.port == 0 || !inside_udp->send(client_udp, out)) {
        ++counters.refused;
    }
}

void Relay::Impl::enumerate(const Endpoint& from, ByteView bytes) {
    const auto checked = check_block(bytes, true, {});
    const auto read = checked ? read_block(bytes) : Result<Block>(fail("dp_size", ""));
    if (!read || !read->message() || read->message()->as<EnumSessionsBody>() == nullptr) {
        ++counters.unreadable;
        return;
    }
    ++counters.enumerations;
    client_tcp = {from.ip, read->header.address.endpoint.port};
    if (!outside_udp->send(host_enum, rewritten(bytes, true, true, true))) ++counters.refused;
}

void Relay::Impl::close() {
    inside->close();
    outside->close();
    inside_udp->close();
    outside_udp->close();
    enumeration->close();
    for (auto& [to, sender] : senders) sender->close_when_sent();
    for (auto& [raw, receiver] : receivers) receiver->close();
    senders.clear();
    receivers.clear();
}

Relay::Relay(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) { impl_->owner = this; }
Relay::~Relay() {
    impl_->owner = nullptr;
    impl_->close();
}

Result<std::unique_ptr<Relay>> Relay::open(NetContext& net, const BridgeSettings& settings) {
    auto impl = std::make_shared<Impl>(net, settings);
    Impl& i = *impl;
    IRON_TRY(i.host_enum, parse_endpoint(settings.relay, kEnumPort));
    IRON_TRY(const Ipv4 address, parse_ipv4(settings.address));
    i.address = asio::ip::address_v4(address);
    if (!settings.record.empty()) {
        IRON_TRY(i.recorder, NativeRecorder::create(settings.record, "native recording of a relay between an original client and an original host"));
    }
    IRON_CHECK(i.inside->bind(i.address, settings.tcp_first, settings.tcp_last));
    IRON_CHECK(i.outside->bind(i.address, settings.tcp_first, settings.tcp_last));
    IRON_CHECK(i.inside_udp->bind(i.address, settings.udp_first, settings.udp_last, false, false));
    IRON_CHECK(i.outside_udp->bind(i.address, settings.udp_first, settings.udp_last, false, false));
    IRON_CHECK(i.enumeration->bind(i.address, settings.enum_port, settings.enum_port, settings.reuse_address, false));
    i.accept(i.inside, true);
    i.accept(i.outside, false);
    const std::weak_ptr<Impl> weak = impl;
    i.inside_udp->receive([weak](const Endpoint& from, ByteView bytes) {
        if (const auto self = weak.lock()) self->datagram(true, from, bytes);
    });
    i.outside_udp->receive([weak](const Endpoint& from, ByteView bytes) {
        if (const auto self = weak.lock()) self->datagram(false, from, bytes);
    });
    i.enumeration->receive([weak](const Endpoint& from, ByteView bytes) {
        if (const auto self = weak.lock()) self->enumerate(from, bytes);
    });
    return std::unique_ptr<Relay>(new Relay(std::move(impl)));
}

Status Relay::stop() {
    impl_->close();
    return impl_->recorder.close();
}

std::uint16_t Relay::enum_port() const { return impl_->enumeration->port(); }
std::uint16_t Relay::client_side_tcp() const { return impl_->inside->port(); }
std::uint16_t Relay::host_side_tcp() const { return impl_->outside->port(); }
const RelayCounters& Relay::counters() const { return impl_->counters; }

std::string Relay::status_json() const {
    const RelayCounters& c = impl_->counters;
    const nlohmann::ordered_json out = {{"mode", "relay"},
                                        {"verified", kVerification},
                                        {"enum_port", enum_port()},
                                        {"client_side", {{"tcp_port", client_side_tcp()}, {"udp_port", impl_->inside_udp->port()}}},
                                        {"host_side", {{"tcp_port", host_side_tcp()}, {"udp_port", impl_->outside_udp->port()}}},
                                        {"enumerations", c.enumerations},
                                        {"blocks", c.blocks},
                                        {"datagrams", c.datagrams},
                                        {"rewritten", c.rewritten},
                                        {"unreadable", c.unreadable},
                                        {"refused", c.refused},
                                        {"opaque", c.opaque},
                                        {"opaque_bytes", c.opaque_bytes},
                                        {"recording", {{"on", impl_->recorder.on()}, {"messages", impl_->recorder.messages()}}}};
    return out.dump(2) + "\n";
}

}  // namespace iron::dpcompat
