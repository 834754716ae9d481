/* kernel/<field>/<op>/<isa>/latency|throughput: every usable row of the registry. */
#include "bench.h"

#include "curve/curve.h"
#include "limbic/field.h"

#include <stdio.h>
#include <string.h>

/* Operand sets that throughput loops go round: independent, and all in the first cache level. */
enum { SETS = 8, MANY = 64, STREAMS = 16 };

struct kernel {
    const struct limbic_row *row;
    const struct bench_field *field;             /* NULL: hash */
    size_t stride;                               /* words of a set */
    uint64_t scalar_mask;                        /* of a scalar's top word */
    uint64_t *r, *a, *b;                         /* results; residues or Jacobian points */
    uint64_t *u, *v, *q;                         /* scalars; affine points */
    uint64_t *t;                                 /* a prepared table */
    uint64_t *many_r, *many_u, *many_v, *many_q; /* MANY of each, without gaps */
    const uint64_t *tables[MANY];                /* t */
    const uint8_t *streams[STREAMS];
    limbic_mont mont;
};

/* A scalar out of a result, for the chain. */
static void scalar(const struct kernel *k, uint64_t *u, const uint64_t *r) {
    size_t limbs = k->field->limbs;
    for (size_t i = 0; i < limbs; i++)
        u[i] = r[i];
    u[limbs - 1] &= k->scalar_mask;
}

/* The two loops of each signature of dispatch.h: f is the kernel, s the offset of the turn's operands. The
 * turns are written out: with an offset that the loop counts up, a call of the same kernel measures up to 25
 * cycles more. */
#define TURN(statement, i)                                                                                   \
    {                                                                                                        \
        const size_t s = (i)*stride;                                                                         \
        (void)s;                                                                                             \
        statement;                                                                                           \
    }
#define LOOP(name, signature, statement)                                                                     \
    static void name(void *arg, size_t count) {                                                              \
        const struct kernel *const k = arg;                                                                  \
        limbic_##signature *const f = (limbic_##signature *)k->row->fn;                                      \
        const size_t stride = k->stride;                                                                     \
        for (; count >= SETS; count -= SETS) {                                                               \
            TURN(statement, 0)                                                                               \
            TURN(statement, 1)                                                                               \
            TURN(statement, 2)                                                                               \
            TURN(statement, 3)                                                                               \
            TURN(statement, 4)                                                                               \
            TURN(statement, 5)                                                                               \
            TURN(statement, 6)                                                                               \
            TURN(statement, 7)                                                                               \
        }                                                                                                    \
        for (; count; count--)                                                                               \
            TURN(statement, count)                                                                           \
    }
#define LOOPS(signature, chain, independent)                                                                 \
    LOOP(latency_##signature, signature, chain)                                                              \
    LOOP(throughput_##signature, signature, independent)

LOOPS(fe2, f(k->r, k->r), f(k->r + s, k->a + s))
LOOPS(fe3, f(k->r, k->r, k->b), f(k->r + s, k->a + s, k->b + s))
LOOPS(lanes2, f(k->r, k->r), f(k->r + s, k->a + s))
LOOPS(lanes3, f(k->r, k->r, k->b), f(k->r + s, k->a + s, k->b + s))
LOOPS(lanes5, f(k->r, k->r, k->b, k->a, k->u), f(k->r + s, k->a + s, k->b + s, k->u + s, k->v + s))
LOOPS(mont2, f(k->r, k->r, &k->mont), f(k->r + s, k->a + s, &k->mont))
LOOPS(mont3, f(k->r, k->r, k->b, &k->mont), f(k->r + s, k->a + s, k->b + s, &k->mont))
/* An exponent as long as the modulus. */
LOOPS(mont4, f(k->r, k->r, k->b, 64 * k->mont.limbs, &k->mont),
      f(k->r + s, k->a + s, k->b + s, 64 * k->mont.limbs, &k->mont))
/* Eight times the same modulus. */
#define EIGHT(m) ((const limbic_mont *const[]){m, m, m, m, m, m, m, m})
LOOPS(mont_many, f(k->r, k->r, k->b, 64 * k->mont.limbs, EIGHT(&k->mont), 8),
      f(k->r + s, k->a + s, k->b + s, 64 * k->mont.limbs, EIGHT(&k->mont), 8))
/* RSA's public exponent */
static const uint64_t f4 = 65537;
LOOPS(mont_public, f(k->r, k->r, &f4, 17, &k->mont), f(k->r + s, k->a + s, &f4, 17, &k->mont))
LOOPS(mont_publics, f(k->r, k->r, &f4, 17, EIGHT(&k->mont), 8),
      f(k->r + s, k->a + s, &f4, 17, EIGHT(&k->mont), 8))
LOOPS(pt_pt, f(k->r, k->r), f(k->r + s, k->a + s))
LOOPS(pt_pt_pt, f(k->r, k->r, k->b), f(k->r + s, k->a + s, k->b + s))
LOOPS(pt4, f(k->r, k->r), f(k->r + s, k->a + s))
LOOPS(pt4_aff, f(k->r, k->r, k->q), f(k->r + s, k->a + s, k->q + s))
LOOPS(pt_k, (scalar(k, k->u, k->r), f(k->r, k->u)), f(k->r + s, k->u + s))
LOOPS(pt_k_aff, (scalar(k, k->u, k->r), f(k->r, k->u, k->q)), f(k->r + s, k->u + s, k->q + s))
LOOPS(pt_k_k_aff, (scalar(k, k->u, k->r), f(k->r, k->u, k->v, k->q)),
      f(k->r + s, k->u + s, k->v + s, k->q + s))
LOOPS(pt_k_k_tab, (scalar(k, k->u, k->r), f(k->r, k->u, k->v, k->t)), f(k->r + s, k->u + s, k->v + s, k->t))
/* x becomes the next Z */
LOOPS(aff_pt, (memcpy(k->a + 2 * k->field->limbs, k->r, 8 * k->field->limbs), f(k->r, k->a)),
      f(k->r + s, k->a + s))
LOOPS(divsteps, f(k->r, k->r[4], k->r[0] | 1, k->r[2]), f(k->r + s, UINT64_MAX, k->a[s] | 1, k->b[s]))
LOOPS(hash32, f((uint32_t *)k->r, (const uint8_t *)k->a, 1),
      f((uint32_t *)(k->r + s), (const uint8_t *)(k->a + s), 1))
LOOPS(hash64, f(k->r, (const uint8_t *)k->a, 1), f(k->r + s, (const uint8_t *)(k->a + s), 1))
/* A table is no operand of another: there is no chain. */
LOOP(throughput_tab_aff, tab_aff, f(k->t, k->q + s))
#define latency_tab_aff NULL
/* MANY operations a call, none of another's. */
LOOP(throughput_affs_ks, affs_ks, f(k->many_r, k->many_u, MANY))
#define latency_affs_ks NULL
LOOP(throughput_affs_ks_affs, affs_ks_affs, f(k->many_r, k->many_u, k->many_q, MANY))
#define latency_affs_ks_affs NULL
LOOP(throughput_affs_ks_ks_affs, affs_ks_ks_affs, f(k->many_r, k->many_u, k->many_v, k->many_q, MANY))
#define latency_affs_ks_ks_affs NULL
LOOP(throughput_affs_ks_ks_tabs, affs_ks_ks_tabs, f(k->many_r, k->many_u, k->many_v, k->tables, MANY))
#define latency_affs_ks_ks_tabs NULL
/* As many blocks of 32 bytes as all sets of r hold; they are no state of another. */
LOOP(throughput_hash_stream, hash_stream,
     f((uint8_t *)k->r, (const uint32_t *)(k->a + s), 544, (uint32_t)count, SETS *stride / 4))
#define latency_hash_stream NULL

/* A block of each of STREAMS; they take their states from all sets of r, which hold as many. */
LOOP(throughput_hash32_many, hash32_many, f((uint32_t *)k->r, k->streams, 1, STREAMS))
#define latency_hash32_many NULL
LOOP(throughput_hash64_many, hash64_many, f(k->r, k->streams, 1, STREAMS))
#define latency_hash64_many NULL

static const struct {
    void (*latency)(void *, size_t), (*throughput)(void *, size_t);
} loops[LIMBIC_OPS] = {
#define OP(class, name, signature, representation, input, output, aliasing, timing, oracle)                  \
    [LIMBIC_OP_##class##_##name] = {latency_##signature, throughput_##signature},
#include "dispatch/ops.def"
};

static const struct limbic_curve_desc *curve_of(unsigned unit) {
    for (unsigned i = LIMBIC_P256;; i++) {
        const struct limbic_curve_desc *c = limbic_curve_desc((limbic_curve)i);
        if (!c || c->unit == unit)
            return c;
    }
}

/* Points and a table, by whatever rows run. */
static void curve_operands(struct kernel *k, const struct limbic_curve_desc *c) {
    const struct limbic_ops *ops = limbic_ops((enum limbic_unit)c->unit);
    const uint64_t *n = limbic_modulus((enum limbic_unit)c->order)->m;
    k->scalar_mask = bench_top_mask(n, c->limbs);
    for (size_t s = 0; s < SETS * k->stride; s += k->stride) {
        bench_random_below(k->u + s, n, c->limbs);
        bench_random_below(k->v + s, n, c->limbs);
        ops->curve_base_mul(k->r + s, k->v + s);
        ops->curve_base_mul(k->a + s, k->u + s);
        ops->curve_point_dbl(k->b + s, k->a + s);
        if (!ops->curve_to_affine(k->q + s, k->b + s))
            bench_die("twice a point is infinity");
    }
    k->t = bench_alloc(c->table_words * sizeof *k->t);
    limbic_ops_of((enum limbic_unit)c->unit, LIMBIC_PART_PREPARED)->curve_prepare_vartime(k->t, k->q);
    k->many_r = bench_alloc(MANY * 2 * c->limbs * sizeof *k->many_r);
    k->many_u = bench_alloc(MANY * c->limbs * sizeof *k->many_u);
    k->many_v = bench_alloc(MANY * c->limbs * sizeof *k->many_v);
    k->many_q = bench_alloc(MANY * 2 * c->limbs * sizeof *k->many_q);
    for (size_t i = 0; i < MANY; i++) {
        bench_random_below(k->many_u + c->limbs * i, n, c->limbs);
        bench_random_below(k->many_v + c->limbs * i, n, c->limbs);
        k->tables[i] = k->t;
    }
    limbic_ops_of((enum limbic_unit)c->unit, LIMBIC_PART_MANY)
        ->curve_base_mul_many(k->many_q, k->many_v, MANY);
}

static struct kernel *operands(const struct limbic_row *row, const struct bench_field *field) {
    struct kernel *k = bench_alloc(sizeof *k);
    uint64_t **const arrays[] = {&k->r, &k->a, &k->b, &k->u, &k->v, &k->q};
    enum limbic_class class = limbic_op_class(row->op);
    size_t limbs = field ? field->limbs : 16; /* a block of SHA-512 */
    k->row = row;
    k->field = field;
    /* Each operand begins a cache line; one block, so that the loads and stores of a field's loop never lie a
     * multiple of 4 KiB apart, as they may from malloc. */
    k->stride = class == LIMBIC_CLASS_lanes ? LIMBIC_MAX_LANES_WORDS
                                            : (limbs * (class == LIMBIC_CLASS_curve  ? 4
                                                        : class == LIMBIC_CLASS_mont ? 8
                                                                                     : 1) +
                                               7) /
                                                  8 * 8;
    uint64_t *block = bench_alloc(sizeof arrays / sizeof *arrays * SETS * k->stride * sizeof *block);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = block + i * SETS * k->stride;
    if (class == LIMBIC_CLASS_curve) {
        curve_operands(k, curve_of(row->unit));
        return k;
    }
    if (class == LIMBIC_CLASS_lanes) { /* the lowest bound of any field's limbs */
        bench_random(block, sizeof arrays / sizeof *arrays * SETS * k->stride);
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays * SETS * k->stride; i++)
            block[i] >>= 33;
        return k;
    }
    for (size_t i = 0; i < 3; i++)
        for (size_t s = 0; s < SETS; s++) {
            uint64_t *r = *arrays[i] + s * k->stride;
            if (field)
                bench_random_below(r, field->m, limbs);
            for (size_t more = 1; class == LIMBIC_CLASS_mont && more < 8; more++)
                bench_random_below(r + more * limbs, field->m, limbs);
            if (!field)
                bench_random(r, limbs);
        }
    for (size_t i = 0; i < STREAMS; i++)
        k->streams[i] = (const uint8_t *)(k->a + i % SETS * k->stride);
    if (class == LIMBIC_CLASS_mont &&
        limbic_mont_init(&k->mont, bench_alloc(LIMBIC_MONT_STORAGE(limbs) * sizeof(uint64_t)), field->m,
                         limbs) != LIMBIC_OK)
        bench_die("limbic_mont_init failed");
    return k;
}

/* An engine may take what it needs beside its field from the library's table. */
static void before(void *arg) {
    const struct kernel *k = arg;
    limbic_force_isa(limbic_isa_name(k->row->isa));
}

static void add(const struct limbic_row *row, const struct bench_field *field) {
    const char *unit = field ? field->name : limbic_unit_name(row->unit);
    const char *op = limbic_op_name(row->op), *isa = limbic_isa_name(row->isa);
    struct bench_row out = {.before = before};
    if (!limbic_row_usable(row)) {
        char reason[96];
        limbic_row_reason(row, reason, sizeof reason);
        BENCH_NAME(&out, "kernel/%s/%s/%s", unit, op, isa);
        bench_not_run(out.name, reason);
        return;
    }
    out.arg = operands(row, field);
    BENCH_GROUP(&out, "kernel/%s/%s", unit, op);
    if (loops[row->op].latency) {
        BENCH_NAME(&out, "kernel/%s/%s/%s/latency", unit, op, isa);
        out.fn = loops[row->op].latency;
        bench_add(&out);
    }
    BENCH_NAME(&out, "kernel/%s/%s/%s/throughput", unit, op, isa);
    out.fn = loops[row->op].throughput;
    bench_add(&out);
}

void bench_kernels(void) {
    for (size_t i = 0; i < limbic_rows_count; i++) {
        const struct limbic_row *row = &limbic_rows[i];
        const struct bench_field *field;
        int fields = 0;
        for (size_t j = 0; (field = bench_field(j)) != NULL; j++)
            if (field->unit == row->unit) {
                add(row, field);
                fields++;
            }
        if (!fields)
            add(row, NULL);
    }
}
