/* SPDX-License-Identifier: MIT */
/* Store then retrieve, and seal then open, give back what went in; a changed
 * byte of what was sealed gives nothing. */
#include <stdlib.h>
#include <string.h>

#include "envelope/envelope.h"
#include "envelope/envelope_crypt.h"
#include "testkit/fuzz.h"

static void check_sealed(const uint8_t *plain, size_t size)
{
    static const uint8_t key_bytes[ENVELOPE_KEY_SIZE] = {3};
    const struct envelope_bytes key = {key_bytes, sizeof(key_bytes)};
    const struct envelope_bytes aad = ENVELOPE_BYTES("about it");
    const size_t sealed_size = size + ENVELOPE_SEAL_EXTRA;
    uint8_t *sealed = malloc(sealed_size), *back = malloc(size + 1);
    struct envelope_bytes c = {sealed, sealed_size};
    struct envelope_encryptor e;

    FUZZ_CHECK(sealed != NULL && back != NULL);
    FUZZ_CHECK(envelope_encryptor_init(&e, NULL) == ENVELOPE_OK);
    FUZZ_CHECK(envelope_encrypt(&e, (struct envelope_bytes){plain, size}, key,
                                aad, sealed, sealed_size,
                                NULL) == ENVELOPE_OK);
    FUZZ_CHECK(envelope_decrypt(c, key, aad, back, size, NULL) == ENVELOPE_OK);
    FUZZ_CHECK(size == 0 || memcmp(plain, back, size) == 0);
    sealed[size % sealed_size] ^= 1;
    FUZZ_CHECK(envelope_decrypt(c, key, aad, back, size, NULL) ==
               ENVELOPE_AUTHENTICATION_FAILED);
    free(back);
    free(sealed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct envelope_storage *storage; /* kept, as a service keeps it */
    struct envelope_buffer made;
    struct envelope_entry entry;
    struct envelope_view once;

    if (storage == NULL)
        FUZZ_CHECK(envelope_storage_new(NULL, 0, NULL, &storage, NULL) ==
                   ENVELOPE_OK);
    FUZZ_CHECK(envelope_store(storage, data, size, NULL, 0, &made, NULL) ==
               ENVELOPE_OK);
    FUZZ_CHECK(envelope_decode_once(made.data, made.size, &once));
    FUZZ_CHECK(envelope_retrieve(made.data, made.size, NULL, &entry, NULL) ==
               ENVELOPE_OK);
    FUZZ_CHECK(entry.payload_size == size);
    FUZZ_CHECK(size == 0 || memcmp(entry.payload, data, size) == 0);
    FUZZ_CHECK(entry.format_size == 7 &&
               memcmp(entry.format, "msgpack", 7) == 0);
    check_sealed(made.data, made.size);
    envelope_entry_free(NULL, &entry);
    envelope_buffer_free(NULL, &made);
    return 0;
}
