#include "abi.h"
#include <stdio.h>
#include <string.h>

#if defined(__x86_64__) && defined(__ELF__)
#include <cpuid.h>

#define SAVED 6
static const char *const saved_names[SAVED] = {"rbx", "rbp", "r12", "r13", "r14", "r15"};

struct abi_frame {
    void (*fn)(void);
    uint64_t args[ABI_ARGS], seed[SAVED], got[SAVED], ret, flags_in, flags_out, sp_before, sp_after;
    uint32_t mxcsr_before, mxcsr_after, fcw_before, fcw_after;
    uint64_t mode, xinuse, junk, canary, canary_bad;
};
_Static_assert(offsetof(struct abi_frame, canary_bad) == 240, "abi_x86_64.S has other offsets");

enum { MODE_AVX = 1, MODE_AVX512 = 2, MODE_DIRTY = 4, MODE_XINUSE = 8 };
static uint64_t machine; /* the bits of MODE that this CPU has */

#define FAULTS(X) X(rbx) X(rbp) X(r12) X(r13) X(r14) X(r15) X(df) X(mxcsr) X(x87) X(canary) X(sp) X(ymm)

#elif defined(__aarch64__) && defined(__ELF__)

#define SAVED 19
static const char *const saved_names[SAVED] = {"x19", "x20", "x21", "x22", "x23", "x24", "x25",
                                               "x26", "x27", "x28", "x29", "d8",  "d9",  "d10",
                                               "d11", "d12", "d13", "d14", "d15"};

struct abi_frame {
    void (*fn)(void);
    uint64_t args[ABI_ARGS], seed[SAVED], got[SAVED], ret, flags_in, sp_before, sp_after, fpcr_before,
        fpcr_after;
    uint64_t junk, canary, canary_bad;
};
_Static_assert(offsetof(struct abi_frame, canary_bad) == 424, "abi_aarch64.S has other offsets");

/* clang-format off */
#define FAULTS(X)                                                                                            \
    X(x19) X(x20) X(x21) X(x22) X(x23) X(x24) X(x25) X(x26) X(x27) X(x28) X(x29)                             \
    X(d8) X(d9) X(d10) X(d11) X(d12) X(d13) X(d14) X(d15) X(sp) X(canary) X(fpcr)
/* clang-format on */
#else
#define FAULTS(X)
#define ABI_PLAIN
#endif

void (*abi_honest)(void);

#define DECLARE(name) void abi_bad_##name(void);
FAULTS(DECLARE)
struct abi_fault abi_faults[] = {
#define ROW(name) {abi_bad_##name, #name},
    FAULTS(ROW){NULL, NULL}};

#ifdef ABI_PLAIN

const char *abi_init(void) {
    return "no call stub for this architecture: registers, stack and flags are NOT checked";
}

int abi_call(uint64_t *ret, void (*fn)(void), const uint64_t args[ABI_ARGS], uint64_t seed, char *why,
             size_t size) {
    typedef uint64_t function(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
    *ret = ((function *)fn)((uintptr_t)args[0], (uintptr_t)args[1], (uintptr_t)args[2], (uintptr_t)args[3],
                            (uintptr_t)args[4], (uintptr_t)args[5]);
    (void)seed, (void)why, (void)size;
    return 1;
}

#else

void abi_stub(struct abi_frame *f);

static uint64_t mix(uint64_t *s) {
    uint64_t z = *s += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int fail(char *why, size_t size, const char *what, const char *name) {
    (void)snprintf(why, size, what, name);
    return 0;
}

int abi_call(uint64_t *ret, void (*fn)(void), const uint64_t args[ABI_ARGS], uint64_t seed, char *why,
             size_t size) {
    struct abi_frame f;
    memset(&f, 0, sizeof f);
    f.fn = fn;
    memcpy(f.args, args, sizeof f.args);
    for (int i = 0; i < SAVED; i++)
        f.seed[i] = mix(&seed);
    f.junk = mix(&seed);
    f.canary = mix(&seed);
#if defined(__x86_64__)
    f.flags_in = (mix(&seed) & 0x8d5) | 2; /* OF SF ZF AF PF CF */
    f.mode = machine & ~(f.junk & MODE_DIRTY);
    if (f.mode & MODE_DIRTY)
        f.mode &= ~(uint64_t)MODE_XINUSE;
#else
    f.flags_in = mix(&seed) & UINT64_C(0xf0000000); /* NZCV */
#endif
    abi_stub(&f);
    *ret = f.ret;
    if (f.sp_before != f.sp_after)
        return fail(why, size, "%s is not what it was at the call", "the stack pointer");
    for (int i = 0; i < SAVED; i++)
        if (f.seed[i] != f.got[i])
            return fail(why, size, "%s is not preserved", saved_names[i]);
    if (f.canary_bad)
        return fail(why, size, "%s is overwritten", "the caller's stack frame");
#if defined(__x86_64__)
    if (f.flags_out & 0x400)
        return fail(why, size, "%s is left set", "the direction flag");
    if ((f.mxcsr_before ^ f.mxcsr_after) & 0xffc0)
        return fail(why, size, "%s is changed", "the control part of MXCSR");
    if ((f.fcw_before ^ f.fcw_after) & 0xffff)
        return fail(why, size, "%s is changed", "the x87 control word");
    if (f.mode & MODE_XINUSE && f.xinuse & 0x44)
        return fail(why, size, "%s are left dirty (no vzeroupper)", "upper halves of vector registers");
#else
    if (f.fpcr_before != f.fpcr_after)
        return fail(why, size, "%s is changed", "FPCR");
#endif
    return 1;
}

#if defined(__x86_64__)
static void clean(void) {}

const char *abi_init(void) {
    unsigned a, b, c, d;
    if (__builtin_cpu_supports("avx"))
        machine |= MODE_AVX | MODE_DIRTY;
    if (__builtin_cpu_supports("avx512f"))
        machine |= MODE_AVX512;
    /* XGETBV(1), and whether it tells clean from dirty: some CPUs say "in use" always. */
    if (machine & MODE_AVX && __get_cpuid_count(0xd, 1, &a, &b, &c, &d) && a >> 2 & 1) {
        uint64_t ret, args[ABI_ARGS] = {0}, all = machine;
        char why[128];
        machine = (all | MODE_XINUSE) & ~(uint64_t)MODE_DIRTY;
        abi_honest = clean;
        if (!abi_call(&ret, clean, args, 0, why, sizeof why) ||
            abi_call(&ret, abi_bad_ymm, args, 0, why, sizeof why))
            machine &= ~(uint64_t)MODE_XINUSE;
        machine |= all;
    }
    if (!(machine & MODE_XINUSE))
        for (struct abi_fault *f = abi_faults; f->name; f++)
            if (f->fn == abi_bad_ymm)
                f->name = NULL; /* the last */
    if (!(machine & MODE_AVX))
        return "registers, stack, flags; no AVX here: vzeroupper is NOT checked";
    if (!(machine & MODE_XINUSE))
        return "registers, stack, flags; XGETBV(1) does not tell here: vzeroupper is NOT checked";
    return "registers, stack, flags, vzeroupper";
}
#else
const char *abi_init(void) {
    return "x19-x29, d8-d15, stack, FPCR";
}
#endif

#endif
