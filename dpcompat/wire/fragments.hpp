// Messages that do not fit a datagram: pieces, their assembly with limits, and the stop-and-wait sender.
// Source: directplay.md 7, 13 (fragments).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "dpcompat/wire/messages.hpp"

namespace iron::dpcompat {

struct FragmentLimits {
    std::uint32_t max_pieces = 4096;
    std::uint32_t max_whole_bytes = 1024 * 1024;
    std::size_t max_messages = 4;                  ///< in assembly at once
    std::size_t max_total_bytes = 4 * 1024 * 1024;  ///< of all of them
    std::uint64_t lifetime_ms = 15'000;            ///< after the last piece
};

/// Assembles the pieces of one machine.
class FragmentAssembler {
public:
    explicit FragmentAssembler(FragmentLimits limits = {}) : limits_(limits) {}
    /// The whole block when this piece was the last; nothing while pieces are missing or when the piece is out of
    /// order (ignored). Error `dp_fragment`: the message is dropped.
    Result<std::optional<Bytes>> add(const PacketBody& piece, std::uint64_t now_ms);
    void expire(std::uint64_t now_ms);
    std::size_t messages() const { return messages_.size(); }
    std::uint64_t ignored() const { return ignored_; }
    std::uint64_t expired() const { return expired_; }

private:
    struct Assembly {
        std::uint32_t next_index = 0, total = 0, whole_bytes = 0;
        std::uint64_t last_ms = 0;
        Bytes bytes;
    };
    FragmentLimits limits_;
    std::map<Guid, Assembly> messages_;
    std::uint64_t ignored_ = 0, expired_ = 0;
};

/// The pieces of `whole` (from its `play`, or from, to, data), at most `piece_bytes` each.
std::vector<PacketBody> split_message(ByteView whole, const Guid& message, std::size_t piece_bytes);

/// Sends the pieces of one message with 30 and waits for 31 after each.
class StopAndWaitSender {
public:
    StopAndWaitSender(ByteView whole, const Guid& message, std::size_t piece_bytes)
        : pieces_(split_message(whole, message, piece_bytes)) {}
    /// The piece to send now, if one is due.
    std::optional<PacketBody> poll(std::uint64_t now_ms);
    void acknowledge(const PacketAckBody& ack, std::uint64_t now_ms);
    bool done() const { return at_ == pieces_.size(); }
    /// 16 sends and 60 s without an answer.
    bool failed() const { return failed_; }

private:
    std::uint64_t timeout_ms() const;
    std::vector<PacketBody> pieces_;
    std::size_t at_ = 0;
    std::uint32_t sends_ = 0;
    std::uint64_t first_ms_ = 0, last_ms_ = 0;
    std::optional<std::uint64_t> round_trip_ms_;
    bool failed_ = false;
};

}  // namespace iron::dpcompat
