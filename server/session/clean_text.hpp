// Text from players, before anybody sees it. Source: net-messages.md 7.2, 10.
#pragma once

#include <string>
#include <string_view>

namespace iron::session {

/// One line for display: malformed UTF-8 gives an empty string; control characters, line and
/// paragraph separators and text-direction marks become spaces; runs of spaces shrink to one; ends are
/// trimmed; cut at `max_bytes` between characters.
std::string clean_line(std::string_view text, std::size_t max_bytes);

/// The same for a player's name: at most 64 bytes. Empty = not usable.
std::string clean_name(std::string_view text);

}  // namespace iron::session
