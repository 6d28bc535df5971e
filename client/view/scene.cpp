#include "client/view/scene.hpp"

#include <algorithm>
#include <array>

#include "client/view/material_loader.hpp"
#include "client/view/model_build.hpp"
#include "client/view/terrain_build.hpp"
#include "shared/archive/archive_cache.hpp"
#include "shared/asset/land_mesh.hpp"
#include "shared/asset/wear.hpp"
#include "shared/base/text.hpp"

namespace iron::client::view {

glm::vec3 default_clan_color(std::uint32_t clan_index) {
    // Easy to tell apart on green, sand and snow, also for most colour-blind people.
    static constexpr std::array<glm::vec3, 8> kColors{
        glm::vec3(0.16f, 0.50f, 0.95f), glm::vec3(0.92f, 0.22f, 0.16f), glm::vec3(0.98f, 0.74f, 0.12f),
        glm::vec3(0.12f, 0.72f, 0.52f), glm::vec3(0.66f, 0.36f, 0.92f), glm::vec3(0.96f, 0.50f, 0.14f),
        glm::vec3(0.20f, 0.82f, 0.92f), glm::vec3(0.94f, 0.44f, 0.72f)};
    return kColors[clan_index % kColors.size()];
}

Scene::Scene() = default;
Scene::~Scene() = default;

Result<std::unique_ptr<Scene>> Scene::load(const archive::Vfs& vfs,
                                           std::shared_ptr<const mission::MissionBlueprint> blueprint,
                                           const ProgressFn& progress) {
    std::unique_ptr<Scene> scene(new Scene);
    scene->blueprint_ = std::move(blueprint);
    scene->archives_ = std::make_unique<archive::ArchiveCache>(vfs);
    scene->loader_ = std::make_unique<MaterialLoader>(*scene->archives_, scene->materials_);
    if (progress) progress("terrain", 0, 1);
    IRON_CHECK(scene->load_terrain());
    scene->decide_profile(progress);
    scene->place_objects(progress);
    return scene;
}

Status Scene::load_terrain() {
    const asset::LandMesh& land = *blueprint_->land_mesh;
    LandMaterials materials;
    materials.fine = loader_->wear_file(blueprint_->land_path + "1.wea");
    materials.coarse = loader_->wear_file(blueprint_->land_path + "2.wea");

    std::vector<HeightProbe> probes;
    for (const mission::ObjectBlueprint& object : blueprint_->objects)
        probes.push_back({{object.position.x, object.position.y}, object.position.z});
    ground_ = build_height_field(land, 1.0f);
    height_scale_ = choose_height_scale(ground_, probes);
    if (height_scale_ != 1.0f) ground_ = build_height_field(land, height_scale_);
    terrain_ = build_terrain(land, materials, height_scale_);
    if (terrain_.indices.empty() && terrain_.water_indices.empty())
        return fail("land_draw", "the terrain '" + blueprint_->land_path + "' has no faces to draw");
    return {};
}

void Scene::decide_profile(const ProgressFn& progress) {
    // Two readings of models are settled by the data, over all models at once (models.md).
    asset::MshProfileScan scan;
    std::size_t done = 0;
    for (const auto& [key, prototype] : blueprint_->prototypes) {
        if (progress) progress("models", done++, blueprint_->prototypes.size());
        if (!prototype->geometric) continue;
        auto resource = archives_->find(prototype->model_archive, prototype->model_entry);
        if (!resource) continue;
        ReadContext context;
        context.profile = ReadProfile::compatible;
        const auto msh = asset::read_msh(resource->bytes, context);
        if (!msh) continue;
        std::optional<std::size_t> rows;
        if (auto wear = archives_->find(prototype->model_archive, prototype->wear_entry))
            if (const auto table = asset::read_wear(wear->bytes, context)) rows = table->materials.size();
        scan.add(*msh, rows);
    }
    ReadContext verdict;
    profile_ = scan.verdict(verdict);
}

std::uint32_t Scene::model_of(std::string_view archive, std::string_view entry) {
    const std::string key = ascii_lower(archive) + "::" + ascii_lower(entry);
    if (const auto found = model_index_.find(key); found != model_index_.end()) return found->second;
    std::uint32_t index = kNone;
    auto resource = archives_->find(archive, entry);
    Result<asset::MshModel> msh = [&]() -> Result<asset::MshModel> {
        if (!resource) return tl::unexpected(resource.error());
        ReadContext context;
        context.profile = ReadProfile::compatible;
        context.path = archive;
        context.entry = entry;
        return asset::read_msh(resource->bytes, context);
    }();
    if (msh) {
        std::string wear_name(entry);
        if (ascii_iends_with(wear_name, ".msh")) wear_name.resize(wear_name.size() - 4);
        const auto wear = loader_->wear_entry(archive, wear_name + ".wea");
        index = static_cast<std::uint32_t>(models_.size());
        models_.push_back(build_model(*msh, wear, profile_, key));
    } else {
        notes_.push_back({Severity::warning, "model_missing",
                          "model '" + key + "' cannot be drawn: " + msh.error().to_string(), {}, {}, {}});
    }
    model_index_.emplace(key, index);
    return index;
}

std::uint32_t Scene::placeholder_unit(std::string key) {
    if (placeholder_model_ == kNone) {
        placeholder_model_ = static_cast<std::uint32_t>(models_.size());
        models_.push_back(placeholder_model(loader_->material("DEFAULT")));
    }
    UnitModel unit;
    unit.label = key;
    unit.key = std::move(key);
    unit.components.push_back({placeholder_model_, -1, 0, ComponentRole::chassis});
    unit.bounds = models_[placeholder_model_].bounds;
    const auto index = static_cast<std::uint32_t>(units_.size());
    units_.push_back(std::move(unit));
    placeholder_units_.push_back(index);
    return index;
}

std::uint32_t Scene::add_assembly(const mission::Assembly& assembly, std::string key) {
    UnitModel unit;
    unit.scheme_type = assembly.scheme_type;
    unit.key = std::move(key);
    std::map<std::int32_t, std::int32_t> component_of_record;
    bool broken = false;
    for (const mission::ComponentBlueprint& part : assembly.components) {
        if (unit.label.empty()) unit.label = cp1251_to_utf8(part.description);
        if (!part.prototype->geometric) continue;
        const bool root = unit.components.empty();
        const auto type = static_cast<asset::UnitEntryType>(part.entry_type);
        const bool mounted = type == asset::UnitEntryType::turret || type == asset::UnitEntryType::cannon;
        // Parts, armour and ammunition configure items; only what is mounted is drawn.
        if (!root && !mounted) continue;
        const std::uint32_t model = model_of(part.prototype->model_archive, part.prototype->model_entry);
        if (model == kNone) {
            broken |= root;
            continue;
        }
        UnitComponent component;
        component.model = model;
        if (!root) {
            const auto parent = component_of_record.find(part.parent_record);
            component.parent = parent == component_of_record.end() ? 0 : parent->second;
            component.attach_node = static_cast<std::uint32_t>(std::max(0, part.attach_index));
            component.role =
                type == asset::UnitEntryType::turret ? ComponentRole::turret : ComponentRole::cannon;
        }
        component_of_record[static_cast<std::int32_t>(part.record)] =
            static_cast<std::int32_t>(unit.components.size());
        unit.components.push_back(component);
    }
    if (unit.components.empty() && broken) return placeholder_unit(std::move(unit.key));
    if (unit.label.empty()) unit.label = unit.key;
    unit.bounds = rest_bounds(unit, models_);
    const auto index = static_cast<std::uint32_t>(units_.size());
    units_.push_back(std::move(unit));
    return index;
}

std::uint32_t Scene::unit_by_key(std::string_view key) {
    std::string folded = ascii_lower(key);
    std::replace(folded.begin(), folded.end(), '\\', '/');
    if (const auto found = unit_index_.find(folded); found != unit_index_.end()) return found->second;
    std::uint32_t index;
    if (const auto scheme = blueprint_->find_scheme(key)) {
        index = add_assembly(*scheme, folded);
    } else if (const auto prototype = blueprint_->find_prototype(key)) {
        mission::Assembly direct;
        mission::ComponentBlueprint component;
        component.key = std::string(key);
        component.prototype = prototype;
        direct.components.push_back(component);
        index = add_assembly(direct, folded);
    } else {
        notes_.push_back({Severity::warning, "unit_missing",
                          "the content has no '" + std::string(key) + "'; a placeholder is shown", {}, {}, {}});
        index = placeholder_unit(folded);
    }
    unit_index_.emplace(folded, index);
    return index;
}

std::uint32_t Scene::unit_by_parts(std::string_view key, const std::vector<PartName>& parts) {
    // A known scheme says more (roles of the parts) than the list of models.
    if (parts.empty() || blueprint_->find_scheme(key) || blueprint_->find_prototype(key))
        return unit_by_key(key);
    std::string name = "parts:";
    for (const PartName& part : parts)
        name += ascii_lower(part.archive) + "::" + ascii_lower(part.entry) + "@" +
                std::to_string(part.parent_piece) + ";";
    if (const auto found = unit_index_.find(name); found != unit_index_.end()) return found->second;
    UnitModel unit;
    unit.key = name;
    unit.label = std::string(key);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pieces;  // component, node
    for (const PartName& part : parts) {
        const std::uint32_t model = model_of(part.archive, part.entry);
        if (model == kNone) continue;
        UnitComponent component;
        component.model = model;
        if (!unit.components.empty()) {
            component.parent = 0;
            component.role = unit.components.size() == 1 ? ComponentRole::turret : ComponentRole::cannon;
            if (part.parent_piece < pieces.size()) {
                component.parent = static_cast<std::int32_t>(pieces[part.parent_piece].first);
                component.attach_node = pieces[part.parent_piece].second;
            }
        }
        const auto number = static_cast<std::uint32_t>(unit.components.size());
        for (std::uint32_t n = unit.components.empty() ? 0 : 1; n < models_[model].nodes.size(); ++n)
            pieces.emplace_back(number, n);
        unit.components.push_back(component);
    }
    std::uint32_t index;
    if (unit.components.empty()) {
        index = placeholder_unit(name);
    } else {
        unit.bounds = rest_bounds(unit, models_);
        index = static_cast<std::uint32_t>(units_.size());
        units_.push_back(std::move(unit));
    }
    unit_index_.emplace(name, index);
    return index;
}

bool Scene::is_placeholder(std::uint32_t unit) const {
    return std::find(placeholder_units_.begin(), placeholder_units_.end(), unit) != placeholder_units_.end();
}

void Scene::place_objects(const ProgressFn& progress) {
    const auto& objects = blueprint_->objects;
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (progress) progress("objects", i, objects.size());
        const mission::ObjectBlueprint& object = objects[i];
        PlacedObject placed;
        placed.file_index = object.file_index;
        const std::string key = object.assembly->is_scheme ? object.assembly->folded_path
                                                           : ascii_lower(object.resource);
        if (const auto found = unit_index_.find(key); found != unit_index_.end()) {
            placed.unit = found->second;
        } else {
            placed.unit = add_assembly(*object.assembly, key);
            unit_index_.emplace(key, placed.unit);
        }
        glm::vec3 position = to_glm(object.position);
        placed.is_building = object.logic_id == mission::LogicId::building || object.assembly->is_building();
        placed.is_static = object.logic_id == mission::LogicId::static_object;
        placed.world = placement_matrix(position, to_glm(object.orientation), to_glm(object.scale));
        placed.bounds = units_[placed.unit].bounds.transformed(placed.world);
        placed.clan = object.owner >= 0 && object.owner < 64 ? static_cast<std::uint8_t>(object.owner) : 0xFF;
        placed_.push_back(placed);
    }
}

glm::vec3 Scene::clan_color(std::uint8_t clan) const {
    if (clan == 0xFF || clan >= blueprint_->clans.size()) return kNeutralColor;
    const asset::ClanMode mode = blueprint_->clans[clan].mode;
    if (mode == asset::ClanMode::environment || mode == asset::ClanMode::neutral) return kNeutralColor;
    std::uint32_t number = 0;
    for (std::uint8_t i = 0; i < clan; ++i) {
        const asset::ClanMode other = blueprint_->clans[i].mode;
        if (other != asset::ClanMode::environment && other != asset::ClanMode::neutral) ++number;
    }
    return default_clan_color(number);
}

std::vector<Diagnostic> Scene::notes() const {
    std::vector<Diagnostic> out = notes_;
    out.insert(out.end(), loader_->notes().begin(), loader_->notes().end());
    return out;
}

}  // namespace iron::client::view
