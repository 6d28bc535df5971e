// `iron3d replay verify LOG --root DIR [--json] [--print-hashes]`, `iron3d replay info LOG [--json]`: recorded matches
// run again and held against their hashes.
#include <cstdio>
#include <memory>

#include <nlohmann/json.hpp>

#include "server/session/replay_source.hpp"
#include "server/world/state_hash.hpp"
#include "tools/command.hpp"

namespace iron::tools {
namespace {

using nlohmann::ordered_json;

struct VerifyArguments {
    std::string log;
    std::string root;
    bool json = false;
    bool print_hashes = false;
    bool accept_damage = false;
    std::uint64_t last_tick = 0;
};

const char* tail_name(protocol::LogTail tail) {
    switch (tail) {
        case protocol::LogTail::complete: return "complete";
        case protocol::LogTail::torn: return "torn";
        case protocol::LogTail::damaged: return "damaged";
    }
    return "unknown";
}

const char* profile_name(Edition edition) {
    switch (edition) {
        case Edition::part1: return "part1";
        case Edition::part2: return "part2";
        case Edition::demo: return "demo";
        case Edition::gog: return "gog";
        case Edition::builtin: return "builtin";
    }
    return "unknown";
}

ordered_json to_json(const session::Divergence& d) {
    ordered_json out;
    out["tick"] = d.tick;
    out["last_good_tick"] = d.last_good_tick;
    out["block"] = d.block;
    out["blocks"] = ordered_json::array();
    for (const std::uint32_t block : d.blocks) out["blocks"].push_back(std::string(world::block_name(block)));
    if (d.object) out["object"] = d.object->raw;
    out["expected"] = to_hex(d.expected);
    out["actual"] = to_hex(d.actual);
    return out;
}

ordered_json to_json(const session::ReplayReport& report) {
    ordered_json out;
    out["verified"] = report.verified();
    out["ticks"] = report.ticks;
    out["final_tick"] = report.final_tick;
    out["final_hash"] = to_hex(report.final_hash);
    out["checkpoints"] = report.checkpoints;
    out["session_commands"] = report.session_commands;
    out["commands"] = report.commands;
    out["manual_inputs"] = report.manual_inputs;
    out["ended"] = report.ended;
    out["tail"] = tail_name(report.tail);
    out["cut_bytes"] = report.cut_bytes;
    if (report.divergence) out["divergence"] = to_json(*report.divergence);
    return out;
}

void print(const session::ReplayReport& report) {
    if (report.cut_bytes != 0)
        std::printf("%s: %llu bytes at the end of the log were cut\n", tail_name(report.tail),
                    static_cast<unsigned long long>(report.cut_bytes));
    if (report.divergence) {
        std::printf("DIFFERENT  %s\n  recorded %s\n  this run %s\n", report.divergence->to_string().c_str(),
                    to_hex(report.divergence->expected).c_str(), to_hex(report.divergence->actual).c_str());
        return;
    }
    std::printf("OK  %llu ticks, %u checkpoints, %llu commands, %llu inputs%s\n  final hash %s\n",
                static_cast<unsigned long long>(report.ticks), report.checkpoints,
                static_cast<unsigned long long>(report.commands + report.session_commands),
                static_cast<unsigned long long>(report.manual_inputs), report.ended ? "" : "; the log has no end record",
                to_hex(report.final_hash).c_str());
}

ExitCode verify(const VerifyArguments& arguments) {
    auto log = session::MessageLogReader::open_file(arguments.log, arguments.accept_damage);
    if (!log) return report(std::move(log).error().wrap("reading " + arguments.log));
    Progress line("replay", arguments.json);
    auto source = session::ReplaySource::open(arguments.root);
    if (!source) return report(std::move(source).error().wrap("opening " + arguments.root));

    session::ReplayOptions options;
    options.manifest = source->manifest();
    if (arguments.last_tick != 0) options.last_tick = arguments.last_tick;
    ordered_json hashes = ordered_json::array();
    if (arguments.print_hashes)
        options.on_checkpoint = [&](world::Tick tick, const world::StateHash& hash) {
            if (arguments.json)
                hashes.push_back({{"tick", tick}, {"hash", to_hex(hash.total)}});
            else
                std::printf("%10llu  %s\n", static_cast<unsigned long long>(tick), to_hex(hash.total).c_str());
        };
    const auto progress = [&](world::Tick tick, std::uint64_t done, std::uint64_t total) {
        line.update(done, total, 0, "tick " + std::to_string(tick));
    };
    const auto result = session::replay_log(*log, source->loader(), options, progress);
    line.finish();
    if (!result) return report(result.error());
    if (arguments.json) {
        ordered_json out = to_json(*result);
        if (arguments.print_hashes) out["hashes"] = std::move(hashes);
        std::printf("%s\n", out.dump(2).c_str());
    } else {
        print(*result);
    }
    return result->verified() ? ExitCode::ok : ExitCode::mismatch;
}

struct LogCounts {
    std::uint64_t inputs = 0, session = 0, commands = 0, manual = 0, checkpoints = 0, notes = 0;
    world::Tick last_tick = 0;
};

Result<LogCounts> count(session::MessageLogReader& log, Progress& line) {
    LogCounts out;
    for (;;) {
        IRON_TRY(std::optional<session::LogEntry> entry, log.next());
        if (!entry) return out;
        line.update(log.file().bytes_done(), log.file().file_bytes());
        if (const auto* frame = std::get_if<world::InputFrame>(&*entry)) {
            ++out.inputs;
            out.session += frame->session.size();
            out.commands += frame->commands.size();
            out.manual += frame->manual.size();
            out.last_tick = std::max(out.last_tick, frame->tick);
        } else if (const auto* checkpoint = std::get_if<session::LogCheckpoint>(&*entry)) {
            ++out.checkpoints;
            out.last_tick = std::max(out.last_tick, checkpoint->tick);
        } else if (const auto* end = std::get_if<session::LogEnd>(&*entry)) {
            out.last_tick = std::max(out.last_tick, end->tick);
        } else if (std::get_if<session::LogNote>(&*entry)) {
            ++out.notes;
        }
    }
}

ordered_json describe(const session::LogHeader& h, const session::MessageLogReader& log, const LogCounts& counts) {
    ordered_json out;
    out["protocol"] = to_string(h.protocol);
    out["sim_version"] = h.sim_version;
    out["sim_version_text"] = h.sim_version_text;
    out["mission"] = h.mission;
    out["profile"] = profile_name(h.profile);
    out["fingerprint"] = to_hex(h.fingerprint);
    out["rules"] = to_hex(h.rules);
    out["step_ms"] = h.step_ms;
    out["match_seed"] = h.match_seed;
    out["initial_hash"] = to_hex(h.initial_hash);
    out["build"] = h.build;
    out["options"] = ordered_json::object();
    for (const auto& [key, value] : h.options) out["options"][key] = value;
    out["last_tick"] = counts.last_tick;
    out["seconds"] = static_cast<double>(counts.last_tick) * h.step_ms / 1000.0;
    out["ticks_with_input"] = counts.inputs;
    out["session_commands"] = counts.session;
    out["commands"] = counts.commands;
    out["manual_inputs"] = counts.manual;
    out["checkpoints"] = counts.checkpoints;
    out["notes"] = counts.notes;
    out["ended"] = log.ended();
    out["blocks"] = log.file().block_count();
    out["bytes"] = log.file().file_bytes();
    out["tail"] = tail_name(log.file().tail());
    out["cut_bytes"] = log.file().cut_bytes();
    out["skipped_records"] = log.file().skipped_records();
    return out;
}

ExitCode info(const std::string& path, bool json) {
    auto log = session::MessageLogReader::open_file(path, true);
    if (!log) return report(std::move(log).error().wrap("reading " + path));
    Progress line("log", json);
    const auto counts = count(*log, line);
    line.finish();
    if (!counts) return report(counts.error());
    const ordered_json out = describe(log->header(), *log, *counts);
    if (json) {
        std::printf("%s\n", out.dump(2).c_str());
        return ExitCode::ok;
    }
    for (const auto& [key, value] : out.items())
        std::printf("%-18s %s\n", key.c_str(), value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
    return ExitCode::ok;
}

}  // namespace

void register_replay_command(CLI::App& app, CommandContext& context) {
    CLI::App* replay = app.add_subcommand("replay", "Message logs of matches: run again, verify, describe");
    replay->require_subcommand(1);

    CLI::App* verify_sub = replay->add_subcommand("verify", "Run a log again and compare every recorded hash");
    auto arguments = std::make_shared<VerifyArguments>();
    verify_sub->add_option("log", arguments->log, "Message log")->required();
    verify_sub->add_option("--root", arguments->root, "Game directory the match was played on")->required();
    verify_sub->add_flag("--json", arguments->json, "Print the report as JSON");
    verify_sub->add_flag("--print-hashes", arguments->print_hashes, "Print the hash of this run at every checkpoint");
    verify_sub->add_flag("--accept-damage", arguments->accept_damage, "Verify what lies before a damaged block");
    verify_sub->add_option("--last-tick", arguments->last_tick, "Stop after this tick; 0 = the whole log")->capture_default_str();
    verify_sub->footer("Exit codes: 0 equal, 6 different, 7 made by another simulation version, 3 damaged or other content.\n"
                       "Example: iron3d replay verify match.i3dlog --root ./proving-grounds");
    on_run(*verify_sub, context, [arguments] { return verify(*arguments); });

    CLI::App* info_sub = replay->add_subcommand("info", "What a log is: mission, versions, length, state of the file");
    auto path = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    info_sub->add_option("log", *path, "Message log")->required();
    info_sub->add_flag("--json", *json, "Print as JSON");
    info_sub->footer("Example: iron3d replay info match.i3dlog");
    on_run(*info_sub, context, [path, json] { return info(*path, *json); });
}

}  // namespace iron::tools
