#include "shared/interchange/script_listing.hpp"

#include <cstdio>
#include <vector>

#include <nlohmann/json.hpp>

namespace iron::interchange {
namespace {

using asset::ScriptRecord;
using asset::VariableSet;

std::vector<std::string> split_operands(std::string_view list) {
    std::vector<std::string> out;
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        out.emplace_back(list.substr(0, comma));
        list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
    }
    return out;
}

std::string variable_name(std::uint32_t index, const VariableSet* variables) {
    if (variables == nullptr) return "#" + std::to_string(index);
    if (index >= variables->variables.size()) return "#" + std::to_string(index) + "(out of range)";
    return display_text(variables->variables[index].name);
}

std::string default_text(const asset::Variable& v) {
    if (v.type == asset::VariableType::real) return float_json(v.as_float()).dump();
    if (v.type == asset::VariableType::dword) return v.bits > 0xFFFF ? hex32(v.bits) : std::to_string(v.bits);
    return "?";
}

/// What the record does, as far as the specification knows.
std::string action_text(const ScriptRecord& record, const asset::ScriptPackage& package, const VariableSet* variables) {
    switch (asset::classify_selector(record.w0, package.handler_count)) {
        case asset::SelectorClass::handler: {
            const SelectorInfo info = selector_info(record.w0);
            return "call " + std::to_string(record.w0) + (info.name.empty() ? "" : " " + std::string(info.name));
        }
        case asset::SelectorClass::unknown: return "unknown selector " + hex32(record.w0);
        case asset::SelectorClass::sentinel: break;
    }
    if (record.w3 == 6) return "set " + variable_name(record.w1, variables) + " = " + std::to_string(record.w2);
    return record_type_name(record.w3);
}

}  // namespace

SelectorInfo selector_info(std::uint32_t selector) {
    switch (selector) {
        case 0: return {"status 1", 'X', ""};
        case 1: return {"read number", 'U', "variable"};
        case 2: return {"raise problem", 'X', "problem,weight,step,word,x,y,size"};
        case 4: return {"", 'U', "problem"};
        case 8: return {"set problem state", 'X', "state"};
        case 15: return {"targeted call", 'R', "object,word 1,word 2,word 3,a,b,c,d,mode,target,target 2"};
        case 19: return {"clan base", 'X', "base x,base y,clan"};
        case 20: return {"", 'U', "problem"};
        case 30: return {"host callback, mode 0", 'X', "first,second"};
        case 57: return {"host callback, mode 2", 'U', ""};
        default: return {};
    }
}

std::string record_type_name(std::int32_t type) {
    switch (type) {
        case -1: return "unspecified";
        case 0: return "references";
        case 5: return "check state";
        case 6: return "set variable";
        default: return "type " + std::to_string(type);
    }
}

Json script_listing_json(const asset::ScriptPackage& package, const VariableSet* variables) {
    Json out{{"handler_count", package.handler_count}};
    out["variables"] = variables != nullptr ? Json(variables->variables.size()) : Json(nullptr);
    Json events = Json::array();
    for (const asset::ScriptEvent& event : package.events) {
        Json records = Json::array();
        for (const ScriptRecord& r : event.records) {
            Json item{{"action", action_text(r, package, variables)},
                      {"selector", r.w0 == asset::kScriptSentinel ? Json(nullptr) : Json(r.w0)},
                      {"type", r.w3}, {"w1", r.w1}, {"w2", r.w2}, {"w4", r.w4}, {"w6", r.w6}};
            if (r.w0 != asset::kScriptSentinel) item["support"] = std::string(1, selector_info(r.w0).status);
            const std::vector<std::string> operands = split_operands(selector_info(r.w0).operands);
            Json references = Json::array();
            for (std::size_t i = 0; i < r.references.size(); ++i) {
                Json reference{{"index", r.references[i]}, {"name", variable_name(r.references[i], variables)}};
                if (i < operands.size()) reference["operand"] = operands[i];
                if (variables != nullptr && r.references[i] < variables->variables.size())
                    reference["default"] = default_text(variables->variables[r.references[i]]);
                references.push_back(std::move(reference));
            }
            item["references"] = std::move(references);
            records.push_back(std::move(item));
        }
        events.push_back({{"name", text_json(event.name)}, {"word", event.word}, {"records", std::move(records)}});
    }
    out["events"] = std::move(events);
    out["trailing_bytes"] = package.trailing.size();
    return out;
}

std::string script_listing_text(const asset::ScriptPackage& package, const VariableSet* variables) {
    std::string out = "handlers " + std::to_string(package.handler_count) + ", events " + std::to_string(package.events.size()) +
                      (variables != nullptr ? ", variables " + std::to_string(variables->variables.size()) : ", no variable set") + "\n";
    for (const asset::ScriptEvent& event : package.events) {
        out += "\nevent " + display_text(event.name) + "  (word " + std::to_string(event.word) + ", " +
               std::to_string(event.records.size()) + " records)\n";
        for (std::size_t i = 0; i < event.records.size(); ++i) {
            const ScriptRecord& r = event.records[i];
            char head[32];
            std::snprintf(head, sizeof head, "  %4zu  ", i);
            std::string line = head + action_text(r, package, variables);
            if (r.w0 != asset::kScriptSentinel) line += std::string(" [") + selector_info(r.w0).status + "]";
            if (line.size() < 44) line.append(44 - line.size(), ' ');
            line += "  w1=" + std::to_string(r.w1) + " w2=" + std::to_string(r.w2) + " type=" + std::to_string(r.w3) +
                    " w4=" + std::to_string(r.w4) + " w6=" + std::to_string(r.w6);
            out += line + "\n";
            const std::vector<std::string> operands = split_operands(selector_info(r.w0).operands);
            for (std::size_t k = 0; k < r.references.size(); ++k) {
                out += "          " + (k < operands.size() ? operands[k] + ": " : std::string()) + variable_name(r.references[k], variables);
                if (variables != nullptr && r.references[k] < variables->variables.size())
                    out += " (" + std::to_string(r.references[k]) + ", default " + default_text(variables->variables[r.references[k]]) + ")";
                out += "\n";
            }
        }
    }
    if (!package.trailing.empty()) out += "\n" + std::to_string(package.trailing.size()) + " trailing bytes\n";
    return out;
}

}  // namespace iron::interchange
