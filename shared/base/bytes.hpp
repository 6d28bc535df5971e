// Bounded byte access: every file and every packet goes through these two classes.
// Source: shared/spec archives.md 1.1 (little-endian, packed), 1.4 (reading discipline).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "shared/base/error.hpp"

namespace iron {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

/// The same bytes seen as a view (no copy, no terminator).
inline ByteView as_bytes(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
inline std::string_view as_text(ByteView bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// a + b and a * b in 64 bits; false when the exact result does not fit.
constexpr bool checked_add(std::uint64_t a, std::uint64_t b, std::uint64_t& out) {
    return !__builtin_add_overflow(a, b, &out);
}
constexpr bool checked_mul(std::uint64_t a, std::uint64_t b, std::uint64_t& out) {
    return !__builtin_mul_overflow(a, b, &out);
}

/// Reads little-endian scalars from `p`, which must hold sizeof(T) bytes.
template <class T>
T load_le(const std::uint8_t* p) {
    static_assert(std::is_trivially_copyable_v<T> && std::endian::native == std::endian::little);
    T value;
    std::memcpy(&value, p, sizeof(T));
    return value;
}

/// A cursor over untrusted bytes. Every read is checked; the first failure is an Error with the
/// absolute offset (`base_offset` + position) and code `truncated`.
class ByteReader {
public:
    explicit ByteReader(ByteView bytes, std::uint64_t base_offset = 0)
        : bytes_(bytes), base_(base_offset) {}

    std::size_t position() const { return pos_; }
    std::uint64_t offset() const { return base_ + pos_; }
    std::size_t remaining() const { return bytes_.size() - pos_; }
    bool at_end() const { return pos_ == bytes_.size(); }
    ByteView whole() const { return bytes_; }

    /// Scalar of type T (integers, float: bit-exact). Error `truncated`.
    template <class T>
    Result<T> read(std::string_view what) {
        if (remaining() < sizeof(T)) return fail_truncated(what, sizeof(T));
        T value = load_le<T>(bytes_.data() + pos_);
        pos_ += sizeof(T);
        return value;
    }
    Result<std::uint8_t> u8(std::string_view what) { return read<std::uint8_t>(what); }
    Result<std::uint16_t> u16(std::string_view what) { return read<std::uint16_t>(what); }
    Result<std::uint32_t> u32(std::string_view what) { return read<std::uint32_t>(what); }
    Result<std::uint64_t> u64(std::string_view what) { return read<std::uint64_t>(what); }
    Result<std::int16_t> i16(std::string_view what) { return read<std::int16_t>(what); }
    Result<std::int32_t> i32(std::string_view what) { return read<std::int32_t>(what); }
    Result<float> f32(std::string_view what) { return read<float>(what); }

    /// A view of the next `count` bytes. Error `truncated`.
    Result<ByteView> view(std::uint64_t count, std::string_view what) {
        if (count > remaining()) return fail_truncated(what, count);
        ByteView out = bytes_.subspan(pos_, static_cast<std::size_t>(count));
        pos_ += static_cast<std::size_t>(count);
        return out;
    }

    /// Checks that `count` elements of at least `min_size` bytes can still follow, before any
    /// allocation. Error `count_too_large`.
    Status require_count(std::uint64_t count, std::uint64_t min_size, std::string_view what) const;

    /// Error `trailing_bytes` unless everything was consumed.
    Status expect_end(std::string_view what) const;

private:
    tl::unexpected<Error> fail_truncated(std::string_view what, std::uint64_t need) const;

    ByteView bytes_;
    std::uint64_t base_ = 0;
    std::size_t pos_ = 0;
};

/// Appends little-endian scalars to a growing buffer.
class ByteWriter {
public:
    std::size_t size() const { return out_.size(); }
    template <class T>
    void put(T value) {
        static_assert(std::is_trivially_copyable_v<T>);
        std::uint8_t raw[sizeof(T)];
        std::memcpy(raw, &value, sizeof(T));
        out_.insert(out_.end(), raw, raw + sizeof(T));
    }
    void u8(std::uint8_t v) { put(v); }
    void u16(std::uint16_t v) { put(v); }
    void u32(std::uint32_t v) { put(v); }
    void u64(std::uint64_t v) { put(v); }
    void i16(std::int16_t v) { put(v); }
    void i32(std::int32_t v) { put(v); }
    void f32(float v) { put(v); }
    void bytes(ByteView v) { out_.insert(out_.end(), v.begin(), v.end()); }
    void text(std::string_view v) { bytes(as_bytes(v)); }
    void zeros(std::size_t count) { out_.insert(out_.end(), count, std::uint8_t{0}); }
    /// Zero bytes up to the next multiple of `alignment`.
    void align(std::size_t alignment) {
        while (out_.size() % alignment != 0) out_.push_back(0);
    }
    /// Overwrites bytes written earlier; `at + sizeof(T)` must be <= size().
    template <class T>
    void patch(std::size_t at, T value) {
        std::memcpy(out_.data() + at, &value, sizeof(T));
    }
    Bytes take() { return std::move(out_); }
    const Bytes& buffer() const { return out_; }

private:
    Bytes out_;
};

/// A `char[N]` field: the raw bytes are kept, the value ends at the first NUL.
/// Source: archives.md 1.1 ("Fixed string").
template <std::size_t N>
struct FixedString {
    std::array<std::uint8_t, N> raw{};

    std::string_view view() const {
        std::size_t n = 0;
        while (n < N && raw[n] != 0) ++n;
        return {reinterpret_cast<const char*>(raw.data()), n};
    }
    bool terminated() const { return view().size() < N; }
    /// Zero-fills and stores at most N bytes of `text`; false if it had to cut.
    bool assign(std::string_view text) {
        raw.fill(0);
        const std::size_t n = text.size() < N ? text.size() : N;
        std::memcpy(raw.data(), text.data(), n);
        return n == text.size();
    }
    bool operator==(const FixedString&) const = default;
};

template <std::size_t N>
Result<FixedString<N>> read_fixed_string(ByteReader& in, std::string_view what) {
    auto bytes = in.view(N, what);
    if (!bytes) return tl::unexpected(std::move(bytes).error());
    FixedString<N> out;
    std::memcpy(out.raw.data(), bytes->data(), N);
    return out;
}

}  // namespace iron
