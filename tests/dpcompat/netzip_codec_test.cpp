#include <catch2/catch.hpp>

#include "dpcompat/netzip/profile.hpp"
#include "shared/base/rng.hpp"
#include "tests/dpcompat/temp_folder.hpp"
#include "shared/base/file.hpp"

using namespace iron;
using namespace iron::dpcompat;

namespace {

std::vector<Bytes> plains() {
    Rng rng(16, 2);
    std::vector<Bytes> out{{}, {0}, {1, 2, 3}, Bytes(300, 0), Bytes(5000, 7)};
    Bytes mixed;
    for (int i = 0; i < 6000; ++i) mixed.push_back(static_cast<std::uint8_t>(rng.below(4) == 0 ? rng.below(256) : rng.below(3)));
    out.push_back(mixed);
    Bytes noise(700);
    for (auto& b : noise) b = static_cast<std::uint8_t>(rng.next());
    out.push_back(noise);
    return out;
}

}  // namespace

TEST_CASE("every codec undoes its own packing and is found by its id") {
    std::vector<CodecPtr> codecs = all_packers();
    for (const CodecPtr& c : {make_escape_rle(0xAA), make_escape_rle(0), make_xor_const(0x5A), make_add_const(3), make_xor_count(3),
                              make_xor_stream(0x1234)})
        codecs.push_back(c);
    for (const CodecPtr& c : codecs) {
        INFO(c->id());
        const auto again = parse_codec(c->id());
        REQUIRE(again);
        CHECK((*again)->id() == c->id());
        for (const Bytes& plain : plains()) {
            const auto packed = c->pack(plain);
            REQUIRE(packed);
            const auto out = c->unpack(*packed, plain.size(), {});
            REQUIRE(out);
            CHECK(out->plain == plain);
            if (!c->needs_length()) {
                const auto open = c->unpack(*packed, {}, {});
                REQUIRE(open);
                CHECK(open->plain == plain);
                CHECK(open->consumed == packed->size());
            }
            const Bytes start = c->prefix(*packed, 8);
            if (plain.size() >= 12) CHECK(start == Bytes(plain.begin(), plain.begin() + 8));
        }
    }
}

TEST_CASE("run-length forms by hand") {
    const auto unpack = [](const char* id, Bytes packed) {
        const auto out = (*parse_codec(id))->unpack(packed, {}, {});
        return out ? out->plain : Bytes{0xEE, 0xEE};
    };
    // The example of the PackBits description: AA AA AA 80 00 2A AA AA AA AA 80 00 2A 22 and ten AA.
    CHECK(unpack("rle-packbits", {0xFE, 0xAA, 0x02, 0x80, 0x00, 0x2A, 0xFD, 0xAA, 0x03, 0x80, 0x00, 0x2A, 0x22, 0xF7, 0xAA}) ==
          Bytes{0xAA, 0xAA, 0xAA, 0x80, 0x00, 0x2A, 0xAA, 0xAA, 0xAA, 0xAA, 0x80, 0x00, 0x2A, 0x22, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA,
                0xAA, 0xAA, 0xAA, 0xAA});
    CHECK(unpack("rle-escape(90)", {1, 0x90, 3, 7, 0x90, 1, 0x90}) == Bytes{1, 7, 7, 7, 0x90});
    CHECK(unpack("rle-zero", {5, 0, 3, 6}) == Bytes{5, 0, 0, 0, 6});
    CHECK(unpack("rle-zero", {5, 0}) == Bytes{0xEE, 0xEE});
    CHECK(unpack("rle-packbits", {3, 1, 2}) == Bytes{0xEE, 0xEE});
    // Literal 'a', a match of 4 at place 1, the end: flags 0b110.
    CHECK(unpack("lz-endcode", {0x06, 'a', 0x12, 0x00, 0x00, 0x00}) == Bytes{'a', 'a', 'a', 'a', 'a'});
    CHECK(unpack("lz-endcode", {0x00, 'a', 'b'}) == Bytes{0xEE, 0xEE});
    // XOR with a counter from 3 on; the last three bytes stay.
    CHECK(unpack("xor-count(03)", {3, 4, 5, 9, 9, 9}) == Bytes{0, 0, 0, 9, 9, 9});
}

TEST_CASE("bombs are refused within their limits") {
    const Bytes zeros(3u << 20, 0);
    const auto packed = (*parse_codec("zlib"))->pack(zeros);
    REQUIRE(packed);
    CHECK((*parse_codec("zlib"))->unpack(*packed, {}, {}).error().code() == "netzip_limit");
    CHECK((*parse_codec("lzhuf"))->unpack(Bytes(4, 0), 1u << 30, {}).error().code() == "netzip_limit");
    CHECK((*parse_codec("lzhuf"))->unpack(Bytes(4, 0), {}, {}).error().code() == "netzip_length");
    CHECK((*parse_codec("lzss-4096-20-fee"))->unpack(Bytes(4, 0), 1u << 30, {}).error().code() == "netzip_limit");
    CHECK(parse_codec("lzss-8192").error().code() == "netzip_codec");
    CHECK(parse_codec("xor-const(5)").error().code() == "netzip_codec");
}

TEST_CASE("a pipeline has text, header and codecs, and consumes everything") {
    const auto p = parse_pipeline("h9:0.1=flag(04/03),1.2=sum16,3.2=packed,5.4=plain/xor-const(5a)/lzss-4096-20-fee");
    REQUIRE(p);
    CHECK(p->id() == "h9:0.1=flag(04/03),1.2=sum16,3.2=packed,5.4=plain/xor-const(5a)/lzss-4096-20-fee");
    const Bytes plain(100, 'x');
    const auto packed = p->pack(plain);
    REQUIRE(packed);
    CHECK((*packed)[0] == 4);
    CHECK(load_le<std::uint16_t>(packed->data() + 3) == packed->size());
    CHECK(load_le<std::uint32_t>(packed->data() + 5) == 100);
    auto out = p->unpack(*packed);
    REQUIRE(out);
    CHECK(out->plain == plain);
    CHECK(*p->pack(plain, &*out) == *packed);

    PipelineOutput stored;
    stored.stored = true;
    const auto raw = p->pack(plain, &stored);
    REQUIRE(raw);
    CHECK(raw->size() == 109);
    CHECK((*raw)[0] == 3);
    out = p->unpack(*raw);
    REQUIRE(out);
    CHECK(out->stored);
    CHECK(out->plain == plain);

    Bytes hurt = *packed;
    hurt[20] ^= 1;
    CHECK(p->unpack(hurt).error().code() == "netzip_header");
    const auto bare = parse_pipeline("none/zlib");
    Bytes longer = *bare->pack(plain);
    longer.push_back(0);
    CHECK(bare->unpack(longer).error().code() == "netzip_rest");
    for (const char* bad : {"", "none", "h0/stored", "h2:1.2=plain/stored", "h2:0.3=plain/stored", "h2:0.2=what/stored", "none/nothing",
                            "none/stored/stored/stored/stored/stored"})
        CHECK_FALSE(parse_pipeline(bad));
}

TEST_CASE("a profile file is written, read and found by name; without one the payload stays opaque") {
    const iron::test::TempFolder folder;
    NetZipProfile profile;
    profile.name = "measured";
    ProfileEntry tcp;
    tcp.transport = PayloadTransport::tcp;
    tcp.pipeline = *parse_pipeline("h4:0.4=plain/lzhuf");
    tcp.status = ProfileStatus::decodes;
    tcp.evidence = {"a \"quoted\" line"};
    profile.entries.push_back(tcp);
    const std::string text = write_profile(profile);
    REQUIRE(write_file_atomic(folder.path() / "measured.toml", as_bytes(text)));
    const auto loaded = load_profile(folder.path(), "measured");
    REQUIRE(loaded);
    CHECK(loaded->application == kGameGuid);
    const ProfileEntry* found = loaded->find(PayloadTransport::tcp, PayloadDirection::to_host);
    REQUIRE(found);
    CHECK(found->pipeline.id() == "h4:0.4=plain/lzhuf");
    CHECK(found->status == ProfileStatus::decodes);
    CHECK(found->evidence == tcp.evidence);
    CHECK(loaded->find(PayloadTransport::udp, PayloadDirection::to_host) == nullptr);

    CHECK(load_profile(folder.path(), "opaque")->entries.empty());
    CHECK(load_profile(folder.path(), "../measured").error().code() == "bad_setting");
    CHECK(load_profile(folder.path(), "absent").error().code() == "not_found");
    CHECK(read_profile("name = \"x\"", "x").error().code() == "bad_setting");
    CHECK(read_profile("name = ", "x").error().code() == "bad_setting");
    // Letters outside ASCII belong into texts and comments.
    const std::string game = "application = '" + to_string(kGameGuid) + "'\n";
    CHECK(read_profile("name = '\xD0\x98'  # \xD0\x98\n" + game, "x")->name == "\xD0\x98");
    CHECK(read_profile("\xD0\x98 = 'x'\n" + game, "x").error().code() == "bad_setting");
    CHECK(read_profile("name = '\xD0'\n" + game, "x").error().code() == "bad_setting");
}
