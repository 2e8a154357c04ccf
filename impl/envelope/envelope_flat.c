/* SPDX-License-Identifier: MIT */
/* The flat interface: pointers and handles are judged here, all else by the
 * functions behind it. */
#include "envelope/envelope_flat.h"

#include <string.h>

#include "envelope/envelope.h"
#include "envelope/envelope_crypt.h"

#define HANDLE_MARK UINT64_C(0x656e762d666c6174)

/* Of the advertised bound: what surrounds a block, generously. */
#define BOUND_EXTRA 136

struct envelope_flat {
    uint64_t mark; /* HANDLE_MARK while the handle lives */
    struct envelope_storage *storage;
    struct envelope_encryptor encryptor;
};

enum envelope_flat_status envelope_flat_status_of(
    const struct envelope_error *error)
{
    struct envelope_error inner = {.kind =
                                       (enum envelope_kind)error->number[0]};

    switch (error->kind) {
    case ENVELOPE_OK:
        return ENVELOPE_FLAT_OK;
    case ENVELOPE_INPUT_TOO_LARGE:
        return ENVELOPE_FLAT_INPUT_TOO_LARGE;
    case ENVELOPE_DECOMPRESSION_BOMB:
        return ENVELOPE_FLAT_DECOMPRESSION_BOMB;
    case ENVELOPE_CHECKSUM_MISMATCH:
        return ENVELOPE_FLAT_CHECKSUM_MISMATCH;
    case ENVELOPE_DECOMPRESSION_FAILED:
        return ENVELOPE_FLAT_DECOMPRESSION_FAILED;
    case ENVELOPE_SIZE_VALIDATION_FAILED:
        return ENVELOPE_FLAT_SIZE_VALIDATION_FAILED;
    case ENVELOPE_INVALID_KEY_LENGTH:
    case ENVELOPE_INVALID_MASTER_KEY_LENGTH:
        return ENVELOPE_FLAT_INVALID_KEY_LENGTH;
    case ENVELOPE_DECRYPTION_FAILED:
    case ENVELOPE_AUTHENTICATION_FAILED:
        return ENVELOPE_FLAT_DECRYPTION_FAILED;
    case ENVELOPE_NONCE_COUNTER_EXHAUSTED:
        return ENVELOPE_FLAT_COUNTER_EXHAUSTED;
    case ENVELOPE_RNG_FAILURE:
        return ENVELOPE_FLAT_RANDOM_SOURCE_FAILED;
    case ENVELOPE_DOMAIN_TOO_LONG:
        return ENVELOPE_FLAT_DOMAIN_TOO_LONG;
    case ENVELOPE_TENANT_SALT_TOO_LONG:
        return ENVELOPE_FLAT_SALT_TOO_LONG;
    case ENVELOPE_NO_SPACE:
        return ENVELOPE_FLAT_BUFFER_TOO_SMALL;
    case ENVELOPE_KEY_DERIVATION:
        return envelope_flat_status_of(&inner);
    default:
        return ENVELOPE_FLAT_INVALID_INPUT;
    }
}

/* ---- handles ------------------------------------------------------------ */

enum envelope_flat_status envelope_flat_new(struct envelope_flat **handle)
{
    struct envelope_flat *h;
    struct envelope_error error;

    if (handle == NULL)
        return ENVELOPE_FLAT_NULL_POINTER;
    h = alloc_get(NULL, sizeof(*h));
    if (h == NULL)
        return ENVELOPE_FLAT_INVALID_INPUT;
    if (envelope_encryptor_init(&h->encryptor, &error) != ENVELOPE_OK ||
        envelope_storage_new(NULL, 0, NULL, &h->storage, &error) !=
            ENVELOPE_OK) {
        alloc_put(NULL, h, sizeof(*h));
        return envelope_flat_status_of(&error);
    }
    h->mark = HANDLE_MARK;
    *handle = h;
    return ENVELOPE_FLAT_OK;
}

static enum envelope_flat_status check_handle(const struct envelope_flat *h)
{
    return h->mark == HANDLE_MARK ? ENVELOPE_FLAT_OK
                                  : ENVELOPE_FLAT_INVALID_HANDLE;
}

enum envelope_flat_status envelope_flat_free(struct envelope_flat *handle)
{
    enum envelope_flat_status status;

    if (handle == NULL)
        return ENVELOPE_FLAT_NULL_POINTER;
    status = check_handle(handle);
    if (status != ENVELOPE_FLAT_OK)
        return status;
    handle->mark = 0;
    envelope_storage_free(handle->storage);
    alloc_put(NULL, handle, sizeof(*handle));
    return ENVELOPE_FLAT_OK;
}

/* ---- storage ------------------------------------------------------------ */

size_t envelope_flat_bound(size_t payload_size)
{
    size_t bound;

    if (!size_add(payload_size, payload_size / 255, &bound) ||
        !size_add(bound, BOUND_EXTRA, &bound))
        return SIZE_MAX;
    return bound;
}

/* Hand out what was made, if there is room for it. */
static enum envelope_flat_status give(const uint8_t *data, size_t size,
                                      uint8_t *out, size_t *out_size)
{
    bool fits = size <= *out_size;

    *out_size = size;
    if (!fits)
        return ENVELOPE_FLAT_BUFFER_TOO_SMALL;
    memcpy(out, data, size);
    return ENVELOPE_FLAT_OK;
}

/* What an envelope needs is known only when it is made, and may be less than
 * what envelope_store_into insists on. */
enum envelope_flat_status envelope_flat_store(struct envelope_flat *handle,
                                              const uint8_t *payload,
                                              size_t payload_size,
                                              const char *format, uint8_t *out,
                                              size_t *out_size)
{
    struct envelope_buffer made;
    struct envelope_error error;
    enum envelope_flat_status status;

    if (handle == NULL || payload == NULL || out == NULL || out_size == NULL)
        return ENVELOPE_FLAT_NULL_POINTER;
    status = check_handle(handle);
    if (status != ENVELOPE_FLAT_OK)
        return status;
    if (envelope_store(handle->storage, payload, payload_size, format,
                       format != NULL ? strlen(format) : 0, &made,
                       &error) != ENVELOPE_OK)
        return envelope_flat_status_of(&error);
    status = give(made.data, made.size, out, out_size);
    envelope_buffer_free(NULL, &made);
    return status;
}

enum envelope_flat_status envelope_flat_retrieve(struct envelope_flat *handle,
                                                 const uint8_t *in,
                                                 size_t in_size, uint8_t *out,
                                                 size_t *out_size)
{
    struct envelope_entry entry;
    struct envelope_error error;
    enum envelope_flat_status status;

    if (handle == NULL || in == NULL || out == NULL || out_size == NULL)
        return ENVELOPE_FLAT_NULL_POINTER;
    status = check_handle(handle);
    if (status != ENVELOPE_FLAT_OK)
        return status;
    switch (envelope_retrieve_into(in, in_size, NULL, out, *out_size, &entry,
                                   &error)) {
    case ENVELOPE_OK:
    case ENVELOPE_NO_SPACE:
        status = entry.payload_size <= *out_size
                     ? ENVELOPE_FLAT_OK
                     : ENVELOPE_FLAT_BUFFER_TOO_SMALL;
        *out_size = entry.payload_size;
        return status;
    default:
        return envelope_flat_status_of(&error);
    }
}

/* ---- encryption --------------------------------------------------------- */

/* The numbers of one message, with which both directions begin. */
struct flat_message {
    const uint8_t *text, *key, *aad;
    uint8_t *out;
    size_t *out_size;
};

static enum envelope_flat_status check_message(const struct envelope_flat *h,
                                               const struct flat_message *m)
{
    if (h == NULL || m->text == NULL || m->key == NULL || m->aad == NULL ||
        m->out == NULL || m->out_size == NULL)
        return ENVELOPE_FLAT_NULL_POINTER;
    return check_handle(h);
}

/* How a message ended, and what it needs or has written. */
static enum envelope_flat_status finish(enum envelope_kind kind, size_t size,
                                        size_t *out_size,
                                        const struct envelope_error *error)
{
    if (kind == ENVELOPE_OK || kind == ENVELOPE_NO_SPACE)
        *out_size = size;
    return kind == ENVELOPE_OK ? ENVELOPE_FLAT_OK
                               : envelope_flat_status_of(error);
}

enum envelope_flat_status envelope_flat_encrypt(
    struct envelope_flat *handle, const uint8_t *plaintext,
    size_t plaintext_size, const uint8_t *key, size_t key_size,
    const uint8_t *aad, size_t aad_size, uint8_t *out, size_t *out_size)
{
    const struct flat_message m = {plaintext, key, aad, out, out_size};
    enum envelope_flat_status status = check_message(handle, &m);
    struct envelope_error error;
    enum envelope_kind kind;

    if (status != ENVELOPE_FLAT_OK)
        return status;
    if (envelope_encryptor_nonce_counter(&handle->encryptor) >=
        ENVELOPE_FLAT_ROTATION_AT)
        return ENVELOPE_FLAT_ROTATION_NEEDED;
    kind = envelope_encrypt(
        &handle->encryptor, (struct envelope_bytes){plaintext, plaintext_size},
        (struct envelope_bytes){key, key_size},
        (struct envelope_bytes){aad, aad_size}, out, *out_size, &error);
    return finish(kind, plaintext_size + ENVELOPE_SEAL_EXTRA, out_size,
                  &error);
}

enum envelope_flat_status envelope_flat_decrypt(
    struct envelope_flat *handle, const uint8_t *ciphertext,
    size_t ciphertext_size, const uint8_t *key, size_t key_size,
    const uint8_t *aad, size_t aad_size, uint8_t *out, size_t *out_size)
{
    const struct flat_message m = {ciphertext, key, aad, out, out_size};
    enum envelope_flat_status status = check_message(handle, &m);
    struct envelope_error error;
    enum envelope_kind kind;

    if (status != ENVELOPE_FLAT_OK)
        return status;
    kind = envelope_decrypt(
        (struct envelope_bytes){ciphertext, ciphertext_size},
        (struct envelope_bytes){key, key_size},
        (struct envelope_bytes){aad, aad_size}, out, *out_size, &error);
    return finish(kind, ciphertext_size - ENVELOPE_SEAL_EXTRA, out_size,
                  &error);
}

enum envelope_flat_status envelope_flat_derive_key(const uint8_t *master,
                                                   size_t master_size,
                                                   const char *domain,
                                                   const char *tenant,
                                                   uint8_t *key)
{
    struct envelope_error error;

    if (master == NULL || domain == NULL || tenant == NULL || key == NULL)
        return ENVELOPE_FLAT_NULL_POINTER;
    if (envelope_derive_domain_key(
            (struct envelope_bytes){master, master_size},
            (struct envelope_bytes){(const uint8_t *)domain, strlen(domain)},
            (struct envelope_bytes){(const uint8_t *)tenant, strlen(tenant)},
            key, &error) != ENVELOPE_OK)
        return envelope_flat_status_of(&error);
    return ENVELOPE_FLAT_OK;
}

enum envelope_flat_status envelope_flat_nonce_counter(
    const struct envelope_flat *handle, uint64_t *counter)
{
    enum envelope_flat_status status;

    if (handle == NULL || counter == NULL)
        return ENVELOPE_FLAT_NULL_POINTER;
    status = check_handle(handle);
    if (status == ENVELOPE_FLAT_OK)
        *counter = envelope_encryptor_nonce_counter(&handle->encryptor);
    return status;
}
