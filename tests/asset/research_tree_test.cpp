#include <catch2/catch.hpp>

#include <limits>

#include "shared/archive/nres.hpp"
#include "shared/asset/research_tree.hpp"
#include "tests/asset/gameplay_kit.hpp"

using namespace iron;
using namespace iron::asset;
using namespace iron::asset::gameplay_kit;

namespace {

using archive::type_tag;

const auto parse = [](ByteView b, ReadContext& c) { return read_research_tree(b, c); };

struct Sections {
    Bytes nodes, states, need_counts, needs;
    std::uint32_t node_count = 2, need_attr = 2;
    bool with_nodes = true, with_needs = true;
    Bytes extra;  // TRF6

    Bytes build() const {
        archive::NresBuilder builder;
        if (with_nodes) builder.add(type_tag("TRF0"), node_count, 0, 40, "n", nodes);
        builder.add(type_tag("TRF1"), 2, 0, 1, "s", states);
        builder.add(type_tag("TRF2"), need_attr, 0, 1, "c", need_counts);
        if (with_needs) builder.add(type_tag("TRF3"), 1, 0, 1, "p", needs);
        builder.add(type_tag("TRF4"), 2, 0, 1, "u", Bytes(8, 0));
        builder.add(type_tag("TRF5"), 0, 0, 1, "v", {});
        builder.add(type_tag("TRF7"), 8, 0, 1, "7", text_bytes(std::string_view("aa\0bb\0", 6)));
        builder.add(type_tag("TRF8"), 2, 0, 1, "8", text_bytes(std::string_view("L\0", 2)));
        if (!extra.empty()) builder.add(type_tag("TRF6"), 1, 0, 1, "6", extra);
        return *builder.build();
    }
};

// Two nodes: "aa" (cost 2, time 3) and "bb", which needs node 0.
Sections two_nodes() {
    Sections out;
    ByteWriter nodes;
    for (int i = 0; i < 2; ++i) {
        nodes.f32(2.0f + static_cast<float>(i));
        nodes.f32(3.0f);
        nodes.f32(4.0f);
        nodes.f32(5.0f);
        nodes.u32(i == 0 ? 0 : 3);
        nodes.u32(0);
        nodes.u32(100);  // behind the missing pool: empty text, warning
        nodes.u32(0);
        nodes.u16(7);
        for (std::uint8_t b = 1; b <= 6; ++b) nodes.u8(b);
    }
    out.nodes = nodes.take();
    out.states = {1, 2};
    out.need_counts = hex("00 00 00 00 01 00 00 00");
    out.needs = hex("00 00 00 00");
    return out;
}

}  // namespace

TEST_CASE("a research tree shows nodes, relations and texts") {
    const Bytes bytes = two_nodes().build();
    ReadContext context = strict();
    const auto tree = read_research_tree(bytes, context);
    REQUIRE(tree);
    REQUIRE(tree->nodes.size() == 2);
    CHECK(tree->nodes[0].cost == 2.0f);
    CHECK(tree->nodes[1].cost == 3.0f);
    CHECK(tree->nodes[0].short_name == "aa");
    CHECK(tree->nodes[1].short_name == "bb");
    CHECK(tree->nodes[1].long_name == "L");
    CHECK(tree->nodes[0].help.empty());
    CHECK(tree->nodes[0].auxiliary == 7);
    CHECK(tree->nodes[0].turret_type == 1);
    CHECK(tree->nodes[0].upgrade_level == 6);
    CHECK(tree->nodes[0].state == kResearchAvailable);
    CHECK(tree->nodes[1].prerequisites == std::vector<std::uint32_t>{0});
    CHECK(tree->find("BB") == 1);
    CHECK(tree->find("cc") == -1);
    CHECK(context.has("trf_text_offset"));
    CHECK(write_research_tree(*tree) == bytes);
}

TEST_CASE("an edit of a research tree keeps what it does not touch") {
    Sections sections = two_nodes();
    sections.extra = hex("01 02 03 04");
    const Bytes bytes = sections.build();
    ReadContext context = strict();
    auto tree = read_research_tree(bytes, context);
    REQUIRE(tree);
    tree->nodes[0].cost = std::numeric_limits<float>::quiet_NaN();
    tree->nodes[1].short_name = "cc";
    const auto written = write_research_tree(*tree);
    REQUIRE(written);
    const auto again = read_research_tree(*written, context);
    REQUIRE(again);
    CHECK(again->nodes[1].short_name == "cc");
    CHECK(again->nodes[0].short_name == "aa");
    CHECK(again->nodes[1].prerequisites == std::vector<std::uint32_t>{0});
    ReadContext quiet = strict();
    const auto container = archive::view_nres(*written, quiet, archive::NresRole::file);
    REQUIRE(container);
    const auto pool = container->payload(*container->find_type(type_tag("TRF7")));
    CHECK(as_text(pool) == std::string_view("aa\0bb\0cc\0", 9));  // append-only
    CHECK(as_text(container->payload(*container->find_type(type_tag("TRF6")))) == "\x01\x02\x03\x04");
    // A NaN equals itself: writing the edited tree again changes nothing.
    CHECK(write_research_tree(*again) == *written);
}

TEST_CASE("an authored research tree has the canonical sections") {
    ResearchTree tree;
    tree.nodes.resize(2);
    tree.nodes[0].short_name = "r_l_01";
    tree.nodes[0].state = kResearchAvailable | kResearchActive;
    tree.nodes[0].unlocks = {1};
    tree.nodes[1].prerequisites = {0};
    const auto bytes = write_research_tree(tree);
    REQUIRE(bytes);
    ReadContext context = strict();
    const auto again = read_research_tree(*bytes, context);
    REQUIRE(again);
    CHECK(context.diagnostics.empty());
    CHECK(again->nodes == tree.nodes);
    const auto container = archive::view_nres(*bytes, context, archive::NresRole::file);
    REQUIRE(container);
    REQUIRE(container->size() == 10);
    CHECK(container->entry(0).type_id == type_tag("TRF0"));
    CHECK(container->entry(0).attr1 == 2);
    CHECK(container->entry(0).attr3 == 40);
    CHECK(container->entry(2).attr1 == 2);
    CHECK(container->entry(3).attr1 == 1);
}

TEST_CASE("research tree checks") {
    Sections s = two_nodes();
    s.with_nodes = false;
    CHECK(code_of(parse, s.build()) == "trf_no_nodes");
    s = two_nodes();
    s.node_count = 3;
    CHECK(code_of(parse, s.build()) == "trf_bad_size");
    s = two_nodes();
    s.need_attr = 3;
    CHECK(code_of(parse, s.build()) == "trf_bad_relation");
    s = two_nodes();
    s.need_counts = hex("00 00 00 00 02 00 00 00");
    CHECK(code_of(parse, s.build()) == "trf_bad_relation");
    s = two_nodes();
    s.with_needs = false;
    CHECK(code_of(parse, s.build()) == "trf_bad_relation");
    s = two_nodes();
    s.need_attr = 1;
    s.need_counts = hex("01 00 00 00");
    CHECK(reports(parse, s.build(), "trf_relation_count"));
    s = two_nodes();
    s.needs = hex("00 00 00 00 09 00 00 00");
    CHECK(reports(parse, s.build(), "trf_unused_words"));
    s = two_nodes();
    s.states = {1};
    CHECK(reports(parse, s.build(), "trf_short_states"));
    s = two_nodes();
    s.needs = hex("02 00 00 00");
    CHECK(reports(parse, s.build(), "trf_id_range"));
    CHECK(code_of(parse, text_bytes("no container")) != "ok");
}
