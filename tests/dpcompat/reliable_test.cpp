// directplay.md 9 and 14.12. The layout is published, no traffic of it was seen.
#include <catch2/catch.hpp>

#include "dpcompat/wire/reliable.hpp"
#include "shared/base/rng.hpp"
#include "tests/dpcompat/fixture.hpp"

using namespace iron;
using namespace iron::dpcompat;
using namespace iron::test;

TEST_CASE("14.12 a data frame and its acknowledgement") {
    const auto data = read_reliable_frame(fixture("dpl4r_data"));
    REQUIRE(data);
    CHECK(data->from == 6);
    CHECK(data->to == 1);
    CHECK(data->flags == (frame_flag::kCommand | frame_flag::kStart | frame_flag::kEnd | frame_flag::kSendAck | frame_flag::kReliable));
    CHECK(data->message == 1);
    CHECK(data->sequence == 1);
    CHECK(data->serial == 0);
    CHECK(data->payload == Bytes{0xde, 0xad, 0xbe, 0xef, 0, 1, 2, 3});
    CHECK(write_reliable_frame(*data) == fixture("dpl4r_data"));
    const auto ack = read_reliable_frame(fixture("dpl4r_ack"));
    REQUIRE(ack);
    CHECK(ack->is_ack());
    CHECK_FALSE(ack->is_nack());
    CHECK(ack->bytes_received == 12);
    CHECK(ack->tick_ms == 0x00012400);
    CHECK(write_reliable_frame(*ack) == fixture("dpl4r_ack"));
}

TEST_CASE("indexes are varints of at most three bytes") {
    ReliableFrame frame;
    frame.from = 0xFFFE;
    frame.flags = frame_flag::kCommand;
    const Bytes bytes = write_reliable_frame(frame);
    CHECK(Bytes(bytes.begin(), bytes.begin() + 3) == Bytes{0xFE, 0xFF, 0x03});
    CHECK(*read_reliable_frame(bytes) == frame);
    CHECK(read_reliable_frame(Bytes{0xFF, 0xFF, 0xFF, 0x01, 0x20, 1, 1, 0}).error().code() == "dp_index");
    CHECK(read_reliable_frame(Bytes{0x81, 0x00, 0x01, 0x20, 1, 1, 0}).error().code() == "dp_index");
    CHECK(read_reliable_frame(Bytes{0xFF, 0xFF, 0x07, 0x01, 0x20, 1, 1, 0}).error().code() == "dp_index");
}

TEST_CASE("NACK frames are read and written") {
    ReliableFrame nack;
    nack.from = 2;
    nack.to = 1;
    nack.flags = frame_flag::kAck | frame_flag::kExtended;
    nack.extended = 2 << 5;
    nack.message = 4;
    nack.sequence = 9;
    nack.bytes_received = 1000;
    nack.tick_ms = 77;
    nack.mask = {0x05, 0x80};
    const Bytes bytes = write_reliable_frame(nack);
    CHECK(bytes.size() == 2 + 12 + 2);
    CHECK(*read_reliable_frame(bytes) == nack);
    CHECK(read_reliable_frame(ByteView(bytes).first(15)).error().code() == "dp_size");
    CHECK(read_reliable_frame(changed(bytes, 3, {0x41})).error().code() == "dp_frame");
}

TEST_CASE("reserved flags and frames of nobody are refused") {
    CHECK(read_reliable_frame(Bytes{1, 2, 0x60, 1, 1, 0}).error().code() == "dp_frame");
    CHECK(read_reliable_frame(Bytes{1, 2, 0x00, 1, 1, 0}).error().code() == "dp_frame");
    CHECK(read_reliable_frame(Bytes{1, 2, 0x22, 1, 1, 0}).error().code() == "dp_frame");
    CHECK(read_reliable_frame(Bytes{1, 2}).error().code() == "dp_size");
    ReliableLink link(1, 6);
    CHECK(link.receive(changed(fixture("dpl4r_data"), 0, {5}), 0).error().code() == "dp_index");
}

TEST_CASE("a link answers the worked frame with the worked acknowledgement") {
    ReliableLink link(1, 6);
    const auto got = link.receive(fixture("dpl4r_data"), 0x00012400);
    REQUIRE(got);
    REQUIRE(got->size() == 1);
    const auto out = link.poll(0x00012400);
    REQUIRE(out.size() == 1);
    CHECK(out[0] == fixture("dpl4r_ack"));
    // The repeat of a finished message is acknowledged again and not delivered again.
    CHECK(link.receive(fixture("dpl4r_data"), 0x00012400)->empty());
    CHECK(link.poll(0x00012400).size() == 1);
}

namespace {

struct Pair {
    ReliableOptions options;
    ReliableLink a{6, 1, options}, b{1, 6, options};
    Rng rng{7, 1};
    std::uint32_t loss_percent = 0;
    bool reorder = false;
    std::vector<Bytes> at_a, at_b;

    explicit Pair(ReliableOptions o = {}) : options(o) {}
    void step(std::uint64_t now) {
        auto to_b = a.poll(now), to_a = b.poll(now);
        if (reorder) std::reverse(to_b.begin(), to_b.end());
        for (auto [list, link, sink] : {std::tuple(&to_b, &b, &at_b), std::tuple(&to_a, &a, &at_a)})
            for (const Bytes& frame : *list) {
                if (rng.below(100) < loss_percent) continue;
                auto got = link->receive(frame, now);
                REQUIRE(got);
                for (Bytes& m : *got) sink->push_back(std::move(m));
            }
    }
};

Bytes numbered(std::size_t size, std::uint8_t number) {
    Bytes out(size, number);
    for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::uint8_t>(number + i * 7);
    return out;
}

}  // namespace

TEST_CASE("reliable messages arrive once and in order through loss and reordering") {
    for (bool reorder : {false, true}) {
        Pair pair;
        pair.loss_percent = 30;
        pair.reorder = reorder;
        std::vector<Bytes> sent;
        std::uint64_t now = 0;
        for (std::uint8_t i = 0; i < 120; ++i) {
            sent.push_back(numbered(i % 10 == 0 ? 60'000 : 20 + i, i));
            REQUIRE(pair.a.send(sent.back(), true));
            pair.step(now += 10);
        }
        while (!(pair.a.idle() && pair.at_b.size() == sent.size()) && now < 4'000'000) pair.step(now += 10);
        CHECK(pair.at_b == sent);
        CHECK(pair.a.idle());
        CHECK_FALSE(pair.a.dead());
        CHECK(pair.a.retransmissions() > 0);
    }
}

TEST_CASE("an unreliable message with a gap is dropped when the id 24 further arrives") {
    ReliableOptions options;
    options.frame_payload_bytes = 10;
    ReliableLink a(6, 1, options), b(1, 6, options);
    REQUIRE(a.send(numbered(20, 1), false));
    auto frames = a.poll(0);
    REQUIRE(frames.size() == 2);
    CHECK(b.receive(frames[0], 0)->empty());  // the second one is lost
    std::size_t delivered = 0;
    for (std::uint8_t i = 2; i <= 24; ++i) {
        REQUIRE(a.send(numbered(5, i), false));
        for (const Bytes& f : a.poll(0)) delivered += b.receive(f, 0)->size();
    }
    CHECK(delivered == 0);
    REQUIRE(a.send(numbered(5, 25), false));
    for (const Bytes& f : a.poll(0)) delivered += b.receive(f, 0)->size();
    CHECK(delivered == 24);
    CHECK(b.dropped_messages() == 1);
}

TEST_CASE("without order complete messages are delivered as they finish") {
    ReliableOptions options;
    options.preserve_order = false;
    ReliableLink a(6, 1, options), b(1, 6, options);
    REQUIRE(a.send(numbered(5, 1), true));
    REQUIRE(a.send(numbered(5, 2), true));
    const auto frames = a.poll(0);
    REQUIRE(frames.size() == 2);
    const auto second = b.receive(frames[1], 0);
    REQUIRE(second->size() == 1);
    CHECK((*second)[0] == numbered(5, 2));
    const auto first = b.receive(frames[0], 0);
    REQUIRE(first->size() == 1);
    CHECK((*first)[0] == numbered(5, 1));
}

TEST_CASE("a link without an answer is declared dead after 16 tries and a minute") {
    ReliableLink link(6, 1);
    REQUIRE(link.send(numbered(5, 1), true));
    std::uint64_t now = 0;
    while (!link.dead() && now < 200'000) {
        link.poll(now);
        now += 100;
    }
    CHECK(link.dead());
    CHECK(now >= 60'000);
}

TEST_CASE("the first message id may be zero") {
    ReliableLink link(1, 6);
    CHECK(link.receive(changed(fixture("dpl4r_data"), 3, {0}), 0)->size() == 1);
    ReliableLink other(1, 6);
    CHECK(other.receive(changed(fixture("dpl4r_data"), 3, {200}), 0)->size() == 1);
}
