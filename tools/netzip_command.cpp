// `iron3d netzip identify|list|unpack|pack`: which codec stands behind the packed payloads of the original.
#include <cstdio>

#include <nlohmann/json.hpp>

#include "dpcompat/netzip/identify.hpp"
#include "shared/base/file.hpp"
#include "tools/command.hpp"
#include "tools/identify_options.hpp"

namespace iron::tools {

void add_identify_options(CLI::App& sub, IdentifyArguments& a) {
    sub.add_option("--out", a.profile_out, "Profile file to write when a packing fits");
    sub.add_option("--name", a.profile_name, "Name of the profile")->capture_default_str();
    sub.add_flag("--deep", a.deep, "Also try all 65536 keys of the engine's stream in front of the common packers (minutes)");
}

ExitCode run_identify(const std::vector<dpcompat::PackSample>& samples, const IdentifyArguments& a, bool json) {
    dpcompat::IdentifyOptions options;
    options.deep = a.deep;
    Progress line("identify", json);
    options.progress = [&](std::uint64_t done, std::uint64_t total, const std::string& what) { line.update(done, total, 0, what); };
    const dpcompat::IdentifyReport found = dpcompat::identify(samples, options);
    line.finish();
    const auto profile = dpcompat::winning_profile(found, samples, a.profile_name);
    if (json) {
        nlohmann::ordered_json out = {{"samples", found.samples},
                                      {"distinct", found.distinct},
                                      {"with_plain", found.with_plain},
                                      {"tried", found.tried},
                                      {"observations", found.observations},
                                      {"status", found.best() ? dpcompat::profile_status_name(found.best()->status) : "unknown"},
                                      {"ranking", nlohmann::ordered_json::array()}};
        for (const dpcompat::Hypothesis& h : found.ranking)
            out["ranking"].push_back({{"pipeline", h.pipeline.id()},
                                      {"status", dpcompat::profile_status_name(h.status)},
                                      {"fit", {h.fit_passed, h.fit_total}},
                                      {"check", {h.check_passed, h.check_total}},
                                      {"canonical", h.canonical},
                                      {"prefix_bytes", h.prefix_bytes},
                                      {"reasons", h.reasons}});
        std::printf("%s\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
    } else {
        std::fputs(dpcompat::report_text(found).c_str(), stdout);
    }
    if (!profile) return ExitCode::mismatch;
    if (!a.profile_out.empty())
        if (const auto written = write_file_atomic(a.profile_out, as_bytes(dpcompat::write_profile(*profile))); !written)
            return report(written.error());
    return ExitCode::ok;
}

namespace {

struct NetzipArguments {
    std::string pairs, file, out, pipeline;
    bool json = false;
    IdentifyArguments identify;
};

ExitCode identify_pairs(const NetzipArguments& a) {
    Result<std::vector<dpcompat::PackSample>> samples = fail("usage", "");
    if (std::filesystem::path(a.pairs).extension() == ".i3dlog") {
        auto log = dpcompat::read_native_log(a.pairs);
        if (!log) return report(log.error());
        samples = dpcompat::samples_of(*log);
    } else {
        samples = dpcompat::read_pair_folder(a.pairs);
    }
    if (!samples) return report(samples.error());
    return run_identify(*samples, a.identify, a.json);
}

ExitCode list_codecs(const NetzipArguments& a) {
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (const auto& codec : dpcompat::all_packers()) out.push_back(codec->id());
    for (const char* family : {"rle-escape(XX)", "xor-const(XX)", "add-const(XX)", "xor-count(XX)", "xor-stream(XXXX)"}) out.push_back(family);
    if (a.json) {
        std::printf("%s\n", out.dump(2).c_str());
    } else {
        for (const auto& id : out) std::printf("%s\n", id.get<std::string>().c_str());
    }
    return ExitCode::ok;
}

ExitCode convert(const NetzipArguments& a, bool pack) {
    const auto pipeline = dpcompat::parse_pipeline(a.pipeline);
    if (!pipeline) return report(pipeline.error());
    const auto bytes = read_file(a.file, 4u << 20);
    if (!bytes) return report(bytes.error());
    Result<Bytes> result = Bytes{};
    if (pack) {
        result = pipeline->pack(*bytes);
    } else if (auto plain = pipeline->unpack(*bytes)) {
        result = std::move(plain->plain);
    } else {
        return report(plain.error());
    }
    if (!result) return report(result.error());
    if (const auto written = write_file_atomic(a.out, *result); !written) return report(written.error());
    if (a.json) std::printf("{\"in\": %zu, \"out\": %zu}\n", bytes->size(), result->size());
    else std::printf("%zu bytes to %zu\n", bytes->size(), result->size());
    return ExitCode::ok;
}

}  // namespace

void register_netzip_command(CLI::App& app, CommandContext& context) {
    CLI::App* netzip = app.add_subcommand("netzip", "The packing of the original's game messages, which is not known");
    netzip->require_subcommand(1);
    auto a = std::make_shared<NetzipArguments>();
    CLI::App* sub = netzip->add_subcommand("identify", "Try every framing, codec and parameter on recorded samples");
    sub->add_option("PAIRS", a->pairs, "Folder of NAME.packed with NAME.plain where known, or a native .i3dlog")->required();
    add_identify_options(*sub, a->identify);
    sub->add_flag("--json", a->json, "Print the ranking as JSON");
    sub->footer("Example: iron3d netzip identify ./pairs --out profiles/measured.toml --name measured\nExit code 6: nothing fits");
    on_run(*sub, context, [a] { return identify_pairs(*a); });
    sub = netzip->add_subcommand("list", "The codecs that are tried");
    sub->add_flag("--json", a->json, "As JSON");
    sub->footer("Example: iron3d netzip list");
    on_run(*sub, context, [a] { return list_codecs(*a); });
    for (const bool pack : {false, true}) {
        sub = netzip->add_subcommand(pack ? "pack" : "unpack", pack ? "Pack a file with a pipeline" : "Unpack a file with a pipeline");
        sub->add_option("FILE", a->file, "File to read")->required();
        sub->add_option("--pipeline", a->pipeline, "e.g. h4:0.4=plain/lzss-4096-20-fee")->required();
        sub->add_option("--out", a->out, "File to write")->required();
        sub->add_flag("--json", a->json, "Print the sizes as JSON");
        sub->footer(std::string("Example: iron3d netzip ") + (pack ? "pack" : "unpack") + " message.bin --pipeline none/zlib --out other.bin");
        on_run(*sub, context, [a, pack] { return convert(*a, pack); });
    }
}

}  // namespace iron::tools
