// TIFF by libtiff: the first picture of a file (a fax's first page), through libtiff's own conversion to colours. Compressed as
// scanners, cameras and programs do it; rarer compressions would put many more decoders into reach of a hostile file.
#include "CImageInternal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tiffio.h>

// libtiff's raster: 32 bits a pixel.
#define RASTER_BYTES 4
// A file of one strip or tile has all its samples unpacked at once.
#define LARGEST_SAMPLES_BYTES 16

typedef struct Source {
    CImage_Context *context;
    toff_t position;
} Source;

static tmsize_t on_read(thandle_t handle, void *target, tmsize_t count) {
    Source *source = handle;
    toff_t length = source->context->length;
    toff_t left = source->position < length ? length - source->position : 0;
    tmsize_t taken = count < 0 ? 0 : (toff_t)count < left ? count : (tmsize_t)left;
    if (taken > 0) memcpy(target, source->context->data + source->position, (size_t)taken);
    source->position += (toff_t)taken;
    return taken;
}

static tmsize_t on_write(thandle_t handle, void *bytes, tmsize_t count) {
    (void)handle;
    (void)bytes;
    (void)count;
    return -1;
}

static toff_t on_seek(thandle_t handle, toff_t offset, int whence) {
    Source *source = handle;
    switch (whence) {
    case SEEK_CUR: source->position += offset; break;
    case SEEK_END: source->position = source->context->length + offset; break;
    default: source->position = offset;
    }
    return source->position;
}

static int on_close(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t on_size(thandle_t handle) { return ((Source *)handle)->context->length; }

// The file is in memory already: libtiff reads it there.
static int on_map(thandle_t handle, void **base, toff_t *size) {
    Source *source = handle;
    // libtiff takes what it must not change without const.
    *base = (void *)(uintptr_t)source->context->data;
    *size = source->context->length;
    return 1;
}

static void on_unmap(thandle_t handle, void *base, toff_t size) {
    (void)handle;
    (void)base;
    (void)size;
}

static int on_error(TIFF *file, void *user, const char *module, const char *format, va_list arguments) {
    (void)file;
    (void)module;
    CImage_Context *context = user;
    char text[160];
    vsnprintf(text, sizeof text, format, arguments);
    CImage_fail(context, CIMAGE_ERROR_DAMAGED, "damaged TIFF: %s", text);
    return 1;
}

static int on_warning(TIFF *file, void *user, const char *module, const char *format, va_list arguments) {
    (void)file;
    (void)user;
    (void)module;
    (void)format;
    (void)arguments;
    return 1;
}

static bool is_read(uint16_t compression) {
    switch (compression) {
    case COMPRESSION_NONE:
    case COMPRESSION_CCITTRLE:
    case COMPRESSION_CCITTFAX3:
    case COMPRESSION_CCITTFAX4:
    case COMPRESSION_LZW:
    case COMPRESSION_JPEG:
    case COMPRESSION_ADOBE_DEFLATE:
    case COMPRESSION_DEFLATE:
    case COMPRESSION_PACKBITS: return true;
    default: return false;
    }
}

// The raster begins with the row that is stored first, in libtiff's order of bytes. Its colours are multiplied with alpha already.
static void take(CImage_Context *context, const uint32_t *raster) {
    size_t count = (size_t)context->luma.width * (size_t)context->luma.height;
    for (size_t i = 0; i < count; i++) {
        uint32_t pixel = raster[i];
        uint32_t luma = CImage_luma_of(TIFFGetR(pixel), TIFFGetG(pixel), TIFFGetB(pixel)) + 255 - TIFFGetA(pixel);
        context->luma.pixels[i] = (uint8_t)(luma < 255 ? luma : 255);
    }
}

static int decode_raster(CImage_Context *context, TIFFRGBAImage *image) {
    size_t count = (size_t)image->width * image->height;
    uint32_t *raster = malloc(count * RASTER_BYTES);
    if (!raster) return CImage_fail(context, CIMAGE_ERROR_MEMORY, "no memory for %zu pixels", count);
    // As it is stored: what turns it upright is done here as for all others.
    image->req_orientation = image->orientation;
    int status = CIMAGE_OK;
    if (TIFFRGBAImageGet(image, raster, image->width, image->height)) {
        take(context, raster);
        // Earlier errors don't matter.
        if (context->message && context->message_length > 0) context->message[0] = 0;
        status = CImage_orient(context, image->orientation);
    } else {
        // The error handler has said why.
        status = CIMAGE_ERROR_DAMAGED;
    }
    free(raster);
    return status;
}

static int decode(CImage_Context *context, TIFF *file) {
    uint32_t width = 0, height = 0;
    uint16_t compression = COMPRESSION_NONE;
    TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(file, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetFieldDefaulted(file, TIFFTAG_COMPRESSION, &compression);
    if (!is_read(compression)) {
        return CImage_fail(
            context, CIMAGE_ERROR_DAMAGED,
            "TIFFs with compression %u are not read; read are LZW, deflate, JPEG, PackBits, fax, none", compression);
    }
    int status = CImage_allocate(context, width, height, RASTER_BYTES + LARGEST_SAMPLES_BYTES);
    if (status != CIMAGE_OK) return status;
    char text[1024] = "";
    TIFFRGBAImage image;
    if (!TIFFRGBAImageOK(file, text) || !TIFFRGBAImageBegin(&image, file, 1, text)) {
        return CImage_fail(
            context, CIMAGE_ERROR_DAMAGED, "damaged TIFF: %.160s", text[0] ? text : "its tags make no picture");
    }
    if (image.width == width && image.height == height) {
        status = decode_raster(context, &image);
    } else {
        status = CImage_fail(context, CIMAGE_ERROR_DAMAGED, "damaged TIFF: it has two sizes");
    }
    TIFFRGBAImageEnd(&image);
    return status;
}

bool CImage_is_tiff(const uint8_t *data) {
    return memcmp(data, "II*\0", 4) == 0 || memcmp(data, "MM\0*", 4) == 0 || memcmp(data, "II+\0", 4) == 0
        || memcmp(data, "MM\0+", 4) == 0;
}

int CImage_decode_tiff(CImage_Context *context) {
    Source source = {.context = context};
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options) return CImage_fail(context, CIMAGE_ERROR_MEMORY, "no memory for the TIFF decoder");
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, context);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, context);
    uint64_t largest = context->limits.max_pixels * LARGEST_SAMPLES_BYTES;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, largest < PTRDIFF_MAX ? (tmsize_t)largest : PTRDIFF_MAX);
    CImage_fail(context, CIMAGE_ERROR_DAMAGED, "damaged TIFF: its header is wrong");
    TIFF *file = TIFFClientOpenExt(
        "picture", "r", &source, on_read, on_write, on_seek, on_close, on_size, on_map, on_unmap, options);
    TIFFOpenOptionsFree(options);
    if (!file) return CIMAGE_ERROR_DAMAGED;
    int status = decode(context, file);
    TIFFClose(file);
    return status;
}
