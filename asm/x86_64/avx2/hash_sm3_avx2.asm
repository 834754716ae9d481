; r = state: SM3's compression of blocks of 64 bytes, GB/T 32905 section 5.3
;
; Prototype: void limbic_hash_sm3_avx2(uint32_t *state, const uint8_t *in, size_t blocks);
; Representation: eight words, GB/T 32905
; Input: blocks of 64 bytes
; Output: state after n blocks
; Aliasing: none
; Registers: rdi = state, rsi = in, rdx = blocks; eax, ebx, ecx, r8d to r12d = a to h; r13d = SS1; r14d = a, rotated, then SS2; r15d, ebp =
;     temporaries; xmm0 to xmm5 = the last 18 message words, W(3k-2), W(3k-1), W(3k) in the upper lanes of a register, the lowest lane any; xmm6
;     to xmm9 = temporaries; xmm10, xmm11 = orders of bytes
; Clobbers: rax, rcx, rdx, rsi, r8 to r11, xmm0 to xmm11, flags
; Stack: 312 bytes: saved registers, eight registers of W, eight of W', in rings; wiped
; Features: x64, bmi2, avx2
; Timing: constant in the data; the loop counts blocks
; Carries: none: sums of 32-bit words
; Floor: no multiplication; in a round the new e comes seven operations after the old: sum, rotation, two sums, rotation, two XORs

%include "asm/x86_64/limbic.inc"

section .rodata align=16
swap_bytes: db 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12
rotate_8: db 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14

; Where the three words of group k stand, from the lane on.
%define SLOT(k, lane) (16 * ((k) % 8) + 4 * (lane))
%define W(k, lane) [rsp + SLOT(k, lane)]
%define W_PRIME(k, lane) [rsp + 128 + SLOT(k, lane)]

; xmm6 = the words of x rotated left by n.
%macro ROTATE 2 ; x, n
    vpslld xmm6, %1, %2
    vpsrld %1, %1, 32 - %2
    vpor xmm6, xmm6, %1
%endmacro

; W' of group k = its W ^ those four places on, which are in groups k + 1 and k + 2.
%macro PRIME 4 ; g(k), g(k+1), g(k+2), k
    vpblendd xmm9, %2, %3, 2
    vpshufd xmm9, xmm9, 0x78
    vpxor xmm9, xmm9, %1
    vmovdqa W_PRIME(%4, 0), xmm9
%endmacro

; In three parts, one for each of three rounds: g0 = group k + 6 of groups k to k + 5, and W' of group k + 4.
%macro EXPAND_1 7 ; g0 ... g5, k
    vshufps xmm7, %1, %2, 0x9c ; W-16 W-15 W-14
    vpxor xmm7, xmm7, %4
    vmovdqa xmm8, %6
    ROTATE xmm8, 15
    vpxor xmm7, xmm7, xmm6
%endmacro
%macro EXPAND_2 7
    vpshufb xmm8, xmm7, xmm11 ; x ^ (x <<< 15) ^ (x <<< 23) = x ^ ((x ^ (x <<< 8)) <<< 15)
    vpxor xmm8, xmm8, xmm7
    ROTATE xmm8, 15
    vpxor xmm7, xmm7, xmm6
    vshufps xmm8, %2, %3, 0x9c ; W-13 W-12 W-11
%endmacro
%macro EXPAND_3 7
    ROTATE xmm8, 7
    vpxor xmm7, xmm7, %5
    vpxor %1, xmm7, xmm6
    vmovdqa W((%7) + 6, 0), %1
    PRIME %5, %6, %1, (%7) + 4
%endmacro

; T = T_j rotated left by j, as a signed number.
%macro CONSTANT_OF 1 ; j
%if %1 < 16
    %assign T 0x79cc4519
%else
    %assign T 0x7a879d8a
%endif
%assign T (T << (%1 % 32) | T >> (32 - %1 % 32)) & 0xffffffff
%if T >= 0x80000000
    %assign T T - 0x100000000
%endif
%endmacro

; Round j, whose words are those of group k in the lane. The new a and e come into d and h: the next round names the registers shifted by one. What
; waits for the last round's e stands first, and not together: other orders took 1 to 5 % longer.
%macro ROUND 11 ; a, b, c, d, e, f, g, h, j, k, lane
    CONSTANT_OF %9
    rorx r14d, %1, 32 - 12
    lea r13d, [r14 + T] ; a is known before e
    add %4, W_PRIME(%10, %11)
    add %8, W(%10, %11)
%if %9 < 16
    mov r15d, %2
    mov ebp, %6
    xor r15d, %3
    xor ebp, %7
    xor r15d, %1
    add r13d, %5
    xor ebp, %5
%else
    mov r15d, %2
    mov ebp, %2
    xor r15d, %3
    and ebp, %3
    and r15d, %1
    add %4, ebp
    add r13d, %5
    mov ebp, %6
    xor ebp, %7
    and ebp, %5
    xor ebp, %7
%endif
    rorx r13d, r13d, 32 - 7
    add %8, ebp
    add %4, r15d
    add %8, r13d
    xor r14d, r13d
    rorx %2, %2, 32 - 9
    add %4, r14d
    rorx r13d, %8, 32 - 9
    rorx r14d, %8, 32 - 17
    rorx %6, %6, 32 - 19
    xor r13d, r14d
    xor %8, r13d
%endmacro

%macro ROUND_J 3 ; j, k, lane
%if %1 % 4 == 0
    ROUND eax, ebx, ecx, r8d, r9d, r10d, r11d, r12d, %1, %2, %3
%elif %1 % 4 == 1
    ROUND r8d, eax, ebx, ecx, r12d, r9d, r10d, r11d, %1, %2, %3
%elif %1 % 4 == 2
    ROUND ecx, r8d, eax, ebx, r11d, r12d, r9d, r10d, %1, %2, %3
%else
    ROUND ebx, ecx, r8d, eax, r10d, r11d, r12d, r9d, %1, %2, %3
%endif
%endmacro

; part of EXPAND for group k + 6, its registers named by k
%macro EXPAND 2 ; part, k
%if %2 <= 17
    %assign G0 (%2) % 6
    %assign G1 (%2 + 1) % 6
    %assign G2 (%2 + 2) % 6
    %assign G3 (%2 + 3) % 6
    %assign G4 (%2 + 4) % 6
    %assign G5 (%2 + 5) % 6
    EXPAND_%1 xmm%[G0], xmm%[G1], xmm%[G2], xmm%[G3], xmm%[G4], xmm%[G5], %2
%endif
%endmacro

FUNCTION limbic_hash_sm3_avx2, rbx, rbp, r12, r13, r14, r15
ALLOCATE 264
    test rdx, rdx
    je .done
    vmovdqa xmm10, [swap_bytes]
    vmovdqa xmm11, [rotate_8]
    mov eax, [rdi]
    mov ebx, [rdi + 4]
    mov ecx, [rdi + 8]
    mov r8d, [rdi + 12]
    mov r9d, [rdi + 16]
    mov r10d, [rdi + 20]
    mov r11d, [rdi + 24]
    mov r12d, [rdi + 28]
.block:
    vmovdqu xmm1, [rsi]
    vmovdqu xmm6, [rsi + 16]
    vmovdqu xmm7, [rsi + 32]
    vmovdqu xmm5, [rsi + 48]
    vpshufb xmm1, xmm1, xmm10
    vpshufb xmm6, xmm6, xmm10
    vpshufb xmm7, xmm7, xmm10
    vpshufb xmm5, xmm5, xmm10
    vpshufd xmm0, xmm1, 0
    vpalignr xmm2, xmm6, xmm1, 12
    vpalignr xmm3, xmm7, xmm6, 8
    vpalignr xmm4, xmm5, xmm7, 4
    vmovdqa W(0, 0), xmm0
    vmovdqa W(1, 0), xmm1
    vmovdqa W(2, 0), xmm2
    vmovdqa W(3, 0), xmm3
    vmovdqa W(4, 0), xmm4
    vmovdqa W(5, 0), xmm5
    PRIME xmm0, xmm1, xmm2, 0
    PRIME xmm1, xmm2, xmm3, 1
    PRIME xmm2, xmm3, xmm4, 2
    PRIME xmm3, xmm4, xmm5, 3
    EXPAND 1, 0
    EXPAND 2, 0
    EXPAND 3, 0
    ROUND_J 0, 0, 3
%assign K 1
%rep 21
    EXPAND 1, K
    ROUND_J (3 * K - 2), K, 1
    EXPAND 2, K
    ROUND_J (3 * K - 1), K, 2
    EXPAND 3, K
    ROUND_J (3 * K), K, 3
    %assign K K + 1
%endrep
    xor eax, [rdi]
    xor ebx, [rdi + 4]
    xor ecx, [rdi + 8]
    xor r8d, [rdi + 12]
    xor r9d, [rdi + 16]
    xor r10d, [rdi + 20]
    xor r11d, [rdi + 24]
    xor r12d, [rdi + 28]
    mov [rdi], eax
    mov [rdi + 4], ebx
    mov [rdi + 8], ecx
    mov [rdi + 12], r8d
    mov [rdi + 16], r9d
    mov [rdi + 20], r10d
    mov [rdi + 24], r11d
    mov [rdi + 28], r12d
    add rsi, 64
    dec rdx
    jne .block
    vpxor xmm0, xmm0, xmm0
%assign I 0
%rep 16
    vmovdqa [rsp + 16 * I], xmm0
    %assign I I + 1
%endrep
.done:
RETURN
