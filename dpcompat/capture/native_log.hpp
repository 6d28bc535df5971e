// Native messages in the message log of the server (protocol/log_format.hpp): what a capture or the bridge saw, with
// its original boundaries. Payloads stay opaque. A log holds no password and no network address, so both are blanked
// in the messages whose fields are known.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "dpcompat/capture/session_capture.hpp"

namespace iron::dpcompat {

/// Direction as the host sees it.
enum class NativeDirection : std::uint8_t { to_host = 0, from_host = 1, between_others = 2 };

/// Bits of NativeRecord::kind. The low half is the command, or kNativePlayerData.
inline constexpr std::uint32_t kNativePlayerData = 0xFFFF, kNativeUdp = 0x10000, kNativeContinues = 0x20000,
                               kNativeAssembled = 0x40000;

struct NativeRecord {
    std::uint64_t time_us = 0;
    NativeDirection direction = NativeDirection::to_host;
    std::uint32_t peer = 0;  ///< number of the machine that is not the host; of the sender when neither is
    std::uint32_t kind = 0;
    Bytes bytes;  ///< from `play`; or from, to, data
    bool operator==(const NativeRecord&) const = default;
};

/// The message without addresses, passwords and keys; everything else as it is.
Message without_secrets(Message message);

class NativeLogWriter {
public:
    /// Errors of LogWriter::create().
    static Result<NativeLogWriter> create(const std::filesystem::path& path);
    NativeLogWriter(NativeLogWriter&&) noexcept;
    NativeLogWriter& operator=(NativeLogWriter&&) noexcept;
    ~NativeLogWriter();

    Status note(std::string_view text);
    /// System messages pass through without_secrets(). Longer messages than a record holds are continued.
    Status message(std::uint64_t time_us, NativeDirection direction, std::uint32_t peer, bool udp, bool assembled, const Content& content);
    Status flush();
    Status close();
    std::uint64_t opaque_messages() const;
    std::uint64_t opaque_bytes() const;

private:
    struct Impl;
    explicit NativeLogWriter(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// All native records of a log, continued ones put together. Errors of LogReader, `bad_log_order`.
Result<std::vector<NativeRecord>> read_native_log(const std::filesystem::path& path);

struct NativeLogSummary {
    std::uint64_t messages = 0, opaque = 0, opaque_bytes = 0;
    std::uint64_t left_out = 0;  ///< unreadable records and noise, whose content is not known
};
/// Writes the messages of one session (0 = all). Fragments and frames appear as the messages they make.
Result<NativeLogSummary> capture_to_log(const SessionCapture& capture, std::uint32_t session, const std::filesystem::path& path);

}  // namespace iron::dpcompat
