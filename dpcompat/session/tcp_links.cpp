#include "dpcompat/session/tcp_links.hpp"

#include <algorithm>

#include <asio/write.hpp>

namespace iron::dpcompat {

// ---- sender

void TcpSender::open(std::uint32_t timeout_ms, const asio::ip::address_v4& bind_to, std::function<void()> lost) {
    lost_ = std::move(lost);
    asio::error_code error;
    socket_.open(asio::ip::tcp::v4(), error);
    if (!error && !bind_to.is_unspecified()) socket_.bind({bind_to, 0}, error);
    socket_.set_option(asio::ip::tcp::no_delay(true), error);
    timer_.expires_after(std::chrono::milliseconds(timeout_ms));
    timer_.async_wait([self = shared_from_this()](const asio::error_code& e) {
        if (!e && !self->connected_) self->fail();
    });
    socket_.async_connect({asio::ip::address_v4(to_.ip), to_.port}, [self = shared_from_this()](const asio::error_code& e) {
        if (self->closed_) return;
        if (e) {
            self->fail();
            return;
        }
        self->connected_ = true;
        self->timer_.cancel();
        self->watch();
        self->write();
    });
}

bool TcpSender::send(Bytes block, std::size_t most) {
    if (!usable() || queued_ + block.size() > most) return false;
    queued_ += block.size();
    queue_.push_back(std::move(block));
    if (connected_ && !writing_) write();
    return true;
}

void TcpSender::write() {
    if (queue_.empty()) {
        if (closing_) close();
        return;
    }
    writing_ = true;
    asio::async_write(socket_, asio::buffer(queue_.front()), [self = shared_from_this()](const asio::error_code& e, std::size_t) {
        if (self->closed_) return;
        self->writing_ = false;
        if (e) {
            self->fail();
            return;
        }
        self->queued_ -= self->queue_.front().size();
        self->queue_.pop_front();
        self->write();
    });
}

/// Nothing is read on this connection; reading only notices its end.
void TcpSender::watch() {
    socket_.async_read_some(asio::buffer(ignored_), [self = shared_from_this()](const asio::error_code& e, std::size_t) {
        if (self->closed_) return;
        if (!e) {
            self->watch();
            return;
        }
        // Closed by the other side while idle is no failure: the next block opens a new one.
        if (self->queue_.empty()) self->close();
        else self->fail();
    });
}

void TcpSender::close_when_sent() {
    closing_ = true;
    if (queue_.empty() && connected_) close();
}

void TcpSender::fail() {
    if (closed_) return;
    const auto lost = std::move(lost_);
    close();
    if (lost) lost();
}

void TcpSender::close() {
    if (closed_) return;
    closed_ = true;
    lost_ = nullptr;
    asio::error_code ignored;
    timer_.cancel();
    socket_.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
}

// ---- receiver

void TcpReceiver::start(std::uint32_t deadline_ms) {
    deadline_ms_ = deadline_ms;
    read();
}

/// An unfinished message may not wait for ever; an idle connection may.
void TcpReceiver::arm() {
    const bool unfinished = framer_.waiting() != 0;
    if (unfinished == waiting_) return;
    waiting_ = unfinished;
    timer_.cancel();
    if (!unfinished) return;
    timer_.expires_after(std::chrono::milliseconds(deadline_ms_));
    timer_.async_wait([self = shared_from_this()](const asio::error_code& e) {
        if (e || self->closed_) return;
        const auto bad = self->on_bad;
        self->close();
        if (bad) bad(Error("dp_deadline", "an unfinished message"));
    });
}

void TcpReceiver::read() {
    socket_.async_read_some(asio::buffer(buffer_), [self = shared_from_this()](const asio::error_code& e, std::size_t size) {
        if (self->closed_) return;
        if (e) {
            const auto closed = self->on_closed;
            self->close();
            if (closed) closed();
            return;
        }
        self->framer_.feed(ByteView(self->buffer_.data(), size));
        bool got_one = false;
        while (!self->closed_) {
            auto block = self->framer_.next();
            if (!block) {
                const auto bad = self->on_bad;
                const Error error = block.error();
                self->close();
                if (bad) bad(error);
                return;
            }
            if (!*block) break;
            got_one = true;
            const auto deliver = self->on_block;
            if (deliver) deliver(**block);
        }
        if (self->closed_) return;
        // A new message began: its time starts now.
        if (got_one) self->waiting_ = false;
        self->arm();
        self->read();
    });
}

void TcpReceiver::close() {
    if (closed_) return;
    closed_ = true;
    on_block = nullptr;
    on_bad = nullptr;
    on_closed = nullptr;
    asio::error_code ignored;
    timer_.cancel();
    socket_.close(ignored);
}

// ---- listener

Status TcpListener::bind(const asio::ip::address_v4& address, std::uint16_t first, std::uint16_t last) {
    asio::error_code error;
    for (std::uint32_t port = first; port <= std::max(first, last); ++port) {
        acceptor_.open(asio::ip::tcp::v4(), error);
        if (error) return fail("io_error", "cannot open a TCP socket: " + error.message());
        // Only lets a port be used again after a restart; a second listener is still refused.
        acceptor_.set_option(asio::ip::tcp::acceptor::reuse_address(true), error);
        acceptor_.bind({address, static_cast<std::uint16_t>(port)}, error);
        if (!error) acceptor_.listen(64, error);
        if (!error) return {};
        acceptor_.close();
        if (error != asio::error::address_in_use && error != asio::error::access_denied)
            return fail("io_error", "cannot listen on TCP port " + std::to_string(port) + ": " + error.message());
    }
    return fail("port_in_use", "no free TCP port from " + std::to_string(first) + " to " + std::to_string(std::max(first, last)));
}

void TcpListener::accept(std::function<void(asio::ip::tcp::socket, Ipv4)> accepted) {
    accepted_ = std::move(accepted);
    next();
}

void TcpListener::next() {
    acceptor_.async_accept([self = shared_from_this()](const asio::error_code& e, asio::ip::tcp::socket socket) {
        if (!self->acceptor_.is_open() || e == asio::error::operation_aborted) return;
        if (!e && self->accepted_) {
            asio::error_code error;
            const auto from = socket.remote_endpoint(error);
            if (!error && from.address().is_v4()) self->accepted_(std::move(socket), from.address().to_v4().to_uint());
        }
        if (self->acceptor_.is_open()) self->next();
    });
}

std::uint16_t TcpListener::port() const {
    asio::error_code error;
    const auto local = acceptor_.local_endpoint(error);
    return error ? std::uint16_t{0} : local.port();
}

void TcpListener::close() {
    accepted_ = nullptr;
    asio::error_code ignored;
    acceptor_.close(ignored);
}

}  // namespace iron::dpcompat
