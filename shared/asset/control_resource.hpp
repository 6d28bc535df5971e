// CTLD (`.ctl`): control resource: movement limits, states, piece bindings, items, hooks, commands.
// Source: objects.md 12 (field meanings are inferred unless the page says more).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shared/asset/ref64.hpp"
#include "shared/base/math.hpp"

namespace iron::asset {

inline constexpr std::size_t kCtlHookCount = 21;

struct CtlRoot {
    Vec3 max_tangential_acceleration;  ///< wu/s^2
    std::array<std::uint32_t, 3> opaque0c{};
    Vec3 max_tangential_speed;  ///< wu/s
    Vec3 max_angular_speed;     ///< rad/s (presumed)
    Vec3 torque_response;
    Vec3 visual_euler_limit;    ///< rad (presumed)
    std::int32_t cleanup_delay_ms = 0;
    float opaque4c = 0, opaque50 = 0;
    std::int32_t physics_mode = 0;
    float opaque58 = 0;
    float slope_limit = 0;  ///< rad (presumed)
    std::uint32_t opaque60 = 0;
    float opaque64 = 0;
    float mobility_integrity = 0;
    bool operator==(const CtlRoot&) const = default;
};

struct CtlState {
    std::array<std::uint8_t, 0x9C> body{};
    std::vector<std::array<std::uint32_t, 4>> links;  ///< link slots per state
    bool operator==(const CtlState&) const = default;
};

/// 48 bytes.
struct CtlBinding {
    std::int32_t piece = 0;
    float animation1_start = 0, animation1_end = 0;
    float animation2_start = 0, animation2_end = 0;
    float blend = 0;
    float default_value = 0;
    std::int32_t primary_point = -1, secondary_point = -1;  ///< CTPT index, -1 none
    float opaque24 = 0, opaque28 = 0;
    std::uint32_t flags = 0;
    bool operator==(const CtlBinding&) const = default;
};

/// Item types (objects.md 12.6); others are kept.
enum class CtlItemType : std::int32_t {
    turret_drive = 0x01, projectile_weapon = 0x02, mobility_support = 0x03, targeting = 0x04,
    engine = 0x05, radar = 0x08, force_shield = 0x09, detection_shield = 0x0A, repair = 0x0F,
    guidance = 0x11, battery = 0x13, wheel = 0x14, deflector = 0x15, weapon_or_actuator = 0x16,
    engine_alternative = 0x1A, armour = 0x1B, projectile_weapon_alternative = 0x1E
};

struct CtlItem {
    std::int32_t type = 0;  ///< CtlItemType
    std::int32_t piece = 0;
    std::uint32_t flags = 0;
    std::array<std::int32_t, 3> optional_index{};
    std::int32_t link_index = 0;
    std::uint32_t mobility = 0;
    std::array<float, 4> opaque{};
    std::array<float, 16> parameters{};
    Ref64 resource;
    std::vector<std::int32_t> bindings;  ///< indices into the piece bindings
    Bytes name;  ///< empty, or the name bytes with their NUL (length on disk = size - 1)

    std::string_view name_text() const;  ///< up to the NUL
    bool operator==(const CtlItem&) const = default;
};

/// 0x64 bytes.
struct CtlCommand {
    std::uint32_t condition_flags = 0, condition_mask = 0, condition_invert = 0;
    std::uint32_t opcode = 0;
    std::array<std::uint32_t, 5> arguments{};
    Ref64 resource;
    bool operator==(const CtlCommand&) const = default;
};

struct ControlResource {
    CtlRoot root;
    std::uint32_t link_slots = 0;  ///< per state (kept even with no states)
    std::vector<CtlState> states;
    std::vector<float> edges;      ///< states * states, row-major
    std::vector<CtlBinding> bindings;
    std::vector<CtlItem> items;
    std::array<std::int32_t, kCtlHookCount> hooks{};  ///< command list index or -1
    std::vector<std::vector<CtlCommand>> command_lists;

    /// Not empty when the payload does not fit the layout (`ctld_layout_residual`): the whole
    /// payload; then only `raw_counters` is valid beside it.
    Bytes raw;
    std::array<std::uint32_t, 5> raw_counters{};
    /// Bytes left over when the layout ended early; nullopt when a section did not fit.
    std::optional<std::int64_t> residual;

    bool parsed() const { return raw.empty(); }
    bool operator==(const ControlResource&) const = default;
};

/// Error: `truncated` (fewer than 20 bytes). Warnings: `ctld_layout_residual` (raw fallback),
/// `ctld_hook_range`, `ctld_binding_range`, `ctld_unknown_opcode`, `ctld_unknown_item`.
Result<ControlResource> read_control_resource(ByteView bytes, ReadContext& context);
Bytes write_control_resource(const ControlResource& value);

/// All counters zero, zero parameters, no hooks: 212 bytes when written.
ControlResource make_control_resource();

/// Cross-file check: warnings `ctld_point_range`, `ctld_piece_range`.
void check_control_resource(const ControlResource& value, std::uint32_t node_count,
                            std::uint32_t control_point_count, ReadContext& context);

}  // namespace iron::asset
