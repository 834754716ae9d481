; r = a * b / 2^384 mod p, the Montgomery product of P-384
;
; Prototype: void limbic_p384_mul_adx(uint64_t *r, const uint64_t *a, const uint64_t *b);
; Representation: residue; six words of 64 bits, least significant first
; Input: a, b < m
; Output: r = a * b (p521: plain; else a * b / R) mod m, r < m
; Aliasing: any; the inputs are read before r is written
; Registers: rsi = a, rdx = multiplier; r8 to r14 in turn hold the seven words that a row touches; r15
;     what the reduction owes; rax, rbx, rbp, rcx, rdi, r15 words of one row. r and b wait below the stack
;     pointer
; Clobbers: rax, rcx, rdx, rsi, rdi, r8 to r11, xmm0, flags; rbx, rbp, r12 to r15 are restored
; Stack: 48 bytes of saved registers, 80 bytes of red zone; its secrets are wiped
; Features: bmi2, adx
; Timing: constant; straight-line code, addresses are pointers and constants
; Carries: each ROW is two chains of add, adc whose last carries are zero, a row's bound; REDUCE_WORD
;     keeps its carry and its borrow in r15 (0 to -2) for the next one, which has room for it; REDUCE_LAST
;     takes it off in a full chain and adds the quotients in another, leaving the carry in r13; REDUCE_ONCE is
;     one chain of sub, sbb over seven words
; Floor: 36 mulx, all for the product

%include "asm/x86_64/limbic.inc"
%include "asm/x86_64/adx/p384.inc"

; Adds a * b_i to t0 .. t5, giving t6.
%macro TERM 8 ; i, t0 .. t6
    mov rdx, [POINTER(1)]
    mov rdx, [rdx + 8 * %1]
    ROW 6, rsi, rax, rbx, rbp, rcx, rdi, r15, %2, %3, %4, %5, %6, %7, %8
%endmacro

FUNCTION limbic_p384_mul_adx, rbx, rbp, r12, r13, r14, r15
    mov [POINTER(0)], rdi
    mov [POINTER(1)], rdx
    mov rdx, [rdx]
    FIRST_ROW rsi, rax, r8, r9, r10, r11, r12, r13, r14
    REDUCE_WORD r8, r9, r10, [Q(0)], 0, r15, rax, rbx
    mov [SPARE], r15
    TERM 1, r9, r10, r11, r12, r13, r14, r8
    REDUCE_WORD r9, r10, r11, [Q(1)], [SPARE], r15, rax, rbx
    mov [SPARE], r15
    TERM 2, r10, r11, r12, r13, r14, r8, r9
    REDUCE_WORD r10, r11, r12, [Q(2)], [SPARE], r15, rax, rbx
    mov [SPARE], r15
    TERM 3, r11, r12, r13, r14, r8, r9, r10
    REDUCE_WORD r11, r12, r13, [Q(3)], [SPARE], r15, rax, rbx
    mov [SPARE], r15
    TERM 4, r12, r13, r14, r8, r9, r10, r11
    REDUCE_WORD r12, r13, r14, [Q(4)], [SPARE], r15, rax, rbx
    mov [SPARE], r15
    TERM 5, r13, r14, r8, r9, r10, r11, r12
    REDUCE_LAST r13, r14, r8, r9, r10, r11, r12, [SPARE], r15, rax, rbx
    WIPE 8
    mov rdi, [POINTER(0)]
    REDUCE_ONCE r14, r8, r9, r10, r11, r12, r13, rax, rbx, rbp, rcx, rsi, r15
RETURN
