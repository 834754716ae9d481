#!/usr/bin/env python3
"""Writes the constants of all fields, orders and curves: <unit>.h, units.h (all of these), <curve>_table.inc, tables.h, tables.c, consts.inc (NASM), consts_gas.inc.

gen.py          writes the files next to itself
gen.py --check  exits 1 and names each file that differs from what it would write
"""

import hashlib
import pathlib
import sys

sys.dont_write_bytecode = True
from params import CURVES, PRIMES

GENERATED = "Generated from params.py by gen.py."


class Unit:
    """A prime modulus m as the library sees it: words of 64 bits, residues a R mod m."""

    def __init__(self, name, m, plain=False):
        self.name, self.m = name, m
        self.bits = m.bit_length()
        self.bytes = (self.bits + 7) // 8
        self.limbs = (self.bits + 63) // 64
        self.R = 1 if plain else 2 ** (64 * self.limbs)
        self.twos = (m - 1 & 1 - m).bit_length() - 1
        self.q = m - 1 >> self.twos

    def words(self, a):
        return [a >> 64 * i & 2**64 - 1 for i in range(self.limbs)]

    def residue(self, a):
        return self.words(a * self.R % self.m)

    def n0(self):
        return -pow(self.m, -1, 2**64) % 2**64

    def nonsquare(self):
        return next(z for z in range(2, 1000) if pow(z, self.m // 2, self.m) == self.m - 1)


def units():
    """Field and order of each curve, and the other primes: (unit, curve; None without one)."""
    for name, c in CURVES.items():
        # a Mersenne prime folds: no Montgomery form
        yield Unit(name, c.p, plain=c.p & c.p + 1 == 0), c
        yield Unit(name + "n", c.n), None
    for name, p in PRIMES.items():
        yield Unit(name, p), None


def add(p, s, t):
    """Affine sum of two finite points that are not inverses of each other."""
    (x1, y1), (x2, y2) = s, t
    slope = (3 * (x1 * x1 - 1) * pow(2 * y1, -1, p) if s == t else (y2 - y1) * pow(x2 - x1, -1, p)) % p
    x = (slope * slope - x1 - x2) % p
    return x, (slope * (x1 - x) - y1) % p


def multiple(c, k):
    """k G for 0 < k < n."""
    r = (c.gx, c.gy)
    for bit in bin(k)[3:]:
        r = add(c.p, r, r)
        if bit == "1":
            r = add(c.p, r, (c.gx, c.gy))
    return r


def windows(c, w):
    """Odd k <= n as t signed odd digits of w bits reaches up to 2^(w t) - 1."""
    t = -(-c.n.bit_length() // w)
    assert c.n < 2 ** (w * t)
    return t


def meeting(c):
    """The odd k <= n whose even windows are, as points, equal to its odd ones: sum and difference of these are k and n, so
    it has the digits of n, every other one's sign changed. base_mul of src/curve/lanes.c adds the ones to the others at its end; no sum
    before that has the windows 0 and 1, so that none is n: n has no odd digit modulo 2^(2 w)."""
    w, t = c.base_w, windows(c, c.base_w)
    assert 2**w <= c.n % 4**w <= 4**w - 2**w
    digits = [((c.n | 1 << w * t) >> w * i & 2 ** (w + 1) - 1 | 1) - 2**w for i in range(t)]
    assert sum(d << w * i for i, d in enumerate(digits)) == c.n
    k = abs(sum((-1) ** i * d << w * i for i, d in enumerate(digits)))
    assert k % 2 == 1 and k <= c.n
    return k


def odd_multiples(c, at, count):
    """[j] = (2 j + 1) at"""
    row, double = [at], add(c.p, at, at)
    while len(row) < count:
        row.append(add(c.p, row[-1], double))
    return row


def base_table(c):
    """[i][j] = (2 j + 1) 2^(w (i + 1)) G: the windows above the lowest, which is in the table of odd multiples"""
    at = (c.gx, c.gy)
    for _ in range(windows(c, c.base_w) - 1):
        for _ in range(c.base_w):
            at = add(c.p, at, at)
        yield odd_multiples(c, at, 1 << c.base_w - 1)


def known_scalar(unit, c):
    k = int.from_bytes(hashlib.shake_256(unit.name.encode()).digest(unit.bytes + 8), "big") % c.n
    assert k.bit_length() > c.n.bit_length() - 8
    return k


class Lanes:
    """The form of src/field/lanes.h: limbs of 48 bits, an element a stands as a F, products are a b / F.

    tight: what each limb of a product stays at or below; pad: a multiple of 16 m that keeps columns positive;
    (PAD: the least limbs, the top one); multiple: one whose limbs are tight to 2 tight. tests/kernels/lanes_bounds.c proves that these serve.
    """

    BITS = 48
    CARRY = {"p256": 14, "sm2": 14, "p384": 14, "p521": 16}  # bits of what a limb has above BITS
    PAD = {"p256": (2**52, 2**34), "sm2": (2**61, 2**34), "p384": (2**61, 2**61), "p521": (13 << 59, 13 << 59)}

    def __init__(self, u):
        self.m, name = u.m, u.name
        self.limbs = -(-u.bits // self.BITS)
        self.tight = [2**self.BITS + 2 ** self.CARRY[name]] * (self.limbs - 1)
        self.tight.append(2 ** (u.bits - self.BITS * (self.limbs - 1)) + 2 ** self.CARRY[name])
        montgomery = u.m + 1 & 2**64 - 1 == 0 and u.R != 1
        F = 2 ** (self.BITS * (self.limbs - 1)) if montgomery else 1
        self.one = self.split(F % u.m)
        self.into = self.split(F * F * pow(u.R, -1, u.m) % u.m)
        self.out = self.split(u.R % u.m)
        self.multiple = self.spread(self.tight)
        pad, top = self.PAD[name]
        self.pad = self.spread([pad // 16] * (self.limbs - 1) + [top // 16])

    def split(self, a):
        low = [a >> self.BITS * i & 2**self.BITS - 1 for i in range(self.limbs - 1)]
        return [*low, a >> self.BITS * (self.limbs - 1)]

    def spread(self, least):
        """The smallest multiple of m with limbs of at least these, less than 2^BITS above them below the top."""
        floor = sum(a << self.BITS * i for i, a in enumerate(least))
        return [a + b for a, b in zip(least, self.split(-floor % self.m))]


def lines(items, per_line):
    return [", ".join(items[i : i + per_line]) for i in range(0, len(items), per_line)]


def header(u, c):
    out, prefix = [], f"limbic_{u.name}_"

    def array(name, words, says, limbs="limbs"):
        body = ",\n    ".join(lines([f"UINT64_C(0x{w:016x})" for w in words], 3))
        out.append(f"/* {says} */\nstatic const uint64_t {prefix}{name}[{prefix}{limbs}] = {{\n    {body}}};")

    sizes = dict(bits=u.bits, bytes=u.bytes, limbs=u.limbs, twos=u.twos)
    if c:
        sizes.update(base_w=c.base_w, base_windows=windows(c, c.base_w))
        lanes = Lanes(u)
        sizes.update(lanes_limbs=lanes.limbs)
        sizes.update(prepared_w=c.prepared_w, prepared_windows=windows(c, c.prepared_w), odd_w=c.odd_w)
    out += ["enum {"] + [f"    {prefix}{name} = {value}," for name, value in sizes.items()] + ["};"]
    out.append(f"/* -1/m mod 2^64 */\nstatic const uint64_t {prefix}n0 = UINT64_C(0x{u.n0():016x});")
    array("m", u.words(u.m), "the modulus m")
    array("one", u.residue(1), "residue of 1: R mod m")
    array("rr", u.residue(u.R), "R^2 mod m")
    array("inv_fix", u.residue(u.R**2), "R^3 mod m: 1/(a R) times this is the residue of 1/a")
    array("sqrt_exp", u.words((u.q - 1) // 2), "(q - 1) / 2, m - 1 = 2^twos q")
    z = u.nonsquare()
    array("root", u.residue(pow(z, u.q, u.m)), f"residue of z^q, z = {z} a non-square")
    if c:
        array("b", u.residue(c.b), "residue of b: y^2 = x^3 - 3x + b")
        array("gx", u.residue(c.gx), "residue of G's x")
        array("gy", u.residue(c.gy), "residue of G's y")
        k = known_scalar(u, c)
        x, y = multiple(c, k)
        array("kat_k", u.words(k), "known answer: a scalar k, plain")
        array("kat_x", u.residue(x), "residue of k G's x")
        array("kat_y", u.residue(y), "residue of k G's y")
        k = meeting(c)
        x, y = multiple(c, k)
        array("meeting_k", u.words(k | 1 << c.base_w * windows(c, c.base_w)), "k whose even windows add up to the point of its odd ones, as recode of src/curve/digits.h leaves its words")
        array("meeting_x", u.residue(x), "residue of k G's x")
        array("meeting_y", u.residue(y), "residue of k G's y")

        def limbs(name, limbs, says):
            array(f"lanes_{name}", limbs, f"{says}, limbs of {lanes.BITS} bits as src/field/lanes.h has them", "lanes_limbs")

        limbs("tight", lanes.tight, "the bound of each limb of a product")
        limbs("pad", lanes.pad, "a multiple of m, 16 times which is added to products")
        limbs("multiple", lanes.multiple, "a multiple of m, each limb one to two times the bound")
        limbs("one", lanes.one, "1")
        limbs("in", lanes.into, "a residue times this is the form of the lanes")
        limbs("out", lanes.out, "the form of the lanes times this is a residue")
    return c_header(u.name, ["#include <stdint.h>", "", *out])


def c_header(name, body):
    guard = f"LIMBIC_CONSTS_{name.upper()}_H"
    top = [f"/* {GENERATED} */", "/* clang-format off */", f"#ifndef {guard}", f"#define {guard}", ""]
    return "\n".join([*top, *body, "", "#endif", ""])


def table_types(name):
    p = f"limbic_{name}_"
    yield f"const uint64_t\n    {p}base[{p}base_windows - 1][1 << ({p}base_w - 1)][2 * {p}limbs]"
    yield f"const uint64_t\n    {p}odd[1 << ({p}odd_w - 2)][2 * {p}limbs]"


def rows(u, macro, points, first=0):
    for j, (x, y) in enumerate(points, first):
        words = [f"0x{w:x}" for w in u.residue(x) + u.residue(y)]
        yield f"{macro}{j}," + ",\n".join(line.replace(" ", "") for line in lines(words, 5)) + ")"


def table_rows(u, c):
    """The points as calls of macros, so that each array of them takes what it wants in the order that it wants."""
    low, odd = 1 << c.base_w - 1, odd_multiples(c, (c.gx, c.gy), 1 << c.odd_w - 2)
    out = [f"/* {GENERATED} */", "/* clang-format off */"]
    out += ["/* ODD(j, x, y): (2 j + 1) G; LOW(j, x, y): the same, of the lowest window; BASE(i, j, x, y): (2 j + 1) 2^(base_w i) G. */"]
    out += rows(u, "LOW(", odd[:low])
    out += rows(u, "ODD(", odd[low:], low)
    for i, row in enumerate(base_table(c), 1):
        out += rows(u, f"BASE({i},", row)
    return "\n".join([*out, ""])


def tables_source(names):
    out = [f"/* {GENERATED} */", "/* clang-format off */", '#include "consts/tables.h"', ""]
    base = ["BASE(i, j, ...) [i - 1][j] = {__VA_ARGS__},", "LOW(j, ...)", "ODD(j, ...)"]
    odd = ["BASE(i, j, ...)", "LOW(j, ...) [j] = {__VA_ARGS__},", "ODD(j, ...) [j] = {__VA_ARGS__},"]
    for array, macros in enumerate((base, odd)):
        out += [f"#define {m}" for m in macros]
        for name in names:
            out += [f"{list(table_types(name))[array]} = {{", f'#include "consts/{name}_table.inc"', "};"]
        out += [f"#undef {m.split('(')[0]}" for m in macros]
    return "\n".join([*out, ""])


def tables_header(names):
    body = [f'#include "consts/{name}.h"' for name in names]
    body += ["", "/* Affine x, y, residues: odd[j] of (2 j + 1) G, base[i][j] of (2 j + 1) 2^(base_w (i + 1)) G. */"]
    body += [f"extern {t}\n    __attribute__((aligned(64)));" for name in names for t in table_types(name)]
    return c_header("tables", body)


def definitions(comment, define):
    """For an assembler's preprocessor."""
    out = [comment]
    for u, _ in units():
        name = u.name.upper()
        out += [f"{define} {name}_M{i} 0x{w:016x}" for i, w in enumerate(u.words(u.m))]
        out.append(f"{define} {name}_N0 0x{u.n0():016x}")
    return "\n".join(out + [""])


def files():
    for u, c in units():
        yield f"{u.name}.h", header(u, c)
        if c:
            yield f"{u.name}_table.inc", table_rows(u, c)
    yield "units.h", c_header("units", [f'#include "consts/{u.name}.h"' for u, _ in units()])
    yield "tables.h", tables_header(list(CURVES))
    yield "tables.c", tables_source(list(CURVES))
    yield "consts.inc", definitions(f"; {GENERATED}", "%define")
    yield "consts_gas.inc", definitions(f"/* {GENERATED} */", "#define")


def main(args):
    here, differ = pathlib.Path(__file__).resolve().parent, []
    if args not in ([], ["--check"]):
        sys.exit(__doc__)
    for name, text in files():
        path = here / name
        if not args:
            path.write_text(text)
        elif not path.is_file() or path.read_text() != text:
            differ.append(name)
    for name in differ:
        print(f"{here / name} is not what gen.py makes of params.py", file=sys.stderr)
    sys.exit(bool(differ))


if __name__ == "__main__":
    main(sys.argv[1:])
