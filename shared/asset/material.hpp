// MAT0: materials with phases and their animation. Source: materials.md 2.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::asset {

/// Directory attributes of an outer archive entry.
struct EntryAttributes {
    std::uint32_t attr1 = 0, attr2 = 0, attr3 = 0;
    bool operator==(const EntryAttributes&) const = default;
};

/// attr1 bits 2..5 (names inferred).
enum class MaterialKind : std::uint8_t { standard = 0, special = 1, particle = 2 };

inline constexpr std::uint8_t kBlendNotSet = 0xFF;
inline constexpr std::uint8_t kNoStage = 0xFF;

/// 34 bytes (materials.md 2.3): raw colour bytes R, G, B, A.
struct MaterialPhase {
    std::array<std::uint8_t, 4> ambient{255, 255, 255, 100};  ///< A in hundredths
    std::array<std::uint8_t, 4> diffuse{255, 255, 255, 255};
    std::array<std::uint8_t, 4> specular{};
    std::array<std::uint8_t, 4> emissive{};
    std::uint8_t power = 0;
    std::uint8_t stage = kNoStage;
    FixedString<16> texture;  ///< empty: deliberately untextured

    bool textured() const { return texture.raw[0] != 0; }
    bool operator==(const MaterialPhase&) const = default;
};

enum class PhaseMode : std::uint8_t { loop = 0, ping_pong = 1, one_shot = 2, random = 3 };

struct PhaseKey {
    std::uint16_t phase = 0;
    std::uint16_t duration_ms = 0;
    std::uint16_t curve = 0;  ///< k2, always 0 in data, preserved
    bool operator==(const PhaseKey&) const = default;
};

/// Fields that are interpolated (bits 3..31 of the block header).
namespace phase_mask {
inline constexpr std::uint32_t kAmbient = 0x01, kDiffuse = 0x02, kSpecular = 0x04, kEmissive = 0x08,
                               kAmbientAlpha = 0x10;
}

struct PhaseBlock {
    std::uint32_t header = 0;
    std::vector<PhaseKey> keys;

    std::uint32_t mask() const { return header >> 3; }
    /// Modes 4..7 are treated as loop.
    PhaseMode mode() const {
        const auto m = static_cast<std::uint8_t>(header & 7u);
        return m < 4 ? static_cast<PhaseMode>(m) : PhaseMode::loop;
    }
    static constexpr std::uint32_t make_header(PhaseMode mode, std::uint32_t mask) {
        return (mask << 3) | static_cast<std::uint32_t>(mode);
    }
    bool operator==(const PhaseBlock&) const = default;
};

struct Material {
    EntryAttributes attributes{0, 6, 0};           ///< attr2 is the payload version
    std::uint8_t source_blend = kBlendNotSet;      ///< Direct3D enumeration, 1..13 (inferred)
    std::uint8_t destination_blend = kBlendNotSet;
    float alpha = 1.0f;                            ///< C, global alpha multiplier (inferred)
    float emissive = 0.0f;                         ///< D, global emissive intensity (inferred)
    std::vector<MaterialPhase> phases;
    std::vector<PhaseBlock> blocks;                ///< fewer than 20

    std::uint32_t version() const { return attributes.attr2; }
    /// attr1 bits 2..5.
    std::uint32_t kind() const { return (attributes.attr1 >> 2) & 0xFu; }
    bool bump() const { return (attributes.attr1 & 2u) != 0; }
    bool operator==(const Material&) const = default;
};

/// Errors `truncated`, `count_too_large`, `trailing_bytes`, `mat0_too_many_blocks`
/// ("Too many animations for material."), `mat0_bad_phase` (strict).
Result<Material> read_material(ByteView payload, const EntryAttributes& attributes, ReadContext& ctx);

/// Payload for the material's version; the attributes go into the archive entry.
/// Errors `mat0_authoring`: too many phases, blocks or keys.
Result<Bytes> write_material(const Material& material);

/// What to draw: `next` is absent when nothing is interpolated.
struct PhaseSample {
    std::uint32_t current = 0;
    std::optional<std::uint32_t> next;
    float a = 0;
};

/// Phase at time `now_ms` with start time `start_ms` (materials.md 2.5). `random` is a fresh draw
/// from the presentation generator, used in mode random only (which overwrites start_ms).
/// Error `mat0_no_phases`. A block index beyond the list means no block.
Result<PhaseSample> select_phase(const Material& material, std::size_t block, std::uint32_t now_ms,
                                 std::uint32_t& start_ms, std::uint32_t random);
/// The same with a normalised parameter; outside [0, 1] it becomes 0.5.
Result<PhaseSample> select_phase_at(const Material& material, std::size_t block, float p);

/// Decoded run-time values of one moment.
struct MaterialState {
    std::array<float, 4> ambient{}, diffuse{}, specular{}, emissive{};  ///< R, G, B, A
    std::uint8_t power = 0;
    int stage = -1;               ///< sign-extended; -1 when untextured
    std::string_view texture;     ///< empty = untextured; points into the material
};
MaterialState evaluate_phase(const Material& material, const PhaseSample& sample, std::uint32_t mask);
/// Phase and mask of a block in one go.
Result<MaterialState> evaluate_material(const Material& material, std::size_t block,
                                        std::uint32_t now_ms, std::uint32_t& start_ms,
                                        std::uint32_t random);

}  // namespace iron::asset
