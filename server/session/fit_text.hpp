// Small helpers for texts on the wire.
#pragma once

#include <string>
#include <string_view>

#include "protocol/limits.hpp"
#include "server/session/clean_text.hpp"

namespace iron::session {

/// A sentence for a person on the other side: one line, at most 512 bytes.
inline std::string fit_text(std::string_view text) { return clean_line(text, protocol::kMaxTextBytes); }

}  // namespace iron::session
