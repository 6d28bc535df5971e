// Palettes and the name suffix that selects one. Source: materials.md 4.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::asset {

inline constexpr std::size_t kPaletteFileSize = 66564;
inline constexpr int kPaletteCount = 286;

/// Palette index 0..285 of a texture or lightmap name, nullopt = no palette. Errors
/// `bad_texture_name` (no dot in the first 17 characters), `bad_palette_suffix` (strict).
Result<std::optional<int>> palette_index(std::string_view texture_name, ReadContext& ctx);
/// `A.PAL`, `A0.PAL` .. `Z9.PAL`; index 0..285.
std::string palette_entry_name(int index);

/// PAL file (inferred).
struct Palette {
    std::array<std::uint8_t, 1024> colours{};  ///< 256 x B, G, R, x
    Bytes blend_table;                         ///< 65 536 indices after "Ipol"

    /// The colours as the R, G, B, A palette of an indexed texture (alpha = the stored fourth byte).
    Bytes to_rgba() const;
};
/// Errors `palette_bad_size`, `bad_magic`.
Result<Palette> read_palette(ByteView bytes, ReadContext& ctx);
/// Error `palette_authoring`.
Result<Bytes> write_palette(const Palette& palette);

}  // namespace iron::asset
