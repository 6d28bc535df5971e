#include <catch2/catch.hpp>

#include <limits>

#include "protocol/state_stream.hpp"

using namespace iron;
using namespace iron::protocol;

namespace {

StateSource source(std::uint32_t id, const QuantisedState& now, const QuantisedState& start = {}) {
    StateSource s;
    s.id = id;
    s.now = now;
    s.start = start;
    return s;
}

const auto kNothingRemoved = [](std::uint32_t) { return false; };

std::string decode_code(const Bytes& data, std::vector<MirrorStart> live = {{5, 0, {}}, {9, 0, {}}}) {
    const auto r = decode_state(data, nullptr, live, kNothingRemoved, {10, 1, 20});
    return r ? "ok" : r.error().code();
}

}  // namespace

TEST_CASE("residuals are written in the order of the bits, zigzag, by id difference") {
    QuantisedState a;
    a.x = 64, a.y = -7, a.vx = -1, a.life = 1023, a.flags = 0x81, a.behaviour = 3;
    QuantisedState b;
    b.yaw = 1000;   // -24 on the circle
    b.target = 0x00014004;
    b.energy = 63;
    const std::vector<StateSource> sources = {source(5, a), source(9, b)};
    const auto out = encode_state(nullptr, sources, {10, 1, 20, 1100});
    // mask a: motion 1, life 8, flags 16, behaviour 32 = 0x39
    // mask b: yaw 2, energy 256, target 512 = 0x302 -> 82 06
    const Bytes expected = {1,                                      // version
                            5, 0x39, 0x80, 0x01, 13, 1, 0,          // id, mask, x, y, vx, vy
                            0xFE, 0x0F, 0x81, 0x01, 3,              // life 2046, flags 129, state
                            4, 0x82, 0x06, 47, 63, 0x84, 0x80, 0x05};  // id + 4, mask, yaw, energy, target
    CHECK(out.data == expected);
    CHECK(out.sent == 2);
}

TEST_CASE("the dead bands of the page decide what is sent") {
    const auto sends = [](const QuantisedState& now, bool own = false, bool terrain = true) {
        StateSource s = source(5, now);
        s.own_driven = own;
        s.on_terrain = terrain;
        return encode_state(nullptr, std::vector{s}, {10, 1, 20, 1100}).sent == 1;
    };
    QuantisedState q;
    const auto with = [&](auto member, auto value) { QuantisedState c = q; c.*member = static_cast<std::decay_t<decltype(c.*member)>>(value); return c; };
    CHECK_FALSE(sends(with(&QuantisedState::x, 6)));
    CHECK(sends(with(&QuantisedState::x, 7)));
    CHECK(sends(with(&QuantisedState::y, -7)));
    CHECK(sends(with(&QuantisedState::x, 1), true));
    CHECK_FALSE(sends(with(&QuantisedState::yaw, 6)));
    CHECK_FALSE(sends(with(&QuantisedState::yaw, 1018)));
    CHECK(sends(with(&QuantisedState::yaw, 1017)));
    CHECK_FALSE(sends(with(&QuantisedState::turret_yaw, 255)));
    CHECK(sends(with(&QuantisedState::turret_yaw, 254)));
    CHECK(sends(with(&QuantisedState::turret_pitch, 2)));
    CHECK(sends(with(&QuantisedState::life, 1)));
    CHECK(sends(with(&QuantisedState::flags, 1)));
    CHECK(sends(with(&QuantisedState::behaviour, 1)));
    CHECK_FALSE(sends(with(&QuantisedState::energy, 2)));
    CHECK(sends(with(&QuantisedState::energy, 3)));
    CHECK(sends(with(&QuantisedState::target, 1)));
    CHECK_FALSE(sends(with(&QuantisedState::phase, 100)));
    CHECK(sends(with(&QuantisedState::strafe, 7)));
    CHECK_FALSE(sends(with(&QuantisedState::z, 100)));
    CHECK(sends(with(&QuantisedState::z, 7), false, false));
    CHECK_FALSE(sends(with(&QuantisedState::z, 6), false, false));
    CHECK(sends(with(&QuantisedState::pitch, 2), false, false));
    CHECK_FALSE(sends(with(&QuantisedState::pitch, 2)));
}

TEST_CASE("a unit in straight motion costs nothing") {
    // 3.7 wu/s east, 1.1 wu/s south, packets every 2 ticks, acknowledged 3 packets later, for 10 s.
    std::vector<View> sent;
    const double vx = 3.7 * 32, vy = -1.1 * 32;
    std::size_t bytes = 0;
    for (int k = 0; k <= 250; ++k) {
        const double seconds = k * 0.04;
        QuantisedState now;
        now.x = static_cast<std::int32_t>(32000 + vx * seconds);
        now.y = static_cast<std::int32_t>(64000 + vy * seconds);
        now.vx = 118, now.vy = -35;
        QuantisedState start;
        start.x = 31000, start.y = 64000;
        const View* base = k >= 3 ? &sent[static_cast<std::size_t>(k) - 3] : nullptr;
        const auto out = encode_state(base, std::vector{source(5, now, start)}, {static_cast<std::uint64_t>(2 * k + 1), 0, 20, 1100});
        if (k >= 3) bytes += out.data.size() - 1;
        sent.push_back(out.view);
    }
    CHECK(bytes == 0);
}

TEST_CASE("a stop is corrected within the dead band") {
    QuantisedState moving;
    moving.x = 32000, moving.vx = 320;  // 10 wu/s
    View base = encode_state(nullptr, std::vector{source(5, moving)}, {1, 1, 20, 1100}).view;
    // At tick 3 the prediction is 32000 + trunc(320 * 40 / 1000) = 32012; the unit stands.
    QuantisedState standing = moving;
    standing.vx = 0;
    const auto out = encode_state(&base, std::vector{source(5, standing)}, {3, 2, 20, 1100});
    REQUIRE(out.sent == 1);
    CHECK(out.data == Bytes{1, 5, 1, 23, 0, 0xFF, 0x04, 0});  // x -12, y 0, vx -320, vy 0
    CHECK(out.view.find(5)->state == standing);
}

TEST_CASE("prediction truncates toward zero from the place last sent") {
    QuantisedState now;
    now.x = 1000, now.y = 1000, now.vx = 99, now.vy = -99;
    const View first = encode_state(nullptr, std::vector{source(5, now)}, {1, 1, 20, 1100}).view;
    StateSource waiting = source(5, now);
    waiting.due = false;
    // 40 ms: 99 * 40 / 1000 = 3.96 -> 3; another 40 ms: 7.92 -> 7, not 6.
    const View second = encode_state(&first, std::vector{waiting}, {3, 2, 20, 1100}).view;
    CHECK(second.find(5)->state.x == 1003);
    CHECK(second.find(5)->state.y == 997);
    const View third = encode_state(&second, std::vector{waiting}, {5, 3, 20, 1100}).view;
    CHECK(third.find(5)->state.x == 1007);
    CHECK(third.find(5)->state.y == 993);
}

TEST_CASE("a teleported object is sent absolute") {
    QuantisedState now;
    now.x = 10;
    QuantisedState start;
    start.x = 9, start.flags = 7;
    StateSource s = source(5, now, start);
    s.teleported = true;
    const auto out = encode_state(nullptr, std::vector{s}, {1, 1, 20, 1100});
    CHECK(out.data == Bytes{1, 5, 0x81, 0x20, 20, 0, 0, 0});  // motion and absolute; x 10
    CHECK(out.view.find(5)->state == now);
    const std::vector<MirrorStart> live = {{5, 0, start}};
    const auto in = decode_state(out.data, nullptr, live, kNothingRemoved, {1, 1, 20});
    REQUIRE(in);
    CHECK(in->view.find(5)->state == now);
    CHECK(in->entries.at(0).absolute());
}

TEST_CASE("the budget is kept and the order is own driven, error, age, id") {
    std::vector<StateSource> sources;
    for (std::uint32_t id = 1; id <= 600; ++id) {
        QuantisedState now;
        now.x = 100 + static_cast<std::int32_t>(id);  // the later the worse
        sources.push_back(source(id, now));
    }
    sources[0].own_driven = true;
    const auto out = encode_state(nullptr, sources, {1, 1, 20, 1100});
    CHECK(out.data.size() <= 1100);
    CHECK(out.data.size() >= 1090);
    CHECK(out.sent + out.waiting == 600);
    const auto ids = scan_state(out.data);
    REQUIRE(ids);
    CHECK(ids->front() == 1);
    CHECK(ids->back() == 600);
    CHECK((*ids)[1] == 600 - (ids->size() - 2));
    // What found no room has its predicted values in the view.
    CHECK(out.view.find(2)->state.x == 0);
    CHECK(out.view.entries.size() == 600);
}

TEST_CASE("an object created again is sent absolute until a view with it is acknowledged") {
    QuantisedState now;
    now.x = 500;
    StateSource again = source(5, now, now);
    again.incarnation = 90;
    again.first_incarnation = false;
    const auto sent = encode_state(nullptr, std::vector{again}, {100, 1, 20, 1100});
    CHECK(sent.sent == 1);
    REQUIRE(sent.view.find(5) != nullptr);
    // No room: not in the view at all.
    const auto cramped = encode_state(nullptr, std::vector{again}, {100, 1, 20, 3});
    CHECK(cramped.waiting == 1);
    CHECK(cramped.view.find(5) == nullptr);
    // Acknowledged: nothing to send any more.
    CHECK(encode_state(&sent.view, std::vector{again}, {102, 2, 20, 1100}).sent == 0);
    // A view of the earlier mirror is no base.
    StateSource earlier = source(5, now);
    earlier.incarnation = 10;
    const View old = encode_state(nullptr, std::vector{earlier}, {80, 1, 20, 1100}).view;
    CHECK(encode_state(&old, std::vector{again}, {100, 2, 20, 1100}).sent == 1);
}

TEST_CASE("malformed streams are refused by name") {
    CHECK(decode_code({}) == "truncated");
    CHECK(decode_code({2}) == "bad_version");
    CHECK(decode_code({1}) == "ok");
    CHECK(decode_code({1, 5, 0x20, 1, 4, 0x20, 2}) == "ok");
    CHECK(decode_code({1, 5, 0x20, 1, 0, 0x20, 2}) == "bad_order");       // the same id twice
    CHECK(decode_code({1, 5, 0}) == "bad_mask");
    CHECK(decode_code({1, 5, 0x80, 0x40}) == "bad_mask");                 // bit 13
    CHECK(decode_code({1, 5, 0xA0, 0x00, 1}) == "bad_varint");            // mask not in its shortest form
    CHECK(decode_code({1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 1}) == "bad_varint");
    CHECK(decode_code({1, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0x20, 1}) == "bad_order");  // id 0xFFFFFFFF is none
    CHECK(decode_code({1, 5, 0x20}) == "truncated");
    CHECK(decode_code({1, 5}) == "truncated");
    CHECK(decode_code({1, 5, 0x20, 1, 9}) == "truncated");
    CHECK(decode_code({1, 5, 0x02, 0x80, 0x08}) == "bad_state");          // yaw residual 512
    CHECK(decode_code({1, 5, 0x02, 0xFF, 0x07}) == "ok");                 // -512
    CHECK(decode_code({1, 5, 0x08, 1}) == "bad_state");                   // life -1
    CHECK(decode_code({1, 5, 0x08, 0x80, 0x10}) == "bad_state");          // life 1024
    CHECK(decode_code({1, 5, 0x80, 0x02, 64}) == "bad_state");            // energy 64
    CHECK(decode_code({1, 5, 0x10, 0x80, 0x80, 0x04}) == "bad_state");    // flags 65536
    CHECK(decode_code({1, 7, 0x20, 1}) == "unknown_mirror");
}

TEST_CASE("entries of removed mirrors are parsed and ignored") {
    const std::vector<MirrorStart> live = {{9, 0, {}}};
    const auto removed = [](std::uint32_t id) { return id == 5; };
    const auto r = decode_state(Bytes{1, 5, 0x08, 1, 4, 0x20, 2}, nullptr, live, removed, {10, 1, 20});
    REQUIRE(r);
    CHECK(r->ignored == 1);
    CHECK(r->view.entries.size() == 1);
    CHECK(r->view.find(9)->state.behaviour == 2);
    const auto broken = decode_state(Bytes{1, 5, 0x08}, nullptr, live, removed, {10, 1, 20});
    CHECK(broken.error().code() == "truncated");
}

TEST_CASE("more than 4096 entries are refused") {
    Bytes data = {1};
    std::vector<MirrorStart> live;
    for (std::uint32_t id = 1; id <= 4097; ++id) {
        data.insert(data.end(), {1, 0x20, 1});
        live.push_back({id, 0, {}});
    }
    CHECK(decode_code(data, live) == "too_many_entries");
    data.resize(1 + 4096 * 3);
    CHECK(decode_code(data, live) == "ok");
}

TEST_CASE("quantisation follows the units of the page") {
    CHECK(quantise_place(100.0f) == 3200);
    CHECK(quantise_place(-0.02f) == -1);
    CHECK(quantise_place(0.015f) == 0);
    CHECK(quantise_place(std::numeric_limits<float>::quiet_NaN()) == 0);
    CHECK(quantise_place(std::numeric_limits<float>::infinity()) == kMaxStatePlace);
    CHECK(quantise_place(-1e30f) == -kMaxStatePlace);
    CHECK(quantise_turn(3.14159265f, 1024) == 512);
    CHECK(quantise_turn(-1.57079633f, 1024) == 768);
    CHECK(quantise_turn(6.2831853f, 256) == 0);
    CHECK(quantise_life(0, 1000) == 0);
    CHECK(quantise_life(1, 1'000'000) == 1);
    CHECK(quantise_life(1000, 1000) == 1023);
    CHECK(quantise_life(500, 1000) == 512);
    CHECK(quantise_life(5, 0) == 0);
}
