// How much a JSON view shows, and the list helper all views use.
#pragma once

#include <cstddef>

#include <nlohmann/json.hpp>

#include "shared/base/math.hpp"
#include "shared/interchange/json_values.hpp"

namespace iron::interchange {

struct ViewOptions {
    bool full = false;            ///< all vertices, indices, cells, samples
    std::size_t preview = 8;      ///< members shown of a bulk list when not full
};

/// A bulk list: everything when `full` or short, else {"count": n, "first": [...]}.
template <class Range, class ToJson>
Json bulk_json(const Range& range, const ViewOptions& options, ToJson&& to_json) {
    Json list = Json::array();
    const std::size_t size = range.size();
    const std::size_t shown = options.full || size <= 2 * options.preview ? size : options.preview;
    for (std::size_t i = 0; i < shown; ++i) list.push_back(to_json(range[i]));
    if (shown == size) return list;
    return Json{{"count", size}, {"first", std::move(list)}};
}

template <class Range, class ToJson>
Json list_json(const Range& range, ToJson&& to_json) {
    Json list = Json::array();
    for (const auto& item : range) list.push_back(to_json(item));
    return list;
}

inline Json vec_json(Vec3 v) { return Json::array({float_json(v.x), float_json(v.y), float_json(v.z)}); }

template <class Range>
Json floats_json(const Range& values) {
    return list_json(values, [](float v) { return float_json(v); });
}

/// A number nobody has explained; lists of words and the like.
template <class Range>
Json words_json(const Range& values) {
    Json list = Json::array();
    for (const auto v : values) list.push_back(v);
    return list;
}

}  // namespace iron::interchange
