// How well each message is known, for the status: no Parkan packet has been seen by any source. Source:
// directplay.md 0, 3, 18.
#pragma once

#include <string_view>

#include "dpcompat/wire/messages.hpp"

namespace iron::dpcompat {

enum class Evidence : std::uint8_t {
    exchanged,  ///< spoken with an independent client (32-bit Wine) in our own experiment, and described elsewhere
    captured,   ///< described, and seen in published captures of other games
    described,  ///< only described
    open        ///< nobody knows what it means
};
Evidence evidence_of(std::uint16_t command);
std::string_view evidence_text(Evidence evidence);

/// The sentence every status carries until a person has seen an original act on our packets.
inline constexpr std::string_view kVerification = "no original client verified";

}  // namespace iron::dpcompat
