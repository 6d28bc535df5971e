#include "shared/base/bytes.hpp"

namespace iron {

Status ByteReader::require_count(std::uint64_t count, std::uint64_t min_size,
                                 std::string_view what) const {
    std::uint64_t need = 0;
    if (!checked_mul(count, min_size, need) || need > remaining()) {
        return fail("count_too_large",
                    std::string(what) + ": " + std::to_string(count) + " elements of at least " +
                        std::to_string(min_size) + " bytes do not fit into the " +
                        std::to_string(remaining()) + " bytes that remain",
                    offset());
    }
    return {};
}

Status ByteReader::expect_end(std::string_view what) const {
    if (at_end()) return {};
    return fail("trailing_bytes",
                std::string(what) + ": " + std::to_string(remaining()) + " bytes after the end",
                offset());
}

tl::unexpected<Error> ByteReader::fail_truncated(std::string_view what, std::uint64_t need) const {
    return fail("truncated",
                std::string(what) + ": needs " + std::to_string(need) + " bytes, " +
                    std::to_string(remaining()) + " remain",
                offset());
}

}  // namespace iron
