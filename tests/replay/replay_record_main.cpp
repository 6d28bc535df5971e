// replay_record ROOT LOG MISSION TICKS: a busy match without players: every clan gets orders from a seeded stream.
// Writes LOG with a checkpoint every 10 ticks, and LOG.final with what replay_check must print.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "server/session/replay_source.hpp"
#include "server/world/world.hpp"
#include "shared/archive/vfs.hpp"
#include "shared/asset/land_mesh.hpp"
#include "shared/base/exit_code.hpp"
#include "shared/base/file.hpp"
#include "shared/base/rng.hpp"
#include "shared/mission/mission_loader.hpp"

namespace {

using namespace iron;

constexpr std::uint64_t kSeed = 20010927;
constexpr world::Tick kCheckpointEvery = 10;

/// Orders for one tick: about one command every third tick, any order, any units of the clan, any place of the map.
class Commander {
public:
    explicit Commander(const world::World& world)
        : low_(world.blueprint().land_mesh->header.corners[0]), high_(world.blueprint().land_mesh->header.corners[2]) {}

    world::InputFrame next(const world::World& world) {
        world::InputFrame frame;
        frame.tick = world.tick() + 1;
        const auto snapshot = world.snapshot();
        for (world::PlayerNumber player = 1; player <= snapshot->clans.size(); ++player)
            if (rng_.below(3) == 0) add(frame, *snapshot, player);
        if (rng_.below(7) == 0) hold_stick(frame, *snapshot);
        for (world::Command& c : frame.commands)
            if (c.order == static_cast<std::uint8_t>(world::Order::take_control)) {
                c.subjects.resize(1);
                driven_[c.player] = c.subjects[0];
            }
        return frame;
    }

private:
    world::Pos2 place() {
        const auto coordinate = [&](float from, float to) {
            return trunc_i32((from + (to - from) * rng_.unit()) * 256.0f);
        };
        const std::int32_t x = coordinate(low_.x, high_.x);
        return {x, coordinate(low_.y, high_.y)};
    }

    void add(world::InputFrame& frame, const world::Snapshot& snapshot, world::PlayerNumber player) {
        std::vector<world::ObjectId> own, all;
        for (const auto& object : snapshot.objects) {
            all.push_back(object.id);
            if (object.owner == player) own.push_back(object.id);
        }
        if (own.empty()) return;
        world::Command c;
        c.player = player;
        c.sequence = ++sequence_[player];
        // Moves keep the crowd going; every other order comes now and then. Surrender would end the fun.
        c.order = static_cast<std::uint8_t>(rng_.below(2) ? rng_.below(7) : rng_.below(world::kOrderCount));
        if (c.order == static_cast<std::uint8_t>(world::Order::surrender)) c.order = 1;
        c.flags = static_cast<std::uint8_t>(rng_.below(4) ? 0 : rng_.below(32));
        for (std::uint32_t n = 1 + rng_.below(6); n > 0; --n) {
            const world::ObjectId id = own[rng_.below(static_cast<std::uint32_t>(own.size()))];
            if (std::find(c.subjects.begin(), c.subjects.end(), id) == c.subjects.end()) c.subjects.push_back(id);
        }
        if (rng_.below(2)) c.target = all[rng_.below(static_cast<std::uint32_t>(all.size()))];
        c.at = place();
        c.yaw = static_cast<std::int16_t>(static_cast<std::int32_t>(rng_.below(65535)) - 32767);
        c.param = rng_.below(4);
        c.amount = rng_.below(6);
        for (std::uint32_t n = rng_.below(4); n > 0; --n) c.points.push_back(place());
        frame.commands.push_back(std::move(c));
    }

    /// Held input for what each player drives, or believes to drive.
    void hold_stick(world::InputFrame& frame, const world::Snapshot& snapshot) {
        for (world::PlayerNumber player = 1; player <= snapshot.clans.size(); ++player) {
            if (driven_[player].is_none()) continue;
            world::ManualInput m;
            m.player = player;
            m.object = driven_[player];
            m.client_tick = static_cast<std::uint32_t>(frame.tick);
            m.move_y = static_cast<std::int8_t>(static_cast<std::int32_t>(rng_.below(255)) - 127);
            m.turn = static_cast<std::int8_t>(static_cast<std::int32_t>(rng_.below(255)) - 127);
            m.buttons = rng_.below(512);
            frame.manual.push_back(m);
        }
    }

    Rng rng_{kSeed, 99};
    Vec3 low_, high_;
    std::uint32_t sequence_[65] = {};
    world::ObjectId driven_[65] = {};
};

Status record(const std::string& root, const std::string& log, const std::string& mission, world::Tick ticks) {
    IRON_TRY(const archive::Vfs vfs, archive::Vfs::open(root));
    mission::LoadOptions load;
    load.edition = Edition::builtin;
    IRON_TRY(const auto blueprint, mission::load_mission(vfs, mission, load));
    const world::Rules& rules = world::default_rules();
    IRON_TRY(const auto world, world::World::create(blueprint, rules, kSeed));

    session::LogHeader header;
    header.sim_version = world::kSimVersion;
    header.sim_version_text = world::kSimVersionText;
    header.fingerprint = blueprint->content_fingerprint;
    header.profile = Edition::builtin;
    header.mission = blueprint->key;
    header.rules = rules.hash;
    header.rules_text = world::default_rules_text();
    header.step_ms = rules.step_ms;
    header.match_seed = kSeed;
    header.initial_hash = world->state_hash().total;
    header.build = session::build_description();
    header.checkpoint_interval = static_cast<std::uint32_t>(kCheckpointEvery);
    header.mode = static_cast<std::uint8_t>(world::GameMode::multiplayer);
    std::filesystem::remove(log);
    IRON_TRY(auto writer, session::MessageLogWriter::create(log, header));

    Commander commander(*world);
    while (world->tick() < ticks) {
        const world::InputFrame frame = commander.next(*world);
        IRON_CHECK(writer->input(frame));
        IRON_CHECK(world->step(frame));
        if (world->tick() % kCheckpointEvery != 0) continue;
        for (auto block : {world::HashBlock::objects, world::HashBlock::control, world::HashBlock::behavior})
            IRON_CHECK(writer->object_digests(world->tick(), block, world->object_digests(block)));
        IRON_CHECK(writer->checkpoint(world->tick(), world->state_hash()));
    }
    const world::StateHash last = world->state_hash();
    IRON_CHECK(writer->end(world->tick(), last));
    const std::string final_line = std::to_string(world->tick()) + " " + to_hex(last.total) + "\n";
    IRON_CHECK(write_file_atomic(log + ".final", as_bytes(final_line)));
    std::printf("%s", final_line.c_str());
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) {
        std::fprintf(stderr, "usage: replay_record ROOT LOG MISSION TICKS\n");
        return 2;
    }
    const Status status = record(argv[1], argv[2], argv[3], std::strtoull(argv[4], nullptr, 10));
    if (status) return 0;
    std::fprintf(stderr, "replay_record: %s\n", status.error().to_string().c_str());
    return static_cast<int>(exit_code_for(status.error()));
}
