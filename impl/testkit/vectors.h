/* SPDX-License-Identifier: MIT */
/* Published test vectors: JSON files that lie beside the project. */
#ifndef TESTKIT_VECTORS_H
#define TESTKIT_VECTORS_H

#include <json-c/json.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Read a vector file.
 *
 *   path  below the vectors folder, such as "wabin/nodes.json".  The folder is
 *         $PLUMB_VECTORS, or ../shared/vectors seen from the project's root,
 *         where tests are started.
 *
 * Returns the document, for json_object_put.  Without the file the running
 * test is skipped, with a message nobody can overlook; it fails when
 * $PLUMB_VECTORS promised the file, or when the file is not JSON.
 */
struct json_object *testkit_vectors(const char *path);

/** A member that must be there, borrowed from object; otherwise the test
 * fails.  A JSON null is NULL here. */
struct json_object *vector_field(struct json_object *object, const char *key);

/** A text member, borrowed. */
const char *vector_text(struct json_object *object, const char *key);

/** An unsigned number member. */
uint64_t vector_u64(struct json_object *object, const char *key);

/** A hexadecimal text member as bytes for the caller to free(). */
uint8_t *vector_hex(struct json_object *object, const char *key, size_t *size);

#endif
