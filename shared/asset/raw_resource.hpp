// Families whose bytes are kept as they are: EXPL, SUND, ANI, SKE, FML, preload. Source: objects.md
// 8, 10, 11, mission.md 8.
#pragma once

#include <cstdint>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::asset {

enum class RawFamily : std::uint8_t { expl, sund, ani, ske, fml, preload };

struct RawResource {
    RawFamily family = RawFamily::expl;
    Bytes bytes;
    std::uint32_t version = 0;  ///< EXPL only: the u32 at offset 0 (inferred); else 0
    bool operator==(const RawResource&) const = default;
};

/// Never fails. Warning `expl_version` when an EXPL has fewer than 4 bytes or a version other than
/// 1..3.
RawResource read_raw_resource(RawFamily family, ByteView bytes, ReadContext& context);
inline Bytes write_raw_resource(const RawResource& value) { return value.bytes; }

}  // namespace iron::asset
