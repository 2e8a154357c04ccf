/* SPDX-License-Identifier: MIT */
/* The table of the envelope suite: each operation on 64, 1,024 and 65,536
 * bytes of the record stream. */
#include "envelope/envelope_cases.h"

static const struct envelope_input current[] = {
    {64, FORM_CURRENT}, {1024, FORM_CURRENT}, {65536, FORM_CURRENT}};
static const struct envelope_input legacy[] = {
    {64, FORM_LEGACY}, {1024, FORM_LEGACY}, {65536, FORM_LEGACY}};
static const struct envelope_input map = {1024, FORM_MAP};
static const struct envelope_input bomb = {1024, FORM_BOMB};
static const struct envelope_input cut = {1024, FORM_CUT};
static const size_t sizes[] = {64, 1024, 65536};

#define STORAGE(what, size, words, n, run_fn, work_fn, input)                 \
    {                                                                         \
        .id = "envelope/" what, .about = words, .iters = (n),                 \
        .bytes = (size), .setup = envelope_setup_storage,                     \
        .run = envelope_run_##run_fn, .work = envelope_work_##work_fn,        \
        .teardown = envelope_teardown_storage, .arg = &(input),               \
    }

#define READS(what, words, run_fn, input)                                     \
    STORAGE(what "/64", 64, words ", 64 bytes of payload", 400, run_fn, read, \
            (input)[0]),                                                      \
        STORAGE(what "/1024", 1024, words ", 1,024 bytes of payload", 100,    \
                run_fn, read, (input)[1]),                                    \
        STORAGE(what "/65536", 65536, words ", 65,536 bytes of payload", 4,   \
                run_fn, read, (input)[2])

/* The compressor clears its table when 65,535 bytes have gone through it,
 * and for each payload of 4 KiB or more. */
#define PERIOD_64   1023
#define PERIOD_1024 UINT64_C(63)

#define STORE(what, size, words, p, n, run_fn, input)                         \
    {                                                                         \
        .id = "envelope/" what, .about = words, .iters = (n), .period = (p),  \
        .bytes = (size), .setup = envelope_setup_storage,                     \
        .run = envelope_run_##run_fn, .work = envelope_work_store,            \
        .teardown = envelope_teardown_storage, .arg = &(input),               \
    }

#define STORES(what, words, run_fn)                                           \
    STORE(what "/64", 64, words ", 64 bytes of payload", PERIOD_64,           \
          PERIOD_64, run_fn, current[0]),                                     \
        STORE(what "/1024", 1024, words ", 1,024 bytes of payload",           \
              PERIOD_1024, 2 * PERIOD_1024, run_fn, current[1]),              \
        STORE(what "/65536", 65536, words ", 65,536 bytes of payload", 1, 4,  \
              run_fn, current[2])

#define CRYPT(what, size, words, n, run_fn, work_fn, input)                   \
    {                                                                         \
        .id = "envelope/" what, .about = words, .iters = (n),                 \
        .bytes = (size), .setup = envelope_setup_crypt,                       \
        .run = envelope_run_##run_fn, .work = envelope_work_##work_fn,        \
        .teardown = envelope_teardown_crypt, .arg = &(input),                 \
    }

#define CRYPTS(what, words, run_fn, work_fn)                                  \
    CRYPT(what "/64", 64, words ", 64 bytes", 200, run_fn, work_fn,           \
          sizes[0]),                                                          \
        CRYPT(what "/1024", 1024, words ", 1,024 bytes", 100, run_fn,         \
              work_fn, sizes[1]),                                             \
        CRYPT(what "/65536", 65536, words ", 65,536 bytes", 4, run_fn,        \
              work_fn, sizes[2])

static const struct bench_case cases[] = {
    STORES("store", "store into memory of its own", store),
    STORES("store_into", "store into the caller's buffer", store_into),
    READS("retrieve", "payload and format, owned", retrieve, current),
    READS("retrieve_data", "payload, owned", retrieve_data, current),
    READS("retrieve_into", "into the caller's buffer", retrieve_into, current),
    READS("validate", "would it read", validate, current),
    READS("retrieve_legacy", "block as an array of integers", retrieve,
          legacy),
    READS("prescan", "the walk over a real envelope", prescan, current),
    STORAGE("retrieve_fallback/1024", 1024,
            "a map of named fields, 1,024 bytes of payload", 100, retrieve,
            read, map),
    STORAGE("reject/bomb", 0, "one byte too much declared: check 6", 400,
            retrieve, read, bomb),
    STORAGE("reject/cut", 0, "last byte missing: the walk rejects", 400,
            retrieve, read, cut),
    CRYPTS("encrypt", "key given as bytes", encrypt, sealed),
    CRYPTS("decrypt", "key given as bytes", decrypt, opened),
    CRYPTS("keyring_decrypt", "keyring of one key, derived each time",
           keyring_decrypt, opened),
    CRYPTS("seal", "key made ready", seal, sealed),
    CRYPTS("open", "key made ready", open, opened),
    CRYPTS("tenant_keyring_decrypt", "keyring bound to a tenant",
           tenant_keyring_decrypt, opened),
    CRYPT("hkdf", 0, "the encryption key of tenant-123", 20, hkdf, key,
          sizes[0]),
    {
        .id = "envelope/pipeline_put/1024",
        .about = "store and seal, 1,024 bytes of payload",
        .iters = 2 * PERIOD_1024,
        .period = PERIOD_1024,
        .bytes = 1024,
        .setup = envelope_setup_crypt,
        .run = envelope_run_pipeline_put,
        .work = envelope_work_pipeline,
        .teardown = envelope_teardown_crypt,
        .arg = &sizes[1],
    },
    CRYPT("pipeline_get/1024", 1024,
          "open and retrieve, 1,024 bytes of payload", 50, pipeline_get,
          pipeline, sizes[1]),
};

/* The foundation measures the walk over headers like these around other
 * bytes; that both cost the same shows that it looks at headers only. */
#define SAME_WALK(size)                                                       \
    {                                                                         \
        .id = "envelope/prescan/" size, .against = "msgpack/prescan/" size,   \
        .min_ppm = 1000000, .max_ppm = 1000000,                               \
        .about = "a walk sees the headers of an envelope only",               \
    }

static const struct bench_claim claims[] = {
    SAME_WALK("64"),
    SAME_WALK("1024"),
    SAME_WALK("65536"),
};

const struct bench_suite envelope_suite =
    BENCH_SUITE_CLAIMS("envelope", cases, claims);
