"""What the fronts share: what they compute with, and a machine's memory and return.

What a front does not know can't be proved: an unknown opcode or operand is an error, and so are a flag or register that nothing has
defined, an access outside the operands and the function's own stack, and an input read after the result was begun (so that a proof holds
for every overlap of the operands)."""
from collections import namedtuple
from core import Poly, Unproved, terms_of

Reg = namedtuple("Reg", "name width")
Imm = namedtuple("Imm", "value")
Pointer = namedtuple("Pointer", "region offset")  # region: an operand, "stack" or a register of the caller's
Instruction = namedtuple("Instruction", "at op args")


class Numbers:
    """What Machine computes with: whole numbers."""
    @staticmethod
    def divide(e, m):
        return e % m, e // m

    @staticmethod
    def mask(x, y, ones):
        return x & y

    @staticmethod
    def union(x, y):
        return x | y


class Symbols:
    """Or polynomials in a system's atoms."""
    def __init__(self, system):
        self.system, self.divide = system, system.divide

    def bit(self, x):
        """x where it is 0 or 1, else None."""
        lo, hi = self.system.range(x)
        return self.system.remainder(x, 2) if lo >= 0 and hi <= 4 and self.system.at_most(x, 1, {}, self.system.carries(x)) else None

    def mask(self, x, y, ones):
        """x AND y where one of them is all ones times a polynomial that is 0 or 1, or both are bits."""
        for x, y in ((x, y), (y, x)):
            bit = self.system.as_mask(x, ones) if isinstance(x, Poly) else None
            if bit is not None:
                return bit * y
        bits = self.bit(x), self.bit(y)
        if None not in bits:
            return self.system.remainder(bits[0] * bits[1], 2)
        raise Unproved("AND of what is no mask")

    def union(self, x, y):
        """x OR y where the one has no bits but below all of the other's, or one of them is 0 and the other 0 or 1."""
        for x, y in ((x, y), (y, x)):
            lo, hi = self.system.range(y)
            if lo >= 0 and all(c % (1 << hi.bit_length()) == 0 for c in terms_of(x).values()):
                return x + y
        both = self.bit(x + y) if min(self.system.range(x) + self.system.range(y)) >= 0 else None
        if both is not None:
            return both
        raise Unproved("OR of words that may have bits in common")


class Machine:
    """Registers and memory hold words (numbers or polynomials) or pointers. Memory is words of 64 bits at whole distances from a region's
    beginning. A front says what an instruction does to them, in step, and which registers there are."""

    REGISTERS, SAVED = (), ()  # all, and those that a callee gives back
    ARGUMENTS = ()  # in the order of the function's operands
    STACK = None  # the stack pointer
    RED_ZONE = 0  # bytes below the stack pointer that signal handlers leave alone
    CELL = 8  # bytes from one word of an operand to the next

    def __init__(self, algebra, inputs, output):
        """inputs: {region: [words]}; output: (region, number of words)."""
        self.algebra, self.output = algebra, output
        self.regs = dict.fromkeys(self.REGISTERS)
        self.regs.update({r: Pointer(r, 0) for r in self.SAVED})
        self.regs[self.STACK] = Pointer("stack", 0)
        self.memory = {(region, self.CELL * i): w for region, words in inputs.items() for i, w in enumerate(words)}
        self.written = set()

    def run(self, code):
        for i, instruction in enumerate(code):
            try:
                if instruction.op == "ret" and not instruction.args:
                    return self.leave(code[i + 1:])
                self.step(instruction.op, instruction.args)
            except Unproved as e:
                raise type(e)(f"{instruction.at:x}: {instruction.op}: {e}") from None
        raise Unproved("the code has no end")

    def leave(self, rest):
        """The return: what the ABI and the contract want of the registers and the memory."""
        if rest:
            raise Unproved("code after the return")
        if self.regs[self.STACK] != Pointer("stack", 0):
            raise Unproved("the stack pointer is not restored")
        for r in self.SAVED:
            if self.regs[r] != Pointer(r, 0):
                raise Unproved(f"{r} is not restored")
        region, words = self.output
        cells = [(region, self.CELL * i) for i in range(words)]
        if self.written != set(cells):
            raise Unproved("not every word of the result is written")
        return [self.word(self.memory[c]) for c in cells]

    @staticmethod
    def word(v):
        if v is None:
            raise Unproved("a register that nothing has defined")
        if isinstance(v, Pointer):
            raise Unproved("arithmetic on a pointer")
        return v

    # Memory

    def check_stack(self, offset):
        """The word at the offset is the function's own: below the return address, and not below the red zone."""
        if not self.regs[self.STACK].offset - self.RED_ZONE <= offset <= -8:
            raise Unproved("not the function's own stack")

    def load(self, where):
        region, offset = where
        if region == "stack":
            self.check_stack(offset)
        elif region != self.output[0] and self.written:
            raise Unproved("an input is read after the result was begun: it may overlap")
        if where not in self.memory:
            raise Unproved(f"read of {region} at {offset}, which is no operand's word or was never written")
        return self.memory[where]

    def store(self, where, v):
        region, offset = where
        if offset % 8:
            raise Unproved("a word across two words")
        if region == "stack":
            self.check_stack(offset)
        elif region == self.output[0] and 0 <= offset < 8 * self.output[1]:
            self.word(v)
            self.written.add(where)
        else:
            raise Unproved(f"write to {region} at {offset}")
        self.memory[where] = v

    def move_stack(self, pointer):
        """What leaves the red zone is lost."""
        if not isinstance(pointer, Pointer) or pointer.region != "stack":
            raise Unproved("the stack pointer points elsewhere")
        for where in [w for w in self.memory if w[0] == "stack" and w[1] < pointer.offset - self.RED_ZONE]:
            del self.memory[where]
