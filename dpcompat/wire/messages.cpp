#include "dpcompat/wire/messages.hpp"

#include <algorithm>

#include "dpcompat/wire/body_codec.hpp"

namespace iron::dpcompat {

Message make_message(Command command, Body body, std::uint16_t version) {
    Message out;
    out.command = static_cast<std::uint16_t>(command);
    out.version = version;
    out.body = std::move(body);
    return out;
}

Result<Message> read_message(ByteView bytes) {
    if (bytes.size() < 8) return fail("dp_size", "a system message needs 8 bytes, " + std::to_string(bytes.size()) + " are here");
    if (!has_play(bytes, 0)) return fail("dp_signature", "the message does not begin with 'play'");
    Message out;
    out.command = load_le<std::uint16_t>(bytes.data() + 4);
    out.version = load_le<std::uint16_t>(bytes.data() + 6);
    IRON_TRY(out.body, read_body(out.command, bytes));
    const Bytes usual = write_body(out.body);
    const ByteView body = bytes.subspan(8);
    if (body.size() >= usual.size() && std::equal(usual.begin(), usual.end(), body.begin()))
        out.trailing.assign(body.begin() + static_cast<std::ptrdiff_t>(usual.size()), body.end());
    else
        out.irregular.assign(body.begin(), body.end());
    return out;
}

Bytes write_message(const Message& message) {
    ByteWriter out;
    out.u32(kPlaySignature);
    out.u16(message.command);
    out.u16(message.version);
    if (!message.irregular.empty()) {
        Bytes received = out.buffer();
        received.insert(received.end(), message.irregular.begin(), message.irregular.end());
        if (const auto again = read_body(message.command, received); again && *again == message.body) return received;
    }
    out.bytes(write_body(message.body));
    out.bytes(message.trailing);
    return out.take();
}

Result<Block> read_block(ByteView bytes, bool no_message_id) {
    Block out;
    IRON_TRY(out.header, read_sp_header(bytes));
    const ByteView rest = bytes.subspan(kSpHeaderBytes);
    if (has_play(rest, 0)) {
        IRON_TRY(out.content, read_message(rest));
    } else {
        IRON_TRY(out.content, read_bare_player_message(rest, no_message_id));
    }
    return out;
}

Bytes write_block(const Block& block, bool no_message_id) {
    const Bytes content = block.message() ? write_message(*block.message()) : write_bare_player_message(*block.player(), no_message_id);
    SpHeader header = block.header;
    header.size = static_cast<std::uint32_t>(kSpHeaderBytes + content.size());
    ByteWriter out;
    write_sp_header(out, header);
    out.bytes(content);
    return out.take();
}

Bytes frame_message(const Message& message, std::uint16_t tcp_port) {
    Block block;
    block.header.address.endpoint.port = tcp_port;
    block.content = message;
    return write_block(block);
}

Bytes frame_player_message(const PlayerMessage& message, std::uint16_t tcp_port, bool no_message_id) {
    Block block;
    block.header.address.endpoint.port = tcp_port;
    block.content = message;
    return write_block(block, no_message_id);
}

Result<PlayerMessage> read_bare_player_message(ByteView bytes, bool no_message_id) {
    PlayerMessage out;
    if (!no_message_id) {
        if (bytes.size() < 8) return fail("dp_size", "a player message needs 8 bytes for its ids");
        out.from = load_le<std::uint32_t>(bytes.data());
        out.to = load_le<std::uint32_t>(bytes.data() + 4);
        bytes = bytes.subspan(8);
    }
    out.data.assign(bytes.begin(), bytes.end());
    return out;
}

Bytes write_bare_player_message(const PlayerMessage& message, bool no_message_id) {
    ByteWriter out;
    if (!no_message_id) {
        out.u32(message.from);
        out.u32(message.to);
    }
    out.bytes(message.data);
    return out.take();
}

}  // namespace iron::dpcompat
