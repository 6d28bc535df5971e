#include "server/session/replay_source.hpp"

#include "shared/archive/vfs.hpp"
#include "shared/mission/fingerprint.hpp"
#include "shared/mission/mission_loader.hpp"

namespace iron::session {

Result<ReplaySource> ReplaySource::open(const std::filesystem::path& root) {
    IRON_TRY(archive::Vfs vfs, archive::Vfs::open(root));
    ReplaySource source;
    source.vfs_ = std::make_shared<const archive::Vfs>(std::move(vfs));
    return source;
}

BlueprintLoader ReplaySource::loader() const {
    return [vfs = vfs_](const LogHeader& header) {
        mission::LoadOptions options;
        options.edition = header.profile;
        for (const auto& [key, value] : header.options)
            if (key == kReadProfileOption && value == "compatible") options.profile = ReadProfile::compatible;
        return mission::load_mission(*vfs, header.mission, options);
    };
}

std::function<Result<mission::ContentManifest>()> ReplaySource::manifest() const {
    return [vfs = vfs_] { return mission::build_manifest(*vfs); };
}

}  // namespace iron::session
