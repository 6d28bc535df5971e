#include "shared/asset/ref64.hpp"

namespace iron::asset {

Ref64 make_ref64(std::string_view archive, std::string_view resource) {
    Ref64 ref;
    ref.archive.assign(archive);
    ref.resource.assign(resource);
    return ref;
}

Result<Ref64> read_ref64(ByteReader& in, std::string_view what) {
    Ref64 ref;
    IRON_TRY(ref.archive, read_fixed_string<32>(in, what));
    IRON_TRY(ref.resource, read_fixed_string<32>(in, what));
    return ref;
}

void write_ref64(ByteWriter& out, const Ref64& ref) {
    out.bytes(ref.archive.raw);
    out.bytes(ref.resource.raw);
}

void check_ref64(const Ref64& ref, std::uint64_t offset, ReadContext& context) {
    if (!ref.archive.terminated() || !ref.resource.terminated())
        context.warn("ref_no_terminator", "a name fills its 32 bytes without a NUL", offset);
    if (ref.archive_name().empty() || ref.resource_name().empty())
        context.warn("ref_empty_name", "a reference has an empty archive or resource name", offset);
}

}  // namespace iron::asset
