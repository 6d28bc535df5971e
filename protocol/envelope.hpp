// One message on the wire: a size-prefixed FlatBuffer whose root is an Envelope (net-messages.md 7.2). Encoding,
// and everything that must hold before a field of a received one may be read.
#pragma once

#include <cstdint>
#include <vector>

#include "protocol/messages.hpp"
#include "protocol/registry.hpp"
#include "shared/base/bytes.hpp"

namespace iron::protocol {

/// The fields of an Envelope besides its body.
struct Head {
    std::uint16_t sender = 0;    ///< player number, 0 = server
    std::uint32_t sequence = 0;  ///< per sender and channel
    std::uint64_t tick = 0;      ///< server tick, 0 before the start
    std::uint32_t native = kNoNative;
};

/// First byte of a packet on the state channel; packets of other channels have no such byte.
inline constexpr std::uint8_t kStateTag = 0;     ///< StateHeader and the dense stream follow
inline constexpr std::uint8_t kEnvelopeTag = 1;  ///< a size-prefixed Envelope follows

/// Finishes `builder` with `body` and returns the packet for `channel`, ready to send.
Bytes finish_packet(flatbuffers::FlatBufferBuilder& builder, Body type, flatbuffers::Offset<void> body,
                    const Head& head, Channel channel);

/// The same with the union member deduced from the table type:
/// `pack(b, CreateTickEnd(b, 3), head, Channel::events)`.
template <class Table>
Bytes pack(flatbuffers::FlatBufferBuilder& builder, flatbuffers::Offset<Table> body, const Head& head,
           Channel channel) {
    return finish_packet(builder, BodyTraits<Table>::enum_value, body.Union(), head, channel);
}

/// Checks `buffer` (without the tag byte of the state channel; aligned to 8 bytes, error `unaligned`) and returns
/// its root. Errors, all protocol errors: `packet_too_large`, `bad_length`, `bad_identifier`, `bad_flatbuffer`,
/// `unknown_message`, `not_allowed`, and those of SemanticChecker.
Result<const Envelope*> verify(ByteView buffer, Direction from, Channel channel);

/// A received message: owns an aligned copy of its bytes, so that it may outlive the packet and change threads.
class Message {
public:
    /// `packet` as the transport delivered it. On the state channel a packet that carries the dense stream gives
    /// `not_an_envelope`; ask `is_state_packet` first.
    static Result<Message> receive(ByteView packet, Direction from, Channel channel);

    const Envelope& envelope() const;
    Body type() const { return envelope().body_type(); }
    const MessageInfo& info() const { return *find_message(type()); }
    Channel channel() const { return channel_; }
    /// nullptr if the message is of another type.
    template <class Table>
    const Table* as() const {
        return type() == BodyTraits<Table>::enum_value ? static_cast<const Table*>(envelope().body()) : nullptr;
    }
    /// The size-prefixed buffer.
    ByteView bytes() const { return {reinterpret_cast<const std::uint8_t*>(words_.data()), size_}; }

private:
    Message() = default;
    std::vector<std::uint64_t> words_;
    std::size_t size_ = 0;
    Channel channel_ = Channel::control;
};

/// A state datagram taken apart: header, and the data bytes of the dense stream inside `packet`.
struct StatePacket {
    StateHeader header;
    ByteView data;
};

/// True if a packet of the state channel carries the dense stream.
inline bool is_state_packet(ByteView packet) { return !packet.empty() && packet[0] == kStateTag; }

/// Tag, header, data. `data` is at most kStateBudgetBytes.
Bytes pack_state(const StateHeader& header, ByteView data);

/// Length and tag are checked before the header is read. Errors `bad_length`, `packet_too_large`, `not_a_state`.
Result<StatePacket> read_state_packet(ByteView packet);

/// What to do with a message of `unknown_message` (7.2, versioning).
enum class UnknownPolicy : std::uint8_t { disconnect, skip };
UnknownPolicy unknown_message_policy(Channel channel, std::uint16_t peer_minor);

}  // namespace iron::protocol
