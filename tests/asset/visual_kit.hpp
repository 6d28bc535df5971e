// Worked vectors of the visual and terrain formats, typed in from their description, and small
// helpers to damage them.
#pragma once

#include <catch2/catch.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "shared/asset/stream.hpp"
#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"
#include "shared/base/hash.hpp"

namespace iron::asset::kit {

/// Bytes from hexadecimal digits; white space is ignored.
inline Bytes hex(std::string_view text) {
    std::string digits;
    for (const char c : text)
        if (c != ' ' && c != '\n') digits.push_back(c);
    return from_hex(digits).value();
}
inline Bytes floats(std::initializer_list<float> values) {
    ByteWriter out;
    for (const float v : values) out.f32(v);
    return out.take();
}
inline Bytes join(std::initializer_list<Bytes> parts) {
    Bytes out;
    for (const Bytes& p : parts) out.insert(out.end(), p.begin(), p.end());
    return out;
}
inline Bytes text(std::string_view t) {
    const ByteView v = as_bytes(t);
    return Bytes(v.begin(), v.end());
}
template <class T>
void poke(Bytes& bytes, std::size_t at, T value) {
    REQUIRE(at + sizeof(T) <= bytes.size());
    std::memcpy(bytes.data() + at, &value, sizeof(T));
}

inline ReadContext strict() { return {}; }
inline ReadContext compatible() {
    ReadContext ctx;
    ctx.profile = ReadProfile::compatible;
    return ctx;
}

/// Code of a failed result, "" when it succeeded.
template <class R>
std::string code_of(const R& result) {
    return result ? std::string() : result.error().code();
}

inline const float kNan = std::numeric_limits<float>::quiet_NaN();
inline const float kHalfRoot2 = 0.70710677f;

/// The one-triangle model (models.md 11.1).
inline std::vector<Stream> minimal_model() {
    const auto corners = floats({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0});
    const auto sphere = floats({0.5f, 0.5f, 0, kHalfRoot2});
    const auto segment = floats({0.5f, 0.5f, 0, 0.5f, 0.5f, 0, kHalfRoot2});
    const auto slot = join({hex("00 00 01 00 00 00 01 00"), floats({0, 0, 0, 1, 1, 0}), sphere,
                            floats({1, 0}), Bytes(12, 0)});
    return {
        {1, 1, 0, 38, "one", join({hex("00 00 FF FF FF FF 00 00 00 00"), Bytes(28, 0xFF)})},
        {2, 1, 0, 68, "one", join({corners, sphere, segment, slot})},
        {3, 3, 0, 12, "one", floats({0, 0, 0, 1, 0, 0, 0, 1, 0})},
        {4, 3, 0, 4, "one", hex("00 00 7F 00 00 00 7F 00 00 00 7F 00")},
        {5, 3, 0, 4, "one", hex("00 00 00 00 00 04 00 00 00 00 00 04")},
        {15, 3, 0, 8, "one", Bytes(24, 0)},
        {13, 1, 0, 20, "one", hex("00 00 00 00 00 00 00 00 03 00 00 00 00 00 03 00 00 00 00 00")},
        {6, 3, 0, 2, "one", hex("00 00 01 00 02 00")},
        {7, 1, 0, 16, "one", hex("00 00 FF FF FF FF FF FF 00 00 00 00 FF 7F 3F 00")},
        {8, 1, 0, 4, "one", join({Bytes(16, 0), hex("00 00 00 00 00 00 FF 7F")})},
        {19, 0, 1, 2, "one", {}},
        {9, 0, 0, 0, "one", {}},
        {10, 1, 0, 0, "one", hex("04 00 00 00 72 6F 6F 74 00")},
        {17, 0, 0, 0, "one", {}},
    };
}

/// The one-tile landscape (terrain.md 11.1).
inline std::vector<Stream> minimal_land() {
    const float r = 45.254834f;
    const auto corners = floats({0, 0, 0, 64, 0, 0, 64, 64, 0, 0, 64, 0, 0, 0, 0, 64, 0, 0, 64, 64, 0, 0, 64, 0});
    const auto sphere = floats({32, 32, 0, r});
    const auto bounds = join({floats({0, 0, 0, 64, 64, 0}), sphere, floats({4096, 0}), Bytes(12, 0)});
    return {
        {1, 1, 1, 38, "land", join({hex("00 00 FF FF FF FF 00 00 00 00 01 00"), Bytes(26, 0xFF)})},
        {2, 2, 0, 68, "land",
         join({corners, sphere, floats({32, 32, 0, 32, 32, 0, r}), hex("00 00 02 00 00 00 00 00"), bounds,
               hex("02 00 02 00 00 00 00 00"), bounds})},
        {3, 4, 0, 12, "land", floats({0, 0, 0, 64, 0, 0, 64, 64, 0, 0, 64, 0})},
        {4, 4, 0, 4, "land", hex("00007F00 00007F00 00007F00 00007F00")},
        {5, 4, 0, 4, "land", hex("00 00 00 00 00 04 00 00 00 04 00 04 00 00 00 04")},
        {18, 4, 0, 4, "land", Bytes(16, 0)},
        {14, 4, 0, 4, "land", Bytes(16, 0)},
        {11, 4, 0, 4, "land", hex("00 00 58 00 01 00 48 00 02 00 58 00 03 00 48 00")},
        {21, 4, 0, 28, "land",
         hex("00 00 00 00 01 FF FF FF 00 00 01 00 02 00 FF FF FF FF 01 00 00 00 00 00 FF 7F 00 00"
             "00 00 00 00 01 FF FF FF 00 00 02 00 03 00 00 00 FF FF FF FF 00 00 00 00 FF 7F 00 00"
             "00 00 00 00 01 FF FF FF 00 00 01 00 02 00 FF FF FF FF 03 00 00 00 00 00 FF 7F 00 00"
             "00 00 00 00 01 FF FF FF 00 00 02 00 03 00 02 00 FF FF FF FF 00 00 00 00 FF 7F 00 00")},
    };
}

inline Stream& of(std::vector<Stream>& streams, std::uint32_t type) {
    for (Stream& s : streams)
        if (s.type == type) return s;
    FAIL("no stream of type " << type);
    return streams.front();
}
inline void drop(std::vector<Stream>& streams, std::uint32_t type) {
    std::erase_if(streams, [type](const Stream& s) { return s.type == type; });
}
inline Bytes pack(const std::vector<Stream>& streams) { return write_streams(streams).value(); }

}  // namespace iron::asset::kit
