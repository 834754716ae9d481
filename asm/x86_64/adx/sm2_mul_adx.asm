%include "asm/x86_64/limbic.inc"
%include "asm/x86_64/adx/sm2.inc"

FUNCTION limbic_sm2_mul_adx, rbx, rbp, r12, r13, r14, r15
    mov rcx, rdx
    mov rdx, [rcx]
    FIRST_ROW rsi, rax, r8, r9, r10, r11, r12
    REDUCE_WORD r8, r9, r10, r11, rax, rbx, rbp, r14
    mov rdx, [rcx + 8]
    ROW_4 rsi, rax, rbx, rbp, r14, r9, r10, r11, r12, r13
    REDUCE_WORD r9, r10, r11, r8, rax, rbx, rbp, r14
    mov rdx, [rcx + 16]
    ROW_4 rsi, rax, rbx, rbp, r15, r10, r11, r12, r13, r14
    REDUCE_WORD r10, r11, r8, r9, rax, rbx, rbp, r15
    mov rdx, [rcx + 24]
    ROW_4 rsi, rax, rbx, rbp, rcx, r11, r12, r13, r14, r15
    REDUCE_WORD r11, r8, r9, r10, rax, rbx, rbp, rcx
    add r12, r8
    adc r13, r9
    adc r14, r10
    adc r15, r11
    mov r8d, 0
    adc r8, 0
    REDUCE_ONCE r12, r13, r14, r15, r8, rax, rbx, rbp, rcx
RETURN
