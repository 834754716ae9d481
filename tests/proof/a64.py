"""Front for AArch64: reads a function of 64-bit registers from an object file and runs it.

The decoder takes objdump's reading without aliases, so that few opcodes need a meaning. The meaning of each stands here once
(Machine.step); test_semantics_a64.py compares it with qemu's. x18 is the platform's: here it is no register."""
import functools
import re
import shutil
import subprocess
from collections import namedtuple
import elf
import machine
from core import Unproved
from machine import Imm, Instruction, Pointer, Reg

SAVED = [f"x{i}" for i in range(19, 31)] + [f"d{i}" for i in range(8, 16)]  # x30: the return address
REGISTERS = [f"x{i}" for i in range(31) if i != 18]
M = 1 << 64
MACHINE = elf.AARCH64

Vector = namedtuple("Vector", "name")  # the lower half of one
Shift = namedtuple("Shift", "kind by")
Condition = namedtuple("Condition", "name")
Mem = namedtuple("Mem", "base disp change")  # change: "pre", "post" or None, of the base


def tool(name):
    return shutil.which(f"aarch64-linux-gnu-{name}") or name


# Decoding

def operand(text):
    if text in REGISTERS or text in ("xzr", "sp"):
        return Reg(text, 64)
    if re.fullmatch(r"d([12]?\d|3[01])", text):
        return Vector(text)
    if m := re.fullmatch(r"#(-?)(0x[0-9a-f]+|\d+)", text):
        return Imm(int(m.group(2), 0) * (-1 if m.group(1) else 1))
    if m := re.fullmatch(r"(lsl|lsr) #(\d+)", text):
        return Shift(m.group(1), int(m.group(2)))
    if text in ("cs", "cc"):
        return Condition(text)
    m = re.fullmatch(r"\[(\w+)(?:, #(-?\d+))?\](!|, #(-?\d+))?", text)
    if not m or m.group(1) not in (*REGISTERS, "sp") or (m.group(4) and m.group(2)):
        raise Unproved(f"operand {text} is not known")
    base, disp, change, after = m.groups()
    return Mem(base, int(after or disp or 0), "post" if after else "pre" if change else None)


@functools.lru_cache(maxsize=4)
def disassemble(path):
    """{address: (bytes, opcode, operands as text)} of the section .text."""
    out = subprocess.run([tool("objdump"), "-d", "-z", "-w", "-j", ".text", "-M", "no-aliases", path], check=True, capture_output=True, text=True).stdout
    rows = {}
    for line in out.splitlines():
        m = re.match(r"\s*([0-9a-f]+):\t([0-9a-f]{8}) \t(\S+)(?:\t(.*?))?(?:\s*//.*)?$", line)
        if m:
            args = re.findall(r"\[[^\]]*\](?:!|, #-?\d+$)?|[^\s,\[][^,\[]*", m.group(4) or "")
            rows[int(m.group(1), 16)] = int(m.group(2), 16).to_bytes(4, "little"), m.group(3), args
    return rows


def read(path, name):
    """The instructions of a function."""
    with open(path, "rb") as f:
        obj = elf.Object(f.read())
    symbol = obj.functions().get(name)
    if obj.machine != MACHINE or symbol is None:
        raise Unproved(f"{path} does not define {name} for AArch64")
    section, stop = obj.sections[symbol.section], symbol.value + symbol.size
    if section.name != ".text" or symbol.value % 4 or symbol.size % 4:
        raise Unproved("code outside .text, or not whole instructions")
    if any(r.section == symbol.section and symbol.value - 4 < r.offset < stop for r in obj.relocations):
        raise Unproved("code that the linker changes")
    out = []
    for at in range(symbol.value, stop, 4):
        code, op, args = disassemble(path).get(at, (b"", "", []))
        if not code or section.data[at:at + 4] != code:
            raise Unproved(f"{at:x}: objdump shows no instruction here")
        out.append(Instruction(at, op, tuple(map(operand, args))))
    return out


# Meaning

class Machine(machine.Machine):
    """The flags are C alone, None where nothing has defined it."""

    REGISTERS, SAVED, ARGUMENTS = [*REGISTERS, "sp", *(f"d{i}" for i in range(32))], SAVED, REGISTERS[:8]
    STACK = "sp"

    def __init__(self, algebra, inputs, output):
        super().__init__(algebra, inputs, output)
        self.c = None

    def get(self, arg):
        if isinstance(arg, Imm):
            return arg.value % M
        if arg.name == "xzr":
            return 0
        if self.regs[arg.name] is None:
            raise Unproved(f"{arg.name}, which nothing has defined")
        return self.regs[arg.name]

    def number(self, arg):
        return self.word(self.get(arg))

    def put(self, arg, v):
        if arg.name == "sp":
            self.move_stack(v)
        if arg.name != "xzr":
            self.regs[arg.name] = v

    def move_stack(self, pointer):
        super().move_stack(pointer)
        if pointer.offset % 16:
            raise Unproved("the stack pointer is not aligned")

    def carry(self):
        if self.c is None:
            raise Unproved("a flag that nothing has defined")
        return self.c

    def shifted(self, v, by):
        """The last operand, with the shift that may come after it."""
        if not by:
            return v
        if not 0 < by[0].by < 64:
            raise Unproved("a shift by nothing or by everything")
        return self.left(v, by[0].by) if by[0].kind == "lsl" else self.algebra.divide(v, 1 << by[0].by)[1]

    def left(self, v, by):
        return self.algebra.divide(v, M >> by)[0] * (1 << by)

    def access(self, op, registers, mem):
        """A load or store of one or two words."""
        base = self.regs[mem.base]
        if not isinstance(base, Pointer):
            raise Unproved("an address that is not a pointer and a constant")
        if mem.change and Reg(mem.base, 64) in registers or op == "ldp" and len(set(registers)) < 2 or Reg("sp", 64) in registers:
            raise Unproved("registers that the architecture leaves open")
        new = base._replace(offset=base.offset + mem.disp)
        at = base if mem.change == "post" else new
        cells = [(at.region, at.offset + 8 * i) for i in range(len(registers))]
        if op in ("ldp", "ldr"):
            values = [self.load(cell) for cell in cells]
            if mem.change:
                self.put(Reg(mem.base, 64), new)
            for register, v in zip(registers, values):
                self.put(register, v)
        else:
            if mem.change == "pre":  # a stack pointer that goes down takes the words with it
                self.put(Reg(mem.base, 64), new)
            for register, cell in zip(registers, cells):
                self.store(cell, self.get(register))
            if mem.change == "post":
                self.put(Reg(mem.base, 64), new)

    def step(self, op, args):
        form = kinds(args)
        if form not in FORMS.get(op, ()):
            raise Unproved(f"no meaning for {op} with these operands")
        divide = self.algebra.divide
        if op == "hint":
            if args[0].value != 34:  # BTI c
                raise Unproved("no meaning for this hint")
        elif form.endswith("m"):
            self.access(op, args[:-1], args[-1])
        elif op in ("add", "sub") and isinstance(base := self.get(args[1]), Pointer):
            if form != "rri":
                raise Unproved("arithmetic on a pointer")
            self.put(args[0], base._replace(offset=base.offset + args[2].value * (1 if op == "add" else -1)))
        elif Reg("sp", 64) in args:
            raise Unproved("arithmetic on the stack pointer")
        elif op[:3] in ("add", "adc", "sub", "sbc"):
            x, y = self.number(args[1]), self.shifted(self.number(args[2]), args[3:])
            carry = self.carry() if op[2] == "c" else 0 if op[0] == "a" else 1
            low, high = divide(x + y + carry if op[0] == "a" else x - y - (1 - carry), M)
            self.put(args[0], low)
            if op.endswith("s"):
                self.c = high if op[0] == "a" else 1 + high
        elif op in ("and", "ands"):
            x, y = (self.number(a) for a in args[1:])
            if isinstance(y, int) and y & (y + 1) == 0:  # the lowest bits
                self.put(args[0], divide(x, y + 1)[0])
            else:
                self.put(args[0], self.algebra.mask(x, y, M - 1))
            if op == "ands":
                self.c = 0
        elif op == "orr" and args[1:2] == (Reg("xzr", 64),) and form == "rrr":  # mov
            self.put(args[0], self.get(args[2]))
        elif op == "orr":
            self.put(args[0], self.algebra.union(self.number(args[1]), self.shifted(self.number(args[2]), args[3:])))
        elif op in ("movz", "movn", "movk"):
            by = args[2].by if args[2:] else 0
            if by % 16 or args[1].value >> 16 or args[2:] and args[2].kind != "lsl":
                raise Unproved("no meaning for this constant")
            v = args[1].value << by
            if op == "movk":
                x = self.number(args[0])
                v += x - divide(divide(x, 1 << by)[1], 1 << 16)[0] * (1 << by)
            self.put(args[0], M - 1 - v if op == "movn" else v)
        elif op in ("madd", "msub"):
            x, y, z = (self.number(a) for a in args[1:])
            self.put(args[0], divide(z + x * y if op == "madd" else z - x * y, M)[0])
        elif op == "umulh":
            self.put(args[0], divide(self.number(args[1]) * self.number(args[2]), M)[1])
        elif op == "extr":
            high, low, by = self.number(args[1]), self.number(args[2]), args[3].value
            if not 0 < by < 64:
                raise Unproved("a shift by nothing or by everything")
            self.put(args[0], divide(low, 1 << by)[1] + self.left(high, 64 - by))
        elif op == "ubfm":  # lsr, lsl, ubfx, ubfiz: bits up to the second number, moved to the right by the first
            x, right, top = self.number(args[1]), args[2].value, args[3].value
            if not (0 <= right < 64 and 0 <= top < 64):
                raise Unproved("no meaning for these bits")
            x = divide(x, 1 << top + 1)[0] if top < 63 else x
            self.put(args[0], divide(x, 1 << right)[1] if right <= top else x * (M >> right))
        elif op in ("csel", "csinc", "csinv"):
            x, y = (self.number(a) for a in args[1:3])
            c = self.carry() if args[3].name == "cs" else 1 - self.carry()
            y = y if op == "csel" else divide(y + 1, M)[0] if op == "csinc" else M - 1 - y
            self.put(args[0], y + c * (x - y))
        elif op == "fmov":
            self.put(args[0], self.number(args[1]))
        else:
            raise Unproved(f"no meaning for {op}")


def kinds(args):
    return "".join({Reg: "r", Imm: "i", Vector: "v", Shift: "s", Condition: "c", Mem: "m"}[type(a)] for a in args)


# The operands that each opcode may have: r register, v lower half of a vector register, i constant, s shift, c condition, m memory.
FORMS = {"hint": ("i",), **dict.fromkeys(("add", "adds", "sub", "subs"), ("rrr", "rri", "rrrs")), **dict.fromkeys(("adc", "adcs", "sbc", "sbcs"), ("rrr",)),
         **dict.fromkeys(("and", "ands"), ("rrr", "rri")), "orr": ("rrr", "rri", "rrrs"), **dict.fromkeys(("movz", "movn", "movk"), ("ri", "ris")),
         **dict.fromkeys(("madd", "msub"), ("rrrr",)), "umulh": ("rrr",), "extr": ("rrri",), "ubfm": ("rrii",), **dict.fromkeys(("csel", "csinc", "csinv"), ("rrrc",)),
         **dict.fromkeys(("ldp", "stp"), ("rrm",)), **dict.fromkeys(("ldr", "str"), ("rm",)), "fmov": ("rv", "vr")}
