/* SPDX-License-Identifier: MIT */
/* No bytes open that were not sealed: under a key the input does not know,
 * nothing passes, and nothing is left where the plaintext would be. */
#include <stdlib.h>
#include <string.h>

#include "envelope/envelope_crypt.h"
#include "testkit/fuzz.h"

static const uint8_t key_bytes[ENVELOPE_KEY_SIZE] =
    "not in the input, nor near it";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct envelope_bytes key = {key_bytes, sizeof(key_bytes)};
    size_t aad_size = size != 0 ? data[0] % 16 : 0;
    if (aad_size > size)
        aad_size = size;
    const struct envelope_bytes aad = {data, aad_size};
    const struct envelope_bytes sealed = {data + aad_size, size - aad_size};
    uint8_t *out = calloc(1, size + 1);
    enum envelope_kind kind;

    FUZZ_CHECK(out != NULL);
    kind = envelope_decrypt(sealed, key, aad, out, size, NULL);
    FUZZ_CHECK(kind == (sealed.size < ENVELOPE_SEAL_EXTRA
                            ? ENVELOPE_INVALID_CIPHERTEXT
                            : ENVELOPE_AUTHENTICATION_FAILED));
    for (size_t i = 0; i <= size; i++)
        FUZZ_CHECK(out[i] == 0);
    free(out);
    return 0;
}
