// A bound UDP socket that keeps receiving; internal to dpcompat.
#pragma once

#include <array>
#include <functional>
#include <memory>

#include <asio/ip/udp.hpp>

#include "dpcompat/wire/basics.hpp"

namespace iron::dpcompat {

class UdpSocket : public std::enable_shared_from_this<UdpSocket> {
public:
    explicit UdpSocket(asio::io_context& io) : socket_(io) {}
    /// First free port of the range. Errors `port_in_use`, `io_error`.
    Status bind(const asio::ip::address_v4& address, std::uint16_t first, std::uint16_t last, bool reuse, bool broadcast);
    void receive(std::function<void(const Endpoint&, ByteView)> received);
    /// False when the datagram did not leave.
    bool send(const Endpoint& to, ByteView bytes);
    std::uint16_t port() const;
    bool is_open() const { return socket_.is_open(); }
    void close();

private:
    void next();
    asio::ip::udp::socket socket_;
    asio::ip::udp::endpoint from_;
    std::array<std::uint8_t, 65'536> buffer_{};
    std::function<void(const Endpoint&, ByteView)> received_;
};

}  // namespace iron::dpcompat
