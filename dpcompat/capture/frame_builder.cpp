#include "dpcompat/capture/frame_builder.hpp"

#include <algorithm>

namespace iron::dpcompat {
namespace {

void be16(ByteWriter& out, std::uint32_t v) {
    out.u8(static_cast<std::uint8_t>(v >> 8 & 0xFF));
    out.u8(static_cast<std::uint8_t>(v & 0xFF));
}
void be32(ByteWriter& out, std::uint32_t v) {
    be16(out, v >> 16);
    be16(out, v & 0xFFFF);
}

std::uint32_t sum16(ByteView bytes, std::uint32_t sum = 0) {
    std::uint64_t total = sum;
    for (std::size_t i = 0; i < bytes.size(); i += 2)
        total += static_cast<std::uint32_t>(bytes[i]) << 8 | (i + 1 < bytes.size() ? bytes[i + 1] : 0u);
    while (total >> 16) total = (total & 0xFFFF) + (total >> 16);
    return static_cast<std::uint32_t>(total);
}

/// Locally administered, from the address.
void mac(ByteWriter& out, Ipv4 ip) {
    out.u8(0x02);
    out.u8(0x00);
    be32(out, ip);
}

std::uint32_t pseudo_header(std::uint8_t protocol, Ipv4 from, Ipv4 to, std::size_t length) {
    ByteWriter out;
    be32(out, from);
    be32(out, to);
    be16(out, protocol);
    be16(out, static_cast<std::uint32_t>(length));
    return sum16(out.buffer());
}

constexpr std::uint8_t kTcp = 6, kUdp = 17, kSyn = 2, kAck = 16, kPush = 8;
constexpr std::size_t kMaxSegment = 65'535 - 40;

}  // namespace

void FrameBuilder::ip(std::uint64_t time_us, std::uint8_t protocol, Ipv4 from, Ipv4 to, ByteView payload) {
    // What no packet holds travels in fragments, as on a real network.
    constexpr std::size_t kFragment = 65'512;  // a multiple of 8
    const std::uint16_t id = ++packet_id_;
    for (std::size_t at = 0; at == 0 || at < payload.size(); at += kFragment) {
        const ByteView piece = payload.subspan(at, std::min(kFragment, payload.size() - at));
        const bool more = at + piece.size() < payload.size();
        ByteWriter header;
        be16(header, 0x4500);
        be16(header, static_cast<std::uint32_t>(20 + piece.size()));
        be16(header, id);
        be16(header, static_cast<std::uint32_t>(at / 8) | (more ? 0x2000u : 0u));
        header.u8(64);
        header.u8(protocol);
        be16(header, 0);
        be32(header, from);
        be32(header, to);
        const std::uint32_t sum = ~sum16(header.buffer());
        header.patch(10, static_cast<std::uint8_t>(sum >> 8));
        header.patch(11, static_cast<std::uint8_t>(sum));
        ByteWriter frame;
        mac(frame, to);
        mac(frame, from);
        be16(frame, 0x0800);
        frame.bytes(header.buffer());
        frame.bytes(piece);
        file_.frame(time_us, frame.buffer());
    }
}

void FrameBuilder::udp(std::uint64_t time_us, const Endpoint& from, const Endpoint& to, ByteView data) {
    const std::size_t length = 8 + std::min<std::size_t>(data.size(), 65'507);
    ByteWriter out;
    be16(out, from.port);
    be16(out, to.port);
    be16(out, static_cast<std::uint32_t>(length));
    be16(out, 0);
    out.bytes(data.first(length - 8));
    std::uint32_t sum = ~sum16(out.buffer(), pseudo_header(kUdp, from.ip, to.ip, length)) & 0xFFFF;
    if (sum == 0) sum = 0xFFFF;
    out.patch(6, static_cast<std::uint8_t>(sum >> 8));
    out.patch(7, static_cast<std::uint8_t>(sum));
    ip(time_us, kUdp, from.ip, to.ip, out.buffer());
}

void FrameBuilder::segment(std::uint64_t time_us, const Endpoint& from, const Endpoint& to, std::uint8_t flags, ByteView data) {
    Direction& d = directions_[{from, to}];
    const Direction& back = directions_[{to, from}];
    ByteWriter out;
    be16(out, from.port);
    be16(out, to.port);
    be32(out, d.sequence - ((flags & kSyn) ? 1 : 0));
    be32(out, (flags & kAck) ? back.sequence : 0);
    out.u8(0x50);
    out.u8(flags);
    be16(out, 0xFFFF);
    be32(out, 0);
    out.bytes(data);
    const std::uint32_t sum = ~sum16(out.buffer(), pseudo_header(kTcp, from.ip, to.ip, out.size()));
    out.patch(16, static_cast<std::uint8_t>(sum >> 8));
    out.patch(17, static_cast<std::uint8_t>(sum));
    d.sequence += static_cast<std::uint32_t>(data.size());
    ip(time_us, kTcp, from.ip, to.ip, out.buffer());
}

void FrameBuilder::tcp(std::uint64_t time_us, const Endpoint& from, const Endpoint& to, ByteView data) {
    if (!directions_[{from, to}].open) {
        directions_[{from, to}].open = directions_[{to, from}].open = true;
        segment(time_us, from, to, kSyn, {});
        segment(time_us, to, from, kSyn | kAck, {});
        segment(time_us, from, to, kAck, {});
    }
    for (std::size_t at = 0; at == 0 || at < data.size(); at += kMaxSegment)
        segment(time_us, from, to, kPush | kAck, data.subspan(at, std::min(kMaxSegment, data.size() - at)));
}

}  // namespace iron::dpcompat
