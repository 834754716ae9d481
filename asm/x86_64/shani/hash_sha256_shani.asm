; r = state: SHA-256's compression of blocks of 64 bytes, FIPS 180-4 section 6.2.2
;
; Prototype: void limbic_hash_sha256_shani(uint32_t *state, const uint8_t *in, size_t blocks);
; Representation: eight words, FIPS 180-4
; Input: blocks of 64 bytes
; Output: state after n blocks
; Aliasing: none
; Registers: rdi = state, rsi = in, rdx = blocks, rax = the round constants; xmm1 = words a b e f, xmm2 = c d g h, as the
;     instructions have them; xmm3 to xmm6 = sixteen message words, the oldest four renewed every four rounds; xmm0 = message words and
;     constants of four rounds; xmm7 = a word to add; xmm8 = the order of bytes; xmm9, xmm10 = the state before the block
; Clobbers: rax, rdx, rsi, xmm0 to xmm10, flags
; Stack: 0 bytes
; Features: x64, ssse3, sse41, shani
; Timing: constant in the data; the loop counts blocks
; Carries: none: sums of 32-bit words
; Floor: no multiplication; 32 sha256rnds2, each waiting for the one before

%include "asm/x86_64/limbic.inc"

extern limbic_sha256_k

section .rodata align=16
swap_bytes: db 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12

%macro MESSAGE 2 ; words, index
    movdqu %1, [rsi + 16 * (%2)]
    pshufb %1, xmm8
%endmacro

; Rounds 4 i to 4 i + 3, with the words w.
%macro ROUNDS 2 ; w, i
    movdqu xmm0, [rax + 16 * (%2)]
    paddd xmm0, %1
    sha256rnds2 xmm2, xmm1
    pshufd xmm0, xmm0, 0x0e
    sha256rnds2 xmm1, xmm2
%endmacro

; w0 = the four words after w3: w0 + sigma0(w0's neighbours) + w9.. + sigma1
%macro EXPAND 4
    sha256msg1 %1, %2
    movdqa xmm7, %4
    palignr xmm7, %3, 4
    paddd %1, xmm7
    sha256msg2 %1, %4
%endmacro

FUNCTION limbic_hash_sha256_shani
    test rdx, rdx
    jz .done
    lea rax, [limbic_sha256_k]
    movdqa xmm8, [swap_bytes]
    movdqu xmm1, [rdi]
    movdqu xmm2, [rdi + 16]
    pshufd xmm1, xmm1, 0xb1 ; b a d c
    pshufd xmm2, xmm2, 0x1b ; h g f e
    movdqa xmm7, xmm1
    palignr xmm1, xmm2, 8
    pblendw xmm2, xmm7, 0xf0
.block:
    movdqa xmm9, xmm1
    movdqa xmm10, xmm2
    MESSAGE xmm3, 0
    ROUNDS xmm3, 0
    MESSAGE xmm4, 1
    ROUNDS xmm4, 1
    MESSAGE xmm5, 2
    ROUNDS xmm5, 2
    MESSAGE xmm6, 3
    ROUNDS xmm6, 3
%assign ROUND_I 4
%rep 3
    EXPAND xmm3, xmm4, xmm5, xmm6
    ROUNDS xmm3, ROUND_I
    EXPAND xmm4, xmm5, xmm6, xmm3
    ROUNDS xmm4, ROUND_I + 1
    EXPAND xmm5, xmm6, xmm3, xmm4
    ROUNDS xmm5, ROUND_I + 2
    EXPAND xmm6, xmm3, xmm4, xmm5
    ROUNDS xmm6, ROUND_I + 3
    %assign ROUND_I ROUND_I + 4
%endrep
    paddd xmm1, xmm9
    paddd xmm2, xmm10
    add rsi, 64
    dec rdx
    jnz .block
    pshufd xmm1, xmm1, 0x1b ; f e b a to a b e f
    pshufd xmm2, xmm2, 0xb1
    movdqa xmm7, xmm1
    pblendw xmm1, xmm2, 0xf0
    palignr xmm2, xmm7, 8
    movdqu [rdi], xmm1
    movdqu [rdi + 16], xmm2
.done:
RETURN
