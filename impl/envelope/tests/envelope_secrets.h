/* SPDX-License-Identifier: MIT */
/* Keys that tests look for where none may be left, and the cipher library's
 * memory, looked at through its allocation hooks. */
#ifndef ENVELOPE_TESTS_ENVELOPE_SECRETS_H
#define ENVELOPE_TESTS_ENVELOPE_SECRETS_H

#include <gcrypt.h>
#include <openssl/hmac.h>
#include <valgrind/valgrind.h>

#include "envelope/tests/envelope_crypt_samples.h"

/* ---- secrets ----------------------------------------------------------- */

/* A quarter of any secret, in a row, is a find. */
#define PIECE_SIZE 8

static uint8_t masters[3][32];
static uint8_t derived[3][32];   /* for TENANT, in the same order */
static uint8_t extracted[3][32]; /* HKDF's middle step */
static uint8_t padded[3][2][32]; /* that one, changed by HMAC's pads */
static size_t finds, looks;

#define TENANT ENVELOPE_BYTES("tenant-123")
#define TEXT   ENVELOPE_BYTES("a text that is no secret here")

static inline bool holds(const uint8_t *p, size_t size, const uint8_t *secret)
{
    for (size_t piece = 0; piece + PIECE_SIZE <= 32; piece += PIECE_SIZE)
        if (memmem(p, size, secret + piece, PIECE_SIZE) != NULL)
            return true;
    return false;
}

/* Bytes that nobody wrote are looked at too, on purpose. */
static inline void look(const void *p, size_t size)
{
    looks++;
    VALGRIND_DISABLE_ERROR_REPORTING;
    for (size_t i = 0; i < ARRAY_COUNT(masters); i++)
        finds += (size_t)holds(p, size, masters[i]) +
                 (size_t)holds(p, size, derived[i]) +
                 (size_t)holds(p, size, extracted[i]) +
                 (size_t)holds(p, size, padded[i][0]) +
                 (size_t)holds(p, size, padded[i][1]);
    VALGRIND_ENABLE_ERROR_REPORTING;
}

/* ---- the cipher library's memory --------------------------------------- */

/* Blocks of the cipher library carry their size in front.  All that are
 * alive are in a ring: a thread keeps its cipher, and memcheck would take
 * one that is known by a pointer into its middle for lost. */
struct front {
    size_t size;
    struct front *before, *after;
};

#define FRONT ((size_t)32)
_Static_assert(sizeof(struct front) <= FRONT, "fits, and keeps alignment");

static struct front alive = {.before = &alive, .after = &alive};

static inline struct front *front_of(void *block)
{
    return (struct front *)(void *)((uint8_t *)block - FRONT);
}

static inline void *library_take(size_t size)
{
    struct front *f = aligned_alloc(FRONT, (size + 2 * FRONT) / FRONT * FRONT);

    if (f == NULL)
        return NULL;
    memset(f, 0, size + FRONT);
    *f = (struct front){size, &alive, alive.after};
    f->before->after = f->after->before = f;
    return (uint8_t *)f + FRONT;
}

static inline void library_give_back(void *block)
{
    if (block == NULL)
        return;
    struct front *f = front_of(block);
    look(block, f->size);
    f->before->after = f->after;
    f->after->before = f->before;
    free(f);
}

static inline void *library_resize(void *block, size_t size)
{
    void *p = library_take(size);

    if (p == NULL || block == NULL)
        return p;
    size_t old_size = front_of(block)->size;
    memcpy(p, block, old_size < size ? old_size : size);
    library_give_back(block);
    return p;
}

static inline int not_secure(const void *p)
{
    (void)p;
    return 0;
}

/* What a derivation computes on its way, by libcrypto's own HMAC. */
static inline void compute_secrets(size_t i)
{
    static const char salt[] = "cachekit_v1_\x0a"
                               "encryption\0\x0a"
                               "tenant-123";
    static const char info[] = "encryption\x01";
    unsigned size = 0;

    HMAC(EVP_sha256(), salt, sizeof(salt) - 1, masters[i], 32, extracted[i],
         &size);
    HMAC(EVP_sha256(), extracted[i], 32, (const uint8_t *)info,
         sizeof(info) - 1, derived[i], &size);
    for (size_t k = 0; k < 32; k++) {
        padded[i][0][k] = extracted[i][k] ^ 0x36;
        padded[i][1][k] = extracted[i][k] ^ 0x5c;
    }
}

static inline int setup_secrets(void **state)
{
    (void)state;
    uint8_t key[32];

    gcry_set_allocation_handler(library_take, library_take, not_secure,
                                library_resize, library_give_back);
    fill_stream(masters[0], sizeof(masters));
    for (size_t i = 0; i < ARRAY_COUNT(masters); i++)
        compute_secrets(i);
    if (envelope_derive_domain_key((struct envelope_bytes){masters[2], 32},
                                   ENVELOPE_BYTES("encryption"), TENANT, key,
                                   NULL) != ENVELOPE_OK)
        return 1;
    return memcmp(key, derived[2], sizeof(key));
}

#endif
