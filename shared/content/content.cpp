#include "shared/content/content.hpp"

#include <system_error>

#include "shared/base/file.hpp"
#include "shared/content/art/art.hpp"
#include "shared/content/game.hpp"
#include "shared/content/missions.hpp"
#include "shared/content/units.hpp"

namespace iron::content {
namespace fs = std::filesystem;

namespace {

void tell(const ProgressFn& progress, std::string_view phase, std::string_view item, std::size_t done, std::size_t total, std::uint64_t bytes) {
    if (progress) progress({phase, item, static_cast<std::uint32_t>(done), static_cast<std::uint32_t>(total), bytes});
}

/// Removes a folder that this file made, when leaving without success.
class TemporaryFolder {
public:
    explicit TemporaryFolder(fs::path path) : path_(std::move(path)) {}
    ~TemporaryFolder() {
        std::error_code ignored;
        if (!released_) fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const fs::path& path() const { return path_; }
    void release() { released_ = true; }

private:
    fs::path path_;
    bool released_ = false;
};

Status io_failure(const fs::path& path, const std::error_code& code) {
    return tl::unexpected(Error("io_error", code.message()).in(path.string()));
}

/// Absent, empty, or written by us.
Status may_replace(const fs::path& out) {
    std::error_code code;
    if (!fs::exists(out, code)) return {};
    if (!fs::is_directory(out, code)) return tl::unexpected(Error("exists", "not a directory").in(out.string()));
    if (fs::is_empty(out, code) || fs::exists(out / std::string(kManifestName), code)) return {};
    return tl::unexpected(Error("exists", "the directory is not empty and was not written by this command").in(out.string()));
}

}  // namespace

Result<std::vector<GeneratedFile>> generate_content(const ContentOptions& options, const ProgressFn& progress) {
    Game game;
    constexpr std::size_t kSteps = 5;
    tell(progress, "generate", "materials and textures", 0, kSteps, 0);
    IRON_CHECK(add_materials(game, options.seed));
    tell(progress, "generate", "units and buildings", 1, kSteps, 0);
    IRON_TRY(const UnitCatalog units, add_units(game, options.seed));
    tell(progress, "generate", "sounds and scripts", 2, kSteps, 0);
    add_sounds(game, options.seed);
    IRON_CHECK(add_scripts(game));
    IRON_CHECK(add_shell(game, options.seed));
    tell(progress, "generate", "maps and missions", 3, kSteps, 0);
    IRON_CHECK(add_missions(game, units, options.seed));
    tell(progress, "generate", "archives", 4, kSteps, 0);
    IRON_TRY(std::vector<GeneratedFile> files, game.finish());
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        tell(progress, "check", files[i].path, i, files.size(), bytes);
        IRON_CHECK(check_file(files[i].path, files[i].bytes));
        bytes += files[i].bytes.size();
    }
    tell(progress, "check", {}, files.size(), files.size(), bytes);
    return files;
}

BuildReport summarize(const std::vector<GeneratedFile>& files) {
    BuildReport out;
    for (const GeneratedFile& f : files) {
        out.files.push_back({f.path, f.bytes.size(), sha256(f.bytes)});
        out.total_bytes += f.bytes.size();
    }
    Sha256 hash;
    for (const FileSummary& f : out.files)
        hash.update(to_hex(f.sha256)).update("  ").update(std::to_string(f.bytes)).update("  ").update(f.path).update("\n");
    out.manifest = hash.finish();
    return out;
}

std::string manifest_text(const BuildReport& report, const ContentOptions& options) {
    std::string out = "# Proving Grounds, seed " + std::to_string(options.seed) + ", manifest " + to_hex(report.manifest) + "\n";
    for (const FileSummary& f : report.files)
        out += to_hex(f.sha256) + "  " + std::to_string(f.bytes) + "  " + f.path + "\n";
    return out;
}

Result<BuildReport> build_content(const fs::path& out, const ContentOptions& options, const ProgressFn& progress) {
    const fs::path target = fs::absolute(out).lexically_normal();
    const fs::path place = target.has_filename() ? target : target.parent_path();
    IRON_CHECK(may_replace(place));
    IRON_TRY(const std::vector<GeneratedFile> files, generate_content(options, progress));
    const BuildReport report = summarize(files);

    std::error_code code;
    fs::create_directories(place.parent_path(), code);
    if (code) return tl::unexpected(io_failure(place.parent_path(), code).error());
    TemporaryFolder fresh(place.string() + ".new");
    fs::remove_all(fresh.path(), code);
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        tell(progress, "write", files[i].path, i, files.size(), bytes);
        IRON_CHECK(write_file_atomic(fresh.path() / files[i].path, files[i].bytes));
        bytes += files[i].bytes.size();
    }
    IRON_CHECK(write_file_atomic(fresh.path() / std::string(kManifestName), as_bytes(manifest_text(report, options))));
    tell(progress, "write", {}, files.size(), files.size(), bytes);

    // Swap: the old directory is moved aside first and comes back if the second rename fails.
    const fs::path old = place.string() + ".old";
    fs::remove_all(old, code);
    const bool had = fs::exists(place, code);
    if (had) {
        fs::rename(place, old, code);
        if (code) return tl::unexpected(io_failure(place, code).error());
    }
    fs::rename(fresh.path(), place, code);
    if (code) {
        const std::error_code first = code;
        if (had) fs::rename(old, place, code);
        return tl::unexpected(io_failure(place, first).error());
    }
    fresh.release();
    if (had) fs::remove_all(old, code);
    return report;
}

}  // namespace iron::content
