// Where a replay gets its mission from: a game directory.
#pragma once

#include <filesystem>
#include <memory>

#include "server/session/replay.hpp"

namespace iron::archive {
class Vfs;
}

namespace iron::session {

/// Name of the header option that says how strictly the recording server read its data: "strict" or "compatible".
inline constexpr const char* kReadProfileOption = "read_profile";

class ReplaySource {
public:
    /// Errors: those of the file system.
    static Result<ReplaySource> open(const std::filesystem::path& root);

    /// Loads missions with the edition and the read profile the log names.
    BlueprintLoader loader() const;
    /// For ReplayOptions::manifest.
    std::function<Result<mission::ContentManifest>()> manifest() const;

private:
    std::shared_ptr<const archive::Vfs> vfs_;
};

}  // namespace iron::session
