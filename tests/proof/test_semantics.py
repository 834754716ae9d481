#!/usr/bin/env python3
"""Compares the front with this CPU: test_semantics.py [OPTION...] OBJECT... First every form of every instruction that the front knows, on corner and
random operands: registers, CF, OF, memory. Then the kernels of the objects as wholes, which the decoder and the constants are part of."""
import random
import subprocess
import sys
import tempfile
import contract
import lanes
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
            size = "qword ptr " if kinds == "m" else ""
            args.append(f"{size}[{pointer} + {8 * rnd.randrange(-BASE, WORDS - BASE - 1)}]".replace("+ -", "- "))
        elif op in ("shl", "shr", "shrd", "shld", "btr"):
            args.append(str(rnd.randrange(1, width)))
        elif op == "and":
            args.append(str((1 << rnd.randrange(32)) - 1))
        elif op == "movabs":
            args.append(hex(rnd.getrandbits(64) | 1 << 63))
        else:
            args.append(str(rnd.choice((0, 1, -1, 127, -128, 128, 511, (1 << 31) - 1, -1 << 31, rnd.randrange(-1 << 31, 1 << 31)))))
    text = f"{op} {', '.join(args)}"
    if op == "shrx":
        return [f"mov {args[2]}, {rnd.choice((1, 32, 63, 64 + 32, rnd.randrange(1, 64)))}", text]
    return [f"pxor {args[1]}, {args[1]}", text] if op == "movups" else [text]


def cases():
    """[(form, instructions, register that points to memory)]"""
    out = []
    for op, forms in FORMS.items():
        for kinds in forms:
            register_only = not set(kinds) & set("mcx") and kinds and op not in ("push", "pop", "movabs", "mulx", "mul", "btr", "shrx")
            for width in (64, 32) if register_only else (64,):
                for _ in range(TEXTS if kinds else 1):
                    pointer = rnd.choice([r for r in FREE if op not in ("mul", "mulx") or r not in ("rax", "rdx")])
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
    words = [number() for _ in range(WORDS)]
    memory, state = native.Words(words), native.Words([0] * 17)
    model = Machine(Numbers, {"memory": words}, ("memory", WORDS))
    for j, r in enumerate(REGISTERS):
        if r != "rsp":
            model.regs[r] = state.words[j] = number()
    model.regs[pointer] = Pointer("memory", 8 * BASE)
    state.words[REGISTERS.index(pointer)] = memory.address + 8 * BASE
    model.cf, model.of = rnd.randrange(2), rnd.randrange(2)
    state.words[16] = 2 | model.cf | model.of << 11 | rnd.getrandbits(8) & 0xd4
    loaded.call(f"run{i}", state)
    for instruction in code:
        model.step(instruction.op, instruction.args)
    if model.regs["rsp"] != Pointer("stack", 0):
        return "the stack pointer"
    for j, r in enumerate(REGISTERS):
        want = model.regs[r]
        if r != "rsp" and state.words[j] != (want if isinstance(want, int) else memory.address + want.offset):
            return f"{r}: {state.words[j]:#x} by the CPU, {want} by the model"
    if [model.memory["memory", 8 * j] for j in range(WORDS)] != list(memory.words):
        return "memory"
    for flag, bit in (("cf", 0), ("of", 11)):
        want = getattr(model, flag)
        if want is not None and want != state.words[16] >> bit & 1:
            return flag
    return None


# Vectors: what one instruction can't show, and constants that are no shift of bytes or mask in general.
CONTROLS = ("0, 1, 255, 255, 255, 255, 255, 255, 8, 9, 255, 255, 255, 255, 255, 255", "255, 255, 255, 255, 0, 1, 255, 255, 255, 255, 255, 255, 8, 9, 255, 255",
            "255, 255, 0, 1, 2, 3, 255, 255, 255, 255, 8, 9, 10, 11, 255, 255")
MORE_VECTORS = (["push rbp", "mov rbp, rsp", "and rsp, -64", "sub rsp, 0x88", "vmovdqa64 [rsp + 0x48], zmm1", "vmovdqa64 [rsp + 8], zmm2",
                 "vpaddq zmm3, zmm4, [rsp + 0x48]", "vmovdqa64 zmm5, [rsp + 8]", "leave"],
                ["vpaddq zmm1, zmm1, zmm2", "vzeroupper"],
                # a model's number outside of a word's range goes into an instruction
                *([before, text] for before in ("vpsubq zmm1, zmm2, zmm3", "vpsllq zmm1, zmm2, 7", "vpaddq zmm1, zmm2, zmm3")
                  for text in ("vpsrlq zmm4, zmm1, 5", "vpsraq zmm4, zmm1, 5", "vpmadd52luq zmm4, zmm1, zmm5", "vpmadd52huq zmm4, zmm5, zmm1",
                               "vpshufb zmm4, zmm1, [rip + control1]", "vmovdqa64 [rsi], zmm1", "vpsllq zmm4, zmm1, 3", "vpmadd52luq zmm1, zmm2, zmm5")),
                *([f"mov rax, {mask}", "vpbroadcastq zmm20, rax", f"{op} zmm1, zmm20, zmm2"] for op in ("vpandd", "vpandq")
                  for mask in ("0xffff", "0xffffffffffff", "0xffffffffffff0000")))


def vector_instruction(op, kinds):
    args = []
    for n, kind in enumerate(kinds):
        zmm = rnd.randrange(8)
        args.append({"z": f"zmm{zmm}", "x": f"xmm{zmm}", "r": "rax", "i": str(rnd.randrange(1, 64)), "m": f"zmmword ptr [rsi + {64 * rnd.randrange(8)}]",
                     "c": f"[rip + {'control' + str(rnd.randrange(len(CONTROLS))) if op == 'vpshufb' else 'same' if op != 'vpbroadcastq' else 'constant0'}]"}[kind])
        if kind == "x":
            args[n] = args[-1] if n < 2 else args[1]
    return [f"{op} {', '.join(args)}"]


def vector_cases():
    out = [((op, kinds, 512), vector_instruction(op, kinds)) for op, forms in lanes.FORMS.items() for kinds in forms for _ in range(TEXTS)
           if op not in ("vpandd", "vpandq") and (op, kinds) != ("vpshufb", "zzz")]
    return out + [((texts[-1].split()[0], "zzz" if "vpand" in texts[-1] else None, 512), texts) for texts in MORE_VECTORS] + [(("vpshufb", "zzz", 512), [
        "vmovdqa64 zmm7, [rip + control0]", "vpshufb zmm1, zmm2, zmm7"])]


def assemble_vectors(folder, tests):
    """As assemble, for vectors: the state is zmm0 to zmm31, rax and rsi."""
    lines = [".intel_syntax noprefix", ".section .rodata", ".balign 64", "same: .rept 8", ".quad 0x123456789abcdef1", ".endr", "constant0: .quad -3", ".balign 64"]
    lines += [f"control{i}: .rept 4\n.byte {control}\n.endr" for i, control in enumerate(CONTROLS)] + [".text"]
    for i, (_, texts) in enumerate(tests):
        lines += [f"run{i}:", "mov rax, [rdi + 2048]", "mov rsi, [rdi + 2056]", *(f"vmovdqu64 zmm{j}, [rdi + {64 * j}]" for j in range(32)), f"test{i}:", *texts,
                  f".type test{i}, @function", f".size test{i}, . - test{i}", *(f"vmovdqu64 [rdi + {64 * j}], zmm{j}" for j in range(32)), "vzeroupper", "ret",
                  f".type run{i}, @function", f".size run{i}, . - run{i}"]
    with open(f"{folder}/vectors.s", "w") as f:
        f.write("\n".join(lines) + "\n")
    subprocess.run(["as", "-o", f"{folder}/vectors.o", f"{folder}/vectors.s"], check=True)
    return f"{folder}/vectors.o"


def vector_trial(loaded, i, code):
    words = [number() for _ in range(64)]
    memory, before = native.Words(words), [number() for _ in range(256)]
    state = native.Words(before + [number(), memory.address])
    rax = state.words[256]
    loaded.call(f"run{i}", state)
    for lane in range(8):
        model = lanes.Lanes(Numbers, {"memory": words[lane::8]}, ("memory", 8))
        model.regs.update(rax=rax, rsi=Pointer("memory", 0))
        model.z = dict(enumerate(before[lane::8]))
        for instruction in code:
            model.step(instruction.op, instruction.args)
        if model.regs["rsp"] != Pointer("stack", 0) or model.regs["rbp"] != Pointer("rbp", 0):
            return "the stack"
        for j, v in model.z.items():
            if isinstance(v, int) and (v - state.words[8 * j + lane]) % lanes.WORD:
                return f"lane {lane} of zmm{j}: {state.words[8 * j + lane]:#x} by the CPU, {v % lanes.WORD:#x} by the model"
        if any((model.memory["memory", 64 * j] - memory.words[8 * j + lane]) % lanes.WORD for j in range(8)):
            return "memory"
    return None


def instructions(tests, path, run):
    """Counts of what passed, failed, was skipped, and the forms that were tested."""
    loaded, passed, failed, skipped = native.Loaded(path), 0, 0, 0
    for i, (_, texts, *more) in enumerate(tests):
        code = x86.read(path, f"test{i}")
        missing = native.lacks({c.op for c in code})
        if missing:
            skipped += 1
            print(f"skip {code[-1].op}: CPU lacks {' '.join(missing)}")
            continue
        why = next((why for _ in range(TRIALS) if (why := run(loaded, i, code, *more))), None)
        if why:
            print(f"FAILED: {'; '.join(texts)}: {why}")
        passed, failed = passed + (not why), failed + bool(why)
    return passed, failed, skipped


def form(instruction):
    kinds = x86.kinds(instruction.args)
    return instruction.op, kinds, 512 if instruction.op in lanes.FORMS else min((a.width for a in instruction.args if isinstance(a, x86.Reg)), default=64)


def kernels(rows, skipped, tested):
    passed = failed = 0
    for row, path in ((row, path) for row, path in rows if path):
        goal = contract.goal(row)
        code = x86.read(path, row.symbol)
        missing = native.lacks({c.op for c in code})
        if missing:
            skipped += 1
            print(f"skip {row.symbol}: CPU lacks {' '.join(missing)}")
            continue
        why = next((f"{c.op} {f[1]} of {f[2]} bits is not among the tests" for c in code if (f := form(c)) not in tested and c.op not in ("ret", "leave")), None)
        loaded = native.Loaded(path)
        count = 8 if goal.limits else 1  # of problems that run at once
        for _ in range(TRIALS // count):
            samples = prove.sample_inputs(goal, count, rnd.random())
            operands = [[s[i][j] for j in range(goal.words) for s in samples] for i in range(len(goal.inputs))]
            r, *others = map(native.Words, ([0] * (goal.words * count), *operands))
            loaded.call(row.symbol, r, *others)
            for i, sample in enumerate(samples):
                if list(r.words)[i::count] != prove.start(Numbers, goal, sample).run(code):
                    why = f"differs from the model for {sample}"
        if why:
            print(f"FAILED: {row.symbol}: {why}")
        passed, failed = passed + (not why), failed + bool(why)
    return passed, failed, skipped


def main():
    tests, vectors = cases(), vector_cases()
    with tempfile.TemporaryDirectory() as folder:
        counts = [instructions(tests, assemble(folder, tests), trial), instructions(vectors, assemble_vectors(folder, vectors), vector_trial)]
    counts.append(kernels(*test_proof.targets(test_proof.arguments()), {test[0] for test in tests + vectors}))
    passed, failed, skipped = map(sum, zip(*counts))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(failed > 0 or not passed)


if __name__ == "__main__":
    main()
