// The service provider header in front of every TCP message and UDP system message, and the two socket addresses
// a machine announces. Source: directplay.md 2, 5.3 (SP data), 13 (header checks).
#pragma once

#include <array>
#include <optional>

#include "dpcompat/wire/basics.hpp"

namespace iron::dpcompat {

inline constexpr std::size_t kSpHeaderBytes = 20;
inline constexpr std::uint32_t kMaxSpSize = 0xFFFFF;  ///< the size field has 20 bits
inline constexpr std::uint16_t kTokenNormal = 0xFAB, kTokenForward = 0xCAB, kTokenHelper = 0xBAB;
inline constexpr std::uint32_t kPlaySignature = 0x79616C70;  ///< "play"

/// A SOCKADDR_IN as it travels, 16 bytes. `padding` should be zero, is carried as it came.
struct SockAddr {
    std::uint16_t family = 2;
    Endpoint endpoint;
    std::array<std::uint8_t, 8> padding{};
    bool operator==(const SockAddr&) const = default;
};

struct SpHeader {
    std::uint32_t size = 0;  ///< whole message including this header
    std::uint16_t token = kTokenNormal;
    SockAddr address;  ///< the sender's *listening TCP port*, in UDP messages too
    bool operator==(const SpHeader&) const = default;
};

/// TCP, then UDP address of a machine: 32 bytes.
struct SpData {
    SockAddr tcp, udp;
    bool operator==(const SpData&) const = default;
};

/// Only that 20 bytes are there. Error `dp_size`.
Result<SpHeader> read_sp_header(ByteView bytes);
void write_sp_header(ByteWriter& out, const SpHeader& header);
SockAddr read_sock_addr(const std::uint8_t* sixteen_bytes);
void write_sock_addr(ByteWriter& out, const SockAddr& address);

/// What a live receiver demands of a header (directplay.md 13).
struct HeaderPolicy {
    std::uint32_t max_system_bytes = 64 * 1024;
    std::uint32_t max_player_bytes = 1024 * 1024;
    bool allow_helper_tokens = false;  ///< 0xCAB and 0xBAB, only from loopback
    bool check_port = true;            ///< header port >= 1024
    bool no_message_id = false;        ///< player messages carry no ids (NOMESSAGEID)
};
/// `block` starts with the header; `exact` = it is a datagram, whose length must be the size. Needs the first 24
/// bytes of longer messages. Errors `dp_size`, `dp_token`, `dp_family`, `dp_port`.
Status check_block(ByteView block, bool exact, const HeaderPolicy& policy);
/// True if the 4 bytes at `at` are "play".
bool has_play(ByteView bytes, std::size_t at);

}  // namespace iron::dpcompat
