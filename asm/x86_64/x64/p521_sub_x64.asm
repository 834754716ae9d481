; r = a - b mod 2^521 - 1
;
; Prototype: void limbic_p521_sub_x64(uint64_t *r, const uint64_t *a, const uint64_t *b);
; Representation: residue; nine words of 64 bits, least significant first
; Input: a, b < m
; Output: r = a - b mod m, r < m
; Aliasing: any; the inputs are read before r is written
; Registers: rdi = r, rsi = a, rdx = b; r8 to r11, rax, rcx, rbx, rbp, rsi the difference
; Clobbers: rax, rcx, rdx, rsi, r8 to r11, flags; rbx, rbp are restored
; Stack: 16 bytes, saved registers only
; Features: x64
; Timing: constant; straight-line code, addresses are pointers and constants
; Carries: one chain of sub, sbb; its borrow goes once more through all words, and what is above bit 521 is dropped: a multiple of 2^521
; Floor: no multiplication; 9 subtract, 9 subtract

%include "asm/x86_64/limbic.inc"

FUNCTION limbic_p521_sub_x64, rbx, rbp
    LOAD rsi, r8, r9, r10, r11, rax, rcx, rbx, rbp, rsi
    CHAIN sub, sbb, rdx, r8, r9, r10, r11, rax, rcx, rbx, rbp, rsi
    sbb r8, 0 ; m more is one less, modulo 2^521
    mov [rdi], r8
    sbb r9, 0
    mov [rdi + 8], r9
    sbb r10, 0
    mov [rdi + 16], r10
    sbb r11, 0
    mov [rdi + 24], r11
    sbb rax, 0
    mov [rdi + 32], rax
    sbb rcx, 0
    mov [rdi + 40], rcx
    sbb rbx, 0
    mov [rdi + 48], rbx
    sbb rbp, 0
    mov [rdi + 56], rbp
    sbb rsi, 0
    and esi, 511
    mov [rdi + 64], rsi
RETURN
