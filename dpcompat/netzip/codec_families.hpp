// One maker a family; internal to netzip/.
#pragma once

#include "dpcompat/netzip/codec.hpp"

namespace iron::dpcompat {

CodecPtr make_stored();
void add_lzss(std::vector<CodecPtr>& out);
CodecPtr make_lzhuf();
CodecPtr make_end_code_lz();
void add_zlib(std::vector<CodecPtr>& out);
void add_rle(std::vector<CodecPtr>& out);

/// `plain` fits the limits and the size a header promised.
Status check_plain(std::size_t plain, std::size_t packed, std::optional<std::size_t> promised, const UnpackLimits& limits);

}  // namespace iron::dpcompat
