// Lossless text configuration: physical lines, the INI grammar and the block grammar.
// Source: config.md 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::asset {

enum class LineEnd : std::uint8_t { none, lf, crlf };

struct TextLine {
    std::string bytes;  ///< without the line end; a CR not followed by LF belongs here
    LineEnd end = LineEnd::crlf;
    bool operator==(const TextLine&) const = default;
};

/// An ordered list of physical lines; write(read(x)) == x for every x.
struct TextDocument {
    std::vector<TextLine> lines;
    bool operator==(const TextDocument&) const = default;
};

TextDocument read_text(ByteView bytes);
Bytes write_text(const TextDocument& document);

/// Where a value came from (config.md 1.2).
enum class SettingOrigin : std::uint8_t { unset, file, built_in_default, command_line, derived };

/// Provenance of one typed setting: the four pieces are never collapsed.
template <class T>
struct Setting {
    bool present = false;         ///< the key exists in the file
    std::string raw;              ///< exact value bytes from the file
    std::optional<T> effective;   ///< after default and clamping; empty = unset
    SettingOrigin origin = SettingOrigin::unset;
    std::uint32_t line = 0;       ///< 1-based, 0 if not from a file
};

/// One `key = value`. Byte positions are in the line's bytes.
struct IniEntry {
    std::string section;  ///< as written, empty before any section
    std::string key;      ///< as written
    std::string value;    ///< effective text: without quotes, comment and outer white space
    std::string raw;      ///< value bytes as written, quotes included
    std::uint32_t line = 0;  ///< 0-based index into the document
    std::size_t value_begin = 0, value_end = 0;  ///< range of `raw` in the line
    bool quoted = false;
};

struct IniDocument {
    TextDocument text;
    std::vector<IniEntry> entries;       ///< file order, duplicates kept
    std::vector<std::string> sections;   ///< names in file order, first spelling, no duplicates

    /// First entry of that section and key (both ASCII-case-insensitive), or null.
    const IniEntry* find(std::string_view section, std::string_view key) const;
    /// Replaces only the value's byte range; appends `key = value` at the end of the section (made
    /// if absent) when the key does not exist. Quotes are added around a value that needs them;
    /// `value` holds no line end.
    void set(std::string_view section, std::string_view key, std::string_view value);

    /// Typed views with provenance. A value that does not parse: warning `config_bad_value`,
    /// effective = fallback. Integers: decimal or 0x; booleans: 0/1.
    Setting<std::int64_t> integer(std::string_view section, std::string_view key,
                                  std::optional<std::int64_t> fallback, ReadContext& context) const;
    Setting<float> real(std::string_view section, std::string_view key, std::optional<float> fallback,
                        ReadContext& context) const;
    Setting<bool> boolean(std::string_view section, std::string_view key, std::optional<bool> fallback,
                          ReadContext& context) const;
    Setting<std::string> string(std::string_view section, std::string_view key,
                                std::optional<std::string> fallback) const;
};

/// Never fails. Diagnostics: `config_duplicate_key`, `config_opaque_line` (warnings).
IniDocument read_ini(ByteView bytes, ReadContext& context);
inline Bytes write_ini(const IniDocument& document) { return write_text(document.text); }

/// `key value` or `key = value` inside or outside a block.
struct BlockEntry {
    std::string key;    ///< as written; compare without case
    std::string value;  ///< unquoted and unescaped (only \\ and \")
    std::string raw;    ///< as written
    std::uint32_t line = 0;
    std::size_t value_begin = 0, value_end = 0;
};

struct ConfigBlock {
    std::string word;  ///< `object` or another block word
    std::string name;
    std::vector<BlockEntry> entries;
    std::vector<ConfigBlock> children;
    std::uint32_t first_line = 0, last_line = 0;  ///< 0-based

    const BlockEntry* find(std::string_view key) const;
};

struct BlockDocument {
    TextDocument text;
    std::vector<ConfigBlock> blocks;      ///< top level, file order
    std::vector<BlockEntry> entries;      ///< top-level entries, e.g. `library = "..."`
};

struct BlockGrammar {
    std::vector<std::string> block_words{"object"};
    std::uint32_t max_depth = 1;  ///< 1 = nesting is an error (mission.cfg); 16 for ui/*.cfg
};

/// Errors: `config_block_unbalanced` (with the line). Diagnostics: `config_opaque_line`.
Result<BlockDocument> read_blocks(ByteView bytes, const BlockGrammar& grammar, ReadContext& context);
inline Bytes write_blocks(const BlockDocument& document) { return write_text(document.text); }

}  // namespace iron::asset
