/* SPDX-License-Identifier: MIT */
/* Sealing and opening, with a key made ready or given each time.  A key given
 * each time goes through one cipher object a thread, since making an object
 * costs as much as expanding the key. */
#include "envelope/envelope_crypt.h"

#include <pthread.h>

#include "envelope/envelope_aead.h"

struct envelope_key {
    const struct aead_library *library;
    void *cipher;
    const struct alloc *alloc;
};

/* ---- the library ------------------------------------------------------- */

static _Atomic(const struct aead_library *) chosen;

static void choose(void)
{
    chosen = envelope_aead_gcrypt_usable() ? &envelope_aead_gcrypt
                                           : &envelope_aead_evp;
}

static COLD const struct aead_library *choose_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, choose);
    return chosen;
}

static inline const struct aead_library *library_now(void)
{
    const struct aead_library *library =
        atomic_load_explicit(&chosen, memory_order_acquire);

    return LIKELY(library != NULL) ? library : choose_once();
}

const struct aead_library *envelope_aead(void)
{
    return library_now();
}

/* ---- one message ------------------------------------------------------- */

static inline enum envelope_kind check_key(struct envelope_bytes key,
                                           struct envelope_error *error)
{
    if (LIKELY(key.size == ENVELOPE_KEY_SIZE))
        return ENVELOPE_OK;
    return envelope_fail_with(error, ENVELOPE_INVALID_KEY_LENGTH, DETAIL_NONE,
                              key.size, 0);
}

/* ENVELOPE_OK or why no such plaintext can be sealed into such room. */
static inline enum envelope_kind check_seal(size_t text_size, size_t out_size,
                                            struct envelope_error *error)
{
    if (UNLIKELY(text_size > AEAD_TEXT_MAX))
        return envelope_fail_with(error, ENVELOPE_ENCRYPTION_FAILED,
                                  DETAIL_TEXT_LONG, 0, 0);
    if (UNLIKELY(out_size < text_size + ENVELOPE_SEAL_EXTRA))
        return envelope_fail(error, ENVELOPE_NO_SPACE);
    return ENVELOPE_OK;
}

static inline enum envelope_kind check_open(size_t sealed_size,
                                            size_t out_size,
                                            struct envelope_error *error)
{
    if (UNLIKELY(sealed_size < ENVELOPE_SEAL_EXTRA))
        return envelope_fail_with(error, ENVELOPE_INVALID_CIPHERTEXT,
                                  DETAIL_CIPHERTEXT_SHORT, 0, 0);
    if (UNLIKELY(out_size < sealed_size - ENVELOPE_SEAL_EXTRA))
        return envelope_fail(error, ENVELOPE_NO_SPACE);
    return ENVELOPE_OK;
}

/* Seal with a cipher that has its key, into room that suffices. */
static inline enum envelope_kind seal(struct envelope_encryptor *encryptor,
                                      const struct envelope_key *key,
                                      struct envelope_bytes plaintext,
                                      struct envelope_bytes aad, uint8_t *out,
                                      struct envelope_error *error)
{
    const struct aead_message m = {.nonce = out,
                                   .aad = aad,
                                   .text = plaintext.data,
                                   .text_size = plaintext.size,
                                   .out = out + ENVELOPE_NONCE_SIZE};
    enum envelope_kind kind = envelope_nonce_take(encryptor, out, error);
    unsigned long failed;

    if (UNLIKELY(kind != ENVELOPE_OK))
        return kind;
    failed = key->library->seal(key->cipher, &m, m.out + m.text_size);
    if (LIKELY(failed == 0))
        return ENVELOPE_OK;
    memset(out, 0, plaintext.size + ENVELOPE_SEAL_EXTRA);
    return envelope_fail_with(error, ENVELOPE_ENCRYPTION_FAILED,
                              DETAIL_LIBRARY, failed, 0);
}

/* Open with a cipher that has its key, into room that suffices. */
static inline enum envelope_kind open_sealed(const struct envelope_key *key,
                                             struct envelope_bytes ciphertext,
                                             struct envelope_bytes aad,
                                             uint8_t *out,
                                             struct envelope_error *error)
{
    const struct aead_message m = {
        .nonce = ciphertext.data,
        .aad = aad,
        .text = ciphertext.data + ENVELOPE_NONCE_SIZE,
        .text_size = ciphertext.size - ENVELOPE_SEAL_EXTRA,
        .out = out};
    bool valid;
    unsigned long failed =
        key->library->check(key->cipher, &m, m.text + m.text_size, &valid);

    if (LIKELY(valid))
        return ENVELOPE_OK;
    if (m.text_size != 0)
        explicit_bzero(out, m.text_size); /* decrypted before it was judged */
    if (failed == 0)
        return envelope_fail(error, ENVELOPE_AUTHENTICATION_FAILED);
    return envelope_fail_with(error, ENVELOPE_DECRYPTION_FAILED,
                              DETAIL_LIBRARY, failed, 0);
}

/* ---- a key given each time --------------------------------------------- */

/* The thread's cipher object, for keys given each time.  Its destructor runs
 * when the thread ends. */
static pthread_key_t at_thread_end;
static bool has_thread_end;
static __thread void *thread_cipher __attribute__((tls_model("initial-exec")));

static void close_thread_cipher(void *cipher)
{
    library_now()->close(cipher);
}

static void make_thread_end(void)
{
    has_thread_end =
        pthread_key_create(&at_thread_end, close_thread_cipher) == 0;
}

/* Without a destructor the object would outlive its thread with the key, so
 * there is none then. */
static COLD void *new_thread_cipher(const struct aead_library *library)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    void *cipher;

    pthread_once(&once, make_thread_end);
    if (!has_thread_end || (cipher = library->open()) == NULL)
        return NULL;
    if (pthread_setspecific(at_thread_end, cipher) != 0) {
        library->close(cipher);
        return NULL;
    }
    thread_cipher = cipher;
    return cipher;
}

void envelope_crypt_forget(void)
{
    void *cipher = thread_cipher;

    if (cipher == NULL)
        return;
    thread_cipher = NULL;
    pthread_setspecific(at_thread_end, NULL);
    close_thread_cipher(cipher);
}

/* check_seal or check_open. */
typedef enum envelope_kind check_sizes(size_t size, size_t out_size,
                                       struct envelope_error *error);

/* Take the thread's cipher and give it this key, when the sizes are right.
 * `failure` is what to call a key that the library does not take. */
static ALWAYS_INLINE enum envelope_kind take_key(struct envelope_bytes key,
                                                 check_sizes *check,
                                                 size_t size, size_t out_size,
                                                 enum envelope_kind failure,
                                                 struct envelope_key *k,
                                                 struct envelope_error *error)
{
    enum envelope_kind kind = check_key(key, error);
    unsigned long failed;

    if (kind == ENVELOPE_OK)
        kind = check(size, out_size, error);
    if (kind != ENVELOPE_OK)
        return kind;
    k->library = library_now();
    k->cipher = thread_cipher;
    if (UNLIKELY(k->cipher == NULL)) {
        k->cipher = new_thread_cipher(k->library);
        if (k->cipher == NULL)
            return envelope_fail(error, ENVELOPE_OUT_OF_MEMORY);
    }
    failed = k->library->key(k->cipher, key.data);
    if (LIKELY(failed == 0))
        return ENVELOPE_OK;
    envelope_crypt_forget(); /* half a key is of no use */
    return envelope_fail_with(error, failure, DETAIL_LIBRARY, failed, 0);
}

enum envelope_kind envelope_encrypt(struct envelope_encryptor *encryptor,
                                    struct envelope_bytes plaintext,
                                    struct envelope_bytes key,
                                    struct envelope_bytes aad, uint8_t *out,
                                    size_t out_size,
                                    struct envelope_error *error)
{
    struct envelope_key k;
    enum envelope_kind kind =
        take_key(key, check_seal, plaintext.size, out_size,
                 ENVELOPE_ENCRYPTION_FAILED, &k, error);

    if (kind != ENVELOPE_OK)
        return kind;
    return seal(encryptor, &k, plaintext, aad, out, error);
}

enum envelope_kind envelope_decrypt(struct envelope_bytes ciphertext,
                                    struct envelope_bytes key,
                                    struct envelope_bytes aad, uint8_t *out,
                                    size_t out_size,
                                    struct envelope_error *error)
{
    struct envelope_key k;
    enum envelope_kind kind =
        take_key(key, check_open, ciphertext.size, out_size,
                 ENVELOPE_DECRYPTION_FAILED, &k, error);

    if (kind != ENVELOPE_OK)
        return kind;
    return open_sealed(&k, ciphertext, aad, out, error);
}

/* ---- a key made ready -------------------------------------------------- */

enum envelope_kind envelope_key_new(struct envelope_bytes key,
                                    const struct alloc *alloc,
                                    struct envelope_key **ready,
                                    struct envelope_error *error)
{
    const struct aead_library *library = library_now();
    struct envelope_key *k;

    if (key.size != ENVELOPE_KEY_SIZE)
        return check_key(key, error);
    k = alloc_get(alloc, sizeof(*k));
    if (k == NULL)
        return envelope_fail(error, ENVELOPE_OUT_OF_MEMORY);
    *k = (struct envelope_key){
        .library = library, .cipher = library->open(), .alloc = alloc};
    if (k->cipher == NULL || library->key(k->cipher, key.data) != 0) {
        envelope_key_free(k);
        return envelope_fail(error, ENVELOPE_OUT_OF_MEMORY);
    }
    *ready = k;
    return ENVELOPE_OK;
}

void envelope_key_free(struct envelope_key *key)
{
    if (key == NULL)
        return;
    if (key->cipher != NULL)
        key->library->close(key->cipher);
    alloc_put(key->alloc, key, sizeof(*key));
}

enum envelope_kind envelope_seal(struct envelope_encryptor *encryptor,
                                 struct envelope_key *key,
                                 struct envelope_bytes plaintext,
                                 struct envelope_bytes aad, uint8_t *out,
                                 size_t out_size, struct envelope_error *error)
{
    enum envelope_kind kind = check_seal(plaintext.size, out_size, error);

    if (kind != ENVELOPE_OK)
        return kind;
    return seal(encryptor, key, plaintext, aad, out, error);
}

enum envelope_kind envelope_open(struct envelope_key *key,
                                 struct envelope_bytes ciphertext,
                                 struct envelope_bytes aad, uint8_t *out,
                                 size_t out_size, struct envelope_error *error)
{
    enum envelope_kind kind = check_open(ciphertext.size, out_size, error);

    if (kind != ENVELOPE_OK)
        return kind;
    return open_sealed(key, ciphertext, aad, out, error);
}
