// Everything drawn and modelled: pictures, materials, models. One function a thing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shared/asset/texture.hpp"
#include "shared/content/game.hpp"
#include "shared/content/kit/image.hpp"
#include "shared/content/model.hpp"

namespace iron::content {

enum class UnitSize : std::uint8_t { small, medium, large };
constexpr char size_letter(UnitSize s) { return "sml"[static_cast<int>(s)]; }

struct Picture {
    std::string name;  ///< entry of Textures.lib, suffix `.0`
    Image image;
    asset::TexmFormat format = asset::TexmFormat::argb8888;
};
std::vector<Picture> make_pictures(std::uint64_t seed);

/// Textures.lib, Material.lib, LightMap.lib, Palettes.lib.
Status add_materials(Game& game, std::uint64_t seed);

// Chassis: node 0 is the root; the node named `turret_mount` takes a turret.
Model wheeled_chassis();           ///< small battle robot
Model tracked_chassis();           ///< medium battle robot
Model walker_chassis();            ///< large battle robot
Model builder_chassis();
Model transport_chassis();
Model headquarters_chassis();
Model hero_body();
Model crab_body();                 ///< animal
/// Node 0 is the virtual attach root, node 1 turns, the nodes named `gun_mount*` take weapons.
Model robot_turret(UnitSize size);
/// Node 0 is the virtual attach root, node 1 the weapon. Kinds: can, las, mis, pla, em.
Model weapon_model(const std::string& kind, UnitSize size);
Model hero_weapon(const std::string& kind);
Model shot_model(const std::string& kind);

struct BuildingArt {
    std::string stem;  ///< e.g. `b_bunk_s`
    Model model;
};
std::vector<BuildingArt> make_buildings();
Model tower_turret(UnitSize size);

struct DecorArt {
    std::string stem;
    bool stone = false;
    Model model;
};
std::vector<DecorArt> make_decor(std::uint64_t seed);

/// sounds.lib: RIFF/WAVE, 22 050 Hz, 16 bit PCM.
void add_sounds(Game& game, std::uint64_t seed);

}  // namespace iron::content
