#include "shared/asset/material.hpp"

#include <algorithm>
#include <string>

#include "shared/base/math.hpp"

namespace iron::asset {

namespace {

constexpr std::size_t kPhaseSize = 34, kKeySize = 6;
constexpr std::size_t kMaxBlocks = 20;
static_assert(sizeof(MaterialPhase) == kPhaseSize && sizeof(PhaseKey) == kKeySize);

bool known_blend(std::uint8_t v) { return (v >= 1 && v <= 13) || v == kBlendNotSet; }

Result<PhaseBlock> read_block(ByteReader& in) {
    PhaseBlock b;
    IRON_TRY(b.header, in.u32("animation header"));
    IRON_TRY(const std::uint16_t keys, in.u16("animation key count"));
    IRON_CHECK(in.require_count(keys, kKeySize, "animation keys"));
    for (std::size_t i = 0; i < keys; ++i) {
        PhaseKey k;
        IRON_TRY(k.phase, in.u16("key phase"));
        IRON_TRY(k.duration_ms, in.u16("key duration"));
        IRON_TRY(k.curve, in.u16("key curve"));
        b.keys.push_back(k);
    }
    return b;
}

Status check(const Material& m, ReadContext& ctx) {
    if (m.version() > 6)
        ctx.warn("mat0_version", "version " + std::to_string(m.version()) + " is read as 6");
    if (!known_blend(m.source_blend) || !known_blend(m.destination_blend))
        ctx.warn("mat0_blend", "a blend factor outside 1..13");
    if (!is_finite(m.alpha) || !is_finite(m.emissive))
        ctx.warn("mat0_non_finite", "a global factor is not finite");
    for (std::size_t i = 0; i < m.phases.size(); ++i)
        if (!m.phases[i].texture.terminated() && !ctx.has("mat0_texture_name"))
            ctx.warn("mat0_texture_name", "phase " + std::to_string(i) + ": 16 name bytes without a NUL");
    for (const PhaseBlock& b : m.blocks) {
        if ((b.header & 7u) > 3 && !ctx.has("mat0_mode"))
            ctx.warn("mat0_mode", "animation mode " + std::to_string(b.header & 7u) + " is read as loop");
        for (const PhaseKey& k : b.keys) {
            if (k.phase < m.phases.size()) continue;
            const std::string text = "a key names phase " + std::to_string(k.phase) + " of " +
                                     std::to_string(m.phases.size());
            if (ctx.strict()) return fail("mat0_bad_phase", text);
            if (!ctx.has("mat0_bad_phase")) ctx.warn("mat0_bad_phase", text);
        }
    }
    return {};
}

std::uint32_t clamped_phase(const Material& m, std::size_t phase) {
    return static_cast<std::uint32_t>(std::min(phase, m.phases.size() - 1));
}

std::uint32_t cycle_ms(const PhaseBlock& block) {
    std::uint32_t sum = 0;  // at most 65 535 keys of 65 535 ms: fits
    for (const PhaseKey& k : block.keys) sum += k.duration_ms;
    return sum;
}

/// Steps 5 and 6: the segment of r in a block whose cycle is not 0.
PhaseSample segment_at(const Material& m, const PhaseBlock& block, double r) {
    double start = 0, chosen_start = 0;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < block.keys.size(); ++i) {
        const double duration = block.keys[i].duration_ms;
        if (duration > 0) {  // r == cycle stays with the last of these
            chosen = i;
            chosen_start = start;
            if (r < start + duration) break;
        }
        start += duration;
    }
    const std::size_t next = chosen + 1 < block.keys.size() ? chosen + 1 : 0;
    return {clamped_phase(m, block.keys[chosen].phase), clamped_phase(m, block.keys[next].phase),
            static_cast<float>((r - chosen_start) / block.keys[chosen].duration_ms)};
}

/// Step 2: nothing to animate. nullopt when there is a cycle.
std::optional<PhaseSample> still_sample(const Material& m, std::size_t block) {
    if (block >= m.blocks.size()) return PhaseSample{0, std::nullopt, 0};
    const PhaseBlock& b = m.blocks[block];
    if (b.keys.empty()) return PhaseSample{0, std::nullopt, 0};
    if (cycle_ms(b) == 0) return PhaseSample{clamped_phase(m, b.keys.front().phase), std::nullopt, 0};
    return std::nullopt;
}

float lerp(float a, float b, float t) { return a + (b - a) * t; }

}  // namespace

Result<Material> read_material(ByteView payload, const EntryAttributes& attributes, ReadContext& ctx) {
    Material m;
    m.attributes = attributes;
    ByteReader in(payload);
    IRON_TRY(const std::uint16_t phases, in.u16("phase count"));
    IRON_TRY(const std::uint16_t blocks, in.u16("animation block count"));
    if (blocks >= kMaxBlocks)
        return fail("mat0_too_many_blocks", "Too many animations for material.", 2);
    if (m.version() >= 2) {
        IRON_TRY(m.source_blend, in.u8("source blend"));
        IRON_TRY(m.destination_blend, in.u8("destination blend"));
    }
    if (m.version() >= 3) {
        IRON_TRY(m.alpha, in.f32("alpha multiplier"));
    }
    if (m.version() >= 4) {
        IRON_TRY(m.emissive, in.f32("emissive intensity"));
    }
    IRON_CHECK(in.require_count(phases, kPhaseSize, "phases"));
    IRON_TRY(const ByteView raw, in.view(std::uint64_t{phases} * kPhaseSize, "phases"));
    m.phases.resize(phases);
    if (phases > 0) std::memcpy(static_cast<void*>(m.phases.data()), raw.data(), raw.size());
    for (std::size_t i = 0; i < blocks; ++i) {
        IRON_TRY_WRAP(auto block, read_block(in), "animation block " + std::to_string(i));
        m.blocks.push_back(std::move(block));
    }
    IRON_CHECK(in.expect_end("material"));
    IRON_CHECK(check(m, ctx));
    return m;
}

Result<Bytes> write_material(const Material& m) {
    if (m.phases.size() > 65535) return fail("mat0_authoring", "more than 65 535 phases");
    if (m.blocks.size() >= kMaxBlocks)
        return fail("mat0_authoring", "Too many animations for material.");
    ByteWriter out;
    out.u16(static_cast<std::uint16_t>(m.phases.size()));
    out.u16(static_cast<std::uint16_t>(m.blocks.size()));
    if (m.version() >= 2) {
        out.u8(m.source_blend);
        out.u8(m.destination_blend);
    }
    if (m.version() >= 3) out.f32(m.alpha);
    if (m.version() >= 4) out.f32(m.emissive);
    for (const MaterialPhase& p : m.phases) out.put(p);
    for (const PhaseBlock& b : m.blocks) {
        if (b.keys.size() > 65535) return fail("mat0_authoring", "more than 65 535 animation keys");
        out.u32(b.header);
        out.u16(static_cast<std::uint16_t>(b.keys.size()));
        for (const PhaseKey& k : b.keys) out.put(k);
    }
    return out.take();
}

Result<PhaseSample> select_phase(const Material& m, std::size_t block, std::uint32_t now_ms,
                                 std::uint32_t& start_ms, std::uint32_t random) {
    if (m.phases.empty()) return fail("mat0_no_phases", "the material has no phases");
    if (const auto still = still_sample(m, block)) return *still;
    const PhaseBlock& b = m.blocks[block];
    const std::uint32_t cycle = cycle_ms(b);
    const std::uint32_t elapsed = now_ms - start_ms;  // unsigned wrap is intended
    const std::uint32_t turns = elapsed / cycle;
    std::uint32_t r = elapsed % cycle;
    switch (b.mode()) {
        case PhaseMode::loop: break;
        case PhaseMode::ping_pong:
            if (turns % 2 == 1) r = cycle - r;
            break;
        case PhaseMode::one_shot:
            if (turns > 0) return PhaseSample{clamped_phase(m, b.keys.back().phase), std::nullopt, 0};
            break;
        case PhaseMode::random:
            r = random % cycle;
            start_ms = r;  // as in the original
            break;
    }
    return segment_at(m, b, r);
}

Result<PhaseSample> select_phase_at(const Material& m, std::size_t block, float p) {
    if (m.phases.empty()) return fail("mat0_no_phases", "the material has no phases");
    if (const auto still = still_sample(m, block)) return *still;
    const PhaseBlock& b = m.blocks[block];
    if (!(p >= 0 && p <= 1)) p = 0.5f;
    return segment_at(m, b, static_cast<double>(p) * cycle_ms(b));
}

MaterialState evaluate_phase(const Material& m, const PhaseSample& sample, std::uint32_t mask) {
    MaterialState out;
    if (sample.current >= m.phases.size()) return out;
    const MaterialPhase& cur = m.phases[sample.current];
    const MaterialPhase& next =
        sample.next && *sample.next < m.phases.size() ? m.phases[*sample.next] : cur;
    const auto colour = [&](auto field, bool blend) {
        std::array<float, 4> c{};
        for (std::size_t i = 0; i < 4; ++i) {
            c[i] = static_cast<float>((cur.*field)[i]) / 255.0f;
            if (blend && i < 3) c[i] = lerp(c[i], static_cast<float>((next.*field)[i]) / 255.0f, sample.a);
        }
        return c;
    };
    out.ambient = colour(&MaterialPhase::ambient, mask & phase_mask::kAmbient);
    out.diffuse = colour(&MaterialPhase::diffuse, mask & phase_mask::kDiffuse);
    out.specular = colour(&MaterialPhase::specular, mask & phase_mask::kSpecular);
    out.emissive = colour(&MaterialPhase::emissive, mask & phase_mask::kEmissive);
    out.ambient[3] = static_cast<float>(cur.ambient[3]) * 0.01f;
    if (mask & phase_mask::kAmbientAlpha)
        out.ambient[3] = lerp(out.ambient[3], static_cast<float>(next.ambient[3]) * 0.01f, sample.a);
    out.power = cur.power;
    out.texture = cur.texture.view();
    out.stage = cur.textured() ? static_cast<std::int8_t>(cur.stage) : -1;
    return out;
}

Result<MaterialState> evaluate_material(const Material& m, std::size_t block, std::uint32_t now_ms,
                                        std::uint32_t& start_ms, std::uint32_t random) {
    IRON_TRY(const PhaseSample sample, select_phase(m, block, now_ms, start_ms, random));
    return evaluate_phase(m, sample, block < m.blocks.size() ? m.blocks[block].mask() : 0);
}

}  // namespace iron::asset
