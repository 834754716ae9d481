; r = a + b mod 2^521 - 1
;
; Prototype: void limbic_p521_add_x64(uint64_t *r, const uint64_t *a, const uint64_t *b);
; Representation: residue; nine words of 64 bits, least significant first
; Input: a, b < m
; Output: r = a + b mod m, r < m
; Aliasing: any; the inputs are read before r is written
; Registers: rdi = r, rsi = a, rdx = b; r8 to r11, rax, rcx, rbx, rbp, rsi the sum plus one
; Clobbers: rax, rcx, rdx, rsi, r8 to r11, flags; rbx, rbp are restored
; Stack: 16 bytes, saved registers only
; Features: x64
; Timing: constant; straight-line code, addresses are pointers and constants
; Carries: one chain of adc from one, no carry out: the sum is below 2^522; REDUCE_ONCE is one chain over nine words
; Floor: no multiplication; 9 add, 9 subtract

%include "asm/x86_64/limbic.inc"

%include "asm/x86_64/p521.inc"

FUNCTION limbic_p521_add_x64, rbx, rbp
    LOAD rsi, r8, r9, r10, r11, rax, rcx, rbx, rbp, rsi
    stc
    CHAIN adc, adc, rdx, r8, r9, r10, r11, rax, rcx, rbx, rbp, rsi
    REDUCE_ONCE r8, r9, r10, r11, rax, rcx, rbx, rbp, rsi
RETURN
