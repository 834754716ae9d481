#!/usr/bin/env python3
"""Checks how src/curve takes scalars apart and puts multiples together: the digits of src/curve/digits.h, of the eight lanes and of wnaf_vartime add up to the
scalar, for all scalars; and whole multiplications, point by point, give k G, k q and u G + v q, no addition meeting points that its
formula is wrong for. test_scalars.py COMPILER"""
import sys
import mutate
from algebra import Poly
from csource import CError, Block, Machine, Pointer, Unit, preprocess, U64
from digits import Bits, Linear
from multiples import Coord, LanePoints, Points, Sum, certain, same
from multiples import Engine as PointEngine
from fields import ONES, ROOT, UNITS, Element, Lanes
from test_formulas import Wrong, arguments, report, require

sys.path.insert(0, f"{ROOT}/src/consts")
sys.dont_write_bytecode = True
import gen  # the constants' generator, for tables and multiples of G


def unit_of(compiler, source, unit, isa):
    return Unit(preprocess(compiler, source, (f"ENGINE_UNIT={unit}", f"ENGINE_ISA={isa}", f"ENGINE_{isa}=1")))


class Source:
    """engine.c or lanes.c of a unit."""

    def __init__(self, compiler, unit):
        self.name, self.curve = unit, gen.CURVES[unit]
        self.engine = unit_of(compiler, "curve/engine.c", unit, "c")
        self.steps = unit_of(compiler, "curve/engine.c", unit, "adx")
        self.lanes = unit_of(compiler, "curve/lanes.c", unit, "ifma")
        self.n, c = self.curve.n, self.engine.constants
        self.words, self.bits = c["W"], c["BITS"]
        require(self.n.bit_length() == self.bits, "BITS is not n's length")
        self.base, self.point = (c["BASE_W"], c["BASE_WINDOWS"]), (c["POINT_W"], c["POINT_WINDOWS"])
        self.prepared = c["PREPARED_W"], c["PREPARED_WINDOWS"]
        self.odd_w = c["ODD_W"]
        self.signs = SIGNS
        self.wide = self.odd_w - 1, -(-self.bits // (self.odd_w - 1))  # double_mul_vartime of lanes.c

    def windows(self):
        return {self.base, self.point, self.prepared, self.wide}


# ---- digits ----

def digits_struct(unit):
    return unit.types["digits"]


def recoding(s):
    """recode: d->k + 2^(w windows), d->k odd, at most n, and ±k modulo n. With the next check: that is the sum of the digits."""
    n_words = [s.n >> 64 * i & ONES for i in range(s.words)]
    for w, windows in s.windows():
        require(w * windows >= s.bits, "the windows are too short")
        for odd in (0, 1):
            k = [Linear({("k", i): 1}) for i in range(s.words)]
            borrows = []

            def sbb(a, b, borrow):
                out = Linear({("b", len(borrows)): 1})
                t = a - b - borrow.load() + out * (1 << 64)
                borrows.append(out)
                borrow.store(out)
                return t
            top = w * windows

            class Top:
                """The word that gets the bit above the windows: a word of a number up to n, which has no such bit."""

                def __init__(self, v, i):
                    self.v, self.i = v, i

                def __or__(self, bit):
                    require(self.i == top // 64 and bit == 1 << top % 64 and s.n >> 64 * self.i < bit, "the bit above the windows is in the number's way")
                    return self.v + bit

            def select(r, mask, a, b, count):
                require(count == s.words and mask in (0, ONES), "not a choice of two numbers")
                for i in range(count):
                    r.moved(8 * i).store(Top((b if mask else a).moved(8 * i).load(), i))
            d = Pointer(Block("d"), 0, digits_struct(s.engine))
            at = Pointer(Block("k"), 0, U64)
            for i, v in enumerate(k):
                at.moved(8 * i).store(v)
            machine = Machine(s.engine, {"limbic_sbb": sbb, "limbic_words_select": select,
                                         "limbic_mask_bit": lambda x: (require(x == k[0], "not the parity of k"), odd * ONES)[1]})
            if top // 64 == s.words:
                d.moved(8 * s.words).store(0)
            machine.call("recode", d, at, w, windows)
            number = sum(((v.v if isinstance(v := d.block.cells[8 * i], Top) else v) * (1 << 64 * i) for i in range(s.words + 1)), Linear({}))
            negative = d.field("negative").load()
            sum_k = sum((v * (1 << 64 * i) for i, v in enumerate(k)), Linear({}))
            # n - k, all of whose words are below 2^64: the last borrow is that of k > n, which is not
            want = sum_k if odd else Linear({(): s.n}) - sum_k + borrows[-1] * (1 << 64 * s.words)
            require(number == want + (1 << top) and negative == (0 if odd else ONES), f"recode for {windows} windows of {w} bits, k {'odd' if odd else 'even'}")
            for i, x in enumerate(n_words):
                require(s.engine.variables[f"limbic_{s.name}n_m"] is not None and machine.place_of(f"limbic_{s.name}n_m").block.cells[8 * i] == x, "n")


def scalar_words(s, w, windows, count):
    """The words of d->k: bit 0 is 1, bit w windows too, all between are unknown."""
    bits = [1] + [("k", i) for i in range(1, w * windows)] + [1]
    bits = [(b, False) if not isinstance(b, int) else b for b in bits] + [0] * (64 * count - len(bits))
    return bits


def with_bit(bits, i, v):
    return bits[:i] + [v] + bits[i + 1:] if not isinstance(bits[i], int) else bits if bits[i] == v else None


def wanted(bits, i, w):
    """Digit i is D = (v | 1) - 2^w for the w + 1 bits v from i w: the sum of 2^(w i) D is the number, for an odd one. Where the top bit of v is 1, D is
    positive; its place is (D - 1) / 2, the bits 1 to w - 1 of v; else it is negative, with the complement of these bits."""
    minus = bits[i * w + w] == 0
    middle = bits[i * w + 1:i * w + w]
    return minus, [(b[0], minus) if not isinstance(b, int) else b ^ minus for b in middle]


def rule(w):
    """What wanted() says, for each v of w + 1 bits."""
    for v in range(1 << w + 1):
        minus, place = not v >> w, (v >> 1 ^ (-1 if not v >> w else 0)) & (1 << w - 1) - 1
        require((2 * place + 1) * (-1 if minus else 1) == (v | 1) - (1 << w), "a digit")
        # sum over i of 2^(w i) ((v_i | 1) - 2^w) telescopes: v_i | 1 is v_i - (its lowest bit) + 1, and v_i's top bit is v_(i + 1)'s lowest
        require((v | 1) - (1 << w) == v - (v & 1) + 1 - (1 << w), "a digit")


def digits(s):
    """digit(), its twins in the lanes, and base_group: each for all scalars."""
    barrier = {"limbic_barrier": lambda x: x}
    mask_of = lambda f: sum(1 << i for i in range(8) if f(i))
    for w, windows in s.windows():
        rule(w)
        all_bits = scalar_words(s, w, windows, s.words + 1)
        machine = Machine(s.engine, barrier)
        lanes = Machine(s.lanes, {
            "v8_set1": lambda x: x, "v8_and": lambda a, b: a & b, "v8_or": lambda a, b: a | b, "v8_srl": lambda a, n: a >> n, "v8_sll": lambda a, n: a << n,
            "v8_sub": lambda a, b: a - b, "v8_eq": lambda a, b: 255 if a == b else 0, "v8_select": lambda m, a, b: b if m else a})
        d = Pointer(Block("d"), 0, digits_struct(s.engine))
        e = Pointer(Block("d"), 0, s.lanes.types["lanes_digits"])
        for i in range(windows):
            for top in (0, 1):
                bits = with_bit(all_bits, i * w + w, top)
                if bits is None:
                    continue
                for j in range(s.words + 1):
                    word = Bits(bits[64 * j:64 * j + 64]).plain()
                    d.moved(8 * j).store(word)
                    e.moved(64 * j).store(word)
                minus, place = wanted(bits, i, w)
                sign = Pointer(Block("minus"), 0, U64)
                want = Bits(place + [0] * (64 - len(place))).plain()
                got = machine.call("digit", sign, d, i, w)
                require(got == want and sign.load() == (ONES if minus else 0), f"digit {i} of {w} bits")
                got = lanes.call("lanes_digit_i", sign, e, i, w)
                require(got == want and sign.load() == (255 if minus else 0), f"digit {i} of {w} bits in lanes")
    w, windows = s.base
    all_bits = scalar_words(s, w, windows, s.words + 1)

    def each(f):
        return lambda a, b: [f(x, y) for x, y in zip(a, b)]

    def look_up(p, index):
        window, word = divmod(p.at // (8 << w - 1), 2 * s.words)
        return [("entry", window, word, x) for x in index]
    seen = {}
    lanes = Machine(s.lanes, {
        "v8_set1": lambda x: [x] * 8, "v8_and": each(lambda a, b: a & b), "v8_srl_each": each(lambda a, b: a >> b), "v8_sub": each(lambda a, b: a - b),
        "v8_srl": lambda a, n: [x >> n for x in a], "v8_eq": lambda a, b: mask_of(lambda i: a[i] == b[i]), "_mm512_set_epi64": lambda *x: list(reversed(x)),
        "v8_select": lambda m, a, b: [y if m >> i & 1 else x for i, (x, y) in enumerate(zip(a, b))], "v8_look_up_32": look_up,
        "lanes_unpack": lambda r, words: seen.__setitem__(r.at, [words.moved(64 * k).load() for k in range(s.words)]), "negate_if": lambda y,
        mask: seen.__setitem__("minus", mask)})
    for group in range(s.lanes.constants["BASE_GROUPS"]):
        here = range(8 * group, min(8 * group + 8, windows))
        for top in (0, 1, 2):  # all signs plus, minus, by turns
            bits = all_bits
            for i in here:
                bits = with_bit(bits, i * w + w, top if top < 2 else i % 2) or bits
            d = Pointer(Block("d"), 0, digits_struct(s.lanes))
            for j in range(s.words + 1):
                d.moved(8 * j).store(Bits(bits[64 * j:64 * j + 64]).plain())
            r = Pointer(Block("r"), 0, s.lanes.types["affine"])
            lanes.call("base_group", r, d, group)
            for half, at in enumerate((0, s.lanes.constants["LFE_LIMBS"] * 64)):
                for k in range(s.words):
                    for lane, got in enumerate(seen[at][k]):
                        if lane >= len(here):
                            require(got == 0, "a lane of no window")
                            continue
                        minus, place = wanted(bits, here[lane], w)
                        want = Bits(place + [0] * (64 - len(place))).plain()
                        require(got == ("entry", here[lane], half * s.words + k, want), f"lane {lane} of group {group}")
                        require(seen["minus"] >> lane & 1 == minus, f"the sign of lane {lane} of group {group}")


def naf(s):
    """wnaf_vartime: of each step of its loop, from any carry and any next bits, the number that is left is what it was less the digit."""
    _, body = s.engine.function("wnaf_vartime")
    loop = next(x for x in body[1] if x[0] == "for")
    for w in (s.odd_w, s.point[0]):
        for carry in (0, 1):
            for bits in range(1 << w):
                machine = Machine(s.engine, {"bits_of": lambda k, at, count: (require(at == 3, "bits from elsewhere"), bits & (1 << count) - 1)[1]})
                machine.scopes = [{}]
                for name, v, t in (("carry", carry, "uint32_t"), ("i", 3, "uint32_t"), ("length", 0, "uint32_t"), ("w", w, "uint32_t"), ("k", 0, "uint64_t")):
                    machine.new(name, s.engine.types[t]).store(v)
                array = Pointer(Block("naf"), 0, s.engine.types["int16_t"])
                machine.new("naf", ("ptr", s.engine.types["int16_t"])).store(array)
                done = machine.run(loop[4])
                require(done in (None, ("continue",)), "a loop that ends early")
                value = lambda name: machine.place_of(name).load()
                step, new = value("i") - 3, value("carry")
                digit = array.block.cells.get(6, 0)
                # bits and what is above them, 2^w h: ((bits + 2^w h) + carry - digit) / 2^step = the number from there on + the new carry
                require((bits + carry - digit) % (1 << step) == 0 and (bits + carry - digit) >> step == (bits >> step) + new, "what is left is not the rest")
                require(step == w or digit == 0 and step == 1, "a step of a wrong length")
                require(digit == 0 or digit % 2 and abs(digit) < 1 << w - 1 and value("length") == 4, "a digit is not in the table")
                require(bits >> w - 1 or new == 0 or step == 1, "a carry above the highest bit")
        # k <= n has no bit BITS: from there bits are 0, and a carry into it becomes its digit; the loop runs to BITS, the array has BITS + 1 digits
        require(loop[2] == ("binary", "<=", ("name", "i"), ("number", s.bits)), "the loop does not go up to BITS")
        # from the beginning, for some scalars
        def memset(naf, v, size):
            require(v == 0 and size == 2 * (s.bits + 1), "not all digits are cleared")
            for i in range(s.bits + 1):
                naf.moved(2 * i).store(0)
        machine, words = Machine(s.engine, {"memset": memset}), Pointer(Block("k"), 0, U64)
        for k in (0, 1, 2, s.n, s.n - 1, s.n // 3, (1 << s.bits - 1) - 1):
            for i in range(s.words):
                words.moved(8 * i).store(k >> 64 * i & ONES)
            array = Pointer(Block("naf", 2 * (s.bits + 1)), 0, s.engine.types["int16_t"])
            length = machine.call("wnaf_vartime", array, words, w)
            got = [array.moved(2 * i).load() for i in range(s.bits + 1)]
            require(sum(d << i for i, d in enumerate(got)) == k and length == max((i + 1 for i, d in enumerate(got) if d), default=0),
                    f"wnaf_vartime of {k:#x}")
        bits = [(("k", i), False) for i in range(64 * s.words)]
        for i in range(s.words):
            words.moved(8 * i).store(Bits(bits[64 * i:64 * i + 64]))
        for i in range(s.bits + 1) if carry else ():
            for count in (1, w):
                want = Bits((bits + [0] * 64)[i:i + count] + [0] * (64 - count)).plain()
                require(machine.call("bits_of", words, i, count) == want, f"{count} bits from {i}")
    # and where the digits go: odd[(|digit|) / 2], all digits of both widths
    for d in range(-(1 << s.odd_w - 1) + 1, 1 << s.odd_w - 1, 2):
        taken = {}
        entry = 16 * s.words
        table = Pointer(Block("table"), 0, s.engine.types["affine"])
        for side in (0, entry // 2):
            table.moved(abs(d) // 2 * entry + side).store(("entry", side))
        machine = Machine(s.engine, {"neg": lambda r, a: taken.__setitem__("minus", True), "running_add_vartime": lambda a,
                                     b: taken.__setitem__("point", b.block.cells)})
        machine.call("add_signed_vartime", 0, table, d)
        require(taken.get("minus", False) == (d < 0) and taken["point"] == {0: ("entry", 0), entry // 2: ("entry", entry // 2)}, f"add_signed_vartime of {d}")
        require(2 * (abs(d) // 2) + 1 == abs(d), "an entry")


# ---- multiples ----

SIGNS = (((lambda i: 0), 0), ((lambda i: 1), 1), ((lambda i: i % 2), 0))  # of the digits, that of the result


def multiples(s):
    """The multiplications of engine.c, whole: their loops over the digits, with each sign."""
    for unit, isa, some in ((s.engine, "c", s.signs), (s.steps, "adx", s.signs[:1])):
        for signs, negative in some:
            points = Points(s, signs, negative)
            e = PointEngine(s, unit, isa, points)
            q = e.memory("q", Coord("x", Linear({("q",): 1})), Coord("y", Linear({("q",): 1})))
            call = lambda op, *args: e.machine.call(f"limbic_{s.name}_{op}_{isa}", *args)
            k, r = e.memory("k"), e.memory("r")
            call("base_mul", r, k)
            require(certain(e.unscaled(r, "jacobian")) == points.of_digits("k", "G", *s.base), "base_mul is not k G")
            call("point_mul", r, k, q)
            require(certain(e.unscaled(r, "jacobian")) == points.of_digits("k", "q", *s.point), "point_mul is not k q")
            if (signs, negative) == s.signs[0]:
                u, v = e.memory("u"), e.memory("v")
                call("double_mul_vartime", r, u, v, q)
                want = Linear({(base, name, i, w): 1 << i for base, name, w in (("G", "u", s.odd_w), ("q", "v", s.point[0])) for i in range(s.bits + 1)})
                require(e.unscaled(r, "jacobian") == want, "double_mul_vartime is not u G + v q")
            table = e.memory("t")
            call("prepare_vartime", table, q)
            w, windows = s.prepared
            for i in range(windows):
                for j in range(1 << w - 1):
                    at = table.moved(16 * s.words * (i << w - 1 | j))
                    require(e.unscaled(at, "affine") == Linear({("q",): (2 * j + 1) << w * i}), "prepare_vartime")
            require(len(table.block.cells) == 2 * windows << w - 1, "prepare_vartime writes more")
            call("prepared_mul_vartime", r, e.memory("u"), e.memory("v"), table)
            want = points.of_digits("u", "G", *s.base) + points.of_digits("v", "q", *s.prepared)
            require(e.unscaled(r, "jacobian") == want, "prepared_mul_vartime is not u G + v q")


def lane_multiples(s):
    """Those of lanes.c."""
    for signs, negative in s.signs:
        points = Points(s, signs, negative)
        for name, args, want in (("base_mul", "k", (("k", "G", s.base),)), ("point_mul", "kq", (("k", "q", s.point),)),
                                 ("double_mul_vartime", "uvq", (("u", "G", s.wide), ("v", "q", s.point))),
                                 ("prepared_mul_vartime", "uvt", (("u", "G", s.base), ("v", "q", s.prepared)))):
            e = LanePoints(None, s, points, len(want) > 1)
            memory = {x: e.tables.memory(x) for x in "kquv"}
            memory["t"] = Pointer(Block("t"), 0, ("ptr", U64))
            w, windows = s.prepared
            for i in range(8):
                memory["t"].moved(8 * i).store(e.tables.memory(f"t{i}"))
            if "t" in args:
                for i in range(windows << w - 1):
                    j = i % (1 << w - 1)
                    e.tables.put(memory["t"].load().moved(16 * s.words * i), "affine", Linear({("q",): (2 * j + 1) << w * (i >> w - 1)}))
            r = e.memory(None)
            e.machine.call(name, r, *(memory[x] for x in args))
            total = sum((points.of_digits(scalar, base, *windows) for scalar, base, windows in want), Linear({}))
            require(certain(e.points_of(r, "jacobian", {})) == total, f"{name} of the lanes")
        e = LanePoints(None, s, points, False)
        d, a, r = e.memory(None), e.memory(None), e.memory(None)
        d.of = digits_struct(s.lanes)
        e.machine.meanings["recode"](d, e.tables.memory("k"), *s.base)
        e.machine.call("add_windows", a, d)
        e.machine.call("join_lanes", r, a)
        tree(s, e, r, points)


def tree(s, e, r, points):
    """base_mul on one: all sums of the tree are of points that never meet, but the last: there equal points are one scalar's, whose multiple is a constant, and
    opposite ones those of k = n, infinity."""
    w, windows = s.base
    sums = e.joins
    require(len(sums) == 8, "not the joins of eight lanes")
    last = [(p, q, total) for p, q, total in sums if isinstance(total, Sum)]
    require(last == sums[-2:], "a sum before the last may be of equal or opposite points")
    part = lambda odd: {key: c for key, c in points.of_digits("k", "G", w, windows).terms.items() if key[2] % 2 == odd}
    for p, q, _ in last:
        sign = -1 if points.negative else 1
        require(sorted(((p * sign).terms, (q * sign).terms), key=min) == sorted((part(0), part(1)), key=min),
                "the last sum is not of the even windows and the odd ones")
    p, q, _ = last[0]
    total = p + q
    both = e.read(r, 2)
    require(all(same(c.point, total) for x in both for c in x.each()), "not all lanes have the sum")
    require([c.kind for x in both for c in x.each()] == [kind for kind in ("x", "y", "zz", "zzz") for _ in range(4)], "not where base_mul takes it from")
    # A - B = ±n: digits of an odd number are unique (there are 2^(w windows - 1) of both), so A and B have those of n; then k = A + B, or its negative, is one number.
    bits = s.n | 1 << w * windows
    of_n = [((bits >> w * i & (1 << w + 1) - 1) | 1) - (1 << w) for i in range(windows)]
    require(sum(d << w * i for i, d in enumerate(of_n)) == s.n and all(d % 2 and abs(d) < 1 << w for d in of_n), "digits of n")
    require(sum(points.most(("G", "k", i, w)) << w * i for i in range(windows)) < 2 * s.n, "a difference may be a larger multiple of n")
    k = abs(sum((-1) ** i * d << w * i for i, d in enumerate(of_n)))
    words = e.tables.machine
    constant = lambda name: sum(words.place_of(f"limbic_{s.name}_{name}").block.cells[8 * i] << 64 * i for i in range(s.words))
    low = (k | 1 << w * windows) & (1 << 64 * s.words) - 1
    require(constant("meeting_k") == low, "meeting_k is not the scalar whose even and odd windows meet")
    require(k % 2 and k <= s.n and (1 << w * windows) >> 64 * s.words << 64 * s.words in (0, 1 << w * windows),
            "the words that are compared do not tell k from others")
    unit, x = next((u, c) for u, c in gen.units() if u.name == s.name)
    require((constant("meeting_x"), constant("meeting_y")) == tuple(v * unit.R % unit.m for v in gen.multiple(x, k)), "meeting_x, meeting_y")


def entries(s):
    """point_entry of the lanes: each entry by its digit."""
    e = Lanes(None, s.name, unit=s.lanes)
    count = 1 << s.point[0] - 1
    for index in range(count):
        for minus in (0, 255, 0x0f):
            for flip in (0, 0x33):
                t = e.memory(*[Element(1, Poly({((f"{c}{j}", 1),): 1})) for j in range(count) for c in "xy"])
                r = e.memory(None)
                e.machine.meanings.update({"lanes_digit_i": lambda m, d, i, w: (m.store(minus), index)[1], "v8_eq": lambda a, b: 255 if a == b else 0,
                                           "v8_set1": lambda x: x})
                e.machine.call("point_entry", r, t, 0, 0, flip)
                x, y = (v.each() for v in e.read(r, 2))
                sign = [-1 if (minus ^ flip) >> lane & 1 else 1 for lane in range(8)]
                require(all(v == Poly({((f"x{index}", 1),): 1}) for v in x), "point_entry: x")
                require(all(v * z == Poly({((f"y{index}", 1),): 1}) for v, z in zip(y, sign)), "point_entry: y")


CHECKS = (recoding, digits, naf, multiples, lane_multiples, entries)


def run(compiler):
    faults, passed = [], 0
    for unit in UNITS:
        s = Source(compiler, unit)
        for check in CHECKS:
            try:
                check(s)
                passed += 1
            except (Wrong, CError, KeyError, TypeError, AttributeError) as e:
                faults.append(f"{unit}, {check.__name__}: {type(e).__name__} {e}")
    return faults, passed


# Faults that are none: what does not matter for P-256, or at all.
FINE = (r"^recode: 63 for 64 after w", r"^(lanes_digit_i|digit|base_group|bits_of): ([29] for [18]|63 for 64|<= for <|\|\| for &&) ",
        r"^wnaf_vartime: 1 for 0 after 0 , length", r"^add_signed_vartime: (<= for <|1 for 0)",
        r"base_mul_c: (. for . after t \[|[13] for 2 after - 1 \) %)", r"point_mul_c: 0 for 1 after z , POINT_ODD",
        r"prepare_vartime_c: without jacobian_from_affine", r"_Static_assert|_Alignas|v8_prefetch|next_minus =",
        r"^point_entry: 0 for 1", r"^double_mul_vartime: (.*after .*(BITS \+ G_W|BITS|G_WINDOWS -|G_WINDOWS|\* G_W)$|2 for 1 after (i = TOP \+|, & c ,))",
        r"^entry_address: (1 for 0|31 for 32)",
        r"^join_lanes: .*(_mm512_set_epi64|\d ,$)", r"^add_windows: (arguments 1, 2 of xyzz_from_two|[79] for 8 after BASE_GROUPS \|\|)",
        r"16 after v8_prefetch", r"arguments 1, 2 of xyzz_from_two",
        r"affine t \[ 1$", r"double_mul_vartime_c: (1 for 2|\+ for -) after .*POINT_W", r"[02] for 1 after BITS \+ G_W",
        r"after (int16_t naf_u|, naf_v) \[ BITS", r"(2 for 1|0 for 1) after (naf_u|naf_v) \[ BITS \+")
MUTATED = {
    "engine": ((recoding, "recode"), (digits, "digit"), (naf, "wnaf_vartime bits_of add_signed_vartime"),
               (multiples, "base_entry point_entry base_window base_mul point_mul double_mul_vartime odd_multiples_affine prepare_vartime add_digit_vartime prepared_mul_vartime")),
    "lanes": ((digits, "lanes_digit_of lanes_digit_i base_group"), (entries, "point_entry"),
              (lane_multiples, "base_entry negate_if base_mul point_mul double_mul_vartime read_entry entry_address address prepared_mul_vartime join_lanes add_windows"))}


def mutants(compiler, every):
    left, count = [], 0
    for part, isa in (("engine", "c"), ("lanes", "ifma")):
        s = Source(compiler, "p256")
        s.signs = SIGNS[2:] if every > 1 else SIGNS
        unit = getattr(s, part)
        for check, names in MUTATED[part]:
            def found():
                try:
                    check(s)
                except (Wrong, CError, KeyError, TypeError, AttributeError, IndexError, ValueError):
                    return True
                return False
            names = [n if n in unit.functions and part == "lanes" else f"limbic_p256_{n}_{isa}" if f"limbic_p256_{n}_{isa}" in unit.functions else n for n in names.split()]
            more = mutate.survivors(unit, names, found, True, every, FINE)
            left, count = left + [f"{part}, {x}" for x in more[0]], count + more[1]
    return left, count


if __name__ == "__main__":
    given = arguments(30)
    report("scalars", run(given.compiler), mutants(given.compiler, given.every))
