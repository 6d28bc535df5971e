#include "shared/asset/script_package.hpp"

namespace iron::asset {

namespace {

constexpr std::uint64_t kEventMin = 13;   // length, NUL, word, record count
constexpr std::uint64_t kRecordMin = 28;  // seven words

Result<std::uint32_t> read_count(ByteReader& in, std::uint64_t limit, std::uint64_t min_size,
                                 std::string_view what) {
    const auto offset = in.offset();
    IRON_TRY(const std::uint32_t n, in.u32(what));
    if (n > limit)
        return fail("count_too_large", std::string(what) + ": " + std::to_string(n) +
                                           " is over the limit of " + std::to_string(limit), offset);
    IRON_CHECK(in.require_count(n, min_size, what));
    return n;
}

Result<ScriptRecord> read_record(ByteReader& in, std::uint32_t handler_count,
                                 const ScriptLimits& limits, ReadContext& context) {
    ScriptRecord record;
    const auto offset = in.offset();
    IRON_TRY(record.w0, in.u32("record selector"));
    IRON_TRY(record.w1, in.u32("record word 1"));
    IRON_TRY(record.w2, in.u32("record word 2"));
    IRON_TRY(record.w3, in.i32("record type"));
    IRON_TRY(record.w4, in.u32("record word 4"));
    IRON_TRY(const std::uint32_t n, read_count(in, limits.references, 4, "record references"));
    record.references.reserve(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        IRON_TRY(const std::uint32_t reference, in.u32("record reference"));
        record.references.push_back(reference);
    }
    IRON_TRY(record.w6, in.u32("record word 6"));
    if (classify_selector(record.w0, handler_count) == SelectorClass::unknown)
        context.warn("script_unknown_selector",
                     "selector " + std::to_string(record.w0) + " is over the handler count", offset);
    if (record.w3 < -1 || record.w3 > 6)
        context.warn("script_record_type", "record type " + std::to_string(record.w3) +
                                               " is not in -1..6", offset + 12);
    return record;
}

Result<std::string> read_name(ByteReader& in) {
    IRON_TRY(const std::uint32_t length, in.u32("event name"));
    const auto offset = in.offset();
    IRON_TRY(const ByteView bytes, in.view(std::uint64_t{length} + 1, "event name"));
    if (bytes.back() != 0)
        return fail("script_no_terminator", "an event name does not end with NUL", offset);
    return std::string(as_text(bytes.first(length)));
}

}  // namespace

SelectorClass classify_selector(std::uint32_t w0, std::uint32_t handler_count) {
    if (w0 == kScriptSentinel) return SelectorClass::sentinel;
    return w0 < handler_count ? SelectorClass::handler : SelectorClass::unknown;
}

Result<ScriptPackage> read_script_package(ByteView bytes, ReadContext& context,
                                          const ScriptLimits& limits) {
    if (bytes.size() > limits.file_bytes)
        return fail("file_too_large", "a script package of " + std::to_string(bytes.size()) +
                                          " bytes is over the limit");
    ByteReader in(bytes);
    ScriptPackage out;
    IRON_TRY(out.handler_count, in.u32("handler count"));
    IRON_TRY(const std::uint32_t events, read_count(in, limits.events, kEventMin, "events"));
    std::uint64_t records_left = limits.records;
    for (std::uint32_t i = 0; i < events; ++i) {
        ScriptEvent event;
        IRON_TRY_WRAP(event.name, read_name(in), "event " + std::to_string(i));
        IRON_TRY(event.word, in.u32("event word"));
        IRON_TRY(const std::uint32_t n, read_count(in, records_left, kRecordMin, "event records"));
        records_left -= n;
        event.records.reserve(n);
        for (std::uint32_t k = 0; k < n; ++k) {
            IRON_TRY_WRAP(ScriptRecord record, read_record(in, out.handler_count, limits, context),
                          "event " + std::to_string(i) + ": record " + std::to_string(k));
            event.records.push_back(std::move(record));
        }
        out.events.push_back(std::move(event));
    }
    if (!in.at_end()) {
        context.warn("script_trailing_bytes",
                     std::to_string(in.remaining()) + " bytes after the last event", in.offset());
        IRON_TRY(const ByteView rest, in.view(in.remaining(), "trailing bytes"));
        out.trailing.assign(rest.begin(), rest.end());
    }
    return out;
}

Bytes write_script_package(const ScriptPackage& value) {
    ByteWriter out;
    out.u32(value.handler_count);
    out.u32(static_cast<std::uint32_t>(value.events.size()));
    for (const auto& event : value.events) {
        out.u32(static_cast<std::uint32_t>(event.name.size()));
        out.text(event.name);
        out.u8(0);
        out.u32(event.word);
        out.u32(static_cast<std::uint32_t>(event.records.size()));
        for (const auto& record : event.records) {
            out.u32(record.w0);
            out.u32(record.w1);
            out.u32(record.w2);
            out.i32(record.w3);
            out.u32(record.w4);
            out.u32(static_cast<std::uint32_t>(record.references.size()));
            for (const auto reference : record.references) out.u32(reference);
            out.u32(record.w6);
        }
    }
    out.bytes(value.trailing);
    return out.take();
}

}  // namespace iron::asset
