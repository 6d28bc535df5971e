#include "shared/asset/config_text.hpp"

namespace iron::asset {

TextDocument read_text(ByteView bytes) {
    TextDocument out;
    const std::string_view all = as_text(bytes);
    std::size_t begin = 0;
    while (begin < all.size()) {
        const std::size_t lf = all.find('\n', begin);
        if (lf == std::string_view::npos) {
            out.lines.push_back({std::string(all.substr(begin)), LineEnd::none});
            break;
        }
        const bool crlf = lf > begin && all[lf - 1] == '\r';
        out.lines.push_back({std::string(all.substr(begin, lf - begin - (crlf ? 1 : 0))),
                             crlf ? LineEnd::crlf : LineEnd::lf});
        begin = lf + 1;
    }
    return out;
}

Bytes write_text(const TextDocument& document) {
    ByteWriter out;
    for (const auto& line : document.lines) {
        out.text(line.bytes);
        if (line.end == LineEnd::crlf) out.text("\r\n");
        if (line.end == LineEnd::lf) out.text("\n");
    }
    return out.take();
}

}  // namespace iron::asset
