/* SPDX-License-Identifier: MIT */
/* The complete path of a read: the structural walk, then every form of an
 * envelope that older and other writers make.  Borrows; allocates nothing. */
#include "envelope/envelope.h"

#include <assert.h>

#include "envelope/envelope_item.h"
#include "msgpack/msgpack.h"

/* Fields in the order of the array form, which is also their index as a key
 * of the map form. */
enum field {
    FIELD_DATA,
    FIELD_CHECKSUM,
    FIELD_SIZE,
    FIELD_FORMAT,
    FIELD_UNKNOWN = ENVELOPE_FIELD_COUNT
};

#define FAILED ENVELOPE_DESERIALIZATION_FAILED

/* What the walk has excluded: the document ends inside an item. */
static COLD enum envelope_kind fail_truncated(struct envelope_error *error)
{
    return envelope_fail_with(error, FAILED, DETAIL_PRESCAN,
                              MSGPACK_BYTES_OVERCLAIM, ENVELOPE_DEPTH_MAX);
}

static COLD enum envelope_kind fail_length(struct envelope_error *error,
                                           uint64_t count,
                                           enum envelope_expected expected)
{
    envelope_fail_with(error, FAILED, DETAIL_LENGTH, count, 0);
    if (error != NULL)
        error->expected = (uint8_t)expected;
    return FAILED;
}

/* Decode one element of an array of bytes. */
static enum envelope_kind take_u8(struct cursor *c, uint8_t *byte,
                                  struct envelope_error *error)
{
    struct item it;
    enum envelope_kind kind;

    if (item_take(c, &it) != ST_OK)
        return fail_truncated(error);
    kind = item_check_integer(&it, UINT8_MAX, EXPECT_U8, error);
    if (kind == ENVELOPE_OK)
        *byte = (uint8_t)it.number;
    return kind;
}

/* Take count elements that must be bytes, into out unless it is NULL.  The
 * two forms that writers use are seen to here, the others by take_u8. */
static ALWAYS_INLINE enum envelope_kind take_elements(
    struct cursor *c, size_t count, uint8_t *out, struct envelope_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t *p = c->data + c->at;
        size_t left = cursor_left(c);
        uint8_t byte = 0;

        if (left >= 1 && p[0] < 0x80) {
            byte = p[0];
            c->at += 1;
        } else if (left >= 2 && p[0] == 0xcc) {
            byte = p[1];
            c->at += 2;
        } else {
            enum envelope_kind kind = take_u8(c, &byte, error);
            if (kind != ENVELOPE_OK)
                return kind;
        }
        if (out != NULL)
            out[i] = byte;
    }
    return ENVELOPE_OK;
}

static enum envelope_kind take_data(struct cursor *c,
                                    struct envelope_view *view,
                                    struct envelope_error *error)
{
    struct item it;

    if (item_take(c, &it) != ST_OK)
        return fail_truncated(error);
    view->data_size = it.size;
    view->array_span = 0;
    switch (it.class) {
    case ITEM_BIN:
    case ITEM_STR: /* UTF-8 or not */
        view->data = it.payload;
        return ENVELOPE_OK;
    case ITEM_ARRAY:
        view->data = c->data + c->at;
        break;
    default:
        return item_wrong_type(&it, EXPECT_BYTES, error);
    }
    enum envelope_kind kind = take_elements(c, it.size, NULL, error);
    view->array_span = (size_t)(c->data + c->at - view->data);
    return kind;
}

/* The value of a str that is not wanted depends on its text. */
static enum envelope_kind fail_type(const struct item *it,
                                    enum envelope_expected expected,
                                    struct envelope_error *error)
{
    if (it->class == ITEM_STR && !utf8_valid(it->payload, it->size))
        return envelope_fail_with(error, FAILED, DETAIL_TEXT_NOT_UTF8, 0, 0);
    return item_wrong_type(it, expected, error);
}

/* Eight elements; what is missing or too much is judged after the others. */
static enum envelope_kind take_checksum_array(struct cursor *c, size_t count,
                                              struct envelope_view *view,
                                              struct envelope_error *error)
{
    view->checksum = 0;
    for (size_t i = 0; i < ENVELOPE_CHECKSUM_SIZE; i++) {
        uint8_t byte = 0;
        if (i == count)
            return fail_length(error, count, EXPECT_ARRAY_8);
        enum envelope_kind kind = take_u8(c, &byte, error);
        if (kind != ENVELOPE_OK)
            return kind;
        view->checksum = view->checksum << 8 | byte;
    }
    if (count > ENVELOPE_CHECKSUM_SIZE)
        return envelope_fail_with(error, FAILED, DETAIL_TOO_MANY,
                                  ENVELOPE_CHECKSUM_SIZE, 0);
    return ENVELOPE_OK;
}

static enum envelope_kind take_checksum(struct cursor *c,
                                        struct envelope_view *view,
                                        struct envelope_error *error)
{
    struct item it;

    if (item_take(c, &it) != ST_OK)
        return fail_truncated(error);
    if (it.class == ITEM_ARRAY)
        return take_checksum_array(c, it.size, view, error);
    if (it.class != ITEM_BIN)
        return fail_type(&it, EXPECT_ARRAY_8, error);
    if (it.size < ENVELOPE_CHECKSUM_SIZE)
        return fail_length(error, it.size, EXPECT_ARRAY_8);
    view->checksum = load_be64(it.payload);
    return ENVELOPE_OK;
}

static enum envelope_kind take_size(struct cursor *c,
                                    struct envelope_view *view,
                                    struct envelope_error *error)
{
    struct item it;
    enum envelope_kind kind;

    if (item_take(c, &it) != ST_OK)
        return fail_truncated(error);
    kind = item_check_integer(&it, UINT32_MAX, EXPECT_U32, error);
    if (kind == ENVELOPE_OK)
        view->original_size = (uint32_t)it.number;
    return kind;
}

static enum envelope_kind take_format(struct cursor *c,
                                      struct envelope_view *view,
                                      struct envelope_error *error)
{
    struct item it;

    if (item_take(c, &it) != ST_OK)
        return fail_truncated(error);
    if (it.class != ITEM_STR && it.class != ITEM_BIN)
        return item_wrong_type(&it, EXPECT_STRING, error);
    if (!utf8_valid(it.payload, it.size))
        return envelope_fail_with(error, FAILED,
                                  it.class == ITEM_STR ? DETAIL_TEXT_NOT_UTF8
                                                       : DETAIL_BYTES_NOT_UTF8,
                                  0, 0);
    view->format = (const char *)it.payload;
    view->format_size = it.size;
    return ENVELOPE_OK;
}

static enum envelope_kind take_field(struct cursor *c, enum field field,
                                     struct envelope_view *view,
                                     struct envelope_error *error)
{
    switch (field) {
    case FIELD_DATA:
        return take_data(c, view, error);
    case FIELD_CHECKSUM:
        return take_checksum(c, view, error);
    case FIELD_SIZE:
        return take_size(c, view, error);
    case FIELD_FORMAT:
        return take_format(c, view, error);
    default:
        return item_skip(c) == ST_OK ? ENVELOPE_OK : fail_truncated(error);
    }
}

static enum envelope_kind take_array(struct cursor *c, size_t count,
                                     struct envelope_view *view,
                                     struct envelope_error *error)
{
    for (size_t i = 0; i < ENVELOPE_FIELD_COUNT; i++) {
        if (i == count)
            return fail_length(error, count, EXPECT_ROOT_4);
        enum envelope_kind kind = take_field(c, (enum field)i, view, error);
        if (kind != ENVELOPE_OK)
            return kind;
    }
    if (count > ENVELOPE_FIELD_COUNT)
        return envelope_fail_with(error, FAILED, DETAIL_TOO_MANY,
                                  ENVELOPE_FIELD_COUNT, 0);
    return ENVELOPE_OK;
}

/* A key names a field by its text or, unsigned, by its index. */
static enum field field_of(const struct item *key)
{
    static const struct {
        const char *name;
        size_t size;
    } names[ENVELOPE_FIELD_COUNT] = {
        {"compressed_data", 15},
        {"checksum", 8},
        {"original_size", 13},
        {"format", 6},
    };
    if (key->class == ITEM_UNSIGNED)
        return key->number < ENVELOPE_FIELD_COUNT ? (enum field)key->number
                                                  : FIELD_UNKNOWN;
    for (int i = 0; i < ENVELOPE_FIELD_COUNT; i++)
        if (key->size == names[i].size &&
            memcmp(key->payload, names[i].name, key->size) == 0)
            return (enum field)i;
    return FIELD_UNKNOWN;
}

/* One pair: the key, then whether it repeats, then the value. */
static enum envelope_kind take_pair(struct cursor *c, unsigned *seen,
                                    struct envelope_view *view,
                                    struct envelope_error *error)
{
    struct item key;

    if (item_take(c, &key) != ST_OK)
        return fail_truncated(error);
    if (key.class != ITEM_STR && key.class != ITEM_BIN &&
        key.class != ITEM_UNSIGNED)
        return item_wrong_type(&key, EXPECT_FIELD, error);
    enum field field = field_of(&key);
    if (field != FIELD_UNKNOWN) {
        if ((*seen & 1u << field) != 0)
            return envelope_fail_with(error, FAILED, DETAIL_DUPLICATE, field,
                                      0);
        *seen |= 1u << field;
    }
    return take_field(c, field, view, error);
}

static enum envelope_kind take_map(struct cursor *c, size_t pair_count,
                                   struct envelope_view *view,
                                   struct envelope_error *error)
{
    unsigned seen = 0;

    for (size_t i = 0; i < pair_count; i++) {
        enum envelope_kind kind = take_pair(c, &seen, view, error);
        if (kind != ENVELOPE_OK)
            return kind;
    }
    for (unsigned i = 0; i < ENVELOPE_FIELD_COUNT; i++)
        if ((seen & 1u << i) == 0)
            return envelope_fail_with(error, FAILED, DETAIL_MISSING, i, 0);
    return ENVELOPE_OK;
}

/* A bin is taken for the array of its bytes, the first of which is then no
 * byte array. */
static enum envelope_kind fail_root_bin(const struct item *root,
                                        struct envelope_error *error)
{
    const struct item first = {
        .class = ITEM_UNSIGNED,
        .number = root->size != 0 ? root->payload[0] : 0,
    };
    if (root->size == 0)
        return fail_length(error, 0, EXPECT_ROOT_4);
    return item_wrong_type(&first, EXPECT_BYTES, error);
}

static enum envelope_kind take_root(struct cursor *c,
                                    struct envelope_view *view,
                                    struct envelope_error *error)
{
    struct item root;

    if (item_take(c, &root) != ST_OK)
        return fail_truncated(error);
    switch (root.class) {
    case ITEM_ARRAY:
        return take_array(c, root.size, view, error);
    case ITEM_MAP:
        return take_map(c, root.size, view, error);
    case ITEM_BIN:
        return fail_root_bin(&root, error);
    default:
        return fail_type(&root, EXPECT_ROOT, error);
    }
}

enum envelope_kind envelope_decode_full(const uint8_t *in, size_t in_size,
                                        const struct alloc *alloc,
                                        struct envelope_view *view,
                                        struct envelope_error *error)
{
    struct msgpack_error walk;
    struct envelope_view found;
    size_t document_size;

    if (in_size > ENVELOPE_COMPRESSED_MAX)
        return envelope_fail(error, ENVELOPE_INPUT_TOO_LARGE);
    if (msgpack_document_size(in, in_size, ENVELOPE_DEPTH_MAX, alloc,
                              &document_size, &walk) != MSGPACK_OK) {
        if (walk.fault == MSGPACK_OUT_OF_MEMORY)
            return envelope_fail(error, ENVELOPE_OUT_OF_MEMORY);
        return envelope_fail_with(error, FAILED, DETAIL_PRESCAN, walk.fault,
                                  walk.max_depth);
    }
    struct cursor c = cursor_init(in, document_size);
    enum envelope_kind kind = take_root(&c, &found, error);
    if (kind == ENVELOPE_OK)
        *view = found;
    return kind;
}

void envelope_array_bytes(const struct envelope_view *view, uint8_t *out)
{
    struct cursor c = cursor_init(view->data, view->array_span);
    enum envelope_kind kind = take_elements(&c, view->data_size, out, NULL);

    assert(kind == ENVELOPE_OK); /* the decode has been over them */
    (void)kind;
}
