#include "CJPEG.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

// jpeglib.h wants FILE and size_t declared.
#include <jpeglib.h>

typedef struct Failure {
    struct jpeg_error_mgr manager;
    jmp_buf escape;
} Failure;

static void fail(j_common_ptr codec) {
    Failure *failure = (Failure *)codec->err;
    longjmp(failure->escape, 1);
}

static void say_nothing(j_common_ptr codec) { (void)codec; }

int CJPEG_encode_grey(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t quality, uint8_t **out, size_t *out_length) {
    // Locals that are read after a longjmp: volatile.
    unsigned char *volatile buffer = NULL;
    unsigned long length = 0;
    struct jpeg_compress_struct codec;
    Failure failure;
    *out = NULL;
    *out_length = 0;
    if (pixels == NULL || width < 1 || height < 1 || width > JPEG_MAX_DIMENSION || height > JPEG_MAX_DIMENSION)
        return -1;
    codec.err = jpeg_std_error(&failure.manager);
    failure.manager.error_exit = fail;
    failure.manager.output_message = say_nothing;
    if (setjmp(failure.escape)) {
        jpeg_destroy_compress(&codec);
        free(buffer);
        return -1;
    }
    jpeg_create_compress(&codec);
    jpeg_mem_dest(&codec, (unsigned char **)&buffer, &length);
    codec.image_width = (JDIMENSION)width;
    codec.image_height = (JDIMENSION)height;
    codec.input_components = 1;
    codec.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&codec);
    jpeg_set_quality(&codec, quality, TRUE);
    // The faster of the integer transforms; the difference can't be seen at this quality.
    codec.dct_method = JDCT_IFAST;
    jpeg_start_compress(&codec, TRUE);
    while (codec.next_scanline < codec.image_height) {
        JSAMPROW row = (JSAMPROW)(pixels + (size_t)codec.next_scanline * (size_t)width);
        (void)jpeg_write_scanlines(&codec, &row, 1);
    }
    jpeg_finish_compress(&codec);
    jpeg_destroy_compress(&codec);
    *out = buffer;
    *out_length = (size_t)length;
    return 0;
}

void CJPEG_free(uint8_t *jpeg) { free(jpeg); }
