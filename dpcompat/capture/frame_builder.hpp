// Ethernet, IPv4, TCP and UDP headers with checksums around messages; a pcap file of whole conversations.
#pragma once

#include <map>

#include "dpcompat/capture/pcap.hpp"
#include "dpcompat/wire/basics.hpp"

namespace iron::dpcompat {

/// Builds a capture that any reader takes for a recording: a TCP direction opens with its handshake.
class FrameBuilder {
public:
    void udp(std::uint64_t time_us, const Endpoint& from, const Endpoint& to, ByteView data);
    /// One segment a call while `data` fits a packet; larger messages are split.
    void tcp(std::uint64_t time_us, const Endpoint& from, const Endpoint& to, ByteView data);
    Bytes take() { return file_.take(); }

private:
    struct Direction {
        std::uint32_t sequence = 1;
        bool open = false;
    };
    void ip(std::uint64_t time_us, std::uint8_t protocol, Ipv4 from, Ipv4 to, ByteView payload);
    void segment(std::uint64_t time_us, const Endpoint& from, const Endpoint& to, std::uint8_t flags, ByteView data);

    PcapWriter file_;
    std::map<std::pair<Endpoint, Endpoint>, Direction> directions_;
    std::uint16_t packet_id_ = 0;
};

}  // namespace iron::dpcompat
