"""What the functions that src/curve calls mean, for csource.py to run it on polynomials (algebra.py)."""
import re
from algebra import Poly
from csource import ROOT, U64, Block, CError, Machine, Pointer, Unit, preprocess

ONES = (1 << 64) - 1
UNITS = ("p256", "p384", "p521", "sm2")


class Mask:
    """All ones where all of some polynomials are 0: known when one is a formula's point that is not, or all are 0 for certain."""

    def __init__(self, polys, nonzero):
        self.polys, self.nonzero = polys, nonzero

    def __and__(self, other):
        return Mask(self.polys + other.polys, self.nonzero) if isinstance(other, Mask) else NotImplemented

    def known(self):
        if all(p == 0 for p in self.polys):
            return ONES
        if any(self.nonzero(p) for p in self.polys):
            return 0
        raise CError(f"not known to be zero or not: {self.polys}")

    def __invert__(self):
        return ~self.known() & ONES

    def __radd__(self, n):
        return (self.known() + n) & ONES

class UpToModulus(Poly):
    """An element whose words may be the modulus itself: no operand of what takes canonical ones."""
    __slots__ = ()


def known(mask):
    return mask.known() if isinstance(mask, Mask) else mask

class Engine:
    """src/curve/engine.c of a unit and an instruction set, on polynomials. nonzero: is a polynomial not 0 at the points in question?"""

    def __init__(self, compiler, unit, isa, more=()):
        self.unit, self.isa = unit, isa
        source = Unit(preprocess(compiler, "curve/engine.c", (f"ENGINE_UNIT={unit}", f"ENGINE_ISA={isa}", f"ENGINE_{isa}=1", *more)))
        self.words = source.constants[f"limbic_{unit}_limbs"]
        self.nonzero = lambda p: False
        self.machine = Machine(source, self.meanings())
        self.put(self.machine.place_of(f"limbic_{unit}_one"), Poly.of(1))
        self.put(self.machine.place_of(f"limbic_{unit}_m"), Poly.of(0))

    def put(self, at, p):
        for i in range(self.words):  # each word stands for the whole; only the first is read as such
            at.block.cells[at.at + 8 * i] = p

    def element(self, at, up_to_modulus=False):
        p = at.load()
        if isinstance(p, UpToModulus) and not up_to_modulus:
            raise CError("an operand that may be the modulus")
        words = [at.block.cells.get(at.at + 8 * i) for i in range(self.words)]
        if any(w is not p and (w is None or p != w) for w in words):
            raise CError("an element whose words belong to different ones")
        return p

    def name(self, op):
        return f"limbic_{self.unit}_{op}_{self.isa}"

    def has(self, op):
        return self.name(op) in self.machine.unit.functions

    def meanings(self):
        def field(f):
            def do(r, *operands):
                self.put(r, f(*map(self.element, operands)))
            return do

        def inline(f, count):
            """Of src/field: the modulus and the number of words follow the operands."""
            def do(r, *operands):
                m, n = operands[count:]
                if m.block.name != f"limbic_{self.unit}_m" or n != self.words:
                    raise CError("not of the unit's modulus")
                self.put(r, f(*map(self.element, operands[:count])))
            return do

        def product(r, a, b, square):
            if square and self.element(a) != self.element(b):
                raise CError("no square")
            self.put(r, self.element(a) * self.element(b))

        def product_sum(r, *operands):
            a, b, c, d = (self.element(x, True) for x in operands)
            self.put(r, a * b + c * d)

        def words_sub(r, a, b, n, room):
            if a.block.name != f"limbic_{self.unit}_m" or n != self.words:
                raise CError("a difference of words, not from the modulus")
            self.put(r, UpToModulus((-self.element(b)).terms))

        def select(r, mask, a, b, n):
            self.put(r, self.element(b) if known(mask) else self.element(a))

        def inverse(r, a):
            p = self.element(a)
            self.put(r, p if p == 0 else p ** -1)

        def memcpy(r, a, n):
            r.copy_from(a, n)
        out = {"memcpy": memcpy, "limbic_words_select": select, "limbic_words_sub": words_sub,
               "limbic_words_zero_mask": lambda a, n: Mask([self.element(a)], self.nonzero), "limbic_mod_mersenne": lambda m, n: int(self.unit == "p521"),
               f"{self.unit}_product": product, f"{self.unit}_product_sum": product_sum}
        for name, f, count in (("add", lambda a, b: a + b, 2), ("sub", lambda a, b: a - b, 2), ("mul", lambda a, b: a * b, 2), ("sqr", lambda a: a * a, 1),
                               ("neg", lambda a: -a, 1), ("half", lambda a: a.half(), 1), ("twice", lambda a: a + a, 1)):
            out[f"limbic_mod_{name}"] = inline(f, count)
            for isa in ("c", "x64", "adx", "a64"):
                out[f"limbic_{self.unit}_{name}_{isa}"] = field(f)
        for isa in ("c", "x64", "a64"):
            out[f"limbic_{self.unit}_inv_{isa}"] = out[f"limbic_{self.unit}_inv_vartime_{isa}"] = inverse
        return out

    def memory(self, *points):
        """A new array of elements, as words; None: nothing is there."""
        at = Pointer(Block("points"), 0, U64)
        for i, p in enumerate(points):
            if p is not None:
                self.put(at.moved(8 * self.words * i), Poly.of(p))
        return at

    def read(self, at, count):
        return [self.element(at.moved(8 * self.words * i)) for i in range(count)]

    def run(self, name, *args):
        op = self.name(name)
        return self.machine.call(op if op in self.machine.unit.functions or op in self.machine.meanings else name, *args)


# ---- eight lanes ----


class Element:
    """Eight field elements: a size, as src/field/lanes.h defines it, and the values, None where sizes alone are followed; one for all lanes or a list."""

    def __init__(self, size, values=None):
        self.size, self.values = size, values

    def each(self):
        return self.values if isinstance(self.values, list) else [self.values] * 8


class Canonical(Element):
    """Below m, limbs below 2^48."""


def joined(f, *values):
    """f in all lanes."""
    if any(v is None for v in values):
        return None
    if any(isinstance(v, list) for v in values):
        return [f(*lane) for lane in zip(*(v if isinstance(v, list) else [v] * 8 for v in values))]
    return f(*values)


def contracts():
    """{operation: (condition, size of the result)} from the comment in src/field/lanes.h, and its numbers must be those that lanes_bounds.c proves."""
    text = source_text("src/field/lanes.h")
    code = lambda x: re.sub(r"\b([a-en]|\d+) (?=[a-en]\b)", r"\1 * ", re.sub(r"\b([ab]) tight", r"\1 <= 1", x).replace("tight", "1"))
    out = {}
    for names, need, size in re.findall(r"(?m)^ \*     (lanes_\w+(?:, _\w+)*) +(\S.*?)  +(\S.*)$", text):
        first, *more = names.split(", ")
        for name in [first] + ["lanes" + m for m in more]:
            need, size = need.replace("sizes with ", ""), size.replace("give ", "")
            if need.startswith("as "):
                like, last = "lanes_sqr" if "sqr" in name else "lanes_mul", need.split(", ")[-1].replace("the summand", "e")
                out[name] = (f"{out[like][0]}, {code(last)}", code(size))
            else:
                out[name] = (code(need), code(size))
    numbers = dict(re.findall(r"\b([A-Z]+) = (\d+)", re.search(r"enum \{ (SIZE = [^}]*)\}", source_text("tests/kernels/lanes_bounds.c"))[1]))
    proved = {"lanes_mul": "a * b <= {PRODUCT}, each <= {FACTOR}", "lanes_sqr": "a <= {SQUARE}", "lanes_mul2": "a * b + c * d <= {PRODUCT}, each <= {FACTOR}",
              "lanes_mul_add": "a * b <= {PRODUCT}, each <= {FACTOR}, e <= {FACTOR}", "lanes_sqr_add": "a <= {SQUARE}, e <= {FACTOR}",
              "lanes_sub_n": "b <= n, a + 2 * n <= {SIZE}", "lanes_neg_n": "a <= n, 2 * n <= {SIZE}", "lanes_carry": "a <= {SIZE}",
              "lanes_add": "a + b <= {SIZE}",
              "lanes_sub": f"b <= 1, a <= {int(numbers['SIZE']) - 2}", "lanes_neg": "a <= 1"}
    for name, need in proved.items():
        if out[name][0] != need.format(**numbers):
            raise CError(f"{name}: {out[name][0]} is stated, {need.format(**numbers)} is proved by lanes_bounds.c")
    return out


def source_text(path):
    with open(f"{ROOT}/{path}", encoding="utf-8") as f:
        return f.read()


class Lanes:
    """src/curve/lanes.c of a unit, on sizes and, where inputs have them, polynomials. factor: what lanes_in is, as an element of the lanes."""

    def __init__(self, compiler, name, more=None, constants=None, unit=None):
        self.unit, self.calls = name, 0
        source = unit or Unit(preprocess(compiler, "curve/lanes.c", (f"ENGINE_UNIT={name}", "ENGINE_ISA=ifma", "ENGINE_ifma=1")))
        source.constants.update(constants or {})
        self.words, self.limbs = source.constants[f"limbic_{name}_limbs"], source.constants["LFE_LIMBS"]
        self.contracts = contracts()
        self.machine = Machine(source, {**self.meanings(), **(more or {})})
        into = self.constant("lanes_in")
        self.factor = Poly.of(1) if into == [1] + [0] * (self.limbs - 1) else Poly({(("f", 1),): 1})
        self.nonzero = lambda p: False

    def constant(self, name):
        at = self.machine.place_of(f"limbic_{self.unit}_{name}")
        return [at.block.cells[8 * i] for i in range(at.of[2])]

    def at_size(self, name, **sizes):
        """What a sum or product of such sizes may be."""
        need, result = self.contracts[name]
        self.calls += 1
        for part in need.split(", "):
            for each in (sizes if part.startswith("each ") else [None]):
                if not eval(part.replace("each", each) if each else part, {}, sizes):
                    raise CError(f"{name} of sizes {sizes}: {part} is needed")
        return eval(result, {}, sizes)

    def tight(self, at, what):
        e = at.load()
        if not e.size <= 1:
            raise CError(f"{what} of size {e.size}, which must be tight")
        return e

    def meanings(self):
        def operation(name, f, operands, count=None):
            def do(r, *args):
                given = [a.load() for a in args[:operands]]
                sizes = dict(zip(count or "abcd", (e.size for e in given)))
                if len(args) > operands:
                    sizes["n"] = args[operands]
                r.store(Element(self.at_size(name, **sizes), joined(f, *(e.values for e in given))))
            return do
        plus, minus, times = lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b

        def inline(name, f, g, operands):
            plain, added = operation(name, f, operands), operation(f"{name}_add", g, operands + 1, "abe"[:operands] + "e")
            return lambda r, *args: added(r, *args) if args[-1] else plain(r, *args[:-1])
        square, product_and, square_and = (lambda a: a * a), (lambda a, b, e: a * b + e), (lambda a, e: a * a + e)

        def order(v):
            if not isinstance(v, list) or any(not isinstance(i, int) for i in v):
                raise CError("an order that is not known")
            return v

        def permute(r, a, o):
            e = a.load()
            r.store(Element(e.size, None if e.values is None else [e.each()[i] for i in order(o)]))

        def permute2(r, a, b, o):
            d, e = a.load(), b.load()
            both = None if d.values is None or e.values is None else d.each() + e.each()
            r.store(Element(max(d.size, e.size), both and [both[i] for i in order(o)]))

        def select(r, mask, a, b):
            d, e = a.load(), b.load()
            values = None
            if d.values is not None and e.values is not None:
                if not isinstance(mask, int):
                    raise CError("a mask that is not known")
                values = d.values if mask == 255 else e.values if mask == 0 else [x if mask >> i & 1 else y for i, (x, y) in enumerate(zip(d.each(), e.each()))]
            size = {255: d.size, 0: e.size}.get(mask if values is not None else None, max(d.size, e.size))
            r.store(Element(size, values))

        def set1(r, limbs):
            name = limbs.block.name.removeprefix(f"limbic_{self.unit}_")
            values = {"lanes_one": Poly.of(1), "lanes_in": self.factor, "lanes_out": self.factor ** -1}[name]
            above = [c > t for c, t in zip(self.constant(name), self.constant("lanes_tight"))]
            if any(above):
                raise CError(f"{name} is not tight")
            r.store(Element(1, values))

        def unpack(r, w):
            r.store(Element(1))

        def is_zero(a):
            e = self.tight(a, "an element that is compared with 0")
            if e.values is None:
                return 0
            return sum(1 << i for i, p in enumerate(e.each()) if known(Mask([p], self.nonzero)))

        def canonical(r, a):
            r.store(Canonical(1, self.tight(a, "an element that is made canonical").values))

        def pack(w, a):
            e = a.load()
            if not isinstance(e, Canonical):
                raise CError("words of an element that is not canonical")
            for k in range(self.words):
                w.moved(64 * k).store(("words", k, e.each()))

        def store(p, v):
            for lane in range(8):
                p.moved(8 * lane).store(("word", v[1], v[2][lane]))

        def affine_points(stride):
            if stride != 2 * self.words:
                raise CError("not the coordinates of eight points")

        def from_residues(r, words, stride):
            affine_points(stride)
            r.store(Element(1, words.block.cells.get(words.at)))

        def to_residues(words, stride, a):
            e = a.load()
            affine_points(stride)
            self.at_size("lanes_mul", a=e.size, b=1)  # by lanes_out, or a carry
            words.block.cells[words.at] = joined(lambda p: p * self.factor ** -1, e.values)

        def nothing(*args):
            return None
        out = {
            "lanes_mul": operation("lanes_mul", times, 2), "lanes_sqr": operation("lanes_sqr", square, 1),
            "lanes_mul_inline": inline("lanes_mul", times, product_and, 2),
            "lanes_sqr_inline": inline("lanes_sqr", square, square_and, 1), "lanes_mul_add": operation("lanes_mul_add", product_and, 3, "abe"),
            "lanes_sqr_add": operation("lanes_sqr_add", square_and, 2, "ae"), "lanes_mul2": operation("lanes_mul2", lambda a, b, c, d: a * b + c * d, 4),
            "lanes_add": operation("lanes_add", plus, 2), "lanes_sub": operation("lanes_sub", minus, 2), "lanes_sub_n": operation("lanes_sub_n", minus, 2),
            "lanes_neg": operation("lanes_neg", lambda a: -a, 1), "lanes_neg_n": operation("lanes_neg_n", lambda a: -a, 1),
            "lanes_carry": operation("lanes_carry", lambda a: a, 1),
            "lanes_permute": permute, "lanes_permute2": permute2, "lanes_select": select, "lanes_set1": set1, "lanes_unpack": unpack,
            "lanes_is_zero_mask": is_zero,
            "lanes_canonical": canonical, "lanes_pack": pack, "v8_store": store, "lanes_from_residues": from_residues, "lanes_to_residues": to_residues,
            "_mm512_set_epi64": lambda *lanes: list(reversed(lanes)), "memcpy": lambda r, a, n: r.copy_from(a, n)}
        out["v8_set1"] = lambda x: Element(0, Poly()) if x == 0 else None
        for name in ("v8_select", "v8_and", "v8_or", "v8_add", "v8_sub", "v8_srl", "v8_sll", "v8_srl_each", "v8_eq", "v8_look_up_32", "v8_load", "v8_read",
                     "v8_prefetch",
                     "recode", "limbic_wipe", "limbic_wipe_stack", "limbic_wipe_stack_from", "limbic_wipe_stack_beyond", "recode_lanes"):
            out[name] = nothing
        return out

    def element(self, size=1, values=None):
        return Element(size, values)

    def memory(self, *elements):
        """Elements one behind the other, as the structures of points have them; None: nothing is there."""
        at = Pointer(Block("elements"), 0, ("v8",))
        for i, e in enumerate(elements):
            if e is not None:
                at.moved(64 * self.limbs * i).store(e)
        return at

    def read(self, at, count):
        return [at.moved(64 * self.limbs * i).load() for i in range(count)]

    def run(self, name, *args):
        op = f"limbic_{self.unit}_{name}_ifma"
        return self.machine.call(op if op in self.machine.unit.functions else name, *args)
