#include "dpcompat/capture/pcap.hpp"

#include <algorithm>
#include <optional>

namespace iron::dpcompat {
namespace {

constexpr std::size_t kMaxFrameBytes = 1 << 20;

/// Scalars of a capture file, whose byte order its magic number tells.
struct Order {
    bool swapped = false;
    std::uint16_t u16(const std::uint8_t* p) const {
        const auto v = load_le<std::uint16_t>(p);
        return swapped ? __builtin_bswap16(v) : v;
    }
    std::uint32_t u32(const std::uint8_t* p) const {
        const auto v = load_le<std::uint32_t>(p);
        return swapped ? __builtin_bswap32(v) : v;
    }
};

Status read_pcap(CaptureFile& out, Order order, bool nanoseconds) {
    const ByteView file = out.file;
    if (file.size() < 24) return fail("bad_capture", "the file header is cut", file.size());
    // The upper bits of the link word describe a frame check sequence.
    const std::uint32_t link = order.u32(file.data() + 20) & 0x0FFFFFFF;
    for (std::size_t at = 24; at < file.size();) {
        if (file.size() - at < 16) {
            out.torn = true;
            break;
        }
        const std::uint8_t* head = file.data() + at;
        const std::uint32_t captured = order.u32(head + 8);
        if (captured > kMaxFrameBytes) return fail("bad_capture", "a frame of " + std::to_string(captured) + " bytes", at);
        if (captured > file.size() - at - 16) {
            out.torn = true;
            break;
        }
        const std::uint32_t fraction = order.u32(head + 4);
        out.frames.push_back({out.frames.size() + 1, order.u32(head) * 1'000'000ull + (nanoseconds ? fraction / 1000 : fraction), link,
                              order.u32(head + 12), file.subspan(at + 16, captured)});
        at += 16 + captured;
    }
    return {};
}

struct Interface {
    std::uint32_t link = 0;
    std::uint64_t units_per_second = 1'000'000;
    std::uint64_t offset_us = 0;
};

std::uint64_t to_us(std::uint64_t units, std::uint64_t per_second) {
    // In parts, so that nothing overflows: finer clocks than microseconds are divided, coarser ones multiplied.
    const std::uint64_t rest = units % per_second;
    const std::uint64_t fraction = per_second >= 1'000'000 ? rest / (per_second / 1'000'000) : rest * 1'000'000 / per_second;
    return units / per_second * 1'000'000 + std::min<std::uint64_t>(fraction, 999'999);
}

Interface read_interface(ByteView block, Order order) {
    Interface out;
    out.link = order.u16(block.data() + 8);
    for (std::size_t at = 16; at + 4 <= block.size() - 4;) {
        const std::uint16_t code = order.u16(block.data() + at), length = order.u16(block.data() + at + 2);
        if (code == 0 || length > block.size() - 4 - at - 4) break;
        const std::uint8_t* value = block.data() + at + 4;
        if (code == 9 && length == 1) {
            const unsigned power = *value & 0x7F;
            std::uint64_t units = 1;
            const unsigned most = *value & 0x80 ? 63 : 19;
            for (unsigned i = 0; i < std::min(power, most); ++i) units *= *value & 0x80 ? 2 : 10;
            out.units_per_second = units;
        }
        if (code == 14 && length == 8) {
            const std::uint64_t seconds = order.swapped ? __builtin_bswap64(load_le<std::uint64_t>(value)) : load_le<std::uint64_t>(value);
            out.offset_us = seconds * 1'000'000;
        }
        at += 4 + (length + 3u) / 4 * 4;
    }
    return out;
}

Status read_pcapng(CaptureFile& out) {
    constexpr std::uint32_t kSection = 0x0A0D0D0A, kOrderMark = 0x1A2B3C4D;
    const ByteView file = out.file;
    Order order;
    std::vector<Interface> interfaces;
    for (std::size_t at = 0; at < file.size();) {
        if (file.size() - at < 12) {
            out.torn = true;
            break;
        }
        const std::uint8_t* head = file.data() + at;
        if (load_le<std::uint32_t>(head) == kSection) {
            const auto mark = load_le<std::uint32_t>(head + 8);
            if (mark != kOrderMark && __builtin_bswap32(mark) != kOrderMark) return fail("bad_capture", "a section without byte order", at);
            order.swapped = mark != kOrderMark;
            interfaces.clear();
        }
        const std::uint32_t type = order.u32(head), length = order.u32(head + 4);
        if (length < 12 || length % 4 != 0) return fail("bad_capture", "a block of " + std::to_string(length) + " bytes", at);
        if (length > file.size() - at) {
            out.torn = true;
            break;
        }
        const ByteView block = file.subspan(at, length);
        const auto frame = [&](const Interface& i, std::uint64_t units, std::size_t data_at, std::uint32_t captured,
                               std::uint32_t original) -> Status {
            if (data_at + 4 > length || captured > length - data_at - 4 || captured > kMaxFrameBytes)
                return fail("bad_capture", "a packet does not fit its block", at);
            out.frames.push_back({out.frames.size() + 1, to_us(units, i.units_per_second) + i.offset_us, i.link, original,
                                  block.subspan(data_at, captured)});
            return {};
        };
        const auto interface_of = [&](std::uint32_t index) -> Result<Interface> {
            if (index >= interfaces.size()) return fail("bad_capture", "a packet of an unknown interface", at);
            return interfaces[index];
        };
        if (type == 1 && length >= 20) {
            interfaces.push_back(read_interface(block, order));
        } else if ((type == 6 || type == 2) && length >= 32) {
            const std::uint32_t index = type == 6 ? order.u32(head + 8) : order.u16(head + 8);
            IRON_TRY(const Interface i, interface_of(index));
            const std::uint64_t units = static_cast<std::uint64_t>(order.u32(head + 12)) << 32 | order.u32(head + 16);
            IRON_CHECK(frame(i, units, 28, order.u32(head + 20), order.u32(head + 24)));
        } else if (type == 3 && length >= 16) {
            IRON_TRY(const Interface i, interface_of(0));
            const std::uint32_t original = order.u32(head + 8);
            // A simple packet has no time; it takes the one before.
            const std::uint64_t before = out.frames.empty() ? 0 : out.frames.back().time_us;
            IRON_CHECK(frame(i, 0, 12, std::min(original, length - 16), original));
            out.frames.back().time_us = before;
        } else if (type != kSection) {
            ++out.skipped_blocks;
        }
        at += length;
    }
    return {};
}

}  // namespace

Result<CaptureFile> read_capture(Bytes file) {
    CaptureFile out;
    out.file = std::move(file);
    if (out.file.size() < 4) return fail("not_a_capture", "neither pcap nor pcapng");
    const auto magic = load_le<std::uint32_t>(out.file.data());
    if (magic == 0x0A0D0D0A) {
        IRON_CHECK(read_pcapng(out));
        return out;
    }
    for (const bool nano : {false, true})
        for (const bool swapped : {false, true}) {
            const std::uint32_t wanted = nano ? 0xA1B23C4Du : 0xA1B2C3D4u;
            if (magic != (swapped ? __builtin_bswap32(wanted) : wanted)) continue;
            IRON_CHECK(read_pcap(out, {swapped}, nano));
            return out;
        }
    return fail("not_a_capture", "neither pcap nor pcapng");
}

PcapWriter::PcapWriter(std::uint32_t link_type) {
    out_.u32(0xA1B2C3D4);
    out_.u16(2);
    out_.u16(4);
    out_.zeros(8);
    out_.u32(0xFFFF);
    out_.u32(link_type);
}

void PcapWriter::frame(std::uint64_t time_us, ByteView bytes) {
    out_.u32(static_cast<std::uint32_t>(time_us / 1'000'000));
    out_.u32(static_cast<std::uint32_t>(time_us % 1'000'000));
    out_.u32(static_cast<std::uint32_t>(bytes.size()));
    out_.u32(static_cast<std::uint32_t>(bytes.size()));
    out_.bytes(bytes);
}

}  // namespace iron::dpcompat
