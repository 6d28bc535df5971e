// One machine of a DirectPlay session: host or client, with everything a client needs to become the host.
// Sans I/O: blocks and time go in, blocks go out through a Transport, what happened is read as events.
// Source: directplay.md 1, 4, 6, 10-13.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dpcompat/session/directory.hpp"
#include "dpcompat/session/transport.hpp"

namespace iron::dpcompat {

struct PeerSettings {
    Guid application = kGameGuid;
    bool answer_any_game = false;    ///< host: the application GUID of a request does not matter
    bool strict_key = false;         ///< host: the key of a join request must be ours
    bool lan_only = false;           ///< refuse addresses outside private ranges
    std::uint16_t version = kNewestVersion;
    std::uint64_t request_timeout_ms = 5'000;    ///< client: wait for 07, for 29
    std::uint64_t forward_timeout_ms = 15'000;   ///< host: wait for all 2F
    std::uint64_t reservation_ms = 15'000;       ///< host: 07 without its 08 or 13
    std::uint64_t ping_period_ms = 35'000;
    std::uint32_t pings_until_dead = 8;
    std::uint64_t closed_grace_ms = 5'000;       ///< no connection left: the machine left
    std::uint64_t verify_window_ms = 40'000;     ///< 38
    std::size_t enum_per_second = 5, enum_per_second_total = 50;
    std::size_t max_machines = 64;               ///< remote ones
};

/// What the host of a session decides. Flags MULTICASTSERVER, CLIENTSERVER, SECURESERVER, DIRECTPLAYPROTOCOL and
/// NOMESSAGEID are not hosted.
struct HostedSession {
    Guid instance;
    Text16 name;
    std::optional<Text16> password;
    std::uint32_t max_players = 0;  ///< 0 = no limit
    std::uint32_t flags = session_flag::kKeepAlive;
    std::array<std::uint32_t, 4> user{};
};

/// A reply to our enumeration.
struct FoundSession {
    Endpoint host;  ///< listening TCP port
    SessionDesc desc;
    Text16 name;
};

enum class PeerEventKind : std::uint8_t {
    session_found,      ///< found
    joined,             ///< id = our system player
    join_failed,        ///< result
    player_created,     ///< id, owner; own ones too when the host has given the id
    player_failed,      ///< result
    player_deleted,     ///< id, owner
    group_created, group_deleted,  ///< id
    group_joined, group_left,      ///< id = player, other = group
    player_message,     ///< id = from, other = to, data, guaranteed
    data_changed,       ///< id, data
    name_changed,       ///< id
    chat,               ///< id = from, other = to, text
    description_changed,
    machine_joined, machine_left,  ///< id = its system player
    became_host,
    host_changed,       ///< id = the new host's system player
    session_lost,
    unknown_command     ///< result = command, data = the message from `play`
};

struct PeerEvent {
    PeerEventKind kind = PeerEventKind::joined;
    DpId id = 0, other = 0;
    Text16 text;
    Bytes data;
    HResult result = kDpOk;
    bool guaranteed = false;
    std::optional<FoundSession> found;
};

enum class PeerRole : std::uint8_t { idle, joining, client, waiting_for_host, host };

/// Counters that say what the wire brought.
struct PeerCounters {
    std::map<std::uint16_t, std::uint64_t> received, sent;  ///< system messages by command
    std::uint64_t data_in = 0, data_out = 0, data_bytes_in = 0, data_bytes_out = 0;
    std::map<std::string, std::uint64_t> rejected;  ///< dp_reject by reason
    std::uint64_t unknown_commands = 0;
};

class SessionPeer : public TransportEvents {
public:
    SessionPeer(Transport& transport, PeerSettings settings);
    ~SessionPeer() override;
    SessionPeer(const SessionPeer&) = delete;
    SessionPeer& operator=(const SessionPeer&) = delete;

    // ---- host
    /// Starts a session; the system player gets the first free slot of `slots`, or the given id, which stays the
    /// caller's. Errors `bad_setting`, `dp_order`.
    Status host(const HostedSession& session, std::shared_ptr<SlotTable> slots, std::optional<DpId> system_id = {});
    /// Changes name, limits, flags, user values and tells everybody. Errors `dp_role`, `bad_setting`.
    Status set_description(const HostedSession& session);
    /// Removes a machine by any of its players. Error `dp_role`, `dp_id`.
    Status kick(DpId id);
    /// Answers an enumeration request if it concerns this session; used by the desk that owns the port.
    void answer_enumeration(const Endpoint& from, const SpHeader& header, const EnumSessionsBody& request);

    // ---- client
    /// One request to `target` (port included); replies become events for five seconds. Error `dp_role`.
    Status enumerate(const Endpoint& target, std::uint32_t flags, const std::optional<Text16>& password = {});
    /// Error `dp_order` unless idle. Ends with `joined` or `join_failed`.
    Status join(const FoundSession& session, const Text16& password = {});

    // ---- both
    /// A host creates at once; a client asks for the id, the answer is an event. A given id stays the caller's
    /// (host only). Errors `dp_order`, `dp_string`, `dp_size`.
    Status create_player(const Text16& short_name, const Text16& long_name, Bytes data, std::optional<DpId> id = {});
    Status create_group(const Text16& name, std::optional<DpId> id = {});
    /// Own players and groups only. Error `dp_ownership`.
    Status delete_player(DpId id);
    Status delete_group(DpId id);
    Status add_to_group(DpId player, DpId group);
    Status remove_from_group(DpId player, DpId group);
    Status set_player_data(DpId id, Bytes data);
    Status set_player_name(DpId id, const Text16& short_name, const Text16& long_name);
    /// From an own player to a player, a group or everybody. Large datagrams are sent in fragments. Errors
    /// `dp_ownership`, `dp_id`, `dp_size`.
    Status send(DpId from, DpId to, ByteView data, bool guaranteed);
    Status chat(DpId from, DpId to, const Text16& text);
    /// A message from its `play` on, as it came, to every remote machine: how unknown commands are carried. Error
    /// `dp_signature`.
    Status carry(ByteView message, bool guaranteed);
    /// Announces the end of all own players and of the machine, then closes.
    void leave();

    PeerRole role() const;
    DpId system_id() const;
    DpId host_id() const;
    const SessionDesc& desc() const;
    const Text16& session_name() const;
    const Directory& directory() const;
    bool owns(DpId id) const;
    std::vector<PeerEvent> take_events();
    const PeerCounters& counters() const;
    /// Called for every accepted message before it acts: a recorder. `from` is the sender's machine address.
    std::function<void(const Endpoint& from, bool udp, const std::variant<Message, PlayerMessage>& content)> on_received;
    /// Called for every message we send.
    std::function<void(const Endpoint& to, bool udp, const std::variant<Message, PlayerMessage>& content)> on_sent;

    /// Called when an event is there to be taken; it must not take it at once.
    std::function<void()> on_event;

    // ---- TransportEvents
    void on_block(ConnectionId connection, Ipv4 from, ByteView block) override;
    void on_bad_stream(ConnectionId connection, Ipv4 from, const Error& error) override;
    void on_closed(ConnectionId connection, Ipv4 from) override;
    void on_datagram(const Endpoint& from, ByteView datagram) override;
    void on_enumeration(const Endpoint& from, ByteView datagram) override;
    void on_unreachable(const Endpoint& to) override;
    void on_tick(std::uint64_t now_ms) override;

    struct State;

private:
    std::unique_ptr<State> state_;
};

/// A key whose ids are never special (directplay.md 5.6), from 32 random bits.
std::uint32_t make_session_key(std::uint32_t random);
/// Random bits for keys and GUIDs.
Guid random_guid();
std::uint32_t random_word();

}  // namespace iron::dpcompat
