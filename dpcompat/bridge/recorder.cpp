#include "dpcompat/bridge/recorder.hpp"

namespace iron::dpcompat {

Result<NativeRecorder> NativeRecorder::create(const std::string& path, const std::string& note) {
    NativeRecorder out;
    IRON_TRY(NativeLogWriter log, NativeLogWriter::create(path));
    out.log_ = std::move(log);
    IRON_CHECK(out.log_->note(note));
    return out;
}

void NativeRecorder::check(Status status) {
    if (status) return;
    failure_ = status.error();
    log_.reset();
}

void NativeRecorder::message(NativeDirection direction, std::uint32_t peer, bool udp, const Content& content) {
    if (!log_) return;
    const auto time = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start_).count();
    ++messages_;
    check(log_->message(static_cast<std::uint64_t>(time), direction, peer, udp, false, content));
}

void NativeRecorder::note(const std::string& text) {
    if (log_) check(log_->note(text));
}

void NativeRecorder::flush() {
    if (log_) check(log_->flush());
}

Status NativeRecorder::close() {
    if (failure_) return tl::unexpected(*failure_);
    if (!log_) return {};
    const Status done = log_->close();
    log_.reset();
    return done;
}

}  // namespace iron::dpcompat
