// The reliable envelope MC-DPL4R of sessions with DIRECTPLAYPROTOCOL: frames and the state machine of one link.
// Source: directplay.md 9. Level: published layout [specR]; no traffic of it was seen, whether the game uses it is
// open.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "shared/base/bytes.hpp"

namespace iron::dpcompat {

namespace frame_flag {
inline constexpr std::uint8_t kExtended = 0x80, kBig = 0x40, kCommand = 0x20, kStart = 0x10, kEnd = 0x08, kSendAck = 0x04,
                              kAck = 0x02, kReliable = 0x01;
}

/// A frame of any of the three layouts. Indexes are id slots (directplay.md 5.6).
struct ReliableFrame {
    std::uint16_t from = 0, to = 0;
    std::uint8_t flags = 0;
    std::uint8_t extended = 0;  ///< with EXT: bits 5-6 = bytes of the NACK mask
    std::uint8_t message = 0, sequence = 0, serial = 0;
    std::uint32_t bytes_received = 0, tick_ms = 0;  ///< ACK and NACK
    Bytes mask;
    Bytes payload;  ///< of a data frame; behind an ACK or NACK: unexpected bytes, carried
    bool operator==(const ReliableFrame&) const = default;
    bool is_ack() const { return (flags & frame_flag::kAck) != 0; }
    bool is_nack() const { return is_ack() && (flags & frame_flag::kExtended) != 0; }
};
/// Errors `dp_size`, `dp_index` (not a shortest varint up to 0xFFFF), `dp_frame` (reserved bits, neither data nor
/// acknowledgement).
Result<ReliableFrame> read_reliable_frame(ByteView bytes);
Bytes write_reliable_frame(const ReliableFrame& frame);

struct ReliableOptions {
    std::size_t frame_payload_bytes = 1400;
    bool preserve_order = true;          ///< off with NOPRESERVEORDER
    std::size_t max_message_bytes = 1024 * 1024;
    std::size_t max_queued_messages = 256;
};

/// Both directions between two machines. No clock and no socket: the owner passes time and frames.
class ReliableLink {
public:
    ReliableLink(std::uint16_t own_index, std::uint16_t peer_index, ReliableOptions options = {})
        : own_(own_index), peer_(peer_index), options_(options) {}

    /// Queues a message. Errors `dp_size`, `dp_queue`.
    Status send(ByteView message, bool reliable);
    /// Frames to put on the wire now.
    std::vector<Bytes> poll(std::uint64_t now_ms);
    /// Takes a frame; returns the messages it completed, in order. Errors of read_reliable_frame(), `dp_index` (not
    /// of this link), `dp_size`.
    Result<std::vector<Bytes>> receive(ByteView frame, std::uint64_t now_ms);
    /// Nothing queued and nothing unacknowledged.
    bool idle() const { return queue_.empty() && flying_.empty(); }
    /// A frame was sent 16 times over 60 s without an answer.
    bool dead() const { return dead_; }
    std::uint64_t retransmissions() const { return retransmissions_; }
    std::uint64_t dropped_messages() const { return dropped_; }

private:
    struct Outgoing {
        std::uint8_t id = 0;
        bool reliable = false;
        Bytes bytes;
        std::size_t frames = 0, acked = 0, sent = 0;  ///< counts of frames from the start
        std::uint32_t serial = 0;                     ///< running count of sends
        std::uint64_t sent_ms = 0, first_ms = 0;      ///< of the oldest unacknowledged frame
        std::uint32_t tries = 0;
        bool clean = true;  ///< nothing repeated since the last acknowledgement
    };
    struct Incoming {
        bool reliable = false, complete = false;
        std::size_t next = 0;  ///< frames received without a gap
        std::optional<std::size_t> last;
        std::size_t bytes = 0;
        std::map<std::size_t, Bytes> frames;
    };
    Bytes data_frame(Outgoing& message, std::size_t index, bool ask, std::uint64_t now_ms);
    void on_ack(const ReliableFrame& frame, std::uint64_t now_ms);
    void on_data(const ReliableFrame& frame, std::size_t frame_bytes, std::uint64_t now_ms);
    void acknowledge(std::uint8_t message, std::size_t frames, std::uint8_t serial, std::uint64_t now_ms);
    void slide_to(std::uint8_t oldest);
    void collect(std::vector<Bytes>& out);
    std::uint64_t retry_ms() const;

    std::uint16_t own_, peer_;
    ReliableOptions options_;
    // sending
    std::deque<std::pair<Bytes, bool>> queue_;
    std::deque<Outgoing> flying_;
    std::uint8_t next_id_ = 1;
    std::uint64_t frames_since_ask_ = 0, last_ask_ms_ = 0;
    double mean_rtt_ms_ = -1, variance_ = 0;
    std::uint64_t retransmissions_ = 0;
    bool dead_ = false;
    // receiving
    bool started_ = false;
    std::uint8_t oldest_ = 1;
    std::map<std::uint8_t, Incoming> incoming_;  ///< at most 24 ids, from oldest_ on
    /// Frames of the reliable messages that finished lately: their repeats are acknowledged again. The page asks it
    /// for the last one; with several messages in flight an earlier acknowledgement can be the lost one.
    std::map<std::uint8_t, std::size_t> finished_;
    std::uint32_t bytes_received_ = 0;
    std::vector<Bytes> acks_;
    std::uint64_t dropped_ = 0;
};

}  // namespace iron::dpcompat
