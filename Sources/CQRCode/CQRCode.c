#include "CQRCode.h"

#include <limits.h>
#include <qrencode.h>

// Frees `code`.
static int32_t copy(QRcode *code, uint8_t *out, size_t capacity) {
    if (code == NULL) return 0;
    int32_t side = code->width;
    size_t count = (size_t)side * (size_t)side;
    if (count > capacity) side = 0;
    for (size_t index = 0; side > 0 && index < count; index++) out[index] = code->data[index] & 1;
    QRcode_free(code);
    return side;
}

int32_t CQRCode_encode(const char *text, uint8_t *out, size_t capacity) {
    // Capital letters, digits and ":" are packed more densely; the library sees that by itself.
    return copy(QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1), out, capacity);
}

int32_t CQRCode_encode_as(
    const uint8_t *bytes, size_t count, int32_t version, int32_t level, uint8_t *out, size_t capacity) {
    if (count > INT_MAX || version < 1 || version > 40 || level < 0 || level > 3) return 0;
    int32_t side = copy(QRcode_encodeData((int)count, bytes, version, (QRecLevel)level), out, capacity);
    // The library takes a larger version if it has to.
    return side == 17 + 4 * version ? side : 0;
}
