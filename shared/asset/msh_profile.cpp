// Evidence for the two disputed readings of models (models.md 5.1 and 9.1).
#include "shared/asset/msh.hpp"

namespace iron::asset {

namespace {
bool is_one(std::int16_t c) { return c >= 32766 || c <= -32766; }
bool is_zero(std::int16_t c) { return c >= -1 && c <= 1; }
}  // namespace

void MshProfileScan::add(const MshModel& model, std::optional<std::size_t> wear_rows) {
    for (const MshKey& key : model.keys) {
        const auto& c = key.rotation;
        if (is_one(c[0]) && is_zero(c[1]) && is_zero(c[2]) && is_zero(c[3])) ++keys_w_first_;
        if (is_one(c[3]) && is_zero(c[0]) && is_zero(c[1]) && is_zero(c[2])) ++keys_w_last_;
    }
    for (const MshBatch& b : model.batches) {
        if (b.word2 != 0) ++word2_used_;
        if (b.byte4 != 0) ++byte4_used_;
        if (!wear_rows || b.index_count == 0) continue;
        if (b.word2 >= *wear_rows) word2_in_range_ = false;
        if (b.byte4 >= *wear_rows) byte4_in_range_ = false;
    }
}

MshProfile MshProfileScan::verdict(ReadContext& ctx) const {
    MshProfile out;
    const std::uint64_t a = keys_w_first_, b = keys_w_last_;
    if (a >= 16 && a >= 4 * b) out.quat_order = QuatOrder::wxyz;
    else if (!(b >= 16 && b >= 4 * a))
        ctx.note(Severity::information, "quat_order_undecided", "the models give no quaternion order");

    const std::uint64_t w = word2_used_, y = byte4_used_;
    if (y > 0 && 16 * w <= y && byte4_in_range_) out.batch_row = BatchRow::byte4;
    else if (!(w > 0 && word2_in_range_) && (w != 0 || y != 0))
        ctx.note(Severity::information, "batch_row_undecided", "the models give no WEAR row field");
    return out;
}

}  // namespace iron::asset
