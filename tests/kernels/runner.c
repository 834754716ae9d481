#define _GNU_SOURCE /* MAP_ANONYMOUS, sigaltstack */
#include "runner.h"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ZONE      64 /* bytes on either side of an operand that must stay as they are */
#define ZONE_BYTE 0x5c

const char *const alias_names[ALIASES] = {"apart", "r=a", "r=b", "a=b", "r=a=b"};
const char *const place_names[PLACES] = {"end", "start", "odd"};

/* Which operand an operand shares memory with: itself or an earlier one. */
static const uint8_t shares[ALIASES][3] = {{0, 1, 2}, {0, 0, 2}, {0, 1, 0}, {0, 1, 1}, {0, 0, 0}};

/* A stretch of memory between two pages that can't be touched. */
struct arena {
    uint8_t *base, *at;
    size_t bytes, used;
};
/* One an argument; then a modulus context and its arrays for each. */
static struct arena arenas[MAX_ARGS + 4 * MAX_MODULI];
static size_t page;

static sigjmp_buf trap;
static volatile sig_atomic_t armed;
static volatile uintptr_t trap_address;
static volatile int trap_signal;

static void on_trap(int sig, siginfo_t *info, void *context) {
    (void)context;
    if (!armed) {
        signal(sig, SIG_DFL);
        return;
    }
    trap_signal = sig;
    trap_address = (uintptr_t)info->si_addr;
    siglongjmp(trap, 1);
}

const char *runner_init(void) {
    static uint8_t stack[1 << 16];
    struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    const stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};

    oracle_init();
    page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < sizeof arenas / sizeof arenas[0]; i++) {
        struct arena *a = &arenas[i];
        a->bytes = (operand_max() + 2 * ZONE + 64 + page - 1) / page * page;
        uint8_t *p = mmap(NULL, a->bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED || mprotect(p + page, a->bytes, PROT_READ | PROT_WRITE) != 0) {
            perror("mmap");
            exit(1);
        }
        a->base = p + page;
    }
    sigemptyset(&action.sa_mask);
    if (sigaltstack(&alternative, NULL) != 0 || sigaction(SIGSEGV, &action, NULL) != 0 ||
        sigaction(SIGBUS, &action, NULL) != 0 || sigaction(SIGILL, &action, NULL) != 0 ||
        sigaction(SIGTRAP, &action, NULL) != 0) { /* a trap on AArch64 */
        perror("sigaction");
        exit(1);
    }
    return abi_init();
}

/* Takes n bytes of the arena, with their surroundings marked; offset counts for PLACE_ODD alone. */
static void lay(struct arena *a, const void *from, size_t n, enum place place, size_t offset) {
    a->used = n;
    a->at = place == PLACE_END     ? a->base + a->bytes - n
            : place == PLACE_START ? a->base
                                   : a->base + ZONE + offset;
    if (place != PLACE_START)
        memset(a->at - ZONE, ZONE_BYTE, ZONE);
    if (place != PLACE_END)
        memset(a->at + n, ZONE_BYTE, ZONE);
    if (from)
        memcpy(a->at, from, n);
}

static int zones_intact(const struct arena *a, enum place place) {
    for (size_t i = 0; i < ZONE; i++) {
        if (place != PLACE_START && a->at[-1 - (ptrdiff_t)i] != ZONE_BYTE)
            return 0;
        if (place != PLACE_END && a->at[a->used + i] != ZONE_BYTE)
            return 0;
    }
    return 1;
}

int alias_allowed(const struct op_info *op, const struct unit *u, const uint64_t *const *in,
                  enum alias alias) {
    if (alias == ALIAS_NONE)
        return 1;
    const uint64_t count = operand_count(op->shape, in);
    const size_t second = operand_bytes(u, op->shape[2], count);
    int binary = op->shape[2] == op->shape[0] || (is_exponent(op->shape[2]) && op->shape[4] != 'X' &&
                                                  second <= operand_bytes(u, op->shape[0], count));
    if (!op->aliasing || op->shape[1] != op->shape[0] || (!binary && alias != ALIAS_RA))
        return 0;
    return alias < ALIAS_AB || memcmp(in[1], in[2], second) == 0;
}

static int fault(char *why, size_t size, const char *what, int argument) {
    (void)snprintf(why, size, what, argument);
    return 0;
}

int run_row(const struct run *run, const uint64_t *want, uint64_t *got, char *why, size_t size) {
    const char *shape = run->op->shape;
    const int count = (int)strlen(shape);
    const uint64_t number = operand_count(shape, run->in);
    uint64_t args[ABI_ARGS], ret, junk = run->seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    struct limbic_mont contexts[MAX_MODULI];
    const struct limbic_mont *moduli[MAX_MODULI];
    uint64_t pointers[MAX_BLOCKS];
    struct arena *a;

    for (int i = 0; i < ABI_ARGS; i++)
        args[i] = junk += UINT64_C(0xd1342543de82ef95);
    for (int i = 0; i < count; i++) {
        const size_t n = operand_bytes(run->u, shape[i], number);
        const size_t odd = 8 * ((run->seed + (unsigned)i) % 4 * 2 + 1);
        a = &arenas[i];
        a->at = NULL;
        if (shape[i] == 'N') {
            args[i] = run->u->moduli;
            continue;
        }
        if (shape[i] == 'n' || shape[i] == 'd') { /* the other half of a register is the callee's to ignore */
            args[i] =
                shape[i] == 'n' ? *run->in[i] : (args[i] & ~(uint64_t)UINT32_MAX) | (uint32_t)*run->in[i];
            continue;
        }
        if (shape[i] == 'x' || shape[i] == 'X') {
            for (size_t j = 0; j < (shape[i] == 'X' ? run->u->moduli : 1); j++) {
                const struct unit *u = unit_of(run->u, j);
                const uint64_t *arrays[3] = {u->x.m, u->x.one, u->x.rr};
                struct arena *own = &arenas[MAX_ARGS + 4 * j];
                struct limbic_mont *x = &contexts[j];
                for (int k = 0; k < 3; k++)
                    lay(&own[1 + k], arrays[k], 8 * u->limbs, run->place, odd);
                *x = u->x;
                x->m = (const uint64_t *)(void *)own[1].at;
                x->one = (const uint64_t *)(void *)own[2].at;
                x->rr = (const uint64_t *)(void *)own[3].at;
                lay(&own[0], x, sizeof *x, run->place, odd);
                moduli[j] = (const struct limbic_mont *)(void *)own[0].at;
            }
            if (shape[i] == 'x') {
                args[i] = (uint64_t)(uintptr_t)moduli[0];
                continue;
            }
            lay(a, moduli, n, run->place, odd);
        } else if (i > 0 && i < 3 && shares[run->alias][i] != i) {
            args[i] = args[shares[run->alias][i]];
            memcpy((void *)(uintptr_t)args[i], run->in[i], n);
            continue;
        } else if (shape[i] == 'm') {
            lay(a, run->in[i], n, run->place, odd + 1);
            for (size_t j = 0; j < number; j++)
                pointers[j] = (uint64_t)(uintptr_t)(a->at + stream_at(shape, run->in, j));
            memcpy(arenas[1].at, pointers, 8 * number);
            continue;
        } else if (shape[i] == 'b' || shape[i] == 'c') {
            lay(a, run->in[i], n, run->place, odd + 1);
        } else {
            const size_t offset = shape[i] == 'y'                      ? odd + 1
                                  : shape[i] == 's' || shape[i] == 'S' ? odd + 4
                                  : shape[i] == 'l'                    ? 64 * (odd / 16) /* aligned */
                                                                       : odd;
            const int output = i == 0 && !is_state(shape);
            lay(a, output ? NULL : run->in[i], n, run->place, offset);
            if (output)
                memset(a->at, (int)(junk >> 56), n);
        }
        args[i] = (uint64_t)(uintptr_t)a->at;
    }

    armed = 1;
    if (sigsetjmp(trap, 0)) {
        armed = 0;
        for (int i = 0; i < MAX_ARGS + 4 * MAX_MODULI; i++)
            if (trap_signal == SIGSEGV &&
                trap_address - (uintptr_t)arenas[i].base + page < arenas[i].bytes + 2 * page)
                return fault(why, size, "touched the guard page of operand %d (0: the output)", i);
        (void)snprintf(why, size, "signal %d, address %#lx", trap_signal, (unsigned long)trap_address);
        return 0;
    }
    const int kept = abi_call(&ret, run->fn, args, run->seed, why, size);
    armed = 0;
    memcpy(got, (const void *)(uintptr_t)args[0], operand_bytes(run->u, shape[0], number));
    if (!kept)
        return 0;

    for (int i = 0; i < count; i++) {
        a = &arenas[i];
        if (!a->at)
            continue;
        if (!zones_intact(a, run->place))
            return fault(why, size, "wrote beside operand %d (0: the output)", i);
        if (i == 0)
            continue;
        const void *laid = shape[i] == 'X'          ? (const void *)moduli
                           : strchr("PQ", shape[i]) ? pointers
                                                    : run->in[i];
        if (memcmp(a->at, laid, a->used) != 0)
            return fault(why, size, "changed operand %d", i);
    }
    for (size_t i = 0; i < (strchr(shape, 'X') ? run->u->moduli : strchr(shape, 'x') != NULL); i++) {
        const struct unit *u = unit_of(run->u, i);
        for (int j = 0; j < 4; j++) {
            const struct arena *own = &arenas[MAX_ARGS + 4 * i + (size_t)j];
            const void *was = j ? (const void *)(u->storage + (size_t)(j - 1) * u->limbs) : &contexts[i];
            if (!zones_intact(own, run->place) || memcmp(own->at, was, own->used) != 0)
                return fault(why, size, "changed a modulus context, or array %d of it", j);
        }
    }
    if (!same_result(run->u, shape[0], number, want, got, ret))
        return fault(why, size, "wrong result", 0);
    return 1;
}

static void print_words(const char *name, const void *p, size_t bytes) {
    printf("    %-5s", name);
    for (size_t i = bytes; i-- > 0;) /* most significant first */
        printf("%s%02x", i % 8 == 7 ? " " : "", ((const uint8_t *)p)[i]);
    printf("\n");
}

void run_print(const struct run *run, const uint64_t *want, const uint64_t *got) {
    const char *shape = run->op->shape;
    const uint64_t number = operand_count(shape, run->in);

    printf("    %s, operands at %s, words most significant first\n", alias_names[run->alias],
           place_names[run->place]);
    for (int i = !is_state(shape); shape[i]; i++) {
        const char name[] = {'i', 'n', (char)('0' + i), 0};
        if (shape[i] == 'x' || shape[i] == 'X')
            for (size_t j = 0; j < (shape[i] == 'X' ? run->u->moduli : 1); j++)
                print_words("m", unit_of(run->u, j)->x.m, 8 * run->u->limbs);
        else if (shape[i] == 'T')
            for (uint64_t j = 0; j < number; j++)
                print_words("q", ((const uint64_t *const *)(const void *)run->in[i])[j],
                            operand_bytes(run->u, 'a', 0));
        else if (shape[i] != 't')
            print_words(name, run->in[i], operand_bytes(run->u, shape[i], number));
        else
            print_words("q", run->in[i], operand_bytes(run->u, 'a', 0));
    }
    if (shape[0] == 't')
        return;
    print_words("want", want, operand_bytes(run->u, shape[0] == 'p' ? 'a' : shape[0], number));
    print_words("got", got, operand_bytes(run->u, shape[0], number));
}
