// The canonical state hash: 17 blocks, a digest each, one hash over the digests.
// Source: runtime.md 13 (DD-RT-17). StateHash itself is declared in snapshot.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "server/world/ids.hpp"
#include "server/world/snapshot.hpp"
#include "shared/base/bytes.hpp"
#include "shared/base/hash.hpp"

namespace iron::world {

inline constexpr std::string_view kStateTag = "ironserver-state-v1";

/// Blocks by number (runtime.md 13); blocks 3 to 6 are made of one record per object.
enum class HashBlock : std::uint32_t {
    clock = 1, ids, objects, props, control, behavior, economy, research, script, fx, rng, queue,
    shots, knowledge, contacts, routes, match
};

/// "CLOCK", "IDS" ... ; empty for a number outside 1..17.
std::string_view block_name(std::uint32_t block);

/// The canonical bytes of all blocks, index = block number - 1.
using StateBlocks = std::array<Bytes, kHashBlockCount>;

/// Block digest = SHA-256 of its bytes; total = SHA-256 over the tag (with its terminating zero),
/// then per block u32 number, u64 length, digest.
StateHash hash_blocks(const StateBlocks& blocks);

/// Digest of one object's record in a block of per-object records.
struct ObjectDigest {
    ObjectId id;
    Hash256 digest{};
    bool operator==(const ObjectDigest&) const = default;
};

/// Numbers of the blocks whose digests differ, ascending; empty when the states are equal.
std::vector<std::uint32_t> differing_blocks(const StateHash& a, const StateHash& b);

/// Ids whose record differs or exists on one side only, ascending. Both lists ascend by id.
std::vector<ObjectId> differing_objects(const std::vector<ObjectDigest>& a,
                                        const std::vector<ObjectDigest>& b);

}  // namespace iron::world
