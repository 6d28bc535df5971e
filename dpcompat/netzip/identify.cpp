#include "dpcompat/netzip/identify.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "dpcompat/netzip/header_search.hpp"
#include "shared/base/hash.hpp"

namespace iron::dpcompat {
namespace {

using Samples = std::vector<const PackSample*>;
constexpr std::size_t kProbe = 12;           // bytes a candidate must get right before it is run in full
constexpr std::size_t kMinFit = 64, kMinLong = 8, kMinShort = 8, kWindow = 4096, kShort = 16;
constexpr std::size_t kMinPacketsOnly = 256;

Samples distinct_of(const std::vector<PackSample>& samples) {
    Samples out;
    std::set<Hash256> seen;
    for (const PackSample& s : samples) {
        Sha256 hash;
        hash.put(static_cast<std::uint64_t>(s.packed.size())).update(s.packed);
        if (s.plain) hash.update(*s.plain);
        if (!s.packed.empty() && seen.insert(hash.finish()).second) out.push_back(&s);
    }
    return out;
}

/// 70 % fit, 30 % check, whole sessions in order of appearance.
void split(const Samples& all, Samples& fit, Samples& check) {
    std::vector<std::string> order;
    std::map<std::string, Samples> by_session;
    for (const PackSample* s : all) {
        if (!by_session.contains(s->session)) order.push_back(s->session);
        by_session[s->session].push_back(s);
    }
    for (const std::string& session : order) {
        const Samples& part = by_session[session];
        Samples& to = fit.empty() || (fit.size() + part.size()) * 10 <= all.size() * 7 ? fit : check;
        to.insert(to.end(), part.begin(), part.end());
    }
}

double entropy(const std::array<std::size_t, 256>& counts, std::size_t total) {
    double bits = 0;
    for (std::size_t n : counts)
        if (n != 0) {
            const double p = static_cast<double>(n) / static_cast<double>(total);
            bits -= p * std::log2(p);
        }
    return bits;
}

void observe(const Samples& all, IdentifyReport& report) {
    const auto say = [&](std::string text) { report.observations.push_back(std::move(text)); };
    if (all.empty()) return;
    std::array<std::size_t, 256> counts{};
    std::size_t total = 0, shortest = all[0]->packed.size(), longest = 0, contained = 0, pairs = 0, same_difference = 0;
    std::optional<std::ptrdiff_t> difference;
    for (const PackSample* s : all) {
        for (std::uint8_t b : s->packed) ++counts[b];
        total += s->packed.size();
        shortest = std::min(shortest, s->packed.size());
        longest = std::max(longest, s->packed.size());
        if (!s->plain) continue;
        ++pairs;
        if (std::search(s->packed.begin(), s->packed.end(), s->plain->begin(), s->plain->end()) != s->packed.end()) ++contained;
        const auto d = static_cast<std::ptrdiff_t>(s->packed.size()) - static_cast<std::ptrdiff_t>(s->plain->size());
        if (!difference) difference = d;
        if (d == *difference) ++same_difference;
    }
    char number[32];
    std::snprintf(number, sizeof number, "%.2f", entropy(counts, total));
    say("packed sizes " + std::to_string(shortest) + ".." + std::to_string(longest) + " bytes, " + number + " bits of entropy a byte");
    if (pairs != 0) {
        say("the plain side lies inside the packed one in " + std::to_string(contained) + " of " + std::to_string(pairs) + " pairs");
        if (same_difference == pairs) say("packed and plain differ by " + std::to_string(*difference) + " bytes in every pair");
    }
    for (std::size_t at = 0; at < std::min<std::size_t>(shortest, 8); ++at) {
        std::set<std::uint8_t> values;
        for (const PackSample* s : all) values.insert(s->packed[at]);
        if (values.size() <= 4 && all.size() >= 8) say("byte " + std::to_string(at) + " has " + std::to_string(values.size()) + " values");
    }
}

/// Transforms that turn `from` into `to`, both starts of the same bytes.
std::vector<CodecPtr> transforms_between(ByteView from, ByteView to) {
    std::vector<CodecPtr> out;
    const std::size_t n = std::min(from.size(), to.size());
    if (n < 4) return out;
    const auto all = [&](auto test) {
        for (std::size_t i = 0; i < n; ++i)
            if (!test(i)) return false;
        return true;
    };
    const auto key_xor = static_cast<std::uint8_t>(from[0] ^ to[0]), key_add = static_cast<std::uint8_t>(from[0] - to[0]);
    if (key_xor != 0 && all([&](std::size_t i) { return (from[i] ^ to[i]) == key_xor; })) out.push_back(make_xor_const(key_xor));
    if (key_add != 0 && all([&](std::size_t i) { return static_cast<std::uint8_t>(from[i] - to[i]) == key_add; }))
        out.push_back(make_add_const(key_add));
    if (all([&](std::size_t i) { return (from[i] ^ to[i]) == static_cast<std::uint8_t>(key_xor + i); })) out.push_back(make_xor_count(key_xor));
    return out;
}

class Search {
public:
    Search(const Samples& fit, const Samples& check, const IdentifyOptions& options, IdentifyReport& report)
        : fit_(fit), check_(check), options_(options), report_(report) {
        for (const PackSample* s : fit_)
            if (s->plain) pairs_.push_back(s);
        // The probe is a pair that is really packed: long, so that its start says much.
        std::stable_sort(pairs_.begin(), pairs_.end(), [](const PackSample* a, const PackSample* b) { return a->plain->size() > b->plain->size(); });
    }

    void run() {
        framings_ = find_framings(fit_);
        const auto packers = all_packers();
        for (std::size_t i = 0; i < framings_.size(); ++i) {
            progress(i, framings_.size(), "codecs");
            const FramingCandidate& framing = framings_[i];
            for (const CodecPtr& packer : packers) consider(framing, {packer});
            if (!pairs_.empty())
                for (unsigned escape = 0; escape < 256; ++escape) consider(framing, {make_escape_rle(static_cast<std::uint8_t>(escape))});
        }
        if (!found_ && !pairs_.empty()) search_transforms(packers);
        rank();
    }

private:
    void progress(std::uint64_t done, std::uint64_t total, const std::string& what) const {
        if (options_.progress) options_.progress(done, total, what);
    }

    /// A pair whose flag does not say "stored".
    const PackSample* probe_for(const Framing& framing) const {
        for (const PackSample* s : pairs_) {
            const bool stored = std::any_of(framing.fields.begin(), framing.fields.end(), [&](const FramingField& f) {
                return f.kind == HeaderField::flag && f.stored && read_field(f, s->packed) == *f.stored;
            });
            if (!stored) return s;
        }
        return nullptr;
    }

    /// How many bytes of the probe's start come out right.
    std::size_t prefix_match(const Framing& framing, const std::vector<CodecPtr>& codecs, const PackSample& s, std::size_t count) const {
        const ByteView body = ByteView(s.packed).subspan(framing.header_bytes);
        Bytes bytes(body.begin(), body.end());
        for (std::size_t i = 0; i < codecs.size(); ++i) bytes = codecs[i]->prefix(bytes, i + 1 == codecs.size() ? count : bytes.size());
        std::size_t n = 0;
        while (n < bytes.size() && n < s.plain->size() && bytes[n] == (*s.plain)[n]) ++n;
        return n;
    }

    void consider(const FramingCandidate& framing, std::vector<CodecPtr> codecs) {
        ++report_.tried;
        const bool has_size = std::any_of(framing.framing.fields.begin(), framing.framing.fields.end(),
                                          [](const FramingField& f) { return f.kind == HeaderField::plain_size; });
        if (codecs.back()->needs_length() && !has_size) return;
        if (!pairs_.empty()) {
            const PackSample* probe = probe_for(framing.framing);
            if (probe == nullptr) return;  // everything is stored: `stored` without a flag says it
            const std::size_t right = prefix_match(framing.framing, codecs, *probe, kProbe);
            if (right < std::min(kProbe, probe->plain->size())) {
                remember_loser(framing, codecs, *probe, right);
                return;
            }
        }
        test(framing, std::move(codecs));
    }

    void remember_loser(const FramingCandidate& framing, const std::vector<CodecPtr>& codecs, const PackSample&, std::size_t right) {
        if (right < 3 || losers_.size() >= 4096) return;
        Hypothesis h;
        h.pipeline = {framing.framing, codecs};
        h.prefix_bytes = right;
        h.uncovered_header_bytes = framing.uncovered;
        h.fit_total = fit_.size();
        h.reasons.push_back("only the first " + std::to_string(right) + " bytes of the longest pair come out right");
        losers_.push_back(std::move(h));
    }

    /// Runs a pipeline over all samples.
    void test(const FramingCandidate& framing, std::vector<CodecPtr> codecs) {
        Hypothesis h;
        h.pipeline = {framing.framing, std::move(codecs)};
        h.uncovered_header_bytes = framing.uncovered;
        h.fit_total = fit_.size();
        h.check_total = check_.size();
        h.canonical = true;
        std::size_t anchored = 0, numbers = 0, longs = 0, shorts = 0, unpacked = 0;
        std::string first_failure;
        const auto passes = [&](const PackSample& s, bool counting) {
            const auto out = h.pipeline.unpack(s.packed);
            if (!out) {
                if (first_failure.empty()) first_failure = out.error().code() + ": " + out.error().message();
                return false;
            }
            if (s.plain && out->plain != *s.plain) {
                if (first_failure.empty()) first_failure = "other plain bytes come out";
                return false;
            }
            if (counting) {
                ++unpacked;
                const Anchors a = find_anchors(out->plain);
                numbers += a.number ? 1 : 0;
                anchored += a.count() >= 2 ? 1 : 0;
                longs += out->plain.size() > kWindow ? 1 : 0;
                shorts += out->plain.size() < kShort ? 1 : 0;
            }
            if (h.canonical) {
                const auto again = h.pipeline.pack(out->plain, &*out);
                h.canonical = again && *again == s.packed;
            }
            return true;
        };
        for (std::size_t i = 0; i < fit_.size(); ++i) {
            h.fit_passed += passes(*fit_[i], true) ? 1 : 0;
            // Without a plain side a wrong pipeline soon fails; there is no point in going on.
            if (pairs_.empty() && h.fit_passed != i + 1) return;
        }
        for (const PackSample* s : check_) h.check_passed += passes(*s, false) ? 1 : 0;
        if (h.fit_passed == 0) return;
        h.prefix_bytes = kProbe;
        judge(h, anchored, numbers, longs, shorts, unpacked, first_failure);
        if (h.status != ProfileStatus::unknown) found_ = true;
        results_.push_back(std::move(h));
    }

    void judge(Hypothesis& h, std::size_t anchored, std::size_t numbers, std::size_t longs, std::size_t shorts, std::size_t unpacked,
               const std::string& first_failure) const {
        const auto because = [&](std::string text) { h.reasons.push_back(std::move(text)); };
        if (h.fit_passed != h.fit_total || h.check_passed != h.check_total) {
            because(std::to_string(h.fit_total - h.fit_passed) + " of " + std::to_string(h.fit_total) + " fit and " +
                    std::to_string(h.check_total - h.check_passed) + " of " + std::to_string(h.check_total) + " check samples fail" +
                    (first_failure.empty() ? "" : " (" + first_failure + ")"));
            return;
        }
        if (pairs_.empty()) {
            // Packets alone: nothing proves the bytes, so two kinds of anchors must agree and the status stays low.
            if (numbers * 10 < unpacked * 9 || anchored == 0) {
                because("unpacks, but the plain bytes show too few signs of game messages (" + std::to_string(numbers) + " of " +
                        std::to_string(unpacked) + " with a message number, " + std::to_string(anchored) + " with a second sign)");
                return;
            }
            h.status = ProfileStatus::hypothesis;
            because(std::to_string(unpacked) + " packets unpack, " + std::to_string(numbers) + " with a message number, " +
                    std::to_string(anchored) + " with a second sign; no plain side is known");
            if (unpacked < kMinPacketsOnly) because("fewer than " + std::to_string(kMinPacketsOnly) + " packets");
            return;
        }
        h.status = ProfileStatus::decodes;
        because("every one of " + std::to_string(h.fit_total) + " fit samples unpacks exactly");
        const auto lacks = [&](std::string text) {
            h.status = ProfileStatus::hypothesis;
            because(std::move(text));
        };
        if (pairs_.size() < kMinFit) lacks("fewer than " + std::to_string(kMinFit) + " distinct pairs in the fit set");
        if (longs < kMinLong) lacks("fewer than 8 samples longer than the window of 4096 bytes");
        if (shorts < kMinShort) lacks("fewer than 8 samples shorter than 16 bytes");
        if (h.check_total == 0)
            lacks("only one session: nothing is left to check with");
        else
            because("every one of " + std::to_string(h.check_total) + " check samples, of other sessions, unpacks exactly");
        std::set<PayloadTransport> transports;
        std::set<PayloadDirection> directions;
        for (const Samples* list : {&fit_, &check_})
            for (const PackSample* s : *list) {
                transports.insert(s->transport);
                directions.insert(s->direction);
            }
        if (!transports.contains(PayloadTransport::tcp) || !transports.contains(PayloadTransport::udp)) because("not both transports are covered");
        if (!directions.contains(PayloadDirection::to_host) || !directions.contains(PayloadDirection::from_host))
            because("not both directions are covered");
        because(h.canonical ? "packing again gives the recorded bytes" : "packing again gives other bytes: another encoder, or flag padding");
    }

    /// Step 5: transforms before or after a packer.
    void search_transforms(const std::vector<CodecPtr>& packers) {
        std::vector<const FramingCandidate*> likely;
        for (const FramingCandidate& f : framings_)
            if ((f.uncovered == 0 || f.framing.header_bytes == 0) && likely.size() < 8) likely.push_back(&f);
        std::size_t step = 0;
        for (const FramingCandidate* f : likely) {
            progress(step++, likely.size(), "transforms");
            const PackSample* probe = probe_for(f->framing);
            if (probe == nullptr) continue;
            const ByteView body = ByteView(probe->packed).subspan(f->framing.header_bytes);
            // Behind a packer, and stored payloads: the key follows from the bytes.
            for (const CodecPtr& packer : packers)
                for (const CodecPtr& t : transforms_between(packer->prefix(body, 64), ByteView(*probe->plain).first(std::min<std::size_t>(64, probe->plain->size()))))
                    test(*f, packer->id() == "stored" ? std::vector<CodecPtr>{t} : std::vector<CodecPtr>{packer, t});
            if (body.size() == probe->plain->size())
                for (unsigned key = 1; key < 65'536; ++key) try_prefix(*f, {make_xor_stream(static_cast<std::uint16_t>(key))}, *probe);
            // In front of a packer: every key of one byte.
            for (unsigned key = 0; key < 256; ++key)
                for (const CodecPtr& t : {make_xor_const(static_cast<std::uint8_t>(key)), make_add_const(static_cast<std::uint8_t>(key)),
                                          make_xor_count(static_cast<std::uint8_t>(key))}) {
                    const Bytes open = t->prefix(body, body.size());
                    for (const CodecPtr& packer : packers)
                        if (start_matches(*packer, open, *probe)) consider(*f, {t, packer});
                }
            if (!options_.deep) continue;
            for (unsigned key = 1; key < 65'536; ++key) {
                const CodecPtr t = make_xor_stream(static_cast<std::uint16_t>(key));
                const Bytes open = t->prefix(body, body.size());
                for (const CodecPtr& packer : packers)
                    if (is_common(packer->id()) && start_matches(*packer, open, *probe)) consider(*f, {t, packer});
            }
        }
    }
    static bool is_common(const std::string& id) {
        return id == "lzss-4096-20-fee" || id == "lzss-4096-00-fee" || id == "lzhuf" || id == "deflate-raw" || id == "zlib" || id == "gzip" ||
               id == "lz-endcode";
    }
    static bool start_matches(const NetZipCodec& packer, ByteView open, const PackSample& s) {
        const std::size_t want = std::min<std::size_t>(4, s.plain->size());
        const Bytes start = packer.prefix(open, want);
        return start.size() == want && std::equal(start.begin(), start.end(), s.plain->begin());
    }
    void try_prefix(const FramingCandidate& f, std::vector<CodecPtr> codecs, const PackSample& probe) {
        if (prefix_match(f.framing, codecs, probe, kProbe) >= std::min(kProbe, probe.plain->size())) test(f, std::move(codecs));
    }

    void rank() {
        // Proven first; then what explains more header bytes, says how the bytes were made, and is simpler. Equal
        // pipelines keep the order of the registry, in which the engine's own parameters come first.
        std::stable_sort(results_.begin(), results_.end(), [](const Hypothesis& a, const Hypothesis& b) {
            const auto key = [](const Hypothesis& h) {
                std::size_t sizes = 0;
                for (const FramingField& f : h.pipeline.framing.fields) sizes += f.kind == HeaderField::plain_size ? 1 : 0;
                return std::tuple(-static_cast<int>(h.status), -static_cast<std::ptrdiff_t>(h.fit_passed + h.check_passed),
                                  h.uncovered_header_bytes, !h.canonical, h.pipeline.codecs.size(), h.pipeline.framing.header_bytes, 1 - sizes);
            };
            return key(a) < key(b);
        });
        std::stable_sort(losers_.begin(), losers_.end(), [](const Hypothesis& a, const Hypothesis& b) { return a.prefix_bytes > b.prefix_bytes; });
        report_.ranking = std::move(results_);
        report_.ranking.insert(report_.ranking.end(), std::make_move_iterator(losers_.begin()), std::make_move_iterator(losers_.end()));
        report_.ranking.resize(std::min(report_.ranking.size(), options_.ranking));
    }

    const Samples &fit_, &check_;
    const IdentifyOptions& options_;
    IdentifyReport& report_;
    Samples pairs_;
    std::vector<FramingCandidate> framings_;
    std::vector<Hypothesis> results_, losers_;
    bool found_ = false;
};

}  // namespace

IdentifyReport identify(const std::vector<PackSample>& samples, const IdentifyOptions& options) {
    IdentifyReport report;
    report.samples = samples.size();
    const Samples all = distinct_of(samples);
    report.distinct = all.size();
    report.with_plain = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const PackSample* s) { return s->plain.has_value(); }));
    observe(all, report);
    Samples fit, check;
    split(all, fit, check);
    if (!fit.empty()) Search(fit, check, options, report).run();
    return report;
}

}  // namespace iron::dpcompat
