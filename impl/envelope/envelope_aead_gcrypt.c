/* SPDX-License-Identifier: MIT */
/* AES-256-GCM of libgcrypt: of the libraries measured the one that is quick
 * for small and for large messages alike. */
#include "envelope/envelope_aead.h"

#include <gcrypt.h>

bool envelope_aead_gcrypt_usable(void)
{
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("aes") || !__builtin_cpu_supports("pclmul"))
        return false;
#endif
    /* Another user of the library may have made it ready already. */
    if (gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P))
        return true;
    if (gcry_check_version(NULL) == NULL)
        return false;
    /* Locked memory is not used: cipher objects wipe themselves. */
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    return true;
}

static void *open_cipher(void)
{
    gcry_cipher_hd_t cipher = NULL;

    if (gcry_cipher_open(&cipher, GCRY_CIPHER_AES256, GCRY_CIPHER_MODE_GCM,
                         0) != 0)
        return NULL;
    return cipher;
}

static unsigned long set_key(void *cipher, const uint8_t *key)
{
    return gcry_cipher_setkey(cipher, key, ENVELOPE_KEY_SIZE);
}

/* Nonce and associated data, with which both directions begin. */
static gcry_error_t begin(gcry_cipher_hd_t cipher,
                          const struct aead_message *m)
{
    gcry_error_t failed =
        gcry_cipher_setiv(cipher, m->nonce, ENVELOPE_NONCE_SIZE);

    if (failed == 0 && m->aad.size != 0)
        failed = gcry_cipher_authenticate(cipher, m->aad.data, m->aad.size);
    return failed;
}

static unsigned long seal(void *cipher, const struct aead_message *m,
                          uint8_t *tag)
{
    gcry_error_t failed = begin(cipher, m);

    if (failed == 0 && m->text_size != 0)
        failed = gcry_cipher_encrypt(cipher, m->out, m->text_size, m->text,
                                     m->text_size);
    if (failed == 0)
        failed = gcry_cipher_gettag(cipher, tag, ENVELOPE_TAG_SIZE);
    return failed;
}

static unsigned long check(void *cipher, const struct aead_message *m,
                           const uint8_t *tag, bool *valid)
{
    gcry_error_t failed = begin(cipher, m);

    *valid = false;
    if (failed == 0 && m->text_size != 0)
        failed = gcry_cipher_decrypt(cipher, m->out, m->text_size, m->text,
                                     m->text_size);
    if (failed != 0)
        return failed;
    failed = gcry_cipher_checktag(cipher, tag, ENVELOPE_TAG_SIZE);
    *valid = failed == 0;
    return gcry_err_code(failed) == GPG_ERR_CHECKSUM ? 0 : failed;
}

static void close_cipher(void *cipher)
{
    gcry_cipher_close(cipher); /* wipes all it has */
}

const struct aead_library envelope_aead_gcrypt = {
    .open = open_cipher,
    .key = set_key,
    .seal = seal,
    .check = check,
    .close = close_cipher,
};
