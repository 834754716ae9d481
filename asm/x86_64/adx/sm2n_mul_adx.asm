; r = a * b / 2^256 mod n, the Montgomery product modulo the order of SM2
;
; Prototype: void limbic_sm2n_mul_adx(uint64_t *r, const uint64_t *a, const uint64_t *b);
; Representation: residue; four words of 64 bits, least significant first
; Input: a, b < m
; Output: r = a * b (p521: plain; else a * b / R) mod m, r < m
; Aliasing: any; the inputs are read before r is written
; Registers: rsi = a, rcx = b, rdx = multiplier; r8 to r12 in turn hold the 5 words that a row touches; rax,
;     rbx one product. r waits below the stack pointer
; Clobbers: rax, rcx, rdx, rsi, r8 to r11, flags; rbx, r12 are restored
; Stack: 16 bytes, saved registers, and 8 bytes of red zone for a pointer
; Features: bmi2, adx
; Timing: constant; straight-line code, addresses are pointers and constants
; Carries: those of each row as order.inc has them; the final subtraction is one chain of sub, sbb over 5 words
; Floor: 32 mulx: 16 for the product, 16 for the reduction

%include "asm/x86_64/limbic.inc"
%include "asm/x86_64/adx/order.inc"

MODULUS SM2N, 4

FUNCTION limbic_sm2n_mul_adx, rbx, r12
    mov rcx, rdx
    ORDER_PRODUCT
RETURN
