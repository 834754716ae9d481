%include "asm/x86_64/limbic.inc"
%include "asm/x86_64/adx/p256.inc"

FUNCTION limbic_p256_mul_adx, rbx, rbp, r12, r13, r14, r15
    mov rcx, rdx
    mov rdx, [rcx]
    FIRST_ROW rsi, rax, r8, r9, r10, r11, r12
    mov rdx, [rcx + 8]
    ROW rsi, rax, rbx, r9, r10, r11, r12, r13
    REDUCE_PAIR r8, r9, r10, r11, r12, r13, r8, 0, r8, rax, rbx, rbp, r14, r15
    mov rdx, [rcx + 16]
    ROW rsi, rax, rbx, r10, r11, r12, r13, r14
    mov rdx, [rcx + 24]
    ROW rsi, rax, rbx, r11, r12, r13, r14, r15
    REDUCE_PAIR r10, r11, r12, r13, r14, r15, r10, r8, r10, rax, rbx, rbp, rsi, rcx
    REDUCE_ONCE r12, r13, r14, r15, r10, rax, rbx, rbp, rcx
RETURN
