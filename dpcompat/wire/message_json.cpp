#include "dpcompat/wire/message_json.hpp"

#include <cstdio>

#include <nlohmann/json.hpp>

#include "shared/base/hash.hpp"

namespace iron::dpcompat {

using Json = nlohmann::ordered_json;

std::string id_text(DpId id) {
    char text[12];
    std::snprintf(text, sizeof text, "0x%08x", id);
    return text;
}

namespace {

void put(Json& j, const char* key, const std::optional<Text16>& text) {
    if (text) j[key] = to_utf8(*text);
}

Json address(const SockAddr& a) { return to_string(a.endpoint); }
Json sockets(const SpData& d) { return {{"tcp", address(d.tcp)}, {"udp", address(d.udp)}}; }
Json ids(const std::vector<DpId>& list) {
    Json out = Json::array();
    for (DpId id : list) out.push_back(id_text(id));
    return out;
}

Json player(const PackedPlayer& p) {
    Json j = {{"flags", p.flags}, {"id", id_text(p.id)}, {"owner", id_text(p.system_id)}, {"version", p.version}};
    put(j, "short_name", p.short_name);
    put(j, "long_name", p.long_name);
    if (p.sp_data) j["sockets"] = sockets(*p.sp_data);
    if (!p.data.empty()) j["data"] = to_hex(p.data);
    if (!p.ids.empty()) j["ids"] = ids(p.ids);
    return j;
}

Json player(const SuperPackedPlayer& p) {
    Json j = {{"flags", p.flags}, {"id", id_text(p.id)}};
    if (p.flags & player_flag::kSystem)
        j["version"] = p.version_or_system;
    else
        j["owner"] = id_text(p.version_or_system);
    put(j, "short_name", p.short_name);
    put(j, "long_name", p.long_name);
    if (!p.data.empty()) j["data"] = to_hex(p.data);
    if (p.sp_data) j["sockets"] = sockets(*p.sp_data);
    if (!p.ids.empty()) j["ids"] = ids(p.ids);
    if (p.parent) j["parent"] = id_text(*p.parent);
    if (!p.shortcuts.empty()) j["shortcuts"] = ids(p.shortcuts);
    return j;
}

template <class List>
Json players(const List& list) {
    Json out = Json::array();
    for (const auto& p : list) out.push_back(player(p));
    return out;
}

void fill(Json& j, const UnknownBody& b) { j["bytes"] = to_hex(b.bytes); }
void fill(Json&, const EmptyBody&) {}
void fill(Json& j, const EnumSessionsReplyBody& b) {
    j["session"] = to_json(b.desc);
    put(j, "name", b.name);
}
void fill(Json& j, const EnumSessionsBody& b) {
    j["application"] = to_string(b.application);
    j["flags"] = b.flags;
    put(j, "password", b.password);
}
template <class B>
void fill_table(Json& j, const B& b) {
    j["session"] = to_json(b.desc);
    put(j, "name", b.name);
    put(j, "password", b.password);
    j["players"] = players(b.players);
    j["groups"] = players(b.groups);
}
void fill(Json& j, const EnumPlayersReplyBody& b) { fill_table(j, b); }
void fill(Json& j, const SuperEnumReplyBody& b) {
    fill_table(j, b);
    if (!b.shortcuts.empty()) j["shortcuts"] = players(b.shortcuts);
}
void fill(Json& j, const RequestIdBody& b) { j["flags"] = b.flags; }
void fill(Json& j, const RequestReplyBody& b) {
    j["id"] = id_text(b.id);
    j["result"] = result_name(b.result);
}
template <class B>
void fill_create(Json& j, const B& b) {
    j["id"] = id_text(b.id);
    j["player"] = player(b.player);
    put(j, "password", b.password);
}
void fill(Json& j, const CreateBody& b) { fill_create(j, b); }
void fill(Json& j, const AddForwardBody& b) { fill_create(j, b); }
void fill(Json& j, const AddForwardRequestBody& b) {
    fill_create(j, b);
    j["key"] = id_text(b.key);
}
void fill(Json& j, const MembershipBody& b) {
    j["player"] = id_text(b.player);
    j["group"] = id_text(b.group);
}
void fill(Json& j, const DataChangedBody& b) {
    j["id"] = id_text(b.id);
    j["data"] = to_hex(b.data);
}
void fill(Json& j, const NameChangedBody& b) {
    j["id"] = id_text(b.id);
    put(j, "short_name", b.short_name);
    put(j, "long_name", b.long_name);
}
void fill(Json& j, const PacketBody& b) {
    j["message"] = to_string(b.message);
    j["index"] = b.index;
    j["of"] = b.total;
    j["offset"] = b.offset;
    j["whole_bytes"] = b.whole_bytes;
    j["piece_bytes"] = b.piece.size();
}
void fill(Json& j, const PacketAckBody& b) {
    j["message"] = to_string(b.message);
    j["index"] = b.index;
}
void fill(Json& j, const PingBody& b) {
    j["id"] = id_text(b.id);
    j["tick_ms"] = b.tick_ms;
}
void fill(Json& j, const WrapperBody& b) { j["inner"] = to_hex(b.inner); }
void fill(Json& j, const SessionDescChangedBody& b) {
    j["session"] = to_json(b.desc);
    put(j, "name", b.name);
    put(j, "password", b.password);
}
void fill(Json& j, const AuthTokenBody& b) {
    j["system_id"] = id_text(b.system_id);
    j["token_bytes"] = b.token.size();
}
void fill(Json& j, const AccessGrantedBody& b) { j["key_bytes"] = b.key.size(); }
void fill(Json& j, const ResultBody& b) { j["result"] = result_name(b.result); }
void fill(Json& j, const KeyExchangeBody& b) {
    j["session_key_bytes"] = b.session_key.size();
    j["public_key_bytes"] = b.public_key.size();
}
void fill(Json& j, const SignedBody& b) {
    j["system_id"] = id_text(b.system_id);
    j["flags"] = b.flags;
    j["message_bytes"] = b.message.size();
}
void fill(Json& j, const MulticastBody& b) {
    j["group"] = id_text(b.group);
    j["from"] = id_text(b.from);
    j["message"] = to_hex(b.message);
}
void fill(Json& j, const ChatBody& b) {
    j["from"] = id_text(b.from);
    j["to"] = id_text(b.to);
    j["flags"] = b.flags;
    put(j, "text", b.text);
}
void fill(Json& j, const AddForwardAckBody& b) { j["id"] = id_text(b.id); }
void fill(Json& j, const NameServerBody& b) {
    j["to"] = id_text(b.to);
    j["system_id"] = id_text(b.system_id);
    j["flags"] = b.flags;
    if (b.sp_data) j["sockets"] = sockets(*b.sp_data);
}
void fill(Json& j, const VoiceBody& b) {
    j["from"] = id_text(b.from);
    j["to"] = id_text(b.to);
    j["bytes"] = b.packet.size();
}

std::string code_text(std::uint16_t command) {
    char text[12];
    std::snprintf(text, sizeof text, "0x%02x", command);
    return text;
}

std::string quoted(const std::optional<Text16>& text) { return text ? " '" + to_utf8(*text) + "'" : ""; }

std::string details(const Body& body) {
    if (const auto* b = std::get_if<EnumSessionsReplyBody>(&body))
        return quoted(b->name) + " " + std::to_string(b->desc.current_players) + "/" + std::to_string(b->desc.max_players) + " players";
    if (const auto* b = std::get_if<RequestIdBody>(&body)) return " flags " + std::to_string(b->flags);
    if (const auto* b = std::get_if<RequestReplyBody>(&body)) return " " + id_text(b->id) + " " + result_name(b->result);
    if (const auto* b = std::get_if<CreateBody>(&body)) return " " + id_text(b->id) + quoted(b->player.short_name);
    if (const auto* b = std::get_if<AddForwardBody>(&body)) return " " + id_text(b->id);
    if (const auto* b = std::get_if<AddForwardRequestBody>(&body)) return " " + id_text(b->id) + (b->password && !b->password->empty() ? " with a password" : "");
    if (const auto* b = std::get_if<AddForwardAckBody>(&body)) return " " + id_text(b->id);
    if (const auto* b = std::get_if<MembershipBody>(&body)) return " " + id_text(b->player) + (b->group ? " group " + id_text(b->group) : "");
    if (const auto* b = std::get_if<DataChangedBody>(&body)) return " " + id_text(b->id) + " " + std::to_string(b->data.size()) + " bytes";
    if (const auto* b = std::get_if<NameChangedBody>(&body)) return " " + id_text(b->id) + quoted(b->short_name);
    if (const auto* b = std::get_if<PacketBody>(&body))
        return " piece " + std::to_string(b->index + 1ull) + " of " + std::to_string(b->total) + ", " + std::to_string(b->piece.size()) + " of " +
               std::to_string(b->whole_bytes) + " bytes";
    if (const auto* b = std::get_if<PingBody>(&body)) return " " + id_text(b->id) + " tick " + std::to_string(b->tick_ms);
    if (const auto* b = std::get_if<SuperEnumReplyBody>(&body))
        return quoted(b->name) + " " + std::to_string(b->players.size()) + " players, " + std::to_string(b->groups.size()) + " groups";
    if (const auto* b = std::get_if<EnumPlayersReplyBody>(&body))
        return quoted(b->name) + " " + std::to_string(b->players.size()) + " players, " + std::to_string(b->groups.size()) + " groups";
    if (const auto* b = std::get_if<SessionDescChangedBody>(&body))
        return quoted(b->name) + " " + std::to_string(b->desc.current_players) + "/" + std::to_string(b->desc.max_players) + " players";
    if (const auto* b = std::get_if<ResultBody>(&body)) return " " + result_name(b->result);
    if (const auto* b = std::get_if<ChatBody>(&body)) return " " + id_text(b->from) + " to " + id_text(b->to) + quoted(b->text);
    if (const auto* b = std::get_if<NameServerBody>(&body)) return " " + id_text(b->system_id);
    if (const auto* b = std::get_if<UnknownBody>(&body)) return " " + std::to_string(b->bytes.size()) + " bytes";
    return "";
}

}  // namespace

Json to_json(const SessionDesc& d) {
    return {{"instance", to_string(d.instance)},
            {"application", to_string(d.application)},
            {"flags", d.flags},
            {"max_players", d.max_players},
            {"current_players", d.current_players},
            {"key", id_text(d.key)},
            {"reserved2", d.reserved2},
            {"user", d.user}};
}

Json to_json(const Message& m) {
    Json j = {{"command", code_text(m.command)}, {"name", command_name(m.command)}, {"version", m.version}};
    std::visit([&](const auto& b) { fill(j, b); }, m.body);
    if (!m.trailing.empty()) j["trailing"] = to_hex(m.trailing);
    if (!m.irregular.empty()) j["irregular_layout"] = true;
    return j;
}

Json to_json(const PlayerMessage& m) {
    return {{"from", id_text(m.from)}, {"to", id_text(m.to)}, {"bytes", m.data.size()}, {"payload", to_hex(m.data)}};
}

std::string summary(const Message& m) {
    std::string out(command_name(m.command));
    if (out == "UNKNOWN") out += " " + code_text(m.command);
    return out + details(m.body);
}

}  // namespace iron::dpcompat
