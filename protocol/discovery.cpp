#include "protocol/discovery.hpp"

#include <cstring>

#include "protocol/binary_schema.hpp"
#include "protocol/limits.hpp"
#include "protocol/semantics.hpp"
#include "protocol/version.hpp"

namespace iron::protocol {
namespace {

const SemanticChecker& checker() {
    static const SemanticChecker instance(discovery_schema(), "iron.protocol.Discovery");
    return instance;
}

Bytes finish(flatbuffers::FlatBufferBuilder& b, DiscoveryBody type, flatbuffers::Offset<void> body) {
    FinishSizePrefixedDiscoveryBuffer(b, CreateDiscovery(b, type, body));
    return Bytes(b.GetBufferPointer(), b.GetBufferPointer() + b.GetSize());
}

Bytes query_with_padding(std::uint64_t nonce, std::size_t padding) {
    flatbuffers::FlatBufferBuilder b;
    const auto fill = b.CreateVector(std::vector<std::uint8_t>(padding));
    return finish(b, DiscoveryBody::ServerQuery,
                  CreateServerQuery(b, nonce, kVersion.major, kVersion.minor, fill).Union());
}

}  // namespace

Bytes pack_server_query(std::uint64_t nonce) {
    const std::size_t bare = query_with_padding(nonce, 0).size();
    // Sizes move in steps of the alignment, so the padding is a multiple of 8.
    return query_with_padding(nonce, kDiscoveryBytes - bare);
}

Result<Bytes> pack_server_info(flatbuffers::FlatBufferBuilder& builder, flatbuffers::Offset<ServerInfo> info) {
    Bytes packet = finish(builder, DiscoveryBody::ServerInfo, info.Union());
    if (packet.size() > kDiscoveryBytes) return fail("packet_too_large", "answer exceeds the size of a query");
    return packet;
}

Result<DiscoveryMessage> DiscoveryMessage::receive(ByteView packet) {
    if (packet.size() > kDiscoveryBytes) return fail("packet_too_large", "discovery datagram exceeds its limit");
    if (packet.size() < 12 || load_le<std::uint32_t>(packet.data()) != packet.size() - 4)
        return fail("bad_length", "size prefix differs from the packet length");
    DiscoveryMessage message;
    message.words_.resize((packet.size() + 7) / 8);
    std::memcpy(message.words_.data(), packet.data(), packet.size());
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(message.words_.data());
    if (!SizePrefixedDiscoveryBufferHasIdentifier(bytes)) return fail("bad_identifier", "identifier is not I3DQ");
    flatbuffers::Verifier verifier(bytes, packet.size(), kVerifierDepth, kVerifierTables);
    if (!VerifySizePrefixedDiscoveryBuffer(verifier)) return fail("bad_flatbuffer", "datagram does not verify");
    if (!message.query() && !message.info()) return fail("unknown_message", "unknown union member");
    IRON_CHECK(checker().check(*reinterpret_cast<const flatbuffers::Table*>(&message.root())));
    if (message.query() && packet.size() != kDiscoveryBytes)
        return fail("bad_length", "a query must be padded: its answer may not be longer than it");
    return message;
}

}  // namespace iron::protocol
