%include "asm/x86_64/limbic.inc"
%include "asm/x86_64/adx/p384.inc"

FUNCTION limbic_p384_mul_adx, rbx, rbp, r12, r13, r14, r15
    mov rcx, rdx
    mov rdx, [rcx]
    xor r15d, r15d
    FIRST_ROW rsi, rax, r8, r9, r10, r11, r12, r13, r14
    REDUCE_WORD r8, r9, r10, [Q(0)], r15, rax, rbx, rbp
    mov rdx, [rcx + 8]
    ROW rsi, rax, rbx, r9, r10, r11, r12, r13, r14, r8
    REDUCE_WORD r9, r10, r11, [Q(1)], r15, rax, rbx, rbp
    mov rdx, [rcx + 16]
    ROW rsi, rax, rbx, r10, r11, r12, r13, r14, r8, r9
    REDUCE_WORD r10, r11, r12, [Q(2)], r15, rax, rbx, rbp
    mov rdx, [rcx + 24]
    ROW rsi, rax, rbx, r11, r12, r13, r14, r8, r9, r10
    REDUCE_WORD r11, r12, r13, [Q(3)], r15, rax, rbx, rbp
    mov rdx, [rcx + 32]
    ROW rsi, rax, rbx, r12, r13, r14, r8, r9, r10, r11
    REDUCE_WORD r12, r13, r14, [Q(4)], r15, rax, rbx, rbp
    mov rdx, [rcx + 40]
    ROW rsi, rax, rbx, r13, r14, r8, r9, r10, r11, r12
    REDUCE_LAST r13, r14, r8, r9, r10, r11, r12, [Q(5)], r15, rax, rbx
    WIPE_Q
    REDUCE_ONCE_6 r14, r8, r9, r10, r11, r12, r13, rax, rbx, rbp, rcx, rsi, r15
RETURN
