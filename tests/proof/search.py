"""Looks for certificates of bounds. Nothing here has to be right: core.py checks what it finds.

The best bound of P is a linear program over monomials, whose dual solution the weights are. They are found greedily: from the last
equation to the first, the weight that takes the equation's low or high word out of the sum, if that costs little."""
import heapq
import math
from fractions import Fraction

SCALE = 64 * 24  # weights are multiples of 2^-SCALE
# What an equation's weight may cost, in halves of the ranges of the words that it takes out: in general, and where a low word is wanted low.
COSTS = ((3, 0), (3, 3), (0, 0), (1 << 80, 0), (1, 1))
AROUND = 14  # words that a relation is looked for in


def relations(system, used):
    """Sums of low words that are 0 in all samples, as terms: of those that nothing uses (used: the result's atoms) with what they come from."""
    used = used.union(*(eq.e.atoms() for eq in system.equations))
    for i, eq in enumerate(system.equations):
        if eq.low_atom is None or eq.low_atom in used:
            continue
        around, todo = [], [i]
        for j in todo:
            low = system.equations[j].low_atom
            around += [low] if low is not None else []
            todo += sorted({system.of_atom[a] for a in system.equations[j].e.atoms() if a in system.of_atom} - set(todo), reverse=True)
            if len(around) == AROUND:
                break
        # Solved for the word: each column is one's values, the last its own; rows are kept with the place of their first 1.
        rows = []
        for values in zip(*(system.values[a] for a in around[1:] + around[:1])):
            row = list(map(Fraction, values))
            for at, other in rows:
                row = [x - row[at] * y for x, y in zip(row, other)]
            at = next((k for k, x in enumerate(row) if x), None)
            if at is not None:
                row = [x / row[at] for x in row]
                rows = [(k, [x - other[at] * y for x, y in zip(other, row)]) for k, other in rows] + [(at, row)]
        if all(at < len(around) - 1 for at, _ in rows):
            terms = {around[1:][at]: row[-1] for at, row in rows if row[-1]}
            scale = math.lcm(*(c.denominator for c in terms.values()))
            yield {(eq.low_atom,): -scale, **{(a,): int(c * scale) for a, c in terms.items()}}


def certificates(system, terms, box, hints):
    """hints: pairs of weights to begin with and equations to leave alone."""
    for begin, alone in (({}, ()), *hints):
        for costs in COSTS:
            yield certificate(system, terms, box, costs, begin, alone)


def plus(terms, others, w):
    out = dict(terms)
    for m, c in others.items():
        out[m] = out.get(m, 0) + w * c
    return out


def certificate(system, terms, box, costs, begin, alone):
    sum_, weights, facts = {}, {}, {}
    heap, queued = [], set()  # equations that have an atom in the sum, the last first

    def queue(i):
        if i is not None and i not in queued:
            queued.add(i)
            heapq.heappush(heap, -i)

    def add(others, w):
        for m, c in others.items():
            v = sum_.get(m, 0) + w * c
            if v:
                sum_[m] = v
                if len(m) == 1:
                    queue(system.of_atom.get(m[0]))
            else:
                sum_.pop(m, None)

    def weigh(i, w):
        weights[i] = weights.get(i, 0) + w
        add(system.equations[i].zero, w)

    def ends(a):
        return (0, 0) if a is None else box[a] if a in box else (system.lo[a], system.hi[a])

    def most(w, lo, hi):
        return w * hi if w > 0 else w * lo

    add(terms, 1 << SCALE)
    for i, w in begin.items():
        weigh(i, w << SCALE)
    pinned = {i for a, (lo, hi) in box.items() if lo == hi and (i := system.of_atom.get(a)) is not None and system.equations[i].high == a}
    for i in pinned:
        queue(i)
    while heap:
        i = -heapq.heappop(heap)
        eq = system.equations[i]
        a, b = sum_.get((eq.low_atom,), 0), sum_.get((eq.high,), 0)
        if i in pinned and i not in begin and (not a or i in alone):
            # Its quotient being known, the equation is two bounds of E: is one of them of use?
            lead = max(eq.e.terms, key=lambda m: (m != (), abs(eq.e.terms[m])))
            w = -sum_.get(lead, 0) // eq.e.terms[lead]
            if w and system.greatest(plus(sum_, eq.zero, w), box) < system.greatest(sum_, box):
                weigh(i, w)
            continue
        if i in alone or not a and not b:
            continue
        low, high = ends(eq.low_atom), ends(eq.high)
        e = system.range(eq.e, box) if box else eq.e_range
        cost = {w: most(a - w, *low) + most(b - w * eq.m, *high) + most(w, *e) for w in (a, b // eq.m if eq.m else a) if w}
        if cost:
            w = min(cost, key=cost.get)
            extra = cost[w] - most(a, *low) - most(b, *high)
            worth = abs(a) * (low[1] - low[0]) + abs(b) * (high[1] - high[0])
            if extra * 2 <= costs[a < 0 and not (b and high[0] < high[1])] * worth:
                weigh(i, w)
    now = system.greatest(sum_, box)
    for i, (fact, limit) in enumerate(system.facts):
        lead = max(fact, key=fact.get)
        w = sum_.get(lead, 0) // fact[lead]
        if w > 0:
            less = plus(sum_, fact, -w)
            then = system.greatest(less, box) + w * limit
            if then < now:
                facts[i], sum_, now = w, plus(less, {(): limit}, w), then
    return 1 << SCALE, weights, facts
