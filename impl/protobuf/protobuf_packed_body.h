/* SPDX-License-Identifier: MIT */
/* The functions of a packed view, included once for each codec by
 * protobuf_packed.c, which defines
 *
 *   VIEW, ITER     the two structs
 *   FN(name)       a function's whole name
 *   ELEMENT        the element type
 *   CANONICAL(e)   the raw varint that encodes an element
 *   PRINT          its printf conversion, and PRINT_AS(e) the argument
 *
 * and takes them back. */

void FN(init)(VIEW *view, const struct alloc *alloc)
{
    *view = (VIEW){.alloc = alloc};
}

void FN(free)(VIEW *view)
{
    alloc_put(view->alloc, view->elements, view->capacity * sizeof(ELEMENT));
    FN(init)(view, view->alloc);
}

enum protobuf_fault FN(from)(VIEW *view, const uint8_t *payload, size_t size,
                             const struct alloc *alloc)
{
    if (!protobuf_packed_is_valid(payload, size))
        return first_fault(payload, size);
    FN(init)(view, alloc);
    if (size != 0) {
        view->payload = payload;
        view->payload_size = size;
        view->count = protobuf_packed_count(payload, size);
    }
    return PROTOBUF_OK;
}

/* Make room for `more` further elements, and be decoded.  Elements that were
 * borrowed are decoded into the room. */
static enum protobuf_fault FN(decode)(VIEW *view, size_t more)
{
    size_t need, size, capacity = view->capacity;

    if (!size_add(view->count, more, &need))
        return PROTOBUF_NO_MEMORY;
    if (need <= capacity)
        return PROTOBUF_OK;
    if (!size_mul(capacity, 2, &capacity) || capacity < need)
        capacity = need;
    if (!size_mul(capacity, sizeof(ELEMENT), &size))
        return PROTOBUF_NO_MEMORY;
    ELEMENT *elements = alloc_resize(view->alloc, view->elements,
                                     view->capacity * sizeof(ELEMENT), size);
    if (elements == NULL)
        return PROTOBUF_NO_MEMORY;
    if (view->elements == NULL) {
        ITER iter = FN(iter)(view);
        for (size_t i = 0; FN(next)(&iter, elements + i); i++)
            ;
    }
    view->elements = elements;
    view->capacity = capacity;
    view->payload = NULL;
    view->payload_size = 0;
    return PROTOBUF_OK;
}

enum protobuf_fault FN(from_array)(VIEW *view, const ELEMENT *elements,
                                   size_t count, const struct alloc *alloc)
{
    VIEW made;

    FN(init)(&made, alloc);
    if (count != 0) {
        enum protobuf_fault fault = FN(decode)(&made, count);
        if (fault != PROTOBUF_OK)
            return fault;
        memcpy(made.elements, elements, count * sizeof(ELEMENT));
        made.count = count;
    }
    *view = made;
    return PROTOBUF_OK;
}

enum protobuf_fault FN(push)(VIEW *view, ELEMENT element)
{
    enum protobuf_fault fault = FN(decode)(view, 1);

    if (fault == PROTOBUF_OK)
        view->elements[view->count++] = element;
    return fault;
}

enum protobuf_fault FN(extend)(VIEW *view, const uint8_t *payload, size_t size)
{
    VIEW added;
    enum protobuf_fault fault = FN(from)(&added, payload, size, view->alloc);

    if (fault != PROTOBUF_OK || added.count == 0)
        return fault;
    if (view->count == 0 && view->elements == NULL) {
        *view = added;
        return PROTOBUF_OK;
    }
    fault = FN(decode)(view, added.count);
    if (fault != PROTOBUF_OK)
        return fault;
    ITER iter = FN(iter)(&added);
    while (FN(next)(&iter, view->elements + view->count))
        view->count++;
    return PROTOBUF_OK;
}

size_t FN(skip)(ITER *iter, size_t n)
{
    if (n > iter->left)
        n = iter->left;
    iter->left -= n;
    if (iter->at != NULL)
        iter->at = protobuf_packed_after(iter->at, n);
    else
        iter->element += n;
    return n;
}

enum protobuf_fault FN(to_array)(const VIEW *view, const struct alloc *alloc,
                                 ELEMENT **out)
{
    ELEMENT *elements = NULL;
    size_t size;

    if (view->count != 0) {
        if (!size_mul(view->count, sizeof(ELEMENT), &size))
            return PROTOBUF_NO_MEMORY;
        elements = alloc_get(alloc, size);
        if (elements == NULL)
            return PROTOBUF_NO_MEMORY;
        ITER iter = FN(iter)(view);
        for (size_t i = 0; FN(next)(&iter, elements + i); i++)
            ;
    }
    *out = elements;
    return PROTOBUF_OK;
}

bool FN(equal)(const VIEW *a, const VIEW *b)
{
    ITER in_a = FN(iter)(a), in_b = FN(iter)(b);
    ELEMENT x, y;

    if (a->count != b->count)
        return false;
    while (FN(next)(&in_a, &x) && FN(next)(&in_b, &y))
        if (x != y)
            return false;
    return true;
}

size_t FN(size)(const VIEW *view)
{
    ITER iter = FN(iter)(view);
    size_t size = 0;
    ELEMENT e;

    while (FN(next)(&iter, &e))
        size += protobuf_varint_size(CANONICAL(e));
    return size;
}

enum status FN(write)(const VIEW *view, struct sink *s)
{
    ITER iter = FN(iter)(view);
    struct sink ahead = *s;
    ELEMENT e;

    while (FN(next)(&iter, &e))
        TRY(protobuf_put_varint(&ahead, CANONICAL(e)));
    *s = ahead;
    return ST_OK;
}

size_t FN(text)(const VIEW *view, char *out, size_t out_size)
{
    ITER iter = FN(iter)(view);
    size_t at = 0;
    ELEMENT e;

    text_add(out, out_size, &at, "[");
    for (const char *between = ""; FN(next)(&iter, &e); between = ", ")
        text_add(out, out_size, &at, "%s" PRINT, between, PRINT_AS(e));
    text_add(out, out_size, &at, "]");
    return at;
}

#undef VIEW
#undef ITER
#undef FN
#undef ELEMENT
#undef CANONICAL
#undef PRINT
#undef PRINT_AS
