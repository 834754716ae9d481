; r = the matrix of 60 divsteps on f and g
;
; Prototype: void limbic_gcd_divsteps_x64(uint64_t *r, uint64_t zeta, uint64_t f, uint64_t g);
; Representation: u, v, q, r, zeta: five signed words
; Input: f odd, zeta of at most 2^62 in size
; Output: what 60 divsteps do: f' = (u f + v g) / 2^60, g' = (q f + r g) / 2^60, and zeta
; Aliasing: none
; Registers: rdi = r, rsi = zeta, rdx, rcx = f, g; r12 to r15 = the matrix so far; of a chunk: r8, r9 = f, g with their rows,
;     r10 = f or -f, r11 = 1 or 0 for zeta < 0 or not, rax, rbx, rbp = what a step takes
; Clobbers: rax, rcx, rdx, rsi, r8 to r11, flags; rbx, rbp, r12 to r15 are restored
; Stack: 48 bytes, saved registers only
; Features: x64
; Timing: constant; straight-line code, addresses are pointers and constants
; Carries: none: words modulo 2^64; the ranges within a packed word are those of dv_chunk in src/field/divsteps.h
; Floor: no multiplication of more than one word; 60 steps of 13 instructions besides moves, three of them one after the other

%include "asm/x86_64/limbic.inc"

; So many steps can be followed in one word, which has the low bits of a number and its row: see dv_chunk.
%define C 20

; If g is odd: f' = g where zeta < 0; 2 g' = g - f or g + f; zeta' + 1 = -1 - zeta or zeta.
%macro STEP 0
    mov rax, r9
    lea rbx, [r9 + r10]
    mov rbp, rsi
    not rbp
    lea rsi, [rsi - 1]
    lea rbp, [rbp - 1]
    test r9, r11
    cmovnz r8, rax
    cmovnz rsi, rbp
    test r9, 1
    cmovnz r9, rbx
    sar r9, 1
    mov r10, r8
    neg r10
    mov r11, rsi
    shr r11, 63
    cmovz r10, r8
%endmacro

; rax, rbx, rbp, r10 = the matrix u, v, q, r of C steps on the low bits of rdx and rcx, which it leaves.
%macro CHUNK 0
    mov r8d, edx
    and r8d, (1 << C) - 1
    mov rax, 1 << (2 * C + 1)
    sub r8, rax
    mov r9d, ecx
    and r9d, (1 << C) - 1
    mov rax, 1 << (3 * C + 2)
    sub r9, rax
    mov r10, r8
    neg r10
    mov r11, rsi
    shr r11, 63
    cmovz r10, r8
%rep C
    STEP
%endrep
    ; v: rounded to a multiple of 2^(2C+2); u: to one of 2^(C+1), v cut off; both are there negated
    mov r11, (1 << C) + (1 << (2 * C + 1))
    lea rax, [r8 + (1 << C)]
    lea rbx, [r8 + r11]
    lea rbp, [r9 + (1 << C)]
    lea r10, [r9 + r11]
    shl rax, 62 - 2 * C
    sar rax, 63 - C
    neg rax
    sar rbx, 2 * C + 2
    neg rbx
    shl rbp, 62 - 2 * C
    sar rbp, 63 - C
    neg rbp
    sar r10, 2 * C + 2
    neg r10
%endmacro

; (%1, %2) = the matrix of CHUNK times (%1, %2).
%macro APPLY 2
    mov r8, rax
    imul r8, %1
    mov r9, rbx
    imul r9, %2
    add r8, r9
    imul %1, rbp
    imul %2, r10
    add %2, %1
    mov %1, r8
%endmacro

; The low bits that the chunks to come need are right.
%macro ADVANCE 0
    APPLY rdx, rcx
    shr rdx, C
    shr rcx, C
%endmacro

FUNCTION limbic_gcd_divsteps_x64, rbx, rbp, r12, r13, r14, r15
    CHUNK
    mov r12, rax
    mov r13, rbx
    mov r14, rbp
    mov r15, r10
    ADVANCE
    CHUNK
    APPLY r12, r14
    APPLY r13, r15
    ADVANCE
    CHUNK
    APPLY r12, r14
    APPLY r13, r15
    mov [rdi], r12
    mov [rdi + 8], r13
    mov [rdi + 16], r14
    mov [rdi + 24], r15
    mov [rdi + 32], rsi
RETURN
