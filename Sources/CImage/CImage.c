// The doors of the module: tells formats apart, reads files, releases memory, writes PGM.
#include "CImageInternal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A file may have this much plus the largest raster that max_pixels allows (16-bit RGB): a larger one can't be a picture that we decode.
#define FILE_OVERHEAD_BYTES (64ull << 20)
#define LARGEST_PIXEL_BYTES 6ull
// The longest signature that identifies a format.
#define SIGNATURE_BYTES 12
// Our luma, and its copy while it is turned upright.
#define LUMA_PIXEL_BYTES 2ull

typedef struct Format {
    bool (*is_it)(const uint8_t *data);
    int (*decode)(CImage_Context *context);
} Format;

static const Format formats[] = {
    {CImage_is_jpeg, CImage_decode_jpeg}, {CImage_is_png, CImage_decode_png},   {CImage_is_pnm, CImage_decode_pnm},
    {CImage_is_bmp, CImage_decode_bmp},   {CImage_is_gif, CImage_decode_gif},   {CImage_is_tiff, CImage_decode_tiff},
    {CImage_is_webp, CImage_decode_webp}, {CImage_is_heif, CImage_decode_heif},
};

int CImage_fail(CImage_Context *context, int status, const char *format, ...) {
    if (context->message && context->message_length > 0) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(context->message, context->message_length, format, arguments);
        va_end(arguments);
        for (char *c = context->message; *c; c++) {
            if ((unsigned char)*c < 0x20) *c = ' ';
        }
    }
    return status;
}

int CImage_allocate(CImage_Context *context, uint64_t width, uint64_t height, uint32_t pixel_bytes) {
    if (width == 0 || height == 0) {
        return CImage_fail(context, CIMAGE_ERROR_DAMAGED, "the picture has no pixels");
    }
    // Checked as a quotient: a product of two hostile sizes may overflow.
    if (width > INT32_MAX || height > INT32_MAX || width > context->limits.max_pixels / height) {
        return CImage_fail(
            context, CIMAGE_ERROR_TOO_LARGE, "the picture has %llux%llu pixels, more than %llu are not read",
            (unsigned long long)width, (unsigned long long)height, (unsigned long long)context->limits.max_pixels);
    }
    uint64_t bytes = width * height;
    if (context->limits.announce) {
        context->limits.announce(context->limits.user, bytes * (pixel_bytes + LUMA_PIXEL_BYTES) + CIMAGE_DECODER_BYTES);
    }
    context->luma.pixels = bytes > SIZE_MAX ? NULL : malloc((size_t)bytes);
    if (!context->luma.pixels) {
        return CImage_fail(context, CIMAGE_ERROR_MEMORY, "no memory for %llu pixels", (unsigned long long)bytes);
    }
    context->luma.width = (int32_t)width;
    context->luma.height = (int32_t)height;
    return CIMAGE_OK;
}

static int decode_known(CImage_Context *context) {
    uint8_t signature[SIGNATURE_BYTES] = {0};
    memcpy(signature, context->data, context->length < SIGNATURE_BYTES ? context->length : SIGNATURE_BYTES);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (formats[i].is_it(signature)) return formats[i].decode(context);
    }
    return CImage_fail(
        context, CIMAGE_ERROR_FORMAT,
        "not a picture of a kind that is read (JPEG, PNG, WebP, HEIC, AVIF, GIF, TIFF, BMP, PGM)");
}

int CImage_decode_within(
    const uint8_t *data, size_t length, const CImage_Limits *limits, CImage_Luma *out, char *message,
    size_t message_length) {
    *out = (CImage_Luma){0};
    if (message && message_length > 0) message[0] = 0;
    CImage_Context context = {
        .data = data,
        .length = length,
        .limits = *limits,
        .message = message,
        .message_length = message_length,
    };
    int status = length > 0 ? decode_known(&context) : CImage_fail(&context, CIMAGE_ERROR_FORMAT, "the file is empty");
    if (status == CIMAGE_OK) {
        *out = context.luma;
    } else {
        CImage_free(&context.luma);
    }
    return status;
}

int CImage_decode(
    const uint8_t *data, size_t length, uint64_t max_pixels, CImage_Luma *out, char *message, size_t message_length) {
    CImage_Limits limits = {.max_pixels = max_pixels};
    return CImage_decode_within(data, length, &limits, out, message, message_length);
}

// Reads all of an open regular file of `size` bytes. On success *out is owned by the caller.
static int read_whole(CImage_Context *context, int descriptor, size_t size, uint8_t **out, size_t *length) {
    uint8_t *data = malloc(size ? size : 1);
    if (!data) return CImage_fail(context, CIMAGE_ERROR_MEMORY, "no memory for a file of %zu bytes", size);
    size_t filled = 0;
    while (filled < size) {
        ssize_t count = read(descriptor, data + filled, size - filled);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            int error = errno;
            free(data);
            return CImage_fail(context, CIMAGE_ERROR_READ, "can't be read: %s", strerror(error));
        }
        if (count == 0) break;  // shortened meanwhile: what is there decides
        filled += (size_t)count;
    }
    *out = data;
    *length = filled;
    return CIMAGE_OK;
}

static int load_descriptor(CImage_Context *context, int descriptor, CImage_Luma *out) {
    struct stat information;
    if (fstat(descriptor, &information) != 0) {
        return CImage_fail(context, CIMAGE_ERROR_READ, "can't be read: %s", strerror(errno));
    }
    if (!S_ISREG(information.st_mode)) {
        return CImage_fail(
            context, CIMAGE_ERROR_READ, "can't be read: %s",
            S_ISDIR(information.st_mode) ? strerror(EISDIR) : "not a regular file");
    }
    uint64_t allowance = (UINT64_MAX - FILE_OVERHEAD_BYTES) / LARGEST_PIXEL_BYTES;
    uint64_t pixels = context->limits.max_pixels < allowance ? context->limits.max_pixels : allowance;
    uint64_t size = information.st_size < 0 ? 0 : (uint64_t)information.st_size;
    if (size > FILE_OVERHEAD_BYTES + pixels * LARGEST_PIXEL_BYTES || size > SIZE_MAX) {
        return CImage_fail(
            context, CIMAGE_ERROR_TOO_LARGE, "the file has %llu bytes, too many for %llu pixels",
            (unsigned long long)size, (unsigned long long)context->limits.max_pixels);
    }
    uint8_t *data = NULL;
    size_t length = 0;
    int status = read_whole(context, descriptor, (size_t)size, &data, &length);
    if (status != CIMAGE_OK) return status;
    status = CImage_decode_within(data, length, &context->limits, out, context->message, context->message_length);
    free(data);
    return status;
}

int CImage_load(const char *path, uint64_t max_pixels, CImage_Luma *out, char *message, size_t message_length) {
    *out = (CImage_Luma){0};
    CImage_Context context = {
        .limits = {.max_pixels = max_pixels}, .message = message, .message_length = message_length};
    // Not blocking: opening a FIFO that nobody writes to would wait forever.
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor < 0) {
        return CImage_fail(&context, CIMAGE_ERROR_READ, "can't be opened: %s", strerror(errno));
    }
    int status = load_descriptor(&context, descriptor, out);
    close(descriptor);
    return status;
}

void CImage_free(CImage_Luma *image) {
    if (!image) return;
    free(image->pixels);
    *image = (CImage_Luma){0};
}

static int write_all(int descriptor, const void *data, size_t length) {
    const uint8_t *next = data;
    while (length > 0) {
        ssize_t count = write(descriptor, next, length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return -1;
        next += count;
        length -= (size_t)count;
    }
    return 0;
}

int CImage_write_pgm(
    int descriptor, const uint8_t *pixels, int32_t width, int32_t height, size_t row_stride, char *message,
    size_t message_length) {
    CImage_Context context = {.message = message, .message_length = message_length};
    if (width <= 0 || height <= 0 || row_stride < (size_t)width) {
        return CImage_fail(&context, CIMAGE_ERROR_READ, "can't write a picture of %dx%d", width, height);
    }
    char header[48];
    int length = snprintf(header, sizeof header, "P5\n%d %d\n255\n", width, height);
    int result = write_all(descriptor, header, (size_t)length);
    if (row_stride == (size_t)width) {
        if (result == 0) result = write_all(descriptor, pixels, (size_t)width * (size_t)height);
    } else {
        for (int32_t row = 0; row < height && result == 0; row++) {
            result = write_all(descriptor, pixels + (size_t)row * row_stride, (size_t)width);
        }
    }
    if (result != 0) return CImage_fail(&context, CIMAGE_ERROR_READ, "can't be written: %s", strerror(errno));
    return CIMAGE_OK;
}
