#include <catch2/catch.hpp>

#include "dpcompat/capture/tcp_stream.hpp"

using namespace iron;
using namespace iron::dpcompat;

namespace {

struct Reader {
    TcpStream stream;
    TcpStats stats;
    std::string text;
    explicit Reader() {
        stream.on_bytes = [this](ByteView b, std::uint64_t) { text += as_text(b); };
        stream.on_gap = [this](std::uint64_t lost, std::uint64_t) { text += "<" + std::to_string(lost) + ">"; };
    }
    void syn(std::uint32_t sequence) { stream.segment({0, 0, {}, {}, sequence, true, false, false, {}}, stats); }
    void data(std::uint32_t sequence, std::string_view bytes) {
        stream.segment({0, 0, {}, {}, sequence, false, false, false, as_bytes(bytes)}, stats);
    }
};

}  // namespace

TEST_CASE("segments come out in order whatever order they arrive in") {
    Reader r;
    r.syn(99);
    r.data(104, "efg");
    r.data(100, "abcd");
    CHECK(r.text == "abcdefg");
    r.data(109, "jk");
    r.data(107, "hi");
    CHECK(r.text == "abcdefghijk");
    CHECK(r.stats.retransmitted_bytes == 0);
    CHECK_FALSE(r.stream.started_late());
}

TEST_CASE("the sequence number wraps") {
    Reader r;
    r.syn(0xFFFFFFFD);
    r.data(0xFFFFFFFE, "ab");
    r.data(2, "ef");
    r.data(0, "cd");
    CHECK(r.text == "abcdef");
}

TEST_CASE("retransmissions are dropped, and counted when they differ") {
    Reader r;
    r.syn(0);
    r.data(1, "abcdef");
    r.data(3, "cdefgh");
    CHECK(r.text == "abcdefgh");
    CHECK(r.stats.retransmitted_bytes == 4);
    CHECK(r.stats.conflicting_bytes == 0);
    r.data(1, "aXc");
    CHECK(r.text == "abcdefgh");
    CHECK(r.stats.conflicting_bytes == 1);
    // Overlaps among waiting segments: the first content stays.
    r.data(11, "klm");
    r.data(10, "jQ");
    r.data(9, "ijklmn");
    CHECK(r.text == "abcdefghijklmn");
    CHECK(r.stats.conflicting_bytes == 2);
}

TEST_CASE("bytes that were never captured are reported as a gap") {
    Reader r;
    r.syn(0);
    r.data(1, "abc");
    r.data(10, "jkl");
    CHECK(r.text == "abc");
    r.stream.flush(r.stats);
    CHECK(r.text == "abc<6>jkl");
    CHECK(r.stats.lost_bytes == 6);
    CHECK(r.stats.gaps == 1);
}

TEST_CASE("a megabyte that waits for lost bytes goes on without them") {
    Reader r;
    r.syn(0);
    const std::string block(60'000, 'x');
    for (std::uint32_t i = 0; i < 20; ++i) r.data(100 + i * 60'000, block);
    CHECK(r.stats.lost_bytes == 99);
    CHECK(r.text.size() > 1'000'000);
}

TEST_CASE("a stream captured late starts where it is, a new connection starts anew") {
    Reader r;
    r.data(500, "abc");
    CHECK(r.stream.started_late());
    r.syn(7000);
    r.data(7001, "xyz");
    CHECK(r.text == "abcxyz");
    CHECK_FALSE(r.stream.started_late());
}
