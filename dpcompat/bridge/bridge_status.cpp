#include <cstdio>

#include <nlohmann/json.hpp>

#include "dpcompat/bridge/bridge_impl.hpp"
#include "dpcompat/bridge/evidence.hpp"

namespace iron::dpcompat {
namespace {

using Json = nlohmann::ordered_json;

std::string command_text(std::uint16_t command) {
    char code[16];
    std::snprintf(code, sizeof code, "0x%02x ", command);
    return code + std::string(command_name(command));
}

}  // namespace

std::string Bridge::Impl::status() const {
    std::map<std::uint16_t, std::uint64_t> received = past_received, sent = past_sent;
    std::map<std::string, std::uint64_t> rejected = past_rejected;
    for (const auto& [reason, count] : rejected_requests) rejected[reason] += count;
    Json sessions = Json::array();
    for (const auto& seat : seats) {
        const SessionPeer& peer = *seat->peer;
        for (const auto& [command, count] : peer.counters().received) received[command] += count;
        for (const auto& [command, count] : peer.counters().sent) sent[command] += count;
        for (const auto& [reason, count] : peer.counters().rejected) rejected[reason] += count;
        Json machines = Json::array();
        for (const auto& [id, m] : peer.directory().machines()) {
            Json machine = {{"dialect", m.version}};
            if (m.round_trip_ms) machine["round_trip_ms"] = *m.round_trip_ms;
            machines.push_back(machine);
        }
        sessions.push_back({{"number", seat->number},
                            {"state", seat->taken() ? "taken" : "waiting"},
                            {"instance", to_string(peer.desc().instance)},
                            {"tcp_port", seat->transport->tcp_port()},
                            {"udp_port", seat->transport->udp_port()},
                            {"originals", machines},
                            {"data_in", peer.counters().data_in},
                            {"data_out", peer.counters().data_out}});
    }
    Json people = Json::array();
    for (const auto& [id, p] : players)
        people.push_back({{"name", to_utf8(p.short_name)}, {"kind", p.seat != 0 ? "original" : p.number != 0 ? "server" : "bridge"}});
    // Every message that was spoken, with how well it is known. None is proven with the game itself.
    Json messages = Json::object();
    for (const auto* list : {&received, &sent})
        for (const auto& [command, count] : *list)
            messages[command_text(command)] = {{"received", received.contains(command) ? received.at(command) : 0},
                                               {"sent", sent.contains(command) ? sent.at(command) : 0},
                                               {"evidence", evidence_text(evidence_of(command))},
                                               {"proven_with_the_game", false}};
    Json unknown = Json::object();
    for (const auto& [command, count] : counters.unknown_by_command) unknown[command_text(command)] = count;
    Json out = {{"mode", settings.mode == BridgeMode::translate ? "translate" : "native"},
                {"verified", kVerification},
                {"uptime_ms", net.now_ms() - started_ms},
                {"enum_port", enumeration ? enumeration->port() : 0},
                {"sessions", sessions},
                {"players", people},
                {"payloads",
                 {{"received", counters.payloads},
                  {"bytes", counters.payload_bytes},
                  {"carried", counters.carried},
                  {"for_the_bridge", counters.for_bridge},
                  {"undeliverable", counters.undeliverable}}},
                {"chat", counters.chat},
                {"unknown_commands", unknown},
                {"rejected", rejected},
                {"messages", messages},
                {"netzip", {{"profile", profile.name}, {"entries", Json::array()}}},
                {"recording", {{"on", recorder.on()}, {"messages", recorder.messages()}}}};
    for (const ProfileEntry& e : profile.entries)
        out["netzip"]["entries"].push_back({{"pipeline", e.pipeline.id()}, {"status", profile_status_name(e.status)}});
    if (recorder.failure()) out["recording"]["failure"] = recorder.failure()->to_string();
    if (translator) {
        const TranslationCounters& t = translator->counters();
        out["translation"] = {{"map", translator->map().name},
                              {"synthetic_map", translator->map().synthetic},
                              {"messages_in_map", translator->map().messages.size()},
                              {"connected", translator->connected()},
                              {"to_server", t.translated_to_server},
                              {"to_originals", t.translated_to_originals},
                              {"opaque", t.opaque},
                              {"unpack_failed", t.unpack_failed},
                              {"map_mismatch", t.map_mismatch},
                              {"not_accepted", t.not_accepted},
                              {"not_expressible", t.not_expressible},
                              {"by_name", t.by_name}};
    }
    return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace iron::dpcompat
