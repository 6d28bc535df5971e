#include "server/session/player_registry.hpp"

#include <algorithm>

#include "shared/base/text.hpp"

namespace iron::session {

PlayerRegistry::PlayerRegistry(std::vector<std::uint8_t> clans, std::size_t max_spectators)
    : clans_(std::move(clans)), max_spectators_(max_spectators) {}

bool PlayerRegistry::is_free(PlayerNumber number) const {
    return players_.count(number) == 0 && used_up_.count(number) == 0;
}

std::optional<PlayerNumber> PlayerRegistry::admit(std::uint32_t connection, const Token& token,
                                                  bool spectator, std::uint8_t clan_wish) {
    std::optional<PlayerNumber> number;
    std::uint8_t clan = 0xFF;
    if (spectator) {
        std::size_t present = 0;
        for (const auto& [n, player] : players_) present += player.spectator() ? 1 : 0;
        if (present >= max_spectators_) return std::nullopt;
        for (PlayerNumber n = protocol::kFirstSpectator; n <= protocol::kLastSpectator && !number; ++n)
            if (is_free(n)) number = n;
    } else {
        for (const std::uint8_t c : clans_) {
            const auto n = static_cast<PlayerNumber>(c + 1);
            if (!is_free(n) || (number && c != clan_wish)) continue;
            number = n;
            clan = c;
            if (c == clan_wish) break;
        }
    }
    if (!number) return std::nullopt;
    Player player;
    player.number = *number;
    player.connection = connection;
    player.clan = clan;
    player.token = token;
    if (spectator) player.state = protocol::PlayerState::spectator;
    player.host = !spectator && std::none_of(players_.begin(), players_.end(),
                                             [](const auto& entry) { return entry.second.host; });
    players_.emplace(*number, std::move(player));
    return number;
}

PlayerNumber PlayerRegistry::apply_wish(PlayerNumber number, std::uint8_t clan_wish) {
    const auto it = players_.find(number);
    if (it == players_.end() || it->second.entered || it->second.spectator()) return number;
    const auto wanted = static_cast<PlayerNumber>(clan_wish + 1);
    if (std::find(clans_.begin(), clans_.end(), clan_wish) == clans_.end() || !is_free(wanted))
        return number;
    Player player = std::move(it->second);
    players_.erase(it);
    player.number = wanted;
    player.clan = clan_wish;
    players_.emplace(wanted, std::move(player));
    return wanted;
}

void PlayerRegistry::remove(PlayerNumber number, bool number_reusable) {
    if (players_.erase(number) != 0 && !number_reusable) used_up_[number] = true;
}

Player* PlayerRegistry::find(PlayerNumber number) {
    const auto it = players_.find(number);
    return it == players_.end() ? nullptr : &it->second;
}

const Player* PlayerRegistry::find(PlayerNumber number) const {
    const auto it = players_.find(number);
    return it == players_.end() ? nullptr : &it->second;
}

Player* PlayerRegistry::by_connection(std::uint32_t connection) {
    for (auto& [number, player] : players_)
        if (player.connection == connection && connection != 0) return &player;
    return nullptr;
}

bool PlayerRegistry::name_taken(std::string_view name, PlayerNumber except) const {
    return std::any_of(players_.begin(), players_.end(), [&](const auto& entry) {
        return entry.first != except && entry.second.entered &&
               ascii_iequals(entry.second.name, name);
    });
}

std::size_t PlayerRegistry::entered_count() const {
    return static_cast<std::size_t>(
        std::count_if(players_.begin(), players_.end(), [](const auto& entry) {
            return entry.second.entered && !entry.second.spectator();
        }));
}

bool PlayerRegistry::has_room(bool spectator) const {
    if (spectator)
        return static_cast<std::size_t>(
                   std::count_if(players_.begin(), players_.end(), [](const auto& entry) {
                       return entry.second.spectator();
                   })) < max_spectators_;
    return std::any_of(clans_.begin(), clans_.end(), [&](std::uint8_t clan) {
        return is_free(static_cast<PlayerNumber>(clan + 1));
    });
}

PlayerNumber PlayerRegistry::pass_host() {
    for (auto& [number, player] : players_) player.host = false;
    for (auto& [number, player] : players_) {
        if (player.spectator() || !player.entered) continue;
        player.host = true;
        return number;
    }
    return world::kNoPlayer;
}

}  // namespace iron::session
