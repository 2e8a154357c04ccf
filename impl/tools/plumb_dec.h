/* SPDX-License-Identifier: MIT */
/* What the commands of plumb-dec share: how they end, and their table row. */
#ifndef TOOLS_PLUMB_DEC_H
#define TOOLS_PLUMB_DEC_H

#include <stdbool.h>

#include "base/macros.h"

/** How a command ends; the exit status of the program. */
enum plumb_dec_exit {
    PLUMB_DEC_OK = 0,
    PLUMB_DEC_REJECTED = 1,   /* a decoder refused the input */
    PLUMB_DEC_USAGE = 2,      /* the command line is wrong */
    PLUMB_DEC_UNREADABLE = 3, /* cannot read, write, or get memory */
};

/** A decoder's command.  To add one: a row in plumb_dec.c, its function in
 * plumb_dec_<name>.c. */
struct plumb_dec_command {
    const char *name;
    const char *synopsis; /* what follows the name on the command line */
    const char *about;    /* one line */
    /** argv[0] is the command's name, as getopt wants it. */
    enum plumb_dec_exit (*run)(int argc, char **argv);
};

/** The usage of one command on standard error; returns PLUMB_DEC_USAGE. */
enum plumb_dec_exit plumb_dec_usage(const char *name);

/** An option of a command: a flag that it sets, or a value that it takes. */
struct plumb_dec_option {
    const char *name; /* after the two dashes */
    bool *flag;       /* NULL when it takes a value */
    const char **value;
};

#define PLUMB_DEC_OPTIONS_MAX 8

/**
 * Read the command line of a command with one input.
 *
 *   options, count  at most PLUMB_DEC_OPTIONS_MAX; what is not given keeps the
 *                   value it has
 *   path            out: the input
 *
 * False when the command line is wrong.
 */
MUST_CHECK bool plumb_dec_options(int argc, char **argv,
                                  const struct plumb_dec_option *options,
                                  int count, const char **path);

enum plumb_dec_exit plumb_dec_envelope(int argc, char **argv);
enum plumb_dec_exit plumb_dec_msgpack(int argc, char **argv);
enum plumb_dec_exit plumb_dec_mvt(int argc, char **argv);
enum plumb_dec_exit plumb_dec_wabin(int argc, char **argv);

#endif
