"""Words of which each bit is 0, 1 or an unknown one, for the functions that take digits out of scalars."""
from csource import CError


class Bits:
    """64 bits, lowest first: 0, 1, or a pair (which bit, is it inverted)."""

    def __init__(self, bits):
        self.bits = list(bits)

    @staticmethod
    def of(x):
        return x if isinstance(x, Bits) else Bits(x >> i & 1 for i in range(64))

    def value(self):
        """The number, if all bits are known."""
        return sum(b << i for i, b in enumerate(self.bits)) if all(isinstance(b, int) for b in self.bits) else None

    def plain(self):
        v = self.value()
        return self if v is None else v

    def __rshift__(self, n):
        return Bits(self.bits[n:] + [0] * n).plain()

    def __lshift__(self, n):
        return Bits([0] * n + self.bits[:64 - n]).plain()

    def __and__(self, other):
        return Bits(a if b == 1 else b if a == 1 else 0 if 0 in (a, b) else unknown() for a, b in zip(self.bits, Bits.of(other).bits)).plain()

    def __or__(self, other):
        return Bits(a if b == 0 else b if a == 0 else 1 if 1 in (a, b) else unknown() for a, b in zip(self.bits, Bits.of(other).bits)).plain()

    def __xor__(self, other):
        return Bits(a if b == 0 else inverted(a) if b == 1 else inverted(b) if a == 1 else b if a == 0 else unknown()
                    for a, b in zip(self.bits, Bits.of(other).bits)).plain()

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __rsub__(self, n):
        if n != (1 << 64) - 1:
            raise CError("a difference of unknown bits")
        return self ^ n

    def __eq__(self, other):
        return isinstance(other, Bits) and self.bits == other.bits

    __hash__ = None


def unknown():
    raise CError("two unknown bits meet in one place")


def inverted(b):
    return 1 - b if isinstance(b, int) else (b[0], not b[1])


class Linear:
    """A whole number as a sum of unknown ones."""

    def __init__(self, terms):
        self.terms = {a: c for a, c in terms.items() if c}

    def __add__(self, other):
        out = dict(self.terms)
        for a, c in (other.terms if isinstance(other, Linear) else {(): other}).items():
            out[a] = out.get(a, 0) + c
        return Linear(out)

    def __mul__(self, k):
        return Linear({a: c * k for a, c in self.terms.items()})

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -other

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return -self + other

    def __eq__(self, other):
        return self.terms == (other if isinstance(other, Linear) else Linear({(): other})).terms

    __hash__ = None
