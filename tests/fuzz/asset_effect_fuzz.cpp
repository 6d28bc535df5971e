#include "shared/asset/effect.hpp"
#include "tests/fuzz/asset_roundtrip.hpp"

using namespace iron;
using namespace iron::asset;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::check_roundtrip(
        {data, size}, [](ByteView b, ReadContext& ctx) { return read_effect(b, ctx); },
        [](const Effect& e) { return write_effect(e); },
        [](Effect& e) {
            EffectInputs inputs;
            for (const float t : {0.0f, 0.5f, 1e9f}) inputs.previous = effect_value(e.header, t, inputs).previous;
            // Every command has a known size, so the file's length follows from the opcodes.
            std::size_t want = kEffectHeaderSize;
            for (const EffectCommand& c : e.commands) want += effect_command_size(c.opcode());
            if (write_effect(e).value().size() != want) std::abort();
        });
    return 0;
}
