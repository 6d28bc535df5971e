// Every reader over every kind of damage: a cut or changed file is an error, or it is written back exactly
// as it is. Nothing in between, and nothing crashes.
#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "shared/archive/rsli.hpp"
#include "shared/asset/effect.hpp"
#include "shared/asset/palette.hpp"
#include "shared/base/rng.hpp"
#include "shared/content/content.hpp"
#include "shared/interchange/archive_folder.hpp"
#include "shared/interchange/loaded_asset.hpp"
#include "shared/interchange/view_options.hpp"
#include "tests/interchange/kit.hpp"

using namespace iron;
using namespace iron::interchange;

namespace {

struct Sample {
    std::string path, entry;
    std::optional<std::uint32_t> type_id;
    asset::EntryAttributes attributes;
    AssetKind kind = AssetKind::raw;
    Bytes bytes;
};

void offer(std::map<AssetKind, std::vector<Sample>>& out, Sample sample) {
    sample.kind = detect_asset_kind({sample.path, sample.entry, sample.type_id, sample.attributes, sample.bytes});
    // The two smallest of a kind: sweeps cost the square of the size.
    auto& list = out[sample.kind];
    list.push_back(std::move(sample));
    std::sort(list.begin(), list.end(), [](const Sample& a, const Sample& b) { return a.bytes.size() < b.bytes.size(); });
    if (list.size() > 2) list.pop_back();
}

/// Formats the built-in game does not use.
void offer_vectors(std::map<AssetKind, std::vector<Sample>>& out) {
    asset::Effect effect;
    for (std::uint32_t opcode = 1; opcode <= 10; ++opcode) effect.commands.push_back(asset::make_effect_command(opcode).value());
    offer(out, {"effects.rlb", "boom", archive::type_tag("FXID"), {0, 0, 1}, {}, asset::write_effect(effect).value()});
    offer(out, {"objects.rlb", "fr_x", archive::type_tag("FORT"), {}, {}, Bytes(0x80, 0)});
    asset::Palette palette;
    palette.blend_table.assign(65536, 0);
    offer(out, {"palettes.lib", "A.PAL", 0, {}, {}, asset::write_palette(palette).value()});
    Bytes font(4116, 7);
    const Bytes texture = kit::hex("5465786D 01000000 01000000 01000000 00000000 00000000 00000000 35020000 FFFF");
    font.insert(font.end(), texture.begin(), texture.end());
    offer(out, {"font.lib", "F", archive::type_tag("TFNT"), {}, {}, font});
    offer(out, {"a.rlb", "x.exp", archive::type_tag("EXPL"), {}, {}, Bytes(40, 1)});
    offer(out, {"x.ini", {}, {}, {}, {}, kit::bytes_of("[A]\r\nkey = \"value\" // text\r\n")});
}

const std::map<AssetKind, std::vector<Sample>>& samples() {
    static const auto all = [] {
        std::map<AssetKind, std::vector<Sample>> out;
        std::vector<content::GeneratedFile> files = content::generate_content({}).value();
        for (content::GeneratedFile& file : files) {
            if (detect_container(file.bytes) == ContainerKind::nres && (file.path.ends_with(".rlb") || file.path.ends_with(".lib"))) {
                ReadContext context;
                const auto nres = archive::view_nres(file.bytes, context, archive::NresRole::file).value();
                for (std::size_t i = 0; i < nres.size(); ++i) {
                    const auto& e = nres.entry(i);
                    const ByteView p = nres.payload(i);
                    offer(out, {file.path, std::string(e.name()), e.type_id, {e.attr1, e.attr2, e.attr3}, {}, Bytes(p.begin(), p.end())});
                }
            }
            offer(out, {file.path, {}, {}, {}, {}, std::move(file.bytes)});
        }
        offer_vectors(out);
        return out;
    }();
    return all;
}

/// An error, or the same bytes again.
bool holds(const Sample& sample, ByteView bytes, ReadProfile profile) {
    ReadContext context;
    context.profile = profile;
    if (sample.kind == AssetKind::nres || sample.kind == AssetKind::rsli) {
        const auto opened = read_archive(Bytes(bytes.begin(), bytes.end()), context);
        if (!opened) return true;
        for (std::size_t i = 0; i < opened->size(); ++i) (void)opened->load(i, context);
        return true;
    }
    const auto loaded = load_asset(sample.kind, {sample.path, sample.entry, sample.type_id, sample.attributes, bytes}, context);
    if (!loaded) return true;
    const auto again = (*loaded)->rewrite();
    return again && std::equal(again->begin(), again->end(), bytes.begin(), bytes.end());
}

/// Every length of a small file, some two hundred of a large one, all of its first and last bytes.
std::vector<std::size_t> cuts(std::size_t size) {
    std::vector<std::size_t> out;
    const std::size_t step = std::max<std::size_t>(1, size / 160);
    for (std::size_t at = 0; at < size; at += at < 24 || at + 24 >= size ? 1 : std::min(step, size - 24 - at)) out.push_back(at);
    return out;
}

}  // namespace

TEST_CASE("There is a sample of every kind the readers know") {
    for (std::size_t k = 0; k < kAssetKindCount; ++k) {
        const auto kind = static_cast<AssetKind>(k);
        // Raw families without a sample keep whatever they get.
        if (kind == AssetKind::ani || kind == AssetKind::ske || kind == AssetKind::fml || kind == AssetKind::preload ||
            kind == AssetKind::raw)
            continue;
        INFO(asset_kind_name(kind));
        CHECK(samples().count(kind) == 1);
    }
}

TEST_CASE("Whole samples are accepted strictly and rewritten to the same bytes") {
    for (const auto& [kind, list] : samples())
        for (const Sample& sample : list) {
            INFO(sample.path << "::" << sample.entry);
            if (kind == AssetKind::nres || kind == AssetKind::rsli) continue;
            ReadContext context;
            const auto loaded = load_asset(kind, {sample.path, sample.entry, sample.type_id, sample.attributes, sample.bytes}, context);
            if (!loaded) FAIL(loaded.error().to_string());
            CHECK((*loaded)->rewrite().value() == sample.bytes);
            CHECK((*loaded)->view({}).is_object());
        }
}

TEST_CASE("A truncated file is an error or itself, in both profiles") {
    for (const auto& [kind, list] : samples())
        for (const Sample& sample : list)
            for (const std::size_t size : cuts(sample.bytes.size())) {
                INFO(sample.path << "::" << sample.entry << " cut to " << size);
                const ByteView part = ByteView(sample.bytes).first(size);
                REQUIRE(holds(sample, part, ReadProfile::strict));
                REQUIRE(holds(sample, part, ReadProfile::compatible));
            }
}

TEST_CASE("A file with changed bytes is an error or itself, in both profiles") {
    Rng rng(2001, 1);
    for (const auto& [kind, list] : samples())
        for (const Sample& sample : list)
            for (int round = 0; round < 120; ++round) {
                Bytes bytes = sample.bytes;
                if (bytes.empty()) continue;
                // Half of the changes in the first bytes, where the counts are.
                const std::size_t reach = round % 2 == 0 ? std::min<std::size_t>(bytes.size(), 64) : bytes.size();
                const std::size_t at = rng.below(static_cast<std::uint32_t>(reach));
                const auto value = static_cast<std::uint8_t>(rng.below(256));
                bytes[at] = value;
                INFO(sample.path << "::" << sample.entry << " byte " << at << " = " << int{value});
                REQUIRE(holds(sample, bytes, ReadProfile::strict));
                REQUIRE(holds(sample, bytes, ReadProfile::compatible));
            }
}
