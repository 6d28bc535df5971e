#include "server/world/queue.hpp"

#include <algorithm>

namespace iron::world {

void ObjectQueue::fault(ObjectHandle handle, std::string code) {
    ObjectId id;
    if (handle.slot < store_.slot_count() && store_.at(handle.slot).generation == handle.generation)
        id = store_.at(handle.slot).id;
    faults_.push_back({id, std::move(code)});
}

Status ObjectQueue::add_now(ObjectHandle handle, Tick now) {
    IRON_CHECK(store_.add(handle, now));
    order_.push_back(handle.slot);
    handler_.on_registered(handle);
    post({MessageId::init, handle, {}});
    return {};
}

Status ObjectQueue::add(ObjectHandle handle, Tick now) {
    IRON_TRY(ObjectRecord* record, store_.find(handle));
    if (record->life != LifeState::created)
        return fail("already_registered", "the object was registered before");
    if (!traversing_) return add_now(handle, now);
    for (const auto& op : additions_)
        if (op.handle == handle) return fail("already_registered", "the object waits for registration");
    IRON_CHECK(store_.assign_id(handle, now));
    additions_.push_back({Deferred::Kind::add, handle, kNoPlayer, 0xFF, 0});
    return {};
}

Status ObjectQueue::request_delete(ObjectHandle handle, Tick now, bool forced) {
    IRON_TRY(const bool first, store_.mark_pending(handle));
    if (traversing_ && !forced) {
        if (first) deletions_.push_back({Deferred::Kind::remove, handle, kNoPlayer, 0xFF, 0});
        return {};
    }
    if (traversing_) {
        std::erase_if(deletions_, [&](const Deferred& d) { return d.handle == handle; });
    } else if (!first) {
        return {};
    }
    IRON_CHECK(store_.find(handle).map([](auto*) {}));
    release_now(handle, now);
    return {};
}

void ObjectQueue::request_owner(ObjectHandle handle, PlayerNumber player, std::uint8_t clan,
                                std::uint8_t reason) {
    owners_.push_back({Deferred::Kind::owner, handle, player, clan, reason});
}

void ObjectQueue::kill(ObjectHandle handle, std::uint32_t cause, ObjectId by) {
    Message m{MessageId::kill, handle, {}};
    m.args[0] = cause;
    m.args[1] = by.raw;
    messages_.push_back(m);
}

std::uint64_t ObjectQueue::enqueue(TargetedCommand command) {
    command.sequence = next_sequence_++;
    commands_.push_back(command);
    return command.sequence;
}

Status ObjectQueue::begin() {
    if (traversing_) return fail("nested_calculation", "a calculation runs already");
    traversing_ = true;
    return {};
}

Status ObjectQueue::traverse(MessageId id) {
    const bool outer = traversing_;
    if (!outer) IRON_CHECK(begin());
    // Additions are deferred while traversing, so the list does not grow; it does not shrink either.
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const std::uint32_t slot = order_[i];
        if (slot == kNoSlot || store_.at(slot).life != LifeState::registered) continue;
        const ObjectHandle handle = store_.handle_of(slot);
        if (auto r = handler_.on_message(handle, {id, handle, {}}); !r) fault(handle, r.error().code());
    }
    if (!outer) end();
    return {};
}

void ObjectQueue::dispatch_commands() {
    while (!commands_.empty()) {
        const TargetedCommand command = commands_.front();
        commands_.pop_front();
        if (command.target) {
            auto found = store_.find(*command.target);
            if (!found) {
                fault(*command.target, found.error().code());
                continue;
            }
            if ((*found)->life == LifeState::pending_delete) continue;
        }
        if (auto r = handler_.on_command(command); !r)
            fault(command.target.value_or(ObjectHandle{}), r.error().code());
    }
}

void ObjectQueue::dispatch_messages(std::size_t limit) {
    for (std::size_t n = 0; n < limit && !messages_.empty(); ++n) {
        const Message message = messages_.front();
        messages_.pop_front();
        auto found = store_.find(message.target);
        if (!found || (*found)->life != LifeState::registered) continue;
        if (message.id == MessageId::init) (*found)->initialised = true;
        if (auto r = handler_.on_message(message.target, message); !r)
            fault(message.target, r.error().code());
    }
}

void ObjectQueue::release_now(ObjectHandle handle, Tick now) {
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const std::uint32_t slot = order_[i];
        if (slot == kNoSlot) continue;
        ObjectRecord& child = store_.at(slot);
        if (!child.live || child.parent != handle) continue;
        child.parent = {};
        const ObjectHandle child_handle = store_.handle_of(slot);
        if (child.life == LifeState::registered)
            if (auto r = handler_.on_message(child_handle, {MessageId::after_detached, child_handle, {}}); !r)
                fault(child_handle, r.error().code());
        if (store_.at(slot).created_by_parent)
            if (auto first = store_.mark_pending(child_handle); first && *first)
                deletions_.push_back({Deferred::Kind::remove, child_handle, kNoPlayer, 0xFF, 0});
    }
    handler_.on_release(handle);
    if (auto r = store_.release(handle, now); !r) {
        fault(handle, r.error().code());
        return;
    }
    ++released_;
    std::erase_if(additions_, [&](const Deferred& d) { return d.handle == handle; });
    if (!traversing_) std::erase(order_, handle.slot);
    else std::replace(order_.begin(), order_.end(), handle.slot, kNoSlot);
}

void ObjectQueue::drain(Tick now) {
    while (!additions_.empty()) {
        const Deferred op = additions_.front();
        additions_.pop_front();
        if (auto r = add_now(op.handle, now); !r) fault(op.handle, r.error().code());
    }
    while (!owners_.empty()) {
        const Deferred op = owners_.front();
        owners_.pop_front();
        auto found = store_.find(op.handle);
        if (!found || (*found)->life != LifeState::registered) continue;
        const PlayerNumber old = (*found)->authority;
        if (auto r = store_.set_authority(op.handle, op.player, op.clan); !r)
            fault(op.handle, r.error().code());
        else
            handler_.on_owner_changed(op.handle, old, op.reason);
    }
    // Handlers called from here still find a traversal, so their requests join the list.
    const bool outer = traversing_;
    traversing_ = true;
    const std::size_t before = released_;
    while (!deletions_.empty() && released_ - before < kReleasesPerDrain) {
        const Deferred op = deletions_.front();
        deletions_.pop_front();
        if (store_.find(op.handle)) release_now(op.handle, now);
    }
    traversing_ = outer;
    if (!traversing_) std::erase(order_, kNoSlot);
}

void ObjectQueue::end() {
    traversing_ = false;
    std::erase(order_, kNoSlot);
}

}  // namespace iron::world
