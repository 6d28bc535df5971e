#include <catch2/catch.hpp>

#include "tests/dpcompat/traffic.hpp"

using namespace iron;
using namespace iron::dpcompat;
using namespace iron::test;

namespace {

/// What comes out of one UDP datagram put into a file of that link type behind `link_header`.
std::vector<Bytes> datagrams(std::uint32_t link, const Bytes& link_header, const std::vector<Bytes>& packets, PacketStats* stats = nullptr) {
    PcapWriter writer(link);
    for (const Bytes& p : packets) {
        Bytes frame = link_header;
        append(frame, p);
        writer.frame(5'000'001, frame);
    }
    const auto file = read_capture(writer.take());
    REQUIRE(file);
    std::vector<Bytes> out;
    PacketDecoder decoder;
    decoder.on_udp = [&](const UdpDatagram& d) {
        CHECK(d.from == Endpoint{kJoinerIp, 2350});
        CHECK(d.to == Endpoint{kHostIp, 2350});
        CHECK(d.time_us == 5'000'001);
        out.emplace_back(d.data.begin(), d.data.end());
    };
    for (const CapturedFrame& f : file->frames) decoder.frame(f);
    decoder.finish();
    if (stats) *stats = decoder.stats();
    return out;
}

const Endpoint kFrom{kJoinerIp, 2350}, kTo{kHostIp, 2350};

Bytes numbered(std::size_t size) {
    Bytes out(size);
    for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::uint8_t>(i * 13 + i / 256);
    return out;
}

/// The fragments of a datagram, cut every `piece` bytes of IP payload.
std::vector<Bytes> fragments(const Bytes& packet, std::size_t piece) {
    std::vector<Bytes> out;
    for (std::size_t at = 20; at < packet.size(); at += piece) {
        const std::size_t count = std::min(piece, packet.size() - at);
        Bytes p(packet.begin(), packet.begin() + 20);
        append(p, ByteView(packet).subspan(at, count));
        const std::size_t total = 20 + count, word = (at - 20) / 8 | (at + count < packet.size() ? 0x2000u : 0u);
        p[2] = static_cast<std::uint8_t>(total >> 8), p[3] = static_cast<std::uint8_t>(total);
        p[6] = static_cast<std::uint8_t>(word >> 8), p[7] = static_cast<std::uint8_t>(word);
        out.push_back(p);
    }
    return out;
}

}  // namespace

TEST_CASE("every link type leads to the same datagram") {
    const Bytes packet = ip_datagram(kFrom, kTo, fixture("ping"));
    const Bytes mac(12, 2);
    const auto with = [](Bytes a, std::initializer_list<int> more) {
        for (int v : more) a.push_back(static_cast<std::uint8_t>(v));
        return a;
    };
    const std::vector<Bytes> expected{fixture("ping")};
    CHECK(datagrams(kLinkEthernet, with(mac, {8, 0}), {packet}) == expected);
    CHECK(datagrams(kLinkEthernet, with(mac, {0x81, 0, 0, 5, 8, 0}), {packet}) == expected);
    CHECK(datagrams(kLinkEthernet, with(mac, {0x88, 0xA8, 0, 5, 0x81, 0, 0, 6, 8, 0}), {packet}) == expected);
    CHECK(datagrams(kLinkRaw, {}, {packet}) == expected);
    CHECK(datagrams(kLinkIpv4, {}, {packet}) == expected);
    CHECK(datagrams(kLinkNull, {2, 0, 0, 0}, {packet}) == expected);
    CHECK(datagrams(kLinkNull, {0, 0, 0, 2}, {packet}) == expected);
    CHECK(datagrams(kLinkLoop, {0, 0, 0, 2}, {packet}) == expected);
    CHECK(datagrams(kLinkCooked, with(Bytes(14, 0), {8, 0}), {packet}) == expected);
    CHECK(datagrams(kLinkCooked2, with({8, 0}, {0, 0, 0, 0, 0, 1, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0}), {packet}) == expected);
    // Other protocols, other links, padding behind the packet.
    CHECK(datagrams(kLinkEthernet, with(mac, {0x86, 0xDD}), {packet}).empty());
    CHECK(datagrams(147, {}, {packet}).empty());
    Bytes padded = packet;
    padded.resize(padded.size() + 9, 0xEE);
    CHECK(datagrams(kLinkRaw, {}, {padded}) == expected);
}

TEST_CASE("IP fragments are put together in any order, once, with repeats") {
    const Bytes data = numbered(4000), packet = ip_datagram(kFrom, kTo, data);
    auto parts = fragments(packet, 1000);
    REQUIRE(parts.size() == 5);
    PacketStats stats;
    CHECK(datagrams(kLinkRaw, {}, parts, &stats) == std::vector<Bytes>{data});
    CHECK(stats.ip_reassembled == 1);
    std::reverse(parts.begin(), parts.end());
    parts.insert(parts.begin() + 2, parts[0]);
    CHECK(datagrams(kLinkRaw, {}, parts) == std::vector<Bytes>{data});
    parts.erase(parts.begin() + 1);
    CHECK(datagrams(kLinkRaw, {}, parts, &stats).empty());
    CHECK(stats.ip_lost == 1);
}

TEST_CASE("a torn file keeps its whole frames") {
    PcapWriter writer(kLinkRaw);
    writer.frame(1, ip_datagram(kFrom, kTo, fixture("ping")));
    writer.frame(2, ip_datagram(kFrom, kTo, fixture("ping")));
    Bytes file = writer.take();
    file.pop_back();
    const auto read = read_capture(file);
    REQUIRE(read);
    CHECK(read->torn);
    CHECK(read->frames.size() == 1);
    CHECK(read_capture(Bytes{1, 2, 3, 4, 5}).error().code() == "not_a_capture");
    CHECK(read_capture(Bytes(file.begin(), file.begin() + 20)).error().code() == "bad_capture");
}

TEST_CASE("swapped and nanosecond pcap files are read") {
    Bytes file;
    const auto be32 = [&](std::uint32_t v) {
        for (int s = 24; s >= 0; s -= 8) file.push_back(static_cast<std::uint8_t>(v >> s));
    };
    be32(0xA1B23C4D);
    be32(0x00020004);
    be32(0), be32(0), be32(65535), be32(101);
    be32(7), be32(8'000'999), be32(3), be32(60);
    append(file, Bytes{9, 9, 9});
    const auto read = read_capture(file);
    REQUIRE(read);
    REQUIRE(read->frames.size() == 1);
    CHECK(read->frames[0].time_us == 7'008'000);
    CHECK(read->frames[0].link_type == 101);
    CHECK(read->frames[0].original_bytes == 60);
    CHECK(read->frames[0].bytes.size() == 3);
}

TEST_CASE("pcapng: sections, interfaces with their resolution, enhanced and simple packets") {
    ByteWriter out;
    const auto block = [&](std::uint32_t type, const Bytes& body) {
        Bytes padded = body;
        padded.resize((padded.size() + 3) / 4 * 4);
        out.u32(type);
        out.u32(static_cast<std::uint32_t>(padded.size() + 12));
        out.bytes(padded);
        out.u32(static_cast<std::uint32_t>(padded.size() + 12));
    };
    const auto body = [](std::initializer_list<std::uint32_t> words, ByteView tail = {}) {
        ByteWriter w;
        for (std::uint32_t v : words) w.u32(v);
        w.bytes(tail);
        return w.take();
    };
    block(0x0A0D0D0A, body({0x1A2B3C4D, 0x00000001, 0xFFFFFFFF, 0xFFFFFFFF}));
    block(1, body({1, 65535}));                                           // Ethernet, microseconds
    block(1, body({101, 65535, 0x00010009, 9, 0}));                       // raw IP, nanoseconds
    block(5, body({0, 0, 0}));                                            // statistics: skipped
    block(6, body({0, 0, 5'000'000, 3, 3}, Bytes{1, 2, 3}));
    const std::uint64_t ns = 1'700'000'000'123'456'789ull;
    block(6, body({1, static_cast<std::uint32_t>(ns >> 32), static_cast<std::uint32_t>(ns), 2, 40}, Bytes{4, 5}));
    block(3, body({4}, Bytes{6, 7, 8, 9}));
    const Bytes file = out.take();
    const auto read = read_capture(file);
    REQUIRE(read);
    CHECK(read->skipped_blocks == 1);
    REQUIRE(read->frames.size() == 3);
    CHECK(read->frames[0].time_us == 5'000'000);
    CHECK(read->frames[0].link_type == 1);
    CHECK(Bytes(read->frames[0].bytes.begin(), read->frames[0].bytes.end()) == Bytes{1, 2, 3});
    CHECK(read->frames[1].time_us == 1'700'000'000'123'456ull);
    CHECK(read->frames[1].link_type == 101);
    CHECK(read->frames[1].original_bytes == 40);
    CHECK(read->frames[2].bytes.size() == 4);
    // Every prefix is an error or a shorter capture, never more.
    for (std::size_t n = 0; n < file.size(); ++n)
        if (const auto part = read_capture(Bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(n)))) CHECK(part->frames.size() <= 3);
}

TEST_CASE("a frame length that no recorder writes is refused before it is believed") {
    PcapWriter writer(kLinkRaw);
    writer.frame(1, Bytes(10, 0));
    Bytes file = writer.take();
    file[24 + 8 + 3] = 0x7F;
    CHECK(read_capture(file).error().code() == "bad_capture");
}
