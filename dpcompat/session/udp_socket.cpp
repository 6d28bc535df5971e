#include "dpcompat/session/udp_socket.hpp"

#include <algorithm>

namespace iron::dpcompat {

Status UdpSocket::bind(const asio::ip::address_v4& address, std::uint16_t first, std::uint16_t last, bool reuse, bool broadcast) {
    asio::error_code error;
    for (std::uint32_t port = first; port <= std::max(first, last); ++port) {
        socket_.open(asio::ip::udp::v4(), error);
        if (error) return fail("io_error", "cannot open a UDP socket: " + error.message());
        if (reuse) socket_.set_option(asio::ip::udp::socket::reuse_address(true), error);
        if (broadcast) socket_.set_option(asio::socket_base::broadcast(true), error);
        // A burst of datagrams waits in the kernel, not on the wire.
        socket_.set_option(asio::socket_base::receive_buffer_size(1 << 20), error);
        socket_.bind({address, static_cast<std::uint16_t>(port)}, error);
        if (!error) {
            socket_.non_blocking(true, error);
            return {};
        }
        socket_.close();
        if (error != asio::error::address_in_use && error != asio::error::access_denied)
            return fail("io_error", "cannot bind UDP port " + std::to_string(port) + ": " + error.message());
    }
    return fail("port_in_use", "no free UDP port from " + std::to_string(first) + " to " + std::to_string(std::max(first, last)));
}

void UdpSocket::receive(std::function<void(const Endpoint&, ByteView)> received) {
    received_ = std::move(received);
    next();
}

void UdpSocket::next() {
    socket_.async_receive_from(asio::buffer(buffer_), from_, [self = shared_from_this()](const asio::error_code& error, std::size_t size) {
        if (error == asio::error::operation_aborted || !self->socket_.is_open()) return;
        // An ICMP answer to an earlier datagram shows up as an error of the next receive; the socket lives on.
        if (!error && self->from_.address().is_v4() && self->received_)
            self->received_({self->from_.address().to_v4().to_uint(), self->from_.port()}, ByteView(self->buffer_.data(), size));
        if (self->socket_.is_open()) self->next();
    });
}

bool UdpSocket::send(const Endpoint& to, ByteView bytes) {
    if (!socket_.is_open()) return false;
    asio::error_code error;
    socket_.send_to(asio::buffer(bytes.data(), bytes.size()), {asio::ip::address_v4(to.ip), to.port}, 0, error);
    return !error;
}

std::uint16_t UdpSocket::port() const {
    asio::error_code error;
    const auto local = socket_.local_endpoint(error);
    return error ? std::uint16_t{0} : local.port();
}

void UdpSocket::close() {
    received_ = nullptr;
    asio::error_code ignored;
    socket_.close(ignored);
}

}  // namespace iron::dpcompat
