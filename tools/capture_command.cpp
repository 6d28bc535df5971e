// `iron3d capture list|json|to-log|identify|anonymise FILE`: recordings of original matches.
#include <cstdio>

#include <nlohmann/json.hpp>

#include "dpcompat/capture/anonymise.hpp"
#include "dpcompat/capture/listing.hpp"
#include "dpcompat/netzip/identify.hpp"
#include "shared/base/file.hpp"
#include "tools/command.hpp"
#include "tools/identify_options.hpp"

namespace iron::tools {
namespace {

constexpr std::uint64_t kMaxCaptureBytes = 2ull << 30;

struct CaptureArguments {
    std::string file, out;
    bool json = false, sessions_only = false, payloads = false, blank_payloads = false;
    std::uint32_t session = 0;
    IdentifyArguments identify;
};

Result<dpcompat::SessionCapture> load(const CaptureArguments& a) {
    IRON_TRY(Bytes bytes, read_file(a.file, kMaxCaptureBytes));
    return dpcompat::analyse_capture(std::move(bytes));
}

std::string dump(const nlohmann::ordered_json& json) { return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace); }

ExitCode list(const CaptureArguments& a) {
    const auto capture = load(a);
    if (!capture) return report(capture.error());
    if (a.json) {
        std::printf("%s\n", dump(dpcompat::capture_json(*capture, !a.sessions_only)).c_str());
    } else {
        dpcompat::ListingOptions options;
        options.records = !a.sessions_only;
        options.payloads = a.payloads;
        std::fputs(dpcompat::list_capture(*capture, options).c_str(), stdout);
    }
    return ExitCode::ok;
}

ExitCode to_log(const CaptureArguments& a) {
    const auto capture = load(a);
    if (!capture) return report(capture.error());
    if (a.session > capture->sessions.size())
        return report(Error("usage", "the capture has " + std::to_string(capture->sessions.size()) + " sessions"));
    const auto summary = dpcompat::capture_to_log(*capture, a.session, a.out);
    if (!summary) return report(summary.error());
    if (a.json) {
        std::printf("%s\n", dump({{"out", a.out},
                                  {"messages", summary->messages},
                                  {"opaque", summary->opaque},
                                  {"opaque_bytes", summary->opaque_bytes},
                                  {"left_out", summary->left_out}})
                                .c_str());
    } else {
        std::printf("%llu messages, %llu opaque payloads of %llu bytes, %llu unreadable pieces left out\n",
                    static_cast<unsigned long long>(summary->messages), static_cast<unsigned long long>(summary->opaque),
                    static_cast<unsigned long long>(summary->opaque_bytes), static_cast<unsigned long long>(summary->left_out));
    }
    return ExitCode::ok;
}

ExitCode anonymise(const CaptureArguments& a) {
    const auto capture = load(a);
    if (!capture) return report(capture.error());
    dpcompat::AnonymiseOptions options;
    options.blank_payloads = a.blank_payloads;
    const auto clean = dpcompat::anonymise_capture(*capture, options);
    if (!clean) return report(clean.error());
    if (const auto written = write_file_atomic(a.out, clean->pcap); !written) return report(written.error());
    const dpcompat::AnonymiseReport& r = clean->report;
    if (a.json) {
        std::printf("%s\n", dump({{"out", a.out},
                                  {"messages", r.messages},
                                  {"left_out", r.left_out},
                                  {"addresses", r.addresses},
                                  {"names", r.names},
                                  {"places_in_payloads", r.places},
                                  {"opaque_kept", r.opaque_kept},
                                  {"blanked", r.blanked}})
                                .c_str());
        return ExitCode::ok;
    }
    std::printf("%llu messages written, %llu unreadable pieces left out\n%llu addresses and %llu names replaced, %llu places inside payloads\n",
                static_cast<unsigned long long>(r.messages), static_cast<unsigned long long>(r.left_out),
                static_cast<unsigned long long>(r.addresses), static_cast<unsigned long long>(r.names), static_cast<unsigned long long>(r.places));
    if (r.opaque_kept != 0)
        std::printf("%llu opaque payloads were kept: text packed inside them cannot be seen (--blank-payloads removes them)\n",
                    static_cast<unsigned long long>(r.opaque_kept));
    return ExitCode::ok;
}

ExitCode identify(const CaptureArguments& a) {
    const auto capture = load(a);
    if (!capture) return report(capture.error());
    return run_identify(dpcompat::samples_of(*capture), a.identify, a.json);
}

}  // namespace

void register_capture_command(CLI::App& app, CommandContext& context) {
    CLI::App* capture = app.add_subcommand("capture", "Network recordings (pcap, pcapng) of original matches");
    capture->require_subcommand(1);
    auto a = std::make_shared<CaptureArguments>();
    const auto add = [&](const char* name, const char* text, const char* example, ExitCode (*action)(const CaptureArguments&)) {
        CLI::App* sub = capture->add_subcommand(name, text);
        sub->add_option("FILE", a->file, "Capture file")->required();
        sub->footer(std::string("Example: iron3d capture ") + example);
        on_run(*sub, context, [a, action] { return action(*a); });
        return sub;
    };
    CLI::App* sub = add("list", "Sessions, players and messages, readable", "list match.pcapng", list);
    sub->add_flag("--sessions", a->sessions_only, "Only the sessions, not every message");
    sub->add_flag("--payloads", a->payloads, "Show opaque payloads in hexadecimal");
    sub->add_flag("--json", a->json, "The same as `capture json`");
    sub = add("json", "The same for scripts: every message with its fields and raw bytes", "json match.pcapng > match.json",
              [](const CaptureArguments& given) {
                  CaptureArguments with = given;
                  with.json = true;
                  return list(with);
              });
    sub->add_flag("--sessions", a->sessions_only, "Only the sessions, not every message");
    sub = add("to-log", "Write a message log in the server's format; payloads stay opaque and are counted", "to-log match.pcapng --out match.i3dlog",
              to_log);
    sub->add_option("--out", a->out, "Log to write; must not exist")->required();
    sub->add_option("--session", a->session, "Number of the session; 0 = all")->capture_default_str();
    sub->add_flag("--json", a->json, "Print the counts as JSON");
    sub = add("identify", "Which packing fits the payloads? Packets alone prove little: see `netzip identify`", "identify match.pcapng", identify);
    add_identify_options(*sub, a->identify);
    sub->add_flag("--json", a->json, "Print the ranking as JSON");
    sub = add("anonymise", "Copy without original addresses, names, chat and passwords", "anonymise match.pcapng --out give-away.pcap", anonymise);
    sub->add_option("--out", a->out, "Capture to write")->required();
    sub->add_flag("--blank-payloads", a->blank_payloads, "Replace opaque game data by zeros");
    sub->add_flag("--json", a->json, "Print the counts as JSON");
}

}  // namespace iron::tools
