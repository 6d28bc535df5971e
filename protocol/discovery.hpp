// Datagrams outside of a connection: "which servers are there?" and the answer (discovery.fbs).
#pragma once

#include <cstdint>
#include <vector>

#include "protocol/discovery_generated.h"
#include "shared/base/bytes.hpp"

namespace iron::protocol {

inline constexpr std::size_t kDiscoveryBytes = 512;  ///< a query is padded to this; an answer is never longer

/// A query of exactly kDiscoveryBytes.
Bytes pack_server_query(std::uint64_t nonce);

/// Finishes `builder` with the answer; error `packet_too_large` beyond kDiscoveryBytes.
Result<Bytes> pack_server_info(flatbuffers::FlatBufferBuilder& builder, flatbuffers::Offset<ServerInfo> info);

/// A verified datagram; owns an aligned copy.
class DiscoveryMessage {
public:
    /// Errors as Message::receive; a query shorter than kDiscoveryBytes is `bad_length`.
    static Result<DiscoveryMessage> receive(ByteView packet);
    const ServerQuery* query() const { return root().body_as_ServerQuery(); }
    const ServerInfo* info() const { return root().body_as_ServerInfo(); }

private:
    DiscoveryMessage() = default;
    const Discovery& root() const { return *GetSizePrefixedDiscovery(words_.data()); }
    std::vector<std::uint64_t> words_;
};

}  // namespace iron::protocol
