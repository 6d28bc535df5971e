// The message log of a match: what crossed the input boundary, with the hashes it led to. A match is (content
// fingerprint, rules, seed, log) and replays to the same hashes (runtime.md 14.10, net-messages.md 9).
// Framing and records: protocol/log_format.hpp, protocol/log.fbs. A log holds no password, token or address.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "protocol/log_format.hpp"
#include "protocol/version.hpp"
#include "server/session/input_recorder.hpp"
#include "server/world/input.hpp"
#include "server/world/state_hash.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::session {

/// Everything a replay needs before the first tick.
struct LogHeader {
    protocol::Version protocol = protocol::kVersion;
    std::uint32_t sim_version = 0;
    std::string sim_version_text;
    Hash256 fingerprint{};  ///< of the gameplay content
    Edition profile = Edition::part1;
    std::string mission;    ///< logical key
    Hash256 rules{};        ///< SHA-256 of the rules text
    std::string rules_text; ///< the rules file itself; may be empty
    std::uint32_t step_ms = 20;
    std::uint64_t match_seed = 0;
    world::Tick initial_tick = 0;
    Hash256 initial_hash{}; ///< state hash at initial_tick
    std::string build;      ///< compiler, architecture; no paths
    std::uint32_t checkpoint_interval = 50;
    std::uint8_t mode = 0;  ///< world::GameMode
    bool file_order = false;
    std::vector<std::pair<std::string, std::string>> options;
    bool operator==(const LogHeader&) const = default;
};

/// "GCC 12.2 x86_64 optimised": the build description of this program.
std::string build_description();

struct LogCheckpoint {
    world::Tick tick = 0;
    world::StateHash hash;
    bool operator==(const LogCheckpoint&) const = default;
};

struct LogObjectDigests {
    world::Tick tick = 0;
    world::HashBlock block = world::HashBlock::objects;
    std::vector<world::ObjectDigest> digests;  ///< ascending id
    bool operator==(const LogObjectDigests&) const = default;
};

struct LogEnd {
    world::Tick tick = 0;
    Hash256 total{};
    bool operator==(const LogEnd&) const = default;
};

struct LogNote {
    world::Tick tick = 0;
    std::string text;
    bool operator==(const LogNote&) const = default;
};

struct LogManifestFile {
    std::string path;
    std::uint64_t size = 0;
    Hash256 digest{};
    bool operator==(const LogManifestFile&) const = default;
};
using LogManifestPart = std::vector<LogManifestFile>;

using LogEntry = std::variant<world::InputFrame, LogCheckpoint, LogObjectDigests, LogManifestPart, LogEnd, LogNote>;

struct MessageLogOptions {
    protocol::LogWriterOptions file;
    std::uint32_t sync_every_checkpoints = 10;  ///< 0 = only at the end
};

/// Writes the log of a running match. A checkpoint closes a block: a crash loses at most what came after the last
/// one (1 s at the usual interval).
class MessageLogWriter final : public InputRecorder {
public:
    /// Creates the file. Errors: `exists`, `io_error`, `bad_path`... (the checks a reader makes), `bad_build` (a
    /// build description with a path separator).
    static Result<std::unique_ptr<MessageLogWriter>> create(const std::filesystem::path& path, const LogHeader& header,
                                                            const MessageLogOptions& options = {});

    /// Frames without input leave no record.
    Status input(const world::InputFrame& frame) override;
    Status checkpoint(world::Tick tick, const world::StateHash& hash) override;
    /// Writes the end record and closes the file.
    Status end(world::Tick tick, const world::StateHash& hash) override;

    /// Before the checkpoint of the same tick.
    Status object_digests(world::Tick tick, world::HashBlock block, const std::vector<world::ObjectDigest>& digests);
    /// The files behind the fingerprint, so that a later mismatch can be explained.
    Status manifest(const std::vector<LogManifestFile>& files);
    Status note(world::Tick tick, std::string_view text);
    /// Everything recorded so far reaches the operating system.
    Status flush();

    std::uint64_t bytes_written() const { return file_.bytes_written(); }

private:
    explicit MessageLogWriter(protocol::LogWriter file, const MessageLogOptions& options)
        : file_(std::move(file)), options_(options) {}
    Status header(const LogHeader& header);

    protocol::LogWriter file_;
    MessageLogOptions options_;
    std::uint32_t checkpoints_ = 0;
};

/// Reads a log in order. Bridge recordings (native messages) are not for this reader.
class MessageLogReader {
public:
    /// Errors of LogReader, `bad_log` (no header record first), `other_log_format`.
    static Result<MessageLogReader> open(Bytes file, bool accept_damage = false);
    static Result<MessageLogReader> open_file(const std::filesystem::path& path, bool accept_damage = false);

    const LogHeader& header() const { return header_; }
    /// Next entry; nothing after the last. Errors of LogReader, `bad_record`, `bad_log_order` (ticks that go back,
    /// a second header, records after the end).
    Result<std::optional<LogEntry>> next();
    /// Starts again behind the header.
    Status rewind();

    /// True once next() has returned the end record: the match was closed in order.
    bool ended() const { return ended_; }
    const protocol::LogReader& file() const { return file_; }

private:
    explicit MessageLogReader(protocol::LogReader file) : file_(std::move(file)) {}
    Status read_header();

    protocol::LogReader file_;
    LogHeader header_;
    world::Tick tick_ = 0;
    bool ended_ = false;
};

}  // namespace iron::session
