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

#ifdef __cplusplus
}
#endif
