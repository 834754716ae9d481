; r = a * b / R mod m for an odd m of run-time length
;
; Prototype: void limbic_mont_mul_adx(uint64_t *r, const uint64_t *a, const uint64_t *b, const limbic_mont *x);
; Representation: residue
; Input: a < R, b < m
; Output: r = a * b / R mod m, r < m
; Aliasing: any; r is written after the last product
; Registers: rdi, rsi, rcx = t, the words that are multiplied, the multipliers of a block; rdx = multiplier; r8 to r15 = the window (mont.inc);
;     rax, rbx, rbp = products
; Clobbers: rax, rcx, rdx, rsi, rdi, r8 to r11, xmm0, flags; rbx, rbp, r12 to r15 are restored
; Stack: 4208 bytes: saved registers, pointers, and the product t, which is wiped
; Features: bmi2, adx
; Timing: constant in the values; branches and addresses depend on the number of words alone
; Carries: a row ends in a new word that takes both carries (mont.inc); REDUCE keeps the carry of a block in CARRY, and the last one
;     with the borrow of t - m decides
; Floor: with n words 2 n^2 mulx
; Lengths: a multiple of 8 words up to 256 (LIMBIC_MONT_MAX_LIMBS), which t has room for; others go to the portable row

%include "asm/x86_64/limbic.inc"
%include "asm/x86_64/adx/mont.inc"

extern limbic_mont_mul_c

%macro BEFORE_SAVES 0
    test byte [rcx + LIMBS], 7
    jnz limbic_mont_mul_c
%endmacro

FUNCTION limbic_mont_mul_adx, rbx, rbp, r12, r13, r14, r15
ALLOCATE MONT_STACK
    mov rax, [rcx + LIMBS]
    shl rax, 3
    mov RESULT, rdi
    mov FACTOR, rsi
    mov BYTES, rax
    mov CONTEXT, rcx
    mov rcx, rdx
    add rax, rdx
    mov END, rax
    mov rax, BYTES
    add rax, rsi
    mov LAST, rax
    lea rdi, [T]
    WINDOW ; in the first row t is new
    CLEAR_WINDOW
.first:
    BLOCK
    add rsi, 64
    add rdi, 64
    cmp rsi, LAST
    jne .first
    jmp .row_end
.row:
    mov rsi, FACTOR
    WINDOW
    LOAD rdi, r8, r9, r10, r11, r12, r13, r14, r15
    BLOCK
    jmp .next
.column:
    BLOCK_AND_T
.next:
    add rsi, 64
    add rdi, 64
    cmp rsi, LAST
    jne .column
.row_end:
    STORE_WINDOW
    sub rdi, BYTES
    add rdi, 64
    add rcx, 64
    cmp rcx, END
    jne .row
    REDUCE
RETURN
