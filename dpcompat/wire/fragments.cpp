#include "dpcompat/wire/fragments.hpp"

#include <algorithm>

namespace iron::dpcompat {

Result<std::optional<Bytes>> FragmentAssembler::add(const PacketBody& piece, std::uint64_t now_ms) {
    expire(now_ms);
    const std::uint64_t end = std::uint64_t{piece.offset} + piece.piece.size();
    if (piece.total == 0 || piece.total > limits_.max_pieces || piece.index >= piece.total ||
        piece.whole_bytes > limits_.max_whole_bytes || end > piece.whole_bytes) {
        messages_.erase(piece.message);
        return fail("dp_fragment", "piece " + std::to_string(piece.index) + " of " + std::to_string(piece.total) + " at " +
                                       std::to_string(piece.offset) + " of " + std::to_string(piece.whole_bytes) + " bytes");
    }
    auto found = messages_.find(piece.message);
    if (found == messages_.end()) {
        if (piece.index != 0) {
            ++ignored_;
            return std::optional<Bytes>();
        }
        std::size_t total = piece.whole_bytes;
        for (const auto& [id, assembly] : messages_) total += assembly.whole_bytes;
        if (messages_.size() >= limits_.max_messages || total > limits_.max_total_bytes)
            return fail("dp_fragment", "too many messages in assembly");
        found = messages_.emplace(piece.message, Assembly{0, piece.total, piece.whole_bytes, now_ms, {}}).first;
    }
    Assembly& assembly = found->second;
    if (piece.index != assembly.next_index) {
        ++ignored_;
        return std::optional<Bytes>();
    }
    if (piece.total != assembly.total || piece.whole_bytes != assembly.whole_bytes || piece.offset != assembly.bytes.size()) {
        messages_.erase(found);
        return fail("dp_fragment", "the pieces of a message contradict each other");
    }
    assembly.bytes.insert(assembly.bytes.end(), piece.piece.begin(), piece.piece.end());
    assembly.last_ms = now_ms;
    if (++assembly.next_index < assembly.total) return std::optional<Bytes>();
    Bytes whole = std::move(assembly.bytes);
    messages_.erase(found);
    if (whole.size() != piece.whole_bytes) return fail("dp_fragment", "the pieces do not fill the message");
    if (has_play(whole, 0) && whole.size() >= 6) {
        const auto inner = static_cast<Command>(load_le<std::uint16_t>(whole.data() + 4));
        if (inner == Command::packet || inner == Command::packet2_data) return fail("dp_fragment", "a fragment inside a fragment");
    }
    return std::optional<Bytes>(std::move(whole));
}

void FragmentAssembler::expire(std::uint64_t now_ms) {
    expired_ += std::erase_if(messages_, [&](const auto& m) { return now_ms - m.second.last_ms >= limits_.lifetime_ms; });
}

std::vector<PacketBody> split_message(ByteView whole, const Guid& message, std::size_t piece_bytes) {
    std::vector<PacketBody> out;
    const std::size_t total = std::max<std::size_t>(1, (whole.size() + piece_bytes - 1) / piece_bytes);
    for (std::size_t i = 0; i < total; ++i) {
        const std::size_t at = i * piece_bytes;
        const ByteView piece = whole.subspan(at, std::min(piece_bytes, whole.size() - at));
        out.push_back({message, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(total),
                       static_cast<std::uint32_t>(whole.size()), Bytes(piece.begin(), piece.end())});
    }
    return out;
}

std::uint64_t StopAndWaitSender::timeout_ms() const {
    if (!round_trip_ms_) return 900;
    return std::max<std::uint64_t>(38, *round_trip_ms_ * 3 / 2);
}

std::optional<PacketBody> StopAndWaitSender::poll(std::uint64_t now_ms) {
    if (done() || failed_) return {};
    if (sends_ != 0 && now_ms - last_ms_ < timeout_ms()) return {};
    if (sends_ >= 16 && now_ms - first_ms_ >= 60'000) {
        failed_ = true;
        return {};
    }
    if (sends_++ == 0) first_ms_ = now_ms;
    last_ms_ = now_ms;
    return pieces_[at_];
}

void StopAndWaitSender::acknowledge(const PacketAckBody& ack, std::uint64_t now_ms) {
    if (done() || sends_ == 0 || ack.message != pieces_[at_].message || ack.index != pieces_[at_].index) return;
    // Only an unrepeated piece gives a clean round trip.
    if (sends_ == 1) round_trip_ms_ = now_ms - first_ms_;
    ++at_;
    sends_ = 0;
}

}  // namespace iron::dpcompat
