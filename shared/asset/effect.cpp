#include "shared/asset/effect.hpp"

#include <type_traits>

#include "shared/base/error.hpp"

namespace iron::asset {
namespace {

// Bodies consist of 4-byte fields and byte arrays only, so the struct is the disk layout.
static_assert(sizeof(EffectHeader) == kEffectHeaderSize - 4);
static_assert(sizeof(FxLight) == 220 && sizeof(FxSound) == 144 && sizeof(FxParticle) == 196 &&
              sizeof(FxBillboard) == 200 && sizeof(FxTrail) == 108 && sizeof(FxGrid) == 204 &&
              sizeof(FxModel) == 244 && sizeof(FxAnimatedModel) == 204);

struct OpcodeRow {
    std::string_view name;
    std::uint32_t size;
    std::size_t alternative;  // of EffectBody
};
constexpr std::array<OpcodeRow, 11> kOpcodes{{{"", 0, 0},
                                              {"light", 224, 0},
                                              {"sound", 148, 1},
                                              {"particle", 200, 2},
                                              {"billboard", 204, 3},
                                              {"trail", 112, 4},
                                              {"point", 4, 5},
                                              {"plane grid", 208, 6},
                                              {"model", 248, 7},
                                              {"animated model", 208, 8},
                                              {"cube grid", 208, 6}}};

EffectBody empty_body(std::size_t alternative) {
    switch (alternative) {
        case 0: return FxLight{};
        case 1: return FxSound{};
        case 2: return FxParticle{};
        case 3: return FxBillboard{};
        case 4: return FxTrail{};
        case 5: return FxPoint{};
        case 6: return FxGrid{};
        case 7: return FxModel{};
        default: return FxAnimatedModel{};
    }
}

// Where floats are not: the words of a body that are integers. The resource is never a float.
template <class T>
bool all_finite(const T& body) {
    std::array<std::uint32_t, sizeof(T) / 4> words;
    std::memcpy(words.data(), &body, sizeof(T));
    for (const std::uint32_t w : words)
        if ((w & 0x7F800000u) == 0x7F800000u) return false;
    return true;
}

// Non-finite floats are a warning; the integer fields and the names are masked out first.
bool body_finite(const EffectBody& body) {
    return std::visit(
        [](auto copy) {
            using T = decltype(copy);
            if constexpr (std::is_same_v<T, FxPoint>) {
                return true;
            } else {
                if constexpr (std::is_same_v<T, FxBillboard> || std::is_same_v<T, FxAnimatedModel>) {
                    copy.particle.mode = 0;
                    copy.particle.resource = {};
                    if constexpr (std::is_same_v<T, FxAnimatedModel>) copy.render_kind = copy.word204 = 0;
                } else {
                    copy.mode = 0;
                    copy.resource = {};
                    if constexpr (std::is_same_v<T, FxSound>) copy.sound_flags = 0;
                    if constexpr (std::is_same_v<T, FxTrail>) {
                        copy.unread = {};
                        copy.segments = 0;
                    }
                    if constexpr (std::is_same_v<T, FxGrid>) copy.count_a = copy.count_b = 0;
                    if constexpr (std::is_same_v<T, FxModel>) copy.slots = 0;
                }
                return all_finite(copy);
            }
        },
        body);
}

std::uint32_t resource_offset(std::uint32_t opcode) {
    static constexpr std::array<std::uint8_t, 11> kAt{0, 160, 84, 136, 136, 48, 0, 144, 184, 136, 144};
    return kAt[opcode];
}

bool unterminated(const FixedString<32>& field) { return !field.terminated(); }

void check_command(const EffectCommand& command, std::size_t index, std::uint64_t offset, ReadContext& context) {
    const std::string label = "command " + std::to_string(index);
    if ((command.word >> 9) != 0) context.warn("fx_word_bits", label + ": bits 9..31 of the word are set", offset);
    if (!body_finite(command.body)) context.warn("fx_non_finite", label + ": a float is not finite", offset);
    const Ref64* ref = command.resource();
    if (ref == nullptr) return;
    const std::uint64_t at = offset + resource_offset(command.opcode());
    if (unterminated(ref->archive) || unterminated(ref->resource))
        context.warn("ref_no_terminator", label + ": a name fills all 32 bytes", at);
    const bool half = ref->archive.view().empty() || ref->resource.view().empty();
    const bool both = ref->archive.view().empty() && ref->resource.view().empty();
    if (command.opcode() == 1 ? half && !both : half)
        context.warn("fx_empty_reference", label + ": no resource", at);
}

}  // namespace

std::uint32_t effect_command_size(std::uint32_t opcode) {
    return opcode < kOpcodes.size() ? kOpcodes[opcode].size : 0;
}
std::string_view effect_opcode_name(std::uint32_t opcode) {
    return opcode < kOpcodes.size() ? kOpcodes[opcode].name : std::string_view{};
}

const Ref64* EffectCommand::resource() const {
    return std::visit(
        [](const auto& b) -> const Ref64* {
            using T = std::decay_t<decltype(b)>;
            if constexpr (std::is_same_v<T, FxPoint>)
                return nullptr;
            else if constexpr (std::is_same_v<T, FxBillboard> || std::is_same_v<T, FxAnimatedModel>)
                return &b.particle.resource;
            else
                return &b.resource;
        },
        body);
}

Result<EffectCommand> make_effect_command(std::uint32_t opcode, bool enabled) {
    if (effect_command_size(opcode) == 0)
        return fail("fx_bad_opcode", "opcode " + std::to_string(opcode) + " does not exist");
    return EffectCommand{opcode | (enabled ? 0x100u : 0u), empty_body(kOpcodes[opcode].alternative)};
}

Result<Effect> read_effect(ByteView payload, ReadContext& context) {
    ByteReader in(payload);
    Effect effect;
    IRON_TRY(const std::uint32_t count, in.u32("command count"));
    IRON_TRY(const ByteView header, in.view(sizeof(EffectHeader), "effect header"));
    std::memcpy(static_cast<void*>(&effect.header), header.data(), header.size());
    IRON_CHECK(in.require_count(count, 4, "effect commands"));
    const EffectHeader& h = effect.header;
    if (h.time_mode >= kEffectTimeModes)
        context.warn("fx_time_mode", "time mode " + std::to_string(h.time_mode) + " is unknown; 0 is used", 4);
    if (!is_finite(h.duration_s) || !is_finite(h.phase_jitter) || !is_finite(h.random_shift) ||
        !is_finite(h.pivot) || !is_finite(h.scale))
        context.warn("fx_non_finite", "a float of the header is not finite", 8);
    effect.commands.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t offset = in.offset();
        IRON_TRY(const std::uint32_t word, in.u32("command word"));
        const std::uint32_t size = effect_command_size(word & 0xFFu);
        if (size == 0)
            return fail("fx_bad_opcode", "command " + std::to_string(i) + " has opcode " + std::to_string(word & 0xFFu), offset);
        IRON_TRY(const ByteView body, in.view(size - 4, "command body"));
        EffectCommand command{word, empty_body(kOpcodes[word & 0xFFu].alternative)};
        std::visit(
            [&](auto& b) {
                if constexpr (!std::is_same_v<std::decay_t<decltype(b)>, FxPoint>)
                    std::memcpy(static_cast<void*>(&b), body.data(), sizeof b);
            },
            command.body);
        check_command(command, i, offset, context);
        effect.commands.push_back(std::move(command));
    }
    IRON_CHECK(in.expect_end("effect"));
    return effect;
}

Result<Bytes> write_effect(const Effect& effect) {
    ByteWriter out;
    out.u32(static_cast<std::uint32_t>(effect.commands.size()));
    out.put(effect.header);
    for (std::size_t i = 0; i < effect.commands.size(); ++i) {
        const EffectCommand& command = effect.commands[i];
        if (effect_command_size(command.opcode()) == 0 ||
            kOpcodes[command.opcode()].alternative != command.body.index())
            return fail("fx_bad_opcode", "command " + std::to_string(i) + ": the word does not fit the body");
        out.u32(command.word);
        std::visit(
            [&](const auto& b) {
                if constexpr (!std::is_same_v<std::decay_t<decltype(b)>, FxPoint>) out.put(b);
            },
            command.body);
    }
    return out.take();
}

EffectValue effect_value(const EffectHeader& header, float now_s, const EffectInputs& in) {
    EffectValue out;
    const auto ratio = [&](float a, float b) {
        if (b == 0) {
            out.division_by_zero = true;
            return 0.0f;
        }
        return a / b;
    };
    const auto age = [&] { return ratio(now_s, header.duration_s); };
    float v = in.constant;
    switch (header.time_mode) {
        case 1: v = age(); break;
        case 2: {
            const float tn = age();
            v = tn - static_cast<float>(floor_i64(static_cast<double>(tn)));
            break;
        }
        case 3: v = 1 - age(); break;
        case 4: v = in.external; break;
        case 5: v = ratio(length(in.p33), length(in.a)); break;
        case 6: v = ratio(in.p33.x, in.a.x); break;
        case 7: v = ratio(in.p33.y, in.a.y); break;
        case 8: v = ratio(in.p33.z, in.a.z); break;
        case 9: v = ratio(length(in.p36), length(in.b)); break;
        case 10: v = ratio(in.p36.x, in.b.x); break;
        case 11: v = ratio(in.p36.y, in.b.y); break;
        case 12: v = ratio(in.p36.z, in.b.z); break;
        case 13: v = 1 - in.external_resource; break;
        case 14: v = 1 - in.queue_parameter; break;
        case 15: {
            const float first = ratio(length(in.p33), length(in.a)), second = ratio(length(in.p36), length(in.b));
            v = first > second ? first : second;
            break;
        }
        case 16: v = in.external != 0 && in.external < in.previous ? in.previous : in.external; break;
        case 17: v = in.external != 1 && in.external > in.previous ? in.previous : in.external; break;
        default: break;
    }
    out.previous = v;
    if ((header.flags & effect_flag::kTimesAge) != 0) v *= age();
    if ((header.flags & effect_flag::kTriangular) != 0) v = (v < 0.5f ? v : 1 - v) * 2;
    out.value = v;
    return out;
}

std::uint16_t EffectRandom::next() {
    const std::uint32_t lo = state_ & 0xFFFFu, hi = state_ >> 16;
    const std::uint32_t new_lo = (hi ^ (lo * 2)) & 0xFFFFu;
    const std::uint32_t new_hi = ((hi / 2) ^ new_lo) & 0xFFFFu;
    state_ = (new_hi << 16) | new_lo;
    return static_cast<std::uint16_t>(new_hi);
}

}  // namespace iron::asset
