/* SPDX-License-Identifier: MIT */
/* Packed fields in several records, read as if they were in one. */
#include "mvt/tests/mvt_check.h"

#include "base/prng.h"
#include "mvt/reference/mvt_reference.h"

/* Cut a packed field at random element boundaries into packed and single
 * records, with unknown fields between them. */
static uint8_t *put_split(uint64_t *seed, uint8_t *p, uint8_t field,
                          const uint32_t *elements, size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t n = 1 + (size_t)prng_below(seed, count - i), size = 0;
        uint64_t how = prng_below(seed, 4);
        if (how == 0) {
            *p++ = (uint8_t)(field << 3);
            p = protobuf_put_varint_at(p, elements[i++]);
            continue;
        }
        if (how == 1) { /* an unknown field, or an empty record */
            *p++ = prng_below(seed, 2) == 0 ? 0x7a : (uint8_t)(field << 3 | 2);
            *p++ = 0;
        }
        for (size_t k = i; k < i + n; k++)
            size += protobuf_varint_size(elements[k]);
        *p++ = (uint8_t)(field << 3 | 2);
        p = protobuf_put_varint_at(p, size);
        for (; n != 0; n--)
            p = protobuf_put_varint_at(p, elements[i++]);
    }
    return p;
}

static uint8_t *split_tile(uint64_t *seed, const uint32_t *tags,
                           size_t tag_count, const uint32_t *commands,
                           size_t command_count, size_t *size)
{
    static const uint8_t tables[] = {0x1a, 0x01, 'k', 0x22, 0x02, 0x20, 0x05};
    uint8_t feature[4000], fields[4096], *p = feature, *q = fields;

    p = put_split(seed, p, 2, tags, tag_count);
    *p++ = 0x18;
    *p++ = 0x02;
    p = put_split(seed, p, 4, commands, command_count);
    *q++ = 0x12;
    q = protobuf_put_varint_at(q, (uint64_t)(p - feature));
    memcpy(q, feature, (size_t)(p - feature));
    q += p - feature;
    memcpy(q, tables, sizeof(tables));
    q += sizeof(tables);
    return tile_of_layer(fields, (size_t)(q - fields), size);
}

static void test_split_fields(void **state)
{
    (void)state;
    static const uint32_t tags[] = {0, 0, 0, 300, 70000, 0, 0};
    uint64_t seed = 17;
    uint32_t commands[64] = {9, 300, 5000, 2 | 30 << 3};

    for (size_t i = 4; i < 64; i++)
        commands[i] = (uint32_t)(i * i * i % 3000);
    for (int round = 0; round < 3000; round++) {
        struct mvt_proto_tile message;
        struct protobuf_error error;
        struct mvt_reader r;
        struct mvt_elements e;
        size_t size;
        uint8_t *bytes = split_tile(&seed, tags, 7, commands, 64, &size);
        const uint8_t *tile = guard_copy(bytes, size);

        open_ok(&r, mvt_paths[round % 3], tile, size);
        struct mvt_feature f = mvt_layer_feature(mvt_reader_layer(&r, 0), 0);
        CHECK_FAULT(MVT_OK, mvt_feature_tags(&f, &e));
        CHECK_BYTES(tags, sizeof(tags), e.data, e.count * sizeof(*e.data));
        CHECK_FAULT(MVT_OK, mvt_feature_commands(&f, &e));
        CHECK_BYTES(commands, sizeof(commands), e.data,
                    e.count * sizeof(*e.data));
        struct mvt_geometry g, want;
        CHECK_FAULT(MVT_OK, mvt_feature_geometry(&f, NULL, &g));
        CHECK_FAULT(MVT_OK, mvt_reference_geometry(MVT_TYPE_LINESTRING,
                                                   commands, 64, &want));
        assert_true(mvt_geometry_equal(&want, &g));
        mvt_geometry_free(&g, NULL);
        mvt_geometry_free(&want, NULL);
        assert_int_equal(PROTOBUF_OK,
                         mvt_proto_decode(tile, size, NULL, &message, &error));
        assert_null(mvt_compare(&r, &message));
        mvt_proto_free(&message);
        mvt_reader_free(&r);
        guard_free(tile, size);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
