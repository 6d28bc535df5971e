// An archive as a folder: one file an entry and `manifest.json` with everything the files do not say.
// Packing gives the canonical layout (archives.md 3.7, 4.12).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "shared/archive/nres.hpp"
#include "shared/archive/rsli.hpp"
#include "shared/interchange/json_values.hpp"

namespace iron::interchange {

inline constexpr std::string_view kManifestFile = "manifest.json";

enum class ContainerKind : std::uint8_t { nres, rsli };
std::string_view container_name(ContainerKind kind);
/// By the first bytes; nullopt for anything else.
std::optional<ContainerKind> detect_container(ByteView bytes);

/// Either container, read by its own reader.
struct AnyArchive {
    std::variant<archive::Nres, archive::Rsli> value;

    ContainerKind kind() const { return value.index() == 0 ? ContainerKind::nres : ContainerKind::rsli; }
    const archive::Nres* nres() const { return std::get_if<archive::Nres>(&value); }
    const archive::Rsli* rsli() const { return std::get_if<archive::Rsli>(&value); }
    std::size_t size() const;
    std::string_view name(std::size_t index) const;
    /// Index of a name, by the rules of its container.
    std::optional<std::size_t> find(std::string_view name) const;
    /// Plain bytes of an entry. Errors of Rsli::load.
    Result<Bytes> load(std::size_t index, ReadContext& context) const;
};
/// Errors `unknown_container` and those of the readers.
Result<AnyArchive> read_archive(Bytes bytes, ReadContext& context);

/// "lzss", "xor + lzss", "deflate" ...; "method 0x0C0" for an unknown one.
std::string method_name(std::uint16_t method_bits);
/// The method of that name, spaces optional. Error `unsupported_method`.
Result<archive::RsliMethod> parse_method(std::string_view name);

/// Progress: entries done, all entries, bytes, name of the one at work.
using EntryProgress = std::function<void(std::size_t, std::size_t, std::uint64_t, std::string_view)>;

/// Writes the folder (see FolderOutput) and returns its manifest. Errors of load, `exists`, `io_error`.
Result<Json> extract_archive(const AnyArchive& source, const std::filesystem::path& folder,
                             ReadContext& context, const EntryProgress& progress = {});

/// The canonical archive a folder describes. Nothing outside the folder is read: a file name must be
/// one plain segment and no link. Errors `manifest_version`, `unsafe_name`, `symlink`, `json_*`,
/// those of the file and of the writers.
Result<Bytes> pack_archive(const std::filesystem::path& folder, const EntryProgress& progress = {});

}  // namespace iron::interchange
