// Any asset behind one interface: a typed value that can be shown, written back and counted.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "shared/base/diagnostics.hpp"
#include "shared/interchange/asset_kind.hpp"
#include "shared/interchange/json_values.hpp"

namespace iron::interchange {

struct ViewOptions;

/// Numbers a corpus adds up: "model.nodes", "texture.count" ... Names are in loaded_asset.cpp.
using Facts = std::map<std::string, std::uint64_t>;

class LoadedAsset {
public:
    virtual ~LoadedAsset() = default;
    virtual Json view(const ViewOptions& options) const = 0;
    /// Bytes written from the typed value; for kinds without a writer (sounds) the bytes read.
    virtual Result<Bytes> rewrite() const = 0;
    virtual void count(Facts& facts) const = 0;
};

/// Reads `source` with the reader of its kind. Errors of that reader; for outer archives
/// (nres, rsli) `unknown_container`: they are not one asset.
Result<std::unique_ptr<const LoadedAsset>> load_asset(AssetKind kind, const AssetSource& source, ReadContext& context);

}  // namespace iron::interchange
