// The player of a check run: moves the own units and reports what it sees as JSON lines.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <glm/glm.hpp>

#include "client/net/client_session.hpp"
#include "client/view/geometry.hpp"

namespace iron::client {

class ScriptedPlayer {
public:
    /// `repeat` keeps ordering new moves; `map` bounds the goals.
    ScriptedPlayer(bool repeat, view::Box map) : repeat_(repeat), map_(map) {}

    /// Looks at the mirrors and acts; call once a frame.
    void update(net::ClientSession& session);
    /// A result or order event of the session.
    void on_event(const net::SessionEvent& event);
    /// Prints the last units_moved line.
    void finish(const net::ClientSession& session);

    /// True once the units were seen to move far enough.
    bool moved() const { return farthest_ >= kEnoughWu; }
    /// True if an order was given at least `ticks` ago.
    bool waited(std::uint64_t tick, std::uint64_t ticks) const { return ordered_ && tick >= ordered_tick_ + ticks; }
    float farthest() const { return farthest_; }
    /// The units of the last order.
    const std::vector<std::uint32_t>& units() const { return units_; }

    static constexpr float kEnoughWu = 4.0f;

private:
    std::vector<std::uint32_t> own_units(const net::ClientSession& session) const;
    void order(net::ClientSession& session, const std::vector<std::uint32_t>& units);
    void report_moved(std::uint64_t tick);

    bool repeat_;
    view::Box map_;
    bool joined_ = false, ordered_ = false, reported_ = false;
    std::uint64_t ordered_tick_ = 0;
    std::uint32_t orders_ = 0;
    std::vector<std::uint32_t> units_;
    std::map<std::uint32_t, glm::vec2> start_;
    std::map<std::uint32_t, float> distance_;
    float farthest_ = 0;
};

/// One JSON object and a newline on stdout, flushed.
void print_json_line(const std::string& json);

}  // namespace iron::client
