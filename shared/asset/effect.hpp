// FXID: effects, a header and a stream of fixed-size commands. Source: effects.md. Field names of the
// command bodies are inferred there; every byte of a command belongs to exactly one field.
#pragma once

#include <array>
#include <cstdint>
#include <variant>
#include <vector>

#include "shared/asset/ref64.hpp"
#include "shared/base/math.hpp"

namespace iron::asset {

/// effects.md 3; other bits are opaque and preserved.
namespace effect_flag {
inline constexpr std::uint32_t kRandomPhase = 0x0001, kDeleteAtEnd = 0x0002, kDetach = 0x0004,
                               kRandomShift = 0x0008, kAlwaysEmit = 0x0010, kTriangular = 0x0020,
                               kStartInactive = 0x0040, kOnlyWhenOff = 0x0080, kOnlyWhenOn = 0x0100,
                               kTimesAge = 0x0200, kIgnorePiece = 0x8000;
}  // namespace effect_flag

inline constexpr std::size_t kEffectHeaderSize = 60;
inline constexpr std::uint32_t kEffectTimeModes = 18;  ///< modes 0..17

/// The 60 bytes without the command count.
struct EffectHeader {
    std::uint32_t time_mode = 0;  ///< 0..17 (effects.md 4)
    float duration_s = 0;
    float phase_jitter = 0;
    std::uint32_t flags = 0;      ///< effect_flag
    std::uint32_t settings = 0;   ///< the original uses the low byte
    Vec3 random_shift;
    Vec3 pivot;
    Vec3 scale{1, 1, 1};
    bool operator==(const EffectHeader&) const = default;
};

/// Opcode 1: light or billboard. An empty resource is normal here.
struct FxLight {
    std::uint32_t mode = 0;
    float from = 0, to = 0;
    Vec3 position_min, position_max, second_min, second_max;
    std::array<float, 4> parameter_min{}, parameter_max{}, parameter_random{};
    float scalar_min = 0, scalar_max = 0, scalar_random = 0;
    std::array<float, 3> colour{};
    std::array<float, 6> unread{};
    Ref64 resource;
    bool operator==(const FxLight&) const = default;
};
/// Opcode 2: sound.
struct FxSound {
    std::uint32_t mode = 0;
    float from = 0, to = 0;
    Vec3 position_min, position_max, second_min, second_max;
    float scalar0_min = 0, scalar0_max = 0, scalar1_min = 0, scalar1_max = 0;
    std::uint32_t sound_flags = 0;
    Ref64 resource;
    bool operator==(const FxSound&) const = default;
};
/// Opcode 3, and the common part of 4 and 9.
struct FxParticle {
    std::uint32_t mode = 0;
    float alpha_source = 0;  ///< >= 0 normalised age, < 0 global time
    float exponent0 = 0, exponent1 = 0;
    float output_min = 0, output_max = 0, output_exponent = 0;
    float from = 0, to = 0;
    Vec3 vector0_min, vector0_max, vector0_exponents;
    Vec3 vector1_min, vector1_max, vector2_min, vector2_max, vector2_exponents;
    Ref64 resource;
    bool operator==(const FxParticle&) const = default;
};
/// Opcode 4: animated billboard.
struct FxBillboard {
    FxParticle particle;
    float distance = 0;  ///< normalising distance
    bool operator==(const FxBillboard&) const = default;
};
/// Opcode 5: trail.
struct FxTrail {
    std::uint32_t mode = 0;
    std::array<std::uint32_t, 2> unread{};
    float from = 0;
    std::uint32_t segments = 0;
    float to_min = 0, to_max = 0;
    float step = 0, segment_length = 0;
    float alpha_source = 0, exponent = 0;
    Ref64 resource;
    bool operator==(const FxTrail&) const = default;
};
/// Opcode 6: does nothing.
struct FxPoint {
    bool operator==(const FxPoint&) const = default;
};
/// Opcodes 7 and 10: grid of particles on a plane, in a cube.
struct FxGrid {
    std::uint32_t mode = 0;
    float value_min = 0, value_max = 0, value_exponent = 0;
    float from = 0, to = 0;
    float phase_span = 0, phase_rate = 0;
    std::uint32_t count_a = 0, count_b = 0;
    Vec3 set0_min, set0_max, set0_random, set0_exponents;
    Vec3 set1_min, set1_max, set1_random, set1_exponents;
    float gravity = 0;
    Ref64 resource;
    bool operator==(const FxGrid&) const = default;
};
/// Opcode 8: model or spawner.
struct FxModel {
    std::uint32_t mode = 0;
    float from = 0, to = 0, gate_from = 0, gate_to = 0;
    float period_min = 0, period_max = 0, phase_exponent = 0;
    std::uint32_t slots = 0;
    Vec3 set0_min, set0_max, set0_random, set1_min, set1_max, set1_random;
    Vec3 set2_random, set2_exponents;
    Vec3 bounds0, bounds1, bounds2;
    Vec3 render_exponents;
    Ref64 resource;
    bool operator==(const FxModel&) const = default;
};
/// Opcode 9: animated model.
struct FxAnimatedModel {
    FxParticle particle;
    std::uint32_t render_kind = 0;
    std::uint32_t word204 = 0;  ///< 0 sets an internal bit of the original
    bool operator==(const FxAnimatedModel&) const = default;
};

using EffectBody = std::variant<FxLight, FxSound, FxParticle, FxBillboard, FxTrail, FxPoint, FxGrid,
                                FxModel, FxAnimatedModel>;

struct EffectCommand {
    std::uint32_t word = 0;  ///< opcode, enabled bit and 23 more bits that are preserved
    EffectBody body;         ///< the alternative of the opcode

    std::uint32_t opcode() const { return word & 0xFFu; }
    bool enabled() const { return (word & 0x100u) != 0; }
    /// The reference of the body, nullptr for opcode 6.
    const Ref64* resource() const;
    bool operator==(const EffectCommand&) const = default;
};

struct Effect {
    EffectHeader header;
    std::vector<EffectCommand> commands;
    bool operator==(const Effect&) const = default;
};

/// Bytes of a command with its word; 0 for an unknown opcode.
std::uint32_t effect_command_size(std::uint32_t opcode);
/// "light", "sound", "particle" ...; empty for an unknown opcode.
std::string_view effect_opcode_name(std::uint32_t opcode);
/// A zero-filled command. Error `fx_bad_opcode`.
Result<EffectCommand> make_effect_command(std::uint32_t opcode, bool enabled = true);

/// Errors `truncated`, `count_too_large`, `fx_bad_opcode`, `trailing_bytes`. Warnings `fx_time_mode`,
/// `fx_word_bits`, `fx_non_finite`, `fx_empty_reference`, `ref_no_terminator`.
Result<Effect> read_effect(ByteView payload, ReadContext& context);
/// The command count is derived. Error `fx_bad_opcode`: a word that does not fit its body.
Result<Bytes> write_effect(const Effect& effect);

/// What the time modes look at besides the clock (effects.md 4); lengths and components of the
/// owner's vectors and of the two reference vectors A and B.
struct EffectInputs {
    float constant = 0;               ///< mode 0
    float external = 0;               ///< modes 4, 16, 17
    float external_resource = 0;      ///< mode 13
    float queue_parameter = 0;        ///< mode 14
    float previous = 0;               ///< value of the previous update, before the flags
    Vec3 p33, p36, a{1, 1, 1}, b{1, 1, 1};
};
struct EffectValue {
    float value = 0;     ///< after the flags
    float previous = 0;  ///< to hand back next time
    bool division_by_zero = false;
};
/// Value of the effect at `now_s` seconds after its start. Unknown modes give mode 0.
EffectValue effect_value(const EffectHeader& header, float now_s, const EffectInputs& inputs);

/// Random numbers of the original (effects.md 5, inferred): presentation only.
class EffectRandom {
public:
    explicit EffectRandom(std::uint32_t state) : state_(state) {}
    std::uint16_t next();

private:
    std::uint32_t state_;
};

}  // namespace iron::asset
