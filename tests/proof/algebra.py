"""Polynomials with rational coefficients in named variables, whose exponents may be negative: what stands for field elements when formulas are checked."""
from fractions import Fraction


class Poly:
    """{monomial: coefficient}; a monomial is a sorted tuple of (variable, exponent)."""
    __slots__ = ("terms",)

    def __init__(self, terms=None):
        self.terms = {m: c for m, c in (terms or {}).items() if c}

    @staticmethod
    def of(x):
        return x if isinstance(x, Poly) else Poly({(): x})

    def __add__(self, other):
        out = dict(self.terms)
        for m, c in Poly.of(other).terms.items():
            out[m] = out.get(m, 0) + c
        return Poly(out)

    def __neg__(self):
        return Poly({m: -c for m, c in self.terms.items()})

    def __sub__(self, other):
        return self + -Poly.of(other)

    def __rsub__(self, other):
        return Poly.of(other) - self

    def __mul__(self, other):
        if not isinstance(other, Poly):
            return Poly({m: c * other for m, c in self.terms.items()})
        out = {}
        for m, c in self.terms.items():
            for n, d in other.terms.items():
                k = merged(m, n)
                out[k] = out.get(k, 0) + c * d
        return Poly(out)

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, k):
        if k < 0:
            (m, c), = self.terms.items()  # of a monomial alone
            return Poly({tuple((v, -e) for v, e in m): Fraction(1, c)}) ** -k
        out = Poly({(): 1})
        for _ in range(k):
            out = out * self
        return out

    def __eq__(self, other):
        return self.terms == Poly.of(other).terms

    __hash__ = None

    def __and__(self, mask):
        """A word of the element and a mask of all ones or zeros."""
        return self if mask == (1 << 64) - 1 else Poly() if mask == 0 else NotImplemented

    def half(self):
        return Poly({m: Fraction(c, 2) for m, c in self.terms.items()})

    def put(self, values):
        """Variables replaced by polynomials."""
        out = Poly()
        for m, c in self.terms.items():
            p = Poly({(): c})
            for v, e in m:
                p = p * (values[v] if v in values else Poly({((v, 1),): 1})) ** e
            out = out + p
        return out

    def __repr__(self):
        return " + ".join(f"{c} {' '.join(f'{v}^{e}' for v, e in m)}" for m, c in sorted(self.terms.items())[:5]) or "0"


def merged(m, n):
    if not m or not n:
        return m or n
    out = dict(m)
    for v, e in n:
        out[v] = out.get(v, 0) + e
    return tuple(sorted((v, e) for v, e in out.items() if e))


def variables(names):
    return [Poly({((name, 1),): 1}) for name in names.split()]


def multiple_of(p, q):
    """Is p a monomial times q, in variables that q does not have?"""
    have = {v for m in q.terms for v, _ in m}
    lead = max(q.terms)
    for m, c in p.terms.items():
        if tuple((v, e) for v, e in m if v in have) == lead:
            factor = Poly({tuple((v, e) for v, e in m if v not in have): Fraction(c, q.terms[lead])})
            return factor * q == p
    return False
