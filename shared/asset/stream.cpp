#include "shared/asset/stream.hpp"

#include <algorithm>

#include "shared/archive/nres_edit.hpp"

namespace iron::asset {

Result<StreamSource> read_streams(ByteView container, ReadContext& ctx) {
    IRON_TRY(const auto nres, archive::view_nres(container, ctx, archive::NresRole::inner));
    StreamSource source;
    source.streams.reserve(nres.size());
    for (std::size_t i = 0; i < nres.size(); ++i) {
        const auto& e = nres.entry(i);
        const ByteView payload = nres.payload(i);
        source.streams.push_back({e.type_id, e.attr1, e.attr2, e.attr3, std::string(e.name()),
                                  Bytes(payload.begin(), payload.end())});
    }
    source.image.assign(container.begin(), container.end());
    return source;
}

Result<Bytes> write_streams(const std::vector<Stream>& streams) {
    archive::NresBuilder builder;
    for (const auto& s : streams) builder.add(s.type, s.attr1, s.attr2, s.attr3, s.name, s.payload);
    return builder.build();
}

Result<Bytes> rewrite_streams(const StreamSource& source, const std::vector<Stream>& streams) {
    ReadContext ctx;
    ctx.profile = ReadProfile::compatible;  // a bad sort table was already accepted by the reader
    IRON_TRY(const auto nres, archive::view_nres(source.image, ctx, archive::NresRole::inner));
    if (streams.size() < nres.size())
        return fail("bad_index", "a lossless edit cannot drop streams of the source container");
    archive::NresEditor editor(nres);
    for (std::size_t i = 0; i < streams.size(); ++i) {
        const Stream& s = streams[i];
        if (i >= nres.size()) {
            IRON_TRY([[maybe_unused]] const auto index,
                     editor.add(s.type, s.attr1, s.attr2, s.attr3, s.name, s.payload));
            continue;
        }
        const auto& e = nres.entry(i);
        if (e.type_id != s.type) IRON_CHECK(editor.set_type(i, s.type));
        if (e.attr1 != s.attr1 || e.attr2 != s.attr2 || e.attr3 != s.attr3)
            IRON_CHECK(editor.set_attributes(i, s.attr1, s.attr2, s.attr3));
        if (e.name() != s.name) IRON_CHECK(editor.rename(i, s.name));
        const ByteView old = nres.payload(i);
        if (!std::equal(old.begin(), old.end(), s.payload.begin(), s.payload.end()))
            IRON_CHECK(editor.set_payload(i, s.payload));
    }
    return editor.finish();
}

}  // namespace iron::asset
