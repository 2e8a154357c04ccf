/* SPDX-License-Identifier: MIT */
/* The first of two passes: sizes and decisions, in the order of writing. */
#include "wabin/wabin_encode_internal.h"

#include "wabin/wabin_token.h"

static bool grow_notes(struct plan *plan)
{
    size_t size = plan->capacity * sizeof(struct text_note);
    struct text_note *notes =
        plan->notes == NULL
            ? alloc_get(plan->alloc, 2 * size)
            : alloc_resize(plan->alloc, plan->notes, size, 2 * size);

    if (notes == NULL)
        return false;
    if (plan->notes == NULL)
        memcpy(notes, plan->few, size);
    plan->notes = notes;
    plan->capacity *= 2;
    return true;
}

static bool add_note(struct plan *plan, struct text_note note)
{
    if (plan->count == plan->capacity && !grow_notes(plan))
        return false;
    struct text_note *notes = plan->notes != NULL ? plan->notes : plan->few;
    notes[plan->count++] = note;
    return true;
}

static struct text_note note_text(struct wabin_str text)
{
    uint32_t token = wabin_token_find(text);

    if (token == 0)
        return note_other(text);
    return (struct text_note){
        .form = FORM_TOKEN,
        .size = (uint8_t)text.size,
        .token = (uint16_t)token,
    };
}

static bool plan_text(struct plan *plan, struct wabin_str text);

static bool plan_pair_user(struct plan *plan, struct wabin_str user)
{
    if (user.size != 0)
        return plan_text(plan, user);
    plan->size++;
    return true;
}

static bool plan_text(struct plan *plan, struct wabin_str text)
{
    if (!is_noted(text)) {
        plan->size += raw_header_size(text.size) + text.size;
        return true;
    }
    struct text_note note = note_text(text);
    if (!add_note(plan, note))
        return false;
    struct wabin_str user = wabin_str_first(text, note.user_size);
    switch (note.form) {
    case FORM_TOKEN:
        plan->size += note.token < WABIN_TOKEN_SINGLE_END ? 1 : 2;
        return true;
    case FORM_NIBBLES:
    case FORM_HEX:
        plan->size += 2 + (text.size + 1) / 2;
        return true;
    case FORM_AD:
        plan->size += 3;
        return plan_text(plan, user);
    case FORM_PAIR:
        plan->size++;
        return plan_pair_user(plan, user) &&
               plan_text(plan, wabin_str_from(text, note.at + 1u));
    default:
        plan->size += raw_header_size(text.size) + text.size;
        return true;
    }
}

/* A device that cannot be written is the second pass's to report. */
static bool plan_jid(struct plan *plan, const struct wabin_value *jid)
{
    switch (jid_form(jid)) {
    case JID_INTEROP:
        plan->size += 5;
        return plan_text(plan, jid->text);
    case JID_AD:
        plan->size += 3;
        return plan_text(plan, jid->text);
    case JID_PAIR:
        break;
    }
    plan->size++;
    return plan_pair_user(plan, jid->text) &&
           plan_text(plan, wabin_server_text(jid->server));
}

static bool plan_node(struct plan *plan, const struct wabin_node *node);

static bool plan_content(struct plan *plan, const struct wabin_node *node)
{
    size_t size = node->content_size;

    switch (node->content) {
    case WABIN_BYTES:
        plan->size += raw_header_size(size) + size;
        return true;
    case WABIN_TEXT:
        return plan_text(plan, wabin_str(node->data, size));
    case WABIN_NODES:
        plan->size += list_header_size(size);
        for (size_t i = 0; i < size; i++)
            if (!plan_node(plan, &node->nodes[i]))
                return false;
        return true;
    default:
        return true;
    }
}

static bool plan_node(struct plan *plan, const struct wabin_node *node)
{
    plan->size += list_header_size(node_list_count(node));
    if (!plan_text(plan, node->tag))
        return false;
    for (uint32_t i = 0; i < node->attr_count; i++) {
        const struct wabin_attr *attr = &node->attrs[i];
        if (!plan_text(plan, attr->key))
            return false;
        if (attr->value.kind == WABIN_VALUE_JID
                ? !plan_jid(plan, &attr->value)
                : !plan_text(plan, attr->value.text))
            return false;
    }
    return plan_content(plan, node);
}

bool plan_make(struct plan *plan, const struct wabin_node *node,
               const struct alloc *alloc)
{
    plan->size = 1; /* the format byte */
    plan->notes = NULL;
    plan->count = 0;
    plan->capacity = NOTES_INLINE;
    plan->alloc = alloc;
    return plan_node(plan, node);
}

void plan_release(struct plan *plan)
{
    alloc_put(plan->alloc, plan->notes,
              plan->capacity * sizeof(struct text_note));
}
