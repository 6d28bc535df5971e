// Every check stands before a change of state; a failure drops the message and is counted. Source: directplay.md 13.
#include "dpcompat/session/peer_state.hpp"

namespace iron::dpcompat {
namespace {

/// Messages that only the host sends; to the host they are a lie (directplay.md 13, ids).
bool only_from_host(Command c) {
    switch (c) {
        case Command::enum_sessions_reply:
        case Command::enum_players_reply:
        case Command::request_player_reply:
        case Command::you_are_dead:
        case Command::session_desc_changed:
        case Command::add_forward_reply:
        case Command::super_enum_players_reply:
        case Command::add_forward: return true;
        default: return false;
    }
}
bool before_join(Command c) {
    return c == Command::enum_player || c == Command::request_player_id || c == Command::add_forward_request;
}
bool is_wrapper(Command c) {
    return c == Command::player_wrapper || c == Command::signed_message || c == Command::ask_multicast ||
           c == Command::ask_multicast_guaranteed || c == Command::multicast_delivery;
}

}  // namespace

void SessionPeer::State::reject(const Error& error, std::optional<ConnectionId> connection) {
    std::string reason = error.code();
    if (reason.starts_with("dp_")) reason.erase(0, 3);
    ++counters.rejected[reason];
    if (!connection) return;
    const auto found = connections.find(*connection);
    if (found == connections.end()) return;
    auto& failures = found->second.failures_ms;
    failures.push_back(now_ms);
    while (now_ms - failures.front() > 60'000) failures.pop_front();
    if (failures.size() >= 3) {
        transport.drop(*connection);
        self.on_closed(*connection, found->second.ip);
    }
}

void SessionPeer::on_block(ConnectionId id, Ipv4 from, ByteView bytes) {
    State& s = *state_;
    State::Connection& connection = s.connections[id];
    connection.ip = from;
    if (s.settings.lan_only && !is_lan_address(from)) {
        s.reject(Error("dp_address", "a machine outside the private ranges"), id);
        return;
    }
    const auto block = read_block(bytes);
    if (!block) {
        s.reject(block.error(), id);
        return;
    }
    const Endpoint machine{from, block->header.address.endpoint.port};
    if (!connection.machine) connection.machine = machine;
    if (*connection.machine != machine) {
        s.reject(Error("dp_port", "another header port on the same connection"), id);
        return;
    }
    State::Sender sender;
    sender.tcp = machine;
    sender.machine = s.directory.machine_by_tcp(machine);
    sender.is_host = sender.machine ? sender.machine->system_id == s.host_system : machine == s.host_tcp;
    if (sender.machine) {
        sender.machine->closed = false;
        sender.machine->heard_ms = s.now_ms;
        sender.machine->unanswered = 0;
    }
    const Status done = block->message() ? s.receive(sender, *block->message(), 0) : s.receive_data(sender, *block->player());
    if (!done) s.reject(done.error(), id);
}

void SessionPeer::on_bad_stream(ConnectionId id, Ipv4 from, const Error& error) {
    state_->reject(error);
    on_closed(id, from);
}

void SessionPeer::on_datagram(const Endpoint& from, ByteView bytes) {
    State& s = *state_;
    if (s.role == PeerRole::idle || s.role == PeerRole::joining) {
        s.reject(Error("dp_order", "a datagram outside a session"));
        return;
    }
    State::Sender sender;
    sender.udp = true;
    sender.socket = from;
    const auto done = [&]() -> Status {
        if (has_play(bytes, kSpHeaderBytes)) {
            HeaderPolicy policy;
            IRON_CHECK(check_block(bytes, true, policy));
            IRON_TRY(const Block block, read_block(bytes));
            sender.tcp = {from.ip, block.header.address.endpoint.port};
            sender.machine = s.directory.machine_by_tcp(sender.tcp);
            if (sender.machine && sender.machine->udp != from) return fail("dp_ownership", "a datagram from another socket than announced");
            sender.is_host = sender.machine && sender.machine->system_id == s.host_system;
            if (sender.machine) {
                sender.machine->heard_ms = s.now_ms;
                if (block.message()->code() != Command::ping_reply) sender.machine->unanswered = 0;
            }
            return s.receive(sender, *block.message(), 0);
        }
        sender.machine = s.directory.machine_by_udp(from);
        if (sender.machine == nullptr) return fail("dp_ownership", "a datagram from an unknown socket");
        sender.tcp = sender.machine->tcp;
        IRON_TRY(const PlayerMessage message, read_bare_player_message(bytes));
        IRON_CHECK(s.receive_data(sender, message));
        sender.machine->heard_ms = s.now_ms;
        sender.machine->unanswered = 0;
        return {};
    }();
    if (!done) s.reject(done.error());
}

Status SessionPeer::State::check_addressee(DpId to) const {
    if (to == kIdAll) return {};
    const Player* p = directory.find(to);
    if (p == nullptr || p->system || (!p->group && p->system_id != own_system)) return fail("dp_id", "addressed to somebody else");
    return {};
}

Status SessionPeer::State::receive_data(const Sender& sender, const PlayerMessage& message) {
    if (sender.machine == nullptr) return fail("dp_order", "data before a complete join");
    const Player* from = directory.find(message.from);
    if (from == nullptr || from->system || from->group) return fail("dp_id", "data from an unknown player");
    if (from->system_id != sender.machine->system_id) return fail("dp_ownership", "data in the name of another machine's player");
    IRON_CHECK(check_addressee(message.to));
    ++counters.data_in;
    counters.data_bytes_in += message.data.size();
    if (self.on_received) self.on_received(sender.tcp, sender.udp, message);
    PeerEvent e;
    e.kind = PeerEventKind::player_message;
    e.id = message.from;
    e.other = message.to;
    e.data = message.data;
    e.guaranteed = !sender.udp;
    event(std::move(e));
    return {};
}

Status SessionPeer::State::receive_chat(const Sender& sender, const ChatBody& body) {
    IRON_TRY([[maybe_unused]] const Player* from, owned_by(sender, body.from));
    IRON_CHECK(check_addressee(body.to));
    PeerEvent e;
    e.kind = PeerEventKind::chat;
    e.id = body.from;
    e.other = body.to;
    e.text = body.text.value_or(Text16());
    event(std::move(e));
    return {};
}

Status SessionPeer::State::receive_fragment(const Sender& sender, const Message& message, int depth) {
    if (depth != 0) return fail("dp_wrapper", "a fragment inside another message");
    const auto* piece = message.as<PacketBody>();
    auto [slot, fresh] = assemblers.try_emplace(sender.tcp);
    const auto whole = slot->second.add(*piece, now_ms);
    if (!whole) return tl::unexpected(whole.error());
    // Only a piece that fits is acknowledged; the sender repeats the others.
    if (message.code() == Command::packet2_data) send_udp(*sender.machine, Command::packet2_ack, PacketAckBody{piece->message, piece->index});
    if (!*whole) return {};
    if (has_play(**whole, 0)) {
        IRON_TRY(const Message inner, read_message(**whole));
        return receive(sender, inner, depth + 1);
    }
    IRON_TRY(const PlayerMessage inner, read_bare_player_message(**whole));
    return receive_data(sender, inner);
}

Status SessionPeer::State::receive(const Sender& from, const Message& m, int depth) {
    const Command command = m.code();
    ++counters.received[m.command];
    if (is_wrapper(command) && depth != 0) return fail("dp_wrapper", "a wrapper inside a wrapper");
    if (role == PeerRole::host && only_from_host(command)) return fail("dp_role", "only a host sends " + std::string(command_name(m.command)));
    if (command == Command::enum_sessions_reply) return on_found(from, *m.as<EnumSessionsReplyBody>());
    // 18 in answer to our own 35 comes from a machine that is host already; others only get it from theirs.
    if (only_from_host(command) && !from.is_host) return fail("dp_role", std::string(command_name(m.command)) + " from a machine that is not the host");
    if (from.machine == nullptr) {
        const bool joining_answer = role == PeerRole::joining && only_from_host(command);
        const bool stranger = role == PeerRole::host && (before_join(command) || command == Command::ping || command == Command::ping_reply);
        if (!joining_answer && !stranger) return fail("dp_order", std::string(command_name(m.command)) + " before a complete join");
    }
    const auto record = [&] {
        if (self.on_received) self.on_received(from.tcp, from.udp, m);
    };
    record();
    switch (command) {
        case Command::request_player_id:
        case Command::request_group_id:
            if (role != PeerRole::host) return fail("dp_role", "only the host gives out ids");
            return on_request_id(from, m);
        case Command::add_forward_request:
            if (role != PeerRole::host) return fail("dp_role", "only the host admits machines");
            return on_join(from, *m.as<AddForwardRequestBody>());
        case Command::add_forward_ack:
            if (role != PeerRole::host) return fail("dp_role", "only the host waits for this");
            return on_forward_ack(from, m.as<AddForwardAckBody>()->id);
        case Command::request_player_reply: return on_reply(from, *m.as<RequestReplyBody>());
        case Command::add_forward_reply:
            if (role != PeerRole::joining) return fail("dp_order", "no join is under way");
            join_failed(m.as<ResultBody>()->result);
            return {};
        case Command::super_enum_players_reply: return on_table(from, *m.as<SuperEnumReplyBody>());
        case Command::enum_players_reply: return on_old_table(from, *m.as<EnumPlayersReplyBody>());
        case Command::add_forward: return on_forward(from, *m.as<AddForwardBody>());
        case Command::create_player:
        case Command::create_group:
        case Command::create_player_verify: return on_create(from, m, *m.as<CreateBody>());
        case Command::delete_player:
        case Command::delete_group:
        case Command::add_player_to_group:
        case Command::delete_player_from_group:
        case Command::add_shortcut_to_group:
        case Command::delete_group_from_group: return on_membership(from, command, *m.as<MembershipBody>());
        case Command::player_data_changed:
        case Command::group_data_changed: return on_data(from, *m.as<DataChangedBody>());
        case Command::player_name_changed:
        case Command::group_name_changed: return on_name(from, *m.as<NameChangedBody>());
        case Command::packet:
        case Command::packet2_data: return receive_fragment(from, m, depth);
        case Command::packet2_ack: return {};  // our own fragments are sent without waiting
        case Command::ping:
        case Command::ping_reply: return on_ping(from, command == Command::ping, *m.as<PingBody>());
        case Command::player_wrapper: {
            IRON_TRY(const PlayerMessage inner, read_bare_player_message(m.as<WrapperBody>()->inner));
            return receive_data(from, inner);
        }
        case Command::chat: return receive_chat(from, *m.as<ChatBody>());
        case Command::you_are_dead: session_lost(); return {};
        case Command::session_desc_changed: {
            const auto* body = m.as<SessionDescChangedBody>();
            if (body->desc.key != desc.key) return fail("dp_id", "a description with another session key");
            desc = body->desc;
            if (body->name) name = *body->name;
            event({PeerEventKind::description_changed, 0, 0, name, {}, kDpOk, false, {}});
            return {};
        }
        case Command::i_am_name_server: return on_name_server(from, *m.as<NameServerBody>());
        case Command::enum_player: return {};  // an outsider's question; an answer would let anybody read the table
        case Command::enum_sessions: return fail("dp_order", "an enumeration at the wrong port");
        case Command::ask_multicast:
        case Command::ask_multicast_guaranteed:
        case Command::multicast_delivery:
        case Command::signed_message:
        case Command::challenge:
        case Command::access_granted:
        case Command::logon_denied:
        case Command::auth_error:
        case Command::negotiate:
        case Command::challenge_response:
        case Command::key_exchange:
        case Command::key_exchange_reply:
            return fail("dp_unsupported", std::string(command_name(m.command)) + " belongs to kinds of sessions that are not supported");
        case Command::enum_sessions_reply: break;
        case Command::voice: break;
    }
    // Unknown commands and voice: carried, never interpreted.
    ++counters.unknown_commands;
    PeerEvent e;
    e.kind = PeerEventKind::unknown_command;
    e.id = from.machine ? from.machine->system_id : 0;
    e.result = m.command;
    e.guaranteed = !from.udp;
    e.data = write_message(m);
    event(std::move(e));
    return {};
}

}  // namespace iron::dpcompat
