"""Proves one kernel: runs it on polynomials, then shows congruence and bound of the result, case by case."""
import math
import random
from core import Poly, Refuted, System, Unproved, is_bit, terms_of
from x86 import ARGUMENTS, Machine, Numbers, Pointer, Symbols

SAMPLES = 24
DEPTH = 3  # bits that one case may fix


def sample_inputs(goal, count, seed=1):
    """Operands below m: corners, and at random."""
    rnd = random.Random(seed)
    corners = [0, 1, 2, goal.m - 1, goal.m - 2, goal.factor % goal.m, goal.m >> 1, goal.m - goal.factor % goal.m]

    def one():
        kind = rnd.random()
        if kind < .25:
            return rnd.choice(corners) % goal.m
        if kind < .5:
            words = (rnd.choice((0, 1, (1 << 64) - 1, (1 << 32) - 1, rnd.getrandbits(64))) << (64 * i) for i in range(goal.words))
            return sum(words) % goal.m
        return rnd.randrange(goal.m)
    return [[one() for _ in goal.inputs] for _ in range(count)]


def words_of(v, n):
    return [v >> (64 * i) & (1 << 64) - 1 for i in range(n)]


def value_of(words):
    return sum(w * (1 << (64 * i)) for i, w in enumerate(words))


def start(algebra, goal, inputs):
    """A machine at the function's entry: rdi = r, then the inputs, given as words."""
    machine = Machine(algebra, dict(zip(goal.inputs, inputs)), ("r", goal.words))
    for register, region in zip(ARGUMENTS, ("r", *goal.inputs)):
        machine.regs[register] = Pointer(region, 0)
    return machine


def refuted(code, goal, samples):
    """Why the code breaks the contract on one of the samples, None if it keeps it on all."""
    for inputs in samples:
        try:
            r = value_of(start(Numbers, goal, [words_of(v, goal.words) for v in inputs]).run(code))
        except Unproved as e:
            return f"fault: {e}"
        if (r * goal.factor - goal.value(*inputs)) % goal.m:
            return f"not congruent for {', '.join(map(hex, inputs))}"
        if r >= goal.m:
            return f"r = {r:#x} for {', '.join(map(hex, inputs))}"
    return None


class Cases:
    """Shows that difference is 0 modulo m and r, which has no negative word, below m: in each case of the bits that select."""

    def __init__(self, system, m, r, difference):
        self.system, self.m, self.r, self.difference = system, m, r, difference
        self.count = 0

    def all(self):
        bits = sorted({a for mono in terms_of(self.r) if len(mono) > 1 for a in mono if is_bit(a)})
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
        rest = system.reduce(self.difference, self.m, values)
        if rest and fixed:
            tops = {system.equations[system.of_atom[a]].low_atom for a in fixed if a in system.of_atom} - {None}
            while rest and self.settle({a for mono in rest for a in mono} | tops, alive, values, box, hints):
                rest = system.reduce(self.difference, self.m, values)
        if rest:
            why = f"not shown congruent, {len(rest)} terms are left: {self.show(rest)}"
        elif system.at_most(substitute(self.r, values), self.m - 1, box, hints):
            return
        else:
            why = "not shown to be below m"
            rest = system.eliminate(self.r, (1 << 4096) + 1, values)
        # One more bit of what is left: the earliest, on which others may depend.
        bits = [a for mono in rest for a in mono if is_bit(a) and a in system.of_atom and a not in values]
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
            weights, w = {}, 1
            for i in reversed(chain):
                weights[i] = w
                w *= abs(system.equations[i].m)
            if chain:
                hints += [({}, chain), *(({i: s * w for i, w in weights.items()}, alone) for alone in ((), chain) for s in (1, -1))]
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
        words = []
        for j in range(goal.words):
            most = min((1 << 64) - 1, (goal.m - 1) >> (64 * j))  # of a word of a number below m
            words.append(Poly({(system.atom(f"{name}{j}", 0, most, [words_of(s[i], goal.words)[j] for s in sampled]),): 1}))
        inputs.append(words)
    numbers = [value_of(w) for w in inputs]
    # What follows from the inputs being below m, for them, their words and their products.
    system.facts += [(x.terms, goal.m - 1) for x in numbers]
    x, y = numbers[0], numbers[-1]
    if any(len(mono) > 1 for mono in goal.value(*numbers).terms):
        system.facts.append(((x * y).terms, (goal.m - 1) ** 2))
        for number, words in ((x, inputs[-1]), (y, inputs[0])):
            for w in words:
                system.facts.append(((number * w).terms, (goal.m - 1) * system.range(w)[1]))
    result = start(Symbols(system), goal, inputs).run(code)
    r = value_of(result)
    difference = r * goal.factor - goal.value(*numbers)
    for s, d, v in zip(sampled, system.sample(difference), system.sample(r)):
        if veto and (d % goal.m or not 0 <= v < goal.m):
            raise Refuted(f"wrong for {', '.join(map(hex, s))}")
    cases = Cases(system, goal.m, r, difference)
    cases.all()
    return {"instructions": len(code), "equations": len(system.equations), "cases": cases.count}
