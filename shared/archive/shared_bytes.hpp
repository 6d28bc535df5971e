// Bytes that several owners look at without copying: an archive image, and views into it.
#pragma once

#include <memory>
#include <utility>

#include "shared/base/bytes.hpp"

namespace iron::archive {

/// A view together with whatever keeps it alive. `owner` is empty for borrowed bytes: then the
/// caller keeps them alive.
struct SharedBytes {
    std::shared_ptr<const Bytes> owner;
    ByteView view;

    static SharedBytes own(Bytes bytes) {
        auto owner = std::make_shared<Bytes>(std::move(bytes));
        const ByteView view = *owner;
        return {std::move(owner), view};
    }
    static SharedBytes borrow(ByteView bytes) { return {nullptr, bytes}; }
    /// A part of `view` with the same owner; `inner` must lie inside it.
    SharedBytes part(ByteView inner) const { return {owner, inner}; }
};

}  // namespace iron::archive
