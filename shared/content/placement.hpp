// Builds the placed objects of one mission: positions on the terrain, owners, property bags.
#pragma once

#include <string>
#include <vector>

#include "shared/asset/tma.hpp"
#include "shared/base/rng.hpp"
#include "shared/content/land.hpp"
#include "shared/content/units.hpp"

namespace iron::content {

class Placement {
public:
    Placement(const Land& land, const UnitCatalog& units) : land_(land), units_(units) {}

    asset::Tma& tma() { return tma_; }

    /// Appends a clan (mode 1 player, 2 AI ...) and returns its index.
    int clan(const std::string& name_utf8, asset::ClanMode mode, Vec2 anchor, const std::string& script_base);
    /// Every clan gets a relation row for every clan: ally to itself only.
    void relate();

    /// A unit scheme by file stem. `yaw` in rad; owner -1 = nobody.
    asset::TmaObject& unit(const std::string& stem, int owner, Vec2 at, float yaw);
    /// Ore of the last placed unit.
    void ore(float maximum, float current);
    void charge_radius(float wu);
    /// A tree or stone by prototype key.
    void decor(const std::string& key, bool stone, Vec2 at, float yaw, float scale);
    /// `count` trees and stones in groves, away from pads, roads, water, steep ground and `keep`.
    void scatter(std::uint64_t seed, int count, float border, const std::vector<Vec2>& keep, float keep_wu);
    void deposit(Vec2 at, float ore);
    void path(int id, const std::vector<Vec2>& points);

private:
    const Land& land_;
    const UnitCatalog& units_;
    asset::Tma tma_;
    std::uint32_t next_logical_ = 1;
};

}  // namespace iron::content
