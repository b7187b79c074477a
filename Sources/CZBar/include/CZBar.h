// ZBar's image scanner behind a prefixed C interface. No policy; one scanner per thread. ZBar looks along horizontal and
// vertical scan lines only, and keeps no state between calls here (its cache depends on the time and stays off).
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CZBAR_OK = 0,
    CZBAR_ERROR_ARGUMENT = 1,
    CZBAR_ERROR_MEMORY = 2,
    CZBAR_ERROR_LIBRARY = 3,
};

// Symbologies: bit `1 << code` in a mask, with the codes of Vocabulary's Symbology.code.
enum {
    CZBAR_CODABAR = 2,
    CZBAR_CODE39 = 3,
    CZBAR_CODE93 = 5,
    CZBAR_CODE128 = 6,
    CZBAR_DATABAR = 7,
    CZBAR_DATABAR_EXPANDED = 8,
    CZBAR_EAN8 = 11,
    CZBAR_EAN13 = 12,
    CZBAR_ITF = 13,
    CZBAR_QR_CODE = 18,
    CZBAR_UPC_A = 20,
    CZBAR_UPC_E = 21,
};

typedef struct CZBar_Options {
    uint32_t symbologies;  // what to look for; those that ZBar doesn't know are ignored
    uint8_t x_density;     // every n-th column is a scan line; 0: none
    uint8_t y_density;     // every n-th row is a scan line; 0: none
    uint8_t reserved[2];   // 0
} CZBar_Options;

typedef struct CZBar_Symbol {
    uint8_t symbology;
    uint8_t is_gs1;       // FNC1 in first position
    uint8_t is_aim;       // FNC1 in second position
    uint8_t is_vertical;  // linear: its scan lines were columns
    uint8_t *bytes;       // never NULL; raw bytes for QR without ECI, else text as ZBar decodes it
    size_t byte_count;
    int32_t corners[8];  // pixels; QR: the code's own corners; linear: the box around the hits, turned like the code
    int32_t quality;     // scan lines that agreed (linear); 1 for QR
} CZBar_Symbol;

// Owned by the caller: release with CZBar_free.
typedef struct CZBar_Symbols {
    CZBar_Symbol *items;
    size_t count;
} CZBar_Symbols;

typedef struct CZBar_Scanner CZBar_Scanner;

// NULL if memory runs out. Release with CZBar_destroy.
CZBar_Scanner *CZBar_create(void);
void CZBar_destroy(CZBar_Scanner *scanner);

// Reads 8-bit luma of `width` x `height` without padding between rows.
int CZBar_read(
    CZBar_Scanner *scanner, const uint8_t *luma, int32_t width, int32_t height, const CZBar_Options *options,
    CZBar_Symbols *out);

// A scanner with ZBar's own defaults, for comparisons in the benchmark.
int CZBar_read_defaults(const uint8_t *luma, int32_t width, int32_t height, CZBar_Symbols *out);

void CZBar_free(CZBar_Symbols *symbols);

// "0.23.92": the version of the library that is loaded. Static.
const char *CZBar_version(void);

// Mask of the symbologies that ZBar reads reliably (its PDF417 is incomplete and left out).
uint32_t CZBar_symbologies(void);

#ifdef __cplusplus
}
#endif
