// The one Asio context of a program: all sockets, timers and signals of the bridge run on it, in one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "shared/base/error.hpp"

namespace asio {
class io_context;
}

namespace iron::dpcompat {

class NetContext {
public:
    NetContext();
    ~NetContext();
    NetContext(const NetContext&) = delete;
    NetContext& operator=(const NetContext&) = delete;

    asio::io_context& io();
    /// Milliseconds of a steady clock, never 0.
    std::uint64_t now_ms() const;
    /// Calls `action` every `period_ms` until the context goes.
    void every(std::uint32_t period_ms, std::function<void()> action);
    /// Calls `action` soon, outside of what runs now.
    void post(std::function<void()> action);
    /// Calls `action` on SIGINT and SIGTERM.
    void on_signal(std::function<void(int)> action);
    /// Runs until stop().
    void run();
    /// Runs what is ready, waiting at most `wait_ms` for something.
    void poll(std::uint32_t wait_ms);
    void stop();
    /// Lets run() and poll() work again after stop().
    void restart();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace iron::dpcompat
