// TCP used one way (directplay.md 1): connections we opened and only write on, connections others opened to us and only
// read from; internal to dpcompat.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>

#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>

#include "dpcompat/session/transport.hpp"
#include "dpcompat/wire/stream.hpp"

namespace iron::dpcompat {

/// Queues blocks for one listening port.
class TcpSender : public std::enable_shared_from_this<TcpSender> {
public:
    TcpSender(asio::io_context& io, const Endpoint& to) : socket_(io), timer_(io), to_(to) {}
    /// `lost` is called once, when the connection cannot be opened or breaks with something unsent. `bind_to` = the
    /// address we listen on, so that the receiver sees it.
    void open(std::uint32_t timeout_ms, const asio::ip::address_v4& bind_to, std::function<void()> lost);
    /// False when more than `most` bytes would wait.
    bool send(Bytes block, std::size_t most);
    /// After the queue.
    void close_when_sent();
    void close();
    bool connecting() const { return !connected_ && !closed_; }
    bool usable() const { return !closed_ && !closing_; }

private:
    void write();
    void watch();
    void fail();
    asio::ip::tcp::socket socket_;
    asio::steady_timer timer_;
    Endpoint to_;
    std::deque<Bytes> queue_;
    std::size_t queued_ = 0;
    bool connected_ = false, writing_ = false, closing_ = false, closed_ = false;
    std::array<std::uint8_t, 256> ignored_{};
    std::function<void()> lost_;
};

/// Reads blocks from one accepted connection.
class TcpReceiver : public std::enable_shared_from_this<TcpReceiver> {
public:
    TcpReceiver(asio::ip::tcp::socket socket, Ipv4 from, const HeaderPolicy& policy)
        : socket_(std::move(socket)), timer_(socket_.get_executor()), from_(from), framer_(policy) {}
    std::function<void(ByteView block)> on_block;
    std::function<void(const Error& error)> on_bad;
    std::function<void()> on_closed;
    void start(std::uint32_t deadline_ms);
    void close();
    Ipv4 from() const { return from_; }

private:
    void read();
    void arm();
    asio::ip::tcp::socket socket_;
    asio::steady_timer timer_;
    Ipv4 from_;
    StreamFramer framer_;
    std::uint32_t deadline_ms_ = 0;
    bool waiting_ = false, closed_ = false;
    std::array<std::uint8_t, 16 * 1024> buffer_{};
};

/// Accepts on the first free port of a range.
class TcpListener : public std::enable_shared_from_this<TcpListener> {
public:
    explicit TcpListener(asio::io_context& io) : acceptor_(io) {}
    /// Errors `port_in_use`, `io_error`.
    Status bind(const asio::ip::address_v4& address, std::uint16_t first, std::uint16_t last);
    void accept(std::function<void(asio::ip::tcp::socket, Ipv4)> accepted);
    std::uint16_t port() const;
    void close();

private:
    void next();
    asio::ip::tcp::acceptor acceptor_;
    std::function<void(asio::ip::tcp::socket, Ipv4)> accepted_;
};

}  // namespace iron::dpcompat
