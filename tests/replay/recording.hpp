// A short match on a synthetic map, recorded through the real writer.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <unistd.h>
#include <zlib.h>

#include "server/session/message_log.hpp"
#include "server/session/replay.hpp"
#include "shared/base/file.hpp"
#include "tests/world/synthetic.hpp"

namespace iron::session::test {

/// Stops the test on a failed Status.
inline void must(const Status& status) {
    if (!status) throw std::runtime_error(status.error().to_string());
}

class TempFile {
public:
    explicit TempFile(const std::string& name)
        : path_(std::filesystem::temp_directory_path() / ("iron_" + std::to_string(::getpid()) + "_" + name)) {
        std::filesystem::remove(path_);
    }
    ~TempFile() { std::filesystem::remove(path_); }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

inline constexpr const char* kRulesText = R"({"height_scale": {"tie": 1.0}})";

/// Two clans with three robots each on flat ground.
inline std::shared_ptr<const mission::MissionBlueprint> small_mission() {
    synthetic::MissionMaker maker;
    maker.clan("red").clan("blue");
    for (int i = 0; i < 3; ++i) maker.unit(0, 30.0f + 10.0f * static_cast<float>(i), 40);
    for (int i = 0; i < 3; ++i) maker.unit(1, 30.0f + 10.0f * static_cast<float>(i), 200);
    maker.mission.key = "missions/synthetic.01";
    maker.mission.content_fingerprint = sha256(as_bytes("synthetic content"));
    return maker.build();
}

inline LogHeader small_header(const mission::MissionBlueprint& mission, const world::World& world) {
    LogHeader h;
    h.sim_version = world::kSimVersion;
    h.sim_version_text = world::kSimVersionText;
    h.fingerprint = mission.content_fingerprint;
    h.profile = Edition::builtin;
    h.mission = mission.key;
    h.rules = world.rules().hash;
    h.rules_text = kRulesText;
    h.step_ms = world.rules().step_ms;
    h.match_seed = world.match_seed();
    h.initial_hash = world.state_hash().total;
    h.build = build_description();
    h.mode = static_cast<std::uint8_t>(world::GameMode::multiplayer);
    return h;
}

inline world::Command move(world::PlayerNumber player, std::uint32_t sequence, std::uint32_t index, float x, float y) {
    world::Command c;
    c.player = player;
    c.sequence = sequence;
    c.order = static_cast<std::uint8_t>(world::Order::move);
    c.subjects = {synthetic::unit_id(player, index)};
    c.at = synthetic::pos(x, y);
    return c;
}

struct RecordingOptions {
    world::Tick ticks = 200;
    std::uint32_t checkpoint_every = 50;
    bool object_digests = false;
    bool end = true;
    std::function<void(LogHeader&)> header = [](LogHeader&) {};
    std::function<void(MessageLogWriter&)> before_first_tick = [](MessageLogWriter&) {};
};

/// Frames of the recorded match: moves of both clans, a pause with a command in it, a join, a stop.
inline std::vector<world::InputFrame> script() {
    std::vector<world::InputFrame> frames;
    const auto at = [&](world::Tick tick) -> world::InputFrame& {
        frames.push_back({});
        frames.back().tick = tick;
        return frames.back();
    };
    auto& first = at(5);
    first.session.push_back({1, world::SessionAct::player_joined, 1, 0, {}, "Vasja"});
    first.commands = {move(1, 1, 0, 200, 60), move(2, 1, 1, 60, 60)};
    at(30).commands = {move(1, 2, 1, 180, 180)};
    at(60).session = {{2, world::SessionAct::pause, 1, 0, {}, {}}};
    at(61).commands = {move(2, 2, 0, 100, 100)};  // answered "paused", no tick
    auto& resumed = at(61);
    resumed.session = {{3, world::SessionAct::resume, 1, 0, {}, {}}};
    resumed.commands = {move(2, 3, 2, 128, 128)};
    at(120).commands = {move(1, 3, 2, 100, 220)};
    return frames;
}

/// Runs the frames and records them; returns the file.
inline Bytes record(const RecordingOptions& options = {}, const std::vector<world::InputFrame>& frames = script()) {
    const auto mission = small_mission();
    auto world = world::World::create(mission, world::load_rules(kRulesText).value(), 77).value();
    TempFile file("recording");
    LogHeader header = small_header(*mission, *world);
    header.checkpoint_interval = options.checkpoint_every;
    options.header(header);
    auto writer = MessageLogWriter::create(file.path(), header).value();
    options.before_first_tick(*writer);
    std::size_t next = 0;
    while (world->tick() < options.ticks) {
        world::InputFrame frame;
        frame.tick = world->tick() + 1;
        if (next < frames.size() && frames[next].tick == frame.tick) frame = frames[next++];
        const world::Tick before = world->tick();
        must(writer->input(frame));
        must(world->step(frame));
        if (world->tick() == before || world->tick() % options.checkpoint_every != 0) continue;
        if (options.object_digests)
            for (auto block : {world::HashBlock::objects, world::HashBlock::props, world::HashBlock::control, world::HashBlock::behavior})
                must(writer->object_digests(world->tick(), block, world->object_digests(block)));
        must(writer->checkpoint(world->tick(), world->state_hash()));
    }
    if (options.end)
        must(writer->end(world->tick(), world->state_hash()));
    else
        must(writer->flush());
    return read_file(file.path()).value();
}

inline BlueprintLoader loader() {
    return [](const LogHeader&) -> Result<std::shared_ptr<const mission::MissionBlueprint>> { return small_mission(); };
}

inline Result<ReplayReport> replay(Bytes file, const ReplayOptions& options = {}) {
    IRON_TRY(MessageLogReader log, MessageLogReader::open(std::move(file)));
    return replay_log(log, loader(), options);
}

/// Everything a reader returns, in order.
inline std::vector<LogEntry> entries(const Bytes& file) {
    auto log = MessageLogReader::open(file).value();
    std::vector<LogEntry> out;
    while (auto entry = log.next().value()) out.push_back(std::move(*entry));
    return out;
}

/// Reads a log, lets `change` alter its entries, writes it again without the end record, whose hash belongs to the
/// unchanged match.
inline Bytes rewrite(const Bytes& file, const std::function<void(LogHeader&, std::vector<LogEntry>&)>& change) {
    LogHeader header = MessageLogReader::open(file).value().header();
    auto list = entries(file);
    change(header, list);
    TempFile out("rewritten");
    auto writer = MessageLogWriter::create(out.path(), header).value();
    for (const LogEntry& entry : list) {
        if (const auto* frame = std::get_if<world::InputFrame>(&entry)) must(writer->input(*frame));
        if (const auto* checkpoint = std::get_if<LogCheckpoint>(&entry)) must(writer->checkpoint(checkpoint->tick, checkpoint->hash));
        if (const auto* digests = std::get_if<LogObjectDigests>(&entry)) must(writer->object_digests(digests->tick, digests->block, digests->digests));
        if (const auto* files = std::get_if<LogManifestPart>(&entry)) must(writer->manifest(*files));
        if (const auto* note = std::get_if<LogNote>(&entry)) must(writer->note(note->tick, note->text));
    }
    must(writer->flush());
    return read_file(out.path()).value();
}

/// The decompressed bytes of all blocks.
inline std::string contents(const Bytes& file) {
    std::string out;
    for (std::size_t at = 0; at < file.size();) {
        const std::size_t payload = load_le<std::uint32_t>(file.data() + at + 8);
        uLongf raw = load_le<std::uint32_t>(file.data() + at + 12);
        std::string block(raw, '\0');
        if (::uncompress(reinterpret_cast<Bytef*>(block.data()), &raw, file.data() + at + protocol::kLogBlockHeaderBytes, payload) != Z_OK)
            throw std::runtime_error("a block does not decompress");
        out += block;
        at += protocol::kLogBlockHeaderBytes + payload;
    }
    return out;
}

}  // namespace iron::session::test
