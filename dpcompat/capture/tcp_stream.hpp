// One direction of one TCP connection put back in order: retransmissions, reordering, loss.
// Source: directplay.md 15.4 (offline captures).
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "dpcompat/capture/packets.hpp"

namespace iron::dpcompat {

struct TcpStats {
    std::uint64_t retransmitted_bytes = 0;
    std::uint64_t conflicting_bytes = 0;  ///< a repeat with other content; the first one counts
    std::uint64_t lost_bytes = 0;         ///< never captured
    std::uint64_t gaps = 0;
};

class TcpStream {
public:
    std::function<void(ByteView bytes, std::uint64_t time_us)> on_bytes;
    std::function<void(std::uint64_t lost_bytes, std::uint64_t time_us)> on_gap;

    void segment(const TcpSegment& segment, TcpStats& stats);
    /// Gives up on what is missing: gaps are reported, waiting bytes come out.
    void flush(TcpStats& stats);
    /// This SYN begins another connection of the same two sockets.
    bool restarts(const TcpSegment& syn) const { return started_ && first_ != syn.sequence + 1; }
    /// The stream began before the capture: nothing says where a message starts.
    bool started_late() const { return started_ && !saw_start_; }

private:
    void store(std::int64_t at, ByteView bytes, std::uint64_t time_us, TcpStats& stats);
    void deliver();
    void skip_gap(TcpStats& stats);

    bool started_ = false, saw_start_ = false;
    std::uint32_t first_ = 0;      ///< sequence number of position 0
    std::int64_t next_ = 0;        ///< position of the next byte to deliver
    struct Waiting {
        std::uint64_t time_us;
        Bytes bytes;
    };
    std::map<std::int64_t, Waiting> waiting_;
    std::size_t waiting_bytes_ = 0;
    Bytes history_;  ///< the newest delivered bytes, to compare repeats with
};

}  // namespace iron::dpcompat
