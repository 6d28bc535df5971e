#include "dpcompat/session/directory.hpp"

#include <algorithm>

namespace iron::dpcompat {

DpId SlotTable::take() {
    auto slot = std::find_if(slots_.begin(), slots_.end(), [](const Slot& s) { return !s.taken; });
    if (slot == slots_.end()) {
        if (slots_.size() == 0x10000) return 0;
        slot = slots_.insert(slots_.end(), Slot{});
    }
    slot->taken = true;
    // Below 0x1000, so that no special id can appear under any key we choose (5.6).
    slot->uniqueness = static_cast<std::uint16_t>(slot->uniqueness >= 0xFFF ? 1 : slot->uniqueness + 1);
    return make_id({static_cast<std::uint16_t>(slot - slots_.begin()), slot->uniqueness}, key_);
}

void SlotTable::release(DpId id) {
    const IdParts parts = split_id(id, key_);
    if (parts.slot < slots_.size() && slots_[parts.slot].uniqueness == parts.uniqueness) slots_[parts.slot].taken = false;
}

void SlotTable::adopt(DpId id) {
    const IdParts parts = split_id(id, key_);
    if (parts.slot >= slots_.size()) slots_.resize(std::size_t{parts.slot} + 1);
    slots_[parts.slot] = {true, parts.uniqueness};
}

bool SlotTable::taken(DpId id) const {
    const IdParts parts = split_id(id, key_);
    return parts.slot < slots_.size() && slots_[parts.slot].taken && slots_[parts.slot].uniqueness == parts.uniqueness;
}

Player* Directory::find(DpId id) {
    const auto found = players_.find(id);
    return found == players_.end() ? nullptr : &found->second;
}
const Player* Directory::find(DpId id) const {
    const auto found = players_.find(id);
    return found == players_.end() ? nullptr : &found->second;
}

Player& Directory::add(Player player) { return players_.insert_or_assign(player.id, std::move(player)).first->second; }

std::vector<Player> Directory::remove(DpId id) {
    std::vector<Player> out;
    const auto found = players_.find(id);
    if (found == players_.end()) return out;
    if (found->second.system)
        for (auto it = players_.begin(); it != players_.end();) {
            if (it->second.system_id == id && !it->second.system && !it->second.group) {
                out.push_back(std::move(it->second));
                it = players_.erase(it);
            } else {
                ++it;
            }
        }
    out.push_back(std::move(found->second));
    players_.erase(found);
    for (auto& [other, player] : players_)
        for (const Player& gone : out) player.members.erase(gone.id);
    machines_.erase(id);
    return out;
}

std::size_t Directory::normal_count() const {
    return static_cast<std::size_t>(std::count_if(players_.begin(), players_.end(), [](const auto& p) { return !p.second.system && !p.second.group; }));
}

PeerMachine* Directory::machine(DpId system_id) {
    const auto found = machines_.find(system_id);
    return found == machines_.end() ? nullptr : &found->second;
}
PeerMachine* Directory::machine_by_tcp(const Endpoint& tcp) {
    for (auto& [id, m] : machines_)
        if (m.tcp == tcp) return &m;
    return nullptr;
}
PeerMachine* Directory::machine_by_udp(const Endpoint& udp) {
    for (auto& [id, m] : machines_)
        if (m.udp == udp) return &m;
    return nullptr;
}
PeerMachine* Directory::machine_of(DpId player) {
    const Player* p = find(player);
    return p == nullptr ? nullptr : machine(p->system_id);
}

PeerMachine& Directory::add_machine(PeerMachine m) { return machines_.insert_or_assign(m.system_id, std::move(m)).first->second; }

void Directory::clear() {
    players_.clear();
    machines_.clear();
}

}  // namespace iron::dpcompat
