// A short input is a texture name, one of the size of a palette file is such a file.
#include "shared/asset/palette.hpp"
#include "tests/fuzz/asset_roundtrip.hpp"

using namespace iron;
using namespace iron::asset;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    for (const ReadProfile profile : {ReadProfile::strict, ReadProfile::compatible}) {
        ReadContext ctx;
        ctx.profile = profile;
        const auto index = palette_index(as_text({data, size}), ctx);
        if (index && *index) {
            if (**index < 0 || **index >= kPaletteCount) std::abort();
            // The entry's own suffix selects it again.
            const std::string name = "x." + palette_entry_name(**index);
            const auto again = palette_index(name.substr(0, name.rfind('.')), ctx);
            if (!again || *again != *index) std::abort();
        }
    }
    fuzz::check_roundtrip(
        {data, size}, [](ByteView b, ReadContext& ctx) { return read_palette(b, ctx); },
        [](const Palette& p) { return write_palette(p); }, [](Palette& p) { (void)p.to_rgba(); });
    return 0;
}
