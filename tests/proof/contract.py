"""The contracts of dispatch/ops.def in the form that is proved, and the rows of dispatch/kernels.def."""
import os
import re
import sys
from collections import namedtuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path += [f"{ROOT}/ci", f"{ROOT}/src/consts"]
import check_asm  # reads the tables
from params import CURVES

CLASSES = {"field", "lanes", "mont"}  # those whose rows are arithmetic modulo m: each must be proved, or listed in UNPROVED

Row = namedtuple("Row", "symbol unit cls op isa stated")
# What is proved: result * factor is congruent to value(inputs) modulo m; numbers are so many words of radix 2^radix. limits None: for inputs
# below m, and the result is below m; else for inputs with the limits' words at most, and the result has at most the words of most.
Goal = namedtuple("Goal", "m words inputs factor value radix limits most isa", defaults=["x64"])

# What ops.def states, for each operation that can be proved. It must be these words; who changes them there changes the goal here.
STATED = {
    "add": ("residue", "a, b < m", "r = a + b mod m, r < m", "any"),
    "sub": ("residue", "a, b < m", "r = a - b mod m, r < m", "any"),
    "neg": ("residue", "a < m", "r = -a mod m, r < m", "any"),
    "mul": ("residue", "a, b < m", "r = a * b (p521: plain; else a * b / R) mod m, r < m", "any"),
    "sqr": ("residue", "a < m", "r = mul(a, a), r < m", "any"),
    "lanes_mul": ("limbs of 48 bits, lazy", "a, b: limbs up to 4 T_j", "r = a b / F mod m, limbs up to T_j", "any"),
    "lanes_sqr": ("limbs of 48 bits, lazy", "a: limbs up to 4 T_j", "r = a a / F mod m, limbs up to T_j", "any"),
    "lanes_mul2": ("limbs of 48 bits, lazy", "a, b: limbs up to 3 T_j, c, d: up to 2 T_j", "r = (a b + c d) / F mod m, limbs up to T_j", "any"),
}
SIZES = {"lanes_mul": (4, 4), "lanes_sqr": (4,), "lanes_mul2": (3, 3, 2, 2)}  # of the inputs, in T_j
VALUES = {"lanes_mul": lambda a, b: a * b, "lanes_sqr": lambda a: a * a, "lanes_mul2": lambda a, b, c, d: a * b + c * d,
          "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "neg": lambda a: a * -1, "mul": lambda a, b: a * b, "sqr": lambda a: a * a}


def rows():
    """All rows that must be proved or listed."""
    return [Row(symbol, unit, cls, op, isa, tuple(stated[:4]))
            for symbol, ((unit, cls, op, isa, _), stated) in check_asm.contract(ROOT).items() if cls in CLASSES]


def units():
    """{unit: (modulus, words)}"""
    limbs = {n: int(w) for n, _, w in check_asm.table(ROOT, "ops.def", "UNIT(n, c, w)", "#n #c #w")}
    moduli = {name: c.p for name, c in CURVES.items()} | {name + "n": c.n for name, c in CURVES.items()}
    return {n: (m, limbs[n]) for n, m in moduli.items()}


def tight(unit):
    """The bounds T_j of the limbs of lanes."""
    with open(f"{ROOT}/src/consts/{unit}.h", encoding="utf-8") as f:
        limbs = re.search(rf"limbic_{unit}_lanes_tight\[\w+\] = {{([^}}]*)}}", f.read()).group(1)
    return [int(x, 16) for x in re.findall(r"UINT64_C\((\w+)\)", limbs)]


def goal(row):
    """The goal of a row, None where none is written down."""
    if row.cls not in ("field", "lanes") or row.op not in STATED:
        return None
    if row.stated != STATED[row.op]:
        raise ValueError(f"ops.def states another contract of {row.op} than the one that is proved: {row.stated}")
    m, words = units()[row.unit]
    value = VALUES[row.op]
    inputs = value.__code__.co_varnames
    if row.cls == "lanes":
        most = tight(row.unit)
        factor = 1 << 240 if row.unit in ("p256", "sm2") else 1
        return Goal(m, len(most), inputs, factor, value, 48, [[size * t for t in most] for size in SIZES[row.op]], most, row.isa)
    montgomery = row.op in ("mul", "sqr") and row.unit != "p521"
    return Goal(m, words, inputs, 1 << (64 * words) if montgomery else 1, value, 64, None, None, row.isa)
