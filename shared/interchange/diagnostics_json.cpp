#include "shared/interchange/diagnostics_json.hpp"

#include <nlohmann/json.hpp>

namespace iron::interchange {

std::string_view severity_name(Severity severity) {
    switch (severity) {
        case Severity::information: return "information";
        case Severity::warning: return "warning";
        case Severity::quirk: return "quirk";
    }
    return "";
}

Json diagnostic_json(const Diagnostic& d) {
    Json out{{"severity", severity_name(d.severity)}, {"code", d.code}, {"message", display_text(d.message)}};
    if (!d.path.empty()) out["path"] = display_text(d.path);
    if (!d.entry.empty()) out["entry"] = display_text(d.entry);
    if (d.offset) out["offset"] = *d.offset;
    return out;
}

Json diagnostics_json(const std::vector<Diagnostic>& diagnostics) {
    Json out = Json::array();
    for (const Diagnostic& d : diagnostics) out.push_back(diagnostic_json(d));
    return out;
}

Json error_json(const Error& error) {
    Json out{{"code", error.code()}, {"message", display_text(error.message())}};
    for (const ErrorFrame& frame : error.frames()) {
        if (!frame.path.empty() && !out.contains("path")) out["path"] = display_text(frame.path);
        if (!frame.entry.empty() && !out.contains("entry")) out["entry"] = display_text(frame.entry);
        if (frame.offset && !out.contains("offset")) out["offset"] = *frame.offset;
    }
    out["chain"] = display_text(error.to_string());
    return out;
}

std::string diagnostic_text(const Diagnostic& d) {
    std::string out(severity_name(d.severity));
    out += ": ";
    if (!d.path.empty()) out += display_text(d.path) + ": ";
    if (!d.entry.empty()) out += "entry '" + display_text(d.entry) + "': ";
    out += display_text(d.message) + " [" + d.code + "]";
    if (d.offset) out += " at offset " + std::to_string(*d.offset);
    return out;
}

}  // namespace iron::interchange
