#include "shared/asset/tma.hpp"

#include <set>

#include "shared/archive/path.hpp"
#include "shared/base/text.hpp"

namespace iron::asset {

namespace {

// Limits of mission.md 2.8.
constexpr std::uint32_t kMaxPaths = 16384, kMaxPoints = 1000000, kMaxClans = 16384,
                        kMaxRelations = 65536, kMaxGroups = 65536, kMaxObjects = 1000000,
                        kMaxProperties = 1000000, kMaxExtras = 1000000, kMaxString = 65536;

constexpr char kSpatialQuirk[] = "clan_spatial_in_standard_mode";
constexpr char kSpatialMessage[] = "a clan of mode 1..3 holds 24-byte spatial records";

// How the clans of modes 1..3 are read (mission.md 2.3).
enum class ClanReading { seed, spatial_records };

class TmaReader {
public:
    TmaReader(ByteView bytes, ReadContext& context, ClanReading reading)
        : in_(bytes), context_(context), reading_(reading) {}

    bool saw_first_tag() const { return saw_first_tag_; }

    Result<Tma> whole() {
        Tma out;
        IRON_CHECK(prefix(out));
        IRON_TRY(out.mission_flag, in_.u32("mission flag"));
        IRON_TRY(out.description, text("description"));
        IRON_CHECK(version(out.extra_version, kTmaExtraVersion, "extra section"));
        IRON_TRY(const std::uint32_t extras, count(kMaxExtras, 28, "extra records"));
        out.extras.reserve(extras);
        for (std::uint32_t i = 0; i < extras; ++i) {
            IRON_TRY(TmaExtra record, extra());
            out.extras.push_back(record);
        }
        IRON_CHECK(in_.expect_end("mission"));
        return out;
    }

    Result<TmaPrefix> prefix_only() {
        Tma out;
        IRON_CHECK(prefix(out));
        return TmaPrefix{std::move(out.land_path), in_.offset()};
    }

private:
    Status prefix(Tma& out) {
        IRON_CHECK(version(out.version, kTmaVersion, "mission"));
        IRON_TRY(const std::uint32_t paths, count(kMaxPaths, 8, "paths"));
        out.paths.reserve(paths);
        for (std::uint32_t i = 0; i < paths; ++i) {
            IRON_TRY(TmaPath item, path());
            out.paths.push_back(std::move(item));
        }
        IRON_CHECK(version(out.clan_version, kTmaClanVersion, "clan section"));
        IRON_TRY(const std::uint32_t clans, count(kMaxClans, 40, "clans"));
        out.clans.reserve(clans);
        for (std::uint32_t i = 0; i < clans; ++i) {
            IRON_TRY(TmaClan item, clan());
            out.clans.push_back(std::move(item));
        }
        IRON_CHECK(version(out.object_version, kTmaObjectVersion, "object section"));
        IRON_TRY(const std::uint32_t objects, count(kMaxObjects, 80, "objects"));
        out.objects.reserve(objects);
        for (std::uint32_t i = 0; i < objects; ++i) {
            auto item = object(clans);
            if (!item)
                return tl::unexpected(std::move(item).error().wrap("object " + std::to_string(i)));
            out.objects.push_back(std::move(*item));
        }
        const auto land_offset = in_.offset();
        IRON_TRY(out.land_path, text("land path"));
        if (out.land_path.empty()) {
            context_.warn("tma_empty_name", "the land path is empty", land_offset);
        } else {
            check_path(out.land_path, "land path", land_offset);
        }
        check_names(out);
        return {};
    }

    Result<std::uint32_t> count(std::uint32_t limit, std::uint64_t min_size, std::string_view what) {
        const auto offset = in_.offset();
        IRON_TRY(const std::uint32_t n, in_.u32(what));
        if (n > limit)
            return fail("count_too_large", std::string(what) + ": " + std::to_string(n) +
                                               " is over the limit of " + std::to_string(limit),
                        offset);
        IRON_CHECK(in_.require_count(n, min_size, what));
        return n;
    }

    Result<std::string> text(std::string_view what) {
        IRON_TRY(const std::uint32_t n, count(kMaxString, 1, what));
        IRON_TRY(const ByteView bytes, in_.view(n, what));
        return std::string(as_text(bytes));
    }

    Status version(std::uint32_t& out, std::uint32_t expected, std::string_view what,
                   std::string_view code = "tma_bad_version") {
        const auto offset = in_.offset();
        IRON_TRY(out, in_.u32(what));
        if (out == expected) return {};
        std::string message = std::string(what) + " has version " + std::to_string(out) +
                              " instead of " + std::to_string(expected);
        if (context_.strict()) return fail(std::string(code), std::move(message), offset);
        context_.warn(code, std::move(message), offset);
        return {};
    }

    Result<Vec3> vec3(std::string_view what) {
        Vec3 v;
        IRON_TRY(v.x, in_.f32(what));
        IRON_TRY(v.y, in_.f32(what));
        IRON_TRY(v.z, in_.f32(what));
        return v;
    }
    Result<Vec3> finite_vec3(std::string_view what) {
        const auto offset = in_.offset();
        IRON_TRY(const Vec3 v, vec3(what));
        if (!is_finite(v)) return fail("tma_non_finite", std::string(what) + " is not finite", offset);
        return v;
    }

    void check_path(std::string_view raw, std::string_view what, std::uint64_t offset) {
        auto normal = archive::normalize_path(raw, archive::PathProfile::strict);
        if (!normal)
            context_.warn("tma_bad_path",
                          std::string(what) + " is not a valid path: " + normal.error().message(),
                          offset);
    }

    Result<TmaPath> path() {
        TmaPath out;
        IRON_TRY(out.id, in_.i32("path id"));
        IRON_TRY(const std::uint32_t n, count(kMaxPoints, 12, "path points"));
        const auto offset = in_.offset();
        out.points.reserve(n);
        bool finite = true;
        for (std::uint32_t i = 0; i < n; ++i) {
            IRON_TRY(const Vec3 p, vec3("path point"));
            finite = finite && is_finite(p);
            out.points.push_back(p);
        }
        if (!finite)
            context_.warn("tma_path_non_finite",
                          "path " + std::to_string(out.id) + " has a point that is not finite", offset);
        return out;
    }

    Result<TmaClan> clan() {
        TmaClan out;
        const auto offset = in_.offset();
        IRON_TRY(out.name, text("clan name"));
        IRON_TRY(out.raw_id, in_.i32("clan id"));
        IRON_TRY(out.anchor_x, in_.f32("clan anchor"));
        IRON_TRY(out.anchor_y, in_.f32("clan anchor"));
        const auto in_range = [](float v) { return is_finite(v) && v >= 0 && v <= 10000; };
        if (!in_range(out.anchor_x) || !in_range(out.anchor_y))
            context_.warn("tma_anchor_range", "a clan anchor is outside 0..10000", offset);
        const auto mode_offset = in_.offset();
        IRON_TRY(out.mode, in_.u32("clan mode"));
        if (out.mode > 3)
            return fail("tma_clan_mode", "unknown clan mode " + std::to_string(out.mode), mode_offset);
        const auto script_offset = in_.offset();
        IRON_TRY(out.script_base, text("script base"));
        if (!out.script_base.empty()) check_path(out.script_base, "script base", script_offset);
        if (out.mode == 0) {
            IRON_CHECK(groups(out));
        } else {
            IRON_CHECK(first_tag(out));
        }
        IRON_TRY(out.research_path, text("research path"));
        IRON_TRY(out.second_tag, in_.i32("second tag"));
        IRON_TRY(const std::uint32_t relations, count(kMaxRelations, 8, "relations"));
        out.relations.reserve(relations);
        for (std::uint32_t i = 0; i < relations; ++i) {
            TmaRelation relation;
            IRON_TRY(relation.clan, text("relation clan"));
            IRON_TRY(relation.value, in_.i32("relation value"));
            out.relations.push_back(std::move(relation));
        }
        return out;
    }

    Status groups(TmaClan& out) {
        IRON_TRY(const std::uint32_t n, count(kMaxGroups, 4, "clan groups"));
        out.groups.reserve(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            const auto offset = in_.offset();
            IRON_TRY(const std::uint32_t records, count(kMaxGroups, 20, "group records"));
            if (records != 1)
                context_.warn("clan_group_count",
                              "a clan group has " + std::to_string(records) + " records", offset);
            auto& group = out.groups.emplace_back(records);
            for (auto& record : group)
                for (float& value : record) {
                    IRON_TRY(value, in_.f32("group record"));
                }
        }
        return {};
    }

    Status first_tag(TmaClan& out) {
        const auto offset = in_.offset();
        IRON_TRY(out.first_tag, in_.i32("first tag"));
        if (out.first_tag == 0) return {};
        saw_first_tag_ = true;
        context_.warn("clan_first_tag", "first tag of a clan is " + std::to_string(out.first_tag),
                      offset);
        if (reading_ == ClanReading::seed) return {};
        if (out.first_tag < 0 || static_cast<std::uint32_t>(out.first_tag) > kMaxGroups)
            return fail("count_too_large", "spatial records: bad count", offset);
        const auto n = static_cast<std::uint32_t>(out.first_tag);
        IRON_CHECK(in_.require_count(n, 24, "spatial records"));
        out.spatial.reserve(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            TmaSpatial record;
            IRON_TRY(record.word, in_.i32("spatial record"));
            IRON_TRY(record.position, vec3("spatial record"));
            IRON_TRY(record.a, in_.f32("spatial record"));
            IRON_TRY(record.b, in_.f32("spatial record"));
            out.spatial.push_back(record);
        }
        return {};
    }

    Result<TmaObject> object(std::uint32_t clan_count) {
        TmaObject out;
        IRON_TRY(out.kind, in_.u32("object kind"));
        const auto class_offset = in_.offset();
        IRON_TRY(out.class_word, in_.u32("object class"));
        if (out.class_word != kTmaClassWord) {
            std::string message = "class word of an object is not 0x80000002";
            if (context_.strict()) return fail("tma_class_word", std::move(message), class_offset);
            context_.warn("tma_class_word", std::move(message), class_offset);
        }
        const auto resource_offset = in_.offset();
        IRON_TRY(out.resource, text("resource name"));
        if (out.resource.empty()) {
            context_.warn("tma_empty_name", "an object has an empty resource name", resource_offset);
        } else if (out.is_unit_scheme()) {
            check_path(out.resource, "unit scheme path", resource_offset);
        }
        const auto owner_offset = in_.offset();
        IRON_TRY(out.owner, in_.i32("owner"));
        if (out.owner != -1 && static_cast<std::uint32_t>(out.owner) >= clan_count)
            context_.warn("tma_owner_range", "owner " + std::to_string(out.owner) + " is not a clan",
                          owner_offset);
        IRON_TRY(out.order, in_.u32("order"));
        IRON_TRY(out.position, finite_vec3("position"));
        IRON_TRY(out.orientation, finite_vec3("orientation"));
        IRON_TRY(out.scale, finite_vec3("scale"));
        IRON_TRY(out.name, text("instance name"));
        IRON_TRY(out.word_after_name, in_.u32("word after the name"));
        IRON_TRY(out.link0, in_.i32("link 0"));
        IRON_TRY(out.link1, in_.i32("link 1"));
        IRON_CHECK(version(out.property_schema, kTmaPropertySchema, "property schema",
                           "tma_bad_schema"));
        IRON_TRY(const std::uint32_t n, count(kMaxProperties, 20, "properties"));
        out.properties.reserve(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            TmaProperty item;
            const auto offset = in_.offset();
            IRON_TRY(item.type, in_.u32("property type"));
            if (item.type > 1)
                context_.warn("tma_property_type",
                              "unknown property type " + std::to_string(item.type), offset);
            for (auto& word : item.value) {
                IRON_TRY(word, in_.u32("property value"));
            }
            IRON_TRY(item.name, text("property name"));
            out.properties.push_back(std::move(item));
        }
        return out;
    }

    Result<TmaExtra> extra() {
        TmaExtra out;
        IRON_TRY(out.position, vec3("extra position"));
        IRON_TRY(out.word0, in_.i32("extra word"));
        IRON_TRY(out.flags, in_.u32("extra flags"));
        IRON_TRY(out.value, in_.f32("extra value"));
        IRON_TRY(out.word1, in_.i32("extra word"));
        return out;
    }

    void check_names(const Tma& out) {
        std::set<std::int32_t> ids;
        for (const auto& item : out.paths)
            if (!ids.insert(item.id).second)
                context_.warn("tma_duplicate_path_id",
                              "path id " + std::to_string(item.id) + " occurs twice");
        std::set<std::string_view> names;
        for (const auto& item : out.clans)
            if (!names.insert(item.name).second)
                context_.warn("tma_duplicate_clan", "clan name '" + cp1251_to_utf8(item.name) + "' occurs twice");
        for (const auto& item : out.clans)
            for (const auto& relation : item.relations)
                if (!names.contains(relation.clan))
                    context_.warn("tma_unknown_relation", "clan '" + cp1251_to_utf8(item.name) +
                                                              "' has a relation to unknown clan '" +
                                                              cp1251_to_utf8(relation.clan) + "'");
    }

    ByteReader in_;
    ReadContext& context_;
    ClanReading reading_;
    bool saw_first_tag_ = false;
};

// The seed reading first; if it fails after a non-zero first tag, once more with 24-byte records.
Result<Tma> read_with_retry(ByteView bytes, ReadContext& context) {
    const std::size_t mark = context.diagnostics.size();
    TmaReader reader(bytes, context, ClanReading::seed);
    auto first = reader.whole();
    if (first || !reader.saw_first_tag()) return first;

    const std::vector<Diagnostic> seen(context.diagnostics.begin() + static_cast<std::ptrdiff_t>(mark),
                                       context.diagnostics.end());
    context.diagnostics.resize(mark);
    TmaReader again(bytes, context, ClanReading::spatial_records);
    auto second = again.whole();
    if (!second) {  // neither reading fits: report the documented one
        context.diagnostics.resize(mark);
        context.diagnostics.insert(context.diagnostics.end(), seen.begin(), seen.end());
        return first;
    }
    if (context.strict()) return fail(kSpatialQuirk, kSpatialMessage);
    context.note(Severity::quirk, kSpatialQuirk, kSpatialMessage);
    return second;
}

void put_text(ByteWriter& out, std::string_view text) {
    out.u32(static_cast<std::uint32_t>(text.size()));
    out.text(text);
}

void put_vec3(ByteWriter& out, const Vec3& v) {
    out.f32(v.x);
    out.f32(v.y);
    out.f32(v.z);
}

void put_clan(ByteWriter& out, const TmaClan& clan) {
    put_text(out, clan.name);
    out.i32(clan.raw_id);
    out.f32(clan.anchor_x);
    out.f32(clan.anchor_y);
    out.u32(clan.mode);
    put_text(out, clan.script_base);
    if (clan.mode == 0) {
        out.u32(static_cast<std::uint32_t>(clan.groups.size()));
        for (const auto& group : clan.groups) {
            out.u32(static_cast<std::uint32_t>(group.size()));
            for (const auto& record : group)
                for (const float value : record) out.f32(value);
        }
    } else {
        out.i32(clan.spatial.empty() ? clan.first_tag
                                     : static_cast<std::int32_t>(clan.spatial.size()));
        for (const auto& record : clan.spatial) {
            out.i32(record.word);
            put_vec3(out, record.position);
            out.f32(record.a);
            out.f32(record.b);
        }
    }
    put_text(out, clan.research_path);
    out.i32(clan.second_tag);
    out.u32(static_cast<std::uint32_t>(clan.relations.size()));
    for (const auto& relation : clan.relations) {
        put_text(out, relation.clan);
        out.i32(relation.value);
    }
}

void put_object(ByteWriter& out, const TmaObject& object) {
    out.u32(object.kind);
    out.u32(object.class_word);
    put_text(out, object.resource);
    out.i32(object.owner);
    out.u32(object.order);
    put_vec3(out, object.position);
    put_vec3(out, object.orientation);
    put_vec3(out, object.scale);
    put_text(out, object.name);
    out.u32(object.word_after_name);
    out.i32(object.link0);
    out.i32(object.link1);
    out.u32(object.property_schema);
    out.u32(static_cast<std::uint32_t>(object.properties.size()));
    for (const auto& property : object.properties) {
        out.u32(property.type);
        for (const auto word : property.value) out.u32(word);
        put_text(out, property.name);
    }
}

}  // namespace

bool TmaObject::is_unit_scheme() const { return ascii_iends_with(resource, ".dat"); }

Result<Tma> read_tma(ByteView bytes, ReadContext& context) {
    return read_with_retry(bytes, context);
}

Result<TmaPrefix> read_tma_prefix(ByteView bytes, ReadContext& context) {
    const std::size_t mark = context.diagnostics.size();
    TmaReader reader(bytes, context, ClanReading::seed);
    auto first = reader.prefix_only();
    if (!reader.saw_first_tag()) return first;

    // A prefix has no exact end to decide between the two clan readings: the whole file decides.
    ReadContext probe{context.profile, context.path, context.entry, {}};
    const auto whole = read_tma(bytes, probe);
    if (!whole && whole.error().code() == kSpatialQuirk) return tl::unexpected(whole.error());
    if (!probe.has(kSpatialQuirk)) return first;
    context.diagnostics.resize(mark);
    context.note(Severity::quirk, kSpatialQuirk, kSpatialMessage);
    return TmaReader(bytes, context, ClanReading::spatial_records).prefix_only();
}

Bytes write_tma(const Tma& value) {
    ByteWriter out;
    out.u32(value.version);
    out.u32(static_cast<std::uint32_t>(value.paths.size()));
    for (const auto& path : value.paths) {
        out.i32(path.id);
        out.u32(static_cast<std::uint32_t>(path.points.size()));
        for (const auto& point : path.points) put_vec3(out, point);
    }
    out.u32(value.clan_version);
    out.u32(static_cast<std::uint32_t>(value.clans.size()));
    for (const auto& clan : value.clans) put_clan(out, clan);
    out.u32(value.object_version);
    out.u32(static_cast<std::uint32_t>(value.objects.size()));
    for (const auto& object : value.objects) put_object(out, object);
    put_text(out, value.land_path);
    out.u32(value.mission_flag);
    put_text(out, value.description);
    out.u32(value.extra_version);
    out.u32(static_cast<std::uint32_t>(value.extras.size()));
    for (const auto& extra : value.extras) {
        put_vec3(out, extra.position);
        out.i32(extra.word0);
        out.u32(extra.flags);
        out.f32(extra.value);
        out.i32(extra.word1);
    }
    return out.take();
}

}  // namespace iron::asset
