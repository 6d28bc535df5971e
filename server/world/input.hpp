// What crosses the input boundary of a tick, frozen and sorted: session commands, commands,
// manual input. This is exactly what the message log records (runtime.md 9.3, net-messages.md 9).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/world/ids.hpp"
#include "shared/base/bytes.hpp"

namespace iron::world {

/// 1/256 wu: every coordinate a client sends is an integer (net-messages.md 7.2).
struct Pos2 {
    std::int32_t x = 0, y = 0;
    bool operator==(const Pos2&) const = default;
};

/// Orders of simulation.md 22.
enum class Order : std::uint8_t {
    stop, move, attack, attack_move, guard, follow, patrol, capture, build, repair, load, unload,
    dock, undock, retreat, recharge, set_stance, produce, cancel_production, research, board, leave,
    take_control, item_toggle, transfer_ore, self_destruct, hold_position, set_rally,
    set_auto_retreat, cancel_research, offer_alliance, break_alliance, surrender, submit_scheme,
    withdraw_scheme, cancel_site, answer_transfer
};
inline constexpr std::uint8_t kOrderCount = 37;

/// Command flags (simulation.md 22.1).
enum CommandFlag : std::uint8_t {
    kAppend = 1, kFront = 2, kKeepTogether = 4, kSingleGoal = 8, kYawGiven = 16
};

/// A player's command, already decoded and range-checked (net-messages.md 8.4).
struct Command {
    PlayerNumber player = kNoPlayer;
    std::uint32_t sequence = 0;  ///< per player, 1.. without gaps
    std::uint8_t order = 0;
    std::uint8_t flags = 0;
    std::vector<ObjectId> subjects;
    ObjectId target;
    Pos2 at;
    std::int16_t yaw = 0;  ///< 32767 = pi
    std::uint32_t param = 0, amount = 0;
    std::vector<Pos2> points;
    std::string key;
    Bytes data;
    bool operator==(const Command&) const = default;
};

/// Decisions of the session layer that enter the world at a tick boundary (DD-NET-14).
enum class SessionAct : std::uint8_t {
    player_joined = 0,   ///< value: clan index
    player_left = 1,     ///< left by message
    player_lost = 2,     ///< grace over: disconnect policy applies
    player_removed = 3,  ///< administrative removal
    pause = 4,
    resume = 5,
    set_scale = 6,       ///< value: percent
    ai_takeover = 7,     ///< value: 1 on, 0 off for the player's clan
    admin_kill = 8       ///< object: forced kill
};

struct SessionCommand {
    std::uint32_t sequence = 0;  ///< own sequence of sender 0, 1.. without gaps
    SessionAct act = SessionAct::player_joined;
    PlayerNumber player = kNoPlayer;
    std::uint32_t value = 0;
    ObjectId object;
    std::string name;  ///< display name of a joining player; presentation only
    bool operator==(const SessionCommand&) const = default;
};

/// What is held on the stick of a driven object (net-messages.md 8).
struct ManualInput {
    PlayerNumber player = kNoPlayer;
    ObjectId object;
    std::uint32_t client_tick = 0;
    std::int8_t move_x = 0, move_y = 0, turn = 0;  ///< -127..127 = -1..1 of the maximum
    std::int16_t aim_yaw = 0, aim_pitch = 0;       ///< 32767 = pi
    std::uint32_t buttons = 0;                     ///< bits 0..7 weapon slots, 8 brake
    ObjectId target;
    bool operator==(const ManualInput&) const = default;
};

/// The frozen input of one tick, in application order: session commands by sequence, commands by
/// (player, sequence), manual input by player.
struct InputFrame {
    Tick tick = 0;  ///< the tick this input is applied in (the first simulated tick is 1)
    std::vector<SessionCommand> session;
    std::vector<Command> commands;
    std::vector<ManualInput> manual;
    bool empty() const { return session.empty() && commands.empty() && manual.empty(); }
    bool operator==(const InputFrame&) const = default;
};

}  // namespace iron::world
