// File names for archive entries: whatever an archive says, a file lands inside the chosen folder
// and can be created on every platform.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "shared/base/error.hpp"

namespace iron::interchange {

/// One path segment of printable ASCII for any byte string. Bytes other than letters, digits and
/// `_ - . + @ ( ) [ ] , = # ! $ & ' ; ^ {}` become %XX; so do a leading dot or dash, trailing dots and the
/// first letter of a reserved device name (CON, NUL, COM1 ...). Never empty, at most 150 bytes.
std::string safe_file_name(std::string_view raw);

/// Safe names that differ from each other even where letter case does not count.
class SafeNames {
public:
    /// A name nobody may get, e.g. that of the manifest.
    void reserve(std::string_view name);
    /// safe_file_name(raw), with `~2`, `~3` ... before the extension when it is taken.
    std::string take(std::string_view raw);

private:
    std::set<std::string> taken_;  // folded
};

/// True for a name that a manifest may give: one plain segment that safe_file_name leaves alone.
bool is_safe_file_name(std::string_view name);

}  // namespace iron::interchange
