#include "client/view/selection.hpp"

#include <algorithm>

namespace iron::client::view {
namespace {

void normalise(std::vector<std::uint32_t>& ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    if (ids.size() > Selection::kLimit) ids.resize(Selection::kLimit);
}

}  // namespace

void Selection::set(std::vector<std::uint32_t> ids) {
    ids_ = std::move(ids);
    normalise(ids_);
}

void Selection::add(const std::vector<std::uint32_t>& ids) {
    ids_.insert(ids_.end(), ids.begin(), ids.end());
    normalise(ids_);
}

void Selection::toggle(std::uint32_t id) {
    const auto at = std::lower_bound(ids_.begin(), ids_.end(), id);
    if (at != ids_.end() && *at == id)
        ids_.erase(at);
    else
        add({id});
}

bool Selection::contains(std::uint32_t id) const { return std::binary_search(ids_.begin(), ids_.end(), id); }

void Selection::store_group(std::size_t group) { groups_.at(group) = ids_; }

bool Selection::recall_group(std::size_t group) {
    const auto& wanted = groups_.at(group);
    if (wanted.empty()) return false;
    const bool again = wanted == ids_;
    ids_ = wanted;
    return again;
}

int Selection::group_of(std::uint32_t id) const {
    for (std::size_t g = 0; g < groups_.size(); ++g)
        if (std::binary_search(groups_[g].begin(), groups_[g].end(), id)) return static_cast<int>(g);
    return -1;
}

void Selection::keep_only(const std::function<bool(std::uint32_t)>& alive) {
    const auto sweep = [&](std::vector<std::uint32_t>& ids) {
        ids.erase(std::remove_if(ids.begin(), ids.end(), [&](std::uint32_t id) { return !alive(id); }), ids.end());
    };
    sweep(ids_);
    for (auto& group : groups_) sweep(group);
}

}  // namespace iron::client::view
