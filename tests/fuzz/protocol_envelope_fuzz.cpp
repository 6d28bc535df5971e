// First byte: side and channel; the rest a packet. What is accepted is read completely.
#include <cstdlib>

#include <flatbuffers/minireflect.h>

#include "protocol/discovery.hpp"
#include "protocol/envelope.hpp"

using namespace iron;
using namespace iron::protocol;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto from = data[0] & 0x80 ? Direction::from_server : Direction::from_client;
    const auto channel = static_cast<Channel>((data[0] & 7) % kChannelCount);
    const ByteView packet(data + 1, size - 1);
    if (const auto message = Message::receive(packet, from, channel)) {
        if (!is_allowed(message->type(), from, channel)) std::abort();
        const std::uint8_t* buffer = message->bytes().data() + sizeof(flatbuffers::uoffset_t);  // behind the size prefix
        if (flatbuffers::FlatBufferToString(buffer, EnvelopeTypeTable()).empty()) std::abort();
    }
    if (const auto state = read_state_packet(packet)) {
        const Bytes again = pack_state(state->header, state->data);
        if (again != Bytes(packet.begin(), packet.end())) std::abort();
    }
    if (const auto datagram = DiscoveryMessage::receive(packet))
        if (!datagram->query() == !datagram->info()) std::abort();
    return 0;
}
