#include "protocol/binary_schema.hpp"

#include <cstring>
#include <vector>

#include <flatbuffers/reflection_generated.h>

#include "protocol/discovery_bfbs_generated.h"
#include "protocol/envelope_bfbs_generated.h"
#include "protocol/log_bfbs_generated.h"

namespace iron::protocol {
namespace {

/// The generated arrays have no alignment; reading a FlatBuffer needs some.
struct Aligned {
    std::vector<std::uint64_t> words;
    std::size_t size;

    Aligned(const std::uint8_t* data, std::size_t bytes) : words((bytes + 7) / 8), size(bytes) {
        std::memcpy(words.data(), data, bytes);
    }
    ByteView view() const { return {reinterpret_cast<const std::uint8_t*>(words.data()), size}; }
};

template <class Embedded>
ByteView embedded() {
    static const Aligned copy(Embedded::data(), Embedded::size());
    return copy.view();
}

}  // namespace

ByteView envelope_schema_bytes() { return embedded<EnvelopeBinarySchema>(); }
ByteView discovery_schema_bytes() { return embedded<DiscoveryBinarySchema>(); }
ByteView log_schema_bytes() { return embedded<record::RecordBinarySchema>(); }

const reflection::Schema& envelope_schema() { return *reflection::GetSchema(envelope_schema_bytes().data()); }
const reflection::Schema& discovery_schema() { return *reflection::GetSchema(discovery_schema_bytes().data()); }
const reflection::Schema& log_schema() { return *reflection::GetSchema(log_schema_bytes().data()); }

}  // namespace iron::protocol
