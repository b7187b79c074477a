// What the files of this module share; nothing of it is visible outside.
#pragma once
#include "include/CImage.h"

#include <stdbool.h>

#define CIMAGE_HIDDEN __attribute__((visibility("hidden")))

// Where a decoder puts its outcome. Lives in the caller's frame, so that it keeps its values over a longjmp.
typedef struct CImage_Context {
    const uint8_t *data;
    size_t length;
    uint64_t max_pixels;
    CImage_Luma luma;
    char *message;
    size_t message_length;
} CImage_Context;

// Writes the message and returns `status`, so that a failure is one statement.
CIMAGE_HIDDEN int CImage_fail(CImage_Context *context, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Checks the size against max_pixels, and only then allocates context->luma.
CIMAGE_HIDDEN int CImage_allocate(CImage_Context *context, uint64_t width, uint64_t height);

CIMAGE_HIDDEN bool CImage_is_jpeg(const uint8_t *data, size_t length);
CIMAGE_HIDDEN bool CImage_is_png(const uint8_t *data, size_t length);
CIMAGE_HIDDEN bool CImage_is_pnm(const uint8_t *data, size_t length);

// Each fills context->luma or returns a failure; CImage_decode releases what a failed one leaves in context->luma.
CIMAGE_HIDDEN int CImage_decode_jpeg(CImage_Context *context);
CIMAGE_HIDDEN int CImage_decode_png(CImage_Context *context);
CIMAGE_HIDDEN int CImage_decode_pnm(CImage_Context *context);

// The orientation (1…8, 1 = upright) in an EXIF block, which starts with "Exif\0\0"; 1 where there is none or it is damaged.
CIMAGE_HIDDEN int CImage_exif_orientation(const uint8_t *data, size_t length);

// Turns and mirrors context->luma as EXIF orientation 2…8 asks.
CIMAGE_HIDDEN int CImage_orient(CImage_Context *context, int orientation);

// ITU-R BT.601 luma in 16-bit fixed point, with the weights libjpeg uses, so that a JPEG and a PNG of one picture agree.
static inline uint8_t CImage_luma_of(uint32_t red, uint32_t green, uint32_t blue) {
    return (uint8_t)((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16);
}
