// The binary schemas built into the library. Everything that must know all fields of all messages (semantic
// checks, registry, schema gate) reads them instead of repeating the schema by hand.
#pragma once

#include "shared/base/bytes.hpp"

namespace reflection {
struct Schema;
}

namespace iron::protocol {

/// Binary schema (.bfbs) of envelope.fbs, discovery.fbs, log.fbs; aligned, valid for the whole run.
ByteView envelope_schema_bytes();
ByteView discovery_schema_bytes();
ByteView log_schema_bytes();

const reflection::Schema& envelope_schema();
const reflection::Schema& discovery_schema();
const reflection::Schema& log_schema();

}  // namespace iron::protocol
