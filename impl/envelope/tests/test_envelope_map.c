/* SPDX-License-Identifier: MIT */
/* The map form: keys by name and by number, in any order, known and not. */
#include "envelope/tests/envelope_forms.h"

/* Keys of the map form. */
#define K_DATA   "af 636f6d707265737365645f64617461"
#define K_SUM    "a8 636865636b73756d"
#define K_SIZE   "ad 6f726967696e616c5f73697a65"
#define K_FORMAT "a6 666f726d6174"
#define P_DATA   K_DATA DATA
#define P_SUM    K_SUM SUM
#define P_SIZE   K_SIZE SIZE
#define P_FORMAT K_FORMAT FORMAT
#define FOUR     P_DATA P_SUM P_SIZE P_FORMAT

#define FIELD "field identifier"

static const struct form maps[] = {
    {"84" FOUR, NULL, NULL},
    {"84" P_FORMAT P_SIZE P_SUM P_DATA, NULL, NULL},
    {"de0004" FOUR, NULL, NULL},
    {"df00000004" FOUR, NULL, NULL},
    {"85" FOUR "a178 c0", NULL, NULL},
    {"85 a178 93010203" FOUR, NULL, NULL},
    {"85 a178 c70305010203" FOUR, NULL, NULL},
    {"85 a178 82a0c09190c2" FOUR, NULL, NULL},
    {"86" FOUR "a178 c0 a178 c0", NULL, NULL},
    {"85" FOUR "a0 c0", NULL, NULL},
    {"85 a1ff c0" FOUR, NULL, NULL},
    {"85 c40178 c0" FOUR, NULL, NULL},
    {"84 00" DATA "01" SUM "02" SIZE "03" FORMAT, NULL, NULL},
    {"84 cf0000000000000000" DATA "cc01" SUM "cd0002" SIZE "ce00000003" FORMAT,
     NULL, NULL},
    {"85 00" DATA "01" SUM "02" SIZE "03" FORMAT "04c0", NULL, NULL},
    {"85 cf0000000100000000 c0" FOUR, NULL, NULL},
    {"84" P_DATA P_SUM P_SIZE "c406 666f726d6174" FORMAT, NULL, NULL},
    {"84" P_DATA P_SUM P_SIZE "d906 666f726d6174" FORMAT, NULL, NULL},
    {"84" P_DATA "01" SUM P_SIZE "03" FORMAT, NULL, NULL},
    {"84" K_DATA "96" HELLO_BLOCK P_SUM P_SIZE P_FORMAT, NULL, NULL},
    {"85" FOUR P_FORMAT, "duplicate field `format`", NULL},
    {"85" P_DATA "00" DATA P_SUM P_SIZE P_FORMAT,
     "duplicate field `compressed_data`", NULL},
    {"85" FOUR "01c0", "duplicate field `checksum`", NULL},
    {"85" FOUR "02c0", "duplicate field `original_size`", NULL},
    {"83" P_DATA P_SUM P_SIZE, "missing field `format`", NULL},
    {"83" P_DATA P_SUM P_FORMAT, "missing field `original_size`", NULL},
    {"82" P_DATA P_SIZE, "missing field `checksum`", NULL},
    {"83" P_SUM P_SIZE P_FORMAT, "missing field `compressed_data`", NULL},
    {"80", "missing field `compressed_data`", NULL},
    {"85" FOUR "ffc0", TYPE("integer `-1`", FIELD), NULL},
    {"84 d000" DATA P_SUM P_SIZE P_FORMAT, TYPE("integer `0`", FIELD), NULL},
    {"85 c0c0" FOUR, TYPE("unit value", FIELD), NULL},
    {"85 c3c0" FOUR, TYPE("boolean `true`", FIELD), NULL},
    {"85 90c0" FOUR, TYPE("sequence", FIELD), NULL},
    {"85 80c0" FOUR, TYPE("map", FIELD), NULL},
    {"85 d40100c0" FOUR, TYPE("newtype struct", FIELD), NULL},
    {"85 ca00000000c0" FOUR, TYPE("floating point `number`", FIELD), NULL},
    /* The key is judged before "duplicate", and that before the value. */
    {"82" P_FORMAT K_FORMAT "c0", "duplicate field `format`", NULL},
    {"82" K_FORMAT "c0 c0c0", TYPE("unit value", STRING), NULL},
};

static void test_map_forms(void **state)
{
    (void)state;
    CHECK_FORMS(maps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
