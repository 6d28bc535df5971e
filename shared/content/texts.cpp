#include "shared/content/texts.hpp"

#include <cstddef>
#include <cstdint>

namespace iron::content {
namespace {

struct EmbeddedText {
    const char* name;
    const std::uint8_t* bytes;
    std::size_t size;
};
#include "texts_table.inc"

}  // namespace

std::string_view text_source(std::string_view name) {
    for (const EmbeddedText& text : kTexts)
        if (name == text.name) return {reinterpret_cast<const char*>(text.bytes), text.size};
    return {};
}

}  // namespace iron::content
