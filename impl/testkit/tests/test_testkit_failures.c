/* SPDX-License-Identifier: MIT */
/* What must stop a test does so, with both operands in its message.  Each
 * failure happens in a child process, whose output is read back. */
#include "testkit/testkit.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testkit/fuzz.h"

/* Run one failing step in a child and return its wait status; what it printed
 * goes to text. */
static int run_in_child(void (*step)(void **state), char text[4096])
{
    const struct CMUnitTest group[] = {{"step", step, NULL, NULL, NULL}};
    int ends[2];
    size_t size = 0;
    ssize_t n;
    int status = 0;

    assert_int_equal(0, pipe(ends));
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        _exit(cmocka_run_group_tests(group, NULL, NULL));
    }
    close(ends[1]);
    while ((n = read(ends[0], text + size, 4095 - size)) > 0)
        size += (size_t)n;
    text[size] = '\0';
    close(ends[0]);
    assert_int_equal(child, waitpid(child, &status, 0));
    return status;
}

static void expect_failure(void (*step)(void **state), const char *message)
{
    char text[4096];
    int status = run_in_child(step, text);

    if (!WIFEXITED(status) || WEXITSTATUS(status) != 1)
        CHECK_FAIL("wait status %#x, expected one failed test: %s", status,
                   text);
    if (strstr(text, message) == NULL)
        CHECK_FAIL("expected \"%s\" in: %s", message, text);
}

static void expect_signal(int number, void (*step)(void **state),
                          const char *message)
{
    char text[4096];
    int status = run_in_child(step, text);

    if (!WIFSIGNALED(status) || WTERMSIG(status) != number)
        CHECK_FAIL("wait status %#x, expected signal %d: %s", status, number,
                   text);
    if (strstr(text, message) == NULL)
        CHECK_FAIL("expected \"%s\" in: %s", message, text);
}

static void unequal_status(void **state)
{
    (void)state;
    CHECK_STATUS(ST_OK, (enum status)ST_LIMIT);
}

static void unequal_enum(void **state)
{
    (void)state;
    enum status got = ST_END;
    CHECK_ENUM(status_text, ST_TRUNCATED, got);
}

static void unequal_u64(void **state)
{
    (void)state;
    CHECK_U64(UINT64_MAX, 10);
}

static void unequal_i64(void **state)
{
    (void)state;
    CHECK_I64(INT64_MIN, -1);
}

static void unequal_size(void **state)
{
    (void)state;
    CHECK_SIZE(3, 4);
}

static void unequal_bool(void **state)
{
    (void)state;
    CHECK_BOOL(true, 0);
}

static void unequal_str(void **state)
{
    (void)state;
    CHECK_STR("abc", "abd");
}

static void null_str(void **state)
{
    (void)state;
    CHECK_STR("abc", NULL);
}

static void unequal_bytes(void **state)
{
    (void)state;
    CHECK_BYTES("0123456789abcdefXY", 18, "0123456789abcdefXZ", 18);
}

static void missing_byte(void **state)
{
    (void)state;
    CHECK_BYTES("abc", 3, "ab", 2);
}

static void test_checks_print_both_operands(void **state)
{
    (void)state;
    expect_failure(unequal_status, "expected 0 (ok), got 6 (limit exceeded)");
    expect_failure(unequal_enum, "got: expected 2 (input ends inside a value)"
                                 ", got 1 (no more items)");
    expect_failure(unequal_u64, "expected 18446744073709551615 "
                                "(0xffffffffffffffff), got 10 (0xa)");
    expect_failure(unequal_i64, "expected -9223372036854775808, got -1");
    expect_failure(unequal_size, "4: expected 3, got 4");
    expect_failure(unequal_bool, "0: expected true, got false");
    expect_failure(unequal_str, "expected \"abc\", got \"abd\"");
    expect_failure(null_str, "expected abc, got NULL");
}

static void test_bytes_show_the_first_difference(void **state)
{
    (void)state;
    expect_failure(unequal_bytes, "expected       16:  58 [59]");
    expect_failure(unequal_bytes, "actual         16:  58 [5a]");
    expect_failure(unequal_bytes, "first difference at 17");
    expect_failure(missing_byte, "expected 3 bytes, got 2");
    expect_failure(missing_byte, " 61  62 [63]");
}

static void test_equal_operands_pass(void **state)
{
    (void)state;
    CHECK_STATUS(ST_LIMIT, (enum status)ST_LIMIT);
    CHECK_U64(UINT64_MAX, UINT64_MAX);
    CHECK_I64(INT64_MIN, INT64_MIN);
    CHECK_SIZE(SIZE_MAX, SIZE_MAX);
    CHECK_BOOL(true, 2);
    CHECK_STR("abc", "abc");
    CHECK_STR(NULL, NULL);
    CHECK_BYTES("a\0b", 3, "a\0b", 3);
    CHECK_BYTES(NULL, 0, "", 0);
}

/* cmocka and sanitizers catch the signal otherwise. */
static void read_byte(const uint8_t *p)
{
    signal(SIGSEGV, SIG_DFL);
    (void)*(const volatile uint8_t *)p;
}

static void read_past_a_copy(void **state)
{
    (void)state;
    read_byte(guard_copy("12345", 5) + 5);
}

static void read_past_a_page(void **state)
{
    (void)state;
    static const uint8_t page[4096];
    read_byte(guard_copy(page, sizeof(page)) + sizeof(page));
}

static void read_an_empty_copy(void **state)
{
    (void)state;
    read_byte(guard_copy(NULL, 0));
}

static void read_past_a_buffer(void **state)
{
    (void)state;
    read_byte(guard_new(5) + 5);
}

static void write_to_a_copy(void **state)
{
    (void)state;
    uintptr_t in = (uintptr_t)guard_copy("12345", 5);
    signal(SIGSEGV, SIG_DFL);
    *(volatile uint8_t *)in = 0;
}

static void test_guards_stop_the_program(void **state)
{
    (void)state;
    expect_signal(SIGSEGV, read_past_a_copy, "");
    expect_signal(SIGSEGV, read_past_a_page, "");
    expect_signal(SIGSEGV, read_an_empty_copy, "");
    expect_signal(SIGSEGV, read_past_a_buffer, "");
    expect_signal(SIGSEGV, write_to_a_copy, "");
}

static void release_with_a_wrong_size(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);
    signal(SIGABRT, SIG_DFL);
    alloc_put(&a, alloc_get(&a, 8), 9);
}

static void false_property(void **state)
{
    (void)state;
    signal(SIGABRT, SIG_DFL);
    FUZZ_CHECK(1 + 1 == 3);
}

static void test_broken_promises_abort(void **state)
{
    (void)state;
    expect_signal(SIGABRT, release_with_a_wrong_size,
                  "wrong size of a block (told 9, block has 8)");
    expect_signal(SIGABRT, false_property,
                  "property does not hold: 1 + 1 == 3");
}

static void odd_hex(void **state)
{
    (void)state;
    uint8_t out[4];
    hex_decode("12 3", out, sizeof(out));
}

static void no_hex(void **state)
{
    (void)state;
    uint8_t out[4];
    hex_decode("12 g4", out, sizeof(out));
}

static void much_hex(void **state)
{
    (void)state;
    uint8_t out[1];
    hex_decode("1234", out, sizeof(out));
}

static void promised_vectors(void **state)
{
    (void)state;
    setenv("PLUMB_VECTORS", "/nowhere", 1);
    testkit_vectors("a/b.json");
}

static void test_bad_test_data_fails(void **state)
{
    (void)state;
    expect_failure(odd_hex, "no byte at offset 3 of \"12 3\"");
    expect_failure(no_hex, "no byte at offset 3");
    expect_failure(much_hex, "more than 1 bytes");
    expect_failure(promised_vectors, "/nowhere/a/b.json cannot be read");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checks_print_both_operands),
        cmocka_unit_test(test_bytes_show_the_first_difference),
        cmocka_unit_test(test_equal_operands_pass),
        cmocka_unit_test(test_guards_stop_the_program),
        cmocka_unit_test(test_broken_promises_abort),
        cmocka_unit_test(test_bad_test_data_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
