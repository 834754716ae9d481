"""What a proof rests on: whole numbers as polynomials, one rule, bounds with certificates, congruence modulo an odd number.

A word of the program is a polynomial with whole coefficients in atoms: unknown whole numbers, each with a range. The rule

    divide(E, M) -> (L, H)   with L + M H = E and 0 <= L < M

covers every instruction that computes: additions and subtractions with carry, products, shifts, masks. Where the quotient is known
it makes nothing new; else it makes atoms for L and H and keeps the equation. So a system is a list of equations that every execution
satisfies, ranges of atoms, and the contract's bounds on the inputs, from which all else follows:

- Bounds: P <= t is believed on a certificate alone, a weight for each equation and each bound of the inputs; their weighted sum, added
  to P, must be below t with each monomial at the worst end of its range (System.bound). Where certificates come from (search.py)
  matters to no proof.
- Congruence: atoms are eliminated with their equations, modulo p (System.reduce).
- Cases: a bit is 0 or 1 (prove.py).

Each atom also carries its values in some sample executions. They prove nothing: they spare attempts to prove what is false. And they have a
veto: a step that a sample contradicts is an error, so that a fault in this file has to be invisible on all of them. The mutants
(test_mutants.py) are tried without it.
"""
import math
from search import certificates


class Unproved(Exception):
    """The proof does not go through."""


class Refuted(Unproved):
    """A sample execution breaks the contract."""


def is_bit(atom):
    return atom & 1  # so that a product of polynomials knows b b = b


def join(m, n):
    """The product of two monomials: sorted tuples of atoms."""
    if not m or not n:
        return m or n
    out = []
    for t in sorted(m + n):
        if not (t & 1 and out and out[-1] == t):
            out.append(t)
    return tuple(out)


class Poly:
    """{monomial: coefficient}, not constant: constants are Python's whole numbers, and operations give those back."""
    __slots__ = ("terms",)

    def __init__(self, terms):
        self.terms = terms

    @staticmethod
    def of(terms):
        if not terms:
            return 0
        if len(terms) == 1 and () in terms:
            return terms[()]
        return Poly(terms)

    def plus(self, other, k):
        terms = dict(self.terms)
        for m, c in terms_of(other).items():
            c = terms.get(m, 0) + k * c
            if c:
                terms[m] = c
            else:
                del terms[m]
        return Poly.of(terms)

    def __add__(self, other):
        return self.plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other):
        return self.plus(other, -1)

    def __rsub__(self, other):
        return (self * -1).plus(other, 1)

    def __mul__(self, other):
        if isinstance(other, int):
            return Poly({m: c * other for m, c in self.terms.items()}) if other else 0
        terms = {}
        for m, c in self.terms.items():
            for n, d in other.terms.items():
                mn = join(m, n)
                terms[mn] = terms.get(mn, 0) + c * d
        return Poly.of({m: c for m, c in terms.items() if c})

    __rmul__ = __mul__

    def __eq__(self, other):
        return isinstance(other, Poly) and self.terms == other.terms

    def __hash__(self):
        return hash(frozenset(self.terms.items()))

    def exact(self, g):
        """Divided by a common factor of the coefficients."""
        return Poly({m: c // g for m, c in self.terms.items()})

    def atoms(self):
        return {a for m in self.terms for a in m}


def terms_of(p):
    return p.terms if isinstance(p, Poly) else {(): p} if p else {}


class Equation:
    """E = low + M high. low is an atom of its own, or known already (then low_atom is None). M < 0 where high is a borrow. Where the quotient
    was known, E is what is left, and high is None."""
    __slots__ = ("e", "low", "low_atom", "high", "m", "zero", "e_range")

    def __init__(self, e, low, low_atom, high, m, e_range):
        self.e, self.low, self.low_atom, self.high, self.m, self.e_range = e, low, low_atom, high, m, e_range
        self.zero = (e - low if high is None else e - low - Poly({(high,): m})).terms


class System:
    def __init__(self, samples, veto=True):
        self.samples, self.veto = samples, veto  # how many sample executions there are
        self.names, self.lo, self.hi, self.values = {}, {}, {}, {}
        self.equations = []
        self.of_atom = {}  # atom -> index of the equation that made it
        self.facts = []  # (terms, bound): what the contract says of the inputs
        self.divided = {}  # (E, M) -> (L, H)
        self.residues = {}  # low atom -> (its residue in older atoms, modulus)
        self.known = {}  # (residue, M) -> low word
        self.expanded = {}  # atom -> what it is without low words

    # Atoms and ranges

    def atom(self, name, lo, hi, values):
        a = 2 * len(self.names) + (lo == 0 and hi == 1)
        self.names[a], self.lo[a], self.hi[a], self.values[a] = name, lo, hi, values
        if self.veto and not all(lo <= v <= hi for v in values):
            raise AssertionError(f"{name} leaves its range in a sample execution")
        return a

    def ends(self, m, box):
        """The least and the greatest value of a monomial."""
        lo = hi = 1
        for a in m:
            l, h = box[a] if a in box else (self.lo[a], self.hi[a])
            ends = (lo * l, lo * h, hi * l, hi * h) if l < 0 or lo < 0 else (lo * l, hi * h)
            lo, hi = min(ends), max(ends)
        return lo, hi

    def greatest(self, terms, box):
        return sum(c * self.ends(m, box)[c > 0] for m, c in terms.items())

    def range(self, p, box={}):
        terms = terms_of(p)
        lo = hi = 0
        for m, c in terms.items():
            l, h = self.ends(m, box)
            lo, hi = (lo + c * l, hi + c * h) if c > 0 else (lo + c * h, hi + c * l)
        return lo, hi

    def sample(self, p):
        """The values of p in the sample executions."""
        out = [0] * self.samples
        for m, c in terms_of(p).items():
            if len(m) == 1:
                out = [o + c * v for o, v in zip(out, self.values[m[0]])]
            else:
                v = [c] * self.samples
                for a in m:
                    v = [x * y for x, y in zip(v, self.values[a])]
                out = [o + x for o, x in zip(out, v)]
        return out

    # Bounds

    def bound(self, terms, certificate, box):
        """An upper bound of the polynomial: the certificate is a scale, weights of equations, weights of facts, the latter not negative."""
        scale, equations, facts = certificate
        total = {m: c * scale for m, c in terms.items()}
        for i, w in equations.items():
            for m, c in self.equations[i].zero.items():
                total[m] = total.get(m, 0) + w * c
        above = 0
        for i, w in facts.items():
            if w < 0:
                raise AssertionError("a bound with a negative weight")
            fact, limit = self.facts[i]
            above += w * limit
            for m, c in fact.items():
                total[m] = total.get(m, 0) - w * c
        return (self.greatest({m: c for m, c in total.items() if c}, box) + above) // scale

    def at_most(self, p, t, box={}, hints=()):
        """Is p <= t proved, the atoms of box being in its ranges?"""
        terms = terms_of(p)
        if self.greatest(terms, box) <= t:
            return True
        if self.veto and any(v > t for i, v in enumerate(self.sample(p)) if all(l <= self.values[a][i] <= h for a, (l, h) in box.items())):
            return False
        return any(self.bound(terms, c, box) <= t for c in certificates(self, terms, box, hints))

    def at_least(self, p, t, box={}, hints=()):
        return self.at_most(p * -1, -t, box, hints)

    # The rule

    def divide(self, e, m):
        if isinstance(e, int):
            return e % m, e // m
        g = math.gcd(m, *e.terms.values())
        if g > 1:
            low, high = self.divide(e.exact(g), m // g)
            return low * g, high
        if (e, m) not in self.divided:
            low, high = self.divide_new(e, m)
            if self.veto and [*zip(self.sample(low), self.sample(high))] != [(v % m, v // m) for v in self.sample(e)]:
                raise AssertionError("a quotient is wrong in a sample execution")
            self.divided[e, m] = low, high
        return self.divided[e, m]

    def divide_new(self, e, m):
        # A guess: bits that count for about M. Any whole number k may be taken off: floor((E - M k) / M) = floor(E / M) - k.
        k = Poly.of({mono: q for mono, c in e.terms.items() if mono and all(map(is_bit, mono)) and (q := (2 * c + m) // (2 * m))})
        if isinstance(k, Poly):
            k += (2 * e.terms.get((), 0) + m) // (2 * m)
        rest = e - k * m
        if isinstance(rest, int):
            return rest % m, rest // m + k
        low, high = self.divide_rest(rest, m)
        return low, high + k

    def divide_rest(self, e, m):
        lo, hi = self.range(e)
        if lo >= 0 and hi < m:
            return e, 0
        atoms = e.atoms()
        if len(atoms) == 1 and is_bit(b := min(atoms)):
            return self.by_bit(e, b, lambda v: v % m), self.by_bit(e, b, lambda v: v // m)
        bits = [mono for mono in e.terms if mono]
        if len(bits) == 2 and all(map(is_bit, sum(bits, ()))) and len({e.terms[mono] for mono in bits}) == 1:
            both = Poly(dict.fromkeys(bits, 1))
            if self.at_most(both, 1):  # carries of one sum: one bit
                return self.divide((self.remainder(both, 2) * e.terms[bits[0]]) + e.terms.get((), 0), m)
        sampled = self.sample(e)
        guesses = [Poly({(eq.high,): 1}) for eq in self.similar(e, m, sampled)]
        if all(v // m == sampled[0] // m for v in sampled):
            guesses.append(sampled[0] // m)
        for q, rest in [(q, e - q * m) for q in guesses] + self.owed(e, m, sampled):
            if self.within(rest, m, {}):
                return self.remainder(rest, m), q
            # Or else in both cases of a bit?
            if isinstance(q, int) and any(all(self.within(rest, m, {b: (v, v)}) for v in (0, 1)) for b in self.bits_behind(rest)):
                return self.remainder(rest, m), q
            # Or whether an addend is 0 or not? With what made it, and since.
            for a, since in self.addends(rest):
                if all(self.within(rest, m, {a: part}, [({}, range(since))]) for part in ((0, 0), (1, self.hi[a]))):
                    return self.remainder(rest, m), q
        ends = [lo // m, hi // m]  # of the quotient
        if ends != [-1, 0] and ends != [0, 1]:
            for t in (1, 0):
                if ends[1] > t and max(sampled) // m <= t and self.at_most(e, (t + 1) * m - 1):
                    ends[1] = t
            for t in (-1, 0):
                if ends[0] < t and min(sampled) // m >= t and self.at_least(e, t * m):
                    ends[0] = t
        return self.define(e, m, *ends)

    @staticmethod
    def by_bit(e, b, f):
        """f of a polynomial in one bit b."""
        e0 = e.terms.get((), 0)
        e1 = e0 + e.terms.get((b,), 0)
        return Poly.of({mono: c for mono, c in {(): f(e0), (b,): f(e1) - f(e0)}.items() if c})

    def within(self, e, m, box, hints=()):
        return self.at_least(e, 0, box, hints) and self.at_most(e, m - 1, box, hints)

    def bits_behind(self, e):
        """Bits that count more than once in the chain of carries that ends in e."""
        seen, once, twice = set(), set(), []
        while e is not None:
            bits = {m[0] for m in e.terms if len(m) == 1 and is_bit(m[0])}
            twice += [b for b in bits & once if b not in twice]
            once |= bits
            seen.add(e)
            e = max((self.of_atom[a] for m in e.terms if len(m) == 1 and self.hi[a := m[0]] - self.lo[a] < 3 and a in self.of_atom
                     and self.equations[self.of_atom[a]].e not in seen), default=None)
            e = None if e is None or len(seen) > 16 else self.equations[e].e
        return twice

    def carries(self, e):
        """A hint for search.py: no equations but those of the carries that lead to e's bits."""
        reached, todo = set(), [e]
        for p in todo:
            new = {self.of_atom[a] for m in terms_of(p) for a in m if is_bit(a) and a in self.of_atom} - reached
            reached |= new
            todo += [self.equations[i].e for i in new]
        return [({}, [i for i in range(len(self.equations)) if i not in reached])]

    def similar(self, e, m, sampled):
        """Equations whose quotient may be this one too: those with the same leading term in relation to their divisor."""
        want = [v // m for v in sampled]
        lead = max((mono for mono in e.terms if mono), key=lambda mono: abs(e.terms[mono]) * self.ends(mono, {})[1])
        return [eq for eq in self.equations if eq.high is not None and eq.e.terms.get(lead, 0) * m == e.terms[lead] * eq.m and
                self.values[eq.high] == want]

    def owed(self, e, m, sampled):
        """Quotients that an addend has already (as -1, a word, has a borrow), and e without them."""
        out = []
        for mono, c in e.terms.items():
            eq = self.equations[self.of_atom[mono[0]]] if len(mono) == 1 and mono[0] in self.of_atom else None
            if eq and eq.low_atom == mono[0] and eq.high is not None and abs(eq.m) == m:
                q = Poly({(eq.high,): -c * eq.m // m})
                if self.sample(q) == [v // m for v in sampled]:
                    out.append((q, e - q * m + Poly(eq.zero) * c))
        return out

    def addends(self, e):
        """Words among e's addends, each with the first equation after it; of an upper part of a word, with that which made the word."""
        for mono, c in terms_of(e).items():
            if len(mono) == 1 and c == 1 and not is_bit(a := mono[0]) and self.lo[a] == 0 and a in self.of_atom:
                eq = self.equations[self.of_atom[a]]
                part = eq.high == a and len(eq.e.terms) == 1
                yield a, max(self.of_atom.get(b, 0) for b in eq.e.atoms()) if part else self.of_atom[a] + 1

    def remainder(self, e, m):
        """A number that is proved to be a word below m: an atom, so that its range is remembered."""
        if isinstance(e, int):
            return e
        lo, hi = self.range(e)
        if lo >= 0 and hi < m and all(len(mono) < 2 for mono in e.terms):
            return e
        atom = self.atom(f"word{len(self.equations)}", max(lo, 0), min(hi, m - 1), self.sample(e))
        self.residues[atom] = self.residue(e, m), m
        self.of_atom[atom] = len(self.equations)
        low = Poly({(atom,): 1})
        self.equations.append(Equation(e, low, atom, None, 0, (lo, hi)))
        return low

    def as_mask(self, p, ones):
        """A bit b, or 1 - b, with p = ones b, for ones = 2^k - 1; None where there is none."""
        if all(c % ones == 0 for c in p.terms.values()):
            bit = p.exact(ones)
            return bit if self.range(bit) == (0, 1) else None
        (mono, c), *others = p.terms.items()
        eq = self.equations[self.of_atom[mono[0]]] if len(mono) == 1 and mono[0] in self.of_atom else None
        # p + 2^k (-b) = E and -1 <= E <= 0: then E = -b.
        if c == 1 and not others and eq and eq.low_atom == mono[0] and eq.m == -ones - 1 and self.within(eq.e * -1, 2, {}):
            return Poly({(eq.high,): 1})
        return None

    def define(self, e, m, low_quotient, high_quotient):
        sign = 1
        if (low_quotient, high_quotient) == (-1, 0):  # a borrow: L - M B = E
            low_quotient, high_quotient, sign = 0, 1, -1
        sampled = self.sample(e)
        residue = self.residue(e, m)
        # Equal residues modulo M make equal words below M.
        low, low_atom = self.known_word(residue, m), None
        if low is not None:
            rest = terms_of(self.expand(e - low))
            high = Poly.of({mono: c // m for mono, c in rest.items()})
            ends = self.range(high)
            if all(c % m == 0 for c in rest.values()) and ends[1] - ends[0] < 2:  # one that says no less than an atom
                return low, high
        else:
            low_atom = self.atom(f"low{len(self.equations)}", 0, m - 1, [v % m for v in sampled])
            low = Poly({(low_atom,): 1})
            self.residues[low_atom] = residue, m
            self.known[residue, m] = low
        high = self.atom(f"{'high' if sign > 0 else 'borrow'}{len(self.equations)}", low_quotient, high_quotient, [v // m * sign for v in sampled])
        self.of_atom[high] = len(self.equations)
        if low_atom is not None:
            self.of_atom[low_atom] = len(self.equations)
        self.equations.append(Equation(e, low, low_atom, high, sign * m, self.range(e)))
        return low, Poly({(high,): sign})

    def residue(self, e, m):
        """A polynomial congruent to e modulo m: low words are replaced by what they are residues of."""
        terms = {}
        for mono, c in e.terms.items():
            p = c
            for a in mono:
                residue, modulus = self.residues.get(a, (0, 1))
                p = p * (residue if modulus % m == 0 else Poly({(a,): 1}))
            for n, d in terms_of(p).items():
                terms[n] = terms.get(n, 0) + d
        return Poly.of({n: d % m for n, d in terms.items() if d % m})

    def known_word(self, residue, m):
        if isinstance(residue, int):
            return residue % m
        atoms = residue.atoms()
        if len(atoms) == 1 and is_bit(b := min(atoms)):
            return self.by_bit(residue, b, lambda v: v % m)
        if (residue, m) in self.known:
            return self.known[residue, m]
        lo, hi = self.range(residue)
        return residue if lo >= 0 and hi < m else None

    def expand(self, p):
        """The same number, low words replaced by E - M high, or where they are known high by (E - low) / M if that has whole coefficients."""
        terms = {}
        for mono, c in terms_of(p).items():
            product = c
            for a in mono:
                product = product * self.exact(a)
            for n, d in terms_of(product).items():
                terms[n] = terms.get(n, 0) + d
        return Poly.of({n: d for n, d in terms.items() if d})

    def exact(self, a):
        if a not in self.expanded:
            eq = self.equations[self.of_atom[a]] if a in self.of_atom else None
            by = Poly({(a,): 1})
            if eq and eq.low_atom == a:
                by = self.expand(eq.e if eq.high is None else eq.e - Poly({(eq.high,): eq.m}))
            elif eq and eq.high == a and eq.low_atom is None:
                rest = terms_of(self.expand(eq.e - eq.low))
                if all(c % eq.m == 0 for c in rest.values()):
                    by = Poly.of({mono: c // eq.m for mono, c in rest.items()})
            self.expanded[a] = by
        return self.expanded[a]

    def vanish(self, f):
        """A multiple of a number that is smaller than it is 0: if that shows f = 0, keeps it as an equation."""
        g = math.gcd(*terms_of(self.expand(f)).values())
        lo, hi = self.range(f)
        if -g < lo and hi < g:
            if self.veto and any(self.sample(f)):
                raise AssertionError("an equation does not hold in a sample execution")
            self.equations.append(Equation(f, 0, None, None, 0, (0, 0)))

    # Congruence

    def reduce(self, p, modulus, fixed):
        """Terms congruent to p modulo an odd number in every execution in which the atoms of fixed have their values; none: p is a multiple
        of it."""
        rest = self.eliminate(p, modulus, fixed)
        if not rest:
            return rest
        # Where both words of an equation are known, it says something of older atoms.
        solved = []
        for eq in self.equations:
            if (eq.high is None or eq.high in fixed) and (eq.low_atom is None or eq.low_atom in fixed):
                low = eq.low if eq.low_atom is None else fixed[eq.low_atom]
                high = 0 if eq.high is None else fixed[eq.high]
                terms = self.eliminate(eq.e - low - eq.m * high, modulus, fixed)
                for pivot, row in solved:
                    terms = clear(terms, pivot, row, modulus)
                pivot = max((m for m in terms if m and math.gcd(terms[m], modulus) == 1), key=lambda m: (len(m) == 1, m), default=None)
                if pivot is not None:
                    inverse = pow(terms[pivot], -1, modulus)
                    solved.append((pivot, {m: c * inverse % modulus for m, c in terms.items()}))
        for pivot, row in solved:
            rest = clear(rest, pivot, row, modulus)
        return rest

    def eliminate(self, p, modulus, fixed):
        """Low words go by E - M high; where the low word is known, high goes by (E - low) / M."""
        work, by_atom = {}, {}

        def add(mono, c):
            if any(a in fixed for a in mono):
                c *= math.prod(fixed[a] for a in mono if a in fixed)
                mono = tuple(a for a in mono if a not in fixed)
            c = (work.get(mono, 0) + c) % modulus
            if c:
                work[mono] = c
                for a in mono:
                    by_atom.setdefault(a, set()).add(mono)
            else:
                work.pop(mono, None)

        for mono, c in terms_of(p).items():
            add(mono, c)
        for eq in reversed(self.equations):
            known = eq.low_atom is None or eq.low_atom in fixed
            a = eq.high if known else eq.low_atom
            if a is None or a in fixed or a not in by_atom:
                continue
            if known:
                by = (eq.e - (eq.low if eq.low_atom is None else fixed[eq.low_atom])) * pow(eq.m, -1, modulus)
            else:
                by = eq.e if eq.high is None else eq.e - Poly({(eq.high,): eq.m})
            for mono in by_atom.pop(a):
                c = work.pop(mono, 0)
                if c:
                    product = Poly.of({tuple(x for x in mono if x != a): c})
                    for _ in range(mono.count(a)):
                        product = product * by
                    for n, d in terms_of(product).items():
                        add(n, d)
        return work


def clear(terms, pivot, row, modulus):
    """terms less the multiple of a row, congruent to 0, that takes the pivot out."""
    c = terms.get(pivot)
    if not c:
        return terms
    out = dict(terms)
    for m, d in row.items():
        v = (out.get(m, 0) - c * d) % modulus
        if v:
            out[m] = v
        else:
            out.pop(m, None)
    return out
