/* SPDX-License-Identifier: MIT */
/*
 * WhatsApp binary nodes: all that a user of the codec includes.
 *
 *     struct wabin_doc doc;
 *     const struct wabin_node *root;
 *     struct wabin_error error;
 *
 *     wabin_doc_init(&doc, NULL);
 *     if (wabin_decode_frame(&doc, frame, frame_size, &root, &error) !=
 *         WABIN_OK)
 *         wabin_error_text(&error, text, sizeof(text));
 *     ...
 *     wabin_doc_reset(&doc);   // for the next frame, without the heap
 *     wabin_doc_release(&doc); // in the end
 */
#ifndef WABIN_WABIN_H
#define WABIN_WABIN_H

#include "wabin/wabin_attrs.h"
#include "wabin/wabin_build.h"
#include "wabin/wabin_decode.h"
#include "wabin/wabin_doc.h"
#include "wabin/wabin_encode.h"
#include "wabin/wabin_error.h"
#include "wabin/wabin_frame.h"
#include "wabin/wabin_jid.h"
#include "wabin/wabin_node.h"
#include "wabin/wabin_token.h"
#include "wabin/wabin_unpack.h"

/** The first bytes of a connection: "WA", 6, the dictionary's version. */
#define WABIN_PROLOGUE "WA\x06\x03"

#endif
