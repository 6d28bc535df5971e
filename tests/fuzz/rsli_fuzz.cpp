// Any bytes: read in both profiles, decode every record with bounded output, edit and repack.
#include <cstdlib>

#include "shared/archive/rsli.hpp"
#include "shared/archive/rsli_edit.hpp"

using namespace iron;
using namespace iron::archive;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

bool same(ByteView a, ByteView b) { return Bytes(a.begin(), a.end()) == Bytes(b.begin(), b.end()); }

void check(const Rsli& library, ReadContext& context) {
    RsliLimits limits;
    limits.unpacked = 1 << 16;
    std::vector<Result<Bytes>> plain;
    // Many records may point at the same bytes: bound the work of one input.
    const std::size_t count = std::min<std::size_t>(library.size(), 64);
    for (std::size_t i = 0; i < count; ++i) {
        plain.push_back(library.load(i, context, limits));
        if (plain[i]) require(plain[i]->size() == library.record(i).unpacked_size);
        library.find(library.record(i).name());
    }
    const auto unchanged = RsliEditor(library).finish();
    require(unchanged && same(*unchanged, library.image()));

    if (const auto canonical = write_rsli_canonical(library)) {
        ReadContext strict;
        const auto again = view_rsli(*canonical, strict);
        require(again && again->size() == library.size());
        for (std::size_t i = 0; i < count; ++i) {
            if (!plain[i]) continue;
            const auto loaded = again->load(i, strict, limits);
            require(loaded && *loaded == *plain[i]);
        }
    }

    RsliEditor editor(library);
    if (!editor.add("ADDED", Bytes(7, 0x41), RsliMethod::xored)) return;
    if (const auto edited = editor.finish()) {
        ReadContext compatible;
        compatible.profile = ReadProfile::compatible;
        const auto reread = view_rsli(*edited, compatible);
        require(reread && reread->size() == editor.size());
        require(*reread->load(editor.size() - 1, compatible) == Bytes(7, 0x41));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    for (const ReadProfile profile : {ReadProfile::strict, ReadProfile::compatible}) {
        ReadContext context;
        context.profile = profile;
        if (const auto library = view_rsli({data, size}, context)) check(*library, context);
    }
    return 0;
}
