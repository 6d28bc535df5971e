// A capture that may be given away: a new file built from the messages, with other addresses, names and chat.
// Source: directplay.md 5 (where names are), 15.1 (where addresses are).
#pragma once

#include "dpcompat/capture/session_capture.hpp"

namespace iron::dpcompat {

struct AnonymiseOptions {
    bool blank_payloads = false;  ///< opaque game data becomes zeros of the same length
};

struct AnonymiseReport {
    std::uint64_t messages = 0;         ///< written
    std::uint64_t left_out = 0;         ///< unreadable records and noise: what they hold is not known
    std::uint64_t addresses = 0, names = 0;  ///< replaced, each counted once
    std::uint64_t places = 0;           ///< names and addresses found and replaced inside opaque bytes
    std::uint64_t opaque_kept = 0;      ///< payloads whose packed content cannot be looked into
    std::uint64_t blanked = 0;          ///< bodies set to zero because their layout is not known
};

struct AnonymisedCapture {
    Bytes pcap;  ///< Ethernet, one message a TCP segment, times from 2001-09-09 on
    AnonymiseReport report;
};

/// Lengths, order, ids, flags and relative times stay. Names and texts get others of equal length, addresses come
/// from the documentation ranges, GUIDs of sessions and fragments are numbered. Finally the result is searched for
/// every original name and address. Error `verify_failed` (one was found; nothing is returned).
Result<AnonymisedCapture> anonymise_capture(const SessionCapture& capture, const AnonymiseOptions& options = {});

}  // namespace iron::dpcompat
