// Symbols by libzint, for benchmarks that need codes whose photos nobody has. No policy, no state.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CZINT_PDF417,
    CZINT_QR_CODE,
    CZINT_DATA_MATRIX,
    CZINT_AZTEC,
    CZINT_MICRO_QR_CODE,
    CZINT_RMQR_CODE,
    CZINT_CODABAR,
    CZINT_CODE_39,
    CZINT_CODE_93,
    CZINT_CODE_128,
    CZINT_EAN,
    CZINT_ITF,
    CZINT_UPC_A,
    CZINT_UPC_E,
    CZINT_DATABAR,
    CZINT_DATABAR_EXPANDED,
    CZINT_DATABAR_LIMITED,
};

// The modules of the symbol of that kind (one of the above) that the library takes for `bytes`: 1 and `*columns` × `*rows` bytes at `out`, row
// by row, 1 for a dark module. 0: they don't fit into `capacity`, or the library refuses.
int32_t CZint_encode(
    int32_t kind, const uint8_t *bytes, size_t count, uint8_t *out, size_t capacity, int32_t *columns, int32_t *rows);

// The same for a Data Matrix of one of the library's sizes: 1 to 24 for squares from 10 to 144 modules, 25 to 30 for rectangles of 18 × 8, 32 × 8,
// 26 × 12, 36 × 12, 36 × 16 and 48 × 16.
int32_t CZint_encode_data_matrix(
    int32_t size, const uint8_t *bytes, size_t count, uint8_t *out, size_t capacity, int32_t *columns, int32_t *rows);

#ifdef __cplusplus
}
#endif
