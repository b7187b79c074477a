// PNG by libpng: every colour type and depth is expanded to 8-bit grey or RGB, with alpha laid on white, then to luma. Chunks
// that don't make the pixels (texts, profiles, times) are skipped unread: what they claim to unpack to takes no memory.
#include "CImageInternal.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#define SIGNATURE_BYTES 8
// Length, type, check sum.
#define CHUNK_FRAME_BYTES 12
// What is asked of libpng: 8 bits of grey or RGB, with or without alpha.
#define LARGEST_PIXEL_BYTES 4

typedef struct Decoder {
    png_structp png;
    png_infop info;
    CImage_Context *context;
    size_t position;
    int status;
    // One row, or all of them when the picture is interlaced; `channels` bytes a pixel.
    uint8_t *rows;
} Decoder;

static void on_error(png_structp png, png_const_charp text) {
    Decoder *decoder = png_get_error_ptr(png);
    decoder->status = CImage_fail(decoder->context, CIMAGE_ERROR_DAMAGED, "damaged PNG: %s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static void on_read(png_structp png, png_bytep target, size_t count) {
    Decoder *decoder = png_get_io_ptr(png);
    if (count > decoder->context->length - decoder->position) png_error(png, "the file breaks off");
    memcpy(target, decoder->context->data + decoder->position, count);
    decoder->position += count;
}

static void luma_from_row(const uint8_t *source, uint8_t *target, size_t width, int channels) {
    switch (channels) {
    case 1: memcpy(target, source, width); break;
    case 2:
        for (size_t x = 0; x < width; x++, source += 2) target[x] = CImage_on_white(source[0], source[1]);
        break;
    case 3:
        for (size_t x = 0; x < width; x++, source += 3) target[x] = CImage_luma_of(source[0], source[1], source[2]);
        break;
    default:
        for (size_t x = 0; x < width; x++, source += 4) {
            target[x] = CImage_on_white(CImage_luma_of(source[0], source[1], source[2]), source[3]);
        }
    }
}

static uint32_t read32(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

// Phones write the eXIf chunk before the pixels. libpng, which skips it, has checked none of this.
static int orientation_of(const CImage_Context *context) {
    const uint8_t *next = context->data + SIGNATURE_BYTES;
    size_t left = context->length - SIGNATURE_BYTES;
    while (left >= CHUNK_FRAME_BYTES) {
        size_t length = read32(next);
        if (length > left - CHUNK_FRAME_BYTES || memcmp(next + 4, "IDAT", 4) == 0) return 1;
        if (memcmp(next + 4, "eXIf", 4) == 0) return CImage_exif_orientation(next + 8, length);
        next += CHUNK_FRAME_BYTES + length;
        left -= CHUNK_FRAME_BYTES + length;
    }
    return 1;
}

// Runs between setjmp and its longjmp: all that must survive is in `decoder`.
static int decode(Decoder *decoder) {
    png_structp png = decoder->png;
    CImage_Context *context = decoder->context;
    png_set_read_fn(png, decoder, on_read);
    // The size is ours to judge (max_pixels); libpng's own limit would call a large picture damaged.
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    // All but IHDR, PLTE, tRNS, IDAT and IEND. (An over-long one is only a benign error for libpng: it allocates what it claims.)
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    // No mutation would get past the check sums.
    png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
#endif
    png_read_info(png, decoder->info);
    size_t width = png_get_image_width(png, decoder->info);
    size_t height = png_get_image_height(png, decoder->info);
    bool is_interlaced = png_get_interlace_type(png, decoder->info) != PNG_INTERLACE_NONE;
    int status = CImage_allocate(context, width, height, is_interlaced ? LARGEST_PIXEL_BYTES : 0);
    if (status != CIMAGE_OK) return status;

    png_set_expand(png);
    png_set_scale_16(png);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, decoder->info);
    int channels = png_get_channels(png, decoder->info);
    size_t row_bytes = png_get_rowbytes(png, decoder->info);
    if (channels < 1 || channels > 4 || row_bytes != width * (size_t)channels) {
        return CImage_fail(context, CIMAGE_ERROR_DAMAGED, "damaged PNG: %d channels", channels);
    }
    size_t row_count = passes > 1 ? height : 1;
    decoder->rows = row_bytes > SIZE_MAX / row_count ? NULL : calloc(row_count, row_bytes);
    if (!decoder->rows) {
        return CImage_fail(context, CIMAGE_ERROR_MEMORY, "no memory for %zu rows of %zu bytes", row_count, row_bytes);
    }
    for (int pass = 0; pass < passes; pass++) {
        for (size_t y = 0; y < height; y++) {
            uint8_t *row = decoder->rows + (passes > 1 ? y * row_bytes : 0);
            png_read_row(png, row, NULL);
            if (pass == passes - 1) luma_from_row(row, context->luma.pixels + y * width, width, channels);
        }
    }
    return CImage_orient(context, orientation_of(context));
}

bool CImage_is_png(const uint8_t *data) { return png_sig_cmp(data, 0, SIGNATURE_BYTES) == 0; }

// The only function with a setjmp; what it changes afterwards lives in the caller's `decoder`.
static int decode_guarded(Decoder *decoder) {
    if (setjmp(png_jmpbuf(decoder->png)) == 0) decoder->status = decode(decoder);
    return decoder->status;
}

int CImage_decode_png(CImage_Context *context) {
    Decoder decoder = {.context = context};
    decoder.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoder, on_error, on_warning);
    if (decoder.png) decoder.info = png_create_info_struct(decoder.png);
    if (!decoder.info) {
        png_destroy_read_struct(&decoder.png, NULL, NULL);
        return CImage_fail(context, CIMAGE_ERROR_MEMORY, "no memory for the PNG decoder");
    }
    int status = decode_guarded(&decoder);
    png_destroy_read_struct(&decoder.png, &decoder.info, NULL);
    free(decoder.rows);
    return status;
}
