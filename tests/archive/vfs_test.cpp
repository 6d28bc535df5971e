#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "shared/archive/archive_cache.hpp"
#include "shared/archive/vfs.hpp"
#include "support.hpp"

using namespace iron;
using namespace iron::archive;
using namespace iron::archive::test;
namespace fs = std::filesystem;

namespace {

/// A folder of its own for one test, removed at the end.
class TempFolder {
public:
    TempFolder() {
        std::string name = (fs::temp_directory_path() / "iron-vfs-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~TempFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    const fs::path& path() const { return path_; }
    void file(const std::string& name, std::string_view content) const {
        fs::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary) << content;
    }
    Vfs open() const {
        auto vfs = Vfs::open(path_);
        REQUIRE(vfs);
        return std::move(*vfs);
    }

private:
    fs::path path_;
};

std::string read(const Vfs& vfs, std::string_view path) {
    const auto bytes = vfs.read(path);
    return bytes ? std::string(bytes->begin(), bytes->end()) : "!" + bytes.error().code();
}

std::vector<std::string> paths(const Vfs& vfs, std::string_view prefix) {
    const auto files = vfs.list(prefix);
    if (!files) return {"!" + files.error().code()};
    std::vector<std::string> out;
    for (const VfsFile& file : *files) out.push_back(file.path + "@" + std::to_string(file.layer));
    return out;
}

}  // namespace

TEST_CASE("files are found whatever the letter case and the kind of slash") {
    TempFolder root;
    root.file("Data/Maps/Land.msh", "land");
    const Vfs vfs = root.open();
    CHECK(read(vfs, "DATA\\MAPS\\land.MSH") == "land");
    CHECK(read(vfs, "data/maps/Land.msh") == "land");
    CHECK(read(vfs, "data//maps/./land.msh") == "land");
    CHECK(vfs.resolve("DATA/MAPS/LAND.MSH")->path == "Data/Maps/Land.msh");
    CHECK(*vfs.size("DATA/MAPS/LAND.MSH") == 4);
    CHECK(vfs.exists("data/maps/land.msh"));
    CHECK_FALSE(vfs.exists("data/maps/land"));
}

TEST_CASE("missing files, folders in the way and folders at the end are told apart") {
    TempFolder root;
    root.file("a/b", "x");
    const Vfs vfs = root.open();
    CHECK(read(vfs, "c") == "!not_found");
    CHECK(read(vfs, "a/c") == "!not_found");
    CHECK(read(vfs, "a") == "!not_a_file");
    CHECK(read(vfs, "a/b/c") == "!not_a_folder");
    const auto missing = vfs.read("a\\Q");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().frames().front().path == "a\\Q");
}

TEST_CASE("nothing outside the root is reachable") {
    TempFolder root;
    root.file("inside/x", "x");
    root.file("outside", "secret");
    const auto vfs = Vfs::open(root.path() / "inside");
    REQUIRE(vfs);
    CHECK(read(*vfs, "../outside") == "!parent_traversal");
    CHECK(read(*vfs, "x/../../outside") == "!parent_traversal");
    CHECK(read(*vfs, (root.path() / "outside").string()) == "!absolute");
    CHECK(read(*vfs, "c:\\outside") == "!absolute");
}

TEST_CASE("symbolic links and special files are refused when they are resolved") {
    TempFolder root;
    root.file("real/x", "x");
    root.file("outside", "secret");
    fs::create_symlink(root.path() / "outside", root.path() / "real" / "link");
    fs::create_directory_symlink(root.path(), root.path() / "real" / "up");
    REQUIRE(::mkfifo((root.path() / "real" / "pipe").c_str(), 0600) == 0);
    const auto vfs = Vfs::open(root.path() / "real");
    REQUIRE(vfs);
    CHECK(read(*vfs, "link") == "!symlink");
    CHECK(read(*vfs, "up/outside") == "!symlink");
    CHECK(read(*vfs, "pipe") == "!not_a_file");
    CHECK(paths(*vfs, "") == std::vector<std::string>{"x@0"});
}

TEST_CASE("a folder exchanged for a link after opening is not followed") {
    TempFolder root;
    root.file("game/data/x", "good");
    root.file("other/x", "evil");
    const auto vfs = Vfs::open(root.path() / "game");
    REQUIRE(vfs);
    fs::remove_all(root.path() / "game" / "data");
    fs::create_directory_symlink(root.path() / "other", root.path() / "game" / "data");
    CHECK(read(*vfs, "data/x").front() == '!');
    CHECK_FALSE(vfs->read("data/x").error().code() == "not_found");
}

TEST_CASE("two names that differ only by case are ambiguous, also on the way") {
    TempFolder root;
    root.file("A/x", "1");
    root.file("a/y", "2");
    root.file("q/File", "3");
    root.file("q/fILE", "4");
    const Vfs vfs = root.open();
    CHECK(read(vfs, "A/x") == "!ambiguous");
    CHECK(read(vfs, "q/File") == "!ambiguous");
    CHECK_FALSE(vfs.exists("q/file"));
    CHECK(paths(vfs, "A") == std::vector<std::string>{"!ambiguous"});
}

TEST_CASE("names are byte strings: CP1251 letters are compared as they are") {
    TempFolder root;
    root.file("\xCC\xC8\xD1\xD1.tma", "mission");
    const Vfs vfs = root.open();
    CHECK(read(vfs, "\xCC\xC8\xD1\xD1.TMA") == "mission");
    CHECK(read(vfs, "\xEC\xE8\xF1\xF1.tma") == "!not_found");
}

TEST_CASE("listings are sorted by raw path bytes") {
    TempFolder root;
    for (const char* name : {"b/x", "B2", "a", "b/X2", "_", "b/c/d"}) root.file(name, "");
    const Vfs vfs = root.open();
    CHECK(paths(vfs, "") == std::vector<std::string>{"B2@0", "_@0", "a@0", "b/X2@0", "b/c/d@0", "b/x@0"});
    CHECK(paths(vfs, "B\\") == std::vector<std::string>{"b/X2@0", "b/c/d@0", "b/x@0"});
    CHECK(paths(vfs, "missing").empty());
    CHECK(paths(vfs, "a") == std::vector<std::string>{"!not_a_folder"});
}

TEST_CASE("the first layer wins and only not_found falls through") {
    TempFolder mod, game;
    mod.file("Data/x", "mod");
    mod.file("amb/f", "1");
    mod.file("amb/F", "2");
    game.file("DATA/X", "game");
    game.file("data2/y", "game");
    game.file("amb/f", "game");
    const auto vfs = Vfs::open_layers({mod.path(), game.path()});
    REQUIRE(vfs);
    CHECK(read(*vfs, "data/x") == "mod");
    CHECK(read(*vfs, "data2/y") == "game");
    CHECK(read(*vfs, "amb/f") == "!ambiguous");
    CHECK(vfs->resolve("data2/Y")->layer == 1);
    CHECK(paths(*vfs, "data") == std::vector<std::string>{"Data/x@0"});
    CHECK(paths(*vfs, "data2") == std::vector<std::string>{"data2/y@1"});
    CHECK(read(mod.open().over(game.open()), "data2/y") == "game");
}

TEST_CASE("a memory layer behaves like a folder") {
    auto memory = Vfs::from_memory({{"Data/x.bin", text("one")}, {"Data/sub/y", text("two")}});
    REQUIRE(memory);
    CHECK(read(*memory, "DATA\\X.BIN") == "one");
    CHECK(read(*memory, "data/sub/y") == "two");
    CHECK(read(*memory, "data/sub") == "!not_a_file");
    CHECK(*memory->size("data/x.bin") == 3);
    CHECK(read(*memory, "data/x.bin") == "one");  // reading does not consume it
    CHECK(paths(*memory, "data") == std::vector<std::string>{"Data/sub/y@0", "Data/x.bin@0"});
    CHECK(Vfs::from_memory({{"../x", {}}}).error().code() == "parent_traversal");
    CHECK(Vfs::from_memory({{"a", {}}, {"a/b", {}}}).error().code() == "not_a_folder");
    CHECK(Vfs::from_memory({{"a/b", {}}, {"a\\b", {}}}).error().code() == "not_a_folder");
}

TEST_CASE("roots that cannot be opened are errors, and limits hold") {
    TempFolder root;
    root.file("a/b/c", "12345");
    CHECK(Vfs::open(root.path() / "none").error().code() == "not_found");
    CHECK(Vfs::open(root.path() / "a/b/c").error().code() == "not_a_folder");
    VfsLimits limits;
    limits.nodes = 2;
    CHECK(Vfs::open(root.path(), limits).error().code() == "limit_exceeded");
    limits = {};
    limits.depth = 1;
    CHECK(Vfs::open(root.path(), limits).error().code() == "limit_exceeded");
    limits = {};
    limits.file_bytes = 4;
    const auto vfs = Vfs::open(root.path(), limits);
    REQUIRE(vfs);
    CHECK(read(*vfs, "a/b/c") == "!file_too_large");
}

TEST_CASE("a file that vanished after opening is an I/O error, not a fall-through") {
    TempFolder root, lower;
    root.file("x", "upper");
    lower.file("x", "lower");
    const auto vfs = Vfs::open_layers({root.path(), lower.path()});
    REQUIRE(vfs);
    fs::remove(root.path() / "x");
    CHECK(read(*vfs, "x") == "!io_error");
}

TEST_CASE("the archive cache returns the same object for every spelling of a path") {
    auto vfs = Vfs::from_memory({{"Objects.rlb", nres_example()}, {"font.rlb", rsli_example()}});
    REQUIRE(vfs);
    ArchiveCache cache(*vfs, ReadProfile::strict);
    const auto first = cache.open_nres("objects.rlb");
    REQUIRE(first);
    CHECK(*cache.open_nres("OBJECTS.RLB") == *first);
    CHECK(cache.kept_archives() == 1);
    CHECK(cache.kept_bytes() == 160);
    const auto entry = cache.find("objects.RLB", "a.BIN");
    REQUIRE(entry);
    CHECK(entry->index == 1);
    CHECK(entry->bytes.data() == (*first)->payload(1).data());
    CHECK(*cache.load_rsli("Font.rlb", "b.txt") == text("HELLO!!!"));
    CHECK(cache.find("objects.rlb", "none").error().code() == "entry_missing");
    CHECK(cache.load_rsli("font.rlb", "none").error().code() == "entry_missing");
    CHECK(cache.find("none.rlb", "x").error().code() == "not_found");
    CHECK(cache.open_rsli("objects.rlb").error().code() == "rsli_bad_magic");
    cache.drop("OBJECTS.rlb");
    CHECK(*cache.open_nres("objects.rlb") != *first);
}

TEST_CASE("the archive cache is bounded, evicts the least recently used and finds living objects") {
    std::map<std::string, Bytes> files;
    for (const char* name : {"a", "b", "c"}) files[name] = nres_example();
    const auto vfs = Vfs::from_memory(std::move(files));
    REQUIRE(vfs);
    ArchiveCache cache(*vfs, ReadProfile::compatible, {2, 1000});
    auto a = *cache.open_nres("a");
    const std::weak_ptr<const Nres> b = *cache.open_nres("b");
    REQUIRE(cache.open_nres("a"));  // a is now used later than b
    REQUIRE(cache.open_nres("c"));
    CHECK(cache.kept_archives() == 2);
    CHECK(b.expired());
    REQUIRE(cache.open_nres("b"));  // evicts a, which we still hold
    CHECK(*cache.open_nres("a") == a);
    ArchiveCache small(*vfs, ReadProfile::compatible, {32, 200});
    REQUIRE(small.open_nres("a"));
    REQUIRE(small.open_nres("b"));
    CHECK(small.kept_archives() == 1);
    CHECK(small.kept_bytes() == 160);
    small.clear();
    CHECK(small.kept_bytes() == 0);
}

TEST_CASE("the archive cache hands out what the readers reported, once, with the path") {
    Bytes quirky = nres_example();
    put_u32(quirky, 0x5C, 0);
    const auto vfs = Vfs::from_memory({{"Odd.lib", quirky}});
    REQUIRE(vfs);
    ArchiveCache cache(*vfs);
    REQUIRE(cache.open_nres("odd.lib"));
    REQUIRE(cache.open_nres("odd.lib"));
    const auto diagnostics = cache.take_diagnostics();
    REQUIRE(diagnostics.size() == 1);
    CHECK(diagnostics[0].code == "nres_bad_sort_table");
    CHECK(diagnostics[0].path == "odd.lib");
    CHECK(cache.take_diagnostics().empty());
    ArchiveCache strict_cache(*vfs, ReadProfile::strict);
    CHECK(strict_cache.open_nres("odd.lib").error().code() == "nres_bad_sort_table");
}
