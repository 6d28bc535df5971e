#include "dpcompat/wire/sp_header.hpp"

#include <algorithm>

namespace iron::dpcompat {

SockAddr read_sock_addr(const std::uint8_t* p) {
    SockAddr out;
    out.family = load_le<std::uint16_t>(p);
    out.endpoint.port = static_cast<std::uint16_t>(p[2] << 8 | p[3]);
    out.endpoint.ip = static_cast<Ipv4>(p[4]) << 24 | static_cast<Ipv4>(p[5]) << 16 | static_cast<Ipv4>(p[6]) << 8 | p[7];
    std::copy_n(p + 8, 8, out.padding.begin());
    return out;
}

void write_sock_addr(ByteWriter& out, const SockAddr& address) {
    out.u16(address.family);
    out.u8(static_cast<std::uint8_t>(address.endpoint.port >> 8));
    out.u8(static_cast<std::uint8_t>(address.endpoint.port & 0xFF));
    for (int shift = 24; shift >= 0; shift -= 8) out.u8(static_cast<std::uint8_t>(address.endpoint.ip >> shift & 0xFF));
    out.bytes(address.padding);
}

Result<SpHeader> read_sp_header(ByteView bytes) {
    if (bytes.size() < kSpHeaderBytes)
        return fail("dp_size", "a message header has 20 bytes, " + std::to_string(bytes.size()) + " are here");
    SpHeader header;
    const auto word = load_le<std::uint32_t>(bytes.data());
    header.size = word & kMaxSpSize;
    header.token = static_cast<std::uint16_t>(word >> 20);
    header.address = read_sock_addr(bytes.data() + 4);
    return header;
}

void write_sp_header(ByteWriter& out, const SpHeader& header) {
    out.u32((header.size & kMaxSpSize) | static_cast<std::uint32_t>(header.token) << 20);
    write_sock_addr(out, header.address);
}

bool has_play(ByteView bytes, std::size_t at) {
    return bytes.size() >= 4 && at <= bytes.size() - 4 && load_le<std::uint32_t>(bytes.data() + at) == kPlaySignature;
}

Status check_block(ByteView block, bool exact, const HeaderPolicy& policy) {
    IRON_TRY(const SpHeader header, read_sp_header(block));
    if (header.size < kSpHeaderBytes) return fail("dp_size", "message size " + std::to_string(header.size));
    const bool helper = header.token == kTokenForward || header.token == kTokenHelper;
    if (header.token != kTokenNormal && !(helper && policy.allow_helper_tokens))
        return fail("dp_token", "token " + std::to_string(header.token));
    if (header.address.family != 2) return fail("dp_family", "address family " + std::to_string(header.address.family));
    if (exact && header.size != block.size())
        return fail("dp_size", "size field " + std::to_string(header.size) + ", datagram " + std::to_string(block.size()));
    if (policy.check_port && header.address.endpoint.port < 1024)
        return fail("dp_port", "header port " + std::to_string(header.address.endpoint.port));
    const bool play = header.size >= 24 && has_play(block, kSpHeaderBytes);
    if (header.size > (play ? policy.max_system_bytes : policy.max_player_bytes))
        return fail("dp_size", "message of " + std::to_string(header.size) + " bytes");
    if (header.size < (policy.no_message_id && !play ? kSpHeaderBytes : 28)) return fail("dp_size", "message size " + std::to_string(header.size) + " holds no body");
    return {};
}

}  // namespace iron::dpcompat
