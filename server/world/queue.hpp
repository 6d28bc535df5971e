// The object queue: who is visited in which order, messages, targeted commands, and everything that
// must wait until the traversal is over (runtime.md 7.3, 9.2).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "server/world/object_store.hpp"

namespace iron::world {

/// Message ids of the original (runtime.md 7.3; simulation.md 12).
enum class MessageId : std::uint32_t {
    tick = 1, init = 4, after_detached = 0x15, kill = 0x16, collision = 0x1B, frame = 0x1C
};

struct Message {
    MessageId id = MessageId::tick;
    ObjectHandle target;
    std::array<std::uint32_t, 8> args{};
};

/// A command to one object, or to the world when `target` is absent. The queue numbers it itself.
struct TargetedCommand {
    std::uint64_t sequence = 0;
    std::optional<ObjectHandle> target;
    std::uint32_t kind = 0;
    std::array<std::uint32_t, 4> args{};
};

/// A handler failed or a command found nobody: recorded, the rest goes on (DD-RT-07).
struct QueueFault {
    ObjectId object;
    std::string code;
};

/// The world's side of the queue.
class QueueHandler {
public:
    virtual ~QueueHandler() = default;
    virtual Status on_message(ObjectHandle self, const Message& message) = 0;
    virtual Status on_command(const TargetedCommand& command) = 0;
    virtual void on_registered(ObjectHandle) {}
    virtual void on_owner_changed(ObjectHandle, PlayerNumber /*old_owner*/, std::uint8_t /*reason*/) {}
    /// Just before the slot is freed; the record is still readable.
    virtual void on_release(ObjectHandle) {}
};

inline constexpr std::size_t kReleasesPerDrain = 4096;

class ObjectQueue {
public:
    ObjectQueue(ObjectStore& store, QueueHandler& handler) : store_(store), handler_(handler) {}

    /// Registers now, or in the next drain when a traversal runs: then it is first visited in the
    /// next tick (DD-RT-06). An `init` message follows. Errors as ObjectStore::add.
    Status add(ObjectHandle handle, Tick now);
    /// Deferred and marked inside a traversal, done at once outside or when forced. A second request
    /// is no error and changes nothing. Children of a released parent are detached (message 0x15) and
    /// go with it if the parent created them, else stay.
    Status request_delete(ObjectHandle handle, Tick now, bool forced = false);
    /// Changed in the next drain, in request order, before deletions.
    void request_owner(ObjectHandle handle, PlayerNumber player, std::uint8_t clan, std::uint8_t reason);
    /// A kill request never frees anything.
    void kill(ObjectHandle handle, std::uint32_t cause, ObjectId by);
    void post(const Message& message) { messages_.push_back(message); }
    /// The sequence in `command` is ignored; returns the one it got.
    std::uint64_t enqueue(TargetedCommand command);

    /// One visit of every registered object in registration order with message `id`. Objects that
    /// became pending meanwhile are skipped. Error `nested_calculation`.
    Status traverse(MessageId id);
    /// Brackets a calculation without a visit: deletions in between are deferred.
    Status begin();
    void end();
    bool traversing() const { return traversing_; }
    /// Commands in FIFO order: to a pending object dropped silently; to a stale or deleted one a fault.
    void dispatch_commands();
    /// Messages in FIFO order, also those posted meanwhile, at most `limit`; the rest waits. Messages to objects
    /// that are gone or pending are dropped.
    void dispatch_messages(std::size_t limit = 65536);
    /// Phase 4: registrations, owner changes, then deletions, each in request order. What a handler asks
    /// for meanwhile is part of it; at most 4 096 releases, the rest next time.
    void drain(Tick now);

    /// Slots of registered objects (pending ones included) by registration sequence; kNoSlot where one
    /// was forced out during the running traversal.
    const std::vector<std::uint32_t>& order() const { return order_; }
    std::size_t released_total() const { return released_; }
    std::vector<QueueFault>& faults() { return faults_; }

    struct Deferred {
        enum class Kind : std::uint8_t { add, owner, remove } kind = Kind::add;
        ObjectHandle handle;
        PlayerNumber player = kNoPlayer;
        std::uint8_t clan = 0xFF;
        std::uint8_t reason = 0;
    };
    const std::deque<Deferred>& additions() const { return additions_; }
    const std::deque<Deferred>& owner_changes() const { return owners_; }
    const std::deque<Deferred>& deletions() const { return deletions_; }
    const std::deque<Message>& messages() const { return messages_; }
    const std::deque<TargetedCommand>& commands() const { return commands_; }
    std::uint64_t next_sequence() const { return next_sequence_; }
    /// For tests of the state hash.
    std::deque<Message>& mutable_messages() { return messages_; }

private:
    void fault(ObjectHandle handle, std::string code);
    Status add_now(ObjectHandle handle, Tick now);
    void release_now(ObjectHandle handle, Tick now);

    ObjectStore& store_;
    QueueHandler& handler_;
    bool traversing_ = false;
    std::uint64_t next_sequence_ = 1;
    std::size_t released_ = 0;
    std::vector<std::uint32_t> order_;
    std::deque<Message> messages_;
    std::deque<TargetedCommand> commands_;
    std::deque<Deferred> additions_, owners_, deletions_;
    std::vector<QueueFault> faults_;
};

}  // namespace iron::world
