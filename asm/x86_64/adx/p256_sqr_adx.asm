; r = a^2 / 2^256 mod p, the Montgomery square of P-256
;
; Prototype: void limbic_p256_sqr_adx(uint64_t *r, const uint64_t *a);
; Representation: residue; four words of 64 bits, least significant first
; Input: a < m
; Output: r = mul(a, a), r < m
; Aliasing: any; the inputs are read before r is written
; Registers: rdi = r, rsi = a, rdx = multiplier; r8 to r15 hold the square's words 0 to 7, of which r8 to
;     r11, once cleared, become the reduction's words 4 to 7; rax, rbx, rbp, rcx hold products
; Clobbers: rax, rcx, rdx, rsi, rdi, r8 to r11, flags; rbx, rbp, r12 to r15 are restored
; Stack: 48 bytes, saved registers only
; Features: bmi2, adx
; Timing: constant; straight-line code, addresses are pointers and constants
; Carries: SQUARE_4 has chains of add, adc, and for the doubling and the squares one of adcx and one of
;     adox, whose last carries are zero; REDUCE_WORD: one chain of add, adc; the last word is an upper product
;     word, which absorbs the carry; ADD_4 joins both halves and keeps its carry in r8; REDUCE_ONCE_4 is one
;     chain of sub, sbb over five words
; Floor: 18 mulx: 10 for the square, 8 for the reduction

%include "asm/x86_64/limbic.inc"
%include "asm/x86_64/adx/p256.inc"

FUNCTION limbic_p256_sqr_adx, rbx, rbp, r12, r13, r14, r15
    SQUARE_4 rsi
    REDUCE_WORD r8, r9, r10, r11, rax, rbx, rbp
    REDUCE_WORD r9, r10, r11, r8, rax, rbx, rbp
    REDUCE_WORD r10, r11, r8, r9, rax, rbx, rbp
    REDUCE_WORD r11, r8, r9, r10, rax, rbx, rbp
    ADD_4 r12, r13, r14, r15, r8, r9, r10, r11
    REDUCE_ONCE_4 P256, r12, r13, r14, r15, r8, rax, rbx, rbp, rcx
RETURN
