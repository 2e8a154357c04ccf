/* SPDX-License-Identifier: MIT */
/* Fictitious protocol addresses: the keys with which the map is tested and
 * measured.  Here because tests of base and cases both need the same ones. */
#ifndef BASE_ADDRESS_SAMPLE_H
#define BASE_ADDRESS_SAMPLE_H

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** Bytes for any address of a sample, its NUL included. */
#define ADDRESS_SAMPLE_SIZE 24

/** A salt whose addresses are absent from the sample with salt 0. */
#define ADDRESS_SAMPLE_ABSENT 1000000

/**
 * Write one address of a sample: telephone users and linked identities in
 * turn, on devices 0 to 3, such as "100515017715071:1@lid.0".
 *
 *   i     number of the address, from 0; at most 9,999
 *   salt  0 or ADDRESS_SAMPLE_ABSENT
 *   out   20 to 23 characters and a NUL
 *
 * Returns the number of characters.
 */
static inline size_t address_sample(uint32_t i, uint64_t salt,
                                    char out[ADDRESS_SAMPLE_SIZE])
{
    uint32_t device = i % 4;
    char device_text[3] = "";

    if (device != 0) {
        device_text[0] = ':';
        device_text[1] = (char)('0' + device);
    }
    int size =
        i % 2 == 0
            ? snprintf(out, ADDRESS_SAMPLE_SIZE, "5511%09" PRIu64 "%s@c.us.0",
                       900000000 + salt + i * UINT64_C(7919), device_text)
            : snprintf(out, ADDRESS_SAMPLE_SIZE, "1005%011" PRIu64 "%s@lid.0",
                       15017610342 + salt + i * UINT64_C(104729), device_text);
    assert(size > 0 && size < ADDRESS_SAMPLE_SIZE);
    return (size_t)size;
}

#endif
