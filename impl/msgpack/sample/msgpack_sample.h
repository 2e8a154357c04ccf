/* SPDX-License-Identifier: MIT */
/* Seeded MessagePack documents: what tests and cases walk.  Equal arguments
 * give equal bytes on every machine; seed 0 gives the published inputs. */
#ifndef SAMPLE_MSGPACK_SAMPLE_H
#define SAMPLE_MSGPACK_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "base/sink.h"
#include "base/status.h"

/** More than any record of the record stream takes, in bytes. */
#define MSGPACK_SAMPLE_RECORD_BOUND 160

/**
 * Fill a buffer with the record stream: maps of seven pairs, one behind the
 * other, of which the last may be cut anywhere.
 *
 * Source: cachekit benchmarks, "record stream"; seed 0 is theirs.
 */
void msgpack_sample_stream(uint64_t seed, uint8_t *out, size_t out_size);

/**
 * Put one array of record_count whole records of the record stream.
 *
 * ST_NO_SPACE  the sink has less than record_count *
 *              MSGPACK_SAMPLE_RECORD_BOUND + 5 bytes left and they were
 *              needed; what was put until then stays
 */
MUST_CHECK enum status msgpack_sample_records(uint64_t seed,
                                              uint32_t record_count,
                                              struct sink *out);

/** How an envelope holds its compressed data. */
enum msgpack_sample_form {
    MSGPACK_SAMPLE_BIN,    /* as writers do now */
    MSGPACK_SAMPLE_LEGACY, /* as an array of integers */
};

/** The fields of a storage envelope whose format is "msgpack". */
struct msgpack_sample_envelope {
    const uint8_t *block; /* compressed data, borrowed */
    size_t block_size;
    uint8_t checksum[8];
    uint32_t original_size;
};

/** Put an envelope, at most 2 * block_size + 40 bytes.  ST_NO_SPACE as for
 * msgpack_sample_records. */
MUST_CHECK enum status msgpack_sample_envelope_put(
    const struct msgpack_sample_envelope *envelope,
    enum msgpack_sample_form form, struct sink *out);

/** The envelopes whose walk is measured: of 64, 1,024 and 65,536 bytes of
 * record stream. */
#define MSGPACK_SAMPLE_SHAPE_COUNT 3

/** Enough for any of these envelopes, in bytes. */
#define MSGPACK_SAMPLE_SHAPE_BOUND 49400

/**
 * Put an envelope of one of these shapes: at seed 0 the real headers and
 * checksum around random bytes of the real size in place of the compressed
 * data, which no walk looks at when they are a bin.
 *
 *   shape  below MSGPACK_SAMPLE_SHAPE_COUNT
 */
MUST_CHECK enum status msgpack_sample_shape(uint64_t seed, size_t shape,
                                            enum msgpack_sample_form form,
                                            struct sink *out);

/** Put one array of positive fixints.  ST_NO_SPACE as above; count + 5 bytes
 * suffice. */
MUST_CHECK enum status msgpack_sample_ints(uint64_t seed, uint32_t count,
                                           struct sink *out);

/** Collections of msgpack_sample_deep. */
enum msgpack_sample_nest {
    MSGPACK_SAMPLE_ARRAYS, /* arrays of one element */
    MSGPACK_SAMPLE_MAPS,   /* maps of one pair with the key "" */
};

/** Put depth collections, one inside another, around a nil: at most
 * 2 * depth + 1 bytes. */
MUST_CHECK enum status msgpack_sample_deep(enum msgpack_sample_nest nest,
                                           size_t depth, struct sink *out);

/**
 * Put one array of count random elements.  Each item at any level is of one
 * of the 36 kinds of marker with the same chance; collections have at most
 * three elements or pairs and nest at most MSGPACK_SAMPLE_MIX_DEPTH deep,
 * below which a nil stands instead.
 *
 * ST_NO_SPACE  as above; 64 bytes an element are ample for a thousand or more
 */
MUST_CHECK enum status msgpack_sample_mix(uint64_t seed, uint32_t count,
                                          struct sink *out);

/** Levels of the mix, the array around it included. */
#define MSGPACK_SAMPLE_MIX_DEPTH 6

#endif
