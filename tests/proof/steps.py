"""Reads asm/x86_64/adx/point4.inc: the steps of multiplications as macros, run on polynomials. Its field operations (MUL, LESS, ...) mean what their comments
say; what their instructions do is not looked into."""
import re
from csource import ROOT, CError

PATH = "asm/x86_64/adx/point4.inc"
SECOND = ("sbb rdx, rdx", "ADD_M rdx, r12, r13, r14, r15, rax, rbx")  # R m, where the difference of two products is negative
STEPS = {"scaled_add": "SCALED_ADD", "scaled_dbl": "SCALED_DBL", "xyzz_add": "XYZZ_ADD"}


class Steps:
    def __init__(self):
        with open(f"{ROOT}/{PATH}", encoding="utf-8") as f:
            text = re.sub(r";.*", "", f.read())
        self.defines = dict(re.findall(r"%define (\w+)\s+(\S.*?)\s*\n", text))
        self.macros = {name: [line.strip() for line in body.splitlines() if line.strip()]
                       for name, body in re.findall(r"%macro (\w+) \d+\n(.*?)%endmacro", text, re.S)}

    def step(self, name, words, r, a, b=None):
        """Runs a step: places of r, a and b in memory, as fields.py has them; put and element write and read there."""
        self.words, self.regions, self.slots = words, {"rsi": a, "rdi": b, "r": r}, {}
        self.v = self.wide = None
        self.todo = []
        for line in self.macros[STEPS[name]]:
            self.do(line)
        if self.todo:
            raise CError("a difference of products without what makes it positive")

    def place(self, text):
        """A place in memory, or the number of a slot."""
        while text in self.defines:
            text = self.defines[text]
        if m := re.fullmatch(r"SLOT\((\d+)\)", text):
            return int(m[1])
        m = re.fullmatch(r"(rsi|rdi|r) \+ ([XYZW])", text)
        if not m:
            raise CError(f"no place: {text}")
        at = int(self.defines[m[2]])
        return self.regions[m[1]].moved(8 * self.words * (at // 32))

    def get(self, text):
        place = self.place(text)
        return self.slots[place] if isinstance(place, int) else place.load()

    def put(self, text):
        place, v = self.place(text), self.need(self.v)
        if isinstance(place, int):
            self.slots[place] = v
        else:
            for i in range(self.words):
                place.block.cells[place.at + 8 * i] = v

    @staticmethod
    def need(v):
        if v is None:
            raise CError("registers are read that hold no element")
        return v

    def do(self, line):
        op, _, rest = line.partition(" ")
        args = [x.strip() for x in rest.split(",")] if rest else []
        if self.todo:
            if line != self.todo.pop(0):
                raise CError(f"not what makes a difference of products positive: {line}")
        elif op in ("MUL", "SQR"):
            self.v, self.wide = self.get(args[0]) * self.get(args[-1]), None
        elif op == "PRODUCT":
            self.v, self.wide = None, self.get(args[0]) * self.get(args[1])
        elif op == "REDUCE_8":
            self.v, self.wide = self.need(self.wide), None
        elif op == "STORE_AT":
            self.slots[self.place(args[0])] = self.need(self.wide)
            self.slots[self.place(args[0]) + 1] = None  # eight words
        elif op == "CHAIN":
            if args[:2] != ["sub", "sbb"]:
                raise CError(line)
            self.wide, self.todo = self.need(self.wide) - self.get(args[2]), list(SECOND)
        elif op == "LOAD":
            self.v = self.get(args[0])
        elif op == "LESS":
            self.v, self.wide = self.need(self.v) - self.get(args[0]), None
        elif op == "FROM":
            self.v, self.wide = self.get(args[0]) - self.need(self.v), None
        elif op == "THREE_HALVES":
            self.v, self.wide = (self.need(self.v) * 3).half(), None
        elif op == "PUT":
            self.put(args[0])
        elif op == "PUT_R":
            self.put(f"r + {args[0]}")
        elif op in self.macros and not args:
            for inner in self.macros[op]:
                self.do(inner)
        else:
            raise CError(f"a line that is no step's: {line}")
