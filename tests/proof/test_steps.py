#!/usr/bin/env python3
"""Proves the field operations of asm/x86_64/adx/point4.inc, of which its steps of multiplications are made: each macro, assembled alone between loads and a store,
as prove.py does whole kernels. test_formulas.py takes them for granted. Not the difference of two products in Y3, whose bound is not found. test_steps.py"""
import subprocess
import sys
import tempfile
import contract
import prove
import x86
from core import Unproved
from steps import Steps

V, SECOND = "rax, rbx, rbp, rcx", "r10, r11, r12, r13"
FRAME = """%include "asm/x86_64/limbic.inc"
%include "asm/x86_64/adx/{unit}.inc"
%include "asm/x86_64/adx/point4.inc"
%define SLOTS ADD_SLOTS
FUNCTION limbic_step, rbx, rbp, r12, r13, r14, r15
    ALLOCATE FRAME_BYTES
{lines}
RETURN
"""
# The second operand, which comes in rdx, waits in a slot.
WAITS = [line for i in range(0, 32, 8) for line in (f"mov r8, [rdx + {i}]", f"mov [SLOT_T + {i}], r8")]
LOADED = [f"LOAD rsi, {V}"]
R = 1 << 256


def operations(steps):
    """(name, lines, factor, value): the result times the factor is the value."""
    *half, last = steps.macros["THREE_HALVES"]
    if last != "PLUS_REGISTERS":
        raise ValueError("THREE_HALVES does not end with its sum")
    yield "MUL", [*WAITS, "MUL rsi, SLOT_T", "PUT rdi"], R, lambda a, b: a * b
    yield "SQR", ["SQR rsi", "PUT rdi"], R, lambda a: a * a
    yield "LESS", [*WAITS, *LOADED, "LESS SLOT_T", "PUT rdi"], 1, lambda a, b: a - b
    yield "FROM", [*WAITS, *LOADED, "FROM SLOT_T", "PUT rdi"], 1, lambda a, b: b - a
    yield "THREE_HALVES, the half", [*LOADED, *half, f"STORE_AT rdi, {SECOND}"], 2, lambda a: a
    yield "THREE_HALVES, what stays", [*LOADED, *half, "PUT rdi"], 1, lambda a: a
    yield "THREE_HALVES, the sum", [*WAITS, *LOADED, f"LOAD SLOT_T, {SECOND}", "PLUS_REGISTERS", "PUT rdi"], 1, lambda a, b: a + b


def attempt(unit, lines, factor, value, veto=True):
    """None if it is proved, else why not."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/step.asm", "w", encoding="utf-8") as f:
            f.write(FRAME.format(unit=unit, lines="\n".join(lines)))
        subprocess.run(["nasm", "-f", "elf64", "-w-all", "-o", f"{folder}/step.o", f"{folder}/step.asm"], cwd=contract.ROOT, check=True)
        code = x86.read(f"{folder}/step.o", "limbic_step")
    m, words = contract.units()[unit]
    try:
        prove.prove(code, contract.Goal(m, words, value.__code__.co_varnames, factor, value, 64, None, None), veto)
    except Unproved as e:
        return str(e)
    return None


def main():
    passed, faults = 0, []
    for unit in ("p256", "sm2"):
        for name, lines, factor, value in operations(Steps()):
            why = attempt(unit, lines, factor, value)
            passed += not why
            if why:
                faults.append(f"{unit}, {name}: {why}")
            if unit == "sm2":  # the same with another result must be refused, without samples
                passed += bool(wrong := attempt(unit, lines, factor, lambda a, b=0: value(*(a, b)[:value.__code__.co_argcount]) + a, False))
                faults += [] if wrong else [f"{name}: proved for another operation"]
    for fault in faults:
        print(f"FAILED: {fault}")
    print(f"{passed} passed, {len(faults)} failed, 0 skipped")
    sys.exit(bool(faults or not passed))


if __name__ == "__main__":
    main()
