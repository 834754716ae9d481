#!/usr/bin/env python3
"""Checks src/curve/lanes.c: its point formulas as polynomials, as test_formulas.py does those on one, and the sizes of elements through whole multiplications,
call by call: that each product, sum and difference gets what src/field/lanes.h demands, which tests/kernels/lanes_bounds.c proves to
be enough. test_lanes.py COMPILER"""
import mutate
from algebra import Poly
from csource import CError
from fields import UNITS, Element, Lanes, joined
from test_formulas import (PAIRS, H, R, Wrong, arguments, exceptions, is_double, is_sum, nonzero, of_form, report, require, scaled_by, scales, x1, x2,
                           x3, y1, y2, y3, z1, z2, z3, z4)

TWO = 2  # of an affine point's y


def tight(e, *values):
    return [Element(1, v) for v in values]


def affine(e, p, residues):
    """A point as tables have it: y may have had its sign changed; residues differ by a factor from what lanes stand for."""
    g = e.factor ** -1 if residues else Poly.of(1)
    return [Element(1, p[0] * g), Element(TWO, p[1] * g)]


def result(e, at, count, most=(1, 1, 1, 1)):
    """Values, whose sizes must be what the next step takes."""
    r = e.read(at, count)
    require(all(x.size <= t for x, t in zip(r, most)), f"sizes {[x.size for x in r]} of a point, of which at most {most[:count]} go on")
    return [x.values for x in r]


def xyzz(e, p, z):
    x, y, zz, zzz = of_form("xyzz", p, z)
    return [x, y, zz * e.factor, zzz * e.factor]


def xyzz_scales(e, r):
    g = e.factor ** -1
    return scales("xyzz", [r[0], r[1], r[2] * g, r[3] * g])


def doubling(e):
    e.run("dbl", a := e.memory(*tight(e, *of_form("jacobian", PAIRS[0], z1))))
    r = result(e, a, 3)
    is_double(r[0], r[1], *scales("jacobian", r))
    require(scaled_by(r[2], y1), "z of a double is not y times something")
    e.run("dbl", a := e.memory(*tight(e, x1, y1, Poly())))
    require(result(e, a, 3)[2] == 0, "twice infinity is not infinity")


def meet(e, c, equal):
    """chord_equal_mask of what an addition left."""
    got = e.run("chord_equal_mask", c)
    require(got == (255 if equal else 0), "chord_equal_mask")


def additions(e):
    e.nonzero = nonzero(H, y1, -y1, R)
    for residues in (0, 1):
        for case, q in (("sum", PAIRS[1]), ("equal", PAIRS[0]), ("opposite", (x1, -y1)), ("infinity", PAIRS[1])):
            c = e.memory(*[None] * 5)
            form = of_form("jacobian", PAIRS[0], z1) if case != "infinity" else [x1, y1, Poly()]
            e.run("add_affine", a := e.memory(*tight(e, *form)), e.memory(*affine(e, q, residues)), c, residues)
            r = result(e, a, 3)
            if case == "sum":
                is_sum(r[0], r[1], *scales("jacobian", r))
                exceptions(r[0], r[2], H)
            else:
                require(r[2] == 0, "z is not 0")
            if case != "infinity":
                meet(e, c, case == "equal")
    for case, q in (("sum", PAIRS[1]), ("equal", PAIRS[0]), ("opposite", (x1, -y1)), ("infinity", PAIRS[1])):
        c = e.memory(*[None] * 5)
        form = xyzz(e, PAIRS[0], z1) if case != "infinity" else [x1, y1, Poly(), Poly()]
        e.run("xyzz_add", a := e.memory(*tight(e, *form)), e.memory(*affine(e, q, 1)), c)
        r = result(e, a, 4)
        if case == "sum":
            is_sum(r[0], r[1], *xyzz_scales(e, r))
            exceptions(r[0], r[2], H * H)
        else:
            require(r[2] == 0, "zz is not 0")
        if case != "infinity":
            meet(e, c, case == "equal")


def conversions(e):
    e.run("xyzz_from_residues", r := e.memory(*[None] * 4), e.memory(*affine(e, PAIRS[0], 1)))
    r = result(e, r, 4)
    zz, zzz = xyzz_scales(e, r)
    require(r[0] == x1 * zz and r[1] == y1 * zzz, "xyzz_from_residues is another point")
    e.run("xyzz_from_two", r := e.memory(*[None] * 4), e.memory(*affine(e, PAIRS[0], 1)), e.memory(*affine(e, PAIRS[1], 1)), e.memory(*[None] * 5))
    r = result(e, r, 4)
    is_sum(r[0], r[1], *xyzz_scales(e, r))
    require(scaled_by(r[2], H * H), "zz of a sum may be 0")
    for form, sign in ((xyzz(e, PAIRS[0], z1), 1), ([x1, y1, Poly(), Poly()], 0)):
        e.run("xyzz_to_jacobian", r := e.memory(*[None] * 3), e.memory(*tight(e, *form)))
        r = result(e, r, 3)
        require(r[0] == x1 * r[2] ** 2 and r[1] == y1 * r[2] ** 3 and scaled_by(r[2], Poly.of(1)) if sign else r[2] == 0, "xyzz_to_jacobian")
    e.run("jacobian_from_affine", r := e.memory(*[None] * 3), e.memory(*tight(e, x1, y1)))
    require(result(e, r, 3) == [x1, y1, 1], "jacobian_from_affine")
    for mask in (0, 255, 0x35):
        signs = [-1 if mask >> i & 1 else 1 for i in range(8)]
        e.run("negate_if", r := e.memory(*tight(e, y1)), mask)
        y, = e.read(r, 1)
        require(y.size <= TWO and [v * sign for v, sign in zip(y.each(), signs)] == [y1] * 8, "negate_if")
        e.run("replace_by_twice", r := e.memory(*tight(e, x2, y2, z2)), mask, e.memory(*tight(e, x1, y1)))
        r = e.read(r, 3)
        for i, sign in enumerate(signs):
            p = [v.each()[i] for v in r]
            if sign < 0:
                is_double(p[0], p[1], *scales("jacobian", p))
            else:
                require(p == [x2, y2, z2], "replace_by_twice changes another lane")


def quads(e, points):
    """A quad of four points, lane by lane."""
    zz, zzz = [z**2 for _, _, z in points], [z**3 for _, _, z in points]
    return [Element(3, [x * k for (x, _, _), k in zip(points, zz)] + [y * k for (_, y, _), k in zip(points, zzz)]), Element(1, zz + zzz)]


def joins(e):
    """In each quad the points 0 and 2 become their sum, and 1 and 3 theirs."""
    a, b, c, d = (x1, y1, z1), (x3, y3, z3), (x2, y2, z2), (x1 + 1, y2 + 1, z4)
    for n, points in ((1, [a, b, c, d]), (2, [b, c, d, a])):
        given = quads(e, [a, b, c, d])
        given += quads(e, points) if n == 2 else []
        e.run("join", q := e.memory(*given), n)
        for j in range(n):
            four = points if j == 1 or n == 1 else [a, b, c, d]
            xy, z = e.read(q.moved(128 * e.limbs * j), 2)
            require(xy.size <= 3 and z.size <= 1, "a quad is larger than the next join takes")
            for i, v in enumerate((0, 0, 1, 1)):
                p, o = four[v], four[v + 2]
                zz, zzz = z.each()[i], z.each()[i + 4]
                require(zz**3 == zzz**2, "zz^3 is not zzz^2")
                is_sum(xy.each()[i], xy.each()[i + 4], zz, zzz, p[:2], o[:2])
                require(scaled_by(zz, (o[0] - p[0]) ** 2), "zz of a sum may be 0")


def tables(e):
    """odd_multiples, a step of its loop from any two points with one z; then the common z."""
    first = {}

    def double(a):  # (x2, y2) with the z that the double of q has
        require([v.values for v in e.read(a, 3)] == [x1, y1, 1], "what is doubled is not q")
        at = e.memory(*tight(e, *of_form("jacobian", PAIRS[0], Poly.of(1))))
        e.machine.meanings = own
        e.run("dbl", at)
        e.machine.meanings = {**own, "dbl": double, "invert": invert}
        z = e.read(at, 3)[2].values
        first["z"] = z
        for i, p in enumerate((x2 * z**2, y2 * z**3, z)):
            a.moved(64 * e.limbs * i).store(Element(1, p))

    def invert(f, inv):
        scope = e.machine.scopes
        place = lambda name: next(s[name] for s in reversed(scope) if name in s)
        t, z = (e.machine.read(place(name))[0] for name in ("t", "z"))
        x, y = (v.values for v in e.read(t, 4)[2:])
        zs = [v.values for v in e.read(z, 2)]
        two = [v.values for v in e.read(place("two"), 2)]
        require(zs[0] == first["z"], "z of the first entry is not that of the double")
        is_sum(x, y, (zs[0] * zs[1]) ** 2, (zs[0] * zs[1]) ** 3)
        both = zs[0] * zs[1]
        require(two == [x2 * both**2, y2 * both**3], "2q is not brought to the new z")
        require(f.load().values == both, "what is inverted is not the product of all z")
        first["raw"] = [v.values for v in e.read(t, 4)], zs
        f.store(Element(1, z4))
    own = e.machine.meanings
    e.machine.meanings = {**own, "dbl": double, "invert": invert}
    try:
        words = e.memory(*[None] * 2)
        words.block.cells[words.at], words.block.cells[words.at + 8 * e.words] = x1, y1
        e.run("odd_multiples", t := e.memory(*[None] * 4), words, "inv")
    finally:
        e.machine.meanings = own
    (a, b, c, d), (za, zb) = first["raw"]
    require(a == x1 * za**2 and b == y1 * za**3, "the first entry is not q")
    require(result(e, t, 4) == [a * (z4 * zb) ** 2, b * (z4 * zb) ** 3, c * z4**2, d * z4**3], "entries are not brought to z = 1")


def results(e):
    """to_affine; and how base_mul on one takes the sum out of its lanes."""
    own = e.machine.meanings

    def invert(f, inv):
        v = f.load().values
        f.store(Element(1, joined(lambda p: p ** -1, v)))
    e.machine.meanings = {**own, "invert": invert}
    g = e.factor ** -1
    try:
        for gone in ((0, 0), (0, 1), (1, 0), (1, 1)):
            points = []
            for p, z, infinite in zip(PAIRS, (z1, z2), gone):
                points += tight(e, *of_form("jacobian", p, z)) if not infinite else tight(e, *p, Poly())
            e.nonzero = nonzero()
            words = e.memory(None)
            infinite = e.memory(None)
            infinite.of = ("int", 8, False)
            e.run("to_affine", words, e.memory(*points), 2, "inv", infinite)
            got = [words.block.cells[8 * e.words * k] for k in (0, 1, 16, 17)]
            want = [Poly() if infinite else c * g for p, infinite in zip(PAIRS, gone) for c in p]
            require(got == want, "to_affine")
            require([infinite.block.cells[i] for i in (0, 1)] == [255 * v for v in gone], "to_affine: the masks of infinity")

        def join_lanes(r, a):
            for i, v in enumerate(quads(e, [(x1, y1, z1)] * 4)):
                r.moved(64 * e.limbs * i).store(v)

        def words_select(r, mask, a, b, n):
            for i in range(n):
                r.moved(8 * i).store((b if mask else a).moved(8 * i).load())

        def mod_neg(r, a, m, n):
            for i in range(n):
                word, k, p = a.moved(8 * i).load()
                r.moved(8 * i).store((word, k, -p))
        for meeting, negative in ((0, 0), (0, 1), (1, 0), (1, 1)):
            ones = [0, (1 << 64) - 1]

            def recode(d, k, w, windows):
                d.field("negative").store(ones[negative])
            e.machine.meanings = {**own, "add_windows": lambda a, d: None, "join_lanes": join_lanes, "limbic_words_select": words_select,
                                  "limbic_mod_neg": mod_neg, "recode": recode,
                                  "limbic_words_eq_mask": lambda a, b, n: ones[meeting]}
            for i, name in enumerate(("meeting_x", "meeting_y", "one")):
                at = e.machine.place_of(f"limbic_{e.unit}_{name}")
                for j in range(e.words):
                    at.block.cells[8 * j] = ("word", j, (x2 * g, y2 * g, g)[i])
            r = e.memory(None)
            r.of = ("int", 64, False)
            e.run("base_mul", r, 0)
            words = [r.block.cells[8 * i] for i in range(3 * e.words)]
            p = []
            for i in range(3):
                have = words[e.words * i:e.words * (i + 1)]
                require(all(w[:2] == ("word", j) and w[2] == have[0][2] for j, w in enumerate(have)), "words of a coordinate are mixed up")
                p.append(have[0][2] * e.factor)
            z = p[2]
            x, y = PAIRS[meeting]
            require(scaled_by(z, Poly.of(1)) and p[0] == x * z**2 and p[1] == y * z**3 * (-1 if negative else 1),
                    "base_mul takes another point out of its lanes")
    finally:
        e.machine.meanings = own


FORMULAS = (doubling, additions, conversions, joins, tables, results)

# Whole multiplications on sizes: (function, arguments); a number stands for that many elements of memory.
WHOLE = (("base_mul_many", ("r", "k", 8)), ("point_mul_many", ("r", "k", "q", 8)), ("double_mul_many_vartime", ("r", "k", "v", "q", 8)),
         ("prepared_mul_many_vartime", ("r", "k", "v", "t", 8)), ("base_mul", ("r", "k")))


def sizes(e, name, args):
    """Runs a multiplication of eight, or of one in lanes, from its beginning to its end."""
    def memory(arg):
        if isinstance(arg, int):
            return arg
        at = e.memory(None)
        at.of = ("int", 64, False)
        at.block.cells = {8 * i: at for i in range(8)}  # addresses of tables
        return at

    def anything(*_):
        return None

    def digit(minus, *_):
        minus.store(0)

    def digits(d, *_):
        d.field("negative").store(0)
        for i in range(e.words + 1):
            d.moved(8 * i).store(0)
    more = {"fill": anything, "memcpy": lambda r, a, n: r.copy_from(a, n), "limbic_words_eq_mask": anything, "limbic_words_select": anything,
            "limbic_mod_neg": anything,
            "v8_scatter": anything, "lanes_digit_of": digit, "lanes_digit_i": digit, "recode": digits, "recode_lanes": digits, "base_window": anything,
            "entry_address": anything, "address": anything, "invert": lambda f, inv: (e.tight(f, "inverted"), f.store(Element(1)))}
    own, e.machine.meanings = e.machine.meanings, {**e.machine.meanings, **more}
    try:
        e.run(name, *map(memory, args))
    finally:
        e.machine.meanings = own


def run(compiler):
    faults, passed = [], 0
    for unit in UNITS:
        engine, small = Lanes(compiler, unit), Lanes(compiler, unit, constants={"POINT_ODD": 2})
        special = {tables: small, results: Lanes(compiler, unit)}  # the latter writes to the constants
        todo = [(check.__name__, lambda check=check: check(special.get(check, engine))) for check in FORMULAS]
        todo += [(name, lambda name=name, args=args: sizes(engine, name, args)) for name, args in WHOLE]
        for name, check in todo:
            engine.nonzero = nonzero(H)
            try:
                check()
                passed += 1
            except (Wrong, CError, KeyError, TypeError, AttributeError) as e:
                faults.append(f"{unit}, {name}: {type(e).__name__} {e}")
        print(f"{unit}: {engine.calls} operations in lanes get the sizes that they take")
    return faults, passed


# Faults that are none: what another unit does (P-521 goes last through sizes()), or where both ways are right.
FINE = (r"^dbl_(mul|sqr): .*lanes_(mul|sqr)_add", r"^join_mul: (without|lanes_add for|arguments 0|argument 1).*lanes_mul( |$)",
        r"^(join_mul|dbl_mul): lanes_add for lanes_mul after", r"lanes_mul2 \( y , & c -> r , & v",
        r"^xyzz_from_two: argument 1 for 2 of chord_powers", r"^(xyzz_from_residues|lanes_to_packed): .* lanes_carry")
MUTATED = ("dbl_mul dbl_sqr dbl chord_powers chord_x chord_y chord_equal_mask add_affine xyzz_add xyzz_from_residues xyzz_from_two xyzz_to_jacobian jacobian_from_affine "
           "replace_by_twice negate_if to_affine join_mul join odd_multiples lanes_scale lanes_one lanes_to_packed").split()


def mutants(compiler, every):
    unit = "p256"
    engine, small = Lanes(compiler, unit), Lanes(compiler, unit, constants={"POINT_ODD": 2})
    source = small.machine.unit
    engine.machine.unit = source  # the faults stand there

    def found():
        for check in FORMULAS:
            e = small if check is tables else engine
            e.machine.scopes, e.nonzero, own = [], nonzero(H), e.machine.meanings
            try:
                check(e)
            except (Wrong, CError, KeyError, TypeError, AttributeError, IndexError, ValueError):
                return True
            finally:
                e.machine.meanings = own
        return False
    engine.machine.meanings["lanes_copy"] = small.machine.meanings["lanes_copy"] = copy
    left, count = mutate.survivors(source, MUTATED, found, False, every, FINE)
    # Reductions that are left out, in whole multiplications: by their sizes alone.
    for unit, name, of in (("p521", "xyzz_from_residues", "base_mul_many"), ("p256", "xyzz_from_two", "base_mul"), ("p384", "join", "base_mul")):
        e = Lanes(compiler, unit)
        e.machine.meanings["lanes_copy"] = copy

        def too_large():
            e.machine.scopes = []
            try:
                sizes(e, of, dict(WHOLE)[of])
            except CError as why:
                return "size" in str(why) or "tight" in str(why)
            return False
        params, body = e.machine.unit.functions[name]
        at = body.index("lanes_carry")
        e.machine.unit.functions[name] = params, body[:at] + ["lanes_copy"] + body[at + 1:]
        count += 1
        left += [] if too_large() else [f"{unit} {name}, of {of}: without carrying"]
    return left, count


def copy(r, a):
    r.store(a.load())


if __name__ == "__main__":
    given = arguments()
    report("lanes", run(given.compiler), mutants(given.compiler, given.every))
