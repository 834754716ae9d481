; r = a - b mod p, the prime of P-256
;
; Prototype: void limbic_p256_sub_x64(uint64_t *r, const uint64_t *a, const uint64_t *b);
; Representation: residue; four words of 64 bits, least significant first
; Input: a, b < m
; Output: r = a - b mod m, r < m
; Aliasing: any; the inputs are read before r is written
; Registers: rdi = r, rsi = a, rdx = b; r8 to r11 the difference; rax the mask of a borrow; rcx, rdx words of m
; Clobbers: rax, rcx, rdx, r8 to r11, flags
; Stack: 0 bytes
; Features: x64
; Timing: constant; straight-line code, addresses are pointers and constants
; Carries: one chain of sub, sbb into the mask; one chain of add, adc whose last carry cancels the borrow
; Floor: no multiplication; 4 subtract, 4 add

%include "asm/x86_64/limbic.inc"

FUNCTION limbic_p256_sub_x64
    LOAD rsi, r8, r9, r10, r11
    CHAIN sub, sbb, rdx, r8, r9, r10, r11
    sbb rax, rax
    mov ecx, eax ; m AND the mask: (mask, its lower half, 0, M3)
    mov rdx, P256_M3
    and rdx, rax
    add r8, rax
    adc r9, rcx
    adc r10, 0
    adc r11, rdx
    STORE r8, r9, r10, r11
RETURN
