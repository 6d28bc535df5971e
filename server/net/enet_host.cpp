#include "server/net/enet_host.hpp"

namespace iron::net {

namespace {
// Addresses whose handshakes are counted; the table is dropped when a flood of forged addresses
// fills it, because a forged address never completes a handshake anyway.
constexpr std::size_t kCountedAddresses = 4096;
}  // namespace

EnetHost::EnetHost(transport::EnetLink link, const HostSettings& settings)
    : link_(std::move(link)), settings_(settings) {
    link_.set_datagram_filter([this](ByteView datagram, transport::DatagramSource source) {
        return admits_datagram(datagram, source.ip);
    });
}

Result<std::unique_ptr<EnetHost>> EnetHost::open(const HostSettings& settings) {
    transport::LinkSettings link;
    link.address = settings.address;
    link.port = settings.port;
    link.max_peers = settings.max_connections;
    link.max_peers_per_address = settings.max_connections_per_address;
    link.silence_limit_ms = settings.limits.lost_after_ms;
    IRON_TRY(transport::EnetLink opened, transport::EnetLink::listen(link));
    return std::unique_ptr<EnetHost>(new EnetHost(std::move(opened), settings));
}

bool EnetHost::admits_datagram(ByteView datagram, std::uint32_t ip) {
    if (lose_ && lose_()) return false;
    if (!transport::opens_connection(datagram)) return true;
    if (handshakes_.size() >= kCountedAddresses && handshakes_.count(ip) == 0) handshakes_.clear();
    auto [window, fresh] = handshakes_.try_emplace(ip, settings_.handshakes_per_second, 1000);
    if (window->second.take(now_ms_)) return true;
    ++counters_.handshakes_refused;
    return false;
}

bool EnetHost::within_limits(const transport::LinkEvent& event, std::uint64_t now_ms) {
    if (event.data.size() > transport::max_packet_bytes(event.channel)) return false;
    const auto it = inbound_.find(event.connection);
    if (it == inbound_.end()) return false;
    return it->second.messages.take(now_ms) && it->second.bytes.take(now_ms, event.data.size());
}

Status EnetHost::poll(std::uint32_t timeout_ms, std::uint64_t now_ms, std::vector<HostEvent>& out) {
    now_ms_ = now_ms;
    events_.clear();
    IRON_CHECK(link_.poll(timeout_ms, events_));
    const session::SessionLimits& limits = settings_.limits;
    for (transport::LinkEvent& event : events_) {
        switch (event.kind) {
            case transport::LinkEvent::Kind::connected:
                inbound_.try_emplace(
                    event.connection,
                    Inbound{{limits.inbound_messages, limits.inbound_window_ms},
                            {limits.inbound_bytes, limits.inbound_window_ms}});
                out.push_back({HostEvent::Kind::connected, event.connection, event.channel, {}});
                break;
            case transport::LinkEvent::Kind::received:
                if (inbound_.count(event.connection) == 0) break;  // already given up
                ++counters_.packets_in;
                counters_.bytes_in += event.data.size();
                if (within_limits(event, now_ms)) {
                    out.push_back({HostEvent::Kind::received, event.connection, event.channel,
                                   std::move(event.data)});
                } else {
                    ++counters_.misuses;
                    inbound_.erase(event.connection);
                    out.push_back({HostEvent::Kind::misused, event.connection, event.channel, {}});
                }
                break;
            case transport::LinkEvent::Kind::closed:
                inbound_.erase(event.connection);
                out.push_back({HostEvent::Kind::closed, event.connection, event.channel, {}});
                break;
        }
    }
    return {};
}

bool EnetHost::send(ConnectionId connection, Channel channel, ByteView packet) {
    if (!link_.send(connection, channel, packet)) return false;
    ++counters_.packets_out;
    counters_.bytes_out += packet.size();
    return true;
}

void EnetHost::close_gently(ConnectionId connection) { link_.close_gently(connection); }

void EnetHost::close_now(ConnectionId connection) {
    inbound_.erase(connection);
    link_.close_now(connection);
}

std::uint32_t EnetHost::silent_ms(ConnectionId connection) const { return link_.silent_ms(connection); }

std::uint32_t EnetHost::round_trip_ms(ConnectionId connection) const {
    return link_.round_trip_ms(connection);
}

}  // namespace iron::net
