// Small missions made in code: flat or sloped ground, areals as squares with holes, units, buildings.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "server/world/world.hpp"
#include "server/world/world_state.hpp"
#include "shared/asset/land_build.hpp"
#include "shared/asset/land_map.hpp"
#include "shared/mission/blueprint.hpp"

namespace synthetic {

using namespace iron;

struct MapSpec {
    std::uint32_t tiles = 4;      ///< per side, 64 wu each
    std::uint32_t quads = 4;      ///< per tile side
    float areal_size = 16;        ///< wu
    /// Areal (i, j) exists; default all.
    std::function<bool(int, int)> walkable = [](int, int) { return true; };
    std::function<float(float, float)> height = [](float, float) { return 0.0f; };
};

inline asset::LandMesh make_mesh(const MapSpec& spec) {
    asset::LandGrid grid;
    grid.columns = grid.rows = spec.tiles;
    grid.quads = spec.quads;
    grid.tile_size = 64;
    const float step = 64.0f / static_cast<float>(spec.quads);
    for (std::uint32_t j = 0; j < grid.points_y(); ++j)
        for (std::uint32_t i = 0; i < grid.points_x(); ++i)
            grid.heights.push_back(spec.height(static_cast<float>(i) * step, static_cast<float>(j) * step));
    return asset::build_land_mesh(grid).value();
}

inline asset::LandMap make_map(const MapSpec& spec) {
    asset::LandMap map;
    const float side = 64.0f * static_cast<float>(spec.tiles);
    const int n = static_cast<int>(side / spec.areal_size);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            if (!spec.walkable(i, j)) continue;
            const float x = static_cast<float>(i) * spec.areal_size, y = static_cast<float>(j) * spec.areal_size, s = spec.areal_size;
            asset::Areal a;
            a.anchor = {x + s / 2, y + s / 2, spec.height(x + s / 2, y + s / 2)};
            for (auto [dx, dy] : {std::pair{0.0f, 0.0f}, {s, 0.0f}, {s, s}, {0.0f, s}})
                a.vertices.push_back({x + dx, y + dy, spec.height(x + dx, y + dy)});
            map.areals.push_back(std::move(a));
        }
    asset::link_areals(map);
    if (!asset::build_areal_grid(map, 32, 32, asset::areal_bounds(map))) throw std::runtime_error("areal grid");
    return map;
}

inline std::shared_ptr<mission::Assembly> make_scheme(const std::string& path, std::uint32_t type, float radius) {
    auto prototype = std::make_shared<mission::ResolvedPrototype>();
    prototype->key = prototype->folded_key = path;
    prototype->geometric = radius > 0;
    prototype->model_archive = "models.rlb";
    prototype->model_entry = path + ".msh";
    prototype->bounds.radius_xy = radius;
    auto assembly = std::make_shared<mission::Assembly>();
    assembly->is_scheme = true;
    assembly->path = assembly->folded_path = path;
    assembly->scheme_type = type;
    mission::ComponentBlueprint root;
    root.entry_type = 0;
    root.key = path;
    root.prototype = prototype;
    assembly->components.push_back(root);
    return assembly;
}

inline constexpr std::uint32_t kBattle = 0x01008000, kHero = 0x01020000, kBuilder = 0x01004000, kPlant = 0x80000010;

/// Collects clans and objects; `build()` gives the blueprint.
struct MissionMaker {
    mission::MissionBlueprint mission;
    MapSpec map;
    std::shared_ptr<const asset::LandMesh> mesh;  ///< instead of the one of `map`

    explicit MissionMaker(MapSpec spec = {}) : map(std::move(spec)) {}

    MissionMaker& clan(const std::string& name, asset::ClanMode mode = asset::ClanMode::player) {
        mission::ClanBlueprint c;
        c.index = static_cast<std::uint32_t>(mission.clans.size());
        c.name = name;
        c.mode = mode;
        mission.clans.push_back(c);
        return *this;
    }
    mission::ObjectBlueprint& object(const std::shared_ptr<mission::Assembly>& assembly, int clan_index, float x, float y) {
        mission::ObjectBlueprint o;
        o.file_index = o.order = static_cast<std::uint32_t>(mission.objects.size());
        o.raw_kind = assembly->is_building() ? 0 : 1;
        o.logic_id = assembly->is_building() ? mission::LogicId::building : mission::LogicId::unit;
        o.resource = assembly->path;
        o.owner = clan_index;
        o.position = {x, y, map.height(x, y)};
        o.scale = {1, 1, 1};
        o.assembly = assembly;
        mission.objects.push_back(std::move(o));
        return mission.objects.back();
    }
    mission::ObjectBlueprint& unit(int clan_index, float x, float y, float radius = 2.5f, std::uint32_t type = kBattle) {
        return object(make_scheme("units/u_m_test.dat", type, radius), clan_index, x, y);
    }
    /// A building with a rectangular basement around (x, y).
    mission::ObjectBlueprint& block(int clan_index, float x, float y, float half_x, float half_y) {
        auto assembly = make_scheme("units/block.dat", kPlant, 1);
        auto contour = std::make_shared<asset::BaseContour>();
        contour->outer.push_back({{{-half_x, -half_y, 0}, {half_x, -half_y, 0}, {half_x, half_y, 0}, {-half_x, half_y, 0}, {-half_x, -half_y, 0}}});
        auto prototype = std::make_shared<mission::ResolvedPrototype>(*assembly->components[0].prototype);
        prototype->contour = contour;
        assembly->components[0].prototype = prototype;
        return object(assembly, clan_index, x, y);
    }
    std::shared_ptr<const mission::MissionBlueprint> build() {
        mission.land_mesh = mesh ? mesh : std::make_shared<asset::LandMesh>(make_mesh(map));
        mission.land_map = std::make_shared<asset::LandMap>(make_map(map));
        return std::make_shared<mission::MissionBlueprint>(mission);
    }
};

/// Rules that need no height samples (flat maps fit any scale, and tests want the true heights).
inline world::Rules test_rules() {
    return world::load_rules(R"({"height_scale": {"tie": 1.0}})").value();
}

inline std::unique_ptr<world::World> make_world(MissionMaker& maker, std::uint64_t seed = 1) {
    return world::World::create(maker.build(), test_rules(), seed).value();
}

inline world::Pos2 pos(float x, float y) {
    return {static_cast<std::int32_t>(x * 256), static_cast<std::int32_t>(y * 256)};
}

/// Drives a world: commands given are applied in the next tick.
struct Driver {
    world::World& world;
    world::InputFrame next;
    std::uint32_t sequence = 1, session_sequence = 1;
    std::vector<world::WorldEvent> events;  ///< of all ticks

    explicit Driver(world::World& w) : world(w) {}

    world::Command& command(world::PlayerNumber player, world::Order order, std::vector<world::ObjectId> subjects) {
        world::Command c;
        c.player = player;
        c.sequence = sequence++;
        c.order = static_cast<std::uint8_t>(order);
        c.subjects = std::move(subjects);
        next.commands.push_back(c);
        return next.commands.back();
    }
    void move(world::PlayerNumber player, std::vector<world::ObjectId> subjects, float x, float y, std::uint8_t flags = 0) {
        auto& c = command(player, world::Order::move, std::move(subjects));
        c.at = pos(x, y);
        c.flags = flags;
    }
    void session(world::SessionAct act, world::PlayerNumber player = 0, std::uint32_t value = 0, world::ObjectId object = {}) {
        next.session.push_back({session_sequence++, act, player, value, object, {}});
    }
    Status step() {
        next.tick = world.tick() + 1;
        const Status status = world.step(next);
        next = {};
        for (const auto& e : world.snapshot()->events) events.push_back(e);
        return status;
    }
    void run(std::uint32_t ticks) {
        for (std::uint32_t i = 0; i < ticks; ++i)
            if (auto r = step(); !r) throw std::runtime_error(r.error().to_string());
    }
    std::size_t count(world::EventKind kind) const {
        std::size_t n = 0;
        for (const auto& e : events) n += e.kind == kind;
        return n;
    }
    const world::WorldEvent* last(world::EventKind kind) const {
        for (std::size_t i = events.size(); i-- > 0;)
            if (events[i].kind == kind) return &events[i];
        return nullptr;
    }
};

inline const world::ObjectView& view(const world::Snapshot& s, world::ObjectId id) {
    for (const auto& o : s.objects)
        if (o.id == id) return o;
    throw std::runtime_error("no such object in the snapshot");
}

inline world::ObjectId unit_id(world::PlayerNumber player, std::uint32_t index) {
    return world::ObjectId::make(player, 4, index);
}

}  // namespace synthetic
