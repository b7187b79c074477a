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

// SHA-256 of `message` into `digest`; 0 or -1 as above.
int CCrypto_sha256(const uint8_t *message, size_t message_length, uint8_t digest[CCRYPTO_SHA256_BYTES]);

// scrypt (RFC 7914): a key of `key_length` bytes from a password. `n` is a power of two. Takes 128 * n * r bytes of memory while it
// runs, and refuses beyond `max_memory`. Returns 0, or -1 when OpenSSL refuses.
int CCrypto_scrypt(
    const char *password, size_t password_length, const uint8_t *salt, size_t salt_length, uint64_t n, uint64_t r,
    uint64_t p, uint64_t max_memory, uint8_t *key, size_t key_length);

// Fills `bytes` from the kernel's random numbers; 0 or -1.
int CCrypto_random(uint8_t *bytes, size_t length);

// 1 if both are equal, else 0, in a time that depends on `length` only.
int CCrypto_equal(const uint8_t *a, const uint8_t *b, size_t length);

#ifdef __cplusplus
}
#endif
