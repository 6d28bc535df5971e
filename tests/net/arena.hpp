// A server and its clients in one process, over real ENet on 127.0.0.1. Server time is virtual: one
// pump is 20 ms, so a test runs as fast as the packets travel. Nothing sleeps; waiting has a deadline.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "client/net/client_session.hpp"
#include "server/net/server_loop.hpp"
#include "shared/mission/manifest_bytes.hpp"
#include "tests/net/toy_world.hpp"

namespace iron::test {

using client::net::ClientSession;
using client::net::SessionEvent;
using client::net::SessionEventKind;
using client::net::SessionPhase;

inline mission::ContentManifest toy_manifest() {
    mission::ContentManifest manifest;
    manifest.files.push_back({"behavior.ini", 10, sha256(as_bytes("behaviour"))});
    manifest.files.push_back({"objects.rlb", 20, sha256(as_bytes("objects"))});
    return manifest;
}

/// Pumps until `condition` holds; false when 20 s of real time have passed.
template <class Pump>
bool pump_until(Pump&& pump, const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        pump();
    }
    return true;
}

struct ArenaOptions {
    net::RoomSettings room;
    net::HostSettings host;
    std::uint32_t units_per_clan = 3;
    std::unique_ptr<session::InputRecorder> recorder;
};

inline net::RoomSettings toy_room() {
    net::RoomSettings room;
    room.session.server_name = "toy server";
    room.session.mission_key = "missions/toy.01";
    room.session.content_list = mission::write_manifest(toy_manifest());
    room.session.fingerprint = mission::fingerprint(toy_manifest());
    room.session.rules = sha256(as_bytes("rules"));
    room.session.rules_text = {'{', '}'};
    room.session.match_seed = 7;
    room.session.match_id = 99;
    room.session.clans = {0, 1};
    room.session.start_with = 2;
    return room;
}

struct Arena {
    explicit Arena(ArenaOptions options = {toy_room(), {}, 3, nullptr}) {
        options.host.address = "127.0.0.1";
        options.host.handshakes_per_second = 1000;
        auto opened = net::EnetHost::open(options.host);
        if (!opened) throw std::runtime_error(opened.error().to_string());
        host = std::move(*opened);
        auto simulation = std::make_unique<ToyWorld>(options.units_per_clan);
        world = simulation.get();
        auto made = net::MatchRoom::create(std::move(simulation), std::move(options.recorder), *host, options.room);
        if (!made) throw std::runtime_error(made.error().to_string());
        room = std::move(*made);
        room->session().on_note = [this](const session::SessionNote& note) { notes.push_back(note.event + " " + note.detail); };
        loop = std::make_unique<net::ServerLoop>(*host);
        loop->add(*room);
    }

    client::net::ConnectSettings settings(const std::string& name) const {
        client::net::ConnectSettings s;
        s.port = host->port();
        s.player_name = name;
        s.manifest = toy_manifest();
        return s;
    }
    ClientSession& join(client::net::ConnectSettings s) {
        auto started = ClientSession::start(std::move(s));
        if (!started) throw std::runtime_error(started.error().to_string());
        clients.push_back(std::move(*started));
        return clients.back();
    }
    ClientSession& join(const std::string& name) { return join(settings(name)); }

    void pump() {
        if (!loop->receive(now_ms, 0) || !loop->simulate(now_ms)) broken = true;
        now_ms += 20;
        for (ClientSession& c : clients) c.pump(0);
    }
    bool until(const std::function<bool()>& condition) {
        return pump_until([this] { pump(); }, condition) && !broken;
    }
    bool ticks(std::uint64_t count) {
        const std::uint64_t goal = world->tick() + count;
        return until([&] { return world->tick() >= goal; });
    }
    /// Two players, "anna" (clan 0) and "boris" (clan 1), in a running match with all mirrors.
    bool start_two() {
        join("anna");
        if (!until([&] { return clients[0].phase() == SessionPhase::lobby && clients[0].clan() != 0xFF; })) return false;
        join("boris");
        return until([&] {
            return clients[0].phase() == SessionPhase::running && clients[1].phase() == SessionPhase::running &&
                   !clients[0].mirrors().all().empty() && !clients[1].mirrors().all().empty();
        });
    }

    std::unique_ptr<net::EnetHost> host;
    ToyWorld* world = nullptr;
    std::unique_ptr<net::MatchRoom> room;
    std::unique_ptr<net::ServerLoop> loop;
    std::deque<ClientSession> clients;
    std::vector<std::string> notes;
    std::uint64_t now_ms = 1000;
    bool broken = false;
};

/// The first event of that kind among all events seen so far; keeps what it took.
class EventLog {
public:
    explicit EventLog(ClientSession& session) : session_(session) {}
    const SessionEvent* find(SessionEventKind kind, const std::function<bool(const SessionEvent&)>& match = {}) {
        take();
        for (const SessionEvent& e : events_)
            if (e.kind == kind && (!match || match(e))) return &e;
        return nullptr;
    }
    std::size_t count(SessionEventKind kind) {
        take();
        std::size_t n = 0;
        for (const SessionEvent& e : events_) n += e.kind == kind ? 1 : 0;
        return n;
    }

private:
    void take() {
        for (SessionEvent& e : session_.take_events()) events_.push_back(std::move(e));
    }
    ClientSession& session_;
    std::deque<SessionEvent> events_;
};

inline client::net::CommandDraft move_order(world::ObjectId unit, float x, float y) {
    client::net::CommandDraft draft;
    draft.order = protocol::OrderCode::move;
    draft.subjects = {unit.raw};
    draft.at_x = static_cast<std::int32_t>(x * 256);
    draft.at_y = static_cast<std::int32_t>(y * 256);
    return draft;
}

}  // namespace iron::test
