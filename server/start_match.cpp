#include "server/start_match.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include <sodium.h>

#include "server/session/world_simulation.hpp"
#include "server/world/sim_version.hpp"
#include "shared/archive/vfs.hpp"
#include "shared/mission/manifest_bytes.hpp"
#include "shared/mission/mission_loader.hpp"

namespace iron::server {

namespace {

Edition edition_of(const std::string& word) {
    if (word == "part1") return Edition::part1;
    if (word == "part2") return Edition::part2;
    if (word == "demo") return Edition::demo;
    if (word == "gog") return Edition::gog;
    return Edition::builtin;
}

world::GameMode mode_of(const std::string& word) {
    if (word == "campaign") return world::GameMode::campaign;
    if (word == "single") return world::GameMode::single;
    if (word == "tutorial") return world::GameMode::tutorial;
    return world::GameMode::multiplayer;
}

/// Clans a player may take: first those the mission gives to players, then those it gives to the
/// computer.
std::vector<std::uint8_t> playable_clans(const mission::MissionBlueprint& blueprint) {
    std::vector<std::uint8_t> out;
    for (const asset::ClanMode mode : {asset::ClanMode::player, asset::ClanMode::ai})
        for (const mission::ClanBlueprint& clan : blueprint.clans)
            if (clan.mode == mode && clan.index < 64) out.push_back(static_cast<std::uint8_t>(clan.index));
    return out;
}

/// What loading found, one line for each kind: a real installation repeats some of them by the hundred.
std::vector<std::string> one_per_kind(const std::vector<Diagnostic>& diagnostics) {
    std::map<std::string, std::pair<const Diagnostic*, std::size_t>> kinds;
    for (const Diagnostic& d : diagnostics) {
        if (d.severity == Severity::information) continue;
        auto& [first, count] = kinds[d.code];
        if (first == nullptr) first = &d;
        ++count;
    }
    std::vector<std::string> out;
    for (const auto& [code, kind] : kinds) {
        const auto& [first, count] = kind;
        std::string line = first->path.empty() ? first->message : first->path + ": " + first->message;
        if (count > 1) line += " (and " + std::to_string(count - 1) + " more of this kind)";
        out.push_back(line + " [" + code + "]");
    }
    return out;
}

std::uint64_t random_u64() {
    std::uint64_t value = 0;
    randombytes_buf(&value, sizeof value);
    return value;
}

}  // namespace

Result<PreparedMatch> prepare_match(const ServerSettings& settings, const StartProgress& progress) {
    IRON_TRY_WRAP(const archive::Vfs vfs, archive::Vfs::open(settings.root),
                  "cannot open the game directory " + settings.root);
    const auto on_file = [&](std::uint64_t done, std::uint64_t total, std::uint64_t) {
        if (progress) progress("content files", done, total);
    };
    PreparedMatch out;
    IRON_TRY_WRAP(out.manifest, mission::build_manifest(vfs, on_file),
                  "cannot read the game directory " + settings.root);

    const world::Rules& rules = world::default_rules();
    mission::LoadOptions load;
    load.edition = edition_of(settings.edition);
    load.content_fingerprint = mission::fingerprint(out.manifest);
    const auto on_stage = [&](const mission::LoadProgress& p) {
        if (progress) progress(std::string(mission::load_stage_name(p.stage)), p.done, p.total);
    };
    IRON_TRY_WRAP(const auto blueprint, mission::load_mission(vfs, settings.mission, load, on_stage),
                  "cannot load the mission " + settings.mission);

    const std::uint64_t seed = settings.seed.value_or(random_u64());
    world::WorldOptions options;
    options.mode = mode_of(settings.mode);
    IRON_TRY_WRAP(std::unique_ptr<world::World> world, world::World::create(blueprint, rules, seed, options),
                  "cannot make the world of " + blueprint->key);
    out.objects = world->report().objects;
    out.warnings = one_per_kind(blueprint->diagnostics);
    out.notes = world->report().notes;

    session::SessionSettings& session = out.room.session;
    session.clans = playable_clans(*blueprint);
    if (session.clans.empty())
        return fail("no_player_clan", "the mission " + blueprint->key + " has no clan a player could take");
    if (settings.max_players != 0 && session.clans.size() > settings.max_players)
        session.clans.resize(settings.max_players);
    if (settings.wait_players > session.clans.size())
        return fail("bad_setting", "wait_players is " + std::to_string(settings.wait_players) + ", but the match has " +
                                       std::to_string(session.clans.size()) + " places for players");
    session.server_name = settings.name;
    session.mission_key = blueprint->key;
    session.fingerprint = *load.content_fingerprint;
    session.content_list = mission::write_manifest(out.manifest);
    session.rules = rules.hash;
    const std::string_view rules_text = world::default_rules_text();
    session.rules_text.assign(rules_text.begin(), rules_text.end());
    session.match_id = random_u64();
    session.match_seed = seed;
    session.step_ms = rules.step_ms;
    session.password = settings.password;
    session.max_spectators = settings.max_spectators;
    session.start_with = settings.wait_players;
    session.limited_pauses = options.mode == world::GameMode::multiplayer;
    session.limits.grace_ms = settings.grace_s * 1000;
    out.room.state.bytes_per_s = settings.state_bytes_per_s;
    out.room.stop_after = settings.ticks;

    session::LogHeader& header = out.log_header;
    header.sim_version = world::kSimVersion;
    header.sim_version_text = std::string(world::kSimVersionText);
    header.fingerprint = session.fingerprint;
    header.profile = load.edition;
    header.mission = blueprint->key;
    header.rules = rules.hash;
    header.rules_text = std::string(rules_text);
    header.step_ms = rules.step_ms;
    header.match_seed = seed;
    header.initial_hash = world->state_hash().total;
    header.build = session::build_description();
    header.mode = static_cast<std::uint8_t>(options.mode);
    out.world = world.get();
    out.simulation = std::make_unique<session::WorldSimulation>(std::move(world));
    return out;
}

namespace {

/// Writes one digest per object before every checkpoint, so that a replay can name the object that differs.
class ObjectRecorder final : public session::InputRecorder {
public:
    ObjectRecorder(std::unique_ptr<session::MessageLogWriter> writer, const world::World& world)
        : writer_(std::move(writer)), world_(world) {}
    Status input(const world::InputFrame& frame) override { return writer_->input(frame); }
    Status checkpoint(world::Tick tick, const world::StateHash& hash) override {
        for (const auto block : {world::HashBlock::objects, world::HashBlock::props, world::HashBlock::control,
                                 world::HashBlock::behavior})
            IRON_CHECK(writer_->object_digests(tick, block, world_.object_digests(block)));
        return writer_->checkpoint(tick, hash);
    }
    Status end(world::Tick tick, const world::StateHash& hash) override { return writer_->end(tick, hash); }

private:
    std::unique_ptr<session::MessageLogWriter> writer_;
    const world::World& world_;
};

}  // namespace

Result<std::unique_ptr<session::InputRecorder>> open_recorder(const ServerSettings& settings,
                                                              const PreparedMatch& match) {
    if (settings.record.empty()) return std::unique_ptr<session::InputRecorder>();
    std::error_code ignored;  // whatever is in the way is an error of create() below
    if (std::filesystem::is_regular_file(settings.record, ignored))
        std::filesystem::rename(settings.record, settings.record + ".old", ignored);
    IRON_TRY_WRAP(auto writer, session::MessageLogWriter::create(settings.record, match.log_header),
                  "cannot record the match to " + settings.record);
    std::vector<session::LogManifestFile> files;
    files.reserve(match.manifest.files.size());
    for (const mission::ManifestEntry& file : match.manifest.files)
        files.push_back({file.path, file.size, file.digest});
    IRON_CHECK(writer->manifest(files));
    if (settings.record_objects)
        return std::unique_ptr<session::InputRecorder>(
            std::make_unique<ObjectRecorder>(std::move(writer), *match.world));
    return std::unique_ptr<session::InputRecorder>(std::move(writer));
}

}  // namespace iron::server
