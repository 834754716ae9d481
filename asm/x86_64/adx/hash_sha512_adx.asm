; r = state: SHA-512's compression of blocks of 128 bytes, FIPS 180-4 section 6.4.2
;
; Prototype: void limbic_hash_sha512_adx(uint64_t *state, const uint8_t *in, size_t blocks);
; Representation: eight words, FIPS 180-4
; Input: blocks of 128 bytes
; Output: state after n blocks
; Aliasing: none
; Registers: asm/x86_64/sha512.inc
; Clobbers: rax, rcx, rdx, rsi, rdi, r8 to r11, xmm0 to xmm11, flags
; Stack: 200 bytes: saved registers, sixteen words with their constants (wiped), three variables
; Features: x64, bmi2, avx2
; Timing: constant in the data; the loops count blocks and rounds
; Carries: none: sums of 64-bit words
; Floor: no multiplication; in a round the new e comes five operations after the old: rotation, two XORs, two sums

%include "asm/x86_64/sha512.inc"

%macro ROTATE 4
    vpsllq %4, %2, 64 - %3
    vpsrlq %1, %2, %3
    vpxor %1, %1, %4
%endmacro
%macro XOR_SHIFT 5
    vpxor %1, %1, %2
    vpsrlq %5, %3, %4
    vpxor %1, %1, %5
%endmacro

SHA512 limbic_hash_sha512_adx
