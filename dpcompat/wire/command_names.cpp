#include "dpcompat/wire/messages.hpp"

namespace iron::dpcompat {

std::string_view command_name(std::uint16_t command) {
    switch (static_cast<Command>(command)) {
        case Command::enum_sessions_reply: return "ENUMSESSIONSREPLY";
        case Command::enum_sessions: return "ENUMSESSIONS";
        case Command::enum_players_reply: return "ENUMPLAYERSREPLY";
        case Command::enum_player: return "ENUMPLAYER";
        case Command::request_player_id: return "REQUESTPLAYERID";
        case Command::request_group_id: return "REQUESTGROUPID";
        case Command::request_player_reply: return "REQUESTPLAYERREPLY";
        case Command::create_player: return "CREATEPLAYER";
        case Command::create_group: return "CREATEGROUP";
        case Command::delete_player: return "DELETEPLAYER";
        case Command::delete_group: return "DELETEGROUP";
        case Command::add_player_to_group: return "ADDPLAYERTOGROUP";
        case Command::delete_player_from_group: return "DELETEPLAYERFROMGROUP";
        case Command::player_data_changed: return "PLAYERDATACHANGED";
        case Command::player_name_changed: return "PLAYERNAMECHANGED";
        case Command::group_data_changed: return "GROUPDATACHANGED";
        case Command::group_name_changed: return "GROUPNAMECHANGED";
        case Command::add_forward_request: return "ADDFORWARDREQUEST";
        case Command::packet: return "PACKET";
        case Command::ping: return "PING";
        case Command::ping_reply: return "PINGREPLY";
        case Command::you_are_dead: return "YOUAREDEAD";
        case Command::player_wrapper: return "PLAYERWRAPPER";
        case Command::session_desc_changed: return "SESSIONDESCCHANGED";
        case Command::challenge: return "CHALLENGE";
        case Command::access_granted: return "ACCESSGRANTED";
        case Command::logon_denied: return "LOGONDENIED";
        case Command::auth_error: return "AUTHERROR";
        case Command::negotiate: return "NEGOTIATE";
        case Command::challenge_response: return "CHALLENGERESPONSE";
        case Command::signed_message: return "SIGNED";
        case Command::add_forward_reply: return "ADDFORWARDREPLY";
        case Command::ask_multicast: return "ASK4MULTICAST";
        case Command::ask_multicast_guaranteed: return "ASK4MULTICASTGUARANTEED";
        case Command::add_shortcut_to_group: return "ADDSHORTCUTTOGROUP";
        case Command::delete_group_from_group: return "DELETEGROUPFROMGROUP";
        case Command::super_enum_players_reply: return "SUPERENUMPLAYERSREPLY";
        case Command::key_exchange: return "KEYEXCHANGE";
        case Command::key_exchange_reply: return "KEYEXCHANGEREPLY";
        case Command::chat: return "CHAT";
        case Command::add_forward: return "ADDFORWARD";
        case Command::add_forward_ack: return "ADDFORWARDACK";
        case Command::packet2_data: return "PACKET2_DATA";
        case Command::packet2_ack: return "PACKET2_ACK";
        case Command::i_am_name_server: return "IAMNAMESERVER";
        case Command::voice: return "VOICE";
        case Command::multicast_delivery: return "MULTICASTDELIVERY";
        case Command::create_player_verify: return "CREATEPLAYERVERIFY";
    }
    return "UNKNOWN";
}

}  // namespace iron::dpcompat
