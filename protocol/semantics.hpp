// What the verifier does not look at: text, floats, ranges, list lengths (net-messages.md 10). The checks are
// driven by the types and attributes of the schema, so no field can be forgotten.
#pragma once

#include <memory>
#include <string_view>

#include "shared/base/error.hpp"

namespace reflection {
struct Schema;
}
namespace flatbuffers {
class Table;
}

namespace iron::protocol {

/// A compiled form of one binary schema. Build once, use from any thread.
class SemanticChecker {
public:
    /// `root_table` is the full name, e.g. "iron.protocol.Envelope".
    SemanticChecker(const reflection::Schema& schema, std::string_view root_table);
    ~SemanticChecker();
    SemanticChecker(const SemanticChecker&) = delete;
    SemanticChecker& operator=(const SemanticChecker&) = delete;

    /// `root` must have passed the generated verifier. Errors `bad_text`, `bad_float`, `bad_enum`, `bad_value`,
    /// `bad_count`, `bad_size`, `bad_coordinate`, `bad_path`; the error's object names the field.
    Status check(const flatbuffers::Table& root) const;

private:
    struct Plan;
    std::unique_ptr<const Plan> plan_;
};

/// UTF-8 without control bytes.
bool is_clean_text(std::string_view text);

/// A logical path inside the installation: relative, without "..", drive letter or control bytes (7.3).
bool is_logical_path(std::string_view path);

}  // namespace iron::protocol
