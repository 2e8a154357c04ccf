/* SPDX-License-Identifier: MIT */
/* Reading inputs whole, and the little JSON that the commands print. */
#include "tools/plumb_dec_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/utf8.h"

/* The first buffer of an input that does not say its size. */
#define FIRST_SIZE ((size_t)64 << 10)

/* A buffer that holds what the file says it has, and a byte more, so that
 * its end is seen without growing. */
static size_t first_size(int fd)
{
    struct stat st;

    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < 0 ||
        (uintmax_t)st.st_size >= SIZE_MAX)
        return FIRST_SIZE;
    return (size_t)st.st_size + 1;
}

/* Read up to the end; 0 or an errno.  *data is the caller's also then. */
static int read_all(int fd, uint8_t **data, size_t *size)
{
    size_t room = first_size(fd);

    *size = 0;
    *data = malloc(room);
    if (*data == NULL)
        return ENOMEM;
    for (;;) {
        ssize_t n = read(fd, *data + *size, room - *size);

        if (n == 0)
            return 0;
        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0)
            *size += (size_t)n;
        if (*size == room) {
            uint8_t *grown = NULL;

            if (size_mul(room, 2, &room))
                grown = realloc(*data, room);
            if (grown == NULL)
                return ENOMEM;
            *data = grown;
        }
    }
}

bool plumb_dec_read(const char *path, struct plumb_dec_input *input)
{
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    uint8_t *data = NULL;
    size_t size = 0;
    int error = fd < 0 ? errno : read_all(fd, &data, &size);

    if (fd >= 0 && !is_stdin)
        close(fd);
    if (error != 0) {
        fprintf(stderr, "plumb-dec: %s: %s\n", path, strerror(error));
        free(data);
        return false;
    }
    *input = (struct plumb_dec_input){.data = data, .size = size};
    return true;
}

void plumb_dec_release(struct plumb_dec_input *input)
{
    free(input->data);
    *input = (struct plumb_dec_input){.data = NULL};
}

void plumb_dec_json_text(FILE *out, const char *text)
{
    plumb_dec_json_bytes(out, text, strlen(text));
}

void plumb_dec_json_bytes(FILE *out, const char *text, size_t size)
{
    bool is_utf8 = utf8_valid((const uint8_t *)text, size);

    fputc('"', out);
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            fprintf(out, "\\u%04x", c);
        else if (c >= 0x80 && !is_utf8)
            fprintf(out, "\\ufffd");
        else
            fputc(c, out);
    }
    fputc('"', out);
}

int plumb_dec_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool plumb_dec_size(const char *text, size_t *value)
{
    size_t sum = 0;

    if (*text == '\0')
        return false;
    for (const char *p = text; *p != '\0'; p++) {
        if (*p < '0' || *p > '9' || !size_mul(sum, 10, &sum) ||
            !size_add(sum, (size_t)(*p - '0'), &sum))
            return false;
    }
    *value = sum;
    return true;
}
