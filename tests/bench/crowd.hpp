// A crowd for the benchmarks: the 4-player mission with its first battle robot copied over the map.
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "server/world/world.hpp"
#include "shared/archive/vfs.hpp"
#include "shared/asset/land_mesh.hpp"
#include "shared/mission/mission_loader.hpp"

namespace iron::bench {

inline std::string content_root() { return std::string(IRON_BINARY_DIR) + "/content"; }

inline std::shared_ptr<const mission::MissionBlueprint> load(const std::string& key) {
    auto vfs = archive::Vfs::open(content_root());
    if (!vfs) throw std::runtime_error(vfs.error().to_string());
    auto blueprint = mission::load_mission(*vfs, key);
    if (!blueprint) throw std::runtime_error(blueprint.error().to_string());
    return *blueprint;
}

/// `count` robots of player clans on a square lattice over the inner map; other mobiles removed.
inline std::shared_ptr<const mission::MissionBlueprint> crowd(const mission::MissionBlueprint& base,
                                                              std::uint32_t count) {
    auto out = std::make_shared<mission::MissionBlueprint>(base);
    out->objects.clear();
    const mission::ObjectBlueprint* robot = nullptr;
    for (const auto& object : base.objects) {
        if (object.scheme_type() == 0x01008000u) {
            if (robot == nullptr) robot = &object;
            continue;
        }
        if (object.logic_id != mission::LogicId::unit) out->objects.push_back(object);
    }
    if (robot == nullptr) throw std::runtime_error("the mission has no battle robot");
    const Vec3 low = base.land_mesh->header.corners[0], high = base.land_mesh->header.corners[2];
    std::uint32_t side = 1;
    while (side * side < count) ++side;
    for (std::uint32_t i = 0; i < count; ++i) {
        mission::ObjectBlueprint copy = *robot;
        copy.file_index = static_cast<std::uint32_t>(out->objects.size());
        copy.order = copy.file_index;
        copy.owner = static_cast<std::int32_t>(i % 4);
        // The clan property of the copied robot would win over the owner word.
        std::erase_if(copy.properties, [](const auto& p) { return p.name == "ClanID"; });
        const float fx = (static_cast<float>(i % side) + 0.5f) / static_cast<float>(side);
        const float fy = (static_cast<float>(i / side) + 0.5f) / static_cast<float>(side);
        copy.position.x = low.x + (high.x - low.x) * (0.05f + 0.9f * fx);
        copy.position.y = low.y + (high.y - low.y) * (0.05f + 0.9f * fy);
        out->objects.push_back(std::move(copy));
    }
    return out;
}

inline std::unique_ptr<world::World> make_world(std::shared_ptr<const mission::MissionBlueprint> blueprint) {
    auto made = world::World::create(std::move(blueprint), world::default_rules(), 1);
    if (!made) throw std::runtime_error(made.error().to_string());
    return std::move(*made);
}

/// Every mobile unit to the point opposite the centre, in commands of 128 subjects.
inline world::InputFrame everybody_moves(const world::World& world, std::uint32_t& sequence) {
    const auto snapshot = world.snapshot();
    const Vec3 low = world.blueprint().land_mesh->header.corners[0];
    const Vec3 high = world.blueprint().land_mesh->header.corners[2];
    world::InputFrame frame;
    frame.tick = world.tick() + 1;
    std::uint32_t nth = 0;
    for (const auto& object : snapshot->objects) {
        if (object.fixed->logic_id != static_cast<std::uint8_t>(world::LogicId::unit)) continue;
        world::Command command;
        command.player = object.owner;
        command.order = static_cast<std::uint8_t>(world::Order::move);
        command.flags = world::kSingleGoal;
        command.subjects = {object.id};
        const float x = low.x + high.x - object.position.x, y = low.y + high.y - object.position.y;
        command.at = {trunc_i32(x * 256.0f), trunc_i32(y * 256.0f)};
        command.sequence = ++sequence;
        frame.commands.push_back(std::move(command));
        ++nth;
    }
    std::stable_sort(frame.commands.begin(), frame.commands.end(),
                     [](const auto& a, const auto& b) { return a.player < b.player; });
    return frame;
}

}  // namespace iron::bench
