#include "client/net/mirror_store.hpp"

#include <utility>

namespace iron::client::net {

namespace {
constexpr std::uint64_t kTombstoneTicks = 1024;  // net-messages.md 4.3
constexpr std::uint32_t kNone = 0xFFFFFFFFu;
}  // namespace

bool MirrorStore::create(Mirror mirror) {
    if (!model_.create(mirror.id, mirror.owner, mirror.clan, mirror.prototype_key)) return false;
    tombstones_.erase(mirror.id);
    mirror.phase = MirrorPhase::live;
    mirrors_.insert_or_assign(mirror.id, std::move(mirror));
    return true;
}

bool MirrorStore::hide(std::uint32_t id, bool keep, std::uint64_t tick) {
    const auto it = mirrors_.find(id);
    if (it == mirrors_.end() || !model_.hide(id, keep)) return false;
    if (keep) {
        it->second.phase = MirrorPhase::remembered;
        it->second.last_seen_tick = tick;
    } else {
        mirrors_.erase(it);
        tombstones_[id] = tick;
    }
    return true;
}

bool MirrorStore::kill(std::uint32_t id, std::uint64_t tick) {
    const auto it = mirrors_.find(id);
    if (it == mirrors_.end() || !model_.kill(id)) return false;
    it->second.phase = MirrorPhase::dying;
    tombstones_[id] = tick;
    for (auto& [other, mirror] : mirrors_)
        if (mirror.parent == id) mirror.parent = kNone;
    return true;
}

bool MirrorStore::change_owner(std::uint32_t id, std::uint16_t owner, std::uint8_t clan) {
    const auto it = mirrors_.find(id);
    if (it == mirrors_.end() || !model_.change_owner(id, owner, clan)) return false;
    it->second.owner = owner;
    it->second.clan = clan;
    return true;
}

bool MirrorStore::attach(std::uint32_t child, std::uint32_t parent, std::uint32_t piece) {
    const auto it = mirrors_.find(child);
    if (it == mirrors_.end() || (parent != kNone && mirrors_.count(parent) == 0)) return false;
    if (const auto old = model_.mirrors.find(it->second.parent); old != model_.mirrors.end())
        old->second.attached.erase(child);
    if (const auto now = model_.mirrors.find(parent); now != model_.mirrors.end())
        now->second.attached[child] = piece;
    it->second.parent = parent;
    it->second.parent_piece = parent == kNone ? 0 : piece;
    return true;
}

bool MirrorStore::push_sample(std::uint32_t id, const MirrorSample& sample) {
    const auto it = mirrors_.find(id);
    if (it == mirrors_.end() || it->second.phase != MirrorPhase::live) return false;
    Mirror& mirror = it->second;
    if (sample.tick < mirror.current.tick) return false;
    if (sample.tick == mirror.current.tick)
        mirror.current = sample;
    else
        mirror.previous = std::exchange(mirror.current, sample);
    if (sample.absolute) mirror.previous = sample;
    return true;
}

void MirrorStore::sweep(std::uint64_t tick) {
    for (auto it = mirrors_.begin(); it != mirrors_.end();)
        it = it->second.phase == MirrorPhase::dying ? mirrors_.erase(it) : std::next(it);
    for (auto it = tombstones_.begin(); it != tombstones_.end();)
        it = tick > it->second + kTombstoneTicks ? tombstones_.erase(it) : std::next(it);
}

const Mirror* MirrorStore::find(std::uint32_t id) const {
    const auto it = mirrors_.find(id);
    return it == mirrors_.end() ? nullptr : &it->second;
}

bool MirrorStore::was_removed(std::uint32_t id) const {
    if (tombstones_.count(id) != 0) return true;
    const auto it = mirrors_.find(id);
    return it != mirrors_.end() && it->second.phase != MirrorPhase::live;
}

}  // namespace iron::client::net
