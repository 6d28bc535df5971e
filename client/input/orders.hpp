// From a click to the command that is sent (frame.md 9: default command on click).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "client/net/client_session.hpp"
#include "client/view/frame_builder.hpp"

namespace iron::client::input {

/// A command that waits for its click.
enum class Armed : std::uint8_t { none, attack_move, guard, patrol };

struct ClickTarget {
    glm::vec2 ground{0};                        ///< wu
    std::optional<std::uint32_t> object;
    bool own = false, hostile = false;
};

/// Own mobile units among the selected ids, in order.
std::vector<std::uint32_t> movable(const std::vector<std::uint32_t>& selected, const view::FrameBuilder& frame);

/// The default command: attack on something hostile, else move. Nothing without subjects.
std::optional<net::CommandDraft> default_order(const std::vector<std::uint32_t>& subjects,
                                               const ClickTarget& target, bool append);
/// The armed command at the click.
std::optional<net::CommandDraft> armed_order(Armed armed, const std::vector<std::uint32_t>& subjects,
                                             const ClickTarget& target, bool append);
/// A command without a place: stop, hold.
std::optional<net::CommandDraft> plain_order(protocol::OrderCode order, const std::vector<std::uint32_t>& subjects);

/// World units to the wire's 1/256 wu, rounded.
std::int32_t to_wire(float wu);

}  // namespace iron::client::input
