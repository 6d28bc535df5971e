// How a packed payload is built: framing bytes, then codecs from the outside in. Source: directplay.md 16.3.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dpcompat/netzip/codec.hpp"

namespace iron::dpcompat {

enum class HeaderField : std::uint8_t {
    plain_size,   ///< bytes after unpacking
    packed_size,  ///< bytes of the whole payload
    body_size,    ///< bytes behind the header
    sum8, sum16,  ///< additive checksum of the body
    crc16, crc32, adler32,
    constant,     ///< always the same value
    flag          ///< few values; `stored` marks the one that means "not packed"
};

struct FramingField {
    std::size_t offset = 0;
    std::size_t bytes = 1;  ///< 1, 2 or 4
    HeaderField kind = HeaderField::constant;
    std::uint32_t value = 0;                ///< of constant; the packed value of flag
    std::optional<std::uint32_t> stored;    ///< of flag
    bool operator==(const FramingField&) const = default;
};

/// A header of fixed length. Bytes without a field are carried as they came.
struct Framing {
    std::size_t header_bytes = 0;
    std::vector<FramingField> fields;
    bool operator==(const Framing&) const = default;
};
/// "none"; "h4:0.4=plain"; "h5:0.1=flag(04/03),1.2=sum16,3.2=packed": offset.width=kind, numbers in decimal, values
/// in hexadecimal.
std::string to_text(const Framing& framing);
/// Error `netzip_framing`.
Result<Framing> parse_framing(std::string_view text);
/// Value of a field computed from the parts of a payload.
std::uint32_t field_value(const FramingField& field, std::size_t plain_bytes, ByteView whole, std::size_t header_bytes);
std::uint32_t read_field(const FramingField& field, ByteView whole);
std::uint32_t field_mask(const FramingField& field);

struct PipelineOutput {
    Bytes plain;
    Bytes header;         ///< as received: needed to repack
    bool stored = false;  ///< the flag said so
};

struct Pipeline {
    Framing framing;
    std::vector<CodecPtr> codecs;  ///< in the order of unpacking

    /// "h4:0.4=plain/xor-const(5a)/lzss-4096-20-fee".
    std::string id() const;
    /// Consumes exactly the payload. Errors of the codecs, `netzip_header` (a field contradicts), `netzip_rest`.
    Result<PipelineOutput> unpack(ByteView payload, const UnpackLimits& limits = {}) const;
    /// `facts`: header and stored mark of a message of this kind; unknown header bytes are taken from it, zero
    /// without. Errors of the codecs.
    Result<Bytes> pack(ByteView plain, const PipelineOutput* facts = nullptr) const;
};
/// Error `netzip_framing`, `netzip_codec`.
Result<Pipeline> parse_pipeline(std::string_view id);

}  // namespace iron::dpcompat
