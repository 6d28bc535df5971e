// Properties of an object: ordered, duplicates kept, four words each (simulation.md 4).
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "server/world/snapshot.hpp"

namespace iron::world {

/// Words: 0 type (0 float, 1 integer), 1 and 2 range, 3 value (DD-SIM-04).
class PropertyBag {
public:
    void add(PropertyView property) { items_.push_back(std::move(property)); }
    const std::vector<PropertyView>& items() const { return items_; }
    std::size_t size() const { return items_.size(); }

    /// First property of that exact name, or null; later duplicates stay in the bag.
    const PropertyView* find(std::string_view name) const {
        for (const auto& p : items_)
            if (p.name == name) return &p;
        return nullptr;
    }
    PropertyView* find(std::string_view name) {
        for (auto& p : items_)
            if (p.name == name) return &p;
        return nullptr;
    }
    /// The value as a number, by its type word; nullopt if absent or not finite.
    std::optional<float> number(std::string_view name) const {
        const PropertyView* p = find(name);
        if (!p) return {};
        const float v = p->words[0] == 0 ? std::bit_cast<float>(p->words[3])
                                         : static_cast<float>(static_cast<std::int32_t>(p->words[3]));
        if (!is_finite(v)) return {};
        return v;
    }
    std::optional<std::int32_t> integer(std::string_view name) const {
        const PropertyView* p = find(name);
        if (!p) return {};
        if (p->words[0] == 0) return trunc_i32(std::bit_cast<float>(p->words[3]));
        return static_cast<std::int32_t>(p->words[3]);
    }
    bool operator==(const PropertyBag&) const = default;

private:
    std::vector<PropertyView> items_;
};

}  // namespace iron::world
