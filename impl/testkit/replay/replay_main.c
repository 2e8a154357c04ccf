/* SPDX-License-Identifier: MIT */
/* The program around a fuzz target when no engine is: replay one corpus. */
#include "testkit/fuzz.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s CORPUS_FOLDER\n", argv[0]);
        return 2;
    }
    size_t run_count = corpus_replay(argv[1], LLVMFuzzerTestOneInput);
    printf("%s: %zu inputs\n", argv[1], run_count);
    return run_count != 0 ? 0 : 1;
}
