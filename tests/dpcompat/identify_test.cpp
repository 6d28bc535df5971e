// directplay.md 16.4: every family is found again on a corpus made with it; random, text, zeros and packed files are not.
#include <catch2/catch.hpp>

#include "dpcompat/netzip/identify.hpp"
#include "shared/base/file.hpp"
#include "shared/base/rng.hpp"
#include "tests/dpcompat/temp_folder.hpp"

using namespace iron;
using namespace iron::dpcompat;

namespace {

void put32(Bytes& out, std::uint32_t v) {
    for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::uint8_t>(v >> (8 * i)));
}

/// Bytes that look like game messages: a number, then a name field, floats or text.
Bytes message(Rng& rng, std::size_t wanted) {
    Bytes out;
    static constexpr std::uint32_t kNumbers[] = {0x3EF, 0x80000003, 0x80000006, 0x80000020, 7, 0x16};
    put32(out, kNumbers[rng.below(6)]);
    static const std::string kTexts[] = {"Missions\\Single.01\\data.tma", "r_h_01_main", "tower_laser", "Hello from the test"};
    while (out.size() < wanted) {
        const std::string& text = kTexts[rng.below(4)];
        if (rng.below(2)) {
            Bytes field(32, 0);
            std::copy(text.begin(), text.end(), field.begin());
            out.insert(out.end(), field.begin(), field.end());
        } else {
            for (int i = 0; i < 6; ++i) out.push_back(static_cast<std::uint8_t>(rng.next()));
        }
    }
    out.resize(std::max<std::size_t>(wanted, 4));
    return out;
}

/// 100 pairs in three sessions over both transports and directions; eight long and ten short ones in the fit part.
std::vector<PackSample> corpus(const Pipeline& pipeline, bool with_plain = true, std::size_t count = 100) {
    Rng rng(99, 5);
    std::vector<PackSample> out;
    for (std::size_t i = 0; i < count; ++i) {
        PackSample s;
        s.name = std::to_string(i);
        s.session = i < count * 35 / 100 ? "a" : i < count * 7 / 10 ? "b" : "c";
        s.transport = i % 2 ? PayloadTransport::udp : PayloadTransport::tcp;
        s.direction = i % 3 ? PayloadDirection::to_host : PayloadDirection::from_host;
        const std::size_t size = i % 8 == 0 ? 4200 + i * 10 : i % 5 == 0 ? 6 + i % 10 : 20 + rng.below(400);
        const Bytes plain = message(rng, size);
        const auto packed = pipeline.pack(plain);
        REQUIRE(packed);
        s.packed = *packed;
        if (with_plain) s.plain = plain;
        out.push_back(std::move(s));
    }
    return out;
}

void check_found(const std::string& id) {
    INFO(id);
    const auto pipeline = parse_pipeline(id);
    REQUIRE(pipeline);
    const auto samples = corpus(*pipeline);
    const IdentifyReport report = identify(samples);
    REQUIRE(report.best());
    INFO(report_text(report));
    CHECK(report.best()->status == ProfileStatus::decodes);
    CHECK(report.best()->canonical);
    CHECK(report.best()->pipeline.id() == id);
}

}  // namespace

TEST_CASE("each packer family is found again, with its parameters") {
    for (const char* id : {"none/stored", "none/lzss-4096-20-fee", "none/lzss-4096-00-ff0-msb-min2", "none/lzss-4096-20-000-match1-hilen", "none/lzss-4096-20-fee-msb-rel",
                           "none/deflate-raw", "none/zlib", "none/gzip", "none/lz-endcode", "none/rle-packbits", "none/rle-zero",
                           "none/rle-escape(90)"})
        check_found(id);
}

TEST_CASE("each header form is found again") {
    for (const char* id : {"h4:0.4=plain/lzhuf", "h4:0.4=plain/lzss-4096-20-fee", "h2:0.2=plain/stored", "h2:0.2=packed/lzss-4096-20-fee",
                           "h4:0.2=body,2.2=plain/lzss-4096-20-fee", "h1:0.1=const(03)/zlib", "h5:0.1=const(04),1.4=crc32/deflate-raw",
                           "h3:0.1=const(04),1.2=sum16/lz-endcode", "h6:0.2=crc16,2.4=plain/lzhuf", "h4:0.4=adler32/rle-packbits"})
        check_found(id);
}

TEST_CASE("a flag that marks stored messages is found") {
    const auto pipeline = parse_pipeline("h1:0.1=flag(04/03)/lzss-4096-20-fee");
    std::vector<PackSample> samples = corpus(*pipeline);
    PipelineOutput stored;
    stored.stored = true;
    for (std::size_t i = 0; i < samples.size(); i += 3) samples[i].packed = *pipeline->pack(*samples[i].plain, &stored);
    const IdentifyReport report = identify(samples);
    REQUIRE(report.best());
    CHECK(report.best()->pipeline.id() == pipeline->id());
    CHECK(report.best()->status == ProfileStatus::decodes);
}

TEST_CASE("transforms before and after a packer are found with their keys") {
    for (const char* id : {"none/xor-const(5a)", "none/add-const(11)", "none/xor-count(03)", "none/xor-stream(be6f)",
                           "none/xor-const(5a)/lzss-4096-20-fee", "h4:0.4=plain/xor-const(77)/lzhuf", "none/lzss-4096-20-fee/xor-const(5a)"})
        check_found(id);
}

TEST_CASE("the engine's stream in front of a packer is found when asked to look deep") {
    const auto pipeline = parse_pipeline("none/xor-stream(1f6a)/lzss-4096-20-fee");
    const auto samples = corpus(*pipeline);
    CHECK(identify(samples).best() == nullptr);
    IdentifyOptions deep;
    deep.deep = true;
    const IdentifyReport report = identify(samples, deep);
    REQUIRE(report.best());
    CHECK(report.best()->pipeline.id() == pipeline->id());
}

TEST_CASE("packets alone give a hypothesis at most") {
    const auto samples = corpus(*parse_pipeline("h4:0.4=plain/lzss-4096-20-fee"), false, 300);
    const IdentifyReport report = identify(samples);
    REQUIRE(report.best());
    CHECK(report.best()->pipeline.id() == "h4:0.4=plain/lzss-4096-20-fee");
    CHECK(report.best()->status == ProfileStatus::hypothesis);
}

TEST_CASE("few pairs stay a hypothesis and the report says what is missing") {
    const auto samples = corpus(*parse_pipeline("none/zlib"), true, 20);
    const IdentifyReport report = identify(samples);
    REQUIRE(report.best());
    CHECK(report.best()->status == ProfileStatus::hypothesis);
    CHECK(report_text(report).find("fewer than 64 distinct pairs") != std::string::npos);
}

TEST_CASE("random bytes, text, zeros and packed files alone are unknown") {
    Rng rng(3, 3);
    const auto of = [](auto make) {
        std::vector<PackSample> out;
        for (std::size_t i = 0; i < 300; ++i) {
            PackSample s;
            s.session = i < 200 ? "a" : "b";
            s.packed = make(i);
            out.push_back(std::move(s));
        }
        return out;
    };
    const auto random = of([&](std::size_t) {
        Bytes b(10 + rng.below(200));
        for (auto& v : b) v = static_cast<std::uint8_t>(rng.next());
        return b;
    });
    const auto text = of([&](std::size_t i) {
        const std::string line = "The quick brown fox number " + std::to_string(i) + " jumps over the lazy dog.";
        return Bytes(line.begin(), line.end());
    });
    const auto zeros = of([&](std::size_t i) { return Bytes(10 + i, 0); });
    const auto zipped = of([&](std::size_t i) { return *(*parse_codec("gzip"))->pack(Bytes(10 + i, static_cast<std::uint8_t>(i))); });
    for (const auto* samples : {&random, &text, &zeros, &zipped}) {
        const IdentifyReport report = identify(*samples);
        INFO(report_text(report));
        CHECK(report.best() == nullptr);
        CHECK_FALSE(winning_profile(report, *samples, "x"));
    }
    // Random pairs: nothing explains them.
    std::vector<PackSample> pairs = random;
    for (PackSample& s : pairs) {
        s.plain = Bytes(20 + rng.below(50));
        for (auto& v : *s.plain) v = static_cast<std::uint8_t>(rng.next());
    }
    CHECK(identify(pairs).best() == nullptr);
}

TEST_CASE("a folder of pairs is read, and the winner becomes a profile the bridge can load") {
    const iron::test::TempFolder folder;
    const auto pipeline = parse_pipeline("h2:0.2=plain/lzss-4096-20-fee");
    Rng rng(4, 4);
    for (int i = 0; i < 12; ++i) {
        const std::string name = std::string(i < 8 ? "a" : "b") + ".to_host." + (i % 2 ? "tcp." : "udp.") + std::to_string(i);
        const Bytes plain = message(rng, 50 + static_cast<std::size_t>(i) * 40);
        REQUIRE(write_file_atomic(folder.path() / (name + ".packed"), *pipeline->pack(plain)));
        REQUIRE(write_file_atomic(folder.path() / (name + ".plain"), plain));
    }
    const auto samples = read_pair_folder(folder.path());
    REQUIRE(samples);
    REQUIRE(samples->size() == 12);
    CHECK((*samples)[0].session == "a");
    CHECK((*samples)[0].direction == PayloadDirection::to_host);
    const auto profile = winning_profile(identify(*samples), *samples, "found");
    REQUIRE(profile);
    const auto again = read_profile(write_profile(*profile), "found");
    REQUIRE(again);
    CHECK(again->entries[0].pipeline.id() == pipeline->id());
    CHECK(again->entries[0].status == ProfileStatus::hypothesis);
    CHECK(read_pair_folder(folder.path() / "nothing").error().code() == "not_found");
    std::filesystem::create_directory(folder.path() / "empty");
    CHECK(read_pair_folder(folder.path() / "empty").error().code() == "no_samples");
}
