// Hand-made network frames in every link form, for the capture tests.
#pragma once

#include "dpcompat/capture/frame_builder.hpp"
#include "dpcompat/capture/session_capture.hpp"
#include "tests/dpcompat/fixture.hpp"

namespace iron::test {

inline constexpr dpcompat::Ipv4 kHostIp = 0xC000020A, kJoinerIp = 0xC0000214, kThirdIp = 0xC000021E;

inline void append(Bytes& to, ByteView from) { to.insert(to.end(), from.begin(), from.end()); }

/// A raw TCP segment in IPv4 without checksums, for a raw IP capture.
inline Bytes ip_segment(dpcompat::Endpoint from, dpcompat::Endpoint to, std::uint32_t sequence, std::uint8_t flags, ByteView data,
                        std::uint16_t id = 1) {
    Bytes out;
    const auto be16 = [&](std::uint32_t v) { out.push_back(static_cast<std::uint8_t>(v >> 8)), out.push_back(static_cast<std::uint8_t>(v)); };
    const auto be32 = [&](std::uint32_t v) { be16(v >> 16), be16(v & 0xFFFF); };
    be16(0x4500), be16(static_cast<std::uint32_t>(40 + data.size())), be16(id), be16(0), be16(0x4006), be16(0);
    be32(from.ip), be32(to.ip);
    be16(from.port), be16(to.port), be32(sequence), be32(0), be16(0x5000u | flags), be16(0xFFFF), be32(0);
    append(out, data);
    return out;
}
inline Bytes ip_datagram(dpcompat::Endpoint from, dpcompat::Endpoint to, ByteView data, std::uint16_t id = 1) {
    Bytes out;
    const auto be16 = [&](std::uint32_t v) { out.push_back(static_cast<std::uint8_t>(v >> 8)), out.push_back(static_cast<std::uint8_t>(v)); };
    const auto be32 = [&](std::uint32_t v) { be16(v >> 16), be16(v & 0xFFFF); };
    be16(0x4500), be16(static_cast<std::uint32_t>(28 + data.size())), be16(id), be16(0), be16(0x4011), be16(0);
    be32(from.ip), be32(to.ip);
    be16(from.port), be16(to.port), be16(static_cast<std::uint32_t>(8 + data.size())), be16(0);
    append(out, data);
    return out;
}

/// The worked session as a capture made by the frame builder: enumerate, join, create, data, leave.
inline Bytes small_session_pcap() {
    using dpcompat::Endpoint;
    dpcompat::FrameBuilder b;
    const Endpoint host_tcp{kHostIp, 2300}, joiner_tcp{kJoinerIp, 2300}, host_out{kHostIp, 1061}, joiner_out{kJoinerIp, 1062};
    const Endpoint host_udp{kHostIp, 2350}, joiner_udp{kJoinerIp, 2350};
    std::uint64_t t = 1'000'000;
    b.udp(t += 1000, joiner_udp, {0xFFFFFFFF, 47624}, fixture("enum_sessions_request"));
    b.tcp(t += 1000, host_out, joiner_tcp, fixture("enum_sessions_reply"));
    b.tcp(t += 1000, joiner_out, host_tcp, fixture("request_player_id_system"));
    b.tcp(t += 1000, host_out, joiner_tcp, fixture("request_player_reply_system"));
    b.tcp(t += 1000, joiner_out, host_tcp, fixture("add_forward_request_password"));
    b.tcp(t += 1000, host_out, joiner_tcp, fixture("super_enum_players_reply"));
    b.tcp(t += 1000, joiner_out, host_tcp, fixture("request_player_id"));
    b.tcp(t += 1000, host_out, joiner_tcp, fixture("request_player_reply"));
    b.tcp(t += 1000, joiner_out, host_tcp, fixture("create_player"));
    b.tcp(t += 1000, host_out, joiner_tcp, fixture("session_desc_changed"));
    b.tcp(t += 1000, joiner_out, host_tcp, fixture("player_message_tcp"));
    b.udp(t += 1000, joiner_udp, host_udp, fixture("player_message_udp"));
    b.tcp(t += 1000, joiner_out, host_tcp, fixture("chat"));
    b.udp(t += 1000, joiner_udp, host_udp, fixture("packet_fragment_0"));
    b.udp(t += 1000, joiner_udp, host_udp, fixture("packet_fragment_1"));
    b.tcp(t += 1000, joiner_out, host_tcp, fixture("delete_player"));
    b.tcp(t += 1000, joiner_out, host_tcp, fixture("delete_player_system"));
    return b.take();
}

}  // namespace iron::test
