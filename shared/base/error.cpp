#include "shared/base/error.hpp"

namespace iron {
namespace {

void append_part(std::string& out, std::string_view label, std::string_view value) {
    if (value.empty()) return;
    if (!out.empty()) out += ", ";
    out += label;
    out += value;
}

std::string frame_text(const ErrorFrame& frame) {
    std::string where;
    append_part(where, "phase ", frame.phase);
    append_part(where, "", frame.path);
    append_part(where, "entry ", frame.entry);
    append_part(where, "object ", frame.object);
    if (frame.offset) append_part(where, "offset ", std::to_string(*frame.offset));
    if (where.empty()) return frame.message;
    if (frame.message.empty()) return where;
    return frame.message + " (" + where + ")";
}

}  // namespace

std::string Error::to_string() const {
    std::string out;
    for (auto it = frames_.rbegin(); it != frames_.rend(); ++it) {
        if (!out.empty()) out += ": ";
        out += frame_text(*it);
    }
    out += " [" + code_ + "]";
    return out;
}

}  // namespace iron
