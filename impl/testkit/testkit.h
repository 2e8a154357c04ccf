/* SPDX-License-Identifier: MIT */
/* All that a test program includes: cmocka, and our checks on top of it. */
#ifndef TESTKIT_TESTKIT_H
#define TESTKIT_TESTKIT_H

/* cmocka.h wants these four first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "testkit/alloc_probe.h"
#include "testkit/check.h"
#include "testkit/guard.h"
#include "testkit/hex.h"
#include "testkit/slow.h"
#include "testkit/vectors.h"

#endif
