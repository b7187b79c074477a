// Message authentication by the distribution's OpenSSL, which libcurl and libmosquitto have loaded already: nothing more to
// link, to patch or to build.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CCRYPTO_SHA256_BYTES = 32 };

// HMAC-SHA256 (RFC 2104) of `message` into `code`. Returns 0, or -1 when OpenSSL refuses (out of memory, a provider without
// SHA-256). Nothing is kept.
int CCrypto_hmac_sha256(
    const uint8_t *key, size_t key_length, const uint8_t *message, size_t message_length,
    uint8_t code[CCRYPTO_SHA256_BYTES]);

#ifdef __cplusplus
}
#endif
