// Which session a machine is in and who its players are, learned from the messages themselves; internal to capture/.
#pragma once

#include "dpcompat/capture/session_capture.hpp"

namespace iron::dpcompat {

class SessionDirectory {
public:
    explicit SessionDirectory(std::vector<CapturedSession>& sessions) : sessions_(sessions) {}

    /// The session of a system message between two machines; learns from it. 0 = none (a bare enumeration).
    std::uint32_t learn(const Machine& from, const Machine& to, const Message& message, std::uint64_t time_us);
    /// The session of a player message over TCP.
    std::uint32_t of_machines(const Machine& from, const Machine& to);
    /// The session a bare datagram between two UDP sockets belongs to, by announced ports and known ids.
    std::uint32_t of_datagram(const Endpoint& from, const Endpoint& to, ByteView data) const;
    /// The machine behind a UDP socket, if it was announced.
    std::optional<Machine> machine_of_udp(const Endpoint& socket) const;
    /// The session in which a UDP socket belongs to a machine.
    std::uint32_t of_udp(const Endpoint& socket) const;
    CapturedSession* find(std::uint32_t number) { return number == 0 ? nullptr : &sessions_[number - 1]; }

private:
    std::uint32_t create(const Guid& instance, const Machine& host);
    std::uint32_t by_instance(const Guid& instance) const;
    void enter(std::uint32_t session, const Machine& machine);
    void learn_desc(CapturedSession& session, const SessionDesc& desc, const std::optional<Text16>& name);
    template <class Packed>
    void learn_player(CapturedSession& session, const Packed& player, DpId system_id, bool group, const Machine& sender);
    void learn_sockets(CapturedSession& session, const SpData& data, const Machine& sender);

    std::vector<CapturedSession>& sessions_;
    std::map<Machine, std::uint32_t> current_;
};

}  // namespace iron::dpcompat
