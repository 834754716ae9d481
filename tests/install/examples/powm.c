/* Limbic under a program with GMP's numbers: limbic_mpn_sec_powm in place of mpz_powm_sec. Links with -lgmp too. */
#include <gmp.h>
#include <limbic/mpn.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert(GMP_NUMB_BITS == 64, "Limbic's limbs");

/* r = b^e mod m for b, e >= 0 and an odd m > 1: as mpz_powm_sec, which takes e > 0 only. r may be b, e or m. */
static void powm_sec(mpz_t r, const mpz_t b, const mpz_t e, const mpz_t m) {
    static const mp_limb_t zero = 0;
    const size_t n = mpz_size(m), bn = mpz_size(b);
    mpz_t t;
    mpz_init(t);
    mp_limb_t *rp = mpz_limbs_write(t, (mp_size_t)n);
    const limbic_status status =
        limbic_mpn_sec_powm((uint64_t *)rp, (const uint64_t *)(bn ? mpz_limbs_read(b) : &zero), bn ? bn : 1,
                            (const uint64_t *)mpz_limbs_read(e), mpz_sgn(e) ? mpz_sizeinbase(e, 2) : 0,
                            (const uint64_t *)mpz_limbs_read(m), n);
    if (status != LIMBIC_OK) {
        fprintf(stderr, "limbic_mpn_sec_powm: %s\n", limbic_status_string(status));
        exit(1);
    }
    mpz_limbs_finish(t, (mp_size_t)n);
    mpz_swap(r, t);
    mpz_clear(t);
}

int main(void) {
    gmp_randstate_t state;
    mpz_t b, e, m, want, got;
    int same = 1;

    gmp_randinit_default(state);
    mpz_inits(b, e, m, want, got, NULL);
    for (mp_bitcnt_t bits = 2; bits <= 4096; bits += bits / 2) {
        mpz_urandomb(m, state, bits);
        mpz_setbit(m, bits - 1);
        mpz_setbit(m, 0);
        mpz_rrandomb(b, state, 2 * bits);
        mpz_rrandomb(e, state, bits);
        mpz_powm_sec(want, b, e, m);
        powm_sec(got, b, e, m);
        same &= mpz_cmp(want, got) == 0;
        mpz_set_ui(b, 0);
        mpz_powm_sec(want, b, e, m);
        powm_sec(b, b, e, m);
        same &= mpz_cmp(want, b) == 0;
    }
    mpz_clears(b, e, m, want, got, NULL);
    gmp_randclear(state);
    puts(same ? "ok" : "a result differs from mpz_powm_sec's");
    return !same;
}
