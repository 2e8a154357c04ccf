/* SPDX-License-Identifier: MIT */
/* plumb-dec: reads a file with one of the decoders and says what it saw. */
#include "tools/plumb_dec.h"

#include <stdio.h>
#include <string.h>

#include "base/macros.h"

static const struct plumb_dec_command commands[] = {
    {"envelope",
     "FILE|- [--key-hex HEX [--tenant T] [--aad-hex HEX]] [--json]",
     "print the fields of a storage envelope and check it",
     plumb_dec_envelope},
    {"msgpack", "FILE|- [--depth N] [--json]",
     "walk one MessagePack document by its headers", plumb_dec_msgpack},
    {"mvt", "FILE|- [--json|--stats]",
     "print a vector tile, unpacked if it is gzip, as text", plumb_dec_mvt},
    {"wabin", "FILE|- [--hex] [--json]",
     "print a WhatsApp binary-node frame as a tree", plumb_dec_wabin},
};

static void print_usage(FILE *out)
{
    fprintf(out, "usage: plumb-dec COMMAND ...\n\n");
    for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
        fprintf(out, "  plumb-dec %s %s\n      %s\n", commands[i].name,
                commands[i].synopsis, commands[i].about);
    fprintf(out, "\n"
                 "\"-\" is standard input.  Exit status: 0 accepted, 1 the "
                 "decoder refuses the input,\n"
                 "2 usage, 3 the input cannot be read.\n");
}

static const struct plumb_dec_command *find_command(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

enum plumb_dec_exit plumb_dec_usage(const char *name)
{
    const struct plumb_dec_command *command = find_command(name);

    if (command != NULL)
        fprintf(stderr, "usage: plumb-dec %s %s\n", name, command->synopsis);
    return PLUMB_DEC_USAGE;
}

/* A result that was not written is no result. */
static enum plumb_dec_exit finish(enum plumb_dec_exit status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("plumb-dec: standard output");
        return PLUMB_DEC_UNREADABLE;
    }
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return PLUMB_DEC_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_usage(stdout);
        return (int)finish(PLUMB_DEC_OK);
    }
    const struct plumb_dec_command *command = find_command(argv[1]);
    if (command == NULL) {
        fprintf(stderr, "plumb-dec: no command \"%s\"\n", argv[1]);
        print_usage(stderr);
        return PLUMB_DEC_USAGE;
    }
    return (int)finish(command->run(argc - 1, argv + 1));
}
