/* SPDX-License-Identifier: MIT */
/* Calls that fail in turn: a test program puts FAULT() around the calls of a
 * file that it compiles a second time. */
#ifndef ENVELOPE_TESTS_ENVELOPE_FAULTS_H
#define ENVELOPE_TESTS_ENVELOPE_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

/** The call that fails, from 1, and the calls so far. */
static size_t fault_at, fault_calls;

static inline bool fault_now(void)
{
    return ++fault_calls == fault_at;
}

/** The value of a call, or of its failure. */
#define FAULT(failure, call) (fault_now() ? (failure) : (call))

/** Like FAULT, but the call is made and its outcome thrown away. */
#define FAULT_AFTER(failure, call)                                            \
    __extension__({                                                           \
        __typeof__(call) fault_result = (call);                               \
        fault_now() ? (failure) : fault_result;                               \
    })

/** Run a statement with the first, second, ... call failing, until it makes
 * fewer calls than that; it then must have succeeded. */
#define FOR_EACH_FAULT(statement)                                             \
    do {                                                                      \
        fault_at = 0;                                                         \
        do {                                                                  \
            fault_at++;                                                       \
            fault_calls = 0;                                                  \
            statement;                                                        \
        } while (fault_calls >= fault_at);                                    \
        fault_at = 0;                                                         \
    } while (0)

/** Whether the statement under FOR_EACH_FAULT had a call fail. */
static inline bool fault_happened(void)
{
    return fault_calls >= fault_at;
}

#endif
