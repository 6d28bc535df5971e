#include "dpcompat/capture/tcp_stream.hpp"

#include <algorithm>

namespace iron::dpcompat {
namespace {

constexpr std::size_t kMaxWaitingBytes = 1 << 20;  // then the missing bytes count as lost
constexpr std::size_t kHistoryBytes = 128 * 1024;

}  // namespace

void TcpStream::segment(const TcpSegment& s, TcpStats& stats) {
    if (s.syn) {
        if (started_ && first_ == s.sequence + 1) return;  // a repeated SYN
        flush(stats);
        started_ = saw_start_ = true;
        first_ = s.sequence + 1;
        next_ = 0;
        history_.clear();
        return;
    }
    if (!s.data.empty()) {
        if (!started_) {
            started_ = true;
            first_ = s.sequence;
        }
        // Positions are 64 bits wide; the 32-bit number is taken nearest to where the stream is.
        const auto delta = static_cast<std::int32_t>(s.sequence - (first_ + static_cast<std::uint32_t>(next_)));
        store(next_ + delta, s.data, s.time_us, stats);
        deliver();
        while (waiting_bytes_ > kMaxWaitingBytes) {
            skip_gap(stats);
            deliver();
        }
    }
    if (s.reset) flush(stats);
}

void TcpStream::store(std::int64_t at, ByteView bytes, std::uint64_t time_us, TcpStats& stats) {
    if (at < next_) {
        const auto known = static_cast<std::size_t>(std::min<std::int64_t>(next_ - at, static_cast<std::int64_t>(bytes.size())));
        stats.retransmitted_bytes += known;
        const auto back = static_cast<std::size_t>(next_ - at);
        if (back <= history_.size())
            for (std::size_t i = 0; i < known; ++i) stats.conflicting_bytes += history_[history_.size() - back + i] != bytes[i];
        bytes = bytes.subspan(known);
        at += static_cast<std::int64_t>(known);
    }
    // Bytes that wait already keep their first content.
    while (!bytes.empty()) {
        auto after = waiting_.upper_bound(at);
        if (after != waiting_.begin()) {
            const auto before = std::prev(after);
            const std::int64_t end = before->first + static_cast<std::int64_t>(before->second.bytes.size());
            if (end > at) {
                const auto known = static_cast<std::size_t>(std::min<std::int64_t>(end - at, static_cast<std::int64_t>(bytes.size())));
                stats.retransmitted_bytes += known;
                for (std::size_t i = 0; i < known; ++i)
                    stats.conflicting_bytes += before->second.bytes[static_cast<std::size_t>(at - before->first) + i] != bytes[i];
                bytes = bytes.subspan(known);
                at += static_cast<std::int64_t>(known);
                continue;
            }
        }
        std::size_t take = bytes.size();
        if (after != waiting_.end()) take = static_cast<std::size_t>(std::min<std::int64_t>(after->first - at, static_cast<std::int64_t>(take)));
        waiting_.emplace(at, Waiting{time_us, Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(take))});
        waiting_bytes_ += take;
        bytes = bytes.subspan(take);
        at += static_cast<std::int64_t>(take);
    }
}

void TcpStream::deliver() {
    while (!waiting_.empty() && waiting_.begin()->first == next_) {
        const Waiting piece = std::move(waiting_.begin()->second);
        waiting_.erase(waiting_.begin());
        waiting_bytes_ -= piece.bytes.size();
        next_ += static_cast<std::int64_t>(piece.bytes.size());
        history_.insert(history_.end(), piece.bytes.begin(), piece.bytes.end());
        if (history_.size() > 2 * kHistoryBytes) history_.erase(history_.begin(), history_.end() - static_cast<std::ptrdiff_t>(kHistoryBytes));
        if (on_bytes) on_bytes(piece.bytes, piece.time_us);
    }
}

void TcpStream::skip_gap(TcpStats& stats) {
    if (waiting_.empty()) return;
    const auto lost = static_cast<std::uint64_t>(waiting_.begin()->first - next_);
    stats.lost_bytes += lost;
    ++stats.gaps;
    next_ = waiting_.begin()->first;
    history_.clear();
    if (on_gap) on_gap(lost, waiting_.begin()->second.time_us);
}

void TcpStream::flush(TcpStats& stats) {
    while (!waiting_.empty()) {
        skip_gap(stats);
        deliver();
    }
}

}  // namespace iron::dpcompat
