// What every reader of the asset room promises for any bytes: an error or a value, and a value is
// written back as the bytes it came from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::fuzz {

/// Reads with both profiles; `use` gets every value for further calls. Strict must not accept what
/// compatible refuses.
template <class Read, class Write, class Use>
void check_roundtrip(ByteView bytes, Read read, Write write, Use use) {
    bool accepted[2] = {};
    for (const ReadProfile profile : {ReadProfile::strict, ReadProfile::compatible}) {
        ReadContext ctx;
        ctx.profile = profile;
        auto value = read(bytes, ctx);
        if (!value) continue;
        accepted[profile == ReadProfile::compatible] = true;
        const auto again = write(*value);
        if (!again || !std::equal(again->begin(), again->end(), bytes.begin(), bytes.end())) std::abort();
        use(*value);
    }
    if (accepted[0] && !accepted[1]) std::abort();
}

}  // namespace iron::fuzz
