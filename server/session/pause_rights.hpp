// Who may stop the match, how often and how long. Source: net-messages.md 6 (DD-NET-05).
// Runs on the platform clock; what it decides enters the world as a session command.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "server/session/limits.hpp"
#include "server/world/ids.hpp"

namespace iron::session {

class PauseRights {
public:
    /// `limited`: versus rules (3 pauses of at most 60 s each, host unlimited); else everybody may.
    PauseRights(bool limited, const SessionLimits& limits)
        : limited_(limited), count_(limits.pauses_per_player), length_ms_(limits.pause_ms) {}

    /// A request at `now_ms`. True if it is granted; a pause is then counted.
    bool request(world::PlayerNumber player, bool host, bool pause, std::uint64_t now_ms) {
        if (pause == running_) return false;
        if (!pause) {
            // Who did not pause may not end the pause of another in a versus match.
            if (limited_ && !host && player != owner_) return false;
            end();
            return true;
        }
        if (limited_ && !host) {
            std::uint32_t& used = used_[player];
            if (used >= count_) return false;
            ++used;
            deadline_ms_ = now_ms + length_ms_;
        } else {
            deadline_ms_.reset();
        }
        running_ = true;
        owner_ = player;
        return true;
    }

    /// True once when the time of the running pause is over; it has ended then.
    bool expired(std::uint64_t now_ms) {
        if (!running_ || !deadline_ms_ || now_ms < *deadline_ms_) return false;
        end();
        return true;
    }
    /// The player is gone: a pause of his ends. True if there was one.
    bool player_gone(world::PlayerNumber player) {
        if (!running_ || owner_ != player) return false;
        end();
        return true;
    }

    bool running() const { return running_; }
    world::PlayerNumber owner() const { return owner_; }
    /// 255 = without limit.
    std::uint8_t pauses_left(world::PlayerNumber player, bool host) const {
        if (!limited_ || host) return 255;
        const auto it = used_.find(player);
        const std::uint32_t used = it == used_.end() ? 0 : it->second;
        return static_cast<std::uint8_t>(used >= count_ ? 0 : count_ - used);
    }
    std::uint32_t length_ms() const { return length_ms_; }

private:
    void end() {
        running_ = false;
        owner_ = world::kNoPlayer;
        deadline_ms_.reset();
    }

    bool limited_;
    std::uint32_t count_, length_ms_;
    bool running_ = false;
    world::PlayerNumber owner_ = world::kNoPlayer;
    std::optional<std::uint64_t> deadline_ms_;
    std::map<world::PlayerNumber, std::uint32_t> used_;
};

}  // namespace iron::session
