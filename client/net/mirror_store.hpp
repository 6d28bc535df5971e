// What a client knows of the world: mirrors by object id with their last two state samples.
// Nothing here draws, sounds or decides; a renderer reads it between two pumps of the session.
// Source: net-messages.md 4.3 (life cycle), 8.1 (state samples).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "protocol/view_hash.hpp"
#include "shared/base/math.hpp"

namespace iron::client::net {

/// State of one object at one server tick, in units a renderer uses.
struct MirrorSample {
    std::uint64_t tick = 0;
    Vec3 position;                           ///< wu; z and tilt follow the terrain unless `flying`
    Vec3 velocity;                           ///< wu/s
    float yaw = 0, pitch = 0, roll = 0;      ///< rad
    float turret_yaw = 0, turret_pitch = 0;  ///< rad, relative to the chassis
    float strafe_yaw = 0;                    ///< rad, native strafe angle Z
    float life = 0;                          ///< 0..1 of the maximum
    std::uint32_t flags = 0;                 ///< net-messages.md 8.1
    std::uint8_t behaviour_state = 0;
    std::uint8_t energy = 0;                 ///< 1/63
    std::uint8_t phase = 0;                  ///< 1/256 of the animation track
    std::uint32_t target = 0xFFFFFFFFu;      ///< object id, none = 0xFFFFFFFF
    bool absolute = false;                   ///< teleport or first state: never blended
};

struct MirrorPart {
    std::uint32_t tag = 0;  ///< 0 root model, > 0 attached
    std::uint32_t parent_piece = 0;
    std::string archive, entry;
    bool operator==(const MirrorPart&) const = default;
};

struct MirrorProperty {
    std::string name;
    std::array<std::uint32_t, 4> words{};
    bool operator==(const MirrorProperty&) const = default;
};

enum class MirrorPhase : std::uint8_t {
    live,
    remembered,  ///< hidden, kept as last seen: draw as a ghost or not at all
    dying        ///< killed in a tick just applied; gone after the next pump
};

struct Mirror {
    std::uint32_t id = 0;
    MirrorPhase phase = MirrorPhase::live;
    std::uint16_t owner = 0;
    std::uint8_t clan = 0xFF;  ///< 0xFF = none
    std::uint8_t logic_id = 0;
    std::uint8_t upgrade_level = 0;
    std::uint32_t scheme_type = 0;
    std::string prototype_key;
    std::vector<MirrorPart> parts;
    std::vector<MirrorProperty> properties;
    Vec3 orientation;  ///< Euler angles at creation, rad
    Vec3 scale{1, 1, 1};
    std::uint32_t life_max = 0;  ///< milli-life
    std::uint64_t created_tick = 0, last_seen_tick = 0;
    std::uint32_t parent = 0xFFFFFFFFu;  ///< carrier or attach parent, none = 0xFFFFFFFF
    std::uint32_t parent_piece = 0;

    MirrorSample previous;  ///< the older of the two newest samples
    MirrorSample current;   ///< the newest sample; the create values before any state came
};

class MirrorStore {
public:
    /// MirrorCreate. False (and no change) for a live id; a remembered one becomes live again.
    /// `mirror.current` and `previous` hold the create values.
    bool create(Mirror mirror);
    /// MirrorHide; false for an unknown id.
    bool hide(std::uint32_t id, bool keep, std::uint64_t tick);
    /// ObjectKill: the mirror becomes dying, a tombstone stays for 1 024 ticks after it was swept. False
    /// if unknown.
    bool kill(std::uint32_t id, std::uint64_t tick);
    /// ObjectOwner; false if unknown.
    bool change_owner(std::uint32_t id, std::uint16_t owner, std::uint8_t clan);
    /// ObjectAttach / ObjectDetach; `parent` none detaches.
    bool attach(std::uint32_t child, std::uint32_t parent, std::uint32_t piece);

    /// A state sample for a live mirror; ignored (false) for all others and for older ticks.
    bool push_sample(std::uint32_t id, const MirrorSample& sample);

    /// Removes dying mirrors and expired tombstones; the session calls it once a pump.
    void sweep(std::uint64_t tick);

    const Mirror* find(std::uint32_t id) const;
    /// All mirrors, ascending id.
    const std::map<std::uint32_t, Mirror>& all() const { return mirrors_; }
    /// The id was live and is not any more: late unreliable messages about it are dropped silently.
    bool was_removed(std::uint32_t id) const;

    /// The reliable part, for the view hash.
    const protocol::ViewModel& view_model() const { return model_; }
    std::uint64_t view_hash() const { return model_.hash(); }

private:
    std::map<std::uint32_t, Mirror> mirrors_;
    std::map<std::uint32_t, std::uint64_t> tombstones_;  ///< id -> tick of the kill
    protocol::ViewModel model_;
};

}  // namespace iron::client::net
