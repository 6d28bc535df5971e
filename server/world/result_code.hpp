// Codes of CommandResult and OrderEvent (net-messages.md 9.1).
#pragma once

#include <cstdint>

namespace iron::world {

enum class ResultCode : std::uint8_t {
    ok, not_owner, no_object, dead, bad_target, out_of_range, no_resources, not_available,
    queue_full, rate_limited, paused, owner_changed, malformed, out_of_command, bad_site, limit,
    unreachable, blocked, timeout, busy, cancelled, no_power, refused, target_lost
};

/// Why an object was killed (code of a `killed` event).
enum class KillCause : std::uint8_t { damage = 0, forced = 1, ram = 2, owner_left = 3, administrator = 4 };

/// Why an owner changed (code of an `owner_changed` event).
enum class OwnerReason : std::uint8_t { none = 0, player_left = 1, player_lost = 2, captured = 3 };

}  // namespace iron::world
