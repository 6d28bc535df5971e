// Small helpers of the archive tests: hex vectors, seeded bytes, hand-made containers.
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "shared/archive/nres.hpp"
#include "shared/archive/rsli.hpp"
#include "shared/archive/xor_stream.hpp"
#include "shared/base/bytes.hpp"
#include "shared/base/rng.hpp"

namespace iron::archive::test {

/// Hexadecimal text with any white space between digits.
inline Bytes hex(std::string_view text) {
    Bytes out;
    int high = -1;
    for (const char c : text) {
        if (std::isspace(static_cast<unsigned char>(c))) continue;
        const int digit = c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
        if (high < 0) {
            high = digit;
        } else {
            out.push_back(static_cast<std::uint8_t>(high * 16 + digit));
            high = -1;
        }
    }
    return out;
}

inline Bytes text(std::string_view s) { return Bytes(s.begin(), s.end()); }

inline void put_u32(Bytes& bytes, std::size_t at, std::uint32_t value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

inline ReadContext strict() { return {}; }
inline ReadContext compatible() {
    ReadContext context;
    context.profile = ReadProfile::compatible;
    return context;
}

/// archives.md 3.9, 160 bytes, two entries.
inline Bytes nres_example() {
    return hex(R"(
        4E 52 65 73 00 01 00 00 02 00 00 00 A0 00 00 00
        01 02 03 00 00 00 00 00 AA AA AA AA AA AA AA AA
        01 00 00 00 02 00 00 00 00 00 00 00 03 00 00 00
        03 00 00 00 62 2E 62 69 6E 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 10 00 00 00 01 00 00 00
        02 00 00 00 00 00 00 00 00 00 00 00 08 00 00 00
        00 00 00 00 41 2E 62 69 6E 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 18 00 00 00 00 00 00 00)");
}

/// archives.md 4.13, 110 bytes, two records.
inline Bytes rsli_example() {
    return hex(R"(
        4E 4C 00 01 02 00 00 00 00 00 00 00 00 00 BA AB
        00 00 00 00 5A A5 00 00 00 00 00 00 00 00 00 00
        53 4F D6 FE EF B6 BA A5 87 EF 41 8C 93 F0 7B C0
        7B 80 9A E0 43 98 AF BE D2 B1 B9 A6 88 E6 59 A1
        AB 44 B5 61 62 78 82 BF 9C D5 09 4A F2 25 0F 33
        23 D7 51 8C 8F C8 3F 16 66 03 0A 18 28 7D 97 8F
        4A 43 47 52 69 46 9D DC 07 41 42 43 EE F6)");
}

/// A record of a hand-made NRes whose data region is given byte by byte.
struct RawEntry {
    std::string name;
    std::uint32_t offset = 16, size = 0, sort_index = 0;
    std::uint32_t type_id = 0, attr1 = 0, attr2 = 0, attr3 = 0;
};

/// Header + data + directory, nothing derived but count and total size.
inline Bytes raw_nres(const Bytes& data, const std::vector<RawEntry>& entries) {
    ByteWriter out;
    out.text("NRes");
    out.u32(0x100);
    out.u32(static_cast<std::uint32_t>(entries.size()));
    out.u32(static_cast<std::uint32_t>(16 + data.size() + 64 * entries.size()));
    out.bytes(data);
    for (const RawEntry& e : entries) {
        NresEntry record;
        record.type_id = e.type_id;
        record.attr1 = e.attr1;
        record.attr2 = e.attr2;
        record.attr3 = e.attr3;
        record.size = e.size;
        record.offset = e.offset;
        record.sort_index = e.sort_index;
        record.name_field.assign(e.name);
        out.put(record);
    }
    return out.take();
}

/// A record of a hand-made RsLi.
struct RawRecord {
    std::string name;
    std::uint16_t flags = 0;
    std::int16_t sort_to_original = 0;
    std::uint32_t unpacked_size = 0, raw_offset = 0, packed_size = 0;
};

/// Header + transformed table + data (which may end with a trailer).
inline Bytes raw_rsli(const std::vector<RawRecord>& records, const Bytes& data,
                      std::uint16_t presorted = kRsliPresorted, std::uint32_t seed = 0x1234) {
    ByteWriter table;
    for (const RawRecord& r : records) {
        RsliRecord record;
        record.name_field.assign(r.name);
        record.flags = r.flags;
        record.sort_to_original = r.sort_to_original;
        record.unpacked_size = r.unpacked_size;
        record.raw_offset = r.raw_offset;
        record.packed_size = r.packed_size;
        table.put(record);
    }
    ByteWriter out;
    out.text("NL");
    out.u8(0);
    out.u8(1);
    out.u16(static_cast<std::uint16_t>(records.size()));
    out.zeros(8);
    out.u16(presorted);
    out.zeros(4);
    out.u32(seed);
    out.zeros(8);
    out.bytes(xor_stream(table.buffer(), static_cast<std::uint16_t>(seed)));
    out.bytes(data);
    return out.take();
}

inline Bytes random_bytes(Rng& rng, std::size_t size) {
    Bytes out(size);
    for (auto& b : out) b = static_cast<std::uint8_t>(rng.below(256));
    return out;
}

/// Repetitive bytes: short alphabets, runs and copies, so that matches of all lengths occur.
inline Bytes repetitive_bytes(Rng& rng, std::size_t size) {
    Bytes out;
    while (out.size() < size) {
        const std::uint32_t kind = rng.below(4);
        const std::size_t length = 1 + rng.below(70);
        if (kind == 0 && !out.empty()) {
            const std::size_t from = rng.below(static_cast<std::uint32_t>(out.size()));
            for (std::size_t i = 0; i < length; ++i) out.push_back(out[from + i]);
        } else if (kind == 1) {
            out.insert(out.end(), length, static_cast<std::uint8_t>(rng.below(3) == 0 ? 0x20 : rng.below(256)));
        } else {
            for (std::size_t i = 0; i < length; ++i)
                out.push_back(static_cast<std::uint8_t>('a' + rng.below(kind == 2 ? 3 : 26)));
        }
    }
    out.resize(size);
    return out;
}

/// A short random file name, unique through its number.
inline std::string random_name(Rng& rng, std::size_t number) {
    static constexpr std::string_view letters = "abcXYZ_[09.";
    std::string name;
    for (std::uint32_t n = rng.below(5); n != 0; --n)
        name += letters[rng.below(static_cast<std::uint32_t>(letters.size()))];
    return name + std::to_string(number);
}

}  // namespace iron::archive::test
