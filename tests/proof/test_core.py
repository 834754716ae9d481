#!/usr/bin/env python3
"""Tries the rules of core.py where everything can be counted out: words of 2 or 3 bits, three inputs. Random sums, differences, products and parts
of words go through System.divide without the samples' veto, and with so few samples that many guesses are wrong; what it says of quotients,
ranges, bounds and sums that are 0 must be so for all inputs. test_core.py [--systems N] [--seed S]"""
import argparse
import itertools
import random
import sys
from core import Poly, System, Unproved, terms_of
from machine import Symbols
from search import relations

STEPS = 14  # divisions in a system


class Counted:
    """A system, and the values of its atoms for all inputs."""

    def __init__(self, rnd):
        self.rnd, self.word = rnd, 1 << rnd.choice((2, 3))
        inputs = [*itertools.product(range(self.word), repeat=3)]
        self.count = len(inputs)
        seen = rnd.sample(range(self.count), rnd.choice((1, 2, 4)))
        self.system, self.values, self.known = System(len(seen), veto=False), {}, 0
        self.pool, self.bits = [], []
        for j, values in enumerate(zip(*inputs)):
            a = self.system.atom(f"input{j}", 0, self.word - 1, [values[i] for i in seen])
            self.values[a] = values
            self.pool.append(Poly({(a,): 1}))

    def of(self, p):
        """The values of a polynomial."""
        out = [0] * self.count
        for mono, c in terms_of(p).items():
            product = [c] * self.count
            for a in mono:
                product = [x * y for x, y in zip(product, self.values[a])]
            out = [x + y for x, y in zip(out, product)]
        return out

    def learn(self):
        """The values of the atoms that new equations made, by dividing; they must be as the equations say."""
        system = self.system
        for eq in system.equations[self.known:]:
            e, m = self.of(eq.e), abs(eq.m)
            low, high = ([x % m for x in e], [x // m * (1 if eq.m > 0 else -1) for x in e]) if m else (e, None)
            for a, values in ((eq.low_atom, low), (eq.high, high)):
                if a is not None:
                    assert all(system.lo[a] <= v <= system.hi[a] for v in values), f"{system.names[a]} leaves its range"
                    self.values[a] = values
            assert self.of(eq.low) == low, "a low word is another"
        self.known = len(system.equations)

    def step(self):
        rnd, (x, y) = self.rnd, self.rnd.choices(self.pool, k=2)
        c = rnd.choice([0, 1, *self.bits])
        two = sum(rnd.sample(self.bits, min(2, len(self.bits))))
        e = rnd.choice((x + y + c, x + y + c, x - y - c, x - y - c, x, x * y, x * rnd.choice((2, 4)) + y, rnd.choice((-1, 0, 1)) - two))
        m = 1 << rnd.randrange(1, self.word.bit_length()) if e is x else self.word
        low, high = self.system.divide(e, m)
        self.learn()
        values = self.of(e)
        assert self.of(low) == [v % m for v in values], "a remainder"
        assert self.of(high) == [v // m for v in values], "a quotient"
        self.pool += [p for p in ((low,) if m == self.word else (low, low * (self.word // m), high)) if isinstance(p, Poly)]
        self.bits += [p for p in (high, high * -1) if isinstance(p, Poly) and set(self.of(p)) <= {0, 1}]
        del self.pool[:-8], self.bits[:-6]
        if len(self.bits) > 1:
            symbols, (x, y) = Symbols(self.system), rnd.sample(self.bits, 2)
            for operation, want in ((symbols.union, int.__or__), (lambda x, y: symbols.mask(x, y, self.word - 1), int.__and__)):
                try:
                    r = operation(x, y)
                except Unproved:
                    r = None
                self.learn()
                assert r is None or self.of(r) == [*map(want, self.of(x), self.of(y))], "AND or OR"
        p = rnd.choice(self.pool) - rnd.choice(self.pool) + rnd.choice([0, *self.bits])
        assert not self.system.at_most(p, max(self.of(p)) - 1), "a bound"

    def vanish(self):
        atoms = sorted(self.values)
        for terms in [*relations(self.system, set()), *({(a,): self.rnd.choice((1, -1, 2, -2, self.word, -self.word)) for a in self.rnd.sample(atoms, 3)} for _ in range(20))]:
            self.system.vanish(Poly(terms))
        for eq in self.system.equations[self.known:]:
            assert not any(self.of(eq.e)), "a sum that is 0"
        return len(self.system.equations) - self.known


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--systems", type=int, default=300)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    failed = sums = 0
    for i in range(given.systems):
        counted = Counted(random.Random(f"{given.seed} {i}"))
        try:
            for _ in range(STEPS):
                counted.step()
            sums += counted.vanish()
        except AssertionError as e:
            print(f"FAILED: system {i}: {e}")
            failed += 1
    if not sums:
        print("FAILED: no sum was found to be 0")
    print(f"{given.systems - failed} passed, {failed + (not sums)} failed, 0 skipped")
    sys.exit(bool(failed or not sums))


if __name__ == "__main__":
    main()
