// Writes glTF 2.0: accessors into one buffer, PNG images, and the files or one .glb at the end.
// glTF is Y up, the game is Z up: exporters put everything below one root node that turns.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/interchange/json_values.hpp"

namespace iron::interchange {

/// A file of an export, its name relative to the folder.
struct OutputFile {
    std::string name;
    Bytes bytes;
};

class Gltf {
public:
    Gltf();
    Gltf(Gltf&&) noexcept;
    Gltf& operator=(Gltf&&) noexcept;
    ~Gltf();

    enum class Use : std::uint8_t { vertex, animation };
    /// Accessor of `values.size() / components` elements; `bounds` writes min and max. Returns its index.
    int add_floats(std::span<const float> values, unsigned components, bool bounds, Use use);
    int add_indices(std::span<const std::uint32_t> values);
    /// An image with a texture that repeats; returns the texture's index. Equal names share one.
    int add_texture(std::string_view name, Bytes png);
    /// Appends to "nodes", "meshes", "materials", "animations"; returns the index.
    int add(const char* list, Json item);
    Json& item(const char* list, int index);
    std::size_t count(const char* list) const;
    /// Root nodes of the scene, below one node that turns Z up into Y up.
    void set_scene(std::string_view name, std::vector<int> roots);
    /// Free members: `asset.extras` and the like.
    Json& root();

    /// `stem.gltf`, `stem.bin` and the images.
    std::vector<OutputFile> files(std::string_view stem) const;
    /// Everything in one binary file.
    Bytes glb() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace iron::interchange
