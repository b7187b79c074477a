// How large a coded HEVC picture will be, from its parameters.
#pragma once
#include <cstddef>
#include <cstdint>

namespace HEVC {

// Pixels of the pictures that a sequence parameter set (H.265 section 7.3.2.2) announces; 0 for any other unit, or one that breaks
// off before its size. `unit` begins with its two header bytes.
uint64_t announced_pixels(const uint8_t *unit, size_t length);

}  // namespace HEVC
