// JPEG by libjpeg(-turbo). Its error handler would end the process: ours jumps back into CImage_decode_jpeg instead, which is
// the only function that calls into the library. A picture that breaks off in the middle is kept when part of it was decoded:
// the code may be in that part.
#include "CImageInternal.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include <jerror.h>

// A progressive file may repeat scans over the whole picture at a few bytes each; honest ones have about ten.
#define MAX_SCANS 100
#define ADOBE_CMYK_COMPONENTS 4

typedef struct Decoder {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf failure;
    CImage_Context *context;
    // Set by the failure path: what CImage_decode_jpeg returns.
    int status;
    // In parts of a hundred: how much had been decoded when the data first turned out damaged, at most 100 (not damaged).
    unsigned sound_percent;
    // Set with it when bits are missing rather than wrong.
    bool is_cut;
    uint8_t *row;
} Decoder;

static void on_error(j_common_ptr jpeg) {
    Decoder *decoder = jpeg->client_data;
    char text[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, text);
    bool is_memory = jpeg->err->msg_code == JERR_OUT_OF_MEMORY;
    decoder->status = CImage_fail(
        decoder->context, is_memory ? CIMAGE_ERROR_MEMORY : CIMAGE_ERROR_DAMAGED, "damaged JPEG: %s", text);
    longjmp(decoder->failure, 1);
}

// How far the decoder has come. Each scan of a progressive file goes over the whole picture and refines it: half of what the one
// before it brought, say.
static unsigned percent_done(const struct jpeg_decompress_struct *jpeg) {
    unsigned rows = jpeg->total_iMCU_rows > 0 ? jpeg->total_iMCU_rows : 1;
    unsigned row = jpeg->input_iMCU_row < rows ? jpeg->input_iMCU_row : rows;
    unsigned done = 0, rest = 100;
    for (int scan = 1; scan < jpeg->input_scan_number && rest > 0; scan++) {
        done += (rest + 1) / 2;
        rest = 100 - done;
    }
    return done + rest * row / rows;
}

// Warnings: the data is damaged, decoding goes on with a guess.
static void on_message(j_common_ptr jpeg, int level) {
    if (level >= 0) return;
    jpeg->err->num_warnings++;
    Decoder *decoder = jpeg->client_data;
    if (decoder->sound_percent < 100) return;
    switch (jpeg->err->msg_code) {
    // Bits are really missing. (The end of the file is noticed earlier, by reading ahead.)
    case JWRN_HIT_MARKER: decoder->is_cut = true; break;
    // A progressive file may end between two scans; a baseline one that lacks its end mark alone is whole.
    case JWRN_JPEG_EOF:
        if (!decoder->jpeg.progressive_mode) return;
        decoder->is_cut = true;
        break;
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC: break;
    default: return;
    }
    unsigned percent = percent_done(&decoder->jpeg);
    decoder->sound_percent = percent < 100 ? percent : 99;
}

static void on_output(j_common_ptr jpeg) { (void)jpeg; }

static void on_progress(j_common_ptr jpeg) {
    Decoder *decoder = jpeg->client_data;
    if (decoder->jpeg.input_scan_number <= MAX_SCANS) return;
    decoder->status = CImage_fail(
        decoder->context, CIMAGE_ERROR_DAMAGED, "damaged JPEG: more than %d scans", MAX_SCANS);
    longjmp(decoder->failure, 1);
}

static int orientation_of(const struct jpeg_decompress_struct *jpeg) {
    for (jpeg_saved_marker_ptr marker = jpeg->marker_list; marker; marker = marker->next) {
        if (marker->marker != JPEG_APP0 + 1) continue;
        int orientation = CImage_exif_orientation(marker->data, marker->data_length);
        if (orientation != 1) return orientation;
    }
    return 1;
}

// Adobe writes inks inverted (255 = none); files without its marker hold plain inks.
static void luma_from_cmyk(const uint8_t *source, uint8_t *target, JDIMENSION width, bool is_inverted) {
    uint32_t flip = is_inverted ? 0 : 255;
    for (JDIMENSION x = 0; x < width; x++, source += ADOBE_CMYK_COMPONENTS) {
        uint32_t black = source[3] ^ flip;
        target[x] = CImage_luma_of(
            (source[0] ^ flip) * black / 255, (source[1] ^ flip) * black / 255, (source[2] ^ flip) * black / 255);
    }
}

static int decode(Decoder *decoder) {
    struct jpeg_decompress_struct *jpeg = &decoder->jpeg;
    jpeg_create_decompress(jpeg);
    jpeg->client_data = decoder;
    jpeg->progress = &decoder->progress;
    jpeg_mem_src(jpeg, decoder->context->data, decoder->context->length);
    jpeg_save_markers(jpeg, JPEG_APP0 + 1, 0xFFFF);
    if (jpeg_read_header(jpeg, TRUE) != JPEG_HEADER_OK) {
        return CImage_fail(decoder->context, CIMAGE_ERROR_DAMAGED, "damaged JPEG: no picture in it");
    }
    // Coefficients of 16 bits for every component are kept until the last scan; of one scan, only a row of blocks.
    uint32_t pixel_bytes = jpeg_has_multiple_scans(jpeg) ? 2 * (uint32_t)jpeg->num_components : 0;
    int status = CImage_allocate(decoder->context, jpeg->image_width, jpeg->image_height, pixel_bytes);
    if (status != CIMAGE_OK) return status;

    bool is_cmyk = jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK;
    jpeg->out_color_space = is_cmyk ? JCS_CMYK : JCS_GRAYSCALE;
    if (is_cmyk) {
        decoder->row = malloc((size_t)jpeg->image_width * ADOBE_CMYK_COMPONENTS);
        if (!decoder->row) return CImage_fail(decoder->context, CIMAGE_ERROR_MEMORY, "no memory for a row");
    }
    jpeg_start_decompress(jpeg);
    while (jpeg->output_scanline < jpeg->output_height) {
        uint8_t *target = decoder->context->luma.pixels + (size_t)jpeg->output_scanline * jpeg->output_width;
        JSAMPROW row = is_cmyk ? decoder->row : target;
        if (jpeg_read_scanlines(jpeg, &row, 1) != 1) {
            return CImage_fail(decoder->context, CIMAGE_ERROR_DAMAGED, "damaged JPEG: rows are missing");
        }
        if (is_cmyk) luma_from_cmyk(row, target, jpeg->output_width, jpeg->saw_Adobe_marker);
    }
    if (decoder->is_cut && decoder->sound_percent == 0) {
        return CImage_fail(decoder->context, CIMAGE_ERROR_DAMAGED, "damaged JPEG: breaks off before its first rows");
    }
    status = CImage_orient(decoder->context, orientation_of(jpeg));
    if (status != CIMAGE_OK || decoder->sound_percent == 100) return status;
    return CImage_fail(
        decoder->context, CIMAGE_OK, "damaged JPEG: %s after about %u %% of the picture; what there is was read",
        decoder->is_cut ? "breaks off" : "has wrong data", decoder->sound_percent);
}

bool CImage_is_jpeg(const uint8_t *data) { return data[0] == 0xFF && data[1] == 0xD8 && data[2] == 0xFF; }

int CImage_decode_jpeg(CImage_Context *context) {
    // On the heap: its values must survive the longjmp, and it is too large for a small stack.
    Decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return CImage_fail(context, CIMAGE_ERROR_MEMORY, "no memory for the JPEG decoder");
    decoder->context = context;
    decoder->sound_percent = 100;
    decoder->jpeg.err = jpeg_std_error(&decoder->errors);
    decoder->jpeg.client_data = decoder;
    decoder->errors.error_exit = on_error;
    decoder->errors.emit_message = on_message;
    decoder->errors.output_message = on_output;
    decoder->progress.progress_monitor = on_progress;
    if (setjmp(decoder->failure) == 0) decoder->status = decode(decoder);
    jpeg_destroy_decompress(&decoder->jpeg);
    int status = decoder->status;
    free(decoder->row);
    free(decoder);
    return status;
}
