; r = a^2 / R mod m for an odd m of run-time length
;
; Prototype: void limbic_mont_sqr_adx(uint64_t *r, const uint64_t *a, const limbic_mont *x);
; Representation: residue
; Input: a < m
; Output: r = mul(a, a), r < m
; Aliasing: any; r is written after the last product
; Registers: rdi, rsi, rcx = t, the words that are multiplied, the multipliers of a block; rdx = multiplier; r8 to r15 = the window (mont.inc);
;     rax, rbx, rbp = products
; Clobbers: rax, rcx, rdx, rsi, rdi, r8 to r11, xmm0, flags; rbx, rbp, r12 to r15 are restored
; Stack: 4208 bytes: saved registers, pointers, and the product t, which is wiped
; Features: bmi2, adx
; Timing: constant in the values; branches and addresses depend on the number of words alone
; Carries: as in mont_mul_adx; where t is doubled, CF doubles and OF adds the squares, and both last carries are zero as 2 t and the
;     squares are parts of a^2
; Floor: with n words (n^2 + n) / 2 + n^2 mulx
; Lengths: a multiple of 8 words up to 256 (LIMBIC_MONT_MAX_LIMBS), which t has room for; others go to the portable row

%include "asm/x86_64/limbic.inc"
%include "asm/x86_64/adx/mont.inc"

extern limbic_mont_sqr_c

%macro BEFORE_SAVES 0
    test byte [rdx + LIMBS], 7
    jnz limbic_mont_sqr_c
%endmacro

FUNCTION limbic_mont_sqr_adx, rbx, rbp, r12, r13, r14, r15
ALLOCATE MONT_STACK
    mov rax, [rdx + LIMBS]
    shl rax, 3
    mov RESULT, rdi
    mov FACTOR, rsi
    mov BYTES, rax
    mov CONTEXT, rdx
    add rax, rsi
    mov LAST, rax
    lea rdi, [T]
    mov rcx, rsi
    ; rcx: the block of a that multiplies itself and what is above it; rdi = t at twice its place. In the first row t is new.
    WINDOW
    CLEAR_WINDOW
    TRIANGLE
    jmp .next_first
.first:
    BLOCK
.next_first:
    add rsi, 64
    add rdi, 64
    cmp rsi, LAST
    jne .first
    jmp .row_end
.row:
    WINDOW
    LOAD rdi, r8, r9, r10, r11, r12, r13, r14, r15
    TRIANGLE
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
    add rcx, 64
    sub rdi, rsi
    lea rdi, [rdi + rcx + 64]
    mov rsi, rcx
    cmp rcx, LAST
    jne .row
    ; t = 2 t + the squares of the words
    lea rdi, [T]
    mov rsi, FACTOR
    mov rcx, BYTES
    xor eax, eax
.double:
%assign K 0
%rep 4
    mov rdx, [rsi + 8 * K]
    mulx rdx, rax, rdx
    mov r8, [rdi + 16 * K]
    mov r9, [rdi + 16 * K + 8]
    adcx r8, r8
    adox r8, rax
    adcx r9, r9
    adox r9, rdx
    mov [rdi + 16 * K], r8
    mov [rdi + 16 * K + 8], r9
    %assign K K + 1
%endrep
    lea rsi, [rsi + 32]
    lea rdi, [rdi + 64]
    lea rcx, [rcx - 32]
    jrcxz .doubled
    jmp .double
.doubled:
    REDUCE
RETURN
