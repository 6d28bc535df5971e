#include <catch2/catch.hpp>

#include "dpcompat/capture/anonymise.hpp"
#include "shared/base/text.hpp"
#include "tests/dpcompat/traffic.hpp"

using namespace iron;
using namespace iron::dpcompat;
using namespace iron::test;

namespace {

bool holds(const Bytes& bytes, const Bytes& part) { return std::search(bytes.begin(), bytes.end(), part.begin(), part.end()) != bytes.end(); }
Bytes wide(const Text16& text) {
    ByteWriter w;
    write_text16(w, text);
    Bytes out = w.take();
    out.resize(out.size() - 2);
    return out;
}
Bytes plain(const std::string& text) { return Bytes(text.begin(), text.end()); }

}  // namespace

TEST_CASE("an anonymised capture holds no original address, name, chat or password") {
    // Other addresses than the documentation ranges, which are what the originals become.
    Bytes original = small_session_pcap();
    const Bytes old_net{192, 0, 2}, new_net{10, 20, 30};
    for (auto at = original.begin(); (at = std::search(at, original.end(), old_net.begin(), old_net.end())) != original.end();)
        std::copy(new_net.begin(), new_net.end(), at);
    const auto before = analyse_capture(original);
    REQUIRE(before);
    const auto out = anonymise_capture(*before);
    REQUIRE(out);
    for (const Bytes& secret : {Bytes{10, 20, 30}, wide(u"Iron test"), wide(u"\u0418\u0433\u0440\u043e\u043a"), wide(u"Host player"),
                                wide(u"Player two"), wide(u"hello"), wide(u"secret"), wide(u"Third"), wide(u"Team")}) {
        CHECK(holds(original, secret));
        CHECK_FALSE(holds(out->pcap, secret));
    }
    CHECK(out->report.addresses == 3);
    CHECK(out->report.left_out == 0);

    // The same messages, commands, ids and sizes in the same order at the same distances.
    const auto after = analyse_capture(out->pcap);
    REQUIRE(after);
    REQUIRE(after->records.size() == before->records.size());
    for (std::size_t i = 0; i < after->records.size(); ++i) {
        const CaptureRecord &a = before->records[i], &b = after->records[i];
        INFO("record " << i);
        CHECK(b.raw.size() == a.raw.size());
        CHECK(b.kind == a.kind);
        CHECK(b.to.port == a.to.port);
        CHECK(b.time_us - after->records[0].time_us == a.time_us - before->records[0].time_us);
        if (a.message()) CHECK(b.message()->command == a.message()->command);
        if (a.player()) CHECK(*b.player() == *a.player());
        CHECK(b.assembled.size() == a.assembled.size());
    }
    REQUIRE(after->sessions.size() == 1);
    CHECK(after->sessions[0].key == kKey);
    CHECK(after->sessions[0].name.size() == 9);
    CHECK(after->sessions[0].players.size() == 7);
    CHECK(after->sessions[0].instance != before->sessions[0].instance);
    CHECK(after->sessions[0].application == kGameGuid);
}

TEST_CASE("names and addresses inside opaque payloads are replaced in every form") {
    FrameBuilder b;
    const Endpoint host{0x0A141E01, 2300}, joiner_out{0x0A141E02, 1062};
    b.tcp(1, {host.ip, 1061}, {0x0A141E02, 2300}, fixture("super_enum_players_reply"));
    b.tcp(2, joiner_out, host, fixture("create_player"));
    PlayerMessage data{kJoinerPlayer, 0, {}};
    append(data.data, plain("A\x01" + utf8_to_cp1251("\xD0\x98\xD0\xB3\xD1\x80\xD0\xBE\xD0\xBA") + std::string(1, '\0')));
    append(data.data, wide(u"Player two"));
    append(data.data, plain("10.20.30.2 "));
    append(data.data, Bytes{10, 20, 30, 1, 1, 30, 20, 10, 0x7E});
    b.tcp(3, joiner_out, host, frame_player_message(data, 2300));
    const auto before = analyse_capture(b.take());
    REQUIRE(before);
    const auto out = anonymise_capture(*before);
    REQUIRE(out);
    CHECK(out->report.places == 5);
    CHECK(out->report.opaque_kept > 0);
    const auto after = analyse_capture(out->pcap);
    const Bytes& payload = after->records.back().player()->data;
    CHECK(payload.size() == data.data.size());
    CHECK(payload.front() == 'A');
    CHECK(payload.back() == 0x7E);
    CHECK_FALSE(holds(payload, plain("10.20.30.2")));
    CHECK_FALSE(holds(payload, Bytes{10, 20, 30, 1}));
    CHECK_FALSE(holds(payload, Bytes{1, 30, 20, 10}));

    AnonymiseOptions blank;
    blank.blank_payloads = true;
    const auto zeros = analyse_capture(anonymise_capture(*before, blank)->pcap);
    CHECK(zeros->records.back().player()->data == Bytes(data.data.size(), 0));
}

TEST_CASE("what cannot be read is left out, what is not known is blanked") {
    FrameBuilder b;
    const Endpoint host{0x0A141E01, 2300}, joiner_out{0x0A141E02, 1062};
    b.tcp(1, joiner_out, host, fixture("request_player_id"));
    b.tcp(2, joiner_out, host, changed(fixture("create_player"), 60, {0x0d}));
    b.tcp(3, joiner_out, host, frame_message(make_message(static_cast<Command>(0x32), UnknownBody{plain("my name is Bond")}), 2300));
    b.tcp(4, joiner_out, host, frame_message(make_message(Command::negotiate, AuthTokenBody{kJoinerSystem, plain("NTLMSSP user Bond")}), 2300));
    const auto out = anonymise_capture(*analyse_capture(b.take()));
    REQUIRE(out);
    CHECK(out->report.left_out == 1);
    CHECK(out->report.blanked == 2);
    CHECK_FALSE(holds(out->pcap, plain("Bond")));
    CHECK(analyse_capture(out->pcap)->records.size() == 3);
}

TEST_CASE("originals from the documentation ranges and names of the filler letter are replaced too") {
    FrameBuilder b;
    b.tcp(1, {kHostIp, 1061}, {kJoinerIp, 2300}, fixture("super_enum_players_reply"));
    CreateBody created;
    created.id = created.player.id = kJoinerPlayer;
    created.player.system_id = kJoinerSystem;
    created.player.short_name = u"xx";
    created.player.long_name = u"A";
    b.tcp(2, {kJoinerIp, 1062}, {kHostIp, 2300}, frame_message(make_message(Command::create_player, created), 2300));
    b.tcp(3, {kJoinerIp, 1062}, {kHostIp, 2300}, fixture("chat"));
    const auto out = anonymise_capture(*analyse_capture(b.take()));
    REQUIRE(out);
    const auto after = analyse_capture(out->pcap);
    for (const CaptureRecord& r : after->records)
        for (Ipv4 ip : {r.from.ip, r.to.ip}) {
            CHECK(ip != kHostIp);
            CHECK(ip != kJoinerIp);
            CHECK(ip != kThirdIp);
        }
    CHECK_FALSE(holds(out->pcap, wide(u"xx")));
    CHECK(after->sessions[0].players.at(kJoinerPlayer).long_name != u"A");
}
