#!/usr/bin/env python3
"""Checks the assembled kernels: opcodes, addresses, flags, notes, symbols, header comments, and that kernels.def
and the objects agree. check_asm.py FILE|FOLDER... [--self-test]; the self-test assembles a kernel broken in each
way and sees it caught."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# What each opcode reads and writes of CF, OF, ZF. A flag's value: the opcode that wrote it, "clear" for a logical
# operation, None for undefined. Opcodes that are in no set may not be used: branches, calls, divisions among them.
ARITHMETIC = {"add", "adc", "sub", "sbb", "cmp", "neg"}
COUNT = {"inc", "dec"}
LOGIC = {"and", "or", "xor", "test"}
SHIFT = {"shl", "shr", "sar", "shld", "shrd"}
SETTERS = {"adcx": "c", "adox": "o", "stc": "c", "clc": "c", "cmc": "c", "bt": "c"}
NO_FLAGS = {"mov", "movabs", "lea", "not", "bswap", "push", "pop", "ret", "endbr64", "nop", "pxor", "movups"}
NEEDS = {"mulx": "bmi2", "shlx": "bmi2", "shrx": "bmi2", "sarx": "bmi2", "rorx": "bmi2", "adcx": "adx", "adox": "adx"}
READS = {"adc": "c", "sbb": "c", "cmc": "c", "adcx": "c", "adox": "o"}
NEEDS.update(dict.fromkeys(("pshufb", "palignr"), "ssse3"), pblendw="sse41",
             **dict.fromkeys(("sha256rnds2", "sha256msg1", "sha256msg2"), "shani"),
             **dict.fromkeys(("vmovdqa", "vmovdqu", "vpor", "vpxor", "vpslld", "vpsrld", "vpshufb", "vpshufd", "vshufps", "vpalignr", "vpblendd", "vpsllq", "vpsrlq", "vpaddq"), "avx2"),
             **dict.fromkeys(("vprorq", "vpternlogq"), "avx512vl"))
# Loops over the words of a run-time length or over blocks, in the units that have such; addresses in them may have an index.
JUMPS = {"jmp": "", "jrcxz": "", "je": "z", "jne": "z"}
LOOPS = {"mont", "hash"}
for cc, flag in {"b": "c", "ae": "c", "e": "z", "ne": "z", "o": "o", "no": "o"}.items():
    READS["cmov" + cc] = READS["set" + cc] = flag
SCALAR = ARITHMETIC | COUNT | LOGIC | SHIFT | NO_FLAGS | {"imul", *SETTERS, *NEEDS, *READS}
SSE = {"movdqa", "movdqu", "paddd", "pshufd", *(op for op, f in NEEDS.items() if f in ("ssse3", "sse41", "shani"))}
VECTORS = {op for op, f in NEEDS.items() if f not in ("bmi2", "adx")}
AVX2 = SCALAR - VECTORS | {op for op, f in NEEDS.items() if f == "avx2"}
AVX512 = AVX2 | {op for op, f in NEEDS.items() if f == "avx512vl"}
ALLOWED = {"x64": SCALAR - set(NEEDS), "adx": AVX2, "avx2": AVX2, "avx512": AVX512, "shani": SCALAR - set(NEEDS) | SSE}

# Objects of C with intrinsics whose rows are straight-line code (src/field/lanes.c): what may be in them. Addresses are the
# operands' and the stack's; a jump or a call goes to a function.
C_VECTORS = {"ifma": {"vpmadd52luq", "vpmadd52huq", "vpbroadcastq", "vpshufb", "vpermq", "vzeroupper", "vmovq",
                      *(f"vp{op}q" for op in ("add", "sub", "sll", "srl", "sra", "ternlog")),
                      *(f"vp{op}{width}" for op in ("and", "or", "xor") for width in ("", "d", "q")),
                      *(f"vmovdq{a}{width}" for a in "au" for width in ("", "8", "32", "64"))}}
C_SCALAR = {"mov", "movabs", "lea", "push", "pop", "and", "add", "sub", "leave", "ret", "endbr64", "nop", "nopw", "nopl",
            "data16", "cs", "xchg", "call", "jmp"}

# AArch64. What sets and what reads the flags; multiplications; all of known time. Opcodes that are in no set may not be used: calls,
# divisions, system registers among them, and branches but those of LOOPS.
A64_SETS = {"adds", "subs", "adcs", "sbcs", "ands", "cmp", "cmn", "tst", "negs", "ngcs", "bics", "ccmp"}
A64_READS = {"adc", "adcs", "sbc", "sbcs", "ngc", "ngcs", "cset", "csetm", "csel", "csinc", "csinv", "csneg", "cinc", "cinv", "cneg", "ccmp"}
A64_MULTIPLIES = {"mul", "umulh", "madd", "msub", "mneg", "smull", "umull", "smulh"}
A64_BASE = {"add", "sub", "and", "orr", "eor", "bic", "orn", "eon", "mvn", "neg", "lsl", "lsr", "asr", "ror", "extr", "mov", "movk", "ubfx",
            "sbfx", "bfi", "bfxil", "ubfiz", "ldp", "stp", "ldr", "str", "fmov", "movi", "bti", "ret", "nop", *A64_SETS, *A64_READS, *A64_MULTIPLIES}
A64_NEEDS = {**dict.fromkeys(("sha256h", "sha256h2", "sha256su0", "sha256su1"), "sha2"),
             **dict.fromkeys(("sha512h", "sha512h2", "sha512su0", "sha512su1"), "sha512"),
             **dict.fromkeys(("sm3ss1", "sm3tt1a", "sm3tt1b", "sm3tt2a", "sm3tt2b", "sm3partw1", "sm3partw2"), "sm3")}
A64_ALLOWED = {"a64": A64_BASE, "crypto": A64_BASE | {"ld1", "st1", "rev32", "rev64", "ext", "dup", "shl", "sri", "adrp", *A64_NEEDS}}
A64_JUMPS = {"b": False, "b.ne": True, "b.eq": True, "cbz": False, "cbnz": False} # and whether they read the flags
A64_SAVED = {*(f"x{i}" for i in range(18, 31)), *(f"d{i}" for i in range(8, 16))} # x18, the platform's, no one may save either

# A carry of adcx comes from additions; OF, which sub and sbb leave as well, only from adox or a clearing operation.
ADCX_AFTER = {"add", "adc", "adcx", "clear", "stc", "clc"}
OF_AFTER = {"adox", "clear"}

SAVED = {"rbx", "rbp", "r12", "r13", "r14", "r15"}
SHORT = {"ebx": "rbx", "bx": "rbx", "bl": "rbx", "ebp": "rbp", "bp": "rbp", "bpl": "rbp"}
KEYS = ("Prototype", "Representation", "Input", "Output", "Aliasing", "Registers", "Clobbers", "Stack", "Features",
        "Timing", "Carries", "Floor")


def run(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


def table(root, name, macro, row):
    """The rows of a .def file after the preprocessor, each a list of strings."""
    text = f'#define {macro} @@ {row}\n#include "{root}/dispatch/{name}"\n'
    out = subprocess.run(["cc", "-E", "-P", "-"], input=text, check=True, capture_output=True, text=True).stdout
    return [re.findall(r'"([^"]*)"', r) for r in out.split("@@")[1:]]


def contract(root):
    """{symbol: ((unit, class, op, isa, features), (representation, input, output, aliasing, timing))}"""
    ops = table(root, "ops.def", "OP(c, n, s, rep, in, out, al, t, oracle)", "#c #n rep in out al #t")
    ops = {(c, n): stated for c, n, *stated in ops}
    rows = table(root, "kernels.def", "KERNEL(u, c, o, isa, need, rank)", "#u #c #o #isa #need")
    return {f"limbic_{u}_{o}_{isa}": ((u, c, o, isa, set(re.findall(r"N\((\w+)\)", need))), ops[c, o])
            for u, c, o, isa, need in rows}


def architecture(obj):
    with open(obj, "rb") as f:
        return {62: "x86_64", 183: "aarch64"}.get(int.from_bytes(f.read(20)[18:20], "little"))


def aarch64_tool(name):
    return shutil.which(f"aarch64-linux-gnu-{name}") or name


def instructions(obj):
    arm = architecture(obj) == "aarch64"
    objdump = [aarch64_tool("objdump")] if arm else ["objdump", "-M", "intel"]
    for line in run(*objdump, "-d", "-j", ".text", "--no-show-raw-insn", "-w", obj).splitlines():
        m = re.match(r"\s*([0-9a-f]+):\s+(\S+)\s*" + ("(.*?)(?://.*)?$" if arm else "([^#]*)"), line)
        if m:
            yield m.group(1), m.group(2), m.group(3).strip()


def check_code(code, isa, need, loops=False):
    faults = []
    frame = 0
    flags = {"c": None, "o": None, "z": None}
    pushed, popped, used, mulx, deepest = [], [], set(), 0, 0
    for at, op, args in code:
        if loops and op in JUMPS:
            if JUMPS[op] and flags["z"] is None:
                faults.append(f"{at}: {op} takes ZF from nothing that defines it")
            continue
        if op not in ALLOWED[isa]:
            faults.append(f"{at}: opcode {op} is not on the list of {isa}")
        if NEEDS.get(op, "") not in need | {""}:
            faults.append(f"{at}: {op} needs {NEEDS[op]}, which the row does not name")
        for address in re.findall(r"\[([^\]]*)\]", args) if op != "lea" else ():
            if not re.fullmatch(r"\w+(\+\w+\*[1248])?([+-]0x[0-9a-f]+)?" if loops else r"\w+([+-]0x[0-9a-f]+)?", address):
                faults.append(f"{at}: [{address}] is more than a pointer and a constant")
        if op in ("sub", "add") and args.startswith("rsp,"):
            frame += int(args.split(",")[1], 16) * (1 if op == "sub" else -1)
            deepest = frame if op == "sub" else deepest
        registers = {SHORT.get(r, re.sub(r"^(r\d+)[dwb]$", r"\1", r)) for r in re.findall(r"[a-z]\w+", args)}
        if op in ("push", "pop"):
            (pushed if op == "push" else popped).append(args)
        else:
            used |= registers & SAVED
        mulx += op == "mulx"
        flag = READS.get(op)
        if flag:
            source = flags[flag]
            good = ADCX_AFTER if op == "adcx" else OF_AFTER if flag == "o" else None
            if source is None or (good and source not in good):
                faults.append(f"{at}: {op} takes {flag.upper()}F from {source or 'nothing that defines it'}")
        if op in ARITHMETIC:
            flags = dict.fromkeys(flags, op)
        elif op in COUNT:
            flags.update(o=op, z=op)
        elif op in LOGIC:
            flags = dict.fromkeys(flags, "clear")
        elif op in SHIFT:
            flags = {"c": op, "o": None, "z": op}
        elif op == "imul":
            flags = {"c": op, "o": op, "z": None}
        elif op in SETTERS:
            flags[SETTERS[op]] = op
            if op == "bt":
                flags["o"] = None
    if popped != pushed[::-1]:
        faults.append(f"saves {' '.join(pushed)} but restores {' '.join(popped)}")
    if used - set(pushed):
        faults.append(f"changes {' '.join(sorted(used - set(pushed)))}, the caller's")
    if not code or code[0][1] != "endbr64" or code[-1][1] != "ret" or [c[1] for c in code].count("ret") != 1:
        faults.append("is not one piece of code from endbr64 to ret")
    if frame:
        faults.append(f"leaves {frame} bytes on the stack")
    return faults, 8 * len(pushed) + deepest, mulx


def check_a64(code, isa, need, loops=False):
    faults = []
    flags = False
    saves, restores, used, multiplies, frame, deepest = [], [], set(), 0, 0, 0
    for at, op, args in code:
        if loops and op in A64_JUMPS:
            if A64_JUMPS[op] and not flags:
                faults.append(f"{at}: {op} takes flags from nothing that defines them")
            used |= set(re.findall(r"\bx\d+\b", args)) & A64_SAVED
            continue
        if op not in A64_ALLOWED[isa]:
            faults.append(f"{at}: opcode {op} is not on the list of {isa}")
        if A64_NEEDS.get(op, "") not in need | {""}:
            faults.append(f"{at}: {op} needs {A64_NEEDS[op]}, which the row does not name")
        for address in re.findall(r"\[([^\]]*)\]", args):
            if "." not in args.split("[")[0] and not re.fullmatch(r"(x\d+|sp)(, #-?\d+)?" + (r"|x\d+, x\d+(, lsl #3)?" if loops else ""), address):
                faults.append(f"{at}: [{address}] is more than a pointer and a constant")
        if op in A64_READS and not flags:
            faults.append(f"{at}: {op} takes flags from nothing that defines them")
        flags |= op in A64_SETS
        multiplies += op in A64_MULTIPLIES
        registers = {re.sub("^w", "x", re.sub("^[vqsbh]", "d", r)) for r in re.findall(r"\b[xwvqdsbh]\d+\b", args)} & A64_SAVED
        # [sp, -n]! and [sp], n move the stack pointer; a save's offset counts from where it was at the entry
        m = re.fullmatch(r"([xd]\d+), ([xd]\d+), \[sp(?:, #(-?\d+))?\](!?)(?:, #(\d+))?", args)
        if op in ("stp", "ldp") and m and registers == {m.group(1), m.group(2)}:
            frame -= int(m.group(3)) if m.group(4) else 0
            (saves if op == "stp" else restores).append((m.group(1), m.group(2), (0 if m.group(4) else int(m.group(3) or 0)) - frame))
            frame -= int(m.group(5) or 0)
            deepest = max(deepest, frame)
            continue
        used |= registers
        m = re.fullmatch(r"sp, sp, #(0x[0-9a-f]+|\d+)(, lsl #12)?", args)
        if m and op in ("add", "sub"):
            frame += int(m.group(1), 0) * (4096 if m.group(2) else 1) * (1 if op == "sub" else -1)
            deepest = max(deepest, frame)
        elif re.match(r"sp\b", args) or re.search(r"\[sp[^\]]*\](!|, )", args):
            faults.append(f"{at}: {op} {args} moves the stack pointer")
    if sorted(saves) != sorted(restores):
        faults.append(f"saves {saves} but restores {restores}")
    kept = {r for s in saves for r in s[:2]}
    if used - kept or "x18" in kept:
        faults.append(f"changes {' '.join(sorted(used - kept | kept & {'x18'}))}, the caller's")
    if not code or code[0][1:] != ("bti", "c") or code[-1][1:] != ("ret", "") or [c[1] for c in code].count("ret") != 1:
        faults.append("is not one piece of code from bti c to ret")
    if frame:
        faults.append(f"leaves {frame} bytes on the stack")
    return faults, deepest, multiplies


def check_c_code(code, isa):
    """Of an object compiled from C: straight-line code out of the row's instruction set, calls to functions aside."""
    faults = []
    for at, op, args in code:
        if op not in C_VECTORS[isa] | C_SCALAR:
            faults.append(f"{at}: opcode {op} is not on the list of C for {isa}")
        if op in ("jmp", "call") and "+0x" in args.split("<")[-1]:
            faults.append(f"{at}: {op} {args} is not to a function")
        for address in re.findall(r"\[([^\]]*)\]", args) if op != "lea" and "nop" not in op + args else ():
            if not re.fullmatch(r"\w+([+-]0x[0-9a-f]+)?", address):
                faults.append(f"{at}: [{address}] is more than a pointer and a constant")
    return faults


def check_object_file(obj, symbol):
    faults = []
    marks = {"x86_64": "x86 feature: IBT, SHSTK", "aarch64": "AArch64 feature: BTI, PAC"}[architecture(obj)]
    if not re.search(rf"(?s)\.note\.gnu\.property\n.*{marks}", run("readelf", "-nW", obj)):
        faults.append(f"no note that says {marks}")
    sections = run("readelf", "-SW", obj)
    stack = re.search(r"\.note\.GNU-stack\s+\w+\s+\w+ \w+ \w+ \w+ +([A-Z]*)", sections)
    if not stack or "X" in stack.group(1):
        faults.append("its stack is executable")
    text = re.search(r"\.text\s+PROGBITS\s+\w+ \w+ (\w+)", sections)
    for line in run("readelf", "-sW", obj).splitlines():
        f = line.split()
        if len(f) == 8 and f[7] == symbol:
            if f[3:6] != ["FUNC", "GLOBAL", "HIDDEN"]:
                faults.append(f"{symbol} is {' '.join(f[3:6])}, not FUNC GLOBAL HIDDEN")
            if int(f[1], 16) or int(f[2], 0) != int(text.group(1), 16):
                faults.append(f"{symbol} has not the size of the code")
            break
    else:
        faults.append(f"does not define {symbol}")
    return faults


def check_header(source, symbol, row, op, pushed, mulx):
    with open(source, encoding="utf-8") as f:
        comment = f.read()
    if source.endswith(".S"): # as those of NASM
        comment = re.sub(r"(?m)^ \*", ";", re.match(r"/\*\n(.*?)^ \*/|", comment, re.S | re.M).group(1) or "")
    comment = re.match(r"(?:;[^\n]*\n)*", comment).group(0)
    unit = "multiplications" if source.endswith(".S") else "mulx"
    fields = re.findall(r"(?ms)^; ([A-Z]\w+): (.*?)(?=^; [A-Z]\w+: |\Z)", comment)
    fields = {k: re.sub(r"\s*\n;\s+", " ", v).strip() for k, v in fields}
    faults = [f"the header has no {k}:" for k in KEYS if not fields.get(k)]
    if faults:
        return faults
    if not re.match(r"; r = .", comment):
        faults.append("the header does not start with the mathematics, r = ...")
    if not re.fullmatch(rf"\w+ {symbol}\([^()]*\);", fields["Prototype"]):
        faults.append(f"Prototype: is not one of {symbol}")
    for key, of_op in dict(zip(("Representation", "Input", "Output", "Aliasing"), op)).items():
        if not re.match(re.escape(of_op) + r"(;|$)", fields[key]):
            faults.append(f"{key}: is not what ops.def states: {of_op}")
    if not fields["Timing"].startswith({"ct": "constant", "vartime": "variable"}[op[4]]):
        faults.append(f"Timing: ops.def says {op[4]}")
    if set(fields["Features"].split(", ")) != row[4]:
        faults.append(f"Features: kernels.def says {', '.join(sorted(row[4]))}")
    if not fields["Stack"].startswith(f"{pushed} bytes"):
        faults.append(f"Stack: the code saves {pushed} bytes")
    floor = "no multiplication" if not mulx else "with n words" if row[0] in LOOPS else f"{mulx} {unit}"
    if not fields["Floor"].startswith(floor):
        faults.append(f"Floor: the code has {mulx or 'no'} {unit}")
    return faults


def walk(folder):
    return [(os.path.join(d, n), n) for d, _, names in os.walk(folder) for n in names]


def sources(root, *architectures):
    return {os.path.splitext(n)[0]: p for a in architectures for p, n in walk(f"{root}/asm/{a}") if n.endswith((".asm", ".S"))}


def isas_of(root, architectures):
    with open(f"{root}/dispatch/dispatch.h", encoding="utf-8") as f:
        return {isa for isa, a in re.findall(r"#define LIMBIC_BUILT_(\w+) +LIMBIC_ASM_(\w+)", f.read()) if a.lower() in architectures}


def check_kernel(root, obj, stem, rows):
    symbol = f"limbic_{stem}"
    if symbol not in rows:
        return [f"{symbol} has no row in kernels.def"]
    row, op = rows[symbol]
    arch = architecture(obj)
    code = list(instructions(obj))
    if arch == "aarch64" and row[3] in A64_ALLOWED:
        faults, pushed, mulx = check_a64(code, row[3], row[4], row[0] in LOOPS)
    elif arch == "x86_64" and row[3] in ALLOWED:
        faults, pushed, mulx = check_code(code, row[3], row[4], row[0] in LOOPS)
    else:
        return [f"no list of opcodes for {row[3]} on {arch}"]
    return faults + check_object_file(obj, symbol) + check_header(sources(root, arch)[stem], symbol, row, op, pushed, mulx)


def check(root, paths):
    """Faults by name, and what was checked."""
    objects = [p for p in paths if not os.path.isdir(p)] + [o for p in paths for o, n in walk(p) if n.endswith(".o")]
    architectures = {architecture(o) for o in objects} - {None}
    rows, known, faults, seen, of_c = contract(root), sources(root, *architectures), {}, set(), set()
    isas = {row[3] for row, _ in rows.values()} - {"c"}
    here = isas_of(root, architectures)
    units = {row[0] for row, _ in rows.values()}
    for obj in sorted(objects):
        stem = re.sub(r"(\.asm|\.S)?\.o$", "", os.path.basename(obj))
        if stem in known:
            seen.add(stem)
            said = faults.setdefault(stem, [])
            said += [x for x in check_kernel(root, obj, stem, rows) if x not in said]
            continue
        names = re.findall(r"(?m) [Tt] (limbic_\w+)$", run("nm", obj))
        straight = {rows[n][0][3] for n in names if n in rows and rows[n][0][1] == "lanes"} & set(C_VECTORS)
        for isa in straight:
            name = f"{names[0]} and the rest of its object"
            seen.add(name)
            said = faults.setdefault(name, [])
            said += [x for x in check_c_code(list(instructions(obj)), isa) if x not in said]
        for name in names:
            of_c.add(name)
            if re.fullmatch(rf"limbic_({'|'.join(units)})_\w+_({'|'.join(isas)})", name) and name not in rows:
                faults.setdefault(os.path.basename(obj), []).append(f"{name} has no row in kernels.def")
    for row, _ in rows.values():
        stem = f"{row[0]}_{row[2]}_{row[3]}"
        if row[3] in here and stem not in seen and f"limbic_{stem}" not in of_c: # engines are C
            faults.setdefault(stem, []).append("the row of kernels.def has no object")
    for stem in set(known) - seen:
        faults.setdefault(stem, []).append(f"{known[stem]} was not assembled")
    return faults, seen


HEADER_BREAKS = [
    *((f"{key}: ", "Other: ", f"no {key}:") for key in KEYS),
    ("Input: a, b < m", "Input: a < m", "Input: is not"), ("Aliasing: any", "Aliasing: none", "Aliasing: is not"),
    ("Representation: residue", "Representation: plain", "Representation: is not"),
    ("Output: r = a", "Output: r = b", "Output: is not"), ("Timing: constant", "Timing: variable", "Timing: ops.def")]


def breaks_of_a64():
    """As breaks_of_adx."""
    stem, code = "p384_mul_a64", "    ldp x4, x5, [x1]\n"
    insert = {
        "b.eq . + 4": "opcode b.eq", "cbz x4, . + 4": "opcode cbz", "br x4": "opcode br", "bl limbic_p384_mul_a64": "opcode bl",
        "udiv x4, x4, x5": "opcode udiv", "sdiv x4, x4, x5": "opcode sdiv", "ldr x4, [x1, x2]": "pointer and a constant",
        "ret": "one piece of code", "adc x4, x4, x4": "adc takes flags from nothing", "csel x4, x4, x5, cc": "csel takes flags from nothing",
        "mov x18, x4": "changes x18", "mov x23, x4": "changes x23", "mov w29, w4": "changes x29", "mov x30, x4": "changes x30",
        "fmov d8, x4": "changes d8", "sub sp, sp, 16": "leaves 16 bytes", "str x4, [sp, -16]!": "moves the stack pointer",
        "stp x4, x5, [sp], 16": "moves the stack pointer", "mov sp, x4": "moves the stack pointer", "mul x4, x4, x4": "the code has 73 multiplications"}
    breaks = [(code, f"{code}    {text}\n", said) for text, said in insert.items()]
    breaks += [
        ("Stack: 32", "Stack: 16", "Stack: the code saves 32 bytes"), ("Features: a64", "Features: neon", "Features: kernels.def"),
        (" * r = ", " * R = ", "the mathematics"), ("void limbic_p384_mul", "void limbic_p384_sqr", "Prototype: is not"),
        ("a64, 2", "a64, 1", "changes x21"), ("ldp x\\low, x\\high", "ldp x\\high, x\\low", "restores"), ("hint 34", "nop //", "one piece of code"),
        ("FUNCTION limbic_p384", "FUNCTION limbic_p385", "does not define"), (".hidden", "//", "not FUNC GLOBAL HIDDEN"),
        (".size", "//", "not the size"), ("4, 3, 0", "4, 1, 0", "no note"), (".note.gnu.property", ".other", "no note"),
        ('.note.GNU-stack, ""', '.note.GNU-stack, "x"', "stack is executable"), (".section .note.GNU-stack", ".section .other", "stack is executable")]
    return stem, "aarch64/a64", ".S", breaks


def breaks_of_adx():
    """One good kernel, broken in each way: what to replace in the source or the include, and what must be said."""
    stem, code = "sm2_mul_adx", "    mov rcx, rdx\n"
    insert = {
        "jc $ + 2": "opcode jb", "jmp rax": "opcode jmp", "call rax": "opcode call", "div rcx": "opcode div",
        "vzeroupper": "opcode vzero", "mov rax, [rsi + rcx]": "pointer and a constant", "ret": "one piece of code",
        "adc rax, rax": "takes CF from nothing", "sub rax, rbx\n adox rax, rbx": "adox takes OF from sub",
        "xor eax, eax\n sbb rax, rbx\n adox rax, rbx": "OF from sbb", "shl rax, 3\n adox rax, rbx": "OF from nothing",
        "cmp rax, rbx\n adcx rax, rbx": "adcx takes CF from cmp", "imul rax, rbx\n cmovz rax, rbx": "ZF from nothing",
        "jmp $ + 2": "opcode jmp", "sub rsp, 8": "leaves 8 bytes", "pshufb xmm0, xmm1": "opcode pshufb", "dec rax\n adox rax, rbx": "OF from dec",
        "mulx rax, rbx, rbx": "the code has 25 mulx"}
    breaks = [(code, f"{code} {text}\n", said) for text, said in insert.items()]
    breaks += [
        ("Stack: 48", "Stack: 40", "saves 48 bytes"), ("Features: bmi2, adx", "Features: bmi2", "Features: kernels.def"),
        ("; r = ", "; R = ", "the mathematics"), ("void limbic_sm2_mul", "void limbic_sm2_sqr", "Prototype: is not"),
        ("adx, rbx, rbp, ", "adx, rbx, ", "changes rbp"), ("    pop SAVED_%[I]", "    pop SAVED_0", "restores"),
        ("    endbr64\n", "    nop\n", "one piece of code"),
        ("FUNCTION limbic_sm2", "FUNCTION limbic_sm3", "does not define"),
        (":function hidden", ":function", "not FUNC GLOBAL HIDDEN"),
        ("hidden (%1.end - %1)", "hidden", "not the size"),
        ("4, 3, 0", "4, 1, 0", "no note"), ("section .note.gnu.property", "section .other", "no note"),
        ("GNU-stack noalloc noexec", "GNU-stack noalloc exec", "stack is executable"),
        ("section .note.GNU-stack", "section .other", "stack is executable")]
    return stem, "x86_64/adx", ".asm", breaks


def self_test(stem, folder, suffix, breaks):
    arm = suffix == ".S"
    assemble = [aarch64_tool("gcc"), "-c", "-I./", "-Isrc"] if arm else ["nasm", "-f", "elf64", "-w-all", "-I./"]
    done = missed = 0
    with tempfile.TemporaryDirectory() as tmp:
        run("cp", "-r", f"{ROOT}/asm", f"{ROOT}/dispatch", tmp)
        run("mkdir", f"{tmp}/src")
        run("cp", "-r", f"{ROOT}/src/consts", f"{tmp}/src")
        places = [f"{tmp}/asm/{folder}/{stem}{suffix}", f"{tmp}/asm/{folder.split('/')[0]}/limbic.inc"]
        texts = {p: open(p, encoding="utf-8").read() for p in places}
        for old, new, said in [("", "", "")] + HEADER_BREAKS + breaks:
            place = next((p for p in places if old in texts[p]), None)
            found = ["nothing to break"]
            if place:
                with open(place, "w", encoding="utf-8") as f:
                    f.write(texts[place].replace(old, new, 1))
                run(*assemble, places[0], "-o", f"{tmp}/{stem}.o", cwd=tmp)
                found = check_kernel(tmp, f"{tmp}/{stem}.o", stem, contract(tmp))
                with open(place, "w", encoding="utf-8") as f:
                    f.write(texts[place])
            done += 1
            if (not any(said in x for x in found)) if said else found:
                missed += 1
                print(f"FAILED: self-test: {said or 'the good kernel passes'}: found {found}")
        # The table against the objects: one row without its object, one object without its row.
        table_file = f"{tmp}/dispatch/kernels.def"
        rows = open(table_file).read()
        unit, op, isa = stem.split("_")
        less = re.sub(rf"(?m)^A64_ROWS\({unit}\)\n" if arm else rf"(?m)^KERNEL\({unit}, *field, {op}, {isa}.*\n", "", rows)
        for text, said in ((rows, "has no object"), (less, "has no row")):
            with open(table_file, "w") as f:
                f.write(text)
            done += 1
            if not any(said in x for v in check(tmp, [f"{tmp}/{stem}.o"])[0].values() for x in v):
                missed += 1
                print(f"FAILED: self-test: {said}")
    return done, missed


def self_test_of_c():
    done = missed = 0
    for op, args, said in (("jne", "10 <limbic_x+0x10>", "opcode jne"), ("jmp", "10 <limbic_x+0x10>", "not to a function"),
                           ("vpmadd52luq", "zmm0,zmm1,[rsi+rax*8]", "pointer and a constant"), ("vpcmpeqq", "k1,zmm0,zmm1", "opcode"),
                           ("vpaddq", "zmm0,zmm1,ZMMWORD PTR [rsi+0x40]", "")):
        done += 1
        found = check_c_code([("0", op, args)], "ifma")
        if (not any(said in x for x in found)) if said else found:
            missed += 1
            print(f"FAILED: self-test: {op} {args}: found {found}")
    return done, missed


def main():
    paths = [x for x in sys.argv[1:] if x != "--self-test"]
    tests = [self_test(*breaks_of_adx()), self_test(*breaks_of_a64()), self_test_of_c()] if "--self-test" in sys.argv else []
    done, missed = sum(t[0] for t in tests), sum(t[1] for t in tests)
    faults, seen = check(ROOT, paths) if paths else ({}, set())
    for name, said in sorted(faults.items()):
        for x in said:
            print(f"FAILED: {name}: {x}")
    bad = sum(map(bool, faults.values()))
    print(f"{done - missed + len(seen - {n for n in faults if faults[n]})} passed, {missed + bad} failed")
    sys.exit(bool(missed or bad or not (paths or done)))


if __name__ == "__main__":
    main()
