#include "dpcompat/session/enumeration.hpp"

namespace iron::dpcompat {

bool enumeration_shows(std::uint32_t flags, const std::optional<Text16>& password, bool closed, const EnumSessionsBody& request) {
    const bool right = password && request.password && *request.password == *password;
    if ((flags & session_flag::kPrivate) && !right) return false;
    if (password && !right && !(request.flags & enum_flag::kPasswordRequired)) return false;
    return !closed || (request.flags & enum_flag::kAll) != 0;
}

Result<EnumerationRequest> EnumerationGate::admit(const Endpoint& from, ByteView datagram, std::uint64_t now_ms) {
    if (limits_.lan_only && !is_lan_address(from.ip)) return fail("dp_address", "a request from outside");
    if (now_ms / 1000 != second_) {
        second_ = now_ms / 1000;
        counts_.clear();
        total_ = 0;
    }
    // Counted before it is read: reading costs, too.
    if (total_ >= limits_.per_second_total || counts_[from.ip] >= limits_.per_second) return fail("dp_rate", "too many requests");
    ++counts_[from.ip];
    ++total_;
    HeaderPolicy policy;
    policy.allow_helper_tokens = (from.ip >> 24) == 127;
    IRON_CHECK(check_block(datagram, true, policy));
    IRON_TRY(const Block block, read_block(datagram));
    const auto* body = block.message() ? block.message()->as<EnumSessionsBody>() : nullptr;
    if (body == nullptr) return fail("dp_order", "only enumeration requests belong here");
    return EnumerationRequest{from, block.header, *body};
}

}  // namespace iron::dpcompat
