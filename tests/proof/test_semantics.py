#!/usr/bin/env python3
"""Compares the front with this CPU: test_semantics.py OBJECT... First every form of every instruction that the front knows, on corner and
random operands: registers, CF, OF, memory. Then the kernels of the objects as wholes, which the decoder and the constants are part of."""
import ctypes
import random
import subprocess
import sys
import tempfile
import contract
import native
import prove
import test_proof
import x86
from x86 import FORMS, REGISTERS, Machine, Numbers, Pointer

TEXTS = 6  # instructions of each form
TRIALS = 40  # runs of each
WORDS = 16  # of memory
BASE = 4  # the word in it that pointers point to
FREE = [r for r in REGISTERS if r != "rsp"]
CORNERS = (0, 1, 2, (1 << 64) - 1, (1 << 64) - 2, 1 << 63, (1 << 63) - 1, (1 << 32) - 1, 1 << 32, 1 << 31, 511, 512)
rnd = random.Random(1)

# What one instruction can't show, and special operands.
MORE = (["push rax", "pop rbx"], ["push r12", "push rdi", "pop r12", "pop r9"], ["sub rax, rax"], ["sbb r9, r9"], ["sbb eax, eax"], ["mulx rax, rax, rcx"],
        ["mulx rdx, rcx, rdx"], ["mulx rcx, rdx, rdx"], ["mulx rdx, rdx, rbx"], ["shl rax, 1"], ["shr rcx, 1"], ["cmovb rax, rax"], ["cmovb eax, ecx"],
        ["lea rax, [POINTER + 24]"], ["add POINTER, 8", "mov rax, [POINTER]"], ["sub POINTER, -8", "mov rax, [POINTER]"],
        ["mov rax, POINTER", "mov rcx, [rax - 8]"], ["mov [rsp - 8], rcx", "mov [rsp - 128], POINTER", "mov rax, [rsp - 8]", "mov rdx, [rsp - 128]"],
        ["sub rsp, 0x88", "mov [rsp + 8], rcx", "add rdx, [rsp + 8]", "add rsp, 0x88"], ["mov [POINTER + 8], rax", "add rcx, [POINTER + 8]"],
        ["xor eax, eax"], ["mov ecx, eax"], ["add rax, rax"], ["adcx r8, r8", "adox r8, rcx"])


def short(r, width):
    return r if width == 64 else r + "d" if r[1:].isdigit() else "e" + r[1:]


def instruction(op, kinds, width, pointer):
    """An instruction of a form, as text."""
    regs = [rnd.choice([r for r in FREE if r != pointer]) for _ in kinds]
    if op in ("xor", "pxor"):
        regs[1] = regs[0]
    args = []
    for kind, r in zip(kinds, regs):
        if kind == "r":
            args.append(short(r, width))
        elif kind == "x":
            args.append(f"xmm{REGISTERS.index(r)}")
        elif kind == "c":
            args.append(f"[rip + constant{rnd.randrange(2)}]")
        elif kind == "m" and op == "lea":
            args.append(f"[{r} + {rnd.choice(FREE)} * {rnd.choice((1, 2, 4, 8))} + {rnd.randrange(-1 << 31, 1 << 31)}]".replace("+ -", "- ").replace(pointer, r))
        elif kind == "m":
            args.append(f"[{pointer} + {8 * rnd.randrange(-BASE, WORDS - BASE - 1)}]".replace("+ -", "- "))
        elif op in ("shl", "shr", "shrd"):
            args.append(str(rnd.randrange(1, width)))
        elif op == "and":
            args.append(str((1 << rnd.randrange(32)) - 1))
        elif op == "movabs":
            args.append(hex(rnd.getrandbits(64) | 1 << 63))
        else:
            args.append(str(rnd.choice((0, 1, -1, 127, -128, 128, 511, (1 << 31) - 1, -1 << 31, rnd.randrange(-1 << 31, 1 << 31)))))
    text = f"{op} {', '.join(args)}"
    return [f"pxor {args[1]}, {args[1]}", text] if op == "movups" else [text]


def cases():
    """[(form, instructions, register that points to memory)]"""
    out = []
    for op, forms in FORMS.items():
        for kinds in forms:
            register_only = not set(kinds) & set("mcx") and kinds and op not in ("push", "pop", "movabs", "mulx")
            for width in (64, 32) if register_only else (64,):
                for _ in range(TEXTS if kinds else 1):
                    pointer = rnd.choice(FREE)
                    if op in ("push", "pop"):
                        out.append(((op, kinds, width), [f"push {rnd.choice(FREE)}", f"pop {rnd.choice(FREE)}"], pointer))
                    else:
                        out.append(((op, kinds, width), instruction(op, kinds, width, pointer), pointer))
    return out + [(None, [t.replace("POINTER", "rsi") for t in texts], "rsi") for texts in MORE]


def assemble(folder, tests):
    """An object with a function for each test, run0 ..: run(state) takes the registers and flags from the state, does the instructions,
    which are the function test0 .., and puts back what they left."""
    lines = [".intel_syntax noprefix", ".section .rodata", ".balign 8", f"constant0: .quad {rnd.getrandbits(64)}", "constant1: .quad -2", ".text"]
    saved = ("rbx", "rbp", "r12", "r13", "r14", "r15", "rdi")
    for i, (_, texts, _) in enumerate(tests):
        lines += [f"run{i}:", *(f"push {r}" for r in saved), "push qword ptr [rdi + 128]", "popfq"]
        lines += [f"mov {r}, [rdi + {8 * j}]" for j, r in enumerate(REGISTERS) if r not in ("rdi", "rsp")] + [f"mov rdi, [rdi + {8 * REGISTERS.index('rdi')}]"]
        lines += [f"test{i}:", *texts, f".type test{i}, @function", f".size test{i}, . - test{i}", "push rdi", "mov rdi, [rsp + 8]"]
        lines += [f"mov [rdi + {8 * j}], {r}" for j, r in enumerate(REGISTERS) if r not in ("rdi", "rsp")]
        lines += ["pushfq", "pop rax", "mov [rdi + 128], rax", "pop rax", f"mov [rdi + {8 * REGISTERS.index('rdi')}], rax", "pop rdi"]
        lines += [f"pop {r}" for r in saved[-2::-1]] + ["ret", f".type run{i}, @function", f".size run{i}, . - run{i}"]
    with open(f"{folder}/tests.s", "w") as f:
        f.write("\n".join(lines) + "\n")
    subprocess.run(["as", "-o", f"{folder}/tests.o", f"{folder}/tests.s"], check=True)
    return f"{folder}/tests.o"


def number():
    return rnd.choice(CORNERS) if rnd.random() < .5 else rnd.getrandbits(64)


def trial(loaded, i, code, pointer):
    """None if the model and the CPU agree, else what they disagree on."""
    state, memory = (ctypes.c_uint64 * 17)(), (ctypes.c_uint64 * WORDS)()
    here = ctypes.addressof(memory)
    words = [number() for _ in range(WORDS)]
    model = Machine(Numbers, {"memory": words}, ("memory", WORDS))
    for j, r in enumerate(REGISTERS):
        if r != "rsp":
            model.regs[r] = number()
            state[j] = model.regs[r]
    model.regs[pointer] = Pointer("memory", 8 * BASE)
    state[REGISTERS.index(pointer)] = here + 8 * BASE
    model.cf, model.of = rnd.randrange(2), rnd.randrange(2)
    state[16] = 2 | model.cf | model.of << 11 | rnd.getrandbits(8) & 0xd4
    memory[:] = words
    loaded.call(f"run{i}", state)
    for instruction in code:
        model.step(instruction.op, instruction.args)
    if model.regs["rsp"] != Pointer("stack", 0):
        return "the stack pointer"
    for j, r in enumerate(REGISTERS):
        want = model.regs[r]
        if r != "rsp" and state[j] != (want if isinstance(want, int) else here + want.offset):
            return f"{r}: {state[j]:#x} by the CPU, {want} by the model"
    if [model.memory["memory", 8 * j] for j in range(WORDS)] != list(memory):
        return "memory"
    for flag, bit in (("cf", 0), ("of", 11)):
        want = getattr(model, flag)
        if want is not None and want != state[16] >> bit & 1:
            return flag
    return None


def instructions():
    tests, passed, failed, skipped = cases(), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = assemble(folder, tests)
        loaded = native.Loaded(path)
        for i, (form, texts, pointer) in enumerate(tests):
            code = x86.read(path, f"test{i}")
            missing = native.lacks({c.op for c in code})
            if missing:
                skipped += 1
                print(f"skip {code[-1].op}: CPU lacks {' '.join(missing)}")
                continue
            why = next((why for _ in range(TRIALS) if (why := trial(loaded, i, code, pointer))), None)
            if why:
                print(f"FAILED: {'; '.join(texts)}: {why}")
            passed, failed = passed + (not why), failed + bool(why)
    return passed, failed, skipped, {form for form, _, _ in tests}


def form(instruction):
    kinds = x86.kinds(instruction.args)
    return instruction.op, kinds, min((a.width for a in instruction.args if isinstance(a, x86.Reg)), default=64)


def kernels(paths, tested):
    passed = failed = skipped = 0
    objects = test_proof.functions(paths)
    for row in contract.rows():
        path, goal = objects.get(row.symbol), contract.goal(row)
        if not path or not goal or row.isa not in x86.ISAS:
            continue
        code = x86.read(path, row.symbol)
        missing = native.lacks({c.op for c in code})
        if missing:
            skipped += 1
            print(f"skip {row.symbol}: CPU lacks {' '.join(missing)}")
            continue
        why = next((f"{c.op} {f[1]} of {f[2]} bits is not among the tests" for c in code if (f := form(c)) not in tested and c.op != "ret"), None)
        loaded = native.Loaded(path)
        for sample in prove.sample_inputs(goal, TRIALS, 2):
            words = [prove.words_of(v, goal.words) for v in sample]
            buffers = [(ctypes.c_uint64 * goal.words)(*w) for w in ([0] * goal.words, *words)]
            loaded.call(row.symbol, *buffers)
            if list(buffers[0]) != prove.start(Numbers, goal, words).run(code):
                why = f"differs from the model for {', '.join(map(hex, sample))}"
        if why:
            print(f"FAILED: {row.symbol}: {why}")
        passed, failed = passed + (not why), failed + bool(why)
    return passed, failed, skipped


def main():
    *first, tested = instructions()
    passed, failed, skipped = map(sum, zip(first, kernels(sys.argv[1:], tested)))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(failed > 0 or not passed)


if __name__ == "__main__":
    main()
