// A connection that sends anything to a session: records of channel u8, length u16, bytes; channel 6
// runs a tick, 7 breaks the connection. Whatever comes, the session keeps its promises.
#include <cstdlib>
#include <map>

#include "server/session/session.hpp"
#include "tests/net/toy_world.hpp"

using namespace iron;

namespace {

/// Reads every packet as a client would: what the session sends must be valid.
struct CheckingOutbox final : session::Outbox {
    bool send(session::ConnectionId, protocol::Channel channel, ByteView packet) override {
        const auto message = protocol::Message::receive(packet, protocol::Direction::from_server, channel);
        if (!message) std::abort();
        if (protocol::is_reliable(channel) && message->envelope().sequence() != ++sequence[channel]) std::abort();
        return true;
    }
    void close_gently(session::ConnectionId) override { closed = true; }
    void close_now(session::ConnectionId) override { closed = true; }
    std::uint32_t silent_ms(session::ConnectionId) const override { return 0; }
    std::uint32_t round_trip_ms(session::ConnectionId) const override { return 20; }

    std::map<protocol::Channel, std::uint32_t> sequence;
    bool closed = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    session::SessionSettings settings;
    settings.mission_key = "missions/toy.01";
    settings.clans = {0, 1};
    settings.rules_text = {'{', '}'};
    session::Match match(std::make_unique<test::ToyWorld>(1), nullptr);
    CheckingOutbox out;
    session::Session session(settings, match, out);
    std::uint64_t now_ms = 1000;
    session.connected(1, now_ms);

    ByteReader in(ByteView(data, size));
    while (!in.at_end()) {
        const auto channel = in.u8("channel");
        const auto length = in.u16("length");
        if (!length) break;
        const auto packet = in.view(*length, "packet");
        if (!packet) break;
        now_ms += 20;
        if (*channel % 8 < protocol::kChannelCount) {
            session.received(1, static_cast<protocol::Channel>(*channel % 8), *packet, now_ms);
        } else if (*channel % 8 == 7) {
            session.closed(1, now_ms);
        } else {
            if (session.started() && match.has_work()) {
                const auto step = match.step();
                if (!step) std::abort();  // no input of a client stops a match
                session.publish(*step);
            }
            session.serve_newcomers();
            session.maintain(now_ms);
        }
    }
    if (session.players().all().size() > 1) std::abort();  // one connection is one player
    return 0;
}
