#include "protocol/log_format.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include "protocol/binary_schema.hpp"
#include "protocol/limits.hpp"
#include "protocol/semantics.hpp"
#include "shared/base/file.hpp"
#include "shared/base/hash.hpp"

namespace iron::protocol {
namespace {

/// A frozen input of 64 players may hold some thousand tables.
constexpr std::uint32_t kRecordTables = 16384;
constexpr std::size_t kRecordAlignment = 8;

const SemanticChecker& checker() {
    static const SemanticChecker instance(log_schema(), "iron.protocol.record.Record");
    return instance;
}

struct BlockHeader {
    std::uint32_t magic, index, payload_bytes, raw_bytes, crc;
};
static_assert(sizeof(BlockHeader) == kLogBlockHeaderBytes);

std::uint32_t block_crc(const std::uint8_t* block, std::size_t payload_bytes) {
    uLong crc = ::crc32(0, block + 4, 12);
    crc = ::crc32(crc, block + kLogBlockHeaderBytes, static_cast<uInt>(payload_bytes));
    return static_cast<std::uint32_t>(crc);
}

/// Checks the block at `at`; its total size, or 0 if there is no whole and undamaged block with a plausible header.
std::size_t whole_block_at(ByteView file, std::size_t at, BlockHeader& header) {
    if (file.size() - at < kLogBlockHeaderBytes) return 0;
    header = load_le<BlockHeader>(file.data() + at);
    if (header.magic != kLogBlockMagic || header.payload_bytes > kMaxLogBlockBytes ||
        header.raw_bytes > kMaxLogBlockBytes || header.payload_bytes > file.size() - at - kLogBlockHeaderBytes)
        return 0;
    if (block_crc(file.data() + at, header.payload_bytes) != header.crc) return 0;
    return kLogBlockHeaderBytes + header.payload_bytes;
}

/// True if a whole block starts anywhere behind `from`.
bool another_block_follows(ByteView file, std::size_t from) {
    const std::uint8_t magic[4] = {'I', '3', 'L', 'B'};
    BlockHeader header;
    for (std::size_t at = from + 1; at + kLogBlockHeaderBytes <= file.size(); ++at)
        if (std::memcmp(file.data() + at, magic, 4) == 0 && whole_block_at(file, at, header) != 0) return true;
    return false;
}

/// Verifies one record buffer; nullptr = a kind this build does not know.
Result<const record::Record*> check_record(ByteView buffer, std::uint64_t offset) {
    if (!record::SizePrefixedRecordBufferHasIdentifier(buffer.data()))
        return fail("bad_record", "identifier is not I3DL", offset);
    flatbuffers::Verifier verifier(buffer.data(), buffer.size(), kVerifierDepth, kRecordTables);
    if (!record::VerifySizePrefixedRecordBuffer(verifier)) return fail("bad_record", "record does not verify", offset);
    const record::Record* root = record::GetSizePrefixedRecord(buffer.data());
    if (root->body_type() > record::Body::MAX) return nullptr;
    if (root->body_type() == record::Body::NONE) return fail("bad_record", "record without a body", offset);
    IRON_CHECK(checker().check(*reinterpret_cast<const flatbuffers::Table*>(root)));
    return root;
}

Error io_error(const char* what) { return Error("io_error", std::string(what) + ": " + std::strerror(errno)); }

}  // namespace

Bytes frame_log_block(std::uint32_t index, ByteView raw) {
    uLongf payload_bytes = compressBound(static_cast<uLong>(raw.size()));
    Bytes out(kLogBlockHeaderBytes + payload_bytes);
    ::compress2(out.data() + kLogBlockHeaderBytes, &payload_bytes, raw.data(), static_cast<uLong>(raw.size()), 6);
    out.resize(kLogBlockHeaderBytes + payload_bytes);
    BlockHeader header{kLogBlockMagic, index, static_cast<std::uint32_t>(payload_bytes),
                       static_cast<std::uint32_t>(raw.size()), 0};
    std::memcpy(out.data(), &header, sizeof header);
    header.crc = block_crc(out.data(), payload_bytes);
    std::memcpy(out.data(), &header, sizeof header);
    return out;
}

// ---- writer

Result<LogWriter> LogWriter::create(const std::filesystem::path& path, const LogWriterOptions& options) {
    LogWriter writer;
    writer.options_ = options;
    writer.fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (writer.fd_ < 0)
        return tl::unexpected((errno == EEXIST ? Error("exists", "the log file exists already") : io_error("cannot create the log"))
                                  .wrap("creating " + path.filename().string()));
    return writer;
}

LogWriter::LogWriter(LogWriter&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), failed_(other.failed_), options_(other.options_),
      next_index_(other.next_index_), written_(other.written_), raw_(std::move(other.raw_)) {}

LogWriter& LogWriter::operator=(LogWriter&& other) noexcept {
    if (this != &other) {
        static_cast<void>(close());
        fd_ = std::exchange(other.fd_, -1);
        failed_ = other.failed_;
        options_ = other.options_;
        next_index_ = other.next_index_;
        written_ = other.written_;
        raw_ = std::move(other.raw_);
    }
    return *this;
}

LogWriter::~LogWriter() { static_cast<void>(close()); }

Status LogWriter::append(flatbuffers::FlatBufferBuilder& builder, record::Body type, flatbuffers::Offset<void> body) {
    if (fd_ < 0 || failed_) return fail("io_error", "the log is closed");
    record::FinishSizePrefixedRecordBuffer(builder, record::CreateRecord(builder, type, body));
    const ByteView buffer(builder.GetBufferPointer(), builder.GetSize());
    if (buffer.size() + kRecordAlignment > kMaxLogBlockBytes) return fail("record_too_large", "record exceeds a block");
    // A reader aligns blocks to 8 bytes, the builder's buffer may start anywhere.
    std::vector<std::uint64_t> aligned((buffer.size() + 7) / 8);
    std::memcpy(aligned.data(), buffer.data(), buffer.size());
    IRON_CHECK(check_record({reinterpret_cast<const std::uint8_t*>(aligned.data()), buffer.size()}, 0));
    if (raw_.size() + aligned.size() * 8 > kMaxLogBlockBytes) IRON_CHECK(flush());
    const auto* padded = reinterpret_cast<const std::uint8_t*>(aligned.data());
    raw_.insert(raw_.end(), padded, padded + aligned.size() * 8);
    return raw_.size() >= options_.block_bytes ? flush() : Status{};
}

Status LogWriter::flush() {
    if (raw_.empty()) return {};
    if (fd_ < 0 || failed_) return fail("io_error", "the log is closed");
    const Bytes block = frame_log_block(next_index_, raw_);
    for (std::size_t at = 0; at < block.size();) {
        const ssize_t n = ::write(fd_, block.data() + at, block.size() - at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            Error error = io_error("cannot write the log");
            failed_ = true;
            // Best effort: a reader cuts the torn block anyway.
            [[maybe_unused]] const int ignored = ::ftruncate(fd_, static_cast<off_t>(written_));
            return tl::unexpected(std::move(error));
        }
        at += static_cast<std::size_t>(n);
    }
    written_ += block.size();
    ++next_index_;
    raw_.clear();
    if (options_.sync_every_block && ::fdatasync(fd_) != 0) return tl::unexpected(io_error("cannot flush the log"));
    return {};
}

Status LogWriter::sync() {
    IRON_CHECK(flush());
    if (fd_ >= 0 && ::fdatasync(fd_) != 0) return tl::unexpected(io_error("cannot flush the log"));
    return {};
}

Status LogWriter::close() {
    if (fd_ < 0) return {};
    Status result = failed_ ? Status{} : sync();
    ::close(std::exchange(fd_, -1));
    return result;
}

// ---- reader

Result<LogReader> LogReader::open(Bytes file, bool accept_damage) {
    LogReader reader;
    reader.file_ = std::move(file);
    const ByteView bytes = reader.file_;
    std::size_t at = 0;
    while (at < bytes.size()) {
        BlockHeader header;
        const std::size_t size = whole_block_at(bytes, at, header);
        if (size == 0 || header.index != reader.blocks_.size()) break;
        reader.blocks_.push_back({at, header.payload_bytes, header.raw_bytes});
        at += size;
    }
    if (at < bytes.size()) {
        BlockHeader header;
        const bool damaged = whole_block_at(bytes, at, header) != 0 || another_block_follows(bytes, at);
        reader.tail_ = damaged ? LogTail::damaged : LogTail::torn;
        reader.cut_bytes_ = bytes.size() - at;
        if (damaged && !accept_damage)
            return fail("damaged_block", "block " + std::to_string(reader.blocks_.size()) + " is damaged and more follow", at);
    }
    if (reader.blocks_.empty()) return fail("bad_log", "no whole block at the start of the file", 0);
    return reader;
}

Result<LogReader> LogReader::open_file(const std::filesystem::path& path, bool accept_damage) {
    IRON_TRY(Bytes file, read_file(path, kMaxLogFileBytes));
    return open(std::move(file), accept_damage);
}

Status LogReader::load_block() {
    const Block& block = blocks_[next_block_++];
    raw_.assign((block.raw_bytes + 7) / 8, 0);
    raw_at_ = 0;
    raw_bytes_ = block.raw_bytes;
    uLongf size = static_cast<uLongf>(block.raw_bytes);
    const int result = ::uncompress(reinterpret_cast<Bytef*>(raw_.data()), &size,
                                    file_.data() + block.offset + kLogBlockHeaderBytes,
                                    static_cast<uLong>(block.payload_bytes));
    if (result != Z_OK || size != block.raw_bytes) return fail("bad_record", "block does not decompress", block.offset);
    return {};
}

Result<const record::Record*> LogReader::next() {
    for (;;) {
        if (raw_at_ == raw_bytes_) {
            if (next_block_ == blocks_.size()) return nullptr;
            IRON_CHECK(load_block());
            continue;
        }
        const std::uint64_t block_offset = blocks_[next_block_ - 1].offset;
        const ByteView raw(reinterpret_cast<const std::uint8_t*>(raw_.data()), raw_bytes_);
        if (raw_bytes_ - raw_at_ < 16) return fail("bad_record", "record too short", block_offset);
        const std::uint64_t size = std::uint64_t{load_le<std::uint32_t>(raw.data() + raw_at_)} + 4;
        if (size < 16 || size > raw_bytes_ - raw_at_) return fail("bad_record", "bad record length", block_offset);
        const ByteView buffer = raw.subspan(raw_at_, static_cast<std::size_t>(size));
        const std::size_t step = (static_cast<std::size_t>(size) + kRecordAlignment - 1) / kRecordAlignment * kRecordAlignment;
        if (step > raw_bytes_ - raw_at_) return fail("bad_record", "record is not padded", block_offset);
        raw_at_ += step;
        IRON_TRY(const record::Record* root, check_record(buffer, block_offset));
        if (root != nullptr) return root;
        ++skipped_;
    }
}

void LogReader::rewind() {
    next_block_ = raw_at_ = raw_bytes_ = 0;
    skipped_ = 0;
}

std::uint64_t LogReader::bytes_done() const {
    return next_block_ == blocks_.size() ? file_.size() - cut_bytes_ : blocks_[next_block_].offset;
}

}  // namespace iron::protocol
