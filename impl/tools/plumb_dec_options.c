/* SPDX-License-Identifier: MIT */
/* The command line that commands have in common: options, and one input. */
#include "tools/plumb_dec.h"

#include <assert.h>
#include <getopt.h>
#include <stddef.h>

bool plumb_dec_options(int argc, char **argv,
                       const struct plumb_dec_option *options, int count,
                       const char **path)
{
    /* Numbered from 1; getopt ends with -1 and finds fault with a '?'. */
    struct option longs[PLUMB_DEC_OPTIONS_MAX + 1] = {{NULL, 0, NULL, 0}};
    int number;

    assert(count <= PLUMB_DEC_OPTIONS_MAX);
    for (int i = 0; i < count; i++)
        longs[i] = (struct option){.name = options[i].name,
                                   .has_arg = options[i].flag == NULL
                                                  ? required_argument
                                                  : no_argument,
                                   .val = i + 1};
    while ((number = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        if (number < 1 || number > count)
            return false;
        if (options[number - 1].flag != NULL)
            *options[number - 1].flag = true;
        else
            *options[number - 1].value = optarg;
    }
    if (optind + 1 != argc)
        return false;
    *path = argv[optind];
    return true;
}
