// Errors are values with a chain (design rule 3). The innermost frame says what is wrong and
// where; each caller may add a frame that says what it was doing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace iron {

/// One link of an error chain. Empty strings and an absent offset mean "not known here".
struct ErrorFrame {
    std::string message;                  ///< what happened or what was being done
    std::string phase;                    ///< e.g. "mission load 4: prototype resolution"
    std::string path;                     ///< file path relative to its root, or as given
    std::string entry;                    ///< archive entry
    std::string object;                   ///< object key, prototype key, player name ...
    std::optional<std::uint64_t> offset;  ///< byte offset in `path`/`entry`
};

/// A failure with a stable code (`trailing_bytes`, `not_found`, `missing_prototype` ...) and its
/// chain, innermost frame first.
class Error {
public:
    Error(std::string code, std::string message) : code_(std::move(code)) {
        frames_.push_back({std::move(message), {}, {}, {}, {}, {}});
    }

    const std::string& code() const { return code_; }
    const std::vector<ErrorFrame>& frames() const { return frames_; }
    const std::string& message() const { return frames_.front().message; }

    /// Setters for the innermost frame, chainable: `Error("x", "y").at(offset).in(path)`.
    Error&& at(std::uint64_t offset) && { frames_.front().offset = offset; return std::move(*this); }
    Error&& in(std::string_view path) && { frames_.front().path = path; return std::move(*this); }
    Error&& entry(std::string_view name) && { frames_.front().entry = name; return std::move(*this); }
    Error&& object(std::string_view key) && { frames_.front().object = key; return std::move(*this); }
    Error&& phase(std::string_view name) && { frames_.front().phase = name; return std::move(*this); }

    /// Adds an outer frame.
    Error&& wrap(ErrorFrame frame) && { frames_.push_back(std::move(frame)); return std::move(*this); }
    Error&& wrap(std::string message) && {
        return std::move(*this).wrap(ErrorFrame{std::move(message), {}, {}, {}, {}, {}});
    }

    /// One line, outermost first: "cannot load mission X: objects.rlb: entry 'r_h_01': ... [code]".
    std::string to_string() const;

private:
    std::string code_;
    std::vector<ErrorFrame> frames_;
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = tl::expected<void, Error>;

/// `return fail("code", "message")` in a function that returns Result or Status.
inline tl::unexpected<Error> fail(std::string code, std::string message) {
    return tl::unexpected(Error(std::move(code), std::move(message)));
}
inline tl::unexpected<Error> fail(std::string code, std::string message, std::uint64_t offset) {
    return tl::unexpected(Error(std::move(code), std::move(message)).at(offset));
}

}  // namespace iron

#define IRON_CONCAT_INNER(a, b) a##b
#define IRON_CONCAT(a, b) IRON_CONCAT_INNER(a, b)

/// `IRON_TRY(auto x, read_something());` returns the error to the caller, else declares x.
#define IRON_TRY_IMPL(tmp, decl, ...)                                  \
    auto tmp = (__VA_ARGS__);                                          \
    if (!tmp) return ::tl::unexpected(std::move(tmp).error());         \
    decl = std::move(*tmp)
#define IRON_TRY(decl, ...) IRON_TRY_IMPL(IRON_CONCAT(iron_try_, __LINE__), decl, __VA_ARGS__)

/// The same for Status.
#define IRON_CHECK(...)                                                      \
    do {                                                                     \
        auto iron_check_ = (__VA_ARGS__);                                    \
        if (!iron_check_) return ::tl::unexpected(std::move(iron_check_).error()); \
    } while (false)

/// Like IRON_TRY, with an outer frame: `IRON_TRY_WRAP(auto x, read(y), "reading " + name);`
#define IRON_TRY_WRAP_IMPL(tmp, decl, expr, frame)                                       \
    auto tmp = (expr);                                                                   \
    if (!tmp) return ::tl::unexpected(::iron::Error(std::move(std::move(tmp).error()).wrap(frame)));\
    decl = std::move(*tmp)
#define IRON_TRY_WRAP(decl, expr, frame) \
    IRON_TRY_WRAP_IMPL(IRON_CONCAT(iron_try_, __LINE__), decl, expr, frame)
