#include <catch2/catch.hpp>

#include <filesystem>
#include <unistd.h>

#include "protocol/log_format.hpp"
#include "shared/base/file.hpp"

namespace fs = std::filesystem;
using namespace iron;
using namespace iron::protocol;

namespace {

class TempFile {
public:
    explicit TempFile(const std::string& name)
        : path_(fs::temp_directory_path() / ("iron_" + std::to_string(::getpid()) + "_" + name)) {
        fs::remove(path_);
    }
    ~TempFile() { fs::remove(path_); }
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

void add_note(LogWriter& writer, std::uint64_t tick, const std::string& text) {
    flatbuffers::FlatBufferBuilder b;
    REQUIRE(writer.append(b, record::CreateNote(b, tick, b.CreateString(text))));
}

/// A log of `blocks` blocks with two notes each: "0.0", "0.1", "1.0" ...
Bytes small_log(int blocks) {
    TempFile file("small");
    auto writer = LogWriter::create(file.path());
    REQUIRE(writer);
    for (int block = 0; block < blocks; ++block) {
        for (int note = 0; note < 2; ++note)
            add_note(*writer, static_cast<std::uint64_t>(block), std::to_string(block) + "." + std::to_string(note));
        REQUIRE(writer->flush());
    }
    REQUIRE(writer->close());
    return *read_file(file.path());
}

std::vector<std::string> notes(LogReader& reader) {
    std::vector<std::string> out;
    for (;;) {
        auto next = reader.next();
        REQUIRE(next);
        if (*next == nullptr) return out;
        out.push_back((*next)->body_as_Note()->text()->str());
    }
}

/// Offsets at which blocks end.
std::vector<std::size_t> block_ends(const Bytes& file) {
    std::vector<std::size_t> ends;
    for (std::size_t at = 0; at < file.size();) {
        at += kLogBlockHeaderBytes + load_le<std::uint32_t>(file.data() + at + 8);
        ends.push_back(at);
    }
    return ends;
}

}  // namespace

TEST_CASE("records come back in order from a whole log") {
    auto reader = LogReader::open(small_log(3));
    REQUIRE(reader);
    CHECK(reader->tail() == LogTail::complete);
    CHECK(reader->cut_bytes() == 0);
    CHECK(reader->block_count() == 3);
    const std::vector<std::string> expected = {"0.0", "0.1", "1.0", "1.1", "2.0", "2.1"};
    CHECK(notes(*reader) == expected);
    reader->rewind();
    CHECK(notes(*reader) == expected);
}

TEST_CASE("a block has the documented header") {
    const Bytes block = frame_log_block(7, Bytes(100, 0xAA));
    CHECK(as_text(ByteView(block).first(4)) == "I3LB");
    CHECK(load_le<std::uint32_t>(block.data() + 4) == 7);
    CHECK(load_le<std::uint32_t>(block.data() + 8) == block.size() - 20);
    CHECK(load_le<std::uint32_t>(block.data() + 12) == 100);
}

TEST_CASE("a log torn at any byte is cut at its last whole block and the rest is good") {
    const Bytes whole = small_log(3);
    const auto ends = block_ends(whole);
    for (std::size_t n = 0; n <= whole.size(); ++n) {
        auto reader = LogReader::open(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)));
        if (n < ends[0]) {
            REQUIRE(!reader);
            CHECK(reader.error().code() == "bad_log");
            continue;
        }
        REQUIRE(reader);
        std::size_t good = 0, last_end = 0;
        for (const std::size_t end : ends)
            if (end <= n) ++good, last_end = end;
        CHECK(reader->block_count() == good);
        CHECK(reader->cut_bytes() == n - last_end);
        CHECK(reader->tail() == (n == last_end ? LogTail::complete : LogTail::torn));
        CHECK(notes(*reader).size() == good * 2);
    }
}

TEST_CASE("a flipped byte in any block is noticed") {
    const Bytes whole = small_log(3);
    const auto ends = block_ends(whole);
    for (std::size_t at = 0; at < whole.size(); ++at) {
        Bytes hurt = whole;
        hurt[at] ^= 0x10;
        auto reader = LogReader::open(hurt);
        if (at >= ends[1]) {
            // The last block: like a torn tail.
            REQUIRE(reader);
            CHECK(reader->tail() == LogTail::torn);
            CHECK(reader->block_count() == 2);
            continue;
        }
        REQUIRE(!reader);
        CHECK(reader.error().code() == "damaged_block");
        auto accepted = LogReader::open(hurt, true);
        if (at < ends[0]) {
            CHECK(accepted.error().code() == "bad_log");
        } else {
            REQUIRE(accepted);
            CHECK(accepted->tail() == LogTail::damaged);
            CHECK(notes(*accepted).size() == 2);
        }
    }
}

TEST_CASE("a missing or repeated block is damage") {
    const Bytes whole = small_log(3);
    const auto ends = block_ends(whole);
    Bytes missing(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(ends[0]));
    missing.insert(missing.end(), whole.begin() + static_cast<std::ptrdiff_t>(ends[1]), whole.end());
    CHECK(LogReader::open(missing).error().code() == "damaged_block");
    Bytes repeated = whole;
    repeated.insert(repeated.end(), whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(ends[0]));
    CHECK(LogReader::open(repeated).error().code() == "damaged_block");
}

TEST_CASE("a record kind of a later version is skipped and counted") {
    flatbuffers::FlatBufferBuilder b;
    const auto note = record::CreateNote(b, 1, b.CreateString("later"));
    record::FinishSizePrefixedRecordBuffer(b, record::CreateRecord(b, static_cast<record::Body>(200), note.Union()));
    Bytes raw(b.GetBufferPointer(), b.GetBufferPointer() + b.GetSize());
    raw.resize((raw.size() + 7) / 8 * 8);
    auto reader = LogReader::open(frame_log_block(0, raw));
    REQUIRE(reader);
    auto next = reader->next();
    REQUIRE(next);
    CHECK(*next == nullptr);
    CHECK(reader->skipped_records() == 1);
}

TEST_CASE("blocks with a good checksum and bad contents are refused") {
    const auto code = [](const Bytes& raw) {
        auto reader = LogReader::open(frame_log_block(0, raw));
        REQUIRE(reader);
        auto next = reader->next();
        return next ? std::string("ok") : next.error().code();
    };
    CHECK(code(Bytes(8, 0)) == "bad_record");
    CHECK(code(Bytes(64, 0xFF)) == "bad_record");
    CHECK(code(Bytes(64, 0x00)) == "bad_record");
    // A payload that does not decompress to the stated length.
    Bytes block = frame_log_block(0, Bytes(64, 0x11));
    block[12] = 63;
    CHECK(LogReader::open(block).error().code() == "bad_log");
}

TEST_CASE("the writer refuses what a reader would refuse and goes on") {
    TempFile file("refuse");
    auto writer = LogWriter::create(file.path());
    REQUIRE(writer);
    flatbuffers::FlatBufferBuilder b;
    const auto bad = writer->append(b, record::CreateNote(b, 1, b.CreateString("two\nlines")));
    REQUIRE(!bad);
    CHECK(bad.error().code() == "bad_text");
    add_note(*writer, 2, "good");
    REQUIRE(writer->close());
    auto reader = LogReader::open_file(file.path());
    REQUIRE(reader);
    CHECK(notes(*reader) == std::vector<std::string>{"good"});
}

TEST_CASE("an existing log is never overwritten") {
    TempFile file("exists");
    REQUIRE(LogWriter::create(file.path()));
    CHECK(LogWriter::create(file.path()).error().code() == "exists");
}

TEST_CASE("a block is closed by size without being asked") {
    TempFile file("size");
    auto writer = LogWriter::create(file.path(), {.block_bytes = 200});
    REQUIRE(writer);
    for (std::uint64_t n = 0; n < 10; ++n) add_note(*writer, n, "some words to fill the block");
    CHECK(writer->bytes_written() > 0);
    REQUIRE(writer->close());
    auto reader = LogReader::open_file(file.path());
    REQUIRE(reader);
    CHECK(reader->block_count() > 2);
    CHECK(notes(*reader).size() == 10);
}

TEST_CASE("a full disk leaves a readable log") {
    if (!fs::exists("/dev/full")) return;
    // /dev/full cannot be created exclusively: the failure is reported, nothing crashes.
    CHECK(!LogWriter::create("/dev/full"));
}

TEST_CASE("native messages are opaque records for bridge recordings") {
    TempFile file("native");
    auto writer = LogWriter::create(file.path());
    REQUIRE(writer);
    flatbuffers::FlatBufferBuilder b;
    const std::vector<std::uint8_t> payload = {0x00, 0xFF, 0x0A};
    const auto bytes = b.CreateVector(payload);
    REQUIRE(writer->append(b, record::CreateNative(b, 123, 1, 9, 0x80000003u, bytes)));
    REQUIRE(writer->close());
    auto reader = LogReader::open_file(file.path());
    REQUIRE(reader);
    auto next = reader->next();
    REQUIRE(next);
    const auto* native = (*next)->body_as_Native();
    REQUIRE(native != nullptr);
    CHECK(native->kind() == 0x80000003u);
    CHECK(std::vector<std::uint8_t>(native->bytes()->begin(), native->bytes()->end()) == payload);
}
