// A byte stream cut into messages, whose fragments are assembled. Byte 0: the size of the arriving pieces.
#include <cstdlib>

#include "dpcompat/wire/fragments.hpp"
#include "dpcompat/wire/stream.hpp"

using namespace iron;
using namespace iron::dpcompat;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const std::size_t step = std::size_t{data[0]} + 1;
    const ByteView stream(data + 1, size - 1);
    StreamFramer framer;
    FragmentAssembler assembler;
    std::size_t taken = 0;
    for (std::size_t at = 0; at < stream.size(); at += step) {
        framer.feed(stream.subspan(at, std::min(step, stream.size() - at)));
        for (;;) {
            auto block = framer.next();
            if (!block) return 0;
            if (!*block) break;
            taken += (*block)->size();
            if (taken > stream.size()) std::abort();
            const auto read = read_block(**block);
            if (!read || read->message() == nullptr) continue;
            if (const auto* piece = read->message()->as<PacketBody>()) {
                const auto whole = assembler.add(*piece, at);
                if (whole && *whole && (*whole)->size() != piece->whole_bytes) std::abort();
            }
        }
    }
    return 0;
}
