// Frames of the reliable envelope: lossless, and a link survives any sequence of them. Frames are separated by a
// length byte.
#include <cstdlib>

#include "dpcompat/wire/reliable.hpp"

using namespace iron;
using namespace iron::dpcompat;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ReliableLink link(1, 6);
    if (!link.send(Bytes(5000, 1), true)) std::abort();
    std::uint64_t now = 0;
    for (std::size_t at = 0; at < size;) {
        const std::size_t length = std::min<std::size_t>(data[at], size - at - 1);
        ++at;
        const ByteView bytes(data + at, length);
        at += length;
        if (const auto frame = read_reliable_frame(bytes))
            if (write_reliable_frame(*frame) != Bytes(bytes.begin(), bytes.end())) std::abort();
        (void)link.receive(bytes, now);
        for (const Bytes& out : link.poll(now += 50))
            if (!read_reliable_frame(out)) std::abort();
    }
    return 0;
}
