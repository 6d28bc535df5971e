#include "protocol/handshake.hpp"

#include <algorithm>

#include <sodium.h>

#include "shared/base/text.hpp"

namespace iron::protocol {
namespace {

HandshakeVerdict reject(RejectCode code, std::string text) { return {code, std::move(text), kServerPlayer}; }

std::string short_hex(ByteView bytes) { return to_hex(bytes.first(std::min<std::size_t>(bytes.size(), 8))); }

ByteView view(const flatbuffers::Vector<std::uint8_t>& v) { return {v.data(), v.size()}; }

}  // namespace

HandshakeVerdict judge_hello(const Hello& hello, const HandshakePolicy& policy) {
    if (!std::ranges::equal(view(*hello.app_id()), kAppId))
        return reject(RejectCode::version, "the client belongs to another application");
    const Version theirs{hello.major(), hello.minor()};
    if (theirs.major != policy.version.major)
        return reject(RejectCode::version, "the client speaks protocol " + to_string(theirs) +
                                               ", this server speaks protocol " + to_string(policy.version));
    if (policy.banned) return reject(RejectCode::banned, "banned from this server");
    if (!std::ranges::equal(view(*hello.fingerprint()), policy.fingerprint))
        return reject(RejectCode::fingerprint,
                      "the game content differs: client " + short_hex(view(*hello.fingerprint())) + "..., server " +
                          short_hex(policy.fingerprint) + "...");
    if (policy.returning_player != kServerPlayer && hello.token() != nullptr)
        return {RejectCode::none, {}, policy.returning_player};

    if (!policy.password.empty()) {
        const auto given = hello.password() ? hello.password()->string_view() : std::string_view{};
        // Digests have one length, so neither length nor contents show in the time.
        if (!same_secret(sha256(as_bytes(given)), sha256(as_bytes(policy.password))))
            return reject(RejectCode::password, given.empty() ? "this server needs a password" : "wrong password");
    }
    if (!policy.joinable) return reject(RejectCode::bad_state, "the match cannot be joined now");
    const bool spectator = hello.role() == Role::spectator;
    if ((spectator ? policy.free_spectator_slots : policy.free_player_slots) == 0)
        return reject(RejectCode::full, spectator ? "no place for another spectator" : "no place for another player");
    const auto name = hello.client()->string_view();
    for (const auto& taken : policy.names)
        if (ascii_iequals(name, taken)) return reject(RejectCode::name_taken, "the name is in use");
    return {};
}

bool same_secret(ByteView a, ByteView b) {
    return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::uint64_t public_seed(std::uint64_t match_seed) {
    const Hash256 digest = Sha256().update("i3d-public").put(match_seed).finish();
    return load_le<std::uint64_t>(digest.data());
}

}  // namespace iron::protocol
