// Codecs that may stand behind netZipData. Nothing about the real one is known (directplay.md 16.1); these are the
// plausible families of 16.2 with all their parameters, so that a recording can be tested against each.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/base/bytes.hpp"

namespace iron::dpcompat {

struct UnpackLimits {
    std::size_t max_plain_bytes = 1024 * 1024;
    std::size_t max_ratio = 1024;
};

struct Unpacked {
    Bytes plain;
    std::size_t consumed = 0;
};

/// A stateless codec with all its parameters fixed.
class NetZipCodec {
public:
    virtual ~NetZipCodec() = default;
    /// Stable text that parse_codec() understands.
    virtual std::string id() const = 0;
    /// Needs the plain size from a header.
    virtual bool needs_length() const { return false; }
    /// Same size in and out: a transform that can stand in front of a packer.
    virtual bool is_transform() const { return false; }
    /// `plain_bytes` when a header tells it. Errors `netzip_input` (not a stream of this codec), `netzip_limit`,
    /// `netzip_length` (size needed, or a different one comes out).
    virtual Result<Unpacked> unpack(ByteView packed, std::optional<std::size_t> plain_bytes, const UnpackLimits& limits) const = 0;
    /// A stream that unpack() undoes. Error `netzip_pack` when this codec cannot express the bytes.
    virtual Result<Bytes> pack(ByteView plain) const = 0;
    /// The first `count` bytes of the plain side, or fewer; empty when the stream is already wrong. Cheap.
    virtual Bytes prefix(ByteView packed, std::size_t count) const = 0;
};
using CodecPtr = std::shared_ptr<const NetZipCodec>;

/// "stored", "lzss-4096-20-fee[-msb][-match1][-min2][-hilen][-rel]", "lzhuf", "deflate-raw", "zlib", "gzip",
/// "lz-endcode", "rle-packbits", "rle-zero", "rle-escape(XX)", "xor-const(XX)", "add-const(XX)", "xor-count(XX)",
/// "xor-stream(XXXX)". Error `netzip_codec`.
Result<CodecPtr> parse_codec(std::string_view id);
/// Every packer with every parameter value of 16.2, without transforms and without `rle-escape` (256 of those).
std::vector<CodecPtr> all_packers();
CodecPtr make_escape_rle(std::uint8_t escape);
CodecPtr make_xor_const(std::uint8_t key);
CodecPtr make_add_const(std::uint8_t key);
CodecPtr make_xor_count(std::uint8_t start);
CodecPtr make_xor_stream(std::uint16_t key);

}  // namespace iron::dpcompat
