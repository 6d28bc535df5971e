#include "dpcompat/netzip/codec.hpp"

#include <charconv>

#include "dpcompat/netzip/codec_families.hpp"

namespace iron::dpcompat {
namespace {

/// The hexadecimal number in "name(XX)".
std::optional<std::uint32_t> argument(std::string_view id, std::string_view name, std::size_t digits) {
    if (id.size() != name.size() + digits + 2 || !id.starts_with(name) || id[name.size()] != '(' || id.back() != ')') return {};
    const std::string_view text = id.substr(name.size() + 1, digits);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    return value;
}

}  // namespace

Result<CodecPtr> parse_codec(std::string_view id) {
    for (const CodecPtr& packer : all_packers())
        if (packer->id() == id) return packer;
    if (const auto v = argument(id, "rle-escape", 2)) return make_escape_rle(static_cast<std::uint8_t>(*v));
    if (const auto v = argument(id, "xor-const", 2)) return make_xor_const(static_cast<std::uint8_t>(*v));
    if (const auto v = argument(id, "add-const", 2)) return make_add_const(static_cast<std::uint8_t>(*v));
    if (const auto v = argument(id, "xor-count", 2)) return make_xor_count(static_cast<std::uint8_t>(*v));
    if (const auto v = argument(id, "xor-stream", 4)) return make_xor_stream(static_cast<std::uint16_t>(*v));
    return fail("netzip_codec", "no codec '" + std::string(id) + "'");
}

std::vector<CodecPtr> all_packers() {
    std::vector<CodecPtr> out;
    out.push_back(make_stored());
    add_lzss(out);
    out.push_back(make_lzhuf());
    out.push_back(make_end_code_lz());
    add_zlib(out);
    add_rle(out);
    return out;
}

}  // namespace iron::dpcompat
