/* SPDX-License-Identifier: MIT */
/* Geometry one vertex at a time, for any processor and any coordinates. */
#include "mvt/mvt_geometry_internal.h"
#include "protobuf/protobuf_internal.h"
#include "protobuf/protobuf_wire.h"

struct pen {
    const uint8_t *at;
    const uint8_t *end;
    int32_t x;
    int32_t y;
};

static ALWAYS_INLINE void pen_init(struct pen *pen,
                                   const struct mvt_geometry_decoder *d)
{
    *pen = (struct pen){.at = d->payload.at, .end = d->payload.end};
}

static ALWAYS_INLINE bool pen_more(const struct pen *pen)
{
    return pen->at != pen->end;
}

static ALWAYS_INLINE uint32_t pen_peek(const struct pen *pen)
{
    uint32_t word;
    (void)protobuf_element_u32(pen->at, &word);
    return word;
}

static ALWAYS_INLINE uint32_t pen_word(struct pen *pen)
{
    uint32_t word;
    pen->at = protobuf_element_u32(pen->at, &word);
    return word;
}

/* a + delta, held at the ends of 32 bits. */
static ALWAYS_INLINE int32_t add_saturating(int32_t a, int32_t delta)
{
    int32_t sum;

    if (UNLIKELY(__builtin_add_overflow(a, delta, &sum)))
        return delta < 0 ? INT32_MIN : INT32_MAX;
    return sum;
}

static ALWAYS_INLINE bool pen_draw(struct pen *pen, size_t count,
                                   struct mvt_point *out)
{
    const uint8_t *p = pen->at, *end = pen->end;
    int32_t x = pen->x, y = pen->y;

    for (; count != 0; count--) {
        uint32_t dx, dy;
        if (UNLIKELY(p == end))
            return false;
        p = protobuf_element_u32(p, &dx);
        if (UNLIKELY(p == end))
            return false;
        p = protobuf_element_u32(p, &dy);
        x = add_saturating(x, protobuf_unzigzag32(dx));
        y = add_saturating(y, protobuf_unzigzag32(dy));
        *out++ = (struct mvt_point){x, y};
    }
    *pen = (struct pen){p, end, x, y};
    return true;
}

static ALWAYS_INLINE bool pen_dot(struct pen *pen, struct mvt_point *out)
{
    return pen_draw(pen, 1, out);
}

static ALWAYS_INLINE bool pen_is_exact(const struct pen *pen)
{
    (void)pen;
    return true; /* it saturates where it must */
}

#define DECODE_NAME mvt_geometry_decode_portable
#include "mvt/mvt_geometry_body.h"
