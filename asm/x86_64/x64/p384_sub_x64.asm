; r = a - b mod p, the prime of P-384
;
; Prototype: void limbic_p384_sub_x64(uint64_t *r, const uint64_t *a, const uint64_t *b);
; Representation: residue; six words of 64 bits, least significant first
; Input: a, b < m
; Output: r = a - b mod m, r < m
; Aliasing: any; the inputs are read before r is written
; Registers: rdi = r, rsi = a, rdx = b; r8 to r11, rcx, rsi the difference; rax the mask of a borrow; rdx, rbx words of m
; Clobbers: rax, rcx, rdx, rsi, r8 to r11, flags; rbx is restored
; Stack: 8 bytes, a saved register only
; Features: x64
; Timing: constant; straight-line code, addresses are pointers and constants
; Carries: one chain of sub, sbb into the mask; one chain of add, adc whose last carry cancels the borrow (lea leaves the flags alone)
; Floor: no multiplication; 6 subtract, 6 add

%include "asm/x86_64/limbic.inc"

FUNCTION limbic_p384_sub_x64, rbx
    LOAD rsi, r8, r9, r10, r11, rcx, rsi
    CHAIN sub, sbb, rdx, r8, r9, r10, r11, rcx, rsi
    sbb rax, rax
    mov edx, eax ; m AND the mask: (its lower half, its upper half, twice the mask, mask, mask, mask)
    mov rbx, rax
    shl rbx, 32
    add r8, rdx
    lea rdx, [rax + rax]
    adc r9, rbx
    adc r10, rdx
    adc r11, rax
    adc rcx, rax
    adc rsi, rax
    STORE r8, r9, r10, r11, rcx, rsi
RETURN
