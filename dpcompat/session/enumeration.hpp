// Who may learn of a session, and how often. Source: directplay.md 4.1, 13 (amplification).
#pragma once

#include <map>
#include <optional>

#include "dpcompat/wire/messages.hpp"

namespace iron::dpcompat {

/// The table of 4.1: does a request with these flags and password show this session? `closed` = full or one of the
/// two "disabled" flags.
bool enumeration_shows(std::uint32_t session_flags, const std::optional<Text16>& session_password, bool closed,
                       const EnumSessionsBody& request);

struct EnumerationRequest {
    Endpoint from;
    SpHeader header;
    EnumSessionsBody body;
};

/// Checks datagrams at the enumeration port before anything is answered.
class EnumerationGate {
public:
    struct Limits {
        std::size_t per_second = 5, per_second_total = 50;
        bool lan_only = false;
    };
    explicit EnumerationGate(const Limits& limits) : limits_(limits) {}
    /// Errors of the wire, `dp_order` (no enumeration request), `dp_rate`, `dp_address`.
    Result<EnumerationRequest> admit(const Endpoint& from, ByteView datagram, std::uint64_t now_ms);

private:
    Limits limits_;
    std::uint64_t second_ = 0;
    std::map<Ipv4, std::size_t> counts_;
    std::size_t total_ = 0;
};

}  // namespace iron::dpcompat
