/* SPDX-License-Identifier: MIT */
/* Expectations on one document, asked of every walk there is. */
#ifndef TESTS_MSGPACK_EXPECT_H
#define TESTS_MSGPACK_EXPECT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msgpack/msgpack.h"
#include "msgpack/reference/msgpack_reference.h"
#include "testkit/testkit.h"

/** What a walk said of a document. */
struct outcome {
    struct msgpack_error error; /* fault MSGPACK_OK: accepted */
    size_t size;                /* of an accepted document */
    size_t requested;           /* bytes asked of the allocator, in all */
    size_t peak_size;           /* bytes held at once */
};

/* Stand in for what a walk must leave alone. */
#define UNTOUCHED ((size_t)0x5ca1ab1e)

typedef enum msgpack_fault walk_function(const uint8_t *, size_t, size_t,
                                         const struct alloc *, size_t *,
                                         struct msgpack_error *);

static inline struct outcome outcome_of(walk_function *walk, const uint8_t *in,
                                        size_t in_size, size_t max_depth)
{
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct outcome outcome = {
        .error = {MSGPACK_OK, UNTOUCHED, UNTOUCHED},
        .size = UNTOUCHED,
    };
    enum msgpack_fault fault =
        walk(in, in_size, max_depth, &alloc, &outcome.size, &outcome.error);

    CHECK_ENUM(msgpack_fault_text, fault, outcome.error.fault);
    if (fault == MSGPACK_OK)
        CHECK_SIZE(UNTOUCHED, outcome.error.max_depth);
    else
        CHECK_SIZE(UNTOUCHED, outcome.size);
    CHECK_SIZE(0, probe.live_count);
    outcome.requested = probe.requested;
    outcome.peak_size = probe.peak_size;
    return outcome;
}

static inline enum msgpack_fault check_as_walk(
    const uint8_t *in, size_t in_size, size_t max_depth,
    const struct alloc *alloc, size_t *size, struct msgpack_error *error)
{
    (void)size;
    return msgpack_check(in, in_size, max_depth, alloc, error);
}

static inline void expect_same(const struct outcome *want,
                               const struct outcome *got)
{
    CHECK_ENUM(msgpack_fault_text, want->error.fault, got->error.fault);
    CHECK_SIZE(want->error.max_depth, got->error.max_depth);
    CHECK_SIZE(want->error.fault_at, got->error.fault_at);
    CHECK_SIZE(want->size, got->size);
}

/* What the reference asks for to hold eight levels: 4 counts, then 8. */
#define EIGHT_LEVELS_REQUESTED (12 * sizeof(uint64_t))

/* The rule of memory, with the reference to say how deep it went. */
static inline void expect_memory_only_past_eight(const struct outcome *plain,
                                                 const struct outcome *walked)
{
    if (plain->requested <= EIGHT_LEVELS_REQUESTED)
        CHECK_SIZE(0, walked->requested);
    else if (walked->error.fault == MSGPACK_OK)
        CHECK_BOOL(true, walked->requested > 0);
}

/* Inputs up to this size share one guarded buffer. */
#define ROOM_SIZE ((size_t)1 << 20)

/** A copy that ends at an unreadable page, good until the next call. */
static inline const uint8_t *guarded(const uint8_t *in, size_t in_size)
{
    static uint8_t *room;

    if (in_size > ROOM_SIZE)
        CHECK_FAIL("%zu bytes are more than the guarded buffer has", in_size);
    if (room == NULL)
        room = guard_new(ROOM_SIZE);
    if (in_size > 0)
        memcpy(room + ROOM_SIZE - in_size, in, in_size);
    return room + ROOM_SIZE - in_size;
}

/** Walk a document with both functions and the reference, each time against
 * a guard page; they must agree. */
static inline struct outcome walk_all(const uint8_t *in, size_t in_size,
                                      size_t max_depth)
{
    const uint8_t *copy = guarded(in, in_size);
    struct outcome plain =
        outcome_of(msgpack_reference_size, copy, in_size, max_depth);
    struct outcome sized =
        outcome_of(msgpack_document_size, copy, in_size, max_depth);
    struct outcome checked =
        outcome_of(check_as_walk, copy, in_size, max_depth);

    expect_same(&plain, &sized);
    expect_memory_only_past_eight(&plain, &sized);
    CHECK_SIZE(sized.requested, checked.requested);
    checked.size = sized.size; /* of which msgpack_check does not speak */
    expect_same(&sized, &checked);
    return sized;
}

/** The document is accepted and has this size. */
static inline struct outcome expect_ok(const uint8_t *in, size_t in_size,
                                       size_t max_depth, size_t size)
{
    struct outcome outcome = walk_all(in, in_size, max_depth);

    CHECK_ENUM(msgpack_fault_text, MSGPACK_OK, outcome.error.fault);
    CHECK_SIZE(size, outcome.size);
    return outcome;
}

/** The document is rejected for this reason at the marker at this offset. */
static inline struct outcome expect_fault(const uint8_t *in, size_t in_size,
                                          size_t max_depth,
                                          enum msgpack_fault fault,
                                          size_t fault_at)
{
    struct outcome outcome = walk_all(in, in_size, max_depth);

    CHECK_ENUM(msgpack_fault_text, fault, outcome.error.fault);
    CHECK_SIZE(fault_at, outcome.error.fault_at);
    CHECK_SIZE(max_depth, outcome.error.max_depth);
    return outcome;
}

/** Like expect_ok, with the document in hexadecimal. */
static inline struct outcome expect_hex_ok(const char *hex, size_t max_depth,
                                           size_t size)
{
    size_t in_size;
    uint8_t *in = hex_new(hex, &in_size);
    struct outcome outcome = expect_ok(in, in_size, max_depth, size);

    free(in);
    return outcome;
}

/** Like expect_fault, with the document in hexadecimal. */
static inline struct outcome expect_hex_fault(const char *hex,
                                              size_t max_depth,
                                              enum msgpack_fault fault,
                                              size_t fault_at)
{
    size_t in_size;
    uint8_t *in = hex_new(hex, &in_size);
    struct outcome outcome =
        expect_fault(in, in_size, max_depth, fault, fault_at);

    free(in);
    return outcome;
}

#endif
