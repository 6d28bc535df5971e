// Client view = server ring entry, bit for bit, whatever the network does (net-messages.md 12).
#include <catch2/catch.hpp>

#include <deque>
#include <map>
#include <set>

#include "protocol/state_stream.hpp"
#include "protocol/view_ring.hpp"
#include "shared/base/rng.hpp"

using namespace iron;
using namespace iron::protocol;

namespace {

QuantisedState random_state(Rng& rng) {
    QuantisedState s;
    s.x = static_cast<std::int32_t>(rng.below(320000)), s.y = static_cast<std::int32_t>(rng.below(320000));
    s.z = static_cast<std::int32_t>(rng.below(3200));
    s.yaw = static_cast<std::uint16_t>(rng.below(1024)), s.life = static_cast<std::uint16_t>(rng.below(1024));
    s.flags = static_cast<std::uint16_t>(rng.below(1 << 14));
    s.pitch = static_cast<std::uint8_t>(rng.below(256));
    return s;
}

void random_step(Rng& rng, QuantisedState& s) {
    if (rng.below(8) == 0) s.vx = static_cast<std::int32_t>(rng.below(1000)) - 500;
    if (rng.below(8) == 0) s.vy = static_cast<std::int32_t>(rng.below(1000)) - 500;
    if (rng.below(16) == 0) s.vz = static_cast<std::int32_t>(rng.below(100)) - 50;
    s.x += s.vx * 40 / 1000, s.y += s.vy * 40 / 1000, s.z += s.vz * 40 / 1000;
    if (rng.below(4) == 0) s.yaw = static_cast<std::uint16_t>((s.yaw + rng.below(64)) & 1023);
    if (rng.below(6) == 0) s.turret_yaw = static_cast<std::uint8_t>(rng.below(256));
    if (rng.below(20) == 0) s.life = static_cast<std::uint16_t>(rng.below(1024));
    if (rng.below(20) == 0) s.flags = static_cast<std::uint16_t>(rng.below(1 << 14));
    if (rng.below(20) == 0) s.behaviour = static_cast<std::uint8_t>(rng.below(12));
    if (rng.below(20) == 0) s.energy = static_cast<std::uint8_t>(rng.below(64));
    if (rng.below(20) == 0) s.target = rng.below(2) ? 0 : rng.next();
    if (rng.below(20) == 0) s.strafe = static_cast<std::uint16_t>(rng.below(1024));
    if (rng.below(10) == 0) s.roll = static_cast<std::uint8_t>(rng.below(256));
    s.phase = static_cast<std::uint8_t>(rng.below(256));
}

struct Object {
    std::uint64_t incarnation = 0;
    bool first = true;
    bool shown = false;
    bool ever_shown = false;
    QuantisedState start, now;
};

struct StateDatagram {
    std::uint64_t arrives = 0;
    std::uint64_t tick = 0, base = 0;
    std::uint32_t sequence = 0;
    Bytes data;
};

/// MirrorCreate or MirrorHide on the reliable channel.
struct ReliableEvent {
    std::uint64_t arrives = 0;
    std::uint32_t id = 0;
    bool create = false;
    std::uint64_t tick = 0;
    QuantisedState start;
};

struct Acknowledgement {
    std::uint64_t arrives = 0;
    std::uint64_t newest = 0;
};

bool same(const ViewEntry& a, const ViewEntry& b) {
    return a.state == b.state && a.anchor_x == b.anchor_x && a.anchor_y == b.anchor_y && a.anchor_z == b.anchor_z &&
           a.motion_tick == b.motion_tick && a.height_tick == b.height_tick && a.sent_tick == b.sent_tick;
}

struct Client {
    std::map<std::uint32_t, MirrorStart> live;
    std::set<std::uint32_t> removed;
    ViewRing ring;

    void apply(const ReliableEvent& e) {
        if (e.create) {
            live[e.id] = {e.id, e.tick, e.start};
            removed.erase(e.id);
        } else {
            live.erase(e.id);
            removed.insert(e.id);
        }
    }
};

}  // namespace

TEST_CASE("10000 packets with loss, reordering, hiding and creation keep both sides equal bit for bit") {
    Rng rng(20011101, 7);
    std::map<std::uint32_t, Object> objects;
    for (std::uint32_t n = 0; n < 40; ++n) {
        Object o;
        o.now = random_state(rng);
        objects[0x00014001 + n * 3] = o;
    }
    Client client;
    ViewRing server_ring;
    std::deque<ReliableEvent> reliable;
    std::vector<StateDatagram> datagrams;
    std::vector<Acknowledgement> acknowledgements;
    std::map<std::uint64_t, View> all_server_views;  // the test's own memory, beyond the ring
    std::map<std::pair<std::uint32_t, std::uint64_t>, bool> first_incarnation;
    std::uint64_t reliable_free_at = 0;
    std::uint32_t accepted = 0, dropped = 0, compared = 0, recreated_compared = 0;

    for (std::uint32_t packet = 1; packet <= 10000; ++packet) {
        const std::uint64_t tick = packet * 2;
        for (auto& [id, o] : objects) {
            random_step(rng, o.now);
            const bool toggle = o.shown ? rng.below(300) == 0 : rng.below(60) == 0;
            if (!toggle) continue;
            o.shown = !o.shown;
            ReliableEvent e{0, id, o.shown, tick, {}};
            if (o.shown) {
                o.first = !o.ever_shown;
                o.ever_shown = true;
                o.incarnation = tick;
                first_incarnation[{id, tick}] = o.first;
                o.start = o.now;
                o.start.vx = o.start.vy = o.start.vz = 0;
                e.start = o.start;
            }
            // In order, up to 20 packets late.
            reliable_free_at = std::max(reliable_free_at, tick + rng.below(40));
            e.arrives = reliable_free_at;
            reliable.push_back(e);
        }
        std::vector<StateSource> sources;
        for (const auto& [id, o] : objects) {
            if (!o.shown) continue;
            StateSource s;
            s.id = id;
            s.incarnation = o.incarnation;
            s.first_incarnation = o.first;
            s.on_terrain = id % 2 == 0;
            s.own_driven = id == 0x00014001;
            s.teleported = rng.below(200) == 0;
            s.phase_jump = rng.below(30) == 0;
            s.due = rng.below(5) != 0;
            s.start = o.start;
            s.now = o.now;
            sources.push_back(s);
        }
        const View* base = server_ring.base();
        auto out = encode_state(base, sources, {tick, packet, 20, 60 + rng.below(300)});
        if (rng.below(5) != 0)
            datagrams.push_back({tick + rng.below(12), tick, base ? base->tick : 0, packet, out.data});
        all_server_views[tick] = out.view;
        server_ring.push(std::move(out.view));

        while (!reliable.empty() && reliable.front().arrives <= tick) {
            client.apply(reliable.front());
            reliable.pop_front();
        }
        for (std::size_t i = 0; i < datagrams.size();) {
            if (datagrams[i].arrives > tick) {
                ++i;
                continue;
            }
            const StateDatagram d = std::move(datagrams[i]);
            datagrams.erase(datagrams.begin() + static_cast<std::ptrdiff_t>(i));
            const View* client_base = d.base ? client.ring.find(d.base) : nullptr;
            if (d.base && !client_base) {
                ++dropped;
                continue;
            }
            std::vector<MirrorStart> live;
            for (const auto& [id, mirror] : client.live) live.push_back(mirror);
            auto in = decode_state(d.data, client_base, live, [&](std::uint32_t id) { return client.removed.contains(id); },
                                   {d.tick, d.sequence, 20});
            if (!in) {
                REQUIRE(in.error().code() == "unknown_mirror");
                ++dropped;
                continue;
            }
            ++accepted;
            for (const ViewEntry& theirs : all_server_views.at(d.tick).entries) {
                const ViewEntry* ours = in->view.find(theirs.id);
                const auto mirror = client.live.find(theirs.id);
                // Not known yet, or the client has already heard of a later mirror with the id.
                if (!ours || (mirror != client.live.end() && mirror->second.incarnation > theirs.incarnation)) continue;
                if (!same(*ours, theirs)) FAIL("object " << theirs.id << " differs at tick " << d.tick);
                ++compared;
                if (!first_incarnation.at({theirs.id, theirs.incarnation})) ++recreated_compared;
            }
            client.ring.push(std::move(in->view));
            if (rng.below(5) != 0) acknowledgements.push_back({tick + rng.below(10), client.ring.acknowledgement().newest_tick});
        }
        for (std::size_t i = 0; i < acknowledgements.size();) {
            if (acknowledgements[i].arrives > tick) {
                ++i;
                continue;
            }
            server_ring.acknowledge(acknowledgements[i].newest);
            acknowledgements.erase(acknowledgements.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    // The test must have tested something: 80 % arrive, most are accepted, created-again objects are among them.
    CHECK(accepted > 5000);
    CHECK(dropped > 0);
    CHECK(compared > 50000);
    CHECK(recreated_compared > 5000);
}

TEST_CASE("random bytes never give a view with fields out of range") {
    Rng rng(5, 5);
    std::vector<MirrorStart> live;
    for (std::uint32_t id = 1; id < 40; ++id) live.push_back({id, 0, random_state(rng)});
    std::uint32_t good = 0;
    for (int round = 0; round < 20000; ++round) {
        Bytes data = {1};
        const std::uint32_t n = rng.below(24);
        for (std::uint32_t i = 0; i < n; ++i) data.push_back(static_cast<std::uint8_t>(rng.below(4) ? rng.below(40) : rng.below(256)));
        const auto in = decode_state(data, nullptr, live, [](std::uint32_t) { return false; }, {10, 1, 20});
        if (!in) continue;
        ++good;
        for (const auto& e : in->view.entries) {
            REQUIRE(e.state.yaw < 1024);
            REQUIRE(e.state.life <= 1023);
            REQUIRE(e.state.energy <= 63);
            REQUIRE(std::abs(e.state.x) <= kMaxStatePlace);
        }
    }
    CHECK(good > 100);
}
