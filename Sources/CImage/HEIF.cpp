// HEIC and AVIF by libheif: the main picture, upright, its luma plane as it was coded.
//
// libheif's own decoders start threads, or come as plugins from a folder; a reader process may do neither. So it gets two of ours,
// on the same libraries with one thread: HEVC by libde265, AV1 by dav1d. The libraries' C++ exceptions end here.
#include "CImageInternal.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>

#include <libheif/heif.h>

#include "HEIFDecoders.h"
#include "HEIFReferences.h"

// Planes of up to 16 bits in three colours: the codec's, libheif's copy, and another while it is turned.
static const uint64_t kLargestPixelBytes = 18;
// A tile may be larger than the picture that it is for.
static const uint64_t kLargestTilePixels = 1024 * 512;

namespace {

template <typename Value, void (*Free)(Value *)>
struct Released {
    void operator()(Value *value) const { Free(value); }
};

using Container = std::unique_ptr<heif_context, Released<heif_context, heif_context_free>>;
using Options = std::unique_ptr<heif_decoding_options, Released<heif_decoding_options, heif_decoding_options_free>>;

struct HandleRelease {
    void operator()(heif_image_handle *handle) const { heif_image_handle_release(handle); }
};
struct ImageRelease {
    void operator()(heif_image *image) const { heif_image_release(image); }
};
using Handle = std::unique_ptr<heif_image_handle, HandleRelease>;
using Image = std::unique_ptr<heif_image, ImageRelease>;

int failed(CImage_Context *context, const heif_error &error) {
    if (error.code == heif_error_Memory_allocation_error) {
        return CImage_fail(context, CIMAGE_ERROR_MEMORY, "no memory for the HEIF picture");
    }
    return CImage_fail(
        context, CIMAGE_ERROR_DAMAGED, "damaged HEIF: %.200s", error.message ? error.message : "its data is wrong");
}

// One plane of a picture, samples of up to 16 bits.
struct Plane {
    const uint8_t *bytes = nullptr;
    size_t stride = 0;
    size_t sample_bytes = 1;
    unsigned shift = 0;
    uint32_t fill = 0;

    // False where there is no such plane, or it is smaller than the picture.
    bool take(const heif_image *image, heif_channel channel, int width, int height) {
        if (heif_image_has_channel(image, channel) == 0 || heif_image_get_width(image, channel) < width
            || heif_image_get_height(image, channel) < height) {
            return false;
        }
        int row = 0;
        bytes = heif_image_get_plane_readonly(image, channel, &row);
        const int bits = heif_image_get_bits_per_pixel_range(image, channel);
        if (!bytes || bits < 1 || bits > 16) return false;
        sample_bytes = bits > 8 ? 2 : 1;
        shift = bits > 8 ? unsigned(bits - 8) : 0;
        fill = bits < 8 ? (1u << bits) - 1 : 0;
        stride = size_t(row);
        return row > 0 && stride >= size_t(width) * sample_bytes;
    }

    uint8_t sample(size_t x, size_t y) const {
        const uint8_t *place = bytes + y * stride + x * sample_bytes;
        uint32_t value = *place;
        if (sample_bytes == 2) {
            uint16_t wide;
            std::memcpy(&wide, place, sizeof wide);
            value = uint32_t(wide) >> shift;
        }
        if (fill) value = value * 255 / fill;
        return uint8_t(value < 255 ? value : 255);
    }
};

// Copies the luma of a decoded picture. With three colours instead of luma, green is close enough: it weighs most.
int take(CImage_Context *context, const heif_image *image, int width, int height) {
    Plane luma, alpha;
    const bool is_colour = heif_image_get_colorspace(image) == heif_colorspace_RGB;
    if (!luma.take(image, is_colour ? heif_channel_G : heif_channel_Y, width, height)) {
        return CImage_fail(context, CIMAGE_ERROR_DAMAGED, "damaged HEIF: it has no luma of its whole size");
    }
    const bool has_alpha = alpha.take(image, heif_channel_Alpha, width, height);
    for (size_t y = 0; y < size_t(height); y++) {
        uint8_t *target = context->luma.pixels + y * size_t(width);
        for (size_t x = 0; x < size_t(width); x++) {
            target[x] = luma.sample(x, y);
            if (has_alpha) target[x] = CImage_on_white(target[x], alpha.sample(x, y));
        }
    }
    return CIMAGE_OK;
}

uint64_t area(int width, int height) { return width > 0 && height > 0 ? uint64_t(width) * uint64_t(height) : 0; }

int decode(CImage_Context *context) {
    if (!CImageHEIF_references_end(context->data, context->length)) {
        return CImage_fail(context, CIMAGE_ERROR_DAMAGED, "damaged HEIF: its pictures are made of each other");
    }
    CImageHEIF_register_decoders();
    Container container(heif_context_alloc());
    Options options(heif_decoding_options_alloc());
    if (!container || !options) throw std::bad_alloc();
    heif_context_set_max_decoding_threads(container.get(), 0);
    heif_error error = heif_context_read_from_memory_without_copy(
        container.get(), context->data, context->length, nullptr);
    if (error.code != heif_error_Ok) return failed(context, error);
    heif_image_handle *primary = nullptr;
    error = heif_context_get_primary_image_handle(container.get(), &primary);
    if (error.code != heif_error_Ok) return failed(context, error);
    Handle handle(primary);
    const int width = heif_image_handle_get_width(primary), height = heif_image_handle_get_height(primary);
    // Larger than what comes out where it is cropped.
    const uint64_t pixels = std::max<uint64_t>(area(width, height), 1);
    const uint64_t coded = std::max(
        {pixels, area(heif_image_handle_get_ispe_width(primary), heif_image_handle_get_ispe_height(primary)),
         kLargestTilePixels});
    if (coded > std::max(context->limits.max_pixels, kLargestTilePixels)) {
        return CImage_fail(
            context, CIMAGE_ERROR_TOO_LARGE,
            "the picture has %llu pixels before it is cropped, more than %llu are not read", (unsigned long long)coded,
            (unsigned long long)context->limits.max_pixels);
    }
    const uint64_t pixel_bytes = (coded * kLargestPixelBytes + pixels - 1) / pixels;
    int status = CImage_allocate(
        context, uint64_t(width > 0 ? width : 0), uint64_t(height > 0 ? height : 0), uint32_t(pixel_bytes));
    if (status != CIMAGE_OK) return status;
    CImageHEIF_set_max_pixels(coded);

    heif_image *decoded = nullptr;
    error = heif_decode_image(primary, &decoded, heif_colorspace_undefined, heif_chroma_undefined, options.get());
    if (error.code != heif_error_Ok) return failed(context, error);
    if (!decoded) return CImage_fail(context, CIMAGE_ERROR_DAMAGED, "damaged HEIF: there is no picture in it");
    Image image(decoded);
    return take(context, decoded, width, height);
}

}  // namespace

// A file type box with one of the brands of still pictures (ISO/IEC 23008-12 and AVIF 1.0); films have others.
bool CImage_is_heif(const uint8_t *data) {
    static const char brands[][5] = {"heic", "heix", "heim", "heis", "hevc", "hevx",
                                     "mif1", "msf1", "avif", "avis", "mif2"};
    if (std::memcmp(data + 4, "ftyp", 4) != 0) return false;
    for (const auto &brand : brands) {
        if (std::memcmp(data + 8, brand, 4) == 0) return true;
    }
    return false;
}

int CImage_decode_heif(CImage_Context *context) {
    try {
        return decode(context);
    } catch (const std::bad_alloc &) {
        return CImage_fail(context, CIMAGE_ERROR_MEMORY, "no memory for the HEIF picture");
    } catch (const std::exception &error) {
        return CImage_fail(context, CIMAGE_ERROR_DAMAGED, "damaged HEIF: %.200s", error.what());
    } catch (...) {
        return CImage_fail(context, CIMAGE_ERROR_DAMAGED, "damaged HEIF: the library failed");
    }
}
