// Any bytes: read in both profiles; what is accepted must keep its promises (lossless, lookups,
// canonical repack, edits).
#include <cstdlib>

#include "shared/archive/nres.hpp"
#include "shared/archive/nres_edit.hpp"

using namespace iron;
using namespace iron::archive;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

bool same(ByteView a, ByteView b) { return Bytes(a.begin(), a.end()) == Bytes(b.begin(), b.end()); }

void check(const Nres& archive) {
    for (std::size_t i = 0; i < archive.size(); ++i) {
        const auto found = archive.find(archive.entry(i).name());
        require(found && *found <= i);
        require(archive.find_type(archive.entry(i).type_id).has_value());
    }
    std::uint64_t covered = kNresHeaderSize;
    for (const NresRegion& region : archive.regions()) covered += region.size();
    for (const NresEntry& entry : archive.entries()) covered += entry.size;
    require(covered == archive.directory_offset());

    const auto unchanged = NresEditor(archive).finish();
    require(unchanged && same(*unchanged, archive.image()));

    const auto canonical = write_nres_canonical(archive);
    require(canonical.has_value());
    ReadContext strict;
    const auto again = view_nres(*canonical, strict, NresRole::file);
    require(again && again->size() == archive.size());
    for (std::size_t i = 0; i < archive.size(); ++i) require(same(again->payload(i), archive.payload(i)));

    if (archive.size() == 0) return;
    NresEditor editor(archive);
    const std::size_t victim = archive.image()[8 + archive.size() % 4] % archive.size();
    require(editor.set_payload(victim, Bytes(archive.entry(victim).size + 3, 0x5A)).has_value());
    require(editor.add(1, 2, 3, 4, "added", Bytes(5, 0xA5)).has_value());
    if (archive.size() > 1) require(editor.remove((victim + 1) % archive.size()).has_value());
    const auto edited = editor.finish();
    require(edited.has_value());
    ReadContext compatible;
    compatible.profile = ReadProfile::compatible;
    const auto reread = view_nres(*edited, compatible, NresRole::file);
    require(reread && reread->size() == editor.size());
    for (std::size_t i = 0; i < editor.size(); ++i) require(same(reread->payload(i), editor.payload(i)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    for (const ReadProfile profile : {ReadProfile::strict, ReadProfile::compatible}) {
        for (const NresRole role : {NresRole::file, NresRole::inner}) {
            ReadContext context;
            context.profile = profile;
            if (const auto archive = view_nres({data, size}, context, role)) check(*archive);
        }
    }
    return 0;
}
