#include "shared/asset/unit_dat.hpp"

#include "shared/base/text.hpp"

namespace iron::asset {

namespace {

struct SchemeTypeName {
    std::uint32_t value;
    std::string_view name;
};

// objects.md 3.3
constexpr SchemeTypeName kSchemeTypes[] = {
    {0x80000000u, "building"},        {0x01000000u, "robot"},
    {0x20000000u, "animal"},          {0x80010000u, "small bunker"},
    {0x80020000u, "medium bunker"},   {0x80040000u, "large bunker"},
    {0x80000002u, "generator"},       {0x80000004u, "mine"},
    {0x80000008u, "storage"},         {0x80000010u, "plant"},
    {0x80000040u, "hangar"},          {0x80100000u, "medium tower"},
    {0x80200000u, "large tower"},     {0x80000200u, "main teleport"},
    {0x80000400u, "institute"},       {0x80001000u, "bridge"},
    {0x80002000u, "ruin"},            {0x01002000u, "transport robot"},
    {0x01004000u, "builder robot"},   {0x01008000u, "battle robot"},
    {0x01010000u, "headquarters robot"}, {0x01020000u, "hero robot"},
};

}  // namespace

std::string_view scheme_type_name(std::uint32_t scheme_type) {
    for (const auto& known : kSchemeTypes)
        if (known.value == scheme_type) return known.name;
    return {};
}

bool is_known_scheme_type(std::uint32_t scheme_type) {
    return !scheme_type_name(scheme_type).empty();
}

Result<UnitDat> read_unit_dat(ByteView bytes, ReadContext& context) {
    if (bytes.size() < kUnitHeaderSize)
        return fail("truncated", "a unit scheme needs 8 bytes, " + std::to_string(bytes.size()) +
                                     " are there", bytes.size());
    if ((bytes.size() - kUnitHeaderSize) % kUnitRecordSize != 0)
        return fail("dat_bad_size", "size " + std::to_string(bytes.size()) +
                                        " is not 8 + 112 * records");
    UnitDat out;
    std::copy_n(bytes.begin(), 4, out.magic.begin());
    if (out.magic[0] != 0xF1 || out.magic[1] != 0xF0)
        return fail("dat_bad_magic", "a unit scheme begins with the bytes F1 F0", 0);
    if (out.magic[2] != 0 || out.magic[3] != 0)
        context.warn("dat_header_bytes", "header bytes 2 and 3 are not zero", 2);

    ByteReader in(bytes);
    IRON_TRY([[maybe_unused]] ByteView magic, in.view(4, "magic"));
    IRON_TRY(out.scheme_type, in.u32("scheme type"));
    if (!is_known_scheme_type(out.scheme_type))
        context.warn("dat_unknown_scheme_type", "scheme type is not in the list", 4);

    out.records.reserve((bytes.size() - kUnitHeaderSize) / kUnitRecordSize);
    while (!in.at_end()) {
        const auto offset = in.offset();
        const std::string label = "record " + std::to_string(out.records.size()) + ": ";
        UnitRecord record;
        IRON_TRY(record.archive, read_fixed_string<32>(in, "archive"));
        IRON_TRY(record.prototype, read_fixed_string<32>(in, "prototype key"));
        IRON_TRY(record.kind, in.u32("kind"));
        IRON_TRY(record.attach_index, in.i32("attach index"));
        IRON_TRY(record.description, read_fixed_string<32>(in, "description"));
        IRON_TRY(record.entry_type, in.i32("entry type"));
        IRON_TRY(record.child_count, in.u32("child count"));
        if (record.kind != 1) context.warn("dat_bad_kind", label + "kind is not 1", offset + 0x40);
        if (!ascii_iequals(ascii_trim(record.archive.view()), "objects.rlb"))
            context.warn("dat_archive", label + "archive is not objects.rlb", offset);
        if (ascii_trim(record.prototype.view()).empty())
            context.warn("dat_empty_key", label + "prototype key is empty", offset + 0x20);
        if (!record.archive.terminated() || !record.prototype.terminated())
            context.warn("ref_no_terminator", label + "a name fills its 32 bytes", offset);
        if (record.entry_type < -1 || record.entry_type > 5)
            context.warn("dat_unknown_entry_type", label + "entry type is not in the list",
                         offset + 0x68);
        out.records.push_back(record);
    }
    if (!build_unit_tree(out).well_formed)
        context.warn("dat_tree_mismatch", "child counts do not form one tree of all records");
    return out;
}

Bytes write_unit_dat(const UnitDat& value) {
    ByteWriter out;
    out.bytes(value.magic);
    out.u32(value.scheme_type);
    for (const auto& record : value.records) {
        out.bytes(record.archive.raw);
        out.bytes(record.prototype.raw);
        out.u32(record.kind);
        out.i32(record.attach_index);
        out.bytes(record.description.raw);
        out.i32(record.entry_type);
        out.u32(record.child_count);
    }
    return out.take();
}

UnitTree build_unit_tree(const UnitDat& value) {
    UnitTree tree;
    const std::size_t count = value.records.size();
    tree.parent.assign(count, -1);
    tree.depth.assign(count, 0);
    tree.well_formed = true;

    // Open nodes with the number of children still to come.
    std::vector<std::pair<std::size_t, std::uint32_t>> open;
    std::size_t next = 0;
    for (; next < count; ++next) {
        if (next > 0 && open.empty()) break;  // the tree of record 0 is complete
        if (!open.empty()) {
            tree.parent[next] = static_cast<std::int32_t>(open.back().first);
            tree.depth[next] = static_cast<std::uint32_t>(open.size());
            --open.back().second;
        }
        open.emplace_back(next, value.records[next].child_count);
        while (!open.empty() && open.back().second == 0) open.pop_back();
    }
    // A closed parent is popped only when its last child is complete, so anything left here waits
    // for records that do not exist.
    if (next < count || !open.empty()) tree.well_formed = false;
    return tree;
}

UnitRecord make_unit_record(std::string_view prototype, std::int32_t attach_index,
                            std::string_view description, UnitEntryType type,
                            std::uint32_t child_count) {
    UnitRecord record;
    record.archive.assign("objects.rlb");
    record.prototype.assign(prototype);
    record.attach_index = attach_index;
    record.description.assign(description);
    record.entry_type = static_cast<std::int32_t>(type);
    record.child_count = child_count;
    return record;
}

}  // namespace iron::asset
