#include "tests/asset/visual_kit.hpp"

#include "shared/asset/material.hpp"

using namespace iron;
using namespace iron::asset;
using namespace iron::asset::kit;

namespace {

const EntryAttributes kVersion6{0, 6, 0};

/// Two phases, diffuse red 1 -> 0, loop of 2 x 500 ms, mask 0x02 (materials.md 2.6).
Bytes worked_material() {
    return hex("02 00 01 00 FF FF 00 00 80 3F 00 00 00 00 FF FF"
               "FF 64 FF FF FF FF 00 00 00 00 00 00 00 00 00 FF"
               "57 41 4C 4C 2E 30 00 00 00 00 00 00 00 00 00 00"
               "FF FF FF 64 00 FF FF FF 00 00 00 00 00 00 00 00"
               "00 FF 57 41 4C 4C 2E 30 00 00 00 00 00 00 00 00"
               "00 00 10 00 00 00 02 00 00 00 F4 01 00 00 01 00"
               "F4 01 00 00");
}
template <class T>
Bytes poked(std::size_t at, T value) {
    Bytes p = worked_material();
    poke(p, at, value);
    return p;
}
std::string error_of(const Bytes& p, EntryAttributes attributes = kVersion6, ReadContext ctx = strict()) {
    return code_of(read_material(p, attributes, ctx));
}
bool warns(std::string_view code, const Bytes& p, EntryAttributes attributes = kVersion6, ReadContext ctx = strict()) {
    return read_material(p, attributes, ctx) && ctx.has(code);
}

/// Keys (phase, ms) = (0, 200), (1, 300), (2, 500).
Material three_keys(PhaseMode mode) {
    Material m;
    m.phases.resize(3);
    m.blocks = {{PhaseBlock::make_header(mode, 0), {{0, 200, 0}, {1, 300, 0}, {2, 500, 0}}}};
    return m;
}
void check_sample(const Material& m, std::uint32_t elapsed, std::uint32_t current,
                  std::optional<std::uint32_t> next, double a) {
    std::uint32_t start = 0xFFFFFF00u;  // the clock wraps between start and now
    const auto s = select_phase(m, 0, start + elapsed, start, 0);
    REQUIRE(code_of(s) == "");
    INFO("elapsed " << elapsed);
    CHECK(s->current == current);
    CHECK(s->next == next);
    CHECK(s->a == Approx(a).margin(1e-4));
}

}  // namespace

TEST_CASE("the worked material reads field by field and is written back unchanged") {
    REQUIRE(worked_material().size() == 100);
    ReadContext ctx;
    const auto m = read_material(worked_material(), kVersion6, ctx);
    REQUIRE(code_of(m) == "");
    CHECK(ctx.diagnostics.empty());
    CHECK(m->alpha == 1.0f);
    CHECK(m->emissive == 0.0f);
    REQUIRE(m->phases.size() == 2);
    CHECK(m->phases[0].ambient == std::array<std::uint8_t, 4>{255, 255, 255, 100});
    CHECK(m->phases[1].diffuse == std::array<std::uint8_t, 4>{0, 255, 255, 255});
    CHECK(m->phases[1].texture.view() == "WALL.0");
    CHECK(m->blocks.at(0).mode() == PhaseMode::loop);
    CHECK(m->blocks.at(0).mask() == phase_mask::kDiffuse);
    CHECK(write_material(*m).value() == worked_material());

    for (const std::uint32_t t : {250u, 750u}) {
        std::uint32_t start = 0;
        const auto state = evaluate_material(*m, 0, t, start, 0);
        REQUIRE(code_of(state) == "");
        CHECK(state->diffuse[0] == Approx(0.5));
        CHECK(state->diffuse[1] == 1.0f);
        CHECK(state->ambient[3] == Approx(1.0));
        CHECK(state->stage == -1);
        CHECK(state->texture == "WALL.0");
    }
}

TEST_CASE("a new material is the worked one when given the same values") {
    Material m;
    MaterialPhase phase;
    phase.texture.assign("WALL.0");
    m.phases = {phase, phase};
    m.phases[1].diffuse[0] = 0;
    m.blocks = {{PhaseBlock::make_header(PhaseMode::loop, phase_mask::kDiffuse), {{0, 500, 0}, {1, 500, 0}}}};
    CHECK(write_material(m).value() == worked_material());
}

TEST_CASE("older versions lack fields and never gain them") {
    const Bytes phase_bytes = [] {
        const Bytes p = worked_material();
        return Bytes(p.begin() + 14, p.begin() + 14 + 34);
    }();
    const struct { std::uint32_t version; const char* head; } cases[] = {
        {0, "01 00 00 00"}, {1, "01 00 00 00"}, {2, "01 00 00 00 05 06"},
        {3, "01 00 00 00 05 06 00 00 00 3F"}, {4, "01 00 00 00 05 06 00 00 00 3F 00 00 7A 44"},
        {5, "01 00 00 00 05 06 00 00 00 3F 00 00 7A 44"}};
    for (const auto& c : cases) {
        const Bytes payload = join({hex(c.head), phase_bytes});
        ReadContext ctx;
        const auto m = read_material(payload, {0, c.version, 0}, ctx);
        REQUIRE(code_of(m) == "");
        CHECK(m->source_blend == (c.version >= 2 ? 5 : kBlendNotSet));
        CHECK(m->alpha == (c.version >= 3 ? 0.5f : 1.0f));
        CHECK(m->emissive == (c.version >= 4 ? 1000.0f : 0.0f));
        CHECK(write_material(*m).value() == payload);
    }
}

TEST_CASE("the selected phase follows the worked table in every mode") {
    const Material loop = three_keys(PhaseMode::loop);
    check_sample(loop, 250, 1, 2, 0.1667);
    check_sample(loop, 999, 2, 0, 0.998);
    check_sample(loop, 1000, 0, 1, 0);
    check_sample(loop, 1250, 1, 2, 0.1667);
    const Material ping_pong = three_keys(PhaseMode::ping_pong);
    check_sample(ping_pong, 250, 1, 2, 0.1667);
    check_sample(ping_pong, 999, 2, 0, 0.998);
    check_sample(ping_pong, 1000, 2, 0, 1);
    check_sample(ping_pong, 1250, 2, 0, 0.5);
    const Material one_shot = three_keys(PhaseMode::one_shot);
    check_sample(one_shot, 250, 1, 2, 0.1667);
    check_sample(one_shot, 999, 2, 0, 0.998);
    check_sample(one_shot, 1000, 2, std::nullopt, 0);
    check_sample(one_shot, 1250, 2, std::nullopt, 0);
}

TEST_CASE("random mode draws a moment and overwrites the start time") {
    const Material m = three_keys(PhaseMode::random);
    std::uint32_t start = 77;
    const auto s = select_phase(m, 0, 5000, start, 4250).value();
    CHECK(s.current == 1);
    CHECK(s.a == Approx(50.0 / 300));
    CHECK(start == 250);
}

TEST_CASE("materials without motion give their first phase") {
    Material m = three_keys(PhaseMode::loop);
    for (auto& k : m.blocks[0].keys) k.duration_ms = 0;
    m.blocks[0].keys[0].phase = 2;
    check_sample(m, 123, 2, std::nullopt, 0);
    m.blocks[0].keys.clear();
    check_sample(m, 123, 0, std::nullopt, 0);
    m.blocks.clear();
    check_sample(m, 123, 0, std::nullopt, 0);
    m.phases.clear();
    std::uint32_t start = 0;
    CHECK(code_of(select_phase(m, 0, 0, start, 0)) == "mat0_no_phases");
    CHECK(code_of(select_phase_at(m, 0, 0)) == "mat0_no_phases");
}

TEST_CASE("segments without a duration are never chosen") {
    Material m = three_keys(PhaseMode::loop);
    m.blocks[0].keys[1].duration_ms = 0;   // 0..200, -, 200..700
    check_sample(m, 200, 2, 0, 0);
    check_sample(m, 199, 0, 1, 0.995);
    m.blocks[0].keys[1].duration_ms = 300;
    m.blocks[0].keys[2].duration_ms = 0;   // the last segment with a length is 1
    m.blocks[0].header = PhaseBlock::make_header(PhaseMode::ping_pong, 0);
    check_sample(m, 500, 1, 2, 1);         // r == cycle
}

TEST_CASE("a normalised parameter outside 0..1 is the middle") {
    const Material m = three_keys(PhaseMode::one_shot);
    const auto at = [&m](float p) { return select_phase_at(m, 0, p).value(); };
    CHECK(at(0.25f).current == 1);
    CHECK(at(0.25f).a == Approx(50.0 / 300));
    CHECK(at(1).current == 2);
    CHECK(at(1).a == 1.0f);
    for (const float p : {-0.1f, 1.1f, kNan}) {
        CHECK(at(p).current == 2);
        CHECK(at(p).a == 0.0f);
    }
}

TEST_CASE("only masked fields are interpolated, without rounding") {
    Material m;
    m.phases.resize(2);
    MaterialPhase& p = m.phases[0];
    MaterialPhase& q = m.phases[1];
    p.ambient = {255, 0, 0, 100};
    q.ambient = {0, 255, 0, 0};
    p.specular = q.emissive = {255, 255, 255, 255};
    p.diffuse = {255, 255, 255, 255};
    q.diffuse = {0, 0, 0, 0};
    p.texture.assign("A.0");
    p.stage = 200;
    const PhaseSample half{0, 1, 0.5f};
    auto s = evaluate_phase(m, half, phase_mask::kAmbient | phase_mask::kDiffuse);
    CHECK(s.ambient == std::array<float, 4>{0.5f, 0.5f, 0, 1});
    CHECK(s.diffuse == std::array<float, 4>{0.5f, 0.5f, 0.5f, 1});
    CHECK(s.specular[0] == 1.0f);
    CHECK(s.emissive[0] == 0.0f);
    CHECK(s.stage == -56);
    s = evaluate_phase(m, half, phase_mask::kAmbientAlpha | phase_mask::kSpecular | phase_mask::kEmissive | 0x20);
    CHECK(s.ambient[0] == 1.0f);
    CHECK(s.ambient[3] == 0.5f);
    CHECK(s.specular == std::array<float, 4>{0.5f, 0.5f, 0.5f, 1});
    CHECK(s.emissive == std::array<float, 4>{0.5f, 0.5f, 0.5f, 0});
    CHECK(evaluate_phase(m, {1, std::nullopt, 0}, 0).stage == -1);  // untextured
}

TEST_CASE("material structure is checked to the exact end") {
    CHECK(error_of({}) == "truncated");
    CHECK(error_of(hex("00 00 00")) == "truncated");
    CHECK(error_of(hex("00 00 00 00"), {0, 0, 0}) == "");
    Bytes longer = worked_material();
    longer.push_back(0);
    CHECK(error_of(longer) == "trailing_bytes");
    Bytes shorter = worked_material();
    shorter.pop_back();
    CHECK(error_of(shorter) == "count_too_large");
    CHECK(error_of(poked(0, std::uint16_t{60000})) == "count_too_large");
    CHECK(error_of(poked(2, std::uint16_t{20})) == "mat0_too_many_blocks");
    // 19 blocks are legal.
    Material m;
    m.phases.resize(1);
    m.blocks.resize(19);
    CHECK(error_of(write_material(m).value()) == "");
    m.blocks.resize(20);
    CHECK(code_of(write_material(m)) == "mat0_authoring");
}

TEST_CASE("odd material values are reported") {
    const Bytes bad_phase = poked(96 - 2, std::uint16_t{2});
    CHECK(error_of(bad_phase) == "mat0_bad_phase");
    CHECK(warns("mat0_bad_phase", bad_phase, kVersion6, compatible()));
    ReadContext ctx = compatible();
    const auto clamped = read_material(bad_phase, kVersion6, ctx).value();
    std::uint32_t start = 0;
    CHECK(select_phase(clamped, 0, 600, start, 0)->current == 1);
    CHECK(warns("mat0_version", worked_material(), {0, 7, 0}));
    CHECK(warns("mat0_blend", poked(4, std::uint8_t{14})));
    CHECK(warns("mat0_blend", poked(5, std::uint8_t{0})));
    CHECK(warns("mat0_mode", poked(82, std::uint32_t{0x14})));
    CHECK(warns("mat0_non_finite", poked(6, kNan)));
    Bytes full_name = worked_material();
    for (std::size_t i = 0; i < 16; ++i) full_name[32 + i] = 'x';
    CHECK(warns("mat0_texture_name", full_name));
    ReadContext kept;
    const auto m = read_material(full_name, kVersion6, kept).value();
    CHECK(m.phases[0].texture.view().size() == 16);
    CHECK(write_material(m).value() == full_name);
}

TEST_CASE("directory attributes tell the kind of a material") {
    Material m;
    m.attributes.attr1 = 0x2 | (2u << 2);
    CHECK(m.bump());
    CHECK(m.kind() == static_cast<std::uint32_t>(MaterialKind::particle));
}
