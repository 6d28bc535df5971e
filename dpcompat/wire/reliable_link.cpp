#include <algorithm>
#include <cmath>

#include "dpcompat/wire/reliable.hpp"

namespace iron::dpcompat {
namespace {

constexpr std::size_t kWindow = 24;  // message ids in flight, and frames of one message

std::uint8_t sequence_of(std::size_t index) { return static_cast<std::uint8_t>(index + 1); }
/// The frame count that `sequence` means, nearest above `base`.
std::size_t frames_from(std::uint8_t sequence, std::size_t base) {
    return base + static_cast<std::uint8_t>(sequence - static_cast<std::uint8_t>(base));
}

}  // namespace

Status ReliableLink::send(ByteView message, bool reliable) {
    if (message.size() > options_.max_message_bytes) return fail("dp_size", "a message of " + std::to_string(message.size()) + " bytes");
    if (queue_.size() >= options_.max_queued_messages) return fail("dp_queue", "too many messages wait for the peer");
    queue_.emplace_back(Bytes(message.begin(), message.end()), reliable);
    return {};
}

std::uint64_t ReliableLink::retry_ms() const {
    if (mean_rtt_ms_ < 0) return 1000;
    return std::max<std::uint64_t>(20, static_cast<std::uint64_t>(mean_rtt_ms_ + 3 * std::sqrt(variance_)));
}

Bytes ReliableLink::data_frame(Outgoing& m, std::size_t index, bool ask, std::uint64_t now_ms) {
    using namespace frame_flag;
    const bool last = index + 1 == m.frames;
    // SAK: on repeats, every 24 packets, and after a quiet time for reliable or unfinished traffic (9.2).
    ++frames_since_ask_;
    const double quiet = static_cast<double>(now_ms - last_ask_ms_);
    if (frames_since_ask_ >= kWindow || ((m.reliable || !last) && quiet > 50 && quiet > mean_rtt_ms_ / 4)) ask = true;
    if (ask) {
        frames_since_ask_ = 0;
        last_ask_ms_ = now_ms;
    }
    ReliableFrame f;
    f.from = own_;
    f.to = peer_;
    f.flags = static_cast<std::uint8_t>(kCommand | (index == 0 ? kStart : 0) | (last ? kEnd : 0) | (ask ? kSendAck : 0) |
                                        (m.reliable ? kReliable : 0));
    f.message = m.id;
    f.sequence = sequence_of(index);
    f.serial = static_cast<std::uint8_t>(m.serial++);
    const std::size_t at = index * options_.frame_payload_bytes;
    const std::size_t count = std::min(options_.frame_payload_bytes, m.bytes.size() - at);
    f.payload.assign(m.bytes.begin() + static_cast<std::ptrdiff_t>(at), m.bytes.begin() + static_cast<std::ptrdiff_t>(at + count));
    return write_reliable_frame(f);
}

std::vector<Bytes> ReliableLink::poll(std::uint64_t now_ms) {
    std::vector<Bytes> out = std::move(acks_);
    acks_.clear();
    // The span of ids in flight stays within the receiver's window.
    while (!queue_.empty() &&
           (flying_.empty() || static_cast<std::uint8_t>(next_id_ - flying_.front().id) < kWindow)) {
        Outgoing m;
        m.id = next_id_++;
        m.bytes = std::move(queue_.front().first);
        m.reliable = queue_.front().second;
        m.frames = std::max<std::size_t>(1, (m.bytes.size() + options_.frame_payload_bytes - 1) / options_.frame_payload_bytes);
        queue_.pop_front();
        if (!m.reliable) {
            for (std::size_t i = 0; i < m.frames; ++i) out.push_back(data_frame(m, i, false, now_ms));
            continue;
        }
        flying_.push_back(std::move(m));
    }
    for (Outgoing& m : flying_) {
        if (m.sent > m.acked && now_ms - m.sent_ms >= retry_ms()) {
            if (m.tries >= 16 && now_ms - m.first_ms >= 60'000) dead_ = true;
            ++m.tries;
            m.clean = false;
            m.sent_ms = now_ms;
            ++retransmissions_;
            for (std::size_t i = m.acked; i < m.sent; ++i) out.push_back(data_frame(m, i, true, now_ms));
        }
        while (m.sent < m.frames && m.sent - m.acked < kWindow) {
            if (m.sent == m.acked) {
                m.sent_ms = m.first_ms = now_ms;
                m.tries = 1;
            }
            const bool fills = m.sent - m.acked + 1 == kWindow;
            out.push_back(data_frame(m, m.sent++, fills, now_ms));
        }
    }
    return out;
}

Result<std::vector<Bytes>> ReliableLink::receive(ByteView bytes, std::uint64_t now_ms) {
    IRON_TRY(const ReliableFrame frame, read_reliable_frame(bytes));
    if (frame.from != peer_ || frame.to != own_) return fail("dp_index", "a frame of another pair of machines");
    std::vector<Bytes> out;
    if (frame.is_ack()) {
        // A NACK still names what arrived without a gap; the rest is repeated by time (Windows' own practice is
        // contradictory, directplay.md 9.2).
        on_ack(frame, now_ms);
        return out;
    }
    const std::size_t index_bytes = (peer_ >= 0x4000 ? 3u : peer_ >= 0x80 ? 2u : 1u) + (own_ >= 0x4000 ? 3u : own_ >= 0x80 ? 2u : 1u);
    on_data(frame, bytes.size() - index_bytes, now_ms);
    collect(out);
    return out;
}

void ReliableLink::on_ack(const ReliableFrame& frame, std::uint64_t now_ms) {
    const auto found = std::find_if(flying_.begin(), flying_.end(), [&](const Outgoing& m) { return m.id == frame.message; });
    if (found == flying_.end()) return;
    const std::size_t frames = frames_from(frame.sequence, found->acked);
    if (frames <= found->acked || frames > found->sent) return;
    if (found->clean) {
        const double sample = static_cast<double>(now_ms - found->sent_ms);
        if (mean_rtt_ms_ < 0) {
            mean_rtt_ms_ = sample;
        } else {
            const double error = sample - mean_rtt_ms_;
            mean_rtt_ms_ += error / 8;
            variance_ += (error * error - variance_) / 8;
        }
    }
    found->acked = frames;
    found->sent_ms = found->first_ms = now_ms;
    found->tries = 1;
    found->clean = true;
    if (found->acked == found->frames) flying_.erase(found);
}

void ReliableLink::acknowledge(std::uint8_t message, std::size_t frames, std::uint8_t serial, std::uint64_t now_ms) {
    if (frames == 0) return;
    ReliableFrame f;
    f.from = own_;
    f.to = peer_;
    f.flags = frame_flag::kAck;
    f.message = message;
    f.sequence = sequence_of(frames - 1);
    f.serial = serial;
    f.bytes_received = bytes_received_;
    f.tick_ms = static_cast<std::uint32_t>(now_ms);
    acks_.push_back(write_reliable_frame(f));
}

void ReliableLink::slide_to(std::uint8_t oldest) {
    while (oldest_ != oldest) {
        const auto found = incoming_.find(oldest_);
        if (found == incoming_.end() || !found->second.complete) {
            ++dropped_;
            if (found != incoming_.end()) incoming_.erase(found);
        }
        ++oldest_;
    }
}

void ReliableLink::on_data(const ReliableFrame& frame, std::size_t frame_bytes, std::uint64_t now_ms) {
    bytes_received_ += static_cast<std::uint32_t>(frame_bytes);
    if (!started_) {
        started_ = true;
        // 1 by the text, 0 in its examples: any first id is accepted.
        if (static_cast<std::uint8_t>(frame.message - 1) >= kWindow) oldest_ = frame.message;
    }
    const auto distance = static_cast<std::uint8_t>(frame.message - oldest_);
    if (distance >= kWindow) {
        if (distance < 2 * kWindow) {
            // The sender moved on, so what is missing below was unreliable.
            slide_to(static_cast<std::uint8_t>(frame.message - kWindow + 1));
        } else {
            // Our acknowledgement of a finished message was lost.
            if (const auto done = finished_.find(frame.message); done != finished_.end())
                acknowledge(frame.message, done->second, frame.serial, now_ms);
            return;
        }
    }
    Incoming& m = incoming_[frame.message];
    m.reliable = (frame.flags & frame_flag::kReliable) != 0;
    if (!m.complete) {
        const std::size_t index = frames_from(static_cast<std::uint8_t>(frame.sequence - 1), m.next);
        const bool new_frame = index - m.next < kWindow && !m.frames.contains(index);
        if (new_frame && m.bytes + frame.payload.size() <= options_.max_message_bytes) {
            m.frames.emplace(index, frame.payload);
            m.bytes += frame.payload.size();
            if (frame.flags & frame_flag::kEnd) m.last = index;
            while (m.frames.contains(m.next)) ++m.next;
            m.complete = m.last && m.next > *m.last;
        }
    }
    if ((frame.flags & frame_flag::kSendAck) || (m.complete && m.reliable)) acknowledge(frame.message, m.next, frame.serial, now_ms);
    if (m.complete && m.reliable) {
        finished_[frame.message] = m.next;
        // Half the id space is remembered, so that no number means two messages.
        finished_.erase(static_cast<std::uint8_t>(frame.message + 128));
    }
}

void ReliableLink::collect(std::vector<Bytes>& out) {
    const auto deliver = [&](Incoming& m) {
        if (m.frames.empty()) return;
        Bytes whole;
        whole.reserve(m.bytes);
        for (const auto& [index, piece] : m.frames) whole.insert(whole.end(), piece.begin(), piece.end());
        m.frames.clear();
        out.push_back(std::move(whole));
    };
    // Unordered delivery hands over what is complete; the entry stays until the window passes it.
    if (!options_.preserve_order)
        for (std::size_t i = 0; i < kWindow; ++i) {
            const auto found = incoming_.find(static_cast<std::uint8_t>(oldest_ + i));
            if (found != incoming_.end() && found->second.complete) deliver(found->second);
        }
    // Anything complete below the window was passed by slide_to(); it comes first.
    for (std::size_t i = 256 - kWindow; i < 256; ++i) {
        const auto found = incoming_.find(static_cast<std::uint8_t>(oldest_ + i));
        if (found == incoming_.end()) continue;
        deliver(found->second);
        incoming_.erase(found);
    }
    for (auto found = incoming_.find(oldest_); found != incoming_.end() && found->second.complete; found = incoming_.find(oldest_)) {
        deliver(found->second);
        incoming_.erase(found);
        ++oldest_;
    }
}

}  // namespace iron::dpcompat
