; r = a * b mod 2^521 - 1
;
; Prototype: void limbic_p521_mul_adx(uint64_t *r, const uint64_t *a, const uint64_t *b);
; Representation: residue; nine words of 64 bits, least significant first
; Input: a, b < m
; Output: r = a * b (p521: plain; else a * b / R) mod m, r < m
; Aliasing: any; the inputs are read before r is written
; Registers: rdi = r, rsi = a, rcx = b, rdx = multiplier; r8 to r13 in turn hold the words that a row
;     touches; rax, rbx, rbp, r14, r15 words of one row
; Clobbers: rax, rcx, rdx, rsi, rdi, r8 to r11, xmm0, flags; rbx, rbp, r12 to r15 are restored
; Stack: 48 bytes of saved registers, 112 bytes of red zone; wiped
; Features: bmi2, adx
; Timing: constant; straight-line code, addresses are pointers and constants
; Carries: each ROW is two chains of add, adc whose last carries are zero, a row's bound. First (a0 .. a3)
;     * b, then (a4 .. a8) * b on top of its words 4 to 8; the words 9 to 12 join after the row of b4, with a
;     carry into word 13 that stays there: (a4 .. a8) < 2^265 leaves that word far from full. Word 17 of the
;     last row is zero, since a * b < 2^1042, and is dropped. FOLD and REDUCE_ONCE are one chain each over
;     nine words
; Floor: 81 mulx

%include "asm/x86_64/limbic.inc"
%include "asm/x86_64/p521.inc"

; (t0 .. t4) = (t0 .. t3) + (a0 .. a3) * b_i; word i of the product is left where it waits.
%macro LOW 6 ; i, t0 .. t4
    mov rdx, [rcx + 8 * %1]
    ROW 4, rsi, rax, rbx, rbp, r14, %2, %3, %4, %5, %6
    mov [L(%1)], %2
%endmacro

; (t0 .. t5) = (t0 .. t4) + (a4 .. a8) * b_i; t0 is word i + 4 of the product.
%macro HIGH 7 ; i, t0 .. t5
    mov rdx, [rcx + 8 * %1]
    ROW 5, rsi + 32, rax, rbx, rbp, r14, r15, %2, %3, %4, %5, %6, %7
    %if %1 < 8
    mov [L(%1 + 4)], %2
    %endif
%endmacro

FUNCTION limbic_p521_mul_adx, rbx, rbp, r12, r13, r14, r15
    mov rcx, rdx
    mov rdx, [rcx]
    FIRST_ROW rsi, rax, r8, r9, r10, r11, r12
    mov [L(0)], r8
    LOW 1, r9, r10, r11, r12, r8
    LOW 2, r10, r11, r12, r8, r9
    LOW 3, r11, r12, r8, r9, r10
    LOW 4, r12, r8, r9, r10, r11
    LOW 5, r8, r9, r10, r11, r12
    LOW 6, r9, r10, r11, r12, r8
    LOW 7, r10, r11, r12, r8, r9
    LOW 8, r11, r12, r8, r9, r10
    mov [L(9)], r12
    mov [L(10)], r8
    mov [L(11)], r9
    mov [L(12)], r10
    mov r8, [L(4)]
    mov r9, [L(5)]
    mov r10, [L(6)]
    mov r11, [L(7)]
    mov r12, [L(8)]
    HIGH 0, r8, r9, r10, r11, r12, r13
    HIGH 1, r9, r10, r11, r12, r13, r8
    HIGH 2, r10, r11, r12, r13, r8, r9
    HIGH 3, r11, r12, r13, r8, r9, r10
    HIGH 4, r12, r13, r8, r9, r10, r11
    add r13, [L(9)]
    adc r8, [L(10)]
    adc r9, [L(11)]
    adc r10, [L(12)]
    adc r11, 0
    HIGH 5, r13, r8, r9, r10, r11, r12
    HIGH 6, r8, r9, r10, r11, r12, r13
    HIGH 7, r9, r10, r11, r12, r13, r8
    HIGH 8, r10, r11, r12, r13, r8, r9
    mov rax, [L(8)]
    mov rbx, [L(9)]
    mov rbp, [L(10)]
    mov r9, [L(11)]
    FOLD rax, rbx, rbp, r9, r10, r11, r12, r13, r8, r14
    WIPE 14
    REDUCE_ONCE rax, rbx, rbp, r9, r10, r11, r12, r13, r8
RETURN
