/* SPDX-License-Identifier: MIT */
/* AES-256-GCM of libcrypto: in constant time on any processor, and the
 * oracle that tests hold libgcrypt against. */
#include "envelope/envelope_aead.h"

#include <openssl/err.h>
#include <openssl/evp.h>

/* libcrypto counts in int, so it is fed in pieces; a test makes them short. */
#ifndef PIECE_MAX
#define PIECE_MAX ((size_t)1 << 30)
#endif

static unsigned long last_error(void)
{
    unsigned long code = ERR_get_error();

    ERR_clear_error();
    return code != 0 ? code : 1;
}

static void *open_cipher(void)
{
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();

    if (cipher != NULL && EVP_CipherInit_ex(cipher, EVP_aes_256_gcm(), NULL,
                                            NULL, NULL, 1) != 1) {
        EVP_CIPHER_CTX_free(cipher);
        ERR_clear_error();
        return NULL;
    }
    return cipher;
}

static unsigned long set_key(void *cipher, const uint8_t *key)
{
    return EVP_CipherInit_ex(cipher, NULL, NULL, key, NULL, -1) == 1
               ? 0
               : last_error();
}

/* Feed any number of bytes; out is NULL for associated data. */
static bool feed(EVP_CIPHER_CTX *cipher, uint8_t *out, const uint8_t *in,
                 size_t size)
{
    while (size != 0) {
        int piece = (int)(size < PIECE_MAX ? size : PIECE_MAX), done;

        if (EVP_CipherUpdate(cipher, out, &done, in, piece) != 1)
            return false;
        in += piece;
        if (out != NULL)
            out += piece;
        size -= (size_t)piece;
    }
    return true;
}

/* Direction, nonce, associated data and text. */
static bool feed_message(EVP_CIPHER_CTX *cipher, const struct aead_message *m,
                         int encrypts)
{
    return EVP_CipherInit_ex(cipher, NULL, NULL, NULL, m->nonce, encrypts) ==
               1 &&
           feed(cipher, NULL, m->aad.data, m->aad.size) &&
           feed(cipher, m->out, m->text, m->text_size);
}

static unsigned long seal(void *cipher, const struct aead_message *m,
                          uint8_t *tag)
{
    uint8_t rest[EVP_MAX_BLOCK_LENGTH]; /* of a counter mode, nothing */
    int done;

    if (feed_message(cipher, m, 1) &&
        EVP_CipherFinal_ex(cipher, rest, &done) == 1 &&
        EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, ENVELOPE_TAG_SIZE,
                            tag) == 1)
        return 0;
    return last_error();
}

static unsigned long check(void *cipher, const struct aead_message *m,
                           const uint8_t *tag, bool *valid)
{
    uint8_t copy[ENVELOPE_TAG_SIZE], rest[EVP_MAX_BLOCK_LENGTH];
    int done;

    *valid = false;
    memcpy(copy, tag, sizeof(copy)); /* the call takes it as writable */
    if (!feed_message(cipher, m, 0) ||
        EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, ENVELOPE_TAG_SIZE,
                            copy) != 1)
        return last_error();
    *valid = EVP_CipherFinal_ex(cipher, rest, &done) == 1;
    ERR_clear_error();
    return 0;
}

static void close_cipher(void *cipher)
{
    EVP_CIPHER_CTX_free(cipher); /* wipes all it has */
}

const struct aead_library envelope_aead_evp = {
    .open = open_cipher,
    .key = set_key,
    .seal = seal,
    .check = check,
    .close = close_cipher,
};
