// Pictures to luma: JPEG (libjpeg-turbo), PNG (libpng) and PGM/PPM (our own), told apart by their first bytes.
// No policy and no globals; every call returns a status, nothing aborts, longjmp never leaves the call.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CIMAGE_OK = 0,
    CIMAGE_ERROR_READ = 1,         // the file can't be read; errno is in the message
    CIMAGE_ERROR_FORMAT = 2,       // not a JPEG, PNG or PGM/PPM
    CIMAGE_ERROR_DAMAGED = 3,      // the picture is damaged; nothing is returned
    CIMAGE_ERROR_TOO_LARGE = 4,    // more than max_pixels
    CIMAGE_ERROR_MEMORY = 5,
};

// 8-bit luma, rows without padding. Owned by the caller: release with CImage_free.
typedef struct CImage_Luma {
    uint8_t *pixels;
    int32_t width;
    int32_t height;
} CImage_Luma;

// Decodes `length` bytes at `data`. Transparent PNG pixels are laid on white; 16-bit becomes 8-bit; EXIF orientation is
// applied (the picture comes out upright). `message` (may be NULL) gets one line of text on failure.
int CImage_decode(
    const uint8_t *data, size_t length, uint64_t max_pixels, CImage_Luma *out, char *message, size_t message_length);

// The same from a file.
int CImage_load(const char *path, uint64_t max_pixels, CImage_Luma *out, char *message, size_t message_length);

void CImage_free(CImage_Luma *image);

// Writes a binary PGM; `row_stride` in bytes. Returns CIMAGE_OK or CIMAGE_ERROR_READ.
int CImage_write_pgm(
    int descriptor, const uint8_t *pixels, int32_t width, int32_t height, size_t row_stride, char *message,
    size_t message_length);

#ifdef __cplusplus
}
#endif
