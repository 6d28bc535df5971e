#include "shared/interchange/prototype_tree.hpp"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "shared/asset/material.hpp"
#include "shared/asset/msh.hpp"
#include "shared/asset/wear.hpp"
#include "shared/base/text.hpp"
#include "shared/interchange/diagnostics_json.hpp"
#include "shared/interchange/loaded_asset.hpp"
#include "shared/interchange/view_options.hpp"

namespace iron::interchange {
namespace {

using mission::Located;
using mission::PrototypeStatus;

class TreeBuilder {
public:
    TreeBuilder(mission::PrototypeRegistry& registry, mission::ResourceLocator& locator) : registry_(registry), locator_(locator) {}

    PrototypeTree run(std::string_view key) {
        const auto resolution = registry_.resolve(key);
        PrototypeTree& out = tree_;
        out.resolved = resolution->ok();
        out.json = Json{{"key", text_json(resolution->key)}, {"status", status_code(resolution->status)}};
        if (!out.resolved) {
            ++out.broken;
            out.json["cause"] = display_text(resolution->cause);
            if (!resolution->failed_key.empty()) out.json["failed_prototype"] = text_json(resolution->failed_key);
            if (!resolution->failed.archive.empty())
                out.json["failed_resource"] = display_text(resolution->failed.archive + "::" + resolution->failed.entry);
        }
        out.json["parents"] = list_json(resolution->parents, [](const auto& pair) {
            return Json{{"child", text_json(pair.first)}, {"parent", text_json(pair.second)}};
        });
        add_references(*resolution);
        if (resolution->status == PrototypeStatus::resolved) out.json["model"] = model(*resolution);
        out.json["broken"] = out.broken;
        out.json["warnings"] = out.warnings;
        return std::move(tree_);
    }

private:
    /// {archive, entry, state, cause?}; counts what is missing.
    Json link(const std::string& archive, std::string_view entry, const Located& located, std::uint64_t& counter) {
        Json out{{"archive", display_text(archive)}, {"entry", text_json(entry)}};
        out["state"] = located.status == PrototypeStatus::resolved ? std::string_view("found") : status_code(located.status);
        if (located.status != PrototypeStatus::resolved) {
            out["cause"] = display_text(located.cause);
            ++counter;
        }
        return out;
    }

    /// Reads the resource behind a link with its own reader and adds kind, size and a short view.
    void describe(Json& out, const std::string& archive, const Located& located) {
        const archive::NresEntry& entry = located.resource.entry();
        const AssetSource source{archive, std::string(entry.name()), entry.type_id, {entry.attr1, entry.attr2, entry.attr3}, located.resource.bytes};
        const AssetKind kind = detect_asset_kind(source);
        out["kind"] = asset_kind_name(kind);
        out["bytes"] = source.bytes.size();
        ReadContext context;
        context.profile = locator_.profile();
        const auto loaded = load_asset(kind, source, context);
        if (!loaded) {
            out["state"] = "parse_failure";
            out["cause"] = display_text(loaded.error().to_string());
            ++tree_.broken;
            return;
        }
        if (!context.diagnostics.empty()) out["diagnostics"] = diagnostics_json(context.diagnostics);
        if (kind == AssetKind::control_points || kind == AssetKind::damage_records || kind == AssetKind::control_resource || kind == AssetKind::base_contour)
            out["content"] = (*loaded)->view({});
    }

    void add_references(const mission::PrototypeResolution& resolution) {
        Json list = Json::array();
        std::set<std::string> extensions;
        for (const mission::EffectiveReference& ref : resolution.references) {
            const bool mesh = ascii_iends_with(ref.resource, ".msh");
            const Located located = locator_.locate(ref.archive, ref.resource);
            Json item = link(ref.archive, ref.resource, located, tree_.warnings);
            item["from"] = text_json(ref.source);
            item["depth"] = ref.depth;
            // The first of each extension is used; for models the first that exists.
            const std::size_t dot = ref.resource.rfind('.');
            const std::string extension = dot == std::string::npos ? std::string() : ascii_lower(ref.resource.substr(dot));
            const bool chosen = mesh ? ascii_iequals(ref.archive, resolution.model.archive) && ascii_iequals(ref.resource, resolution.model.entry)
                                     : extensions.insert(extension).second;
            item["used"] = chosen;
            if (located.status == PrototypeStatus::resolved && chosen && !mesh) describe(item, ref.archive, located);
            list.push_back(std::move(item));
        }
        tree_.json["references"] = std::move(list);
    }

    Json model(const mission::PrototypeResolution& resolution) {
        const auto& name = resolution.model;
        const Located located = locator_.locate(name.archive, name.entry);
        Json out = link(name.archive, name.entry, located, tree_.broken);
        if (located.status != PrototypeStatus::resolved) return out;
        if (resolution.bas_stem_mesh) out["quirk"] = "bas_stem_mesh";
        ReadContext context;
        context.profile = locator_.profile();
        const auto model = asset::read_msh(located.resource.bytes, context);
        if (!model) {
            out["state"] = "parse_failure";
            out["cause"] = display_text(model.error().to_string());
            ++tree_.broken;
            return out;
        }
        out["nodes"] = Json::array();
        for (std::size_t i = 0; i < model->nodes.size(); ++i) out["nodes"].push_back(text_json(model->node_string(i)));
        out["vertices"] = model->positions.size();
        out["batches"] = model->batches.size();
        out["frames"] = model->frame_count;
        std::string stem = name.entry;
        if (ascii_iends_with(stem, ".msh")) stem.resize(stem.size() - 4);
        out["wear"] = wear(name.archive, stem + ".wea");
        return out;
    }

    Json wear(const std::string& archive, const std::string& entry) {
        const Located located = locator_.locate(archive, entry);
        Json out = link(archive, entry, located, tree_.broken);
        if (located.status != PrototypeStatus::resolved) return out;
        ReadContext context;
        context.profile = locator_.profile();
        const auto table = asset::read_wear(located.resource.bytes, context);
        if (!table) {
            out["state"] = "parse_failure";
            out["cause"] = display_text(table.error().to_string());
            ++tree_.broken;
            return out;
        }
        out["materials"] = list_json(table->materials, [&](const asset::WearRow& row) { return material(row.name); });
        out["lightmaps"] = list_json(table->lightmaps, [&](const asset::WearRow& row) {
            return link("LightMap.lib", row.name, locator_.locate("LightMap.lib", row.name), tree_.broken);
        });
        return out;
    }

    Json material(const std::string& name) {
        const std::string library = "Material.lib";
        Located located = locator_.locate(library, name);
        Json out{{"name", text_json(name)}};
        if (located.status == PrototypeStatus::missing_resource) {
            out["fallback"] = "DEFAULT";
            ++tree_.warnings;
            located = locator_.locate(library, "DEFAULT");
        }
        out.update(link(library, located.status == PrototypeStatus::resolved ? located.resource.entry().name() : std::string_view(name), located, tree_.broken));
        if (located.status != PrototypeStatus::resolved) return out;
        ReadContext context;
        context.profile = locator_.profile();
        const archive::NresEntry& entry = located.resource.entry();
        const auto material = asset::read_material(located.resource.bytes, {entry.attr1, entry.attr2, entry.attr3}, context);
        if (!material) {
            out["state"] = "parse_failure";
            out["cause"] = display_text(material.error().to_string());
            ++tree_.broken;
            return out;
        }
        Json textures = Json::array();
        for (const asset::MaterialPhase& phase : material->phases)
            if (phase.textured()) {
                const std::string texture(phase.texture.view());
                textures.push_back(link("Textures.lib", texture, locator_.locate("Textures.lib", texture), tree_.broken));
            }
        out["phases"] = material->phases.size();
        out["textures"] = std::move(textures);
        return out;
    }

    mission::PrototypeRegistry& registry_;
    mission::ResourceLocator& locator_;
    PrototypeTree tree_;
};

}  // namespace

PrototypeTree prototype_tree(mission::PrototypeRegistry& registry, mission::ResourceLocator& locator, std::string_view key) {
    return TreeBuilder(registry, locator).run(key);
}

}  // namespace iron::interchange
