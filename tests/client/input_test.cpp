#include <catch2/catch.hpp>

#include <SDL.h>

#include "client/input/input_mapper.hpp"
#include "client/input/orders.hpp"
#include "client/options.hpp"

using namespace iron;
using namespace iron::client;
using namespace iron::client::input;

namespace {

SDL_Event key(SDL_Keycode code, bool down, std::uint16_t mods = 0, bool repeat = false) {
    SDL_Event e{};
    e.type = down ? SDL_KEYDOWN : SDL_KEYUP;
    e.key.keysym.sym = code;
    e.key.keysym.mod = mods;
    e.key.repeat = repeat ? 1 : 0;
    return e;
}

SDL_Event button(std::uint8_t which, bool down, int x, int y, std::uint8_t clicks = 1) {
    SDL_Event e{};
    e.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
    e.button.button = which;
    e.button.x = x;
    e.button.y = y;
    e.button.clicks = clicks;
    return e;
}

SDL_Event motion(int x, int y, int dx = 0, int dy = 0) {
    SDL_Event e{};
    e.type = SDL_MOUSEMOTION;
    e.motion.x = x;
    e.motion.y = y;
    e.motion.xrel = dx;
    e.motion.yrel = dy;
    return e;
}

}  // namespace

TEST_CASE("a held key pans until it is released, an edge key acts once") {
    InputMapper mapper;
    mapper.set_edge_scroll(false);
    mapper.handle(key(SDLK_w, true), 1);
    mapper.handle(key(SDLK_w, true, 0, true), 1);
    CHECK(mapper.take_camera({800, 600}).pan_forward == 1.0f);
    CHECK(mapper.take_camera({800, 600}).pan_forward == 1.0f);
    mapper.handle(key(SDLK_w, false), 1);
    CHECK(mapper.take_camera({800, 600}).pan_forward == 0.0f);
    mapper.handle(key(SDLK_x, true), 1);
    mapper.handle(key(SDLK_x, true, 0, true), 1);
    const auto actions = mapper.take_actions();
    REQUIRE(actions.size() == 1);
    CHECK(actions[0].kind == ActionKind::stop);
    CHECK(mapper.take_actions().empty());
}

TEST_CASE("losing the focus releases every held key") {
    InputMapper mapper;
    mapper.set_edge_scroll(false);
    mapper.handle(key(SDLK_d, true), 1);
    SDL_Event lost{};
    lost.type = SDL_WINDOWEVENT;
    lost.window.event = SDL_WINDOWEVENT_FOCUS_LOST;
    mapper.handle(lost, 1);
    CHECK(mapper.take_camera({800, 600}).pan_right == 0.0f);
}

TEST_CASE("a drag is a box, a short press is a click, two clicks select the kind") {
    InputMapper mapper;
    mapper.handle(button(SDL_BUTTON_LEFT, true, 100, 100), 2);
    mapper.handle(motion(150, 140), 2);
    REQUIRE(mapper.drag());
    mapper.handle(button(SDL_BUTTON_LEFT, false, 150, 140), 2);
    auto actions = mapper.take_actions();
    REQUIRE(actions.size() == 1);
    CHECK(actions[0].kind == ActionKind::select_box);
    CHECK(actions[0].box.low() == glm::vec2(200, 200));   // dense screen: two pixels a unit
    CHECK(actions[0].box.high() == glm::vec2(300, 280));
    mapper.handle(button(SDL_BUTTON_LEFT, true, 10, 10), 1);
    mapper.handle(button(SDL_BUTTON_LEFT, false, 11, 10), 1);
    mapper.handle(button(SDL_BUTTON_LEFT, true, 11, 10, 2), 1);
    mapper.handle(button(SDL_BUTTON_LEFT, false, 11, 10, 2), 1);
    actions = mapper.take_actions();
    REQUIRE(actions.size() == 2);
    CHECK(actions[0].kind == ActionKind::select_click);
    CHECK(actions[1].kind == ActionKind::select_same);
}

TEST_CASE("a click on a panel is no click on the world") {
    InputMapper mapper;
    mapper.set_over_panel(true);
    mapper.handle(button(SDL_BUTTON_LEFT, true, 10, 10), 1);
    CHECK(mapper.panel_held());
    mapper.handle(button(SDL_BUTTON_LEFT, false, 300, 300), 1);
    CHECK_FALSE(mapper.panel_held());
    CHECK(mapper.take_actions().empty());
}

TEST_CASE("an armed command takes the left click, the right button disarms") {
    InputMapper mapper;
    mapper.set_armed(true);
    mapper.handle(button(SDL_BUTTON_LEFT, true, 10, 10), 1);
    mapper.handle(button(SDL_BUTTON_LEFT, false, 10, 10), 1);
    mapper.handle(button(SDL_BUTTON_RIGHT, true, 10, 10), 1);
    const auto actions = mapper.take_actions();
    REQUIRE(actions.size() == 2);
    CHECK(actions[0].kind == ActionKind::target_click);
    CHECK(actions[1].kind == ActionKind::cancel);
}

TEST_CASE("groups are stored with control and recalled without") {
    InputMapper mapper;
    mapper.handle(key(SDLK_4, true, KMOD_LCTRL), 1);
    mapper.handle(key(SDLK_4, true), 1);
    const auto actions = mapper.take_actions();
    REQUIRE(actions.size() == 2);
    CHECK(actions[0].kind == ActionKind::store_group);
    CHECK(actions[0].number == 4);
    CHECK(actions[1].kind == ActionKind::recall_group);
}

TEST_CASE("while typing, keys are text and no commands") {
    InputMapper mapper;
    mapper.set_typing(true);
    mapper.handle(key(SDLK_x, true), 1);
    mapper.handle(key(SDLK_w, true), 1);
    SDL_Event text{};
    text.type = SDL_TEXTINPUT;
    SDL_strlcpy(text.text.text, "привет", sizeof text.text.text);
    mapper.handle(text, 1);
    mapper.handle(key(SDLK_RETURN, true), 1);
    const auto actions = mapper.take_actions();
    REQUIRE(actions.size() == 2);
    CHECK(actions[0].kind == ActionKind::chat_text);
    CHECK(actions[0].text == "привет");
    CHECK(actions[1].kind == ActionKind::chat_send);
    CHECK(mapper.take_camera({800, 600}).pan_forward == 0.0f);
}

TEST_CASE("wheel and middle button are summed between frames and then reset") {
    InputMapper mapper;
    mapper.set_edge_scroll(false);
    SDL_Event wheel{};
    wheel.type = SDL_MOUSEWHEEL;
    wheel.wheel.preciseY = 1;
    mapper.handle(wheel, 1);
    mapper.handle(wheel, 1);
    mapper.handle(button(SDL_BUTTON_MIDDLE, true, 5, 5), 1);
    mapper.handle(motion(15, 5, 10, 0), 1);
    mapper.handle(motion(25, 5, 10, 0), 1);
    const auto camera = mapper.take_camera({800, 600});
    CHECK(camera.zoom_steps == 2.0f);
    CHECK(camera.drag_rad.x == Approx(-20 * 0.0052f));
    CHECK(mapper.take_camera({800, 600}).zoom_steps == 0.0f);
}

TEST_CASE("the border of the picture scrolls only while the cursor is inside") {
    InputMapper mapper;
    mapper.handle(motion(799, 300), 1);
    CHECK(mapper.take_camera({800, 600}).pan_right == 1.0f);
    SDL_Event leave{};
    leave.type = SDL_WINDOWEVENT;
    leave.window.event = SDL_WINDOWEVENT_LEAVE;
    mapper.handle(leave, 1);
    CHECK(mapper.take_camera({800, 600}).pan_right == 0.0f);
}

TEST_CASE("a click becomes move on the ground and attack on something hostile") {
    ClickTarget target;
    target.ground = {10.5f, -2.25f};
    const auto move = default_order({4, 9}, target, true);
    REQUIRE(move);
    CHECK(move->order == protocol::OrderCode::move);
    CHECK(move->at_x == 2688);   // 10.5 * 256
    CHECK(move->at_y == -576);   // -2.25 * 256
    CHECK(move->flags == 1);
    CHECK(move->subjects == std::vector<std::uint32_t>{4, 9});
    target.object = 77;
    target.hostile = true;
    const auto attack = default_order({4}, target, false);
    REQUIRE(attack);
    CHECK(attack->order == protocol::OrderCode::attack);
    CHECK(attack->target == 77u);
    CHECK_FALSE(default_order({}, target, false));
}

TEST_CASE("no command has more than 128 subjects") {
    const std::vector<std::uint32_t> many(300, 1);
    CHECK(default_order(many, {}, false)->subjects.size() == 128);
    CHECK(plain_order(protocol::OrderCode::stop, many)->subjects.size() == 128);
}

TEST_CASE("the command line names what is wrong") {
    const auto parse = [](std::vector<const char*> args) {
        args.insert(args.begin(), "iron3d-client");
        return parse_options(static_cast<int>(args.size()), args.data());
    };
    CHECK(parse({"--offscreen"}).error().code() == "usage");
    CHECK(parse({"--root", "x", "--offscreen"}).error().message().find("--screenshot") != std::string::npos);
    CHECK(parse({"--root", "x", "--connect", "nowhere"}).error().message().find("HOST:PORT") != std::string::npos);
    CHECK(parse({"--root", "x", "--camera", "1,a"}).error().message().find("--camera") != std::string::npos);
    CHECK(parse({"--root", "x", "--hide", "sky"}).error().code() == "usage");
    CHECK(parse({"--root", "x", "--auto-move"}).error().message().find("--connect") != std::string::npos);
    const auto good = parse({"--root", "x", "--camera", "10,20,90,45,60", "--hide", "units,ui"});
    REQUIRE(good);
    REQUIRE(*good);
    CHECK((*good)->camera->yaw == Approx(iron::kPi / 2));
    CHECK((*good)->camera->distance == 60.0f);
    CHECK_FALSE((*good)->visible.units);
    CHECK_FALSE((*good)->visible.ui);
    CHECK((*good)->visible.terrain);
}

TEST_CASE("an address may be a name, a number or a bracketed number") {
    CHECK(parse_host_port("localhost:3100")->host == "localhost");
    CHECK(parse_host_port("[::1]:99")->host == "::1");
    CHECK(parse_host_port("[::1]:99")->port == 99);
    CHECK_FALSE(parse_host_port("a:0"));
    CHECK_FALSE(parse_host_port("a:65536"));
    CHECK_FALSE(parse_host_port(":1"));
}
