// The file of a message log: blocks of records, each block complete or cut (runtime.md 14.10). Records are the
// tables of log.fbs; what they mean for a world is in server/session/message_log.hpp. The bridge writes native
// messages with the same framing.
//
// File = blocks. Block, little-endian:
//   0  u32  magic "I3LB"
//   4  u32  index, 0.. without gaps
//   8  u32  payload bytes (zlib)
//   12 u32  raw bytes
//   16 u32  CRC-32 over bytes 4..15 and the payload
//   20      payload
// Raw bytes = records, each a size-prefixed FlatBuffer (identifier I3DL), padded with zeros to 8 bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <flatbuffers/flatbuffers.h>

#include "protocol/log_generated.h"
#include "shared/base/bytes.hpp"

namespace iron::protocol {

inline constexpr std::uint32_t kLogFormat = 1;
inline constexpr std::uint32_t kLogBlockMagic = 0x424C3349;  // "I3LB"
inline constexpr std::size_t kLogBlockHeaderBytes = 20;
inline constexpr std::size_t kMaxLogBlockBytes = 32u << 20;  ///< raw and payload
inline constexpr std::uint64_t kMaxLogFileBytes = 4ull << 30;

/// One block for the file.
Bytes frame_log_block(std::uint32_t index, ByteView raw);

struct LogWriterOptions {
    std::size_t block_bytes = 64 * 1024;  ///< a block is closed when it holds that much
    bool sync_every_block = false;        ///< wait for the device after each block
};

/// Appends records to a new file. A record is in the file once its block is closed: by size, flush() or close().
class LogWriter {
public:
    /// Error `exists` if the file is there already, `io_error`.
    static Result<LogWriter> create(const std::filesystem::path& path, const LogWriterOptions& options = {});
    LogWriter(LogWriter&& other) noexcept;
    LogWriter& operator=(LogWriter&& other) noexcept;
    ~LogWriter();

    /// Finishes `builder` with a Record around `body`, checks it the way a reader will, and adds it. Errors of
    /// SemanticChecker, `record_too_large`, `io_error`. After an I/O error the file ends with its last whole block
    /// and every further call fails.
    Status append(flatbuffers::FlatBufferBuilder& builder, record::Body type, flatbuffers::Offset<void> body);
    template <class Table>
    Status append(flatbuffers::FlatBufferBuilder& builder, flatbuffers::Offset<Table> body) {
        return append(builder, record::BodyTraits<Table>::enum_value, body.Union());
    }
    /// Closes the current block (if it holds a record) and hands it to the operating system.
    Status flush();
    /// flush(), then waits for the device.
    Status sync();
    /// sync() and closes the file. Also done by the destructor, without a result.
    Status close();

    std::uint64_t bytes_written() const { return written_; }

private:
    LogWriter() = default;
    int fd_ = -1;
    bool failed_ = false;
    LogWriterOptions options_;
    std::uint32_t next_index_ = 0;
    std::uint64_t written_ = 0;
    Bytes raw_;
};

/// How a log file ended.
enum class LogTail : std::uint8_t {
    complete,  ///< the file ends with a whole block
    torn,      ///< the last block is incomplete or damaged; it was cut
    damaged    ///< a block in the middle is damaged; everything from it on was cut
};

/// Reads the records of a log in order.
class LogReader {
public:
    /// Looks at the framing of the whole file. A torn tail is cut and reported. Errors: `bad_log` (no whole first
    /// block), `damaged_block` (good blocks follow a bad one; with `accept_damage` the rest is cut instead).
    static Result<LogReader> open(Bytes file, bool accept_damage = false);
    static Result<LogReader> open_file(const std::filesystem::path& path, bool accept_damage = false);

    /// Next record, valid until the next call; nullptr after the last one. Records of a newer kind are skipped and
    /// counted. Errors: `bad_record` and those of SemanticChecker.
    Result<const record::Record*> next();
    /// Starts again with the first record.
    void rewind();

    LogTail tail() const { return tail_; }
    std::uint64_t cut_bytes() const { return cut_bytes_; }
    std::uint64_t file_bytes() const { return file_.size(); }
    std::size_t block_count() const { return blocks_.size(); }
    std::uint64_t skipped_records() const { return skipped_; }
    /// Bytes of the file whose records were already returned (progress).
    std::uint64_t bytes_done() const;

private:
    LogReader() = default;
    Status load_block();

    struct Block {
        std::size_t offset;
        std::size_t payload_bytes;
        std::size_t raw_bytes;
    };
    Bytes file_;
    std::vector<Block> blocks_;
    std::size_t next_block_ = 0;
    std::vector<std::uint64_t> raw_;  ///< aligned bytes of the current block
    std::size_t raw_bytes_ = 0;
    std::size_t raw_at_ = 0;
    LogTail tail_ = LogTail::complete;
    std::uint64_t cut_bytes_ = 0;
    std::uint64_t skipped_ = 0;
};

}  // namespace iron::protocol
