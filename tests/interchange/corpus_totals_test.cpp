// Recognising an edition by its totals.
#include "shared/interchange/corpus_scan.hpp"
#include "shared/interchange/corpus_totals.hpp"
#include "tests/archive/support.hpp"
#include "tests/interchange/kit.hpp"

using namespace iron;
using namespace iron::interchange;

namespace {

PublishedTotals totals() {
    return read_published_totals(R"({"editions": ["One", "Two"], "totals": [
        {"name": "files", "fact": "files", "published": [10, 12]},
        {"name": "models", "fact": "models", "published": [5, 5]},
        {"name": "clans", "fact": "clans", "published": [null, 7]},
        {"name": "samples", "published": [3, 4], "note": "nobody counts them"}]})").value();
}

}  // namespace

TEST_CASE("Equal totals are the edition, some differences look like it, all differences are unknown") {
    const PublishedTotals t = totals();
    const auto text = [&](Facts facts) { return recognise_edition(t, facts).text; };
    CHECK(text({{"files", 10}, {"models", 5}}) == "One");
    CHECK(text({{"files", 12}, {"models", 5}, {"clans", 7}}) == "Two");
    CHECK(text({{"files", 12}, {"models", 6}, {"clans", 7}}) == "looks like Two (2 of 3 totals)");
    CHECK(text({{"files", 99}, {"models", 99}, {"clans", 99}}) == "unknown");
    CHECK(recognise_edition(t, {{"files", 10}, {"models", 5}}).exact);
    CHECK_FALSE(recognise_edition(t, {{"files", 12}, {"models", 6}, {"clans", 7}}).exact);
}

TEST_CASE("Published, found and verdict stand apart") {
    const PublishedTotals t = totals();
    const Facts facts{{"files", 10}, {"models", 4}};
    CHECK(verdict_of(t.rows[0], 0, facts) == TotalVerdict::equal);
    CHECK(verdict_of(t.rows[1], 0, facts) == TotalVerdict::differs);
    CHECK(verdict_of(t.rows[2], 0, facts) == TotalVerdict::not_published);
    CHECK(verdict_of(t.rows[2], 1, facts) == TotalVerdict::differs);  // nothing found is 0
    CHECK(verdict_of(t.rows[3], 0, facts) == TotalVerdict::not_counted);
}

TEST_CASE("A damaged totals file is refused") {
    CHECK(read_published_totals("[]").error().code() == "json_missing");
    CHECK(read_published_totals(R"({"editions": ["A"], "totals": [{"name": "x", "published": [1, 2]}]})").error().code() == "json_bad_value");
    CHECK(read_published_totals(R"({"editions": ["A"], "totals": [{"name": "x", "published": ["1"]}]})").error().code() == "json_bad_value");
    CHECK(read_published_totals(R"({"editions": ["A"], "totals": [{"published": [1]}]})").error().code() == "json_missing");
}

TEST_CASE("Facts add up, except the largest of something") {
    Facts facts{{"files", 1}, {"most_nodes", 7}};
    merge_facts(facts, {{"files", 2}, {"most_nodes", 5}, {"bytes", 9}});
    CHECK(facts == Facts{{"bytes", 9}, {"files", 3}, {"most_nodes", 7}});
}

TEST_CASE("Scanning a file tells a quirk from an error and an unindexed range from padding") {
    const Bytes good = archive::test::nres_example();
    const FileReport fine = scan_file("a.lib", good);
    CHECK(fine.self.health == Health::strict);
    CHECK(fine.entries.size() == 2);
    CHECK(fine.entries[0].health == Health::unknown);
    CHECK(fine.self.rewritten == true);
    CHECK(fine.unknown_ranges.empty());
    CHECK(fine.facts.at("nres_files") == 1);
    CHECK(fine.facts.at("nres_entries") == 2);
    CHECK(fine.facts.at("bytes") == 160);

    Bytes swapped = good;
    swapped[0x5C] = 0, swapped[0x9C] = 1;
    CHECK(scan_file("a.lib", swapped).self.health == Health::quirk);
    CHECK(scan_file("a.lib", swapped).self.error->code() == "nres_bad_sort_table");
    CHECK(scan_file("a.lib", kit::with(good, 4, 1)).self.health == Health::error);

    Bytes gap = good;
    gap.insert(gap.begin() + 0x20, 8, 0x55);
    archive::test::put_u32(gap, 12, 168);
    const FileReport found = scan_file("a.lib", gap);
    REQUIRE(found.unknown_ranges.size() == 1);
    CHECK(found.unknown_ranges[0].begin == 0x20);
    CHECK(found.facts.at("unknown_ranges_nonzero") == 1);
    CHECK(found.self.rewritten == true);
}
