#include "dpcompat/netzip/pipeline.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include <zlib.h>

#include "shared/base/hash.hpp"

namespace iron::dpcompat {
namespace {

struct KindName {
    HeaderField kind;
    std::string_view name;
};
constexpr KindName kKinds[] = {{HeaderField::plain_size, "plain"}, {HeaderField::packed_size, "packed"}, {HeaderField::body_size, "body"},
                               {HeaderField::sum8, "sum8"},        {HeaderField::sum16, "sum16"},        {HeaderField::crc16, "crc16"},
                               {HeaderField::crc32, "crc32"},      {HeaderField::adler32, "adler32"},    {HeaderField::constant, "const"},
                               {HeaderField::flag, "flag"}};

std::string hex(std::uint32_t value) {
    char text[12];
    std::snprintf(text, sizeof text, "%02x", value);
    return text;
}

template <class T>
bool number(std::string_view text, T& out, int base) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

/// CRC-16 with polynomial 0x8005, reflected ("ARC").
std::uint32_t crc16_arc(ByteView bytes) {
    std::uint32_t crc = 0;
    for (std::uint8_t b : bytes) {
        crc ^= b;
        for (int i = 0; i < 8; ++i) crc = crc & 1 ? crc >> 1 ^ 0xA001 : crc >> 1;
    }
    return crc;
}

Result<FramingField> parse_field(std::string_view text) {
    const auto bad = [&] { return fail("netzip_framing", "not a header field: '" + std::string(text) + "'"); };
    const std::size_t dot = text.find('.'), equal = text.find('=');
    FramingField f;
    if (dot == std::string_view::npos || equal == std::string_view::npos || dot > equal || !number(text.substr(0, dot), f.offset, 10) ||
        !number(text.substr(dot + 1, equal - dot - 1), f.bytes, 10) || (f.bytes != 1 && f.bytes != 2 && f.bytes != 4))
        return bad();
    std::string_view kind = text.substr(equal + 1), argument;
    if (const std::size_t open = kind.find('('); open != std::string_view::npos) {
        if (kind.back() != ')') return bad();
        argument = kind.substr(open + 1, kind.size() - open - 2);
        kind = kind.substr(0, open);
    }
    const auto found = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const KindName& k) { return k.name == kind; });
    if (found == std::end(kKinds)) return bad();
    f.kind = found->kind;
    if (f.kind == HeaderField::constant || f.kind == HeaderField::flag) {
        const std::size_t slash = argument.find('/');
        if (!number(argument.substr(0, slash), f.value, 16)) return bad();
        if (slash != std::string_view::npos) {
            std::uint32_t stored = 0;
            if (!number(argument.substr(slash + 1), stored, 16)) return bad();
            f.stored = stored;
        }
    } else if (!argument.empty()) {
        return bad();
    }
    return f;
}

}  // namespace

std::string to_text(const Framing& framing) {
    if (framing.header_bytes == 0) return "none";
    std::string out = "h" + std::to_string(framing.header_bytes);
    char separator = ':';
    for (const FramingField& f : framing.fields) {
        out += separator + std::to_string(f.offset) + "." + std::to_string(f.bytes) + "=";
        for (const KindName& k : kKinds)
            if (k.kind == f.kind) out += k.name;
        if (f.kind == HeaderField::constant || f.kind == HeaderField::flag)
            out += "(" + hex(f.value) + (f.stored ? "/" + hex(*f.stored) : "") + ")";
        separator = ',';
    }
    return out;
}

Result<Framing> parse_framing(std::string_view text) {
    Framing out;
    if (text == "none") return out;
    const std::size_t colon = text.find(':');
    if (text.empty() || text[0] != 'h' || !number(text.substr(1, colon == std::string_view::npos ? colon : colon - 1), out.header_bytes, 10) ||
        out.header_bytes == 0 || out.header_bytes > 64)
        return fail("netzip_framing", "not a framing: '" + std::string(text) + "'");
    std::string_view rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        IRON_TRY(const FramingField field, parse_field(rest.substr(0, comma)));
        if (field.offset + field.bytes > out.header_bytes)
            return fail("netzip_framing", "a field lies outside the header in '" + std::string(text) + "'");
        out.fields.push_back(field);
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    return out;
}

std::uint32_t field_mask(const FramingField& f) { return f.bytes == 4 ? 0xFFFFFFFFu : (1u << (8 * f.bytes)) - 1; }

std::uint32_t read_field(const FramingField& f, ByteView whole) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < f.bytes; ++i) value |= static_cast<std::uint32_t>(whole[f.offset + i]) << (8 * i);
    return value;
}

std::uint32_t field_value(const FramingField& f, std::size_t plain_bytes, ByteView whole, std::size_t header_bytes) {
    const ByteView body = whole.subspan(header_bytes);
    const auto sum = [&] {
        std::uint32_t total = 0;
        for (std::uint8_t b : body) total += b;
        return total;
    };
    std::uint32_t value = 0;
    switch (f.kind) {
        case HeaderField::plain_size: value = static_cast<std::uint32_t>(plain_bytes); break;
        case HeaderField::packed_size: value = static_cast<std::uint32_t>(whole.size()); break;
        case HeaderField::body_size: value = static_cast<std::uint32_t>(body.size()); break;
        case HeaderField::sum8: value = sum() & 0xFF; break;
        case HeaderField::sum16: value = sum() & 0xFFFF; break;
        case HeaderField::crc16: value = crc16_arc(body); break;
        case HeaderField::crc32: value = iron::crc32(body); break;
        case HeaderField::adler32:
            value = static_cast<std::uint32_t>(::adler32(::adler32(0, nullptr, 0), body.data(), static_cast<uInt>(body.size())));
            break;
        case HeaderField::constant:
        case HeaderField::flag: value = f.value; break;
    }
    return value & field_mask(f);
}

std::string Pipeline::id() const {
    std::string out = to_text(framing);
    for (const CodecPtr& c : codecs) out += "/" + c->id();
    return out;
}

Result<Pipeline> parse_pipeline(std::string_view id) {
    Pipeline out;
    std::size_t slash = id.find('/');
    // A flag's two values are separated by a slash inside parentheses.
    const auto next_slash = [&](std::size_t from) {
        int depth = 0;
        for (std::size_t i = from; i < id.size(); ++i) {
            depth += id[i] == '(' ? 1 : id[i] == ')' ? -1 : 0;
            if (id[i] == '/' && depth == 0) return i;
        }
        return std::string_view::npos;
    };
    slash = next_slash(0);
    IRON_TRY(out.framing, parse_framing(id.substr(0, slash)));
    while (slash != std::string_view::npos) {
        const std::size_t start = slash + 1;
        slash = next_slash(start);
        IRON_TRY(CodecPtr codec, parse_codec(id.substr(start, slash == std::string_view::npos ? slash : slash - start)));
        out.codecs.push_back(std::move(codec));
    }
    if (out.codecs.empty()) return fail("netzip_codec", "a pipeline needs a codec: '" + std::string(id) + "'");
    if (out.codecs.size() > 4) return fail("netzip_codec", "a pipeline has at most four codecs");
    return out;
}

Result<PipelineOutput> Pipeline::unpack(ByteView payload, const UnpackLimits& limits) const {
    if (payload.size() < framing.header_bytes) return fail("netzip_header", "shorter than its header");
    PipelineOutput out;
    out.header.assign(payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(framing.header_bytes));
    std::optional<std::size_t> plain_bytes;
    for (const FramingField& f : framing.fields) {
        const std::uint32_t value = read_field(f, payload);
        if (f.kind == HeaderField::plain_size) {
            plain_bytes = value;
        } else if (f.kind == HeaderField::flag && f.stored && value == *f.stored) {
            out.stored = true;
        } else if (value != field_value(f, 0, payload, framing.header_bytes)) {
            return fail("netzip_header", "header field at " + std::to_string(f.offset) + " contradicts the payload");
        }
    }
    if (plain_bytes && *plain_bytes > limits.max_plain_bytes) return fail("netzip_limit", "a size of " + std::to_string(*plain_bytes));
    const ByteView body = payload.subspan(framing.header_bytes);
    Bytes bytes(body.begin(), body.end());
    if (!out.stored) {
        for (std::size_t i = 0; i < codecs.size(); ++i) {
            const bool last = i + 1 == codecs.size();
            IRON_TRY(Unpacked step, codecs[i]->unpack(bytes, last ? plain_bytes : std::nullopt, limits));
            if (step.consumed != bytes.size())
                return fail("netzip_rest", std::to_string(bytes.size() - step.consumed) + " bytes behind the packed stream");
            bytes = std::move(step.plain);
        }
    }
    if (plain_bytes && bytes.size() != *plain_bytes) return fail("netzip_length", "another size than the header says");
    out.plain = std::move(bytes);
    return out;
}

Result<Bytes> Pipeline::pack(ByteView plain, const PipelineOutput* facts) const {
    Bytes body(plain.begin(), plain.end());
    const bool stored = facts != nullptr && facts->stored;
    if (!stored)
        for (auto codec = codecs.rbegin(); codec != codecs.rend(); ++codec) {
            IRON_TRY(body, (*codec)->pack(body));
        }
    Bytes whole(framing.header_bytes, 0);
    if (facts != nullptr && facts->header.size() == framing.header_bytes) whole = facts->header;
    whole.insert(whole.end(), body.begin(), body.end());
    for (const FramingField& f : framing.fields) {
        std::uint32_t value = field_value(f, plain.size(), whole, framing.header_bytes);
        if (f.kind == HeaderField::flag && stored && f.stored) value = *f.stored;
        for (std::size_t i = 0; i < f.bytes; ++i) whole[f.offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
    return whole;
}

}  // namespace iron::dpcompat
