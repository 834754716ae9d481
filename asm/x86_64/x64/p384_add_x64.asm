; r = a + b mod p, the prime of P-384
;
; Prototype: void limbic_p384_add_x64(uint64_t *r, const uint64_t *a, const uint64_t *b);
; Representation: residue; six words of 64 bits, least significant first
; Input: a, b < m
; Output: r = a + b mod m, r < m
; Aliasing: any; the inputs are read before r is written
; Registers: rdi = r, rsi = a, rdx = b; r8 to r11, rax, rcx, rsi the sum; rbx, rbp, r12 to r15 the sum less p
; Clobbers: rax, rcx, rdx, rsi, r8 to r11, flags; rbx, rbp, r12 to r15 are restored
; Stack: 48 bytes, saved registers only
; Features: x64
; Timing: constant; straight-line code, addresses are pointers and constants
; Carries: one chain of add, adc into rsi; one chain of sub, sbb over seven words
; Floor: no multiplication; 6 add, 7 subtract

%include "asm/x86_64/limbic.inc"

FUNCTION limbic_p384_add_x64, rbx, rbp, r12, r13, r14, r15
    LOAD rsi, r8, r9, r10, r11, rax, rcx
    mov esi, 0
    CHAIN add, adc, rdx, r8, r9, r10, r11, rax, rcx
    adc rsi, 0
    mov rdx, P384_M0
    mov rbx, r8
    sub rbx, rdx
    mov rdx, P384_M1
    mov rbp, r9
    sbb rbp, rdx
    mov r12, r10
    sbb r12, P384_M2
    mov r13, r11
    sbb r13, P384_M3
    mov r14, rax
    sbb r14, P384_M4
    mov r15, rcx
    sbb r15, P384_M5
    sbb rsi, 0
    cmovc rbx, r8
    mov [rdi], rbx
    cmovc rbp, r9
    mov [rdi + 8], rbp
    cmovc r12, r10
    mov [rdi + 16], r12
    cmovc r13, r11
    mov [rdi + 24], r13
    cmovc r14, rax
    mov [rdi + 32], r14
    cmovc r15, rcx
    mov [rdi + 40], r15
RETURN
