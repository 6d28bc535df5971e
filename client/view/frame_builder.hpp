// From the mirrors of the world to the draw list of one frame: interpolated placement, height and
// tilt from the client's own ground, rings, bars, order markers, tracers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "client/net/mirror_store.hpp"
#include "client/view/draw_list.hpp"
#include "client/view/interpolation.hpp"
#include "client/view/scene.hpp"
#include "client/view/selection.hpp"

namespace iron::client::view {

/// What is drawn; --hide switches parts off.
struct Visibility {
    bool terrain = true, units = true, buildings = true, statics = true, ui = true;
};

/// A short-lived sign on the ground: where an order was given.
struct OrderMarker {
    enum class Kind : std::uint8_t { move, attack, other } kind = Kind::move;
    glm::vec2 at{0};
    double born_ms = 0;  ///< local time
};
inline constexpr double kOrderMarkerMs = 900.0;

/// One object as the frame shows it, for panels and the minimap.
struct ShownObject {
    std::uint32_t id = 0;
    std::uint32_t unit = 0;  ///< index into Scene::units()
    std::uint8_t clan = 0xFF;
    std::uint16_t owner = 0;
    bool building = false, own = false, remembered = false;
    glm::vec3 position{0};
    float yaw = 0;
    float life = 1;
    std::uint32_t life_max = 0;  ///< milli-life
    std::uint8_t behaviour_state = 0;
    std::uint32_t flags = 0;
};

/// What the frame depends on besides the mirrors.
struct FrameContext {
    double show_ms = 0;        ///< server time to show (already minus the delay)
    double local_ms = 0;       ///< for fading signs
    float frame_seconds = 0;   ///< since the last frame, for tilt smoothing
    std::uint8_t own_clan = 0xFF;
    std::uint16_t own_player = 0;
    std::optional<std::uint32_t> hovered;
    Visibility visible;
};

class FrameBuilder {
public:
    explicit FrameBuilder(Scene& scene);

    /// Takes over the newest samples and forgets objects that are gone. `step_ms` = length of a tick.
    void feed(const net::MirrorStore& mirrors, double step_ms);
    /// Fills `out` from the mirrors and the scene's static objects.
    void build(const FrameContext& context, const Selection& selection, DrawList& out);
    /// Fills `out` from the mission file alone: every object where it was placed.
    void build_offline(const FrameContext& context, DrawList& out);

    void add_marker(OrderMarker marker) { markers_.push_back(marker); }
    /// The objects of the last frame, ascending id.
    const std::vector<ShownObject>& shown() const { return shown_; }
    const ShownObject* find(std::uint32_t id) const;
    /// Keys that the content lacks and that were not yet reported: (object id, key).
    std::vector<std::pair<std::uint32_t, std::string>> take_content_errors();

private:
    struct Entry {
        SampleTrack track;
        net::Mirror mirror;       // newest copy without its parts list changing
        std::uint32_t unit = 0;
        std::uint64_t last_tick = 0;
        bool has_sample = false;
        glm::vec3 up{0, 0, 1};    // smoothed ground normal
        bool up_known = false;
        std::uint64_t generation = 0;
    };
    void feed_static(const net::Mirror& mirror);
    void add_statics(const FrameContext& context, DrawList& out);
    void add_signs(const FrameContext& context, DrawList& out);
    glm::mat4 place(Entry& entry, const StateSample& sample, const FrameContext& context, bool on_ground);

    Scene& scene_;
    std::map<std::uint32_t, Entry> entries_;
    std::vector<ShownObject> shown_;
    std::vector<OrderMarker> markers_;
    /// Trees and stones are drawn from the mission file; their mirrors only tell which are gone.
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> static_places_;  // 1/4 wu -> placed
    std::vector<bool> static_gone_;                                               // per placed object
    std::vector<std::pair<std::uint32_t, std::string>> content_errors_;
    std::uint64_t generation_ = 0;
};

}  // namespace iron::client::view
