; r = a^2 mod 2^521 - 1
;
; Prototype: void limbic_p521_sqr_adx(uint64_t *r, const uint64_t *a);
; Representation: residue; nine words of 64 bits, least significant first
; Input: a < m
; Output: r = mul(a, a), r < m
; Aliasing: any; the inputs are read before r is written
; Registers: rdi = r, rsi = a, rdx = multiplier; rbp, r8 to r15 the words of a part; rax, rbx, rcx and
;     what is free, products
; Clobbers: rax, rcx, rdx, rsi, rdi, r8 to r11, xmm0, flags; rbx, rbp, r12 to r15 are restored
; Stack: 48 bytes of saved registers, 128 bytes of red zone; wiped
; Features: bmi2, adx
; Timing: constant; straight-line code, addresses are pointers and constants
; Carries: with a = u + 2^256 v: v^2 from rows of add, adc, then doubled (CF) while its squares join (OF);
;     it is below 2^530, so both last carries are zero and the upper word of a8^2, below 2^18, is not there.
;     u^2 as SQUARE_4; onto its words 4 to 7 the rows of 2 v * u, whose last carries are zero, a row's bound.
;     v^2 joins in one chain without a carry, since a^2 < 2^1042. FOLD and REDUCE_ONCE are one chain each over
;     nine words
; Floor: 45 mulx

%include "asm/x86_64/limbic.inc"
%include "asm/x86_64/p521.inc"

; (t0 .. t4) = (t0 .. t3) + (a0 .. a3) * word i of 2 v, v = (a4 .. a8).
%macro CROSS 6 ; i, t0 .. t4
    mov rdx, [rsi + 8 * %1]
    %if %1 == 4
    add rdx, rdx
    %else
    mov rax, [rsi + 8 * %1 - 8]
    shr rax, 63
    lea rdx, [rax + 2 * rdx]
    %endif
    ROW 4, rsi, rax, rbx, rcx, rbp, %2, %3, %4, %5, %6
%endmacro

FUNCTION limbic_p521_sqr_adx, rbx, rbp, r12, r13, r14, r15
    mov rdx, [rsi + 32]
    FIRST_ROW rsi + 40, rax, r8, r9, r10, r11, r12
    mulx rcx, rbp, rdx
    mov [L(7)], rbp
    mov rdx, [rsi + 40]
    ROW 3, rsi + 48, rax, rbx, r14, r10, r11, r12, r13
    mov rdx, [rsi + 48]
    ROW 2, rsi + 56, rax, rbx, r12, r13, r14
    mov rdx, [rsi + 56]
    ROW 1, rsi + 64, rax, r14, r15
    xor eax, eax
    adcx r8, r8
    adox r8, rcx
    mov [L(8)], r8
    mov rdx, [rsi + 40]
    mulx rdx, rax, rdx
    adcx r9, r9
    adox r9, rax
    mov [L(9)], r9
    adcx r10, r10
    adox r10, rdx
    mov [L(10)], r10
    mov rdx, [rsi + 48]
    mulx rdx, rax, rdx
    adcx r11, r11
    adox r11, rax
    mov [L(11)], r11
    adcx r12, r12
    adox r12, rdx
    mov [L(12)], r12
    mov rdx, [rsi + 56]
    mulx rdx, rax, rdx
    adcx r13, r13
    adox r13, rax
    mov [L(13)], r13
    adcx r14, r14
    adox r14, rdx
    mov [L(14)], r14
    mov rdx, [rsi + 64]
    mulx rdx, rax, rdx
    adcx r15, r15
    adox r15, rax
    mov [L(15)], r15
    SQUARE_4 rsi
    mov [L(0)], r8
    mov [L(1)], r9
    mov [L(2)], r10
    mov [L(3)], r11
    CROSS 4, r12, r13, r14, r15, r8
    mov [L(4)], r12
    CROSS 5, r13, r14, r15, r8, r9
    mov [L(5)], r13
    CROSS 6, r14, r15, r8, r9, r10
    mov [L(6)], r14
    CROSS 7, r15, r8, r9, r10, r11
    CROSS 8, r8, r9, r10, r11, r12
    add r8, [L(7)]
    mov [L(7)], r15
    mov r13, [L(13)]
    mov r14, [L(14)]
    mov r15, [L(15)]
    mov rbp, [L(12)]
    adc r9, [L(8)]
    adc r10, [L(9)]
    adc r11, [L(10)]
    adc r12, [L(11)]
    adc rbp, 0
    adc r13, 0
    adc r14, 0
    adc r15, 0
    FOLD r8, r9, r10, r11, r12, rbp, r13, r14, r15, rax
    REDUCE_ONCE r8, r9, r10, r11, r12, rbp, r13, r14, r15
    WIPE 16
RETURN
