// A reference to an archive entry: `char archive[32]`, `char resource[32]`. Source: archives.md 1.1,
// objects.md 2 (tails after the NUL are preserved; as a key both ends are trimmed and ASCII folded).
#pragma once

#include <string>
#include <string_view>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"
#include "shared/base/text.hpp"

namespace iron::asset {

/// 64 bytes on disk. `archive` is a path relative to the game root.
struct Ref64 {
    FixedString<32> archive;
    FixedString<32> resource;

    /// The names without ASCII white space at both ends, letter case kept.
    std::string_view archive_name() const { return ascii_trim(archive.view()); }
    std::string_view resource_name() const { return ascii_trim(resource.view()); }
    bool empty() const { return archive_name().empty() && resource_name().empty(); }
    bool operator==(const Ref64&) const = default;
};

/// A reference with zero-filled fields; names longer than 31 bytes are cut (check before).
Ref64 make_ref64(std::string_view archive, std::string_view resource);

/// Reads 64 bytes. Error `truncated`.
Result<Ref64> read_ref64(ByteReader& in, std::string_view what);
void write_ref64(ByteWriter& out, const Ref64& ref);

/// Warnings of objects.md 2.1: `ref_no_terminator`, `ref_empty_name`.
void check_ref64(const Ref64& ref, std::uint64_t offset, ReadContext& context);

}  // namespace iron::asset
