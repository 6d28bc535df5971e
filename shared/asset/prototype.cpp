#include "shared/asset/prototype.hpp"

namespace iron::asset {

namespace {
constexpr std::size_t kRefSize = 64;
}

Result<ReferenceArray> read_reference_array(ByteView bytes, ReadContext& context) {
    if (bytes.size() % kRefSize != 0)
        return fail("prototype_bad_size",
                    "length " + std::to_string(bytes.size()) + " is not a multiple of 64");
    ByteReader in(bytes);
    ReferenceArray out;
    out.references.reserve(bytes.size() / kRefSize);
    while (!in.at_end()) {
        const auto offset = in.offset();
        IRON_TRY(Ref64 ref, read_ref64(in, "reference"));
        check_ref64(ref, offset, context);
        out.references.push_back(ref);
    }
    return out;
}

Bytes write_reference_array(const ReferenceArray& value) {
    ByteWriter out;
    for (const auto& ref : value.references) write_ref64(out, ref);
    return out.take();
}

Result<Fort> read_fort(ByteView bytes, ReadContext& context) {
    Fort out;
    if (bytes.size() != kFortSize) {
        std::string message = "FORT has " + std::to_string(bytes.size()) + " bytes instead of 128";
        if (context.strict()) return fail("fort_bad_size", std::move(message));
        context.warn("fort_bad_size", std::move(message));
        out.is_raw = true;
        out.raw.assign(bytes.begin(), bytes.end());
        return out;
    }
    ByteReader in(bytes);
    IRON_TRY(out.first, read_ref64(in, "first reference"));
    IRON_TRY(out.second, read_ref64(in, "second reference"));
    check_ref64(out.first, 0, context);
    check_ref64(out.second, kRefSize, context);
    return out;
}

Bytes write_fort(const Fort& value) {
    if (value.is_raw) return value.raw;
    ByteWriter out;
    write_ref64(out, value.first);
    write_ref64(out, value.second);
    return out.take();
}

}  // namespace iron::asset
