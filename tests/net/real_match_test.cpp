// The whole way on the built-in content: settings, mission, world, two clients, record, replay.
#include <cmath>
#include <filesystem>

#include <catch2/catch.hpp>

#include "server/session/replay.hpp"
#include "server/start_match.hpp"
#include "shared/archive/vfs.hpp"
#include "shared/content/content.hpp"
#include "shared/mission/mission_loader.hpp"
#include "tests/net/arena.hpp"

using namespace iron;
using namespace iron::test;

namespace {

/// The content, written once for this run of the tests.
const std::filesystem::path& content_folder() {
    struct Folder {
        std::filesystem::path path =
            std::filesystem::temp_directory_path() / ("iron3d_net_content_" + std::to_string(::getpid()));
        Folder() {
            std::filesystem::remove_all(path);
            if (auto built = content::build_content(path, {}); !built) throw std::runtime_error(built.error().to_string());
        }
        ~Folder() { std::filesystem::remove_all(path); }
    };
    static const Folder folder;
    return folder.path;
}

server::ServerSettings real_settings() {
    server::ServerSettings settings;
    settings.root = content_folder().string();
    settings.seed = 42;
    settings.wait_players = 2;
    return settings;
}

struct RealMatch {
    explicit RealMatch(const server::ServerSettings& settings) {
        auto prepared = server::prepare_match(settings, {});
        if (!prepared) throw std::runtime_error(prepared.error().to_string());
        net::HostSettings listen;
        listen.address = "127.0.0.1";
        host = std::move(*net::EnetHost::open(listen));
        auto recorder = server::open_recorder(settings, *prepared);
        if (!recorder) throw std::runtime_error(recorder.error().to_string());
        room = std::move(*net::MatchRoom::create(std::move(prepared->simulation), std::move(*recorder), *host,
                                                 prepared->room));
        loop = std::make_unique<net::ServerLoop>(*host);
        loop->add(*room);
        manifest = *mission::build_manifest(*archive::Vfs::open(settings.root));
    }
    ClientSession& join(const std::string& name) {
        client::net::ConnectSettings s;
        s.port = host->port();
        s.player_name = name;
        s.manifest = manifest;
        clients.push_back(std::move(*ClientSession::start(std::move(s))));
        return clients.back();
    }
    bool until(const std::function<bool()>& condition) {
        return pump_until(
            [&] {
                REQUIRE(loop->receive(now_ms, 0));
                REQUIRE(loop->simulate(now_ms));
                now_ms += 20;
                for (ClientSession& c : clients) c.pump(0);
            },
            condition);
    }
    bool ticks(std::uint64_t count) {
        const std::uint64_t goal = room->match().tick() + count;
        return until([&] { return room->match().tick() >= goal; });
    }

    std::unique_ptr<net::EnetHost> host;
    std::unique_ptr<net::MatchRoom> room;
    std::unique_ptr<net::ServerLoop> loop;
    mission::ContentManifest manifest;
    std::deque<ClientSession> clients;
    std::uint64_t now_ms = 1000;
};

const client::net::Mirror* own_unit(const ClientSession& session) {
    for (const auto& [id, mirror] : session.mirrors().all())
        if (mirror.owner == session.player_number() && mirror.logic_id == 4) return &mirror;
    return nullptr;
}

}  // namespace

TEST_CASE("two players on the built-in mission agree, move a unit, and the record replays to the same hash") {
    const auto log = std::filesystem::temp_directory_path() / ("iron3d_net_match_" + std::to_string(::getpid()));
    std::filesystem::remove(log);
    server::ServerSettings settings = real_settings();
    settings.record = log.string();
    std::uint64_t last_tick = 0;
    Hash256 last_hash{};
    {
        RealMatch match(settings);
        ClientSession& anna = match.join("anna");
        REQUIRE(match.until([&] { return anna.clan() != 0xFF; }));
        ClientSession& boris = match.join("boris");
        REQUIRE(match.until([&] { return !anna.mirrors().all().empty() && !boris.mirrors().all().empty() && own_unit(anna) && own_unit(boris); }));
        CHECK(anna.clan() != boris.clan());
        CHECK(anna.mirrors().all().size() == match.room->match().snapshot()->objects.size());

        const std::uint32_t unit = own_unit(anna)->id;
        const Vec3 from = own_unit(anna)->current.position;
        EventLog events(anna);
        REQUIRE(anna.send(move_order({unit}, from.x + 20.0f, from.y + 10.0f)) != 0);
        REQUIRE(match.until([&] { return events.find(SessionEventKind::result) != nullptr; }));
        CHECK(events.find(SessionEventKind::result)->code == protocol::ResultCode::ok);
        const auto moved = [&](const ClientSession& c) {
            const auto* mirror = c.mirrors().find(unit);
            return mirror != nullptr && length(mirror->current.position - from) > 5.0f;
        };
        REQUIRE(match.until([&] { return moved(anna) && moved(boris); }));
        REQUIRE(match.ticks(120));
        for (ClientSession& c : match.clients) {
            CHECK(c.stats().hashes_compared >= 2);
            CHECK(c.stats().hashes_different == 0);
        }
        CHECK(anna.mirrors().view_hash() == boris.mirrors().view_hash());
        boris.leave();
        REQUIRE(match.ticks(20));
        REQUIRE(match.room->close(protocol::GoodbyeReason::server_shutdown, "end"));
        last_tick = match.room->match().tick();
        last_hash = match.room->match().state_hash().total;
    }

    auto reader = session::MessageLogReader::open_file(log);
    REQUIRE(reader);
    const auto load = [&](const session::LogHeader& header) -> Result<std::shared_ptr<const mission::MissionBlueprint>> {
        IRON_TRY(const archive::Vfs vfs, archive::Vfs::open(settings.root));
        mission::LoadOptions options;
        options.edition = header.profile;
        return mission::load_mission(vfs, header.mission, options);
    };
    const auto report = session::replay_log(*reader, load);
    REQUIRE(report);
    CHECK(report->verified());
    CHECK(report->ended);
    CHECK(report->final_tick == last_tick);
    CHECK(report->final_hash == last_hash);
    CHECK(report->commands == 1);
    CHECK(report->session_commands == 3);  // two joined, one left
    std::filesystem::remove(log);
}

TEST_CASE("what is missing is named with the whole chain") {
    server::ServerSettings settings = real_settings();
    SECTION("a root that does not exist") {
        settings.root = "/no/such/folder";
        const auto match = server::prepare_match(settings, {});
        REQUIRE_FALSE(match);
        CHECK(match.error().code() == "not_found");
        CHECK(match.error().to_string().find("/no/such/folder") != std::string::npos);
    }
    SECTION("a mission that does not exist") {
        settings.mission = "missions/single.77";
        const auto match = server::prepare_match(settings, {});
        REQUIRE_FALSE(match);
        CHECK(match.error().to_string().find("single.77") != std::string::npos);
    }
    SECTION("more players than the mission has places for") {
        settings.wait_players = 40;
        CHECK(server::prepare_match(settings, {}).error().code() == "bad_setting");
    }
}

TEST_CASE("an older log is kept under another name when a match is recorded over it") {
    const auto log = std::filesystem::temp_directory_path() / ("iron3d_net_old_" + std::to_string(::getpid()));
    const std::filesystem::path old = log.string() + ".old";
    REQUIRE(write_file_atomic(log, as_bytes("older")));
    server::ServerSettings settings = real_settings();
    settings.record = log.string();
    const auto prepared = server::prepare_match(settings, {});
    REQUIRE(prepared);
    CHECK(as_text(read_file(log).value()) == "older");  // not touched before everything is ready
    REQUIRE(server::open_recorder(settings, *prepared));
    CHECK(as_text(read_file(old).value()) == "older");
    CHECK(std::filesystem::file_size(log) != 5);
    std::filesystem::remove(log);
    std::filesystem::remove(old);
}
