#!/usr/bin/env python3
"""Compares the front for AArch64 with qemu, or with this CPU: test_semantics_a64.py [OPTION...] OBJECT... Every form of every instruction that the
front knows, on corner and random operands: registers, C, memory. Then the kernels of the objects as wholes. All in one run of one program."""
import random
import struct
import subprocess
import sys
import tempfile
import a64
import contract
import prove
import test_proof
from a64 import FORMS, REGISTERS
from machine import Numbers, Pointer

TEXTS = 6  # instructions of each form
TRIALS = 40  # runs of each
WORDS = 48  # of memory
BASE = 8  # the word in it that pointers point to
CORNERS = (0, 1, 2, (1 << 64) - 1, (1 << 64) - 2, 1 << 63, (1 << 63) - 1, (1 << 32) - 1, 1 << 32, 1 << 31, 511, 512)
MASKS = ("1", "511", "0xffffffff", "0xffffffff00000000", "0x7fffffffffffffff", "0xfffffffffffffffe", "0xaaaaaaaaaaaaaaaa", "0xff00ff00ff00ff00")
CARRY = 1 << 29  # in NZCV
# A record: which test, NZCV, x0 to x30, d0 to d31, memory. The program reads records, runs each one's test on it, and writes them back.
RECORD = 2 + 31 + 32 + WORDS
RECORDS = 0x10000000  # where they are
rnd = random.Random(1)

# What one instruction can't show, and special operands.
MORE = (["stp x19, x20, [sp, -32]!", "stp x21, x22, [sp, 16]", "ldp x1, x2, [sp, 16]", "ldp x3, x4, [sp], 32"], ["sub sp, sp, 48", "str x5, [sp, 40]", "ldr x6, [sp, 40]", "add sp, sp, 48"],
        ["stp x29, x30, [sp, -16]!", "mov x29, sp", "ldp x29, x30, [sp], 16"], ["mov x5, POINTER", "ldr x6, [x5, 16]"], ["add x5, POINTER, 24", "ldr x6, [x5, -8]!"],
        ["sub x5, POINTER, 8", "str x6, [x5], 16", "str x7, [x5]"], ["cmp xzr, xzr", "adcs x3, x4, x5"], ["adds x3, x3, x3", "adcs x3, x3, x3"], ["subs x3, x3, x3", "sbcs x3, x3, x3"],
        ["cset x3, cs"], ["csetm x3, cc"], ["cinc x3, x4, cs"], ["mul x3, x3, x3"], ["umulh x3, x4, x3"], ["ror x3, x4, 7"], ["lsl x3, x3, 63"], ["lsr x3, x3, 63"],
        ["ubfx x3, x4, 5, 9"], ["ubfiz x3, x4, 5, 9"], ["neg x3, x4"], ["negs x3, x4"], ["ngcs x3, x4"], ["fmov d31, x3", "fmov x4, d31"], ["str x3, [POINTER, 16]", "ldp x4, x5, [POINTER, 8]"])


def instruction(op, kinds, pointer):
    """An instruction of a form, as text."""
    free = [r for r in REGISTERS if r != pointer] + ([] if kinds in ("rri", "rm", "rrm") else ["xzr"])
    regs = rnd.sample(free, len(kinds)) if "m" in kinds else rnd.choices(free, k=len(kinds))
    args = []
    for n, (kind, r) in enumerate(zip(kinds, regs)):
        if kind == "r":
            args.append(r)
        elif kind == "v":
            args.append(f"d{rnd.randrange(32)}")
        elif kind == "s":
            args.append(f"lsl {rnd.choice((16, 32, 48))}" if op.startswith("mov") else f"{rnd.choice(('lsl', 'lsr'))} {rnd.randrange(1, 64)}")
        elif kind == "c":
            args.append(rnd.choice(("cs", "cc")))
        elif kind == "m":
            by = 8 * rnd.randrange(-BASE if op in ("ldp", "stp") else 0, BASE)
            args.append(rnd.choice((f"[{pointer}, {by}]", f"[{pointer}]", f"[{pointer}, {8 * rnd.randrange(-BASE, BASE)}]!", f"[{pointer}], {8 * rnd.randrange(-BASE, BASE)}")))
        elif op == "hint":
            args.append("34")
        elif op in ("and", "ands", "orr"):
            args.append(rnd.choice(MASKS))
        elif op.startswith("mov"):
            args.append(str(rnd.choice((0, 1, 0xffff, rnd.getrandbits(16)))))
        elif op in ("extr", "ubfm"):
            args.append(str(rnd.randrange(op == "extr", 64)))
        else:
            args.append(str(rnd.choice((0, 1, 4095, rnd.randrange(4096)))))
    return [f"{op} {', '.join(args)}"]


def cases():
    """[(instructions, register that points to memory)]"""
    out = []
    for op, forms in FORMS.items():
        for kinds in forms:
            for _ in range(TEXTS * (2 if set(kinds) & set("msc") or op == "ubfm" else 1)):
                pointer = rnd.choice(REGISTERS)
                out.append((instruction(op, kinds, pointer), pointer))
    return out + [([t.replace("POINTER", "x9") for t in texts], "x9") for texts in MORE]


def build(folder, tests, objects):
    """The program, with a piece of code run0 .. for each test, whose instructions are the function test0 ..; and its object. x18 is the record."""
    words = [(f"x{j}", 8 * (2 + j)) for j in range(31) if j != 18] + [(f"d{j}", 8 * (33 + j)) for j in range(32)]
    lines = [".text", ".globl _start", "_start:", "ldr x20, =records", "read: mov x0, 0", "mov x1, x20", "ldr x2, =limit", "sub x2, x2, x20", "mov x8, 63", "svc 0", "cmp x0, 0",
             "add x20, x20, x0", "b.gt read", "b.lt fail", "ldr x0, =last", "str x20, [x0]", "ldr x18, =records", "b run",
             f"next: ldr x0, ={8 * RECORD}", "add x18, x18, x0", "run: ldr x0, =last", "ldr x20, [x0]", "cmp x18, x20", "b.eq finish", "ldr x0, [x18]", "ldr x1, =table",
             "ldr x1, [x1, x0, lsl 3]", "br x1",
             "finish: ldr x19, =records", "write: mov x0, 1", "mov x1, x19", "subs x2, x20, x19", "b.eq done", "mov x8, 64", "svc 0", "cmp x0, 0", "add x19, x19, x0", "b.gt write",
             "fail: mov x0, 1", "b exit", "done: mov x0, 0", "exit: mov x8, 93", "svc 0", ".ltorg"]
    for i, (texts, _) in enumerate(tests):
        lines += [f"run{i}:", "ldr x0, [x18, 8]", "msr nzcv, x0", *(f"ldr {r}, [x18, {at}]" for r, at in words), f"test{i}:", *texts,
                  f".type test{i}, %function", f".size test{i}, . - test{i}", *(f"str {r}, [x18, {at}]" for r, at in words), "mrs x0, nzcv", "str x0, [x18, 8]", "b next"]
    lines += [".section .rodata", ".balign 8", "table:", *(f".quad run{i}" for i in range(len(tests))), ".data", ".balign 8", "last: .quad 0",
              '.section .records, "aw", %nobits', ".balign 64", "records:", f".space {8 * RECORD * (len(tests) * TRIALS + 1)}", "limit:"]
    with open(f"{folder}/tests.s", "w") as f:
        f.write("\n".join(lines) + "\n")
    subprocess.run([a64.tool("as"), "-o", f"{folder}/tests.o", f"{folder}/tests.s"], check=True)
    subprocess.run([a64.tool("ld"), f"--section-start=.records={RECORDS:#x}", "-o", f"{folder}/tests", f"{folder}/tests.o", *objects], check=True)
    return f"{folder}/tests.o"


def number():
    return rnd.choice(CORNERS) if rnd.random() < .5 else rnd.getrandbits(64)


def start(at, pointer, goal):
    """The record at an address before its test, and a model of it."""
    record = [number() for _ in range(RECORD)]
    memory = at + 8 * (RECORD - WORDS)
    record[1] = rnd.getrandbits(4) << 28
    model = a64.Machine(Numbers, {"memory": record[-WORDS:]}, ("memory", WORDS))
    model.regs.update({f"x{j}": record[2 + j] for j in range(31) if j != 18}, **{f"d{j}": record[33 + j] for j in range(32)})
    model.c = record[1] // CARRY % 2
    if goal:  # r, then the operands, one after the other
        sample, = prove.sample_inputs(goal, 1, rnd.random())
        for j, words in enumerate(([], *sample)):
            where = goal.words * j
            model.regs[f"x{j}"], record[2 + j] = Pointer("memory", 8 * where), memory + 8 * where
            for k, w in enumerate(words):
                model.memory["memory", 8 * (where + k)] = record[RECORD - WORDS + where + k] = w
    else:
        model.regs[pointer] = Pointer("memory", 8 * BASE)
        record[2 + int(pointer[1:])] = memory + 8 * BASE
    return record, model


def differs(record, model, memory, called):
    """What the model and a record after its test disagree on, None if nothing."""
    if model.regs["sp"] != Pointer("stack", 0):
        return "the stack pointer"
    for j, r in [(2 + j, f"x{j}") for j in range(31) if j != 18] + [(33 + j, f"d{j}") for j in range(32)]:
        want = model.regs[r]
        want = want if isinstance(want, int) else memory + want.offset if want.region == "memory" else None
        if record[j] != want and not (called and r == "x30"):
            return f"{r}: {record[j]:#x} by the CPU, {want} by the model"
    if [model.memory["memory", 8 * j] for j in range(WORDS)] != list(record[-WORDS:]):
        return "memory"
    return "C" if model.c != record[1] // CARRY % 2 else None


def form(instruction):
    """What is tested apart: the opcode, the kinds of its operands, and what they say of the operation."""
    details = [getattr(a, "kind", None) or getattr(a, "change", None) or (a.name if isinstance(a, a64.Condition) else None) for a in instruction.args]
    return instruction.op, a64.kinds(instruction.args), *details, instruction.op == "ubfm" and instruction.args[2].value <= instruction.args[3].value


def main():
    given = test_proof.arguments(emulator="")
    rows, skipped = test_proof.targets(given)
    rows = [(row, path) for row, path in rows if path]
    tests = cases()
    codes, goals = [], [None] * len(tests) + [contract.goal(row) for row, _ in rows]
    with tempfile.TemporaryDirectory() as folder:
        path = build(folder, tests + [([f"bl {row.symbol}"], None) for row, _ in rows], [path for _, path in rows])
        codes = [a64.read(path, f"test{i}") for i in range(len(tests))] + [a64.read(path, row.symbol) for row, path in rows]
        runs = [i for i in range(len(codes)) for _ in range(TRIALS)]
        pointers = [pointer for _, pointer in tests] + [None] * len(rows)
        states = [start(RECORDS + 8 * RECORD * n, pointers[i], goals[i]) for n, i in enumerate(runs)]
        image = b"".join(struct.pack(f"<{RECORD}Q", i, *record[1:]) for i, (record, _) in zip(runs, states))
        done = subprocess.run([*given.emulator.split(), f"{folder}/tests"], input=image, stdout=subprocess.PIPE, check=True).stdout
    if len(done) != len(image):
        raise ValueError("the program did not write all records")
    faults = {}
    for n, (i, record) in enumerate(zip(runs, struct.iter_unpack(f"<{RECORD}Q", done))):
        model = states[n][1]
        for instruction in codes[i]:
            if instruction.op != "ret":
                model.step(instruction.op, instruction.args)
        why = differs(record, model, RECORDS + 8 * RECORD * n + 8 * (RECORD - WORDS), goals[i])
        if why:
            faults[i] = why
    names = ["; ".join(texts) for texts, _ in tests] + [row.symbol for row, _ in rows]
    tested = {form(c) for code in codes[:len(tests)] for c in code}
    for op, forms in FORMS.items():
        for kinds in forms:
            if not any(f[:2] == (op, kinds) for f in tested):
                faults[op] = f"{kinds} is not among the tests"
    for i, code in enumerate(codes[len(tests):], len(tests)):
        for c in code:
            if c.op != "ret" and form(c) not in tested:
                faults[i] = f"{' '.join(map(str, form(c)))} is not among the tests"
    for i, why in faults.items():
        print(f"FAILED: {names[i] if isinstance(i, int) else i}: {why}")
    print(f"{len(codes) - len(faults)} passed, {len(faults)} failed, {skipped} skipped")
    sys.exit(bool(faults or not rows))


if __name__ == "__main__":
    main()
