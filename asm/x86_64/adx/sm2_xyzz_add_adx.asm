; r = a + b, the affine point b, on SM2
;
; Prototype: void limbic_sm2_xyzz_add_adx(uint64_t *r, const uint64_t *a, const uint64_t *b);
; Representation: X, Y, ZZ, ZZZ
; Input: residues, any
; Output: X' = R^2 - H^3 - 2 U, R (U - X') - Y H^3, ZZ H^2, ZZZ H^3 for H = b.x ZZ - X, R = b.y ZZZ - Y, U = X H^2
; Aliasing: any; an element of a is read for the last time before that of r is written
; Registers: rsi = a, rdi = b; rax, rbx, rbp, rcx hand an element from step to step; rdx = multiplier, mask; r8 to r15
;     hold products and sums
; Clobbers: rax, rcx, rdx, rsi, rdi, r8 to r11, flags; rbx, rbp, r12 to r15 are restored
; Stack: 376 bytes: saved registers, the place of r, intermediate elements
; Features: x64, bmi2, adx, avx2
; Timing: constant; straight-line code, addresses are pointers and constants
; Carries: those of products and squares are sm2_mul_adx's and sm2_sqr_adx's; a difference is a chain of sub, sbb
;     whose borrow brings m back by a chain of add, adc; for Y' of two products, eight words each, it brings R m back,
;     and one reduction follows
; Floor: 220 mulx: 7 products of 24, the eighth 16, 2 squares of 18

%include "asm/x86_64/limbic.inc"
%include "asm/x86_64/adx/sm2.inc"
%include "asm/x86_64/adx/point4.inc"

%define SLOTS ADD_SLOTS

FUNCTION limbic_sm2_xyzz_add_adx, rbx, rbp, r12, r13, r14, r15
    ALLOCATE FRAME_BYTES
    mov [R_PLACE], rdi
    mov rdi, rdx
    XYZZ_ADD
RETURN
