#include "server/behavior/orders.hpp"

#include <algorithm>

namespace iron::behavior {

using world::Command;
using world::Order;
using world::ResultCode;
using world::WorldState;

namespace {

Vec2 to_wu(world::Pos2 p) { return {static_cast<float>(p.x) / 256.0f, static_cast<float>(p.y) / 256.0f}; }

bool in_coords(const WorldState& s, Vec2 p) {
    return p.x >= s.rules.coord_min && p.x <= s.rules.coord_max && p.y >= s.rules.coord_min && p.y <= s.rules.coord_max;
}

bool is_implemented(Order o) {
    return o == Order::stop || o == Order::move || o == Order::follow || o == Order::patrol ||
           o == Order::hold_position || o == Order::take_control || o == Order::set_stance;
}

/// Orders that act at once and are never limited by the place of the hero (16, 22.1).
bool is_unlimited(Order o) { return o == Order::stop || o == Order::set_stance; }

bool may_obey(const control::Body& body, Order order) {
    if (order == Order::stop) return body.mobile || control::is_building(body.role);
    if (order == Order::set_stance)
        return body.mobile || body.role == control::Role::tower_medium || body.role == control::Role::tower_large;
    return body.mobile;
}

/// Own robots within 200 wu of the living hero; everywhere when the clan has none (16).
bool in_command(const WorldState& s, std::uint32_t slot) {
    const world::ObjectRecord& record = s.store.at(slot);
    if (record.clan < s.clans.size() && s.clans[record.clan].ai_plays) return true;
    const auto found = s.rules.numbers.find("hero.command_dist");
    const float range = found == s.rules.numbers.end() ? 200.0f : found->second.real;
    bool hero_alive = false;
    for (std::uint32_t other : s.mobiles) {
        if (s.bodies[other].role != control::Role::hero || s.store.at(other).authority != record.authority) continue;
        if (!s.is_active(other) || s.bodies[other].life == 0) continue;
        hero_alive = true;
        const Vec3 d = s.bodies[other].position - s.bodies[slot].position;
        if (d.x * d.x + d.y * d.y <= range * range) return true;
    }
    return !hero_alive;
}

ResultCode check_subject(const WorldState& s, const Command& c, world::ObjectId id, std::uint32_t& slot) {
    slot = s.store.slot_of(id);
    if (slot == world::kNoSlot || s.store.at(slot).life == world::LifeState::created) return ResultCode::no_object;
    if (s.store.at(slot).authority != c.player) return ResultCode::not_owner;
    if (!s.is_active(slot) || s.bodies[slot].life == 0) return ResultCode::dead;
    const auto order = static_cast<Order>(c.order);
    if (!may_obey(s.bodies[slot], order)) return ResultCode::not_available;
    if (order == Order::take_control && s.bodies[slot].role != control::Role::hero) return ResultCode::out_of_command;
    if (!is_unlimited(order) && !in_command(s, slot)) return ResultCode::out_of_command;
    if ((c.flags & (world::kAppend | world::kFront)) != 0 && !is_unlimited(order) && order != Order::take_control &&
        s.brains[slot].orders.size() >= s.rules.behavior.order_queue)
        return ResultCode::queue_full;
    return ResultCode::ok;
}

/// Points of a patrol: of the command, or of the mission path with that id.
std::vector<Vec2> patrol_points(const WorldState& s, const Command& c) {
    std::vector<Vec2> out;
    for (world::Pos2 p : c.points) out.push_back(to_wu(p));
    if (!out.empty()) return out;
    constexpr std::size_t kMaxPathPoints = 256;
    for (const auto& path : s.blueprint->paths) {
        if (path.id != static_cast<std::int32_t>(c.param)) continue;
        for (Vec3 p : path.points)
            if (out.size() < kMaxPathPoints && is_finite(p)) out.push_back({p.x, p.y});
        break;
    }
    return out;
}

/// Fields that concern the command as a whole.
ResultCode check_common(const WorldState& s, const Command& c, const std::vector<Vec2>& points) {
    switch (static_cast<Order>(c.order)) {
        case Order::move: return in_coords(s, to_wu(c.at)) ? ResultCode::ok : ResultCode::out_of_range;
        case Order::follow: {
            const std::uint32_t target = s.find_active(c.target);
            if (target == world::kNoSlot || !s.bodies[target].mobile) return ResultCode::bad_target;
            if (std::find(c.subjects.begin(), c.subjects.end(), c.target) != c.subjects.end()) return ResultCode::bad_target;
            return ResultCode::ok;
        }
        case Order::patrol:
            if (points.empty()) return ResultCode::bad_target;
            for (Vec2 p : points)
                if (!in_coords(s, p)) return ResultCode::out_of_range;
            return ResultCode::ok;
        case Order::set_stance: return c.param <= 3 ? ResultCode::ok : ResultCode::malformed;
        default: return ResultCode::ok;
    }
}

/// A goal inside an outline moves out of it at the nearest side; a few outlines in a row are enough of a try.
Vec2 standable(WorldState& s, std::uint32_t slot, Vec2 goal) {
    constexpr int kTries = 8;
    constexpr float kMargin = 0.25f;  // wu
    const float radius = s.bodies[slot].radius;
    if (s.bodies[slot].flyer) return goal;
    for (int i = 0; i < kTries; ++i) {
        s.obstacles.near(goal, goal, radius, s.scratch);
        float deepest = 0;
        Vec2 out{};
        for (std::uint32_t k : s.scratch) {
            const navigation::Clearance c = s.obstacles.clearance(s.obstacles.all()[k], goal);
            if (radius - c.distance > deepest) deepest = radius - c.distance, out = c.normal;
        }
        if (deepest <= 0) break;
        goal = goal + out * (deepest + kMargin);
    }
    return goal;
}

void leave_manual(WorldState& s, std::uint32_t slot) {
    Brain& b = s.brains[slot];
    if (b.state != State::manual) return;
    b.state = State::idle;
    b.manual = {};
    b.idle_place = {s.bodies[slot].position.x, s.bodies[slot].position.y};
}

}  // namespace

std::vector<Vec2> formation_slots(const WorldState& s, const std::vector<std::uint32_t>& units, Vec2 goal,
                                  bool yaw_given, float yaw) {
    const std::size_t n = units.size();
    std::vector<Vec2> out(n, goal);
    if (n < 2) return out;
    Vec2 mean{};
    float radius = 0;
    for (std::uint32_t u : units) {
        mean = mean + Vec2{s.bodies[u].position.x, s.bodies[u].position.y};
        radius = std::max(radius, s.bodies[u].radius);
    }
    mean = mean * (1.0f / static_cast<float>(n));
    Vec2 facing = yaw_given ? control::forward_of(yaw) : goal - mean;
    const float len = length(facing);
    facing = len > 1e-4f ? facing * (1.0f / len) : Vec2{0, 1};
    const Vec2 side{-facing.y, facing.x};  // to the left
    const float spacing = 2 * radius + s.rules.orders.slot_gap;

    // ceil(sqrt(2 n)) columns, in integers.
    const std::int64_t wanted = floor_i64(s.rules.orders.slot_shape * static_cast<float>(n) + 0.999f);
    std::size_t columns = 1;
    while (static_cast<std::int64_t>(columns * columns) < wanted) ++columns;
    columns = std::min(columns, n);
    const std::size_t rows = (n + columns - 1) / columns;

    struct Ranked {
        float ahead, lateral;
        world::ObjectId id;
        std::size_t index;
    };
    std::vector<Ranked> ranked;
    for (std::size_t i = 0; i < n; ++i) {
        const Vec2 d = Vec2{s.bodies[units[i]].position.x, s.bodies[units[i]].position.y} - mean;
        ranked.push_back({dot(d, facing), dot(d, side), s.id(units[i]), i});
    }
    std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
        return a.ahead != b.ahead ? a.ahead > b.ahead : a.id < b.id;
    });
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t begin = row * columns, end = std::min(n, begin + columns);
        std::sort(ranked.begin() + static_cast<std::ptrdiff_t>(begin), ranked.begin() + static_cast<std::ptrdiff_t>(end),
                  [](const Ranked& a, const Ranked& b) {
                      return a.lateral != b.lateral ? a.lateral > b.lateral : a.id < b.id;
                  });
        const float forward = (static_cast<float>(rows - 1) * 0.5f - static_cast<float>(row)) * spacing;
        for (std::size_t i = begin; i < end; ++i) {
            const float across = (static_cast<float>(end - begin - 1) * 0.5f - static_cast<float>(i - begin)) * spacing;
            out[ranked[i].index] = goal + facing * forward + side * across;
        }
    }
    return out;
}

bool give_order(WorldState& s, std::uint32_t slot, OrderItem item, std::uint8_t flags) {
    Brain& b = s.brains[slot];
    if (b.orders.size() >= s.rules.behavior.order_queue && (flags & (world::kAppend | world::kFront)) != 0) return false;
    if ((flags & world::kAppend) != 0) {
        b.orders.push_back(std::move(item));
        return true;
    }
    if ((flags & world::kFront) != 0) {
        if (b.has_order()) b.orders.front().started = false;
        b.orders.insert(b.orders.begin(), std::move(item));
    } else {
        clear_orders(s, slot);
        b.orders.push_back(std::move(item));
    }
    // The new front is started by the next behaviour step.
    b.state = State::idle;
    b.holds = false;
    b.returning = false;
    b.path = {};
    b.steered = false;
    return true;
}

void clear_orders(WorldState& s, std::uint32_t slot) {
    Brain& b = s.brains[slot];
    if (b.has_order() && b.orders.front().started) {
        world::WorldEvent& e = s.event(world::EventKind::order_cancelled, slot);
        e.order = static_cast<std::uint8_t>(b.orders.front().order);
        e.code = static_cast<std::uint8_t>(ResultCode::cancelled);
    }
    b.orders.clear();
    b.target = {};
    b.path = {};
    b.steered = false;
    b.holds = false;
    b.returning = false;
    b.pushed_since = 0;
    if (b.state != State::manual && b.state != State::dead) {
        b.state = State::idle;
        b.idle_place = {s.bodies[slot].position.x, s.bodies[slot].position.y};
    }
}

Outcome apply_command(WorldState& s, const Command& c) {
    Outcome out;
    const std::size_t clan = static_cast<std::size_t>(c.player) - 1;
    if (c.order >= world::kOrderCount || c.subjects.size() > s.rules.orders.subjects ||
        c.points.size() > s.rules.orders.points || (c.flags & ~0x1F) != 0 ||
        (c.flags & world::kAppend && c.flags & world::kFront)) {
        out.code = ResultCode::malformed;
        return out;
    }
    if (c.player == world::kNoPlayer || clan >= s.clans.size() || s.clans[clan].lost || s.clans[clan].eliminated) {
        out.code = ResultCode::not_available;
        return out;
    }
    const auto order = static_cast<Order>(c.order);
    if (!is_implemented(order)) {
        out.code = ResultCode::not_available;
        return out;
    }
    if (c.subjects.empty() || (order == Order::take_control && c.subjects.size() != 1)) {
        out.code = ResultCode::malformed;
        return out;
    }
    std::vector<std::uint32_t> taken;
    ResultCode first = ResultCode::ok;
    for (world::ObjectId id : c.subjects) {
        std::uint32_t slot = world::kNoSlot;
        const ResultCode r = check_subject(s, c, id, slot);
        if (r == ResultCode::ok && std::find(taken.begin(), taken.end(), slot) == taken.end()) taken.push_back(slot);
        else if (r != ResultCode::ok && first == ResultCode::ok) first = r;
    }
    out.left_out = static_cast<std::uint8_t>(c.subjects.size() - taken.size());
    if (taken.empty()) {
        out.code = first;
        return out;
    }
    const std::vector<Vec2> points = order == Order::patrol ? patrol_points(s, c) : std::vector<Vec2>{};
    out.code = check_common(s, c, points);
    if (out.code != ResultCode::ok) {
        out.left_out = static_cast<std::uint8_t>(c.subjects.size());
        return out;
    }
    out.taken = static_cast<std::uint8_t>(taken.size());

    const bool yaw_given = (c.flags & world::kYawGiven) != 0;
    const float yaw = static_cast<float>(c.yaw) * (kPi / 32767.0f);
    const bool slotted = (order == Order::move || order == Order::patrol) && (c.flags & world::kSingleGoal) == 0;
    std::vector<Vec2> goals(taken.size(), to_wu(c.at));
    const Vec2 base = order == Order::patrol ? points.front() : to_wu(c.at);
    if (slotted) goals = formation_slots(s, taken, base, yaw_given, yaw);
    float cap = 0;
    if ((c.flags & world::kKeepTogether) != 0) {
        cap = s.bodies[taken[0]].v_max;
        for (std::uint32_t u : taken) cap = std::min(cap, s.bodies[u].v_max);
    }
    for (std::size_t i = 0; i < taken.size(); ++i) {
        const std::uint32_t slot = taken[i];
        Brain& brain = s.brains[slot];
        OrderItem item;
        item.order = order;
        item.yaw_given = yaw_given;
        item.yaw = yaw;
        item.speed_cap = cap;
        item.target = c.target;
        switch (order) {
            case Order::stop:
                leave_manual(s, slot);
                clear_orders(s, slot);
                continue;
            case Order::set_stance: brain.stance = static_cast<std::uint8_t>(c.param); continue;
            case Order::take_control:
                if (c.param != 0) {
                    clear_orders(s, slot);
                    brain.state = State::manual;
                    brain.manual = {};
                } else {
                    leave_manual(s, slot);
                }
                continue;
            case Order::follow:
                item.distance = c.param != 0 ? std::clamp(static_cast<float>(c.param), 1.0f, 1000.0f) : 0.0f;
                break;
            case Order::patrol:
                item.points = points;
                item.offset = goals[i] - base;
                break;
            case Order::move: {
                // A slot that cannot be stood on gives way to the goal itself: arrival by contact (7.3).
                Vec2 goal = goals[i];
                const auto areal = s.areals.locate(goal.x, goal.y, s.surface.height_at(goal.x, goal.y).value_or(0));
                const auto& pass = s.routes.passability(s.bodies[slot].mobility);
                const auto centre = s.areals.locate(base.x, base.y, s.surface.height_at(base.x, base.y).value_or(0));
                const bool usable = areal && pass.walkable[*areal] && in_coords(s, goal) &&
                                    (!centre || pass.component[*areal] == pass.component[*centre]) &&
                                    (s.bodies[slot].flyer || s.obstacles.is_free(goal, s.bodies[slot].radius, s.scratch));
                item.point = usable ? goal : standable(s, slot, base);
                break;
            }
            default: break;
        }
        leave_manual(s, slot);
        give_order(s, slot, std::move(item), c.flags);
    }
    return out;
}

}  // namespace iron::behavior
