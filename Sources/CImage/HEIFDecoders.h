// Decoders for libheif that keep to one thread.
#pragma once
#include "CImageInternal.h"

// Makes them libheif's first choice; does nothing the second time.
CIMAGE_HIDDEN void CImageHEIF_register_decoders(void);

// What a coded picture or tile may have that this thread decodes, whatever its container says of it.
CIMAGE_HIDDEN void CImageHEIF_set_max_pixels(uint64_t max_pixels);
