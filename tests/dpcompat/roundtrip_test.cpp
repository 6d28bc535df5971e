// Encode - decode - encode identity for every command over generated values (directplay.md 18.3).
#include <catch2/catch.hpp>

#include "dpcompat/wire/messages.hpp"
#include "shared/base/rng.hpp"

using namespace iron;
using namespace iron::dpcompat;

namespace {

struct Maker {
    Rng rng;
    std::uint32_t word() { return rng.next(); }
    Bytes bytes(std::uint32_t most) {
        Bytes out(rng.below(most + 1));
        for (auto& b : out) b = static_cast<std::uint8_t>(rng.next());
        return out;
    }
    Text16 text(std::uint32_t most = 40) {
        Text16 out(rng.below(most + 1), u'x');
        for (auto& c : out) c = static_cast<char16_t>(1 + rng.below(0xFFFE));
        return out;
    }
    std::optional<Text16> maybe_text() { return rng.below(3) == 0 ? std::nullopt : std::optional(text()); }
    Guid guid() {
        Guid g;
        for (auto& b : g.bytes) b = static_cast<std::uint8_t>(rng.next());
        return g;
    }
    SockAddr address() {
        SockAddr a;
        a.endpoint = {word(), static_cast<std::uint16_t>(word())};
        if (rng.below(2)) a.padding[rng.below(8)] = 7;
        return a;
    }
    std::optional<SpData> sp() { return rng.below(2) ? std::optional(SpData{address(), address()}) : std::nullopt; }
    std::vector<DpId> ids() {
        std::vector<DpId> out(rng.below(5));
        for (auto& id : out) id = word();
        return out;
    }
    SessionDesc desc() {
        return {word(), guid(), guid(), word(), word(), word(), word(), word(), word(), {word(), word(), word(), word()}};
    }
    PackedPlayer packed() {
        PackedPlayer p;
        p.flags = word();
        p.id = word();
        p.system_id = word();
        p.fixed_size = rng.below(4) == 0 ? 44 : 48;
        p.version = word();
        p.parent = p.fixed_size == 48 ? word() : 0;
        p.short_name = maybe_text();
        p.long_name = maybe_text();
        p.sp_data = sp();
        p.data = bytes(300);
        p.ids = ids();
        return p;
    }
    SuperPackedPlayer super() {
        SuperPackedPlayer p{word(), word(), word(), maybe_text(), maybe_text(), bytes(300), sp(), ids(), {}, ids()};
        if (rng.below(2)) p.parent = word();
        return p;
    }
    template <class T, class F>
    std::vector<T> list(F make) {
        std::vector<T> out;
        for (std::uint32_t n = rng.below(4); n > 0; --n) out.push_back(make());
        return out;
    }
    Body body(Command c) {
        const auto packed_one = [&] { return packed(); };
        const auto super_one = [&] { return super(); };
        switch (c) {
            case Command::enum_sessions_reply: return EnumSessionsReplyBody{desc(), maybe_text()};
            case Command::enum_sessions: return EnumSessionsBody{guid(), word(), maybe_text()};
            case Command::enum_players_reply:
                return EnumPlayersReplyBody{desc(), maybe_text(), maybe_text(), list<PackedPlayer>(packed_one),
                                            list<PackedPlayer>(packed_one), word()};
            case Command::enum_player:
            case Command::you_are_dead:
            case Command::logon_denied: return EmptyBody{};
            case Command::request_player_id:
            case Command::request_group_id: return RequestIdBody{word()};
            case Command::request_player_reply: {
                RequestReplyBody b{word(), {}, maybe_text(), maybe_text(), word()};
                b.security[3] = 9;
                return b;
            }
            case Command::create_player:
            case Command::create_group:
            case Command::create_player_verify: return CreateBody{word(), packed(), maybe_text(), rng.below(2) == 1};
            case Command::delete_player:
            case Command::delete_group:
            case Command::add_player_to_group:
            case Command::delete_player_from_group:
            case Command::add_shortcut_to_group:
            case Command::delete_group_from_group: return MembershipBody{word(), word()};
            case Command::player_data_changed:
            case Command::group_data_changed: return DataChangedBody{word(), bytes(500)};
            case Command::player_name_changed:
            case Command::group_name_changed: return NameChangedBody{word(), maybe_text(), maybe_text()};
            case Command::add_forward_request: return AddForwardRequestBody{word(), packed(), maybe_text(), word()};
            case Command::packet:
            case Command::packet2_data: return PacketBody{guid(), word(), word(), word(), word(), bytes(100)};
            case Command::packet2_ack: return PacketAckBody{guid(), word()};
            case Command::ping:
            case Command::ping_reply: return PingBody{word(), word()};
            case Command::player_wrapper: return WrapperBody{bytes(50)};
            case Command::session_desc_changed: return SessionDescChangedBody{desc(), maybe_text(), maybe_text()};
            case Command::challenge:
            case Command::negotiate:
            case Command::challenge_response: return AuthTokenBody{word(), bytes(90)};
            case Command::access_granted: return AccessGrantedBody{bytes(24)};
            case Command::auth_error:
            case Command::add_forward_reply: return ResultBody{word()};
            case Command::signed_message: return SignedBody{word(), word(), bytes(60), bytes(16)};
            case Command::ask_multicast:
            case Command::ask_multicast_guaranteed:
            case Command::multicast_delivery: return MulticastBody{word(), word(), bytes(60)};
            case Command::super_enum_players_reply:
                return SuperEnumReplyBody{desc(), maybe_text(), maybe_text(), list<SuperPackedPlayer>(super_one),
                                          list<SuperPackedPlayer>(super_one), list<SuperPackedPlayer>(super_one)};
            case Command::key_exchange: return KeyExchangeBody{bytes(30), bytes(30)};
            case Command::key_exchange_reply: return KeyExchangeBody{bytes(30), {}};
            case Command::chat: return ChatBody{word(), word(), word(), maybe_text()};
            case Command::add_forward: return AddForwardBody{word(), packed(), maybe_text()};
            case Command::add_forward_ack: return AddForwardAckBody{word()};
            case Command::i_am_name_server: return NameServerBody{word(), word(), word(), sp()};
            case Command::voice: return VoiceBody{word(), word(), bytes(60)};
        }
        return UnknownBody{bytes(60)};
    }
};

}  // namespace

TEST_CASE("every command survives encode, decode, encode over generated values") {
    Maker make{Rng(2001, 4)};
    for (int round = 0; round < 60; ++round)
        for (std::uint16_t command = 0; command < 0x40; ++command) {
            INFO("command " << command << " round " << round);
            const Message message = make_message(static_cast<Command>(command), make.body(static_cast<Command>(command)));
            const Bytes bytes = write_message(message);
            const auto again = read_message(bytes);
            REQUIRE(again);
            CHECK(again->body == message.body);
            CHECK(again->irregular.empty());
            CHECK(again->trailing.empty());
            CHECK(write_message(*again) == bytes);
            // Cut anywhere it is an error or, by luck of the layout, another whole message; never a crash.
            const std::size_t cut = make.rng.below(static_cast<std::uint32_t>(bytes.size()));
            if (const auto part = read_message(ByteView(bytes).first(cut)))
                CHECK(write_message(*part) == Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(cut)));
        }
}
