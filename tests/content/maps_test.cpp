// Maps: sizes, areals, routes between all bases, materials that fade without seams.
#include <map>
#include <queue>
#include <set>
#include <tuple>

#include <catch2/catch.hpp>

#include "shared/asset/land_map.hpp"
#include "shared/asset/land_mesh.hpp"
#include "shared/asset/tma.hpp"
#include "shared/asset/wear.hpp"
#include "tests/content/content_kit.hpp"

using namespace iron;
using namespace iron::content_test;

namespace {

struct Map {
    std::string name, mission;
    float extent;
};
const Map kMaps[] = {{"PG_TUT", "tutorial.01", 384}, {"PG_DUEL", "single.01", 720}, {"PG_FOUR", "single.02", 1200}};

asset::LandMesh mesh_of(const Map& map) {
    ReadContext context;
    auto out = asset::read_land_mesh(file("DATA/MAPS/" + map.name + "/land.msh"), context);
    REQUIRE(out);
    CHECK(context.diagnostics.empty());
    return std::move(*out);
}
asset::LandMap areals_of(const Map& map) {
    ReadContext context;
    auto out = asset::read_land_map(file("DATA/MAPS/" + map.name + "/land.map"), context);
    REQUIRE(out);
    CHECK(context.diagnostics.empty());
    return std::move(*out);
}
asset::Tma mission_of(const Map& map) {
    ReadContext context;
    auto out = asset::read_tma(file("MISSIONS/" + map.mission + "/data.tma"), context);
    REQUIRE(out);
    CHECK(context.diagnostics.empty());
    return std::move(*out);
}

/// Height by simulation.md 6.1 over the LOD 0 faces that pass; nullopt = no surface.
std::optional<float> height_at(const asset::LandMesh& mesh, const std::vector<std::uint8_t>& lods, float x, float y, bool water) {
    std::optional<float> best;
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        const asset::LandFace& face = mesh.faces[f];
        if (lods[f] != 0 || (!water && (face.flags & asset::surface::kWater))) continue;
        const Vec3 a = mesh.positions[face.vertices[0]], b = mesh.positions[face.vertices[1]], c = mesh.positions[face.vertices[2]];
        const float det = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        if (det < 1e-6f && det > -1e-6f) continue;
        const float u = ((x - a.x) * (c.y - a.y) - (c.x - a.x) * (y - a.y)) / det;
        const float v = ((b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)) / det;
        if (u < -1e-4f || v < -1e-4f || u + v > 1.0001f) continue;
        const float z = a.z + (b.z - a.z) * u + (c.z - a.z) * v;
        if (!best || z > *best) best = z;
    }
    return best;
}

std::set<std::uint32_t> reachable(const asset::LandMap& map, std::uint32_t start) {
    std::set<std::uint32_t> seen{start};
    std::queue<std::uint32_t> open;
    open.push(start);
    while (!open.empty()) {
        const std::uint32_t at = open.front();
        open.pop();
        for (const asset::ArealLink& link : map.areals[at].links)
            if (!link.none() && seen.insert(static_cast<std::uint32_t>(link.areal)).second) open.push(static_cast<std::uint32_t>(link.areal));
    }
    return seen;
}

}  // namespace

TEST_CASE("the four-player map has the size of the original tutorial maps") {
    const asset::LandMesh mesh = mesh_of(kMaps[2]);
    CHECK(mesh.positions.size() > 8000);
    CHECK(mesh.positions.size() < 10000);
    CHECK(mesh.faces.size() > 7800);
    CHECK(mesh.faces.size() < 9450);
    CHECK(mesh.tiles.size() == 256);
    CHECK(mesh.slots.size() == 512);
    const asset::LandMap map = areals_of(kMaps[2]);
    CHECK(map.areals.size() > 600);
    CHECK(map.areals.size() < 800);
    CHECK(map.cells_x == 128);
    CHECK(map.cells_y == 128);
    const asset::Tma mission = mission_of(kMaps[2]);
    CHECK(mission.objects.size() == 35);
    CHECK(mission.clans.size() == 4);
    for (const auto& clan : mission.clans) CHECK(clan.mode == static_cast<std::uint32_t>(asset::ClanMode::player));
}

TEST_CASE("map boxes of terrain and areals are the whole land") {
    for (const Map& m : kMaps) {
        CAPTURE(m.name);
        const asset::MapRect box = asset::areal_bounds(areals_of(m));
        CHECK(box.x0 == 0);
        CHECK(box.y0 == 0);
        CHECK(box.x1 == Approx(m.extent));
        CHECK(box.y1 == Approx(m.extent));
        const asset::LandMesh mesh = mesh_of(m);
        CHECK(mesh.header.corners[0].x == Approx(0).margin(0.01));
        CHECK(mesh.header.corners[2].x == Approx(m.extent));
        CHECK(mesh.header.corners[2].y == Approx(m.extent));
    }
}

TEST_CASE("areals are counter-clockwise, walkable, and linked both ways along equal edges") {
    for (const Map& m : kMaps) {
        CAPTURE(m.name);
        const asset::LandMap map = areals_of(m);
        for (std::size_t i = 0; i < map.areals.size(); ++i) {
            const asset::Areal& a = map.areals[i];
            double twice = 0;
            for (std::size_t k = 0; k < a.vertices.size(); ++k) {
                const Vec3 p = a.vertices[k], q = a.vertices[(k + 1) % a.vertices.size()];
                twice += static_cast<double>(p.x) * q.y - static_cast<double>(q.x) * p.y;
            }
            REQUIRE(twice > 0);
            REQUIRE(a.area == Approx(twice / 2));
            REQUIRE(a.normal.z >= 0.7317f);  // cos 0.75 rad, the slope limit of the chassis
            REQUIRE(asset::polygon_contains(a.vertices, a.anchor.x, a.anchor.y));
            REQUIRE(a.links.size() == a.vertices.size());
            for (std::size_t k = 0; k < a.links.size(); ++k) {
                if (a.links[k].none()) continue;
                const asset::Areal& b = map.areals[static_cast<std::size_t>(a.links[k].areal)];
                const auto e = static_cast<std::size_t>(a.links[k].edge);
                REQUIRE(b.links[e] == asset::ArealLink{static_cast<std::int32_t>(i), static_cast<std::int32_t>(k)});
                REQUIRE(b.vertices[e] == a.vertices[(k + 1) % a.vertices.size()]);
                REQUIRE(b.vertices[(e + 1) % b.vertices.size()] == a.vertices[k]);
            }
        }
    }
}

TEST_CASE("water and steep hills are no areals, the rest of the land is") {
    for (const Map& m : kMaps) {
        CAPTURE(m.name);
        const asset::LandMap map = areals_of(m);
        const asset::MapRect box = asset::areal_bounds(map);
        const asset::LandMesh mesh = mesh_of(m);
        const float water = asset::water_level(mesh);
        REQUIRE(water > 0);
        const auto lods = asset::face_lods(mesh);
        int wet = 0, dry = 0, covered = 0;
        for (float x = 7; x < m.extent; x += m.extent / 23) {
            for (float y = 5; y < m.extent; y += m.extent / 23) {
                const auto bed = height_at(mesh, lods, x, y, false);
                REQUIRE(bed);
                const bool inside = asset::locate_areal(map, box, x, y).has_value();
                if (*bed < water && *height_at(mesh, lods, x, y, true) == Approx(water)) {
                    ++wet;
                    CHECK_FALSE(inside);
                } else {
                    ++dry;
                    covered += inside;
                }
            }
        }
        CHECK(wet > 0);
        CHECK(covered > dry * 8 / 10);
        CHECK(covered < dry);  // some ground is too steep
    }
}

TEST_CASE("routes connect all bases, objects and deposits") {
    for (const Map& m : kMaps) {
        CAPTURE(m.name);
        const asset::LandMap map = areals_of(m);
        const asset::MapRect box = asset::areal_bounds(map);
        const asset::Tma mission = mission_of(m);
        const auto start = asset::locate_areal(map, box, mission.clans[0].anchor_x, mission.clans[0].anchor_y);
        REQUIRE(start);
        const std::set<std::uint32_t> seen = reachable(map, *start);
        CHECK(seen.size() > map.areals.size() * 7 / 10);
        const auto check = [&](float x, float y) {
            CAPTURE(x, y);
            const auto at = asset::locate_areal(map, box, x, y);
            REQUIRE(at);
            CHECK(seen.count(*at) == 1);
        };
        for (const auto& clan : mission.clans) check(clan.anchor_x, clan.anchor_y);
        for (const auto& object : mission.objects)
            if (object.is_unit_scheme()) check(object.position.x, object.position.y);
        for (const auto& extra : mission.extras) check(extra.position.x, extra.position.y);
        for (const auto& path : mission.paths)
            for (const Vec3& p : path.points) check(p.x, p.y);
    }
}

TEST_CASE("objects stand on the terrain and heights are world units") {
    for (const Map& m : kMaps) {
        CAPTURE(m.name);
        const asset::LandMesh mesh = mesh_of(m);
        const auto lods = asset::face_lods(mesh);
        for (const auto& object : mission_of(m).objects) {
            const auto z = height_at(mesh, lods, object.position.x, object.position.y, true);
            REQUIRE(z);
            CAPTURE(object.resource, object.position.x, object.position.y);
            CHECK(object.position.z == Approx(*z).margin(0.75));  // a road may lie a little above the ground
        }
    }
}

TEST_CASE("bases are flat enough to build and to stand on") {
    const Map& m = kMaps[1];
    const asset::LandMesh mesh = mesh_of(m);
    const auto lods = asset::face_lods(mesh);
    const asset::Tma mission = mission_of(m);
    for (const auto& object : mission.objects) {
        if (object.kind != 0) continue;
        float low = 1e9f, high = -1e9f;
        for (const float dx : {-6.0f, 6.0f})
            for (const float dy : {-6.0f, 6.0f}) {
                const float z = *height_at(mesh, lods, object.position.x + dx, object.position.y + dy, true);
                low = std::min(low, z);
                high = std::max(high, z);
            }
        CAPTURE(object.resource, object.position.x, object.position.y);
        CHECK(high - low <= 2.0f);  // the basement limit of simulation.md 13
    }
}

TEST_CASE("the duel map is the one of the rules") {
    const asset::Tma mission = mission_of(kMaps[1]);
    REQUIRE(mission.clans.size() == 2);
    CHECK(mission.clans[0].anchor_x == 150);
    CHECK(mission.clans[1].anchor_y == 570);
    const auto has = [&](std::string_view resource, int owner, float x, float y) {
        for (const auto& o : mission.objects)
            if (o.resource == resource && o.owner == owner && o.position.x == x && o.position.y == y) return true;
        return false;
    };
    CHECK(has("UNITS\\BUILDS\\bunk_m.dat", 0, 150, 150));
    CHECK(has("UNITS\\BUILDS\\plant.dat", 0, 174, 150));
    CHECK(has("UNITS\\BUILDS\\mine.dat", 0, 174, 124));
    CHECK(has("UNITS\\BUILDS\\gen.dat", 0, 126, 124));
    CHECK(has("UNITS\\BUILDS\\plant.dat", 1, 546, 570));
    CHECK(has("UNITS\\BUILDS\\gen.dat", -1, 360, 360));
    CHECK(has("UNITS\\BUILDS\\gen.dat", -1, 260, 90));
    CHECK(has("UNITS\\BUILDS\\gen.dat", -1, 460, 630));
    CHECK(mission.extras.size() == 12);
    for (const auto& extra : mission.extras) CHECK(extra.value == 1800);
    int robots[2] = {0, 0};
    for (const auto& o : mission.objects)
        if (o.kind == 1 && o.owner >= 0) ++robots[o.owner];
    CHECK(robots[0] >= 5);  // four robots and the captain
    CHECK(robots[0] == robots[1]);
    // Ally to itself only.
    for (std::size_t i = 0; i < 2; ++i) {
        REQUIRE(mission.clans[i].relations.size() == 2);
        for (const auto& r : mission.clans[i].relations) CHECK(r.value == (r.clan == mission.clans[i].name ? 1 : 0));
    }
}

TEST_CASE("every point of a fading face touches a face of its own material alone") {
    for (const Map& m : kMaps) {
        CAPTURE(m.name);
        const asset::LandMesh mesh = mesh_of(m);
        const auto lods = asset::face_lods(mesh);
        const auto key = [&](std::uint16_t v) {
            const Vec3 p = mesh.positions[v];
            return std::make_tuple(p.x, p.y, p.z);
        };
        std::map<std::tuple<float, float, float>, std::set<int>> pure;
        for (std::size_t f = 0; f < mesh.faces.size(); ++f)
            if (lods[f] == 0 && mesh.faces[f].blend == asset::kNoBlend && !(mesh.faces[f].flags & asset::surface::kWater))
                for (const std::uint16_t v : mesh.faces[f].vertices) pure[key(v)].insert(mesh.faces[f].material);
        int fading = 0;
        for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
            const asset::LandFace& face = mesh.faces[f];
            if (lods[f] != 0 || face.blend == asset::kNoBlend) continue;
            ++fading;
            for (const std::uint16_t v : face.vertices) {
                const auto& own = pure[key(v)];
                REQUIRE(own.count(face.material) + own.count(face.blend) == 1);
            }
        }
        CHECK(fading > 100);
        const Bytes& wear = file("DATA/MAPS/" + m.name + "/land1.wea");
        ReadContext context;
        const auto table = asset::read_wear(wear, context);
        asset::check_land_materials(mesh, table->materials.size(), table->materials.size(), context);
        CHECK(context.diagnostics.empty());
    }
}
