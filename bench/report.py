#!/usr/bin/python3
"""What machines do, from the JSON files of limbic-bench: one screen, or a page with charts, Markdown or CSV; and which curve will do.

A ratio is the median of the ratios of samples that are neighbours in time, ± half the distance of the
quartiles; where the duration of an operation is random (a search for primes), of the means, ± its standard error.
Of files without samples (aggregates), it is the ratio of the medians.
"""
import argparse
import collections
import csv
import html
import io
import json
import math
import os
import re
import signal
import statistics
import subprocess
import sys

WIDTH = 100
PEER = "peer/openssl/%s/%s"
# The peer's operation with the same result.
PEER_OP = {op + "_prepared": op for op in ("sign", "sign_message", "verify")}
BATCH = "_batch64"
FIELD_OPS = ("mul", "sqr", "inv")
SINGLE_OPS = ("sign", "sign_prepared", "sign_message", "sign_message_prepared", "verify", "verify_prepared", "verify_message",
              "private", "public", "keygen", "keygen_cold", "ecdh", "exchange",
              *("%s_%s" % (op, n) for op in ("encrypt", "decrypt") for n in ("32", "1k", "10k", "100k")), "1k", "16k", "many")
SCHEME_OPS = tuple(op + many for op in SINGLE_OPS for many in ("", BATCH))
CURVE_OPS = ("point_dbl", "point_add", "base_mul", "point_mul", "double_mul_vartime")
MANY_OPS = ("base_mul_many", "point_mul_many", "double_mul_many_vartime", "prepared_mul_many_vartime")
MONT_OPS = ("pow",)
HASH_OPS = ("sha256", "sha512", "sm3", "sm3_stream", "sha256_many", "sha512_many", "sm3_many")


def by_isa(names):
    """Portable C first."""
    return sorted(names, key=lambda n: (n != "c", n))


# A figure and its quartiles (or what stands for them); the latter are None where they are not known. unit: /s, x, cycles, s, B or "".
V = collections.namedtuple("V", "value low high unit")


def spread_of(v):
    """Half the distance of the quartiles, as a share of the value."""
    return (v.high - v.low) / 2 / v.value if v and v.low is not None and v.value else 0


class Machine:
    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            self.data = data = json.load(f)
        self.path, self.context = path, data["context"]
        self.modelled = bool(self.context.get("modelled"))
        self.samples, self.medians, self.failed, self.random = {}, {}, {}, set()
        for run in data["benchmarks"]:
            name = run["run_name"]
            if run.get("error_occurred"):
                self.failed[name] = run["error_message"]
            elif run.get("run_type") == "iteration":
                self.samples.setdefault(name, []).append((run["at"], run["items_per_second"], run.get("cycles", 0)))
            elif run.get("aggregate_name") == "median":
                self.medians[name] = run
            if run.get("random"):
                self.random.add(name)
        if not self.samples and not self.failed and not self.medians:
            raise ValueError("no repetitions and no medians in it")
        self.names = dict.fromkeys([*self.samples, *self.medians])
        parts = [name.split("/") for name in self.names]
        schemes = [p for p in parts if p[0] == "scheme" and len(p) == 4]
        curves = list(dict.fromkeys(p[1] for p in schemes))
        self.schemes = sorted({(p[1], p[2]) for p in schemes}, key=lambda k: (
            curves.index(k[0]), SCHEME_OPS.index(k[1]) if k[1] in SCHEME_OPS else len(SCHEME_OPS), k[1]))
        self.isas = by_isa({p[3] for p in schemes} - {"auto"})
        self.kernels = {}  # (op, isa) of each unit
        self.threads = {}  # counts of each (scheme, op)
        for p in parts:
            if p[0] == "kernel":
                self.kernels.setdefault(p[1], set()).add((p[2], p[3]))
            elif p[0] == "scheme" and len(p) == 5:
                self.threads.setdefault((p[1], p[2]), []).append(int(p[4].partition(":")[2]))
        prefix = "not run "
        self.not_run = {k[len(prefix):]: v for k, v in self.context.items() if k.startswith(prefix)}

    def rate(self, name):
        s = self.samples.get(name)
        if not s:
            return self.medians.get(name, {}).get("items_per_second")
        return (statistics.harmonic_mean if name in self.random else statistics.median)([x[1] for x in s])

    def value(self, name):
        """The rate with its quartiles; where the duration is random, with the standard error of the mean."""
        rate, s, run = self.rate(name), self.samples.get(name), self.medians.get(name, {})
        if rate is None:
            return None
        if not s:
            return V(rate, run.get("q1"), run.get("q3"), "/s")
        rates = [x[1] for x in s]
        if len(s) < 2:
            return V(rate, None, None, "/s")
        if name in self.random:
            times = [1 / x for x in rates]
            error = rate * statistics.stdev(times) / statistics.mean(times) / len(times) ** 0.5
            return V(rate, rate - error, rate + error, "/s")
        q = statistics.quantiles(rates, n=4, method="inclusive")
        return V(rate, q[0], q[2], "/s")

    def cycles(self, name):
        s = self.samples.get(name)
        return statistics.median(x[2] for x in s) if s else self.medians.get(name, {}).get("cycles")

    def ratio(self, a, b):
        """(ratio, lower end, upper end) of a's rate to b's: the quartiles, or the standard error."""
        sa, sb = self.samples.get(a), self.samples.get(b)
        if not sa or not sb:
            return self.quotient(a, b)
        if a in self.random and len(sa) > 1 and len(sb) > 1:
            r = self.rate(a) / self.rate(b)
            times = [[1 / x[1] for x in s] for s in (sa, sb)]
            error = r * sum((statistics.stdev(t) / statistics.mean(t)) ** 2 / len(t) for t in times) ** 0.5
            return r, r - error, r + error
        r = [x[1] / min(sb, key=lambda y: abs(y[0] - x[0]))[1] for x in sa]
        if len(r) < 2:
            return r[0], r[0], r[0]
        q = statistics.quantiles(r, n=4, method="inclusive")
        return q[1], q[0], q[2]

    def quotient(self, a, b):
        """The same of rows that have no neighbours."""
        va, vb = self.value(a), self.value(b)
        if not va or not vb:
            return None
        r = va.value / vb.value
        error = r * math.hypot(spread_of(va), spread_of(vb))
        return r, r - error, r + error

    def chosen(self, unit, op):
        """The instruction set of the row that runs."""
        return dict(x.split("=") for x in self.context.get("chosen " + unit, "").split()).get(op)

    def label(self):
        c = self.context
        name = c.get("label") or " ".join(re.sub(r"\(R\)|\(TM\)|CPU|Processor|\d+-Core", " ", c.get("cpu_model", "unknown CPU")).split())
        off = c.get("LIMBIC_CPU")
        return name + (" " + off if off and not c.get("label") else "") + (" (modelled)" if self.modelled else "")

    def title(self):
        c = self.context
        parts = [c.get("cpu_model", "unknown CPU"), c.get("clock_ghz", "?") + " GHz",
                 c.get("compiler", "").strip(), "commit " + c.get("commit", "unknown")]
        return ", ".join(parts + [" ".join(c.get("openssl_version", "no OpenSSL").split()[:2])])

    def absent(self):
        """Lines about what did not run, one for an instruction set and reason; --json has each row."""
        groups = {}
        for name, reason in self.not_run.items():
            part = name.split("/")
            key = (part[-1] if part[0] in ("kernel", "scheme") else name, reason)
            units, ops = groups.setdefault(key, ([], []))
            if part[0] in ("kernel", "scheme"):
                if part[1] not in units:
                    units.append(part[1])
                if len(part) > 3 and part[2] not in ops:
                    ops.append(part[2])
        lines = []
        for (what, reason), (units, ops) in groups.items():
            if units:
                what += " on " + " ".join(units)
            if ops:
                what += " (%s)" % (" ".join(ops) if len(ops) <= 4 else "%d operations" % len(ops))
            lines.append("not run: %s: %s" % (what, reason))
        lines += ["FAILED: %s: %s" % f for f in self.failed.items()]
        return lines

    def scheme(self, curve, op):
        """Everything about one operation."""
        name = "scheme/%s/%s/%%s" % (curve, op)
        single = op.removesuffix(BATCH)
        peer = PEER % (curve, PEER_OP.get(single, single))
        isas = [i for i in self.isas if name % i in self.names]
        return {
            "rates": {i: self.rate(name % i) for i in isas + ["auto"]},
            "openssl": self.rate(peer),
            "to_c": {i: self.ratio(name % i, name % "c") for i in isas + ["auto"] if i != "c"},
            "to_openssl": {i: self.ratio(name % i, peer) for i in isas + ["auto"]},
        }


def number(x):
    if x is None:
        return "-"
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if x >= 0.9995 * limit:
            return "%.*f%s" % (2 if x < 9.995 * limit else 1 if x < 99.95 * limit else 0, x / limit, unit)
    return "%.1f" % x if x < 99.95 else "%.0f" % x


def spread(r):
    if r is None:
        return "-"
    digits = 2 if r[0] < 9.995 else 1 if r[0] < 99.95 else 0
    return "%.*f±%.*f" % (digits, r[0], digits, (r[2] - r[1]) / 2)


def scheme_tables(m):
    others = [i for i in m.isas if i != "c"]
    head = [("", "")] + [("operations/s", i) for i in [*m.isas, "auto", "OpenSSL"]]
    head += [("ratio to c", i) for i in others] + [("ratio to OpenSSL", "c"), ("ratio to OpenSSL", "auto")]
    rows = []
    for k, (curve, op) in enumerate(m.schemes):
        if k and curve != m.schemes[k - 1][0] and not curve.startswith("p"):
            rows.append(None)
        s = m.scheme(curve, op)
        rows.append(["%s %s" % (curve, op), *(number(s["rates"].get(i)) for i in m.isas + ["auto"]),
                     number(s["openssl"]), *(spread(s["to_c"].get(i)) for i in others),
                     spread(s["to_openssl"].get("c")), spread(s["to_openssl"]["auto"])])
    return [(head, rows)] if rows else []


def kernel_table(m, title, ops, both):
    """Units down; operation by instruction set across."""
    units = [u for u in m.kernels if any(op in ops for op, _ in m.kernels[u])]
    columns = []
    for op in ops:
        columns += [(op, i) for i in by_isa({i for u in units for o, i in m.kernels[u] if o == op})]
        if any("peer/gmp/%s/%s" % (u, op) in m.names for u in units):
            columns.append((op, "GMP"))
    kinds = ("latency", "throughput") if both else ("throughput",)
    rows = []
    for u in units:
        row = [u]
        for op, isa in columns:
            names = (["peer/gmp/%s/%s" % (u, op)] if isa == "GMP" else
                     ["kernel/%s/%s/%s/%s" % (u, op, isa, k) for k in kinds])
            row.append("/".join(number(m.cycles(n)) for n in names if n in m.names) or "-")
        rows.append(row)
    head = [("cycles", title)] + [(op.replace("_vartime", ""), isa) for op, isa in columns]
    return [(head, rows)] if rows else []


def side_tables(machines):
    """Several machines: what the library's choice does, what it gains, and how it stands to OpenSSL."""
    keys = []
    for m in machines:
        keys += [k for k in m.schemes if k not in keys]
    head = [("auto", "")]
    for i in range(1, len(machines) + 1):
        head += [("[%d]" % i, k) for k in ("ops/s", "to c", "to OpenSSL")]
    ratio = spread if len(machines) < 3 else lambda r: spread(r).split("±", maxsplit=1)[0]
    rows = []
    for curve, op in keys:
        row = ["%s %s" % (curve, op)]
        for m in machines:
            s = m.scheme(curve, op)
            row += [number(s["rates"]["auto"]), ratio(s["to_c"]["auto"]), ratio(s["to_openssl"]["auto"])]
        rows.append(row)
    return [(head, rows)] if rows else []


def text_table(head, rows):
    """The head in two lines, a group's name above its columns; a wide table goes on below, group by group."""
    widths = [max(len(r[i]) for r in [[h[1] for h in head], *rows] if r) for i in range(len(head))]
    widths[0] = max(widths[0], len(head[0][0]))
    groups = []
    for i, (group, _) in enumerate(head[1:], 1):
        if groups and head[groups[-1][0]][0] == group:
            groups[-1].append(i)
        else:
            groups.append([i])

    def width(g):
        return sum(widths[i] + 2 for i in g)
    for g in groups:
        widths[g[0]] += max(0, len(head[g[0]][0]) + 2 - width(g))
    lines = []
    while groups:
        block = [groups.pop(0)]
        while groups and widths[0] + sum(map(width, block)) + width(groups[0]) <= WIDTH:
            block.append(groups.pop(0))
        lines.append(head[0][0].ljust(widths[0]) + "".join(head[g[0]][0].rjust(width(g)) for g in block))
        for r in [[h[1] for h in head], *rows]:
            if not r:
                lines.append("")
                continue
            lines.append(r[0].ljust(widths[0]) + "".join(r[i].rjust(widths[i] + 2) for g in block for i in g))
    return [x.rstrip() for x in lines]


def screen(machines):
    lines, several = [], len(machines) > 1
    for i, m in enumerate(machines, 1):
        lines.append(("[%d] " % i if several else "") + m.title())
    if several:
        tables = side_tables(machines)
    else:
        m = machines[0]
        tables = (scheme_tables(m) + kernel_table(m, "latency/throughput", FIELD_OPS, True) +
                  kernel_table(m, "throughput", CURVE_OPS, False) + kernel_table(m, "64 at once", MANY_OPS, False) +
                  kernel_table(m, "throughput", MONT_OPS, False) +
                  kernel_table(m, "a block; stream: 32; many: one of each of 16 streams", HASH_OPS, False))
    if not tables:
        lines += ["", "no rows of Limbic in it: peers only"]
    for table in tables:
        lines += [""] + text_table(*table)
    lines.append("")
    for i, m in enumerate(machines, 1):
        lines += [("[%d] " % i if several else "") + x for x in m.absent()]
    lines += ["%sWARNING: %s" % ("[%d] " % i if several else "", m.context["warnings"])
              for i, m in enumerate(machines, 1) if m.context.get("warnings")]
    lines += [
        "Medians; ratios: medians over neighbouring samples ± half the distance of the quartiles; keygen of RSA: means ±",
        "standard error. auto: the library's choice; batch64: one of 64 at once; cold: caches emptied before each; prepared:",
        "beside OpenSSL's operation on kept contexts; p256n: the order of p256. SM2 encrypts as C1C3C2, OpenSSL as DER; RSA:",
        "PKCS#1 v1.5, OAEP, SHA-256."]
    return lines


def as_json(machines):
    return [{
        "file": m.path, "context": m.context, "not_run": m.not_run, "failed": m.failed,
        "schemes": {"%s/%s" % k: m.scheme(*k) for k in m.schemes},
        "rows": {n: {"items_per_second": m.rate(n), "cycles": m.cycles(n), "samples": len(s)}
                 for n in m.names for s in [m.samples.get(n, [])]},
    } for m in machines]


# ---- the page: sections of notes, tables and charts, which html, md and csv render ----

Section = collections.namedtuple("Section", "title notes items")
Table = collections.namedtuple("Table", "title head rows closed", defaults=[False])  # a cell: text, V or None; closed: at first
Chart = collections.namedtuple("Chart", "title unit categories series")  # series: (name, a V or None for each category)
MAIN_OPS = ("sign", "verify", "keygen", "ecdh")
NOISY = 0.05  # spread_of: quartiles 10 % apart
BITS = {"p256": 256, "p384": 384, "p521": 521, "sm2": 256}
TITLES = {"p256": "P-256", "p384": "P-384", "p521": "P-521", "sm2": "SM2", "c": "portable C", "auto": "as chosen"}
LAYERS = (("field product", "kernel/%s/mul/%s/throughput"), ("field square", "kernel/%s/sqr/%s/throughput"),
          ("point addition", "kernel/%s/point_add/%s/throughput"), ("fixed-base multiple", "kernel/%s/base_mul/%s/throughput"),
          ("any multiple", "kernel/%s/point_mul/%s/throughput"), ("sign", "scheme/%s/sign/%s"), ("verify", "scheme/%s/verify/%s"),
          ("sign, 64 at once", "scheme/%s/sign_batch64/%s"), ("verify, 64 at once", "scheme/%s/verify_batch64/%s"))
# Cost against P-256: (least, most, the rule).
PRODUCT = {"p384": (2.5, 3, "2.5 to 3"), "p521": (4, 5, "4 to 5"), "sm2": (0.9, 1.1, "as P-256")}
MULTIPLE = {"p384": (3.75, 4.5, "3.75 to 4.5"), "p521": (8.1, 10.2, "8.1 to 10.2"), "sm2": (0.9, 1.1, "as P-256")}
# Security: NIST SP 800-57 part 1 and SP 800-56B; SM2 as the other curves of 256 bits.
KINDS = (("p256", 128, 64, "any web fips"), ("sm2", 128, 64, "any gm"), ("rsa2048", 112, 256, "any web fips"),
         ("rsa3072", 128, 384, "any web fips cnsa"), ("p384", 192, 96, "any web fips cnsa"), ("rsa4096", 152, 512, "any web fips cnsa"),
         ("p521", 256, 132, "any fips"))
COMPAT = {"any": "your own programs on both ends", "web": "certificates that browsers take", "fips": "FIPS 186-5",
          "cnsa": "CNSA 1.0", "gm": "GB/T 32918, China's commercial cryptography"}


def title(name):
    return TITLES.get(name, re.sub(r"^rsa(?=\d)", "RSA-", name).replace("_batch64", " x64").replace("_", " "))


def x(ratio):
    return ratio and V(*ratio, "x")


def scheme_name(curve, op, isa="auto"):
    return "scheme/%s/%s/%s" % (curve, op, isa)


def curves_of(m, op="sign"):
    """Those of the machine that have the operation, in the order of the fields."""
    return [c for c in dict.fromkeys([*BITS, *(c for c, _ in m.schemes)]) if (c, op) in m.schemes]


def numbered(machines):
    several = len(machines) > 1
    return [("[%d] %s" % (i, m.label()) if several else m.label(), m) for i, m in enumerate(machines, 1)]


def about(machines):
    keys = ("cpu_model", "cpu_ids", "microarchitecture", "cpu_features", "LIMBIC_CPU", "virtualisation", "governor", "clock_ghz", "clock_ghz_range",
            "load_avg", "limbic_version", "commit", "compiler", "flags", "openssl_version", "date", "model", "warnings")
    texts = [[", ".join("%.2f" % v for v in m.context[k]) if k == "load_avg" and isinstance(m.context[k], list) else
              str(m.context.get(k, "")) for m in machines] if any(k in m.context for m in machines) else None for k in keys]
    rows = [[k.replace("_", " ") if k != "LIMBIC_CPU" else k, *t] for k, t in zip(keys, texts) if t and any(t)]
    names = [n for n, _ in numbered(machines)]
    rows.append(["file", *(os.path.basename(m.path) for m in machines)])
    notes = ["WARNING: %s: %s" % (n, m.context["warnings"]) for n, m in numbered(machines) if m.context.get("warnings")]
    units = list(dict.fromkeys(k.rsplit(" ", 1)[1] for m in machines for k in m.context if k.startswith(("chosen ", "left out "))))
    why = [[u, *("; ".join(filter(None, (m.context.get("chosen " + u), m.context.get("left out " + u)))) for m in machines)] for u in units]
    return Section("Machines", notes, [Table("What was measured where", ["", *names], rows)] +
                   ([Table("The rows that run, and why others don't", ["unit", *names], why, True)] if why else []))


def kinds(m):
    """(name, security, signature bytes, compatibility) of what the machine has figures for."""
    return [k for k in KINDS if scheme_name(k[0], "sign") in m.names]


def choice_table(machines):
    rows = []
    for n, m in numbered(machines):
        rows += [[n, title(k), str(bits), str(size), compat.replace("any ", ""), *(m.value(scheme_name(k, op)) for op in
                  ("sign", "sign_batch64", "verify", "verify_batch64", "verify_prepared"))] for k, bits, size, compat in kinds(m)]
    return Table("Security, sizes and rates", ["machine", "key", "security, bits", "signature, bytes", "accepted by", "sign", "sign x64", "verify",
                                               "verify x64", "verify prepared"], rows)


def operations(machines):
    items = []
    for op in MAIN_OPS:
        curves = list(dict.fromkeys(c for m in machines for c in curves_of(m, op)))
        if curves:
            items.append(Chart("%s, operations per second" % op, "/s", [title(c) for c in curves], [
                (n, [m.value(scheme_name(c, op)) for c in curves]) for n, m in numbered(machines)]))
    keys = list(dict.fromkeys(k for m in machines for k in m.schemes))
    items.append(Table("Operations per second", ["key", "operation", *(n for n, _ in numbered(machines))],
                       [[title(c), title(op), *(m.value(scheme_name(c, op)) for m in machines)] for c, op in keys]))
    return Section("Operations per second", ["Each row as the library chooses on that machine."], items)


def instruction_sets(machines):
    items = []
    for n, m in numbered(machines):
        isas = m.isas + ["auto"]
        for op in ("sign", "verify"):
            curves = curves_of(m, op)
            items.append(Chart("%s: %s, operations per second" % (n, op), "/s", [title(c) for c in curves], [
                (title(i), [m.value(scheme_name(c, op, i)) for c in curves]) for i in isas]))
        items.append(Table("%s: operations per second" % n, ["key", "operation", *map(title, isas)], [
            [title(c), title(op), *(m.value(scheme_name(c, op, i)) for i in isas)] for c, op in m.schemes]))
    return Section("Each instruction set", ["The whole operation on one instruction set; as chosen: the best row of each part."], items)


def batches(machines):
    items = []
    for n, m in numbered(machines):
        pairs = [(c, op) for c, op in m.schemes if (c, op + BATCH) in m.schemes]
        for op in ("sign", "verify", "private"):
            curves = [c for c, o in pairs if o == op]
            if curves:
                items.append(Chart("%s: %s, operations per second" % (n, op), "/s", [title(c) for c in curves], [
                    (s, [m.value(scheme_name(c, op + tail)) for c in curves]) for s, tail in (("one at a time", ""), ("64 at once", BATCH))]))
        items.append(Table("%s: operations per second" % n, ["key", "operation", "one at a time", "64 at once", "times"], [
            [title(c), title(op), m.value(scheme_name(c, op)), m.value(scheme_name(c, op + BATCH)),
             x(m.ratio(scheme_name(c, op + BATCH), scheme_name(c, op)))] for c, op in pairs]))
    return Section("One at a time, and 64 at once", [], items)


def processors(machines):
    items, notes = [], []
    for n, m in numbered(machines):
        counts = sorted({k for v in m.threads.values() for k in v})
        name = "scheme/%s/%s/auto/threads:%d"
        if not counts:
            notes.append("%s: not measured (ci/bench.sh --threads N)" % n)
            continue
        for op in ("sign", "verify"):
            curves = [c for c, o in m.threads if o == op]
            items.append(Chart("%s: %s, operations per second of all processors" % (n, op), "/s", [title(c) for c in curves], [
                ("%d at once" % k, [m.value(name % (c, op, k)) for c in curves]) for k in counts]))
        items.append(Table("%s: operations per second of all processors" % n, ["key", "operation", *map(str, counts), "times"], [
            [title(c), title(op), *(m.value(name % (c, op, k)) for k in counts),
             x(m.ratio(name % (c, op, counts[-1]), name % (c, op, counts[0])))] for c, op in m.threads]))
    return Section("Several processors at once", notes, items)


def layer_row(m, form, curve, isa):
    """The row of a layer; what runs, for auto, if it is one of the kernels."""
    parts = (form % (curve, isa)).split("/")
    if parts[0] == "kernel" and isa == "auto":
        parts[3] = m.chosen(curve, parts[2]) or "auto"
    return "/".join(parts)


def gap(machines):
    items, notes = [], []
    for n, m in numbered(machines):
        curves = [c for c in curves_of(m) if c in BITS]
        for isa in [i for i in m.isas if i != "c"] + ["auto"]:
            rows = [[layer, *(x(m.ratio(layer_row(m, form, c, isa), layer_row(m, form, c, "c"))) for c in curves)] for layer, form in LAYERS]
            rows = [r for r in rows if any(r[1:])]
            if not rows or (isa == "auto" and not [i for i in m.isas if i != "c"]):
                continue
            for r in rows:
                cells = dict(zip(curves, r[1:]))
                ends = [cells.get(c) for c in ("p256", "p521")]
                change = ends[1].value / ends[0].value if all(ends) else 0
                r.append("-" if not change else "widens" if change > 1.1 else "narrows" if change < 1 / 1.1 else "the same")
            heads = ["layer", *map(title, curves), "P-256 to P-521"]
            items += [Chart("%s: %s, times as fast as portable C" % (n, title(isa)), "x", [r[0] for r in rows], [
                (title(c), [r[k + 1] for r in rows]) for k, c in enumerate(curves)]),
                Table("%s: %s, times as fast as portable C" % (n, title(isa)), heads, rows)]
        if not [i for i in m.isas if i != "c"]:
            notes.append("%s: portable C alone runs here" % n)
    return Section("The acceleration gap", ["Each instruction set over portable C on the same machine, layer by layer; the last column tells what "
                                            "becomes of it as the field grows.", *notes], items)


def growth(machines):
    items, verdicts = [], collections.Counter()
    for n, m in numbered(machines):
        for isa in ["c", *(["auto"] if len(m.isas) > 1 else [])]:
            rows, chart = [], {}
            for layer, form in LAYERS:
                rules = PRODUCT if layer.startswith("field") or layer.startswith("point") else MULTIPLE
                for c in rules:
                    r = x(m.quotient(layer_row(m, form, "p256", isa), layer_row(m, form, c, isa)))
                    if not r:
                        continue
                    chart.setdefault(c, {})[layer] = r
                    low, high, rule = rules[c]
                    verdict = ("confirmed" if r.low <= high and r.high >= low else "refuted: less" if r.high < low else "refuted: more")
                    verdicts[verdict] += 1
                    rows.append([layer, title(c), r, rule, verdict])
            if not rows:
                continue
            name = "%s: %s, cost in P-256's" % (n, title(isa))
            layers = list(dict.fromkeys(r[0] for r in rows))
            items += [Chart(name, "x", layers, [(title(c), [v.get(layer) for layer in layers]) for c, v in chart.items()]),
                      Table(name, ["layer", "curve", "times", "rule of thumb", "here"], rows)]
    total = sum(verdicts.values())
    notes = ["Rules of thumb: a product of P-384 costs 2.5 to 3 of P-256, one of P-521 4 to 5 (points: as many products); a multiple, and with it "
             "a signature, that times the bits of its scalar (1.5 and 2.04). SM2 costs what P-256 does."]
    if total:
        notes.append("Of %d comparisons %s." % (total, ", ".join("%d %s" % (v, k.replace(": ", " (it is ") + ")" * (":" in k)) for k, v in sorted(verdicts.items()))))
    return Section("How cost grows with the field", notes, items)


def against_rsa(machines):
    items, notes = [], []
    for n, m in numbered(machines):
        data = m.data.get("sm2_rsa")
        if not data:
            ops = [op for op in ("sign", "verify", "keygen", "encrypt_32", "decrypt_32") if scheme_name("rsa2048", op) in m.names]
            notes.append("%s: heap, sizes and BouncyCastle not measured (ci/bench.sh --full)" % n)
            if ops:
                items.append(Table("%s: operations per second" % n, ["operation", "SM2", "RSA-2048", "SM2 to RSA"], [
                    [title(op), m.value(scheme_name("sm2", op)), m.value(scheme_name("rsa2048", op)),
                     x(m.quotient(scheme_name("sm2", op), scheme_name("rsa2048", op)))] for op in ops]))
            continue
        ops = list(dict.fromkeys(o["op"] for o in data["operations"]))
        columns = [(lib, s) for lib in ("limbic", "openssl", "bouncycastle") if data[lib] for s in ("sm2", "rsa2048")]
        cell = {(o["op"], o["library"], o["scheme"]): o for o in data["operations"]}
        heads = ["operation", *("%s, %s" % (data[lib].replace(" (auto)", ""), title(s)) for lib, s in columns)]

        def time(key):
            o = cell.get(key)
            if not o:
                return None
            if "max_bytes" in o:
                return "%d B at most" % o["max_bytes"]
            return V(o["mean_s"], o["mean_s"] - o["deviation_s"], o["mean_s"] + o["deviation_s"], "s")
        main = [op for op in ops if op in ("keygen", "sign", "verify", "encrypt_32", "decrypt_32")]
        items.append(Chart("%s: time of an operation" % n, "s", [title(op) for op in main], [
            (h.partition(" ")[0] + h[h.index(","):], [time((op, *k)) for op in main]) for h, k in zip(heads[1:], columns)]))
        items.append(Table("%s: time, mean ± standard deviation" % n, heads, [[title(op), *(time((op, *k)) for k in columns)] for op in ops]))
        items.append(Table("%s: heap bytes that an operation asks for" % n, heads, [
            [title(op), *(V(cell[op, *k]["heap_bytes"], None, None, "B") if cell.get((op, *k), {}).get("heap_bytes") is not None else None
                          for k in columns)] for op in ops]))
        items.append(Table("%s: times as fast" % n, ["operation", "what", "times"], [
            [title(r["op"]), "%s to %s" % (r["of"], r["to"]), V(r["ratio"], r["ratio"] - r["spread"], r["ratio"] + r["spread"], "x")]
            for r in data["ratios"]]))
        items.append(Table("%s: bytes" % n, ["of", "SM2", "RSA-2048"], [
            [z["of"], *(V(z[s], None, None, "B") if s in z else None for s in ("sm2", "rsa2048"))] for z in data["sizes"]]))
    return Section("SM2 against RSA-2048", notes, items)


def peers(machines):
    items = []
    for n, m in numbered(machines):
        keys = [(c, op, PEER % (c, PEER_OP.get(op, op))) for c, op in m.schemes]
        keys = [k for k in keys if k[2] in m.names]
        for op in ("sign", "verify", "keygen", "ecdh"):
            mine = [k for k in keys if k[1] == op]
            if mine:
                items.append(Chart("%s: %s, times as fast as OpenSSL" % (n, op), "x", [title(k[0]) for k in mine], [
                    (title(i), [x(m.ratio(scheme_name(c, op, i), peer)) for c, _, peer in mine]) for i in ("c", "auto")]))
        if keys:
            items.append(Table("%s: beside %s" % (n, " ".join(m.context.get("openssl_version", "OpenSSL").split()[:2])), [
                "key", "operation", "OpenSSL", "portable C", "times", "as chosen", "times"], [
                    [title(c), title(op), m.value(peer), m.value(scheme_name(c, op, "c")), x(m.ratio(scheme_name(c, op, "c"), peer)),
                     m.value(scheme_name(c, op)), x(m.ratio(scheme_name(c, op), peer))] for c, op, peer in keys]))
    return Section("Peers", ["The peer's operation with the same result, in the same process and within the same moments. BouncyCastle: under SM2 against RSA-2048; "
                             "GMP: with the kernels."], items)


def kernels(machines):
    items = []
    for n, m in numbered(machines):
        for what, ops, both in (("latency/throughput", FIELD_OPS, True), ("throughput", CURVE_OPS, False), ("64 at once", MANY_OPS, False),
                                ("powers", MONT_OPS, False), ("a block", HASH_OPS, False)):
            items += [Table("%s: core cycles, %s" % (n, what), ["unit", *(("%s %s" % h).strip() for h in head[1:])], rows)
                      for head, rows in kernel_table(m, "", ops, both)]
    return Section("Kernels", ["Core cycles; of an operation that waits for the one before (latency) and of one that need not (throughput)."], items)


def every_row(machines):
    names = list(dict.fromkeys(k for m in machines for k in m.names))
    heads = ["row"]
    for n, _ in numbered(machines):
        heads += [n, "cycles"]
    rows = []
    for k in names:
        row = [k]
        for m in machines:
            c = m.cycles(k)
            row += [m.value(k), V(c, None, None, "cycles") if c else None]
        rows.append(row)
    missing = [["%s%s" % ("[%d] " % i if len(machines) > 1 else "", line)] for i, m in enumerate(machines, 1) for line in m.absent()]
    return Section("Every row", ["Operations per second with the quartiles of the repetitions, and core cycles. ~: quartiles more than 10 % apart."],
                   [Table("Every row", heads, rows)] + ([Table("What did not run", ["row and reason"], missing)] if missing else []))


def modelled_section(machines):
    """The same of machines that nobody measured; the rows of theirs that have a counterpart elsewhere are not put beside it."""
    items = []
    for n, m in numbered(machines):
        def figure(name, key):
            run = m.medians.get(name, {})
            return V(run[key], None, None, key) if run.get(key) is not None else None
        for key in ("instructions", "cycles"):
            rows = [k for k in m.names if re.match(r"scheme/[^/]+/(sign|verify|keygen|ecdh)/", k) and figure(k, key)]
            isas = list(dict.fromkeys(k.split("/")[3] for k in rows))
            subjects = list(dict.fromkeys(tuple(k.split("/")[1:3]) for k in rows))
            if rows:
                items.append(Chart("%s: modelled %s of an operation" % (n, key), key, ["%s %s" % (title(c), op) for c, op in subjects], [
                    (title(i), [figure(scheme_name(c, op, i), key) for c, op in subjects]) for i in isas]))
        items.append(Table("%s: modelled" % n, ["row", "instructions", "cycles", "operations/s"], [
            [k, figure(k, "instructions"), figure(k, "cycles"), m.value(k)] for k in m.names]))
    notes = ["MODELLED, not measured: %s: %s" % (n, m.context.get("model", "it does not say how")) for n, m in numbered(machines)]
    return Section("Modelled machines", notes + ["None of these figures is in any other part of this page."], [*about(machines).items, *items])


def page(machines):
    measured, modelled = [m for m in machines if not m.modelled], [m for m in machines if m.modelled]
    sections = []
    if measured:
        sections = [about(measured), Section("Which curve", ["Security in bits after NIST SP 800-57 and 800-56B; operations per second. "
                    "limbic report --choose answers for given needs."], [choice_table(measured)])]
        sections += [f(measured) for f in (operations, instruction_sets, batches, processors, gap, growth, against_rsa, peers, kernels, every_row)]
    if modelled:
        sections.append(modelled_section(modelled))
    return sections


# ---- a choice ----

def choose(m, args):
    """Every kind of key: what it does here, and whether that is enough; the cheapest first."""
    wants = {"sign": args.sign, "verify": args.verify}
    rows = []
    for k, bits, size, compat in kinds(m):
        rates = {op: m.value(scheme_name(k, op)) for op in wants}
        batch = {op: m.value(scheme_name(k, op + BATCH)) for op in wants}
        why = []
        if bits < args.bits:
            why.append("only %d bits" % bits)
        if args.compat not in compat.split():
            why.append("not for %s" % COMPAT[args.compat])
        if args.signature and size > args.signature:
            why.append("signatures of %d bytes" % size)
        load = sum(wants[op] / rates[op].value for op in wants if wants[op] and rates[op])
        at_once = sum(wants[op] / (batch[op] or rates[op]).value for op in wants if wants[op] and rates[op])
        if load > args.processors:
            why.append("%.1f processors needed" % load + (", %.1f in batches" % at_once if at_once < 0.95 * load else ""))
        # Without rates asked for: the time of one of each.
        cost = load or sum(1 / r.value for r in rates.values() if r)
        rows.append((len(why) > 0, cost, k, why or ["will do"], [title(k), str(bits), str(size), rates["sign"], batch["sign"], rates["verify"], batch["verify"],
                                                 "%.2f" % load if load else "-"]))
    rows.sort(key=lambda r: r[:2])
    asked = ["%d bits of security" % args.bits, COMPAT[args.compat]] + ["%g %s a second" % (n, op) for op, n in wants.items() if n]
    asked += ["signatures of %d bytes at most" % args.signature] if args.signature else []
    asked.append("%g processor%s" % (args.processors, "" if args.processors == 1 else "s"))
    if not rows:
        raise ValueError("no figures as the library chooses (scheme/.../auto) in it")
    good = not rows[0][0]
    answer = "%s: %s" % (m.label(), title(rows[0][2]) if good else "none")
    if good:
        first = rows[0][4]
        answer += " (%s signatures and %s verifications a second on one processor)" % (number(first[3].value), number(first[5] and first[5].value))
    notes = ["Asked for: %s." % ", ".join(asked), answer + "."]
    if m.modelled:
        notes.append("MODELLED figures, not measured ones.")
    if m.context.get("warnings"):
        notes.append("WARNING: " + m.context["warnings"])
    return good, Section("Which curve", notes, [Table("Cheapest first", [
        "key", "security", "signature, bytes", "sign", "sign x64", "verify", "verify x64", "processors", "answer"],
        [r[4] + ["; ".join(r[3])] for r in rows])])


class Quick(Machine):
    """This machine, as `limbic speed` beside this program measures it."""
    def __init__(self):  # pylint: disable=super-init-not-called
        program = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "limbic")
        program = os.environ.get("LIMBIC_PROGRAM") or (program if os.path.exists(program) else "limbic")
        speed = json.loads(subprocess.run([program, "speed", "--json", "--seconds", "0.05"], check=True, stdout=subprocess.PIPE).stdout)
        runs = [{"run_name": scheme_name(c.replace("-", "").lower(), op.replace("_batch", BATCH)), "aggregate_name": "median",
                 "items_per_second": rate} for c, ops in speed["operations_per_second"].items() for op, rate in ops.items()]
        self.path, self.data, self.context = program, {}, {"label": "this machine", "limbic_version": speed["version"]}
        self.modelled, self.samples, self.random = False, {}, set()
        self.medians = {r["run_name"]: r for r in runs}
        self.names = dict.fromkeys(self.medians)


# ---- rendering ----

UNITS = {"/s": 1, "x": 1, "cycles": 1, "instructions": 1, "B": 1, "s": 1}


def seconds(v):
    for scale, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if v >= 0.9995 * scale:
            return "%.3g %s" % (v / scale, unit)
    return "%.3g ns" % (v / 1e-9)


def shown(v, noise=True):
    """A cell in words: the figure, and the spread where it is known."""
    if v is None:
        return "-"
    if not isinstance(v, V):
        return v
    if v.unit == "x":
        text = "%.*f" % (2 if v.value < 9.995 else 1, v.value)
    else:
        text = seconds(v.value) if v.unit == "s" else "%d" % v.value if v.unit == "B" else number(v.value)
    if not noise or v.low is None:
        return text
    share = spread_of(v)
    return "%s ±%.*f%%%s" % (text, 0 if share > 0.00995 else 1, 100 * share, "~" if share > NOISY else "")


def plain(text):
    """Fit for gnuplot and for a picture, wherever it comes from."""
    return re.sub(r"[^\w .,:+()\[\]/=-]", "?", text)[:60]


# Colours are the page's: numbers that gnuplot passes through stand for them.
SERIES = 6
INK = 'rgb "#0102%02x"'


def script(chart, out):
    """Bars across, a category a group; on a logarithmic scale where values are further apart than a factor of 30."""
    filled = [(name, s) for name, s in chart.series if any(isinstance(v, V) and v.value > 0 for v in s)]
    values = [v.value for _, s in filled for v in s if isinstance(v, V) and v.value > 0]
    n = len(filled)
    log = max(values) > 30 * min(values)
    low = 10 ** math.floor(math.log10(min(values) / 1.2)) if log else 0
    high = max(values) * (6 if log else 1.25)
    bars = len(chart.categories) * (n + 0.7)
    lines = ["set terminal svg size 480,%d font 'sans-serif,12' noenhanced" % (84 + 15 * bars + 14 * ((n + 1) // 2)), "set output '%s'" % out,
             "set logscale x" if log else "unset logscale x", "set xrange [%g:%g]" % (low, high), "set yrange [%g:-0.6]" % (len(chart.categories) - 0.4),
             "set ytics (%s) nomirror scale 0" % ", ".join("'%s' %d" % (plain(c), i) for i, c in enumerate(chart.categories)),
             "set xtics nomirror scale 0.4", "set format x '%s'" % ("%g" if chart.unit == "x" and not log else "%.0s%c"),
             "set grid x lt 1 lw 0.5 lc %s" % INK % 255, "set border 3 lw 0.7", "set bars 0.4",
             "set key outside top left maxcols 2 horizontal Left reverse samplen 1 width 1", "unset arrow", "set xlabel '%s' font ',10' offset 0,0.5" % ("logarithmic scale" if log else "")]
    if chart.unit == "x" and low < 1 < high:
        lines.append("set arrow from 1,graph 0 to 1,graph 1 nohead lw 1 lc %s" % INK % 254)
    plots = []
    width = 1 / (n + 0.7)
    for k, (name, series) in enumerate(filled):
        rows = []
        for i, v in enumerate(series):
            if isinstance(v, V) and v.value > 0:
                y = i + (k - (n - 1) / 2) * width
                ends = (v.value, v.value) if v.low is None else (max(v.low, low or 0), v.high)
                at = max(ends[1], v.value)
                rows.append("%g %g %g %g %g %g %g \"%s\"" % (v.value, y, y - 0.46 * width, y + 0.46 * width, *ends, at, shown(v, False) + (
                    "~" if spread_of(v) > NOISY else "")))
        lines += ["$D%d << EOD" % k, *rows, "EOD"]
        plots += ["$D%d using 1:2:(%g):1:3:4 with boxxyerror fs solid 1 noborder lc %s title '%s'" % (k, low, INK % (k % SERIES), plain(name)),
                  "$D%d using 1:2:5:6 with xerrorbars pt 0 lw 1.2 lc %s notitle" % (k, INK % 253),
                  "$D%d using 7:2:8 with labels left offset 0.4,0 font ',10' notitle" % k]
    return lines + ["plot " + ", ".join(plots)]


def draw(charts):
    """The SVG of each chart, made by gnuplot, with the colours of the page."""
    import tempfile
    charts = [c for c in charts if any(isinstance(v, V) and v.value > 0 for _, s in c.series for v in s)]
    if not charts:
        return {}
    pictures = {}
    with tempfile.TemporaryDirectory() as folder:
        lines = []
        for i, c in enumerate(charts):
            lines += script(c, "%s/%d.svg" % (folder, i))
        try:
            run = subprocess.run(["gnuplot"], input="\n".join(lines), stderr=subprocess.PIPE, text=True, check=False)
        except FileNotFoundError:
            raise OSError("the page's charts take gnuplot (Debian: gnuplot-nox); --format md and csv do without") from None
        if run.returncode:
            raise OSError("gnuplot: " + run.stderr.strip())
        for i, c in enumerate(charts):
            with open("%s/%d.svg" % (folder, i), encoding="utf-8") as f:
                svg = f.read()
            svg = re.sub(r"<defs>.*?</defs>|<\?xml.*?\?>|<title>.*?</title>|<desc>.*?</desc>|<rect [^>]*#ffffff[^>]*>|<use [^>]*>| xmlns(:\w+)?=\"[^\"]*\"| id=\"[^\"]*\"",
                         "", svg, flags=re.S)
            svg = re.sub(r"rgb\(\s*1,\s*2,\s*(\d+)\)", lambda k: "var(--ink%s)" % k[1], svg).replace("'black'", "'currentColor'")
            svg = re.sub(r'"(black|gray)"', '"currentColor"', svg)
            svg = re.sub(r"<g [^>]*>\s*</g>", "", re.sub(r"\s*\n\s*", "\n", svg))
            pictures[id(c)] = svg.replace("<svg", '<svg role="img" aria-label="%s"' % html.escape(c.title), 1)
    return pictures


STYLE = """
:root{color-scheme:light dark;--bg:#fff;--fg:#1c2024;--dim:#5c6670;--line:#d5dae0;--band:#f4f6f8;--warn:#8a3b00;--warnbg:#fff1e0;
--ink0:#8d99a6;--ink1:#2b6cb0;--ink2:#2f8f5b;--ink3:#b7791f;--ink4:#7b4bb7;--ink5:#c2413b;--ink253:#111;--ink254:#888;--ink255:#d5dae0}
@media(prefers-color-scheme:dark){:root{--bg:#15181c;--fg:#e3e7eb;--dim:#9aa5b1;--line:#343b43;--band:#1d2228;--warn:#ffc27a;--warnbg:#3a2a14;
--ink0:#6f7c8a;--ink1:#5a9fe0;--ink2:#4fb37d;--ink3:#d9a441;--ink4:#a883e0;--ink5:#e8736d;--ink253:#fff;--ink254:#aaa;--ink255:#343b43}}
*{box-sizing:border-box}body{margin:0 auto;max-width:1120px;padding:1rem;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.6rem;margin:.2em 0}h2{font-size:1.25rem;border-top:2px solid var(--line);padding-top:.8em;margin:2em 0 .4em}
nav a{display:inline-block;margin:0 .9em .3em 0}a{color:var(--ink1)}p{margin:.4em 0;max-width:75ch}
.warn{background:var(--warnbg);color:var(--warn);padding:.5em .8em;border-radius:6px;max-width:none}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,430px),1fr));gap:1rem;margin:.8em 0}
figure{margin:0;min-width:0}figcaption{font-weight:600;font-size:.92rem}svg{width:100%;max-width:540px;height:auto;display:block;color:var(--fg)}svg g{color:inherit}
.wide{overflow-x:auto;border:1px solid var(--line);border-radius:6px;margin:.4em 0 1em;max-height:75vh;overflow-y:auto}
table{border-collapse:collapse;font-size:.86rem;width:100%}td,th{padding:.3em .6em;text-align:right;white-space:nowrap;vertical-align:top}
td.t,th.t{text-align:left}td.w{white-space:normal;min-width:13em;overflow-wrap:anywhere}
thead th{position:sticky;top:0;background:var(--band);z-index:1}th button{all:unset;cursor:pointer;font-weight:600}th button:focus-visible{outline:2px solid}
th[aria-sort=ascending] button::after{content:" \\25b4"}th[aria-sort=descending] button::after{content:" \\25be"}
tbody tr{background:var(--bg)}tbody tr:nth-child(even){background:var(--band)}
td:first-child,th:first-child{position:sticky;left:0;background:inherit}thead th:first-child{z-index:2;background:var(--band)}small{color:var(--dim)}summary{cursor:pointer;font-weight:600;font-size:.92rem;padding:.2em 0}
"""
SORT = """
document.querySelectorAll("th button").forEach(b=>b.onclick=()=>{const h=b.parentNode,t=h.closest("table"),i=h.cellIndex,
d=h.getAttribute("aria-sort")==="descending"?1:-1,k=r=>{const c=r.cells[i],v=c.dataset.v;return v===undefined?(c.textContent==="-"?null:c.textContent):+v};
t.querySelectorAll("th").forEach(e=>e.removeAttribute("aria-sort"));h.setAttribute("aria-sort",d<0?"descending":"ascending");
[...t.tBodies[0].rows].sort((p,q)=>{const a=k(p),b=k(q);if(a===null||b===null)return(a===null)-(b===null);
return d*(typeof a==="number"&&typeof b==="number"?a-b:String(a).localeCompare(String(b),"en",{numeric:true}))}).forEach(r=>t.tBodies[0].append(r))});
"""


def html_cell(v, left):
    if isinstance(v, V):
        text, _, noise = shown(v).partition(" ±")
        return '<td data-v="%.6g">%s%s</td>' % (v.value, text, " <small>±%s</small>" % noise if noise else "")
    text = html.escape(v or "-")
    return "<td%s>%s</td>" % ("" if not left else ' class="t w"' if len(text) > 40 else ' class="t"', text)


def html_table(t):
    """Columns with figures in them stand at the right."""
    left = [not any(isinstance(r[i], V) for r in t.rows) and not all(re.fullmatch(r"\d+", r[i] or "-") for r in t.rows) for i in range(len(t.head))]
    heads = "".join('<th scope="col"%s><button>%s</button></th>' % (' class="t"' if p else "", html.escape(h)) for h, p in zip(t.head, left))
    rows = "\n".join("<tr>" + "".join(map(html_cell, r, left)) + "</tr>" for r in t.rows)
    return ("<details%s><summary>%s (%d rows)</summary><div class=wide tabindex=0><table><thead><tr>%s</tr></thead><tbody>\n%s\n</tbody></table></div></details>" %
            (" open" if len(t.rows) <= 24 and not t.closed else "", html.escape(t.title), len(t.rows), heads, rows))


def as_html(sections):
    pictures = draw([i for s in sections for i in s.items if isinstance(i, Chart)])
    out = ["<!doctype html>", '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
           "<title>Limbic: what the hardware buys</title><style>%s</style></head><body><header><h1>What the hardware buys</h1>" % STYLE,
           "<p>Figures of the library Limbic. Lines on bars: quartiles of the repetitions; ~: more than 10 % apart. A column's head sorts by it.</p>",
           "<nav>" + " ".join('<a href="#s%d">%s</a>' % (i, html.escape(s.title)) for i, s in enumerate(sections)) + "</nav></header><main>"]
    for i, s in enumerate(sections):
        out.append('<section id="s%d"><h2>%s</h2>' % (i, html.escape(s.title)))
        out += ["<p%s>%s</p>" % (' class="warn"' if n.startswith(("WARNING", "MODELLED")) else "", html.escape(n)) for n in s.notes]
        figures = ["<figure><figcaption>%s</figcaption>%s</figure>" % (html.escape(c.title), pictures[id(c)]) for c in s.items if id(c) in pictures]
        if figures:
            out += ['<div class="charts">', *figures, "</div>"]
        out += [html_table(t) for t in s.items if isinstance(t, Table)] + ["</section>"]
    return "\n".join(out) + "</main><script>%s</script></body></html>\n" % SORT


def as_svg(sections):
    """The last chart of the acceleration gap as a file of its own, in the light colours."""
    charts = [c for s in sections for c in s.items if isinstance(c, Chart) and s.title == "The acceleration gap"]
    if not charts:
        raise ValueError("no instruction set but portable C in it: no acceleration gap")
    inks = dict(reversed(re.findall(r"--(ink\d+):(#\w+)", STYLE)))
    svg = re.sub(r"var\(--(ink\d+)\)", lambda k: inks[k[1]], draw(charts[-1:])[id(charts[-1])])
    return svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg" color="#1c2024" style="background:#fff"', 1).replace(
        ">", "><title>%s</title>" % html.escape(charts[-1].title), 1) + "\n"


def as_md(sections):
    def line(cells):
        return "| " + " | ".join(shown(c).replace("|", "\\|").replace("\n", " ") for c in cells) + " |"
    out = ["# What the hardware buys"]
    for s in sections:
        out += ["", "## " + s.title]
        out += [line for n in s.notes for line in ("", n)]
        for t in s.items:
            if isinstance(t, Table):
                rule = ["--:" if any(isinstance(r[i], V) for r in t.rows) else "---" for i in range(len(t.head))]
                out += ["", "**%s**" % t.title, "", line(t.head), line(rule), *map(line, t.rows)]
    return "\n".join(out) + "\n"


def as_csv(sections):
    """One line a cell: part, table, row (its texts), column, figure, lower and upper end, unit, text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["section", "table", "row", "column", "value", "low", "high", "unit", "text"])
    for s in sections:
        writer.writerows([s.title, "", "", "note", "", "", "", "", n] for n in s.notes)
        for t in s.items:
            if not isinstance(t, Table):
                continue
            keys = [i for i in range(len(t.head)) if not any(isinstance(r[i], V) for r in t.rows)]
            for r in t.rows:
                row = " ".join(r[i] for i in keys if r[i] and (i == 0 or any(isinstance(v, V) for v in r))) or r[0]
                for h, v in list(zip(t.head, r))[1 if len(r) > 1 else 0:]:
                    if isinstance(v, V):
                        writer.writerow([s.title, t.title, row, h, "%.6g" % v.value, *("" if e is None else "%.6g" % e for e in (v.low, v.high)), v.unit, shown(v)])
                    elif v:
                        writer.writerow([s.title, t.title, row, h, "", "", "", "", v])
    return out.getvalue()


def as_text(sections):
    lines = []
    for s in sections:
        lines += [n for n in s.notes]
        for t in s.items:
            if isinstance(t, Table):
                lines += ["", *text_table([("", h) for h in t.head], [[shown(c, False) for c in r] for r in t.rows])]
    return "\n".join(lines) + "\n"


def joined(machine, extra, compact):
    """Google Benchmark's format again, with the file of limbic-bench --sm2-rsa --json; compact: one entry a row."""
    data = machine.data
    for path in extra:
        with open(path, encoding="utf-8") as f:
            data["sm2_rsa"] = json.load(f)
    if compact:
        for o in data.get("sm2_rsa", {}).get("operations", []):
            o.pop("slices_s", None)
        kept = {k: v for k, v in data["context"].items() if k not in ("caches", "executable", "host_name", "library_build_type")}
        rows = []
        for name in machine.names:
            v, run = machine.value(name), machine.medians.get(name, {})
            time = 1e9 / float("%.5g" % v.value) if v else 0  # of one item, from the rate as it is written
            row = {"name": name + "_median", "run_name": name, "run_type": "aggregate", "aggregate_name": "median",
                   "repetitions": len(machine.samples.get(name, [])) or run.get("repetitions", 1), "iterations": 1,
                   "real_time": time, "cpu_time": time, "time_unit": "ns", "items_per_second": v and v.value, "cycles": machine.cycles(name),
                   "q1": v and v.low, "q3": v and v.high, **({"random": 1} if name in machine.random else {})}
            rows.append({k: float("%.5g" % c) if isinstance(c, float) else c for k, c in row.items() if c is not None})
        rest = {k: v for k, v in data.items() if k not in ("context", "benchmarks")}
        return "{\n" + ",\n".join(['"context": ' + json.dumps(kept, indent=1), *('"%s": %s' % (k, json.dumps(v)) for k, v in rest.items()),
                                   '"benchmarks": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]"]) + "\n}\n"
    return json.dumps(data, indent=1) + "\n"


FORMATS = ("text", "html", "md", "csv", "svg", "json", "joined", "compact")


def arguments():
    parser = argparse.ArgumentParser(prog="limbic report", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("files", nargs="*", metavar="FILE", help="JSON of limbic-bench, one a machine")
    parser.add_argument("-o", "--out", metavar="FILE", help="where it goes (standard output); its ending tells the format")
    parser.add_argument("--format", choices=FORMATS, help="text: one screen; svg: the chart of the acceleration gap alone; json: all rows and ratios, for programs; joined, compact: limbic-bench's own, "
                        "of one file, with that of --sm2-rsa --json behind it; compact: medians and quartiles only")
    need = parser.add_argument_group("which curve will do")
    need.add_argument("--choose", action="store_true", help="answer that; without a file, with what `limbic speed` measures now. Exit code 1: none will")
    need.add_argument("--bits", type=int, default=128, metavar="N", help="of security (128)")
    need.add_argument("--compat", choices=sorted(COMPAT), default="any", help="; ".join("%s: %s" % c for c in sorted(COMPAT.items())))
    for op in ("sign", "verify"):
        need.add_argument("--" + op, type=float, default=0, metavar="N", help="operations a second")
    need.add_argument("--signature", type=int, default=0, metavar="BYTES", help="at most")
    need.add_argument("--processors", type=float, default=1, metavar="N", help="that may be kept busy (1)")
    args = parser.parse_args()
    ending = os.path.splitext(args.out or "")[1][1:]
    args.format = args.format or (ending if ending in ("html", "md", "csv", "svg") else "text")
    if not args.files and not args.choose:
        parser.error("no file given")
    if args.choose and args.format not in ("text", "html", "md", "csv"):
        parser.error("--choose answers as text, html, md or csv")
    return args


def main():
    args = arguments()
    extra = [args.files.pop() for _ in args.files[1:]] if args.format in ("joined", "compact") else []
    machines, code = [], 0
    try:
        for path in args.files or [None]:
            try:
                machines.append(Machine(path) if path else Quick())
            except (KeyError, TypeError, AttributeError) as e:
                raise ValueError("not a file of limbic-bench: %s %s" % (type(e).__name__, e)) from None
        path = None
        if args.choose:
            answers = [choose(m, args) for m in machines]
            code, sections = int(not all(good for good, _ in answers)), [s for _, s in answers]
        else:
            sections = page(machines) if args.format in ("html", "md", "csv", "svg") else None
        if args.format in ("joined", "compact"):
            text = joined(machines[0], extra, args.format == "compact")
        elif args.format == "json":
            text = json.dumps(as_json(machines), indent=1) + "\n"
        elif sections is None:
            text = "\n".join(screen(machines)) + "\n"
        else:
            text = {"html": as_html, "md": as_md, "csv": as_csv, "svg": as_svg, "text": as_text}[args.format](sections)
    except (OSError, ValueError, subprocess.CalledProcessError) as e:
        sys.exit("limbic report: %s%s" % (path + ": " if path else "", e))
    if args.out and args.out != "-":
        try:
            with open(args.out, "w", encoding="utf-8") as f:
                f.write(text)
        except OSError as e:
            sys.exit("limbic report: %s: %s" % (args.out, e.strerror))
    else:
        sys.stdout.reconfigure(errors="replace", encoding="utf-8")
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # head, less
        sys.stdout.write(text)
        sys.stdout.flush()
    sys.exit(code)


if __name__ == "__main__":
    main()
