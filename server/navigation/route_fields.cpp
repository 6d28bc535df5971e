#include "server/navigation/route_fields.hpp"

#include <algorithm>

namespace iron::navigation {

RouteField compute_route_field(const ArealMap& map, const Passability& pass, std::uint32_t goal) {
    constexpr std::uint32_t kFar = 0xFFFFFFFFu;
    RouteField out;
    out.next.assign(map.size(), kNoAreal);
    out.cost.assign(map.size(), kFar);
    if (goal >= map.size() || !pass.walkable[goal]) return out;
    using Item = std::pair<std::uint32_t, std::uint32_t>;  // (cost, areal)
    const auto later = [](const Item& a, const Item& b) { return a > b; };
    std::vector<Item> frontier{{0, goal}};
    out.cost[goal] = 0;
    out.next[goal] = goal;
    while (!frontier.empty()) {
        std::pop_heap(frontier.begin(), frontier.end(), later);
        const auto [cost, areal] = frontier.back();
        frontier.pop_back();
        if (cost != out.cost[areal]) continue;
        std::uint32_t edge = map.first_edge(areal);
        for (const ArealEdge& e : map.edges(areal)) {
            const bool closed = pass.closed[edge++] != 0;
            if (closed || !pass.walkable[e.to] || e.cost >= kFar - cost) continue;
            const std::uint32_t total = cost + e.cost;
            if (total >= out.cost[e.to]) continue;
            out.cost[e.to] = total;
            out.next[e.to] = areal;
            frontier.emplace_back(total, e.to);
            std::push_heap(frontier.begin(), frontier.end(), later);
        }
    }
    return out;
}

std::vector<std::uint32_t> route_of(const RouteField& field, std::uint32_t start) {
    std::vector<std::uint32_t> out;
    std::uint32_t at = start;
    while (at < field.next.size() && field.next[at] != kNoAreal && out.size() <= field.next.size()) {
        out.push_back(at);
        if (field.next[at] == at) return out;
        at = field.next[at];
    }
    return {};
}

void RouteFields::configure(const ArealMap* map, const Obstacles* obstacles, Limits limits) {
    map_ = map;
    obstacles_ = obstacles;
    limits_ = std::move(limits);
}

std::uint16_t RouteFields::mobility_of(float slope_limit_cos, float radius, bool flyer) {
    MobilityClass c;
    c.min_normal_z = slope_limit_cos;
    const std::int64_t down = floor_i64(radius / limits_.radius_class);
    const bool exact = static_cast<float>(down) * limits_.radius_class >= radius;
    c.radius_steps = static_cast<std::uint16_t>(std::clamp<std::int64_t>(exact ? down : down + 1, 0, 0xFFFF));
    c.flyer = flyer;
    const auto it = std::find(classes_.begin(), classes_.end(), c);
    if (it != classes_.end()) return static_cast<std::uint16_t>(it - classes_.begin());
    classes_.push_back(c);
    data_.emplace_back();
    return static_cast<std::uint16_t>(classes_.size() - 1);
}

void RouteFields::map_changed() { ++revision_; }

const Passability& RouteFields::passability(std::uint16_t mobility) {
    ClassData& d = data_[mobility];
    if (d.revision == revision_) return d.pass;
    d.revision = revision_;
    const MobilityClass& c = classes_[mobility];
    const float radius = static_cast<float>(c.radius_steps) * limits_.radius_class;
    Passability& p = d.pass;
    p.walkable.assign(map_->size(), 1);
    p.closed.assign(map_->edge_count(), 0);
    if (!c.flyer) {
        for (std::uint32_t a = 0; a < map_->size(); ++a) {
            const bool steep = map_->normal(a).z < c.min_normal_z;
            const bool listed = std::find(limits_.nonwalkable_classes.begin(), limits_.nonwalkable_classes.end(),
                                          map_->class_id(a)) != limits_.nonwalkable_classes.end();
            p.walkable[a] = !steep && !listed;
        }
        std::uint32_t edge = 0;
        for (std::uint32_t a = 0; a < map_->size(); ++a)
            for (const ArealEdge& e : map_->edges(a)) p.closed[edge++] = obstacles_->covers(e.a, e.b, radius, scratch_);
    }
    p.component.assign(map_->size(), kNoAreal);
    std::vector<std::uint32_t> open;
    for (std::uint32_t a = 0; a < map_->size(); ++a) {
        if (!p.walkable[a] || p.component[a] != kNoAreal) continue;
        open.push_back(a);
        p.component[a] = a;
        while (!open.empty()) {
            const std::uint32_t at = open.back();
            open.pop_back();
            std::uint32_t edge = map_->first_edge(at);
            for (const ArealEdge& e : map_->edges(at)) {
                if (p.closed[edge++] || !p.walkable[e.to] || p.component[e.to] != kNoAreal) continue;
                p.component[e.to] = a;
                open.push_back(e.to);
            }
        }
    }
    return p;
}

const RouteField* RouteFields::request(const RouteKey& key, world::Tick now) {
    const auto it = std::lower_bound(entries_.begin(), entries_.end(), key,
                                     [](const Entry& e, const RouteKey& k) { return e.key < k; });
    if (it != entries_.end() && it->key == key) {
        it->last_use = now;
        if (!it->computed) {
            // Contents are not state: after a load they are computed on first use.
            it->field = compute_route_field(*map_, passability(key.mobility), key.goal);
            it->computed = true;
        }
        return &it->field;
    }
    const auto place = std::lower_bound(waiting_keys_.begin(), waiting_keys_.end(), key);
    if (place == waiting_keys_.end() || *place != key) {
        waiting_keys_.insert(place, key);
        waiting_.push_back(key);
    }
    return nullptr;
}

const RouteField* RouteFields::peek(const RouteKey& key) const {
    const auto it = std::lower_bound(entries_.begin(), entries_.end(), key,
                                     [](const Entry& e, const RouteKey& k) { return e.key < k; });
    return it != entries_.end() && it->key == key && it->computed ? &it->field : nullptr;
}

void RouteFields::compute_waiting(world::Tick now) {
    for (std::uint32_t n = 0; n < limits_.per_tick && !waiting_.empty(); ++n) {
        RouteKey key = waiting_.front();
        waiting_.pop_front();
        waiting_keys_.erase(std::remove(waiting_keys_.begin(), waiting_keys_.end(), key), waiting_keys_.end());
        if (key.revision != revision_) continue;  // an older map: the asker asks again
        Entry entry;
        entry.key = key;
        entry.last_use = now;
        entry.field = compute_route_field(*map_, passability(key.mobility), key.goal);
        entry.computed = true;
        const auto it = std::lower_bound(entries_.begin(), entries_.end(), key,
                                         [](const Entry& e, const RouteKey& k) { return e.key < k; });
        if (it != entries_.end() && it->key == key) continue;
        entries_.insert(it, std::move(entry));
        while (entries_.size() > limits_.kept) {
            const auto oldest = std::min_element(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
                return a.last_use != b.last_use ? a.last_use < b.last_use : a.key < b.key;
            });
            entries_.erase(oldest);
        }
    }
}

}  // namespace iron::navigation
