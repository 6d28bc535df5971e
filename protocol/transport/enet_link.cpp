#include "protocol/transport/enet_link.hpp"

#include <enet/enet.h>

#include <cerrno>
#include <cstring>

namespace iron::transport {

namespace {

constexpr std::uint16_t kNoPeerYet = 0x0FFF;  // peer id of a datagram that belongs to no peer

Status start_enet() {
    // ENet counts nothing and needs no shutdown on POSIX; the static runs it once per process.
    static const int result = enet_initialize();
    if (result != 0) return fail("connection_failed", "the network library could not be started");
    return {};
}

Result<ENetAddress> resolve(const std::string& text, std::uint16_t port) {
    ENetAddress address{};
    address.port = port;
    if (text.empty() || text == "*" || text == "0.0.0.0") {
        address.host = ENET_HOST_ANY;
        return address;
    }
    if (enet_address_set_host_ip(&address, text.c_str()) != 0 &&
        enet_address_set_host(&address, text.c_str()) != 0)
        return fail("bad_address", "'" + text + "' is neither an IPv4 address nor a known host name");
    return address;
}

ConnectionId id_of(const ENetPeer* peer) {
    return static_cast<ConnectionId>(reinterpret_cast<std::uintptr_t>(peer->data));
}

}  // namespace

struct EnetLink::Impl {
    ENetHost* host = nullptr;
    LinkSettings settings;
    std::map<ConnectionId, ENetPeer*> peers;
    ConnectionId next_id = 1;
    DatagramFilter filter;

    ~Impl() {
        if (host == nullptr) return;
        for (auto& [id, peer] : peers) enet_peer_reset(peer);
        enet_host_destroy(host);
    }

    ConnectionId adopt(ENetPeer* peer) {
        const ConnectionId id = next_id++;
        peer->data = reinterpret_cast<void*>(static_cast<std::uintptr_t>(id));
        peers[id] = peer;
        enet_peer_timeout(peer, 0, settings.silence_limit_ms, settings.silence_limit_ms);
        return id;
    }

    ENetPeer* find(ConnectionId id) const {
        const auto it = peers.find(id);
        return it == peers.end() ? nullptr : it->second;
    }

    void translate(ENetEvent& event, std::vector<LinkEvent>& out) {
        switch (event.type) {
            case ENET_EVENT_TYPE_CONNECT: {
                const ConnectionId known = id_of(event.peer);
                const ConnectionId id = known != 0 ? known : adopt(event.peer);
                out.push_back({LinkEvent::Kind::connected, id, Channel::control, {}});
                break;
            }
            case ENET_EVENT_TYPE_RECEIVE: {
                const ConnectionId id = id_of(event.peer);
                if (id != 0 && event.channelID < kChannelCount) {
                    const auto* data = event.packet->data;
                    out.push_back({LinkEvent::Kind::received, id,
                                   static_cast<Channel>(event.channelID),
                                   Bytes(data, data + event.packet->dataLength)});
                }
                enet_packet_destroy(event.packet);
                break;
            }
            case ENET_EVENT_TYPE_DISCONNECT: {
                const ConnectionId id = id_of(event.peer);
                event.peer->data = nullptr;
                if (id != 0 && peers.erase(id) != 0)
                    out.push_back({LinkEvent::Kind::closed, id, Channel::control, {}});
                break;
            }
            case ENET_EVENT_TYPE_NONE: break;
        }
    }

    // ENet's callback has no user pointer; the link being polled is known for the length of a call.
    static thread_local Impl* polled;

    static int ENET_CALLBACK intercept(ENetHost* host, ENetEvent*) {
        if (polled == nullptr || polled->host != host || !polled->filter) return 0;
        const ByteView datagram(host->receivedData, host->receivedDataLength);
        const bool keep =
            polled->filter(datagram, {host->receivedAddress.host, host->receivedAddress.port});
        return keep ? 0 : 1;
    }

    struct Polling {
        explicit Polling(Impl* impl) { polled = impl; }
        ~Polling() { polled = nullptr; }
    };
};

thread_local EnetLink::Impl* EnetLink::Impl::polled = nullptr;

EnetLink::EnetLink(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
EnetLink::EnetLink(EnetLink&&) noexcept = default;
EnetLink& EnetLink::operator=(EnetLink&&) noexcept = default;
EnetLink::~EnetLink() = default;

Result<EnetLink> EnetLink::listen(const LinkSettings& settings) {
    IRON_CHECK(start_enet());
    IRON_TRY(ENetAddress address, resolve(settings.address, settings.port));
    auto impl = std::make_unique<Impl>();
    impl->settings = settings;
    errno = 0;
    impl->host = enet_host_create(&address, settings.max_peers, kChannelCount, 0, 0);
    if (impl->host == nullptr) {
        const int cause = errno;
        const std::string where = settings.address + ":" + std::to_string(settings.port) + " (UDP)";
        if (cause == EADDRINUSE)
            return fail("port_in_use",
                        "port " + where + " is in use by another program; choose another with --port");
        if (cause == EACCES || cause == EPERM)
            return fail("no_permission", "no permission to listen on " + where);
        if (cause == EADDRNOTAVAIL)
            return fail("bad_address", "this machine has no address " + settings.address);
        return fail("connection_failed",
                    "cannot listen on " + where + ": " + std::strerror(cause));
    }
    impl->host->maximumPacketSize = protocol::kMaxPacketBytes;
    impl->host->maximumWaitingData = settings.max_waiting_bytes;
    impl->host->duplicatePeers = settings.max_peers_per_address;
    impl->host->intercept = &Impl::intercept;
    return EnetLink(std::move(impl));
}

Result<EnetLink> EnetLink::outgoing(const LinkSettings& settings) {
    IRON_CHECK(start_enet());
    auto impl = std::make_unique<Impl>();
    impl->settings = settings;
    impl->host = enet_host_create(nullptr, settings.max_peers, kChannelCount, 0, 0);
    if (impl->host == nullptr) return fail("connection_failed", "cannot open a UDP socket");
    impl->host->maximumPacketSize = protocol::kMaxPacketBytes;
    impl->host->maximumWaitingData = settings.max_waiting_bytes;
    impl->host->intercept = &Impl::intercept;
    return EnetLink(std::move(impl));
}

std::uint16_t EnetLink::port() const { return impl_->host->address.port; }

Result<ConnectionId> EnetLink::connect(const std::string& text, std::uint16_t port) {
    IRON_TRY(ENetAddress address, resolve(text, port));
    if (address.host == ENET_HOST_ANY || port == 0)
        return fail("bad_address", "'" + text + ":" + std::to_string(port) + "' is not a place to connect to");
    ENetPeer* peer = enet_host_connect(impl_->host, &address, kChannelCount, 0);
    if (peer == nullptr) return fail("connection_failed", "no free connection slot");
    return impl_->adopt(peer);
}

Status EnetLink::poll(std::uint32_t timeout_ms, std::vector<LinkEvent>& out) {
    const Impl::Polling guard(impl_.get());
    ENetEvent event{};
    int got = enet_host_service(impl_->host, &event, timeout_ms);
    while (got > 0) {
        impl_->translate(event, out);
        got = enet_host_service(impl_->host, &event, 0);
    }
    // An unreachable destination surfaces as a socket error for one datagram; the link lives on.
    if (got < 0 && errno != ECONNREFUSED && errno != EINTR && errno != ENETUNREACH &&
        errno != EHOSTUNREACH && errno != EPERM)
        return fail("connection_failed", std::string("the UDP socket failed: ") + std::strerror(errno));
    return {};
}

bool EnetLink::send(ConnectionId connection, Channel channel, ByteView data) {
    ENetPeer* peer = impl_->find(connection);
    if (peer == nullptr || data.size() > max_packet_bytes(channel)) return false;
    const enet_uint32 flags = is_reliable(channel) ? enet_uint32{ENET_PACKET_FLAG_RELIABLE} : 0u;
    ENetPacket* packet = enet_packet_create(data.data(), data.size(), flags);
    if (packet == nullptr) return false;
    if (enet_peer_send(peer, static_cast<enet_uint8>(channel), packet) != 0) {
        enet_packet_destroy(packet);
        return false;
    }
    return true;
}

void EnetLink::flush() { enet_host_flush(impl_->host); }

void EnetLink::close_gently(ConnectionId connection) {
    if (ENetPeer* peer = impl_->find(connection)) enet_peer_disconnect_later(peer, 0);
}

void EnetLink::close_now(ConnectionId connection) {
    ENetPeer* peer = impl_->find(connection);
    if (peer == nullptr) return;
    impl_->peers.erase(connection);
    peer->data = nullptr;
    enet_peer_disconnect_now(peer, 0);
}

bool EnetLink::is_open(ConnectionId connection) const {
    const ENetPeer* peer = impl_->find(connection);
    return peer != nullptr && peer->state == ENET_PEER_STATE_CONNECTED;
}

std::size_t EnetLink::open_count() const { return impl_->peers.size(); }

std::uint32_t EnetLink::round_trip_ms(ConnectionId connection) const {
    const ENetPeer* peer = impl_->find(connection);
    return peer == nullptr ? 0 : peer->roundTripTime;
}

std::uint32_t EnetLink::silent_ms(ConnectionId connection) const {
    const ENetPeer* peer = impl_->find(connection);
    if (peer == nullptr) return 0;
    return enet_time_get() - peer->lastReceiveTime;
}

std::string EnetLink::remote_address(ConnectionId connection) const {
    const ENetPeer* peer = impl_->find(connection);
    if (peer == nullptr) return {};
    char text[64] = {};
    if (enet_address_get_host_ip(&peer->address, text, sizeof text) != 0) return {};
    return std::string(text) + ":" + std::to_string(peer->address.port);
}

void EnetLink::set_datagram_filter(DatagramFilter filter) { impl_->filter = std::move(filter); }

bool opens_connection(ByteView datagram) {
    if (datagram.size() < 2) return false;
    const auto peer = static_cast<std::uint16_t>(datagram[0] << 8 | datagram[1]);
    return (peer & kNoPeerYet) == kNoPeerYet;
}

}  // namespace iron::transport
