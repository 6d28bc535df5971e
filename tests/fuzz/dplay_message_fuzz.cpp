// Any bytes as a DirectPlay block: what is accepted is written back to the same bytes, changed or not.
#include <cstdlib>

#include "dpcompat/wire/messages.hpp"

using namespace iron;
using namespace iron::dpcompat;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ByteView bytes(data, size);
    const Bytes whole(bytes.begin(), bytes.end());
    const auto require = [](bool condition) {
        if (!condition) std::abort();
    };
    if (check_block(bytes, true, {})) {
        if (const auto block = read_block(bytes)) require(write_block(*block) == whole);
    }
    if (const auto message = read_message(bytes)) {
        require(write_message(*message) == whole);
        // The usual layout of the same values is read back as the same values.
        Message usual = *message;
        usual.irregular.clear();
        const auto again = read_message(write_message(usual));
        if (message->irregular.empty()) require(again && again->body == message->body);
    }
    if (const auto bare = read_bare_player_message(bytes)) require(write_bare_player_message(*bare) == whole);
    return 0;
}
