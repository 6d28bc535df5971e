// A small deterministic simulation for tests of the session and network layers: units on a plane that
// move straight to a point, can be killed, captured and made. No rules of the game.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "server/session/simulation.hpp"

namespace iron::test {

class ToyWorld final : public session::Simulation {
public:
    static constexpr float kSpeed = 10.0f;  // wu/s
    static constexpr float kDt = 0.02f;

    /// `per_clan` units for each of two clans: clan c at x = 100 + 100 c, y = 100 + 10 i.
    explicit ToyWorld(std::uint32_t per_clan = 3) {
        for (std::uint32_t clan = 0; clan < 2; ++clan)
            for (std::uint32_t i = 0; i < per_clan; ++i)
                add(clan, {100.0f + 100.0f * static_cast<float>(clan), 100.0f + 10.0f * static_cast<float>(i), 0});
        publish({});
    }

    static world::ObjectId unit(std::uint32_t clan, std::uint32_t index) {
        return world::ObjectId::make(static_cast<world::PlayerNumber>(clan + 1), 4, index);
    }

    Status step(const world::InputFrame& input) override {
        if (input.tick != tick_ + 1) return fail("bad_tick", "wrong tick");
        std::vector<world::WorldEvent> events;
        bool resume = false, pause_after = false;
        for (const auto& s : input.session) {
            session_log += std::to_string(static_cast<int>(s.act)) + ":" + std::to_string(s.player) + " ";
            if (s.act == world::SessionAct::pause) pause_after = true, resume = false;
            if (s.act == world::SessionAct::resume) resume = true, pause_after = false;
        }
        if (paused_ && !resume) {
            for (const auto& c : input.commands) events.push_back(result(c, 10));
            publish(std::move(events));
            return {};
        }
        paused_ = pause_after;
        ++tick_;
        for (const auto& c : input.commands) execute(c, events);
        for (const auto& m : input.manual) manual_log += std::to_string(m.move_y) + " ";
        for (auto& [id, u] : units_) drive(u);
        publish(std::move(events));
        return {};
    }
    world::SnapshotPtr snapshot() const override { return snapshot_; }
    world::StateHash state_hash() const override {
        Sha256 hash;
        hash.put(tick_).put<std::uint32_t>(executed);
        for (const auto& [id, u] : units_)
            hash.put(id.raw).put(u.view.owner).put(u.view.position.x).put(u.view.position.y);
        world::StateHash out;
        out.total = hash.finish();
        return out;
    }
    world::Tick tick() const override { return tick_; }
    bool paused() const override { return paused_; }
    std::uint32_t scale_percent() const override { return 100; }

    std::uint32_t executed = 0;  ///< commands carried out
    std::string session_log;     ///< "act:player " in order
    std::string manual_log;      ///< move_y of every held input that entered

private:
    struct Unit {
        world::ObjectView view;
        Vec2 goal;
        bool moving = false;
    };

    void add(std::uint32_t clan, Vec3 at) {
        Unit u;
        std::uint32_t index = next_index_[clan]++;
        u.view.id = unit(clan, index);
        u.view.owner = static_cast<world::PlayerNumber>(clan + 1);
        u.view.clan = static_cast<std::uint8_t>(clan);
        u.view.position = at;
        u.view.life = u.view.life_max = 1000;
        auto fixed = std::make_shared<world::ObjectStatic>();
        fixed->logic_id = 4;
        fixed->prototype_key = "units\\toy_" + std::to_string(clan) + ".dat";
        fixed->parts.push_back({0, 0, "robots.rlb", "toy.msh"});
        fixed->properties.push_back({"Toy", {1, 2, 3, 4}});
        u.view.fixed = fixed;
        units_[u.view.id] = u;
    }

    static world::WorldEvent result(const world::Command& c, std::uint8_t code) {
        world::WorldEvent e;
        e.kind = world::EventKind::command_result;
        e.player = c.player;
        e.sequence = c.sequence;
        e.order = c.order;
        e.code = code;
        e.taken = code == 0 ? static_cast<std::uint8_t>(c.subjects.size()) : std::uint8_t{0};
        return e;
    }

    void execute(const world::Command& c, std::vector<world::WorldEvent>& events) {
        ++executed;
        std::uint8_t code = 0;
        for (const world::ObjectId id : c.subjects) {
            const auto it = units_.find(id);
            if (it == units_.end()) code = 2;
            else if (it->second.view.owner != c.player) code = 1;
        }
        if (code == 0) {
            for (const world::ObjectId id : c.subjects) obey(c, units_[id], events);
            if (static_cast<world::Order>(c.order) == world::Order::produce) make(c, events);
        }
        events.push_back(result(c, code));
    }

    void obey(const world::Command& c, Unit& u, std::vector<world::WorldEvent>& events) {
        world::WorldEvent e;
        e.object = u.view.id;
        e.order = c.order;
        switch (static_cast<world::Order>(c.order)) {
            case world::Order::move:
                u.goal = {static_cast<float>(c.at.x) / 256.0f, static_cast<float>(c.at.y) / 256.0f};
                u.moving = true;
                e.kind = world::EventKind::order_started;
                break;
            case world::Order::self_destruct:
                e.kind = world::EventKind::killed;
                e.code = 4;
                doomed_.push_back(u.view.id);
                break;
            case world::Order::capture: {  // takes the target
                const auto it = units_.find(c.target);
                if (it == units_.end()) return;
                it->second.view.owner = c.player;
                it->second.view.clan = static_cast<std::uint8_t>(c.player - 1);
                e.kind = world::EventKind::owner_changed;
                e.object = c.target;
                break;
            }
            case world::Order::board:  // teleport, for tests of jumps
                u.view.position = {static_cast<float>(c.at.x) / 256.0f, static_cast<float>(c.at.y) / 256.0f, 0};
                u.moving = false;
                return;
            default: return;
        }
        events.push_back(e);
    }

    void make(const world::Command& c, std::vector<world::WorldEvent>& events) {
        const std::uint32_t clan = c.player - 1u;
        const std::uint32_t index = next_index_[clan];
        add(clan, {static_cast<float>(c.at.x) / 256.0f, static_cast<float>(c.at.y) / 256.0f, 0});
        world::WorldEvent e;
        e.kind = world::EventKind::created;
        e.object = unit(clan, index);
        events.push_back(e);
    }

    static void drive(Unit& u) {
        u.view.velocity = {};
        if (!u.moving) return;
        const Vec2 d = u.goal - Vec2{u.view.position.x, u.view.position.y};
        const float left = length(d);
        const float stride = kSpeed * kDt;
        if (left <= stride) {
            u.view.position.x = u.goal.x;
            u.view.position.y = u.goal.y;
            u.moving = false;
            return;
        }
        u.view.velocity = {d.x / left * kSpeed, d.y / left * kSpeed, 0};
        u.view.position = u.view.position + u.view.velocity * kDt;
        u.view.yaw = det_atan2(-d.x, d.y);
    }

    void publish(std::vector<world::WorldEvent> events) {
        for (const world::ObjectId id : doomed_) units_.erase(id);
        doomed_.clear();
        auto next = std::make_shared<world::Snapshot>();
        next->tick = tick_;
        next->paused = paused_;
        for (const auto& [id, u] : units_) next->objects.push_back(u.view);
        next->events = std::move(events);
        snapshot_ = std::move(next);
    }

    world::Tick tick_ = 0;
    bool paused_ = false;
    std::map<world::ObjectId, Unit> units_;
    std::map<std::uint32_t, std::uint32_t> next_index_;
    std::vector<world::ObjectId> doomed_;
    world::SnapshotPtr snapshot_;
};

}  // namespace iron::test
