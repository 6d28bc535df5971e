// What an older peer relies on, compared between two binary schemas (net-messages.md 7.2). Finds what the
// compiler's own conformance check does not: a struct that grew, a removed last field or member, a changed key.
#pragma once

#include <string>
#include <vector>

#include "shared/base/bytes.hpp"

namespace iron::protocol::test {

/// One line for each thing of `released` that `current` lacks or has changed; empty if `current` only appends.
std::vector<std::string> breaking_changes(ByteView released, ByteView current);

}  // namespace iron::protocol::test
