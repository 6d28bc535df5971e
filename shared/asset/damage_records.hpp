// NDPR (`.ndp`): damage record per piece of a model. Source: objects.md 7.
#pragma once

#include <cstdint>
#include <vector>

#include "shared/asset/ref64.hpp"

namespace iron::asset {

/// 76 bytes; the record index is the piece index of the companion model.
struct DamageRecord {
    std::uint32_t word = 0;
    float maximum_volume = 0;  ///< life contribution of the piece (inferred)
    float mobility = 0;        ///< mobility contribution per unit of volume (inferred)
    Ref64 effect;              ///< may be empty: resolve in the current context
    bool operator==(const DamageRecord&) const = default;
};

struct DamageRecords {
    std::vector<DamageRecord> records;
    bool operator==(const DamageRecords&) const = default;
};

/// Errors: `truncated`, `ndpr_bad_size` (size != 4 + 76 * count). Warnings: `ndpr_non_finite`,
/// `ref_no_terminator`.
Result<DamageRecords> read_damage_records(ByteView bytes, ReadContext& context);
Bytes write_damage_records(const DamageRecords& value);

}  // namespace iron::asset
