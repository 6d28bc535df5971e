#include "protocol/registry.hpp"

#include <charconv>
#include <vector>

#include <flatbuffers/reflection_generated.h>

#include "protocol/binary_schema.hpp"

namespace iron::protocol {
namespace {

std::string_view attribute(const reflection::Object& object, const char* key) {
    if (object.attributes() == nullptr) return {};
    const auto* found = object.attributes()->LookupByKey(key);
    return found && found->value() ? found->value()->string_view() : std::string_view{};
}

std::uint16_t parse_key(std::string_view text) {
    std::uint16_t key = 0;
    if (text.starts_with("0x")) std::from_chars(text.data() + 2, text.data() + text.size(), key, 16);
    return key;
}

/// "2 1" -> bits 2 and 1; `usual` becomes the first.
std::uint8_t parse_channels(std::string_view text, Channel& usual) {
    std::uint8_t mask = 0;
    for (char c : text) {
        if (c < '0' || c >= '0' + kChannelCount) continue;
        if (mask == 0) usual = static_cast<Channel>(c - '0');
        mask = static_cast<std::uint8_t>(mask | 1u << (c - '0'));
    }
    return mask;
}

std::vector<MessageInfo> read_rows() {
    std::vector<MessageInfo> rows;
    const auto& schema = envelope_schema();
    const auto* body = schema.enums()->LookupByKey("iron.protocol.Body");
    for (const auto* member : *body->values()) {
        if (member->value() == 0) continue;
        const auto& table = *schema.objects()->Get(static_cast<flatbuffers::uoffset_t>(member->union_type()->index()));
        MessageInfo row;
        row.body = static_cast<Body>(member->value());
        row.name = member->name()->str();
        row.key = parse_key(attribute(table, "stable_key"));
        row.client_channels = parse_channels(attribute(table, "from_client"), row.client_channel);
        row.server_channels = parse_channels(attribute(table, "from_server"), row.server_channel);
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

std::string_view to_string(Channel channel) {
    constexpr std::string_view names[kChannelCount] = {"control", "events", "state", "text", "bulk", "input"};
    const auto n = static_cast<std::uint8_t>(channel);
    return n < kChannelCount ? names[n] : "unknown";
}

std::span<const MessageInfo> messages() {
    static const std::vector<MessageInfo> rows = read_rows();
    return rows;
}

const MessageInfo* find_message(Body body) {
    const auto all = messages();
    const auto n = static_cast<std::size_t>(body);  // members are numbered 1.. without gaps
    return n >= 1 && n <= all.size() ? &all[n - 1] : nullptr;
}

const MessageInfo* find_message(std::uint16_t key) {
    for (const auto& row : messages())
        if (row.key == key) return &row;
    return nullptr;
}

bool is_allowed(Body body, Direction from, Channel channel) {
    const MessageInfo* row = find_message(body);
    return row && static_cast<std::uint8_t>(channel) < kChannelCount &&
           (row->channels(from) >> static_cast<unsigned>(channel) & 1u) != 0;
}

}  // namespace iron::protocol
