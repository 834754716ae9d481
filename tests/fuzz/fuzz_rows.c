/*
 * Every row of class FUZZ_CLASS that runs here, against its oracle, by the runner of the kernel tests. Input:
 * row (2 bytes), alias pattern, place, a byte for the number of words or blocks, the modulus (mont), the
 * operands.
 */
#include "fuzz.h"
#include "tests/check.h"
#include "tests/kernels/runner.h"

static const struct limbic_row *rows[512];
static size_t count;
static uint64_t *want, *got;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    char reason[128];
    (void)printf("calling convention checked: %s\n", runner_init());
    for (size_t i = 0; i < limbic_rows_count && count < sizeof rows / sizeof rows[0]; i++) {
        const struct limbic_row *row = &limbic_rows[i];
        if (limbic_op_class(row->op) != FUZZ_CLASS)
            continue;
        if (strpbrk(op_infos[row->op].shape, "tT")) {
            (void)snprintf(reason, sizeof reason, "tables take too long here; tests/kernels has them");
        } else if (limbic_row_usable(row)) {
            rows[count++] = row;
            continue;
        } else {
            limbic_row_reason(row, reason, sizeof reason);
            REQUIRE(!required(limbic_isa_name(row->isa)), "%s/%s/%s: required by LIMBIC_REQUIRE, but %s",
                    limbic_unit_name(row->unit), limbic_op_name(row->op), limbic_isa_name(row->isa), reason);
        }
        (void)printf("left out %s/%s/%s: %s\n", limbic_unit_name(row->unit), limbic_op_name(row->op),
                     limbic_isa_name(row->isa), reason);
    }
    want = malloc(operand_max() + 64);
    got = malloc(operand_max() + 64);
    REQUIRE(count && want && got, "no row of this class runs here");
    return 0;
}

static void take_number(struct input *in, mpz_t z, size_t limbs, const mpz_t below) {
    uint64_t w[LIMBIC_MONT_MAX_LIMBS];
    mpz_t m; /* below may be z */
    mpz_init_set(m, below);
    take(in, w, 8 * limbs);
    words_get(z, w, limbs);
    mpz_mod(z, z, m);
    mpz_clear(m);
}

static void take_operand(struct input *in, const struct unit *u, char kind, uint64_t blocks, uint64_t *out) {
    struct point p;
    mpz_t z;
    mpz_init(z);
    point_init(&p);
    switch (kind) {
    case 'e':
    case 'E':
        for (size_t i = 0; i < (kind == 'E' ? u->moduli : 1); i++) {
            take_number(in, z, u->limbs, u->m);
            words_put(out + i * u->limbs, z, u->limbs);
        }
        break;
    case 'q':
        for (size_t i = 0; i < 4; i++)
            take_operand(in, u, 'e', 0, out + i * u->limbs);
        break;
    case 'k': /* up to n */
        mpz_add_ui(z, u->n, 1);
        take_number(in, z, u->limbs, z);
        words_put(out, z, u->limbs);
        break;
    case 'a':
    case 'p': { /* the next point from an abscissa on */
        const uint8_t form = take_byte(in);
        take_number(in, z, u->limbs, u->m);
        while (!point_lift(u, &p, z, form & 1))
            mpz_add_ui(z, z, 1);
        if (form & 2)
            point_base(u, &p);
        if (kind == 'a') {
            point_put_affine(u, out, &p);
            break;
        }
        take_number(in, z, u->limbs, u->m);
        p.infinite = mpz_sgn(z) == 0;
        point_put_jacobian(u, out, &p, z);
        break;
    }
    case 'K':
    case 'A':
        for (uint64_t i = 0; i < blocks; i++)
            take_operand(in, u, kind == 'K' ? 'k' : 'a', 0, out + (kind == 'K' ? 1 : 2) * u->limbs * i);
        break;
    default:
        take(in, out, operand_bytes(u, kind, blocks));
        break;
    }
    point_clear(&p);
    mpz_clear(z);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { MANY = 2 * LIMBIC_MAX_LIMBS * MAX_BLOCKS }; /* more than the blocks of SHA-512 */
    static uint64_t operands[MAX_ARGS][LIMBIC_MONT_MAX_LIMBS > MANY ? LIMBIC_MONT_MAX_LIMBS : MANY];
    struct input in = {data, size};
    uint16_t choice;
    char why[128];
    struct unit mont, same[MAX_MODULI];

    take(&in, &choice, sizeof choice);
    const struct limbic_row *row = rows[choice % count];
    struct run run = {.u = unit_get(row->unit), .op = &op_infos[row->op], .fn = row->fn};
    run.alias = (enum alias)(take_byte(&in) % ALIASES);
    run.place = (enum place)(take_byte(&in) % PLACES);
    run.seed = take_byte(&in);
    if (row->unit == LIMBIC_UNIT_mont) {
        const size_t limbs = 1 + run.seed % 20;
        mpz_t m;
        mpz_init(m);
        mpz_setbit(m, 64 * limbs);
        take_number(&in, m, limbs, m);
        mpz_setbit(m, 0);
        if (mpz_cmp_ui(m, 1) == 0)
            mpz_set_ui(m, 3);
        unit_mont(&mont, m, limbs);
        mpz_clear(m);
        mont.moduli = 1 + limbs % 3 * 4; /* of the same */
        mont.more = same;
        for (size_t i = 0; i + 1 < mont.moduli; i++)
            same[i] = mont;
        run.u = &mont;
    }
    const char *shape = run.op->shape;
    /* of blocks, or of bits of an exponent */
    uint64_t number = run.seed % (MAX_BLOCKS + 1);
    if (is_exponent(shape[2]))
        number = (uint64_t)take_byte(&in) << 1;
    for (int i = !is_state(shape); shape[i]; i++) {
        const int any = i == 1 && row->op == LIMBIC_OP_mont_mul; /* its first operand may be m or above */
        take_operand(&in, run.u, any ? 'v' : shape[i], any ? 64 * run.u->limbs : number, operands[i]);
        for (size_t j = 0; shape[i] == 'l' && j < 8 * run.u->lanes_limbs; j++)
            operands[i][j] %= lanes_bound(run.u, row->op, i, j / 8) + 1;
        if (shape[0] == 'g') { /* zeta, f, g */
            operands[i][0] = i == 1 ? (uint64_t)((int64_t)operands[i][0] >> 1) : operands[i][0] | (i == 2);
            run.in[i] = operands[i];
            continue;
        }
        run.in[i] = shape[i] == 'n' && !strchr(shape + i + 1, 'n') ? &number : operands[i];
        if (shape[i] == 'n')
            operands[i][0] %= MAX_STREAM_BLOCKS + 1;
    }
    if (run.alias == ALIAS_AB || run.alias == ALIAS_RAB) {
        if (is_exponent(shape[2])) /* an exponent may be anything */
            memcpy(operands[2], operands[1], sizeof operands[1]);
        else if (shape[1] && shape[2] == shape[1]) /* the second has the narrower bound, if either */
            memcpy(operands[1], operands[2], sizeof operands[1]);
    }
    if (!alias_allowed(run.op, run.u, run.in, run.alias))
        run.alias = ALIAS_NONE;
    run.op->oracle(run.u, want, run.in);
    if (!run_row(&run, want, got, why, sizeof why)) {
        run_print(&run, want, got);
        (void)fflush(stdout);
        REQUIRE(0, "%s/%s/%s: %s", limbic_unit_name(row->unit), limbic_op_name(row->op),
                limbic_isa_name(row->isa), why);
    }
    if (run.u == &mont)
        unit_mont_clear(&mont);
    return 0;
}
