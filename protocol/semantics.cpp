#include "protocol/semantics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <flatbuffers/flatbuffers.h>
#include <flatbuffers/reflection_generated.h>

#include "protocol/limits.hpp"
#include "shared/base/bytes.hpp"
#include "shared/base/text.hpp"

namespace iron::protocol {
namespace {

enum class Kind : std::uint8_t { integer, real32, real64, text, blob, scalars, structs, tables, structure, table, choice };

/// What to check of one scalar.
struct ScalarRule {
    bool is_float = false;
    bool is_double = false;
    bool is_signed = false;
    std::uint8_t size = 0;
    bool limited = false;
    bool coordinate = false;
    std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    std::int64_t highest = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> values;  ///< of an enumeration, ascending; empty = any

    bool trivial() const { return !is_float && !is_double && !limited && values.empty(); }
};

struct FieldRule {
    std::string name;  ///< "Table.field" for messages
    Kind kind = Kind::integer;
    std::uint16_t offset = 0;       ///< of the vtable slot, or of the byte in a struct
    ScalarRule scalar;              ///< of the scalar or of the elements
    std::size_t object = 0;         ///< index of the table or struct
    std::size_t element_bytes = 0;  ///< of structs in a vector
    std::uint64_t min = 0;          ///< bytes or items
    std::uint64_t max = 0;
    bool path = false;
    std::vector<std::size_t> members;  ///< of a union: object index by value - 1
};

struct ObjectRule {
    std::vector<FieldRule> fields;  ///< only those with something to check
};

std::string_view attribute(const reflection::Field& field, const char* key, bool* present = nullptr) {
    const auto* found = field.attributes() ? field.attributes()->LookupByKey(key) : nullptr;
    if (present) *present = found != nullptr;
    return found && found->value() ? found->value()->string_view() : std::string_view{};
}

bool number_attribute(const reflection::Field& field, const char* key, std::int64_t& out) {
    const auto text = attribute(field, key);
    return !text.empty() && parse_i64(text, out);
}

bool is_integer(reflection::BaseType type) {
    return type >= reflection::UType && type <= reflection::ULong;
}

std::uint8_t scalar_size(reflection::BaseType type) {
    switch (type) {
        case reflection::UType: case reflection::Bool: case reflection::Byte: case reflection::UByte: return 1;
        case reflection::Short: case reflection::UShort: return 2;
        case reflection::Int: case reflection::UInt: case reflection::Float: return 4;
        default: return 8;
    }
}

ScalarRule scalar_rule(const reflection::Schema& schema, const reflection::Field& field, reflection::BaseType type) {
    ScalarRule rule;
    rule.size = scalar_size(type);
    rule.is_float = type == reflection::Float;
    rule.is_double = type == reflection::Double;
    rule.is_signed = type == reflection::Byte || type == reflection::Short || type == reflection::Int ||
                     type == reflection::Long;
    if (type == reflection::Bool) rule.limited = true, rule.lowest = 0, rule.highest = 1;
    if (number_attribute(field, "lowest", rule.lowest)) rule.limited = true;
    if (number_attribute(field, "highest", rule.highest)) rule.limited = true;
    if (const auto form = attribute(field, "coordinate"); !form.empty()) {
        rule.limited = rule.coordinate = true;
        rule.lowest = form == "height" ? -kMaxCoordinate : 0;
        rule.highest = kMaxCoordinate;
    }
    if (is_integer(type) && field.type()->index() >= 0) {
        const auto* list = schema.enums()->Get(static_cast<flatbuffers::uoffset_t>(field.type()->index()));
        for (const auto* value : *list->values()) rule.values.push_back(value->value());
        std::sort(rule.values.begin(), rule.values.end());
    }
    return rule;
}

std::int64_t load_integer(const std::uint8_t* at, const ScalarRule& rule) {
    switch (rule.size) {
        case 1: return rule.is_signed ? load_le<std::int8_t>(at) : load_le<std::uint8_t>(at);
        case 2: return rule.is_signed ? load_le<std::int16_t>(at) : load_le<std::uint16_t>(at);
        case 4: return rule.is_signed ? load_le<std::int32_t>(at) : std::int64_t{load_le<std::uint32_t>(at)};
        default: return load_le<std::int64_t>(at);
    }
}

tl::unexpected<Error> refuse(const char* code, const FieldRule& field, const char* what) {
    return tl::unexpected(Error(code, field.name + ": " + what).object(field.name));
}

Status check_scalar(const std::uint8_t* at, const ScalarRule& rule, const FieldRule& field) {
    if (rule.is_float) {
        if (!std::isfinite(load_le<float>(at))) return refuse("bad_float", field, "not a finite number");
        return {};
    }
    if (rule.is_double) {
        if (!std::isfinite(load_le<double>(at))) return refuse("bad_float", field, "not a finite number");
        return {};
    }
    if (rule.trivial()) return {};
    const std::int64_t value = load_integer(at, rule);
    if (value < rule.lowest || value > rule.highest)
        return refuse(rule.coordinate ? "bad_coordinate" : "bad_value", field, "out of range");
    if (!rule.values.empty() && !std::binary_search(rule.values.begin(), rule.values.end(), value))
        return refuse("bad_enum", field, "no such value");
    return {};
}

}  // namespace

struct SemanticChecker::Plan {
    std::vector<ObjectRule> objects;
    std::size_t root = 0;

    Plan(const reflection::Schema& schema, std::string_view root_table);
    void add_field(const reflection::Schema& schema, const reflection::Object& object,
                   const reflection::Field& field, ObjectRule& out) const;
    Status check_table(const flatbuffers::Table& table, std::size_t object) const;
    Status check_struct(const std::uint8_t* bytes, std::size_t object) const;
    Status check_field(const flatbuffers::Table& table, const FieldRule& field) const;
    Status check_list(const flatbuffers::Table& table, const FieldRule& field) const;
};

SemanticChecker::Plan::Plan(const reflection::Schema& schema, std::string_view root_table) {
    for (const auto* object : *schema.objects()) {
        if (object->name()->string_view() == root_table) root = objects.size();
        ObjectRule rule;
        for (const auto* field : *object->fields())
            if (!field->deprecated()) add_field(schema, *object, *field, rule);
        objects.push_back(std::move(rule));
    }
}

void SemanticChecker::Plan::add_field(const reflection::Schema& schema, const reflection::Object& object,
                                      const reflection::Field& field, ObjectRule& out) const {
    const auto full = object.name()->string_view();
    FieldRule rule;
    rule.name = std::string(full.substr(full.rfind('.') + 1)) + "." + field.name()->str();
    rule.offset = field.offset();
    const auto type = field.type()->base_type();
    const auto element = field.type()->element();
    const auto index = field.type()->index();
    if (index >= 0) rule.object = static_cast<std::size_t>(index);

    if (is_integer(type) || type == reflection::Float || type == reflection::Double) {
        if (type == reflection::UType) return;  // checked with its union
        rule.kind = Kind::integer;
        rule.scalar = scalar_rule(schema, field, type);
        if (rule.scalar.trivial()) return;
    } else if (type == reflection::String) {
        rule.kind = Kind::text;
        rule.max = kMaxNameBytes;
        attribute(field, "logical_path", &rule.path);
    } else if (type == reflection::Obj) {
        const auto* target = schema.objects()->Get(static_cast<flatbuffers::uoffset_t>(index));
        rule.kind = target->is_struct() ? Kind::structure : Kind::table;
    } else if (type == reflection::Union) {
        rule.kind = Kind::choice;
        const auto* list = schema.enums()->Get(static_cast<flatbuffers::uoffset_t>(index));
        for (const auto* member : *list->values())
            if (member->value() > 0) rule.members.push_back(static_cast<std::size_t>(member->union_type()->index()));
    } else if (type == reflection::Vector) {
        rule.max = kMaxListItems;
        if (element == reflection::UByte && index < 0) {
            rule.kind = Kind::blob;
        } else if (element == reflection::Obj) {
            const auto* target = schema.objects()->Get(static_cast<flatbuffers::uoffset_t>(index));
            rule.kind = target->is_struct() ? Kind::structs : Kind::tables;
            rule.element_bytes = static_cast<std::size_t>(target->bytesize());
        } else {
            rule.kind = Kind::scalars;
            rule.scalar = scalar_rule(schema, field, element);
        }
    } else {
        return;
    }
    std::int64_t number = 0;
    if (number_attribute(field, "max_bytes", number) || number_attribute(field, "max_items", number))
        rule.max = static_cast<std::uint64_t>(number);
    if (number_attribute(field, "min_bytes", number) || number_attribute(field, "min_items", number))
        rule.min = static_cast<std::uint64_t>(number);
    if (number_attribute(field, "exact_bytes", number)) rule.min = rule.max = static_cast<std::uint64_t>(number);
    out.fields.push_back(std::move(rule));
}

Status SemanticChecker::Plan::check_struct(const std::uint8_t* bytes, std::size_t object) const {
    for (const auto& field : objects[object].fields) {
        if (field.kind == Kind::structure)
            IRON_CHECK(check_struct(bytes + field.offset, field.object));
        else
            IRON_CHECK(check_scalar(bytes + field.offset, field.scalar, field));
    }
    return {};
}

Status SemanticChecker::Plan::check_list(const flatbuffers::Table& table, const FieldRule& field) const {
    const auto* list = table.GetPointer<const flatbuffers::VectorOfAny*>(field.offset);
    if (list->size() < field.min || list->size() > field.max)
        return refuse(field.kind == Kind::blob ? "bad_size" : "bad_count", field, "length out of range");
    const std::uint8_t* data = list->Data();
    if (field.kind == Kind::scalars && !field.scalar.trivial()) {
        for (std::size_t i = 0; i < list->size(); ++i)
            IRON_CHECK(check_scalar(data + i * field.scalar.size, field.scalar, field));
    } else if (field.kind == Kind::structs) {
        if (objects[field.object].fields.empty()) return {};
        for (std::size_t i = 0; i < list->size(); ++i)
            IRON_CHECK(check_struct(data + i * field.element_bytes, field.object));
    } else if (field.kind == Kind::tables) {
        const auto* tables = table.GetPointer<const flatbuffers::Vector<flatbuffers::Offset<flatbuffers::Table>>*>(field.offset);
        for (const auto* entry : *tables) IRON_CHECK(check_table(*entry, field.object));
    }
    return {};
}

Status SemanticChecker::Plan::check_field(const flatbuffers::Table& table, const FieldRule& field) const {
    const std::uint8_t* at = table.GetAddressOf(field.offset);
    if (at == nullptr) return {};  // absent: the default, or an optional field
    switch (field.kind) {
        case Kind::integer: case Kind::real32: case Kind::real64: return check_scalar(at, field.scalar, field);
        case Kind::structure: return check_struct(at, field.object);
        case Kind::table: return check_table(*table.GetPointer<const flatbuffers::Table*>(field.offset), field.object);
        case Kind::text: {
            const auto text = table.GetPointer<const flatbuffers::String*>(field.offset)->string_view();
            if (text.size() < field.min || text.size() > field.max)
                return refuse("bad_size", field, "text length out of range");
            if (!is_clean_text(text)) return refuse("bad_text", field, "not UTF-8 without control bytes");
            if (field.path && !text.empty() && !is_logical_path(text))
                return refuse("bad_path", field, "not a logical path inside the installation");
            return {};
        }
        case Kind::choice: {
            const auto type_slot = static_cast<flatbuffers::voffset_t>(field.offset - sizeof(flatbuffers::voffset_t));
            const auto type = table.GetField<std::uint8_t>(type_slot, 0);
            if (type == 0 || type > field.members.size()) return {};  // the caller decides about unknown members
            return check_table(*table.GetPointer<const flatbuffers::Table*>(field.offset), field.members[type - 1u]);
        }
        default: return check_list(table, field);
    }
}

Status SemanticChecker::Plan::check_table(const flatbuffers::Table& table, std::size_t object) const {
    for (const auto& field : objects[object].fields) IRON_CHECK(check_field(table, field));
    return {};
}

SemanticChecker::SemanticChecker(const reflection::Schema& schema, std::string_view root_table)
    : plan_(std::make_unique<const Plan>(schema, root_table)) {}
SemanticChecker::~SemanticChecker() = default;

Status SemanticChecker::check(const flatbuffers::Table& root) const { return plan_->check_table(root, plan_->root); }

bool is_clean_text(std::string_view text) {
    for (char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7F) return false;
    }
    return is_valid_utf8(text);
}

bool is_logical_path(std::string_view path) {
    if (path.empty() || path.front() == '/' || path.front() == '\\' || !is_clean_text(path)) return false;
    if (path.find(':') != std::string_view::npos) return false;  // drive letters and streams
    std::size_t start = 0;
    while (start <= path.size()) {
        const std::size_t end = std::min(path.find_first_of("/\\", start), path.size());
        if (path.substr(start, end - start) == "..") return false;
        start = end + 1;
    }
    return true;
}

}  // namespace iron::protocol
