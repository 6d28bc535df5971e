#include "shared/archive/lzhuf.hpp"

#include <algorithm>
#include <array>

#include "shared/archive/lzhuf_tree.hpp"
#include "shared/archive/match_finder.hpp"

namespace iron::archive {
namespace {

constexpr std::size_t kMask = kRingSize - 1;
constexpr std::size_t kLongest = 60;
constexpr std::size_t kStart = kRingSize - kLongest;
constexpr std::size_t kMaxDistance = 4036;    // d = 0..4035 codes distance d + 1
constexpr unsigned kLengthBase = 253;         // symbol 256 is length 3
// A match takes at least 10 bits and gives at most 60 bytes.
constexpr std::size_t kMaxExpansion = 48;

/// The prefix code of the upper six bits of a distance, by its first eight bits and by value.
struct PositionCode {
    std::array<std::uint8_t, 256> upper{};
    std::array<std::uint8_t, 256> bits{};   // L of the first byte
    std::array<std::uint8_t, 64> first{};   // first byte with this value
};

constexpr PositionCode kPosition = [] {
    struct Row {
        unsigned values, bytes_per_value, bits;
    };
    constexpr Row rows[] = {{1, 32, 3}, {3, 16, 4}, {8, 8, 5}, {12, 4, 6}, {24, 2, 7}, {16, 1, 8}};
    PositionCode code;
    unsigned byte = 0, value = 0;
    for (const Row& row : rows) {
        for (unsigned v = 0; v < row.values; ++v, ++value) {
            code.first[value] = static_cast<std::uint8_t>(byte);
            for (unsigned b = 0; b < row.bytes_per_value; ++b, ++byte) {
                code.upper[byte] = static_cast<std::uint8_t>(value);
                code.bits[byte] = static_cast<std::uint8_t>(row.bits);
            }
        }
    }
    return code;
}();

class BitReader {
public:
    explicit BitReader(ByteView bytes) : bytes_(bytes) {}
    /// 0 or 1, or -1 at the end.
    int next() {
        if (left_ == 0) {
            if (pos_ == bytes_.size()) return -1;
            current_ = bytes_[pos_++];
            left_ = 8;
        }
        return (current_ >> --left_) & 1;
    }
    std::size_t consumed() const { return pos_; }

private:
    ByteView bytes_;
    std::size_t pos_ = 0;
    unsigned current_ = 0, left_ = 0;
};

class BitWriter {
public:
    void put(unsigned bit) {
        if (left_ == 0) {
            out_.push_back(0);
            left_ = 8;
        }
        --left_;
        out_.back() = static_cast<std::uint8_t>(out_.back() | (bit << left_));
    }
    /// The `count` low bits of `value`, most significant first.
    void put_bits(unsigned value, unsigned count) {
        while (count-- != 0) put((value >> count) & 1);
    }
    Bytes take() { return std::move(out_); }

private:
    Bytes out_;
    unsigned left_ = 0;
};

/// Distance d, or -1 at the end of the input.
int read_distance(BitReader& in) {
    unsigned b = 0;
    for (int i = 0; i < 8; ++i) {
        const int bit = in.next();
        if (bit < 0) return -1;
        b = b * 2 + static_cast<unsigned>(bit);
    }
    const unsigned upper = kPosition.upper[b];
    for (unsigned i = kPosition.bits[b] - 2u; i != 0; --i) {
        const int bit = in.next();
        if (bit < 0) return -1;
        b = b * 2 + static_cast<unsigned>(bit);
    }
    return static_cast<int>(upper * 64 + (b & 63));
}

void write_distance(BitWriter& out, unsigned d) {
    const unsigned first = kPosition.first[d >> 6];
    const unsigned bits = kPosition.bits[first];
    out.put_bits(first >> (8 - bits), bits);
    out.put_bits(d & 63, 6);
}

}  // namespace

Result<Decoded> lzhuf_decode(ByteView packed, std::size_t unpacked_size) {
    std::array<std::uint8_t, kRingSize> ring;
    ring.fill(0x20);
    std::size_t write = kStart;
    LzhufTree tree;
    BitReader in(packed);
    Decoded out;
    out.plain.reserve(std::min(unpacked_size, packed.size() * kMaxExpansion));
    const auto put = [&](std::uint8_t byte) {
        out.plain.push_back(byte);
        ring[write] = byte;
        write = (write + 1) & kMask;
    };
    const auto next_bit = [&] { return in.next(); };
    while (out.plain.size() < unpacked_size) {
        const int symbol = tree.decode(next_bit);
        if (symbol >= 0 && symbol < 256) {
            put(static_cast<std::uint8_t>(symbol));
            continue;
        }
        const int distance = symbol < 0 ? -1 : read_distance(in);
        if (distance < 0)
            return fail("input_exhausted", "the LZHUF stream ends early", in.consumed());
        std::size_t from = write - static_cast<std::size_t>(distance) - 1;
        std::size_t length = std::min<std::size_t>(static_cast<unsigned>(symbol) - kLengthBase,
                                                   unpacked_size - out.plain.size());
        for (; length != 0; --length) put(ring[from++ & kMask]);
    }
    out.consumed = in.consumed();
    return out;
}

Bytes lzhuf_encode(ByteView plain, LzhufMatches matches) {
    MatchFinder finder(plain, 0x20, 3);
    LzhufTree tree;
    BitWriter out;
    const auto put_bit = [&](unsigned bit) { out.put(bit); };
    for (std::size_t at = 0; at < plain.size();) {
        std::size_t best_length = 0, best_distance = 0;
        if (matches == LzhufMatches::greedy) {
            // Nearest first, so only a longer match replaces the best one.
            finder.matches(at, kMaxDistance, kLongest, [&](std::size_t distance, std::size_t length) {
                if (length > best_length) {
                    best_length = length;
                    best_distance = distance;
                }
                return best_length < kLongest;
            });
        }
        if (best_length == 0) {
            tree.encode(plain[at++], put_bit);
            continue;
        }
        tree.encode(static_cast<unsigned>(best_length) + kLengthBase, put_bit);
        write_distance(out, static_cast<unsigned>(best_distance - 1));
        at += best_length;
    }
    return out.take();
}

}  // namespace iron::archive
