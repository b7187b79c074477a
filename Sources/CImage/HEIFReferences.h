// What is checked of a HEIF file before libheif sees it.
#pragma once
#include "CImageInternal.h"

#ifdef __cplusplus
extern "C" {
#endif

// False when items are derived from themselves, or through more stages than honest files have.
CIMAGE_HIDDEN bool CImageHEIF_references_end(const uint8_t *data, size_t length);

#ifdef __cplusplus
}
#endif
