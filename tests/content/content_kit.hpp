// One generated game for all tests of this binary, and small look-ups in it.
#pragma once

#include <string_view>
#include <vector>

#include "shared/archive/nres.hpp"
#include "shared/content/content.hpp"

namespace iron::content_test {

/// The default game, generated once.
inline const std::vector<content::GeneratedFile>& game() {
    static const auto files = content::generate_content({});
    if (!files) throw std::runtime_error(files.error().to_string());
    return *files;
}

inline const Bytes& file(std::string_view path) {
    for (const auto& f : game())
        if (f.path == path) return f.bytes;
    throw std::runtime_error("no generated file " + std::string(path));
}

inline archive::Nres open(std::string_view path) {
    ReadContext context;
    auto nres = archive::view_nres(file(path), context, archive::NresRole::file);
    if (!nres) throw std::runtime_error(nres.error().to_string());
    return std::move(*nres);
}

}  // namespace iron::content_test
