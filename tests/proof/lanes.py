"""Front for AVX-512: functions that do the same in each of the eight lanes of a register (src/field/lanes.c as the compiler gives it).

A register, or 64 bytes of memory, holds one value, which stands for the word of any lane: no instruction that is known here takes one lane's word to
another, and constants must be equal in all. The value is any whole number that is the word modulo 2^64: so additions, subtractions and shifts to
the left need no rule and limbs may be negative. Where a word is shifted to the right, it is first brought into the range of its sign."""
from collections import namedtuple
from core import Unproved
from x86 import Const, Machine, Mem, Pointer, Reg, kinds

WORD, MADD = 1 << 64, 1 << 52
Shuffle = namedtuple("Shuffle", "control")  # 64 bytes that are not the same in each lane

BINARY = ("zzz", "zzm", "zzc")
FORMS = {"vmovdqa64": ("zz", "zm", "zc", "mz"), "vmovdqa32": ("zz", "mz"), "vpxor": ("xxx",), "vpxord": ("xxx",), "vpbroadcastq": ("zc", "zr"),
         **dict.fromkeys(("vpaddq", "vpsubq", "vpmadd52luq", "vpmadd52huq"), BINARY), **dict.fromkeys(("vpandd", "vpandq"), ("zzz",)),
         **dict.fromkeys(("vpsllq", "vpsrlq", "vpsraq"), ("zzi", "zmi")), "vpshufb": ("zzz", "zzc"), "vzeroupper": ("",)}


def shuffled(control):
    """(n, s): the lane's n lowest bytes go up by s bytes, the others are zero. VPSHUFB takes bytes within 16."""
    sources = {}
    for i, c in enumerate(control):
        lane, byte = divmod(i, 8)
        at = None if c & 0x80 else (c & 15) + lane // 2 * 16 - lane * 8
        if at is not None and not 0 <= at < 8 or sources.setdefault(byte, at) != at:
            raise Unproved("bytes go from lane to lane, or not the same in each")
    n = sum(at is not None for at in sources.values())
    for s in range(9 - n):
        if [sources[b] for b in range(8)] == [None] * s + list(range(n)) + [None] * (8 - n - s):
            return n, s
    raise Unproved("a shuffle that is no shift")


class Lanes(Machine):
    CELL = 64

    def __init__(self, algebra, inputs, output):
        super().__init__(algebra, inputs, output)
        self.z = {}

    def leave(self, rest):
        return [self.algebra.divide(v, WORD)[0] for v in super().leave(rest)]

    # Memory: one words only on the stack, whole vectors only in operands and in "frame", the stack below an aligned address.

    def load(self, where):
        if where[0] != "stack" or self.regs["rsp"].region != "stack":
            raise Unproved("a word of an operand, which is a part of a vector")
        return super().load(where)

    def store(self, where, v):
        if where[0] != "stack" or self.regs["rsp"].region != "stack":
            raise Unproved("a word of an operand, which is a part of a vector")
        super().store(where, v)

    def move_stack(self, pointer):
        if isinstance(pointer, Pointer) and pointer.region == "frame" and pointer.offset <= 0:
            kept = pointer.offset - 128
        else:
            super().move_stack(pointer)
            kept = 0
        for where in [w for w in self.memory if w[0] == "frame" and w[1] < kept]:
            del self.memory[where]

    def vector_at(self, mem, store=False):
        if mem.width != 512:
            raise Unproved("an access that is not to one vector")
        region, offset = self.address(mem)
        if offset % 64:
            raise Unproved("a vector that is not aligned")
        if region == "stack":
            raise Unproved("a vector of words that were kept one by one")
        if region == "frame":
            rsp = self.regs["rsp"]
            if rsp.region != "frame" or not rsp.offset - 128 <= offset <= -64:
                raise Unproved("not the function's own stack")
        elif store:
            if region != self.output[0] or not 0 <= offset < self.CELL * self.output[1]:
                raise Unproved(f"write to {region} at {offset}")
            self.written.add((region, offset))
        elif region != self.output[0] and self.written:
            raise Unproved("an input is read after the result was begun: it may overlap")
        return region, offset

    def vector(self, arg):
        if isinstance(arg, Mem):
            where = self.vector_at(arg)
            if where not in self.memory:
                raise Unproved(f"read of {where[0]} at {where[1]}, which is no operand's limb or was never written")
            return self.memory[where]
        if isinstance(arg, Const):
            control = arg.value.to_bytes(64, "little")
            words = {control[8 * i:8 * i + 8] for i in range(8)}
            return arg.value % WORD if len(words) == 1 else Shuffle(control)
        if arg.number not in self.z:
            raise Unproved(f"zmm{arg.number}, which nothing has defined")
        return self.z[arg.number]

    def number(self, arg):
        v = self.vector(arg)
        if isinstance(v, Shuffle):
            raise Unproved("a constant that is not the same in each lane")
        return v

    def step(self, op, args):
        divide = self.algebra.divide
        if op == "and" and args[0] == Reg("rsp", 64):
            if self.regs["rsp"].region != "stack" or self.get(args[1]) != WORD - 64:
                raise Unproved("the stack is aligned in an unknown way")
            for where in [w for w in self.memory if w[0] == "stack" and w[1] < self.regs["rsp"].offset]:
                del self.memory[where]  # the frame may lie there
            self.regs["rsp"] = Pointer("frame", 0)
            self.cf = self.of = None
            return
        if op == "leave" and not args:
            self.put(Reg("rsp", 64), self.regs["rbp"])
            super().step("pop", (Reg("rbp", 64),))
            return
        if op not in FORMS:
            if op in ("pxor", "movups"):
                raise Unproved(f"{op}, whose register is a part of one that is modelled apart")
            super().step(op, args)
            return
        form = kinds(args)
        if form not in FORMS[op]:
            raise Unproved(f"no meaning for {op} with these operands")
        if op == "vzeroupper":
            self.z = {}
        elif op == "vpbroadcastq":
            self.z[args[0].number] = self.word(self.get(args[1]))
        elif form == "mz":
            self.memory[self.vector_at(args[0], store=True)] = self.number(args[1])
        elif op in ("vmovdqa64", "vmovdqa32"):
            self.z[args[0].number] = self.vector(args[1])
        elif op in ("vpxor", "vpxord"):
            if args[1] != args[2]:
                raise Unproved("xor of different registers")
            self.z[args[0].number] = 0
        else:
            x = self.number(args[1])
            if op == "vpshufb":
                control = self.vector(args[2])
                if not isinstance(control, (int, Shuffle)):
                    raise Unproved("a shuffle that is no constant")
                n, s = shuffled(control.control if isinstance(control, Shuffle) else (control % WORD).to_bytes(8, "little") * 8)
                v = divide(x, 1 << 8 * n)[0] * (1 << 8 * s)
            elif op in ("vpsllq", "vpsrlq", "vpsraq"):
                by = args[2].value
                if not 0 < by < 64:
                    raise Unproved("a shift by nothing or by everything")
                if op == "vpsllq":
                    v = x * (1 << by)
                elif op == "vpsrlq":
                    v = divide(divide(x, WORD)[0], 1 << by)[1]
                else:
                    v = divide(divide(x + WORD // 2, WORD)[0] - WORD // 2, 1 << by)[1]
            else:
                y = self.number(args[2])
                if op == "vpaddq":
                    v = x + y
                elif op == "vpsubq":
                    v = x - y
                elif op in ("vpandd", "vpandq"):
                    v = self.masked(x, y)
                else:
                    low, high = divide(divide(x, MADD)[0] * divide(y, MADD)[0], MADD)
                    v = self.number(args[0]) + (low if op == "vpmadd52luq" else high)
            self.z[args[0].number] = v

    def masked(self, x, y):
        """x AND y, of which one is a constant: ones below, or ones above."""
        for x, y in ((x, y), (y, x)):
            if isinstance(y, int):
                y %= WORD
                low = y if y & (y + 1) == 0 else WORD - 1 - y
                if low & (low + 1) == 0:
                    part = self.algebra.divide(x, low + 1)[0]
                    return part if low == y else x - part
        raise Unproved("AND with what is no mask")
