// What the client says: handshake, commands, held input, acknowledgements, chat.
#include <algorithm>

#include "client/net/client_session_impl.hpp"
#include "protocol/limits.hpp"
#include "protocol/semantics.hpp"

namespace iron::client::net {

namespace {

constexpr std::uint32_t kAckEveryMs = 40;      // every 2 client ticks (net-messages.md 8)
constexpr std::uint32_t kStickEveryMs = 20;
constexpr std::uint32_t kPingEveryMs = 1000;
constexpr std::size_t kCommandsPerBatch = 16;
constexpr std::size_t kBatchBytes = 48 * 1024;  // estimated; the packet limit is 64 KiB
constexpr std::size_t kStickSamples = 4;
constexpr std::size_t kMaxSelected = 32;

std::size_t estimated_bytes(const CommandDraft& draft) {
    return 96 + draft.subjects.size() * 4 + draft.points.size() * 8 + draft.key.size() + draft.data.size();
}

std::int32_t plane(std::int32_t value) { return std::clamp(value, 0, protocol::kMaxCoordinate); }
std::int32_t plane_of(float wu) {
    return plane(trunc_i32(static_cast<double>(wu) * protocol::kUnitsPerWu));
}

/// At most `max_bytes`, cut between characters.
std::string_view cut(std::string_view text, std::size_t max_bytes) {
    if (text.size() <= max_bytes) return text;
    while (max_bytes > 0 && (static_cast<unsigned char>(text[max_bytes]) & 0xC0) == 0x80) --max_bytes;
    return text.substr(0, max_bytes);
}

}  // namespace

void ClientSession::Impl::send_hello() {
    write(Channel::control, [&](auto& b) {
        const auto app = b.CreateVector(protocol::kAppId.data(), protocol::kAppId.size());
        const auto name = b.CreateString(settings.player_name);
        const auto content = b.CreateVector(own_fingerprint.data(), own_fingerprint.size());
        const auto password =
            settings.password ? b.CreateString(*settings.password) : flatbuffers::Offset<flatbuffers::String>();
        return protocol::CreateHello(b, app, settings.version.major, settings.version.minor, name, content,
                                     settings.profile, settings.role, local_now_ms(), password);
    });
}

void ClientSession::Impl::send_player_data() {
    write(Channel::control, [&](auto& b) {
        return protocol::CreatePlayerData(
            b, b.CreateString(settings.player_name), settings.clan_wish, settings.colour, true,
            b.CreateVector(settings.player_data.data(), settings.player_data.size()));
    });
}

void ClientSession::Impl::send_due(std::uint64_t now_ms) {
    if (phase != SessionPhase::lobby && phase != SessionPhase::running) return;
    if (!to_send.empty()) send_commands();
    if (!stick.empty() && now_ms - last_stick_ms >= kStickEveryMs) {
        last_stick_ms = now_ms;
        send_stick();
    }
    if (ack_due || (newest_state != 0 && now_ms - last_ack_ms >= kAckEveryMs)) {
        ack_due = false;
        last_ack_ms = now_ms;
        send_acknowledgement();
    }
    if (now_ms - last_ping_ms >= kPingEveryMs) {
        last_ping_ms = now_ms;
        ++ping_nonce;
        write(Channel::input, [&](auto& b) {
            return protocol::CreatePing(b, ping_nonce, static_cast<std::uint32_t>(now_ms), known_tick);
        });
    }
}

void ClientSession::Impl::send_commands() {
    std::size_t next = 0;
    while (next < to_send.size()) {
        write(Channel::events, [&](auto& b) {
            std::vector<flatbuffers::Offset<protocol::Command>> commands;
            std::size_t bytes = 0;
            for (; next < to_send.size() && commands.size() < kCommandsPerBatch; ++next) {
                const auto it = unanswered.find(to_send[next]);
                if (it == unanswered.end()) continue;  // answered meanwhile
                const CommandDraft& draft = it->second;
                bytes += estimated_bytes(draft);
                if (!commands.empty() && bytes > kBatchBytes) break;
                std::vector<protocol::Pos2> points;
                for (const auto& [x, y] : draft.points) points.emplace_back(plane(x), plane(y));
                const protocol::Pos2 at(plane(draft.at_x), plane(draft.at_y));
                commands.push_back(protocol::CreateCommand(
                    b, it->first, draft.order, draft.flags, b.CreateVector(draft.subjects), draft.target, &at,
                    draft.yaw, draft.param, draft.amount, b.CreateVectorOfStructs(points),
                    b.CreateString(draft.key), b.CreateVector(draft.data.data(), draft.data.size())));
            }
            return protocol::CreateCommandBatch(b, static_cast<std::uint32_t>(known_tick),
                                                b.CreateVector(commands));
        });
    }
    to_send.clear();
}

void ClientSession::Impl::send_acknowledgement() {
    const auto acknowledged = ring.acknowledgement();
    write(Channel::input, [&](auto& b) {
        const protocol::Pos2 focus(focus_x, focus_y);
        return protocol::CreateClientState(b, acknowledged.newest_tick, acknowledged.received, &focus,
                                           focus_radius, b.CreateVector(selection));
    });
}

void ClientSession::Impl::send_stick() {
    // The newest sample is repeated with a fresh tick while it is held: silence means "let go".
    const StickState held = stick.front().second;
    const auto tick = static_cast<std::uint32_t>(known_tick + (local_now_ms() - known_tick_ms) / step_ms);
    stick.emplace_front(std::max(tick, stick.front().first + 1), held);
    while (stick.size() > kStickSamples) stick.pop_back();
    write(Channel::input, [&](auto& b) {
        std::vector<protocol::ManualSample> samples;
        for (const auto& [client_tick, s] : stick)
            samples.emplace_back(client_tick, s.move_x, s.move_y, s.turn, s.aim_yaw, s.aim_pitch, s.buttons,
                                 s.target);
        return protocol::CreateManualInput(b, held.object, b.CreateVectorOfStructs(samples));
    });
}

std::uint32_t ClientSession::send(const CommandDraft& draft) {
    Impl& s = *impl_;
    if (s.phase == SessionPhase::ended || draft.subjects.size() > 128 || draft.points.size() > 16 ||
        draft.data.size() > 8192 || draft.key.size() > protocol::kMaxNameBytes || draft.flags > 31 ||
        draft.yaw < -32'767)
        return 0;
    const std::uint32_t sequence = s.next_command++;
    s.unanswered.emplace(sequence, draft);
    s.to_send.push_back(sequence);
    return sequence;
}

void ClientSession::resend_unanswered() {
    Impl& s = *impl_;
    s.to_send.clear();
    for (const auto& [sequence, draft] : s.unanswered) s.to_send.push_back(sequence);
}

void ClientSession::set_stick(const StickState& stick) {
    Impl& s = *impl_;
    if (stick.object == protocol::kNoObject) {
        s.stick.clear();
        return;
    }
    const std::uint32_t last = s.stick.empty() ? 0 : s.stick.front().first;
    if (!s.stick.empty() && s.stick.front().second.object != stick.object) s.stick.clear();
    s.stick.emplace_front(std::max(static_cast<std::uint32_t>(s.known_tick), last + 1), stick);
    while (s.stick.size() > kStickSamples) s.stick.pop_back();
}

void ClientSession::chat(std::string_view text, std::uint16_t to_player) {
    Impl& s = *impl_;
    if (s.phase != SessionPhase::lobby && s.phase != SessionPhase::running) return;
    if (!protocol::is_clean_text(text)) return;  // the server would take it for damage
    s.write(Channel::text, [&](auto& b) {
        return protocol::CreateText(b, to_player, s.player, 0,
                                    b.CreateString(cut(text, protocol::kMaxTextBytes)),
                                    protocol::TextCategory::chat);
    });
}

void ClientSession::request_pause(bool paused) {
    Impl& s = *impl_;
    if (s.phase != SessionPhase::running) return;
    s.write(Channel::control, [&](auto& b) { return protocol::CreatePauseRequest(b, paused); });
}

void ClientSession::set_player_data(Bytes data) {
    Impl& s = *impl_;
    if (data.size() > 1024) return;
    s.settings.player_data = std::move(data);
    if (s.phase == SessionPhase::lobby || s.phase == SessionPhase::running) s.send_player_data();
}

void ClientSession::set_focus(float x, float y, float radius) {
    impl_->focus_x = plane_of(x);
    impl_->focus_y = plane_of(y);
    impl_->focus_radius = static_cast<std::uint16_t>(std::clamp(trunc_i32(radius), 0, 65'535));
}

void ClientSession::set_selection(const std::vector<std::uint32_t>& objects) {
    impl_->selection.assign(objects.begin(),
                            objects.begin() + static_cast<std::ptrdiff_t>(std::min(objects.size(), kMaxSelected)));
}

void ClientSession::report_content_error(std::uint32_t object, std::string_view key) {
    Impl& s = *impl_;
    if (s.phase != SessionPhase::lobby && s.phase != SessionPhase::running) return;
    if (!protocol::is_clean_text(key)) key = "?";
    s.write(Channel::control, [&](auto& b) {
        return protocol::CreateClientContentError(b, object,
                                                  b.CreateString(cut(key, protocol::kMaxNameBytes)));
    });
}

}  // namespace iron::client::net
