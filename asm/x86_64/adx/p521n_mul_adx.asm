; r = a * b / 2^576 mod n, the Montgomery product modulo the order of P-521
;
; Prototype: void limbic_p521n_mul_adx(uint64_t *r, const uint64_t *a, const uint64_t *b);
; Representation: residue; nine words of 64 bits, least significant first
; Input: a, b < m
; Output: r = a * b (p521: plain; else a * b / R) mod m, r < m
; Aliasing: any; the inputs are read before r is written
; Registers: rsi = a, rcx = b, rdx = multiplier; r8 to r15, rbp, rdi in turn hold the 10 words that a row touches; rax,
;     rbx one product. r waits below the stack pointer
; Clobbers: rax, rcx, rdx, rsi, rdi, r8 to r11, flags; rbx, rbp, r12 to r15 are restored
; Stack: 48 bytes, saved registers, and 8 bytes of red zone for a pointer
; Features: bmi2, adx
; Timing: constant; straight-line code, addresses are pointers and constants
; Carries: those of each row as order.inc has them; the final subtraction is one chain of sub, sbb over 10 words
; Floor: 162 mulx: 81 for the product, 81 for the reduction

%include "asm/x86_64/limbic.inc"
%include "asm/x86_64/adx/order.inc"

MODULUS P521N, 9

FUNCTION limbic_p521n_mul_adx, rbx, rbp, r12, r13, r14, r15
    mov rcx, rdx
    ORDER_PRODUCT
RETURN
