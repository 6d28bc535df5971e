// The player's selection and control groups: client state only (frame.md 9, DD-FRM-07).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace iron::client::view {

class Selection {
public:
    static constexpr std::size_t kLimit = 128;  ///< subjects of one command (net-messages.md 8.4)

    /// Replaces the selection; ids beyond the limit are dropped.
    void set(std::vector<std::uint32_t> ids);
    void add(const std::vector<std::uint32_t>& ids);
    /// Adds the id, or removes it if it is selected.
    void toggle(std::uint32_t id);
    void clear() { ids_.clear(); }
    /// Ascending, no duplicates.
    const std::vector<std::uint32_t>& ids() const { return ids_; }
    bool contains(std::uint32_t id) const;
    bool empty() const { return ids_.empty(); }

    /// Groups 0..9. recall() replaces the selection and answers true if that group was already the
    /// selection (the second press centres the camera).
    void store_group(std::size_t group);
    bool recall_group(std::size_t group);
    const std::vector<std::uint32_t>& group(std::size_t number) const { return groups_.at(number); }
    /// Lowest group number the id is in, or -1.
    int group_of(std::uint32_t id) const;

    /// Forgets every id for which `alive` is false, in the groups too.
    void keep_only(const std::function<bool(std::uint32_t)>& alive);

private:
    std::vector<std::uint32_t> ids_;
    std::array<std::vector<std::uint32_t>, 10> groups_;
};

}  // namespace iron::client::view
