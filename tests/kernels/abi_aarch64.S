/*
 * uint64_t abi_stub(struct abi_frame *): AAPCS64. The offsets are those of struct abi_frame in abi.c.
 */
#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#if defined(__aarch64__) && defined(__ELF__)

#define FN 0
#define ARGS 8
#define SEED 56
#define GOT 208
#define RET 360
#define FLAGS_IN 368
#define SP_BEFORE 376
#define SP_AFTER 384
#define FPCR_BEFORE 392
#define FPCR_AFTER 400
#define JUNK 408
#define CANARY 416
#define CANARY_BAD 424

#define CANARY_WORDS 64

    /* BTI and PAC in use. */
    .section .note.gnu.property, "a"
    .balign 8
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000000, 4, 3, 0

    .bss
    .balign 8
current:
    .zero 8

    .text
    .globl abi_stub
    .type abi_stub, %function
abi_stub:
    paciasp
    stp x29, x30, [sp, -160]!
    stp x19, x20, [sp, 16]
    stp x21, x22, [sp, 32]
    stp x23, x24, [sp, 48]
    stp x25, x26, [sp, 64]
    stp x27, x28, [sp, 80]
    stp d8, d9, [sp, 96]
    stp d10, d11, [sp, 112]
    stp d12, d13, [sp, 128]
    stp d14, d15, [sp, 144]
    sub sp, sp, 8 * CANARY_WORDS
    adrp x9, current
    str x0, [x9, :lo12:current]
    mrs x9, fpcr
    str x9, [x0, FPCR_BEFORE]
    mov x9, sp
    str x9, [x0, SP_BEFORE]
    ldr x10, [x0, CANARY]
    mov x11, CANARY_WORDS / 2
1:  stp x10, x10, [x9], 16
    subs x11, x11, 1
    b.ne 1b

    ldr x30, [x0, JUNK]
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    dup v\n\().2d, x30
    .endr
    add x9, x0, SEED + 88
    ldp d8, d9, [x9]
    ldp d10, d11, [x9, 16]
    ldp d12, d13, [x9, 32]
    ldp d14, d15, [x9, 48]
    ldp x19, x20, [x0, SEED]
    ldp x21, x22, [x0, SEED + 16]
    ldp x23, x24, [x0, SEED + 32]
    ldp x25, x26, [x0, SEED + 48]
    ldp x27, x28, [x0, SEED + 64]
    ldr x29, [x0, SEED + 80]
    ldr x9, [x0, FLAGS_IN]
    msr nzcv, x9
    ldr x17, [x0, FN]
    .irp n, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
    mov x\n, x30
    .endr
    ldp x4, x5, [x0, ARGS + 32]
    ldp x2, x3, [x0, ARGS + 16]
    ldp x0, x1, [x0, ARGS]
    blr x17

    adrp x9, current
    ldr x9, [x9, :lo12:current]
    str x0, [x9, RET]
    mov x10, sp
    str x10, [x9, SP_AFTER]
    ldr x10, [x9, SP_BEFORE]
    mov sp, x10
    stp x19, x20, [x9, GOT]
    stp x21, x22, [x9, GOT + 16]
    stp x23, x24, [x9, GOT + 32]
    stp x25, x26, [x9, GOT + 48]
    stp x27, x28, [x9, GOT + 64]
    str x29, [x9, GOT + 80]
    add x11, x9, GOT + 88
    stp d8, d9, [x11]
    stp d10, d11, [x11, 16]
    stp d12, d13, [x11, 32]
    stp d14, d15, [x11, 48]
    mrs x11, fpcr
    str x11, [x9, FPCR_AFTER]
    ldr x11, [x9, FPCR_BEFORE]
    msr fpcr, x11
    ldr x11, [x9, CANARY]
    mov x12, 0
    mov x13, CANARY_WORDS
2:  ldr x14, [x10], 8
    eor x14, x14, x11
    orr x12, x12, x14
    subs x13, x13, 1
    b.ne 2b
    str x12, [x9, CANARY_BAD]
    add sp, sp, 8 * CANARY_WORDS
    ldp d14, d15, [sp, 144]
    ldp d12, d13, [sp, 128]
    ldp d10, d11, [sp, 112]
    ldp d8, d9, [sp, 96]
    ldp x27, x28, [sp, 80]
    ldp x25, x26, [sp, 64]
    ldp x23, x24, [sp, 48]
    ldp x21, x22, [sp, 32]
    ldp x19, x20, [sp, 16]
    ldp x29, x30, [sp], 160
    autiasp
    ret
    .size abi_stub, . - abi_stub

    /* A function that calls *abi_honest and then does what its arguments say. */
    .macro FAULT name, insn:vararg
    .globl abi_bad_\name
    .type abi_bad_\name, %function
abi_bad_\name:
    paciasp
    stp x29, x30, [sp, -16]!
    adrp x9, abi_honest
    ldr x9, [x9, :lo12:abi_honest]
    blr x9
    ldp x29, x30, [sp], 16
    autiasp
    mov x9, 0x400000
    \insn
    ret
    .size abi_bad_\name, . - abi_bad_\name
    .endm

    .irp n, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
    FAULT x\n, mvn x\n, x\n
    .endr
    .irp n, 8, 9, 10, 11, 12, 13, 14, 15
    FAULT d\n, fmov d\n, xzr
    .endr
    FAULT sp, sub sp, sp, 16
    FAULT canary, str xzr, [sp, 16]
    FAULT fpcr, msr fpcr, x9 /* round up */
#endif
