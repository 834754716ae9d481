#!/usr/bin/env python3
"""Puts faults into kernels: test_mutants.py [--budget N] [--seed S] [OPTION...] OBJECT... Of each kernel some mutants, N instructions together, each with
one instruction changed, go through the prover without the samples' veto; one that is proved must do what the kernel does on many operands. Then kernels with the faults that
carries are known for, made from our own sources: each must be refused."""
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import a64
import contract
import lanes
import prove
import test_proof
import x86
from a64 import Condition, Shift, Vector
from core import Unproved
from machine import Imm, Reg
from x86 import Mem, Xmm, Zmm

CHECKS = 150  # operands that a proved mutant is run on

# (kernel, text of its source or an include, what stands there in its place, why the prover refuses it, what this is)
FLAG, CARRY = "adox: a flag that nothing defined, or whose value is not modelled", "not shown congruent"
BAD = {x86: (
    ("sm2_sqr_adx", "    xor r15, r15\n    adcx r9, r9\n", "    mov r15, 0\n    adcx r9, r9\n", FLAG, "OF, left by adc, goes into an adox chain"),
    ("sm2_sqr_adx", "    xor r15, r15\n    adcx r9, r9\n", "    sub r15, rdi\n    mov r15, 0\n    adcx r9, r9\n", "arithmetic on a pointer",
     "a subtraction of pointers clears the carry"),
    ("p521_sqr_adx", "    xor eax, eax\n    adcx r8, r8\n", "    cmp rax, 0\n    mov eax, 0\n    adcx r8, r8\n", FLAG, "OF, left by a comparison, goes into an adox chain"),
    ("p256_mul_adx", "    adc %4, %7\n    adc %1, 0\n", "    adc %4, %7\n", CARRY, "a carry of the reduction is dropped"),
    ("p256n_mul_adx", "    mov eax, 0\n    adcx Z%[N], rax\n", "    mov eax, 0\n", CARRY, "a carry of a row is dropped"),
    ("p521_mul_adx", "    adc r10, [L(12)]\n    adc r11, 0\n", "    adc r10, [L(12)]\n", CARRY, "a carry between the halves of the product is dropped"),
    ("sm2_mul_adx", "    mov %5, 0\n    adc %5, 0\n", "    mov %5, 0\n", CARRY, "the carry out of the sum before the last subtraction is dropped"),
    ("p256_mul_adx", "    sbb %6, 0\n    cmovc", "    cmovc", CARRY, "the last subtraction leaves its carry word out"),
    ("p384_add_x64", "    cmovc rbp, r9\n", "", CARRY, "the last subtraction is not taken back in one word"),
    ("p521_add_x64", "    stc\n", "    cmp r8, 0\n", CARRY, "the sum is compared with m + 1 and a one is missing"),
    ("p521_mul_adx", "    cmp %9, 512\n", "    cmp %9, 513\n", "not shown", "m is not taken off where it should be"),
    ("sm2_mul_adx", "    cmovc %10, %5\n", "    mov %10, %5\n", CARRY, "the last word is taken back always"),
    ("p256_add_x64", "    sbb %10, rdx\n", "    sub %10, rdx\n", CARRY, "a borrow of the last subtraction is dropped"),
    ("p384_sub_x64", "    lea rdx, [rax + rax]\n", "    mov rdx, rax\n", CARRY, "m is added with one wrong bit"),
    ("p256_add_x64", "    STORE %7, %8, %9, %10\n", "    STORE %7, %8, %9, %10, %10\n", "write to r at 32", "a word is written beyond the result"),
    ("sm2_add_x64", "    LOAD rsi, r8, r9, r10, r11\n", "    LOAD rsi, r8, r9, r10, r11\n    mov [rdi], r8\n", "an input is read after the result was begun",
     "the result is written before the other operand is read"),
    ("p256_sub_x64", "    adc r10, 0\n", "    adc r10, 0\n    mov rbx, rdx\n", "rbx is not restored", "a register of the caller's is lost"),
    ("p384_mul_adx", "    sbb %3, %4\n", "    sub %3, %4\n", CARRY, "the carry of a quotient is dropped"),
    ("p384_sqr_adx", "    add %4, %1\n%endmacro", "    add %4, %1\n    adc %4, 0\n%endmacro", CARRY, "the carry of a quotient's upper word is added to it, and dropped"),
    ("p384_mul_adx", "%define SPARE rsp - 56", "%define SPARE rsp - 136", "not the function's own stack", "a word is kept below the red zone"),
), a64: (
    ("p256_mul_a64", "    adcs \\t4, \\t4, x15\n    cset \\t0, cs\n", "    adc \\t4, \\t4, x15\n    mov \\t0, xzr\n", CARRY, "the carry of a step is dropped"),
    ("p256_sqr_a64", "    cset x12, cs\n", "    mov x12, xzr\n", CARRY, "the carry out of the sum before the last subtraction is dropped"),
    ("p384_mul_a64", "    sbcs \\t5, \\t5, xzr\n    sbcs \\t0, \\t0, xzr\n    sbc \\t1, \\t1, xzr\n", "    sbc \\t5, \\t5, xzr\n", CARRY, "a borrow is not taken off the upper words"),
    ("p384_mul_a64", "    adc \\w, \\w, xzr\n    extr", "    extr", CARRY, "a carry of the quotient's lower part is dropped"),
    ("p384_sqr_a64", "    cmp \\s, \\t0 /*", "    cmp \\t0, \\t0 /*", "not shown", "a word that is dropped is not what it should be"),
    ("p384_add_a64", "    adcs \\d3, \\t3, xzr\n", "    sbcs \\d3, \\t3, xzr\n", CARRY, "a borrow takes the place of a carry in the last subtraction"),
    ("p521_mul_a64", "    adc \\t16, \\t16, \\spare\n", "    add \\t16, \\t16, \\spare\n", CARRY, "a carry into the upper word is dropped"),
    ("p521_add_a64", "    cmp \\t8, 512\n", "    cmp \\t8, 513\n", "not shown", "m is not taken off where it should be"),
    ("p521_add_a64", "    cmp xzr, xzr /*", "    adds x12, x12, xzr /*", CARRY, "the sum is compared with m + 1 and a one is missing"),
    ("p521_sub_a64", "    and x11, x11, 511\n", "", CARRY, "what is above bit 521 is left there"),
    ("sm2_mul_a64", "    sbcs xzr, \\carry, xzr\n", "", CARRY, "the last subtraction leaves its carry word out"),
    ("sm2_sqr_a64", "    sbc \\z, \\z, xzr\n", "", CARRY, "a borrow is dropped"),
    ("sm2_mul_a64", "    csel \\d2, \\t2, \\d2, cc\n", "", CARRY, "one word is never taken back"),
    ("sm2_sub_a64", "    csetm x7, cc\n", "    csetm x7, cs\n", CARRY, "m is added where it should not be"),
    ("p384_mul_a64", "    RETURN\n", "    mov x23, x3\n    RETURN\n", "x23 is not restored", "a register of the caller's is lost"),
    ("p521_mul_a64", "d1", "d8", "d8 is not restored", "the caller's half of a vector register is lost"),
    ("p256_add_a64", "    ldp x5, x6, [x1, 16]\n", "    str x3, [x0]\n    ldp x5, x6, [x1, 16]\n", "an input is read after the result was begun", "the result is written before an operand is read"),
    ("p256_sub_a64", "    stp x5, x6, [x0, 16]\n", "    stp x5, x6, [x0, 24]\n", "write to r at 32", "a word is written beyond the result"),
    ("sm2_add_a64", "    cset x7, cs\n", "    cset x7, cs\n    stp x7, x7, [sp, -16]\n", "not the function's own stack", "a word is kept below the stack pointer"),
    ("p521_sub_a64", "x12, x13, [x2]\n", "x18, x13, [x2]\n", "operand x18 is not known", "the platform's register is used"),
)}
OTHERS = {x86: {"adc": ("add", "adcx", "adox", "sbb"), "adcx": ("adc", "add", "adox"), "adox": ("adc", "add", "adcx"), "add": ("adc", "sub"), "sub": ("sbb", "add"),
          "sbb": ("sub", "adc"), "cmovb": ("cmovae", "mov"), "shl": ("shr",), "shr": ("shl",), "mov": ("add", "lea"), "stc": ("endbr64",), "and": ("add",),
          "vpaddq": ("vpsubq", "vpmadd52luq"), "vpsubq": ("vpaddq",), "vpmadd52luq": ("vpmadd52huq", "vpaddq"), "vpmadd52huq": ("vpmadd52luq",),
          "vpsllq": ("vpsrlq",), "vpsrlq": ("vpsraq", "vpsllq"), "vpsraq": ("vpsrlq",), "vpandd": ("vpaddq",), "vpandq": ("vpaddq",)},
          a64: {"adc": ("add", "adcs", "sbc"), "adcs": ("adc", "adds", "sbcs"), "adds": ("adcs", "add", "subs"), "add": ("adc", "sub"), "sbc": ("sub", "sbcs", "adc"),
                "sbcs": ("sbc", "subs", "adcs"), "subs": ("sbcs", "sub", "adds"), "sub": ("sbc", "add"), "csel": ("csinc", "csinv"), "csinc": ("csel", "csinv"),
                "csinv": ("csel", "csinc"), "madd": ("msub",), "umulh": ("add",), "orr": ("add", "and"), "and": ("add", "ands"), "movn": ("movz",)}}
FORMS = {x86: {**x86.FORMS, **lanes.FORMS}, a64: a64.FORMS}
REGISTERS = {x86: x86.REGISTERS, a64: [*a64.REGISTERS, "xzr", "sp"]}


def other(a, front, rnd):
    """Another operand of the same kind."""
    if isinstance(a, Reg):
        return a._replace(name=rnd.choice(REGISTERS[front]))
    if isinstance(a, (Xmm, Zmm)):
        return a._replace(number=rnd.randrange(32))
    if isinstance(a, Vector):
        return Vector(f"d{rnd.randrange(32)}")
    if isinstance(a, (Mem, a64.Mem)):
        step = max(getattr(a, "width", 0) or 0, 64) // 8
        return a._replace(disp=a.disp + rnd.choice((-step, step))) if rnd.random() < .7 else a._replace(base=rnd.choice(front.REGISTERS))
    if isinstance(a, Imm):
        return Imm(a.value ^ rnd.choice((1, 1 << rnd.randrange(32))))
    if isinstance(a, Shift):
        return rnd.choice((Shift("lsr" if a.kind == "lsl" else "lsl", a.by), Shift(a.kind, a.by ^ 1 << rnd.randrange(6))))
    if isinstance(a, Condition):
        return Condition("cc" if a.name == "cs" else "cs")
    return None


def mutant(code, front, rnd):
    """The code with one instruction changed, and what was changed."""
    while True:
        i = rnd.randrange(len(code))
        at, op, args = code[i]
        kind = rnd.choice(("delete", "swap", "op", "args", "args", "args"))
        new = None
        if kind == "delete" and op not in ("endbr64", "hint"):
            new = []
        elif kind == "swap" and i + 1 < len(code) and code[i + 1].op != "ret":
            new = [code[i + 1], code[i]]
        elif kind == "op":
            new = [code[i]._replace(op=rnd.choice(OTHERS[front].get(op, (op,))))]
        elif kind == "args" and args:
            j = rnd.randrange(len(args))
            a = other(args[j], front, rnd) or args[(j + 1) % len(args)]
            new = [code[i]._replace(args=args[:j] + (a,) + args[j + 1:])]
        if new is not None and new != code[i:i + max(len(new), 1)] and all(front.kinds(x.args) in FORMS[front].get(x.op, ("",)) for x in new):
            return code[:i] + new + code[i + max(len(new), 1):], f"{at:x}: {op}, {kind}"


def operands(goal, rnd):
    """At random, corners, and such that the result is a corner or has few words."""
    out = prove.sample_inputs(goal, CHECKS, rnd.random())
    if len(goal.inputs) == 2 and not goal.limits:
        one, two = goal.value(1, 1), goal.value(1, 2)  # a sum, a difference or a product?
        for inputs in out[::2]:
            a = prove.value_of(inputs[0], goal) or 1
            r = rnd.choice((0, 1, goal.m - 1, rnd.getrandbits(64), goal.m - 1 - rnd.getrandbits(64), rnd.getrandbits(64) << (64 * goal.words - 80))) % goal.m
            b = r * goal.factor * pow(a, -1, goal.m) if (one, two) == (1, 2) else (r - a) * (two - one)
            inputs[:] = prove.words_of(a, goal), prove.words_of(b % goal.m, goal)
    return out


def mutants(rows, budget, seed):
    passed, faults = 0, []
    for row, path in ((row, path) for row, path in rows if path):
        goal, front, equal = contract.goal(row), prove.front(row.isa), 0
        code = front.read(path, row.symbol)
        rnd, began = random.Random(f"{seed} {row.symbol}"), time.process_time()
        many = operands(goal, rnd)
        count = 1 + budget * (8 if goal.limits else 1) // len(code)  # vectors take less time
        for _ in range(count):
            changed, what = mutant(code, front, rnd)
            try:
                prove.prove(changed, goal, veto=False)
            except Unproved:
                passed += 1
                continue
            why = prove.refuted(changed, goal, many)
            if why:
                faults.append(f"{row.symbol}, {what}: proved, but {why}")
            else:
                passed, equal = passed + 1, equal + 1
        print(f"{row.symbol}: {count} mutants, of which {equal} proved, {time.process_time() - began:.1f} s")
    return passed, faults


def assemble(folder, name, old, new):
    """A kernel with a text of its source, or of what it includes, replaced."""
    isa = name.split("_")[-1]
    arm = isa == "a64"
    todo, used = [f"asm/aarch64/{isa}/{name}.S" if arm else f"asm/x86_64/{isa}/{name}.asm"], 0
    for path in todo:
        with open(f"{contract.ROOT}/{path}", encoding="utf-8") as f:
            text = f.read()
        used += text.count(old)
        os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
        with open(f"{folder}/{path}", "w", encoding="utf-8") as f:
            f.write(text.replace(old, new))
        todo += [p for p in re.findall(r'^[%#]include "(.*)"', text, re.M) if p not in todo and os.path.exists(f"{contract.ROOT}/{p}")]
    if not used:
        raise ValueError(f"{name}: the text to be replaced is not there: {old!r}")
    command = [a64.tool("gcc"), "-c", f"-I{folder}", f"-I{contract.ROOT}/src"] if arm else ["nasm", "-f", "elf64", "-w-all"]
    subprocess.run([*command, "-o", f"{folder}/{name}.o", todo[0]], cwd=folder, check=True)
    return f"{folder}/{name}.o"


def bad(front):
    passed, faults = 0, []
    rows = {row.symbol: row for row in contract.rows()}
    for name, old, new, reason, what in BAD[front]:
        row = rows[f"limbic_{name}"]
        with tempfile.TemporaryDirectory() as folder:
            path = assemble(folder, name, old, new)
            try:
                prove.prove(front.read(path, row.symbol), contract.goal(row), veto=False)
                faults.append(f"{name} is proved although {what}")
            except Unproved as e:
                passed += reason in str(e)
                if reason not in str(e):
                    faults.append(f"{name}, where {what}, is refused, but for another reason: {e}")
    print(f"{len(BAD[front])} known faults")
    return passed, faults


def main():
    given = test_proof.arguments(budget=40, seed="1")
    rows, skipped = test_proof.targets(given)
    fronts = {prove.front(row.isa) for row, path in rows if path and row.isa != "c"}
    passed, faults = map(lambda *counts: sum(counts[1:], counts[0]), mutants(rows, given.budget, given.seed), *map(bad, fronts))
    for fault in faults:
        print(f"FAILED: {fault}")
    print(f"{passed} passed, {len(faults)} failed, {skipped} skipped")
    sys.exit(bool(faults or not passed))


if __name__ == "__main__":
    main()
