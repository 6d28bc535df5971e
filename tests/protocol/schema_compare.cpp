#include "tests/protocol/schema_compare.hpp"

#include <cstring>
#include <map>

#include <flatbuffers/flatbuffers.h>
#include <flatbuffers/reflection_generated.h>

namespace iron::protocol::test {
namespace {

struct Comparison {
    const reflection::Schema& old_schema;
    const reflection::Schema& new_schema;
    std::vector<std::string> lines;

    void say(std::string line) { lines.push_back(std::move(line)); }

    /// A type with names instead of indices, which differ between schemas.
    static std::string spell(const reflection::Schema& schema, const reflection::Type& type) {
        std::string out = std::to_string(type.base_type()) + "/" + std::to_string(type.element());
        if (type.index() < 0) return out;
        const auto index = static_cast<flatbuffers::uoffset_t>(type.index());
        const bool object = type.base_type() == reflection::Obj || type.element() == reflection::Obj;
        return out + " " + (object ? schema.objects()->Get(index)->name() : schema.enums()->Get(index)->name())->str();
    }

    template <class Holder>
    static std::map<std::string, std::string> attributes(const Holder& holder) {
        std::map<std::string, std::string> out;
        if (holder.attributes())
            for (const auto* a : *holder.attributes()) out[a->key()->str()] = a->value() ? a->value()->str() : "";
        return out;
    }

    void compare_field(const std::string& name, const reflection::Field& before, const reflection::Field& after) {
        if (before.id() != after.id()) say(name + ": another id");
        if (before.offset() != after.offset()) say(name + ": another offset");
        if (spell(old_schema, *before.type()) != spell(new_schema, *after.type())) say(name + ": another type");
        if (before.required() != after.required()) say(name + ": required changed");
        if (before.optional() != after.optional()) say(name + ": optional changed");
        if (before.default_integer() != after.default_integer() || before.default_real() != after.default_real())
            say(name + ": another default");
        if (attributes(before) != attributes(after)) say(name + ": other limits");
    }

    void compare_object(const reflection::Object& before) {
        const std::string name = before.name()->str();
        const auto* after = new_schema.objects()->LookupByKey(name.c_str());
        if (after == nullptr) return say(name + ": removed");
        if (before.is_struct() != after->is_struct()) return say(name + ": table became struct or the other way round");
        if (before.is_struct()) {
            if (before.bytesize() != after->bytesize() || before.minalign() != after->minalign()) say(name + ": another size");
            if (before.fields()->size() != after->fields()->size()) say(name + ": another number of fields");
        }
        if (attributes(before) != attributes(*after)) say(name + ": other attributes");
        for (const auto* field : *before.fields()) {
            const std::string full = name + "." + field->name()->str();
            const auto* found = after->fields()->LookupByKey(field->name()->c_str());
            if (found == nullptr)
                say(full + ": removed");
            else
                compare_field(full, *field, *found);
        }
        for (const auto* field : *after->fields())
            if (before.fields()->LookupByKey(field->name()->c_str()) == nullptr && field->required())
                say(name + "." + field->name()->str() + ": a new field is required");
    }

    void compare_enum(const reflection::Enum& before) {
        const std::string name = before.name()->str();
        const auto* after = new_schema.enums()->LookupByKey(name.c_str());
        if (after == nullptr) return say(name + ": removed");
        if (before.is_union() != after->is_union() ||
            before.underlying_type()->base_type() != after->underlying_type()->base_type())
            say(name + ": another underlying type");
        for (const auto* value : *before.values()) {
            const reflection::EnumVal* found = nullptr;
            for (const auto* candidate : *after->values())
                if (candidate->name()->str() == value->name()->str()) found = candidate;
            if (found == nullptr)
                say(name + "." + value->name()->str() + ": removed");
            else if (found->value() != value->value())
                say(name + "." + value->name()->str() + ": another number");
            else if (before.is_union() && value->value() != 0 &&
                     spell(old_schema, *value->union_type()) != spell(new_schema, *found->union_type()))
                say(name + "." + value->name()->str() + ": another table");
        }
    }
};

}  // namespace

std::vector<std::string> breaking_changes(ByteView released, ByteView current) {
    // Reading a FlatBuffer needs alignment.
    std::vector<std::uint64_t> a((released.size() + 7) / 8), b((current.size() + 7) / 8);
    std::memcpy(a.data(), released.data(), released.size());
    std::memcpy(b.data(), current.data(), current.size());
    for (const auto& [words, size] : {std::pair{&a, released.size()}, std::pair{&b, current.size()}}) {
        flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(words->data()), size);
        if (!reflection::VerifySchemaBuffer(verifier)) return {"not a binary schema"};
    }
    Comparison c{*reflection::GetSchema(a.data()), *reflection::GetSchema(b.data()), {}};
    const auto text = [](const flatbuffers::String* s) { return s ? s->str() : std::string(); };
    if (text(c.old_schema.file_ident()) != text(c.new_schema.file_ident())) c.say("another file identifier");
    if (text(c.old_schema.root_table()->name()) != text(c.new_schema.root_table()->name())) c.say("another root table");
    for (const auto* object : *c.old_schema.objects()) c.compare_object(*object);
    for (const auto* list : *c.old_schema.enums()) c.compare_enum(*list);
    return c.lines;
}

}  // namespace iron::protocol::test
