/* SPDX-License-Identifier: MIT */
/* One reader in several threads. */
#include "mvt/tests/mvt_check.h"

#include <pthread.h>

#include "mvt/sample/mvt_sample.h"

struct reading {
    const struct mvt_reader *reader;
    pthread_barrier_t *start;
    const uint32_t *data;
    uint64_t sum;
};

static void *read_elements(void *arg)
{
    struct reading *reading = arg;
    struct mvt_elements e;

    pthread_barrier_wait(reading->start);
    for (size_t i = 0; i < reading->reader->feature_count; i++) {
        struct mvt_feature f = {.reader = reading->reader,
                                .record = &reading->reader->features[i]};
        if (mvt_feature_commands(&f, &e) != MVT_OK)
            return NULL;
        if (i == 0)
            reading->data = e.data;
        for (size_t k = 0; k < e.count; k++)
            reading->sum += e.data[k];
    }
    return NULL;
}

/* Several first calls at once: one array for all of them. */
static void test_concurrent_first_use(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct mvt_bytes sample;

    assert_true(mvt_sample_tile(5, 40000, &sample));
    for (int round = 0; round < 20; round++) {
        struct reading readings[THREADS] = {0};
        pthread_t threads[THREADS];
        pthread_barrier_t start;
        struct mvt_reader r;

        open_ok(&r, PROTOBUF_PATH_BEST, sample.data, sample.size);
        pthread_barrier_init(&start, NULL, THREADS);
        for (int i = 0; i < THREADS; i++) {
            readings[i] = (struct reading){.reader = &r, .start = &start};
            assert_int_equal(0, pthread_create(&threads[i], NULL,
                                               read_elements, &readings[i]));
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
            assert_non_null(readings[i].data);
            assert_ptr_equal(readings[0].data, readings[i].data);
            CHECK_U64(readings[0].sum, readings[i].sum);
        }
        pthread_barrier_destroy(&start);
        mvt_reader_free(&r);
    }
    mvt_bytes_free(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_concurrent_first_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
