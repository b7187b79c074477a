#include "CCrypto.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/random.h>

int CCrypto_hmac_sha256(
    const uint8_t *key, size_t key_length, const uint8_t *message, size_t message_length,
    uint8_t code[CCRYPTO_SHA256_BYTES]) {
    static const uint8_t nothing = 0;
    unsigned int length = 0;
    if (key_length > INT_MAX) return -1;
    // To OpenSSL, a NULL key would mean "the previous key".
    const uint8_t *usedKey = key == NULL ? &nothing : key;
    if (HMAC(EVP_sha256(), usedKey, (int)key_length, message, message_length, code, &length) == NULL) return -1;
    return length == CCRYPTO_SHA256_BYTES ? 0 : -1;
}

int CCrypto_sha256(const uint8_t *message, size_t message_length, uint8_t digest[CCRYPTO_SHA256_BYTES]) {
    unsigned int length = 0;
    if (EVP_Digest(message, message_length, digest, &length, EVP_sha256(), NULL) != 1) return -1;
    return length == CCRYPTO_SHA256_BYTES ? 0 : -1;
}

int CCrypto_scrypt(
    const char *password, size_t password_length, const uint8_t *salt, size_t salt_length, uint64_t n, uint64_t r,
    uint64_t p, uint64_t max_memory, uint8_t *key, size_t key_length) {
    return EVP_PBE_scrypt(password, password_length, salt, salt_length, n, r, p, max_memory, key, key_length) == 1 ? 0
                                                                                                                   : -1;
}

int CCrypto_random(uint8_t *bytes, size_t length) {
    size_t done = 0;
    while (done < length) {
        ssize_t count = getrandom(bytes + done, length - done, 0);
        if (count < 0) return -1;
        done += (size_t)count;
    }
    return 0;
}

int CCrypto_equal(const uint8_t *a, const uint8_t *b, size_t length) { return CRYPTO_memcmp(a, b, length) == 0; }
