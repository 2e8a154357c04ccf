/* SPDX-License-Identifier: MIT */
/* Packed payloads in bulk: the portable ways, and the choice among paths. */
#include "protobuf/protobuf_kernels.h"

#include <string.h>

#include "protobuf/protobuf_internal.h"

#define WORD_SIZE      ((size_t)8)
#define BLOCK_SIZE     ((size_t)16)
#define CONTINUES      UINT64_C(0x8080808080808080)
#define LOW_BITS       UINT64_C(0x0101010101010101)
#define FOLD_BLOCK_MAX 255 /* blocks that a byte can count */

/* Vectors of the compiler, not of a processor: SSE2 on x86-64. */
typedef uint32_t groups __attribute__((vector_size(BLOCK_SIZE)));
typedef int8_t bytes __attribute__((vector_size(BLOCK_SIZE)));
typedef uint8_t counters __attribute__((vector_size(BLOCK_SIZE)));
typedef uint64_t halves __attribute__((vector_size(BLOCK_SIZE)));

static inline groups load_groups(const uint8_t *p)
{
    groups g;
    memcpy(&g, p, sizeof(g));
    return g;
}

static inline uint64_t load_word(const uint8_t *p)
{
    uint64_t w;
    memcpy(&w, p, sizeof(w));
    return w;
}

/* ---- validity ----------------------------------------------------------- */

enum protobuf_fault protobuf_packed_fault(const uint8_t *payload, size_t size,
                                          size_t *fault_at)
{
    struct cursor c = cursor_init(payload, size);
    uint64_t value;

    while (cursor_left(&c) != 0) {
        enum protobuf_fault fault = protobuf_take_varint(&c, &value);
        if (fault != PROTOBUF_OK) {
            *fault_at = c.at;
            return fault;
        }
    }
    return PROTOBUF_OK;
}

/*
 * A varint is too long only with nine continuation bytes in a row.  Cut the
 * payload into blocks, the last of which overlaps the one before; then at
 * least four of the nine that touch a block's edge, or all nine, lie in one
 * block in such a way that they fill a group of four bytes, counted from the
 * block's start.  So without a full group every varint is short enough.
 */
static ALWAYS_INLINE groups full_groups(const uint8_t *p)
{
    const groups high = {0x80808080, 0x80808080, 0x80808080, 0x80808080};
    return (groups)((load_groups(p) & high) == high);
}

static bool has_full_group(const uint8_t *p, size_t size)
{
    const uint8_t *last = p + size - BLOCK_SIZE;
    groups full = full_groups(p) | full_groups(last);
    halves any;

    /* most are done; up to four blocks without a loop to predict */
    if (size > 2 * BLOCK_SIZE) {
        full |= full_groups(p + BLOCK_SIZE) | full_groups(last - BLOCK_SIZE);
        for (p += 2 * BLOCK_SIZE; p < last - BLOCK_SIZE; p += BLOCK_SIZE)
            full |= full_groups(p);
    }
    memcpy(&any, &full, sizeof(any));
    return (any[0] | any[1]) != 0;
}

static bool word_has_full_group(uint64_t w)
{
    w &= w >> 16;
    w &= w >> 8; /* bytes 0 and 4 now stand for their groups */
    return (w & UINT64_C(0x0000008000000080)) != 0;
}

bool protobuf_packed_is_valid_long(const uint8_t *payload, size_t size)
{
    size_t fault_at;

    if (size >= BLOCK_SIZE) {
        if (LIKELY(!has_full_group(payload, size)))
            return true;
    } else if (LIKELY(!word_has_full_group(load_word(payload)) &&
                      !word_has_full_group(
                          load_word(payload + size - WORD_SIZE)))) {
        return true;
    }
    return protobuf_packed_fault(payload, size, &fault_at) == PROTOBUF_OK;
}

/* ---- counting ----------------------------------------------------------- */

/* Sum of the bytes of a word, each at most 31. */
static inline size_t sum_small_bytes(uint64_t w)
{
    return (size_t)(w * LOW_BITS >> 56);
}

static inline size_t sum_bytes(uint64_t w)
{
    const uint64_t evens = UINT64_C(0x00ff00ff00ff00ff);
    uint64_t pairs = (w & evens) + (w >> 8 & evens);
    return (size_t)(pairs * UINT64_C(0x0001000100010001) >> 48);
}

/* Terminators of whole blocks, at most FOLD_BLOCK_MAX of them. */
static size_t count_blocks(const uint8_t *p, size_t block_count)
{
    counters sum = {0};
    halves half;

    for (; block_count != 0; block_count--, p += BLOCK_SIZE) {
        bytes b;
        memcpy(&b, p, sizeof(b));
        sum -= (counters)(b >= 0); /* a true lane is -1 */
    }
    memcpy(&half, &sum, sizeof(half));
    return sum_bytes(half[0]) + sum_bytes(half[1]);
}

/* Terminators of fewer bytes than a block. */
static size_t count_rest(const uint8_t *p, size_t size)
{
    uint64_t continuing = 0;

    if (size >= WORD_SIZE) {
        /* two words that overlap; shift the overlap out of the second */
        uint64_t tail = load_word(p + size - WORD_SIZE);
        continuing = (load_word(p) & CONTINUES) >> 7;
        if (size != WORD_SIZE)
            continuing +=
                (tail >> (2 * WORD_SIZE - size) * 8 & CONTINUES) >> 7;
    } else {
        for (size_t i = 0; i < size; i++)
            continuing += p[i] >> 7;
    }
    return size - sum_small_bytes(continuing);
}

size_t protobuf_packed_count(const uint8_t *payload, size_t size)
{
    size_t count = 0;

    while (size >= BLOCK_SIZE) {
        size_t block_count = size / BLOCK_SIZE;
        if (block_count > FOLD_BLOCK_MAX)
            block_count = FOLD_BLOCK_MAX;
        count += count_blocks(payload, block_count);
        payload += block_count * BLOCK_SIZE;
        size -= block_count * BLOCK_SIZE;
    }
    return count + count_rest(payload, size);
}

const uint8_t *protobuf_packed_after(const uint8_t *payload, size_t n)
{
    /* n elements have n bytes at least, so these words lie inside */
    while (n >= WORD_SIZE) {
        uint64_t continuing = (load_word(payload) & CONTINUES) >> 7;
        n -= WORD_SIZE - sum_small_bytes(continuing);
        payload += WORD_SIZE;
    }
    for (; n != 0; payload++)
        n -= *payload < 0x80;
    return payload;
}

const uint8_t *protobuf_element_u32_long(const uint8_t *p, uint32_t *out)
{
    uint32_t value = *p++;

    for (unsigned shift = 7; shift < 35 && p[-1] >= 0x80; shift += 7)
        value += ((uint32_t)*p++ - 1) << shift;
    while (p[-1] >= 0x80) /* bits beyond 32 */
        p++;
    *out = value;
    return p;
}

/* ---- paths ---------------------------------------------------------------
 */

size_t protobuf_unpack_u32_portable(struct protobuf_unpacker *u, uint32_t *out,
                                    size_t max)
{
    const uint8_t *p = u->at;
    size_t n = 0;

    for (; n != max && p != u->end; n++)
        p = protobuf_element_u32(p, out + n);
    u->at = p;
    return n;
}

static enum protobuf_path best_path(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return PROTOBUF_PATH_AVX2;
    if (__builtin_cpu_supports("sse4.1"))
        return PROTOBUF_PATH_SSE41;
#endif
    return PROTOBUF_PATH_PORTABLE;
}

enum protobuf_path protobuf_path_resolve(enum protobuf_path wish)
{
    enum protobuf_path best = best_path();
    return wish == PROTOBUF_PATH_BEST || wish > best ? best : wish;
}

const char *protobuf_path_name(enum protobuf_path path)
{
    static const char *const names[] = {"best", "portable", "sse41", "avx2"};
    return names[path];
}

protobuf_unpack_u32_fn *protobuf_unpack_u32(enum protobuf_path wish)
{
    switch (protobuf_path_resolve(wish)) {
#if defined(__x86_64__)
    case PROTOBUF_PATH_AVX2:
        return protobuf_unpack_u32_avx2;
    case PROTOBUF_PATH_SSE41:
        return protobuf_unpack_u32_sse41;
#endif
    default:
        return protobuf_unpack_u32_portable;
    }
}
