#!/usr/bin/env python3
"""One screen about one machine, or several side by side, from the JSON files of limbic-bench.

A ratio is the median of the ratios of samples that are neighbours in time, ± half the distance of the
quartiles; where the duration of an operation is random (a search for primes), of the means, ± its standard error.
"""
import argparse
import json
import signal
import statistics
import sys

WIDTH = 100
PEER = "peer/openssl/%s/%s"
# The peer's operation with the same result.
PEER_OP = {op + "_prepared": op for op in ("sign", "sign_message", "verify")}
BATCH = "_batch64"
FIELD_OPS = ("mul", "sqr", "inv")
SINGLE_OPS = ("sign", "sign_prepared", "sign_message", "sign_message_prepared", "verify", "verify_prepared", "verify_message",
              "keygen", "keygen_cold", "ecdh", "exchange",
              *("%s_%s" % (op, n) for op in ("encrypt", "decrypt") for n in ("32", "1k", "10k", "100k")), "1k", "16k", "many")
SCHEME_OPS = tuple(op + many for op in SINGLE_OPS for many in ("", BATCH))
CURVE_OPS = ("point_dbl", "point_add", "base_mul", "point_mul", "double_mul_vartime")
MANY_OPS = ("base_mul_many", "point_mul_many", "double_mul_many_vartime", "prepared_mul_many_vartime")
MONT_OPS = ("pow",)
HASH_OPS = ("sha256", "sha512", "sm3", "sm3_stream", "sha256_many", "sha512_many", "sm3_many")


def by_isa(names):
    """Portable C first."""
    return sorted(names, key=lambda n: (n != "c", n))


class Machine:
    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            data = json.load(f)
        self.path, self.context = path, data["context"]
        self.samples, self.failed, self.random = {}, {}, set()
        for run in data["benchmarks"]:
            if run.get("run_type") != "iteration":
                continue
            name = run["run_name"]
            if run.get("error_occurred"):
                self.failed[name] = run["error_message"]
            else:
                self.samples.setdefault(name, []).append((run["at"], run["items_per_second"], run["cycles"]))
                if run.get("random"):
                    self.random.add(name)
        if not self.samples and not self.failed:
            raise ValueError("no repetitions in it")
        parts = [name.split("/") for name in self.samples]
        schemes = [p for p in parts if p[0] == "scheme"]
        curves = list(dict.fromkeys(p[1] for p in schemes))
        self.schemes = sorted({(p[1], p[2]) for p in schemes}, key=lambda k: (
            curves.index(k[0]), SCHEME_OPS.index(k[1]) if k[1] in SCHEME_OPS else len(SCHEME_OPS), k[1]))
        self.isas = by_isa({p[3] for p in schemes} - {"auto"})
        self.kernels = {}  # (op, isa) of each unit
        for p in parts:
            if p[0] == "kernel":
                self.kernels.setdefault(p[1], set()).add((p[2], p[3]))
        prefix = "not run "
        self.not_run = {k[len(prefix):]: v for k, v in self.context.items() if k.startswith(prefix)}

    def rate(self, name):
        s = self.samples.get(name)
        return s and (statistics.harmonic_mean if name in self.random else statistics.median)([x[1] for x in s])

    def cycles(self, name):
        s = self.samples.get(name)
        return statistics.median(x[2] for x in s) if s else None

    def ratio(self, a, b):
        """(ratio, lower end, upper end) of a's rate to b's: the quartiles, or the standard error."""
        sa, sb = self.samples.get(a), self.samples.get(b)
        if not sa or not sb:
            return None
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
        isas = [i for i in self.isas if name % i in self.samples]
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
        if any("peer/gmp/%s/%s" % (u, op) in m.samples for u in units):
            columns.append((op, "GMP"))
    kinds = ("latency", "throughput") if both else ("throughput",)
    rows = []
    for u in units:
        row = [u]
        for op, isa in columns:
            names = (["peer/gmp/%s/%s" % (u, op)] if isa == "GMP" else
                     ["kernel/%s/%s/%s/%s" % (u, op, isa, k) for k in kinds])
            row.append("/".join(number(m.cycles(n)) for n in names if n in m.samples) or "-")
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


def markdown_table(head, rows):
    def line(cells):
        return "| " + " | ".join(cells) + " |"
    rule = ["---"] + ["--:"] * (len(head) - 1)
    return [line(r) for r in [["%s %s" % h for h in head], rule, *rows] if r]


def report(machines, render):
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
        lines += [""] + render(*table)
    lines.append("")
    for i, m in enumerate(machines, 1):
        lines += [("[%d] " % i if several else "") + x for x in m.absent()]
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
                 for n, s in m.samples.items()},
    } for m in machines]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("files", nargs="+", metavar="FILE", help="JSON of limbic-bench, one a machine")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="all rows and ratios, for programs")
    form.add_argument("--markdown", action="store_true", help="tables in Markdown")
    args = parser.parse_args()
    machines = []
    for path in args.files:
        try:
            machines.append(Machine(path))
        except (OSError, ValueError) as e:
            sys.exit("report.py: %s: %s" % (path, e))
        except KeyError as e:
            sys.exit("report.py: %s: not a file of limbic-bench: no %s in it" % (path, e))
    sys.stdout.reconfigure(errors="replace")
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # head, less
    if args.json:
        json.dump(as_json(machines), sys.stdout, indent=1)
        print()
    else:
        print("\n".join(report(machines, markdown_table if args.markdown else text_table)))


if __name__ == "__main__":
    main()
