#include <catch2/catch.hpp>

#include "shared/mission/prototype_registry.hpp"
#include "tests/mission/mission_kit.hpp"

using namespace iron;
using namespace iron::mission;
using namespace iron::mission::kit;

namespace {

// A registry over a root; everything lives as long as the object.
struct Fixture {
    explicit Fixture(const Root& root, ReadProfile profile = ReadProfile::strict)
        : archives(root.vfs(), profile), locator(archives, profile), registry(locator) {}
    archive::ArchiveCache archives;
    ResourceLocator locator;
    PrototypeRegistry registry;
};

}  // namespace

TEST_CASE("a key is found as it is, then without or with .msh") {
    Root root = minimal_root();
    root.model("bases.rlb", "m");
    root.prototype("plain", {{"bases.rlb", "m.msh"}});
    root.prototype("tail.msh", {{"bases.rlb", "m.msh"}});
    Fixture f(root);
    CHECK(f.registry.resolve(" PLAIN ")->key == "plain");
    CHECK(f.registry.resolve("plain.MSH")->key == "plain");
    CHECK(f.registry.resolve("tail")->key == "tail.msh");
    CHECK(f.registry.resolve("tail.msh")->status == PrototypeStatus::resolved);
    CHECK(f.registry.resolve("none")->status == PrototypeStatus::missing_prototype);
    CHECK(f.registry.resolve("")->status == PrototypeStatus::missing_prototype);
    CHECK(f.registry.resolve("plain") == f.registry.resolve("Plain"));  // cached
    CHECK(f.registry.keys() == std::vector<std::string>{"plain", "tail.msh"});
}

TEST_CASE("parents are inserted at their place, each with its provenance") {
    Root root = minimal_root();
    root.prototype("p1", {{"x.rlb", "a.ctl"}, {"x.rlb", "b.cpt"}});
    root.prototype("p2", {{"x.rlb", "c.sun"}});
    root.prototype("child", {{"x.rlb", "own1"}, {"objects.rlb", "p1"}, {"x.rlb", "own2"},
                             {"objects.rlb", "p2"}, {"objects.rlb", "p1"}});
    Fixture f(root);
    const auto child = f.registry.resolve("child");
    REQUIRE(child->status == PrototypeStatus::non_geometric);
    std::string order;
    for (const auto& r : child->references)
        order += r.resource + "<" + r.source + std::to_string(r.depth) + " ";
    CHECK(order == "own1<child0 a.ctl<p11 b.cpt<p11 own2<child0 c.sun<p21 a.ctl<p11 b.cpt<p11 ");
    CHECK(child->parents.size() == 2);
}

TEST_CASE("the first model that exists is taken, a missing archive is skipped") {
    Root root = minimal_root();
    root.model("bases.rlb", "good");
    root.prototype("key", {{"gone.rlb", "a.msh"}, {"bases.rlb", "b.msh"}, {"bases.rlb", "GOOD.MSH"}});
    root.prototype("hollow", {{"", "a.msh"}, {"bases.rlb", ".msh"}});
    Fixture f(root);
    CHECK(f.registry.resolve("key")->model == ResourceName{"bases.rlb", "good.msh"});
    CHECK(f.registry.resolve("hollow")->status == PrototypeStatus::broken_mesh_reference);
}

TEST_CASE("an archive that exists and cannot be read is a parse failure, never the next one") {
    Root root = minimal_root();
    root.model("bases.rlb", "good");
    root.file("bad.rlb") = text_bytes("not an archive");
    root.prototype("key", {{"bad.rlb", "a.msh"}, {"bases.rlb", "good.msh"}});
    Fixture f(root);
    const auto found = f.registry.resolve("key");
    CHECK(found->status == PrototypeStatus::parse_failure);
    CHECK(found->failed == ResourceName{"bad.rlb", "a.msh"});
}

TEST_CASE("a payload of the wrong size is a parse failure of the prototype") {
    Root root = minimal_root();
    root.entry("objects.rlb", "odd", {0, 0, 0, 0, Bytes(65)});
    root.prototype("child", {{"objects.rlb", "odd"}});
    Fixture f(root);
    CHECK(f.registry.resolve("odd")->status == PrototypeStatus::parse_failure);
    CHECK(f.registry.resolve("child")->status == PrototypeStatus::parse_failure);
    CHECK(f.registry.resolve("child")->failed.entry == "odd");
}

TEST_CASE("an effective list over 4096 references is an error, not a flood") {
    Root root = minimal_root();
    root.prototype("level_0", {{"x.rlb", "r"}});
    for (int i = 1; i <= 20; ++i) {
        const std::string below = "level_" + std::to_string(i - 1);
        root.prototype("level_" + std::to_string(i), {{"objects.rlb", below}, {"objects.rlb", below}});
    }
    Fixture f(root);
    CHECK(f.registry.resolve("level_12")->references.size() == 4096);
    CHECK(f.registry.resolve("level_13")->status == PrototypeStatus::inheritance_size);
    CHECK(f.registry.resolve("level_20")->status == PrototypeStatus::inheritance_size);
}

TEST_CASE("the longest chain has 33 prototypes, also when its end is already known") {
    Root root = minimal_root();
    for (int i = 0; i < 40; ++i)
        root.prototype("d" + std::to_string(i),
                       i + 1 < 40 ? Names{{"objects.rlb", "d" + std::to_string(i + 1)}} : Names{});
    Fixture f(root);
    CHECK(f.registry.resolve("d7")->ok());  // d7 .. d39: 33 prototypes
    CHECK(f.registry.resolve("d6")->status == PrototypeStatus::inheritance_depth);
    Fixture cold(root);
    CHECK(cold.registry.resolve("d6")->status == PrototypeStatus::inheritance_depth);
    CHECK(cold.registry.resolve("d7")->ok());
}

TEST_CASE("a contour stem is a model only as a quirk of the compatible profile") {
    Root root = minimal_root();
    root.model("fortif.rlb", "wall");
    root.prototype("fr_wall", {{"fortif.rlb", "wall.bas"}});
    Fixture strict(root);
    CHECK(strict.registry.resolve("fr_wall")->status == PrototypeStatus::non_geometric);
    Fixture lenient(root, ReadProfile::compatible);
    const auto found = lenient.registry.resolve("fr_wall");
    CHECK(found->status == PrototypeStatus::resolved);
    CHECK(found->bas_stem_mesh);
    CHECK(found->model.entry == "wall.msh");
    CHECK(lenient.registry.diagnostics().back().code == "bas_stem_mesh");
}

TEST_CASE("a record of another archive names its model directly") {
    Root root = minimal_root();
    root.model("bases.rlb", "m");
    Fixture f(root);
    CHECK(f.registry.resolve_in("bases.rlb", "m")->model.entry == "m.msh");
    CHECK(f.registry.resolve_in("bases.rlb", "m.msh")->model.entry == "m.msh");
    CHECK(f.registry.resolve_in("bases.rlb", "x")->status == PrototypeStatus::missing_resource);
    CHECK(f.registry.resolve_in("gone.rlb", "x")->status == PrototypeStatus::missing_archive);
}
