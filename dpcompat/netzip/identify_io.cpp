// Corpora in, reports and profiles out.
#include <algorithm>

#include "dpcompat/netzip/identify.hpp"
#include "shared/base/file.hpp"
#include "shared/base/hash.hpp"

namespace iron::dpcompat {
namespace {

std::vector<std::string> parts_of(const std::string& name) {
    std::vector<std::string> out(1);
    for (char c : name) {
        if (c == '.') out.emplace_back();
        else out.back() += c;
    }
    return out;
}

void add_payload(std::vector<PackSample>& out, const Content& content, bool udp, PayloadDirection direction, const std::string& session) {
    const auto* data = std::get_if<PlayerMessage>(&content);
    if (data == nullptr || data->data.empty()) return;
    PackSample s;
    s.name = "message " + std::to_string(out.size() + 1);
    s.session = session;
    s.transport = udp ? PayloadTransport::udp : PayloadTransport::tcp;
    s.direction = direction;
    s.packed = data->data;
    out.push_back(std::move(s));
}

}  // namespace

Result<std::vector<PackSample>> read_pair_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::vector<std::filesystem::path> files;
    for (auto it = std::filesystem::directory_iterator(folder, error); !error && it != std::filesystem::directory_iterator(); it.increment(error))
        if (it->path().extension() == ".packed") files.push_back(it->path());
    if (error) return fail("not_found", folder.string() + ": " + error.message());
    std::sort(files.begin(), files.end());
    std::vector<PackSample> out;
    for (const auto& path : files) {
        PackSample s;
        s.name = path.stem().string();
        for (const std::string& part : parts_of(s.name)) {
            if (part == "tcp") s.transport = PayloadTransport::tcp;
            if (part == "udp") s.transport = PayloadTransport::udp;
            if (part == "to_host") s.direction = PayloadDirection::to_host;
            if (part == "from_host") s.direction = PayloadDirection::from_host;
        }
        if (const auto parts = parts_of(s.name); parts.size() > 1) s.session = parts[0];
        IRON_TRY(s.packed, read_file(path, 4u << 20));
        auto plain = path;
        plain.replace_extension(".plain");
        if (std::filesystem::exists(plain, error)) {
            IRON_TRY(s.plain, read_file(plain, 4u << 20));
        }
        out.push_back(std::move(s));
    }
    if (out.empty()) return fail("no_samples", folder.string() + " holds no *.packed file");
    return out;
}

std::vector<PackSample> samples_of(const SessionCapture& capture) {
    std::vector<PackSample> out;
    for (const CaptureRecord& r : capture.records) {
        PayloadDirection direction = PayloadDirection::any;
        if (r.session != 0) {
            const Ipv4 host = capture.sessions[r.session - 1].host.ip;
            if (r.from.ip != r.to.ip) direction = r.to.ip == host ? PayloadDirection::to_host : r.from.ip == host ? PayloadDirection::from_host : direction;
        }
        const std::string session = std::to_string(r.session);
        if (r.content) add_payload(out, *r.content, r.udp, direction, session);
        for (const Content& c : r.assembled) add_payload(out, c, r.udp, direction, session);
    }
    return out;
}

std::vector<PackSample> samples_of(const std::vector<NativeRecord>& log) {
    std::vector<PackSample> out;
    for (const NativeRecord& r : log) {
        if ((r.kind & 0xFFFF) != kNativePlayerData) continue;
        const auto data = read_bare_player_message(r.bytes);
        if (!data) continue;
        const auto direction = r.direction == NativeDirection::to_host     ? PayloadDirection::to_host
                               : r.direction == NativeDirection::from_host ? PayloadDirection::from_host
                                                                           : PayloadDirection::any;
        add_payload(out, *data, (r.kind & kNativeUdp) != 0, direction, "1");
    }
    return out;
}

std::optional<NetZipProfile> winning_profile(const IdentifyReport& report, const std::vector<PackSample>& samples, std::string name) {
    const Hypothesis* best = report.best();
    if (best == nullptr) return {};
    NetZipProfile out;
    out.name = std::move(name);
    ProfileEntry entry;
    entry.pipeline = best->pipeline;
    entry.status = best->status;
    entry.evidence = best->reasons;
    Sha256 corpus;
    for (const PackSample& s : samples) {
        corpus.put(static_cast<std::uint64_t>(s.packed.size())).update(s.packed);
        if (s.plain) corpus.put(static_cast<std::uint64_t>(s.plain->size())).update(*s.plain);
    }
    entry.evidence.push_back("corpus of " + std::to_string(report.samples) + " samples, " + std::to_string(report.distinct) +
                             " distinct, SHA-256 " + to_hex(corpus.finish()));
    entry.evidence.push_back(std::to_string(report.tried) + " pipelines tried");
    for (std::size_t i = 1; i < report.ranking.size(); ++i)
        entry.evidence.push_back("next: " + report.ranking[i].pipeline.id() + " (" + std::string(profile_status_name(report.ranking[i].status)) + ")");
    out.entries.push_back(std::move(entry));
    return out;
}

std::string report_text(const IdentifyReport& report) {
    std::string out = std::to_string(report.samples) + " samples, " + std::to_string(report.distinct) + " distinct, " +
                      std::to_string(report.with_plain) + " with their plain side; " + std::to_string(report.tried) + " pipelines tried\n";
    for (const std::string& line : report.observations) out += "  " + line + "\n";
    const Hypothesis* best = report.best();
    out += best ? "best: " + best->pipeline.id() + ", status " + std::string(profile_status_name(best->status)) + "\n"
                : std::string("unknown: no framing and codec explains these payloads\n");
    for (std::size_t i = 0; i < report.ranking.size(); ++i) {
        const Hypothesis& h = report.ranking[i];
        out += std::to_string(i + 1) + ". " + h.pipeline.id() + "  " + std::string(profile_status_name(h.status)) + ", fit " +
               std::to_string(h.fit_passed) + "/" + std::to_string(h.fit_total) + ", check " + std::to_string(h.check_passed) + "/" +
               std::to_string(h.check_total) + "\n";
        for (const std::string& reason : h.reasons) out += "     " + reason + "\n";
    }
    return out;
}

}  // namespace iron::dpcompat
