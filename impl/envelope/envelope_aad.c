/* SPDX-License-Identifier: MIT */
/* Associated data, and master keys as people hand them in. */
#include "envelope/envelope_crypt.h"
#include "envelope/envelope_internal.h"

#define AAD_VERSION 0x03

static enum status put_component(struct sink *out, struct envelope_bytes part)
{
    if (part.size > UINT32_MAX)
        return ST_LIMIT;
    TRY(sink_put_be32(out, (uint32_t)part.size));
    return sink_put(out, part.data, part.size);
}

enum status envelope_aad_put(const struct envelope_aad *aad, struct sink *out)
{
    TRY(sink_put_u8(out, AAD_VERSION));
    TRY(put_component(out, aad->tenant));
    TRY(put_component(out, aad->cache_key));
    TRY(put_component(out, aad->format));
    TRY(put_component(out, aad->compressed ? ENVELOPE_BYTES("True")
                                           : ENVELOPE_BYTES("False")));
    if (aad->has_original_type)
        TRY(put_component(out, aad->original_type));
    return ST_OK;
}

/* Value of a hexadecimal digit, or -1. */
static int digit_value(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

enum envelope_kind envelope_master_key_from_hex(struct envelope_bytes text,
                                                uint8_t key[ENVELOPE_KEY_SIZE],
                                                struct envelope_error *error)
{
    bool ok = text.size == 2 * (size_t)ENVELOPE_KEY_SIZE;

    for (size_t i = 0; ok && i < text.size; i++)
        ok = digit_value(text.data[i]) >= 0;
    if (!ok)
        return envelope_fail(error, ENVELOPE_INVALID_MASTER_KEY);
    for (size_t i = 0; i < ENVELOPE_KEY_SIZE; i++)
        key[i] = (uint8_t)(digit_value(text.data[2 * i]) << 4 |
                           digit_value(text.data[2 * i + 1]));
    return ENVELOPE_OK;
}

enum envelope_kind envelope_master_key_from_bytes(
    struct envelope_bytes raw, uint8_t key[ENVELOPE_KEY_SIZE],
    struct envelope_error *error)
{
    if (raw.size != ENVELOPE_KEY_SIZE)
        return envelope_fail(error, ENVELOPE_INVALID_MASTER_KEY);
    memcpy(key, raw.data, ENVELOPE_KEY_SIZE);
    return ENVELOPE_OK;
}
