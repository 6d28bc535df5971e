// The JSON view of effects: one object a command, fields named as in shared/asset/effect.hpp.
#include "shared/interchange/view_options.hpp"
#include "shared/interchange/view_visual.hpp"

namespace iron::interchange {
namespace {

using namespace asset;

Json range(Vec3 a, Vec3 b) { return Json{{"min", vec_json(a)}, {"max", vec_json(b)}}; }
Json range(float a, float b) { return Json{{"min", float_json(a)}, {"max", float_json(b)}}; }

Json body(const FxLight& b) {
    return Json{{"mode", b.mode}, {"from", float_json(b.from)}, {"to", float_json(b.to)},
                {"position", range(b.position_min, b.position_max)}, {"second", range(b.second_min, b.second_max)},
                {"parameter_min", floats_json(b.parameter_min)}, {"parameter_max", floats_json(b.parameter_max)},
                {"parameter_random", floats_json(b.parameter_random)}, {"scalar", range(b.scalar_min, b.scalar_max)},
                {"scalar_random", float_json(b.scalar_random)}, {"colour", floats_json(b.colour)},
                {"unread", floats_json(b.unread)}, {"resource", ref_json(b.resource)}};
}
Json body(const FxSound& b) {
    return Json{{"mode", b.mode}, {"from", float_json(b.from)}, {"to", float_json(b.to)},
                {"position", range(b.position_min, b.position_max)}, {"second", range(b.second_min, b.second_max)},
                {"scalar0", range(b.scalar0_min, b.scalar0_max)}, {"scalar1", range(b.scalar1_min, b.scalar1_max)},
                {"sound_flags", b.sound_flags}, {"resource", ref_json(b.resource)}};
}
Json body(const FxParticle& b) {
    return Json{{"mode", b.mode}, {"alpha_source", float_json(b.alpha_source)},
                {"exponents", floats_json(std::array{b.exponent0, b.exponent1})}, {"output", range(b.output_min, b.output_max)},
                {"output_exponent", float_json(b.output_exponent)}, {"from", float_json(b.from)}, {"to", float_json(b.to)},
                {"vector0", range(b.vector0_min, b.vector0_max)}, {"vector0_exponents", vec_json(b.vector0_exponents)},
                {"vector1", range(b.vector1_min, b.vector1_max)}, {"vector2", range(b.vector2_min, b.vector2_max)},
                {"vector2_exponents", vec_json(b.vector2_exponents)}, {"resource", ref_json(b.resource)}};
}
Json body(const FxBillboard& b) {
    Json out = body(b.particle);
    out["distance"] = float_json(b.distance);
    return out;
}
Json body(const FxTrail& b) {
    return Json{{"mode", b.mode}, {"unread", words_json(b.unread)}, {"from", float_json(b.from)}, {"segments", b.segments},
                {"to", range(b.to_min, b.to_max)}, {"step", float_json(b.step)}, {"segment_length", float_json(b.segment_length)},
                {"alpha_source", float_json(b.alpha_source)}, {"exponent", float_json(b.exponent)}, {"resource", ref_json(b.resource)}};
}
Json body(const FxPoint&) { return Json::object(); }
Json body(const FxGrid& b) {
    return Json{{"mode", b.mode}, {"value", range(b.value_min, b.value_max)}, {"value_exponent", float_json(b.value_exponent)},
                {"from", float_json(b.from)}, {"to", float_json(b.to)}, {"phase_span", float_json(b.phase_span)},
                {"phase_rate", float_json(b.phase_rate)}, {"counts", {b.count_a, b.count_b}},
                {"set0", range(b.set0_min, b.set0_max)}, {"set0_random", vec_json(b.set0_random)},
                {"set0_exponents", vec_json(b.set0_exponents)}, {"set1", range(b.set1_min, b.set1_max)},
                {"set1_random", vec_json(b.set1_random)}, {"set1_exponents", vec_json(b.set1_exponents)},
                {"gravity", float_json(b.gravity)}, {"resource", ref_json(b.resource)}};
}
Json body(const FxModel& b) {
    return Json{{"mode", b.mode}, {"from", float_json(b.from)}, {"to", float_json(b.to)}, {"gate", range(b.gate_from, b.gate_to)},
                {"period", range(b.period_min, b.period_max)}, {"phase_exponent", float_json(b.phase_exponent)}, {"slots", b.slots},
                {"set0", range(b.set0_min, b.set0_max)}, {"set0_random", vec_json(b.set0_random)},
                {"set1", range(b.set1_min, b.set1_max)}, {"set1_random", vec_json(b.set1_random)},
                {"set2_random", vec_json(b.set2_random)}, {"set2_exponents", vec_json(b.set2_exponents)},
                {"bounds", {vec_json(b.bounds0), vec_json(b.bounds1), vec_json(b.bounds2)}},
                {"render_exponents", vec_json(b.render_exponents)}, {"resource", ref_json(b.resource)}};
}
Json body(const FxAnimatedModel& b) {
    Json out = body(b.particle);
    out["render_kind"] = b.render_kind;
    out["word204"] = b.word204;
    return out;
}

}  // namespace

Json view_json(const asset::Effect& effect, const ViewOptions&) {
    const EffectHeader& h = effect.header;
    Json out{{"time_mode", h.time_mode}, {"duration_s", float_json(h.duration_s)}, {"phase_jitter", float_json(h.phase_jitter)},
             {"flags", hex32(h.flags)}, {"settings", h.settings}, {"random_shift", vec_json(h.random_shift)},
             {"pivot", vec_json(h.pivot)}, {"scale", vec_json(h.scale)}};
    out["commands"] = list_json(effect.commands, [](const EffectCommand& command) {
        Json item{{"opcode", command.opcode()}, {"kind", effect_opcode_name(command.opcode())}, {"enabled", command.enabled()},
                  {"word", hex32(command.word)}};
        item.update(std::visit([](const auto& b) { return body(b); }, command.body));
        return item;
    });
    return out;
}

}  // namespace iron::interchange
