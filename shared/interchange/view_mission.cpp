#include "shared/interchange/view_mission.hpp"

#include "shared/base/hash.hpp"
#include "shared/interchange/view_options.hpp"

namespace iron::interchange {
namespace {

using namespace asset;

Json property_json(const TmaProperty& p) {
    Json out{{"name", text_json(p.name)}, {"type", p.type}, {"words", words_json(p.value)}};
    if (p.type == 0) out["values"] = list_json(p.value, [](std::uint32_t w) { return float_json(std::bit_cast<float>(w)); });
    return out;
}

Json object_json(const TmaObject& o) {
    return Json{{"kind", o.kind}, {"class_word", hex32(o.class_word)}, {"resource", text_json(o.resource)}, {"owner", o.owner},
                {"order", o.order}, {"position", vec_json(o.position)}, {"orientation", vec_json(o.orientation)},
                {"scale", vec_json(o.scale)}, {"name", text_json(o.name)}, {"word_after_name", o.word_after_name},
                {"links", {o.link0, o.link1}}, {"property_schema", o.property_schema}, {"properties", list_json(o.properties, property_json)}};
}

Json clan_json(const TmaClan& c) {
    return Json{{"name", text_json(c.name)}, {"raw_id", c.raw_id}, {"anchor", {float_json(c.anchor_x), float_json(c.anchor_y)}},
                {"mode", c.mode}, {"script_base", text_json(c.script_base)}, {"first_tag", c.first_tag},
                {"groups", list_json(c.groups, [](const auto& group) { return list_json(group, [](const auto& r) { return floats_json(r); }); })},
                {"spatial", list_json(c.spatial, [](const TmaSpatial& s) {
                     return Json{{"word", s.word}, {"position", vec_json(s.position)}, {"floats", {float_json(s.a), float_json(s.b)}}};
                 })},
                {"research_path", text_json(c.research_path)}, {"second_tag", c.second_tag},
                {"relations", list_json(c.relations, [](const TmaRelation& r) { return Json{{"clan", text_json(r.clan)}, {"value", r.value}}; })}};
}

Json entries_json(const std::vector<BlockEntry>& entries) {
    return list_json(entries, [](const BlockEntry& e) { return Json{{"key", text_json(e.key)}, {"value", text_json(e.value)}, {"line", e.line + 1}}; });
}

// Depth is bounded by the reader's grammar.
Json block_json(const ConfigBlock& block) {
    return Json{{"word", text_json(block.word)}, {"name", text_json(block.name)}, {"entries", entries_json(block.entries)},
                {"children", list_json(block.children, block_json)}};
}

std::string_view type_name(VariableType type) {
    switch (type) {
        case VariableType::real: return "float";
        case VariableType::dword: return "DWORD";
        case VariableType::string: return "STRING";
        case VariableType::opaque: return "unknown";
    }
    return "";
}

}  // namespace

Json view_json(const Tma& t, const ViewOptions&) {
    return Json{{"versions", {t.version, t.clan_version, t.object_version, t.extra_version}},
                {"land_path", text_json(t.land_path)},
                {"mission_flag", t.mission_flag},
                {"description", text_json(t.description)},
                {"paths", list_json(t.paths, [](const TmaPath& p) { return Json{{"id", p.id}, {"points", list_json(p.points, vec_json)}}; })},
                {"clans", list_json(t.clans, clan_json)},
                {"objects", list_json(t.objects, object_json)},
                {"extras", list_json(t.extras, [](const TmaExtra& e) {
                     return Json{{"position", vec_json(e.position)}, {"word0", e.word0}, {"flags", hex32(e.flags)}, {"value", float_json(e.value)}, {"word1", e.word1}};
                 })}};
}

Json view_json(const ScriptPackage& s, const ViewOptions&) {
    Json out{{"handler_count", s.handler_count}};
    out["events"] = list_json(s.events, [](const ScriptEvent& e) {
        return Json{{"name", text_json(e.name)}, {"word", e.word}, {"records", list_json(e.records, [](const ScriptRecord& r) {
                        return Json{{"selector", r.w0 == kScriptSentinel ? Json(nullptr) : Json(r.w0)}, {"w1", r.w1}, {"w2", r.w2},
                                    {"type", r.w3}, {"w4", r.w4}, {"references", words_json(r.references)}, {"w6", r.w6}};
                    })}};
    });
    if (!s.trailing.empty()) out["trailing"] = to_hex(s.trailing);
    return out;
}

Json view_json(const VariableSet& v, const ViewOptions&) {
    Json variables = Json::array();
    for (std::size_t i = 0; i < v.variables.size(); ++i) {
        const Variable& item = v.variables[i];
        Json entry{{"index", i}, {"type", type_name(item.type)}, {"name", text_json(item.name)}};
        if (item.type == VariableType::real) entry["default"] = float_json(item.as_float());
        if (item.type == VariableType::dword) entry["default"] = item.bits;
        if (!item.extra_fields.empty()) entry["extra_fields"] = list_json(item.extra_fields, [](const std::string& f) { return text_json(f); });
        variables.push_back(std::move(entry));
    }
    return Json{{"variables", std::move(variables)}};
}

Json view_json(const BuildDat& v, const ViewOptions&) {
    Json categories = list_json(v.categories, [](const BuildCategory& c) {
        return Json{{"name", c.name}, {"mask", hex32(c.mask)}, {"paths", list_json(c.paths, [](const std::string& p) { return text_json(p); })}};
    });
    return Json{{"categories", std::move(categories)}};
}

Json view_json(const CompIni& v, const ViewOptions&) {
    Json components = list_json(v.components, [](const Component& c) {
        return Json{{"id", c.id}, {"dll", text_json(c.dll)}, {"function", text_json(c.function)}, {"line", c.line + 1}};
    });
    return Json{{"components", std::move(components)}};
}

Json view_json(const IniDocument& v, const ViewOptions&) {
    Json entries = list_json(v.entries, [](const IniEntry& e) {
        return Json{{"section", text_json(e.section)}, {"key", text_json(e.key)}, {"value", text_json(e.value)}, {"line", e.line + 1}};
    });
    return Json{{"sections", list_json(v.sections, [](const std::string& s) { return text_json(s); })}, {"entries", std::move(entries)}};
}

Json view_json(const BlockDocument& v, const ViewOptions&) {
    return Json{{"entries", entries_json(v.entries)}, {"blocks", list_json(v.blocks, block_json)}};
}

Json view_json(const TextDocument& v, const ViewOptions& options) {
    return Json{{"line_count", v.lines.size()}, {"lines", bulk_json(v.lines, options, [](const TextLine& l) { return text_json(l.bytes); })}};
}

}  // namespace iron::interchange
