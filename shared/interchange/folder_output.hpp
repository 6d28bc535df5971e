// A folder that appears whole or not at all.
#pragma once

#include <filesystem>
#include <string>

#include "shared/base/bytes.hpp"

namespace iron::interchange {

/// Files are written into a temporary sibling; commit() gives it the final name. Without commit()
/// the sibling is removed and nothing changed.
class FolderOutput {
public:
    /// `target` must not exist or be an empty folder. Errors `exists`, `io_error`.
    static Result<FolderOutput> create(const std::filesystem::path& target);
    FolderOutput(FolderOutput&& other) noexcept;
    FolderOutput& operator=(FolderOutput&&) = delete;
    ~FolderOutput();

    /// `name` is relative, checked by the caller. Error `io_error`.
    Status write(const std::filesystem::path& name, ByteView bytes);
    Status commit();

private:
    FolderOutput(std::filesystem::path target, std::filesystem::path temporary)
        : target_(std::move(target)), temporary_(std::move(temporary)) {}
    std::filesystem::path target_, temporary_;
};

}  // namespace iron::interchange
