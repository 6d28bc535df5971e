// Writes what the bridge sees to a native message log.
#pragma once

#include <chrono>
#include <optional>

#include "dpcompat/capture/native_log.hpp"

namespace iron::dpcompat {

class NativeRecorder {
public:
    NativeRecorder() = default;  ///< records nothing
    static Result<NativeRecorder> create(const std::string& path, const std::string& note);
    /// Counts failures; the match goes on without its log.
    void message(NativeDirection direction, std::uint32_t peer, bool udp, const Content& content);
    void note(const std::string& text);
    void flush();
    Status close();
    bool on() const { return log_.has_value(); }
    const std::optional<Error>& failure() const { return failure_; }
    std::uint64_t messages() const { return messages_; }

private:
    void check(Status status);
    std::optional<NativeLogWriter> log_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::optional<Error> failure_;
    std::uint64_t messages_ = 0;
};

}  // namespace iron::dpcompat
