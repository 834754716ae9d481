"""Points as whole multiples of G and q, for csource.py to run multiplications on: digits of scalars are unknown odd numbers, additions are checked to meet no
points that their formula is wrong for. That the formulas do what they are taken for here is what test_formulas.py and test_lanes.py check."""
from csource import CError, Block, Machine, Pointer, U64
from digits import Linear
from fields import ONES, Element, Lanes


class Coord:
    """A coordinate of a point, a multiple of G and q. scale: {i: exponent} of the z[i] whose product is the point's true z (or is missing in it)."""

    def __init__(self, kind, point, scale=None):
        self.kind, self.point, self.scale = kind, point, scale or {}

    def __neg__(self):
        if self.kind != "y":
            raise CError(f"{self.kind} of a point changes its sign")
        return Coord("y", negated(self.point), self.scale)


class Sum(Linear):
    """A + B by a formula that gives 0 where A = B."""

    def __init__(self, terms, pair):
        super().__init__(terms)
        self.pair = pair


def negated(p):
    return Sum((-p).terms, p.pair) if isinstance(p, Sum) else -p


def certain(p):
    if isinstance(p, Sum):
        raise CError("a sum of what may be equal points goes on")
    return p


class Scale:
    """A product of z[i]."""

    def __init__(self, powers):
        self.powers = {i: e for i, e in powers.items() if e}

    def __mul__(self, other):
        return Scale({i: self.powers.get(i, 0) + other.powers.get(i, 0) for i in {*self.powers, *other.powers}})


class EqualMask:
    """All ones where the points of the last addition were equal."""

    def __init__(self, pair):
        self.pair = pair


class Digit:
    """The size of digit i of a scalar, as its place among the odd numbers."""

    def __init__(self, scalar, i, w):
        self.key, self.w = (scalar, i, w), w


class Points:
    """What scalars are and what digits may be; the curve's order."""

    def __init__(self, source, signs, negative):
        self.s, self.n, self.signs, self.negative = source, source.n, signs, negative

    def minus(self, scalar, i, w, windows):
        """Has digit i the sign -? The highest has not."""
        return i + 1 < windows and self.signs(i)

    def most(self, key):
        scalar, i, w = key[1:]
        windows = -(-self.n.bit_length() // w)
        return (1 << w) - 1 if i + 1 < windows else self.n >> w * i | 1

    def never(self, p):
        """Is this sum of digits no multiple of n, whatever they are? All are odd."""
        valuation = {key: (c & -c).bit_length() - 1 for key, c in p.terms.items()}
        low = min(valuation.values())
        first = [key for key, v in valuation.items() if v == low]
        most = sum(abs(c) * self.most(key) for key, c in p.terms.items())
        if len(first) != 1:  # else it is odd, but for a power of two
            return False
        if most < self.n:
            return True
        if most >= 2 * self.n:
            return False
        if low:  # n is odd
            return True
        above = min((v for key, v in valuation.items() if key != first[0]), default=None)
        rest, d = self.n % (1 << above), self.most(first[0])
        return abs(p.terms[first[0]]) == 1 and d < rest < (1 << above) - d

    def add(self, a, b):
        """By a formula for points that are not equal (then it gives 0), nor opposite but where the sum may be infinity: the last addition."""
        a, b = certain(a), certain(b)
        total = a + b
        if self.never(a - b) and self.never(total):
            return total
        return Sum(total.terms, (a, b))

    def of_digits(self, scalar, base, w, windows):
        """The sum of all digits times base, with the scalar's sign."""
        sign = -1 if self.negative else 1
        return Linear({(base, scalar, i, w): sign * (-1 if self.minus(scalar, i, w, windows) else 1) << w * i for i in range(windows)})

    def entry(self, base, digit):
        """The multiple by a digit's size."""
        (unit, c), = base.terms.items()
        return Linear({(unit[0], *digit.key): c})


FORMS = {"affine": "x y", "jacobian": "x y z", "xyzz": "x y zz zzz", "scaled": "x y z w"}


def form_of(at):
    """The form of a point, by its type."""
    fields = " ".join(name for name, _, _ in at.of[1])
    return next(form for form, names in FORMS.items() if names == fields)


def same(p, q):
    return p == q or p == -q


class Engine:
    """engine.c on points."""

    def __init__(self, source, unit, isa, points):
        self.source, self.points, self.words = source, points, source.words
        self.isa, self.prefix = isa, f"limbic_{source.name}_"
        self.machine = Machine(unit, self.meanings())
        self.machine.globals[self.prefix + "one"] = self.memory("one", Scale({}))
        self.machine.globals[self.prefix + "one"].of = ("arr", U64, self.words)

    def memory(self, name, *values):
        at = Pointer(Block(name), 0, U64)
        for i, v in enumerate(values):
            at.moved(8 * self.words * i).store(v)
        return at

    def coords(self, at, count):
        return [at.moved(8 * self.words * i).load() for i in range(count)]

    def point(self, at, form):
        """(P, scale)"""
        _, _, *kinds = FORMS[form].split()
        x, y, *rest = self.coords(at, 2 + len(kinds))
        if not isinstance(x, Coord) or not isinstance(y, Coord) or (x.kind, y.kind) != ("x", "y") or not same(x.point, y.point):
            raise CError(f"x and y are not of one point ({form})")
        if form == "affine":
            if x.scale != y.scale:
                raise CError("x and y have different z")
            return y.point, x.scale
        for kind, c in zip(kinds, rest):
            if isinstance(c, Scale):
                want = {i: e * (4 if kind == "w" else 1) for i, e in x.scale.items()}
                if c.powers != want:
                    raise CError(f"{kind} is not that of the point")
            elif c.kind != kind or not same(c.point, y.point):
                raise CError(f"{kind} is of another point")
        z = rest[0]
        scale = {} if isinstance(z, Scale) and form != "scaled" else x.scale if isinstance(z, Scale) else z.scale
        return y.point, scale

    def put(self, at, form, p, scale=None):
        for i, kind in enumerate(FORMS[form].split()):
            at.moved(8 * self.words * i).store(Coord(kind, p, scale))

    def unscaled(self, at, form):
        p, scale = self.point(at, form)
        if scale:
            raise CError(f"a point whose z lacks a factor ({form})")
        return p

    def table(self, at, digit):
        """The point whose odd multiples a table holds, and their z; all entries of a digit are looked at."""
        count = 1 << digit.w - 1
        row = 16 * self.words
        name = at.block.name.removeprefix(self.prefix)
        if name in ("base", "odd"):
            size = row << self.source.base[0] - 1
            window = 1 + at.at // size if name == "base" else 0
            if at.at % size or window and digit.w != self.source.base[0] or window >= self.source.base[1] or count > 1 << self.source.odd_w - 2:
                raise CError(f"{name} is not read from where a window begins")
            return Linear({("G",): 1 << self.source.base[0] * window}), {}
        first, scale = self.point(at, "affine")
        for j in range(count):
            if (p := self.point(at.moved(row * j), "affine"))[0] != first * (2 * j + 1) or p[1] != scale:
                raise CError(f"entry {j} of a table is not the point times {2 * j + 1}, or has another z")
        return first, scale

    def meanings(self):
        points = self.points

        def recode(d, k, w, windows):
            d.store((k.block.name, w, windows))
            d.field("negative").store(ONES if points.negative else 0)

        def digit(minus, d, i, w):
            scalar, width, windows = d.load()
            if w != width or not 0 <= i < windows:
                raise CError("a digit that the scalar has not")
            minus.store(ONES if points.minus(scalar, i, w, windows) else 0)
            out = Digit(scalar, i, w)
            out.of_table = lambda at: entry(Pointer(Block("entry"), 0, at.of), at, out)
            return out

        def entry(r, table, d):
            base, scale = self.table(table, d)
            self.put(r, "affine", points.entry(base, d), scale)
            return r

        def look_up(r, table, entries, index):
            if entries != 1 << index.w - 1:
                raise CError("not all of a table")
            entry(r, table, index)

        def xyzz_add(a, b):
            self.put(a, "xyzz", points.add(self.unscaled(a, "xyzz"), self.unscaled(b, "affine")))

        def scaled_add(r, a, b):
            (p, scale), (q, other) = self.point(a, "scaled"), self.point(b, "affine")
            if scale != other:
                raise CError("points of different curves are added")
            self.put(r, "scaled", certain(points.add(p, q)), scale)

        def scaled_dbl(a):
            p, scale = self.point(a, "scaled")
            self.put(a, "scaled", certain(p) * 2, scale)

        def words_select(r, mask, a, b, n):
            if n != self.words:
                raise CError("not all words")
            if not isinstance(mask, EqualMask):
                r.store((b if mask else a).load())
                return
            x, y = a.load(), b.load()
            if x.kind != y.kind or getattr(x.point, "pair", None) is not mask.pair or certain(y.point) != mask.pair[1] * 2:
                raise CError("not the double of equal points")
            r.store(Coord(x.kind, mask.pair[0] + mask.pair[1]))

        def equal_mask(x, z):
            x, z = x.load(), z.load()
            if getattr(x.point, "pair", None) is None or x.point.pair is not getattr(z.point, "pair", None) or x.kind != "x" or z.kind not in ("z", "zz"):
                raise CError("a comparison of no sum")
            return EqualMask(x.point.pair)

        def odd_multiples(t, z, q, count):
            p = certain(self.unscaled(q, "jacobian"))
            for i in range(count):
                self.put(t.moved(16 * self.words * i), "affine", p * (2 * i + 1), {j: 1 for j in range(i + 1)})
                z.moved(8 * self.words * i).store(Scale({i: 1}))

        def scale_multiples(t, f, z, count):
            for i in range(count):
                if z.moved(8 * self.words * i).load().powers != {i: 1}:
                    raise CError("not the z of the table")
            for i in range(count):
                p, scale = self.point(t.moved(16 * self.words * i), "affine")
                self.put(t.moved(16 * self.words * i), "affine", p, (Scale(scale) * f.load() * Scale({j: 1 for j in range(i + 1, count)})).powers)
            f.store(f.load() * Scale({i: 1 for i in range(count)}))

        def mul(r, a, b):
            x, y = a.load(), b.load()
            if isinstance(x, Scale) and isinstance(y, Scale):
                r.store(x * y)
            elif isinstance(x, Coord) and x.kind == "z" and isinstance(y, Scale) and y.powers == x.scale:
                r.store(Coord("z", x.point))
            else:
                raise CError("a product of coordinates outside of a formula")

        def inverse(r, a):
            r.store(Scale({i: -e for i, e in a.load().powers.items()}))

        def add_complete(r, a, b):
            self.put(r, "jacobian", certain(self.unscaled(a, "jacobian")) + certain(self.unscaled(b, "jacobian")))

        def from_affine(form):
            def do(r, a):
                p, scale = self.point(a, "affine")
                self.put(r, form, p, scale)
            return do

        def xyzz_to_jacobian(r, a):
            self.put(r, "jacobian", self.unscaled(a, "xyzz"))

        def dbl(r, a):
            self.put(r, "jacobian", certain(self.unscaled(a, "jacobian")) * 2)

        def memset(r, v, size):
            if v or size != r.of[2]:
                raise CError("not a whole point becomes infinity")
            self.put(r, form_of(r), Linear({}))

        def wnaf(naf, k, w):
            for i in range(self.source.bits + 1):
                naf.moved(2 * i).store(NafDigit(k.block.name, i, w))
            return self.source.bits + 1

        def add_signed(a, table, d):
            name = table.block.name.removeprefix(self.prefix)
            if name == "odd" and table.at == 0 and d.w == self.source.odd_w:
                base = Linear({("G",): 1})
            else:
                base, scale = self.table(table, Digit(None, 0, d.w - 1))
                if scale or name in ("odd", "base"):
                    raise CError("a table with a z")
            self.put(a, form_of(a), self.unscaled(a, form_of(a)) + points.entry(base, d))

        def running_dbl(a):
            self.put(a, form_of(a), self.unscaled(a, form_of(a)) * 2)

        def xyzz_add_vartime(a, b):
            self.put(a, "xyzz", self.unscaled(a, "xyzz") + self.unscaled(b, "affine"))

        out = {"recode": recode, "digit": digit, "look_up": look_up, "xyzz_add": xyzz_add, "scaled_dbl": scaled_dbl, "limbic_words_select": words_select,
               "equal_mask": equal_mask,
               "odd_multiples": odd_multiples, "scale_multiples": scale_multiples, "add_complete": add_complete, "xyzz_from_affine": from_affine("xyzz"),
               "jacobian_from_affine": from_affine("jacobian"), "xyzz_to_jacobian": xyzz_to_jacobian, "dbl": dbl, "memset": memset, "wnaf_vartime": wnaf,
               "add_signed_vartime": add_signed,
               "xyzz_add_vartime": xyzz_add_vartime, "memcpy": lambda r, a, n: r.copy_from(a, n), "mul": mul, "sqr": lambda r, a: mul(r, a, a),
               "running_dbl": running_dbl, "neg": lambda r, a: r.store(-a.load())}
        out[self.prefix + f"scaled_add_{self.isa}"] = scaled_add
        for isa in ("c", "x64"):
            out[self.prefix + f"inv_{isa}"] = out[self.prefix + f"inv_vartime_{isa}"] = inverse
        return out


class NafDigit(Digit):
    """A digit that is not zero."""

    def known(self):
        return 1


# ---- eight lanes ----


class Address:
    """Where an entry of a table is: a pointer, and how often a digit's place counts."""

    def __init__(self, at, offset=0, digit=None, step=0):
        self.at, self.offset, self.digit, self.step = at, offset, digit, step


class LanePoints(Lanes):
    """lanes.c on points; where all lanes do the same, one stands for them. redo: for public data, where sums of equal points end as z = 0 and are made again."""

    RESIDUE, IN = {"residue": 1}, {"f": 1}  # scales: of a table's points; of zz and zzz before lanes_out

    def __init__(self, compiler, source, points, redo):
        self.source, self.points, self.redo, self.joins = source, points, redo, []
        self.tables = Engine(source, source.engine, "c", points)
        super().__init__(compiler, source.name, self.more(), unit=source.lanes)

    def coords(self, at, form):
        """Lane by lane: (P, scale), None where there is no point."""
        x, y, *rest = (at.moved(64 * self.limbs * i).load().values for i in range(len(FORMS[form].split())))

        def one(x, y, *rest):
            if x is None and y is None:
                return None
            kinds = FORMS[form].split()
            for kind, c in zip(kinds, (x, y, *rest)):
                if c is None or c.kind != kind or not same(c.point, y.point):
                    raise CError(f"{kind} is of another point")
            if x.scale != y.scale or len({str(c.scale) for c in rest}) > 1:
                raise CError("coordinates of different scales")
            return y.point, x.scale if form == "affine" else rest[0].scale
        values = (x, y, *rest)
        if any(isinstance(v, list) for v in values):
            return [one(*lane) for lane in zip(*(v if isinstance(v, list) else [v] * 8 for v in values))]
        return one(*values)

    def put(self, at, form, points, scale=None):
        for i, kind in enumerate(FORMS[form].split()):
            make = lambda p: None if p is None else Coord(kind, p, scale if i > 1 or form == "affine" else None)
            at.moved(64 * self.limbs * i).store(Element(1, [make(p) for p in points] if isinstance(points, list) else make(points)))

    def sums(self, a, b):
        """Lane by lane, and the pairs that were added."""
        def one(p, q):
            if p is None or q is None:
                return None
            return certain(p) + certain(q) if self.redo else self.points.add(p, q)
        if isinstance(a, list) or isinstance(b, list):
            return [one(p, q) for p, q in zip(a if isinstance(a, list) else [a] * 8, b if isinstance(b, list) else [b] * 8)]
        return one(a, b)

    def points_of(self, at, form, scale):
        got = self.coords(at, form)
        for p in got if isinstance(got, list) else [got]:
            if p is not None and p[1] != scale:
                raise CError(f"a point with a factor that it should not have, or without one ({form})")
        return [p and p[0] for p in got] if isinstance(got, list) else got[0]

    def more(self):
        points, tables, words = self.points, self.tables, self.source.words

        def each(f, v):
            return [f(p) if p is not None else None for p in v] if isinstance(v, list) else f(v)

        def recode(d, k, w, windows):
            d.store((k.block.name, w, windows))
            d.field("negative").store(ONES if points.negative else 0)

        def recode_lanes(d, k, w, windows):
            d.store((k.block.name, w, windows))
            d.field("negative").store(255 if points.negative else 0)

        def digit(minus, d, i, w):
            scalar, width, windows = d.load()
            if w != width or not 0 <= i < windows:
                raise CError("a digit that the scalar has not")
            minus.store(255 if points.minus(scalar, i, w, windows) else 0)
            return Digit(scalar, i, w)

        def look_up(p, d):
            window, word = divmod(p.at // (8 << self.source.base[0] - 1), 2 * words)
            at = Pointer(Block(tables.prefix + ("base" if window else "odd")), 16 * words * max(window - 1, 0) << self.source.base[0] - 1, U64)
            return at, word, d

        def read(a):
            word = a.offset % (16 * words) // 8
            if a.step != 16 * words or a.digit is None:
                raise CError("not an entry of a table")
            return a.at.moved(a.offset - 8 * word), word, a.digit

        def unpack(r, w):
            got = [w.moved(64 * k).load() for k in range(words)]
            at, first, d = got[0]
            if first not in (0, words) or any((x[0].block.name, x[0].at, x[1], x[2]) != (at.block.name, at.at, first + k, d) for k, x in enumerate(got)):
                raise CError("words that are no coordinate")
            base, scale = tables.table(at, d)
            if scale:
                raise CError("a table with a z")
            r.store(Element(1, Coord("y" if first else "x", points.entry(base, d), self.RESIDUE)))

        def base_group(r, d, g):
            scalar, w, windows = d.load()
            lanes = []
            for i in range(8 * g, 8 * g + 8):
                sign = -1 if points.minus(scalar, i, w, windows) else 1
                lanes.append(Linear({("G", scalar, i, w): sign << w * i}) if i < windows else None)
            self.put(r, "affine", lanes, self.RESIDUE)

        def from_residues(r, a):
            self.put(r, "xyzz", self.points_of(a, "affine", self.RESIDUE), self.IN)

        def chord(c, s=None):
            if c.of[0] != "struct" or c.of[1][0][0] != "h":
                raise CError("not a chord")
            c.store(s)

        def from_two(r, a, b, c):
            chord(c)
            self.put(r, "xyzz", each(certain, self.sums(self.points_of(a, "affine", self.RESIDUE), self.points_of(b, "affine", self.RESIDUE))), self.IN)

        def xyzz_add(a, b, c):
            s = self.sums(self.points_of(a, "xyzz", self.IN), self.points_of(b, "affine", self.RESIDUE))
            self.put(a, "xyzz", s, self.IN)
            chord(c, s)

        def add_affine(a, b, c, residues):
            s = self.sums(self.points_of(a, "jacobian", {}), self.points_of(b, "affine", self.RESIDUE if residues else {}))
            self.put(a, "jacobian", s)
            chord(c, s)

        def xyzz_to_jacobian(r, a):
            self.put(r, "jacobian", self.points_of(a, "xyzz", self.IN))

        def jacobian_from_affine(r, a):
            self.put(r, "jacobian", self.points_of(a, "affine", {}))

        def dbl(a):
            self.put(a, "jacobian", certain(self.points_of(a, "jacobian", {})) * 2)

        def equal_mask(c):
            return EqualMask(c.load().pair)

        def replace_by_twice(a, mask, b):
            s = self.points_of(a, "jacobian", {})
            if s.pair is not mask.pair or self.points_of(b, "affine", {}) != mask.pair[1]:
                raise CError("not the double of equal points")
            self.put(a, "jacobian", mask.pair[0] + mask.pair[1])

        def odd_multiples(t, q, inv):
            if (q.block.name, q.at) != ("q", 0) or not isinstance(inv, str) or "_inv_" not in inv or "vartime" in inv and not self.redo:
                raise CError("not the multiples of q, or not by an inversion that it may take")
            for i in range(1 << self.source.point[0] - 1):
                self.put(t.moved(128 * self.limbs * i), "affine", Linear({("q",): 2 * i + 1}))

        def point_entry(r, t, d, i, flip):
            minus = Pointer(Block("minus"), 0, U64)
            index = digit(minus, d, i, self.source.point[0])
            for j in range(1 << index.w - 1):
                if self.points_of(t.moved(128 * self.limbs * j), "affine", {}) != Linear({("q",): 2 * j + 1}):
                    raise CError("not the table")
            p = points.entry(Linear({("q",): 1}), index)
            self.put(r, "affine", -p if minus.load() ^ flip else p)

        def scale(r, a, factor):
            if not factor.block.name.endswith("lanes_out"):
                raise CError("a coordinate times a factor")
            r.store(Element(1, each(lambda c: Coord(c.kind, c.point, {} if c.scale == self.IN else {"?": 1}), a.load().values)))

        def join(p, n):
            for j in range(n):
                xy, z = (p.moved(64 * self.limbs * (2 * j + i)).load().each() for i in (0, 1))
                four = []
                for i in range(4):
                    cells = xy[i], xy[4 + i], z[i], z[4 + i]
                    if [c.kind for c in cells] != ["x", "y", "zz",
                                                   "zzz"] or any(not same(c.point, cells[1].point) for c in cells) or cells[2].scale or cells[3].scale:
                        raise CError("a quad that is not of four points")
                    four.append(cells[1].point)
                both = [points.add(four[0], four[2]), points.add(four[1], four[3])]
                self.joins += [(four[0], four[2], both[0]), (four[1], four[3], both[1])]
                for i, kinds in enumerate((("x", "y"), ("zz", "zzz"))):
                    p.moved(64 * self.limbs * (2 * j + i)).store(Element(1, [Coord(kind, both[v]) for kind in kinds for v in (0, 0, 1, 1)]))

        def add(a, b):
            if isinstance(b, Address):
                a, b = b, a
            if isinstance(b, tuple):  # a digit's place, shifted
                if a.digit not in (None, b[0]):
                    raise CError("two digits in an address")
                return Address(a.at, a.offset, b[0], a.step + b[1])
            return Address(a.at, a.offset + b, a.digit, a.step)

        def load(p):
            at = [p.moved(8 * i).load() for i in range(8)]
            if [x.block.name for x in at] != [f"t{i}" for i in range(8)] or any(x.at for x in at):
                raise CError("not the tables of eight keys")
            return Address(at[0])
        return {"recode": recode, "recode_lanes": recode_lanes, "lanes_digit_i": digit, "v8_look_up_32": look_up, "v8_read": read, "lanes_unpack": unpack,
                "base_group": base_group,
                "xyzz_from_residues": from_residues, "xyzz_from_two": from_two, "xyzz_add": xyzz_add, "add_affine": add_affine,
                "xyzz_to_jacobian": xyzz_to_jacobian,
                "jacobian_from_affine": jacobian_from_affine, "dbl": dbl, "chord_equal_mask": equal_mask, "replace_by_twice": replace_by_twice,
                "odd_multiples": odd_multiples,
                "point_entry": point_entry, "lanes_scale": scale, "join": join, "v8_add": add, "v8_load": load, "v8_sll": lambda d, n: (d, 1 << n),
                "v8_set1": lambda x: Address(x) if isinstance(x, Pointer) else x}
