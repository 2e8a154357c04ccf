/* SPDX-License-Identifier: MIT */
/* The bytes of the format: tags and limits, in its order. */
#ifndef WABIN_WIRE_H
#define WABIN_WIRE_H

/* Tag bytes; 1 to 235 are tokens, 240 to 244 are unassigned. */
#define WIRE_LIST_EMPTY   0
#define WIRE_TOKEN_LAST   235
#define WIRE_DICTIONARY_0 236
#define WIRE_DICTIONARY_3 239
#define WIRE_INTEROP_JID  245
#define WIRE_FB_JID       246
#define WIRE_AD_JID       247
#define WIRE_LIST_8       248
#define WIRE_LIST_16      249
#define WIRE_JID_PAIR     250
#define WIRE_HEX_8        251
#define WIRE_BINARY_8     252
#define WIRE_BINARY_20    253
#define WIRE_BINARY_32    254
#define WIRE_NIBBLE_8     255

#define WIRE_PACKED_ODD  0x80u /* header bit: the last character is dropped */
#define WIRE_PACKED_SIZE 0x7fu

#define WIRE_BINARY_20_MASK 0xfffffu /* upper four bits are ignored */

/* Format byte of a frame. */
#define WIRE_FORMAT_PLAIN      0x00
#define WIRE_FORMAT_COMPRESSED 0x02 /* the one bit that is looked at */

/* Domain bytes of AD_JID. */
#define WIRE_DOMAIN_PN         0
#define WIRE_DOMAIN_LID        1
#define WIRE_DOMAIN_HOSTED     128
#define WIRE_DOMAIN_HOSTED_LID 129

#endif
