/* SPDX-License-Identifier: MIT */
/* The closed set of failures that cursors, sinks and memory share. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#define STATUS_LIST(X)                                                        \
    X(ST_OK, "ok")                                                            \
    X(ST_END, "no more items")                                                \
    X(ST_TRUNCATED, "input ends inside a value")                              \
    X(ST_OVERFLOW, "number does not fit its type")                            \
    X(ST_NO_SPACE, "output buffer is too small")                              \
    X(ST_NO_MEMORY, "out of memory")                                          \
    X(ST_LIMIT, "limit exceeded")

enum status {
#define X(name, text) name,
    STATUS_LIST(X)
#undef X
};

/** Static text of a status, never NULL. */
const char *status_text(enum status st);

/** Pass a failure on to the caller. */
#define TRY(expr)                                                             \
    do {                                                                      \
        enum status try_st = (expr);                                          \
        if (try_st != ST_OK)                                                  \
            return try_st;                                                    \
    } while (0)

#endif
