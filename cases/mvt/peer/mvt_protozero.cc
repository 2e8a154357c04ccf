/* SPDX-License-Identifier: MIT */
/* A tile read by hand on protozero: one pass over each layer for its tables,
 * one over its features.  Vectors are kept from layer to layer. */
#include "mvt/peer/mvt_protozero.h"

#include <protozero/pbf_message.hpp>
#include <vector>

namespace
{

using protozero::data_view;
using protozero::pbf_message;
using protozero::pbf_wire_type;

enum class tile_field : protozero::pbf_tag_type { layers = 3 };
enum class layer_field : protozero::pbf_tag_type {
    features = 2,
    keys = 3,
    values = 4
};
enum class feature_field : protozero::pbf_tag_type {
    id = 1,
    tags = 2,
    type = 3,
    geometry = 4
};
enum class value_field : protozero::pbf_tag_type {
    string_value = 1,
    float_value = 2,
    double_value = 3,
    int_value = 4,
    uint_value = 5,
    sint_value = 6,
    bool_value = 7
};

/* A property value: its kind, which is the number of its field, and what it
 * holds. */
struct value {
    data_view string;
    union {
        float f;
        double d;
        int64_t i;
        uint64_t u;
    };
    uint32_t kind;
};

struct point {
    int32_t x;
    int32_t y;
};

struct tables {
    std::vector<data_view> keys;
    std::vector<value> values;
    std::vector<data_view> features;
    std::vector<point> points;
};

value read_value(data_view data)
{
    pbf_message<value_field> message{data};
    value v{};

    while (message.next()) {
        v.kind = static_cast<uint32_t>(message.tag());
        switch (message.tag()) {
        case value_field::string_value:
            v.string = message.get_view();
            break;
        case value_field::float_value:
            v.f = message.get_float();
            break;
        case value_field::double_value:
            v.d = message.get_double();
            break;
        case value_field::int_value:
            v.i = message.get_int64();
            break;
        case value_field::uint_value:
            v.u = message.get_uint64();
            break;
        case value_field::sint_value:
            v.i = message.get_sint64();
            break;
        case value_field::bool_value:
            v.u = message.get_bool();
            break;
        default:
            message.skip();
        }
    }
    return v;
}

void read_tables(data_view layer, tables &t)
{
    pbf_message<layer_field> message{layer};

    t.keys.clear();
    t.values.clear();
    t.features.clear();
    while (message.next()) {
        switch (message.tag()) {
        case layer_field::features:
            t.features.push_back(message.get_view());
            break;
        case layer_field::keys:
            t.keys.push_back(message.get_view());
            break;
        case layer_field::values:
            t.values.push_back(read_value(message.get_view()));
            break;
        default:
            message.skip();
        }
    }
}

int64_t area_of(const point *p, size_t count)
{
    uint64_t sum = 0;
    const point *before = &p[count - 1];

    for (size_t i = 0; i < count; before = &p[i++])
        sum += static_cast<uint64_t>(static_cast<int64_t>(before->x) * p[i].y -
                                     static_cast<int64_t>(before->y) * p[i].x);
    return static_cast<int64_t>(sum);
}

template <typename Range>
uint64_t read_geometry(const Range &range, int type, std::vector<point> &out)
{
    auto it = range.begin();
    const auto end = range.end();
    uint64_t parts = 0, polygons = 0, sum = 0;
    size_t start = 0;
    point cursor{0, 0};

    out.clear();
    while (it != end) {
        const uint32_t word = *it++;
        if ((word & 7) == 7) {
            if (parts == 0 ||
                area_of(out.data() + start, out.size() - start) > 0)
                ++polygons;
            out.push_back(out[start]);
            ++parts;
            start = out.size();
            continue;
        }
        if ((word & 7) == 1 && type == 2)
            ++parts;
        for (uint32_t n = word >> 3; n != 0; --n) {
            if (it == end)
                throw protozero::end_of_buffer_exception{};
            cursor.x += protozero::decode_zigzag32(*it++);
            if (it == end)
                throw protozero::end_of_buffer_exception{};
            cursor.y += protozero::decode_zigzag32(*it++);
            out.push_back(cursor);
        }
    }
    for (const point &p : out)
        sum += (static_cast<uint64_t>(static_cast<uint32_t>(p.y)) << 32) +
               static_cast<uint32_t>(p.x);
    return sum + parts + polygons;
}

template <typename Range>
uint64_t read_properties(const Range &range, const tables &t)
{
    uint64_t sum = 0;

    for (auto it = range.begin(); it != range.end();) {
        const uint32_t key = *it++;
        if (it == range.end())
            break;
        const uint32_t value = *it++;
        if (key >= t.keys.size() || value >= t.values.size())
            continue;
        sum += t.keys[key].size() + t.values[value].string.size() +
               t.values[value].kind;
    }
    return sum;
}

uint64_t read_feature(data_view feature, tables &t)
{
    pbf_message<feature_field> message{feature};
    protozero::iterator_range<
        pbf_message<feature_field>::const_uint32_iterator>
        tags, geometry;
    uint64_t sum = 0;
    int type = 0;

    while (message.next()) {
        switch (message.tag()) {
        case feature_field::id:
            sum += message.get_uint64();
            break;
        case feature_field::tags:
            tags = message.get_packed_uint32();
            break;
        case feature_field::type:
            type = message.get_enum();
            break;
        case feature_field::geometry:
            geometry = message.get_packed_uint32();
            break;
        default:
            message.skip();
        }
    }
    return sum + read_geometry(geometry, type, t.points) +
           read_properties(tags, t);
}

} // namespace

uint64_t mvt_protozero_traverse(const uint8_t *tile, size_t size)
{
    static thread_local tables t; /* kept, as a user would */
    uint64_t sum = 0;

    try {
        pbf_message<tile_field> message{reinterpret_cast<const char *>(tile),
                                        size};
        while (message.next(tile_field::layers)) {
            read_tables(message.get_view(), t);
            for (const data_view &feature : t.features)
                sum += read_feature(feature, t);
        }
    } catch (const protozero::exception &) {
        return 0;
    }
    return sum;
}
