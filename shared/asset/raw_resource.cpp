#include "shared/asset/raw_resource.hpp"

namespace iron::asset {

RawResource read_raw_resource(RawFamily family, ByteView bytes, ReadContext& context) {
    RawResource out{family, Bytes(bytes.begin(), bytes.end()), 0};
    if (family != RawFamily::expl) return out;
    if (bytes.size() >= 4) out.version = load_le<std::uint32_t>(bytes.data());
    if (out.version < 1 || out.version > 3)
        context.warn("expl_version", "version word " + std::to_string(out.version) + " is not 1..3", 0);
    return out;
}

}  // namespace iron::asset
