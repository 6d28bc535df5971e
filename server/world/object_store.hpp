// Slots, generations and identities of objects (runtime.md 8, 9.1).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "server/world/ids.hpp"
#include "server/world/phases.hpp"
#include "shared/base/error.hpp"

namespace iron::world {

enum class LifeState : std::uint8_t { created, registered, pending_delete, released };

struct ObjectRecord {
    LifeState life = LifeState::released;
    bool mirror = false;
    bool initialised = false;        ///< the init message was delivered
    bool created_by_parent = false;  ///< goes with its parent (DD-RT-11)
    std::uint8_t logic_class = 0;
    PlayerNumber creator = kNoPlayer;    ///< the owner half of the id; never changes
    PlayerNumber authority = kNoPlayer;  ///< current owner
    std::uint8_t clan = 0xFF;
    ObjectId id;                         ///< none until assigned
    std::uint64_t registration = 0;      ///< sequence, 1.. ; 0 = not registered
    ObjectHandle parent;
    std::uint32_t generation = 1;
    bool live = false;
};

/// What is known of an object before it has an identity.
struct ObjectSeed {
    std::uint8_t logic_class = static_cast<std::uint8_t>(LogicId::unit);
    PlayerNumber owner = kNoPlayer;
    std::uint8_t clan = 0xFF;
    bool mirror = false;
    std::optional<ObjectId> id;  ///< forced identity: mirrors, saves, comparison mode
    ObjectHandle parent;
    bool created_by_parent = false;
};

/// Indices of one (owner, class): lowest free first; a freed one rests for 2 048 ticks.
struct IndexAllocator {
    std::uint32_t next = 0;                              ///< never used before
    std::set<std::pair<std::uint32_t, Tick>> freed;      ///< (index, usable from tick)
    std::vector<std::uint32_t> slot_of;                  ///< by index, derived; kNone = free

    bool operator==(const IndexAllocator& o) const { return next == o.next && freed == o.freed; }
};

inline constexpr Tick kIndexRestTicks = 2048;
inline constexpr std::uint32_t kIndexLimit = 4096;
inline constexpr std::uint32_t kNoSlot = 0xFFFFFFFFu;

class ObjectStore {
public:
    /// Checks of `phases` apply from now on; null = none.
    void watch(const PhaseTracker* phases) { phases_ = phases; }

    /// A slot in life state `created`, without identity. Error `phase_forbidden`.
    Result<ObjectHandle> create(const ObjectSeed& seed);
    /// Gives the identity now (else `add` does). Errors `limit`, `duplicate_id`, and of `find`.
    Status assign_id(ObjectHandle handle, Tick now);
    /// created -> registered, with the next registration sequence. Errors `already_registered`,
    /// `duplicate_id`, `limit`, `phase_forbidden`, and of `find`.
    Status add(ObjectHandle handle, Tick now);
    /// registered or created -> pending_delete; false when it already was pending.
    Result<bool> mark_pending(ObjectHandle handle);
    /// Frees the slot; the index rests for 2 048 ticks. Errors `phase_forbidden` and of `find`.
    Status release(ObjectHandle handle, Tick now);
    /// Current authority and clan. Errors `phase_forbidden` and of `find`.
    Status set_authority(ObjectHandle handle, PlayerNumber player, std::uint8_t clan);

    /// Errors: `handle_invalid` (no such slot or generation), `handle_deleted` (its object was the
    /// last one in the slot and is gone), `handle_stale` (older).
    Result<ObjectRecord*> find(ObjectHandle handle);
    Result<const ObjectRecord*> find(ObjectHandle handle) const;
    /// Slot of a living object of that identity (any life state), or kNoSlot.
    std::uint32_t slot_of(ObjectId id) const;
    ObjectHandle handle_of(std::uint32_t slot) const { return {slot, slots_[slot].generation}; }

    std::size_t slot_count() const { return slots_.size(); }
    const ObjectRecord& at(std::uint32_t slot) const { return slots_[slot]; }
    ObjectRecord& at(std::uint32_t slot) { return slots_[slot]; }
    std::size_t live_count() const { return live_; }
    std::uint64_t next_registration() const { return next_registration_; }
    /// Keyed by owner << 4 | class: ascending order.
    const std::map<std::uint32_t, IndexAllocator>& allocators() const { return allocators_; }
    /// Identities that could still be given now for (owner, class).
    std::uint32_t free_indices(PlayerNumber owner, std::uint32_t logic_class, Tick now) const;

private:
    Status allowed(Operation operation) const;

    std::vector<ObjectRecord> slots_;
    std::set<std::uint32_t> free_slots_;
    std::map<std::uint32_t, IndexAllocator> allocators_;
    std::size_t live_ = 0;
    std::uint64_t next_registration_ = 1;
    const PhaseTracker* phases_ = nullptr;
};

}  // namespace iron::world
