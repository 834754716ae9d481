; r = a^2 / 2^384 mod p, the Montgomery square of P-384
;
; Prototype: void limbic_p384_sqr_adx(uint64_t *r, const uint64_t *a);
; Representation: residue; six words of 64 bits, least significant first
; Input: a < m
; Output: r = mul(a, a), r < m
; Aliasing: any; the inputs are read before r is written
; Registers: rsi = a, rdx = multiplier; words 0 to 7 of the square in rdi, r8 to r14, words 8 to 11 in r8,
;     r9, rdi, r15; rcx = what the reduction owes; r15, rbp = carries out of the lower half; rax, rbx
;     products. r waits below the stack pointer
; Clobbers: rax, rcx, rdx, rsi, rdi, r8 to r11, xmm0, flags; rbx, rbp, r12 to r15 are restored
; Stack: 48 bytes of saved registers, 72 bytes of red zone; its secrets are wiped
; Features: bmi2, adx
; Timing: constant; straight-line code, addresses are pointers and constants
; Carries: the lower half (words 0 to 4) is doubled and gets its squares before the upper half exists, so
;     that its words are cleared while that is computed: the two carries wait in r15 and rbp, and enter the
;     upper chains by adding -1. Those end in r15, without a carry, since the square has twelve words.
;     REDUCE_WORD keeps its carry and its borrow in rcx (0 to -2) for the next one; REDUCE_LAST takes it off
;     in a full chain and adds the quotients in another, leaving the carry in r12; REDUCE_ONCE is one chain of
;     sub, sbb over seven words
; Floor: 21 mulx, all for the square

%include "asm/x86_64/limbic.inc"
%include "asm/x86_64/adx/p384.inc"

FUNCTION limbic_p384_sqr_adx, rbx, rbp, r12, r13, r14, r15
    mov [POINTER(0)], rdi
    mov rdx, [rsi]
    FIRST_ROW rsi + 8, rax, r8, r9, r10, r11, r12, r13
    mulx rcx, rdi, rdx
    mov rdx, [rsi + 8]
    ROW 4, rsi + 16, rax, rbx, rbp, r15, r10, r11, r12, r13, r14
    add r8, r8
    adc r9, r9
    adc r10, r10
    adc r11, r11
    mov r15, 0
    adc r15, 0
    mov rdx, [rsi + 8]
    mulx rbx, rax, rdx
    add r8, rcx
    adc r9, rax
    adc r10, rbx
    mov rbp, 0
    adc rbp, 0
    REDUCE_WORD rdi, r8, r9, [Q(0)], 0, rcx, rax, rbx
    REDUCE_WORD r8, r9, r10, [Q(1)], rcx, rcx, rax, rbx
    REDUCE_WORD r9, r10, r11, [Q(2)], rcx, rcx, rax, rbx
    mov rdx, [rsi + 16]
    ROW 3, rsi + 24, rax, rbx, rdi, r12, r13, r14, r8
    mov rdx, [rsi + 24]
    ROW 2, rsi + 32, rax, rbx, r14, r8, r9
    mov rdx, [rsi + 32]
    ROW 1, rsi + 40, rax, r9, rdi
    add r15, -1
    adc r12, r12
    adc r13, r13
    adc r14, r14
    adc r8, r8
    adc r9, r9
    adc rdi, rdi
    mov r15, 0
    adc r15, 0
    add rbp, -1
    mov rdx, [rsi + 16]
    mulx rdx, rax, rdx
    adc r11, rax
    adc r12, rdx
    mov rdx, [rsi + 24]
    mulx rdx, rax, rdx
    adc r13, rax
    adc r14, rdx
    mov rdx, [rsi + 32]
    mulx rdx, rax, rdx
    adc r8, rax
    adc r9, rdx
    mov rdx, [rsi + 40]
    mulx rdx, rax, rdx
    adc rdi, rax
    adc r15, rdx
    REDUCE_WORD r10, r11, r12, [Q(3)], rcx, rcx, rax, rbx
    REDUCE_WORD r11, r12, r13, [Q(4)], rcx, rcx, rax, rbx
    REDUCE_LAST r12, r13, r14, r8, r9, rdi, r15, rcx, rcx, rax, rbx
    mov r10, rdi
    mov rdi, [POINTER(0)]
    REDUCE_ONCE r13, r14, r8, r9, r10, r15, r12, rax, rcx, rbx, rbp, rsi, r11
    WIPE 8
RETURN
