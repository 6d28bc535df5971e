#include "dpcompat/wire/stream.hpp"

namespace iron::dpcompat {

Result<std::optional<Bytes>> StreamFramer::next() {
    const ByteView rest = ByteView(buffer_).subspan(at_);
    const auto wait = [&] {
        buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_));
        at_ = 0;
        return std::optional<Bytes>();
    };
    if (rest.size() < kSpHeaderBytes) return wait();
    const std::uint32_t size = load_le<std::uint32_t>(rest.data()) & kMaxSpSize;
    // Four more bytes tell a system message from a player message, which have different limits.
    if (size >= kSpHeaderBytes + 4 && rest.size() < kSpHeaderBytes + 4) return wait();
    IRON_CHECK(check_block(rest, false, policy_));
    if (rest.size() < size) return wait();
    Bytes block(rest.begin(), rest.begin() + size);
    at_ += size;
    return std::optional<Bytes>(std::move(block));
}

}  // namespace iron::dpcompat
