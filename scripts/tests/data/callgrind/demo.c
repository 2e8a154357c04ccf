#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>
#include "inl.h"
static int cmp(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
__attribute__((noinline)) int down(int n)
{
    return n <= 0 ? 0 : twist(n) + down(n - 1) * 3;
}
__attribute__((noinline)) int sort(int *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = twist(v[i] + i);
    qsort(v, (size_t)n, sizeof(*v), cmp);
    return v[0];
}
int main(void)
{
    int v[64] = {0};
    int r = 0;
    CALLGRIND_START_INSTRUMENTATION;
    for (int i = 0; i < 3; i++) {
        r += down(10 + i);
        r += sort(v, 64);
        CALLGRIND_DUMP_STATS_AT(i == 0 ? "warm" : i == 1 ? "0" : "1");
    }
    return r == 12345;
}
