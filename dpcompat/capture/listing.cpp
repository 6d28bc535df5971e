#include "dpcompat/capture/listing.hpp"

#include <cstdio>

#include <nlohmann/json.hpp>

#include "dpcompat/wire/message_json.hpp"
#include "shared/base/hash.hpp"

namespace iron::dpcompat {
namespace {

using Json = nlohmann::ordered_json;

std::string seconds(std::uint64_t us) {
    char text[32];
    std::snprintf(text, sizeof text, "%10.6f", static_cast<double>(us) / 1e6);
    return text;
}

std::string name_of(const SessionCapture& capture, std::uint32_t session, DpId id) {
    if (id == kIdAll) return "all";
    if (session != 0) {
        const auto& players = capture.sessions[session - 1].players;
        if (const auto found = players.find(id); found != players.end() && !found->second.short_name.empty())
            return id_text(id) + " '" + to_utf8(found->second.short_name) + "'";
    }
    return id_text(id);
}

std::string player_text(const SessionCapture& capture, std::uint32_t session, const PlayerMessage& m, bool payload) {
    std::string out = "data " + name_of(capture, session, m.from) + " to " + name_of(capture, session, m.to) + ", " +
                      std::to_string(m.data.size()) + " bytes opaque";
    if (payload) out += " " + to_hex(m.data);
    return out;
}

std::string content_text(const SessionCapture& capture, std::uint32_t session, const Content& c, bool payload) {
    if (const auto* m = std::get_if<Message>(&c)) return summary(*m);
    return player_text(capture, session, std::get<PlayerMessage>(c), payload);
}

std::string frame_text(const ReliableFrame& f) {
    std::string out = f.is_nack() ? "NACK" : f.is_ack() ? "ACK" : "DATA";
    return out + " " + std::to_string(f.from) + " to " + std::to_string(f.to) + ", message " + std::to_string(f.message) + ", sequence " +
           std::to_string(f.sequence) + (f.is_ack() ? "" : ", " + std::to_string(f.payload.size()) + " bytes");
}

Json content_json(const Content& c) {
    if (const auto* m = std::get_if<Message>(&c)) return to_json(*m);
    return to_json(std::get<PlayerMessage>(c));
}

Json session_json(const CapturedSession& s) {
    Json players = Json::array(), machines = Json::array(), commands = Json::object();
    for (const auto& [id, p] : s.players)
        players.push_back({{"id", id_text(id)},
                           {"kind", p.group ? "group" : p.host ? "host system" : p.system ? "system" : "player"},
                           {"owner", id_text(p.system_id)},
                           {"short_name", to_utf8(p.short_name)},
                           {"long_name", to_utf8(p.long_name)},
                           {"left", p.left}});
    for (const Machine& m : s.machines) machines.push_back(to_string(m));
    for (const auto& [command, count] : s.commands) {
        char code[16];
        std::snprintf(code, sizeof code, "0x%02x ", command);
        commands[code + std::string(command_name(command))] = count;
    }
    return {{"number", s.number},
            {"instance", to_string(s.instance)},
            {"application", to_string(s.application)},
            {"game", s.application == kGameGuid},
            {"name", to_utf8(s.name)},
            {"flags", s.flags},
            {"key", id_text(s.key)},
            {"max_players", s.max_players},
            {"user", s.user},
            {"host", to_string(s.host)},
            {"machines", machines},
            {"players", players},
            {"first_us", s.first_us},
            {"last_us", s.last_us},
            {"records", s.records},
            {"commands", commands},
            {"opaque", {{"guaranteed", s.guaranteed}, {"guaranteed_bytes", s.guaranteed_bytes}, {"datagrams", s.datagrams},
                        {"datagram_bytes", s.datagram_bytes}}},
            {"unknown_commands", s.unknown_commands},
            {"unreadable", s.unreadable}};
}

std::string flag_names(std::uint32_t flags) {
    static constexpr std::pair<std::uint32_t, const char*> kNames[] = {
        {session_flag::kNewPlayersDisabled, "NEWPLAYERSDISABLED"}, {session_flag::kMigrateHost, "MIGRATEHOST"},
        {session_flag::kNoMessageId, "NOMESSAGEID"}, {session_flag::kJoinDisabled, "JOINDISABLED"},
        {session_flag::kKeepAlive, "KEEPALIVE"}, {session_flag::kNoDataMessages, "NODATAMESSAGES"},
        {session_flag::kSecureServer, "SECURESERVER"}, {session_flag::kPrivate, "PRIVATE"},
        {session_flag::kPasswordRequired, "PASSWORDREQUIRED"}, {session_flag::kMulticastServer, "MULTICASTSERVER"},
        {session_flag::kClientServer, "CLIENTSERVER"}, {session_flag::kDirectPlayProtocol, "DIRECTPLAYPROTOCOL"},
        {session_flag::kNoPreserveOrder, "NOPRESERVEORDER"}, {session_flag::kOptimizeLatency, "OPTIMIZELATENCY"},
        {session_flag::kAcquireVoice, "ACQUIREVOICE"}, {session_flag::kNoSessionDescMessages, "NOSESSIONDESCMESSAGES"}};
    std::string out;
    for (const auto& [bit, name] : kNames)
        if (flags & bit) out += (out.empty() ? "" : " ") + std::string(name);
    return out.empty() ? "none" : out;
}

}  // namespace

std::string printable(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
    return text;
}

std::string list_capture(const SessionCapture& capture, const ListingOptions& options) {
    std::string out;
    const auto line = [&](const std::string& text) { out += printable(text) + "\n"; };
    for (const CapturedSession& s : capture.sessions) {
        line("session " + std::to_string(s.number) + " '" + to_utf8(s.name) + "' " + to_string(s.instance) +
             (s.application == kGameGuid ? "" : ", application " + to_string(s.application)));
        line("  host " + to_string(s.host) + ", at most " + std::to_string(s.max_players) + " players, flags " + flag_names(s.flags));
        char user[64];
        std::snprintf(user, sizeof user, "  user values %08x %08x %08x %08x", s.user[0], s.user[1], s.user[2], s.user[3]);
        line(user);
        for (const auto& [id, p] : s.players)
            line("  " + std::string(p.group ? "group  " : p.host ? "host   " : p.system ? "machine" : "player ") + " " + id_text(id) +
                 (p.short_name.empty() ? "" : " '" + to_utf8(p.short_name) + "'") + (p.left ? " (left)" : ""));
        line("  " + std::to_string(s.records) + " records; opaque payloads: " + std::to_string(s.guaranteed) + " guaranteed (" +
             std::to_string(s.guaranteed_bytes) + " bytes), " + std::to_string(s.datagrams) + " datagrams (" +
             std::to_string(s.datagram_bytes) + " bytes); " + std::to_string(s.unknown_commands) + " unknown commands, " +
             std::to_string(s.unreadable) + " unreadable");
    }
    if (capture.sessions.empty()) line("no DirectPlay session");
    if (options.records) {
        const std::uint64_t start = capture.records.empty() ? 0 : capture.records.front().time_us;
        for (const CaptureRecord& r : capture.records) {
            std::string text = seconds(r.time_us - start) + " " + std::to_string(r.session) + " " + (r.udp ? "UDP " : "TCP ") +
                               to_string(r.from) + " > " + to_string(r.to) + " ";
            if (r.lost_before != 0) text += "[" + std::to_string(r.lost_before) + " bytes lost] ";
            if (r.content)
                text += content_text(capture, r.session, *r.content, options.payloads);
            else if (r.frame)
                text += frame_text(*r.frame);
            else
                text += std::string(record_kind_name(r.kind)) + " " + std::to_string(r.raw.size()) + " bytes" +
                        (r.error.empty() ? "" : " [" + r.error + "]");
            for (const Content& c : r.assembled) text += " = " + content_text(capture, r.session, c, options.payloads);
            line(text);
        }
    }
    const PacketStats& p = capture.packets;
    line(std::to_string(p.frames) + " frames, " + std::to_string(p.tcp) + " TCP, " + std::to_string(p.udp) + " UDP, " +
         std::to_string(p.other + p.unknown_link) + " other, " + std::to_string(p.damaged) + " damaged, " + std::to_string(p.cut) + " cut; " +
         std::to_string(capture.foreign_udp) + " datagrams and " + std::to_string(capture.foreign_streams) + " TCP directions are not DirectPlay");
    if (p.ip_fragments != 0)
        line(std::to_string(p.ip_fragments) + " IP fragments, " + std::to_string(p.ip_reassembled) + " packets put together, " +
             std::to_string(p.ip_lost) + " lost");
    if (capture.tcp.retransmitted_bytes + capture.tcp.lost_bytes != 0)
        line("TCP: " + std::to_string(capture.tcp.retransmitted_bytes) + " bytes repeated (" + std::to_string(capture.tcp.conflicting_bytes) +
             " of them differ), " + std::to_string(capture.tcp.lost_bytes) + " bytes lost in " + std::to_string(capture.tcp.gaps) + " gaps");
    if (capture.torn) line("the file ends inside a frame");
    return out;
}

Json capture_json(const SessionCapture& capture, bool records) {
    Json out;
    out["sessions"] = Json::array();
    for (const CapturedSession& s : capture.sessions) out["sessions"].push_back(session_json(s));
    if (records) {
        out["records"] = Json::array();
        for (const CaptureRecord& r : capture.records) {
            Json j = {{"time_us", r.time_us}, {"session", r.session}, {"transport", r.udp ? "udp" : "tcp"}, {"from", to_string(r.from)},
                      {"to", to_string(r.to)}, {"kind", record_kind_name(r.kind)}};
            if (r.connection != 0) j["connection"] = r.connection;
            if (r.lost_before != 0) j["lost_before"] = r.lost_before;
            if (r.content) j["content"] = content_json(*r.content);
            if (r.frame) j["frame"] = frame_text(*r.frame);
            for (const Content& c : r.assembled) j["assembled"].push_back(content_json(c));
            if (!r.error.empty()) j["error"] = r.error;
            j["raw"] = to_hex(r.raw);
            out["records"].push_back(std::move(j));
        }
    }
    const PacketStats& p = capture.packets;
    out["totals"] = {{"frames", p.frames},
                     {"tcp", p.tcp},
                     {"udp", p.udp},
                     {"other", p.other},
                     {"unknown_link", p.unknown_link},
                     {"damaged", p.damaged},
                     {"cut", p.cut},
                     {"ip_fragments", p.ip_fragments},
                     {"ip_reassembled", p.ip_reassembled},
                     {"ip_lost", p.ip_lost},
                     {"foreign_udp", capture.foreign_udp},
                     {"foreign_streams", capture.foreign_streams},
                     {"tcp_retransmitted_bytes", capture.tcp.retransmitted_bytes},
                     {"tcp_conflicting_bytes", capture.tcp.conflicting_bytes},
                     {"tcp_lost_bytes", capture.tcp.lost_bytes},
                     {"tcp_gaps", capture.tcp.gaps},
                     {"torn", capture.torn}};
    return out;
}

}  // namespace iron::dpcompat
