#include "CQRCode.h"

#include <qrencode.h>

int32_t CQRCode_encode(const char *text, uint8_t *out, size_t capacity) {
    // Capital letters, digits and ":" are packed more densely; the library sees that by itself.
    QRcode *code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1);
    if (code == NULL) return 0;
    int32_t side = code->width;
    size_t count = (size_t)side * (size_t)side;
    if (count > capacity) side = 0;
    for (size_t index = 0; side > 0 && index < count; index++) out[index] = code->data[index] & 1;
    QRcode_free(code);
    return side;
}
