/* SPDX-License-Identifier: MIT */
/* Protocol addresses: a name, a dot and a number, as one text. */
#ifndef SIGNAL_STORE_SIGNAL_STORE_ADDRESS_H
#define SIGNAL_STORE_SIGNAL_STORE_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/status.h"
#include "wabin/wabin_jid.h"

/** Longest text that an address holds without a block, in bytes. */
#define SIGNAL_STORE_ADDRESS_INLINE 47

/**
 * An address, such as "5511987650001:5@c.us.0".  Its text, whether held here
 * or in a block, is all that comparison, order and hashing look at.  All zero
 * but for alloc, it has no text yet.  The struct may be moved, not copied.
 */
struct signal_store_address {
    const struct alloc *alloc; /* NULL: the C library */
    char *block;               /* of a longer text, else NULL */
    size_t size;               /* of the text */
    size_t name_size;
    uint32_t number;
    char near[SIGNAL_STORE_ADDRESS_INLINE + 1]; /* zero behind the text */
};

/** Give the block back, and leave no text. */
void signal_store_address_release(struct signal_store_address *address);

/**
 * Write an address over what was there, of which nothing stays.
 *
 *   name  borrowed for the call; may be empty; not a part of the address
 *
 * ST_NO_MEMORY  the text needs a block; the address is as it was
 */
MUST_CHECK enum status signal_store_address_set(
    struct signal_store_address *address, struct wabin_str name,
    uint32_t number);

/**
 * Write the address of a JID: user, `:` and the device if it is not 0, `@`,
 * the server (c.us in place of s.whatsapp.net), and the number 0.  No agent;
 * an empty user still has its `@`.  Fails as signal_store_address_set.
 */
MUST_CHECK enum status signal_store_address_of_jid(
    struct signal_store_address *address, const struct wabin_jid *jid);

/** The whole text: name, dot, number. */
struct wabin_str signal_store_address_text(
    const struct signal_store_address *address);

/** The text without dot and number. */
struct wabin_str signal_store_address_name(
    const struct signal_store_address *address);

/** Order of the texts, byte by byte: negative, 0 or positive. */
int signal_store_address_compare(const struct signal_store_address *a,
                                 const struct signal_store_address *b);

#endif
