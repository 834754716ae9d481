"""Proves one kernel: runs it on polynomials, then shows congruence and bound of the result, case by case."""
import math
import random
import a64
import x86
from core import Poly, Refuted, System, Unproved, is_bit, terms_of
from lanes import Lanes
from machine import Numbers, Pointer, Symbols
from search import relations

SAMPLES = 24
DEPTH = 5  # bits that one case may fix


def words_of(v, goal):
    return [v >> (goal.radix * i) & (1 << goal.radix) - 1 for i in range(goal.words)]


def value_of(words, goal):
    return sum(w * (1 << (goal.radix * i)) for i, w in enumerate(words))


def sample_inputs(goal, count, seed=1):
    """Operands that the contract allows, as words: corners, and at random."""
    rnd = random.Random(seed)
    corners = [0, 1, 2, goal.m - 1, goal.m - 2, goal.factor % goal.m, goal.m >> 1, goal.m - goal.factor % goal.m]

    def one(i):
        kind = rnd.random()
        if goal.limits:
            if kind < .2:
                return goal.limits[i]
            return [rnd.choice((0, 1, t, t - 1, rnd.randrange(t + 1))) if kind < .5 else rnd.randrange(t + 1) for t in goal.limits[i]]
        if kind < .25:
            return words_of(rnd.choice(corners) % goal.m, goal)
        if kind < .5:
            words = (rnd.choice((0, 1, (1 << 64) - 1, (1 << 32) - 1, rnd.getrandbits(64))) << (64 * i) for i in range(goal.words))
            return words_of(sum(words) % goal.m, goal)
        return words_of(rnd.randrange(goal.m), goal)
    return [[one(i) for i in range(len(goal.inputs))] for _ in range(count)]


def front(isa):
    return a64 if isa == "a64" else x86


def start(algebra, goal, inputs):
    """A machine at the function's entry: the first argument is r, then the inputs, given as words."""
    machine = (Lanes if goal.limits else front(goal.isa).Machine)(algebra, dict(zip(goal.inputs, inputs)), ("r", goal.words))
    for register, region in zip(machine.ARGUMENTS, ("r", *goal.inputs)):
        machine.regs[register] = Pointer(region, 0)
    return machine


def within(words, goal):
    """Does a result keep the contract's bound?"""
    return all(0 <= w <= t for w, t in zip(words, goal.most)) if goal.most else value_of(words, goal) < goal.m


def refuted(code, goal, samples):
    """Why the code breaks the contract on one of the samples, None if it keeps it on all."""
    for inputs in samples:
        numbers = [value_of(words, goal) for words in inputs]
        try:
            r = start(Numbers, goal, inputs).run(code)
        except Unproved as e:
            return f"fault: {e}"
        if (value_of(r, goal) * goal.factor - goal.value(*numbers)) % goal.m:
            return f"not congruent for {', '.join(map(hex, numbers))}"
        if not within(r, goal):
            return f"r = {', '.join(map(hex, r))} for {', '.join(map(hex, numbers))}"
    return None


class Cases:
    """Shows that difference is 0 modulo m and each of bounded, a polynomial and its limit, is within: in each case of the bits that select."""

    def __init__(self, system, m, difference, bounded):
        self.system, self.m, self.difference, self.bounded = system, m, difference, bounded
        self.count = 0

    def all(self):
        bits = sorted({a for p, _ in self.bounded for mono in terms_of(p) if len(mono) > 1 for a in mono if is_bit(a)})
        if len(bits) > DEPTH:
            raise Unproved(f"{len(bits)} bits select")
        self.split(bits, {})

    def split(self, bits, fixed):
        if not bits:
            self.case(fixed)
            return
        for v in (0, 1):
            self.split(bits[1:], {**fixed, bits[0]: v})

    def case(self, fixed):
        """One case; splits it once more where that is needed."""
        system, self.count = self.system, self.count + 1
        alive = [i for i in range(system.samples) if all(system.values[a][i] == v for a, v in fixed.items())]
        box = {a: (v, v) for a, v in fixed.items()}
        hints = self.hints(fixed)
        if not alive and self.impossible(fixed, box, hints):
            return
        values = dict(fixed)
        for eq in system.equations:  # what a word is by what it is made of
            if eq.high is None and eq.low_atom is not None:
                lo, hi = system.range(eq.e, box)
                if eq.low_atom in fixed and not lo <= fixed[eq.low_atom] <= hi:
                    return
                if lo == hi:
                    values[eq.low_atom], box[eq.low_atom] = lo, (lo, lo)
        rest = system.reduce(self.difference, self.m, values)
        if rest and fixed:
            tops = {system.equations[system.of_atom[a]].low_atom for a in fixed if a in system.of_atom} - {None}
            while rest and self.settle({a for mono in rest for a in mono} | tops, alive, values, box, hints):
                rest = system.reduce(self.difference, self.m, values)
        if rest:
            why = f"not shown congruent, {len(rest)} terms are left: {self.show(rest)}"
        else:
            beyond = next((p for p, t in self.bounded if not system.at_most(substitute(p, values), t, box, hints)), None)
            if beyond is None:
                return
            why = "not shown to be within its bound"
            rest = system.eliminate(beyond, (1 << 4096) + 1, values)
        # One more bit of what is left: the earliest, on which others may depend.
        bits = [a for mono in rest for a in mono if is_bit(a) and a in system.of_atom and a not in values]
        behind = [b for a in fixed if a in system.of_atom for b in system.bits_behind(system.equations[system.of_atom[a]].e) if b not in values]
        bits = (bits or behind) if why.startswith("not shown congruent") else (behind or bits)
        bits = bits or [b for a in fixed if a in system.of_atom for b in sorted(system.equations[system.of_atom[a]].e.atoms()) if is_bit(b) and b in system.of_atom and b not in values]
        if not bits or len(fixed) >= DEPTH:
            raise Unproved(f"{why}; case {', '.join(f'{system.names[a]} = {v}' for a, v in fixed.items()) or 'of all'}")
        self.split([min(bits)], fixed)

    def settle(self, atoms, alive, values, box, hints):
        """Finds atoms that have one value in this case, and adds them to values and box."""
        system, found = self.system, False
        for a in sorted(a for a in atoms if a in system.of_atom and a not in values):
            likely = {system.values[a][i] for i in alive}
            if len(likely) == 1:
                p, v = Poly({(a,): 1}), likely.pop()
                if system.at_most(p, v, box, hints) and system.at_least(p, v, box, hints):
                    values[a], box[a], found = v, (v, v), True
        return found

    def show(self, terms):
        return " + ".join(f"{c:#x} {' '.join(self.system.names[a] for a in mono)}" for mono, c in sorted(terms.items())[:4])[:300]

    def impossible(self, fixed, box, hints):
        for a, v in fixed.items():
            others = {b: e for b, e in box.items() if b != a}
            p = Poly({(a,): 1})
            if self.system.at_most(p, 0, others, hints) if v else self.system.at_least(p, 1, others, hints):
                return True
        return False

    def hints(self, fixed):
        """For search.py: the chain of carries that ends in a fixed bit, as a whole."""
        system, hints = self.system, []
        for a in fixed:
            chain, i = [], system.of_atom.get(a)
            while i is not None:
                chain.append(i)
                carries = [j for m, c in system.equations[i].e.terms.items() if c in (1, -1) and len(m) == 1 and is_bit(m[0])
                           and i - 12 <= (j := system.of_atom.get(m[0], i)) < i]
                i = max(carries, default=None)
            weights, w, below = {}, 1, None
            for i in reversed(chain):  # such that each takes the carry of the one before out of the sum
                if below:
                    carry, = (m[0] for m in system.equations[i].e.terms if len(m) == 1 and m[0] in (below.high, below.low_atom) and is_bit(m[0]))
                    w *= (below.m if carry == below.high else 1) * system.equations[i].e.terms[carry,]
                weights[i], below = w, system.equations[i]
            if chain:
                hints += [({}, chain), ({}, range(system.of_atom[a] + 1)), *(({i: s * w for i, w in weights.items()}, alone) for alone in ((), chain) for s in (1, -1))]
        return hints


def substitute(p, values):
    return sum((c * math.prod(values[a] for a in mono if a in values) * Poly.of({tuple(a for a in mono if a not in values): 1})
                for mono, c in terms_of(p).items()), 0)


def prove(code, goal, veto=True):
    """Returns figures of the proof; raises Unproved."""
    sampled = sample_inputs(goal, SAMPLES)
    system = System(SAMPLES, veto)
    inputs = []
    for i, name in enumerate(goal.inputs):
        # Of a number below m each word is at most what m - 1 has from there on.
        limits = goal.limits[i] if goal.limits else [min((1 << 64) - 1, (goal.m - 1) >> (64 * j)) for j in range(goal.words)]
        inputs.append([Poly({(system.atom(f"{name}{j}", 0, t, [s[i][j] for s in sampled]),): 1}) for j, t in enumerate(limits)])
    numbers = [value_of(words, goal) for words in inputs]
    value = goal.value(*numbers)
    if not goal.limits:  # what follows from the inputs being below m, for them, their words and their products
        system.facts += [(x.terms, goal.m - 1) for x in numbers]
        if any(len(mono) > 1 for mono in value.terms):
            x, y = numbers[0], numbers[-1]
            system.facts.append(((x * y).terms, (goal.m - 1) ** 2))
            system.facts += [((number * w).terms, (goal.m - 1) * system.range(w)[1]) for number, words in ((x, inputs[-1]), (y, inputs[0])) for w in words]
    result = start(Symbols(system), goal, inputs).run(code)
    r = value_of(result, goal)
    difference = r * goal.factor - value
    words = zip(*(system.sample(w) for w in result))
    for inputs, d, w in zip(sampled, system.sample(difference), words):
        if veto and (d % goal.m or not within(w, goal)):
            raise Refuted(f"wrong for {', '.join(hex(value_of(x, goal)) for x in inputs)}")
    for terms in list(relations(system, set().union(*(w.atoms() for w in result if isinstance(w, Poly))))):
        system.vanish(Poly(terms))
    cases = Cases(system, goal.m, difference, [*zip(result, goal.most)] if goal.most else [(r, goal.m - 1)])
    cases.all()
    return {"instructions": len(code), "equations": len(system.equations), "cases": cases.count}
