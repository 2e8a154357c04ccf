/* SPDX-License-Identifier: MIT */
/*
 * The instruments export these two names, so that every object loaded later
 * binds to them instead of to the C library's.  Before the guard is armed
 * the call is handed on: google-benchmark may start threads of its own.
 */
#include "harness/thread_guard.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <threads.h>
#include <unistd.h>

static int *guard_seen;

void thread_guard_arm(int *seen)
{
    guard_seen = seen;
}

static void refuse_when_armed(void)
{
    if (guard_seen == NULL)
        return;
    *guard_seen = 1;
    _exit(0);
}

__attribute__((visibility("default"))) int pthread_create(
    pthread_t *restrict thread, const pthread_attr_t *restrict attr,
    void *(*start)(void *), void *restrict arg)
{
    refuse_when_armed();
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
                void *);
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    return real(thread, attr, start, arg);
}

__attribute__((visibility("default"))) int thrd_create(thrd_t *thread,
                                                       thrd_start_t start,
                                                       void *arg)
{
    refuse_when_armed();
    int (*real)(thrd_t *, thrd_start_t, void *);
    *(void **)&real = dlsym(RTLD_NEXT, "thrd_create");
    return real(thread, start, arg);
}
