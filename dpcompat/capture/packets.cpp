#include "dpcompat/capture/packets.hpp"

#include <algorithm>

namespace iron::dpcompat {
namespace {

constexpr std::size_t kMaxFragmented = 64;  // packets in assembly
constexpr std::uint64_t kFragmentUs = 30'000'000;
constexpr std::uint8_t kTcp = 6, kUdp = 17;

std::uint16_t be16(const std::uint8_t* p) { return static_cast<std::uint16_t>(p[0] << 8 | p[1]); }
std::uint32_t be32(const std::uint8_t* p) { return static_cast<std::uint32_t>(be16(p)) << 16 | be16(p + 2); }

/// The IPv4 packet inside a frame; empty when it holds something else.
std::optional<ByteView> network_layer(const CapturedFrame& f, bool& known) {
    const ByteView b = f.bytes;
    known = true;
    const auto typed = [&](std::size_t type_at, std::size_t at) -> std::optional<ByteView> {
        if (b.size() < at) return {};
        std::uint16_t type = be16(b.data() + type_at);
        for (int tags = 0; tags < 4 && (type == 0x8100 || type == 0x88A8 || type == 0x9100); ++tags) {
            if (b.size() < at + 4) return {};
            type = be16(b.data() + at + 2);
            at += 4;
        }
        if (type != 0x0800) return {};
        return b.subspan(at);
    };
    switch (f.link_type) {
        case kLinkEthernet: return typed(12, 14);
        case kLinkCooked: return typed(14, 16);
        case kLinkCooked2: return typed(0, 20);
        case kLinkRaw:
        case kLinkRawOld:
        case kLinkRawOpenBsd:
        case kLinkIpv4: return b;
        case kLinkNull:
        case kLinkLoop: {
            if (b.size() < 4) return {};
            const std::uint32_t family = be32(b.data());
            // NULL has the recorder's byte order, so both are seen.
            if (family != 2 && family != 0x02000000) return {};
            return b.subspan(4);
        }
        default: known = false; return {};
    }
}

}  // namespace

void PacketDecoder::frame(const CapturedFrame& f) {
    ++stats_.frames;
    if (f.original_bytes > f.bytes.size()) ++stats_.cut;
    bool known = true;
    const auto packet = network_layer(f, known);
    if (!known) {
        ++stats_.unknown_link;
    } else if (!packet || packet->size() < 20 || ((*packet)[0] >> 4) != 4) {
        ++stats_.other;
    } else {
        ipv4(*packet, f);
    }
}

void PacketDecoder::ipv4(ByteView packet, const CapturedFrame& f) {
    const std::size_t header = std::size_t{static_cast<std::uint8_t>(packet[0] & 0x0F)} * 4;
    std::size_t total = be16(packet.data() + 2);
    if (total == 0) total = packet.size();  // left to the network card
    if (header < 20 || header > packet.size() || total < header) {
        ++stats_.damaged;
        return;
    }
    const std::uint16_t word = be16(packet.data() + 6);
    const std::uint8_t protocol = packet[9];
    const Ipv4 from = be32(packet.data() + 12), to = be32(packet.data() + 16);
    // Frames are padded to a minimum; what lies behind the packet is not part of it.
    const ByteView data = packet.subspan(header, std::min(total, packet.size()) - header);
    const std::size_t offset = std::size_t{static_cast<std::uint16_t>(word & 0x1FFF)} * 8;
    const bool more = (word & 0x2000) != 0;
    if (offset == 0 && !more) {
        payload(protocol, from, to, data, f);
        return;
    }
    ++stats_.ip_fragments;
    if (packet.size() < total) {
        ++stats_.damaged;
        return;
    }
    const auto whole = assemble({from, to, be16(packet.data() + 4), protocol}, offset, more, data, f.time_us);
    if (whole) payload(protocol, from, to, *whole, f);
}

std::optional<Bytes> PacketDecoder::assemble(const FragmentKey& key, std::size_t offset, bool more, ByteView piece, std::uint64_t time_us) {
    stats_.ip_lost += std::erase_if(fragments_, [&](const auto& f) { return time_us > f.second.time_us + kFragmentUs; });
    if (offset + piece.size() > 65'535 || piece.empty() || (more && piece.size() % 8 != 0)) {
        ++stats_.damaged;
        return {};
    }
    if (!fragments_.contains(key) && fragments_.size() >= kMaxFragmented) {
        ++stats_.ip_lost;
        return {};
    }
    Fragments& f = fragments_[key];
    f.time_us = time_us;
    f.pieces.emplace(offset, Bytes(piece.begin(), piece.end()));
    if (!more) f.whole = offset + piece.size();
    if (!f.whole) return {};
    Bytes whole;
    for (const auto& [at, bytes] : f.pieces) {
        if (at > whole.size()) return {};  // a hole
        const std::size_t known = whole.size() - at;
        if (known < bytes.size()) whole.insert(whole.end(), bytes.begin() + static_cast<std::ptrdiff_t>(known), bytes.end());
    }
    if (whole.size() < *f.whole) return {};
    whole.resize(*f.whole);
    fragments_.erase(key);
    ++stats_.ip_reassembled;
    return whole;
}

void PacketDecoder::payload(std::uint8_t protocol, Ipv4 from, Ipv4 to, ByteView b, const CapturedFrame& f) {
    if (protocol == kUdp) {
        if (b.size() < 8 || be16(b.data() + 4) < 8) {
            ++stats_.damaged;
            return;
        }
        const std::size_t length = be16(b.data() + 4);
        if (length > b.size()) {  // cut by the recorder: half a datagram is no message
            ++stats_.damaged;
            return;
        }
        ++stats_.udp;
        if (on_udp) on_udp({f.time_us, f.number, {from, be16(b.data())}, {to, be16(b.data() + 2)}, b.subspan(8, length - 8)});
    } else if (protocol == kTcp) {
        const std::size_t header = b.size() < 20 ? 0 : std::size_t{static_cast<std::uint8_t>(b[12] >> 4)} * 4;
        if (header < 20 || header > b.size()) {
            ++stats_.damaged;
            return;
        }
        ++stats_.tcp;
        const std::uint8_t flags = b[13];
        if (on_tcp)
            on_tcp({f.time_us, f.number, {from, be16(b.data())}, {to, be16(b.data() + 2)}, be32(b.data() + 4), (flags & 2) != 0,
                    (flags & 1) != 0, (flags & 4) != 0, b.subspan(header)});
    } else {
        ++stats_.other;
    }
}

void PacketDecoder::finish() {
    stats_.ip_lost += fragments_.size();
    fragments_.clear();
}

}  // namespace iron::dpcompat
