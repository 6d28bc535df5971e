// The streams of an inner NRes container (models, landscapes) with everything a lossless writer
// needs. Source: models.md 1, archives.md 1.5 and 3.7.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::asset {

/// No slot, no parent, no neighbour, no map block.
inline constexpr std::uint16_t kNone16 = 0xFFFF;

/// One directory entry with its payload, as read or as authored.
struct Stream {
    std::uint32_t type = 0;
    std::uint32_t attr1 = 0;  ///< usually an element count
    std::uint32_t attr2 = 0;
    std::uint32_t attr3 = 0;  ///< usually a stride
    std::string name;         ///< carries no meaning for loading
    Bytes payload;
};

/// Where typed data came from: the untouched image and its streams in directory order. A document
/// authored by us has an empty image.
struct StreamSource {
    Bytes image;
    std::vector<Stream> streams;

    /// First stream of a type in directory order, or nullptr.
    const Stream* find(std::uint32_t type) const {
        for (const auto& s : streams)
            if (s.type == type) return &s;
        return nullptr;
    }
    Stream* find(std::uint32_t type) {
        for (auto& s : streams)
            if (s.type == type) return &s;
        return nullptr;
    }
};

/// Reads an inner container. Errors: those of the NRes reader.
Result<StreamSource> read_streams(ByteView container, ReadContext& ctx);

/// Canonical container (archives.md 3.7) of the streams in the given order.
Result<Bytes> write_streams(const std::vector<Stream>& streams);

/// Lossless edit of `source.image` so that it holds `streams`, whose first source.streams.size()
/// members correspond to the source's one to one; further members are appended. Returns the image
/// itself when nothing differs.
Result<Bytes> rewrite_streams(const StreamSource& source, const std::vector<Stream>& streams);

}  // namespace iron::asset
