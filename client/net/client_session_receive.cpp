// What arrives: handshake, players, reliable ticks, the state stream.
#include <algorithm>

#include "client/net/client_session_impl.hpp"
#include "protocol/mirror_start.hpp"
#include "shared/mission/manifest_bytes.hpp"

namespace iron::client::net {

namespace {

constexpr std::size_t kMaxWaitingEvents = 65'536;  // messages before one TickEnd

template <class Vector>
void copy_hash(Hash256& to, const Vector* from) {
    std::copy_n(from->begin(), to.size(), to.begin());
}

float wu(std::int32_t state_units) {
    return static_cast<float>(state_units) / static_cast<float>(protocol::kStateUnitsPerWu);
}

/// 0..steps-1 to (-pi, pi].
float turn(std::uint32_t value, std::uint32_t steps) {
    return wrap_angle(static_cast<float>(value) * kTwoPi / static_cast<float>(steps));
}

MirrorSample sample_of(const protocol::QuantisedState& state, std::uint64_t tick, bool absolute) {
    MirrorSample out;
    out.tick = tick;
    out.position = {wu(state.x), wu(state.y), wu(state.z)};
    out.velocity = {wu(state.vx), wu(state.vy), wu(state.vz)};
    out.yaw = turn(state.yaw, 1024);
    out.pitch = turn(state.pitch, 256);
    out.roll = turn(state.roll, 256);
    out.turret_yaw = turn(state.turret_yaw, 256);
    out.turret_pitch = turn(state.turret_pitch, 256);
    out.strafe_yaw = turn(state.strafe, 1024);
    out.life = static_cast<float>(state.life) / 1023.0f;
    out.flags = state.flags;
    out.behaviour_state = state.behaviour;
    out.energy = state.energy;
    out.phase = state.phase;
    out.target = state.target == 0 ? protocol::kNoObject : state.target - 1;
    out.absolute = absolute;
    return out;
}

const char* refusal_code(protocol::RejectCode code) {
    switch (code) {
        case protocol::RejectCode::version: return "rejected_version";
        case protocol::RejectCode::fingerprint: return "rejected_fingerprint";
        default: return "rejected";
    }
}

}  // namespace

SessionEvent& ClientSession::Impl::note(SessionEventKind kind, std::uint64_t tick) {
    events.emplace_back();
    events.back().kind = kind;
    events.back().tick = tick;
    return events.back();
}

void ClientSession::Impl::heard_of(std::uint64_t tick) {
    if (tick < known_tick) return;
    if (tick > known_tick || known_tick_ms == 0) known_tick_ms = local_now_ms();
    known_tick = tick;
    // The match stands after the effective tick of a pause and runs again when a later tick is heard of.
    paused = pause_wanted && known_tick >= pause_tick;
}

void ClientSession::Impl::receive(const transport::LinkEvent& event) {
    switch (event.kind) {
        case transport::LinkEvent::Kind::connected:
            phase = SessionPhase::handshake;
            send_hello();
            return;
        case transport::LinkEvent::Kind::closed:
            if (refused_text) return finish_refusal();
            if (phase == SessionPhase::connecting)
                return end("connection_failed", "nobody answers at " + settings.address + ":" +
                                                    std::to_string(settings.port));
            return end("connection_lost", "the connection to the server was lost");
        case transport::LinkEvent::Kind::received: break;
    }
    if (event.channel == Channel::state && protocol::is_state_packet(event.data)) {
        if (!lose_state || !lose_state()) receive_state(event.data);
        return;
    }
    auto message = protocol::Message::receive(event.data, protocol::Direction::from_server, event.channel);
    const auto channel = static_cast<std::size_t>(event.channel);
    if (!message) {
        // Members of a newer server are skipped; it would not have let us in with another major.
        if (message.error().code() == "unknown_message") {
            ++stats.skipped_messages;
            if (protocol::is_reliable(event.channel)) ++received[channel];
            return;
        }
        if (!protocol::is_reliable(event.channel)) return;
        return protocol_error(message.error());
    }
    if (protocol::is_reliable(event.channel)) {
        if (message->envelope().sequence() != received[channel] + 1)
            return protocol_error(Error("sequence_gap", "a message of the server is missing"));
        received[channel] = message->envelope().sequence();
    }
    if (event.channel == Channel::events) {
        heard_of(message->envelope().tick());
        if (message->type() == protocol::Body::TickEnd) return close_tick(*message);
        if (waiting.size() == kMaxWaitingEvents)
            return protocol_error(Error("bad_count", "too many messages in one tick"));
        waiting.push_back(std::move(*message));
        return;
    }
    receive_message(*message);
}

// ---- control, text, bulk

PlayerInfo& ClientSession::Impl::player_info(std::uint16_t number) {
    const auto it = std::lower_bound(players.begin(), players.end(), number,
                                     [](const PlayerInfo& p, std::uint16_t n) { return p.number < n; });
    if (it != players.end() && it->number == number) return *it;
    PlayerInfo fresh;
    fresh.number = number;
    return *players.insert(it, fresh);
}

void ClientSession::Impl::receive_message(const protocol::Message& message) {
    if (const auto* pong = message.as<protocol::Pong>()) {
        if (pong->nonce() == ping_nonce) {
            const auto now = static_cast<std::uint32_t>(local_now_ms());
            ping_ms = static_cast<std::uint16_t>(std::min(now - pong->client_ms(), 65'535u));
            heard_of(pong->server_tick());
        }
        return;
    }
    if (const auto* ping = message.as<protocol::Ping>()) {
        write(Channel::input, [&](auto& b) {
            return protocol::CreatePong(b, ping->nonce(), ping->client_ms(), ping->server_tick());
        });
        return;
    }
    if (const auto* data = message.as<protocol::RulesData>()) return receive_rules_data(*data);
    if (const auto* text = message.as<protocol::Text>()) {
        SessionEvent& event = note(SessionEventKind::text, message.envelope().tick());
        event.player = text->from_player();
        event.text = text->text() != nullptr ? text->text()->str() : text->key()->str();
        event.reason = static_cast<std::uint8_t>(text->category());
        return;
    }
    receive_control(message);
}

void ClientSession::Impl::receive_control(const protocol::Message& message) {
    const std::uint64_t tick = message.envelope().tick();
    if (const auto* welcome = message.as<protocol::Welcome>()) {
        player = welcome->player();
        match_id = welcome->match_id();
        step_ms = welcome->step_ms();
        scale = welcome->scale();
        mission = welcome->mission()->str();
        copy_hash(rules, welcome->rules());
        phase = SessionPhase::lobby;
        heard_of(welcome->server_tick());
        note(SessionEventKind::welcome, tick).player = player;
        send_player_data();
    } else if (const auto* reject = message.as<protocol::Reject>()) {
        const std::string text = reject->text()->str();
        if (reject->code() != protocol::RejectCode::fingerprint || server_fingerprint == Hash256{})
            return end(refusal_code(reject->code()), "the server refused: " + text);
        refused_text = text;
        refused_ms = local_now_ms();
        write(Channel::bulk, [&](auto& b) {
            return protocol::CreateRulesRequest(
                b, b.CreateVector(server_fingerprint.data(), server_fingerprint.size()));
        });
    } else if (const auto* path = message.as<protocol::MissionPath>()) {
        mission = path->mission()->str();
        copy_hash(server_fingerprint, path->fingerprint());
        copy_hash(rules, path->rules());
    } else if (const auto* confirmed = message.as<protocol::PlayerDataConfirmed>()) {
        player = confirmed->player();
    } else if (const auto* joined = message.as<protocol::PlayerJoined>()) {
        PlayerInfo& info = player_info(joined->player());
        info.name = joined->name()->str();
        info.clan = joined->clan();
        info.colour = joined->colour();
        info.host = joined->host();
        info.data.assign(joined->data()->begin(), joined->data()->end());
        SessionEvent& event = note(SessionEventKind::player_joined, tick);
        event.player = info.number;
        event.text = info.name;
    } else if (const auto* removed = message.as<protocol::PlayerRemoved>()) {
        SessionEvent& event = note(SessionEventKind::player_removed, tick);
        event.player = removed->player();
        event.reason = static_cast<std::uint8_t>(removed->reason());
        for (const PlayerInfo& info : players)
            if (info.number == removed->player()) event.text = info.name;
        players.erase(std::remove_if(players.begin(), players.end(),
                                     [&](const PlayerInfo& p) { return p.number == removed->player(); }),
                      players.end());
    } else if (const auto* status = message.as<protocol::PlayerStatus>()) {
        PlayerInfo& info = player_info(status->player());
        const bool changed = info.state != status->state();
        info.state = status->state();
        info.ping_ms = status->ping_ms();
        if (changed) {
            SessionEvent& event = note(SessionEventKind::player_status, tick);
            event.player = status->player();
            event.reason = static_cast<std::uint8_t>(status->state());
        }
    } else if (const auto* lobby = message.as<protocol::LobbyState>()) {
        server_name = lobby->name()->str();
        for (PlayerInfo& info : players) info.host = info.number == lobby->host();
    } else if (const auto* started = message.as<protocol::GameStarted>()) {
        public_seed = started->public_seed();
        phase = SessionPhase::running;
        known_tick_ms = local_now_ms();
        note(SessionEventKind::game_started, started->start_tick());
    } else if (const auto* pause = message.as<protocol::PauseState>()) {
        pause_wanted = pause->paused();
        pause_tick = pause->effective_tick();
        if (paused && !pause_wanted) known_tick_ms = local_now_ms();
        paused = pause_wanted && known_tick >= pause_tick;
        SessionEvent& event = note(SessionEventKind::pause_changed, pause->effective_tick());
        event.player = pause->player();
        event.value = pause->paused() ? 1 : 0;
    } else if (const auto* time = message.as<protocol::TimeSync>()) {
        step_ms = time->step_ms();
        scale = time->scale();
        heard_of(time->tick());
        note(SessionEventKind::time_changed, time->tick()).value = scale;
    } else if (const auto* outcome = message.as<protocol::MissionOutcome>()) {
        SessionEvent& event = note(SessionEventKind::mission_outcome, tick);
        event.value = outcome->clan();
        event.reason = static_cast<std::uint8_t>(outcome->outcome());
    } else if (const auto* goodbye = message.as<protocol::Goodbye>()) {
        SessionEvent& event = note(SessionEventKind::goodbye, tick);
        event.reason = static_cast<std::uint8_t>(goodbye->reason());
        event.text = goodbye->text()->str();
        const bool kicked = goodbye->reason() == protocol::GoodbyeReason::kicked;
        const bool fault = goodbye->reason() == protocol::GoodbyeReason::protocol_error;
        end(kicked ? "kicked" : fault ? "protocol_error" : "server_closed",
            "the server ended the connection: " + goodbye->text()->str());
    }
}

// ---- a refusal for other content

void ClientSession::Impl::receive_rules_data(const protocol::RulesData& data) {
    if (!refused_text) return;  // nothing was asked for
    const std::size_t total = std::size_t{data.count()} * protocol::kMaxChunkBytes;
    if (data.index() != blob_next || total > mission::kMaxManifestBytes + protocol::kMaxChunkBytes)
        return finish_refusal();
    blob.insert(blob.end(), data.bytes()->begin(), data.bytes()->end());
    if (++blob_next == data.count()) finish_refusal();
}

void ClientSession::Impl::finish_refusal() {
    std::string message = "the server refused: " + *refused_text;
    if (sha256(blob) == server_fingerprint) {
        if (const auto theirs = mission::read_manifest(blob)) {
            if (const auto difference = mission::first_difference(settings.manifest, *theirs))
                message = "the game content differs from the server's (first side: here, second side: "
                          "the server); first difference: " +
                          difference->to_string();
        }
    }
    end("rejected_fingerprint", std::move(message));
}

// ---- reliable ticks

void ClientSession::Impl::close_tick(const protocol::Message& end_message) {
    const auto* tick_end = end_message.as<protocol::TickEnd>();
    const std::uint64_t tick = end_message.envelope().tick();
    if (tick < applied_tick) return protocol_error(Error("bad_tick", "the server's ticks went back"));
    if (tick_end->count() != waiting.size())
        return protocol_error(Error("bad_count", "a tick is closed with " + std::to_string(tick_end->count()) +
                                                     " messages, " + std::to_string(waiting.size()) +
                                                     " arrived"));
    for (const protocol::Message& message : waiting) apply(message);
    waiting.clear();
    applied_tick = tick;
    ++stats.ticks_applied;
    if (tick_end->view_hash()) compare_hash(*tick_end->view_hash(), tick);
}

void ClientSession::Impl::compare_hash(std::uint64_t expected, std::uint64_t tick) {
    ++stats.hashes_compared;
    const std::uint64_t actual = store.view_hash();
    if (actual == expected) {
        if (mismatch_reported) note(SessionEventKind::view_restored, tick);
        mismatch_reported = false;
        return;
    }
    ++stats.hashes_different;
    note(SessionEventKind::view_mismatch, tick);
    if (mismatch_reported) return;
    mismatch_reported = true;
    write(Channel::control, [&](auto& b) {
        return protocol::CreateViewHashMismatch(b, tick, expected, actual);
    });
}

void ClientSession::Impl::forget_start(std::uint32_t id) {
    if (starts.erase(id) != 0) live_stale = true;
}

void ClientSession::Impl::apply_create(const protocol::MirrorCreate& create, std::uint64_t tick) {
    Mirror mirror;
    mirror.id = create.object();
    mirror.owner = create.owner();
    mirror.clan = create.clan();
    mirror.logic_id = create.logic_id();
    mirror.upgrade_level = create.upgrade_level();
    mirror.scheme_type = create.scheme_type();
    mirror.prototype_key = create.prototype()->str();
    for (const auto* part : *create.parts())
        mirror.parts.push_back({part->tag(), part->parent_piece(), part->archive()->str(), part->entry()->str()});
    for (const auto* property : *create.properties())
        mirror.properties.push_back({property->name()->str(),
                                     {property->word0(), property->word1(), property->word2(),
                                      property->word3()}});
    mirror.orientation = {create.orientation()->x(), create.orientation()->y(), create.orientation()->z()};
    mirror.scale = {create.scale()->x(), create.scale()->y(), create.scale()->z()};
    mirror.life_max = create.life_max();
    mirror.created_tick = tick;
    mirror.last_seen_tick = create.last_seen_tick();
    const protocol::QuantisedState start = protocol::mirror_start(create);
    mirror.current = mirror.previous = sample_of(start, tick, true);
    const std::uint32_t id = mirror.id;
    if (!store.create(std::move(mirror))) return;  // a duplicate creates nothing
    starts[id] = {id, tick, start};
    live_stale = true;
    note(SessionEventKind::mirror_created, tick).object = id;
}

void ClientSession::Impl::apply(const protocol::Message& message) {
    const std::uint64_t tick = message.envelope().tick();
    if (const auto* create = message.as<protocol::MirrorCreate>()) {
        apply_create(*create, tick);
    } else if (const auto* kill = message.as<protocol::ObjectKill>()) {
        if (!store.kill(kill->object(), tick)) return;
        forget_start(kill->object());
        SessionEvent& event = note(SessionEventKind::mirror_killed, tick);
        event.object = kill->object();
        event.reason = static_cast<std::uint8_t>(kill->cause());
        if (kill->killer()) event.other = *kill->killer();
    } else if (const auto* hide = message.as<protocol::MirrorHide>()) {
        if (!store.hide(hide->object(), hide->mode() == protocol::HideMode::keep_as_last_seen, tick)) return;
        forget_start(hide->object());
        SessionEvent& event = note(SessionEventKind::mirror_hidden, tick);
        event.object = hide->object();
        event.reason = static_cast<std::uint8_t>(hide->mode());
    } else if (const auto* owner = message.as<protocol::ObjectOwner>()) {
        if (!store.change_owner(owner->object(), owner->owner(), owner->clan())) return;
        SessionEvent& event = note(SessionEventKind::owner_changed, tick);
        event.object = owner->object();
        event.player = owner->owner();
        event.value = owner->clan();
        event.reason = static_cast<std::uint8_t>(owner->reason());
    } else if (const auto* attach = message.as<protocol::ObjectAttach>()) {
        store.attach(attach->child(), attach->parent(), attach->piece());
    } else if (const auto* detach = message.as<protocol::ObjectDetach>()) {
        store.attach(detach->child(), protocol::kNoObject, 0);
    } else if (const auto* result = message.as<protocol::CommandResult>()) {
        unanswered.erase(result->sequence());
        SessionEvent& event = note(SessionEventKind::result, tick);
        event.sequence = result->sequence();
        event.code = result->code();
        event.taken = result->taken();
        event.left_out = result->left_out();
        event.value = result->value();
    } else if (const auto* order = message.as<protocol::OrderEvent>()) {
        SessionEvent& event = note(SessionEventKind::order, tick);
        event.object = order->object();
        event.order = order->order();
        event.order_event = order->event();
        event.code = order->code();
    }
}

// ---- state stream

void ClientSession::Impl::receive_state(ByteView packet) {
    ++stats.state_packets;
    stats.state_bytes += packet.size();
    const auto dropped = [&] { ++stats.state_dropped; };
    const auto parts = protocol::read_state_packet(packet);
    if (!parts || parts->header.tick() == 0) return dropped();
    heard_of(parts->header.tick());
    const protocol::View* base = nullptr;
    if (parts->header.base() != 0) {
        base = ring.find(parts->header.base());
        if (base == nullptr) return dropped();
    }
    if (live_stale) {
        live.clear();
        for (const auto& [id, start] : starts) live.push_back(start);
        live_stale = false;
    }
    protocol::DecodeOptions options;
    options.tick = parts->header.tick();
    options.sequence = parts->header.sequence();
    options.step_ms = step_ms;
    auto decoded = protocol::decode_state(
        parts->data, base, live, [&](std::uint32_t id) { return store.was_removed(id); }, options);
    if (!decoded) return dropped();  // its MirrorCreate is still on the way, or the packet is damaged
    stats.tombstone_hits += decoded->ignored;
    auto entry = decoded->entries.begin();
    for (const protocol::ViewEntry& seen : decoded->view.entries) {
        while (entry != decoded->entries.end() && entry->id < seen.id) ++entry;
        const bool absolute = entry != decoded->entries.end() && entry->id == seen.id && entry->absolute();
        store.push_sample(seen.id, sample_of(seen.state, options.tick, absolute));
    }
    ring.push(std::move(decoded->view));
    newest_state = std::max(newest_state, options.tick);
    ack_due = true;
}

}  // namespace iron::client::net
