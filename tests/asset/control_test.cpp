#include <catch2/catch.hpp>

#include "shared/asset/base_contour.hpp"
#include "shared/asset/control_points.hpp"
#include "shared/asset/control_resource.hpp"
#include "shared/asset/damage_records.hpp"
#include "shared/asset/raw_resource.hpp"
#include "tests/asset/gameplay_kit.hpp"

using namespace iron;
using namespace iron::asset;
using namespace iron::asset::gameplay_kit;

namespace {

const auto read_bas = [](ByteView b, ReadContext& c) { return read_base_contour(b, c); };
const auto read_cpt = [](ByteView b, ReadContext& c) { return read_control_points(b, c); };
const auto read_ndp = [](ByteView b, ReadContext& c) { return read_damage_records(b, c); };
const auto read_ctl = [](ByteView b, ReadContext& c) { return read_control_resource(b, c); };

// objects.md 5
const char kContour[] = R"(
01 00 00 00 03 00 00 00
00 00 00 00 00 00 00 00 00 00 00 00
00 00 80 3F 00 00 00 00 00 00 00 00
00 00 00 00 00 00 80 3F 00 00 00 00
00 00 00 00 00 00 00 00 00 00 00 00
00 00 00 00 01 00 00 00 02 00 00 00
00 00 00 00 01 00 00 00 02 00 00 00
00 00 00 00)";

// objects.md 6
Bytes worked_points() {
    return padded(hex("01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
                      "00 00 80 3F 00 00 00 40 00 00 40 40 00 00 00 00"
                      "00 00 00 00 00 00 80 3F 52 6F 6F 74"), 72);
}

// objects.md 7
Bytes worked_damage() {
    Bytes out = hex("01 00 00 00 00 00 00 00 00 00 C8 42 00 00 00 3F");
    out = joined({out, padded(text_bytes("system.rlb"), 32), padded(text_bytes("explode_s.exp"), 32)});
    return out;
}

// objects.md 12.9
Bytes smallest_control() {
    return joined({Bytes(128, 0), Bytes(84, 0xFF)});
}

ControlResource full_control() {
    ControlResource out = make_control_resource();
    out.root.max_tangential_speed = {1, 2, 3};
    out.root.cleanup_delay_ms = -5;
    out.root.mobility_integrity = 0.25f;
    out.link_slots = 2;
    out.states.resize(2);
    for (auto& state : out.states) {
        state.body.fill(0x11);
        state.links.assign(2, {1, 2, 3, 4});
    }
    out.edges = {0, 1, 2, 3};
    CtlBinding binding;
    binding.piece = 1;
    binding.primary_point = 0;
    binding.flags = 0x0A;
    out.bindings = {binding};
    CtlItem item;
    item.type = 0x02;
    item.flags = 0x01000000;
    item.resource = make_ref64("weapon.rlb", "shot.exp");
    item.bindings = {0};
    item.name = text_bytes(std::string_view("gun\0", 4));
    out.items = {item};
    CtlCommand command;
    command.opcode = 0x16;
    command.arguments = {0, 1, 2, 3, 0x3F800000};
    command.resource = make_ref64("effects.rlb", "boom");
    out.command_lists = {{command}, {}};
    out.hooks[0] = 0;
    out.hooks[6] = 1;
    return out;
}

}  // namespace

TEST_CASE("the worked contour is one closed triangle") {
    const Bytes bytes = hex(kContour);
    REQUIRE(bytes.size() == 84);
    ReadContext context = strict();
    const auto contour = read_base_contour(bytes, context);
    REQUIRE(contour);
    CHECK(context.diagnostics.empty());
    REQUIRE(contour->inner.size() == 1);
    CHECK(contour->inner[0].points == std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}});
    CHECK(contour->inner[0].a == std::vector<std::uint32_t>{0, 1, 2});
    CHECK(write_base_contour(*contour) == bytes);
    BaseContour made;
    made.inner.push_back(make_inner_contour({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}}));
    CHECK(write_base_contour(made) == bytes);
}

TEST_CASE("contour checks") {
    const Bytes good = hex(kContour);
    CHECK(code_of(read_bas, Bytes(good.begin(), good.end() - 1)) == "truncated");
    CHECK(code_of(read_bas, joined({good, {0}})) == "trailing_bytes");
    CHECK(code_of(read_bas, with_u32(good, 0, 0xFFFFFFFF)) == "count_too_large");
    CHECK(code_of(read_bas, with_u32(good, 4, 0xFFFFFFFF)) == "count_too_large");
    CHECK(code_of(read_bas, with_u32(good, 8, 0x7FC00000)) == "base_non_finite");
    CHECK(reports(read_bas, with_u32(good, 8, 0x7FC00000), "base_non_finite", compatible()));
    CHECK(reports(read_bas, with_u32(good, 8, 0x3F800000), "base_open_contour"));
    CHECK(reports(read_bas, Bytes(8, 0), "base_contour_count"));
}

TEST_CASE("a contour of no segments still has one point") {
    BaseContour contour;
    contour.outer.push_back({{Vec3{1, 2, 3}}});
    const Bytes bytes = write_base_contour(contour);
    CHECK(bytes.size() == 4 + 4 + 4 + 12);
    ReadContext context = strict();
    const auto again = read_base_contour(bytes, context);
    REQUIRE(again);
    CHECK(*again == contour);
}

TEST_CASE("the worked control point is Root at (1,2,3) looking up") {
    const Bytes bytes = worked_points();
    ReadContext context = strict();
    const auto points = read_control_points(bytes, context);
    REQUIRE(points);
    CHECK(context.diagnostics.empty());
    REQUIRE(points->find("root"));
    CHECK(points->find("root")->position == Vec3{1, 2, 3});
    CHECK(points->find("root")->direction == Vec3{0, 0, 1});
    CHECK_FALSE(points->find("Width"));
    CHECK(write_control_points(*points) == bytes);
}

TEST_CASE("control point checks") {
    const Bytes good = worked_points();
    CHECK(code_of(read_cpt, {}) == "truncated");
    CHECK(code_of(read_cpt, Bytes(good.begin(), good.end() - 1)) == "ctpt_bad_size");
    CHECK(code_of(read_cpt, joined({good, {0}})) == "ctpt_bad_size");
    CHECK(code_of(read_cpt, with_u32(good, 0, 0xFFFFFFFF)) == "ctpt_bad_size");
    CHECK(reports(read_cpt, with_u32(good, 16, 0x7F800000), "ctpt_non_finite"));
    Bytes name = good;
    std::fill(name.begin() + 40, name.end(), std::uint8_t{'x'});
    CHECK(reports(read_cpt, name, "ctpt_no_terminator"));
    ReadContext context = strict();
    const auto points = read_control_points(with_u32(good, 8, 3), context);
    check_control_points(*points, 4, context);
    CHECK(context.diagnostics.empty());
    check_control_points(*points, 3, context);
    CHECK(context.has("ctpt_piece_range"));
}

TEST_CASE("the worked damage record") {
    const Bytes bytes = worked_damage();
    REQUIRE(bytes.size() == 80);
    ReadContext context = strict();
    const auto damage = read_damage_records(bytes, context);
    REQUIRE(damage);
    CHECK(context.diagnostics.empty());
    CHECK(damage->records[0].maximum_volume == 100.0f);
    CHECK(damage->records[0].mobility == 0.5f);
    CHECK(damage->records[0].effect.archive_name() == "system.rlb");
    CHECK(damage->records[0].effect.resource_name() == "explode_s.exp");
    CHECK(write_damage_records(*damage) == bytes);
}

TEST_CASE("damage record checks") {
    const Bytes good = worked_damage();
    CHECK(code_of(read_ndp, {}) == "truncated");
    CHECK(code_of(read_ndp, Bytes(good.begin(), good.end() - 1)) == "ndpr_bad_size");
    CHECK(code_of(read_ndp, with_u32(good, 0, 2)) == "ndpr_bad_size");
    CHECK(reports(read_ndp, with_u32(good, 8, 0x7FC00000), "ndpr_non_finite"));
}

TEST_CASE("the smallest control resource has 212 bytes") {
    const Bytes bytes = smallest_control();
    REQUIRE(bytes.size() == 212);
    ReadContext context = strict();
    const auto control = read_control_resource(bytes, context);
    REQUIRE(control);
    CHECK(context.diagnostics.empty());
    CHECK(control->parsed());
    CHECK(control->hooks[20] == -1);
    CHECK(write_control_resource(*control) == bytes);
    CHECK(write_control_resource(make_control_resource()) == bytes);
}

TEST_CASE("a full control resource has the size of its parts and round-trips") {
    const ControlResource value = full_control();
    const Bytes bytes = write_control_resource(value);
    // header, root, states, matrix, binding, item with one binding and a name of 3 + NUL, hooks, lists
    CHECK(bytes.size() == 20 + 108 + 2 * (0x9C + 32) + 16 + 48 + (184 + 4 + 4) + 84 + (4 + 100) + 4);
    ReadContext context = strict();
    const auto again = read_control_resource(bytes, context);
    REQUIRE(again);
    CHECK(again->parsed());
    CHECK(*again == value);
    CHECK(again->items[0].name_text() == "gun");
    CHECK(context.diagnostics.empty());
    CHECK(write_control_resource(*again) == bytes);
}

TEST_CASE("one item without bindings or name takes 396 bytes in this layout") {
    ControlResource value = make_control_resource();
    value.items.resize(1);
    value.items[0].type = 1;
    CHECK(write_control_resource(value).size() == 396);
}

TEST_CASE("a control payload that does not fit is kept raw with its counters") {
    // 392 bytes with counters (0,0,0,1,0), the most frequent payload.
    Bytes bytes(392, 0);
    bytes[12] = 1;
    ReadContext context = strict();
    const auto control = read_control_resource(bytes, context);
    REQUIRE(control);
    CHECK_FALSE(control->parsed());
    CHECK(control->raw_counters == std::array<std::uint32_t, 5>{0, 0, 0, 1, 0});
    CHECK(context.has("ctld_layout_residual"));
    CHECK(write_control_resource(*control) == bytes);

    const Bytes longer = joined({smallest_control(), {1, 2, 3, 4}});
    ReadContext again = strict();
    const auto rest = read_control_resource(longer, again);
    REQUIRE(rest);
    CHECK(rest->residual == 4);
    CHECK(write_control_resource(*rest) == longer);
}

TEST_CASE("control resource checks") {
    CHECK(code_of(read_ctl, Bytes(19)) == "truncated");
    const Bytes good = smallest_control();
    for (std::size_t counter = 0; counter < 5; ++counter) {
        if (counter == 1) continue;  // link slots without states take no room
        CHECK(reports(read_ctl, with_u32(good, counter * 4, 0xFFFFFFFF), "ctld_layout_residual"));
    }
    CHECK(reports(read_ctl, with_u32(good, 128, 0), "ctld_hook_range"));
    CHECK(reports(read_ctl, with_u32(good, 128, 0xFFFFFFFE), "ctld_hook_range"));

    ControlResource value = full_control();
    value.items[0].bindings = {1};
    CHECK(reports(read_ctl, write_control_resource(value), "ctld_binding_range"));
    value = full_control();
    value.items[0].type = 0x7F;
    CHECK(reports(read_ctl, write_control_resource(value), "ctld_unknown_item"));
    value = full_control();
    value.command_lists[0][0].opcode = 0x30;
    CHECK(reports(read_ctl, write_control_resource(value), "ctld_unknown_opcode"));

    ReadContext context = strict();
    check_control_resource(full_control(), 2, 1, context);
    CHECK(context.diagnostics.empty());
    check_control_resource(full_control(), 1, 1, context);
    CHECK(context.has("ctld_piece_range"));
    check_control_resource(full_control(), 2, 0, context);
    CHECK(context.has("ctld_point_range"));
}

TEST_CASE("a negative item name length keeps the payload raw") {
    ControlResource value = make_control_resource();
    value.items.resize(1);
    Bytes bytes = write_control_resource(value);
    bytes = with_u32(bytes, 128 + 0xB4, 0xFFFFFFFF);
    ReadContext context = strict();
    const auto control = read_control_resource(bytes, context);
    REQUIRE(control);
    CHECK_FALSE(control->parsed());
    CHECK(write_control_resource(*control) == bytes);
}

TEST_CASE("raw families keep their bytes; EXPL shows its version word") {
    const Bytes bytes = hex("02 00 00 00 AA BB");
    ReadContext context = strict();
    const RawResource expl = read_raw_resource(RawFamily::expl, bytes, context);
    CHECK(expl.version == 2);
    CHECK(write_raw_resource(expl) == bytes);
    CHECK(context.diagnostics.empty());
    read_raw_resource(RawFamily::expl, hex("04 00 00 00"), context);
    CHECK(context.has("expl_version"));
    ReadContext quiet = strict();
    for (const auto family : {RawFamily::sund, RawFamily::ani, RawFamily::ske, RawFamily::fml,
                              RawFamily::preload})
        CHECK(write_raw_resource(read_raw_resource(family, bytes, quiet)) == bytes);
    CHECK(quiet.diagnostics.empty());
    read_raw_resource(RawFamily::expl, hex("01 00"), quiet);
    CHECK(quiet.has("expl_version"));
}
