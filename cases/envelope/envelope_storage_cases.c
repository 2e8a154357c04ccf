/* SPDX-License-Identifier: MIT */
/* Storing and reading: one operation is one envelope. */
#include "envelope/envelope_cases.h"

#include <string.h>

#include "msgpack/msgpack.h"
#include "msgpack/sample/msgpack_sample.h"

struct storage_state {
    struct envelope_storage *storage;
    const uint8_t *payload;
    size_t payload_size;
    uint8_t *in; /* the envelope that is read */
    size_t in_size;
    uint8_t *out; /* room for what is written */
    size_t out_size;
};

/* ---- the envelope that is read ------------------------------------------ */

static bool put_legacy(const struct envelope_view *view, struct sink *out)
{
    struct msgpack_sample_envelope fields = {
        .block = view->data,
        .block_size = view->data_size,
        .original_size = view->original_size,
    };
    for (int i = 0; i < ENVELOPE_CHECKSUM_SIZE; i++)
        fields.checksum[i] = (uint8_t)(view->checksum >> (56 - 8 * i));
    return msgpack_sample_envelope_put(&fields, MSGPACK_SAMPLE_LEGACY, out) ==
           ST_OK;
}

/* A map whose keys are the fields' names; their values are those of the
 * array form, which stand in a row. */
static bool put_map(const struct envelope_view *view, const uint8_t *array,
                    size_t array_size, struct sink *out)
{
    static const char *const names[] = {"compressed_data", "checksum",
                                        "original_size", "format"};
    const uint8_t *value = array + 1;

    if (sink_put_u8(out, 0x84) != ST_OK)
        return false;
    for (int i = 0; i < 4; i++) {
        size_t name_size = strlen(names[i]), size = 0;
        struct msgpack_head head;
        const uint8_t *end = array + array_size;

        if (i == 1) /* the checksum is an array of eight items */
            size = (size_t)(end - value) - view->format_size - 1 -
                   (view->original_size > UINT8_MAX ? 3 : 1);
        else if (msgpack_head_read(value, (size_t)(end - value), 0, &head) ==
                 MSGPACK_OK)
            size = head.head_size + (size_t)head.payload_size;
        if (sink_put_u8(out, (uint8_t)(0xa0 | name_size)) != ST_OK ||
            sink_put(out, names[i], name_size) != ST_OK ||
            sink_put(out, value, size) != ST_OK)
            return false;
        value += size;
    }
    return value == array + array_size;
}

static bool put_bomb(struct envelope_view *view, struct sink *out)
{
    view->original_size = (uint32_t)(ENVELOPE_RATIO_MAX * view->data_size + 1);
    return envelope_encode(view, out->data, out->size, &out->at, NULL) ==
           ENVELOPE_OK;
}

/* Put the envelope in its other form; array is the one that was stored. */
static bool put_form(enum envelope_form form, const uint8_t *array,
                     size_t array_size, struct sink *out)
{
    struct envelope_view view;

    if (!envelope_decode_once(array, array_size, &view))
        return false;
    switch (form) {
    case FORM_LEGACY:
        return put_legacy(&view, out);
    case FORM_MAP:
        return put_map(&view, array, array_size, out);
    case FORM_BOMB:
        return put_bomb(&view, out);
    case FORM_CUT:
        return sink_put(out, array, array_size - 1) == ST_OK;
    default:
        return sink_put(out, array, array_size) == ST_OK;
    }
}

void *envelope_setup_storage(const struct bench_setup *s)
{
    const struct envelope_input *input = s->arg;
    struct storage_state *st = bench_buffer(s, sizeof(*st));
    uint8_t *payload = bench_buffer(s, input->payload_size);
    const size_t room = 2 * input->payload_size + 256;
    struct sink in = sink_init(bench_buffer(s, room), room);
    size_t size;

    msgpack_sample_stream(s->seed, payload, input->payload_size);
    bench_input_here(s, payload, input->payload_size);
    st->payload = payload;
    st->payload_size = input->payload_size;
    st->out = bench_buffer(s, room);
    st->out_size = room;
    if (envelope_storage_new(NULL, 0, NULL, &st->storage, NULL) !=
            ENVELOPE_OK ||
        envelope_store_into(st->storage, payload, input->payload_size, NULL, 0,
                            st->out, room, &size, NULL) != ENVELOPE_OK ||
        !put_form(input->form, st->out, size, &in))
        return bench_fail(s, "the envelope cannot be made");
    bench_input_here(s, in.data, in.at);
    st->in = in.data;
    st->in_size = in.at;
    return st;
}

void envelope_teardown_storage(void *state)
{
    struct storage_state *st = state;

    envelope_storage_free(st->storage);
}

/* ---- operations --------------------------------------------------------- */

uint64_t envelope_run_store(void *state)
{
    struct storage_state *st = state;
    struct envelope_buffer out;

    if (envelope_store(st->storage, st->payload, st->payload_size, NULL, 0,
                       &out, NULL) != ENVELOPE_OK)
        return 0;
    envelope_buffer_free(NULL, &out);
    return 1;
}

uint64_t envelope_run_store_into(void *state)
{
    struct storage_state *st = state;
    size_t size = 0;

    return envelope_store_into(st->storage, st->payload, st->payload_size,
                               NULL, 0, st->out, st->out_size, &size,
                               NULL) == ENVELOPE_OK
               ? size
               : 0;
}

/* Reads that fail return their kind, which is not 0, with a bit on top. */
#define FAILED(kind) ((uint64_t)(kind) | UINT64_C(1) << 63)

uint64_t envelope_run_retrieve(void *state)
{
    const struct storage_state *st = state;
    struct envelope_entry entry;
    enum envelope_kind kind =
        envelope_retrieve(st->in, st->in_size, NULL, &entry, NULL);
    uint64_t result;

    if (kind != ENVELOPE_OK)
        return FAILED(kind);
    result = entry.payload_size + entry.payload[0];
    envelope_entry_free(NULL, &entry);
    return result;
}

uint64_t envelope_run_retrieve_data(void *state)
{
    const struct storage_state *st = state;
    struct envelope_buffer out;
    enum envelope_kind kind =
        envelope_retrieve_data(st->in, st->in_size, NULL, &out, NULL);
    uint64_t result;

    if (kind != ENVELOPE_OK)
        return FAILED(kind);
    result = out.size + out.data[0];
    envelope_buffer_free(NULL, &out);
    return result;
}

uint64_t envelope_run_retrieve_into(void *state)
{
    struct storage_state *st = state;
    struct envelope_entry entry;
    enum envelope_kind kind = envelope_retrieve_into(
        st->in, st->in_size, NULL, st->out, st->out_size, &entry, NULL);

    return kind == ENVELOPE_OK ? entry.payload_size + entry.payload[0]
                               : FAILED(kind);
}

uint64_t envelope_run_validate(void *state)
{
    const struct storage_state *st = state;

    return envelope_validate(st->in, st->in_size, NULL);
}

uint64_t envelope_run_prescan(void *state)
{
    const struct storage_state *st = state;

    return msgpack_check(st->in, st->in_size, ENVELOPE_DEPTH_MAX, NULL, NULL) +
           1u;
}

/* The whole envelope. */
void envelope_work_store(void *state, const struct bench_digest *d)
{
    struct storage_state *st = state;
    size_t size = (size_t)envelope_run_store_into(state);

    bench_digest(d, st->out, size);
}

/* The verdict, in words, or the payload, its format and its fields. */
void envelope_work_read(void *state, const struct bench_digest *d)
{
    const struct storage_state *st = state;
    struct envelope_entry entry;
    struct envelope_error error;
    struct envelope_view view = {.data_size = 0};
    char text[256];
    enum envelope_kind kind =
        envelope_retrieve(st->in, st->in_size, NULL, &entry, &error);

    bench_digest_u64(d, kind);
    bench_digest_u64(
        d, msgpack_check(st->in, st->in_size, ENVELOPE_DEPTH_MAX, NULL, NULL));
    if (kind != ENVELOPE_OK) {
        int size = envelope_error_text(&error, text, sizeof(text));
        bench_digest(d, text, (size_t)size);
        return;
    }
    kind = envelope_decode(st->in, st->in_size, NULL, &view, NULL);
    bench_digest_u64(d, kind);
    bench_digest_u64(d, view.data_size);
    bench_digest_u64(d, view.checksum);
    bench_digest(d, entry.payload, entry.payload_size);
    bench_digest(d, entry.format, entry.format_size);
    envelope_entry_free(NULL, &entry);
}
