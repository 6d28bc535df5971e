// Published totals of the editions against what was found. The numbers live in one data file
// (tools/data/published_totals.json). Source: mission.md 6.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/interchange/loaded_asset.hpp"

namespace iron::interchange {

/// One published quantity. `fact` names what scan and reachability count; empty: nobody counts it.
struct TotalRow {
    std::string name;
    std::string fact;
    std::vector<std::optional<std::uint64_t>> published;  ///< by edition
    std::string note;
};

struct PublishedTotals {
    std::vector<std::string> editions;  ///< names, e.g. "Demo", "Part 1"
    std::vector<TotalRow> rows;
};
/// Errors `json_*`.
Result<PublishedTotals> read_published_totals(std::string_view json);

enum class TotalVerdict : std::uint8_t { equal, differs, not_published, not_counted };
std::string_view total_verdict_name(TotalVerdict verdict);

/// Which edition the totals are those of.
struct EditionMatch {
    struct Score {
        std::size_t equal = 0, compared = 0;
    };
    std::vector<Score> scores;             ///< by edition
    std::optional<std::size_t> edition;    ///< the recognised or the nearest one
    bool exact = false;                    ///< every published total that is counted is equal
    /// "Part 1", "looks like Part 1 (40 of 52 totals)", or "unknown".
    std::string text;
};
/// Nearest: the edition with the largest share of equal totals, at least one in four.
EditionMatch recognise_edition(const PublishedTotals& totals, const Facts& facts);

TotalVerdict verdict_of(const TotalRow& row, std::size_t edition, const Facts& facts);

Json totals_json(const PublishedTotals& totals, const EditionMatch& match, const Facts& facts);
/// Table "quantity, found, published, verdict" for the recognised or nearest edition.
std::string totals_text(const PublishedTotals& totals, const EditionMatch& match, const Facts& facts);

}  // namespace iron::interchange
