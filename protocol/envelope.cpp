#include "protocol/envelope.hpp"

#include <cstring>

#include "protocol/binary_schema.hpp"
#include "protocol/limits.hpp"
#include "protocol/semantics.hpp"
#include "protocol/version.hpp"

namespace iron::protocol {
namespace {

constexpr std::size_t kPrefixBytes = sizeof(flatbuffers::uoffset_t);
/// Size prefix, root offset, identifier.
constexpr std::size_t kMinEnvelopeBytes = kPrefixBytes + sizeof(flatbuffers::uoffset_t) + flatbuffers::kFileIdentifierLength;

const SemanticChecker& checker() {
    static const SemanticChecker instance(envelope_schema(), "iron.protocol.Envelope");
    return instance;
}

std::size_t packet_limit(Channel channel) { return is_reliable(channel) ? kMaxPacketBytes : kMaxDatagramBytes; }

/// Rules between fields, which attributes cannot say.
Status check_between_fields(const Envelope& envelope) {
    if (const auto* text = envelope.body_as_Text(); text && (text->key() == nullptr) == (text->text() == nullptr))
        return fail("bad_value", "Text: exactly one of key and text");
    if (const auto* sound = envelope.body_as_SoundEvent(); sound && sound->object() == kNoObject && !sound->at())
        return fail("bad_value", "SoundEvent: neither an object nor a place");
    return {};
}

}  // namespace

Bytes finish_packet(flatbuffers::FlatBufferBuilder& builder, Body type, flatbuffers::Offset<void> body,
                    const Head& head, Channel channel) {
    FinishSizePrefixedEnvelopeBuffer(
        builder, CreateEnvelope(builder, head.sender, head.sequence, head.tick, head.native, type, body));
    Bytes packet;
    packet.reserve(builder.GetSize() + 1);
    if (channel == Channel::state) packet.push_back(kEnvelopeTag);
    packet.insert(packet.end(), builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize());
    return packet;
}

Result<const Envelope*> verify(ByteView buffer, Direction from, Channel channel) {
    if (buffer.size() > packet_limit(channel)) return fail("packet_too_large", "packet exceeds the limit of its channel");
    if (buffer.size() < kMinEnvelopeBytes) return fail("bad_length", "packet too short for an envelope");
    if (reinterpret_cast<std::uintptr_t>(buffer.data()) % 8 != 0) return fail("unaligned", "buffer is not aligned");
    if (load_le<std::uint32_t>(buffer.data()) != buffer.size() - kPrefixBytes)
        return fail("bad_length", "size prefix differs from the packet length");
    if (!SizePrefixedEnvelopeBufferHasIdentifier(buffer.data())) return fail("bad_identifier", "identifier is not I3D1");
    flatbuffers::Verifier verifier(buffer.data(), buffer.size(), kVerifierDepth, kVerifierTables);
    if (!VerifySizePrefixedEnvelopeBuffer(verifier)) return fail("bad_flatbuffer", "envelope does not verify");
    const Envelope* envelope = GetSizePrefixedEnvelope(buffer.data());
    const MessageInfo* info = find_message(envelope->body_type());
    if (info == nullptr) return fail("unknown_message", "unknown union member");
    if (!is_allowed(info->body, from, channel))
        return fail("not_allowed", info->name + " is not allowed here (channel " + std::string(to_string(channel)) + ")");
    IRON_CHECK(checker().check(*reinterpret_cast<const flatbuffers::Table*>(envelope)));
    IRON_CHECK(check_between_fields(*envelope));
    return envelope;
}

Result<Message> Message::receive(ByteView packet, Direction from, Channel channel) {
    if (packet.size() > packet_limit(channel)) return fail("packet_too_large", "packet exceeds the limit of its channel");
    if (channel == Channel::state) {
        if (packet.empty() || packet[0] != kEnvelopeTag) return fail("not_an_envelope", "packet carries no envelope");
        packet = packet.subspan(1);
    }
    Message message;
    message.words_.resize((packet.size() + 7) / 8);
    message.size_ = packet.size();
    message.channel_ = channel;
    if (!packet.empty()) std::memcpy(message.words_.data(), packet.data(), packet.size());
    IRON_TRY([[maybe_unused]] const Envelope* root, verify(message.bytes(), from, channel));
    return message;
}

const Envelope& Message::envelope() const { return *GetSizePrefixedEnvelope(words_.data()); }

Bytes pack_state(const StateHeader& header, ByteView data) {
    Bytes packet;
    packet.reserve(1 + sizeof header + data.size());
    packet.push_back(kStateTag);
    const auto* raw = reinterpret_cast<const std::uint8_t*>(&header);
    packet.insert(packet.end(), raw, raw + sizeof header);
    packet.insert(packet.end(), data.begin(), data.end());
    return packet;
}

Result<StatePacket> read_state_packet(ByteView packet) {
    if (packet.size() > kMaxDatagramBytes) return fail("packet_too_large", "state datagram exceeds its limit");
    if (packet.size() < 1 + sizeof(StateHeader)) return fail("bad_length", "state datagram too short");
    if (packet[0] != kStateTag) return fail("not_a_state", "packet carries an envelope");
    StatePacket out;
    std::memcpy(static_cast<void*>(&out.header), packet.data() + 1, sizeof(StateHeader));
    out.data = packet.subspan(1 + sizeof(StateHeader));
    if (out.data.size() > kStateBudgetBytes) return fail("packet_too_large", "dense stream exceeds its limit");
    return out;
}

UnknownPolicy unknown_message_policy(Channel channel, std::uint16_t peer_minor) {
    if (channel == Channel::state) return UnknownPolicy::skip;
    return peer_minor > kVersion.minor ? UnknownPolicy::skip : UnknownPolicy::disconnect;
}

}  // namespace iron::protocol
