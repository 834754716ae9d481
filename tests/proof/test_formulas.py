#!/usr/bin/env python3
"""Checks the point formulas of src/curve/engine.c and asm/x86_64/adx/point4.inc: as polynomials, they are the group law of y^2 = x^3 - 3x + b, and where
they are not (equal or opposite points, infinity), they give what the callers look for. test_formulas.py COMPILER"""
import argparse
import itertools
import re
import sys
import mutate
from algebra import Poly, multiple_of, variables
from csource import CError
from fields import ONES, UNITS, Engine
from steps import STEPS, Steps

x1, y1, z1, x2, y2, z2, s, f, x3, y3, z3, z4 = variables("x1 y1 z1 x2 y2 z2 s f x3 y3 z3 z4")
H, R = x2 - x1, y2 - y1
SCALES = {"z1", "z2", "z3", "z4", "s", "f"}  # variables that are not 0
EQUAL, OPPOSITE = {"x2": x1, "y2": y1}, {"x2": x1, "y2": -y1}
ISAS = (("c", ()), ("c", ("LIMBIC_NO_INT128",)), ("adx", ()), ("a64", ()))
PAIRS = ((x1, y1), (x2, y2))


class Wrong(Exception):
    """A formula does not do what it should."""


def require(ok, what):
    if not ok:
        raise Wrong(what)


def scaled_by(p, factor):
    """Is p the factor times a monomial in what is not 0?"""
    return multiple_of(p, factor) and all({v for v, _ in m} <= SCALES | {v for n in factor.terms for v, _ in n} for m in p.terms) and \
        (len(factor.terms) > 1 or all(v in SCALES or (v, e) in next(iter(factor.terms)) for m in p.terms for v, e in m))


def nonzero(*factors):
    """For Engine.nonzero: these are not 0, nor what is a scale times them."""
    return lambda p: any(scaled_by(p, g) for g in (Poly.of(1), *factors))


def is_sum(x, y, zz, zzz, p=PAIRS[0], q=PAIRS[1]):
    """(x / zz, y / zzz) = p + q by the chord, multiplied out."""
    h, r = q[0] - p[0], q[1] - p[1]
    hh = h * h
    require(x * hh == zz * (r * r - (p[0] + q[0]) * hh), "x is not that of the sum")
    require(y * (hh * h) == zzz * (r * ((p[0] * 2 + q[0]) * hh - r * r) - p[1] * (hh * h)), "y is not that of the sum")


def is_double(x, y, zz, zzz, p=PAIRS[0]):
    """(x / zz, y / zzz) = 2 p by the tangent, with the curve's -3."""
    n, d = (p[0] * p[0] - 1) * 3, p[1] * 2
    dd = d * d
    require(x * dd == zz * (n * n - p[0] * 2 * dd), "x is not that of the double")
    require(y * (dd * d) == zzz * (n * (p[0] * 3 * dd - n * n) - p[1] * (dd * d)), "y is not that of the double")


def of_form(form, p, z):
    """A point's coordinates."""
    x, y = p
    return {"affine": [x, y], "jacobian": [x * z**2, y * z**3, z], "xyzz": [x * z**2, y * z**3, z**2, z**3],
            "scaled": [x * (s * z) ** 2, y * (s * z) ** 3, z, (s * z) ** 4]}[form]


def scales(form, r):
    """zz and zzz of a result; what the form demands of the rest holds."""
    if form == "xyzz":
        require(r[2] ** 3 == r[3] ** 2, "zz^3 is not zzz^2")
        return r[2], r[3]
    z = r[2] * s if form == "scaled" else r[2]
    if form == "scaled":
        require(r[3] == z**4, "w is not z^4")
    return z**2, z**3


def aliases(engine, a, b=None):
    """Places of r, a and b: apart, r = a, r = b."""
    fresh = lambda p: engine.memory(*p, *[None] * (4 - len(p)))
    for overlap in ("", "a", "b") if b else ("", "a"):
        pa, pb = fresh(a), fresh(b or [])
        yield {"": fresh([]), "a": pa, "b": pb}[overlap], pa, pb


# Each check takes an engine, and raises Wrong or CError.


def doubling(engine):
    for r, a, _ in aliases(engine, of_form("jacobian", PAIRS[0], z1)):
        engine.run("point_dbl", r, a)
        r = engine.read(r, 3)
        is_double(r[0], r[1], *scales("jacobian", r))
        require(scaled_by(r[2], y1), "z is not y times something: it may be 0 for a finite point")
    for r, a, _ in aliases(engine, [x1, y1, Poly()]):
        engine.run("point_dbl", r, a)
        require(engine.read(r, 3)[2] == 0, "twice infinity is not infinity")


def steps(engine):
    for r, a, _ in aliases(engine, of_form("scaled", PAIRS[0], z1)):
        engine.run("scaled_dbl", r, a)
        r = engine.read(r, 4)
        is_double(r[0], r[1], *scales("scaled", r))
        require(scaled_by(r[2], y1), "z of a double is not y times something")
    for r, a, _ in aliases(engine, [x1, y1, Poly(), Poly()]):
        engine.run("scaled_dbl", r, a)
        require(engine.read(r, 3)[2] == 0, "twice infinity is not infinity")
    for name, form, b in (("scaled_dbl", "scaled", ()), ("dbl", "jacobian", ()), ("xyzz_add", "xyzz", PAIRS[1])):  # as the multiplications call them
        a = engine.memory(*of_form(form, PAIRS[0], z1))
        other = engine.memory(*b) if b else a
        engine.machine.call(name, *[other, a] if name == "dbl" else [a, other] if b else [a])
        r = engine.read(a, len(of_form(form, PAIRS[0], z1)))
        (is_sum if b else is_double)(r[0], r[1], *scales(form, r))
        require(scaled_by(r[2], H * H if b else y1), f"{name}: z may be 0")
    for form, step in (("scaled", "scaled_add"), ("xyzz", "xyzz_add")):
        second = [x2 * s**2, y2 * s**3] if form == "scaled" else [x2, y2]
        for r, a, b in aliases(engine, of_form(form, PAIRS[0], z1), second):
            engine.run(step, r, a, b)
            r = engine.read(r, 4)
            is_sum(r[0], r[1], *scales(form, r))
            exceptions(r[0], r[2], H * H if form == "xyzz" else H)
        infinity = [x1, y1, Poly(), Poly()]
        for r, a, b in aliases(engine, infinity, second):
            engine.run(step, r, a, b)
            require(engine.read(r, 4)[2:] == [0, 0], "z of infinity and a point is not 0, as callers need where it stays")


def exceptions(x, z, h):
    """z = 0 for equal and opposite x alone; then x = 0 tells equal points from opposite ones."""
    require(scaled_by(z, h), "z is not the difference of x times something")
    require(x.put(EQUAL) == 0, "x is not 0 for equal points")
    require(scaled_by(x.put(OPPOSITE), y1 * y1), "x may be 0 for opposite points")


def additions(engine):
    """point_add is right for any two points; r may be either."""
    one, two = of_form("jacobian", PAIRS[0], z1), of_form("jacobian", PAIRS[1], z2)
    same, minus = of_form("jacobian", PAIRS[0], z2), of_form("jacobian", (x1, -y1), z2)
    # Infinity, as formulas leave it and as it is made: all 0.
    infinities = [x3, y3, Poly()], [Poly()] * 3

    def sum_of(a, b, *factors):
        engine.nonzero = nonzero(*factors)
        for r, pa, pb in aliases(engine, a, b):
            engine.run("point_add", r, pa, pb)
            yield engine.read(r, 3)
    for r in sum_of(one, two, H):
        is_sum(r[0], r[1], *scales("jacobian", r))
        require(scaled_by(r[2], H), "z may be 0 for points that are not opposite")
    for r in sum_of(one, same):
        is_double(r[0], r[1], *scales("jacobian", r))
        require(scaled_by(r[2], y1), "z may be 0 for equal points")
    for r in sum_of(one, minus, y1):
        require(r[2] == 0, "the sum of opposite points is not infinity")
    for none in infinities:
        for a, b, want in ((one, none, one), (none, two, two), (none, none, none)):
            for factors in ((y1, y2, x1, x2, x3, y3), (y1, y2)):  # x may be 0
                if factors[2:] or none[0] == 0:
                    for r in sum_of(a, b, *factors):
                        require(r == want if want is not none else r[2] == 0, "infinity is not neutral")


def conversions(engine):
    memory, read = engine.memory, engine.read
    for form in ("xyzz", "jacobian"):
        r = memory(*[None] * 4)
        engine.run(f"{form}_from_affine", r, memory(x1, y1))
        require(read(r, 3)[:2] == [x1, y1] and all(z == 1 for z in read(r, 4 if form == "xyzz" else 3)[2:]), f"{form}_from_affine")
    r = memory(*[None] * 3)
    engine.run("xyzz_to_jacobian", r, memory(*of_form("xyzz", PAIRS[0], z1)))
    r = read(r, 3)
    require(r[0] == x1 * r[2] ** 2 and r[1] == y1 * r[2] ** 3 and scaled_by(r[2], Poly.of(1)), "xyzz_to_jacobian is another point")
    engine.run("xyzz_to_jacobian", r := memory(*[None] * 3), memory(x1, y1, 0, 0))
    require(read(r, 3)[2] == 0, "xyzz_to_jacobian of infinity is finite")
    for mask, sign in ((0, 1), (ONES, -1)):
        engine.run("negate_if", r := memory(y1), mask)
        require(read(r, 1)[0] == y1 * sign, "negate_if")
    engine.nonzero = nonzero()
    for z, want, finite in ((z1, [x1, y1], 1), (Poly(), [0, 0], 0)):
        got = engine.run("to_affine", r := memory(None, None), memory(*([x1 * z**2, y1 * z**3] if finite else [x1, y1]), z))
        require((got + 0) % 2**64 == finite and read(r, 2) == want, "to_affine")
    for infinite in itertools.product((0, 1), repeat=3):
        points = []
        for (x, y), z, gone in zip((*PAIRS, (x3, y3)), (z1, z2, z3), infinite):
            points += [x, y, Poly()] if gone else [x * z**2, y * z**3, z]
        r = memory(*[None] * 6)
        engine.run("to_affine_many", r, memory(*points), 3, f"limbic_{engine.unit}_inv_c")
        want = [c for (x, y), gone in zip((*PAIRS, (x3, y3)), infinite) for c in ([0, 0] if gone else [x, y])]
        require(read(r, 6) == want, "to_affine_many")


def tables(engine):
    """odd_multiples: its first step from the true double; then a step of its loop, from any two points with one z, and another from what that left."""
    memory, read = engine.memory, engine.read
    q, t, z = memory(*of_form("jacobian", PAIRS[0], z1)), memory(*[None] * 8), memory(*[None] * 4)
    engine.run("odd_multiples", t, z, q, 1)
    first, at = read(t, 2), read(z, 1)[0]
    require(first == [x1 * at**2, y1 * at**3] and scaled_by(at, y1), "the first entry is not q")
    own = engine.machine.meanings

    def double(r, a):  # instead of the true double: a point (x2, y2) that has nothing to do with q; its z is what the first entry got
        for i, p in enumerate((x2 * at**2, y2 * at**3, at)):
            engine.put(r.moved(8 * engine.words * i), p)
    engine.machine.meanings = {**own, "dbl": double}
    try:
        engine.run("odd_multiples", t, z, q, 3)
    finally:
        engine.machine.meanings = own
    require(len(t.block.cells) == 6 * engine.words and len(z.block.cells) == 3 * engine.words, "odd_multiples writes more than it should")
    t, z = read(t, 6), read(z, 3)
    for i in (1, 2):
        two = (x2 * z[0] ** 2, y2 * z[0] ** 3) if i == 1 else (x2 * (z[0] * z[1]) ** 2, y2 * (z[0] * z[1]) ** 3)
        last = t[2 * i - 2], t[2 * i - 1]
        is_sum(t[2 * i], t[2 * i + 1], z[i] ** 2, z[i] ** 3, last, two)  # on the curve where last and two are affine
        require(z[i] in (two[0] - last[0], last[0] - two[0]), "z is not the difference of x")
    # scale_multiples: all z become the same
    t, fm = memory(x1, y1, x2, y2, x3, y3), memory(f)
    engine.run("scale_multiples", t, fm, memory(z1, z2, z3), 3)
    want = [x1 * (f * z2 * z3) ** 2, y1 * (f * z2 * z3) ** 3, x2 * (f * z3) ** 2, y2 * (f * z3) ** 3, x3 * f**2, y3 * f**3]
    require(read(t, 6) == want and read(fm, 1)[0] == f * z1 * z2 * z3, "scale_multiples")


def public(engine):
    """Additions that branch: right for any two points."""
    scaled = not engine.has("scaled_add")  # what double_mul_vartime's sums are
    form = "scaled" if scaled else "jacobian"
    for name, form in (("running_add_vartime", form), ("xyzz_add_vartime", "xyzz")):
        size = 3 if form == "jacobian" else 4
        for case, b in (("sum", PAIRS[1]), ("double", PAIRS[0]), ("none", (x1, -y1)), ("first", PAIRS[1]), ("zero", PAIRS[1])):
            a = ([x1, y1, Poly(), Poly()][:size] if case == "first" else [Poly()] * size if case == "zero" else
                 [c.put({"s": Poly.of(1)}) for c in of_form(form, PAIRS[0], z1)])
            at = engine.memory(*a)
            engine.nonzero = nonzero(H, H * H, y1, y1 * y1)
            engine.run(name, at, engine.memory(*b))
            r = engine.read(at, size)
            if case == "none":
                require(r[2] == 0, f"{name}: the sum of opposite points is not infinity")
                continue
            r[3:] = [w * s**4 for w in r[3:]] if form == "scaled" else r[3:]
            zz, zzz = scales(form, r)
            zz, zzz = zz.put({"s": Poly.of(1)}), zzz.put({"s": Poly.of(1)})
            if case == "sum":
                is_sum(r[0], r[1], zz, zzz)
            elif case == "double":
                is_double(r[0], r[1], zz, zzz)
                require(scaled_by(zz, y1 * y1), f"{name}: z may be 0 for equal points")
            else:
                require(r[0] == x2 * zz and r[1] == y2 * zzz and scaled_by(zz, Poly.of(1)), f"{name}: infinity is not neutral")


CHECKS = (doubling, steps, additions, conversions, tables, public)


def engines(compiler):
    """All variants that differ."""
    at = Steps()
    for unit in UNITS:
        for isa, more in ISAS:
            if more and unit not in ("p256", "sm2"):
                continue  # the products of four words alone depend on it
            engine = Engine(compiler, unit, isa, more)
            engine.steps = at
            for step in STEPS:
                if not engine.has(step):  # a kernel
                    engine.machine.meanings[engine.name(step)] = lambda r, a, b=None, step=step, words=engine.words: at.step(step, words, r, a, b)
            yield engine, f"{unit} {isa} {' '.join(more)}".strip()


def run(compiler):
    """[what is wrong], and how many checks passed."""
    faults, passed = [], 0
    for engine, name in engines(compiler):
        for check in CHECKS:
            engine.nonzero = nonzero(H)
            try:
                check(engine)
                passed += 1
            except (Wrong, CError, KeyError) as e:
                faults.append(f"{name}, {check.__name__}: {e}")
    return faults, passed


# Faults that are none: what a unit does not have, or where both ways are right.
FINE = (r"^twice: .*limbic_mod_twice", r"-2, -1 of p256_product_sum", r"^dbl_mul_less_sqr: [02] for 1", r" for 1 after (n , n|p -> [xyz]|yy , yy) ,$",
        r"^to_affine_many: neg for copy", r"pick_point \( r , b_inf",
        r"^odd_multiples: arguments -2, -1 of add")
MUTATED = ("mul sqr add sub twice neg half copy pick negate_if dbl_mul_less_sqr chord_x chord_y affine_chord tangent scaled_dbl dbl xyzz_add equal_mask add_distinct pick_point "
           "add_complete xyzz_from_affine xyzz_to_jacobian jacobian_from_affine odd_multiples scale_multiples running_from_affine running_add running_dbl running_add_vartime "
           "xyzz_add_vartime to_affine_many").split()
OPS = "point_dbl scaled_dbl scaled_add xyzz_add point_add to_affine".split()


def finds(checks, engine):
    """A function that says whether the checks find a fault."""
    def found():
        for check in checks:
            engine.nonzero, engine.machine.scopes = nonzero(H), []
            try:
                check(engine)
            except (Wrong, CError, KeyError, TypeError, AttributeError, IndexError, ValueError):
                return True
        return False
    return found


def mutants(compiler, every):
    """Faults in the functions of engine.c and in the lines of point4.inc: [those that the checks do not find], how many they find."""
    left, count = [], 0
    for engine, name in engines(compiler):
        source = engine.machine.unit
        if name == "p256 c":
            names = [n for n in MUTATED + [engine.name(op) for op in OPS] if n in source.functions]
            left, count = mutate.survivors(source, names, finds(CHECKS, engine), True, every, FINE)
        if name != "p256 adx":
            continue
        macros, number = engine.steps.macros, 0
        for step in ("XYZZ_ADD", "SCALED_ADD", "SCALED_DBL", "X3", "Y3", "SUBTRAHEND", "RR_LESS_HHH"):
            lines = macros[step]
            for i, line in enumerate(lines):
                op, _, rest = line.partition(" ")
                other = {"MUL": f"PRODUCT {rest}", "LESS": f"FROM {rest}", "FROM": f"LESS {rest}", "SQR": f"LOAD {rest}, rax", "PUT": "PUT SLOT(9)",
                         "LOAD": f"LESS {rest.split(',')[0]}"}
                for changed in ([], [other.get(op)], [line.replace("X", "Y")], [line.replace("rsi", "rdi")], [line.replace("HHH", "HH")]):
                    if changed and changed[0] in (None, line) or re.fullmatch(r"%define.*", line):
                        continue
                    number += 1
                    if number % every:
                        continue
                    macros[step], count = lines[:i] + changed + lines[i + 1:], count + 1
                    if not finds((steps,), engine)():
                        left.append(f"{step}: {changed} for {line}")
            macros[step] = lines
    return left, count


def report(name, checked, mutated):
    """Prints and ends a test: what run() and mutants() gave."""
    (faults, passed), (left, count) = checked, mutated
    faults = faults + [f"{what}: this fault is not found" for what in left]
    for fault in faults:
        print(f"FAILED: {fault}")
    print(f"{count} faults put into {name}")
    print(f"{passed + count - len(left)} passed, {len(faults)} failed, 0 skipped")
    sys.exit(bool(faults or not passed or not count))


def arguments(every=10):
    """The command line: the compiler, and which part of the faults to try."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=every, help="of the faults, every so many are tried")
    parser.add_argument("compiler")
    return parser.parse_args()


if __name__ == "__main__":
    given = arguments()
    report("formulas", run(given.compiler), mutants(given.compiler, given.every))
