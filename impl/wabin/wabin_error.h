/* SPDX-License-Identifier: MIT */
/* What can go wrong with a frame, a node, a JID or an attribute. */
#ifndef WABIN_ERROR_H
#define WABIN_ERROR_H

#include <stddef.h>
#include <stdint.h>

#include "wabin/wabin_str.h"

/** Kinds of failure with their names, which are part of the interface. */
#define WABIN_STATUS_LIST(X)                                                  \
    X(WABIN_OK, "Ok")                                                         \
    X(WABIN_IO, "Io")                                                         \
    X(WABIN_INVALID_TOKEN, "InvalidToken")                                    \
    X(WABIN_INVALID_NODE, "InvalidNode")                                      \
    X(WABIN_NON_STRING_KEY, "NonStringKey")                                   \
    X(WABIN_ATTR_PARSE, "AttrParse")                                          \
    X(WABIN_MISSING_ATTR, "MissingAttr")                                      \
    X(WABIN_INVALID_UTF8, "InvalidUtf8")                                      \
    X(WABIN_ZLIB, "Zlib")                                                     \
    X(WABIN_BAD_JID, "Jid")                                                   \
    X(WABIN_EOF, "UnexpectedEof")                                             \
    X(WABIN_EMPTY_DATA, "EmptyData")                                          \
    X(WABIN_LEFTOVER_DATA, "LeftoverData")                                    \
    X(WABIN_ATTR_LIST, "AttrList")                                            \
    X(WABIN_MAX_DEPTH, "MaxDepthExceeded")                                    \
    X(WABIN_PLAN_MISMATCH, "PlanMismatch")                                    \
    X(WABIN_FORMAT_BYTE, "UnexpectedFormatByte")                              \
    X(WABIN_NO_MEMORY, "NoMemory")

enum wabin_status {
#define X(name, text) name,
    WABIN_STATUS_LIST(X)
#undef X
};

/** What exactly failed, for the kinds that have more than one way. */
enum wabin_cause {
    WABIN_CAUSE_NONE,
    /* WABIN_ATTR_PARSE, from the codec */
    WABIN_CAUSE_PAIR_SERVER, /* text: the server */
    WABIN_CAUSE_AD_DOMAIN,   /* number: the domain byte */
    WABIN_CAUSE_AD_DEVICE,   /* number: the device */
    /* WABIN_ATTR_PARSE, from the attribute parser; key is set */
    WABIN_CAUSE_REQUIRED,
    WABIN_CAUSE_BOOL,      /* text: the value */
    WABIN_CAUSE_U64,       /* text, fault */
    WABIN_CAUSE_I64,       /* text, fault */
    WABIN_CAUSE_JID_VALUE, /* text */
    /* WABIN_BAD_JID */
    WABIN_CAUSE_NO_USER, /* text: a server that is none, without a user */
    WABIN_CAUSE_SERVER,  /* text: the unknown server */
    WABIN_CAUSE_AGENT,   /* number: above 255 */
    WABIN_CAUSE_DEVICE,  /* fault */
    /* WABIN_ZLIB */
    WABIN_CAUSE_TOO_LARGE, /* number: the limit */
    WABIN_CAUSE_TRUNCATED,
    WABIN_CAUSE_DATA,
    WABIN_CAUSE_DICTIONARY,
    WABIN_CAUSE_MEMORY,
};

/** Why text is no number. */
enum wabin_number_fault {
    WABIN_NUMBER_OK,
    WABIN_NUMBER_EMPTY,
    WABIN_NUMBER_DIGIT,
    WABIN_NUMBER_LARGE,
    WABIN_NUMBER_SMALL,
};

/**
 * One failure: plain values, made without allocation.  Its texts are borrowed
 * from what the failed call was given (the input, the node, the key) or from
 * the doc it filled, and live as long as those.
 */
struct wabin_error {
    enum wabin_status status;
    enum wabin_cause cause;
    enum wabin_number_fault fault;
    bool relayed; /* WABIN_BAD_JID inside a list: its text says the prefix of
                     the JID parser a second time */
    uint32_t length; /* WABIN_INVALID_UTF8: bytes that are wrong; 0 when the
                        text ends inside a sequence */
    uint64_t number; /* WABIN_INVALID_TOKEN, WABIN_FORMAT_BYTE: the byte;
                        WABIN_LEFTOVER_DATA: bytes; WABIN_INVALID_UTF8: index
                        in the text; others: see the cause */
    size_t at; /* offset in the bytes decoded: of the tag, domain or packed
                  byte that is wrong or too deep, of what is cut short, of the
                  first byte of a broken UTF-8 sequence, of the first byte
                  left over */
    struct wabin_str key;
    struct wabin_str text;
    const struct wabin_error *list; /* WABIN_ATTR_LIST: what was collected */
    size_t list_count;
};

/** Name of a kind, such as "UnexpectedEof"; static, never NULL. */
const char *wabin_status_name(enum wabin_status status);

/**
 * Write the message of a failure for people, snprintf style: at most size
 * bytes, the last one zero.
 *
 * Returns the size of the whole message without its zero.  The message holds
 * texts of the input as they are, NUL included.
 */
size_t wabin_error_text(const struct wabin_error *error, char *out,
                        size_t size);

/** Like wabin_error_text, but only the argument of the kind: the text behind
 * "Attribute parsing failed: ", the number of a token; empty where the kind
 * has none. */
size_t wabin_error_argument(const struct wabin_error *error, char *out,
                            size_t size);

/** Why a number is none; static text, never NULL. */
const char *wabin_number_fault_text(enum wabin_number_fault fault);

#endif
