// Everything drawable of one mission: terrain, static objects, unit models by key, clan colours.
// Built once from the content; the moving world is added frame by frame (frame_builder.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/view/height_field.hpp"
#include "client/view/material.hpp"
#include "client/view/model.hpp"
#include "client/view/terrain_mesh.hpp"
#include "shared/archive/vfs.hpp"
#include "shared/asset/msh.hpp"
#include "shared/base/diagnostics.hpp"
#include "shared/mission/blueprint.hpp"

namespace iron::archive {
class ArchiveCache;
}

namespace iron::client::view {

class MaterialLoader;

/// An object of the mission file, placed.
struct PlacedObject {
    std::uint32_t unit = 0;       ///< index into Scene::units()
    std::uint32_t file_index = 0; ///< index in the mission file
    glm::mat4 world{1.0f};
    Box bounds;                   ///< world
    std::uint8_t clan = 0xFF;
    bool is_static = false;       ///< not simulated: no mirror will come for it
    bool is_building = false;
};

/// A part of a unit as the network names it.
struct PartName {
    std::uint32_t tag = 0, parent_piece = 0;
    std::string archive, entry;
};

/// Kept alive by the client for the whole match.
class Scene {
public:
    using ProgressFn = std::function<void(std::string_view what, std::size_t done, std::size_t total)>;

    /// Loads the blueprint's terrain, materials and placed objects. Errors: those of the mission
    /// loader, `land_draw` when the terrain cannot be drawn at all.
    static Result<std::unique_ptr<Scene>> load(const archive::Vfs& vfs,
                                               std::shared_ptr<const mission::MissionBlueprint> blueprint,
                                               const ProgressFn& progress = {});
    ~Scene();

    const mission::MissionBlueprint& blueprint() const { return *blueprint_; }
    const TerrainMesh& terrain() const { return terrain_; }
    const HeightField& ground() const { return ground_; }
    const MaterialSet& materials() const { return materials_; }
    const std::vector<Model>& models() const { return models_; }
    const std::vector<UnitModel>& units() const { return units_; }
    const std::vector<PlacedObject>& placed() const { return placed_; }
    float height_scale() const { return height_scale_; }

    /// Unit model of a scheme path or prototype key, loaded on first use; a placeholder (and a
    /// note) if the content does not have it.
    std::uint32_t unit_by_key(std::string_view key);
    /// The same from the parts a server names; an empty list falls back to the key.
    std::uint32_t unit_by_parts(std::string_view key, const std::vector<PartName>& parts);
    /// True if the key's content was missing or damaged.
    bool is_placeholder(std::uint32_t unit) const;

    /// Display colour of a clan.
    glm::vec3 clan_color(std::uint8_t clan) const;
    /// Grows when models, materials or units were added: the renderer uploads the rest.
    std::uint64_t revision() const { return models_.size() + materials_.materials.size() + materials_.images.size(); }
    /// What was missing or damaged.
    std::vector<Diagnostic> notes() const;

private:
    Scene();
    std::uint32_t model_of(std::string_view archive, std::string_view entry);
    std::uint32_t add_assembly(const mission::Assembly& assembly, std::string key);
    std::uint32_t placeholder_unit(std::string key);
    void decide_profile(const ProgressFn& progress);
    void place_objects(const ProgressFn& progress);
    Status load_terrain();

    std::shared_ptr<const mission::MissionBlueprint> blueprint_;
    std::unique_ptr<archive::ArchiveCache> archives_;
    MaterialSet materials_;
    std::unique_ptr<MaterialLoader> loader_;
    asset::MshProfile profile_;
    TerrainMesh terrain_;
    HeightField ground_;
    float height_scale_ = 1;
    std::vector<Model> models_;
    std::vector<UnitModel> units_;
    std::vector<PlacedObject> placed_;
    std::map<std::string, std::uint32_t, std::less<>> model_index_;
    std::map<std::string, std::uint32_t, std::less<>> unit_index_;
    std::vector<Diagnostic> notes_;
    std::uint32_t placeholder_model_ = kNone;
    std::vector<std::uint32_t> placeholder_units_;
};

/// The colours of the clans by index (display values).
glm::vec3 default_clan_color(std::uint32_t clan_index);
/// Neutral grey for objects without a clan.
inline constexpr glm::vec3 kNeutralColor{0.62f, 0.62f, 0.60f};

}  // namespace iron::client::view
