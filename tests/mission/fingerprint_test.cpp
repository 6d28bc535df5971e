#include <catch2/catch.hpp>

#include "shared/mission/fingerprint.hpp"
#include "tests/mission/mission_kit.hpp"

using namespace iron;
using namespace iron::mission;
using namespace iron::mission::kit;

namespace {

ContentManifest manifest_of(const std::map<std::string, Bytes>& files) {
    return *build_manifest(*archive::Vfs::from_memory(files));
}

}  // namespace

TEST_CASE("the manifest takes gameplay files only, folded and sorted") {
    const ContentManifest manifest = manifest_of({{"Objects.RLB", {1}},
                                                  {"UNITS/a.DAT", {2}},
                                                  {"Behavior.ini", {3}},
                                                  {"MISSIONS/s/data.tma", {4}},
                                                  {"MISSIONS/s/mission.cfg", {5}},
                                                  {"MISSIONS/s/briefing.cfg", {6}},
                                                  {"ui/mission.lib", {7}},
                                                  {"Textures.lib", {8}},
                                                  {"SAVE/x.dat", {9}},
                                                  {"Iron_3D.ini", {10}}});
    std::vector<std::string> paths;
    for (const auto& file : manifest.files) paths.push_back(file.path);
    CHECK(paths == std::vector<std::string>{"behavior.ini", "missions/s/data.tma", "missions/s/mission.cfg",
                                            "objects.rlb", "units/a.dat"});
    CHECK(manifest.files[3].size == 1);
    // SHA-256 of the single byte 01.
    CHECK(to_hex(manifest.files[3].digest) ==
          "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a");
}

TEST_CASE("the fingerprint is the digest of the written-out manifest") {
    const ContentManifest manifest = manifest_of({{"Comp.ini", {1}}});
    ByteWriter line;
    line.text("comp.ini");
    line.u8(0);
    line.u64(1);
    line.bytes(sha256(Bytes{1}));
    CHECK(fingerprint(manifest) == sha256(line.buffer()));
    CHECK(fingerprint({}) == sha256({}));
}

TEST_CASE("letter case on disk and visual files do not change the fingerprint, gameplay bytes do") {
    const auto base = fingerprint(manifest_of({{"objects.rlb", {1}}, {"x.tma", {2}}}));
    CHECK(fingerprint(manifest_of({{"OBJECTS.rlb", {1}}, {"X.TMA", {2}}, {"Textures.lib", {1}}})) == base);
    CHECK(fingerprint(manifest_of({{"objects.rlb", {1}}, {"x.tma", {3}}})) != base);
    CHECK(fingerprint(manifest_of({{"objects.rlb", {1}}, {"y.tma", {2}}})) != base);
}

TEST_CASE("an overlay layer is part of the fingerprint") {
    const auto lower = *archive::Vfs::from_memory({{"objects.rlb", {1}}});
    const auto mod = *archive::Vfs::from_memory({{"OBJECTS.RLB", {2}}});
    CHECK(*content_fingerprint(mod.over(lower)) == *content_fingerprint(mod));
    CHECK(*content_fingerprint(mod.over(lower)) != *content_fingerprint(lower));
}

TEST_CASE("the first difference names the file and the reason") {
    const auto a = manifest_of({{"a.tma", {1}}, {"b.tma", {1}}});
    CHECK_FALSE(first_difference(a, a));
    const auto text = [&](const std::map<std::string, Bytes>& files) {
        return first_difference(a, manifest_of(files))->to_string();
    };
    CHECK(text({{"a.tma", {1}}, {"b.tma", {2}}}) == "b.tma: contents differ");
    CHECK(text({{"a.tma", {1}}, {"b.tma", {1, 2}}}) == "b.tma: sizes differ (1 and 2 bytes)");
    CHECK(text({{"a.tma", {1}}}) == "b.tma: only on the first side");
    CHECK(text({{"a.tma", {1}}, {"aa.tma", {1}}, {"b.tma", {1}}}) == "aa.tma: only on the second side");
    CHECK(text({{"b.tma", {1}}}) == "a.tma: only on the first side");
}
