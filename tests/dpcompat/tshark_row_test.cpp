#include <catch2/catch.hpp>

#include <fstream>

#include "tests/dpcompat/traffic.hpp"
#include "tests/dpcompat/tshark_row.hpp"

using namespace iron;
using namespace iron::test;

TEST_CASE("our reading of the worked session is TShark's, in all 25 fields of all 27 messages") {
    const auto capture = dpcompat::analyse_capture(*read_file(fixture_path("session.pcap")));
    REQUIRE(capture);
    std::ifstream table(fixture_path("session.fields.tsv"));
    std::string line, header = "frame.number";
    for (const std::string& field : tshark_fields()) header += "\t" + field;
    REQUIRE(std::getline(table, line));
    CHECK(line == header);
    std::size_t rows = 0;
    for (const auto& r : capture->records) {
        if (r.kind == dpcompat::RecordKind::bare) continue;  // TShark does not see it
        REQUIRE(std::getline(table, line));
        std::string ours;
        for (const std::string& cell : tshark_row(*dpcompat::read_block(r.raw))) ours += "\t" + cell;
        CHECK(ours == line.substr(line.find('\t')));
        ++rows;
    }
    CHECK(rows == 27);
    CHECK_FALSE(std::getline(table, line));
}
