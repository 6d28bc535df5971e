// What a material looks like to programs that know no MAT0: colour, texture, transparency.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "shared/archive/archive_cache.hpp"
#include "shared/asset/texture.hpp"

namespace iron::interchange {

enum class AlphaMode : std::uint8_t { opaque, mask, blend };

struct MaterialLook {
    std::string name;                      ///< UTF-8, as asked for
    std::array<float, 4> colour{1, 1, 1, 1};
    std::array<float, 3> emissive{};
    AlphaMode alpha = AlphaMode::opaque;
    std::string texture;                   ///< UTF-8; empty = untextured
    std::optional<asset::RgbaImage> image;
    std::string problem;                   ///< what could not be found or read
};

/// Looks materials up in a game directory (materials.md 1.1: name, then DEFAULT, then entry 0); phase 0
/// of a material is shown. Everything is kept once loaded.
class MaterialLibrary {
public:
    explicit MaterialLibrary(archive::ArchiveCache& archives) : archives_(archives) {}
    const MaterialLook& look(std::string_view name);
    /// A texture of `library`; error `entry_missing` and those of the readers.
    Result<asset::RgbaImage> texture(std::string_view library, std::string_view name);

private:
    MaterialLook load(std::string_view name);

    archive::ArchiveCache& archives_;
    std::map<std::string, MaterialLook, std::less<>> looks_;
};

}  // namespace iron::interchange
