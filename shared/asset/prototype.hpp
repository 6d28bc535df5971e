// `objects.rlb` prototypes, reference arrays and FORT: arrays of 64-byte references.
// Source: objects.md 2, 4, 9.
#pragma once

#include <vector>

#include "shared/asset/ref64.hpp"

namespace iron::asset {

/// References in stored order; an empty payload is a prototype without references.
struct ReferenceArray {
    std::vector<Ref64> references;
    bool operator==(const ReferenceArray&) const = default;
};

/// The payload of one `objects.rlb` entry; the entry name is the prototype key.
using Prototype = ReferenceArray;

/// Errors: `prototype_bad_size` (length not a multiple of 64, checked before the first reference is
/// read). Warnings: `ref_no_terminator`, `ref_empty_name`.
Result<ReferenceArray> read_reference_array(ByteView bytes, ReadContext& context);
Bytes write_reference_array(const ReferenceArray& value);

inline Result<Prototype> read_prototype(ByteView bytes, ReadContext& context) {
    return read_reference_array(bytes, context);
}
inline Bytes write_prototype(const Prototype& value) { return write_reference_array(value); }

/// FORT: exactly two references (a `.bas` and one that leads to a `.ctl`), or, in the compatible
/// profile, raw bytes of another length.
struct Fort {
    Ref64 first;
    Ref64 second;
    bool is_raw = false;  ///< the length is not 0x80
    Bytes raw;            ///< whole payload when `is_raw`
    bool operator==(const Fort&) const = default;
};

inline constexpr std::size_t kFortSize = 0x80;

/// Strict: error `fort_bad_size` unless 0x80 bytes; compatible: warning of that name, raw kept.
Result<Fort> read_fort(ByteView bytes, ReadContext& context);
Bytes write_fort(const Fort& value);

}  // namespace iron::asset
