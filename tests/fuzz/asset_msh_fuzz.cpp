#include "shared/asset/model_pose.hpp"
#include "shared/asset/msh_build.hpp"
#include "tests/fuzz/asset_roundtrip.hpp"

using namespace iron;
using namespace iron::asset;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::check_roundtrip(
        {data, size}, [](ByteView b, ReadContext& ctx) { return read_msh(b, ctx); },
        [](const MshModel& m) { return write_msh(m); },
        [](MshModel& m) {
            const auto pose = fallback_pose(m, {});
            (void)joint_box(m, pose, m.nodes.empty() ? 0 : m.nodes.size() - 1, false);
            (void)sample_model(m, 1.5f, {}, {});
            (void)blend_model(m, 0.5f, 2, 0.3f, {}, {});
            (void)decode_lights(m);
            MshProfileScan scan;
            scan.add(m, 1);
            ReadContext ctx;
            (void)scan.verdict(ctx);
            if (m.slots.size() <= 64 && m.batches.size() <= 64) (void)finish_model(m);
            (void)write_msh(m);
            (void)write_msh_canonical(m);
        });
    return 0;
}
