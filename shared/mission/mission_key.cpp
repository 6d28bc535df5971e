// Mission keys and the mission lists of the menu. Sources: mission.md 1, runtime.md 3.3.
#include <algorithm>

#include "shared/archive/path.hpp"
#include "shared/archive/vfs.hpp"
#include "shared/base/text.hpp"
#include "shared/mission/mission_loader.hpp"

namespace iron::mission {

namespace {

constexpr std::string_view kDataFile = "data.tma";
constexpr int kMaxIndex = 99;  // two digits

std::string numbered(std::string_view stem, int index) {
    std::string out(stem);
    out += static_cast<char>('0' + index / 10);
    out += static_cast<char>('0' + index % 10);
    return out;
}

std::string first_line(ByteView bytes) {
    std::string_view text = as_text(bytes);
    text = text.substr(0, text.find('\n'));
    return std::string(ascii_trim(text));
}

MissionEntry make_entry(const archive::Vfs& vfs, std::string key, std::string group,
                        std::string campaign) {
    MissionEntry out{std::move(key), {}, {}, std::move(group), std::move(campaign)};
    if (const auto file = vfs.resolve(out.key + "/" + std::string(kDataFile))) out.data_path = file->path;
    if (const auto title = vfs.read(out.key + "/descr")) out.title = first_line(*title);
    return out;
}

// Calls `visit` with each folder `stem` + NN that has a `descr`: 00 if it is there, then from 01
// upward to the first gap.
template <class Visit>
void scan(const archive::Vfs& vfs, std::string_view stem, Visit visit) {
    for (int index = 0; index <= kMaxIndex; ++index) {
        const std::string key = numbered(stem, index);
        if (vfs.exists(key + "/descr")) {
            visit(key);
        } else if (index > 0) {
            return;
        }
    }
}

}  // namespace

Result<MissionKey> parse_mission_key(std::string_view mission) {
    IRON_TRY(const archive::DataPath path, archive::normalize_path(mission));
    std::string folder = path.text;
    if (ascii_iequals(folder, kDataFile))
        return fail("bad_mission_key", "a mission is a folder with a data.tma, not the root");
    const std::string tail = "/" + std::string(kDataFile);
    if (ascii_iends_with(folder, tail)) folder.resize(folder.size() - tail.size());
    return MissionKey{ascii_lower(folder), folder + tail};
}

std::vector<MissionEntry> list_missions(const archive::Vfs& vfs) {
    std::vector<MissionEntry> out;
    scan(vfs, "missions/single.",
         [&](const std::string& key) { out.push_back(make_entry(vfs, key, "single", {})); });
    scan(vfs, "missions/tutorial.",
         [&](const std::string& key) { out.push_back(make_entry(vfs, key, "tutorial", {})); });
    scan(vfs, "missions/campaign/campaign.", [&](const std::string& campaign) {
        scan(vfs, campaign + "/mission.", [&](const std::string& key) {
            out.push_back(make_entry(vfs, key, "campaign", campaign));
        });
    });
    if (vfs.exists("missions/autodemo.00/data.tma"))
        out.push_back(make_entry(vfs, "missions/autodemo.00", "autodemo", {}));
    return out;
}

}  // namespace iron::mission
