#include "server/world/world.hpp"

#include <algorithm>

#include "server/behavior/behavior.hpp"
#include "server/behavior/orders.hpp"
#include "server/control/contacts.hpp"
#include "server/control/motion.hpp"
#include "server/control/wizard.hpp"
#include "server/world/assemble.hpp"
#include "server/world/load.hpp"
#include "server/world/session_commands.hpp"
#include "server/world/world_state.hpp"

namespace iron::world {

namespace {

/// True when the frame is in application order (InputFrame).
bool is_sorted_input(const InputFrame& in) {
    for (std::size_t i = 1; i < in.session.size(); ++i)
        if (in.session[i].sequence <= in.session[i - 1].sequence) return false;
    for (std::size_t i = 1; i < in.commands.size(); ++i) {
        const Command &a = in.commands[i - 1], &b = in.commands[i];
        if (b.player < a.player || (b.player == a.player && b.sequence <= a.sequence)) return false;
    }
    for (std::size_t i = 1; i < in.manual.size(); ++i) {
        const ManualInput &a = in.manual[i - 1], &b = in.manual[i];
        if (b.player < a.player || (b.player == a.player && b.object <= a.object)) return false;
    }
    return true;
}

}  // namespace

struct World::Impl : QueueHandler {
    WorldState state;
    WorldReport report;
    SnapshotPtr snapshot;

    Status on_message(ObjectHandle self, const Message& message) override;
    Status on_command(const TargetedCommand&) override { return {}; }
    void on_registered(ObjectHandle handle) override;
    void on_owner_changed(ObjectHandle handle, PlayerNumber old_owner, std::uint8_t reason) override;
    void on_release(ObjectHandle handle) override;

    void answer(const Command& command, const behavior::Outcome& outcome);
    void apply_manual(const ManualInput& input);
    void apply_input(const InputFrame& input);
    void on_contact(std::uint32_t slot, const Message& message);
    void calculate(const InputFrame& input);
    void derive();
    Status run_tick(const InputFrame& input);
};

Status World::Impl::on_message(ObjectHandle self, const Message& message) {
    const std::uint32_t slot = self.slot;
    switch (message.id) {
        case MessageId::kill: {
            state.bodies[slot].life = 0;
            state.brains[slot].state = behavior::State::dead;
            state.brains[slot].orders.clear();
            WorldEvent& e = state.event(EventKind::killed, slot);
            e.code = static_cast<std::uint8_t>(message.args[0]);
            e.other.raw = message.args[1];
            return state.queue->request_delete(self, state.clock.tick);
        }
        case MessageId::collision: on_contact(slot, message); return {};
        case MessageId::init:
            if (state.brains[slot].state == behavior::State::inactive) state.brains[slot].state = behavior::State::idle;
            return {};
        default: return {};
    }
}

/// Ramming damage when a contact of two clans begins (12).
void World::Impl::on_contact(std::uint32_t slot, const Message& message) {
    const control::ContactMessage contact = control::read_contact(message);
    const std::uint32_t other = state.store.slot_of(contact.other);
    if (other == kNoSlot || !state.bodies[slot].mobile || !state.bodies[other].mobile || state.friendly(slot, other)) return;
    const float over = contact.relative_speed - state.rules.collision.ram_speed;
    if (over <= 0) return;
    const auto milli = static_cast<std::uint32_t>(
        std::clamp(round_i64(static_cast<double>(over) * over * state.rules.collision.ram_factor * 1000.0), std::int64_t{0},
                   std::int64_t{1'000'000'000}));
    control::apply_damage(state, slot, milli, KillCause::ram, contact.other);
}

void World::Impl::on_registered(ObjectHandle handle) {
    state.registry_changed = true;
    if (!state.bodies[handle.slot].mobile) state.statics_changed = true;
    state.event(EventKind::created, handle.slot);
}

void World::Impl::on_owner_changed(ObjectHandle handle, PlayerNumber old_owner, std::uint8_t reason) {
    // A new owner starts with a unit that does nothing.
    behavior::clear_orders(state, handle.slot);
    if (state.brains[handle.slot].state == behavior::State::manual) state.brains[handle.slot].state = behavior::State::idle;
    WorldEvent& e = state.event(EventKind::owner_changed, handle.slot);
    e.code = reason;
    e.value = old_owner;
}

void World::Impl::on_release(ObjectHandle handle) {
    const std::uint32_t slot = handle.slot;
    const ObjectId id = state.store.at(slot).id;
    state.registry_changed = true;
    if (!state.bodies[slot].mobile) state.statics_changed = true;
    std::erase_if(state.contacts, [&](const auto& p) { return p.first == id || p.second == id; });
    state.bodies[slot] = {};
    state.brains[slot] = {};
    state.properties[slot] = {};
    state.fixed[slot].reset();
    state.polygons[slot].clear();
}

void World::Impl::answer(const Command& command, const behavior::Outcome& outcome) {
    WorldEvent e;
    e.kind = EventKind::command_result;
    e.player = command.player;
    e.sequence = command.sequence;
    e.order = command.order;
    e.code = static_cast<std::uint8_t>(outcome.code);
    e.taken = outcome.taken;
    e.left_out = outcome.left_out;
    state.events.push_back(std::move(e));
}

void World::Impl::apply_manual(const ManualInput& input) {
    const std::uint32_t slot = state.find_active(input.object);
    if (slot == kNoSlot || state.store.at(slot).authority != input.player) return;
    behavior::Brain& brain = state.brains[slot];
    if (brain.state != behavior::State::manual) return;
    brain.manual = {input.move_x, input.move_y, input.turn, input.aim_yaw, input.aim_pitch,
                    input.buttons, input.target, state.clock.tick};
}

/// Step 1 of simulation.md 24.
void World::Impl::apply_input(const InputFrame& input) {
    for (const SessionCommand& c : input.session) apply_session_command(state, c);
    for (const Command& c : input.commands) answer(c, behavior::apply_command(state, c));
    for (const ManualInput& m : input.manual) apply_manual(m);
}

/// Phase 3, the steps of simulation.md 24 that exist.
void World::Impl::calculate(const InputFrame& input) {
    apply_input(input);
    // Kills and init messages that waited, then the tick itself.
    state.queue->dispatch_messages();
    (void)state.queue->traverse(MessageId::tick);
    state.routes.compute_waiting(state.clock.tick);
    behavior::update_all(state);
    behavior::update_right_of_way(state);
    control::steer_all(state);
    control::propose_all(state);
    state.refresh_grid();
    control::resolve_contacts(state);
    control::settle_all(state);
    behavior::report_blocked_steps(state);
    state.queue->dispatch_messages();
}

/// Phase 5: lists, outlines and the grid of the next tick.
void World::Impl::derive() {
    state.refresh_lists();
    state.refresh_grid();
}

Status World::Impl::run_tick(const InputFrame& input) {
    PhaseTracker& phases = state.phases;
    IRON_CHECK(phases.begin_tick());
    IRON_CHECK(phases.enter(Phase::input));
    IRON_CHECK(phases.enter(Phase::clock));
    IRON_CHECK(phases.check(Operation::write_clock));
    state.clock.advance();
    for (const SessionCommand& c : input.session) {
        if (c.act == SessionAct::pause) state.clock.paused = true;
        if (c.act == SessionAct::resume) state.clock.paused = false;
    }
    IRON_CHECK(phases.enter(Phase::calculate));
    IRON_CHECK(state.queue->begin());
    calculate(input);
    IRON_CHECK(phases.enter(Phase::deferred));
    state.queue->end();
    state.queue->drain(state.clock.tick);
    IRON_CHECK(phases.enter(Phase::derive));
    derive();
    IRON_CHECK(phases.enter(Phase::publish));
    for (const QueueFault& f : state.queue->faults()) {
        WorldEvent e;
        e.kind = EventKind::diagnostic;
        e.object = f.object;
        e.text = f.code;
        state.events.push_back(std::move(e));
    }
    state.queue->faults().clear();
    snapshot = publish(state);
    phases.rest();
    return {};
}

World::World() : impl_(std::make_unique<Impl>()) {}
World::~World() = default;

Result<std::unique_ptr<World>> World::create(std::shared_ptr<const mission::MissionBlueprint> blueprint,
                                             const Rules& rules, std::uint64_t match_seed, WorldOptions options,
                                             WorldReport* report) {
    std::unique_ptr<World> world(new World);
    Impl& impl = *world->impl_;
    WorldState& s = impl.state;
    s.blueprint = std::move(blueprint);
    s.rules = rules;
    s.match_seed = match_seed;
    s.mode = options.mode;
    s.queue = std::make_unique<ObjectQueue>(s.store, impl);
    s.store.watch(&s.phases);
    s.phases.load();
    Status loaded = load_world(s, options, impl.report);
    if (report) *report = impl.report;
    if (!loaded) return tl::unexpected(std::move(loaded).error());
    impl.derive();
    s.events.clear();
    impl.snapshot = publish(s);
    s.phases.rest();
    return world;
}

Status World::step(const InputFrame& input) {
    WorldState& s = impl_->state;
    if (input.tick != s.clock.tick + 1)
        return fail("bad_tick", "input of tick " + std::to_string(input.tick) + " after tick " + std::to_string(s.clock.tick));
    if (!is_sorted_input(input)) return fail("input_not_sorted", "the input of tick " + std::to_string(input.tick) + " is not sorted");
    s.events.clear();
    const bool resumes = std::any_of(input.session.begin(), input.session.end(),
                                     [](const SessionCommand& c) { return c.act == SessionAct::resume; });
    if (!s.clock.paused || resumes) return impl_->run_tick(input);

    s.phases.load();
    for (const SessionCommand& c : input.session) apply_session_command(s, c);
    for (const Command& c : input.commands) impl_->answer(c, {ResultCode::paused, 0, static_cast<std::uint8_t>(std::min<std::size_t>(c.subjects.size(), 255))});
    impl_->snapshot = publish(s);
    s.phases.rest();
    return {};
}

SnapshotPtr World::snapshot() const { return impl_->snapshot; }
StateHash World::state_hash() const { return hash_blocks(encode_state(impl_->state)); }
StateBlocks World::state_blocks() const { return encode_state(impl_->state); }

std::vector<ObjectDigest> World::object_digests(HashBlock block) const {
    std::vector<ObjectDigest> out;
    if (block < HashBlock::objects || block > HashBlock::behavior) return out;
    for (std::uint32_t slot : impl_->state.by_id)
        out.push_back({impl_->state.id(slot), sha256(encode_object(impl_->state, slot, block))});
    return out;
}

Tick World::tick() const { return impl_->state.clock.tick; }
bool World::paused() const { return impl_->state.clock.paused; }
std::uint32_t World::scale_percent() const { return impl_->state.scale_percent; }
std::uint64_t World::match_seed() const { return impl_->state.match_seed; }
const Rules& World::rules() const { return impl_->state.rules; }
const mission::MissionBlueprint& World::blueprint() const { return *impl_->state.blueprint; }
const WorldReport& World::report() const { return impl_->report; }
const WorldState& World::state() const { return impl_->state; }
WorldState& World::mutable_state() { return impl_->state; }

}  // namespace iron::world
