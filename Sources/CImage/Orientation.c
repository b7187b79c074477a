// EXIF orientation: finding it (TIFF structure, Exif 2.3 section 4.6.4, tag 0x0112) and undoing it.
#include "CImageInternal.h"

#include <stdlib.h>
#include <string.h>

#define EXIF_PREFIX_BYTES 6
#define TIFF_HEADER_BYTES 8
#define ENTRY_BYTES 12
#define TAG_ORIENTATION 0x0112
#define TYPE_SHORT 3

static uint32_t read16(const uint8_t *p, bool is_big) {
    return is_big ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

static uint32_t read32(const uint8_t *p, bool is_big) {
    return is_big ? read16(p, true) << 16 | read16(p + 2, true) : read16(p + 2, false) << 16 | read16(p, false);
}

int CImage_exif_orientation(const uint8_t *data, size_t length) {
    bool has_prefix = length >= EXIF_PREFIX_BYTES && memcmp(data, "Exif\0\0", EXIF_PREFIX_BYTES) == 0;
    const uint8_t *tiff = has_prefix ? data + EXIF_PREFIX_BYTES : data;
    size_t size = has_prefix ? length - EXIF_PREFIX_BYTES : length;
    if (size < TIFF_HEADER_BYTES) return 1;
    bool is_big = tiff[0] == 'M' && tiff[1] == 'M';
    if (!is_big && !(tiff[0] == 'I' && tiff[1] == 'I')) return 1;
    if (read16(tiff + 2, is_big) != 42) return 1;
    size_t directory = read32(tiff + 4, is_big);
    if (directory > size || size - directory < 2) return 1;
    size_t count = read16(tiff + directory, is_big);
    const uint8_t *entries = tiff + directory + 2;
    size_t room = (size - directory - 2) / ENTRY_BYTES;
    for (size_t i = 0; i < count && i < room; i++) {
        const uint8_t *entry = entries + i * ENTRY_BYTES;
        if (read16(entry, is_big) != TAG_ORIENTATION || read16(entry + 2, is_big) != TYPE_SHORT) continue;
        uint32_t value = read16(entry + 8, is_big);
        return value >= 1 && value <= 8 ? (int)value : 1;
    }
    return 1;
}

// Orientations by what stored row 0 and column 0 are on the upright picture: 1 top, left; 2 top, right; 3 bottom, right;
// 4 bottom, left; 5 left, top; 6 right, top; 7 right, bottom; 8 left, bottom. From 5 on rows became columns.
int CImage_orient(CImage_Context *context, int orientation) {
    if (orientation <= 1 || orientation > 8) return CIMAGE_OK;
    CImage_Luma stored = context->luma;
    bool is_transposed = orientation >= 5;
    int32_t width = is_transposed ? stored.height : stored.width;
    int32_t height = is_transposed ? stored.width : stored.height;
    uint8_t *upright = malloc((size_t)width * (size_t)height);
    if (!upright) return CImage_fail(context, CIMAGE_ERROR_MEMORY, "no memory to turn the picture upright");
    bool flips_column = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    bool flips_row = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            int32_t column = is_transposed ? y : x;
            int32_t row = is_transposed ? x : y;
            if (flips_column) column = stored.width - 1 - column;
            if (flips_row) row = stored.height - 1 - row;
            upright[(size_t)y * (size_t)width + (size_t)x] =
                stored.pixels[(size_t)row * (size_t)stored.width + (size_t)column];
        }
    }
    free(stored.pixels);
    context->luma = (CImage_Luma){.pixels = upright, .width = width, .height = height};
    return CIMAGE_OK;
}
