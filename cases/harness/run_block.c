/* SPDX-License-Identifier: MIT */
#include "harness/run_block.h"

/*
 * The test stands at the loop head and is opaque to the compiler, so that
 * it can neither rotate the loop nor treat n = 0 apart: a block of no
 * operations runs the same path, and blocks of n cost c + n * a exactly.
 */
uint64_t run_block(uint64_t (*run)(void *state), void *state, uint64_t n)
{
    uint64_t last = 0;
    for (;;) {
#if defined(__x86_64__)
        __asm__ goto("testq %0, %0\n\tjz %l[done]" : : "r"(n) : "cc" : done);
#else
        __asm__ volatile("" : "+r"(n));
        if (n == 0)
            goto done;
#endif
        last = run(state);
        n--;
    }
done:
    return last;
}

uint64_t run_empty(void *state)
{
    (void)state;
    return 0;
}
