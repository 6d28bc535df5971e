#include "server/net/server_loop.hpp"

#include <algorithm>
#include <chrono>

namespace iron::net {

namespace {
constexpr std::uint32_t kLongestWaitMs = 50;  // a signal is noticed this late at most
}

std::uint64_t platform_now_ms() {
    using namespace std::chrono;
    return static_cast<std::uint64_t>(
        duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count());
}

MatchRoom* ServerLoop::room_of(session::ConnectionId) { return rooms_.empty() ? nullptr : rooms_.front(); }

Status ServerLoop::receive(std::uint64_t now_ms, std::uint32_t wait_ms) {
    events_.clear();
    IRON_CHECK(host_.poll(wait_ms, now_ms, events_));
    for (const HostEvent& event : events_) {
        MatchRoom* room = room_of(event.connection);
        if (room == nullptr) continue;
        session::Session& session = room->session();
        switch (event.kind) {
            case HostEvent::Kind::connected: session.connected(event.connection, now_ms); break;
            case HostEvent::Kind::received:
                session.received(event.connection, event.channel, event.data, now_ms);
                break;
            case HostEvent::Kind::closed: session.closed(event.connection, now_ms); break;
            case HostEvent::Kind::misused: session.misused(event.connection, now_ms); break;
        }
    }
    return {};
}

Status ServerLoop::simulate(std::uint64_t now_ms) {
    for (MatchRoom* room : rooms_) IRON_CHECK(room->advance(now_ms));
    host_.flush();
    return {};
}

Status ServerLoop::run(const std::atomic<bool>& stop,
                       const std::function<void(std::uint64_t now_ms)>& each_second) {
    std::uint64_t next_second = 0;
    while (!stop.load(std::memory_order_relaxed)) {
        if (!rooms_.empty() &&
            std::all_of(rooms_.begin(), rooms_.end(), [](const MatchRoom* r) { return r->finished(); }))
            break;
        const std::uint64_t before = platform_now_ms();
        std::uint32_t wait = kLongestWaitMs;
        for (const MatchRoom* room : rooms_) wait = room->idle_ms(before, wait);
        IRON_CHECK(receive(before, wait));
        const std::uint64_t now = platform_now_ms();
        IRON_CHECK(simulate(now));
        if (each_second && now >= next_second) {
            next_second = now + 1000;
            each_second(now);
        }
    }
    return {};
}

Status ServerLoop::close(protocol::GoodbyeReason reason, std::string_view text, std::uint32_t limit_ms) {
    Status result;
    for (MatchRoom* room : rooms_)
        if (auto closed = room->close(reason, text); !closed) result = std::move(closed);
    host_.flush();
    const std::uint64_t begin = platform_now_ms();
    while (host_.connection_count() != 0) {
        const std::uint64_t waited = platform_now_ms() - begin;
        if (waited >= limit_ms) break;
        events_.clear();
        if (auto polled = host_.poll(static_cast<std::uint32_t>(std::min<std::uint64_t>(20, limit_ms - waited)),
                                     begin + waited, events_);
            !polled)
            break;
    }
    return result;
}

}  // namespace iron::net
