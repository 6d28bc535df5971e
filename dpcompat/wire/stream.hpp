// Cuts a TCP byte stream into blocks by the size field, the only framing there is. Source: directplay.md 2, 13.
#pragma once

#include <optional>

#include "dpcompat/wire/sp_header.hpp"

namespace iron::dpcompat {

/// One direction of one connection. After an error the stream is lost: the connection closes, no resync.
class StreamFramer {
public:
    explicit StreamFramer(HeaderPolicy policy = {}) : policy_(policy) {}
    /// Adds received bytes; call next() until it is empty before feeding more, so that at most one message waits.
    void feed(ByteView bytes) { buffer_.insert(buffer_.end(), bytes.begin(), bytes.end()); }
    /// The next whole block, or nothing yet. Errors of check_block().
    Result<std::optional<Bytes>> next();
    /// Bytes of an unfinished message.
    std::size_t waiting() const { return buffer_.size() - at_; }
    HeaderPolicy& policy() { return policy_; }

private:
    HeaderPolicy policy_;
    Bytes buffer_;
    std::size_t at_ = 0;
};

}  // namespace iron::dpcompat
