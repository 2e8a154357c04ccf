/* SPDX-License-Identifier: MIT */
/* Reading vector files with json-c; what is missing is said, not guessed. */
#include "testkit/vectors.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "testkit/testkit.h"

#define VECTORS_DEFAULT "../shared/vectors"

/* json-c is not compiled for MemorySanitizer, which so takes all that it
 * reads for unwritten. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define CANNOT_READ_JSON 1
#endif
#endif
#ifndef CANNOT_READ_JSON
#define CANNOT_READ_JSON 0
#endif

struct json_object *testkit_vectors(const char *path)
{
    const char *folder = getenv("PLUMB_VECTORS");
    bool promised = folder != NULL && folder[0] != '\0';
    char file[PATH_MAX];

    if (CANNOT_READ_JSON) {
        fprintf(stderr, "\n*** skipped: %s, by this sanitizer ***\n\n", path);
        skip();
    }
    snprintf(file, sizeof(file), "%s/%s", promised ? folder : VECTORS_DEFAULT,
             path);
    if (access(file, R_OK) != 0) {
        if (promised)
            CHECK_FAIL("PLUMB_VECTORS is set, but %s cannot be read", file);
        fprintf(stderr,
                "\n*** skipped: no vectors at %s; set PLUMB_VECTORS ***\n\n",
                file);
        skip();
    }
    struct json_object *document = json_object_from_file(file);
    if (document == NULL)
        CHECK_FAIL("%s: %s", file, json_util_get_last_err());
    return document;
}

struct json_object *vector_field(struct json_object *object, const char *key)
{
    struct json_object *value = NULL;

    if (!json_object_object_get_ex(object, key, &value))
        CHECK_FAIL("vector has no \"%s\": %s", key,
                   json_object_to_json_string(object));
    return value;
}

static struct json_object *typed_field(struct json_object *object,
                                       const char *key, enum json_type type)
{
    struct json_object *value = vector_field(object, key);

    if (!json_object_is_type(value, type))
        CHECK_FAIL("\"%s\" is no %s: %s", key, json_type_to_name(type),
                   json_object_to_json_string(object));
    return value;
}

const char *vector_text(struct json_object *object, const char *key)
{
    return json_object_get_string(typed_field(object, key, json_type_string));
}

uint64_t vector_u64(struct json_object *object, const char *key)
{
    return json_object_get_uint64(typed_field(object, key, json_type_int));
}

uint8_t *vector_hex(struct json_object *object, const char *key, size_t *size)
{
    return hex_new(vector_text(object, key), size);
}
