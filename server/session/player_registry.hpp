// Who plays: player numbers, names, clans, transport connections. The only place that knows which
// connection is which player (the NetWatcher of the original).
// Source: net-messages.md 1 (identity), 5, 7.3 (numbers), 8.6 (states).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/handshake.hpp"
#include "protocol/messages.hpp"
#include "server/world/ids.hpp"
#include "shared/base/bytes.hpp"

namespace iron::session {

using protocol::Token;
using world::PlayerNumber;

struct Player {
    PlayerNumber number = world::kNoPlayer;
    std::uint32_t connection = 0;  ///< transport connection, 0 = none at the moment
    std::string name;
    std::uint8_t clan = 0xFF;      ///< clan index; 0xFF for spectators
    std::uint8_t colour = 0;
    bool host = false;
    bool entered = false;          ///< PlayerData received, shown to the others
    protocol::PlayerState state = protocol::PlayerState::connected;
    std::uint32_t revision = 0;    ///< of PlayerData
    Bytes data;
    Token token{};                 ///< proves the player on a return (net-messages.md 5)
    bool spectator() const { return protocol::is_spectator(number); }
};

class PlayerRegistry {
public:
    /// `clans`: indices a player may take, ascending.
    explicit PlayerRegistry(std::vector<std::uint8_t> clans, std::size_t max_spectators = 16);

    /// Takes a free number: that of `clan_wish` if it is free, else the first free one; never one that
    /// was used before in this match. The first player becomes host. Nothing if all are taken.
    std::optional<PlayerNumber> admit(std::uint32_t connection, const Token& token, bool spectator,
                                      std::uint8_t clan_wish = 0xFF);
    /// Moves a player who has not entered yet to the clan of his wish, if that is free. Returns the
    /// number now held.
    PlayerNumber apply_wish(PlayerNumber number, std::uint8_t clan_wish);
    /// Before the match: the number becomes free again. In the match it stays used.
    void remove(PlayerNumber number, bool number_reusable);

    Player* find(PlayerNumber number);
    const Player* find(PlayerNumber number) const;
    Player* by_connection(std::uint32_t connection);
    /// Same name after ASCII folding, other than `except`.
    bool name_taken(std::string_view name, PlayerNumber except) const;

    /// Ascending number.
    const std::map<PlayerNumber, Player>& all() const { return players_; }
    /// Players (no spectators) that have entered.
    std::size_t entered_count() const;
    bool has_room(bool spectator) const;
    /// The player to be host after the present one is gone: the lowest number. 0 = nobody.
    PlayerNumber pass_host();

private:
    bool is_free(PlayerNumber number) const;

    std::vector<std::uint8_t> clans_;
    std::size_t max_spectators_;
    std::map<PlayerNumber, Player> players_;
    std::map<PlayerNumber, bool> used_up_;
};

}  // namespace iron::session
