/* SPDX-License-Identifier: MIT */
/* Failures as text, rendered only when somebody asks. */
#include "wabin/wabin_error.h"

#include <stdio.h>

/** Text under way; size counts on beyond the end of out. */
struct printer {
    char *out;
    size_t out_size;
    size_t size;
    bool quoted; /* escape what would end or break a quoted text */
};

static void print_byte(struct printer *p, char byte)
{
    if (p->size < p->out_size)
        p->out[p->size] = byte;
    p->size++;
}

static void print_plain(struct printer *p, const char *text)
{
    for (; *text != '\0'; text++)
        print_byte(p, *text);
}

/* Control characters: C0, DEL, and C1 in its two UTF-8 bytes.  Gives the
 * bytes that were used up, 0 when s does not begin with one. */
static size_t print_control(struct printer *p, struct wabin_str s)
{
    unsigned lead = (unsigned char)s.data[0];
    bool c1 = lead == 0xc2 && s.size > 1 && (unsigned char)s.data[1] < 0xa0;
    unsigned c = c1 ? (unsigned char)s.data[1] : lead;
    char escape[12];

    if (!c1 && c >= 0x20 && c != 0x7f)
        return 0;
    snprintf(escape, sizeof(escape), "\\u{%x}", c);
    print_plain(p, c == '\n'   ? "\\n"
                   : c == '\r' ? "\\r"
                   : c == '\t' ? "\\t"
                   : c == '\0' ? "\\0"
                               : escape);
    return c1 ? 2 : 1;
}

static void print_escaped(struct printer *p, struct wabin_str s)
{
    for (size_t i = 0, used; i < s.size; i += used) {
        used = print_control(p, wabin_str_from(s, i));
        if (used == 0) {
            if (s.data[i] == '"' || s.data[i] == '\\')
                print_byte(p, '\\');
            print_byte(p, s.data[i]);
            used = 1;
        }
    }
}

static void print(struct printer *p, struct wabin_str s)
{
    if (p->quoted) {
        print_escaped(p, s);
        return;
    }
    for (size_t i = 0; i < s.size; i++)
        print_byte(p, s.data[i]);
}

static void print_text(struct printer *p, const char *text)
{
    print(p, wabin_str(text, strlen(text)));
}

static void print_number(struct printer *p, uint64_t number)
{
    char digits[24];
    int size =
        snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);
    print(p, wabin_str(digits, (size_t)size));
}

static size_t print_end(const struct printer *p)
{
    if (p->out_size != 0)
        p->out[p->size < p->out_size ? p->size : p->out_size - 1] = '\0';
    return p->size;
}

const char *wabin_status_name(enum wabin_status status)
{
    static const char *const names[] = {
#define X(name, text) text,
        WABIN_STATUS_LIST(X)
#undef X
    };
    return (size_t)status < ARRAY_COUNT(names) ? names[status] : "unknown";
}

const char *wabin_number_fault_text(enum wabin_number_fault fault)
{
    switch (fault) {
    case WABIN_NUMBER_OK:
        break;
    case WABIN_NUMBER_EMPTY:
        return "cannot parse integer from empty string";
    case WABIN_NUMBER_DIGIT:
        return "invalid digit found in string";
    case WABIN_NUMBER_LARGE:
        return "number too large to fit in target type";
    case WABIN_NUMBER_SMALL:
        return "number too small to fit in target type";
    }
    return "a number";
}

/** "Failed to parse TYPE from 'value' for key 'key'" */
static void print_attr(struct printer *p, const struct wabin_error *e,
                       const char *type)
{
    print_text(p, "Failed to parse ");
    print_text(p, type);
    print_text(p, " from '");
    print(p, e->text);
    print_text(p, "' for key '");
    print(p, e->key);
    print_text(p, "'");
    if (e->fault != WABIN_NUMBER_OK) {
        print_text(p, ": ");
        print_text(p, wabin_number_fault_text(e->fault));
    }
}

static void print_attr_parse(struct printer *p, const struct wabin_error *e)
{
    switch (e->cause) {
    case WABIN_CAUSE_PAIR_SERVER:
        print_text(p, "JID_PAIR unknown server: ");
        print(p, e->text);
        break;
    case WABIN_CAUSE_AD_DOMAIN:
        print_text(p, "read_ad_jid - Invalid domain type encoding ");
        print_number(p, e->number);
        break;
    case WABIN_CAUSE_AD_DEVICE:
        print_text(p, "AD_JID device id out of range: ");
        print_number(p, e->number);
        break;
    case WABIN_CAUSE_REQUIRED:
        print_text(p, "Required attribute '");
        print(p, e->key);
        print_text(p, "' not found");
        break;
    case WABIN_CAUSE_BOOL:
        print_attr(p, e, "bool");
        break;
    case WABIN_CAUSE_U64:
        print_attr(p, e, "u64");
        break;
    case WABIN_CAUSE_I64:
        print_attr(p, e, "i64");
        break;
    default:
        print_text(p, "Invalid JID: ");
        print(p, e->text);
    }
}

static void print_jid(struct printer *p, const struct wabin_error *e)
{
    if (e->cause == WABIN_CAUSE_DEVICE) {
        print_text(p, wabin_number_fault_text(e->fault));
    } else if (e->cause == WABIN_CAUSE_AGENT) {
        print_text(p, "Agent component out of range: ");
        print_number(p, e->number);
    } else if (e->cause == WABIN_CAUSE_SERVER) {
        print_text(p, "unknown server: ");
        print(p, e->text);
    } else {
        print_text(p, "unknown server '");
        print(p, e->text);
        print_text(p, "'");
    }
}

static const char *jid_prefix(const struct wabin_error *e)
{
    return e->cause == WABIN_CAUSE_DEVICE ? "Failed to parse component: "
                                          : "Invalid JID format: ";
}

static void print_zlib(struct printer *p, const struct wabin_error *e)
{
    switch (e->cause) {
    case WABIN_CAUSE_TOO_LARGE:
        print_text(p, "decompressed payload exceeds ");
        print_number(p, e->number);
        print_text(p, " bytes");
        break;
    case WABIN_CAUSE_TRUNCATED:
        print_text(p, "zlib stream truncated (no progress)");
        break;
    case WABIN_CAUSE_DICTIONARY:
        print_text(p, "need dictionary");
        break;
    case WABIN_CAUSE_MEMORY:
        print_text(p, "insufficient memory");
        break;
    default:
        print_text(p, "data error");
    }
}

static void print_utf8(struct printer *p, const struct wabin_error *e)
{
    if (e->length == 0) {
        print_text(p, "incomplete utf-8 byte sequence from index ");
    } else {
        print_text(p, "invalid utf-8 sequence of ");
        print_number(p, e->length);
        print_text(p, " bytes from index ");
    }
    print_number(p, e->number);
}

/* An item of a list: kind, and its argument in quotes. */
static void print_item(struct printer *p, const struct wabin_error *e)
{
    bool jid = e->status == WABIN_BAD_JID;

    print_plain(p, jid ? "Jid(InvalidFormat(\"" : "AttrParse(\"");
    p->quoted = true;
    if (jid) {
        print_text(p, jid_prefix(e));
        print_jid(p, e);
    } else {
        print_attr_parse(p, e);
    }
    p->quoted = false;
    print_plain(p, jid ? "\"))" : "\")");
}

static void print_list(struct printer *p, const struct wabin_error *e)
{
    for (size_t i = 0; i < e->list_count; i++) {
        if (i != 0)
            print_plain(p, ", ");
        print_item(p, &e->list[i]);
    }
}

static void print_argument(struct printer *p, const struct wabin_error *e)
{
    switch (e->status) {
    case WABIN_IO:
        print(p, e->text);
        break;
    case WABIN_INVALID_TOKEN:
    case WABIN_LEFTOVER_DATA:
        print_number(p, e->number);
        break;
    case WABIN_FORMAT_BYTE: {
        char hex[8];
        snprintf(hex, sizeof(hex), "0x%02x", (unsigned)e->number);
        print_text(p, hex);
        break;
    }
    case WABIN_ATTR_PARSE:
        print_attr_parse(p, e);
        break;
    case WABIN_MISSING_ATTR:
        print(p, e->key);
        break;
    case WABIN_INVALID_UTF8:
        print_utf8(p, e);
        break;
    case WABIN_ZLIB:
        print_zlib(p, e);
        break;
    case WABIN_BAD_JID:
        if (e->relayed)
            print_text(p, jid_prefix(e));
        print_jid(p, e);
        break;
    case WABIN_ATTR_LIST:
        print_list(p, e);
        break;
    default:
        break;
    }
}

/* What stands before and behind the argument. */
struct frame_text {
    const char *before;
    const char *behind;
};

static struct frame_text frame_text(const struct wabin_error *e)
{
    switch (e->status) {
    case WABIN_OK:
        return (struct frame_text){"no error", ""};
    case WABIN_IO:
        return (struct frame_text){"I/O error: ", ""};
    case WABIN_INVALID_TOKEN:
        return (struct frame_text){"Invalid token read from stream: ", ""};
    case WABIN_INVALID_NODE:
        return (struct frame_text){"Invalid node format", ""};
    case WABIN_NON_STRING_KEY:
        return (struct frame_text){"Attribute key was not a string", ""};
    case WABIN_ATTR_PARSE:
        return (struct frame_text){"Attribute parsing failed: ", ""};
    case WABIN_MISSING_ATTR:
        return (struct frame_text){"Missing required attribute: ", ""};
    case WABIN_INVALID_UTF8:
        return (struct frame_text){"Data is not valid UTF-8: ", ""};
    case WABIN_ZLIB:
        return (struct frame_text){"Zlib decompression error: ", ""};
    case WABIN_BAD_JID:
        return (struct frame_text){"JID parsing error: ", ""};
    case WABIN_EOF:
        return (struct frame_text){"Unexpected end of binary data", ""};
    case WABIN_EMPTY_DATA:
        return (struct frame_text){
            "Received empty data where payload was expected", ""};
    case WABIN_LEFTOVER_DATA:
        return (struct frame_text){"Leftover data after decoding: ", " bytes"};
    case WABIN_ATTR_LIST:
        return (struct frame_text){"Multiple attribute parsing errors: [",
                                   "]"};
    case WABIN_MAX_DEPTH:
        return (struct frame_text){"Node nesting exceeded the maximum depth",
                                   ""};
    case WABIN_PLAN_MISMATCH:
        return (struct frame_text){
            "Exact-marshal encode diverged from its size plan", ""};
    case WABIN_FORMAT_BYTE:
        return (struct frame_text){"Packed payload starts with format byte ",
                                   ", expected an uncompressed 0x00"};
    case WABIN_NO_MEMORY:
        return (struct frame_text){"Out of memory", ""};
    }
    return (struct frame_text){"unknown error", ""};
}

size_t wabin_error_text(const struct wabin_error *error, char *out,
                        size_t size)
{
    struct printer p = {.out = out, .out_size = size};
    struct frame_text text = frame_text(error);

    print_plain(&p, text.before);
    if (error->status == WABIN_BAD_JID)
        print_plain(&p, error->relayed ? "Invalid JID format: "
                                       : jid_prefix(error));
    print_argument(&p, error);
    print_plain(&p, text.behind);
    return print_end(&p);
}

size_t wabin_error_argument(const struct wabin_error *error, char *out,
                            size_t size)
{
    struct printer p = {.out = out, .out_size = size};

    print_argument(&p, error);
    return print_end(&p);
}
