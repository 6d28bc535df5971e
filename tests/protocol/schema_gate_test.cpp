// The schema of this build against the last released one. The released schemas are protocol/released/*.bfbs; a new
// release is written with `cmake --build BUILD --target release_protocol_schema`.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

#include "protocol/binary_schema.hpp"
#include "protocol/version.hpp"
#include "shared/base/file.hpp"
#include "tests/protocol/schema_compare.hpp"

namespace fs = std::filesystem;
using namespace iron;
using namespace iron::protocol;

namespace {

const fs::path kSchemas = fs::path(IRON_SOURCE_DIR) / "protocol";
const fs::path kReleased = kSchemas / "released";

/// A copy of the schema files that a test may damage.
class Workshop {
public:
    Workshop() : dir_(fs::temp_directory_path() / ("iron_schema_" + std::to_string(::getpid()))) {
        fs::remove_all(dir_);
        fs::create_directories(dir_);
        for (const auto& entry : fs::directory_iterator(kSchemas))
            if (entry.path().extension() == ".fbs") fs::copy(entry.path(), dir_);
    }
    ~Workshop() { fs::remove_all(dir_); }

    /// Replaces the only occurrence of `before` in `file`.
    void edit(const std::string& file, const std::string& before, const std::string& after) {
        std::ifstream in(dir_ / file);
        std::string text{std::istreambuf_iterator<char>(in), {}};
        const auto at = text.find(before);
        REQUIRE(at != std::string::npos);
        REQUIRE(text.find(before, at + 1) == std::string::npos);
        text.replace(at, before.size(), after);
        std::ofstream(dir_ / file) << text;
    }

    Bytes compile(const std::string& root = "envelope") {
        REQUIRE(run("-b --schema -o \"" + dir_.string() + "\" \"" + (dir_ / (root + ".fbs")).string() + "\"") == 0);
        auto bytes = read_file(dir_ / (root + ".bfbs"));
        REQUIRE(bytes);
        return *bytes;
    }

    /// The compiler's own conformance check against a released schema. Both sides are binary schemas: the compiler
    /// reads the default of an optional scalar differently from text and would find a difference where none is.
    bool conforms(const fs::path& released, const std::string& root = "envelope") {
        compile(root);
        return run("--conform \"" + released.string() + "\" \"" + (dir_ / (root + ".bfbs")).string() + "\"") == 0;
    }

    std::vector<std::string> changes() {
        return test::breaking_changes(envelope_schema_bytes(), compile());
    }

private:
    int run(const std::string& arguments) {
        return std::system(("\"" IRON_FLATC "\" -I \"" + dir_.string() + "\" " + arguments + " >/dev/null 2>&1").c_str());
    }
    fs::path dir_;
};

struct Gate {
    const char* prefix;  ///< of the released file
    const char* root;    ///< schema file
    ByteView (*current)();
};
constexpr Gate kGates[] = {{"iron3d-", "envelope", envelope_schema_bytes},
                           {"iron3d_discovery-", "discovery", discovery_schema_bytes},
                           {"iron3d_log-", "log", log_schema_bytes}};

std::vector<fs::path> released(const std::string& prefix) {
    std::vector<fs::path> out;
    const std::string start = prefix + std::to_string(kVersion.major) + ".";
    for (const auto& entry : fs::directory_iterator(kReleased))
        if (entry.path().filename().string().starts_with(start)) out.push_back(entry.path());
    return out;
}

bool contains(const std::vector<std::string>& lines, const std::string& part) {
    for (const auto& line : lines)
        if (line.find(part) != std::string::npos) return true;
    return false;
}

}  // namespace

TEST_CASE("the schemas only append to every released schema of this major") {
    Workshop workshop;
    for (const Gate& gate : kGates) {
        const auto files = released(gate.prefix);
        CHECK(!files.empty());
        for (const auto& file : files) {
            INFO(file.filename().string());
            auto bytes = read_file(file);
            REQUIRE(bytes);
            CHECK(test::breaking_changes(*bytes, gate.current()) == std::vector<std::string>{});
            CHECK(workshop.conforms(file, gate.root));
        }
    }
}

TEST_CASE("appending a field, a member and an enumeration value passes the gate") {
    Workshop workshop;
    workshop.edit("envelope.fbs", "DesignBegin, DesignChunk, DesignResult", "DesignBegin, DesignChunk, DesignResult, Novelty");
    workshop.edit("envelope.fbs", "union Body {", "table Novelty (stable_key: \"0x0400\", from_client: \"1\") { x: int; }\nunion Body {");
    workshop.edit("objects.fbs", "  state_hash: [ubyte] (exact_bytes: \"32\");", "  state_hash: [ubyte] (exact_bytes: \"32\");\n  more: uint;");
    workshop.edit("types.fbs", "GoodbyeReason: ubyte { left,", "GoodbyeReason: ubyte { /* appended below */ left,");
    workshop.edit("types.fbs", "timeout, match_over }", "timeout, match_over, moved }");
    CHECK(workshop.changes() == std::vector<std::string>{});
    CHECK(workshop.conforms(released("iron3d-").front()));
}

TEST_CASE("a struct that grew is noticed although the compiler accepts it") {
    Workshop workshop;
    workshop.edit("state.fbs", "  tick: ulong;\n  base: ulong;\n}\n\n/// The same", "  tick: ulong;\n  base: ulong;\n  more: ulong;\n}\n\n/// The same");
    CHECK(contains(workshop.changes(), "iron.protocol.StateHeader: another size"));
}

TEST_CASE("a removed last field is noticed although the compiler accepts it") {
    Workshop workshop;
    workshop.edit("objects.fbs", "  last_seen_tick: ulong;\n", "");
    CHECK(contains(workshop.changes(), "iron.protocol.MirrorCreate.last_seen_tick: removed"));
}

TEST_CASE("a removed last union member is noticed") {
    Workshop workshop;
    workshop.edit("envelope.fbs", "DesignBegin, DesignChunk, DesignResult", "DesignBegin, DesignChunk");
    CHECK(contains(workshop.changes(), "iron.protocol.Body.DesignResult: removed"));
}

TEST_CASE("a member in the middle of the union is noticed") {
    Workshop workshop;
    workshop.edit("envelope.fbs", "Hello, Welcome, Reject,", "Hello, Reject, Welcome,");
    CHECK(contains(workshop.changes(), "iron.protocol.Body.Welcome: another number"));
}

TEST_CASE("a changed type is noticed by both checks") {
    Workshop workshop;
    workshop.edit("commands.fbs", "  amount: uint;", "  amount: ulong;");
    CHECK(contains(workshop.changes(), "iron.protocol.Command.amount: another type"));
    CHECK_FALSE(workshop.conforms(released("iron3d-").front()));
}

TEST_CASE("fields in another order are noticed by both checks") {
    Workshop workshop;
    workshop.edit("objects.fbs", "  count: uint;\n  view_hash: ulong = null;", "  view_hash: ulong = null;\n  count: uint;");
    CHECK(contains(workshop.changes(), "iron.protocol.TickEnd.count: another id"));
    CHECK_FALSE(workshop.conforms(released("iron3d-").front()));
}

TEST_CASE("a changed enumeration value, key, limit or default is noticed") {
    {
        Workshop workshop;
        workshop.edit("types.fbs", "enum HideMode: ubyte { forget, keep_as_last_seen }", "enum HideMode: ubyte { keep_as_last_seen, forget }");
        CHECK(contains(workshop.changes(), "iron.protocol.HideMode.forget: another number"));
    }
    {
        Workshop workshop;
        workshop.edit("objects.fbs", "stable_key: \"0x0103\"", "stable_key: \"0x0105\"");
        CHECK(contains(workshop.changes(), "iron.protocol.ObjectKill: other attributes"));
    }
    {
        Workshop workshop;
        workshop.edit("commands.fbs", "max_items: \"128\"", "max_items: \"64\"");
        CHECK(contains(workshop.changes(), "iron.protocol.Command.subjects: other limits"));
    }
    {
        Workshop workshop;
        workshop.edit("envelope.fbs", "native: uint = 4294967295", "native: uint");
        CHECK(contains(workshop.changes(), "iron.protocol.Envelope.native: another default"));
    }
    {
        Workshop workshop;
        workshop.edit("envelope.fbs", "file_identifier \"I3D1\"", "file_identifier \"I3D2\"");
        CHECK(contains(workshop.changes(), "another file identifier"));
    }
}

TEST_CASE("a new required field is noticed: older peers do not send it") {
    Workshop workshop;
    workshop.edit("objects.fbs", "  state_hash: [ubyte] (exact_bytes: \"32\");", "  state_hash: [ubyte] (exact_bytes: \"32\");\n  more: string (required);");
    CHECK(contains(workshop.changes(), "iron.protocol.TickEnd.more: a new field is required"));
}
