#include "server/session/replay.hpp"

#include <array>
#include <cstdio>

#include "server/world/rules.hpp"
#include "server/world/sim_version.hpp"
#include "server/world/world.hpp"
#include "shared/mission/blueprint.hpp"
#include "shared/mission/fingerprint.hpp"

namespace iron::session {
namespace {

constexpr world::Tick kProgressTicks = 64;

Status check_sim_version(const LogHeader& header) {
    if (header.sim_version == world::kSimVersion) return {};
    return fail("other_sim_version", "the log was made by simulation version " + std::to_string(header.sim_version) +
                                         " (" + header.sim_version_text + "), this program runs version " +
                                         std::to_string(world::kSimVersion) + " (" + std::string(world::kSimVersionText) + ")");
}

/// The rules inside the log, else the default ones; their hash must be the recorded one.
Result<world::Rules> rules_of(const LogHeader& header) {
    if (header.step_ms == 0 || header.step_ms > 1000) return fail("other_rules", "step length out of range");
    const std::string_view text = header.rules_text.empty() ? world::default_rules_text() : std::string_view(header.rules_text);
    IRON_TRY_WRAP(world::Rules rules, world::load_rules(text, header.step_ms), "loading the rules of the log");
    if (rules.hash != header.rules)
        return fail("other_rules", "the log was made with rules " + to_hex(header.rules) + ", at hand are " + to_hex(rules.hash));
    return rules;
}

/// Reads the manifest records of the log; the log is rewound afterwards.
Result<mission::ContentManifest> recorded_manifest(MessageLogReader& log) {
    mission::ContentManifest out;
    for (;;) {
        IRON_TRY(std::optional<LogEntry> entry, log.next());
        if (!entry) break;
        if (const auto* part = std::get_if<LogManifestPart>(&*entry))
            for (const auto& file : *part) out.files.push_back({file.path, file.size, file.digest});
    }
    IRON_CHECK(log.rewind());
    return out;
}

Status check_content(MessageLogReader& log, const mission::MissionBlueprint& blueprint, const ReplayOptions& options) {
    const LogHeader& header = log.header();
    if (blueprint.content_fingerprint == header.fingerprint) return {};
    std::string text = "the log was made with content " + to_hex(header.fingerprint) + ", at hand is " +
                       to_hex(blueprint.content_fingerprint);
    if (options.manifest) {
        IRON_TRY(const mission::ContentManifest recorded, recorded_manifest(log));
        if (!recorded.files.empty()) {
            IRON_TRY(const mission::ContentManifest here, options.manifest());
            if (const auto difference = mission::first_difference(recorded, here)) text += "; first difference: " + difference->to_string();
        }
    }
    return fail("other_content", std::move(text));
}

class Replay {
public:
    Replay(MessageLogReader& log, std::unique_ptr<world::World> world, const ReplayOptions& options,
           const ReplayProgress& progress)
        : log_(log), world_(std::move(world)), options_(options), progress_(progress) {}

    Result<ReplayReport> run() {
        if (!check_total(log_.header().initial_hash)) return finish();
        for (;;) {
            IRON_TRY(std::optional<LogEntry> entry, log_.next());
            if (!entry) break;
            IRON_TRY(const bool go_on, std::visit([this](const auto& e) { return apply(e); }, *entry));
            if (!go_on) break;
        }
        return finish();
    }

private:
    /// Runs ticks without input up to `tick`. A paused world does not move: the log cannot be right.
    Status advance_to(world::Tick tick) {
        while (world_->tick() < tick) {
            const world::Tick before = world_->tick();
            world::InputFrame empty;
            empty.tick = before + 1;
            IRON_CHECK(world_->step(empty));
            if (world_->tick() == before)
                return fail("bad_log_order", "the log expects tick " + std::to_string(tick) + " but the world is paused at " +
                                                 std::to_string(before));
            show_progress();
        }
        if (world_->tick() > tick)
            return fail("bad_log_order", "a record of tick " + std::to_string(tick) + " comes too late");
        return {};
    }

    bool beyond_end(world::Tick tick) const { return options_.last_tick && tick > *options_.last_tick; }

    Result<bool> stop_early() {
        IRON_CHECK(advance_to(std::max(world_->tick(), *options_.last_tick)));
        return false;
    }

    Result<bool> apply(const world::InputFrame& frame) {
        if (beyond_end(frame.tick)) return stop_early();
        if (frame.tick == 0) return fail("bad_log_order", "input before the first tick");
        IRON_CHECK(advance_to(frame.tick - 1));
        IRON_CHECK(world_->step(frame));
        report_.session_commands += frame.session.size();
        report_.commands += frame.commands.size();
        report_.manual_inputs += frame.manual.size();
        show_progress();
        return true;
    }

    Result<bool> apply(const LogCheckpoint& checkpoint) {
        if (beyond_end(checkpoint.tick)) return stop_early();
        IRON_CHECK(advance_to(checkpoint.tick));
        const world::StateHash actual = world_->state_hash();
        if (options_.on_checkpoint) options_.on_checkpoint(checkpoint.tick, actual);
        if (actual.total == checkpoint.hash.total) {
            ++report_.checkpoints;
            last_good_ = checkpoint.tick;
            return true;
        }
        diverged(checkpoint.hash.total, actual.total, world::differing_blocks(checkpoint.hash, actual));
        return false;
    }

    Result<bool> apply(const LogObjectDigests& digests) {
        if (beyond_end(digests.tick)) return stop_early();
        const auto block = static_cast<std::uint32_t>(digests.block);
        if (block >= 1 && block <= objects_.size()) objects_[block - 1] = digests;
        return true;
    }

    Result<bool> apply(const LogManifestPart&) { return true; }
    Result<bool> apply(const LogNote&) { return true; }

    Result<bool> apply(const LogEnd& end) {
        if (beyond_end(end.tick)) return stop_early();
        IRON_CHECK(advance_to(end.tick));
        const world::StateHash actual = world_->state_hash();
        if (actual.total != end.total) diverged(end.total, actual.total, {});
        return true;
    }

    bool check_total(const Hash256& expected) {
        const world::StateHash actual = world_->state_hash();
        if (actual.total == expected) return true;
        diverged(expected, actual.total, {});
        return false;
    }

    void diverged(const Hash256& expected, const Hash256& actual, std::vector<std::uint32_t> blocks) {
        Divergence d;
        d.tick = world_->tick();
        d.last_good_tick = last_good_;
        d.blocks = std::move(blocks);
        d.expected = expected;
        d.actual = actual;
        if (!d.blocks.empty()) d.block = world::block_name(d.blocks.front());
        for (const std::uint32_t block : d.blocks) {
            const LogObjectDigests& recorded = objects_[block - 1];
            if (recorded.tick != d.tick || recorded.digests.empty()) continue;
            const auto here = world_->object_digests(static_cast<world::HashBlock>(block));
            const auto ids = world::differing_objects(recorded.digests, here);
            if (!ids.empty()) {
                d.object = ids.front();
                break;
            }
        }
        report_.divergence = std::move(d);
    }

    void show_progress() {
        if (progress_ && world_->tick() % kProgressTicks == 0)
            progress_(world_->tick(), log_.file().bytes_done(), log_.file().file_bytes());
    }

    Result<ReplayReport> finish() {
        report_.final_tick = world_->tick();
        report_.ticks = world_->tick() - log_.header().initial_tick;
        report_.final_hash = world_->state_hash().total;
        report_.ended = log_.ended();
        report_.tail = log_.file().tail();
        report_.cut_bytes = log_.file().cut_bytes();
        return report_;
    }

    MessageLogReader& log_;
    std::unique_ptr<world::World> world_;
    const ReplayOptions& options_;
    const ReplayProgress& progress_;
    std::array<LogObjectDigests, world::kHashBlockCount> objects_;  ///< newest recorded ones by block - 1
    world::Tick last_good_ = 0;
    ReplayReport report_;
};

}  // namespace

std::string Divergence::to_string() const {
    std::string out = "tick " + std::to_string(tick) + ": ";
    out += block.empty() ? "the state hash differs" : "block " + block + " differs";
    if (object) {
        char id[16];
        std::snprintf(id, sizeof id, "0x%08X", static_cast<unsigned>(object->raw));
        out += " (object " + std::string(id) + ")";
    }
    return out + "; equal up to tick " + std::to_string(last_good_tick);
}

Result<ReplayReport> replay_log(MessageLogReader& log, const BlueprintLoader& load, const ReplayOptions& options,
                                const ReplayProgress& progress) {
    const LogHeader header = log.header();
    IRON_CHECK(check_sim_version(header));
    if (header.initial_tick != 0) return fail("needs_save", "the log continues a save at tick " + std::to_string(header.initial_tick));
    IRON_TRY(const world::Rules rules, rules_of(header));
    IRON_TRY_WRAP(std::shared_ptr<const mission::MissionBlueprint> blueprint, load(header),
                  "loading the mission of the log, " + header.mission);
    IRON_CHECK(check_content(log, *blueprint, options));
    world::WorldOptions world_options;
    world_options.mode = static_cast<world::GameMode>(header.mode);
    world_options.file_order = header.file_order;
    IRON_TRY_WRAP(std::unique_ptr<world::World> world,
                  world::World::create(std::move(blueprint), rules, header.match_seed, world_options),
                  "creating the world of the log, " + header.mission);
    return Replay(log, std::move(world), options, progress).run();
}

}  // namespace iron::session
