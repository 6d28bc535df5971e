#include "dpcompat/netzip/profile.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "shared/base/file.hpp"
#include "shared/settings/toml_file.hpp"

namespace iron::dpcompat {
namespace {

using Json = nlohmann::ordered_json;

template <class E>
struct Named {
    E value;
    std::string_view name;
};
constexpr Named<ProfileStatus> kStatus[] = {{ProfileStatus::unknown, "unknown"}, {ProfileStatus::hypothesis, "hypothesis"},
                                            {ProfileStatus::decodes, "decodes"}, {ProfileStatus::accepted, "accepted"}};
constexpr Named<PayloadTransport> kTransport[] = {{PayloadTransport::any, "any"}, {PayloadTransport::tcp, "tcp"}, {PayloadTransport::udp, "udp"}};
constexpr Named<PayloadDirection> kDirection[] = {{PayloadDirection::any, "any"}, {PayloadDirection::to_host, "to_host"},
                                                  {PayloadDirection::from_host, "from_host"}};

template <class E, std::size_t N>
std::string_view name_of(const Named<E> (&table)[N], E value) {
    for (const auto& row : table)
        if (row.value == value) return row.name;
    return table[0].name;
}

template <class E, std::size_t N>
Result<E> value_of(const Named<E> (&table)[N], const Json& j, const char* key, E fallback, std::string_view label) {
    if (!j.contains(key)) return fallback;
    if (j[key].is_string())
        for (const auto& row : table)
            if (row.name == j[key].get<std::string>()) return row.value;
    return fail("bad_setting", std::string(label) + ": '" + key + "' has an unknown value");
}

Result<std::string> text(const Json& j, const char* key, std::string_view label) {
    if (!j.is_object() || !j.contains(key) || !j[key].is_string())
        return fail("bad_setting", std::string(label) + ": '" + key + "' is missing or not a text");
    return j[key].get<std::string>();
}

}  // namespace

std::string_view profile_status_name(ProfileStatus status) { return name_of(kStatus, status); }

const ProfileEntry* NetZipProfile::find(PayloadTransport transport, PayloadDirection direction) const {
    for (const ProfileEntry& e : entries)
        if ((e.transport == PayloadTransport::any || e.transport == transport) &&
            (e.direction == PayloadDirection::any || e.direction == direction) && e.status != ProfileStatus::unknown)
            return &e;
    return nullptr;
}

Result<NetZipProfile> read_profile(std::string_view toml, std::string_view label) {
    IRON_TRY(const Json file, settings::parse_toml(toml, label));
    NetZipProfile out;
    IRON_TRY(out.name, text(file, "name", label));
    IRON_TRY(const std::string application, text(file, "application", label));
    IRON_TRY(out.application, parse_guid(application));
    if (!file.contains("profile")) return out;
    if (!file["profile"].is_array()) return fail("bad_setting", std::string(label) + ": 'profile' must be a list of tables");
    for (const Json& j : file["profile"]) {
        ProfileEntry e;
        IRON_TRY(const std::string pipeline, text(j, "pipeline", label));
        IRON_TRY(e.pipeline, parse_pipeline(pipeline));
        IRON_TRY(e.transport, value_of(kTransport, j, "transport", PayloadTransport::any, label));
        IRON_TRY(e.direction, value_of(kDirection, j, "direction", PayloadDirection::any, label));
        IRON_TRY(e.status, value_of(kStatus, j, "status", ProfileStatus::unknown, label));
        if (j.contains("evidence"))
            for (const Json& line : j["evidence"])
                if (line.is_string()) e.evidence.push_back(line.get<std::string>());
        out.entries.push_back(std::move(e));
    }
    return out;
}

Result<NetZipProfile> load_profile(const std::filesystem::path& folder, std::string_view name) {
    if (name == "opaque") {
        NetZipProfile out;
        out.name = "opaque";
        return out;
    }
    const bool plain = !name.empty() && name.find_first_of("/\\") == std::string_view::npos && name[0] != '.';
    if (!plain) return fail("bad_setting", "not the name of a profile: '" + std::string(name) + "'");
    const auto path = folder / (std::string(name) + ".toml");
    IRON_TRY(const Bytes bytes, read_file(path, 1u << 20));
    return read_profile(as_text(bytes), path.string());
}

std::string write_profile(const NetZipProfile& profile) {
    const auto quoted = [](std::string_view text_in) { return Json(std::string(text_in)).dump(-1, ' ', false, Json::error_handler_t::replace); };
    std::string out = "name = " + quoted(profile.name) + "\napplication = " + quoted(to_string(profile.application)) + "\n";
    for (const ProfileEntry& e : profile.entries) {
        out += "\n[[profile]]\npipeline = " + quoted(e.pipeline.id()) + "\ntransport = " + quoted(name_of(kTransport, e.transport)) +
               "\ndirection = " + quoted(name_of(kDirection, e.direction)) + "\nstatus = " + quoted(profile_status_name(e.status)) + "\nevidence = [\n";
        for (const std::string& line : e.evidence) out += "  " + quoted(line) + ",\n";
        out += "]\n";
    }
    return out;
}

}  // namespace iron::dpcompat
