// ZXing-C++ (1.4, 2.x, 3.x) behind a C interface. No policy and no globals; C++ exceptions never leave a call. The library itself may abort
// the process on some pictures (1.4 has live asserts), so only reader processes call it.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CZXING_OK = 0,
    CZXING_ERROR_ARGUMENT = 1,  // no pixels, no size, stride smaller than the width
    CZXING_ERROR_MEMORY = 2,
    CZXING_ERROR_LIBRARY = 3,  // the library threw; its text is in `message`
};

// Symbologies: bit `1 << code` in a mask, with the codes of Vocabulary's Symbology.code.
enum {
    CZXING_AZTEC = 1,
    CZXING_CODABAR = 2,
    CZXING_CODE39 = 3,
    CZXING_CODE93 = 5,
    CZXING_CODE128 = 6,
    CZXING_DATABAR = 7,
    CZXING_DATABAR_EXPANDED = 8,
    CZXING_DATABAR_LIMITED = 9,
    CZXING_DATA_MATRIX = 10,
    CZXING_EAN8 = 11,
    CZXING_EAN13 = 12,
    CZXING_ITF = 13,
    CZXING_MAXICODE = 15,
    CZXING_MICRO_QR_CODE = 16,
    CZXING_PDF417 = 17,
    CZXING_QR_CODE = 18,
    CZXING_RMQR_CODE = 19,
    CZXING_UPC_A = 20,
    CZXING_UPC_E = 21,
};

enum {
    CZXING_LOCAL_AVERAGE = 0,     // per neighbourhood; linear codes: per scan line
    CZXING_GLOBAL_HISTOGRAM = 1,  // the valley of the histogram
    CZXING_FIXED_THRESHOLD = 2,   // dark is 127 or less
    CZXING_BOOL_CAST = 3,         // dark is 0: for pictures that are already black and white
};

enum {
    CZXING_ADD_ON_IGNORE = 0,
    CZXING_ADD_ON_READ = 1,
    CZXING_ADD_ON_REQUIRE = 2,
};

typedef struct CZXing_Options {
    uint32_t symbologies;  // what to look for; those that the library doesn't know are ignored
    uint8_t binarizer;
    uint8_t add_ons;
    uint8_t try_harder;
    uint8_t try_rotate;      // also top to bottom
    uint8_t try_invert;      // also light on dark (1.x: in a second pass over an inverted copy)
    uint8_t try_downscale;   // also on smaller copies (1.x: matrix codes only)
    uint8_t is_pure;         // nothing but one upright code in the picture
    uint8_t min_line_count;  // scan lines of a linear code that must agree, 1…255 (1.x: always 1 for DataBar)
    uint8_t max_symbols;     // 1…255. 1.x returns at most one linear code per call: asking for more can abort
} CZXing_Options;

typedef struct CZXing_Symbol {
    uint8_t symbology;
    uint8_t is_inverted;
    uint8_t is_mirrored;
    uint8_t has_eci;  // the code names its character set
    char aim[4];      // "]Q1" and a NUL; empty if the library gives none
    char add_on[8];   // EAN-2 or EAN-5 digits and a NUL
    uint8_t *bytes;   // the data as the code carries it, never NULL
    size_t byte_count;
    char *text;  // the same as UTF-8, by the library's idea of the character set; NULL if binary
    size_t text_length;
    int32_t corners[8];        // x, y of top left, top right, bottom right, bottom left of the code itself, in pixels
    int32_t line_count;        // scan lines that agreed; 0 for matrix codes
    int32_t spare_correction;  // percent of a matrix code's error correction that was left; -1: unknown
    int32_t sequence_index;    // structured append: position from 0; -1 if not part of a series
    int32_t sequence_count;    // 0 if unknown
    char sequence_id[40];
} CZXing_Symbol;

// Owned by the caller: release with CZXing_free.
typedef struct CZXing_Symbols {
    CZXing_Symbol *items;
    size_t count;
} CZXing_Symbols;

// Reads 8-bit luma. `message` (may be NULL) gets one line of text on failure; `out` is empty then.
int CZXing_read(
    const uint8_t *luma, int32_t width, int32_t height, int32_t row_stride, const CZXing_Options *options,
    CZXing_Symbols *out, char *message, size_t message_length);

// The library's ReadBarcodes with its own defaults, for comparisons in the benchmark. 1.4 aborts here on ordinary pictures.
int CZXing_read_defaults(
    const uint8_t *luma, int32_t width, int32_t height, int32_t row_stride, CZXing_Symbols *out, char *message,
    size_t message_length);

void CZXing_free(CZXing_Symbols *symbols);

// The library's share of error correction that was left, such as "0.37", in percent; 0 if it is anything else.
int32_t CZXing_percent(const char *share);

// "1.4.0": the version that this was compiled against. Static.
const char *CZXing_version(void);

// Mask of the symbologies that the library reads.
uint32_t CZXing_symbologies(void);

#ifdef __cplusplus
}
#endif
