// Reads the part of glTF 2.0 that models need: JSON, buffers beside it or inside a .glb, accessors.
// Everything read is hostile: nothing outside the folder is opened, every range is checked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include <nlohmann/json.hpp>

#include "shared/base/bytes.hpp"
#include "shared/interchange/json_values.hpp"

namespace iron::interchange {

class GltfDocument {
public:
    /// `.gltf` (buffers are plain files of the same folder or base64 data URIs) or `.glb`. Errors `gltf_invalid`,
    /// `unsafe_name`, `symlink`, `json_syntax` and those of the file system.
    static Result<GltfDocument> read(const std::filesystem::path& file);
    /// The same from bytes; `folder` holds the buffer files (empty: none are allowed).
    static Result<GltfDocument> parse(const Bytes& bytes, const std::filesystem::path& folder, std::string_view label);

    const Json& json() const { return json_; }
    /// A list of the document; an empty one when it is absent.
    const Json& list(std::string_view name) const;
    /// Elements of an accessor as floats, `components` each (normalised integers are scaled). Errors
    /// `gltf_invalid`, `gltf_unsupported` (sparse accessors).
    Result<std::vector<float>> floats(std::uint64_t accessor, unsigned components) const;
    /// Unsigned scalars (indices).
    Result<std::vector<std::uint32_t>> indices(std::uint64_t accessor) const;

private:
    struct View;
    Result<View> view(std::uint64_t accessor, unsigned components) const;
    Json json_;
    std::vector<Bytes> buffers_;
};

/// Member as an index below `limit`. Error `gltf_invalid`.
Result<std::uint64_t> gltf_index(const Json& object, std::string_view key, std::uint64_t limit);

}  // namespace iron::interchange
