// The bytes as a log file, and as the contents of a block with a good checksum (fuzzing never guesses a CRC).
#include "protocol/log_format.hpp"
#include "server/session/message_log.hpp"

using namespace iron;

namespace {

void read_all(const Bytes& file) {
    if (auto log = protocol::LogReader::open(file, true)) {
        for (;;) {
            const auto record = log->next();
            if (!record || *record == nullptr) break;
        }
    }
    if (auto log = session::MessageLogReader::open(file, true)) {
        for (;;) {
            const auto entry = log->next();
            if (!entry || !*entry) break;
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    read_all(Bytes(data, data + size));
    read_all(protocol::frame_log_block(0, {data, size}));
    return 0;
}
