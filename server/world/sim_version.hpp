// The version of the rules as the program executes them: golden hashes, logs and saves change only
// with it (design.md 5, "versions").
#pragma once

#include <cstdint>
#include <string_view>

namespace iron::world {

/// Raised with every change that can change a state hash.
inline constexpr std::uint32_t kSimVersion = 1;
inline constexpr std::string_view kSimVersionText = "movement, routes, orders, hashing";

}  // namespace iron::world
