// What every decoder of this folder returns. The codecs know nothing of archives.
#pragma once

#include <cstddef>

#include "shared/base/bytes.hpp"

namespace iron::archive {

/// Plain bytes and how many packed bytes they took; the rest is unused.
struct Decoded {
    Bytes plain;
    std::size_t consumed = 0;
};

}  // namespace iron::archive
