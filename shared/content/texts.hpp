// The text sources of shared/content/text, embedded at build time.
#pragma once

#include <string_view>

namespace iron::content {

/// UTF-8 text of `text/<name>`; empty when there is none (a test looks at every use).
std::string_view text_source(std::string_view name);

}  // namespace iron::content
