// The missions load completely through the real loader, visuals included.
#include <map>

#include <catch2/catch.hpp>

#include "shared/archive/vfs.hpp"
#include "shared/mission/dependency_graph.hpp"
#include "shared/mission/mission_loader.hpp"
#include "tests/content/content_kit.hpp"

using namespace iron;
using namespace iron::content_test;

namespace {

archive::Vfs root() {
    std::map<std::string, Bytes> files;
    for (const auto& f : game()) files.emplace(f.path, f.bytes);
    auto vfs = archive::Vfs::from_memory(std::move(files));
    if (!vfs) throw std::runtime_error(vfs.error().to_string());
    return *vfs;
}

}  // namespace

TEST_CASE("the missions are listed, load strictly with visuals and have no broken edge") {
    const archive::Vfs vfs = root();
    const auto list = mission::list_missions(vfs);
    CHECK(list.size() == 3);
    for (const char* name : {"missions/tutorial.01", "missions/single.01", "missions/single.02"}) {
        CAPTURE(name);
        mission::LoadOptions options;
        options.profile = ReadProfile::strict;
        options.edition = Edition::builtin;
        options.visuals = true;
        std::vector<mission::LoadFailure> failures;
        const auto blueprint = mission::load_mission(vfs, name, options, {}, &failures);
        for (const auto& failure : failures) UNSCOPED_INFO(failure.to_string());
        CHECK((blueprint ? std::string() : blueprint.error().to_string()) == "");
        const auto graph = mission::build_graph(vfs, name, options);
        REQUIRE(graph);
        for (const auto& failure : (*graph)->failures) UNSCOPED_INFO(failure.to_string());
        CHECK((*graph)->totals.failures == 0);
        CHECK((*graph)->totals.objects > 30);
        CHECK((*graph)->totals.lightmap_requests == 0);
    }
}
