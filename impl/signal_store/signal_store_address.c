/* SPDX-License-Identifier: MIT */
/* Addresses: short ones in the struct, long ones in a block. */
#include "signal_store/signal_store_address.h"

#include "wabin/wabin_number.h"

#define NUMBER_MAX 10 /* digits of a 32-bit number */
#define DEVICE_MAX 6  /* colon and digits of a 16-bit number */

static char *text_of(struct signal_store_address *address)
{
    return address->block != NULL ? address->block : address->near;
}

void signal_store_address_release(struct signal_store_address *address)
{
    alloc_put(address->alloc, address->block, address->size);
    *address = (struct signal_store_address){.alloc = address->alloc};
}

/* An address of size bytes without a text yet, in place of the old one. */
static char *make_room(struct signal_store_address *address, size_t size)
{
    char *block = NULL;

    if (size > SIGNAL_STORE_ADDRESS_INLINE) {
        block = alloc_get(address->alloc, size);
        if (block == NULL)
            return NULL;
    }
    signal_store_address_release(address);
    address->block = block;
    address->size = size;
    return text_of(address);
}

/* The name in two parts, one behind the other; they may lie in the address
 * that is written. */
static enum status set(struct signal_store_address *address,
                       struct wabin_str user, struct wabin_str rest,
                       uint32_t number)
{
    struct signal_store_address made = {.alloc = address->alloc};
    char digits[NUMBER_MAX + 1] = ".";
    size_t digits_size = 1 + wabin_put_decimal(number, digits + 1);
    size_t name_size, size;

    if (!size_add(user.size, rest.size, &name_size) ||
        !size_add(name_size, digits_size, &size))
        return ST_NO_MEMORY;
    char *text = make_room(&made, size);
    if (text == NULL)
        return ST_NO_MEMORY;
    if (user.size != 0)
        memcpy(text, user.data, user.size);
    if (rest.size != 0)
        memcpy(text + user.size, rest.data, rest.size);
    memcpy(text + name_size, digits, digits_size);
    made.name_size = name_size;
    made.number = number;
    signal_store_address_release(address);
    *address = made;
    return ST_OK;
}

enum status signal_store_address_set(struct signal_store_address *address,
                                     struct wabin_str name, uint32_t number)
{
    return set(address, name, WABIN_STR(""), number);
}

enum status signal_store_address_of_jid(struct signal_store_address *address,
                                        const struct wabin_jid *jid)
{
    enum wabin_server server = (enum wabin_server)jid->server;
    struct wabin_str server_text = wabin_server_text(
        server == WABIN_SERVER_PN ? WABIN_SERVER_LEGACY : server);
    char rest[DEVICE_MAX + WABIN_JID_SUFFIX_MAX];
    size_t size = 0;

    if (jid->device != 0) {
        rest[size++] = ':';
        size += wabin_put_decimal(jid->device, rest + size);
    }
    rest[size++] = '@';
    memcpy(rest + size, server_text.data, server_text.size);
    size += server_text.size;
    return set(address, jid->user, wabin_str(rest, size), 0);
}

struct wabin_str signal_store_address_text(
    const struct signal_store_address *address)
{
    return wabin_str(address->block != NULL ? address->block : address->near,
                     address->size);
}

struct wabin_str signal_store_address_name(
    const struct signal_store_address *address)
{
    return wabin_str_first(signal_store_address_text(address),
                           address->name_size);
}

int signal_store_address_compare(const struct signal_store_address *a,
                                 const struct signal_store_address *b)
{
    struct wabin_str left = signal_store_address_text(a);
    struct wabin_str right = signal_store_address_text(b);
    size_t size = left.size < right.size ? left.size : right.size;
    int order = size != 0 ? memcmp(left.data, right.data, size) : 0;

    return order != 0 ? order
                      : (left.size > right.size) - (left.size < right.size);
}
