; r = a + b mod p, the prime of P-256
;
; Prototype: void limbic_p256_add_x64(uint64_t *r, const uint64_t *a, const uint64_t *b);
; Representation: residue; four words of 64 bits, least significant first
; Input: a, b < m
; Output: r = a + b mod m, r < m
; Aliasing: any; the inputs are read before r is written
; Registers: rdi = r, rsi = a, rdx = b; r8 to r11, rax the sum; rcx, rsi, rbx, rbp the sum less p
; Clobbers: rax, rcx, rdx, rsi, r8 to r11, flags; rbx, rbp are restored
; Stack: 16 bytes, saved registers only
; Features: x64
; Timing: constant; straight-line code, addresses are pointers and constants
; Carries: one chain of add, adc into rax; REDUCE_ONCE_4 is one chain of sub, sbb over five words
; Floor: no multiplication; 4 add, 5 subtract

%include "asm/x86_64/limbic.inc"

FUNCTION limbic_p256_add_x64, rbx, rbp
    LOAD rsi, r8, r9, r10, r11
    mov eax, 0
    CHAIN add, adc, rdx, r8, r9, r10, r11
    adc rax, 0
    REDUCE_ONCE_4 P256, r8, r9, r10, r11, rax, rcx, rsi, rbx, rbp
RETURN
