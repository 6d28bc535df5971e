// Who is in a session: machines, players, groups, and the slots their ids come from. Source: directplay.md 1, 5.6.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "dpcompat/wire/messages.hpp"

namespace iron::dpcompat {

/// Gives out ids: lowest free slot, uniqueness counted per slot. One table may serve several sessions of a match, so
/// that a player has the same id in all of them (directplay.md 15.2).
class SlotTable {
public:
    explicit SlotTable(std::uint32_t key) : key_(key) {}
    std::uint32_t key() const { return key_; }
    /// 0 when all 65 536 slots are taken.
    DpId take();
    void release(DpId id);
    /// An id that somebody else gave out: its slot is taken and its uniqueness continued (host migration).
    void adopt(DpId id);
    bool taken(DpId id) const;

private:
    struct Slot {
        bool taken = false;
        std::uint16_t uniqueness = 0;
    };
    std::uint32_t key_;
    std::vector<Slot> slots_;
};

/// The members of a group in the order in which they came, each once.
class Members {
public:
    void insert(DpId id) {
        if (!contains(id)) ids_.push_back(id);
    }
    template <class It>
    void insert(It first, It last) {
        for (; first != last; ++first) insert(*first);
    }
    void erase(DpId id) { std::erase(ids_, id); }
    bool contains(DpId id) const { return std::find(ids_.begin(), ids_.end(), id) != ids_.end(); }
    auto begin() const { return ids_.begin(); }
    auto end() const { return ids_.end(); }
    const std::vector<DpId>& list() const { return ids_; }

private:
    std::vector<DpId> ids_;
};

struct Player {
    DpId id = 0;
    DpId system_id = 0;  ///< system player of the owning machine; its own id for a system player
    bool system = false, group = false;
    std::uint32_t flags = 0;  ///< as announced, LOCAL cleared
    std::optional<Text16> short_name, long_name;
    Bytes data;
    Members members;  ///< of a group
    DpId parent = 0;
    std::uint64_t created_ms = 0;
    bool borrowed = false;  ///< its id belongs to somebody else's slot: never released here
};

/// A remote machine. Its listening port and its address never change.
struct PeerMachine {
    DpId system_id = 0;
    Endpoint tcp;  ///< listening port
    Endpoint udp;
    std::uint16_t version = kNewestVersion;
    std::uint64_t heard_ms = 0;      ///< last sign of life
    std::uint64_t pinged_ms = 0;
    std::uint32_t unanswered = 0;    ///< pings
    std::uint64_t closed_ms = 0;     ///< its last connection closed then; 0 = one is open
    bool closed = false;
    std::optional<std::uint32_t> round_trip_ms;
};

/// Name table of one machine.
class Directory {
public:
    Player* find(DpId id);
    const Player* find(DpId id) const;
    Player& add(Player player);
    /// Removes a player or group; a system player takes all players of its machine along. Returns what went, the
    /// normal players first.
    std::vector<Player> remove(DpId id);
    const std::map<DpId, Player>& players() const { return players_; }
    std::size_t normal_count() const;

    PeerMachine* machine(DpId system_id);
    PeerMachine* machine_by_tcp(const Endpoint& tcp);
    PeerMachine* machine_by_udp(const Endpoint& udp);
    PeerMachine* machine_of(DpId player);
    PeerMachine& add_machine(PeerMachine machine);
    std::map<DpId, PeerMachine>& machines() { return machines_; }
    const std::map<DpId, PeerMachine>& machines() const { return machines_; }
    void clear();

private:
    std::map<DpId, Player> players_;
    std::map<DpId, PeerMachine> machines_;
};

}  // namespace iron::dpcompat
