// QR codes by libqrencode, for a page that shows one. No policy, no state.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The modules of the smallest QR code (error correction M, 15 %) that holds `text`: its side is returned, and side × side bytes are at
// `out`, row by row, 1 for a dark module. 0: it doesn't fit into `capacity`, or the library refuses.
int32_t CQRCode_encode(const char *text, uint8_t *out, size_t capacity);

// The same for bytes as they are (byte mode), of just this version, 1 to 40, and error correction, 0 to 3 for L, M, Q, H. 0: they don't
// fit.
int32_t CQRCode_encode_as(
    const uint8_t *bytes, size_t count, int32_t version, int32_t level, uint8_t *out, size_t capacity);

#ifdef __cplusplus
}
#endif
