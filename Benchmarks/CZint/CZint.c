#include "CZint.h"

#include <limits.h>
#include <zint.h>

static const int kinds[] = {
    [CZINT_PDF417] = BARCODE_PDF417,
    [CZINT_QR_CODE] = BARCODE_QRCODE,
    [CZINT_DATA_MATRIX] = BARCODE_DATAMATRIX,
    [CZINT_AZTEC] = BARCODE_AZTEC,
    [CZINT_MICRO_QR_CODE] = BARCODE_MICROQR,
    [CZINT_RMQR_CODE] = BARCODE_RMQR,
    [CZINT_CODABAR] = BARCODE_CODABAR,
    [CZINT_CODE_39] = BARCODE_CODE39,
    [CZINT_CODE_93] = BARCODE_CODE93,
    [CZINT_CODE_128] = BARCODE_CODE128,
    [CZINT_EAN] = BARCODE_EANX,
    [CZINT_ITF] = BARCODE_C25INTER,
    [CZINT_UPC_A] = BARCODE_UPCA_CHK,
    [CZINT_UPC_E] = BARCODE_UPCE_CHK,
    [CZINT_DATABAR] = BARCODE_DBAR_OMN,
    [CZINT_DATABAR_EXPANDED] = BARCODE_DBAR_EXP,
    [CZINT_DATABAR_LIMITED] = BARCODE_DBAR_LTD,
};

static int32_t copy(const struct zint_symbol *symbol, uint8_t *out, size_t capacity) {
    if ((size_t)symbol->rows * (size_t)symbol->width > capacity) return 0;
    for (int row = 0; row < symbol->rows; row++) {
        for (int column = 0; column < symbol->width; column++) {
            *out++ = symbol->encoded_data[row][column >> 3] >> (column & 7) & 1;
        }
    }
    return 1;
}

// `size`: 0 for the smallest that does.
static int32_t encode(
    int symbology, int size, const uint8_t *bytes, size_t count, uint8_t *out, size_t capacity, int32_t *columns,
    int32_t *rows) {
    if (count > INT_MAX) return 0;
    struct zint_symbol *symbol = ZBarcode_Create();
    if (symbol == NULL) return 0;
    symbol->symbology = symbology;
    symbol->option_2 = size;
    int32_t done = 0;
    // Warnings are of no interest: it was encoded.
    if (ZBarcode_Encode(symbol, bytes, (int)count) < ZINT_ERROR) done = copy(symbol, out, capacity);
    *columns = symbol->width;
    *rows = symbol->rows;
    ZBarcode_Delete(symbol);
    return done;
}

int32_t CZint_encode(
    int32_t kind, const uint8_t *bytes, size_t count, uint8_t *out, size_t capacity, int32_t *columns, int32_t *rows) {
    if (kind < 0 || kind >= (int32_t)(sizeof kinds / sizeof *kinds)) return 0;
    return encode(kinds[kind], 0, bytes, count, out, capacity, columns, rows);
}

int32_t CZint_encode_data_matrix(
    int32_t size, const uint8_t *bytes, size_t count, uint8_t *out, size_t capacity, int32_t *columns, int32_t *rows) {
    return encode(BARCODE_DATAMATRIX, size, bytes, count, out, capacity, columns, rows);
}
