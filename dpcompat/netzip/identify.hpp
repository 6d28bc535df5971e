// Which pipeline made these packed payloads? Tries every framing, codec and parameter, ranks what fits, says why.
// Source: directplay.md 16.4.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dpcompat/capture/native_log.hpp"
#include "dpcompat/netzip/profile.hpp"

namespace iron::dpcompat {

struct PackSample {
    std::string name;
    std::string session = "1";  ///< samples of one session stay on one side of fit and check
    PayloadTransport transport = PayloadTransport::any;
    PayloadDirection direction = PayloadDirection::any;
    Bytes packed;
    std::optional<Bytes> plain;  ///< recorded at the boundary of the two functions, or known by content
};

/// A folder of NAME.packed with NAME.plain beside it where it is known. NAME may be SESSION.DIRECTION.TRANSPORT.rest
/// (to_host or from_host, tcp or udp). Errors `not_found`, `no_samples`, those of read_file().
Result<std::vector<PackSample>> read_pair_folder(const std::filesystem::path& folder);
/// The opaque payloads of a capture or of a native log; nothing is known about their plain side.
std::vector<PackSample> samples_of(const SessionCapture& capture);
std::vector<PackSample> samples_of(const std::vector<NativeRecord>& log);

struct IdentifyOptions {
    bool deep = false;  ///< also all 65 536 keys of the engine's stream in front of the common packers
    std::size_t ranking = 12;
    std::function<void(std::uint64_t done, std::uint64_t total, const std::string& what)> progress;
};

struct Hypothesis {
    Pipeline pipeline;
    ProfileStatus status = ProfileStatus::unknown;
    std::size_t fit_passed = 0, fit_total = 0, check_passed = 0, check_total = 0;
    std::size_t prefix_bytes = 0;  ///< longest correct start of the first sample; near misses show here
    bool canonical = false;        ///< packing again gives the recorded bytes, for all
    std::size_t uncovered_header_bytes = 0;
    std::vector<std::string> reasons;
};

struct IdentifyReport {
    std::size_t samples = 0, distinct = 0, with_plain = 0;
    std::vector<std::string> observations;  ///< trivial tests: sizes, constants, entropy
    std::vector<Hypothesis> ranking;        ///< best first; also the best losers
    std::size_t tried = 0;                  ///< pipelines
    const Hypothesis* best() const { return !ranking.empty() && ranking[0].status != ProfileStatus::unknown ? &ranking[0] : nullptr; }
};

IdentifyReport identify(const std::vector<PackSample>& samples, const IdentifyOptions& options = {});

/// The winner as a profile, with hashes of the corpus as evidence and the losers named. Nothing when none fits.
std::optional<NetZipProfile> winning_profile(const IdentifyReport& report, const std::vector<PackSample>& samples, std::string name);
std::string report_text(const IdentifyReport& report);

/// How many independent signs of a game message the plain bytes show (16.1): message number, 76-byte resource
/// payload, unit quaternion, path, text.
struct Anchors {
    bool number = false, resource = false, quaternion = false, path = false, text = false;
    int count() const { return number + resource + quaternion + path + text; }
};
Anchors find_anchors(ByteView plain);

}  // namespace iron::dpcompat
