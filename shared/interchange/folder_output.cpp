#include "shared/interchange/folder_output.hpp"

#include <system_error>

#include "shared/base/file.hpp"

namespace iron::interchange {
namespace fs = std::filesystem;
namespace {

tl::unexpected<Error> io(const fs::path& path, const std::error_code& code) {
    return tl::unexpected(Error("io_error", code.message()).in(path.string()));
}

}  // namespace

Result<FolderOutput> FolderOutput::create(const fs::path& target) {
    std::error_code code;
    fs::path place = fs::absolute(target, code).lexically_normal();
    if (code) return io(target, code);
    if (!place.has_filename()) place = place.parent_path();
    if (fs::exists(place, code)) {
        if (!fs::is_directory(place, code))
            return tl::unexpected(Error("exists", "not a folder").in(place.string()));
        if (!fs::is_empty(place, code))
            return tl::unexpected(Error("exists", "the folder is not empty").in(place.string()));
    }
    const fs::path parent = place.parent_path();
    fs::create_directories(parent, code);
    if (code) return io(parent, code);
    for (int number = 0; number < 1000; ++number) {
        const fs::path temporary = parent / ("." + place.filename().string() + ".new" + std::to_string(number));
        if (fs::create_directory(temporary, code)) return FolderOutput(place, temporary);
        if (code) return io(temporary, code);
    }
    return tl::unexpected(Error("exists", "no free temporary name beside the folder").in(place.string()));
}

FolderOutput::FolderOutput(FolderOutput&& other) noexcept
    : target_(std::move(other.target_)), temporary_(std::move(other.temporary_)) {
    other.temporary_.clear();
}

FolderOutput::~FolderOutput() {
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

Status FolderOutput::write(const fs::path& name, ByteView bytes) {
    return write_file_atomic(temporary_ / name, bytes);
}

Status FolderOutput::commit() {
    std::error_code code;
    if (fs::exists(target_, code)) fs::remove(target_, code);  // an empty folder
    fs::rename(temporary_, target_, code);
    if (code) return io(target_, code);
    temporary_.clear();
    return {};
}

}  // namespace iron::interchange
