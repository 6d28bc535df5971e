// A capture for people and for scripts.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "dpcompat/capture/session_capture.hpp"

namespace iron::dpcompat {

struct ListingOptions {
    bool records = true;      ///< one line a message; off: only the sessions
    bool payloads = false;    ///< hexadecimal of the opaque payloads
};
/// Sessions, players, messages, totals. Text from the wire is shown without control characters.
std::string list_capture(const SessionCapture& capture, const ListingOptions& options = {});
/// {"sessions": [...], "records": [...], "totals": {...}}.
nlohmann::ordered_json capture_json(const SessionCapture& capture, bool records);
/// Without control characters, for a terminal.
std::string printable(std::string text);

}  // namespace iron::dpcompat
