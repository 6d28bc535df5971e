#include "server/world/session_commands.hpp"

#include <algorithm>

namespace iron::world {

namespace {

/// The clan that gets what nobody owns: the first neutral one, else none.
std::uint8_t neutral_clan(const WorldState& s) {
    for (std::size_t i = 0; i < s.clans.size(); ++i)
        if (s.clans[i].mode == asset::ClanMode::neutral) return static_cast<std::uint8_t>(i);
    return kNoClan;
}

/// The first clan that a person plays and that is allied with `clan`; kNoClan = none.
std::uint8_t allied_player_clan(const WorldState& s, std::size_t clan) {
    for (std::size_t i = 0; i < s.clans.size(); ++i)
        if (i != clan && s.clans[i].joined && !s.clans[i].lost && s.pairs[clan * s.clans.size() + i].allied)
            return static_cast<std::uint8_t>(i);
    return kNoClan;
}

/// Versus, no takeover: robots and buildings become neutral, the hero dies. Otherwise everything goes to an
/// allied player, or stays under the AI of the clan.
void give_up_clan(WorldState& s, std::size_t clan, OwnerReason reason) {
    const bool versus = s.mode == GameMode::multiplayer;
    const std::uint8_t heir = versus ? neutral_clan(s) : allied_player_clan(s, clan);
    if (!versus && heir == kNoClan) {
        s.clans[clan].ai_plays = true;
        s.clans[clan].joined = false;
        return;
    }
    const PlayerNumber heir_player = heir == kNoClan ? kNoPlayer : s.clans[heir].player;
    for (std::uint32_t slot : s.by_id) {
        const ObjectRecord& r = s.store.at(slot);
        if (r.life != LifeState::registered || r.clan != clan) continue;
        if (versus && s.bodies[slot].role == control::Role::hero)
            s.queue->kill(s.store.handle_of(slot), static_cast<std::uint32_t>(KillCause::owner_left), {});
        else
            s.queue->request_owner(s.store.handle_of(slot), heir_player, heir, static_cast<std::uint8_t>(reason));
    }
    s.clans[clan].lost = true;
    s.clans[clan].joined = false;
}

/// Index of the clan a player number stands for; clans.size() = none.
std::size_t clan_of_player(const WorldState& s, PlayerNumber player) {
    for (std::size_t i = 0; i < s.clans.size(); ++i)
        if (player != kNoPlayer && s.clans[i].player == player) return i;
    return s.clans.size();
}

}  // namespace

void apply_session_command(WorldState& s, const SessionCommand& c) {
    s.next_session_sequence = std::uint64_t{c.sequence} + 1;
    const std::size_t clan = clan_of_player(s, c.player);
    const bool known = clan < s.clans.size();
    switch (c.act) {
        case SessionAct::player_joined:
            if (c.value < s.clans.size() && s.clans[c.value].player == c.player && !s.clans[c.value].lost) {
                s.clans[c.value].joined = true;
                s.clans[c.value].ai_plays = false;
            }
            break;
        case SessionAct::player_left:
        case SessionAct::player_removed:
            if (known && !s.clans[clan].lost) give_up_clan(s, clan, OwnerReason::player_left);
            break;
        case SessionAct::player_lost:
            if (!known || s.clans[clan].lost) break;
            // A takeover that was decided before keeps everything with the clan.
            if (s.clans[clan].ai_plays) s.clans[clan].joined = false;
            else give_up_clan(s, clan, OwnerReason::player_lost);
            break;
        case SessionAct::set_scale: s.scale_percent = std::clamp(c.value, 10u, 1600u); break;
        case SessionAct::ai_takeover:
            if (known) s.clans[clan].ai_plays = c.value != 0;
            break;
        case SessionAct::admin_kill: {
            const std::uint32_t slot = s.find_active(c.object);
            if (slot != kNoSlot)
                s.queue->kill(s.store.handle_of(slot), static_cast<std::uint32_t>(KillCause::administrator), {});
            break;
        }
        case SessionAct::pause:
        case SessionAct::resume: break;
    }
}

}  // namespace iron::world
