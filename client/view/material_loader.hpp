// WEAR -> Material.lib -> Textures.lib with the fallback chain of materials.md 1.1. Missing
// things never stop the picture: they become the DEFAULT material, a grey pattern and a note.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "client/view/material.hpp"
#include "shared/archive/archive_cache.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::client::view {

class MaterialLoader {
public:
    /// Both must outlive the loader; new materials and pictures are appended to `set`.
    MaterialLoader(archive::ArchiveCache& archives, MaterialSet& set) : archives_(archives), set_(set) {}

    /// Index of a material by name (ASCII fold), loaded on first use.
    std::uint32_t material(std::string_view name);
    /// The rows of a WEAR entry; one default material if it is missing or damaged.
    std::vector<std::uint32_t> wear_entry(std::string_view archive, std::string_view entry);
    /// The rows of a plain WEAR file.
    std::vector<std::uint32_t> wear_file(std::string_view path);

    /// What was missing or damaged, in order, each once.
    const std::vector<Diagnostic>& notes() const { return notes_; }

private:
    std::vector<std::uint32_t> rows(Result<Bytes> bytes, std::string_view path);
    std::uint32_t image(std::string_view name);
    void note(std::string_view code, std::string message);

    archive::ArchiveCache& archives_;
    MaterialSet& set_;
    std::map<std::string, std::uint32_t, std::less<>> materials_;  // folded name
    std::map<std::string, std::uint32_t, std::less<>> images_;     // folded name
    std::vector<Diagnostic> notes_;
};

}  // namespace iron::client::view
