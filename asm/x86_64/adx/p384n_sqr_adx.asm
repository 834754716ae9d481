; r = a^2 / 2^384 mod n, the Montgomery square modulo the order of P-384
;
; Prototype: void limbic_p384n_sqr_adx(uint64_t *r, const uint64_t *a);
; Representation: residue; six words of 64 bits, least significant first
; Input: a < m
; Output: r = mul(a, a), r < m
; Aliasing: any; the inputs are read before r is written
; Registers: rsi, rcx = a, rdx = multiplier; r8 to r14 in turn hold the 7 words that a row touches; rax,
;     rbx one product; r15 the carry of a first row. r waits below the stack pointer
; Clobbers: rax, rcx, rdx, rsi, r8 to r11, flags; rbx, r12 to r15 are restored
; Stack: 40 bytes, saved registers, and 8 bytes of red zone for a pointer
; Features: bmi2, adx
; Timing: constant; straight-line code, addresses are pointers and constants
; Carries: those of each row as order.inc has them; the final subtraction is one chain of sub, sbb over 7 words
; Floor: 72 mulx: 36 for the product, 36 for the reduction

%include "asm/x86_64/limbic.inc"
%include "asm/x86_64/adx/order.inc"

MODULUS P384N, 6

FUNCTION limbic_p384n_sqr_adx, rbx, r12, r13, r14, r15
    mov rcx, rsi
    ORDER_PRODUCT r15
RETURN
