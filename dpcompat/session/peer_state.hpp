// What a machine remembers; internal to session/. One source a subject: peer.cpp (calls), peer_receive.cpp (checks and
// dispatch), peer_host.cpp, peer_client.cpp, peer_members.cpp (players and groups), peer_life.cpp (time, loss,
// migration).
#pragma once

#include <deque>
#include <set>

#include "dpcompat/session/enumeration.hpp"
#include "dpcompat/session/peer.hpp"
#include "dpcompat/wire/fragments.hpp"

namespace iron::dpcompat {

struct SessionPeer::State {
    State(SessionPeer& owner, Transport& t, PeerSettings s)
        : self(owner), transport(t), settings(std::move(s)), gate({settings.enum_per_second, settings.enum_per_second_total, settings.lan_only}) {}

    SessionPeer& self;
    Transport& transport;
    PeerSettings settings;
    EnumerationGate gate;
    std::uint64_t now_ms = 0;
    PeerRole role = PeerRole::idle;
    Directory directory;
    SessionDesc desc;
    Text16 name;
    DpId own_system = 0, host_system = 0;
    std::vector<PeerEvent> events;
    PeerCounters counters;

    // ---- host
    std::shared_ptr<SlotTable> slots;
    std::optional<Text16> password;
    enum class IdKind : std::uint8_t { system, player, group };
    struct Reservation {
        Endpoint machine;
        IdKind kind = IdKind::system;
        std::uint64_t since_ms = 0;
    };
    std::map<DpId, Reservation> reservations;
    struct PendingJoin {
        PeerMachine machine;
        PackedPlayer player;
        std::set<DpId> waiting;  ///< machines that have not acknowledged the 2E
        std::uint64_t since_ms = 0;
    };
    std::map<DpId, PendingJoin> joins;
    std::map<Endpoint, std::uint64_t> strangers;  ///< connections opened for an answer, with their time

    // ---- client
    Endpoint host_tcp;
    Text16 join_password;
    std::uint64_t join_since_ms = 0, enumerating_until_ms = 0;
    struct Request {
        IdKind kind = IdKind::player;
        Text16 short_name, long_name;
        Bytes data;
        std::uint64_t since_ms = 0;
        bool sent = false;
    };
    std::deque<Request> requests;  ///< one outstanding, the others wait

    // ---- everybody
    struct Connection {
        Ipv4 ip = 0;
        std::optional<Endpoint> machine;
        std::deque<std::uint64_t> failures_ms;
    };
    std::map<ConnectionId, Connection> connections;
    std::map<Endpoint, FragmentAssembler> assemblers;
    struct Departed {
        Endpoint tcp;
        std::uint64_t left_ms = 0, told_ms = 0;
    };
    std::map<Endpoint, Departed> departed;  ///< by UDP socket

    /// Where a message came from, after the checks of the socket level.
    struct Sender {
        Endpoint tcp;      ///< machine: source address and header port
        Endpoint socket;   ///< of a datagram
        bool udp = false;
        std::uint16_t version = kNewestVersion;
        PeerMachine* machine = nullptr;  ///< null: not in the session
        bool is_host = false;
    };

    // peer.cpp
    void event(PeerEvent e) {
        events.push_back(std::move(e));
        if (self.on_event) self.on_event();
    }
    void send(const Endpoint& tcp, Command command, Body body);
    void send_udp(const PeerMachine& machine, Command command, Body body);
    void send_to_all(Command command, const Body& body);
    SpData own_sockets() const;
    PackedPlayer packed(const Player& p) const;
    Status check_own(DpId id, bool group) const;
    Status post(PeerMachine& machine, const PlayerMessage& message, bool guaranteed);

    // peer_receive.cpp
    void reject(const Error& error, std::optional<ConnectionId> connection = {});
    Status receive(const Sender& sender, const Message& message, int depth);
    Status receive_data(const Sender& sender, const PlayerMessage& message);
    Status receive_fragment(const Sender& sender, const Message& message, int depth);
    Status receive_chat(const Sender& sender, const ChatBody& body);
    Status check_addressee(DpId to) const;

    // peer_host.cpp
    SessionDesc current_desc() const;
    bool full(bool with_reservations) const;
    Status on_request_id(const Sender& sender, const Message& message);
    Status on_join(const Sender& sender, const AddForwardRequestBody& body);
    Status on_forward_ack(const Sender& sender, DpId id);
    void complete_join(DpId id);
    void announce_desc();
    void release_machine_ids(const Endpoint& tcp);
    Status reserved(const Sender& sender, DpId id, IdKind kind);
    SuperEnumReplyBody table_for(const PendingJoin& join) const;

    // peer_client.cpp
    void next_request();
    void join_failed(HResult result);
    Status on_reply(const Sender& sender, const RequestReplyBody& body);
    Status on_table(const Sender& sender, const SuperEnumReplyBody& body);
    Status on_old_table(const Sender& sender, const EnumPlayersReplyBody& body);
    Status on_forward(const Sender& sender, const AddForwardBody& body);
    Status on_found(const Sender& sender, const EnumSessionsReplyBody& body);
    void learn_machine(DpId system_id, const std::optional<SpData>& sockets, std::uint32_t version, Ipv4 sender_ip, const Endpoint* tcp = nullptr);
    void joined(const SessionDesc& table_desc, const std::optional<Text16>& table_name);

    // peer_members.cpp
    void add_own(const Request& request, DpId id, bool borrowed = false);
    /// A host adds it at once (under `id` if given), a client asks for an id. Errors `dp_count`, `dp_order`.
    Status place(Request request, std::optional<DpId> id);
    void release(const Player& p);
    Status on_create(const Sender& sender, const Message& message, const CreateBody& body);
    Status on_membership(const Sender& sender, Command command, const MembershipBody& body);
    Status on_data(const Sender& sender, const DataChangedBody& body);
    Status on_name(const Sender& sender, const NameChangedBody& body);
    /// The player exists and belongs to the sender's machine. Errors `dp_id`, `dp_ownership`.
    Result<Player*> owned_by(const Sender& sender, DpId id);
    void removed(const std::vector<Player>& gone);

    // peer_life.cpp
    void lose_machine(DpId system_id, bool tell);
    void host_lost();
    void choose_host();
    void become_host();
    void session_lost();
    Status on_name_server(const Sender& sender, const NameServerBody& body);
    Status on_ping(const Sender& sender, bool request, const PingBody& body);
    void tick();
};

}  // namespace iron::dpcompat
