#include "dpcompat/wire/basics.hpp"

#include <cstdio>

#include "shared/base/text.hpp"

namespace iron::dpcompat {
namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c = ascii_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void append_utf8(std::string& out, std::uint32_t c) {
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0 | (c >> 6));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0 | (c >> 12));
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | (c >> 18));
        out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    }
}

}  // namespace

std::string to_string(const Guid& guid) {
    const auto& b = guid.bytes;
    char text[40];
    std::snprintf(text, sizeof text, "{%02X%02X%02X%02X-%02X%02X-%02X%02X-%02X%02X-%02X%02X%02X%02X%02X%02X}", b[3], b[2],
                  b[1], b[0], b[5], b[4], b[7], b[6], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
    return text;
}

Result<Guid> parse_guid(std::string_view text) {
    if (text.size() == 38 && text.front() == '{' && text.back() == '}') text = text.substr(1, 36);
    static constexpr int kOrder[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
    if (text.size() != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-')
        return fail("bad_guid", "not a GUID: '" + std::string(text) + "'");
    Guid guid;
    std::size_t at = 0;
    for (int place : kOrder) {
        if (text[at] == '-') ++at;
        const int high = hex_digit(text[at]), low = hex_digit(text[at + 1]);
        if (high < 0 || low < 0) return fail("bad_guid", "not a GUID: '" + std::string(text) + "'");
        guid.bytes[static_cast<std::size_t>(place)] = static_cast<std::uint8_t>(high * 16 + low);
        at += 2;
    }
    return guid;
}

std::string ip_text(Ipv4 ip) {
    return std::to_string(ip >> 24) + "." + std::to_string((ip >> 16) & 0xFF) + "." + std::to_string((ip >> 8) & 0xFF) + "." +
           std::to_string(ip & 0xFF);
}

std::string to_string(const Endpoint& endpoint) { return ip_text(endpoint.ip) + ":" + std::to_string(endpoint.port); }

Result<Ipv4> parse_ipv4(std::string_view text) {
    Ipv4 ip = 0;
    std::string_view rest = text;
    for (int part = 0; part < 4; ++part) {
        const std::size_t dot = part < 3 ? rest.find('.') : rest.size();
        std::int64_t value = -1;
        if (dot == std::string_view::npos || dot == 0 || dot > 3 || !parse_i64(rest.substr(0, dot), value) || value < 0 ||
            value > 255)
            return fail("bad_address", "not an IPv4 address: '" + std::string(text) + "'");
        ip = ip << 8 | static_cast<std::uint32_t>(value);
        rest = part < 3 ? rest.substr(dot + 1) : std::string_view();
    }
    return ip;
}

bool is_lan_address(Ipv4 ip) {
    return (ip >> 24) == 10 || (ip >> 24) == 127 || (ip >> 20) == 0xAC1 || (ip >> 16) == 0xC0A8 || (ip >> 16) == 0xA9FE;
}

std::string to_utf8(std::u16string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::uint32_t c = text[i];
        if (c >= 0xD800 && c < 0xDC00 && i + 1 < text.size() && text[i + 1] >= 0xDC00 && text[i + 1] < 0xE000) {
            c = 0x10000 + ((c - 0xD800) << 10) + (static_cast<std::uint32_t>(text[i + 1]) - 0xDC00);
            ++i;
        } else if (c >= 0xD800 && c < 0xE000) {
            c = 0xFFFD;
        }
        append_utf8(out, c);
    }
    return out;
}

Text16 to_text16(std::string_view utf8) {
    Text16 out;
    for (std::size_t i = 0; i < utf8.size();) {
        const auto lead = static_cast<std::uint8_t>(utf8[i]);
        const std::size_t length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
        if (length == 0 || i + length > utf8.size() || !is_valid_utf8(utf8.substr(i, length))) {
            out += char16_t{0xFFFD};
            ++i;
            continue;
        }
        std::uint32_t c = length == 1 ? lead : lead & (0xFFu >> (length + 1));
        for (std::size_t k = 1; k < length; ++k) c = c << 6 | (static_cast<std::uint8_t>(utf8[i + k]) & 0x3Fu);
        if (c >= 0x10000) {
            out += static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10));
            out += static_cast<char16_t>(0xDC00 + ((c - 0x10000) & 0x3FF));
        } else {
            out += static_cast<char16_t>(c);
        }
        i += length;
    }
    return out;
}

std::string result_name(HResult result) {
    struct Row {
        std::uint32_t low;
        const char* name;
    };
    static constexpr Row kRows[] = {
        {0x05, "ALREADYINITIALIZED"}, {0x0A, "ACCESSDENIED"},      {0x14, "ACTIVEPLAYERS"},  {0x1E, "BUFFERTOOSMALL"},
        {0x28, "CANTADDDPLAYER"},     {0x3C, "CANTCREATEPLAYER"},  {0x46, "CANTCREATESESSION"}, {0x78, "INVALIDFLAGS"},
        {0x82, "INVALIDOBJECT"},      {0x96, "INVALIDPLAYER"},     {0x9B, "INVALIDGROUP"},   {0xAA, "NOCONNECTION"},
        {0xBE, "NOMESSAGES"},         {0xC8, "NONAMESERVERFOUND"}, {0xD2, "NOPLAYERS"},      {0xDC, "NOSESSIONS"},
        {0xE6, "SENDTOOBIG"},         {0xF0, "TIMEOUT"},           {0xFA, "UNAVAILABLE"},    {0x10E, "BUSY"},
        {0x118, "USERCANCEL"},        {0x12C, "PLAYERLOST"},       {0x136, "SESSIONLOST"},   {0x140, "UNINITIALIZED"},
        {0x14A, "NONEWPLAYERS"},      {0x154, "INVALIDPASSWORD"},  {0x15E, "CONNECTING"},    {0x168, "CONNECTIONLOST"},
    };
    if (result == kDpOk) return "OK";
    if ((result >> 16) == 0x8877)
        for (const Row& row : kRows)
            if (row.low == (result & 0xFFFF)) return row.name;
    char text[16];
    std::snprintf(text, sizeof text, "0x%08X", result);
    return text;
}

}  // namespace iron::dpcompat
