/* SPDX-License-Identifier: MIT */
/* What the commands of plumb-dec share: how they end, and their table row. */
#ifndef TOOLS_PLUMB_DEC_H
#define TOOLS_PLUMB_DEC_H

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

enum plumb_dec_exit plumb_dec_envelope(int argc, char **argv);
enum plumb_dec_exit plumb_dec_msgpack(int argc, char **argv);
enum plumb_dec_exit plumb_dec_mvt(int argc, char **argv);
enum plumb_dec_exit plumb_dec_wabin(int argc, char **argv);

#endif
