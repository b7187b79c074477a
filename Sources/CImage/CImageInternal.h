// What the files of this module share; nothing of it is visible outside.
#pragma once
#include "include/CImage.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CIMAGE_HIDDEN __attribute__((visibility("hidden")))

// Where a decoder puts its outcome. Lives in the caller's frame, so that it keeps its values over a longjmp.
typedef struct CImage_Context {
    const uint8_t *data;
    size_t length;
    CImage_Limits limits;
    CImage_Luma luma;
    char *message;
    size_t message_length;
} CImage_Context;

// Writes the message and returns `status`, so that a failure is one statement. With CIMAGE_OK: what is missing from a damaged picture.
CIMAGE_HIDDEN int CImage_fail(CImage_Context *context, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// What is announced for a decoder besides pixels: tables, a few rows, the libraries' own heads.
#define CIMAGE_DECODER_BYTES (24ull << 20)

// Checks the size against max_pixels, announces what decoding takes (for each pixel, the library takes `pixel_bytes` at most beside
// our luma and its turned copy), and only then allocates context->luma.
CIMAGE_HIDDEN int CImage_allocate(CImage_Context *context, uint64_t width, uint64_t height, uint32_t pixel_bytes);

// Whether the first bytes belong to a picture of this format. At least 12 are given, with zeros after the end of a shorter file.
CIMAGE_HIDDEN bool CImage_is_jpeg(const uint8_t *data);
CIMAGE_HIDDEN bool CImage_is_png(const uint8_t *data);
CIMAGE_HIDDEN bool CImage_is_pnm(const uint8_t *data);
CIMAGE_HIDDEN bool CImage_is_bmp(const uint8_t *data);
CIMAGE_HIDDEN bool CImage_is_gif(const uint8_t *data);
CIMAGE_HIDDEN bool CImage_is_tiff(const uint8_t *data);
CIMAGE_HIDDEN bool CImage_is_webp(const uint8_t *data);
CIMAGE_HIDDEN bool CImage_is_heif(const uint8_t *data);

// Each fills context->luma or returns a failure; CImage_decode releases what a failed one leaves in context->luma.
CIMAGE_HIDDEN int CImage_decode_jpeg(CImage_Context *context);
CIMAGE_HIDDEN int CImage_decode_png(CImage_Context *context);
CIMAGE_HIDDEN int CImage_decode_pnm(CImage_Context *context);
CIMAGE_HIDDEN int CImage_decode_bmp(CImage_Context *context);
CIMAGE_HIDDEN int CImage_decode_gif(CImage_Context *context);
CIMAGE_HIDDEN int CImage_decode_tiff(CImage_Context *context);
CIMAGE_HIDDEN int CImage_decode_webp(CImage_Context *context);
CIMAGE_HIDDEN int CImage_decode_heif(CImage_Context *context);

// The orientation (1…8, 1 = upright) in an EXIF block, which starts with a TIFF header, or with "Exif\0\0" before that; 1 where
// there is none or it is damaged.
CIMAGE_HIDDEN int CImage_exif_orientation(const uint8_t *data, size_t length);

// Turns and mirrors context->luma as EXIF orientation 2…8 asks.
CIMAGE_HIDDEN int CImage_orient(CImage_Context *context, int orientation);

// ITU-R BT.601 luma in 16-bit fixed point, with the weights libjpeg uses, so that a JPEG and a PNG of one picture agree.
static inline uint8_t CImage_luma_of(uint32_t red, uint32_t green, uint32_t blue) {
    return (uint8_t)((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16);
}

static inline uint8_t CImage_on_white(uint32_t value, uint32_t alpha) {
    return (uint8_t)((value * alpha + 255 * (255 - alpha) + 127) / 255);
}

#ifdef __cplusplus
}
#endif
