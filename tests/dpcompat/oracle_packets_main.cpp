// Writes packets this project makes, as a capture, and what an independent reader must see in them, as a table.
// usage: dplay_oracle_packets OUT.pcap OUT.tsv
#include <cstdio>

#include "dpcompat/capture/frame_builder.hpp"
#include "shared/base/file.hpp"
#include "shared/base/rng.hpp"
#include "tests/dpcompat/sim_net.hpp"
#include "tests/dpcompat/tshark_row.hpp"

namespace {

using namespace iron;
using namespace iron::test;

struct Writer {
    FrameBuilder frames;
    std::string table;
    std::uint64_t time_us = 1'000'000;
    std::size_t blocks = 0;

    void block(const Bytes& bytes, bool udp, const Endpoint& from, const Endpoint& to) {
        time_us += 1000;
        if (udp) frames.udp(time_us, from, to, bytes);
        else frames.tcp(time_us, from, to, bytes);
        const auto read = read_block(bytes);
        if (!read) return;
        // Recognition asks for the low byte of a sender's id to be zero, and for 25 bytes (directplay.md 18.1).
        if (const PlayerMessage* data = read->player(); data && (data->from & 0xFF) != 0) return;
        std::string line;
        for (const std::string& cell : tshark_row(*read)) line += (line.empty() ? "" : "\t") + cell;
        table += line + "\n";
        ++blocks;
    }
};

const Text16 kNames[] = {u"Host", u"\u0418\u0433\u0440\u043e\u043a", u"third one", u"x", u"\u00e9t\u00e9"};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: dplay_oracle_packets OUT.pcap OUT.tsv\n");
        return 2;
    }
    Writer out;
    // A whole session between our host and two of our clients.
    {
        WorkedWorld w;
        if (!w.good || !w.join_and_create()) return 1;
        (void)w.joiner.peer.send(kJoinerPlayer, kHostPlayer, Bytes{0xDE, 0xAD}, true);
        (void)w.joiner.peer.set_player_data(kJoinerPlayer, Bytes{1, 2, 3, 4, 5});
        (void)w.joiner.peer.set_player_name(kJoinerPlayer, u"renamed", u"renamed");
        (void)w.joiner.peer.chat(kJoinerPlayer, kHostPlayer, u"hello");
        (void)w.joiner.peer.add_to_group(kJoinerPlayer, kTeam);
        (void)w.joiner.peer.send(kJoinerPlayer, kHostPlayer, Bytes(70'000, 1), false);
        w.net.tick(36'000);
        w.joiner.peer.leave();
        w.net.step();
        std::uint16_t out_port = 1061;
        for (auto& node : w.net.nodes) {
            for (const auto& [to, bytes] : node->udp_out)
                if (has_play(bytes, 20)) out.block(bytes, true, {node->ip, node->udp}, to);
            std::map<Endpoint, std::uint16_t> ports;
            for (const auto& [to, bytes] : node->tcp_out) {
                if (!ports.contains(to)) ports[to] = out_port++;
                out.block(bytes, false, {node->ip, ports[to]}, to);
            }
        }
    }
    // Messages with values of every size.
    Rng rng(18, 1);
    const auto id = [&] { return rng.next(); };
    const auto name = [&] { return std::optional<Text16>(kNames[rng.below(5)]); };
    const auto bytes = [&](std::uint32_t most) {
        Bytes b(1 + rng.below(most));
        for (auto& v : b) v = static_cast<std::uint8_t>(rng.next());
        return b;
    };
    const auto sockets = [&] {
        SpData d;
        d.tcp.endpoint = {rng.next(), static_cast<std::uint16_t>(1024 + rng.below(60'000))};
        d.udp.endpoint = {rng.next(), static_cast<std::uint16_t>(1024 + rng.below(60'000))};
        return d;
    };
    const auto packed = [&](DpId own) {
        PackedPlayer p;
        p.flags = rng.below(16);
        p.id = own;
        p.system_id = id();
        p.short_name = name();
        p.long_name = name();
        p.sp_data = sockets();
        p.data = bytes(40);
        return p;
    };
    const auto desc = [&] {
        SessionDesc d;
        d.flags = 0x44;
        d.application = kGameGuid;
        d.max_players = rng.below(32);
        d.current_players = rng.below(32);
        d.key = id();
        return d;
    };
    for (int round = 0; round < 20; ++round) {
        SuperEnumReplyBody table;
        table.desc = desc();
        table.name = name();
        for (std::uint32_t n = 1 + rng.below(6); n > 0; --n) {
            SuperPackedPlayer p;
            p.flags = rng.below(2) ? 5 : 4;
            p.id = id();
            p.version_or_system = p.flags & 1 ? 14 : id();
            if (rng.below(2)) p.short_name = *name();
            if (rng.below(2)) p.long_name = *name();
            if (rng.below(2)) p.data = bytes(400);
            p.sp_data = sockets();
            table.players.push_back(std::move(p));
        }
        const DpId a = id(), b = id();
        Guid guid;
        guid.bytes[0] = static_cast<std::uint8_t>(round + 1);
        const std::pair<Command, Body> messages[] = {
            {Command::enum_sessions_reply, EnumSessionsReplyBody{desc(), name()}},
            {Command::request_player_id, RequestIdBody{rng.next()}},
            {Command::request_player_reply, RequestReplyBody{a, {}, {}, {}, kDpOk}},
            {Command::create_player, CreateBody{a, packed(a), {}, true}},
            {Command::delete_player, MembershipBody{a, 0}},
            {Command::add_player_to_group, MembershipBody{a, b}},
            {Command::player_data_changed, DataChangedBody{a, bytes(60)}},
            {Command::add_forward_request, AddForwardRequestBody{a, packed(a), name(), b}},
            {Command::session_desc_changed, SessionDescChangedBody{desc(), name(), {}}},
            {Command::super_enum_players_reply, table},
            {Command::add_forward, AddForwardBody{a, packed(a), {}}},
            {Command::add_forward_ack, AddForwardAckBody{a}},
            {Command::i_am_name_server, NameServerBody{a, b, 7, sockets()}},
            {Command::chat, ChatBody{a, b, 1, name()}},
            {Command::player_name_changed, NameChangedBody{a, name(), name()}},
        };
        for (const auto& [command, body] : messages)
            out.block(frame_message(make_message(command, body, static_cast<std::uint16_t>(9 + rng.below(6))), 2300), false, {0xC0000214, 1500},
                      {0xC000020A, 2300});
        out.block(frame_message(make_message(Command::ping, PingBody{a, rng.next()}), 2300), true, {0xC0000214, 2350}, {0xC000020A, 2350});
        out.block(frame_message(make_message(Command::enum_sessions, EnumSessionsBody{kGameGuid, rng.below(128), {}}), 2300), true,
                  {0xC0000214, 2350}, {0xFFFFFFFF, 47624});
        out.block(frame_message(make_message(Command::packet, PacketBody{guid, 0, 0, 2, 100, bytes(50)}), 2300), true, {0xC0000214, 2350},
                  {0xC000020A, 2350});
        out.block(frame_player_message({a & 0xFFFFFF00u, b, bytes(30)}, 2300), false, {0xC0000214, 1500}, {0xC000020A, 2300});
    }
    if (!write_file_atomic(argv[1], out.frames.take()) || !write_file_atomic(argv[2], as_bytes(out.table))) return 1;
    std::printf("%zu messages\n", out.blocks);
    return 0;
}
