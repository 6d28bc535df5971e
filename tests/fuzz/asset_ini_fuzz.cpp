// Text configuration: lossless in every grammar; a value that was set is read back.
#include <cstdlib>

#include "shared/asset/build_dat.hpp"
#include "shared/asset/comp_ini.hpp"
#include "shared/asset/config_text.hpp"
#include "shared/asset/mission_cfg.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace iron;
    const ByteView bytes(data, size);
    const Bytes copy(bytes.begin(), bytes.end());
    ReadContext context;
    context.profile = ReadProfile::compatible;
    auto ini = asset::read_ini(bytes, context);
    if (asset::write_ini(ini) != copy) std::abort();
    const auto cfg = asset::read_mission_cfg(bytes, context);
    if (cfg && asset::write_mission_cfg(*cfg) != copy) std::abort();
    const asset::BlockGrammar nested{{"object", "page"}, 16};
    const auto blocks = asset::read_blocks(bytes, nested, context);
    if (blocks && asset::write_blocks(*blocks) != copy) std::abort();
    const auto comp = asset::read_comp_ini(bytes, context);
    if (comp && asset::write_comp_ini(*comp) != copy) std::abort();
    const auto build = asset::read_build_dat(bytes, context);
    if (build && asset::write_build_dat(*build) != copy) std::abort();

    if (!ini.entries.empty()) {
        const asset::IniEntry first = ini.entries.front();
        ini.set(first.section, first.key, "a // b");
        const auto again = asset::read_ini(asset::write_ini(ini), context);
        const auto* entry = again.find(first.section, first.key);
        if (!entry || entry->value != "a // b") std::abort();
    }
    return 0;
}
