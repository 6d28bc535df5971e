// Hello, PlayerData, the content list of a refused client (net-messages.md 7.3).
#include <sodium.h>

#include "server/session/fit_text.hpp"
#include "server/session/session.hpp"

namespace iron::session {

namespace {

Token new_token() {
    Token token{};
    randombytes_buf(token.data(), token.size());
    return token;
}

template <class Array>
flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> put_bytes(flatbuffers::FlatBufferBuilder& builder,
                                                                 const Array& bytes) {
    return builder.CreateVector(bytes.data(), bytes.size());
}

}  // namespace

void Session::refuse(Peer& peer, protocol::RejectCode code, std::string_view text, std::uint64_t now_ms) {
    note(SessionNote::Level::info, "refused", 0, text);
    if (code == protocol::RejectCode::fingerprint) {
        // Says what is played here; the client may now ask for the list behind that fingerprint and
        // name the first file that differs.
        write(out_, peer, Channel::control, match_.tick(), [&](auto& b) {
            return protocol::CreateMissionPath(b, b.CreateString(settings_.mission_key),
                                               put_bytes(b, settings_.fingerprint),
                                               put_bytes(b, settings_.rules));
        });
    }
    write(out_, peer, Channel::control, match_.tick(), [&](auto& b) {
        return protocol::CreateReject(b, code, b.CreateString(fit_text(text)));
    });
    peer.phase = PeerPhase::refused;
    peer.since_ms = now_ms;
    if (code != protocol::RejectCode::fingerprint) out_.close_gently(peer.connection);
}

void Session::on_hello(Peer& peer, const protocol::Hello& hello, std::uint64_t now_ms) {
    if (peer.phase != PeerPhase::fresh)
        return protocol_error(peer, Error("bad_phase", "a second Hello on one connection"), now_ms);
    const bool spectator = hello.role() == protocol::Role::spectator;
    std::vector<std::string> names;
    for (const auto& [number, player] : players_.all())
        if (player.entered) names.push_back(player.name);

    protocol::HandshakePolicy policy;
    policy.fingerprint = settings_.fingerprint;
    policy.password = settings_.password;
    policy.free_player_slots = players_.has_room(false) ? 1 : 0;
    policy.free_spectator_slots = players_.has_room(true) ? 1 : 0;
    policy.joinable = !closing_;
    policy.names = names;
    const protocol::HandshakeVerdict verdict = protocol::judge_hello(hello, policy);
    if (!verdict.welcome()) return refuse(peer, verdict.code, verdict.text, now_ms);

    const Token token = new_token();
    const auto number = players_.admit(peer.connection, token, spectator);
    if (!number) return refuse(peer, protocol::RejectCode::full, "no place left", now_ms);
    peer.player = *number;
    peer.minor = hello.minor();
    peer.phase = PeerPhase::welcomed;
    peer.since_ms = now_ms;
    write(out_, peer, Channel::control, match_.tick(), [&](auto& b) {
        return protocol::CreateWelcome(
            b, *number, settings_.match_id, settings_.step_ms,
            static_cast<std::uint16_t>(match_.scale_percent()), match_.tick(),
            put_bytes(b, settings_.rules), b.CreateString(settings_.mission_key), put_bytes(b, token));
    });
}

void Session::on_player_data(Peer& peer, const protocol::PlayerData& data, std::uint64_t now_ms) {
    const std::string name = clean_name(data.name()->string_view());
    if (name.empty())
        return refuse(peer, protocol::RejectCode::bad_state, "the player's name is empty", now_ms);
    if (peer.phase == PeerPhase::welcomed) peer.player = players_.apply_wish(peer.player, data.clan_wish());
    Player* player = players_.find(peer.player);
    if (player == nullptr) return;
    const bool enters = !player->entered;
    if (enters && players_.name_taken(name, player->number)) {
        players_.remove(player->number, true);
        return refuse(peer, protocol::RejectCode::name_taken, "the name '" + name + "' is in use", now_ms);
    }
    if (enters) player->name = name;  // a name stays for the match
    player->colour = data.colour();
    player->data.assign(data.data()->begin(), data.data()->end());
    ++player->revision;
    write(out_, peer, Channel::control, match_.tick(), [&](auto& b) {
        return protocol::CreatePlayerDataConfirmed(b, player->number, player->revision);
    });
    if (!enters) {
        to_everybody([&](Peer& to) { send_joined(to, *player); });
        return;
    }

    player->entered = true;
    peer.phase = PeerPhase::entered;
    peer.since_ms = now_ms;
    note(SessionNote::Level::info, "player_joined", player->number, player->name);
    for (const auto& [number, other] : players_.all())
        if (other.entered && number != player->number) {
            send_joined(peer, other);
            if (other.state != protocol::PlayerState::connected) send_status_to(peer, other);
        }
    to_everybody([&](Peer& to) { send_joined(to, *player); });
    write(out_, peer, Channel::control, match_.tick(), [&](auto& b) {
        return protocol::CreateMissionPath(b, b.CreateString(settings_.mission_key),
                                           put_bytes(b, settings_.fingerprint),
                                           put_bytes(b, settings_.rules));
    });
    if (!player->spectator())
        match_.decide(world::SessionAct::player_joined, player->number, player->clan, player->name);
    if (started_) {
        send_time(peer);
        send_game_started(peer);
        if (pause_.running()) send_pause_state(peer, true, pause_.owner(), match_.tick());
    }
    start_if_ready();
    lobby_changed();
}

void Session::on_rules_request(Peer& peer, const protocol::RulesRequest& request) {
    const auto& asked = *request.rules();
    const auto is = [&](const Hash256& hash) {
        return std::equal(asked.begin(), asked.end(), hash.begin(), hash.end());
    };
    if (is(settings_.rules)) {
        if (!peer.rules_sent) send_blob(peer, settings_.rules_text);
        peer.rules_sent = true;
    } else if (is(settings_.fingerprint)) {
        if (!peer.content_list_sent) send_blob(peer, settings_.content_list);
        peer.content_list_sent = true;
    }
}

void Session::send_blob(Peer& to, ByteView bytes) {
    const std::size_t chunks = std::max<std::size_t>(
        1, (bytes.size() + protocol::kMaxChunkBytes - 1) / protocol::kMaxChunkBytes);
    for (std::size_t i = 0; i < chunks; ++i) {
        const std::size_t begin = i * protocol::kMaxChunkBytes;
        const ByteView part =
            bytes.subspan(begin, std::min(protocol::kMaxChunkBytes, bytes.size() - begin));
        write(out_, to, Channel::bulk, match_.tick(), [&](auto& b) {
            return protocol::CreateRulesData(b, static_cast<std::uint32_t>(i),
                                             static_cast<std::uint32_t>(chunks),
                                             b.CreateVector(part.data(), part.size()));
        });
    }
}

}  // namespace iron::session
