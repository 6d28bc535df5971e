#include "client/scripted_player.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "client/input/orders.hpp"

namespace iron::client {
namespace {

constexpr std::uint64_t kSettleTicks = 5;     ///< after the first own unit appeared
constexpr std::uint64_t kRepeatTicks = 200;
constexpr float kGoalWu = 45.0f;

}  // namespace

void print_json_line(const std::string& json) {
    std::fputs(json.c_str(), stdout);
    std::fputc('\n', stdout);
    std::fflush(stdout);
}

std::vector<std::uint32_t> ScriptedPlayer::own_units(const net::ClientSession& session) const {
    std::vector<std::uint32_t> out;
    for (const auto& [id, mirror] : session.mirrors().all())
        if (mirror.phase == net::MirrorPhase::live && mirror.owner == session.player_number() &&
            mirror.owner != 0 && (mirror.scheme_type & 0x01000000u) != 0 && out.size() < 128)
            out.push_back(id);
    return out;
}

void ScriptedPlayer::order(net::ClientSession& session, const std::vector<std::uint32_t>& units) {
    glm::vec2 middle(0);
    for (std::uint32_t id : units) {
        const Vec3 p = session.mirrors().find(id)->current.position;
        middle += glm::vec2(p.x, p.y);
        if (!ordered_) start_[id] = {p.x, p.y};
    }
    middle /= static_cast<float>(units.size());
    // Toward the middle of the map first (certainly inside), then a turn further each time.
    const glm::vec2 inward = glm::vec2(map_.center()) - middle;
    const float first = std::atan2(inward.y, inward.x);
    const float angle = first + static_cast<float>(orders_) * 1.9f;
    glm::vec2 goal = middle + glm::vec2(std::cos(angle), std::sin(angle)) * kGoalWu;
    const glm::vec2 margin(20.0f);
    goal = glm::clamp(goal, glm::vec2(map_.min) + margin, glm::vec2(map_.max) - margin);
    net::CommandDraft draft;
    draft.order = protocol::OrderCode::move;
    draft.subjects = units;
    draft.at_x = input::to_wire(goal.x);
    draft.at_y = input::to_wire(goal.y);
    const std::uint32_t sequence = session.send(draft);
    units_ = units;
    ordered_ = true;
    ordered_tick_ = session.applied_tick();
    ++orders_;
    nlohmann::json line{{"event", "order_sent"}, {"order", "move"}, {"sequence", sequence}, {"subjects", units.size()},
                        {"x", goal.x}, {"y", goal.y}, {"tick", ordered_tick_}};
    print_json_line(line.dump());
}

void ScriptedPlayer::update(net::ClientSession& session) {
    if (session.phase() != net::SessionPhase::running) return;
    const auto units = own_units(session);
    if (!joined_) {
        joined_ = true;
        nlohmann::json line{{"event", "joined"}, {"player", session.player_number()}, {"clan", session.clan()},
                            {"mission", session.mission_key()}, {"own_units", units.size()}, {"tick", session.applied_tick()}};
        print_json_line(line.dump());
        ordered_tick_ = session.applied_tick();
    }
    if (units.empty()) return;
    const std::uint64_t tick = session.applied_tick();
    if (!ordered_ ? tick >= ordered_tick_ + kSettleTicks : repeat_ && tick >= ordered_tick_ + kRepeatTicks)
        order(session, units);
    for (const auto& [id, from] : start_) {
        const net::Mirror* mirror = session.mirrors().find(id);
        if (!mirror) continue;
        const float d = glm::distance(from, glm::vec2(mirror->current.position.x, mirror->current.position.y));
        float& best = distance_[id];
        best = std::max(best, d);
        farthest_ = std::max(farthest_, d);
    }
    if (moved() && !reported_) {
        reported_ = true;
        report_moved(tick);
    }
}

void ScriptedPlayer::report_moved(std::uint64_t tick) {
    std::size_t count = 0;
    double sum = 0;
    for (const auto& [id, d] : distance_) {
        count += d >= 1.0f ? 1 : 0;
        sum += static_cast<double>(d);
    }
    nlohmann::json line{{"event", "units_moved"}, {"count", count}, {"of", start_.size()},
                        {"distance", farthest_}, {"mean_distance", distance_.empty() ? 0.0 : sum / static_cast<double>(distance_.size())},
                        {"tick", tick}};
    print_json_line(line.dump());
}

void ScriptedPlayer::on_event(const net::SessionEvent& event) {
    if (event.kind == net::SessionEventKind::result) {
        nlohmann::json line{{"event", "command_result"}, {"sequence", event.sequence},
                            {"code", protocol::EnumNameResultCode(event.code)}, {"taken", event.taken},
                            {"left_out", event.left_out}, {"tick", event.tick}};
        print_json_line(line.dump());
    }
}

void ScriptedPlayer::finish(const net::ClientSession& session) {
    if (ordered_) report_moved(session.applied_tick());
}

}  // namespace iron::client
