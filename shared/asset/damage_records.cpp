#include "shared/asset/damage_records.hpp"

#include "shared/base/math.hpp"

namespace iron::asset {

namespace {
constexpr std::uint64_t kRecordSize = 76;
}

Result<DamageRecords> read_damage_records(ByteView bytes, ReadContext& context) {
    ByteReader in(bytes);
    IRON_TRY(const std::uint32_t count, in.u32("damage record count"));
    if (bytes.size() != 4 + kRecordSize * count)
        return fail("ndpr_bad_size", "size " + std::to_string(bytes.size()) + " is not 4 + 76 * " +
                                         std::to_string(count));
    DamageRecords out;
    out.records.resize(count);
    for (auto& record : out.records) {
        const auto offset = in.offset();
        IRON_TRY(record.word, in.u32("word"));
        IRON_TRY(record.maximum_volume, in.f32("maximum volume"));
        IRON_TRY(record.mobility, in.f32("mobility"));
        IRON_TRY(record.effect, read_ref64(in, "effect"));
        if (!is_finite(record.maximum_volume) || !is_finite(record.mobility))
            context.warn("ndpr_non_finite", "a damage record is not finite", offset);
        if (!record.effect.archive.terminated() || !record.effect.resource.terminated())
            context.warn("ref_no_terminator", "a name fills its 32 bytes without a NUL", offset + 12);
    }
    return out;
}

Bytes write_damage_records(const DamageRecords& value) {
    ByteWriter out;
    out.u32(static_cast<std::uint32_t>(value.records.size()));
    for (const auto& record : value.records) {
        out.u32(record.word);
        out.f32(record.maximum_volume);
        out.f32(record.mobility);
        write_ref64(out, record.effect);
    }
    return out.take();
}

}  // namespace iron::asset
