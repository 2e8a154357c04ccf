/* SPDX-License-Identifier: MIT */
/* What the files of the wabin suite share: inputs, operations, digests. */
#ifndef CASES_WABIN_WABIN_CASES_H
#define CASES_WABIN_WABIN_CASES_H

#include "harness/bench.h"
#include "wabin/sample/wabin_sample.h"
#include "wabin/wabin.h"

/** Bytes that a case decodes or gives as its input. */
struct case_frame {
    const uint8_t *data; /* format byte included; NULL after bench_fail */
    size_t size;
};

/** The frame of a sample for the case's seed, declared as an input. */
struct case_frame case_frame(const struct bench_setup *s,
                             enum wabin_sample sample);

/** A sample's tree for the case's seed, in a doc that the caller releases;
 * its frame is declared as the input.  NULL after bench_fail. */
const struct wabin_node *case_tree(const struct bench_setup *s,
                                   struct wabin_doc *doc,
                                   enum wabin_sample sample);

void case_digest_str(const struct bench_digest *d, struct wabin_str s);

void case_digest_jid(const struct bench_digest *d,
                     const struct wabin_jid *jid);

/** Everything that a tree says. */
void case_digest_tree(const struct bench_digest *d,
                      const struct wabin_node *node);

/* ---- wabin_case_decode.c ------------------------------------------------ */

struct unmarshal_input {
    enum wabin_sample sample;
    wabin_unpack_fn *unpack; /* NULL: the fastest of the processor */
};

void *setup_unmarshal(const struct bench_setup *s);
uint64_t run_unmarshal(void *state);      /* doc made and released */
uint64_t run_unmarshal_warm(void *state); /* doc used again */
uint64_t run_unmarshal_reference(void *state);
void work_unmarshal(void *state, const struct bench_digest *d);
void teardown_unmarshal(void *state);

struct packed_input {
    const char *digits;
    size_t size; /* characters; digits repeat */
    const struct wabin_alphabet *alphabet;
    wabin_unpack_fn *unpack;
};

void *setup_packed(const struct bench_setup *s);
uint64_t run_packed(void *state);
void work_packed(void *state, const struct bench_digest *d);

/** arg is a bool: whether the frame is compressed. */
void *setup_unpack(const struct bench_setup *s);
uint64_t run_unpack(void *state);
void work_unpack(void *state, const struct bench_digest *d);
void teardown_unpack(void *state);

/* ---- wabin_case_encode.c ------------------------------------------------ */

typedef enum wabin_status marshal_fn(const struct wabin_node *node,
                                     struct wabin_buf *out,
                                     struct wabin_error *error);

struct marshal_input {
    enum wabin_sample sample;
    marshal_fn *marshal; /* NULL: to a sink over a buffer */
};

void *setup_marshal(const struct bench_setup *s);
uint64_t run_marshal(void *state);
uint64_t run_marshal_sink(void *state);
uint64_t run_roundtrip(void *state);
void work_marshal(void *state, const struct bench_digest *d);
void work_marshal_sink(void *state, const struct bench_digest *d);
void work_roundtrip(void *state, const struct bench_digest *d);
void teardown_marshal(void *state);

/* ---- wabin_case_tree.c -------------------------------------------------- */

void *setup_attr_parser(const struct bench_setup *s);
uint64_t run_attr_parser(void *state);
void work_attr_parser(void *state, const struct bench_digest *d);

void *setup_usync(const struct bench_setup *s);
uint64_t run_children_by_tag(void *state);

void *setup_jid_heavy(const struct bench_setup *s);
uint64_t run_to_owned(void *state);
void work_to_owned(void *state, const struct bench_digest *d);

void teardown_tree(void *state);

void *setup_jids(const struct bench_setup *s);
uint64_t run_jid_parse(void *state);
uint64_t run_jid_format(void *state);
void work_jid_parse(void *state, const struct bench_digest *d);
void work_jid_format(void *state, const struct bench_digest *d);

#endif
