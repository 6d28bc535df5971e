// Any bytes as a payload of every codec, and as the text of a pipeline. What a codec accepts stays within its limits.
#include <cstdlib>

#include "dpcompat/netzip/pipeline.hpp"
#include "dpcompat/netzip/profile.hpp"

using namespace iron;
using namespace iron::dpcompat;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    static const std::vector<CodecPtr> codecs = all_packers();
    UnpackLimits limits;
    limits.max_plain_bytes = 65'536;
    const ByteView bytes(data + 2, size - 2);
    const CodecPtr& codec = codecs[data[0] % codecs.size()];
    for (const std::optional<std::size_t> length : {std::optional<std::size_t>(), std::optional<std::size_t>(data[1])}) {
        const auto out = codec->unpack(bytes, length, limits);
        if (!out) continue;
        if (out->plain.size() > limits.max_plain_bytes || out->consumed > bytes.size()) std::abort();
        if (length && out->plain.size() != *length) std::abort();
    }
    const auto packed = codec->pack(bytes);
    if (packed) {
        const auto again = codec->unpack(*packed, bytes.size(), {});
        if (!again || again->plain != Bytes(bytes.begin(), bytes.end())) std::abort();
    }
    if (const auto pipeline = parse_pipeline(as_text(bytes)))
        if (parse_pipeline(pipeline->id())->id() != pipeline->id()) std::abort();
    (void)read_profile(as_text(bytes), "fuzz");
    return 0;
}
