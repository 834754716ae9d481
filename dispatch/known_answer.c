/*
 * One known answer a row, asked before a row that is not portable C may run. Multiplications on a curve must give the
 * point of src/consts (kat_k G); everything else must agree with the portable row of the same operation.
 */
#include "dispatch/dispatch.h"
#include "base/limb.h"
#include "limbic/field.h"

#include <sys/mman.h>

#include "consts/units.h"

#define W LIMBIC_MAX_LIMBS

struct known {
    const uint64_t *m;                       /* field and curve */
    const uint64_t *gx, *gy, *n, *k, *x, *y; /* curve of order n: k G = (x, y) */
    size_t table_points;
};

#define KNOWN_field(u) {limbic_##u##_m, NULL, NULL, NULL, NULL, NULL, NULL, 0},
#define KNOWN_curve(u)                                                                                       \
    {                                                                                                        \
        limbic_##u##_m,     limbic_##u##_gx,                                                                 \
        limbic_##u##_gy,    limbic_##u##n_m,                                                                 \
        limbic_##u##_kat_k, limbic_##u##_kat_x,                                                              \
        limbic_##u##_kat_y, (size_t)limbic_##u##_prepared_windows << (limbic_##u##_prepared_w - 1),          \
    },
#define KNOWN_mont(u) {limbic_p521n_m, NULL, NULL, NULL, NULL, NULL, NULL, 0},
#define KNOWN_hash(u) {NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0},
#define KNOWN_gcd(u)  KNOWN_hash(u)
static const struct known knowns[] = {
#define UNIT(name, class, limbs) KNOWN_##class(name)
#include "ops.def"
};

/* The row of an operation of the same unit in an instruction set; portable C's where that has none. */
static const struct limbic_row *sibling(const struct limbic_row *row, unsigned op, unsigned isa) {
    const struct limbic_row *found = row;
    for (size_t i = 0; i < limbic_rows_count; i++)
        if (limbic_rows[i].unit == row->unit && limbic_rows[i].op == op &&
            (limbic_rows[i].isa == isa || (limbic_rows[i].isa == LIMBIC_ISA_c && found == row)))
            found = &limbic_rows[i];
    return found;
}

static const struct limbic_row *portable(const struct limbic_row *row, unsigned op) {
    return sibling(row, op, LIMBIC_ISA_c);
}

/* Two operands below m with long carries: (m - 1) / 2 with every other word inverted below the top, and m - 2. */
static void operands(uint64_t *a, uint64_t *b, const uint64_t *m, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint64_t above = i + 1 < n ? m[i + 1] << 63 : 0;
        a[i] = m[i] >> 1 | above;
        if (i + 1 < n && i % 2)
            a[i] = ~a[i];
        b[i] = m[i];
    }
    b[0] -= 2; /* m is odd and above 2 */
}

static int field_answer(const struct limbic_row *row, const struct limbic_row *ref) {
    const size_t n = limbic_unit_limbs(row->unit);
    uint64_t a[W], b[W], r[W] = {0}, s[W];

    operands(a, b, knowns[row->unit].m, n);
    switch (row->op) {
    case LIMBIC_OP_field_add:
    case LIMBIC_OP_field_sub:
    case LIMBIC_OP_field_mul:
        ((limbic_fe3 *)row->fn)(r, a, b);
        ((limbic_fe3 *)ref->fn)(s, a, b);
        break;
    default:
        ((limbic_fe2 *)row->fn)(r, a);
        ((limbic_fe2 *)ref->fn)(s, a);
        break;
    }
    return memcmp(r, s, 8 * n) == 0;
}

static const struct {
    size_t limbs;
    const uint64_t *tight;
} lanes[LIMBIC_UNITS] = {
#define LANES_field(u)
#define LANES_mont(u)
#define LANES_hash(u)
#define LANES_gcd(u)
#define LANES_curve(u)           [LIMBIC_UNIT_##u] = {limbic_##u##_lanes_limbs, limbic_##u##_lanes_tight},
#define UNIT(name, class, limbs) LANES_##class(name)
#include "ops.def"
};

/* Limbs of different lanes, the highest that are allowed among them. */
static int lanes_answer(const struct limbic_row *row, const struct limbic_row *ref) {
    _Alignas(64) uint64_t a[LIMBIC_MAX_LANES_WORDS], b[LIMBIC_MAX_LANES_WORDS],
        r[LIMBIC_MAX_LANES_WORDS] = {0}, s[LIMBIC_MAX_LANES_WORDS];
    const size_t words = 8 * lanes[row->unit].limbs;

    for (size_t i = 0; i < words; i++) {
        a[i] = lanes[row->unit].tight[i / 8] / (i % 8 + 1);
        b[i] = 2 * lanes[row->unit].tight[i / 8] - a[i] / 3;
    }
    if (row->op == LIMBIC_OP_lanes_lanes_mul) {
        ((limbic_lanes3 *)row->fn)(r, a, b);
        ((limbic_lanes3 *)ref->fn)(s, a, b);
    } else if (row->op == LIMBIC_OP_lanes_lanes_sqr) {
        ((limbic_lanes2 *)row->fn)(r, b);
        ((limbic_lanes2 *)ref->fn)(s, b);
    } else {
        ((limbic_lanes5 *)row->fn)(r, a, b, b, a);
        ((limbic_lanes5 *)ref->fn)(s, a, b, b, a);
    }
    return memcmp(r, s, 8 * words) == 0;
}

/* The longest modulus of a known answer. For long ones exponents are short, since portable C takes its time. */
#define MONT_W 72
/* As rows take them: eight, two and one. */
#define MANY 11

static int mont_answer_of(const struct limbic_row *row, const struct limbic_row *ref, const limbic_mont *x,
                          size_t e_bits) {
    uint64_t a[MONT_W], b[MONT_W], r[MONT_W] = {0}, s[2 * MONT_W], many[MANY * MONT_W], exponents[MANY * 3];
    const size_t n = x->limbs, e_words = (e_bits + 63) / 64; /* 3 at most */
    const limbic_mont *same[MANY];
    const size_t count = n > 9 ? 2 : MANY; /* eight at once have the same code for all lengths */

    operands(a, b, x->m, n);
    switch (row->op) {
    case LIMBIC_OP_mont_sqr:
        ((limbic_mont2 *)row->fn)(r, a, x);
        ((limbic_mont2 *)ref->fn)(s, a, x);
        break;
    case LIMBIC_OP_mont_pow:
        ((limbic_mont4 *)row->fn)(r, a, b, e_bits, x);
        ((limbic_mont4 *)ref->fn)(s, a, b, e_bits, x);
        break;
    case LIMBIC_OP_mont_pow_public:
        ((limbic_mont_public *)row->fn)(r, a, b, e_bits, x);
        ((limbic_mont_public *)ref->fn)(s, a, b, e_bits, x);
        break;
    case LIMBIC_OP_mont_pow_many: /* of two numbers, over and over */
    case LIMBIC_OP_mont_pow_public_many:
        for (size_t i = 0; i < count; i++) {
            same[i] = x;
            memcpy(many + i * n, i % 2 ? b : a, 8 * n);
            memcpy(exponents + i * e_words, i % 2 ? a : b, 8 * e_words);
        }
        ((limbic_mont_many *)ref->fn)(s, many, exponents, e_bits, same, 2);
        ((limbic_mont_many *)row->fn)(many, many, exponents, e_bits, same, count);
        for (size_t i = 0; i < count; i++)
            if (memcmp(many + i * n, s + i % 2 * n, 8 * n) != 0)
                return 0;
        return 1;
    default:
        ((limbic_mont3 *)row->fn)(r, a, b, x);
        ((limbic_mont3 *)ref->fn)(s, a, b, x);
        break;
    }
    return memcmp(r, s, 8 * n) == 0;
}

/*
 * Several lengths, since rows have code of their own for some: an odd number of 9 words, and its lowest 8, which are above R/2, so that R mod m = R -
 * m; then a length for each code that rows of vectors have, its words over and over, and one beyond them, for products alone: the powers there are
 * made of those.
 */
static int mont_answer(const struct limbic_row *row, const struct limbic_row *ref) {
    static const uint8_t lengths[] = {8, 24, 32, 40, 56, 72};
    const int product = row->op == LIMBIC_OP_mont_mul || row->op == LIMBIC_OP_mont_sqr;
    limbic_mont x = {limbic_p521n_limbs, limbic_p521n_n0, limbic_p521n_m, limbic_p521n_one, limbic_p521n_rr};
    uint64_t m[MONT_W], one[MONT_W], rr[MONT_W];
    int ok = mont_answer_of(row, ref, &x, 131);

    for (size_t i = 0; i < MONT_W; i++)
        m[i] = limbic_p521n_m[i % 8];
    x.m = m;
    x.one = one;
    x.rr = rr;
    for (size_t i = 0; ok && i < sizeof lengths - (product ? 0 : 1); i++) {
        uint64_t borrow = 0;
        x.limbs = lengths[i];
        for (size_t j = 0; j < x.limbs; j++)
            one[j] = limbic_sbb(0, m[j], &borrow);
        /* R^2: (2^limbs)^64, as a residue */
        memcpy(rr, one, 8 * x.limbs);
        for (size_t j = 0; j < x.limbs; j++)
            limbic_mont_add_c(rr, rr, rr, &x);
        for (int j = 0; j < 6; j++)
            limbic_mont_sqr_c(rr, rr, &x);
        ok = mont_answer_of(row, ref, &x, x.limbs == 8 ? 131 : 6);
    }
    return ok;
}

/* More streams than any row has lanes, so many over that they take the lanes again; and few. */
static int streams_answer(const struct limbic_row *row, const struct limbic_row *ref, const uint8_t *in) {
    enum { STREAMS = 16 + 7, FEW = 3 };
    const uint8_t *at[STREAMS];
    uint64_t r[8 * STREAMS], s[8 * STREAMS];

    for (size_t i = 0; i < 8 * STREAMS; i++)
        r[i] = s[i] = i * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < STREAMS; i++)
        at[i] = in + i * 5 % 128; /* two blocks of SHA-256 or one of SHA-512 stand from there on */
    for (size_t n = STREAMS;; n = FEW) {
        if (row->op != LIMBIC_OP_hash_sha512_many) {
            ((limbic_hash32_many *)row->fn)((uint32_t *)r, at, 2, n);
            ((limbic_hash32_many *)ref->fn)((uint32_t *)s, at, 2, n);
        } else {
            ((limbic_hash64_many *)row->fn)(r, at, 1, n);
            ((limbic_hash64_many *)ref->fn)(s, at, 1, n);
        }
        if (n == FEW)
            break;
    }
    return memcmp(r, s, sizeof r) == 0;
}

static int hash_answer(const struct limbic_row *row, const struct limbic_row *ref) {
    uint8_t in[256];
    union {
        uint32_t w32[8];
        uint64_t w64[8];
    } r, s;

    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (uint8_t)(i * 29 + 7);
    if (row->op == LIMBIC_OP_hash_sm3_stream) {
        uint8_t got[19 * 32] = {0}, want[sizeof got]; /* more blocks than any row has lanes, and some over */
        memset(&s, 0x5a, sizeof s);
        ((limbic_hash_stream *)row->fn)(got, s.w32, 544, 0xfffffff7, sizeof got / 32);
        ((limbic_hash_stream *)ref->fn)(want, s.w32, 544, 0xfffffff7, sizeof got / 32);
        return memcmp(got, want, sizeof got) == 0;
    }
    if (row->op == LIMBIC_OP_hash_sha256_many || row->op == LIMBIC_OP_hash_sha512_many ||
        row->op == LIMBIC_OP_hash_sm3_many)
        return streams_answer(row, ref, in);
    memset(&r, 0x5a, sizeof r);
    memset(&s, 0x5a, sizeof s);
    if (row->op != LIMBIC_OP_hash_sha512) {
        ((limbic_hash32 *)row->fn)(r.w32, in, sizeof in / 64);
        ((limbic_hash32 *)ref->fn)(s.w32, in, sizeof in / 64);
    } else {
        ((limbic_hash64 *)row->fn)(r.w64, in, sizeof in / 128);
        ((limbic_hash64 *)ref->fn)(s.w64, in, sizeof in / 128);
    }
    return memcmp(&r, &s, sizeof r) == 0;
}

static int gcd_answer(const struct limbic_row *row, const struct limbic_row *ref) {
    uint64_t r[5] = {0}, s[5];

    ((limbic_divsteps *)row->fn)(r, UINT64_MAX, limbic_p521_m[0], limbic_p256n_m[0]);
    ((limbic_divsteps *)ref->fn)(s, UINT64_MAX, limbic_p521_m[0], limbic_p256n_m[0]);
    return memcmp(r, s, sizeof r) == 0;
}

static void difference(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n) {
    uint64_t borrow = 0;
    for (size_t i = 0; i < n; i++)
        r[i] = limbic_sbb(a[i], b[i], &borrow);
}

/* u + v = k as many times as a row has lanes, so that each lane tells, and once more, which goes to what does one at a time; three times, if the
 * instruction set has no lanes. Every third
 * k has its sign changed, and one is n. table: of G, for the operation that takes tables. */
static int many_answer(const struct limbic_row *row, const uint64_t *u, const uint64_t *v,
                       const uint64_t *table) {
    enum { MOST = 8 + 1, ZERO = 2 };
    const struct known *c = &knowns[row->unit];
    const size_t n = limbic_unit_limbs(row->unit);
    uint64_t got[MOST * 2 * W] = {0}, ks[MOST * W], us[MOST * W], vs[MOST * W], qs[MOST * 2 * W], want[2 * W];
    const uint64_t *tables[MOST];
    const int alone = sibling(row, LIMBIC_OP_curve_point_mul, row->isa)->isa == row->isa;
    const size_t count = alone ? 3 : MOST;
    int ok = 1;

    for (size_t i = 0; i < count; i++) {
        uint64_t *ki = ks + n * i, *ui = us + n * i, *vi = vs + n * i;
        memcpy(ki, i == ZERO ? c->n : c->k, 8 * n);
        memcpy(ui, u, 8 * n);
        memcpy(vi, v, 8 * n);
        if (i == ZERO) {
            difference(ui, c->n, v, n);
        } else if (i % 3 == 1) {
            difference(ki, c->n, ki, n);
            difference(ui, c->n, ui, n);
            difference(vi, c->n, vi, n);
        }
        memcpy(qs + 2 * n * i, c->gx, 8 * n);
        memcpy(qs + 2 * n * i + n, c->gy, 8 * n);
        tables[i] = table;
    }
    if (row->op == LIMBIC_OP_curve_base_mul_many)
        ((limbic_affs_ks *)row->fn)(got, ks, count);
    else if (row->op == LIMBIC_OP_curve_point_mul_many)
        ((limbic_affs_ks_affs *)row->fn)(got, ks, qs, count);
    else if (row->op == LIMBIC_OP_curve_double_mul_many_vartime)
        ((limbic_affs_ks_ks_affs *)row->fn)(got, us, vs, qs, count);
    else
        ((limbic_affs_ks_ks_tabs *)row->fn)(got, us, vs, tables, count);
    for (size_t i = 0; i < count; i++) {
        memcpy(want, c->x, 8 * n);
        memcpy(want + n, c->y, 8 * n);
        if (i == ZERO)
            memset(want, 0, 16 * n);
        else if (i % 3 == 1)
            difference(want + n, c->m, want + n, n);
        ok &= memcmp(got + 2 * n * i, want, 16 * n) == 0;
    }
    return ok;
}

static size_t table_bytes_of(unsigned unit) {
    return knowns[unit].table_points * 2 * limbic_unit_limbs(unit) * sizeof(uint64_t);
}

void limbic_known_answer_end(unsigned unit, uint64_t *table) {
    if (table)
        (void)munmap(table, table_bytes_of(unit));
}

/* Of elements that are no point's, in place: r has four. */
static void step(const struct limbic_row *row, uint64_t *r, const uint64_t *q) {
    if (row->op == LIMBIC_OP_curve_scaled_dbl)
        ((limbic_pt4 *)row->fn)(r, r);
    else
        ((limbic_pt4_aff *)row->fn)(r, r, q);
}

static int step_answer(const struct limbic_row *row, const struct limbic_row *ref) {
    const size_t n = limbic_unit_limbs(row->unit);
    uint64_t q[2 * W], r[4 * W], s[4 * W];
    operands(q, q + n, knowns[row->unit].m, n);
    for (size_t i = 0; i < 4; i++)
        memcpy(r + i * n, q + i % 2 * n, 8 * n);
    memcpy(s, r, sizeof s);
    step(row, r, q);
    step(ref, s, q);
    return memcmp(r, s, 32 * n) == 0;
}

/* *kept: a table of G that a right prepare made, or NULL; prepare's answer gives its own. */
static int curve_answer(const struct limbic_row *row, uint64_t **kept) {
    const struct known *c = &knowns[row->unit];
    const size_t n = limbic_unit_limbs(row->unit);
    limbic_aff_pt *to_affine = (limbic_aff_pt *)portable(row, LIMBIC_OP_curve_to_affine)->fn;
    /* outputs start as zero: what an earlier answer left on the stack must not pass for one */
    uint64_t got[2 * W] = {0}, p[3 * W] = {0}, g[2 * W], want[2 * W], u[W], v[W], q[3 * W], *table;
    int ok = 1;

    memcpy(g, c->gx, 8 * n);
    memcpy(g + n, c->gy, 8 * n);
    memcpy(want, c->x, 8 * n);
    memcpy(want + n, c->y, 8 * n);
    for (size_t i = 0; i < n; i++) { /* u + v = k */
        u[i] = i < n / 2 ? c->k[i] : 0;
        v[i] = c->k[i] - u[i];
    }

    switch (row->op) {
    case LIMBIC_OP_curve_base_mul:
        ((limbic_pt_k *)row->fn)(p, c->k);
        break;
    case LIMBIC_OP_curve_point_mul:
        ((limbic_pt_k_aff *)row->fn)(p, c->k, g);
        break;
    case LIMBIC_OP_curve_double_mul_vartime:
        ((limbic_pt_k_k_aff *)row->fn)(p, u, v, g);
        break;
    case LIMBIC_OP_curve_xyzz_add:
    case LIMBIC_OP_curve_scaled_add:
    case LIMBIC_OP_curve_scaled_dbl:
        return step_answer(row, portable(row, row->op));
    case LIMBIC_OP_curve_base_mul_many:
    case LIMBIC_OP_curve_point_mul_many:
    case LIMBIC_OP_curve_double_mul_many_vartime:
        return many_answer(row, u, v, NULL);
    case LIMBIC_OP_curve_prepare_vartime:
    case LIMBIC_OP_curve_prepared_mul_vartime:
    case LIMBIC_OP_curve_prepared_mul_many_vartime:
        if (row->op != LIMBIC_OP_curve_prepare_vartime && *kept) {
            table = *kept;
        } else {
            /* not the heap, which a child of a fork may find locked; too much for a small stack */
            table = mmap(NULL, table_bytes_of(row->unit), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                         -1, 0);
            if (table == MAP_FAILED)
                return -1;
            ((limbic_tab_aff *)(row->op == LIMBIC_OP_curve_prepare_vartime
                                    ? row
                                    : sibling(row, LIMBIC_OP_curve_prepare_vartime, row->isa))
                 ->fn)(table, g);
        }
        if (row->op == LIMBIC_OP_curve_prepared_mul_many_vartime)
            ok = many_answer(row, u, v, table);
        else
            ((limbic_pt_k_k_tab *)(row->op == LIMBIC_OP_curve_prepared_mul_vartime
                                       ? row
                                       : sibling(row, LIMBIC_OP_curve_prepared_mul_vartime, row->isa))
                 ->fn)(p, u, v, table);
        if (row->op != LIMBIC_OP_curve_prepared_mul_many_vartime)
            ok = to_affine(got, p) && memcmp(got, want, 16 * n) == 0;
        if (row->op == LIMBIC_OP_curve_prepare_vartime && ok && !*kept)
            *kept = table;
        else if (table != *kept)
            limbic_known_answer_end(row->unit, table);
        return ok;
    case LIMBIC_OP_curve_to_affine: /* of u G, whose Z is not one */
        ((limbic_pt_k *)portable(row, LIMBIC_OP_curve_base_mul)->fn)(p, u);
        ok = to_affine(want, p) == ((limbic_aff_pt *)row->fn)(got, p);
        return ok && memcmp(got, want, 16 * n) == 0;
    default: /* u G + v G, or its double: against the portable row */
        ((limbic_pt_k *)portable(row, LIMBIC_OP_curve_base_mul)->fn)(p, u);
        ((limbic_pt_k *)portable(row, LIMBIC_OP_curve_base_mul)->fn)(q, v);
        if (row->op == LIMBIC_OP_curve_point_add) {
            ((limbic_pt_pt_pt *)row->fn)(p, p, q);
        } else {
            ((limbic_pt_pt *)portable(row, LIMBIC_OP_curve_point_dbl)->fn)(q, p);
            (void)to_affine(want, q);
            ((limbic_pt_pt *)row->fn)(p, p);
        }
        break;
    }
    return ok && to_affine(got, p) && memcmp(got, want, 16 * n) == 0;
}

int limbic_known_answer(const struct limbic_row *row) {
    uint64_t *table = NULL;
    const int answer = limbic_known_answer_with(row, &table);
    limbic_known_answer_end(row->unit, table);
    return answer;
}

int limbic_known_answer_with(const struct limbic_row *row, uint64_t **table) {
    const struct limbic_row *ref = portable(row, row->op);

    switch (limbic_op_class(row->op)) {
    case LIMBIC_CLASS_field:
        return field_answer(row, ref);
    case LIMBIC_CLASS_lanes:
        return lanes_answer(row, ref);
    case LIMBIC_CLASS_mont:
        return mont_answer(row, ref);
    case LIMBIC_CLASS_hash:
        return hash_answer(row, ref);
    case LIMBIC_CLASS_gcd:
        return gcd_answer(row, ref);
    case LIMBIC_CLASS_curve:
        return curve_answer(row, table);
    }
    return 0;
}
