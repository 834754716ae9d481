/*
 * The worst case of every intermediate of src/field/lanes.h: its functions, compiled with vectors that are intervals. Each
 * operation checks that what it reads has one meaning as a word (unsigned for logical shifts, signed for arithmetic ones,
 * below 2^52 for products) and gives the interval of its results; what comes out must lie within the sizes that lanes.h
 * states. So for the sums of points of src/curve/lanes.c.
 */
#include <stdio.h>
#include "base/limb.h"

#define LIMBIC_DISPATCH_VECTOR_H /* instead of dispatch/vector.h */

__extension__ typedef __int128 wide;
typedef struct {
    wide lo, hi;
} v8;
typedef uint8_t v8_mask;
#define V8_UNROLL

static unsigned long faults, checks;
static const char *doing = "";

static void check(int ok, const char *what) {
    checks++;
    if (!ok && faults++ < 20)
        printf("FAIL %s: %s\n", doing, what);
}

#define WORD ((wide)1 << 64)
static int is_signed(v8 a) {
    return a.lo >= -WORD / 2 && a.hi < WORD / 2;
}
static int is_unsigned(v8 a) {
    return a.lo >= 0 && a.hi < WORD;
}

static inline v8 v8_set1(uint64_t x) {
    return (v8){(wide)x, (wide)x};
}
static inline v8 v8_broadcast(const uint64_t *p) {
    return v8_set1(*p);
}
static inline v8 v8_add(v8 a, v8 b) {
    return (v8){a.lo + b.lo, a.hi + b.hi};
}
static inline v8 v8_sub(v8 a, v8 b) {
    return (v8){a.lo - b.hi, a.hi - b.lo};
}
static inline v8 v8_and(v8 a, v8 b) { /* b: a constant 2^n - 1 */
    check(is_signed(a) || is_unsigned(a), "the operand of an and wraps");
    check(b.lo == b.hi && (b.lo & (b.lo + 1)) == 0, "an and without a mask");
    return (a.lo >= 0 && a.hi <= b.hi) || b.hi == WORD - 1 ? a : (v8){0, b.hi};
}
static inline v8 v8_or(v8 a, v8 b) {
    check(is_unsigned(a) && is_unsigned(b), "the operand of an or wraps");
    return (v8){0, a.hi + b.hi};
}
static inline v8 v8_sll(v8 a, unsigned n) {
    return (v8){a.lo * ((wide)1 << n), a.hi * ((wide)1 << n)}; /* modulo 2^64, as sums are */
}
__attribute__((unused)) static inline v8 v8_low_sll(v8 a, unsigned bits, unsigned n) {
    return v8_sll(v8_and(a, v8_set1((UINT64_C(1) << bits) - 1)), n);
}
static inline v8 v8_srl(v8 a, unsigned n) {
    check(is_unsigned(a), "the operand of a logical shift wraps");
    return (v8){a.lo >> n, a.hi >> n};
}
static inline v8 v8_sra(v8 a, unsigned n) {
    check(is_signed(a), "the operand of an arithmetic shift wraps");
    return (v8){a.lo >> n, a.hi >> n};
}
static void check_factors(v8 a, v8 b) {
    check(a.lo >= 0 && a.hi >> 52 == 0 && b.lo >= 0 && b.hi >> 52 == 0, "a factor is above 52 bits");
}
static inline v8 v8_madd_lo(v8 acc, v8 a, v8 b) {
    const wide most = ((wide)1 << 52) - 1, product = a.hi * b.hi;
    check_factors(a, b);
    return (v8){acc.lo, acc.hi + (product < most ? product : most)};
}
static inline v8 v8_madd_hi(v8 acc, v8 a, v8 b) {
    check_factors(a, b);
    return (v8){acc.lo + (a.lo * b.lo >> 52), acc.hi + (a.hi * b.hi >> 52)};
}
static inline v8 v8_select(v8_mask mask, v8 a, v8 b) {
    (void)mask;
    return (v8){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}
/* All lanes have one interval. */
#define V8_ORDER(a, b, c, d, e, f, g, h) v8_set1(0)
static inline v8 v8_permute(v8 a, v8 order) {
    (void)order;
    return a;
}
static inline v8 v8_permute2(v8 a, v8 b, v8 order) {
    (void)order;
    return v8_select(0, a, b);
}
/* Not run here: comparisons, digits and memory. */
static inline v8 v8_srl_each(v8 a, v8 n) {
    (void)n;
    return a;
}
static inline v8 v8_load(const uint64_t *p) {
    return v8_set1(*p);
}
static inline void v8_store(uint64_t *p, v8 a) {
    *p = (uint64_t)a.lo;
}
static inline v8 v8_read(v8 address) {
    return address;
}
static inline void v8_prefetch(v8 address, size_t bytes) {
    (void)address, (void)bytes;
}
static inline v8 v8_look_up_32(const uint64_t *p, v8 index) {
    (void)p;
    return index;
}
static inline v8_mask v8_eq(v8 a, v8 b) {
    (void)a, (void)b;
    return 0;
}
static inline v8 v8_gather(const uint64_t *p, size_t stride) {
    return v8_set1(p[stride]);
}
static inline void v8_scatter(uint64_t *p, size_t stride, v8 a) {
    p[stride] = (uint64_t)a.lo;
}

/* Karatsuba's column k, as the comment of lanes_karatsuba has it, from the limbs' intervals. */
#define LANES_CROSS(d, f, k) cross((f)->a, (f)->b, k)
__attribute__((unused)) static v8 cross(const v8 *a, const v8 *b, int k);

#include "dispatch/dispatch.h"
#include "curve/digits.h"
limbic_pt_k OP(base_mul);
limbic_affs_ks OP(base_mul_many);
limbic_affs_ks_affs OP(point_mul_many);
limbic_affs_ks_ks_affs OP(double_mul_many_vartime);
limbic_affs_ks_ks_tabs OP(prepared_mul_many_vartime);
#include "curve/lanes.c"

static v8 cross(const v8 *a, const v8 *b, int k) {
    const wide half = (wide)1 << 52;
    const int n = (LFE_LIMBS + 1) / 2;
    v8 r = {0, 0};
    for (int i = 0; i < n; i++) {
        const int j = k - i;
        if (j >= 0 && j < n) {
            r.lo -= 2 * half;
            r.hi += half;
        }
        if (j >= 1 && j <= n) { /* the column below */
            wide t = 0;
            if (j - 1 + n < LFE_LIMBS)
                t += a[i].hi * b[j - 1 + n].hi;
            if (i + n < LFE_LIMBS)
                t += a[i + n].hi * b[j - 1].hi;
            r.hi += 16 * (t / half + 2);
        }
    }
    return r;
}

static void of_size(lfe *r, unsigned size) {
    for (int i = 0; i < LFE_LIMBS; i++)
        r->v[i] = (v8){0, (wide)size * LANES_CONST(lanes_tight)[i]};
}

static void within(const lfe *r, unsigned size, const char *what) {
    for (int i = 0; i < LFE_LIMBS; i++)
        check(r->v[i].lo >= 0 && r->v[i].hi <= (wide)size * LANES_CONST(lanes_tight)[i], what);
}

enum { SIZE = 15, FACTOR = 7, PRODUCT = 16, SQUARE = 4 };

/* The sums of points of src/curve/lanes.c: of any that are within the sizes stated there, they are so again. */
static void points(void) {
    affine first, b;
    jacobian p;
    xyzz a;
    chord c;
    quad q[2], sum;

    doing = "points";
    of_size(&first.x, 1);
    of_size(&first.y, 2);
    b = first;
    xyzz_from_two(&a, &first, &b, &c);
    for (int i = 0; i < 2; i++) {
        within(&a.x, 1, "x of a sum is not tight");
        within(&a.y, 1, "y of a sum is not tight");
        within(&a.zz, 1, "zz of a sum is not tight");
        within(&a.zzz, 1, "zzz of a sum is not tight");
        of_size(&a.x, 1);
        a.y = a.zz = a.zzz = a.x;
        xyzz_add(&a, &b, &c);
    }
    of_size(&a.x, 1);
    a.y = a.zz = a.zzz = a.x;
    for (int i = 0; i < 3; i++) {
        if (i == 0)
            xyzz_to_jacobian(&p, &a);
        else if (i == 1)
            dbl(&p);
        else
            add_affine(&p, &b, &c, 1);
        within(&p.x, 1, "x is not tight");
        within(&p.y, 1, "y is not tight");
        within(&p.z, 1, "z is not tight");
        of_size(&p.x, 1);
        p.y = p.z = p.x;
    }
    join_lanes(&sum, &a);
    for (int i = 0; i < 2; i++) {
        within(&sum.xy, 3, "x, y of joined lanes are above 3");
        within(&sum.z, 1, "zz, zzz of joined lanes are not tight");
        of_size(&q[i].xy, 3);
        of_size(&q[i].z, 1);
        q[1] = q[0];
        join(q, 2);
        sum = q[i];
    }
    lanes_mul(&sum.xy, &sum.xy, &sum.z);
    within(&sum.xy, 1, "a product is not tight");
}

int main(void) {
    lfe x, y, z, w, r;
    char name[64];

    doing = name;
    for (int i = 0; i < LFE_LIMBS; i++)
        check(SIZE * LANES_CONST(lanes_tight)[i] >> 52 == 0, "the largest size does not fit into 52 bits");
    if (LANES_IS(p256) || LANES_IS(sm2)) /* which lanes_product leaves out */
        check(PRODUCT * LANES_CONST(lanes_tight)[LFE_LIMBS - 1] * LANES_CONST(lanes_tight)[LFE_LIMBS - 1] >>
                      52 ==
                  0,
              "the top limbs' product has a high half");
    for (unsigned a = 1; a <= FACTOR; a++)
        for (unsigned b = 1; b <= FACTOR && a * b <= PRODUCT; b++) {
            snprintf(name, sizeof name, "mul %u %u", a, b);
            of_size(&x, a);
            of_size(&y, b);
            lanes_mul(&r, &x, &y);
            within(&r, 1, "a product is not tight");
            of_size(&w, FACTOR);
            lanes_mul_add(&r, &x, &y, &w);
            within(&r, 1, "a product with a summand is not tight");
            for (unsigned c = 1; c <= FACTOR; c++)
                for (unsigned d = 1; d <= FACTOR && a * b + c * d <= PRODUCT; d++) {
                    snprintf(name, sizeof name, "mul2 %u %u %u %u", a, b, c, d);
                    of_size(&z, c);
                    of_size(&w, d);
                    lanes_mul2(&r, &x, &y, &z, &w);
                    within(&r, 1, "the sum of two products is not tight");
                }
        }
    for (unsigned a = 1; a <= SIZE; a++) {
        snprintf(name, sizeof name, "size %u", a);
        of_size(&x, a);
        if (a <= SQUARE) {
            lanes_sqr(&r, &x);
            within(&r, 1, "a square is not tight");
            of_size(&w, FACTOR);
            lanes_sqr_add(&r, &x, &w);
            within(&r, 1, "a square with a summand is not tight");
        }
        lanes_carry(&r, &x);
        within(&r, 1, "after carrying an element is not tight");
        for (unsigned n = 1; a + 2 * n <= SIZE; n++) {
            of_size(&y, n);
            lanes_sub_n(&r, &x, &y, n);
            within(&r, a + 2 * n, "a difference is too large or negative");
        }
    }
    for (unsigned n = 1; 2 * n <= SIZE; n++) {
        of_size(&x, n);
        lanes_neg_n(&r, &x, n);
        within(&r, 2 * n, "a negative is too large or negative");
    }
    of_size(&x, 1);
    lanes_neg(&r, &x);
    within(&r, 2, "a negative is too large or negative");
    points();
    printf("%lu checks, %lu failed\n", checks, faults);
    return faults != 0;
}
