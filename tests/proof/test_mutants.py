#!/usr/bin/env python3
"""Puts faults into kernels: test_mutants.py [--budget N] [--seed S] [OPTION...] OBJECT... Of each kernel some mutants, N instructions together, each with
one instruction changed, go through the prover without the samples' veto; one that is proved must do what the kernel does on many operands. Then kernels with the faults that
carries are known for, made from our own sources: each must be refused."""
import os
import random
import subprocess
import sys
import tempfile
import time
import contract
import lanes
import prove
import test_proof
import x86
from core import Unproved
from x86 import REGISTERS, Imm, Mem, Reg, Xmm, Zmm

CHECKS = 150  # operands that a proved mutant is run on

# (kernel, text of its source or an include, what stands there in its place, why the prover refuses it, what this is)
FLAG, CARRY = "adox: a flag that nothing defined, or whose value is not modelled", "not shown congruent"
BAD = (
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
    ("p384_mul_adx", "%define SPARE rsp - 56", "%define SPARE rsp - 136", "not the function's own stack", "a word is kept below the red zone"),
)
OTHERS = {"adc": ("add", "adcx", "adox", "sbb"), "adcx": ("adc", "add", "adox"), "adox": ("adc", "add", "adcx"), "add": ("adc", "sub"), "sub": ("sbb", "add"),
          "sbb": ("sub", "adc"), "cmovb": ("cmovae", "mov"), "shl": ("shr",), "shr": ("shl",), "mov": ("add", "lea"), "stc": ("endbr64",), "and": ("add",),
          "vpaddq": ("vpsubq", "vpmadd52luq"), "vpsubq": ("vpaddq",), "vpmadd52luq": ("vpmadd52huq", "vpaddq"), "vpmadd52huq": ("vpmadd52luq",),
          "vpsllq": ("vpsrlq",), "vpsrlq": ("vpsraq", "vpsllq"), "vpsraq": ("vpsrlq",), "vpandd": ("vpaddq",), "vpandq": ("vpaddq",)}
FORMS = {**x86.FORMS, **lanes.FORMS}


def mutant(code, rnd):
    """The code with one instruction changed, and what was changed."""
    while True:
        i = rnd.randrange(len(code))
        at, op, args = code[i]
        kind = rnd.choice(("delete", "swap", "op", "args", "args", "args"))
        new = None
        if kind == "delete" and op != "endbr64":
            new = []
        elif kind == "swap" and i + 1 < len(code) and code[i + 1].op != "ret":
            new = [code[i + 1], code[i]]
        elif kind == "op":
            new = [code[i]._replace(op=rnd.choice(OTHERS.get(op, (op,))))]
        elif kind == "args" and args:
            j = rnd.randrange(len(args))
            a = args[j]
            if isinstance(a, Reg):
                a = a._replace(name=rnd.choice(REGISTERS))
            elif isinstance(a, (Xmm, Zmm)):
                a = a._replace(number=rnd.randrange(32))
            elif isinstance(a, Mem):
                step = max(a.width or 0, 64) // 8
                a = a._replace(disp=a.disp + rnd.choice((-step, step))) if rnd.random() < .7 else a._replace(base=rnd.choice(REGISTERS))
            elif isinstance(a, Imm):
                a = Imm(a.value ^ rnd.choice((1, 1 << rnd.randrange(32))))
            else:
                a = args[(j + 1) % len(args)]
            new = [code[i]._replace(args=args[:j] + (a,) + args[j + 1:])]
        if new is not None and new != code[i:i + max(len(new), 1)] and all(x86.kinds(x.args) in FORMS.get(x.op, ("",)) for x in new):
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
        goal, code, equal = contract.goal(row), x86.read(path, row.symbol), 0
        rnd, began = random.Random(f"{seed} {row.symbol}"), time.process_time()
        many = operands(goal, rnd)
        count = 1 + budget * (8 if goal.limits else 1) // len(code)  # vectors take less time
        for _ in range(count):
            changed, what = mutant(code, rnd)
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
    todo, used = [f"asm/x86_64/{isa}/{name}.asm"], 0
    for path in todo:
        with open(f"{contract.ROOT}/{path}", encoding="utf-8") as f:
            text = f.read()
        used += text.count(old)
        os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
        with open(f"{folder}/{path}", "w", encoding="utf-8") as f:
            f.write(text.replace(old, new))
        todo += [line.split('"')[1] for line in text.splitlines() if line.startswith("%include") and line.split('"')[1] not in todo]
    if not used:
        raise ValueError(f"{name}: the text to be replaced is not there: {old!r}")
    subprocess.run(["nasm", "-f", "elf64", "-w-all", "-o", f"{folder}/{name}.o", todo[0]], cwd=folder, check=True)
    return f"{folder}/{name}.o"


def bad():
    passed, faults = 0, []
    rows = {row.symbol: row for row in contract.rows()}
    for name, old, new, reason, what in BAD:
        with tempfile.TemporaryDirectory() as folder:
            code = x86.read(assemble(folder, name, old, new), f"limbic_{name}")
        try:
            prove.prove(code, contract.goal(rows[f"limbic_{name}"]), veto=False)
            faults.append(f"{name} is proved although {what}")
        except Unproved as e:
            passed += reason in str(e)
            if reason not in str(e):
                faults.append(f"{name}, where {what}, is refused, but for another reason: {e}")
    print(f"{len(BAD)} known faults")
    return passed, faults


def main():
    given = test_proof.arguments(budget=40, seed="1")
    rows, skipped = test_proof.targets(given)
    passed, faults = map(lambda a, b: a + b, mutants(rows, given.budget, given.seed), bad())
    for fault in faults:
        print(f"FAILED: {fault}")
    print(f"{passed} passed, {len(faults)} failed, {skipped} skipped")
    sys.exit(bool(faults or not passed))


if __name__ == "__main__":
    main()
