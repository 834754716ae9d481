"""Front for x86-64: reads a function from an object file and runs it, on whole numbers or on the polynomials of core.py.

The meaning of an instruction stands here once (Machine.step); test_semantics.py compares it with this CPU's. What is not here can't be proved."""
import functools
import re
import subprocess
from collections import namedtuple
import elf
import machine
from core import Unproved
from machine import Imm, Instruction, Numbers, Pointer, Reg, Symbols

REGISTERS = "rax rbx rcx rdx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15".split()
WIDTHS = {r: (r, 64) for r in REGISTERS}
WIDTHS.update({"e" + r[1:]: (r, 32) for r in REGISTERS if r[1:].isalpha()}, **{r + "d": (r, 32) for r in REGISTERS if r[1:].isdigit()})
R_X86_64_PC32 = 2
MACHINE = elf.X86_64

Xmm = namedtuple("Xmm", "number")
Zmm = namedtuple("Zmm", "number")
Mem = namedtuple("Mem", "base index scale disp width")
Const = namedtuple("Const", "value width")  # in a read-only section


# Decoding

def operand(text, constant):
    if text in WIDTHS:
        return Reg(*WIDTHS[text])
    if m := re.fullmatch(r"([xz])mm(\d+)", text):
        return (Xmm if m.group(1) == "x" else Zmm)(int(m.group(2)))
    if re.fullmatch(r"0x[0-9a-f]+|1", text):  # 1: the count of a shift by one
        return Imm(int(text, 16))
    m = re.fullmatch(r"(?:([A-Z]+) PTR )?\[(\w+)(?:\+(\w+)\*([1248]))?(?:([+-])0x([0-9a-f]+))?\]", text)
    if not m:
        raise Unproved(f"operand {text} is not known")
    size, base, index, scale, sign, disp = m.groups()
    disp = int(disp or "0", 16) * (-1 if sign == "-" else 1)
    width = {"QWORD": 64, "XMMWORD": 128, "ZMMWORD": 512, None: None}.get(size)
    if base == "rip" and width and not index:
        return Const(constant(disp, width // 8), width)
    if base not in REGISTERS or (index and index not in REGISTERS) or (size and not width):
        raise Unproved(f"operand {text} is not known")
    return Mem(base, index, int(scale or 0), disp, width)


@functools.lru_cache(maxsize=4)
def disassemble(path):
    """{address: (bytes, opcode, operands as text)} of the section .text."""
    out = subprocess.run(["objdump", "-d", "-z", "-w", "-j", ".text", "-M", "intel", path], check=True, capture_output=True, text=True).stdout
    rows = {}
    for line in out.splitlines():
        m = re.match(r"\s*([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *(?:\t(.*?) *(?:[#<].*)?)?$", line)
        if m:
            op, _, args = (m.group(3) or "").partition(" ")
            rows[int(m.group(1), 16)] = bytes.fromhex(m.group(2)), op, [a for a in args.strip().split(",") if a]
    return rows


def read(path, name):
    """The instructions of a function."""
    with open(path, "rb") as f:
        obj = elf.Object(f.read())
    symbol = obj.functions().get(name)
    if obj.machine != MACHINE or symbol is None:
        raise Unproved(f"{path} does not define {name} for x86-64")
    section, stop = obj.sections[symbol.section], symbol.value + symbol.size
    if section.name != ".text":
        raise Unproved("code outside .text")
    then = []  # the function to which this one goes at its end
    relocations = {r.offset: r for r in obj.relocations if r.section == symbol.section and symbol.value <= r.offset < stop}
    rows, at = [], symbol.value
    while at < stop:
        code, op, args = disassemble(path).get(at, (b"", "", []))
        if not code or section.data[at:at + len(code)] != code:
            raise Unproved(f"{at:x}: objdump shows no instruction here")
        rows.append((at, op, args))
        at += len(code)
    if at != stop:
        raise Unproved("the last instruction goes beyond the function")
    if rows[-1][1] == "jmp" and not any(o >= rows[-1][0] for o in relocations):
        others = [n for n, s in obj.functions().items() if s.section == symbol.section and [f"{s.value:x}"] == rows[-1][2] and n != name]
        if others:
            stop = rows.pop()[0]
            then = read(path, others[0])
    ends = [r[0] for r in rows[1:]] + [stop]
    out = []
    for (at, op, args), end in zip(rows, ends):
        own = [relocations.pop(o) for o in range(at, end) if o in relocations]

        def constant(disp, size):
            """What stands at a distance from the next instruction; the linker fills the distance in."""
            if len(own) != 1 or own[0].type != R_X86_64_PC32 or own[0].offset != end - 4 or disp:
                raise Unproved("an address relative to rip that is not one relocation")
            r = own.pop()
            data = obj.sections[r.symbol.section] if 0 < r.symbol.section < len(obj.sections) else None
            where = r.symbol.value + r.addend + end - r.offset
            if data is None or data.flags & (elf.WRITE | elf.EXECUTE) or not 0 <= where <= data.size - size:
                raise Unproved("a constant that is not in a read-only section of this object")
            if [x for x in obj.relocations if obj.sections[x.section] is data]:
                raise Unproved("a constant that the linker changes")
            return int.from_bytes(data.data[where:where + size], "little")

        parsed = tuple(operand(a, constant) for a in args)
        if own:
            raise Unproved(f"{at:x}: a relocation that is not understood")
        out.append(Instruction(at, op, parsed))
    return out + then


# Meaning

class Machine(machine.Machine):
    """The flags are CF and OF, None where this model does not say what they are (OF after additions and subtractions, too)."""

    REGISTERS, SAVED, ARGUMENTS = REGISTERS, "rbx rbp r12 r13 r14 r15".split(), "rdi rsi rdx rcx r8 r9".split()
    STACK = "rsp"
    RED_ZONE = 128  # System V ABI, 3.2.2

    def __init__(self, algebra, inputs, output):
        super().__init__(algebra, inputs, output)
        self.xmm = {}
        self.cf = self.of = None

    # Operands

    def address(self, mem):
        base = self.regs[mem.base]
        if not isinstance(base, Pointer) or mem.index:
            raise Unproved("an address that is not a pointer and a constant")
        return base.region, base.offset + mem.disp

    def get(self, arg, width=64):
        if isinstance(arg, Imm):
            return arg.value % (1 << width)
        if isinstance(arg, Const):
            if arg.width != 64:
                raise Unproved("an access that is not to one word")
            return arg.value
        if isinstance(arg, Mem):
            if arg.width != 64:
                raise Unproved("an access that is not to one word")
            return self.load(self.address(arg))
        v = self.regs[arg.name]
        if v is None:
            raise Unproved(f"{arg.name}, which nothing has defined")
        return v if arg.width == 64 else self.algebra.divide(self.word(v), 1 << arg.width)[0]

    def put(self, arg, v):
        if isinstance(arg, Mem):
            if arg.width != 64:
                raise Unproved("an access that is not to one word")
            self.store(self.address(arg), v)
        elif isinstance(arg, Reg):
            if arg.name == "rsp":
                self.move_stack(v)
            self.regs[arg.name] = v  # a write of 32 bits clears the upper half
        else:
            raise Unproved("an operand that can't be written")

    def carry(self, flag):
        if flag is None:
            raise Unproved("a flag that nothing defined, or whose value is not modelled")
        return flag

    # Instructions

    def step(self, op, args):
        form = kinds(args)
        widths = {a.width for a in args if isinstance(a, Reg)}
        width = min(widths, default=64)
        if form not in FORMS.get(op, ()) or len(widths) > 1:
            raise Unproved(f"no meaning for {op} with these operands")
        if width == 32 and set(form) & {"m", "c"}:
            raise Unproved("an access that is not to one word")
        divide, m = self.algebra.divide, 1 << width
        if op == "endbr64":
            return
        if op in ("mov", "movabs"):
            self.put(args[0], self.get(args[1], width))
        elif op == "push":
            v = self.get(args[0])
            self.regs["rsp"] = self.regs["rsp"]._replace(offset=self.regs["rsp"].offset - 8)
            self.store(self.regs["rsp"], v)
        elif op == "pop":
            v = self.load(self.regs["rsp"])
            self.put(Reg("rsp", 64), self.regs["rsp"]._replace(offset=self.regs["rsp"].offset + 8))
            self.put(args[0], v)
        elif op == "lea":
            if args[1].width:
                raise Unproved("lea with a size")
            base, disp = self.regs[args[1].base], args[1].disp
            if isinstance(base, Pointer) and not args[1].index and width == 64:
                self.put(args[0], Pointer(base.region, base.offset + disp))
            else:
                index = self.word(self.regs[args[1].index]) if args[1].index else 0
                self.put(args[0], divide(self.word(base) + index * args[1].scale + disp, m)[0])
        elif op in ("add", "sub") and isinstance(args[0], Reg) and isinstance(base := self.regs[args[0].name], Pointer):
            if form != "ri" or width != 64:
                raise Unproved("arithmetic on a pointer")
            by = args[1].value - (args[1].value >> 63 << 64)
            self.put(args[0], Pointer(base.region, base.offset + (by if op == "add" else -by)))
            self.cf = self.of = None
        elif op in ("add", "adc", "adcx", "adox", "sub", "sbb", "cmp"):
            same = op in ("sub", "sbb") and args[0] == args[1]  # whatever it was, it cancels
            x, y = (0, 0) if same else (self.word(self.get(a, width)) for a in args)
            if op in ("sub", "sbb", "cmp"):
                low, high = divide(x - y - (self.carry(self.cf) if op == "sbb" else 0), m)
                high *= -1
            else:
                low, high = divide(x + y + (0 if op == "add" else self.carry(self.of if op == "adox" else self.cf)), m)
            if op != "cmp":
                self.put(args[0], low)
            if op == "adox":
                self.of = high
            elif op == "adcx":
                self.cf = high
            else:
                self.cf, self.of = high, None
        elif op == "mul" and width == 64:
            low, high = divide(self.word(self.get(Reg("rax", 64))) * self.word(self.get(args[0])), m)
            self.put(Reg("rax", 64), low)
            self.put(Reg("rdx", 64), high)
            self.cf = self.of = None
        elif op == "imul":
            x, y = (self.word(self.get(a, width)) for a in args[-2:])
            self.put(args[0], divide(x * y, m)[0])
            self.cf = self.of = None
        elif op == "neg":
            low, high = divide(0 - self.word(self.get(args[0])), m)
            self.put(args[0], low)
            self.cf, self.of = high * -1, None
        elif op == "not":
            self.put(args[0], m - 1 - self.word(self.get(args[0])))
        elif op == "or":
            self.put(args[0], self.algebra.union(*(self.word(self.get(a, width)) for a in args)))
            self.cf = self.of = 0
        elif op == "btr" and width == 64:
            by = args[1].value % 64
            x = self.word(self.get(args[0]))
            bit = divide(divide(x, 1 << by)[1], 2)[0]
            self.put(args[0], x - bit * (1 << by))
            self.cf, self.of = bit, None
        elif op == "mulx" and width == 64:
            low, high = divide(self.word(self.get(Reg("rdx", 64))) * self.word(self.get(args[2])), m)
            self.put(args[1], low)
            self.put(args[0], high)  # last: of two equal destinations the upper word stays
        elif op == "and":
            y = self.word(self.get(args[1], width))
            if isinstance(y, int) and y & (y + 1) == 0:  # the lowest bits
                self.put(args[0], divide(self.word(self.regs[args[0].name]), y + 1)[0])
            else:
                self.put(args[0], self.algebra.mask(self.word(self.get(args[0], width)), y, m - 1))
            self.cf = self.of = 0
        elif op == "xor":
            if args[0] != args[1]:
                raise Unproved("xor of different registers")
            self.put(args[0], 0)
            self.cf = self.of = 0
        elif op in ("shl", "shr"):
            by = args[1].value
            if not 0 < by < width:
                raise Unproved("a shift by nothing or by everything")
            x = self.word(self.get(args[0]))
            self.put(args[0], divide(x, m >> by)[0] * (1 << by) if op == "shl" else divide(x, 1 << by)[1])
            self.cf = self.of = None
        elif op == "shrx" and width == 64:
            by = self.get(args[2])
            if not isinstance(by, int) or not 0 < by % 64:
                raise Unproved("a shift by what is not known, or by nothing")
            self.put(args[0], divide(self.word(self.get(args[1])), 1 << by % 64)[1])
        elif op in ("shrd", "shld"):
            by = args[2].value
            if not 0 < by < width:
                raise Unproved("a shift by nothing or by everything")
            x, y = (self.word(self.get(a)) for a in args[:2])
            if op == "shld":
                x, y, by = y, x, width - by
            self.put(args[0], divide(x, 1 << by)[1] + divide(y, 1 << by)[0] * (m >> by))
            self.cf = self.of = None
        elif op == "stc":
            self.cf = 1
        elif op in ("cmovb", "cmovae"):
            c = self.carry(self.cf)
            x, y = (self.word(self.get(a)) for a in args)
            self.put(args[0], x + (c if op == "cmovb" else 1 - c) * (y - x))
        elif op == "pxor":
            if args[0] != args[1]:
                raise Unproved("pxor of different registers")
            self.xmm[args[0]] = 0, 0
        elif op == "movups":
            if args[0].width != 128 or args[1] not in self.xmm:
                raise Unproved("not a store of a defined register")
            region, offset = self.address(args[0])
            for i, v in enumerate(self.xmm[args[1]]):
                self.store((region, offset + 8 * i), v)
        else:
            raise Unproved(f"no meaning for {op} of this width")


def kinds(args):
    return "".join({Reg: "r", Mem: "m", Imm: "i", Const: "c", Xmm: "x", Zmm: "z"}[type(a)] for a in args)


# The operands that each opcode may have: r register, m memory, i constant in the code, c constant in memory, x vector register.
FORMS = {"endbr64": ("",), "mov": ("rr", "rm", "mr", "ri", "rc"), "movabs": ("ri",), "push": ("r",), "pop": ("r",), "lea": ("rm",),
         **dict.fromkeys(("add", "adc", "sub", "sbb", "cmp"), ("rr", "rm", "ri", "rc")), **dict.fromkeys(("adcx", "adox"), ("rr", "rm")),
         "mul": ("r", "m"), "imul": ("rr", "rm", "rc", "rri"), "neg": ("r",), "not": ("r",), "or": ("rr",), "btr": ("ri",), "shld": ("rri",),
         "mulx": ("rrr", "rrm", "rrc"), "and": ("rr", "ri"), "xor": ("rr",), "shl": ("ri",), "shr": ("ri",), "shrx": ("rrr",), "shrd": ("rri",), "stc": ("",),
         **dict.fromkeys(("cmovb", "cmovae"), ("rr", "rm")), "pxor": ("xx",), "movups": ("mx",)}
