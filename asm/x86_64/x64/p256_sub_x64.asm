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
    mov r8, [rsi]
    mov r9, [rsi + 8]
    mov r10, [rsi + 16]
    mov r11, [rsi + 24]
    sub r8, [rdx]
    sbb r9, [rdx + 8]
    sbb r10, [rdx + 16]
    sbb r11, [rdx + 24]
    sbb rax, rax
    mov ecx, eax ; m AND the mask: (mask, its lower half, 0, M3)
    mov rdx, P256_M3
    and rdx, rax
    add r8, rax
    adc r9, rcx
    adc r10, 0
    adc r11, rdx
    mov [rdi], r8
    mov [rdi + 8], r9
    mov [rdi + 16], r10
    mov [rdi + 24], r11
RETURN
