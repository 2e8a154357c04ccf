/* SPDX-License-Identifier: MIT */
#include "testkit/slow.h"

#include <stdio.h>
#include <stdlib.h>
#include <valgrind/valgrind.h>

#include "testkit/testkit.h"

void testkit_only_when_slow(void)
{
    if (getenv("PLUMB_SLOW") != NULL)
        return;
    fputs("*** skipped: takes long; set PLUMB_SLOW ***\n", stderr);
    skip();
}

size_t testkit_rounds(size_t all)
{
    return RUNNING_ON_VALGRIND ? all / 20 : all;
}
