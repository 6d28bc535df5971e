// Effects: the worked vector of effects.md 6, every opcode, every check once.
#include <catch2/catch.hpp>

#include "shared/asset/effect.hpp"
#include "tests/asset/visual_kit.hpp"

using namespace iron;
using namespace iron::asset;
using kit::floats;
using kit::hex;
using kit::join;
using kit::text;

namespace {

Bytes padded(std::string_view s, std::size_t size) {
    Bytes out = text(s);
    out.resize(size, 0);
    return out;
}

// effects.md 6: one enabled sound command, 2 s, mode 1, triangular; 208 bytes.
Bytes example() {
    return join({hex("01000000 01000000"), floats({2, 0}), hex("20000000 00000000"), floats({0, 0, 0, 0, 0, 0, 1, 1, 1}),
                 hex("02010000"), hex("00000000"), floats({0, 1}), Bytes(48, 0), floats({1, 1, 1, 1}), hex("00000000"),
                 padded("sounds.lib", 32), padded("boom.wav", 32)});
}

Bytes with_command(std::uint32_t word, std::size_t size) {
    Bytes out = example();
    out.resize(kEffectHeaderSize);
    ByteWriter command;
    command.u32(word);
    command.zeros(size - 4);
    out.insert(out.end(), command.buffer().begin(), command.buffer().end());
    return out;
}

std::string code_of(const Bytes& bytes) {
    ReadContext ctx;
    const auto effect = read_effect(bytes, ctx);
    return effect ? "" : effect.error().code();
}

}  // namespace

TEST_CASE("The worked effect reads to its values and back to its bytes") {
    const Bytes bytes = example();
    REQUIRE(bytes.size() == 208);
    ReadContext ctx;
    const auto effect = read_effect(bytes, ctx);
    REQUIRE(effect);
    CHECK(ctx.diagnostics.empty());
    CHECK(effect->header.time_mode == 1);
    CHECK(effect->header.duration_s == 2);
    CHECK(effect->header.flags == effect_flag::kTriangular);
    REQUIRE(effect->commands.size() == 1);
    const EffectCommand& command = effect->commands[0];
    CHECK(command.opcode() == 2);
    CHECK(command.enabled());
    const auto& sound = std::get<FxSound>(command.body);
    CHECK(sound.to == 1);
    CHECK(sound.scalar1_max == 1);
    CHECK(sound.resource.archive_name() == "sounds.lib");
    CHECK(sound.resource.resource_name() == "boom.wav");
    CHECK(write_effect(*effect).value() == bytes);
}

TEST_CASE("All ten opcodes have the published sizes and keep every byte") {
    constexpr std::uint32_t kSizes[] = {224, 148, 200, 204, 112, 4, 208, 248, 208, 208};
    for (std::uint32_t opcode = 1; opcode <= 10; ++opcode) {
        CAPTURE(opcode);
        const std::uint32_t size = kSizes[opcode - 1];
        CHECK(effect_command_size(opcode) == size);
        Bytes bytes = with_command(0x100 | opcode, size);
        // Every byte of the body its own value: a field at a wrong place or a lost byte shows.
        for (std::size_t i = kEffectHeaderSize + 4; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 % 120);
        ReadContext ctx;
        const auto effect = read_effect(bytes, ctx);
        REQUIRE(effect);
        CHECK(write_effect(*effect).value() == bytes);
        Bytes cut = bytes;
        cut.pop_back();
        // A command that is its word only is missed already when the count is checked.
        CHECK(code_of(cut) == (size == 4 ? "count_too_large" : "truncated"));
        bytes.push_back(0);
        CHECK(code_of(bytes) == "trailing_bytes");
    }
    CHECK(effect_command_size(0) == 0);
    CHECK(effect_command_size(11) == 0);
}

TEST_CASE("References stand where 923 effects have them") {
    constexpr std::size_t kAt[] = {160, 84, 136, 136, 48, 0, 144, 184, 136, 144};
    constexpr std::uint32_t kSizes[] = {224, 148, 200, 204, 112, 4, 208, 248, 208, 208};
    for (std::uint32_t opcode = 1; opcode <= 10; ++opcode) {
        if (opcode == 6) continue;
        CAPTURE(opcode);
        Bytes bytes = with_command(opcode, kSizes[opcode - 1]);
        bytes[kEffectHeaderSize + kAt[opcode - 1]] = 'a';
        bytes[kEffectHeaderSize + kAt[opcode - 1] + 32] = 'b';
        ReadContext ctx;
        const auto effect = read_effect(bytes, ctx);
        REQUIRE(effect);
        REQUIRE(effect->commands[0].resource() != nullptr);
        CHECK(effect->commands[0].resource()->archive_name() == "a");
        CHECK(effect->commands[0].resource()->resource_name() == "b");
        CHECK_FALSE(ctx.has("fx_empty_reference"));
        CHECK_FALSE(effect->commands[0].enabled());
    }
}

TEST_CASE("Every check of an effect") {
    CHECK(code_of(Bytes(59, 0)) == "truncated");
    Bytes bytes = example();
    bytes[0] = 200;  // 200 commands need at least 800 bytes
    CHECK(code_of(bytes) == "count_too_large");
    CHECK(code_of(with_command(0, 4)) == "fx_bad_opcode");
    CHECK(code_of(with_command(11, 4)) == "fx_bad_opcode");

    const auto warns = [](const Bytes& b, std::string_view code) {
        ReadContext ctx;
        REQUIRE(read_effect(b, ctx));
        return ctx.has(code);
    };
    bytes = example();
    bytes[4] = 18;
    CHECK(warns(bytes, "fx_time_mode"));
    bytes[4] = 17;
    CHECK_FALSE(warns(bytes, "fx_time_mode"));
    bytes = example();
    bytes[0x3D] = 0x03;  // bit 9
    CHECK(warns(bytes, "fx_word_bits"));
    bytes = example();
    bytes[0x0A] = 0xC0, bytes[0x0B] = 0x7F;  // duration NaN
    CHECK(warns(bytes, "fx_non_finite"));
    bytes = example();
    bytes[0x48 + 2] = 0x80, bytes[0x48 + 3] = 0x7F;  // end of the sound: infinity
    CHECK(warns(bytes, "fx_non_finite"));
    bytes = example();
    bytes[0xB0] = 0;
    CHECK(warns(bytes, "fx_empty_reference"));
    bytes = example();
    for (std::size_t i = 0x90; i < 0xB0; ++i) bytes[i] = 'x';
    CHECK(warns(bytes, "ref_no_terminator"));
    CHECK_FALSE(warns(with_command(1, 224), "fx_empty_reference"));  // normal for opcode 1
}

TEST_CASE("An effect without commands is 60 bytes, and a body that is not its opcode's is not written") {
    Bytes bytes = example();
    bytes.resize(60);
    bytes[0] = 0;
    ReadContext ctx;
    const auto effect = read_effect(bytes, ctx);
    REQUIRE(effect);
    CHECK(write_effect(*effect).value() == bytes);
    Effect wrong;
    wrong.commands.push_back(make_effect_command(3).value());
    wrong.commands[0].word = 4;
    CHECK(write_effect(wrong).error().code() == "fx_bad_opcode");
    CHECK(make_effect_command(11).error().code() == "fx_bad_opcode");
}

TEST_CASE("Time of an effect: the worked triangle, the fraction, the clamps") {
    EffectHeader header;
    header.duration_s = 2;
    header.time_mode = 1;
    header.flags = effect_flag::kTriangular;
    CHECK(effect_value(header, 0.5f, {}).value == 0.5f);
    CHECK(effect_value(header, 1.5f, {}).value == 0.5f);
    CHECK(effect_value(header, 1.0f, {}).value == 1.0f);
    header.flags = 0;
    header.time_mode = 2;
    CHECK(effect_value(header, 5.0f, {}).value == 0.5f);
    header.time_mode = 3;
    CHECK(effect_value(header, 0.5f, {}).value == 0.75f);
    header.time_mode = 16;
    EffectInputs inputs;
    inputs.previous = 0.6f;
    inputs.external = 0.25f;
    CHECK(effect_value(header, 0, inputs).value == 0.6f);
    inputs.external = 0;  // exactly 0 is not clamped
    CHECK(effect_value(header, 0, inputs).value == 0);
    header.time_mode = 17;
    inputs.external = 0.75f;
    CHECK(effect_value(header, 0, inputs).value == 0.6f);
    inputs.external = 1;
    CHECK(effect_value(header, 0, inputs).value == 1);
    header.time_mode = 1;
    header.duration_s = 0;
    CHECK(effect_value(header, 1, {}).value == 0);
    CHECK(effect_value(header, 1, {}).division_by_zero);
    header.duration_s = 2;
    header.flags = effect_flag::kTimesAge;
    CHECK(effect_value(header, 1.0f, {}).value == 0.25f);  // tn * tn
}

TEST_CASE("The random numbers of the original") {
    EffectRandom random(0x12345678);
    for (const int expected : {0xB7DE, 0x91B9, 0x4DC9, 0x6107, 0xDE42, 0x6CE1}) CHECK(random.next() == expected);
}
