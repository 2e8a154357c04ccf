/* SPDX-License-Identifier: MIT */
/* Do all ways of reading a tile agree?  What fuzz targets and tests of mutated
 * tiles ask. */
#ifndef MVT_REFERENCE_MVT_AGREE_H
#define MVT_REFERENCE_MVT_AGREE_H

#include "mvt/mvt_reader.h"

/**
 * Read any bytes on every path, as a message, and with protobuf-c.
 *
 * Returns NULL when
 *   - the paths and the message accept the same bytes, or refuse them with the
 *     same error at the same offset, but for the element limit; the rules of
 *     a layer's name and version, which are no business of a message, are
 *     asked of it afterwards, and give the text that is expected;
 *   - what is accepted reads the same everywhere, and is dumped as the same
 *     text;
 *   - protobuf-c accepts what is accepted, unless the bytes have what only it
 *     refuses (mvt_has_what_protobuf_c_refuses);
 * or else the name of what differs.
 */
const char *mvt_agree(const uint8_t *tile, size_t size);

/**
 * Do these bytes, which a reader accepts, have what protobuf-c refuses though
 * the wire format allows it?
 *
 *   groups, which it does not know
 *   tags of more than five bytes, overlong forms
 *   lengths of more than five bytes, likewise
 */
bool mvt_has_what_protobuf_c_refuses(const uint8_t *tile, size_t size);

#endif
