; r = a * b / 2^256 mod p, the Montgomery product of P-256
;
; Prototype: void limbic_p256_mul_adx(uint64_t *r, const uint64_t *a, const uint64_t *b);
; Representation: residue; four words of 64 bits, least significant first
; Input: a, b < m
; Output: r = a * b (p521: plain; else a * b / R) mod m, r < m
; Aliasing: any; the inputs are read before r is written
; Registers: rdi = r, rsi = a, rcx = b, rdx = multiplier; r8 to r15 hold the product's words 0 to 7, of
;     which r8 to r11, once cleared, become the reduction's words 4 to 7; rax, rbx, rbp and one that is not
;     yet or no longer in use hold words of one row
; Clobbers: rax, rcx, rdx, rsi, rdi, r8 to r11, flags; rbx, rbp, r12 to r15 are restored
; Stack: 48 bytes, saved registers only
; Features: bmi2, adx
; Timing: constant; straight-line code, addresses are pointers and constants
; Carries: each ROW is two chains of add, adc whose last carries are zero, a row's bound; REDUCE_WORD: one
;     chain of add, adc; the last word is an upper product word, which absorbs the carry; ADD_4 joins both
;     halves and keeps its carry in r8; REDUCE_ONCE_4 is one chain of sub, sbb over five words. Rows and
;     reductions alternate so that one fills the latency of the other
; Floor: 24 mulx: 16 for the product, 8 for the reduction

%include "asm/x86_64/limbic.inc"
%include "asm/x86_64/adx/p256.inc"

FUNCTION limbic_p256_mul_adx, rbx, rbp, r12, r13, r14, r15
    mov rcx, rdx
    mov rdx, [rcx]
    FIRST_ROW rsi, rax, r8, r9, r10, r11, r12
    mov rdx, [rcx + 8]
    ROW 4, rsi, rax, rbx, rbp, r14, r9, r10, r11, r12, r13
    REDUCE_WORD r8, r9, r10, r11, rax, rbx, rbp
    mov rdx, [rcx + 16]
    ROW 4, rsi, rax, rbx, rbp, r15, r10, r11, r12, r13, r14
    REDUCE_WORD r9, r10, r11, r8, rax, rbx, rbp
    mov rdx, [rcx + 24]
    ROW 4, rsi, rax, rbx, rbp, rcx, r11, r12, r13, r14, r15
    REDUCE_WORD r10, r11, r8, r9, rax, rbx, rbp
    REDUCE_WORD r11, r8, r9, r10, rax, rbx, rbp
    ADD_4 r12, r13, r14, r15, r8, r9, r10, r11
    REDUCE_ONCE_4 P256, r12, r13, r14, r15, r8, rax, rbx, rbp, rcx
RETURN
