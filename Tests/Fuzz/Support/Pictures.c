// Picture files of one kind (-DFORMAT=png) through CImage. Beside what the sanitizers find: decoding takes no more memory than it
// announces, a picture that comes out has pixels, and whatever fails says why. C++ libraries are refused more (Memory.cpp), as the
// limit of the reader process does it: libheif takes what a file's boxes say.
#include "CImageInternal.h"

#include <sanitizer/allocator_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOIN_NAMES(a, b) a##b
#define JOIN(a, b) JOIN_NAMES(a, b)

#define MAX_PIXELS 1000000ull
// What a decoder takes beside pixels is 0.8 MB at most (JPEG). The product allows for 72 MB, in which every pixel here could be
// forgotten. Only HEIF's and TIFF's libraries need them: they take what a file's boxes and tags say.
#define BESIDE_PIXELS (2ull << 20)
// libpng holds a row three times with 8 bytes a pixel at most, and a picture may be a single row.
#define PNG_ROW_PIXEL_BYTES 24ull
// libjpeg holds whole blocks of 16 by 16: of three components a coefficient, a sample and its copies, of however thin a picture.
#define JPEG_BLOCK_PIXELS 16ull
#define JPEG_BLOCK_PIXEL_BYTES 12ull
#define SIGNATURE_BYTES 12

static size_t held, most_held;
static size_t fuzz_allowance = SIZE_MAX;
static uint64_t announced;

static void on_malloc(const volatile void *pointer, size_t size) {
    (void)pointer;
    held += size;
    if (held > most_held) most_held = held;
}

static void on_free(const volatile void *pointer) {
    size_t size = pointer ? __sanitizer_get_allocated_size(pointer) : 0;
    held -= size < held ? size : held;
}

int fuzz_may_take(size_t size) { return size <= fuzz_allowance && held <= fuzz_allowance - size; }

static void on_announcement(void *user, uint64_t bytes) {
    (void)user;
    announced = bytes;
    fuzz_allowance = CIMAGE_HEADER_BYTES + bytes;
}

// The longest side that any frame header in it gives (ITU T.81, B.2.2).
static uint64_t longest_side(const uint8_t *data, size_t size) {
    uint64_t longest = 0;
    for (size_t i = 0; i + 9 <= size; i++) {
        if (data[i] != 0xFF || data[i + 1] < 0xC0 || data[i + 1] > 0xCF) continue;
        uint64_t height = (uint64_t)data[i + 5] << 8 | data[i + 6], width = (uint64_t)data[i + 7] << 8 | data[i + 8];
        if (height > longest) longest = height;
        if (width > longest) longest = width;
    }
    return longest;
}

static uint64_t expected(const uint8_t *data, size_t size) {
    if (JOIN(CImage_is_, FORMAT) == CImage_is_heif || JOIN(CImage_is_, FORMAT) == CImage_is_tiff) return fuzz_allowance;
    uint64_t bytes = BESIDE_PIXELS + (announced > CIMAGE_DECODER_BYTES ? announced - CIMAGE_DECODER_BYTES : 0);
    if (JOIN(CImage_is_, FORMAT) == CImage_is_png && size >= 20) {
        uint64_t width = (uint64_t)data[16] << 24 | (uint64_t)data[17] << 16 | (uint64_t)data[18] << 8 | data[19];
        bytes += PNG_ROW_PIXEL_BYTES * width;
    }
    if (JOIN(CImage_is_, FORMAT) == CImage_is_jpeg)
        bytes += JPEG_BLOCK_PIXELS * JPEG_BLOCK_PIXEL_BYTES * longest_side(data, size);
    return bytes;
}

static void demand(int is_true, const char *what) {
    if (is_true) return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t signature[SIGNATURE_BYTES] = {0};
    memcpy(signature, data, size < SIGNATURE_BYTES ? size : SIGNATURE_BYTES);
    // Another kind is another target's: kept out of this one's corpus.
    if (!JOIN(CImage_is_, FORMAT)(signature)) return -1;

    CImage_Limits limits = {.max_pixels = MAX_PIXELS, .announce = on_announcement};
    CImage_Luma luma;
    char message[256];
    held = most_held = 0;
    announced = 0;
    fuzz_allowance = CIMAGE_HEADER_BYTES;
    int status = CImage_decode_within(data, size, &limits, &luma, message, sizeof message);
    if (most_held > expected(data, size)) {
        fprintf(
            stderr, "%zu bytes were taken where %llu are announced\n", most_held,
            (unsigned long long)expected(data, size));
        demand(0, "it takes no more memory than it announces");
    }
    fuzz_allowance = SIZE_MAX;
    if (status == CIMAGE_OK) {
        demand(luma.width > 0 && luma.height > 0, "a picture has pixels");
        demand((uint64_t)luma.width * (uint64_t)luma.height <= MAX_PIXELS, "a picture has no more pixels than allowed");
        // Each is read once, for the address sanitizer.
        size_t count = (size_t)luma.width * (size_t)luma.height;
        volatile uint8_t sum = 0;
        for (size_t i = 0; i < count; i += 61) sum ^= luma.pixels[i];
        sum ^= luma.pixels[count - 1];
    } else {
        demand(luma.pixels == NULL, "what fails returns nothing");
        demand(message[0] != 0, "what fails says why");
    }
    CImage_free(&luma);
    return 0;
}
