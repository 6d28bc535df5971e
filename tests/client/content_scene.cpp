#include "tests/client/content_scene.hpp"

#include <map>
#include <memory>
#include <stdexcept>

#include "shared/archive/vfs.hpp"
#include "shared/content/content.hpp"
#include "shared/mission/mission_loader.hpp"

namespace iron::client::test {
namespace {

template <class T>
T must(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().to_string());
    return std::move(*result);
}

std::unique_ptr<view::Scene> load() {
    std::map<std::string, Bytes> tree;
    for (content::GeneratedFile& file : must(content::generate_content({})))
        tree.emplace(file.path, std::move(file.bytes));
    const archive::Vfs vfs = must(archive::Vfs::from_memory(std::move(tree)));
    mission::LoadOptions options;
    options.edition = Edition::builtin;
    options.content_fingerprint = Hash256{};
    return must(view::Scene::load(vfs, must(mission::load_mission(vfs, "missions/single.01", options))));
}

}  // namespace

view::Scene& mission_scene() {
    static std::unique_ptr<view::Scene> scene = load();
    return *scene;
}

}  // namespace iron::client::test
