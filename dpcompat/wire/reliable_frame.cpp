#include "dpcompat/wire/reliable.hpp"

namespace iron::dpcompat {
namespace {

Result<std::uint16_t> read_index(ByteReader& in) {
    std::uint32_t value = 0;
    for (int group = 0; group < 3; ++group) {
        const auto byte = in.u8("index");
        if (!byte) return fail("dp_size", "a reliable frame ends inside its indexes");
        value |= static_cast<std::uint32_t>(*byte & 0x7F) << (7 * group);
        if (*byte & 0x80) continue;
        if (value > 0xFFFF || (group > 0 && *byte == 0)) break;
        return static_cast<std::uint16_t>(value);
    }
    return fail("dp_index", "a player index is not a shortest number up to 65535");
}

void write_index(ByteWriter& out, std::uint16_t value) {
    std::uint32_t rest = value;
    while (rest >= 0x80) {
        out.u8(static_cast<std::uint8_t>(rest | 0x80));
        rest >>= 7;
    }
    out.u8(static_cast<std::uint8_t>(rest));
}

}  // namespace

Result<ReliableFrame> read_reliable_frame(ByteView bytes) {
    using namespace frame_flag;
    ByteReader in(bytes);
    ReliableFrame f;
    IRON_TRY(f.from, read_index(in));
    IRON_TRY(f.to, read_index(in));
    const auto need = [&](std::size_t count) -> Status {
        if (in.remaining() < count) return fail("dp_size", "a reliable frame ends early");
        return {};
    };
    IRON_CHECK(need(1));
    f.flags = *in.u8("flags");
    if (f.flags & kBig) return fail("dp_frame", "the frame sets a flag that is never used");
    if (((f.flags & kAck) != 0) == ((f.flags & kCommand) != 0)) return fail("dp_frame", "neither data nor acknowledgement");
    const auto mask_bytes = [&]() -> Result<std::size_t> {
        if (f.extended & 0x9F) return fail("dp_frame", "reserved bits in the extended flags");
        return std::size_t{static_cast<std::uint8_t>(f.extended >> 5)};
    };
    if (f.is_nack()) {
        IRON_CHECK(need(11));
        f.extended = *in.u8("extended flags");
        IRON_TRY(const std::size_t mask, mask_bytes());
        f.message = *in.u8("message");
        f.sequence = *in.u8("sequence");
        f.bytes_received = *in.u32("bytes");
        f.tick_ms = *in.u32("tick");
        IRON_CHECK(need(mask));
        const ByteView view = *in.view(mask, "mask");
        f.mask.assign(view.begin(), view.end());
    } else {
        IRON_CHECK(need(3));
        f.message = *in.u8("message");
        f.sequence = *in.u8("sequence");
        f.serial = *in.u8("serial");
        if (f.is_ack()) {
            IRON_CHECK(need(8));
            f.bytes_received = *in.u32("bytes");
            f.tick_ms = *in.u32("tick");
        } else if (f.flags & kExtended) {
            IRON_CHECK(need(1));
            f.extended = *in.u8("extended flags");
            IRON_TRY(const std::size_t mask, mask_bytes());
            IRON_CHECK(need(mask));
            const ByteView view = *in.view(mask, "mask");
            f.mask.assign(view.begin(), view.end());
        }
    }
    const ByteView rest = *in.view(in.remaining(), "payload");
    f.payload.assign(rest.begin(), rest.end());
    return f;
}

Bytes write_reliable_frame(const ReliableFrame& f) {
    ByteWriter out;
    write_index(out, f.from);
    write_index(out, f.to);
    out.u8(f.flags);
    if (f.is_nack()) {
        out.u8(f.extended);
        out.u8(f.message);
        out.u8(f.sequence);
        out.u32(f.bytes_received);
        out.u32(f.tick_ms);
        out.bytes(f.mask);
    } else {
        out.u8(f.message);
        out.u8(f.sequence);
        out.u8(f.serial);
        if (f.is_ack()) {
            out.u32(f.bytes_received);
            out.u32(f.tick_ms);
        } else if (f.flags & frame_flag::kExtended) {
            out.u8(f.extended);
            out.bytes(f.mask);
        }
    }
    out.bytes(f.payload);
    return out.take();
}

}  // namespace iron::dpcompat
