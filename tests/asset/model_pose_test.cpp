#include "tests/asset/visual_kit.hpp"

#include "shared/asset/model_pose.hpp"
#include "shared/asset/msh_build.hpp"

using namespace iron;
using namespace iron::asset;
using namespace iron::asset::kit;

namespace {

const Quat kHalfZ{0, 0, 0, 1};
const Quat kQuarterZ{0.70710678f, 0, 0, 0.70710678f};

/// Keys 0, 1, 2 at times 0, 2, 4; fallback 2; F = 5; map 0 0 1 1 2 (models.md 9.6).
MshModel worked_model() {
    MshModel m;
    append_node(m, "a", kNone16, kNone16);
    const MshTrack track = {{0, {{0, 0, 0}, {}}}, {2, {{2, 0, 0}, kQuarterZ}}, {4, {{2, 4, 0}, kHalfZ}}};
    REQUIRE(set_tracks(m, std::vector<MshTrack>{track}));
    REQUIRE(m.frame_map == std::vector<std::uint16_t>{0, 0, 1, 1, 2});
    return m;
}

void check_pose(const Pose& pose, Vec3 p, Quat q) {
    CHECK(pose.position.x == Approx(p.x).margin(1e-6));
    CHECK(pose.position.y == Approx(p.y).margin(1e-6));
    CHECK(pose.position.z == Approx(p.z).margin(1e-6));
    CHECK(pose.rotation.w == Approx(q.w).margin(5e-5));  // keys are quantised to 1/32767
    CHECK(pose.rotation.x == Approx(q.x).margin(5e-5));
    CHECK(pose.rotation.y == Approx(q.y).margin(5e-5));
    CHECK(pose.rotation.z == Approx(q.z).margin(5e-5));
}

}  // namespace

TEST_CASE("a time becomes a frame by rounding t - 0.5 with ties to even") {
    CHECK(frame_of_time(0) == 0);       // -0.5 -> 0
    CHECK(frame_of_time(1) == 0);       // 0.5 -> 0
    CHECK(frame_of_time(1.5f) == 1);
    CHECK(frame_of_time(2) == 2);       // 1.5 -> 2
    CHECK(frame_of_time(3) == 2);       // 2.5 -> 2
    CHECK(frame_of_time(3.5f) == 3);
    CHECK(frame_of_time(4) == 4);
    CHECK(frame_of_time(6) == 6);       // 5.5 -> 6
    CHECK(frame_of_time(-1) == 0xFFFFFFFEu);  // -1.5 -> -2
    CHECK(frame_of_time(-0.25f) == 0xFFFFFFFFu);
    CHECK(frame_of_time(4294967296.0f) == 0x80000000u);
    CHECK(frame_of_time(kNan) == 0x80000000u);
}

TEST_CASE("sampling follows the worked table") {
    const MshModel m = worked_model();
    const auto at = [&m](float t) { return sample_node(m, 0, t, {}); };
    check_pose(at(0), {0, 0, 0}, {1, 0, 0, 0});
    check_pose(at(1), {1, 0, 0}, {0.9238795f, 0, 0, 0.3826834f});
    check_pose(at(1.5f), {1.5f, 0, 0}, {0.8314696f, 0, 0, 0.5555702f});
    check_pose(at(2), {2, 0, 0}, kQuarterZ);
    check_pose(at(3), {2, 2, 0}, {0.3826834f, 0, 0, 0.9238795f});
    check_pose(at(3.5f), {2, 3, 0}, {0.1950903f, 0, 0, 0.9807853f});
    for (const float t : {4.0f, 5.0f, 6.0f, -1.0f, 1e30f, kNan}) check_pose(at(t), {2, 4, 0}, kHalfZ);
}

TEST_CASE("interpolation is spherical, takes the short way and is linear when almost parallel") {
    const Quat quarter = interpolate({}, kQuarterZ, 0.25f);
    CHECK(quarter.z == Approx(0.1950903f).margin(1e-6));
    const Quat half = interpolate({}, kQuarterZ, 0.5f);
    CHECK(half.w == Approx(0.9238795f).margin(1e-6));
    CHECK(half.z == Approx(0.3826834f).margin(1e-6));
    const Quat negated = interpolate({}, {-kQuarterZ.w, 0, 0, -kQuarterZ.z}, 0.5f);
    CHECK(negated.w == Approx(half.w).margin(1e-6));
    CHECK(negated.z == Approx(half.z).margin(1e-6));
    const Quat longer = interpolate({1.00001f, 0, 0, 0}, {1.00001f, 0, 0, 0}, 0.5f);
    CHECK(longer.w == Approx(1.00001f));
}

TEST_CASE("the matrix of a pose is the rotation by the conjugate") {
    const Mat34 m = pose_matrix({{5, 6, 7}, {0.9238795f, 0, 0, 0.3826834f}});
    const float expected[12] = {0.7071068f, 0.7071068f, 0, 5, -0.7071068f, 0.7071068f, 0, 6, 0, 0, 1, 7};
    for (std::size_t i = 0; i < 12; ++i) CHECK(m.m[i] == Approx(expected[i]).margin(1e-6));
    const BoundingSphere s = transform_sphere({{2, 0, 0, 1, 0, 3, 0, 0, 0, 0, 1, 0}}, {{1, 0, 0}, 2});
    CHECK(s.radius == 6.0f);
    CHECK(s.centre == Vec3{3, 0, 0});
}

TEST_CASE("two times blend by weight, and an unusable time leaves the other") {
    const MshModel m = worked_model();
    bool undefined = true;
    check_pose(blend_node(m, 0, 0, 2, 0.5f, {}, &undefined), {1, 0, 0}, {0.9238795f, 0, 0, 0.3826834f});
    CHECK_FALSE(undefined);
    check_pose(blend_node(m, 0, 0, -1, 0.5f, {}), {0, 0, 0}, {1, 0, 0, 0});
    check_pose(blend_node(m, 0, -1, 2, 0.5f, {}), {2, 0, 0}, kQuarterZ);
    check_pose(blend_node(m, 0, 0, 2, 0, {}), {0, 0, 0}, {1, 0, 0, 0});
    check_pose(blend_node(m, 0, 0, 2, 1, {}), {2, 0, 0}, kQuarterZ);
    check_pose(blend_node(m, 0, -1, -1, 0.5f, {}, &undefined), {2, 4, 0}, kHalfZ);
    CHECK(undefined);
}

TEST_CASE("children follow their parent and the object") {
    MshModel m;
    append_node(m, "root", kNone16, kNone16, {{1, 0, 0}, kQuarterZ});
    append_node(m, "child", 0, kNone16, {{2, 0, 0}, {}});
    const Mat34 object{{1, 0, 0, 100, 0, 1, 0, 0, 0, 0, 1, 0}};
    const auto world = sample_model(m, 0, object, {});
    // The quarter turn maps x to -y: the child is 2 below the root.
    const Vec3 child = transform_point(world.at(1), {});
    CHECK(child.x == Approx(101).margin(1e-4));
    CHECK(child.y == Approx(-2).margin(1e-3));
    m.flat_hierarchy = true;
    CHECK(sample_model(m, 0, object, {}).at(1) == object);
}

TEST_CASE("an attached model skips its root and hangs on the attach piece") {
    MshModel body, gun;
    append_node(body, "root", kNone16, kNone16);
    append_node(body, "turret", 0, kNone16, {{0, 0, 3}, {}});
    append_node(gun, "mount", kNone16, kNone16);
    append_node(gun, "barrel", 0, kNone16, {{1, 0, 0}, {}});
    append_node(gun, "muzzle", 1, kNone16, {{1, 0, 0}, {}});
    append_node(gun, "loose", kNone16, kNone16);
    PieceList list;
    REQUIRE(list.add(body, 0, kNoPiece).value() == 0);
    CHECK(code_of(list.add(gun, 1, 2)) == "bad_attach_piece");
    REQUIRE(list.add(gun, 1, 1).value() == 1);
    REQUIRE(list.pieces().size() == 5);
    CHECK(list.pieces()[2].parent == 1);
    CHECK(list.pieces()[3].parent == 2);
    CHECK(list.pieces()[4].parent == kNoPiece);
    CHECK(list.piece_of(0, 1) == 1);
    CHECK(list.piece_of(1, 0) == 1);
    CHECK(list.piece_of(1, 2) == 3);
    CHECK(list.piece_of(1, 9) == kNoPiece);
    std::vector<Pose> local;
    for (const Piece& p : list.pieces())
        local.push_back(fallback_local_pose(p.load == 0 ? body : gun, p.node, {}));
    const auto world = pose_pieces(list.pieces(), local, {});
    CHECK(transform_point(world.at(3), {}) == Vec3{2, 0, 3});
}
