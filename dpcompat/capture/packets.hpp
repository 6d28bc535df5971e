// From captured frames to UDP datagrams and TCP segments: link layers, VLAN, IPv4 with its fragments.
// Source: directplay.md 15.4.6.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "dpcompat/capture/pcap.hpp"
#include "dpcompat/wire/basics.hpp"

namespace iron::dpcompat {

struct UdpDatagram {
    std::uint64_t time_us = 0, frame = 0;
    Endpoint from, to;
    ByteView data;
};
struct TcpSegment {
    std::uint64_t time_us = 0, frame = 0;
    Endpoint from, to;
    std::uint32_t sequence = 0;
    bool syn = false, fin = false, reset = false;
    ByteView data;
};

struct PacketStats {
    std::uint64_t frames = 0, udp = 0, tcp = 0;
    std::uint64_t other = 0;           ///< not IPv4, or another protocol
    std::uint64_t unknown_link = 0;    ///< link type that is not understood
    std::uint64_t damaged = 0;         ///< headers that contradict the frame
    std::uint64_t cut = 0;             ///< shortened by the recorder
    std::uint64_t ip_fragments = 0, ip_reassembled = 0, ip_lost = 0;  ///< lost: never completed or beyond the limits
};

/// Feeds datagrams and segments, in frame order, to the two functions.
class PacketDecoder {
public:
    std::function<void(const UdpDatagram&)> on_udp;
    std::function<void(const TcpSegment&)> on_tcp;

    void frame(const CapturedFrame& frame);
    /// Counts what is still incomplete.
    void finish();
    const PacketStats& stats() const { return stats_; }

private:
    struct FragmentKey {
        Ipv4 from, to;
        std::uint16_t id;
        std::uint8_t protocol;
        auto operator<=>(const FragmentKey&) const = default;
    };
    struct Fragments {
        std::uint64_t time_us = 0;
        std::optional<std::size_t> whole;
        std::map<std::size_t, Bytes> pieces;
    };
    void ipv4(ByteView packet, const CapturedFrame& frame);
    void payload(std::uint8_t protocol, Ipv4 from, Ipv4 to, ByteView bytes, const CapturedFrame& frame);
    std::optional<Bytes> assemble(const FragmentKey& key, std::size_t offset, bool more, ByteView piece, std::uint64_t time_us);

    PacketStats stats_;
    std::map<FragmentKey, Fragments> fragments_;
};

}  // namespace iron::dpcompat
