// Grey pixels to JPEG by libjpeg-turbo, for a picture that the console shows. No policy, no state, no longjmp leaves the call.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Encodes `height` rows of `width` grey pixels, without padding, at `quality` (1…100). Returns 0 and the JPEG in *out (release it
// with CJPEG_free), or -1 when the library refuses: a size it can't express, no memory.
int CJPEG_encode_grey(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t quality, uint8_t **out, size_t *out_length);

void CJPEG_free(uint8_t *jpeg);

#ifdef __cplusplus
}
#endif
