#include "server/world/state_hash.hpp"

namespace iron::world {

std::string_view block_name(std::uint32_t block) {
    static constexpr std::array<std::string_view, kHashBlockCount> kNames{
        "CLOCK", "IDS", "OBJECTS", "PROPS", "CONTROL", "BEHAVIOR", "ECONOMY", "RESEARCH", "SCRIPT",
        "FX", "RNG", "QUEUE", "SHOTS", "KNOWLEDGE", "CONTACTS", "ROUTES", "MATCH"};
    return block >= 1 && block <= kHashBlockCount ? kNames[block - 1] : std::string_view{};
}

StateHash hash_blocks(const StateBlocks& blocks) {
    StateHash out;
    Sha256 total;
    total.update(kStateTag).put(std::uint8_t{0});
    for (std::uint32_t i = 0; i < kHashBlockCount; ++i) {
        out.blocks[i] = sha256(blocks[i]);
        total.put(i + 1).put(static_cast<std::uint64_t>(blocks[i].size())).update(out.blocks[i]);
    }
    out.total = total.finish();
    return out;
}

std::vector<std::uint32_t> differing_blocks(const StateHash& a, const StateHash& b) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < kHashBlockCount; ++i)
        if (a.blocks[i] != b.blocks[i]) out.push_back(i + 1);
    return out;
}

std::vector<ObjectId> differing_objects(const std::vector<ObjectDigest>& a,
                                        const std::vector<ObjectDigest>& b) {
    std::vector<ObjectId> out;
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        if (j == b.size() || (i < a.size() && a[i].id < b[j].id)) {
            out.push_back(a[i++].id);
        } else if (i == a.size() || b[j].id < a[i].id) {
            out.push_back(b[j++].id);
        } else {
            if (a[i].digest != b[j].digest) out.push_back(a[i].id);
            ++i, ++j;
        }
    }
    return out;
}

}  // namespace iron::world
