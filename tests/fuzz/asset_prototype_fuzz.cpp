// Prototypes, FORT, contours, control points, damage records: lossless whatever is accepted.
#include <cstdlib>

#include "shared/asset/base_contour.hpp"
#include "shared/asset/control_points.hpp"
#include "shared/asset/damage_records.hpp"
#include "shared/asset/prototype.hpp"

namespace {

template <class Read, class Write>
void check(iron::ByteView bytes, Read read, Write write) {
    iron::ReadContext context;
    context.profile = iron::ReadProfile::compatible;
    const auto value = read(bytes, context);
    if (value && write(*value) != iron::Bytes(bytes.begin(), bytes.end())) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace iron::asset;
    const iron::ByteView bytes(data, size);
    check(bytes, read_reference_array, write_reference_array);
    check(bytes, read_fort, write_fort);
    check(bytes, read_base_contour, write_base_contour);
    check(bytes, read_control_points, write_control_points);
    check(bytes, read_damage_records, write_damage_records);
    return 0;
}
