#include "shared/mission/manifest_bytes.hpp"

#include <algorithm>
#include <cstring>

namespace iron::mission {

namespace {
constexpr std::size_t kMaxPathBytes = 1024;
}

Bytes write_manifest(const ContentManifest& manifest) {
    ByteWriter out;
    for (const ManifestEntry& file : manifest.files) {
        out.text(file.path);
        out.u8(0);
        out.u64(file.size);
        out.bytes(file.digest);
    }
    return out.take();
}

Result<ContentManifest> read_manifest(ByteView bytes) {
    if (bytes.size() > kMaxManifestBytes) return fail("file_too_large", "the manifest is larger than 16 MiB");
    ContentManifest out;
    ByteReader in(bytes);
    while (!in.at_end()) {
        const std::uint64_t start = in.offset();
        const ByteView rest = bytes.subspan(in.position());
        const std::size_t limit = std::min(rest.size(), kMaxPathBytes + 1);
        const auto* end = static_cast<const std::uint8_t*>(std::memchr(rest.data(), 0, limit));
        if (end == nullptr || end == rest.data())
            return fail("bad_manifest", "the manifest has a path that is empty, too long or cut", start);
        IRON_TRY(const ByteView path, in.view(static_cast<std::uint64_t>(end - rest.data()), "path"));
        IRON_TRY([[maybe_unused]] const std::uint8_t zero, in.u8("end of the path"));
        ManifestEntry file;
        file.path = as_text(path);
        if (!out.files.empty() && !(out.files.back().path < file.path))
            return fail("bad_manifest", "the paths of the manifest are not ascending", start);
        IRON_TRY(file.size, in.u64("size"));
        IRON_TRY(const ByteView digest, in.view(file.digest.size(), "digest"));
        std::copy(digest.begin(), digest.end(), file.digest.begin());
        out.files.push_back(std::move(file));
    }
    return out;
}

}  // namespace iron::mission
