#include "protocol/view_ring.hpp"

#include <algorithm>

namespace iron::protocol {

void ViewRing::push(View view) {
    const auto at = std::lower_bound(views_.begin(), views_.end(), view.tick,
                                     [](const View& v, std::uint64_t tick) { return v.tick < tick; });
    if (at != views_.end() && at->tick == view.tick)
        *at = std::move(view);
    else
        views_.insert(at, std::move(view));
    if (views_.size() > kViewRingSize) views_.pop_front();
}

const View* ViewRing::find(std::uint64_t tick) const {
    const auto at = std::lower_bound(views_.begin(), views_.end(), tick,
                                     [](const View& v, std::uint64_t t) { return v.tick < t; });
    return at != views_.end() && at->tick == tick ? &*at : nullptr;
}

void ViewRing::clear() {
    views_.clear();
    acknowledged_tick_ = 0;
}

void ViewRing::acknowledge(std::uint64_t newest_tick) {
    if (newest_tick > acknowledged_tick_ && find(newest_tick) != nullptr) acknowledged_tick_ = newest_tick;
}

const View* ViewRing::base() const { return acknowledged_tick_ ? find(acknowledged_tick_) : nullptr; }

ViewRing::Acknowledgement ViewRing::acknowledgement() const {
    Acknowledgement out;
    if (views_.empty()) return out;
    const View& newest = views_.back();
    out.newest_tick = newest.tick;
    for (const View& view : views_) {
        const std::uint32_t back = newest.sequence - view.sequence;
        if (back >= 1 && back <= 32) out.received |= 1u << (back - 1);
    }
    return out;
}

}  // namespace iron::protocol
