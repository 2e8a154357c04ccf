/* SPDX-License-Identifier: MIT */
/* The operations of the envelope suite, for its table. */
#ifndef ENVELOPE_ENVELOPE_CASES_H
#define ENVELOPE_ENVELOPE_CASES_H

#include "envelope/envelope.h"
#include "envelope/envelope_crypt.h"
#include "harness/bench.h"

/** How an envelope is written. */
enum envelope_form {
    FORM_CURRENT, /* as envelope_store writes it */
    FORM_LEGACY,  /* the block as an array of integers */
    FORM_MAP,     /* named fields: the short path of a read declines */
    FORM_BOMB,    /* one more byte declared than a block may hold */
    FORM_CUT      /* the last byte is missing */
};

/** The argument of a storage case. */
struct envelope_input {
    size_t payload_size; /* of the record stream */
    enum envelope_form form;
};

/* storage: state from setup_storage */
void *envelope_setup_storage(const struct bench_setup *s);
void envelope_teardown_storage(void *state);
uint64_t envelope_run_store(void *state);
uint64_t envelope_run_store_into(void *state);
uint64_t envelope_run_retrieve(void *state);
uint64_t envelope_run_retrieve_data(void *state);
uint64_t envelope_run_retrieve_into(void *state);
uint64_t envelope_run_validate(void *state);
uint64_t envelope_run_prescan(void *state);
void envelope_work_store(void *state, const struct bench_digest *d);
void envelope_work_read(void *state, const struct bench_digest *d);

/* encryption: state from setup_crypt, whose argument is a size_t of payload */
void *envelope_setup_crypt(const struct bench_setup *s);
void envelope_teardown_crypt(void *state);
uint64_t envelope_run_encrypt(void *state);
uint64_t envelope_run_decrypt(void *state);
uint64_t envelope_run_seal(void *state);
uint64_t envelope_run_open(void *state);
uint64_t envelope_run_keyring_decrypt(void *state);
uint64_t envelope_run_tenant_keyring_decrypt(void *state);
uint64_t envelope_run_hkdf(void *state);
uint64_t envelope_run_pipeline_put(void *state);
uint64_t envelope_run_pipeline_get(void *state);
void envelope_work_sealed(void *state, const struct bench_digest *d);
void envelope_work_opened(void *state, const struct bench_digest *d);
void envelope_work_key(void *state, const struct bench_digest *d);
void envelope_work_pipeline(void *state, const struct bench_digest *d);

#endif
