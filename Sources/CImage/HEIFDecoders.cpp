// HEVC by libde265 and AV1 by dav1d, as plugins for libheif. Coded data comes as the container has it; out goes an image of libheif's
// with the coded planes, which libheif then crops, turns and puts together with the other tiles.
#include "HEIFDecoders.h"
#include "HEVCSize.h"

#include <cstring>
#include <memory>
#include <new>

#include <dav1d/dav1d.h>
#include <libde265/de265.h>
#include <libheif/heif.h>
#include <libheif/heif_plugin.h>

namespace {

// libheif's own have 100 and 150.
const int kPriority = 1000;
// heif_decoder_plugin of libheif 1.15, understood by all later ones.
const int kPluginVersion = 3;
const size_t kLengthBytes = 4;

thread_local uint64_t max_pixels = 0;

const heif_error kDone = {heif_error_Ok, heif_suberror_Unspecified, "done"};
const heif_error kDamaged = {
    heif_error_Decoder_plugin_error, heif_suberror_Unspecified, "the coded picture is damaged or breaks off"};
const heif_error kTooLarge = {
    heif_error_Decoder_plugin_error, heif_suberror_Unspecified, "the coded picture has more pixels than are read"};
const heif_error kNoMemory = {heif_error_Memory_allocation_error, heif_suberror_Unspecified, "no memory"};

struct ImageRelease {
    void operator()(heif_image *image) const { heif_image_release(image); }
};
using Image = std::unique_ptr<heif_image, ImageRelease>;

// A decoder's plane, as it lies in the library's memory.
struct CodedPlane {
    const uint8_t *bytes;
    ptrdiff_t stride;
    int width, height, bits;
};

heif_error add_plane(heif_image *image, heif_channel channel, const CodedPlane &plane) {
    if (!plane.bytes || plane.width <= 0 || plane.height <= 0 || plane.bits < 8 || plane.bits > 16) return kDamaged;
    const heif_error error = heif_image_add_plane(image, channel, plane.width, plane.height, plane.bits);
    if (error.code != heif_error_Ok) return error;
    int row = 0;
    uint8_t *target = heif_image_get_plane(image, channel, &row);
    const size_t bytes = size_t(plane.width) * (plane.bits > 8 ? 2 : 1);
    if (!target || row < 0 || size_t(row) < bytes) return kNoMemory;
    for (int y = 0; y < plane.height; y++) {
        std::memcpy(target + size_t(y) * size_t(row), plane.bytes + y * plane.stride, bytes);
    }
    return kDone;
}

// Only luma is of use here, but libheif wants what the container says is there.
const heif_channel kChannels[] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};

heif_error make_image(
    int width, int height, heif_chroma chroma, const CodedPlane *planes, int plane_count, heif_image **out) {
    if (width <= 0 || height <= 0) return kDamaged;
    if (uint64_t(width) > max_pixels / uint64_t(height)) return kTooLarge;
    const bool is_grey = plane_count == 1;
    heif_image *created = nullptr;
    heif_error error = heif_image_create(
        width, height, is_grey ? heif_colorspace_monochrome : heif_colorspace_YCbCr,
        is_grey ? heif_chroma_monochrome : chroma, &created);
    if (error.code != heif_error_Ok) return error;
    Image image(created);
    for (int i = 0; i < plane_count; i++) {
        error = add_plane(created, kChannels[i], planes[i]);
        if (error.code != heif_error_Ok) return error;
    }
    *out = image.release();
    return kDone;
}

// ---- HEVC

struct HEVCDecoder {
    static const char *name() { return "libde265, one thread"; }
    static void init() { de265_init(); }
    static void deinit() { de265_free(); }
    static int supports(heif_compression_format format) { return format == heif_compression_HEVC ? kPriority : 0; }

    static heif_error create(void **out) {
        *out = de265_new_decoder();
        return *out ? kDone : kNoMemory;
    }

    static void destroy(void *decoder) { de265_free_decoder(decoder); }

    // Units, each behind its length in four bytes.
    static heif_error push(void *decoder, const void *data, size_t size) {
        const uint8_t *next = static_cast<const uint8_t *>(data);
        while (size > 0) {
            if (size < kLengthBytes) return kDamaged;
            const uint32_t length = uint32_t(next[0]) << 24 | uint32_t(next[1]) << 16 | uint32_t(next[2]) << 8
                | next[3];
            if (length > size - kLengthBytes || length > INT32_MAX) return kDamaged;
            // libde265 takes the memory at once.
            if (HEVC::announced_pixels(next + kLengthBytes, length) > max_pixels) return kTooLarge;
            de265_push_NAL(decoder, next + kLengthBytes, int(length), 0, nullptr);
            next += kLengthBytes + length;
            size -= kLengthBytes + length;
        }
        return kDone;
    }

    static heif_error decode(void *decoder, heif_image **out) {
        *out = nullptr;
        de265_flush_data(decoder);
        for (int more = 1; more;) {
            more = 0;
            const de265_error error = de265_decode(decoder, &more);
            if (const de265_image *picture = de265_get_next_picture(decoder)) return convert(picture, out);
            if (error == DE265_ERROR_OUT_OF_MEMORY) return kNoMemory;
            if (error != DE265_OK) return kDamaged;
        }
        return kDamaged;
    }

    static heif_error convert(const de265_image *picture, heif_image **out) {
        const de265_chroma chroma = de265_get_chroma_format(picture);
        const int plane_count = chroma == de265_chroma_mono ? 1 : 3;
        CodedPlane planes[3];
        for (int i = 0; i < plane_count; i++) {
            int stride = 0;
            planes[i].bytes = de265_get_image_plane(picture, i, &stride);
            planes[i].stride = stride;
            planes[i].width = de265_get_image_width(picture, i);
            planes[i].height = de265_get_image_height(picture, i);
            planes[i].bits = de265_get_bits_per_pixel(picture, i);
        }
        const heif_chroma kind = chroma == de265_chroma_420 ? heif_chroma_420
            : chroma == de265_chroma_422                    ? heif_chroma_422
                                                            : heif_chroma_444;
        return make_image(planes[0].width, planes[0].height, kind, planes, plane_count, out);
    }

    static void set_strict(void *, int) {}
};

// ---- AV1

struct AV1Decoder {
    Dav1dContext *context = nullptr;
    Dav1dData data = {};

    ~AV1Decoder() {
        if (data.sz) dav1d_data_unref(&data);
        if (context) dav1d_close(&context);
    }

    static const char *name() { return "dav1d, one thread"; }
    static void init() {}
    static void deinit() {}
    static int supports(heif_compression_format format) { return format == heif_compression_AV1 ? kPriority : 0; }

    static heif_error create(void **out) {
        auto decoder = std::make_unique<AV1Decoder>();
        Dav1dSettings settings;
        dav1d_default_settings(&settings);
        settings.n_threads = 1;
        settings.max_frame_delay = 1;
        settings.all_layers = 0;
        settings.frame_size_limit = unsigned(max_pixels < UINT32_MAX ? max_pixels : UINT32_MAX);
        settings.logger.callback = nullptr;
        if (dav1d_open(&decoder->context, &settings) < 0) return kNoMemory;
        *out = decoder.release();
        return kDone;
    }

    static void destroy(void *decoder) { delete static_cast<AV1Decoder *>(decoder); }

    static heif_error push(void *opaque, const void *bytes, size_t size) {
        auto *decoder = static_cast<AV1Decoder *>(opaque);
        // libheif hands the whole picture over at once.
        if (size == 0 || decoder->data.sz) return kDamaged;
        uint8_t *target = dav1d_data_create(&decoder->data, size);
        if (!target) return kNoMemory;
        std::memcpy(target, bytes, size);
        return kDone;
    }

    static heif_error decode(void *opaque, heif_image **out) {
        auto *decoder = static_cast<AV1Decoder *>(opaque);
        *out = nullptr;
        while (true) {
            const bool had_data = decoder->data.sz > 0;
            if (had_data) {
                const int status = dav1d_send_data(decoder->context, &decoder->data);
                if (status < 0 && status != DAV1D_ERR(EAGAIN))
                    return status == DAV1D_ERR(ENOMEM) ? kNoMemory : kDamaged;
            }
            Dav1dPicture picture = {};
            const int status = dav1d_get_picture(decoder->context, &picture);
            if (status == 0) {
                const heif_error error = convert(picture, out);
                dav1d_picture_unref(&picture);
                return error;
            }
            if (status != DAV1D_ERR(EAGAIN)) return status == DAV1D_ERR(ENOMEM) ? kNoMemory : kDamaged;
            if (!had_data) return kDamaged;
        }
    }

    static heif_error convert(const Dav1dPicture &picture, heif_image **out) {
        const bool is_grey = picture.p.layout == DAV1D_PIXEL_LAYOUT_I400;
        const bool halves_width = picture.p.layout != DAV1D_PIXEL_LAYOUT_I444;
        const bool halves_height = picture.p.layout == DAV1D_PIXEL_LAYOUT_I420;
        CodedPlane planes[3];
        for (int i = 0; i < (is_grey ? 1 : 3); i++) {
            const bool is_chroma = i > 0;
            planes[i].bytes = static_cast<const uint8_t *>(picture.data[i]);
            planes[i].stride = picture.stride[is_chroma];
            planes[i].width = is_chroma && halves_width ? (picture.p.w + 1) / 2 : picture.p.w;
            planes[i].height = is_chroma && halves_height ? (picture.p.h + 1) / 2 : picture.p.h;
            planes[i].bits = picture.p.bpc;
        }
        const heif_chroma kind = halves_height ? heif_chroma_420 : halves_width ? heif_chroma_422 : heif_chroma_444;
        return make_image(picture.p.w, picture.p.h, kind, planes, is_grey ? 1 : 3, out);
    }

    static void set_strict(void *, int) {}
};

template <typename Codec>
const heif_decoder_plugin *plugin(const char *identifier) {
    static heif_decoder_plugin table = {};
    table.plugin_api_version = kPluginVersion;
    table.get_plugin_name = Codec::name;
    table.init_plugin = Codec::init;
    table.deinit_plugin = Codec::deinit;
    table.does_support_format = Codec::supports;
    table.new_decoder = Codec::create;
    table.free_decoder = Codec::destroy;
    table.push_data = Codec::push;
    table.decode_image = Codec::decode;
    table.set_strict_decoding = Codec::set_strict;
    table.id_name = identifier;
    return &table;
}

}  // namespace

void CImageHEIF_register_decoders(void) {
    // Once, also by two threads at a time.
    static const bool is_done = [] {
        heif_register_decoder_plugin(plugin<HEVCDecoder>("scanstation-hevc"));
        heif_register_decoder_plugin(plugin<AV1Decoder>("scanstation-av1"));
        return true;
    }();
    (void)is_done;
}

void CImageHEIF_set_max_pixels(uint64_t count) { max_pixels = count; }
