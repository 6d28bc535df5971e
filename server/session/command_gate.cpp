#include "server/session/command_gate.hpp"

#include <string>

namespace iron::session {

namespace {

world::Command decode(const protocol::Command& in, world::PlayerNumber player) {
    world::Command out;
    out.player = player;
    out.sequence = in.sequence();
    out.order = static_cast<std::uint8_t>(in.order());
    out.flags = in.flags();
    for (const std::uint32_t id : *in.subjects()) out.subjects.push_back({id});
    out.target = {in.target()};
    out.at = {in.at()->x(), in.at()->y()};
    out.yaw = in.yaw();
    out.param = in.param();
    out.amount = in.amount();
    for (const protocol::Pos2* point : *in.points()) out.points.push_back({point->x(), point->y()});
    out.key = in.key()->str();
    out.data.assign(in.data()->begin(), in.data()->end());
    return out;
}

}  // namespace

Result<std::vector<world::Command>> CommandGate::pass(const protocol::CommandBatch& batch,
                                                      world::PlayerNumber player) {
    std::vector<world::Command> out;
    std::uint32_t next = next_;
    for (const protocol::Command* command : *batch.commands()) {
        if (command->sequence() < next) continue;  // seen before: its result is or will be sent once
        if (command->sequence() > next)
            return fail("sequence_gap", "command " + std::to_string(command->sequence()) +
                                            " came where " + std::to_string(next) + " was due");
        ++next;
        out.push_back(decode(*command, player));
    }
    next_ = next;
    return out;
}

world::ManualInput newest_sample(const protocol::ManualInput& message, world::PlayerNumber player) {
    const protocol::ManualSample* sample = message.samples()->Get(0);
    world::ManualInput out;
    out.player = player;
    out.object = {message.object()};
    out.client_tick = sample->client_tick();
    out.move_x = sample->move_x();
    out.move_y = sample->move_y();
    out.turn = sample->turn();
    out.aim_yaw = sample->aim_yaw();
    out.aim_pitch = sample->aim_pitch();
    out.buttons = sample->buttons();
    out.target = {sample->target()};
    return out;
}

}  // namespace iron::session
