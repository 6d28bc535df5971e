// Files everybody can write become payloads of the game: PNG, sound files, JSON.
#pragma once

#include <optional>
#include <string>

#include "shared/asset/texture.hpp"
#include "shared/interchange/archive_edit.hpp"

namespace iron::interchange {

enum class ImportKind : std::uint8_t { texture, sound, wear, material };
/// "texm", "swav", "wear", "mat0". Error `usage`.
Result<ImportKind> parse_import_kind(std::string_view name);
/// By the extension of the file: .png, .wav and other sounds; JSON says it by its members.
std::optional<ImportKind> guess_import_kind(std::string_view file_name, ByteView bytes);

struct ImportOptions {
    /// Stored format; absent: 8888 when a pixel is not opaque, else 565.
    std::optional<asset::TexmFormat> format;
    std::uint32_t mip_count = 0;   ///< 0 = full chain
    bool adpcm = false;            ///< sounds: MS ADPCM instead of PCM
};

/// Payload with type and attributes for an archive entry; the name is left empty. Errors of the decoders,
/// `texm_authoring`, `mat0_authoring`, `wear_authoring`, `json_*`, `sound_rate` (not 22 050 Hz),
/// `sound_channels` (more than two).
Result<AddedEntry> import_asset(ImportKind kind, ByteView bytes, const ImportOptions& options);

}  // namespace iron::interchange
