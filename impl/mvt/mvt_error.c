/* SPDX-License-Identifier: MIT */
/* The texts of tile errors. */
#include "mvt/mvt_error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WIRE_TEXT_MAX 160

/* Texts by fault; those that end in a colon or a space are followed by the
 * error's number or by other data. */
static const char *const texts[] = {
    [MVT_OK] = "ok",
    [MVT_END] = "no more items",
    [MVT_DECODE] = "protobuf decode error: ",
    [MVT_ENCODE] = ("protobuf encode error: message encoded size exceeds the "
                    "2 GiB protobuf limit"),
    [MVT_IO] = "system error: ",
    [MVT_MISSING_LAYER_NAME] = "missing required layer name",
    [MVT_INVALID_EXTENT] = "invalid extent 0",
    [MVT_UNSUPPORTED_VERSION] = "unsupported layer version ",
    [MVT_TAGS_LENGTH] = "invalid feature tags length: ",
    [MVT_KEY_INDEX] = "invalid key index ",
    [MVT_VALUE_INDEX] = "invalid value index ",
    [MVT_INVALID_GEOMETRY] = "invalid geometry command stream",
    [MVT_COMMAND_COUNT] = "command count exceeds supported range: ",
    [MVT_INDEX_OVERFLOW] = "tile index exceeds supported range: ",
    [MVT_NO_MEMORY] = "out of memory",
    [MVT_MISUSE] = "wrong use of the tile interface",
};

static int render_decode(const struct mvt_error *error, char *out, size_t size)
{
    char wire[WIRE_TEXT_MAX];

    protobuf_error_text(&error->wire, wire, sizeof(wire));
    return snprintf(out, size, "%s%s", texts[MVT_DECODE], wire);
}

/* A name may hold any bytes but those that UTF-8 forbids, NUL included, so it
 * is no argument of printf. */
static int render_version(const struct mvt_error *error, const uint8_t *tile,
                          char *out, size_t size)
{
    int n = snprintf(out, size, "%s%" PRIu64 " for layer ",
                     texts[MVT_UNSUPPORTED_VERSION], error->number);
    size_t at = n < 0 ? 0 : (size_t)n;
    const void *name = tile != NULL ? (const void *)(tile + error->name_at)
                                    : (const void *)error->name;
    size_t name_size = tile != NULL ? error->name_size : error->name_held;

    if (at < size) {
        size_t room = size - 1 - at;
        size_t copied = name_size < room ? name_size : room;
        memcpy(out + at, name, copied);
        out[at + copied] = '\0';
    }
    return (int)(at + name_size);
}

static int render(const struct mvt_error *error, const uint8_t *tile,
                  char *out, size_t size)
{
    const char *text = texts[error->fault];

    switch (error->fault) {
    case MVT_DECODE:
        return render_decode(error, out, size);
    case MVT_UNSUPPORTED_VERSION:
        return render_version(error, tile, out, size);
    case MVT_IO:
        return snprintf(out, size, "%s", strerror((int)error->number));
    case MVT_TAGS_LENGTH:
    case MVT_KEY_INDEX:
    case MVT_VALUE_INDEX:
    case MVT_COMMAND_COUNT:
    case MVT_INDEX_OVERFLOW:
        return snprintf(out, size, "%s%" PRIu64, text, error->number);
    default:
        return snprintf(out, size, "%s", text);
    }
}

size_t mvt_error_text(const struct mvt_error *error, const uint8_t *tile,
                      char *out, size_t size)
{
    int n = render(error, tile, out, size);
    return n < 0 ? 0 : (size_t)n;
}

const char *mvt_fault_name(enum mvt_fault fault)
{
    return texts[fault];
}
