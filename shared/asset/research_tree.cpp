#include "shared/asset/research_tree.hpp"

#include <array>
#include <optional>

#include "shared/archive/nres.hpp"
#include "shared/archive/nres_edit.hpp"
#include "shared/base/text.hpp"

namespace iron::asset {

namespace {

using archive::type_tag;

constexpr std::uint32_t kNodes = type_tag("TRF0"), kStates = type_tag("TRF1"),
                        kNeedCounts = type_tag("TRF2"), kNeeds = type_tag("TRF3"),
                        kUnlockCounts = type_tag("TRF4"), kUnlocks = type_tag("TRF5"),
                        kAuxiliary = type_tag("TRF6"), kAuxiliaryCounts = type_tag("TRFB");
// Pools in the order of the offsets in a node record.
constexpr std::array<std::uint32_t, 4> kPools = {type_tag("TRF7"), type_tag("TRF8"),
                                                 type_tag("TRF9"), type_tag("TRFA")};
constexpr std::size_t kNodeSize = 40;

std::array<std::string ResearchNode::*, 4> text_members() {
    return {&ResearchNode::short_name, &ResearchNode::long_name, &ResearchNode::help,
            &ResearchNode::description};
}

// The NUL-terminated string at `offset`; nullopt past the end.
std::optional<std::string_view> pool_text(ByteView pool, std::uint32_t offset) {
    if (offset >= pool.size()) return std::nullopt;
    const std::string_view rest = as_text(pool.subspan(offset));
    return rest.substr(0, rest.find('\0'));
}

class TreeReader {
public:
    TreeReader(const archive::Nres& container, ReadContext& context)
        : container_(container), context_(context) {}

    Result<std::vector<ResearchNode>> read() {
        const auto index = container_.find_type(kNodes);
        if (!index) return fail("trf_no_nodes", "not a research tree: section TRF0 is missing");
        const std::uint32_t count = container_.entry(*index).attr1;
        const ByteView records = container_.payload(*index);
        if (records.size() != std::uint64_t{count} * kNodeSize)
            return fail("trf_bad_size", "TRF0 has " + std::to_string(records.size()) +
                                            " bytes for " + std::to_string(count) + " nodes");
        std::vector<ResearchNode> nodes(count);
        ByteReader in(records);
        for (auto& item : nodes) IRON_CHECK(node(in, item));
        states(nodes);
        IRON_CHECK(relation(nodes, kNeedCounts, kNeeds, &ResearchNode::prerequisites));
        IRON_CHECK(relation(nodes, kUnlockCounts, kUnlocks, &ResearchNode::unlocks));
        auxiliary();
        return nodes;
    }

private:
    // A missing section is empty.
    ByteView section(std::uint32_t type) const {
        const auto index = container_.find_type(type);
        return index ? container_.payload(*index) : ByteView{};
    }

    Status node(ByteReader& in, ResearchNode& out) {
        IRON_TRY(out.cost, in.f32("cost"));
        IRON_TRY(out.time, in.f32("time"));
        IRON_TRY(out.view_x, in.f32("view x"));
        IRON_TRY(out.view_y, in.f32("view y"));
        const auto members = text_members();
        for (std::size_t i = 0; i < kPools.size(); ++i) {
            const auto offset = in.offset();
            IRON_TRY(const std::uint32_t at, in.u32("text offset"));
            const auto text = pool_text(section(kPools[i]), at);
            if (text) {
                out.*members[i] = *text;
            } else {
                context_.warn("trf_text_offset", "a text offset lies behind its pool", offset);
            }
        }
        IRON_TRY(out.auxiliary, in.u16("auxiliary"));
        IRON_TRY(out.turret_type, in.u8("turret type"));
        IRON_TRY(out.main_type, in.u8("main type"));
        IRON_TRY(out.sub_type, in.u8("sub type"));
        IRON_TRY(out.build_subsystem, in.u8("build subsystem"));
        IRON_TRY(out.size_of_type, in.u8("size of type"));
        IRON_TRY(out.upgrade_level, in.u8("upgrade level"));
        return {};
    }

    void states(std::vector<ResearchNode>& nodes) {
        const ByteView bytes = section(kStates);
        if (bytes.size() < nodes.size())
            context_.warn("trf_short_states", "TRF1 has fewer states than nodes");
        for (std::size_t i = 0; i < nodes.size() && i < bytes.size(); ++i) nodes[i].state = bytes[i];
    }

    Status relation(std::vector<ResearchNode>& nodes, std::uint32_t counts_type,
                    std::uint32_t ids_type, std::vector<std::uint32_t> ResearchNode::*member) {
        const auto counts_index = container_.find_type(counts_type);
        const auto ids_index = container_.find_type(ids_type);
        if (!counts_index) {
            if (!nodes.empty()) context_.warn("trf_relation_count", "a relation has no counts");
            return {};
        }
        if (!ids_index) return fail("trf_bad_relation", "a relation has counts but no ids");
        const std::uint32_t count = container_.entry(*counts_index).attr1;
        const ByteView counts = container_.payload(*counts_index);
        const ByteView ids = container_.payload(*ids_index);
        if (counts.size() != std::uint64_t{count} * 4)
            return fail("trf_bad_relation", "counts of a relation: size is not 4 * attr1");
        if (count != nodes.size())
            context_.warn("trf_relation_count", "a relation has counts for " + std::to_string(count) +
                                                    " of " + std::to_string(nodes.size()) + " nodes");
        std::uint64_t total = 0;
        for (std::size_t i = 0; i < count; ++i) total += load_le<std::uint32_t>(counts.data() + 4 * i);
        if (total * 4 > ids.size())  // the sum of 2^30 u32 values fits 62 bits
            return fail("trf_bad_relation", "a relation names more ids than there are");
        if (total * 4 < ids.size())
            context_.warn("trf_unused_words", "unused words at the end of a relation");
        std::size_t at = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const auto n = load_le<std::uint32_t>(counts.data() + 4 * i);
            for (std::uint32_t k = 0; k < n; ++k, at += 4) {
                const auto id = load_le<std::uint32_t>(ids.data() + at);
                if (id >= nodes.size())
                    context_.warn("trf_id_range", "a relation names node " + std::to_string(id));
                if (i < nodes.size()) (nodes[i].*member).push_back(id);
            }
        }
        return {};
    }

    void auxiliary() {
        const ByteView counts = section(kAuxiliaryCounts);
        std::uint64_t total = 0;
        for (std::size_t i = 0; i + 4 <= counts.size(); i += 4)
            total += load_le<std::uint32_t>(counts.data() + i);
        if (total * 4 > section(kAuxiliary).size() && total > 0)
            context_.warn("trf_auxiliary", "TRFB counts more words than TRF6 holds");
    }

    const archive::Nres& container_;
    ReadContext& context_;
};

// Everything a section writer needs: the sections of the original (if any) and the text pools.
class TreeWriter {
public:
    TreeWriter(const std::vector<ResearchNode>& nodes, const archive::Nres* original)
        : nodes_(nodes), original_(original) {
        for (std::size_t i = 0; i < kPools.size(); ++i) {
            const ByteView pool = section(kPools[i]);
            pools_[i].assign(pool.begin(), pool.end());
        }
    }

    Bytes records() {
        ByteWriter out;
        const auto members = text_members();
        const ByteView before = section(kNodes);
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            const ResearchNode& node = nodes_[n];
            out.f32(node.cost);
            out.f32(node.time);
            out.f32(node.view_x);
            out.f32(node.view_y);
            for (std::size_t i = 0; i < kPools.size(); ++i) {
                std::optional<std::uint32_t> old;
                if (before.size() >= (n + 1) * kNodeSize)
                    old = load_le<std::uint32_t>(before.data() + n * kNodeSize + 16 + 4 * i);
                out.u32(place(i, node.*members[i], old));
            }
            out.u16(node.auxiliary);
            out.u8(node.turret_type);
            out.u8(node.main_type);
            out.u8(node.sub_type);
            out.u8(node.build_subsystem);
            out.u8(node.size_of_type);
            out.u8(node.upgrade_level);
        }
        return out.take();
    }

    Bytes states() const {
        const ByteView before = section(kStates);
        Bytes out(before.begin(), before.end());
        // Nodes without a stored state stay without one while they are 0.
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            if (i >= out.size() && original_ && nodes_[i].state == 0) continue;
            if (i >= out.size()) out.resize(i + 1, 0);
            out[i] = nodes_[i].state;
        }
        return out;
    }

    Bytes counts(std::vector<std::uint32_t> ResearchNode::*member) const {
        ByteWriter out;
        for (const auto& node : nodes_) out.u32(static_cast<std::uint32_t>((node.*member).size()));
        return out.take();
    }

    // The ids, then what the original had behind its used words.
    Bytes ids(std::vector<std::uint32_t> ResearchNode::*member, std::uint32_t counts_type,
              std::uint32_t ids_type) const {
        ByteWriter out;
        for (const auto& node : nodes_)
            for (const auto id : node.*member) out.u32(id);
        std::uint64_t used = 0;
        const ByteView before_counts = section(counts_type), before = section(ids_type);
        for (std::size_t i = 0; i + 4 <= before_counts.size(); i += 4)
            used += std::uint64_t{4} * load_le<std::uint32_t>(before_counts.data() + i);
        if (used < before.size()) out.bytes(before.subspan(static_cast<std::size_t>(used)));
        return out.take();
    }

    const Bytes& pool(std::size_t i) const { return pools_[i]; }

private:
    ByteView section(std::uint32_t type) const {
        if (!original_) return {};
        const auto index = original_->find_type(type);
        return index ? original_->payload(*index) : ByteView{};
    }

    // Pools are append-only: an unchanged text keeps its offset, a new one goes to the end.
    std::uint32_t place(std::size_t i, const std::string& text, std::optional<std::uint32_t> old) {
        if (old) {
            const auto there = pool_text(pools_[i], *old);
            if (there ? *there == text : text.empty()) return *old;
        }
        const auto at = static_cast<std::uint32_t>(pools_[i].size());
        pools_[i].insert(pools_[i].end(), text.begin(), text.end());
        pools_[i].push_back(0);
        return at;
    }

    const std::vector<ResearchNode>& nodes_;
    const archive::Nres* original_;
    std::array<Bytes, 4> pools_;
};

struct Section {
    std::uint32_t type, attr1, attr3;
    Bytes payload;
};

std::vector<Section> make_sections(const std::vector<ResearchNode>& nodes,
                                   const archive::Nres* original) {
    TreeWriter writer(nodes, original);
    std::vector<Section> out;
    const auto add = [&](std::uint32_t type, std::uint32_t unit, Bytes payload) {
        const auto count = static_cast<std::uint32_t>(payload.size() / unit);
        out.push_back({type, count, unit == kNodeSize ? unit : 1, std::move(payload)});
    };
    add(kNodes, kNodeSize, writer.records());
    add(kStates, 1, writer.states());
    add(kNeedCounts, 4, writer.counts(&ResearchNode::prerequisites));
    add(kNeeds, 4, writer.ids(&ResearchNode::prerequisites, kNeedCounts, kNeeds));
    add(kUnlockCounts, 4, writer.counts(&ResearchNode::unlocks));
    add(kUnlocks, 4, writer.ids(&ResearchNode::unlocks, kUnlockCounts, kUnlocks));
    for (std::size_t i = 0; i < kPools.size(); ++i) add(kPools[i], 1, writer.pool(i));
    return out;
}

std::string section_name(std::uint32_t type) {
    std::string out(4, '\0');
    for (int i = 0; i < 4; ++i) out[i] = static_cast<char>((type >> (8 * i)) & 0xFF);
    return out;
}

}  // namespace

std::int32_t ResearchTree::find(std::string_view short_name) const {
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (ascii_iequals(nodes[i].short_name, short_name)) return static_cast<std::int32_t>(i);
    return -1;
}

Result<ResearchTree> read_research_tree(ByteView bytes, ReadContext& context) {
    IRON_TRY(const archive::Nres container,
             archive::view_nres(bytes, context, archive::NresRole::file));
    ResearchTree out;
    IRON_TRY(out.nodes, TreeReader(container, context).read());
    out.original.assign(bytes.begin(), bytes.end());
    return out;
}

Result<Bytes> write_research_tree(const ResearchTree& value) {
    if (value.original.empty()) {
        archive::NresBuilder builder;
        for (auto& section : make_sections(value.nodes, nullptr))
            builder.add(section.type, section.attr1, 0, section.attr3, section_name(section.type),
                        std::move(section.payload));
        return builder.build();
    }
    ReadContext quiet{ReadProfile::compatible, {}, {}, {}};
    IRON_TRY(const archive::Nres container,
             archive::view_nres(value.original, quiet, archive::NresRole::file));
    IRON_TRY(const std::vector<ResearchNode> before, TreeReader(container, quiet).read());
    // Only sections that the edit changed are written; the comparison is by bytes, so that a NaN
    // equals itself.
    const auto was = make_sections(before, &container);
    const auto now = make_sections(value.nodes, &container);
    archive::NresEditor editor(container);
    for (std::size_t i = 0; i < now.size(); ++i) {
        const Section& section = now[i];
        if (section.payload == was[i].payload) continue;
        const auto index = container.find_type(section.type);
        if (!index) {
            IRON_TRY([[maybe_unused]] const std::size_t added,
                     editor.add(section.type, section.attr1, 0, section.attr3,
                                section_name(section.type), section.payload));
            continue;
        }
        IRON_CHECK(editor.set_payload(*index, section.payload));
        const auto& entry = container.entry(*index);
        IRON_CHECK(editor.set_attributes(*index, section.attr1, entry.attr2, entry.attr3));
    }
    return editor.finish();
}

}  // namespace iron::asset
