#include "client/input/orders.hpp"

#include <algorithm>
#include <cmath>

namespace iron::client::input {
namespace {

constexpr std::uint8_t kAppend = 1;
constexpr std::size_t kMaxSubjects = 128;

net::CommandDraft at_point(protocol::OrderCode order, const std::vector<std::uint32_t>& subjects,
                           const ClickTarget& target, bool append) {
    net::CommandDraft draft;
    draft.order = order;
    draft.flags = append ? kAppend : std::uint8_t{0};
    draft.subjects = subjects;
    if (draft.subjects.size() > kMaxSubjects) draft.subjects.resize(kMaxSubjects);
    draft.at_x = to_wire(target.ground.x);
    draft.at_y = to_wire(target.ground.y);
    return draft;
}

}  // namespace

std::int32_t to_wire(float wu) {
    if (!std::isfinite(wu)) return 0;
    return static_cast<std::int32_t>(std::lround(std::clamp(wu, -32000.0f, 32000.0f) * 256.0f));
}

std::vector<std::uint32_t> movable(const std::vector<std::uint32_t>& selected, const view::FrameBuilder& frame) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t id : selected) {
        const view::ShownObject* object = frame.find(id);
        if (object && object->own && !object->building) out.push_back(id);
    }
    return out;
}

std::optional<net::CommandDraft> default_order(const std::vector<std::uint32_t>& subjects,
                                               const ClickTarget& target, bool append) {
    if (subjects.empty()) return std::nullopt;
    if (target.object && target.hostile) {
        net::CommandDraft draft = at_point(protocol::OrderCode::attack, subjects, target, append);
        draft.target = *target.object;
        return draft;
    }
    return at_point(protocol::OrderCode::move, subjects, target, append);
}

std::optional<net::CommandDraft> armed_order(Armed armed, const std::vector<std::uint32_t>& subjects,
                                             const ClickTarget& target, bool append) {
    if (subjects.empty()) return std::nullopt;
    switch (armed) {
        case Armed::attack_move:
            if (target.object && target.hostile) return default_order(subjects, target, append);
            return at_point(protocol::OrderCode::attack_move, subjects, target, append);
        case Armed::guard: {
            net::CommandDraft draft = at_point(protocol::OrderCode::guard, subjects, target, append);
            if (target.object && !target.hostile) draft.target = *target.object;
            return draft;
        }
        case Armed::patrol: {
            net::CommandDraft draft = at_point(protocol::OrderCode::patrol, subjects, target, append);
            draft.points.emplace_back(draft.at_x, draft.at_y);
            return draft;
        }
        case Armed::none: break;
    }
    return std::nullopt;
}

std::optional<net::CommandDraft> plain_order(protocol::OrderCode order, const std::vector<std::uint32_t>& subjects) {
    if (subjects.empty()) return std::nullopt;
    net::CommandDraft draft;
    draft.order = order;
    draft.subjects = subjects;
    if (draft.subjects.size() > kMaxSubjects) draft.subjects.resize(kMaxSubjects);
    return draft;
}

}  // namespace iron::client::input
