// What one original does is shown to the others, byte for byte. Source: directplay.md 15.2, 16.5.
#include <algorithm>

#include "dpcompat/bridge/bridge_impl.hpp"
#include "shared/base/hash.hpp"

namespace iron::dpcompat {
namespace {

std::string shown(const Text16& name) {
    std::string out = to_utf8(name);
    for (char& c : out)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
    return out.empty() ? "(no name)" : out;
}

}  // namespace

void Bridge::Impl::add_player(MatchPlayer player) {
    for (auto& seat : seats)
        if (seat->number != player.seat && seat->peer->role() == PeerRole::host)
            (void)seat->peer->create_player(player.short_name, player.long_name, player.data, player.id);
    log("info", "player '" + shown(player.short_name) + "' is in");
    players[player.id] = std::move(player);
}

void Bridge::Impl::remove_player(DpId id) {
    const auto found = players.find(id);
    if (found == players.end()) return;
    const MatchPlayer gone = std::move(found->second);
    players.erase(found);
    for (auto& [group_id, group] : groups) group.members.erase(id);
    for (auto& seat : seats)
        if (seat->number != gone.seat) (void)seat->peer->delete_player(id);
    if (gone.seat == 0) slots->release(id);  // the bridge took it; a session gives back its originals' ids itself
    log("info", "player '" + shown(gone.short_name) + "' is gone");
}

void Bridge::Impl::payload(Seat& seat, const PeerEvent& e) {
    ++counters.payloads;
    counters.payload_bytes += e.data.size();
    if (translator && translator->payload(e.id, e.data, e.guaranteed)) return;
    if (e.other == kIdAll) {
        bool delivered = false;
        for (auto& other : seats)
            if (other.get() != &seat && other->taken()) delivered = bool(other->peer->send(e.id, kIdAll, e.data, e.guaranteed)) || delivered;
        ++(delivered ? counters.carried : counters.undeliverable);
        return;
    }
    if (const auto group = groups.find(e.other); group != groups.end()) {
        bool delivered = false;
        std::set<std::uint32_t> done;
        for (DpId member : group->second.members) {
            const auto player = players.find(member);
            if (player == players.end() || player->second.seat == 0 || player->second.seat == seat.number || !done.insert(player->second.seat).second)
                continue;
            if (Seat* other = seat_of(player->second.seat)) delivered = bool(other->peer->send(e.id, e.other, e.data, e.guaranteed)) || delivered;
        }
        ++(delivered ? counters.carried : counters.undeliverable);
        return;
    }
    const auto player = players.find(e.other);
    if (player == players.end()) {
        ++counters.undeliverable;
    } else if (player->second.seat == 0) {
        ++counters.for_bridge;  // for the bridge's own player or one of the server's: nothing native receives it
    } else if (Seat* other = seat_of(player->second.seat); other && other->peer->send(e.id, e.other, e.data, e.guaranteed)) {
        ++counters.carried;
    } else {
        ++counters.undeliverable;
    }
}

void Bridge::Impl::event(Seat& seat, const PeerEvent& e) {
    const auto others = [&](auto action) {
        for (auto& other : seats)
            if (other.get() != &seat) action(*other->peer);
    };
    switch (e.kind) {
        case PeerEventKind::machine_joined:
            log("info", "session " + std::to_string(seat.number) + ": an original has joined");
            ensure_seat();
            return;
        case PeerEventKind::machine_left: log("info", "session " + std::to_string(seat.number) + ": the original has left"); return;
        case PeerEventKind::player_created: {
            if (seat.peer->owns(e.id) || players.contains(e.id)) return;
            const Player* p = seat.peer->directory().find(e.id);
            if (p == nullptr) return;
            add_player({e.id, seat.number, 0, p->short_name.value_or(Text16()), p->long_name.value_or(Text16()), p->data});
            if (translator) translator->enter(e.id, p->short_name.value_or(Text16()), p->data);
            return;
        }
        case PeerEventKind::player_deleted: {
            const auto found = players.find(e.id);
            if (found == players.end() || found->second.seat != seat.number) return;
            if (translator) translator->leave(e.id);
            remove_player(e.id);
            return;
        }
        case PeerEventKind::group_created: {
            if (groups.contains(e.id)) return;
            const Player* g = seat.peer->directory().find(e.id);
            if (g == nullptr || g->system_id == system_id) return;
            groups[e.id] = {e.id, seat.number, e.text, g->members};
            others([&](SessionPeer& peer) { (void)peer.create_group(e.text, e.id); });
            return;
        }
        case PeerEventKind::group_deleted: {
            const auto found = groups.find(e.id);
            if (found == groups.end() || found->second.seat != seat.number) return;
            groups.erase(found);
            others([&](SessionPeer& peer) { (void)peer.delete_group(e.id); });
            return;
        }
        case PeerEventKind::group_joined:
        case PeerEventKind::group_left: {
            const auto found = groups.find(e.other);
            if (found == groups.end()) return;
            const bool add = e.kind == PeerEventKind::group_joined;
            if (add) found->second.members.insert(e.id);
            else found->second.members.erase(e.id);
            others([&](SessionPeer& peer) { (void)(add ? peer.add_to_group(e.id, e.other) : peer.remove_from_group(e.id, e.other)); });
            return;
        }
        case PeerEventKind::player_message: payload(seat, e); return;
        case PeerEventKind::data_changed: {
            const auto found = players.find(e.id);
            if (found == players.end()) return;
            found->second.data = e.data;
            others([&](SessionPeer& peer) { (void)peer.set_player_data(e.id, e.data); });
            if (translator) translator->set_data(e.id, e.data);
            return;
        }
        case PeerEventKind::name_changed: {
            const auto found = players.find(e.id);
            const Player* p = seat.peer->directory().find(e.id);
            if (found == players.end() || p == nullptr) return;
            found->second.short_name = p->short_name.value_or(Text16());
            found->second.long_name = p->long_name.value_or(Text16());
            others([&](SessionPeer& peer) { (void)peer.set_player_name(e.id, found->second.short_name, found->second.long_name); });
            if (translator) translator->renamed(e.id);
            return;
        }
        case PeerEventKind::chat: {
            ++counters.chat;
            if (translator) {
                // The server hands it to everybody, our other originals included.
                translator->chat(e.id, e.other, e.text);
                return;
            }
            if (e.other == kIdAll || groups.contains(e.other)) {
                others([&](SessionPeer& peer) { (void)peer.chat(e.id, e.other, e.text); });
                return;
            }
            const auto player = players.find(e.other);
            if (player == players.end()) return;
            if (Seat* other = seat_of(player->second.seat)) (void)other->peer->chat(e.id, e.other, e.text);
            return;
        }
        case PeerEventKind::unknown_command: {
            const auto command = static_cast<std::uint16_t>(e.result);
            ++counters.unknown_commands;
            ++counters.unknown_by_command[command];
            log("warn", "unknown command " + std::to_string(command) + ", " + std::to_string(e.data.size()) + " bytes: " +
                            to_hex(ByteView(e.data).first(std::min<std::size_t>(e.data.size(), 64))));
            others([&](SessionPeer& peer) { (void)peer.carry(e.data, e.guaranteed); });
            return;
        }
        default: return;
    }
}

void Bridge::Impl::connect_translator() {
    Translator& t = *translator;
    const auto id_of = [this](std::uint16_t number) -> DpId {
        for (const auto& [id, p] : players)
            if (number != 0 && p.number == number) return id;
        return translator->original_of(number);
    };
    t.id_of_modern = id_of;
    t.number_of_modern = [this](DpId id) -> std::uint16_t {
        const auto found = players.find(id);
        return found == players.end() ? std::uint16_t{0} : found->second.number;
    };
    t.on_joined = [this](const ModernPlayer& p) {
        const DpId id = slots->take();
        if (id == 0) return;
        Text16 name = to_text16(p.name);
        name.resize(std::min<std::size_t>(name.size(), kMaxNameUnits));
        add_player({id, 0, p.number, name, name, p.data});
    };
    t.on_changed = [this](const ModernPlayer& p) {
        for (auto& [id, player] : players) {
            if (player.number != p.number) continue;
            player.data = p.data;
            for (auto& seat : seats) (void)seat->peer->set_player_data(id, p.data);
        }
    };
    t.on_left = [this, id_of](std::uint16_t number) { remove_player(id_of(number)); };
    t.on_chat = [this, id_of](DpId to, std::uint16_t from, const std::string& text) {
        const auto player = players.find(to);
        Seat* seat = player == players.end() ? nullptr : seat_of(player->second.seat);
        Text16 line = to_text16(text);
        line.resize(std::min<std::size_t>(line.size(), kMaxChatUnits));
        if (const DpId sender = id_of(from); seat && sender != 0) (void)seat->peer->chat(sender, to, line);
    };
    t.on_payload = [this, id_of](DpId to, std::uint16_t from, const Bytes& data) {
        const auto player = players.find(to);
        Seat* seat = player == players.end() ? nullptr : seat_of(player->second.seat);
        // The server itself has no player; its messages come from the bridge's own one.
        const DpId sender = from == 0 ? host_player : id_of(from);
        if (seat && sender != 0) (void)seat->peer->send(sender, to, data, true);
    };
    t.on_ended = [this](DpId id, const std::string& why) {
        log("warn", "the server ended the session of a player: " + why);
        const auto player = players.find(id);
        // The original learns it the only way its game knows: its own session is lost.
        if (Seat* seat = player == players.end() ? nullptr : seat_of(player->second.seat)) (void)seat->peer->kick(id);
    };
}

}  // namespace iron::dpcompat
