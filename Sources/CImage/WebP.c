// WebP by libwebp: of an animation the first frame. Laid on white where it is transparent.
#include "CImageInternal.h"

#include <string.h>

#include <webp/decode.h>
#include <webp/demux.h>

#define RGBA_BYTES 4
// A lossless picture is unpacked to 32 bits before it becomes ours, 32 more; a lossy one takes less, with 8 bits of alpha, too.
#define LARGEST_PIXEL_BYTES 10

static int damaged(CImage_Context *context, const char *what) {
    return CImage_fail(context, CIMAGE_ERROR_DAMAGED, "damaged WebP: %s", what);
}

static int failed(CImage_Context *context, VP8StatusCode code) {
    switch (code) {
    case VP8_STATUS_OUT_OF_MEMORY: return CImage_fail(context, CIMAGE_ERROR_MEMORY, "no memory for the WebP picture");
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA: return damaged(context, "the file breaks off");
    case VP8_STATUS_UNSUPPORTED_FEATURE: return damaged(context, "it uses a feature that libwebp doesn't know");
    default: return damaged(context, "its data is wrong");
    }
}

// `fragment` is a picture without the container around it.
static int decode(CImage_Context *context, const WebPData *fragment) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) return damaged(context, "libwebp has another version than its header");
    VP8StatusCode code = WebPGetFeatures(fragment->bytes, fragment->size, &config.input);
    if (code != VP8_STATUS_OK) return failed(context, code);
    size_t width = (size_t)config.input.width, height = (size_t)config.input.height;
    int status = CImage_allocate(context, width, height, LARGEST_PIXEL_BYTES);
    if (status != CIMAGE_OK) return status;
    config.options.use_threads = 0;
    config.output.colorspace = MODE_RGBA;
    code = WebPDecode(fragment->bytes, fragment->size, &config);
    if (code == VP8_STATUS_OK) {
        const WebPRGBABuffer *pixels = &config.output.u.RGBA;
        for (size_t y = 0; y < height; y++) {
            const uint8_t *source = pixels->rgba + y * (size_t)pixels->stride;
            uint8_t *target = context->luma.pixels + y * width;
            for (size_t x = 0; x < width; x++, source += RGBA_BYTES) {
                target[x] = CImage_on_white(CImage_luma_of(source[0], source[1], source[2]), source[3]);
            }
        }
    }
    WebPFreeDecBuffer(&config.output);
    return code == VP8_STATUS_OK ? CIMAGE_OK : failed(context, code);
}

static int orientation_of(const WebPDemuxer *demuxer) {
    WebPChunkIterator chunk;
    int orientation = 1;
    if (WebPDemuxGetChunk(demuxer, "EXIF", 1, &chunk)) {
        orientation = CImage_exif_orientation(chunk.chunk.bytes, chunk.chunk.size);
        WebPDemuxReleaseChunkIterator(&chunk);
    }
    return orientation;
}

bool CImage_is_webp(const uint8_t *data) { return memcmp(data, "RIFF", 4) == 0 && memcmp(data + 8, "WEBP", 4) == 0; }

int CImage_decode_webp(CImage_Context *context) {
    WebPData file = {.bytes = context->data, .size = context->length};
    WebPDemuxState state;
    WebPDemuxer *demuxer = WebPDemuxPartial(&file, &state);
    if (!demuxer) return damaged(context, "its container is wrong");
    WebPIterator frame;
    int status;
    if (state == WEBP_DEMUX_PARSED_HEADER || !WebPDemuxGetFrame(demuxer, 1, &frame)) {
        status = damaged(context, "the file breaks off");
    } else {
        status = decode(context, &frame.fragment);
        if (status == CIMAGE_OK) status = CImage_orient(context, orientation_of(demuxer));
        WebPDemuxReleaseIterator(&frame);
    }
    WebPDemuxDelete(demuxer);
    return status;
}
