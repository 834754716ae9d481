/*
 * Constant time, under Valgrind's memcheck: what is secret counts as undefined, and memcheck reports every
 * branch and every address that is made from it. Kernels: all operands of every ct row. Schemes: private keys
 * and nonces; only what the library itself declassifies, and outputs, may be looked at. Variable-latency
 * instructions are not seen.
 *
 * Valgrind does not show every feature of the CPU to programs, but may execute its instructions all the same:
 * rows that only lack such a feature are tried in a child process and assumed if that lives.
 */
#define _GNU_SOURCE /* fork, waitpid */
#include <sys/wait.h>
#include <unistd.h>
#include "base/secret.h"
#include "curve/curve.h"
#include "limbic/ecdh.h"
#include "limbic/ecdsa.h"
#include "limbic/limbic.h"
#include "tests/check.h"
#include "tests/kernels/oracle.h"

static uint64_t state = 1;
static uint64_t next(void) { /* xorshift64* */
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * UINT64_C(0x2545f4914f6cdd1d);
}

static unsigned long errors(void) {
    return VALGRIND_COUNT_ERRORS;
}

/* ---- rows ---- */

typedef uint64_t function(uintptr_t, uintptr_t, uintptr_t, uintptr_t);

enum { ROUNDS = 4, BLOCKS = 2 };

/* Operand i of kind: round 0 zero or infinity, 1 the largest, else random. */
static void operand(const struct unit *u, char kind, int round, uint64_t *out) {
    mpz_t z;
    struct point p;
    mpz_init(z);
    point_init(&p);
    for (size_t i = 0; i < u->limbs; i++) {
        mpz_mul_2exp(z, z, 64);
        mpz_add_ui(z, z, next());
    }
    switch (kind) {
    case 'e':
    case 'k':
        mpz_mod(z, z, kind == 'e' ? u->m : u->n);
        if (round == 0)
            mpz_set_ui(z, 0);
        else if (round == 1)
            mpz_sub_ui(z, kind == 'e' ? u->m : u->n, kind == 'e');
        words_put(out, z, u->limbs);
        break;
    case 'a':
    case 'p':
        mpz_mod(z, z, u->m);
        while (!point_lift(u, &p, z, 0))
            mpz_add_ui(z, z, 1);
        if (round == 1)
            point_base(u, &p);
        p.infinite = kind == 'p' && round == 0;
        mpz_set(z, u->m);
        mpz_sub_ui(z, z, 2);
        if (kind == 'a')
            point_put_affine(u, out, &p);
        else
            point_put_jacobian(u, out, &p, z);
        break;
    default:
        for (size_t i = 0; i < operand_bytes(u, kind, BLOCKS) / 8; i++)
            out[i] = next();
        break;
    }
    point_clear(&p);
    mpz_clear(z);
}

/* Errors that memcheck reports while fn runs on undefined operands. */
static unsigned long run_marked(function *fn, const struct unit *u, const char *shape, int round) {
    uint64_t words[MAX_ARGS][3 * LIMBIC_MAX_LIMBS + 16 * BLOCKS], arrays[3][LIMBIC_MAX_LIMBS];
    uintptr_t args[MAX_ARGS] = {0};
    struct limbic_mont x;
    const int count = (int)strlen(shape);

    for (int i = 0; i < count; i++) {
        args[i] = (uintptr_t)words[i];
        if (shape[i] == 'n') {
            args[i] = BLOCKS;
        } else if (shape[i] == 'x') { /* all secret but the length */
            x = u->x;
            memcpy(arrays, u->storage, 8 * u->limbs);
            memcpy(arrays[1], u->storage + u->limbs, 8 * u->limbs);
            memcpy(arrays[2], u->storage + 2 * u->limbs, 8 * u->limbs);
            x.m = arrays[0];
            x.one = arrays[1];
            x.rr = arrays[2];
            LIMBIC_SECRET(arrays, sizeof arrays);
            LIMBIC_SECRET(&x.n0, sizeof x.n0);
            args[i] = (uintptr_t)&x;
        } else {
            operand(u, shape[i], round, words[i]);
            LIMBIC_SECRET(words[i], sizeof words[i]);
        }
    }
    const unsigned long before = errors();
    (void)fn(args[0], args[1], args[2], args[3]);
    return errors() - before;
}

static int marked_row(const struct limbic_row *row) {
    const char *shape = op_infos[row->op].shape;
    unsigned long found = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct unit mont;
        const struct unit *u = unit_get(row->unit);
        if (row->unit == LIMBIC_UNIT_mont) {
            mpz_t m;
            mpz_init_set(m, unit_get(LIMBIC_UNIT_p521n)->m);
            mpz_fdiv_q_2exp(m, m, 64 * (unsigned)round); /* lengths 9 to 6 */
            mpz_setbit(m, 0);
            unit_mont(&mont, m, (mpz_sizeinbase(m, 2) + 63) / 64);
            mpz_clear(m);
            u = &mont;
        }
        found += run_marked((function *)row->fn, u, shape, round);
        if (u == &mont)
            unit_mont_clear(&mont);
    }
    return found == 0;
}

/* Rows that lack nothing but features which this process is not shown: whether it can execute them. */
static void assume_what_runs(void) {
    uint64_t assumed = 0;
    for (size_t i = 0; i < limbic_rows_count; i++) {
        const struct limbic_row *row = &limbic_rows[i];
        int status;
        const uint64_t missing = row->need & ~(limbic_cpu()->enabled | assumed);
        if (!row->fn || !missing || row->need & limbic_cpu()->off)
            continue;
        (void)fflush(stdout);
        const pid_t pid = fork();
        if (pid == 0)
            _exit(!limbic_known_answer(row));
        if (pid > 0 && waitpid(pid, &status, 0) == pid && status == 0)
            assumed |= missing;
    }
    limbic_cpu_assume(assumed);
    for (unsigned i = 0; i < LIMBIC_FEATURES; i++)
        if (assumed >> i & 1)
            (void)printf("assumed, for Valgrind executes it without showing it: %s\n",
                         limbic_feature_name(i));
}

static void test_rows(void) {
    unsigned long tested = 0, vartime = 0, others = 0;
    for (size_t i = 0; i < limbic_rows_count; i++) {
        const struct limbic_row *row = &limbic_rows[i];
        char name[64], reason[128];
        (void)snprintf(name, sizeof name, "%s/%s/%s", limbic_unit_name(row->unit), limbic_op_name(row->op),
                       limbic_isa_name(row->isa));
        if (op_infos[row->op].vartime) {
            vartime++;
            (void)printf("%-28s variable time by contract: no evidence needed\n", name);
        } else if (!limbic_row_usable(row)) {
            others++;
            limbic_row_reason(row, reason, sizeof reason);
            (void)printf("skip %-23s no evidence here: %s\n", name, reason);
            if (required(limbic_isa_name(row->isa)))
                check(0, "%s: required by LIMBIC_REQUIRE", name);
            else
                skipped++;
        } else {
            tested++;
            if (check(marked_row(row), "%s branches on its operands, or makes addresses from them", name))
                (void)printf("%-28s memcheck, all operands secret\n", name);
        }
    }
    (void)printf("rows: %lu under memcheck + %lu variable time + %lu not run == %zu\n", tested, vartime,
                 others, limbic_rows_count);
    check(tested + vartime + others == limbic_rows_count, "rows were lost");
}

/* ---- the test's own test: leaks that must be seen ---- */

static volatile uint64_t sink;
static const uint8_t table[256] = {1, 2, 3};

static uint64_t branches(uint64_t *r, const uint64_t *a) {
    if (a[0] & 1)
        sink++;
    r[0] = a[0];
    return 0;
}
static uint64_t indexes(uint64_t *r, const uint64_t *a) {
    r[0] = ((const volatile uint8_t *)table)[a[0] & 255];
    return 0;
}
static uint64_t compares(uint64_t *r, const uint64_t *a) {
    uint64_t i = 0;
    while (i < 4 && ((const volatile uint64_t *)a)[i] == i) /* as memcmp does */
        i++;
    r[0] = i;
    return 0;
}
static void test_controls(void) {
    static const struct {
        uint64_t (*fn)(uint64_t *, const uint64_t *);
        const char *name;
    } leaks[] = {{branches, "branches on a secret"},
                 {indexes, "indexes by a secret"},
                 {compares, "compares until unequal"}};
    const struct unit *u = unit_get(0);
    for (size_t i = 0; i < sizeof leaks / sizeof leaks[0]; i++) {
        const unsigned long found = run_marked((function *)(void (*)(void))leaks[i].fn, u, "ee", 2);
        if (check(found > 0, "control: a function that %s is not reported", leaks[i].name))
            (void)printf("control: a function that %s is reported\n", leaks[i].name);
    }
}

/* ---- public functions ---- */

/* Runs a statement whose inputs are marked and says whether memcheck was quiet. */
#define QUIET(statement, ...)                                                                                \
    do {                                                                                                     \
        const unsigned long before_ = errors();                                                              \
        statement;                                                                                           \
        check(errors() == before_, __VA_ARGS__);                                                             \
    } while (0)

/* The status of a call whose private inputs are marked must be defined: callers branch on it. */
#define SECRET_CALL(call, ...)                                                                               \
    do {                                                                                                     \
        limbic_status status_ = LIMBIC_OK;                                                                   \
        QUIET(status_ = call, __VA_ARGS__);                                                                  \
        QUIET(check(status_ == LIMBIC_OK, __VA_ARGS__), __VA_ARGS__);                                        \
    } while (0)

#define W LIMBIC_MAX_LIMBS

#define FIELD_API(F)                                                                                         \
    static void api_##F(void) {                                                                              \
        uint64_t a[W], b[W], r[W], bit = next() & 1;                                                         \
        uint8_t bytes[8 * W];                                                                                \
        int eq = 0, zero = 0;                                                                                \
        operand(unit_get(LIMBIC_UNIT_##F), 'e', 2, a);                                                       \
        operand(unit_get(LIMBIC_UNIT_##F), 'e', 2, b);                                                       \
        LIMBIC_SECRET(a, sizeof a);                                                                          \
        LIMBIC_SECRET(b, sizeof b);                                                                          \
        LIMBIC_SECRET(&bit, sizeof bit);                                                                     \
        QUIET(limbic_##F##_add(r, a, b), "%s add", #F);                                                      \
        QUIET(limbic_##F##_sub(r, a, b), "%s sub", #F);                                                      \
        QUIET(limbic_##F##_neg(r, a), "%s neg", #F);                                                         \
        QUIET(limbic_##F##_mul(r, a, b), "%s mul", #F);                                                      \
        QUIET(limbic_##F##_sqr(r, a), "%s sqr", #F);                                                         \
        QUIET(limbic_##F##_inv(r, a), "%s inv", #F);                                                         \
        QUIET(limbic_##F##_to_residue(r, a), "%s to_residue", #F);                                           \
        QUIET(limbic_##F##_from_residue(r, a), "%s from_residue", #F);                                       \
        QUIET(limbic_##F##_to_bytes(bytes, a), "%s to_bytes", #F);                                           \
        /* what these answer is told; the rest is not */                                                     \
        QUIET(eq = limbic_##F##_from_bytes(r, bytes) == LIMBIC_OK, "%s from_bytes", #F);                     \
        QUIET(eq += limbic_##F##_sqrt(r, a), "%s sqrt", #F);                                                 \
        QUIET(sink += (uint64_t)(eq > 1), "%s: answers", #F);                                                \
        QUIET(limbic_##F##_select(r, bit, a, b), "%s select", #F);                                           \
        QUIET(eq = limbic_##F##_eq(a, b), "%s eq", #F);                                                      \
        QUIET(zero = limbic_##F##_is_zero(a), "%s is_zero", #F);                                             \
        sink += (uint64_t)(eq + zero);                                                                       \
    }
#define API_field(F) FIELD_API(F)
#define API_curve(F) FIELD_API(F)
#define API_mont(F)
#define API_hash(F)
#define UNIT(name, class, limbs) API_##class(name)
#include "dispatch/ops.def"

static void test_field_api(void) {
#define CALL_field(F) api_##F();
#define CALL_curve(F) api_##F();
#define CALL_mont(F)
#define CALL_hash(F)
#define UNIT(name, class, limbs) CALL_##class(name)
#include "dispatch/ops.def"
}

static void test_mont_api(void) {
    uint64_t m[W], a[W], b[W], r[W], storage[LIMBIC_MONT_STORAGE(W)], bit = 1;
    limbic_status status = LIMBIC_OK;
    limbic_mont x;
    int flag = 0;
    words_put(m, unit_get(LIMBIC_UNIT_p521n)->m, W);
    operand(unit_get(LIMBIC_UNIT_p521n), 'e', 2, a);
    operand(unit_get(LIMBIC_UNIT_p521n), 'e', 2, b);
    LIMBIC_SECRET(m, sizeof m);
    LIMBIC_SECRET(a, sizeof a);
    LIMBIC_SECRET(b, sizeof b);
    LIMBIC_SECRET(&bit, sizeof bit);
    QUIET(status = limbic_mont_init(&x, storage, m, W), "mont_init");
    LIMBIC_DECLASSIFY(&status, sizeof status);
    if (!check(status == LIMBIC_OK, "mont_init: %s", limbic_status_string(status)))
        return;
    QUIET(limbic_mont_add(r, a, b, &x), "mont_add");
    QUIET(limbic_mont_sub(r, a, b, &x), "mont_sub");
    QUIET(limbic_mont_neg(r, a, &x), "mont_neg");
    QUIET(limbic_mont_mul(r, a, b, &x), "mont_mul");
    QUIET(limbic_mont_sqr(r, a, &x), "mont_sqr");
    QUIET(flag = limbic_mont_inv(r, a, &x), "mont_inv");
    sink += (uint64_t)flag;
    QUIET(limbic_mont_to_residue(r, a, &x), "mont_to_residue");
    QUIET(limbic_mont_from_residue(r, a, &x), "mont_from_residue");
    QUIET(limbic_mont_select(r, bit, a, b, &x), "mont_select");
    uint8_t bytes[8 * W];
    SECRET_CALL(limbic_mont_to_bytes(bytes, sizeof bytes, a, &x), "mont_to_bytes");
    SECRET_CALL(limbic_mont_from_bytes(r, bytes, sizeof bytes, &x), "mont_from_bytes");
    QUIET(flag = limbic_mont_eq(a, b, &x), "mont_eq");
    sink += (uint64_t)flag;
    QUIET(flag = limbic_mont_is_zero(a, &x), "mont_is_zero");
    sink += (uint64_t)flag;
}

static void test_curve(limbic_curve curve, const char *isa) {
    const size_t n = limbic_curve_bytes(curve);
    const char *name = limbic_curve_name(curve);
    uint8_t d[LIMBIC_MAX_BYTES], secret[LIMBIC_MAX_BYTES], point[LIMBIC_MAX_POINT_BYTES],
        out[LIMBIC_MAX_POINT_BYTES];
    uint8_t sig[LIMBIC_MAX_SIGNATURE_BYTES], digest[32];

    if (!check(limbic_ec_keygen(curve, d, n, point, 1 + 2 * n) == LIMBIC_OK, "%s %s keygen", name, isa))
        return;
    /* keygen marks its random bytes itself; what it gave is public here */
    LIMBIC_DECLASSIFY(point, sizeof point);
    SECRET_CALL(limbic_ec_keygen(curve, d, n, out, 1 + 2 * n), "%s %s keygen, marked", name, isa);
    memset(digest, 0x5a, sizeof digest);
    LIMBIC_SECRET(d, n);
    SECRET_CALL(limbic_ec_check_private(curve, d, n), "%s %s check_private", name, isa);
    SECRET_CALL(limbic_ec_public_key(curve, out, 1 + 2 * n, d, n), "%s %s public_key", name, isa);
    SECRET_CALL(limbic_ec_base_mul(curve, out, 1 + 2 * n, d, n), "%s %s base_mul", name, isa);
    SECRET_CALL(limbic_ec_mul(curve, out, 1 + 2 * n, d, n, point, 1 + 2 * n), "%s %s mul", name, isa);
    SECRET_CALL(limbic_ecdh(curve, secret, n, d, n, point, 1 + 2 * n), "%s %s ecdh", name, isa);
    if (limbic_ecdsa_sign_deterministic(curve, sig, 2 * n, d, n, digest, sizeof digest,
                                        LIMBIC_HASH_DEFAULT) == LIMBIC_ERR_CURVE)
        return; /* no ECDSA on this curve */
    for (limbic_hash hash = LIMBIC_HASH_DEFAULT; hash <= LIMBIC_SHA512; hash++) {
        SECRET_CALL(limbic_ecdsa_sign_deterministic(curve, sig, 2 * n, d, n, digest, sizeof digest, hash),
                    "%s %s sign_deterministic, hash %d", name, isa, (int)hash);
        SECRET_CALL(limbic_ecdsa_sign(curve, sig, 2 * n, d, n, digest, sizeof digest, hash),
                    "%s %s sign, hash %d", name, isa, (int)hash);
    }
}

static void test_schemes(const char *isa) {
    test_field_api();
    test_mont_api();
    for (int i = 1; limbic_curve_bytes((limbic_curve)i) != 0; i++)
        test_curve((limbic_curve)i, isa);
    (void)printf("%s: public functions under memcheck, keys and nonces secret\n", isa);
}

int main(void) {
    if (!RUNNING_ON_VALGRIND) {
        (void)printf("skip: this program only tells something under Valgrind: valgrind -q --error-limit=no "
                     "<program>\n");
        skipped = 1;
        return closing();
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    oracle_init();
    test_controls();
    assume_what_runs();
    test_rows();
    each_isa(test_schemes);
    return closing();
}
