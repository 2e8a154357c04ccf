/* SPDX-License-Identifier: MIT */
#include "harness/context.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((noreturn)) static void give_up(struct context *ctx,
                                              const char *what,
                                              const char *why)
{
    snprintf(ctx->failure, sizeof(ctx->failure), "%s: %s", what, why);
    ctx->give_up(ctx);
}

static void *context_buffer(void *vctx, size_t size)
{
    struct context *ctx = vctx;
    void **grown =
        realloc(ctx->buffers, (ctx->buffer_count + 1) * sizeof(*ctx->buffers));
    if (grown == NULL)
        give_up(ctx, "buffer", strerror(ENOMEM));
    ctx->buffers = grown;
    /* Whole lines, so that no two buffers share one. */
    size_t whole;
    unsigned char *p = NULL;
    if (!__builtin_add_overflow(size, ctx->buffer_shift + BENCH_ALIGN, &whole))
        p = aligned_alloc(BENCH_ALIGN, whole / BENCH_ALIGN * BENCH_ALIGN);
    if (p == NULL)
        give_up(ctx, "buffer", strerror(ENOMEM));
    ctx->buffers[ctx->buffer_count++] = p;
    return memset(p + ctx->buffer_shift, 0, size);
}

static void context_input(void *vctx, const void *data, size_t size)
{
    struct context *ctx = vctx;
    if (ctx->input != NULL)
        ctx->input(ctx->input_ctx, data, size);
}

static void context_fail(void *vctx, const char *why)
{
    struct context *ctx = vctx;
    snprintf(ctx->failure, sizeof(ctx->failure), "%s", why);
}

/** Read exactly size bytes; false with errno set, EIO for a short file. */
static bool read_all(int fd, char *to, size_t size)
{
    while (size > 0) {
        ssize_t n = read(fd, to, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            errno = EIO;
        if (n <= 0)
            return false;
        to += n;
        size -= (size_t)n;
    }
    return true;
}

static void *context_file(void *vctx, const char *path, size_t *size)
{
    struct context *ctx = vctx;
    struct stat st;
    int fd = openat(ctx->root_fd, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0)
        give_up(ctx, path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        give_up(ctx, path, "not a regular file");
    void *data = context_buffer(ctx, (size_t)st.st_size);
    if (!read_all(fd, data, (size_t)st.st_size))
        give_up(ctx, path, strerror(errno));
    close(fd);
    if (ctx->opened != NULL)
        ctx->opened(path);
    *size = (size_t)st.st_size;
    context_input(ctx, data, *size);
    return data;
}

bool context_open(struct context *ctx, const struct bench_case *c,
                  uint64_t seed, void **state)
{
    ctx->buffers = NULL;
    ctx->buffer_count = 0;
    ctx->failure[0] = '\0';
    *state = NULL;
    if (c->setup == NULL)
        return true;
    const struct bench_setup setup = {
        .seed = seed,
        .arg = c->arg,
        .ctx = ctx,
        .buffer = context_buffer,
        .input = context_input,
        .file = context_file,
        .fail = context_fail,
    };
    *state = c->setup(&setup);
    if (*state == NULL && ctx->failure[0] == '\0')
        snprintf(ctx->failure, sizeof(ctx->failure), "returned NULL");
    return *state != NULL && ctx->failure[0] == '\0';
}

void context_close(struct context *ctx, const struct bench_case *c,
                   void *state)
{
    if (c->teardown != NULL && (c->setup == NULL || state != NULL))
        c->teardown(state);
    for (size_t i = 0; i < ctx->buffer_count; i++)
        free(ctx->buffers[i]);
    free(ctx->buffers);
    ctx->buffers = NULL;
    ctx->buffer_count = 0;
}
