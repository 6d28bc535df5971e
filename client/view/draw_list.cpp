#include "client/view/draw_list.hpp"

namespace iron::client::view {

void DrawList::clear() {
    models.clear();
    matrices.clear();
    contacts.clear();
    marks.clear();
    streaks.clear();
    bars.clear();
    pickables.clear();
}

void DrawList::add_unit(const UnitModel& unit, std::span<const Model> all, const UnitPose& pose,
                        glm::vec3 team, float flash, float fade) {
    auto first = static_cast<std::uint32_t>(matrices.size());
    pose_unit(unit, all, pose, matrices);
    for (const UnitComponent& component : unit.components) {
        models.push_back({component.model, first, component.parent >= 0, team, flash, fade});
        first += static_cast<std::uint32_t>(all[component.model].nodes.size());
    }
}

}  // namespace iron::client::view
