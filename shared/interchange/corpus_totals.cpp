#include "shared/interchange/corpus_totals.hpp"

#include <cstdio>

#include <nlohmann/json.hpp>

namespace iron::interchange {
namespace {

std::optional<std::uint64_t> found(const TotalRow& row, const Facts& facts) {
    if (row.fact.empty()) return std::nullopt;
    const auto it = facts.find(row.fact);
    return it == facts.end() ? 0 : it->second;
}

Json number_json(const std::optional<std::uint64_t>& value) { return value ? Json(*value) : Json(nullptr); }
std::string number_text(const std::optional<std::uint64_t>& value) { return value ? std::to_string(*value) : "-"; }

Result<TotalRow> read_row(const Json& item, std::size_t editions) {
    TotalRow row;
    IRON_TRY(row.name, json_string(item, "name"));
    if (const Json* fact = json_member(item, "fact"); fact != nullptr && fact->is_string()) row.fact = fact->get<std::string>();
    if (const Json* note = json_member(item, "note"); note != nullptr && note->is_string()) row.note = note->get<std::string>();
    IRON_TRY(const Json* published, json_array(item, "published"));
    if (published->size() != editions) return fail("json_bad_value", "'" + row.name + "' has not one number an edition");
    for (const Json& value : *published) {
        if (!value.is_null() && !value.is_number_unsigned()) return fail("json_bad_value", "'" + row.name + "' has something that is no number");
        row.published.push_back(value.is_null() ? std::nullopt : std::optional(value.get<std::uint64_t>()));
    }
    return row;
}

}  // namespace

Result<PublishedTotals> read_published_totals(std::string_view text) {
    IRON_TRY(const Json json, parse_json(text, "the published totals"));
    PublishedTotals out;
    IRON_TRY(const Json* editions, json_array(json, "editions"));
    for (const Json& name : *editions) {
        if (!name.is_string()) return fail("json_bad_value", "an edition has no name");
        out.editions.push_back(name.get<std::string>());
    }
    IRON_TRY(const Json* rows, json_array(json, "totals"));
    for (const Json& item : *rows) {
        IRON_TRY(TotalRow row, read_row(item, out.editions.size()));
        out.rows.push_back(std::move(row));
    }
    return out;
}

std::string_view total_verdict_name(TotalVerdict verdict) {
    switch (verdict) {
        case TotalVerdict::equal: return "equal";
        case TotalVerdict::differs: return "differs";
        case TotalVerdict::not_published: return "not published";
        case TotalVerdict::not_counted: return "not counted";
    }
    return "";
}

TotalVerdict verdict_of(const TotalRow& row, std::size_t edition, const Facts& facts) {
    if (!row.published[edition]) return TotalVerdict::not_published;
    const auto value = found(row, facts);
    if (!value) return TotalVerdict::not_counted;
    return *value == *row.published[edition] ? TotalVerdict::equal : TotalVerdict::differs;
}

EditionMatch recognise_edition(const PublishedTotals& totals, const Facts& facts) {
    EditionMatch out;
    out.text = "unknown";
    for (std::size_t e = 0; e < totals.editions.size(); ++e) {
        EditionMatch::Score score;
        for (const TotalRow& row : totals.rows) {
            const TotalVerdict verdict = verdict_of(row, e, facts);
            score.equal += verdict == TotalVerdict::equal;
            score.compared += verdict == TotalVerdict::equal || verdict == TotalVerdict::differs;
        }
        out.scores.push_back(score);
        // Shares compared by cross multiplication; more equal totals win a tie.
        const bool better = [&] {
            if (score.compared == 0 || score.equal * 4 < score.compared) return false;
            if (!out.edition) return true;
            const EditionMatch::Score& best = out.scores[*out.edition];
            const std::size_t left = score.equal * best.compared, right = best.equal * score.compared;
            return left > right || (left == right && score.equal > best.equal);
        }();
        if (better) out.edition = e;
    }
    if (!out.edition) return out;
    const EditionMatch::Score& best = out.scores[*out.edition];
    out.exact = best.equal == best.compared;
    out.text = out.exact ? totals.editions[*out.edition]
                         : "looks like " + totals.editions[*out.edition] + " (" + std::to_string(best.equal) + " of " +
                               std::to_string(best.compared) + " totals)";
    return out;
}

Json totals_json(const PublishedTotals& totals, const EditionMatch& match, const Facts& facts) {
    Json scores = Json::object();
    for (std::size_t e = 0; e < totals.editions.size(); ++e)
        scores[totals.editions[e]] = {{"equal", match.scores[e].equal}, {"compared", match.scores[e].compared}};
    Json rows = Json::array();
    for (const TotalRow& row : totals.rows) {
        Json item{{"name", row.name}, {"found", number_json(found(row, facts))}};
        Json published = Json::object();
        for (std::size_t e = 0; e < totals.editions.size(); ++e) published[totals.editions[e]] = number_json(row.published[e]);
        item["published"] = std::move(published);
        item["verdict"] = match.edition ? total_verdict_name(verdict_of(row, *match.edition, facts)) : std::string_view("no edition");
        if (!row.note.empty()) item["note"] = row.note;
        rows.push_back(std::move(item));
    }
    return Json{{"edition", match.text},
                {"exact", match.exact},
                {"compared_with", match.edition ? Json(totals.editions[*match.edition]) : Json(nullptr)},
                {"scores", std::move(scores)},
                {"totals", std::move(rows)}};
}

std::string totals_text(const PublishedTotals& totals, const EditionMatch& match, const Facts& facts) {
    std::string out;
    char line[200];
    std::snprintf(line, sizeof line, "%-44s %12s %12s  %s\n", "quantity", "found", "published", "verdict");
    out += line;
    for (const TotalRow& row : totals.rows) {
        const auto published = match.edition ? row.published[*match.edition] : std::nullopt;
        const std::string_view verdict = match.edition ? total_verdict_name(verdict_of(row, *match.edition, facts)) : std::string_view("-");
        std::snprintf(line, sizeof line, "%-44s %12s %12s  %.*s\n", row.name.c_str(), number_text(found(row, facts)).c_str(),
                      number_text(published).c_str(), static_cast<int>(verdict.size()), verdict.data());
        out += line;
    }
    return out;
}

}  // namespace iron::interchange
