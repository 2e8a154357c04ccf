/* SPDX-License-Identifier: MIT */
/* A layer's keys and values: numbered by first use, looked up by content. */
#include <assert.h>

#include "mvt/mvt_internal.h"
#include "mvt/mvt_writer_internal.h"

/* Content of a value that is no string: its kind and 64 bits. */
#define NUMBER_SIZE 9

/* A table of more slots than these (128 KiB) is given back when a layer used
 * less than one in SPARSE_SLOTS. */
#define SLOTS_KEPT   4096
#define SPARSE_SLOTS 64

/* An entry that a feature added, to be taken out again if it is dropped. */
struct added {
    struct mvt_writer_table *table;
    const void *content;
    size_t size;
};

static void init_table(struct mvt_writer *w, struct mvt_writer_table *table)
{
    dethash_init(&table->numbers, w->seed, SIZE_MAX, w->alloc);
    table->count = 0;
}

void mvt_writer_init_tables(struct mvt_writer *w)
{
    init_table(w, &w->key_table);
    init_table(w, &w->string_table);
    init_table(w, &w->number_table);
    w->value_count = 0;
}

/* Small layers behind a large one do not clear its table again and again. */
static void clear_table(struct mvt_writer_table *table)
{
    const struct dethash *numbers = &table->numbers;

    if (numbers->slot_count > SLOTS_KEPT &&
        numbers->count < numbers->slot_count / SPARSE_SLOTS)
        dethash_release(&table->numbers);
    else
        dethash_clear(&table->numbers);
    table->count = 0;
}

void mvt_writer_clear_tables(struct mvt_writer *w)
{
    clear_table(&w->key_table);
    clear_table(&w->string_table);
    clear_table(&w->number_table);
    w->value_count = 0;
}

void mvt_writer_free_tables(struct mvt_writer *w)
{
    dethash_release(&w->key_table.numbers);
    dethash_release(&w->string_table.numbers);
    dethash_release(&w->number_table.numbers);
}

void mvt_writer_undo_tags(struct mvt_writer *w)
{
    const struct added *added = (const void *)w->undo.data;

    for (size_t i = w->undo.size / sizeof(*added); i-- > 0;) {
        bool found = dethash_remove(&added[i].table->numbers, added[i].content,
                                    added[i].size, NULL);
        assert(found);
        (void)found;
    }
    w->undo.size = 0;
    w->keys.size = w->keys_before;
    w->values.size = w->values_before;
    w->key_table.count = w->key_count_before;
    w->value_count = w->value_count_before;
}

/* Give a content that is not in its table a number.  `field` has room. */
static enum mvt_fault enter(struct mvt_writer *w,
                            struct mvt_writer_table *table,
                            const void *content, size_t size, uint64_t number)
{
    void *kept;

    if (number > UINT32_MAX)
        return mvt_writer_fail(w, MVT_INDEX_OVERFLOW, number);
    kept = mvt_arena_get(&w->strings, size);
    if (kept == NULL || !mvt_bytes_reserve(&w->undo, sizeof(struct added)))
        return mvt_writer_fail(w, MVT_NO_MEMORY, 0);
    if (size != 0)
        memcpy(kept, content, size);
    if (dethash_insert(&table->numbers, kept, size, number) != ST_OK)
        return mvt_writer_fail(w, MVT_NO_MEMORY, 0);
    struct added added = {table, kept, size};
    mvt_bytes_put(&w->undo, &added, sizeof(added));
    return MVT_OK;
}

/* ---- keys ----------------------------------------------------------------
 */

static enum mvt_fault number_key(struct mvt_writer *w, struct mvt_string key,
                                 uint64_t *number)
{
    struct mvt_writer_table *table = &w->key_table;
    enum mvt_fault fault;

    if (dethash_get(&table->numbers, key.data, key.size, number))
        return MVT_OK;
    if (!mvt_bytes_reserve(&w->keys, mvt_field_bound(key.size)))
        return mvt_writer_fail(w, MVT_NO_MEMORY, 0);
    fault = enter(w, table, key.data, key.size, table->count);
    if (fault != MVT_OK)
        return fault;
    mvt_bytes_put_field(&w->keys, LAYER_KEY, key.data, key.size);
    *number = table->count++;
    return MVT_OK;
}

/* ---- values --------------------------------------------------------------
 */

/* The one field of a number's message at out; returns its size. */
static size_t encode_number(const struct mvt_value *v, uint8_t *out)
{
    uint8_t *p = out;
    uint32_t narrow;

    switch (v->kind) {
    case MVT_FLOAT:
        *p++ = VALUE_FLOAT;
        memcpy(&narrow, &v->float_value, sizeof(narrow));
        for (int i = 0; i < 4; i++)
            *p++ = (uint8_t)(narrow >> 8 * i);
        return (size_t)(p - out);
    case MVT_DOUBLE:
        *p++ = VALUE_DOUBLE;
        for (int i = 0; i < 8; i++)
            *p++ = (uint8_t)(v->uint_value >> 8 * i);
        return (size_t)(p - out);
    case MVT_INT:
        *p++ = VALUE_INT;
        break;
    case MVT_UINT:
        *p++ = VALUE_UINT;
        break;
    case MVT_SINT:
        *p++ = VALUE_SINT;
        p = protobuf_put_varint_at(p, protobuf_zigzag64(v->int_value));
        return (size_t)(p - out);
    default:
        *p++ = VALUE_BOOL;
        *p++ = v->bool_value;
        return (size_t)(p - out);
    }
    return (size_t)(protobuf_put_varint_at(p, v->uint_value) - out);
}

/* What two numbers must share to be equal. */
static void number_content(const struct mvt_value *v, uint8_t out[NUMBER_SIZE])
{
    uint64_t bits = v->uint_value;
    uint32_t narrow;

    if (v->kind == MVT_FLOAT) {
        memcpy(&narrow, &v->float_value, sizeof(narrow));
        bits = narrow;
    } else if (v->kind == MVT_BOOL) {
        bits = v->bool_value;
    }
    out[0] = v->kind;
    memcpy(out + 1, &bits, sizeof(bits));
}

static enum mvt_fault number_number(struct mvt_writer *w,
                                    const struct mvt_value *v,
                                    uint64_t *number)
{
    uint8_t content[NUMBER_SIZE];
    uint8_t message[1 + PROTOBUF_VARINT_SIZE_MAX];
    enum mvt_fault fault;

    number_content(v, content);
    if (dethash_get(&w->number_table.numbers, content, sizeof(content),
                    number))
        return MVT_OK;
    if (!mvt_bytes_reserve(&w->values, mvt_field_bound(sizeof(message))))
        return mvt_writer_fail(w, MVT_NO_MEMORY, 0);
    fault =
        enter(w, &w->number_table, content, sizeof(content), w->value_count);
    if (fault != MVT_OK)
        return fault;
    mvt_bytes_put_field(&w->values, LAYER_VALUE, message,
                        encode_number(v, message));
    *number = w->value_count++;
    return MVT_OK;
}

static enum mvt_fault number_string(struct mvt_writer *w,
                                    const struct mvt_value *v,
                                    uint64_t *number)
{
    size_t size = v->size;
    enum mvt_fault fault;

    if (dethash_get(&w->string_table.numbers, v->string, size, number))
        return MVT_OK;
    if (!mvt_bytes_reserve(&w->values, mvt_field_bound(mvt_field_bound(size))))
        return mvt_writer_fail(w, MVT_NO_MEMORY, 0);
    fault = enter(w, &w->string_table, v->string, size, w->value_count);
    if (fault != MVT_OK)
        return fault;
    mvt_bytes_put_varint(&w->values, LAYER_VALUE);
    mvt_bytes_put_varint(&w->values, 1 + protobuf_varint_size(size) + size);
    mvt_bytes_put_field(&w->values, VALUE_STRING, v->string, size);
    *number = w->value_count++;
    return MVT_OK;
}

/* ---- tags ----------------------------------------------------------------
 */

/* Number both, the value first, and add the pair. */
static enum mvt_fault add_pair(struct mvt_writer *w, struct mvt_string key,
                               const struct mvt_value *value)
{
    uint64_t key_number, value_number;
    enum mvt_fault fault;

    if (!mvt_bytes_reserve(&w->tags, 2 * PROTOBUF_VARINT_SIZE_MAX))
        return mvt_writer_fail(w, MVT_NO_MEMORY, 0);
    fault = value->kind == MVT_STRING ? number_string(w, value, &value_number)
                                      : number_number(w, value, &value_number);
    if (fault == MVT_OK)
        fault = number_key(w, key, &key_number);
    if (fault != MVT_OK)
        return fault;
    mvt_bytes_put_varint(&w->tags, key_number);
    mvt_bytes_put_varint(&w->tags, value_number);
    w->tag_count++;
    return MVT_OK;
}

enum mvt_fault mvt_writer_tag(struct mvt_writer *w, struct mvt_string key,
                              const struct mvt_value *value)
{
    if (!mvt_writer_in_feature(w))
        return mvt_writer_fail(w, MVT_MISUSE, 0);
    if (value->kind == MVT_NULL)
        return MVT_OK;
    size_t undo_size = w->undo.size, values_size = w->values.size;
    uint64_t value_count = w->value_count;
    enum mvt_fault fault = add_pair(w, key, value);
    if (fault != MVT_OK && w->undo.size != undo_size) {
        /* the value is in, the key is not: out with it */
        struct added added;
        memcpy(&added, w->undo.data + undo_size, sizeof(added));
        dethash_remove(&added.table->numbers, added.content, added.size, NULL);
        w->undo.size = undo_size;
        w->values.size = values_size;
        w->value_count = value_count;
    }
    return fault;
}

enum mvt_fault mvt_writer_tag_auto_int(struct mvt_writer *w,
                                       struct mvt_string key, int64_t n)
{
    struct mvt_value value = {.int_value = n,
                              .kind = n < 0 ? MVT_SINT : MVT_UINT};
    return mvt_writer_tag(w, key, &value);
}

size_t mvt_writer_tag_count(const struct mvt_writer *w)
{
    return mvt_writer_in_feature(w) ? w->tag_count : 0;
}
