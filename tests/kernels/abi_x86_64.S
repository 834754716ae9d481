/*
 * uint64_t abi_stub(struct abi_frame *): System V AMD64. The offsets are those of struct abi_frame in abi.c.
 */
#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#if defined(__x86_64__) && defined(__ELF__)
    .intel_syntax noprefix

#define FN 0
#define ARGS 8
#define SEED 56
#define GOT 104
#define RET 152
#define FLAGS_IN 160
#define FLAGS_OUT 168
#define SP_BEFORE 176
#define SP_AFTER 184
#define MXCSR_BEFORE 192
#define MXCSR_AFTER 196
#define FCW_BEFORE 200
#define FCW_AFTER 204
#define MODE 208
#define XINUSE 216
#define JUNK 224
#define CANARY 232
#define CANARY_BAD 240

/* bits of MODE */
#define AVX 1
#define AVX512 2
#define DIRTY 4
#define READ_XINUSE 8

#define CANARY_WORDS 64

    .bss
    .balign 8
current:
    .zero 8
target:
    .zero 8
result:
    .zero 8

    .text
    .globl abi_stub
    .type abi_stub, @function
abi_stub:
    endbr64
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    sub rsp, 8 * CANARY_WORDS + 8
    mov [rip + current], rdi
    mov rax, [rdi + FN]
    mov [rip + target], rax
    stmxcsr [rdi + MXCSR_BEFORE]
    fnstcw [rdi + FCW_BEFORE]
    mov rax, [rdi + CANARY]
    mov ecx, CANARY_WORDS
1:  mov [rsp + 8 * rcx - 8], rax
    dec ecx
    jnz 1b

    /* Vector registers: all ones, or (with AVX) upper halves clean. */
    mov eax, [rdi + MODE]
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    pcmpeqd xmm\n, xmm\n
    .endr
    test al, AVX
    jz 2f
    vzeroupper
    test al, DIRTY
    jz 2f
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vcmpps ymm\n, ymm\n, ymm\n, 15
    .endr
    test al, AVX512
    jz 2f
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vpternlogd zmm\n, zmm\n, zmm\n, 0xff
    .endr
    .irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    vpternlogd zmm\n, zmm\n, zmm\n, 0xff
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    kxnorw k\n, k\n, k\n
    .endr
2:
    mov [rdi + SP_BEFORE], rsp
    push qword ptr [rdi + FLAGS_IN]
    popfq
    mov rbx, [rdi + SEED]
    mov rbp, [rdi + SEED + 8]
    mov r12, [rdi + SEED + 16]
    mov r13, [rdi + SEED + 24]
    mov r14, [rdi + SEED + 32]
    mov r15, [rdi + SEED + 40]
    mov rax, [rdi + JUNK]
    mov r10, [rdi + JUNK]
    mov r11, [rdi + JUNK]
    mov rsi, [rdi + ARGS + 8]
    mov rdx, [rdi + ARGS + 16]
    mov rcx, [rdi + ARGS + 24]
    mov r8, [rdi + ARGS + 32]
    mov r9, [rdi + ARGS + 40]
    mov rdi, [rdi + ARGS]
    call [rip + target]
    mov [rip + result], rax
    mov rax, [rip + current]
    mov [rax + SP_AFTER], rsp
    mov rsp, [rax + SP_BEFORE]
    pushfq
    pop qword ptr [rax + FLAGS_OUT]
    cld
    mov [rax + GOT], rbx
    mov [rax + GOT + 8], rbp
    mov [rax + GOT + 16], r12
    mov [rax + GOT + 24], r13
    mov [rax + GOT + 32], r14
    mov [rax + GOT + 40], r15
    mov rdi, rax
    mov rax, [rip + result]
    mov [rdi + RET], rax
    stmxcsr [rdi + MXCSR_AFTER]
    ldmxcsr [rdi + MXCSR_BEFORE]
    fnstcw [rdi + FCW_AFTER]
    fldcw [rdi + FCW_BEFORE]
    test byte ptr [rdi + MODE], READ_XINUSE
    jz 3f
    mov ecx, 1
    xgetbv
    mov [rdi + XINUSE], eax
3:  mov rax, [rdi + CANARY]
    mov ecx, CANARY_WORDS
    xor edx, edx
4:  cmp rax, [rsp + 8 * rcx - 8]
    setne r8b
    or dl, r8b
    dec ecx
    jnz 4b
    mov [rdi + CANARY_BAD], rdx
    test byte ptr [rdi + MODE], AVX
    jz 5f
    vzeroupper
5:  add rsp, 8 * CANARY_WORDS + 8
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    ret
    .size abi_stub, . - abi_stub

    /* A function that calls *abi_honest and then does what its arguments say. */
    .macro FAULT name, insn:vararg
    .globl abi_bad_\name
    .type abi_bad_\name, @function
abi_bad_\name:
    endbr64
    sub rsp, 8
    call [rip + abi_honest]
    add rsp, 8
    \insn
    ret
    .size abi_bad_\name, . - abi_bad_\name
    .endm

    FAULT rbx, not rbx
    FAULT rbp, not rbp
    FAULT r12, not r12
    FAULT r13, not r13
    FAULT r14, not r14
    FAULT r15, not r15
    FAULT df, std
    FAULT mxcsr, ldmxcsr [rip + round_up]
    FAULT x87, fldcw [rip + single]
    FAULT canary, not qword ptr [rsp + 24]
    FAULT sp, ret 8
    FAULT ymm, vcmpps ymm0, ymm0, ymm0, 15

    .section .rodata
    .balign 4
round_up:
    .long 0x5f80
single:
    .short 0x007f
#endif
