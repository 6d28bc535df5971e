#include "shared/asset/control_resource.hpp"

#include <algorithm>

namespace iron::asset {

namespace {

constexpr std::int32_t kItemTypes[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x08, 0x09, 0x0A, 0x0F,
                                       0x11, 0x13, 0x14, 0x15, 0x16, 0x1A, 0x1B, 0x1E};
constexpr std::uint32_t kOpcodes[] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x07, 0x08, 0x09, 0x0A,
                                      0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x11, 0x12, 0x13, 0x14, 0x15,
                                      0x16, 0x17, 0x18, 0x19, 0x1B, 0x1D, 0x1E, 0x1F, 0x23, 0x28,
                                      0x29, 0x2A, 0x2B, 0x2F};

template <class List, class T>
bool contains(const List& list, T value) {
    return std::find(std::begin(list), std::end(list), value) != std::end(list);
}

// Reads the sections in order; the first one that does not fit ends the attempt.
class CtlReader {
public:
    explicit CtlReader(ByteView bytes) : in_(bytes) {}

    Result<ControlResource> read() {
        ControlResource out;
        IRON_TRY(const std::uint32_t states, in_.u32("state count"));
        IRON_TRY(out.link_slots, in_.u32("link slots"));
        IRON_TRY(const std::uint32_t bindings, in_.u32("binding count"));
        IRON_TRY(const std::uint32_t items, in_.u32("item count"));
        IRON_TRY(const std::uint32_t lists, in_.u32("command list count"));
        IRON_CHECK(root(out.root));
        IRON_CHECK(state_table(out, states));
        IRON_CHECK(in_.require_count(bindings, 48, "piece bindings"));
        out.bindings.resize(bindings);
        for (auto& item : out.bindings) IRON_CHECK(binding(item));
        IRON_CHECK(in_.require_count(items, 184, "items"));
        out.items.resize(items);
        for (auto& entry : out.items) IRON_CHECK(item(entry));
        for (auto& hook : out.hooks) {
            IRON_TRY(hook, in_.i32("hook"));
        }
        IRON_CHECK(in_.require_count(lists, 4, "command lists"));
        out.command_lists.resize(lists);
        for (auto& list : out.command_lists) IRON_CHECK(commands(list));
        IRON_CHECK(in_.expect_end("control resource"));
        return out;
    }

    std::size_t remaining() const { return in_.remaining(); }

private:
    Status vec3(Vec3& out) {
        IRON_TRY(out.x, in_.f32("vector"));
        IRON_TRY(out.y, in_.f32("vector"));
        IRON_TRY(out.z, in_.f32("vector"));
        return {};
    }

    Status root(CtlRoot& out) {
        IRON_CHECK(vec3(out.max_tangential_acceleration));
        for (auto& word : out.opaque0c) {
            IRON_TRY(word, in_.u32("root parameter"));
        }
        IRON_CHECK(vec3(out.max_tangential_speed));
        IRON_CHECK(vec3(out.max_angular_speed));
        IRON_CHECK(vec3(out.torque_response));
        IRON_CHECK(vec3(out.visual_euler_limit));
        IRON_TRY(out.cleanup_delay_ms, in_.i32("cleanup delay"));
        IRON_TRY(out.opaque4c, in_.f32("root parameter"));
        IRON_TRY(out.opaque50, in_.f32("root parameter"));
        IRON_TRY(out.physics_mode, in_.i32("physics mode"));
        IRON_TRY(out.opaque58, in_.f32("root parameter"));
        IRON_TRY(out.slope_limit, in_.f32("slope limit"));
        IRON_TRY(out.opaque60, in_.u32("root parameter"));
        IRON_TRY(out.opaque64, in_.f32("root parameter"));
        IRON_TRY(out.mobility_integrity, in_.f32("mobility integrity"));
        return {};
    }

    Status state_table(ControlResource& out, std::uint32_t count) {
        std::uint64_t link_bytes = 0, size = 0, edges = 0;
        if (!checked_mul(out.link_slots, 16, link_bytes) || !checked_add(0x9C, link_bytes, size) ||
            !checked_mul(count, count, edges))
            return fail("size_overflow", "state table");
        IRON_CHECK(in_.require_count(count, size, "states"));
        out.states.resize(count);
        for (auto& state : out.states) {
            IRON_TRY(const ByteView body, in_.view(state.body.size(), "state"));
            std::copy(body.begin(), body.end(), state.body.begin());
            state.links.resize(out.link_slots);
            for (auto& link : state.links)
                for (auto& word : link) {
                    IRON_TRY(word, in_.u32("state link"));
                }
        }
        IRON_CHECK(in_.require_count(edges, 4, "edge matrix"));
        out.edges.resize(static_cast<std::size_t>(edges));
        for (auto& weight : out.edges) {
            IRON_TRY(weight, in_.f32("edge weight"));
        }
        return {};
    }

    Status binding(CtlBinding& out) {
        IRON_TRY(out.piece, in_.i32("binding"));
        IRON_TRY(out.animation1_start, in_.f32("binding"));
        IRON_TRY(out.animation1_end, in_.f32("binding"));
        IRON_TRY(out.animation2_start, in_.f32("binding"));
        IRON_TRY(out.animation2_end, in_.f32("binding"));
        IRON_TRY(out.blend, in_.f32("binding"));
        IRON_TRY(out.default_value, in_.f32("binding"));
        IRON_TRY(out.primary_point, in_.i32("binding"));
        IRON_TRY(out.secondary_point, in_.i32("binding"));
        IRON_TRY(out.opaque24, in_.f32("binding"));
        IRON_TRY(out.opaque28, in_.f32("binding"));
        IRON_TRY(out.flags, in_.u32("binding"));
        return {};
    }

    Status item(CtlItem& out) {
        IRON_TRY(out.type, in_.i32("item type"));
        IRON_TRY(out.piece, in_.i32("item piece"));
        IRON_TRY(out.flags, in_.u32("item flags"));
        for (auto& word : out.optional_index) {
            IRON_TRY(word, in_.i32("item index"));
        }
        IRON_TRY(out.link_index, in_.i32("item link"));
        IRON_TRY(out.mobility, in_.u32("item mobility"));
        for (auto& value : out.opaque) {
            IRON_TRY(value, in_.f32("item parameter"));
        }
        for (auto& value : out.parameters) {
            IRON_TRY(value, in_.f32("item parameter"));
        }
        IRON_TRY(out.resource, read_ref64(in_, "item resource"));
        IRON_TRY(const std::uint32_t bindings, in_.u32("item bindings"));
        IRON_CHECK(in_.require_count(bindings, 4, "item bindings"));
        out.bindings.resize(bindings);
        for (auto& index : out.bindings) {
            IRON_TRY(index, in_.i32("item binding"));
        }
        IRON_TRY(const std::int32_t length, in_.i32("item name length"));
        if (length < 0) return fail("ctld_name_length", "negative item name length");
        if (length == 0) return {};
        IRON_TRY(const ByteView name, in_.view(static_cast<std::uint64_t>(length) + 1, "item name"));
        out.name.assign(name.begin(), name.end());
        return {};
    }

    Status commands(std::vector<CtlCommand>& out) {
        IRON_TRY(const std::uint32_t count, in_.u32("command count"));
        IRON_CHECK(in_.require_count(count, 0x64, "commands"));
        out.resize(count);
        for (auto& command : out) {
            IRON_TRY(command.condition_flags, in_.u32("command"));
            IRON_TRY(command.condition_mask, in_.u32("command"));
            IRON_TRY(command.condition_invert, in_.u32("command"));
            IRON_TRY(command.opcode, in_.u32("command"));
            for (auto& argument : command.arguments) {
                IRON_TRY(argument, in_.u32("command"));
            }
            IRON_TRY(command.resource, read_ref64(in_, "command resource"));
        }
        return {};
    }

    ByteReader in_;
};

void put_vec3(ByteWriter& out, const Vec3& v) {
    out.f32(v.x);
    out.f32(v.y);
    out.f32(v.z);
}

void put_root(ByteWriter& out, const CtlRoot& root) {
    put_vec3(out, root.max_tangential_acceleration);
    for (const auto word : root.opaque0c) out.u32(word);
    put_vec3(out, root.max_tangential_speed);
    put_vec3(out, root.max_angular_speed);
    put_vec3(out, root.torque_response);
    put_vec3(out, root.visual_euler_limit);
    out.i32(root.cleanup_delay_ms);
    out.f32(root.opaque4c);
    out.f32(root.opaque50);
    out.i32(root.physics_mode);
    out.f32(root.opaque58);
    out.f32(root.slope_limit);
    out.u32(root.opaque60);
    out.f32(root.opaque64);
    out.f32(root.mobility_integrity);
}

void put_binding(ByteWriter& out, const CtlBinding& item) {
    out.i32(item.piece);
    out.f32(item.animation1_start);
    out.f32(item.animation1_end);
    out.f32(item.animation2_start);
    out.f32(item.animation2_end);
    out.f32(item.blend);
    out.f32(item.default_value);
    out.i32(item.primary_point);
    out.i32(item.secondary_point);
    out.f32(item.opaque24);
    out.f32(item.opaque28);
    out.u32(item.flags);
}

void put_item(ByteWriter& out, const CtlItem& item) {
    out.i32(item.type);
    out.i32(item.piece);
    out.u32(item.flags);
    for (const auto word : item.optional_index) out.i32(word);
    out.i32(item.link_index);
    out.u32(item.mobility);
    for (const auto value : item.opaque) out.f32(value);
    for (const auto value : item.parameters) out.f32(value);
    write_ref64(out, item.resource);
    out.u32(static_cast<std::uint32_t>(item.bindings.size()));
    for (const auto index : item.bindings) out.i32(index);
    // A lone NUL cannot be stored: a name of length 0 has no bytes at all.
    const bool named = item.name.size() > 1;
    out.i32(named ? static_cast<std::int32_t>(item.name.size() - 1) : 0);
    if (named) out.bytes(item.name);
}

void put_command(ByteWriter& out, const CtlCommand& command) {
    out.u32(command.condition_flags);
    out.u32(command.condition_mask);
    out.u32(command.condition_invert);
    out.u32(command.opcode);
    for (const auto argument : command.arguments) out.u32(argument);
    write_ref64(out, command.resource);
}

void check_inside(const ControlResource& value, ReadContext& context) {
    const auto lists = static_cast<std::int64_t>(value.command_lists.size());
    for (std::size_t i = 0; i < value.hooks.size(); ++i)
        if (value.hooks[i] < -1 || value.hooks[i] >= lists)
            context.warn("ctld_hook_range", "hook " + std::to_string(i) + " names command list " +
                                                std::to_string(value.hooks[i]));
    const auto bindings = static_cast<std::int64_t>(value.bindings.size());
    for (std::size_t i = 0; i < value.items.size(); ++i) {
        const CtlItem& item = value.items[i];
        if (!contains(kItemTypes, item.type))
            context.warn("ctld_unknown_item", "item " + std::to_string(i) + " has type " +
                                                  std::to_string(item.type));
        for (const auto index : item.bindings)
            if (index < 0 || index >= bindings)
                context.warn("ctld_binding_range", "item " + std::to_string(i) + " names binding " +
                                                       std::to_string(index));
    }
    for (const auto& list : value.command_lists)
        for (const auto& command : list)
            if (!contains(kOpcodes, command.opcode))
                context.warn("ctld_unknown_opcode", "opcode " + std::to_string(command.opcode));
}

}  // namespace

std::string_view CtlItem::name_text() const {
    const std::string_view text = as_text(name);
    return text.substr(0, text.find('\0'));
}

Result<ControlResource> read_control_resource(ByteView bytes, ReadContext& context) {
    if (bytes.size() < 20)
        return fail("truncated", "a control resource needs 20 bytes for its counters, " +
                                     std::to_string(bytes.size()) + " are there", bytes.size());
    CtlReader reader(bytes);
    auto parsed = reader.read();
    if (parsed) {
        check_inside(*parsed, context);
        return parsed;
    }
    // Not rejected: the true layout of some payloads is not settled (objects.md 12.8).
    ControlResource out;
    for (std::size_t i = 0; i < out.raw_counters.size(); ++i)
        out.raw_counters[i] = load_le<std::uint32_t>(bytes.data() + 4 * i);
    out.raw.assign(bytes.begin(), bytes.end());
    const bool early = parsed.error().code() == "trailing_bytes";
    if (early) out.residual = static_cast<std::int64_t>(reader.remaining());
    context.warn("ctld_layout_residual",
                 early ? std::to_string(reader.remaining()) + " bytes are left after the layout"
                       : "the layout does not fit: " + parsed.error().message(),
                 parsed.error().frames().front().offset);
    return out;
}

Bytes write_control_resource(const ControlResource& value) {
    if (!value.parsed()) return value.raw;
    ByteWriter out;
    out.u32(static_cast<std::uint32_t>(value.states.size()));
    out.u32(value.link_slots);
    out.u32(static_cast<std::uint32_t>(value.bindings.size()));
    out.u32(static_cast<std::uint32_t>(value.items.size()));
    out.u32(static_cast<std::uint32_t>(value.command_lists.size()));
    put_root(out, value.root);
    for (const auto& state : value.states) {
        out.bytes(state.body);
        for (const auto& link : state.links)
            for (const auto word : link) out.u32(word);
    }
    for (const float weight : value.edges) out.f32(weight);
    for (const auto& item : value.bindings) put_binding(out, item);
    for (const auto& item : value.items) put_item(out, item);
    for (const auto hook : value.hooks) out.i32(hook);
    for (const auto& list : value.command_lists) {
        out.u32(static_cast<std::uint32_t>(list.size()));
        for (const auto& command : list) put_command(out, command);
    }
    return out.take();
}

ControlResource make_control_resource() {
    ControlResource out;
    out.hooks.fill(-1);
    return out;
}

void check_control_resource(const ControlResource& value, std::uint32_t node_count,
                            std::uint32_t control_point_count, ReadContext& context) {
    const auto bad_point = [&](std::int32_t point) {
        return point < -1 || point >= static_cast<std::int64_t>(control_point_count);
    };
    const auto bad_piece = [&](std::int32_t piece) {
        return piece < 0 || static_cast<std::uint32_t>(piece) >= node_count;
    };
    for (std::size_t i = 0; i < value.bindings.size(); ++i) {
        const auto& item = value.bindings[i];
        if (bad_point(item.primary_point) || bad_point(item.secondary_point))
            context.warn("ctld_point_range", "binding " + std::to_string(i) +
                                                 " names a control point that does not exist");
        if (bad_piece(item.piece))
            context.warn("ctld_piece_range", "binding " + std::to_string(i) +
                                                 " names a piece the model does not have");
    }
    for (std::size_t i = 0; i < value.items.size(); ++i)
        if (bad_piece(value.items[i].piece))
            context.warn("ctld_piece_range", "item " + std::to_string(i) +
                                                 " names a piece the model does not have");
}

}  // namespace iron::asset
