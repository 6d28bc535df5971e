#include "dpcompat/bridge/evidence.hpp"

namespace iron::dpcompat {

Evidence evidence_of(std::uint16_t command) {
    switch (static_cast<Command>(command)) {
        case Command::enum_sessions_reply:
        case Command::enum_sessions:
        case Command::request_player_id:
        case Command::request_player_reply:
        case Command::create_player:
        case Command::add_forward_request:
        case Command::ping:
        case Command::ping_reply:
        case Command::add_forward_reply:
        case Command::super_enum_players_reply:
        case Command::add_forward:
        case Command::add_forward_ack: return Evidence::exchanged;
        case Command::delete_player:
        case Command::session_desc_changed: return Evidence::captured;
        default: break;
    }
    return command_name(command) == "UNKNOWN" ? Evidence::open : Evidence::described;
}

std::string_view evidence_text(Evidence evidence) {
    switch (evidence) {
        case Evidence::exchanged: return "exchanged with Wine, not with the game";
        case Evidence::captured: return "seen in captures of other games";
        case Evidence::described: return "published description only";
        case Evidence::open: return "meaning unknown, carried";
    }
    return "meaning unknown, carried";
}

}  // namespace iron::dpcompat
