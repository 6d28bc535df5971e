#include "server/world/load.hpp"

#include <algorithm>
#include <map>

#include "server/world/assemble.hpp"
#include "server/world/behavior_ini.hpp"
#include "shared/asset/land_map.hpp"
#include "shared/asset/land_mesh.hpp"

namespace iron::world {

namespace {

tl::unexpected<Error> stage_error(Error error, const char* stage) {
    return tl::unexpected(Error(std::move(error).wrap(ErrorFrame{"building the world", stage, {}, {}, {}, {}})));
}

/// Queries of the ground, with the height scale that fits the placed objects (DD-SIM-03).
Status build_ground(WorldState& s, WorldReport& report) {
    if (!s.blueprint || !s.blueprint->land_mesh || !s.blueprint->land_map)
        return fail("no_blueprint", "the mission has no terrain");
    IRON_TRY(const navigation::Surface raw, navigation::Surface::build(*s.blueprint->land_mesh, 1.0f));
    std::vector<Vec3> placed;
    for (const auto& object : s.blueprint->objects) {
        if (!is_finite(object.position) || !object.assembly) continue;
        const auto& parts = object.assembly->components;
        const bool flies = !parts.empty() && parts.front().prototype &&
                           std::find(s.rules.flying_chassis.begin(), s.rules.flying_chassis.end(),
                                     parts.front().prototype->folded_key) != s.rules.flying_chassis.end();
        if (!flies) placed.push_back(object.position);
    }
    const auto& rule = s.rules.height_scale;
    const navigation::ScaleChoice choice =
        navigation::choose_height_scale(raw, placed, rule.candidates, rule.min_objects, rule.tie);
    report.height_scale = choice.scale;
    report.height_samples = choice.samples;
    IRON_TRY(s.surface, navigation::Surface::build(*s.blueprint->land_mesh, choice.scale));
    IRON_TRY(s.areals, navigation::ArealMap::build(*s.blueprint->land_map, choice.scale));
    s.routes.configure(&s.areals, &s.obstacles,
                       {s.rules.pathfind.fields_per_tick, s.rules.pathfind.fields_kept, s.rules.pathfind.radius_class,
                        s.rules.nonwalkable_areal_classes});
    s.grid.configure(s.surface.low(), s.surface.high(), s.rules.collision.cell);
    return {};
}

Status build_clans(WorldState& s) {
    const auto& clans = s.blueprint->clans;
    if (clans.size() > kMaxClans) return fail("too_many_clans", "a mission has at most 64 clans");
    for (std::size_t i = 0; i < clans.size(); ++i) {
        ClanState c;
        c.name = clans[i].name;
        c.mode = clans[i].mode;
        c.anchor = {clans[i].anchor_x, clans[i].anchor_y};
        if (c.mode != asset::ClanMode::environment) c.player = static_cast<PlayerNumber>(i + 1);
        c.ai_plays = c.mode == asset::ClanMode::ai;
        s.clans.push_back(std::move(c));
    }
    s.pairs.assign(clans.size() * clans.size(), {});
    for (std::size_t a = 0; a < clans.size(); ++a)
        for (const auto& relation : clans[a].relations) {
            const std::int64_t b = relation.clan_index;
            if (relation.value != 1 || b < 0 || b >= static_cast<std::int64_t>(clans.size())) continue;
            const auto other = static_cast<std::size_t>(b);
            if (other == a) continue;
            s.pairs[a * clans.size() + other].allied = true;
            s.pairs[other * clans.size() + a].allied = true;
        }
    return {};
}

struct Pending {
    ObjectHandle handle;
    std::uint32_t index = 0;  ///< in the blueprint
    bool building = false;
    std::uint32_t order = 0;
};

/// DD-RT-04: (is building, order word, file index), or pure file order.
void sort_for_registration(std::vector<Pending>& pending, bool file_order) {
    if (file_order) return;
    std::sort(pending.begin(), pending.end(), [](const Pending& a, const Pending& b) {
        if (a.building != b.building) return !a.building;
        if (a.order != b.order) return a.order < b.order;
        return a.index < b.index;
    });
}

Result<std::vector<Pending>> construct_all(WorldState& s, WorldReport& report) {
    std::vector<Pending> pending;
    for (std::uint32_t i = 0; i < s.blueprint->objects.size(); ++i) {
        const mission::ObjectBlueprint& object = s.blueprint->objects[i];
        const auto located = [&](Error e) {
            return tl::unexpected(Error(std::move(e).wrap(
                ErrorFrame{"object " + std::to_string(i) + " '" + object.resource + "'", {}, {}, {}, object.resource, {}})));
        };
        if (!object.assembly) return located(Error("no_blueprint", "the object has no assembly"));
        ObjectSeed seed;
        seed.logic_class = static_cast<std::uint8_t>(object.logic_id);
        seed.clan = clan_of(object, s.clans.size());
        seed.owner = seed.clan == kNoClan ? kNoPlayer : s.clans[seed.clan].player;
        auto handle = s.store.create(seed);
        if (!handle) return located(std::move(handle).error());
        pending.push_back({*handle, i, object.logic_id == mission::LogicId::building, object.order});
        ++report.constructed;
        s.resize_slots();
        if (auto done = assemble_object(s, handle->slot, object); !done) return located(std::move(done).error());
    }
    return pending;
}

/// Everything that can fail later fails here, before anything is visible.
Status cross_check(const WorldState& s, const std::vector<Pending>& pending) {
    std::map<std::pair<PlayerNumber, std::uint32_t>, std::uint32_t> wanted;
    for (const Pending& p : pending) {
        const ObjectRecord& r = s.store.at(p.handle.slot);
        const std::uint32_t count = ++wanted[{r.creator, r.logic_class}];
        if (count > kIndexLimit)
            return fail("limit", "more than 4096 objects of class " + std::to_string(r.logic_class) + " for player " +
                                     std::to_string(r.creator));
    }
    return {};
}

}  // namespace

Status load_world(WorldState& s, const WorldOptions& options, WorldReport& report) {
    s.clock.step_ms = s.rules.step_ms;
    if (s.blueprint && s.blueprint->behavior) apply_behavior_ini(*s.blueprint->behavior, s.rules, report.notes);
    if (auto ok = build_ground(s, report); !ok) return stage_error(std::move(ok).error(), "mission load 2");
    if (auto ok = build_clans(s); !ok) return stage_error(std::move(ok).error(), "mission load 3");
    for (std::size_t i = 0; i < s.rng.size(); ++i)
        s.rng[i] = Rng::for_match(s.match_seed, static_cast<RngStream>(i + 1));

    const auto release_pending = [&] {
        for (std::uint32_t slot = 0; slot < s.store.slot_count(); ++slot)
            if (s.store.at(slot).life == LifeState::created) (void)s.store.release(s.store.handle_of(slot), 0);
    };
    auto pending = construct_all(s, report);
    if (!pending) {
        release_pending();
        return stage_error(std::move(pending).error(), "mission load 6");
    }
    if (auto ok = cross_check(s, *pending); !ok) {
        release_pending();
        return stage_error(std::move(ok).error(), "mission load 6");
    }
    sort_for_registration(*pending, options.file_order);

    for (const Pending& p : *pending) {
        Status added = options.fail_registration == report.registered
                           ? Status(fail("registration_failed", "injected failure"))
                           : s.queue->add(p.handle, 0);
        if (!added) {
            // What is registered leaves through the queue, the rest was never visible.
            const std::vector<std::uint32_t> order = s.queue->order();
            const std::size_t before = s.queue->released_total();
            for (std::uint32_t slot : order) (void)s.queue->request_delete(s.store.handle_of(slot), 0);
            report.released = static_cast<std::uint32_t>(s.queue->released_total() - before);
            release_pending();
            return stage_error(std::move(added).error(), "mission load 7");
        }
        ++report.registered;
    }
    report.objects = report.registered;
    return {};
}

}  // namespace iron::world
