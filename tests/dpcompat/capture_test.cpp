// Sessions in captures: the worked session of the fixtures and variations of it.
#include <catch2/catch.hpp>

#include <fstream>
#include <map>
#include <sstream>

#include <nlohmann/json.hpp>

#include "dpcompat/capture/listing.hpp"
#include "tests/dpcompat/traffic.hpp"

using namespace iron;
using namespace iron::dpcompat;
using namespace iron::test;

namespace {

SessionCapture analysed(Bytes file) {
    auto out = analyse_capture(std::move(file));
    REQUIRE(out);
    return std::move(*out);
}

/// The raw bytes of each TCP direction, put together from its records.
std::map<std::uint32_t, Bytes> streams(const SessionCapture& capture) {
    std::map<std::uint32_t, Bytes> out;
    for (const CaptureRecord& r : capture.records)
        if (r.connection != 0) append(out[r.connection], r.raw);
    return out;
}

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> out(1);
    for (char c : line) {
        if (c == '\t') out.emplace_back();
        else out.back() += c;
    }
    return out;
}

}  // namespace

TEST_CASE("the worked session: all 28 messages in order, as the independent reading lists them") {
    const SessionCapture capture = analysed(*read_file(fixture_path("session.pcap")));
    REQUIRE(capture.sessions.size() == 1);
    CHECK(capture.packets.frames == 74);
    CHECK(capture.foreign_udp == 0);
    CHECK(capture.foreign_streams == 0);
    CHECK(capture.tcp.lost_bytes == 0);

    // session.fields.tsv was made by another program; it cannot see the UDP player message.
    std::ifstream table(fixture_path("session.fields.tsv"));
    std::string line;
    std::getline(table, line);
    const auto columns = split(line);
    const auto column = [&](const char* name) {
        return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
    };
    std::vector<const CaptureRecord*> records;
    std::size_t bare = 0;
    for (const CaptureRecord& r : capture.records) {
        if (r.kind == RecordKind::bare) ++bare;
        else records.push_back(&r);
    }
    CHECK(bare == 1);
    std::size_t row = 0;
    while (std::getline(table, line)) {
        const auto cells = split(line);
        REQUIRE(row < records.size());
        const CaptureRecord& r = *records[row++];
        INFO("frame " << cells[0]);
        CHECK(std::to_string(r.raw.size()) == cells[column("dplay.size")]);
        const std::string command = cells[column("dplay.command")];
        if (command.empty()) {
            REQUIRE(r.player());
            CHECK(to_hex(ByteView(r.raw).subspan(20)) == cells[column("dplay.player_msg")]);
        } else {
            REQUIRE(r.message());
            CHECK(r.message()->command == std::stoul(command, nullptr, 16));
            CHECK(r.message()->version == std::stoul(cells[column("dplay.dialect.version")], nullptr, 16));
        }
    }
    CHECK(row == 27);
    CHECK(records.size() == 27);
}

TEST_CASE("the worked session: who is in it and what is opaque") {
    const SessionCapture capture = analysed(*read_file(fixture_path("session.pcap")));
    REQUIRE(capture.sessions.size() == 1);
    const CapturedSession& s = capture.sessions[0];
    CHECK(to_string(s.instance) == "{5A3C0F9E-7B21-4D66-9A10-0C55D2E4B801}");
    CHECK(s.application == kGameGuid);
    CHECK(s.name == u"Iron test");
    CHECK(s.key == kKey);
    CHECK(s.flags == 0x44);
    CHECK(s.user[3] == 0x44444444);
    CHECK(s.host == Machine{kHostIp, 2300});
    CHECK(s.machines == std::set<Machine>{{kHostIp, 2300}, {kJoinerIp, 2300}, {kThirdIp, 2300}});
    CHECK(s.udp_ports.at({kJoinerIp, 2350}) == Machine{kJoinerIp, 2300});
    REQUIRE(s.players.size() == 7);
    CHECK(s.players.at(kHostSystem).host);
    CHECK(s.players.at(kJoinerPlayer).short_name == u"\u0418\u0433\u0440\u043e\u043a");
    CHECK(s.players.at(kJoinerPlayer).system_id == kJoinerSystem);
    CHECK(s.players.at(kJoinerPlayer).left);
    CHECK(s.players.at(kJoinerSystem).left);
    CHECK_FALSE(s.players.at(kThirdPlayer).left);
    CHECK(s.players.at(kTeam).group);
    CHECK(s.guaranteed == 1);
    CHECK(s.guaranteed_bytes == 8);
    CHECK(s.datagrams == 1);
    CHECK(s.unreadable == 0);
    CHECK(s.unknown_commands == 0);
    // The two fragments make a change of player data.
    const auto pieces = std::count_if(capture.records.begin(), capture.records.end(),
                                      [](const CaptureRecord& r) { return !r.assembled.empty(); });
    CHECK(pieces == 1);
    CHECK(s.commands.at(0x0F) == 3);
}

TEST_CASE("a session with two machines on one address is told apart by ports") {
    FrameBuilder b;
    const Endpoint host{0x7F000001, 2301}, joiner{0x7F000001, 2300};
    Bytes reply = changed(fixture("enum_sessions_reply"), 6, {0x08, 0xfd});
    b.tcp(1, {0x7F000001, 40001}, joiner, reply);
    b.tcp(2, {0x7F000001, 40002}, host, fixture("request_player_id_system"));
    const SessionCapture capture = analysed(b.take());
    REQUIRE(capture.sessions.size() == 1);
    CHECK(capture.sessions[0].host == host);
    CHECK(capture.sessions[0].machines == std::set<Machine>{host, joiner});
}

TEST_CASE("sessions of one machine are told apart by their GUID") {
    FrameBuilder b;
    const Endpoint asker{kJoinerIp, 2300};
    b.tcp(1, {kHostIp, 4001}, asker, fixture("enum_sessions_reply"));
    b.tcp(2, {kHostIp, 4001}, asker, changed(changed(fixture("enum_sessions_reply"), 36, {0xAA}), 6, {0x08, 0xfd}));
    b.tcp(3, {kJoinerIp, 4002}, {kHostIp, 2301}, fixture("request_player_id_system"));
    const SessionCapture capture = analysed(b.take());
    REQUIRE(capture.sessions.size() == 2);
    CHECK(capture.records.back().session == 2);
    CHECK(capture.sessions[1].machines.contains({kJoinerIp, 2300}));
    CHECK_FALSE(capture.sessions[0].machines.contains({kJoinerIp, 2300}));
}

TEST_CASE("messages glued and split over segments, repeated and reordered, are found whole") {
    Bytes stream;
    for (const char* name : {"request_player_id_system", "add_forward_request", "request_player_id", "create_player", "player_message_tcp"})
        append(stream, fixture(name));
    const Endpoint from{kJoinerIp, 1062}, to{kHostIp, 2300};
    PcapWriter writer(kLinkRaw);
    std::uint64_t t = 0;
    writer.frame(++t, ip_segment(from, to, 999, 2, {}));
    std::vector<Bytes> parts;
    for (std::size_t at = 0; at < stream.size(); at += 50)
        parts.push_back(ip_segment(from, to, static_cast<std::uint32_t>(1000 + at), 0x18, ByteView(stream).subspan(at, std::min<std::size_t>(50, stream.size() - at))));
    std::swap(parts[1], parts[2]);
    parts.push_back(parts[0]);
    for (const Bytes& p : parts) writer.frame(++t, p);
    const SessionCapture capture = analysed(writer.take());
    CHECK(capture.records.size() == 5);
    CHECK(capture.records.back().kind == RecordKind::player);
    CHECK(streams(capture) == std::map<std::uint32_t, Bytes>{{1, stream}});
    CHECK(capture.tcp.retransmitted_bytes == 50);
}

TEST_CASE("after lost bytes the reader finds the next header and keeps what it could not read") {
    const Endpoint from{kJoinerIp, 1062}, to{kHostIp, 2300};
    Bytes stream;
    for (const char* name : {"request_player_id", "create_player", "player_data_changed", "player_message_tcp"}) append(stream, fixture(name));
    PcapWriter writer(kLinkRaw);
    writer.frame(1, ip_segment(from, to, 0, 2, {}));
    writer.frame(2, ip_segment(from, to, 1, 0x18, ByteView(stream).first(100)));  // 32 of 05 and 68 of 08
    // 40 bytes are missing
    writer.frame(3, ip_segment(from, to, 141, 0x18, ByteView(stream).subspan(140)));
    const SessionCapture capture = analysed(writer.take());
    CHECK(capture.tcp.lost_bytes == 40);
    REQUIRE(capture.records.size() == 5);
    CHECK(capture.records[0].message()->command == 0x05);
    CHECK(capture.records[1].kind == RecordKind::noise);
    CHECK(capture.records[1].raw.size() == 68);
    CHECK(capture.records[2].kind == RecordKind::noise);
    CHECK(capture.records[2].lost_before == 40);
    CHECK(capture.records[2].raw.size() == 64);
    CHECK(capture.records[3].message()->command == 0x0F);
    CHECK(capture.records[4].player());
    Bytes expected(stream.begin(), stream.begin() + 100);
    append(expected, ByteView(stream).subspan(140));
    CHECK(streams(capture).at(1) == expected);
}

TEST_CASE("a capture that starts in the middle is read from the first header on") {
    const Endpoint from{kJoinerIp, 1062}, to{kHostIp, 2300};
    Bytes stream = fixture("create_player");
    stream.erase(stream.begin(), stream.begin() + 30);
    append(stream, fixture("player_message_tcp"));
    PcapWriter writer(kLinkRaw);
    writer.frame(1, ip_segment(from, to, 5000, 0x18, stream));
    writer.frame(2, ip_datagram({kJoinerIp, 2350}, {kHostIp, 2350}, fixture("player_message_udp")));
    const SessionCapture capture = analysed(writer.take());
    REQUIRE(capture.records.size() == 3);
    CHECK(capture.records[0].kind == RecordKind::noise);
    CHECK(capture.records[0].raw.size() == 142);
    CHECK(capture.records[1].kind == RecordKind::player);
    // No directory: the two ids differ only in their slots.
    CHECK(capture.records[2].kind == RecordKind::bare);
}

TEST_CASE("other traffic is counted, not read") {
    PcapWriter writer(kLinkRaw);
    const std::string web = "GET / HTTP/1.1\r\nHost: example\r\n\r\n";
    writer.frame(1, ip_segment({kJoinerIp, 4000}, {kHostIp, 80}, 0, 2, {}));
    writer.frame(2, ip_segment({kJoinerIp, 4000}, {kHostIp, 80}, 1, 0x18, as_bytes(web)));
    writer.frame(3, ip_datagram({kJoinerIp, 4000}, {kHostIp, 53}, as_bytes(web)));
    writer.frame(4, ip_datagram({kJoinerIp, 2350}, {kHostIp, 2350}, as_bytes(web)));
    const SessionCapture capture = analysed(writer.take());
    CHECK(capture.records.empty());
    CHECK(capture.foreign_streams == 1);
    CHECK(capture.foreign_udp == 2);
    CHECK(list_capture(capture).find("no DirectPlay session") != std::string::npos);
}

TEST_CASE("a body that breaks the rules is kept as unreadable with its reason") {
    FrameBuilder b;
    b.tcp(1, {kJoinerIp, 1062}, {kHostIp, 2300}, changed(fixture("create_player"), 60, {0x0d}));
    b.tcp(2, {kJoinerIp, 1062}, {kHostIp, 2300}, fixture("player_message_tcp"));
    const SessionCapture capture = analysed(b.take());
    REQUIRE(capture.records.size() == 2);
    CHECK(capture.records[0].kind == RecordKind::unreadable);
    CHECK(capture.records[0].error == "dp_string");
    CHECK(capture.records[1].kind == RecordKind::player);
}

TEST_CASE("frames of the reliable envelope are shown in sessions that use it") {
    FrameBuilder b;
    // The table of a session with DIRECTPLAYPROTOCOL: the flag word is at m 60.
    b.tcp(1, {kHostIp, 1061}, {kJoinerIp, 2300}, changed(fixture("super_enum_players_reply"), 60, {0x44, 0x20}));
    b.udp(2, {kJoinerIp, 2350}, {kHostIp, 2350}, fixture("dpl4r_data"));
    b.udp(3, {kHostIp, 2350}, {kJoinerIp, 2350}, fixture("dpl4r_ack"));
    const SessionCapture capture = analysed(b.take());
    REQUIRE(capture.records.size() == 3);
    CHECK(capture.records[1].kind == RecordKind::reliable);
    REQUIRE(capture.records[1].assembled.size() == 1);
    CHECK(std::get<PlayerMessage>(capture.records[1].assembled[0]) ==
          PlayerMessage{kJoinerPlayer, kHostPlayer, {0xde, 0xad, 0xbe, 0xef, 0, 1, 2, 3}});
    CHECK(capture.records[2].frame->is_ack());
}

TEST_CASE("the listing and the JSON name sessions, players and opaque payloads") {
    const SessionCapture capture = analysed(small_session_pcap());
    const std::string text = list_capture(capture);
    CHECK(text.find("session 1 'Iron test'") != std::string::npos);
    CHECK(text.find("flags MIGRATEHOST KEEPALIVE") != std::string::npos);
    CHECK(text.find("CREATEPLAYER 0x1f6b9200") != std::string::npos);
    CHECK(text.find("8 bytes opaque") != std::string::npos);
    const auto json = capture_json(capture, true);
    CHECK(json["sessions"][0]["game"] == true);
    CHECK(json["records"].size() == capture.records.size());
    CHECK(json["sessions"][0]["opaque"]["guaranteed"] == 1);
    CHECK(json["records"][0]["content"]["name"] == "ENUMSESSIONS");
}
