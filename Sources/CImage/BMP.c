// Windows bitmaps, as written by scanners and screenshots: BITMAPCOREHEADER and BITMAPINFOHEADER with its successors; 1, 4 and 8
// bits with a palette, 16, 24 and 32 bits plain or by bit masks. Run lengths (rare) and embedded JPEG or PNG (printers) are refused.
// The fourth byte of 32 bits is not taken for transparency: most programs leave it empty.
#include "CImageInternal.h"

#define FILE_HEADER_BYTES 14
#define CORE_HEADER_BYTES 12
#define INFO_HEADER_BYTES 40
// The masks follow in the header from version 2 on, and behind it in version 1.
#define MASKS_BYTES 12
#define LARGEST_HEADER_BYTES 124
#define COMPRESSION_NONE 0
#define COMPRESSION_BIT_MASKS 3

typedef struct Bitmap {
    int64_t width;
    int64_t height;
    bool is_top_down;
    uint32_t bits;
    uint32_t masks[3];
    uint8_t palette[256];
    uint32_t palette_count;
    const uint8_t *rows;
    size_t row_stride;
} Bitmap;

static uint32_t read16(const uint8_t *p) { return (uint32_t)p[1] << 8 | p[0]; }
static uint32_t read32(const uint8_t *p) { return read16(p + 2) << 16 | read16(p); }

static int damaged(CImage_Context *context, const char *what) {
    return CImage_fail(context, CIMAGE_ERROR_DAMAGED, "damaged BMP: %s", what);
}

// Fills all but `rows`. The header was found to be there as a whole.
static int read_header(CImage_Context *context, Bitmap *bitmap, uint32_t header_bytes) {
    const uint8_t *header = context->data + FILE_HEADER_BYTES;
    uint32_t compression = COMPRESSION_NONE, colours = 0;
    if (header_bytes == CORE_HEADER_BYTES) {
        bitmap->width = read16(header + 4);
        bitmap->height = read16(header + 6);
        bitmap->bits = read16(header + 10);
    } else {
        bitmap->width = (int32_t)read32(header + 4);
        bitmap->height = (int32_t)read32(header + 8);
        bitmap->bits = read16(header + 14);
        compression = read32(header + 16);
        colours = read32(header + 32);
    }
    bitmap->is_top_down = bitmap->height < 0;
    if (bitmap->is_top_down) bitmap->height = -bitmap->height;
    if (bitmap->width <= 0 || bitmap->height == 0) return damaged(context, "it has no pixels");
    bool has_masks = compression == COMPRESSION_BIT_MASKS && (bitmap->bits == 16 || bitmap->bits == 32);
    if (compression != COMPRESSION_NONE && !has_masks) {
        return CImage_fail(context, CIMAGE_ERROR_DAMAGED, "compressed BMPs (kind %u) are not read", compression);
    }
    size_t behind = FILE_HEADER_BYTES + header_bytes;
    if (has_masks) {
        size_t place = FILE_HEADER_BYTES + INFO_HEADER_BYTES;
        if (context->length < place + MASKS_BYTES) return damaged(context, "its masks are missing");
        for (int i = 0; i < 3; i++) bitmap->masks[i] = read32(context->data + place + 4 * (size_t)i);
        return CIMAGE_OK;
    }
    switch (bitmap->bits) {
    case 16: bitmap->masks[0] = 0x7C00, bitmap->masks[1] = 0x03E0, bitmap->masks[2] = 0x001F; return CIMAGE_OK;
    case 24:
    case 32: bitmap->masks[0] = 0xFF0000, bitmap->masks[1] = 0xFF00, bitmap->masks[2] = 0xFF; return CIMAGE_OK;
    case 1:
    case 4:
    case 8: break;
    default: return damaged(context, "its number of bits is none of 1, 4, 8, 16, 24, 32");
    }
    uint32_t most = 1u << bitmap->bits;
    size_t entry = header_bytes == CORE_HEADER_BYTES ? 3 : 4;
    bitmap->palette_count = colours == 0 || colours > most ? most : colours;
    if ((context->length - behind) / entry < bitmap->palette_count) return damaged(context, "its palette is missing");
    for (uint32_t i = 0; i < bitmap->palette_count; i++) {
        const uint8_t *colour = context->data + behind + i * entry;
        bitmap->palette[i] = CImage_luma_of(colour[2], colour[1], colour[0]);
    }
    return CIMAGE_OK;
}

// The bits under the mask as 0…255.
static uint32_t under(uint32_t pixel, uint32_t mask) {
    if (mask == 0) return 0;
    uint32_t shift = (uint32_t)__builtin_ctz(mask);
    uint64_t most = mask >> shift;
    return (uint32_t)(((uint64_t)((pixel & mask) >> shift) * 255 + most / 2) / most);
}

static uint8_t luma_of_pixel(const Bitmap *bitmap, const uint8_t *row, size_t x) {
    uint32_t pixel;
    switch (bitmap->bits) {
    case 16: pixel = read16(row + 2 * x); break;
    case 24: return CImage_luma_of(row[3 * x + 2], row[3 * x + 1], row[3 * x]);
    case 32: pixel = read32(row + 4 * x); break;
    default: {
        size_t bit = x * bitmap->bits;
        uint32_t index = (uint32_t)row[bit / 8] >> (8 - bitmap->bits - bit % 8) & ((1u << bitmap->bits) - 1);
        // Beyond a short palette there is no colour: black.
        return bitmap->palette[index];
    }
    }
    return CImage_luma_of(
        under(pixel, bitmap->masks[0]), under(pixel, bitmap->masks[1]), under(pixel, bitmap->masks[2]));
}

bool CImage_is_bmp(const uint8_t *data) { return data[0] == 'B' && data[1] == 'M'; }

int CImage_decode_bmp(CImage_Context *context) {
    Bitmap bitmap = {0};
    if (context->length < FILE_HEADER_BYTES + CORE_HEADER_BYTES) return damaged(context, "its header breaks off");
    uint32_t header_bytes = read32(context->data + FILE_HEADER_BYTES);
    bool is_known = header_bytes == CORE_HEADER_BYTES
        || (header_bytes >= INFO_HEADER_BYTES && header_bytes <= LARGEST_HEADER_BYTES);
    if (!is_known || context->length - FILE_HEADER_BYTES < header_bytes) {
        return damaged(context, "its header is wrong or breaks off");
    }
    int status = read_header(context, &bitmap, header_bytes);
    if (status != CIMAGE_OK) return status;
    status = CImage_allocate(context, (uint64_t)bitmap.width, (uint64_t)bitmap.height, 0);
    if (status != CIMAGE_OK) return status;

    size_t width = (size_t)bitmap.width, height = (size_t)bitmap.height;
    size_t place = read32(context->data + 10);
    // Rows are padded to four bytes.
    bitmap.row_stride = (width * bitmap.bits + 31) / 32 * 4;
    if (place > context->length || (context->length - place) / bitmap.row_stride < height) {
        return damaged(context, "the file breaks off");
    }
    bitmap.rows = context->data + place;
    for (size_t y = 0; y < height; y++) {
        const uint8_t *row = bitmap.rows + (bitmap.is_top_down ? y : height - 1 - y) * bitmap.row_stride;
        uint8_t *target = context->luma.pixels + y * width;
        for (size_t x = 0; x < width; x++) target[x] = luma_of_pixel(&bitmap, row, x);
    }
    return CIMAGE_OK;
}
