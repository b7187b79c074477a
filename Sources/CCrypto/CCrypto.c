#include "CCrypto.h"

#include <limits.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

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
