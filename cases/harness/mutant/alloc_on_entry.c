/* SPDX-License-Identifier: MIT */
/*
 * An allocation at each function entry: linked into the mutants of `plumb
 * prove`, whose file is compiled with -pg -mfentry and then calls __fentry__
 * first of all.  The arguments of the function are still in registers there,
 * so all that a call may change is kept.
 */
#include <stdlib.h>

#define ENTRY_SIZE 24

void plumb_alloc_on_entry(void);
void plumb_alloc_on_entry(void)
{
    void *volatile p = malloc(ENTRY_SIZE);
    free(p);
}

#if defined(__x86_64__)
__asm__(".text\n"
        ".globl __fentry__\n"
        ".hidden __fentry__\n"
        ".type __fentry__, @function\n"
        "__fentry__:\n"
        "    push %rax\n"
        "    push %rcx\n"
        "    push %rdx\n"
        "    push %rsi\n"
        "    push %rdi\n"
        "    push %r8\n"
        "    push %r9\n"
        "    push %r10\n"
        "    push %r11\n"
        "    push %rbp\n"
        "    mov %rsp, %rbp\n"
        "    sub $256, %rsp\n"
        "    and $-16, %rsp\n"
        "    movups %xmm0, (%rsp)\n"
        "    movups %xmm1, 16(%rsp)\n"
        "    movups %xmm2, 32(%rsp)\n"
        "    movups %xmm3, 48(%rsp)\n"
        "    movups %xmm4, 64(%rsp)\n"
        "    movups %xmm5, 80(%rsp)\n"
        "    movups %xmm6, 96(%rsp)\n"
        "    movups %xmm7, 112(%rsp)\n"
        "    call plumb_alloc_on_entry\n"
        "    movups (%rsp), %xmm0\n"
        "    movups 16(%rsp), %xmm1\n"
        "    movups 32(%rsp), %xmm2\n"
        "    movups 48(%rsp), %xmm3\n"
        "    movups 64(%rsp), %xmm4\n"
        "    movups 80(%rsp), %xmm5\n"
        "    movups 96(%rsp), %xmm6\n"
        "    movups 112(%rsp), %xmm7\n"
        "    mov %rbp, %rsp\n"
        "    pop %rbp\n"
        "    pop %r11\n"
        "    pop %r10\n"
        "    pop %r9\n"
        "    pop %r8\n"
        "    pop %rdi\n"
        "    pop %rsi\n"
        "    pop %rdx\n"
        "    pop %rcx\n"
        "    pop %rax\n"
        "    ret\n"
        ".size __fentry__, .-__fentry__\n");
#endif
