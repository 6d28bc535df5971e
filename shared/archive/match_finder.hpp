// Finds the matches of the greedy encoders (archives.md 4.7, 4.8) exactly: all places in the ring
// whose copy would yield at least `min` bytes of the remaining input. Used by lzss.cpp, lzhuf.cpp.
//
// A ring that starts filled with one byte and is written from `start` on is the last 4096 bytes of
// "4096 fill bytes, then the input": a copy from the ring place `distance` bytes behind the write
// position yields the history at that distance, including bytes the copy itself writes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "shared/base/bytes.hpp"

namespace iron::archive {

inline constexpr std::size_t kRingSize = 4096;

class MatchFinder {
public:
    /// `min`: shortest match looked for, 2 or 3; the hash covers that many bytes.
    MatchFinder(ByteView plain, std::uint8_t fill, std::size_t min)
        : end_(kRingSize + plain.size()), history_(end_ + sizeof(std::uint64_t), fill), min_(min),
          last_(kHashSize, kNone), before_(end_) {
        if (!plain.empty()) std::memcpy(history_.data() + kRingSize, plain.data(), plain.size());
    }

    /// Calls `visit(distance, length)` for every distance 1..`max_distance` with a match at input
    /// position `at`, nearest first, lengths min..`max_length`. Positions must not go back.
    /// `visit` returns false to stop.
    template <class Visit>
    void matches(std::size_t at, std::size_t max_distance, std::size_t max_length, Visit visit) {
        const std::size_t here = kRingSize + at;
        if (here + min_ > end_) return;
        while (indexed_ < here) index(indexed_++);
        const std::size_t limit = std::min(max_length, end_ - here);
        const std::uint8_t* want = history_.data() + here;
        for (std::uint32_t p = last_[hash(here)]; p != kNone; p = before_[p]) {
            const std::size_t distance = here - p;
            if (distance > max_distance) break;
            const std::size_t length = common_length(history_.data() + p, want, limit);
            if (length >= min_ && !visit(distance, length)) break;
        }
    }

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    static constexpr std::size_t kHashSize = 1 << 14;

    /// Equal leading bytes, eight at a time; the history has eight spare bytes to read over.
    static std::size_t common_length(const std::uint8_t* a, const std::uint8_t* b, std::size_t limit) {
        for (std::size_t n = 0; n < limit; n += sizeof(std::uint64_t)) {
            const std::uint64_t differs = load_le<std::uint64_t>(a + n) ^ load_le<std::uint64_t>(b + n);
            if (differs != 0)
                return std::min(limit, n + static_cast<std::size_t>(std::countr_zero(differs)) / 8);
        }
        return limit;
    }
    std::size_t hash(std::size_t p) const {
        std::uint32_t v = history_[p] | (std::uint32_t{history_[p + 1]} << 8);
        if (min_ > 2) v |= std::uint32_t{history_[p + 2]} << 16;
        return (v * 2654435761u) >> 18;
    }
    void index(std::size_t p) {
        const std::size_t h = hash(p);
        before_[p] = last_[h];
        last_[h] = static_cast<std::uint32_t>(p);
    }

    std::size_t end_;
    Bytes history_;
    std::size_t min_;
    std::size_t indexed_ = 0;
    std::vector<std::uint32_t> last_;    // newest place with a hash
    std::vector<std::uint32_t> before_;  // the place before with the same hash
};

}  // namespace iron::archive
