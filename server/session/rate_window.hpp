// Counting in a sliding window: at most `limit` in any `span` units of time (ms or ticks).
#pragma once

#include <cstdint>
#include <deque>

namespace iron::session {

class RateWindow {
public:
    RateWindow(std::uint64_t limit, std::uint64_t span) : limit_(limit), span_(span) {}

    /// True and counted if `amount` more still fits at `now`; false leaves the count as it was.
    bool take(std::uint64_t now, std::uint64_t amount = 1) {
        while (!entries_.empty() && now - entries_.front().at >= span_) {
            total_ -= entries_.front().amount;
            entries_.pop_front();
        }
        if (total_ + amount > limit_) return false;
        total_ += amount;
        // One entry per moment: its length is bounded by the span, not by the sender.
        if (!entries_.empty() && entries_.back().at == now)
            entries_.back().amount += amount;
        else
            entries_.push_back({now, amount});
        return true;
    }

private:
    struct Entry {
        std::uint64_t at = 0, amount = 0;
    };
    std::uint64_t limit_, span_;
    std::uint64_t total_ = 0;
    std::deque<Entry> entries_;
};

}  // namespace iron::session
