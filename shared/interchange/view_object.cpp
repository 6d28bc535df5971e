#include "shared/interchange/view_object.hpp"

#include "shared/base/hash.hpp"
#include "shared/interchange/view_options.hpp"
#include "shared/interchange/view_visual.hpp"

namespace iron::interchange {
namespace {

using namespace asset;

std::string_view entry_type_name(std::int32_t type) {
    static constexpr std::array<std::string_view, 7> kNames{"unspecified", "chassis", "turret", "armour", "part", "cannon", "ammunition"};
    return type >= -1 && type <= 5 ? kNames[static_cast<std::size_t>(type + 1)] : std::string_view("unknown");
}

std::string_view item_type_name(std::int32_t type) {
    switch (type) {
        case 0x01: return "turret drive";
        case 0x02: return "projectile weapon";
        case 0x03: return "mobility support";
        case 0x04: return "targeting";
        case 0x05: return "engine";
        case 0x08: return "radar";
        case 0x09: return "force shield";
        case 0x0A: return "detection shield";
        case 0x0F: return "repair system";
        case 0x11: return "guidance";
        case 0x13: return "battery";
        case 0x14: return "wheel";
        case 0x15: return "deflector";
        case 0x16: return "weapon or actuator";
        case 0x1A: return "engine, alternative";
        case 0x1B: return "armour";
        case 0x1E: return "projectile weapon, alternative";
        default: return "unknown";
    }
}

Json root_json(const CtlRoot& r) {
    return Json{{"max_tangential_acceleration", vec_json(r.max_tangential_acceleration)}, {"opaque0c", words_json(r.opaque0c)},
                {"max_tangential_speed", vec_json(r.max_tangential_speed)}, {"max_angular_speed", vec_json(r.max_angular_speed)},
                {"torque_response", vec_json(r.torque_response)}, {"visual_euler_limit", vec_json(r.visual_euler_limit)},
                {"cleanup_delay_ms", r.cleanup_delay_ms}, {"opaque4c", float_json(r.opaque4c)}, {"opaque50", float_json(r.opaque50)},
                {"physics_mode", r.physics_mode}, {"opaque58", float_json(r.opaque58)}, {"slope_limit", float_json(r.slope_limit)},
                {"opaque60", r.opaque60}, {"opaque64", float_json(r.opaque64)}, {"mobility_integrity", float_json(r.mobility_integrity)}};
}

Json binding_json(const CtlBinding& b) {
    return Json{{"piece", b.piece}, {"animation1", {float_json(b.animation1_start), float_json(b.animation1_end)}},
                {"animation2", {float_json(b.animation2_start), float_json(b.animation2_end)}}, {"blend", float_json(b.blend)},
                {"default", float_json(b.default_value)}, {"primary_point", b.primary_point}, {"secondary_point", b.secondary_point},
                {"opaque", {float_json(b.opaque24), float_json(b.opaque28)}}, {"flags", hex32(b.flags)}};
}

Json item_json(const CtlItem& i) {
    return Json{{"type", i.type}, {"type_name", item_type_name(i.type)}, {"name", text_json(i.name_text())}, {"piece", i.piece},
                {"flags", hex32(i.flags)}, {"optional_index", words_json(i.optional_index)}, {"link_index", i.link_index},
                {"mobility", i.mobility}, {"opaque", floats_json(i.opaque)}, {"parameters", floats_json(i.parameters)},
                {"resource", ref_json(i.resource)}, {"bindings", words_json(i.bindings)}};
}

Json command_json(const CtlCommand& c) {
    return Json{{"opcode", hex32(c.opcode)}, {"condition", {hex32(c.condition_flags), hex32(c.condition_mask), hex32(c.condition_invert)}},
                {"arguments", words_json(c.arguments)}, {"resource", ref_json(c.resource)}};
}

Json state_json(std::uint8_t state) {
    Json out = Json::array();
    if ((state & kResearchAvailable) != 0) out.push_back("available");
    if ((state & kResearchDone) != 0) out.push_back("researched");
    if ((state & kResearchActive) != 0) out.push_back("active");
    if ((state & ~7u) != 0) out.push_back(state);
    return out;
}

}  // namespace

Json view_json(const BaseContour& v, const ViewOptions&) {
    return Json{{"inner", list_json(v.inner, [](const InnerContour& c) {
                     return Json{{"points", list_json(c.points, vec_json)}, {"a", words_json(c.a)}, {"b", words_json(c.b)}};
                 })},
                {"outer", list_json(v.outer, [](const OuterContour& c) {
                     return Json{{"points", list_json(c.points, vec_json)}};
                 })}};
}

Json view_json(const ControlPoints& v, const ViewOptions&) {
    Json points = list_json(v.points, [](const ControlPoint& p) {
        return Json{{"name", fixed_json(ByteView(p.name.raw))}, {"owner_piece", p.owner_piece}, {"target_piece", p.target_piece},
                    {"position", vec_json(p.position)}, {"direction", vec_json(p.direction)}, {"flags", hex32(p.flags)}};
    });
    return Json{{"points", std::move(points)}};
}

Json view_json(const ControlResource& v, const ViewOptions& options) {
    if (!v.parsed()) {
        Json out{{"parsed", false}, {"counters", words_json(v.raw_counters)}, {"bytes", v.raw.size()}};
        out["residual"] = v.residual ? Json(*v.residual) : Json(nullptr);
        if (options.full) out["raw"] = to_hex(v.raw);
        return out;
    }
    return Json{{"parsed", true},
                {"root", root_json(v.root)},
                {"link_slots", v.link_slots},
                {"states", list_json(v.states, [](const CtlState& s) {
                     return Json{{"body", to_hex(s.body)}, {"links", list_json(s.links, [](const auto& l) { return words_json(l); })}};
                 })},
                {"edges", floats_json(v.edges)},
                {"bindings", list_json(v.bindings, binding_json)},
                {"items", list_json(v.items, item_json)},
                {"hooks", words_json(v.hooks)},
                {"command_lists", list_json(v.command_lists, [](const auto& list) { return list_json(list, command_json); })}};
}

Json view_json(const DamageRecords& v, const ViewOptions&) {
    Json records = list_json(v.records, [](const DamageRecord& r) {
        return Json{{"word", r.word}, {"maximum_volume", float_json(r.maximum_volume)}, {"mobility", float_json(r.mobility)}, {"effect", ref_json(r.effect)}};
    });
    return Json{{"records", std::move(records)}};
}

Json view_json(const ReferenceArray& v, const ViewOptions&) {
    Json references = list_json(v.references, ref_json);
    return Json{{"references", std::move(references)}};
}

Json view_json(const Fort& v, const ViewOptions& options) {
    if (!v.is_raw) return Json{{"first", ref_json(v.first)}, {"second", ref_json(v.second)}};
    return Json{{"bytes", v.raw.size()}, {"raw", options.full ? Json(to_hex(v.raw)) : Json("...")}};
}

Json view_json(const RawResource& v, const ViewOptions& options) {
    Json out{{"bytes", v.bytes.size()}, {"sha256", to_hex(sha256(v.bytes))}};
    if (v.family == RawFamily::expl) out["version"] = v.version;
    const std::size_t shown = options.full ? v.bytes.size() : std::min<std::size_t>(v.bytes.size(), 64);
    out["raw"] = to_hex(ByteView(v.bytes).first(shown)) + (shown < v.bytes.size() ? "..." : "");
    return out;
}

Json view_json(const ResearchTree& v, const ViewOptions&) {
    Json nodes = Json::array();
    for (std::size_t i = 0; i < v.nodes.size(); ++i) {
        const ResearchNode& n = v.nodes[i];
        nodes.push_back({{"id", i}, {"short_name", text_json(n.short_name)}, {"long_name", text_json(n.long_name)},
                         {"help", text_json(n.help)}, {"description", text_json(n.description)}, {"cost", float_json(n.cost)},
                         {"time", float_json(n.time)}, {"view", {float_json(n.view_x), float_json(n.view_y)}}, {"state", state_json(n.state)},
                         {"prerequisites", words_json(n.prerequisites)}, {"unlocks", words_json(n.unlocks)},
                         {"turret_type", n.turret_type}, {"main_type", n.main_type}, {"sub_type", n.sub_type},
                         {"build_subsystem", n.build_subsystem}, {"size_of_type", n.size_of_type},
                         {"upgrade_level", n.upgrade_level}, {"auxiliary", n.auxiliary}});
    }
    return Json{{"nodes", std::move(nodes)}};
}

Json view_json(const UnitDat& v, const ViewOptions&) {
    const UnitTree tree = build_unit_tree(v);
    Json out{{"scheme_type", hex32(v.scheme_type)}, {"scheme_name", scheme_type_name(v.scheme_type)},
             {"magic", to_hex(v.magic)}, {"tree_well_formed", tree.well_formed}};
    Json records = Json::array();
    for (std::size_t i = 0; i < v.records.size(); ++i) {
        const UnitRecord& r = v.records[i];
        records.push_back({{"index", i}, {"depth", tree.depth[i]}, {"parent", tree.parent[i]}, {"archive", fixed_json(ByteView(r.archive.raw))},
                           {"prototype", fixed_json(ByteView(r.prototype.raw))}, {"description", fixed_json(ByteView(r.description.raw))},
                           {"kind", r.kind}, {"attach_index", r.attach_index}, {"entry_type", r.entry_type},
                           {"entry_type_name", entry_type_name(r.entry_type)}, {"child_count", r.child_count}});
    }
    out["records"] = std::move(records);
    return out;
}

}  // namespace iron::interchange
