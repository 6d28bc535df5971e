// Players and groups: created, deleted, renamed. Source: directplay.md 4.5, 4.6, 4.10, 4.11.
#include <algorithm>

#include "dpcompat/session/peer_state.hpp"

namespace iron::dpcompat {

void SessionPeer::State::release(const Player& p) {
    if (slots && !p.borrowed) slots->release(p.id);
}

void SessionPeer::State::add_own(const Request& r, DpId id, bool borrowed) {
    Player p;
    p.id = id;
    p.borrowed = borrowed;
    p.system_id = own_system;
    p.group = r.kind == IdKind::group;
    if (!r.short_name.empty()) p.short_name = r.short_name;
    if (!r.long_name.empty()) p.long_name = r.long_name;
    p.data = r.data;
    p.created_ms = now_ms;
    CreateBody body;
    body.id = id;
    body.player = packed(p);
    body.reserved_tail = !p.group;
    const bool group = p.group;
    directory.add(std::move(p));
    send_to_all(group ? Command::create_group : Command::create_player, body);
    event({group ? PeerEventKind::group_created : PeerEventKind::player_created, id, own_system, r.short_name, r.data, kDpOk, false, {}});
    if (!group) announce_desc();
}

Result<Player*> SessionPeer::State::owned_by(const Sender& from, DpId id) {
    Player* p = directory.find(id);
    if (p == nullptr) return fail("dp_id", "an unknown player");
    if (from.machine == nullptr || p->system_id != from.machine->system_id) return fail("dp_ownership", "the player of another machine");
    return p;
}

Status SessionPeer::State::on_create(const Sender& from, const Message& m, const CreateBody& body) {
    const bool group = m.code() == Command::create_group;
    if (from.machine == nullptr) return fail("dp_order", "a player before its machine");
    if (const Player* known = directory.find(body.id)) {
        if (known->system_id != from.machine->system_id) return fail("dp_ownership", "the player of another machine");
        return {};  // a repeat, as 38 makes them
    }
    if (body.player.id != body.id) return fail("dp_id", "two ids for one player");
    if (body.player.system_id != from.machine->system_id) return fail("dp_ownership", "a player for another machine");
    if (body.player.flags & player_flag::kSystem) return fail("dp_id", "machines are announced by the host");
    if (role == PeerRole::host) {
        IRON_CHECK(reserved(from, body.id, group ? IdKind::group : IdKind::player));
        reservations.erase(body.id);
    } else if (split_id(body.id, desc.key).uniqueness >= 0x8000 && settings.strict_key) {
        return fail("dp_id", "not an id of this session");
    }
    if (group && std::size_t(std::count_if(directory.players().begin(), directory.players().end(), [](const auto& p) { return p.second.group; })) >= kMaxGroups)
        return fail("dp_count", "too many groups");
    if (!group && directory.normal_count() >= kMaxPlayers) return fail("dp_count", "too many players");
    Player p;
    p.id = body.id;
    p.system_id = from.machine->system_id;
    p.group = group;
    p.flags = body.player.flags & ~player_flag::kLocal;
    p.short_name = body.player.short_name;
    p.long_name = body.player.long_name;
    p.data = body.player.data;
    p.parent = body.player.parent;
    if (group) p.members.insert(body.player.ids.begin(), body.player.ids.end());
    p.created_ms = now_ms;
    const Text16 shown = p.short_name.value_or(Text16());
    directory.add(std::move(p));
    event({group ? PeerEventKind::group_created : PeerEventKind::player_created, body.id, from.machine->system_id, shown, body.player.data, kDpOk,
           false, {}});
    if (group) return {};
    if (role == PeerRole::host) {
        announce_desc();
    } else if (m.code() == Command::create_player && settings.version >= kVerifyVersion && from.machine->version >= kVerifyVersion) {
        // Two machines may announce players at the same time and miss each other (directplay.md 4.5).
        for (const auto& [id, own] : directory.players())
            if (own.system_id == own_system && !own.system && !own.group && now_ms - own.created_ms <= settings.verify_window_ms) {
                CreateBody verify;
                verify.id = id;
                verify.player = packed(own);
                send(from.tcp, Command::create_player_verify, verify);
            }
    }
    return {};
}

void SessionPeer::State::removed(const std::vector<Player>& gone) {
    bool players = false;
    for (const Player& p : gone) {
        release(p);
        const PeerEventKind kind = p.system ? PeerEventKind::machine_left : p.group ? PeerEventKind::group_deleted : PeerEventKind::player_deleted;
        players = players || kind == PeerEventKind::player_deleted;
        event({kind, p.id, p.system_id, p.short_name.value_or(Text16()), {}, kDpOk, false, {}});
    }
    if (players) announce_desc();
}

Status SessionPeer::State::on_membership(const Sender& from, Command command, const MembershipBody& body) {
    const auto may_touch = [&](const Player& p) { return from.is_host || p.system_id == from.machine->system_id; };
    switch (command) {
        case Command::delete_player: {
            const Player* p = directory.find(body.player);
            if (p == nullptr || p->group) return fail("dp_id", "an unknown player");
            if (!may_touch(*p)) return fail("dp_ownership", "only its machine or the host removes a player");
            if (p->id == own_system) {
                session_lost();
                return {};
            }
            if (p->system) {
                lose_machine(p->id, false);
                return {};
            }
            removed(directory.remove(body.player));
            return {};
        }
        case Command::delete_group: {
            const Player* g = directory.find(body.group);
            if (g == nullptr || !g->group) return fail("dp_id", "an unknown group");
            if (!may_touch(*g)) return fail("dp_ownership", "only its machine or the host removes a group");
            removed(directory.remove(body.group));
            return {};
        }
        case Command::add_player_to_group:
        case Command::delete_player_from_group: {
            const Player* p = directory.find(body.player);
            Player* g = directory.find(body.group);
            if (p == nullptr || p->group || g == nullptr || !g->group) return fail("dp_id", "an unknown player or group");
            if (!may_touch(*p) && !may_touch(*g)) return fail("dp_ownership", "neither player nor group belong to the sender");
            const bool add = command == Command::add_player_to_group;
            if (add) g->members.insert(body.player);
            else g->members.erase(body.player);
            event({add ? PeerEventKind::group_joined : PeerEventKind::group_left, body.player, body.group, {}, {}, kDpOk, false, {}});
            return {};
        }
        default: break;
    }
    // Groups in groups (27, 28): both must exist; the tree is not used here.
    if (directory.find(body.player) == nullptr || directory.find(body.group) == nullptr) return fail("dp_id", "an unknown group");
    return {};
}

Status SessionPeer::State::on_data(const Sender& from, const DataChangedBody& body) {
    IRON_TRY(Player * p, owned_by(from, body.id));
    p->data = body.data;
    event({PeerEventKind::data_changed, body.id, 0, {}, body.data, kDpOk, false, {}});
    return {};
}

Status SessionPeer::State::on_name(const Sender& from, const NameChangedBody& body) {
    IRON_TRY(Player * p, owned_by(from, body.id));
    p->short_name = body.short_name;
    p->long_name = body.long_name;
    event({PeerEventKind::name_changed, body.id, 0, body.short_name.value_or(Text16()), {}, kDpOk, false, {}});
    return {};
}

}  // namespace iron::dpcompat
