/* SPDX-License-Identifier: MIT */
/* Operations on trees, their attributes and their JIDs. */
#include "wabin/wabin_cases.h"

struct tree_state {
    const uint8_t *nodes;
    size_t size;
    struct wabin_doc doc;  /* decoded trees */
    struct wabin_doc copy; /* trees that stand alone */
    const struct wabin_node *tree;
};

static struct tree_state *setup_tree(const struct bench_setup *s,
                                     enum wabin_sample sample)
{
    struct tree_state *st = bench_buffer(s, sizeof(*st));
    struct case_frame frame = case_frame(s, sample);

    if (frame.data == NULL)
        return NULL;
    st->nodes = frame.data + 1;
    st->size = frame.size - 1;
    wabin_doc_init(&st->doc, NULL);
    wabin_doc_init(&st->copy, NULL);
    return st;
}

void teardown_tree(void *state)
{
    struct tree_state *st = state;
    wabin_doc_release(&st->doc);
    wabin_doc_release(&st->copy);
}

static bool decode(struct tree_state *st)
{
    wabin_doc_reset(&st->doc);
    return wabin_decode(&st->doc, st->nodes, st->size, &st->tree, NULL) ==
           WABIN_OK;
}

/* ---- attributes --------------------------------------------------------- */

void *setup_attr_parser(const struct bench_setup *s)
{
    return setup_tree(s, WABIN_SAMPLE_ATTR);
}

/** What is asked of the attr sample. */
struct answers {
    struct wabin_str xmlns;
    struct wabin_str type;
    struct wabin_jid from;
    bool has_from;
    bool flag;
    uint64_t timestamp;
    enum wabin_status status;
};

static struct answers ask(struct tree_state *st)
{
    struct answers a = {.status = WABIN_EOF};
    struct wabin_error error;

    if (!decode(st))
        return a;
    struct wabin_attrs attrs = wabin_attrs(st->tree, &st->doc, WABIN_BORROWED);
    a.xmlns = wabin_attrs_optional_string(&attrs, WABIN_STR("xmlns"));
    a.type = wabin_attrs_optional_string(&attrs, WABIN_STR("type"));
    a.has_from = wabin_attrs_optional_jid(&attrs, WABIN_STR("from"), &a.from);
    a.flag = wabin_attrs_optional_bool(&attrs, WABIN_STR("has_flag"));
    if (!wabin_attrs_optional_u64(&attrs, WABIN_STR("timestamp"),
                                  &a.timestamp))
        a.timestamp = 0;
    a.status = wabin_attrs_finish(&attrs, &error);
    return a;
}

uint64_t run_attr_parser(void *state)
{
    struct answers a = ask(state);

    return a.status == WABIN_OK ? a.timestamp + a.xmlns.size + a.type.size +
                                      a.from.user.size + a.flag
                                : 0;
}

void work_attr_parser(void *state, const struct bench_digest *d)
{
    struct answers a = ask(state);

    bench_digest_u64(d, a.status);
    case_digest_str(d, a.xmlns);
    case_digest_str(d, a.type);
    if (a.has_from)
        case_digest_jid(d, &a.from);
    bench_digest_u64(d, a.flag);
    bench_digest_u64(d, a.timestamp);
}

/* ---- children by tag ---------------------------------------------------- */

void *setup_usync(const struct bench_setup *s)
{
    struct tree_state *st = setup_tree(s, WABIN_SAMPLE_USYNC);

    if (st == NULL || !decode(st))
        return NULL;
    st->tree = wabin_copy(&st->copy, st->tree);
    return st->tree != NULL ? st : bench_fail(s, "no memory for the tree");
}

/* Every device of every user; 150 of them. */
uint64_t run_children_by_tag(void *state)
{
    static const struct wabin_str to_list[] = {{"usync", 5}, {"list", 4}};
    static const struct wabin_str to_devices[] = {{"devices", 7},
                                                  {"device-list", 11}};
    const struct tree_state *st = state;
    const struct wabin_node *list = wabin_get_path(st->tree, to_list, 2);
    const struct wabin_node *user, *device;
    uint64_t seen = 0;

    for (size_t at = 0;
         (user = wabin_next_child(list, WABIN_STR("user"), &at)) != NULL;) {
        const struct wabin_node *devices = wabin_get_path(user, to_devices, 2);
        for (size_t k = 0; (device = wabin_next_child(
                                devices, WABIN_STR("device"), &k)) != NULL;)
            seen += device->attr_count;
    }
    return seen;
}

/* ---- copies ------------------------------------------------------------- */

void *setup_jid_heavy(const struct bench_setup *s)
{
    return setup_tree(s, WABIN_SAMPLE_JID_HEAVY);
}

static const struct wabin_str jid_keys[] = {{"from", 4},
                                            {"to", 2},
                                            {"participant", 11},
                                            {"recipient", 9},
                                            {"notify", 6}};

/* Decode, copy, and ask the copy for five JIDs and two strings. */
static const struct wabin_node *own(struct tree_state *st)
{
    wabin_doc_reset(&st->copy);
    return decode(st) ? wabin_copy(&st->copy, st->tree) : NULL;
}

uint64_t run_to_owned(void *state)
{
    struct tree_state *st = state;
    const struct wabin_node *copy = own(st);
    struct wabin_jid jid;
    uint64_t seen = 0;

    if (copy == NULL)
        return 0;
    struct wabin_attrs attrs = wabin_attrs(copy, &st->copy, WABIN_OWNED);
    for (size_t i = 0; i < ARRAY_COUNT(jid_keys); i++)
        if (wabin_attrs_optional_jid(&attrs, jid_keys[i], &jid))
            seen += jid.user.size;
    seen += wabin_attrs_optional_string(&attrs, WABIN_STR("id")).size;
    return seen + wabin_attrs_optional_string(&attrs, WABIN_STR("type")).size;
}

void work_to_owned(void *state, const struct bench_digest *d)
{
    const struct wabin_node *copy = own(state);

    if (copy != NULL)
        case_digest_tree(d, copy);
    bench_digest_u64(d, run_to_owned(state));
}

/* ---- JIDs --------------------------------------------------------------- */

#define PARSED   4
#define FORMS    3
#define TEXT_MAX 64

/** Texts to parse, and JIDs to write. */
struct jid_state {
    struct wabin_str texts[PARSED];
    struct wabin_jid jids[FORMS];
    char out[FORMS][TEXT_MAX];
};

void *setup_jids(const struct bench_setup *s)
{
    static const struct wabin_str texts[PARSED] = {
        {"5511999990000@s.whatsapp.net", 28},
        {"123456789012345@lid", 19},
        {"5511999990000.0:7@s.whatsapp.net", 32},
        {"120363012345678901@g.us", 23}};
    static const struct wabin_jid jids[FORMS] = {
        {{"123456789012345", 15}, 7, 0, 0, WABIN_SERVER_LID},
        {{"5511999990000", 13}, 3, 0, 0, WABIN_SERVER_PN},
        {{"123456789012345", 15}, 7, 0, 0, WABIN_SERVER_LID}};
    struct jid_state *st = bench_buffer(s, sizeof(*st));

    for (size_t i = 0; i < PARSED; i++) {
        char *text = bench_input(s, texts[i].data, texts[i].size);
        text[0] = (char)(text[0] + s->seed % 5); /* another first digit */
        st->texts[i] = wabin_str(text, texts[i].size);
    }
    for (size_t i = 0; i < FORMS; i++) {
        char *user = bench_input(s, jids[i].user.data, jids[i].user.size);
        user[0] = (char)(user[0] + s->seed % 5);
        st->jids[i] = jids[i];
        st->jids[i].user.data = user;
    }
    return st;
}

uint64_t run_jid_parse(void *state)
{
    const struct jid_state *st = state;
    uint64_t seen = 0;

    for (size_t i = 0; i < PARSED; i++) {
        struct wabin_jid jid;
        if (wabin_jid_parse(st->texts[i], &jid, NULL) == WABIN_OK)
            seen += jid.user.size + jid.device;
    }
    return seen;
}

void work_jid_parse(void *state, const struct bench_digest *d)
{
    const struct jid_state *st = state;

    for (size_t i = 0; i < PARSED; i++) {
        struct wabin_jid jid;
        if (wabin_jid_parse(st->texts[i], &jid, NULL) == WABIN_OK)
            case_digest_jid(d, &jid);
    }
}

/* Each form once: as it is, without the device, as a participant. */
static size_t format(struct jid_state *st, size_t i)
{
    static const enum wabin_jid_form forms[FORMS] = {
        WABIN_JID_FULL, WABIN_JID_NON_AD, WABIN_JID_PARTICIPANT};
    return wabin_jid_format(&st->jids[i], forms[i], st->out[i], TEXT_MAX);
}

uint64_t run_jid_format(void *state)
{
    struct jid_state *st = state;
    uint64_t seen = 0;

    for (size_t i = 0; i < FORMS; i++)
        seen += format(st, i);
    return seen;
}

void work_jid_format(void *state, const struct bench_digest *d)
{
    struct jid_state *st = state;

    for (size_t i = 0; i < FORMS; i++)
        bench_digest(d, st->out[i], format(st, i));
}
