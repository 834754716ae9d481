/* RSA keys opened, and what the files rsa*.c share. Internal. */
#ifndef LIMBIC_SCHEME_RSA_H
#define LIMBIC_SCHEME_RSA_H

#include "base/limb.h"
#include "base/secret.h"
#include "limbic/field.h"
#include "limbic/rsa.h"

#define LIMBIC_RSA_MAX_LIMBS (LIMBIC_RSA_MAX_BITS / 64)

/* A key buffer, its parts found: pointers into it. Numbers are plain words but where it says residue. */
struct limbic_rsa {
    size_t bits, bytes; /* of n */
    size_t e_bits;
    limbic_mont n;
    const uint64_t *e; /* n.limbs words */
    int is_private, has_primes;
    /* n.limbs words, below n: as it was given to import, even where that is not the smallest one (implicit rejection hashes its bytes, and must come to
     * what other libraries make of the same key); else 1/e mod lcm(p - 1, q - 1) */
    const uint64_t *d;
    limbic_mont p, q; /* of as few limbs as each takes */
    size_t p_bits, q_bits;
    const uint64_t *dp, *dq; /* p.limbs, q.limbs words */
    const uint64_t *qinv;    /* residue mod p */
};

/*
 * The buffer: the header, then n, one, rr and e (n.limbs words each); in a private key d (n.limbs words); with primes p, one, rr, then q, one, rr
 * (m, one and rr of a modulus as limbic_mont_init writes them into its storage), dp, dq, qinv (p.limbs words).
 */
struct limbic_rsa_header {
    uint64_t magic;                        /* LIMBIC_RSA_PUBLIC or LIMBIC_RSA_PRIVATE; written last */
    uint64_t bits, e_bits, p_bits, q_bits; /* p_bits = q_bits = 0: no primes */
    uint64_t n0, p0, q0;                   /* limbic_mont's n0 of n, p, q */
};
#define LIMBIC_RSA_PUBLIC  UINT64_C(0x3162757061737200) /* the layout's version is part of them */
#define LIMBIC_RSA_PRIVATE UINT64_C(0x3176697270617372)

/* Sets everything in x that these numbers determine: sizes, limbs, pointers into key (a buffer of limbic_rsa_public_bytes or limbic_rsa_private_bytes of
 * bits; nothing is read or written). So not n0, which limbic_mont_init gives to a writer, with limbic_mont_init(&x->p, (uint64_t *)x->p.m, p, x->p.limbs). */
void limbic_rsa_layout(struct limbic_rsa *x, const void *key, int is_private, size_t bits, size_t e_bits,
                       size_t p_bits, size_t q_bits);
/* Writes the header of x, all parts of which stand in the buffer: from now on limbic_rsa_open takes it. */
void limbic_rsa_seal(const struct limbic_rsa *x, void *key);

/* LIMBIC_ERR_NULL, _ALIGNMENT, _LENGTH, or LIMBIC_ERR_PREPARED where the buffer holds no key. is_private: LIMBIC_ERR_PRIVATE_KEY for
 * a public one; x is to be wiped, for it has -1/p and -1/q mod 2^64, which it has not otherwise: p and q can't be calculated with. */
limbic_status limbic_rsa_open(struct limbic_rsa *x, const void *key, size_t key_len, int is_private);

/* Writes a private key of n = p q from words: p of p_limbs, q of q_limbs words, e of e_limbs words; everything else is computed. LIMBIC_ERR_PRIVATE_KEY if
 * e has no inverse. Constant time in p and q, their bit lengths apart. */
limbic_status limbic_rsa_build(void *key, size_t key_len, const uint64_t *p, size_t p_limbs,
                               const uint64_t *q, size_t q_limbs, const uint64_t *e, size_t e_limbs);

/* Trial division by the first 4 groups odd primes; w is odd. */
#define LIMBIC_RSA_SMALL 33 /* groups: the primes below 752, as SP 800-89 section 5.3.3 has it */
struct limbic_rsa_group {
    uint64_t product, inverse; /* of four primes; modulo 2^64 */
    uint16_t prime[4];
};
void limbic_rsa_groups(struct limbic_rsa_group *g, size_t groups);
/* 1 if one of the primes divides w. Constant time but for the answer, and up to which few groups it was 0. */
int limbic_rsa_small_factor(const uint64_t *w, size_t limbs, const struct limbic_rsa_group *g, size_t groups);

/* a = a / 2^s for the largest such s, which is returned; for a = 0, 64 n - 1 or more. Constant time. */
uint64_t limbic_rsa_take_twos(uint64_t *a, size_t n);

/*
 * Miller-Rabin with random bases for an odd w > 3 of exactly so many bits. ours: w is 3 mod 4 and was drawn at random: the rounds of FIPS 186-5
 * table B.1. Else w is any, somebody's choice: 64 rounds, each at twice the cost. 1: probably prime. *status: LIMBIC_ERR_RANDOM (then 0), or LIMBIC_OK.
 * Constant time but for the answer and the round that gave it.
 */
int limbic_rsa_probable_prime(const uint64_t *w, size_t limbs, size_t bits, int ours, limbic_status *status);

/* r = a random number, uniform in [1, m - 1], of a modulus of so many bits: LIMBIC_ERR_RANDOM, or LIMBIC_OK. Constant time in m and r. */
limbic_status limbic_rsa_random(uint64_t *r, const limbic_mont *x, size_t bits);

/* 1 if the number of k bytes is below n, which is told. */
int limbic_rsa_below_n(const struct limbic_rsa *x, const uint8_t *in);

/* out = in^e, in^d mod n: k bytes, in < n. The private one blinds and checks: LIMBIC_ERR_FAULT, LIMBIC_ERR_RANDOM. out may be in. */
limbic_status limbic_rsa_public_raw(const struct limbic_rsa *x, uint8_t *out, const uint8_t *in);
limbic_status limbic_rsa_private_raw(const struct limbic_rsa *x, uint8_t *out, const uint8_t *in);

/* limbic_rsa_keygen that calls a function before each few candidates, which the time tells too. An answer of 0 ends it with LIMBIC_ERR_FAULT.
 * progress may be NULL. */
struct limbic_rsa_progress {
    int (*tell)(void *arg);
    void *arg;
};
limbic_status limbic_rsa_keygen_watched(void *key, size_t key_len, size_t bits, const uint8_t *e,
                                        size_t e_len, const struct limbic_rsa_progress *progress);

/* p and q, 16 words each, of the key of 2048 bits and e = 65537 with which limbic_selftest tries RSA. They are no secret. */
void limbic_rsa_selftest_primes(uint64_t *p, uint64_t *q);

/* With salt and seed of the caller's: for known answers only. */
limbic_status limbic_rsa_sign_pss_with_salt(const void *key, size_t key_len, uint8_t *sig, size_t sig_len,
                                            limbic_hash hash, limbic_hash mgf_hash, const uint8_t *salt,
                                            size_t salt_len, const uint8_t *digest, size_t digest_len);
limbic_status limbic_rsa_encrypt_oaep_with_seed(const void *key, size_t key_len, uint8_t *out, size_t out_len,
                                                limbic_hash hash, limbic_hash mgf_hash, const void *label,
                                                size_t label_len, const void *msg, size_t msg_len,
                                                const uint8_t *seed);

#endif
