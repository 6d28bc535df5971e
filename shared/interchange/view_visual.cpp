#include "shared/interchange/view_visual.hpp"

#include "shared/base/hash.hpp"
#include "shared/interchange/view_options.hpp"

namespace iron::interchange {
namespace {

std::string_view format_name(asset::TexmFormat format) {
    switch (format) {
        case asset::TexmFormat::indexed: return "indexed";
        case asset::TexmFormat::rgb565: return "R5 G6 B5";
        case asset::TexmFormat::rgb556: return "R5 G5 B6";
        case asset::TexmFormat::argb4444: return "A4 R4 G4 B4";
        case asset::TexmFormat::la88: return "L8 A8";
        case asset::TexmFormat::rgb888: return "RGB in 4 bytes";
        case asset::TexmFormat::argb8888: return "A8 R8 G8 B8";
    }
    return "";
}

std::string_view mode_name(std::uint32_t header) {
    static constexpr std::array<std::string_view, 4> kNames{"loop", "ping-pong", "one-shot", "random"};
    return (header & 7) < 4 ? kNames[header & 7] : std::string_view("unknown, treated as loop");
}

Json colour_json(const std::array<std::uint8_t, 4>& colour) { return words_json(colour); }

Json phase_json(const asset::MaterialPhase& phase) {
    return Json{{"ambient", colour_json(phase.ambient)},   {"diffuse", colour_json(phase.diffuse)},
                {"specular", colour_json(phase.specular)}, {"emissive", colour_json(phase.emissive)},
                {"power", phase.power},                    {"stage", phase.stage},
                {"texture", fixed_json(ByteView(phase.texture.raw))}};
}

Json block_json(const asset::PhaseBlock& block) {
    return Json{{"mode", block.header & 7u},
                {"mode_name", mode_name(block.header)},
                {"mask", block.mask()},
                {"keys", list_json(block.keys, [](const asset::PhaseKey& key) {
                     return Json{{"phase", key.phase}, {"duration_ms", key.duration_ms}, {"curve", key.curve}};
                 })}};
}

Json row_json(const asset::WearRow& row) { return Json{{"id", text_json(row.id)}, {"name", text_json(row.name)}}; }

// --- from JSON

Status colour_from(const Json& phase, std::string_view key, std::array<std::uint8_t, 4>& out) {
    const Json* value = json_member(phase, key);
    if (value == nullptr) return {};
    if (!value->is_array() || value->size() != 4) return fail("json_bad_value", std::string(key) + ": not four numbers");
    for (std::size_t i = 0; i < 4; ++i) {
        const Json& c = (*value)[i];
        if (!c.is_number_unsigned() || c.get<std::uint64_t>() > 255)
            return fail("json_bad_value", std::string(key) + ": not four numbers of 0..255");
        out[i] = c.get<std::uint8_t>();
    }
    return {};
}

template <class T>
Status number_from(const Json& object, std::string_view key, T& out, std::uint64_t most = std::numeric_limits<T>::max()) {
    if (json_member(object, key) == nullptr) return {};
    IRON_TRY(const std::uint64_t value, json_unsigned(object, key, most));
    out = static_cast<T>(value);
    return {};
}

Status float_from(const Json& object, std::string_view key, float& out) {
    const Json* value = json_member(object, key);
    if (value == nullptr) return {};
    IRON_TRY(out, float_from_json(*value, key));
    return {};
}

Result<asset::MaterialPhase> phase_from(const Json& value) {
    asset::MaterialPhase phase;
    if (!value.is_object()) return fail("json_bad_value", "a phase is not an object");
    IRON_CHECK(colour_from(value, "ambient", phase.ambient));
    IRON_CHECK(colour_from(value, "diffuse", phase.diffuse));
    IRON_CHECK(colour_from(value, "specular", phase.specular));
    IRON_CHECK(colour_from(value, "emissive", phase.emissive));
    IRON_CHECK(number_from(value, "power", phase.power));
    IRON_CHECK(number_from(value, "stage", phase.stage));
    if (const Json* texture = json_member(value, "texture")) IRON_CHECK(fixed_from_json(*texture, phase.texture.raw, "texture"));
    return phase;
}

Result<asset::PhaseBlock> block_from(const Json& value) {
    asset::PhaseBlock block;
    std::uint32_t mode = 0, mask = 0;
    IRON_CHECK(number_from(value, "mode", mode, 7));
    IRON_CHECK(number_from(value, "mask", mask, 0x1FFFFFFF));
    block.header = (mask << 3) | mode;
    IRON_TRY(const Json* keys, json_array(value, "keys"));
    for (const Json& item : *keys) {
        asset::PhaseKey key;
        IRON_CHECK(number_from(item, "phase", key.phase));
        IRON_CHECK(number_from(item, "duration_ms", key.duration_ms));
        IRON_CHECK(number_from(item, "curve", key.curve));
        block.keys.push_back(key);
    }
    return block;
}

Status rows_from(const Json& value, std::string_view key, std::vector<asset::WearRow>& rows) {
    IRON_TRY(const Json* list, json_array(value, key));
    for (const Json& item : *list) {
        const Json* name = json_member(item, "name");
        asset::WearRow row;
        IRON_TRY(row.name, text_from_json(name != nullptr ? *name : item, key));
        row.id = std::to_string(rows.size());
        if (const Json* id = json_member(item, "id")) {
            IRON_TRY(row.id, text_from_json(*id, "id"));
        }
        rows.push_back(std::move(row));
    }
    return {};
}

}  // namespace

Json ref_json(const asset::Ref64& ref) {
    return Json{{"archive", fixed_json(ByteView(ref.archive.raw))}, {"resource", fixed_json(ByteView(ref.resource.raw))}};
}

Json view_json(const asset::Texture& t, const ViewOptions& options) {
    Json out{{"width", t.width},   {"height", t.height}, {"mip_count", t.mip_count},
             {"format", static_cast<std::uint32_t>(t.format)}, {"format_name", format_name(t.format)},
             {"flags4", t.flags4}, {"flags5", t.flags5}, {"unknown6", t.unknown6}};
    if (!t.palette.empty()) out["palette"] = options.full ? Json(to_hex(t.palette)) : Json(std::to_string(t.palette.size()) + " bytes");
    out["pixels"] = {{"bytes", t.pixels.size()}, {"sha256", to_hex(sha256(t.pixels))}};
    if (t.page)
        out["page"] = list_json(*t.page, [](const asset::PageRect& r) {
            return Json{{"x", r.x}, {"y", r.y}, {"width", r.width}, {"height", r.height}};
        });
    return out;
}

Json view_json(const asset::Font& font, const ViewOptions& options) {
    return Json{{"head", options.full ? to_hex(font.head) : to_hex(ByteView(font.head).first(20)) + "..."},
                {"note", "20 bytes and 256 records of 16 bytes are likely; their meaning is unknown"},
                {"texture", view_json(font.texture, options)}};
}

Json view_json(const asset::Palette& palette, const ViewOptions& options) {
    const Bytes rgba = palette.to_rgba();
    std::vector<std::array<std::uint8_t, 4>> colours(256);
    for (std::size_t i = 0; i < 1024; ++i) colours[i / 4][i % 4] = rgba[i];
    return Json{{"colours", bulk_json(colours, options, [](const auto& c) { return words_json(c); })},
                {"blend_table_sha256", to_hex(sha256(palette.blend_table))}};
}

Json view_json(const asset::Material& m, const ViewOptions&) {
    return Json{{"attributes", {m.attributes.attr1, m.attributes.attr2, m.attributes.attr3}},
                {"version", m.version()},
                {"render_kind", m.kind()},
                {"bump", m.bump()},
                {"source_blend", m.source_blend},
                {"destination_blend", m.destination_blend},
                {"alpha", float_json(m.alpha)},
                {"emissive", float_json(m.emissive)},
                {"phases", list_json(m.phases, phase_json)},
                {"blocks", list_json(m.blocks, block_json)}};
}

Json view_json(const asset::Wear& wear, const ViewOptions&) {
    return Json{{"materials", list_json(wear.materials, row_json)}, {"lightmaps", list_json(wear.lightmaps, row_json)}};
}

Json view_json(const asset::Sound& sound, const ViewOptions& options) {
    Json out{{"status", asset::sound_status_name(sound.status)}};
    if (!sound.problem.empty()) out["problem"] = sound.problem;
    if (sound.status != asset::SoundStatus::decoded_sample) return out;
    const asset::WaveInfo& i = sound.info;
    out.update({{"codec", i.codec == asset::WaveCodec::pcm ? "PCM" : "MS ADPCM"},
                {"channels", i.channels},
                {"rate", i.rate},
                {"bits", i.bits},
                {"block_align", i.block_align},
                {"samples_per_block", i.samples_per_block},
                {"frames", i.frames},
                {"seconds", static_cast<double>(i.frames) / i.rate}});
    out["samples"] = bulk_json(sound.samples, options, [](std::int16_t s) { return Json(s); });
    return out;
}

Result<asset::Material> material_from_json(const Json& value) {
    asset::Material m;
    if (const Json* list = json_member(value, "attributes")) {
        if (!list->is_array() || list->size() != 3) return fail("json_bad_value", "attributes: not three numbers");
        const Json named{{"1", (*list)[0]}, {"2", (*list)[1]}, {"3", (*list)[2]}};
        IRON_CHECK(number_from(named, "1", m.attributes.attr1));
        IRON_CHECK(number_from(named, "2", m.attributes.attr2));
        IRON_CHECK(number_from(named, "3", m.attributes.attr3));
    }
    IRON_CHECK(number_from(value, "source_blend", m.source_blend));
    IRON_CHECK(number_from(value, "destination_blend", m.destination_blend));
    IRON_CHECK(float_from(value, "alpha", m.alpha));
    IRON_CHECK(float_from(value, "emissive", m.emissive));
    IRON_TRY(const Json* phases, json_array(value, "phases"));
    for (const Json& item : *phases) {
        IRON_TRY(asset::MaterialPhase phase, phase_from(item));
        m.phases.push_back(phase);
    }
    if (json_member(value, "blocks") == nullptr) return m;
    IRON_TRY(const Json* blocks, json_array(value, "blocks"));
    for (const Json& item : *blocks) {
        IRON_TRY(asset::PhaseBlock block, block_from(item));
        m.blocks.push_back(std::move(block));
    }
    return m;
}

Result<asset::Wear> wear_from_json(const Json& value) {
    asset::Wear wear;
    IRON_CHECK(rows_from(value, "materials", wear.materials));
    if (json_member(value, "lightmaps") != nullptr) IRON_CHECK(rows_from(value, "lightmaps", wear.lightmaps));
    return wear;
}

}  // namespace iron::interchange
