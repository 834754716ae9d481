%include "asm/x86_64/limbic.inc"
%include "asm/x86_64/adx/p256.inc"

FUNCTION limbic_p256_sqr_adx, rbx, rbp, r12, r13, r14, r15
    SQUARE_4 rsi
    REDUCE_WORD r8, r9, r10, r11, rax, rbx, rbp, rcx
    REDUCE_WORD r9, r10, r11, r8, rax, rbx, rbp, rcx
    REDUCE_WORD r10, r11, r8, r9, rax, rbx, rbp, rcx
    REDUCE_WORD r11, r8, r9, r10, rax, rbx, rbp, rcx
    add r12, r8
    adc r13, r9
    adc r14, r10
    adc r15, r11
    mov r8d, 0
    adc r8, 0
    REDUCE_ONCE r12, r13, r14, r15, r8, rax, rbx, rbp, rcx
RETURN
