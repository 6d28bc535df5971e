// Folders that vanish and small hex helpers of the interchange and tool tests.
#pragma once

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>

#include "shared/base/bytes.hpp"
#include "shared/base/file.hpp"
#include "shared/base/hash.hpp"

namespace iron::kit {

/// A fresh folder below the system's temporary one, removed at the end.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "iron3d-test-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) std::abort();
        path_ = pattern;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::string at(std::string_view name) const { return (path_ / name).string(); }
    std::string put(std::string_view name, ByteView bytes) const {
        if (!write_file_atomic(path_ / name, bytes)) std::abort();
        return at(name);
    }
    std::string put(std::string_view name, std::string_view text) const { return put(name, as_bytes(text)); }
    Bytes get(std::string_view name) const { return read_file(path_ / name).value(); }
    std::string text(std::string_view name) const { return std::string(as_text(get(name))); }

private:
    std::filesystem::path path_;
};

inline Bytes hex(std::string_view text) {
    std::string digits;
    for (const char c : text)
        if (c != ' ' && c != '\n') digits.push_back(c);
    return from_hex(digits).value();
}
inline Bytes bytes_of(std::string_view text) {
    const ByteView v = as_bytes(text);
    return Bytes(v.begin(), v.end());
}

/// The same bytes with one changed.
inline Bytes with(Bytes bytes, std::size_t at, std::uint8_t value) {
    bytes.at(at) = value;
    return bytes;
}

}  // namespace iron::kit
