#include "dpcompat/session/net_context.hpp"

#include <chrono>
#include <vector>

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/signal_set.hpp>
#include <asio/steady_timer.hpp>

namespace iron::dpcompat {

struct NetContext::Impl {
    asio::io_context io{1};
    asio::executor_work_guard<asio::io_context::executor_type> work{io.get_executor()};
    asio::signal_set signals{io};
    struct Ticker {
        asio::steady_timer timer;
        std::chrono::milliseconds period;
        std::function<void()> action;
    };
    std::vector<std::unique_ptr<Ticker>> tickers;

    static void arm(Ticker& t) {
        t.timer.expires_after(t.period);
        t.timer.async_wait([&t](const asio::error_code& error) {
            if (error) return;
            t.action();
            arm(t);
        });
    }
};

NetContext::NetContext() : impl_(std::make_unique<Impl>()) {}
NetContext::~NetContext() = default;
asio::io_context& NetContext::io() { return impl_->io; }

std::uint64_t NetContext::now_ms() const {
    return 1 + static_cast<std::uint64_t>(
                   std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count());
}

void NetContext::every(std::uint32_t period_ms, std::function<void()> action) {
    impl_->tickers.push_back(std::make_unique<Impl::Ticker>(
        Impl::Ticker{asio::steady_timer(impl_->io), std::chrono::milliseconds(period_ms), std::move(action)}));
    Impl::arm(*impl_->tickers.back());
}

void NetContext::post(std::function<void()> action) { asio::post(impl_->io, std::move(action)); }

void NetContext::on_signal(std::function<void(int)> action) {
    impl_->signals.add(SIGINT);
    impl_->signals.add(SIGTERM);
    impl_->signals.async_wait([action = std::move(action)](const asio::error_code& error, int signal) {
        if (!error) action(signal);
    });
}

void NetContext::run() { impl_->io.run(); }
void NetContext::poll(std::uint32_t wait_ms) {
    // Waiting for no time at all runs nothing, so what is ready runs in any case.
    if (impl_->io.poll() == 0 && wait_ms != 0 && impl_->io.run_one_for(std::chrono::milliseconds(wait_ms)) != 0) impl_->io.poll();
}
void NetContext::stop() { impl_->io.stop(); }
void NetContext::restart() { impl_->io.restart(); }

}  // namespace iron::dpcompat
