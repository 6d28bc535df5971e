#include "shared/asset/msh_check.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <string>

#include "shared/asset/msh_codec.hpp"

namespace iron::asset::codec {

namespace {

namespace st = stream_type;

enum class Need : std::uint8_t { required, usual, optional };
struct Rule {
    std::uint32_t type;
    std::size_t stride;       // 0: no fixed records
    std::uint32_t attr3;
    Need need;
    bool counted;             // attr1 is the element count
};
constexpr Rule kRules[] = {
    {st::kNodes, 0, 0, Need::required, false},      // own stride rule
    {st::kSlots, 0, 68, Need::required, false},     // own size rule
    {st::kPositions, 12, 12, Need::required, true}, {st::kNormals, 4, 4, Need::usual, true},
    {st::kUvs, 4, 4, Need::usual, true},            {st::kIndices, 2, 2, Need::required, true},
    {st::kTriangles, 16, 16, Need::usual, true},    {st::kKeys, 24, 4, Need::usual, true},
    {st::kNodeStrings, 0, 0, Need::usual, false},   {st::kBatches, 20, 20, Need::required, true},
    {st::kAuxiliary, 8, 8, Need::optional, true},   {st::kTangents, 8, 8, Need::optional, true},
    {st::kVertexExtra, 4, 4, Need::optional, true}, {st::kFrameMap, 2, 2, Need::usual, true},
    {st::kLights, 48, 48, Need::optional, true}};

Status bad_reference(std::string message) { return fail("msh_bad_reference", std::move(message)); }

/// A chain of parents that meets itself; iterative, every node is visited once.
bool has_cycle(const std::vector<MshNode>& nodes) {
    std::vector<std::uint32_t> mark(nodes.size(), 0);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        std::size_t at = i;
        while (at < nodes.size() && mark[at] == 0) {
            mark[at] = i + 1;
            at = nodes[at].parent == kNone16 ? nodes.size() : nodes[at].parent;
        }
        if (at < nodes.size() && mark[at] == i + 1) return true;
    }
    return false;
}

Status check_nodes(MshModel& m, ReadContext& ctx) {
    const bool has_keys = m.source.find(st::kKeys) != nullptr;
    Tally order;
    for (std::size_t i = 0; i < m.nodes.size(); ++i) {
        const MshNode& n = m.nodes[i];
        const std::string label = "node " + std::to_string(i);
        for (const std::uint16_t slot : n.slots)
            if (slot != kNone16 && slot >= m.slots.size())
                return bad_reference(label + " names slot " + std::to_string(slot));
        if (n.parent != kNone16 && n.parent >= i) order.hit(i);
        if (has_keys && n.fallback_key >= m.keys.size())
            return bad_reference(label + " names key " + std::to_string(n.fallback_key));
        if (m.node_stride == 38 && n.map_start != kNone16 && m.frame_count > 0 &&
            std::uint64_t{n.map_start} + m.frame_count > m.frame_map.size())
            return bad_reference("the frame map block of " + label + " ends beyond the map");
    }
    if (order.any()) {
        if (has_cycle(m.nodes)) return fail("msh_bad_parent", "the node parents form a cycle");
        IRON_CHECK(strict_only(ctx, order, "msh_bad_parent", "nodes whose parent is not before them"));
        m.flat_hierarchy = true;
    }
    return {};
}

Status check_slots(const MshModel& m) {
    for (std::size_t i = 0; i < m.slots.size(); ++i) {
        const MshSlot& s = m.slots[i];
        const std::string label = "slot " + std::to_string(i);
        if (std::size_t{s.first_triangle} + s.triangle_count > m.triangles.size() && s.triangle_count > 0)
            return bad_reference(label + " covers missing triangle descriptors");
        if (std::size_t{s.first_triangle} > m.triangles.size() && m.source.find(st::kTriangles))
            return bad_reference(label + " starts beyond the triangle descriptors");
        if (std::size_t{s.first_batch} + s.batch_count > m.batches.size())
            return bad_reference(label + " covers missing batches");
        const bool box = is_finite(s.box_min) && is_finite(s.box_max) && s.box_min.x <= s.box_max.x &&
                         s.box_min.y <= s.box_max.y && s.box_min.z <= s.box_max.z;
        const bool sphere = is_finite(s.sphere_centre) && is_finite(s.sphere_radius) && s.sphere_radius >= 0;
        if (!box || !sphere) return fail("msh_bad_bounds", label + " has an impossible box or sphere");
    }
    return {};
}

Status check_batches(const MshModel& m, ReadContext& ctx) {
    // A batch may use only vertices that every parallel stream has too.
    std::uint64_t usable = m.positions.size();
    for (const std::uint32_t type : {st::kNormals, st::kUvs, st::kAuxiliary, st::kTangents, st::kVertexExtra})
        if (const Stream* s = m.source.find(type)) {
            const std::uint64_t count = s->payload.size() / (type == st::kAuxiliary || type == st::kTangents ? 8 : 4);
            if (count != m.positions.size())
                ctx.warn("msh_vertex_count", "stream " + std::to_string(type) + " has " + std::to_string(count) +
                                                 " elements for " + std::to_string(m.positions.size()) + " vertices");
            usable = std::min(usable, count);
        }
    const RangeMax largest(m.indices);
    Tally rest;
    for (std::size_t i = 0; i < m.batches.size(); ++i) {
        const MshBatch& b = m.batches[i];
        const std::string label = "batch " + std::to_string(i);
        if (std::uint64_t{b.first_index} + b.index_count > m.indices.size())
            return bad_reference(label + " ends beyond the indices");
        if (b.index_count % 3 != 0) rest.hit(i);
        if (b.index_count == 0) continue;
        const std::uint64_t last = std::uint64_t{b.base_vertex} + largest.max(b.first_index, b.index_count);
        if (last >= usable) return bad_reference(label + " uses missing vertex " + std::to_string(last));
    }
    rest.warn(ctx, "msh_batch_rest", "batches whose index count is not a multiple of three");
    return {};
}

Status check_triangles(const MshModel& m) {
    for (std::size_t i = 0; i < m.triangles.size(); ++i)
        for (const std::uint16_t n : m.triangles[i].neighbours)
            if (n != kNone16 && n >= m.triangles.size())
                return bad_reference("triangle " + std::to_string(i) + " names neighbour " + std::to_string(n));
    return {};
}

/// For every map word the largest fallback of a node whose block covers it, 0 = none: a word below
/// it is used as a left key.
std::vector<std::uint32_t> covering_fallbacks(const MshModel& m) {
    std::map<std::uint32_t, std::uint32_t> starts;
    for (const MshNode& n : m.nodes)
        if (n.map_start != kNone16) {
            auto& best = starts[n.map_start];
            best = std::max<std::uint32_t>(best, n.fallback_key);
        }
    std::vector<std::uint32_t> out(m.frame_map.size(), 0);
    std::deque<std::pair<std::uint64_t, std::uint32_t>> window;  // start, fallback; decreasing fallback
    auto next = starts.begin();
    for (std::uint64_t p = 0; p < out.size(); ++p) {
        if (next != starts.end() && next->first == p) {
            while (!window.empty() && window.back().second <= next->second) window.pop_back();
            window.push_back(*next++);
        }
        while (!window.empty() && p - window.front().first >= m.frame_count) window.pop_front();
        if (!window.empty()) out[p] = window.front().second;
    }
    return out;
}

Status check_animation(const MshModel& m, ReadContext& ctx) {
    Tally non_finite;
    for (std::size_t i = 0; i < m.keys.size(); ++i)
        if (!is_finite(m.keys[i].position) || !is_finite(m.keys[i].time)) non_finite.hit(i);
    if (non_finite.any()) return fail("msh_non_finite", non_finite.text("non-finite animation keys"));
    if (m.node_stride != 38) return {};
    if (m.frame_count == 0 && !m.frame_map.empty())
        ctx.warn("msh_frame_count", "a frame map with frame count 0");
    // fallback < key count (2.4), so a map word below the fallback always has a following key.
    if (m.keys.empty()) return {};
    bool ordered = true;
    for (std::size_t i = 1; i < m.nodes.size(); ++i)
        ordered = ordered && m.nodes[i - 1].fallback_key < m.nodes[i].fallback_key;
    Tally times;
    if (ordered) {
        std::size_t first = 0;
        for (const MshNode& n : m.nodes) {
            for (std::size_t k = first + 1; k <= n.fallback_key; ++k)
                if (!(m.keys[k - 1].time < m.keys[k].time)) times.hit(k);
            first = std::size_t{n.fallback_key} + 1;
        }
    } else {
        ctx.warn("msh_tracks_unordered", "the fallback keys do not increase, so there are no tracks");
        const auto fallbacks = covering_fallbacks(m);
        for (std::size_t p = 0; p < m.frame_map.size(); ++p) {
            const std::size_t k = m.frame_map[p];
            if (k < fallbacks[p] && !(m.keys[k].time < m.keys[k + 1].time)) times.hit(k);
        }
    }
    return strict_only(ctx, times, "msh_bad_times", "keys whose time does not increase");
}

}  // namespace

Status check_stream_table(const StreamSource& source, ReadContext& ctx) {
    std::map<std::uint32_t, std::size_t> seen;
    for (const Stream& s : source.streams) ++seen[s.type];
    for (const Rule& rule : kRules) {
        const std::string label = "stream " + std::to_string(rule.type);
        const std::size_t n = seen.count(rule.type) ? seen[rule.type] : 0;
        if (n == 0) {
            if (rule.need == Need::required) return fail("msh_missing_stream", label + " is missing");
            if (rule.need == Need::usual) ctx.warn("msh_missing_stream", label + " is missing");
            continue;
        }
        if (n > 1) {
            if (rule.need == Need::required) return fail("msh_duplicate_stream", label + " occurs twice");
            ctx.warn("msh_duplicate_stream", label + " occurs twice, the first is used");
        }
        const Stream& s = *source.find(rule.type);
        if (rule.type == st::kNodes) {
            if (s.attr3 != 38 && s.attr3 != 24)
                return fail("msh_bad_stride", "node records of " + std::to_string(s.attr3) + " bytes");
            IRON_CHECK(check_stride(s, s.attr3));
            if (s.attr1 != s.payload.size() / s.attr3)
                ctx.warn("msh_attr_count", label + ": attr1 is not the node count");
            continue;
        }
        if (rule.stride != 0) {
            if (rule.need != Need::optional) IRON_CHECK(check_stride(s, rule.stride));
            else if (s.payload.size() % rule.stride != 0)
                ctx.warn("msh_bad_size", label + " is not made of whole records");
        }
        if (rule.counted && s.attr1 != s.payload.size() / rule.stride)
            ctx.warn("msh_attr_count", label + ": attr1 is " + std::to_string(s.attr1) + " for " +
                                           std::to_string(s.payload.size() / rule.stride) + " elements");
        if (s.attr3 != rule.attr3)
            ctx.warn("msh_attr_stride", label + ": attr3 is " + std::to_string(s.attr3) + ", not " +
                                            std::to_string(rule.attr3));
    }
    for (const std::uint32_t type : {st::kService, st::kExtra})
        if (seen.count(type) && seen[type] > 1)
            ctx.warn("msh_duplicate_stream", "stream " + std::to_string(type) + " occurs twice");
    return {};
}

Status check_model(MshModel& m, ReadContext& ctx) {
    if (m.source.find(st::kSlots)->attr1 != m.slots.size())
        ctx.warn("msh_attr_count", "stream 2: attr1 is not the slot count");
    if (const Stream* s = m.source.find(st::kNodeStrings); s && s->attr1 != m.nodes.size())
        ctx.warn("msh_attr_count", "stream 10: attr1 is not the node count");
    Tally non_finite;
    for (std::size_t i = 0; i < m.positions.size(); ++i)
        if (!is_finite(m.positions[i])) non_finite.hit(i);
    IRON_CHECK(strict_only(ctx, non_finite, "msh_non_finite", "non-finite positions"));
    IRON_CHECK(check_nodes(m, ctx));
    IRON_CHECK(check_slots(m));
    IRON_CHECK(check_triangles(m));
    IRON_CHECK(check_batches(m, ctx));
    return check_animation(m, ctx);
}

}  // namespace iron::asset::codec
