// Pictures to luma: JPEG (libjpeg-turbo), PNG (libpng), WebP (libwebp), HEIC and AVIF (libheif with libde265 and dav1d), GIF
// (giflib), TIFF (libtiff), BMP and PGM/PPM (our own), told apart by their first bytes. No policy; every call returns a status,
// nothing aborts, no longjmp and no C++ exception leaves the call, and no library starts a thread.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CIMAGE_OK = 0,
    CIMAGE_ERROR_READ = 1,       // the file can't be read; errno is in the message
    CIMAGE_ERROR_FORMAT = 2,     // no kind of picture that is read
    CIMAGE_ERROR_DAMAGED = 3,    // the picture is damaged; nothing is returned
    CIMAGE_ERROR_TOO_LARGE = 4,  // more than max_pixels
    CIMAGE_ERROR_MEMORY = 5,
};

// 8-bit luma, rows without padding. Owned by the caller: release with CImage_free.
typedef struct CImage_Luma {
    uint8_t *pixels;
    int32_t width;
    int32_t height;
} CImage_Luma;

typedef struct CImage_Limits {
    // A picture with more is refused before it takes memory.
    uint64_t max_pixels;
    // Called with `user` once the header is read, before anything is allocated that grows with the picture: how many bytes
    // decoding takes at most from here on. The caller may bound its memory by it. May be NULL.
    void (*announce)(void *user, uint64_t bytes);
    void *user;
} CImage_Limits;

// What reading a header may take, which no size announces yet.
#define CIMAGE_HEADER_BYTES (48ull << 20)

// Decodes `length` bytes at `data`: the first or main picture of several. Transparent pixels are laid on white; 16-bit becomes
// 8-bit; orientation (EXIF, TIFF, HEIF) is applied, so that the picture comes out upright. `message` (may be NULL) gets one line of
// text: on failure, why; on success nothing, or what is missing of a damaged picture.
int CImage_decode_within(
    const uint8_t *data, size_t length, const CImage_Limits *limits, CImage_Luma *out, char *message,
    size_t message_length);

// The same without an announcement.
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
