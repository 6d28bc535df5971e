#include "server/world/object_store.hpp"

namespace iron::world {

namespace {
std::uint32_t allocator_key(PlayerNumber owner, std::uint32_t logic_class) {
    return static_cast<std::uint32_t>(owner) << 4 | (logic_class & 0xF);
}
}  // namespace

Status ObjectStore::allowed(Operation operation) const {
    return phases_ ? phases_->check(operation) : Status{};
}

Result<ObjectHandle> ObjectStore::create(const ObjectSeed& seed) {
    IRON_CHECK(allowed(Operation::create_object));
    std::uint32_t slot = static_cast<std::uint32_t>(slots_.size());
    if (!free_slots_.empty()) {
        slot = *free_slots_.begin();
        free_slots_.erase(free_slots_.begin());
    } else {
        slots_.emplace_back();
    }
    ObjectRecord& r = slots_[slot];
    const std::uint32_t generation = r.generation;
    r = ObjectRecord{};
    r.generation = generation;
    r.live = true;
    r.life = LifeState::created;
    r.mirror = seed.mirror;
    r.logic_class = seed.logic_class;
    r.creator = r.authority = seed.owner;
    r.clan = seed.clan;
    r.parent = seed.parent;
    r.created_by_parent = seed.created_by_parent;
    if (seed.id) {
        r.id = *seed.id;
        r.creator = seed.id->owner();
    }
    ++live_;
    return ObjectHandle{slot, generation};
}

Status ObjectStore::assign_id(ObjectHandle handle, Tick now) {
    IRON_TRY(ObjectRecord* r, find(handle));
    if (!r->id.is_none()) {
        // A forced identity occupies its index so that nobody else gets it.
        IndexAllocator& a = allocators_[allocator_key(r->id.owner(), r->id.logic_class())];
        const std::uint32_t index = r->id.index();
        if (a.slot_of.size() <= index) a.slot_of.resize(index + 1, kNoSlot);
        if (a.slot_of[index] != kNoSlot && a.slot_of[index] != handle.slot)
            return fail("duplicate_id", "another living object has this identity");
        for (; a.next <= index; ++a.next)
            if (a.next != index) a.freed.emplace(a.next, Tick{0});
        for (auto it = a.freed.begin(); it != a.freed.end(); ++it)
            if (it->first == index) {
                a.freed.erase(it);
                break;
            }
        a.slot_of[index] = handle.slot;
        return {};
    }
    IndexAllocator& a = allocators_[allocator_key(r->creator, r->logic_class)];
    std::uint32_t index = kIndexLimit;
    for (auto it = a.freed.begin(); it != a.freed.end(); ++it)
        if (it->second <= now) {
            index = it->first;
            a.freed.erase(it);
            break;
        }
    if (index == kIndexLimit) {
        if (a.next >= kIndexLimit)
            return fail("limit", "all 4096 indices of this owner and class are taken");
        index = a.next++;
    }
    if (a.slot_of.size() <= index) a.slot_of.resize(index + 1, kNoSlot);
    a.slot_of[index] = handle.slot;
    r->id = ObjectId::make(r->creator, r->logic_class, index);
    return {};
}

Status ObjectStore::add(ObjectHandle handle, Tick now) {
    IRON_CHECK(allowed(Operation::mutate_registry));
    IRON_TRY(ObjectRecord* r, find(handle));
    if (r->life != LifeState::created)
        return fail("already_registered", "the object was registered before");
    IRON_CHECK(assign_id(handle, now));
    r = &slots_[handle.slot];
    if (slot_of(r->id) != handle.slot)
        return fail("duplicate_id", "another living object has this identity");
    r->life = LifeState::registered;
    r->registration = next_registration_++;
    return {};
}

Result<bool> ObjectStore::mark_pending(ObjectHandle handle) {
    IRON_CHECK(allowed(Operation::request_delete));
    IRON_TRY(ObjectRecord* r, find(handle));
    if (r->life == LifeState::pending_delete) return false;
    r->life = LifeState::pending_delete;
    return true;
}

Status ObjectStore::release(ObjectHandle handle, Tick now) {
    IRON_CHECK(allowed(Operation::free_object));
    IRON_TRY(ObjectRecord* r, find(handle));
    if (!r->id.is_none()) {
        IndexAllocator& a = allocators_[allocator_key(r->id.owner(), r->id.logic_class())];
        const std::uint32_t index = r->id.index();
        if (index < a.slot_of.size() && a.slot_of[index] == handle.slot) {
            a.slot_of[index] = kNoSlot;
            a.freed.emplace(index, now + kIndexRestTicks);
        }
    }
    r->live = false;
    r->life = LifeState::released;
    r->id = ObjectId::none();
    r->registration = 0;
    ++r->generation;
    --live_;
    free_slots_.insert(handle.slot);
    return {};
}

Status ObjectStore::set_authority(ObjectHandle handle, PlayerNumber player, std::uint8_t clan) {
    IRON_CHECK(allowed(Operation::change_owner));
    IRON_TRY(ObjectRecord* r, find(handle));
    r->authority = player;
    r->clan = clan;
    return {};
}

Result<const ObjectRecord*> ObjectStore::find(ObjectHandle handle) const {
    if (handle.slot >= slots_.size() || handle.generation == 0)
        return fail("handle_invalid", "no such slot");
    const ObjectRecord& r = slots_[handle.slot];
    if (handle.generation > r.generation) return fail("handle_invalid", "no such generation");
    if (handle.generation < r.generation) {
        const bool last = !r.live && handle.generation + 1 == r.generation;
        return last ? fail("handle_deleted", "the object was deleted")
                    : fail("handle_stale", "the slot belongs to a later object");
    }
    if (!r.live) return fail("handle_invalid", "the slot is empty");
    return &r;
}

Result<ObjectRecord*> ObjectStore::find(ObjectHandle handle) {
    auto found = static_cast<const ObjectStore*>(this)->find(handle);
    if (!found) return tl::unexpected(std::move(found).error());
    return &slots_[handle.slot];
}

std::uint32_t ObjectStore::slot_of(ObjectId id) const {
    const auto it = allocators_.find(allocator_key(id.owner(), id.logic_class()));
    if (id.is_none() || it == allocators_.end() || id.index() >= it->second.slot_of.size()) return kNoSlot;
    return it->second.slot_of[id.index()];
}

std::uint32_t ObjectStore::free_indices(PlayerNumber owner, std::uint32_t logic_class, Tick now) const {
    const auto it = allocators_.find(allocator_key(owner, logic_class));
    if (it == allocators_.end()) return kIndexLimit;
    std::uint32_t n = kIndexLimit - it->second.next;
    for (const auto& [index, from] : it->second.freed)
        if (from <= now) ++n;
    return n;
}

}  // namespace iron::world
