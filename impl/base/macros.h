/* SPDX-License-Identifier: MIT */
/* Compiler attributes and small macros that every module may use. */
#ifndef BASE_MACROS_H
#define BASE_MACROS_H

/** The caller must look at the result. */
#define MUST_CHECK __attribute__((warn_unused_result))

/** Branch hints, for error paths inside hot loops only. */
#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/** Keep a cold path out of the caller's frame and cache lines. */
#define COLD __attribute__((cold, noinline))

/** Keep a warm path out of the caller's frame. */
#define NOINLINE __attribute__((noinline))

#define ALWAYS_INLINE inline __attribute__((always_inline))

#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

/** Number of elements of an array (not of a pointer). */
#define ARRAY_COUNT(a) (sizeof(a) / sizeof((a)[0]))

#endif
