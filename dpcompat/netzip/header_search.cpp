// Step 3 of directplay.md 16.4: the header table.
#include "dpcompat/netzip/header_search.hpp"

#include <algorithm>
#include <set>

namespace iron::dpcompat {
namespace {

constexpr std::size_t kMaxHeader = 16;
using Samples = std::vector<const PackSample*>;

bool holds(const FramingField& f, const Samples& samples, std::size_t header) {
    return std::all_of(samples.begin(), samples.end(), [&](const PackSample* s) {
        const std::size_t plain = s->plain ? s->plain->size() : 0;
        return read_field(f, s->packed) == field_value(f, plain, s->packed, header);
    });
}

/// Places that hold the plain size; when no plain side is known, places that could.
std::vector<FramingField> plain_fields(const Samples& samples, std::size_t header) {
    std::vector<FramingField> out;
    const bool pairs = std::any_of(samples.begin(), samples.end(), [](const PackSample* s) { return s->plain.has_value(); });
    for (std::size_t bytes : {4u, 2u, 1u})
        for (std::size_t at = 0; at + bytes <= header; ++at) {
            const FramingField f{at, bytes, HeaderField::plain_size, 0, {}};
            const bool good = std::all_of(samples.begin(), samples.end(), [&](const PackSample* s) {
                const std::uint32_t value = read_field(f, s->packed);
                if (s->plain) return value == (static_cast<std::uint32_t>(s->plain->size()) & field_mask(f)) && s->plain->size() <= field_mask(f);
                if (pairs) return true;
                const std::size_t body = s->packed.size() - header;
                return value >= 1 && value <= (1u << 20) && value <= (body + 1) * 1024 && body <= value + value / 4 + 64;
            });
            if (good) out.push_back(f);
        }
    return out;
}

bool overlaps(const FramingField& a, const FramingField& b) { return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes; }

/// A byte with two values of which one marks the samples that are stored as they are.
std::optional<FramingField> flag_at(const Samples& samples, std::size_t header, std::size_t at) {
    std::set<std::uint8_t> values;
    for (const PackSample* s : samples) values.insert(s->packed[at]);
    if (values.size() != 2) return {};
    for (const std::uint8_t stored : values) {
        const bool good = std::all_of(samples.begin(), samples.end(), [&](const PackSample* s) {
            if (!s->plain || s->packed[at] != stored) return true;
            return std::equal(s->packed.begin() + static_cast<std::ptrdiff_t>(header), s->packed.end(), s->plain->begin(), s->plain->end());
        });
        if (good) {
            const std::uint8_t other = stored == *values.begin() ? *values.rbegin() : *values.begin();
            return FramingField{at, 1, HeaderField::flag, other, stored};
        }
    }
    return {};
}

FramingCandidate complete(Framing framing, const Samples& samples) {
    const std::size_t header = framing.header_bytes;
    const auto free = [&](const FramingField& f) {
        return f.offset + f.bytes <= header &&
               std::none_of(framing.fields.begin(), framing.fields.end(), [&](const FramingField& g) { return overlaps(f, g); });
    };
    // Strong hypotheses first, so that a weak one does not take their bytes.
    static constexpr std::pair<HeaderField, std::size_t> kOrder[] = {
        {HeaderField::crc32, 4},       {HeaderField::adler32, 4},   {HeaderField::packed_size, 4}, {HeaderField::body_size, 4},
        {HeaderField::crc16, 2},       {HeaderField::sum16, 2},     {HeaderField::packed_size, 2}, {HeaderField::body_size, 2},
        {HeaderField::packed_size, 1}, {HeaderField::body_size, 1}, {HeaderField::sum8, 1}};
    for (const auto& [kind, bytes] : kOrder)
        for (std::size_t at = 0; at + bytes <= header; ++at) {
            const FramingField f{at, bytes, kind, 0, {}};
            if (free(f) && holds(f, samples, header)) framing.fields.push_back(f);
        }
    FramingCandidate out;
    for (std::size_t at = 0; at < header; ++at) {
        FramingField f{at, 1, HeaderField::constant, samples[0]->packed[at], {}};
        if (!free(f)) continue;
        if (holds(f, samples, header)) {
            framing.fields.push_back(f);
        } else if (const auto flag = flag_at(samples, header, at)) {
            framing.fields.push_back(*flag);
        } else {
            ++out.uncovered;
        }
    }
    std::sort(framing.fields.begin(), framing.fields.end(), [](const FramingField& a, const FramingField& b) { return a.offset < b.offset; });
    out.framing = std::move(framing);
    return out;
}

}  // namespace

std::vector<FramingCandidate> find_framings(const Samples& samples) {
    std::vector<FramingCandidate> out;
    if (samples.empty()) return out;
    std::size_t shortest = samples[0]->packed.size();
    for (const PackSample* s : samples) shortest = std::min(shortest, s->packed.size());
    for (std::size_t header = 0; header <= std::min(kMaxHeader, shortest); ++header) {
        std::vector<FramingField> sizes = plain_fields(samples, header);
        sizes.resize(std::min<std::size_t>(sizes.size(), 6));
        Framing bare;
        bare.header_bytes = header;
        out.push_back(complete(bare, samples));
        for (const FramingField& size : sizes) {
            Framing with = bare;
            with.fields.push_back(size);
            out.push_back(complete(with, samples));
        }
    }
    std::stable_sort(out.begin(), out.end(), [](const FramingCandidate& a, const FramingCandidate& b) { return a.uncovered < b.uncovered; });
    return out;
}

}  // namespace iron::dpcompat
