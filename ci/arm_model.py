#!/usr/bin/env python3
"""arm_model.py [--check] OUT BUILD COUNTS...: for ci/arm-model.sh, which builds and counts. Models the kernels' cycles, prints a table, and writes a
file for each core, in Google Benchmark's format with "modelled" in the context."""
import glob
import json
import os
import re
import shutil
import statistics
import subprocess
import sys

CORES = {"neoverse-n1": "Neoverse N1", "neoverse-n2": "Neoverse N2", "neoverse-v1": "Neoverse V1", "neoverse-v2": "Neoverse V2"}
# Cores whose models an older LLVM takes for those that it has none for.
OTHERS = ("cortex-a57", "cortex-a72", "cortex-a55", "cortex-a53")
FIELDS, OPS = ("p256", "sm2", "p384", "p521"), ("mul", "sqr")
SCHEMES = ("p256", "p384", "p521", "sm2", "rsa2048", "rsa3072", "rsa4096")
COLUMNS = ("sign", "sign_prepared", "verify", "verify_prepared", "keygen", "ecdh")


def counts(path):
    """Instructions of an operation, and the program's own words."""
    rows, context = {}, {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            kind, _, rest = line.strip().partition(" ")
            if kind == "row":
                name, items, _, *found = rest.split()  # the third: since the row before
                if not found:
                    sys.exit(f"arm-model: {name}: no counts: the plugin does not run with this qemu")
                rows[name] = round(statistics.median(map(int, found)) / int(items))
            elif kind == "context":
                key, _, value = rest.partition(" ")
                context[key] = value
            elif kind == "skip":
                print(f"arm-model: skipped: {rest}")
    return rows, context


def mca():
    """The newest llvm-mca and its version, or None."""
    found = []
    for path in glob.glob("/usr/bin/llvm-mca*") + [shutil.which("llvm-mca") or ""]:
        if path:
            text = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
            version = re.search(r"version (\d+)\.", text)
            found.append((int(version[1]) if version else 0, path))
    return max(found, default=None)


def assembly(build, name):
    """What llvm-mca reads: the object's instructions, straight-line code up to its one return, which is left out."""
    (path,) = glob.glob(f"{build}/CMakeFiles/**/{name}.S.o", recursive=True)
    text = subprocess.run(["aarch64-linux-gnu-objdump", "-d", "--no-show-raw-insn", path], capture_output=True, text=True, check=True).stdout
    code = [re.sub(r"\s*//.*", "", m).replace("bti\tc", "hint\t#34") for m in re.findall(r"^ *[0-9a-f]+:\t(.*)$", text, re.M)]
    while code and code[-1] in ("nop", "udf\t#0"):
        code.pop()
    if code.pop() != "ret" or any(re.match(r"(b|bl|br|blr|cbn?z|tbn?z|ret|b\..*)\s", c + "\t") for c in code):
        sys.exit(f"arm-model: {name} is no straight-line code")
    return "\n".join(code) + "\n", len(code) + 1


def model(tool, core, code):
    """Cycles of one pass of a hundred, and all that the tool says, but for addresses: two models that say the same are one."""
    run = subprocess.run([tool, "-mtriple=aarch64-linux-gnu", f"-mcpu={core}", "-iterations=100"], input=code, capture_output=True,
                         text=True, check=False)
    cycles = re.search(r"Total Cycles: +(\d+)", run.stdout)
    if run.returncode or not cycles or "not a recognized processor" in run.stderr:
        return None, run.stderr.strip().splitlines()[-1:]
    return int(cycles[1]) / 100, run.stdout


def kernels(build):
    """{core: {row: cycles}}, instructions, the tool's name, and remarks on models that are another's."""
    found = mca()
    if not found:
        print("arm-model: skipped: cycles of kernels: no llvm-mca (Debian: llvm-19)")
        return {}, {}, "", {}
    version, tool = found
    codes = {f"{f}/{op}": assembly(build, f"{f}_{op}_a64") for f in FIELDS for op in OPS}
    cycles, said, same = {}, {}, {}
    for core in OTHERS + tuple(CORES):
        results = [model(tool, core, code) for code, _ in codes.values()]
        if any(c is None for c, _ in results):
            if core in CORES:
                print(f"arm-model: skipped: {core}: llvm-mca {version} does not know it")
            continue
        output = "".join(text for _, text in results)
        if core in CORES:
            cycles[core] = dict(zip(codes, (c for c, _ in results)))
            if output in said:
                same[core] = said[output]
                print(f"arm-model: {core}: llvm-mca {version} has no model of its own for it: the same as {said[output]}, no result of its own")
        said.setdefault(output, core)
    return cycles, {name: n for name, (_, n) in codes.items()}, f"llvm-mca {version}", same


def entry(name, **figures):
    return {"name": name + "_median", "run_name": name, "run_type": "aggregate", "aggregate_name": "median", **figures}


def write(out, core, rows, context):
    path = f"{out}/{core}.json"
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"context": {"modelled": True, "cpu_model": CORES[core], **context}, "benchmarks": rows}, f, indent=1)
        f.write("\n")
    return path


def table(rows):
    print(f"\nthousands of instructions of an operation, qemu -cpu neoverse-n1, rows as the library chooses\n{'':22}" + "".join(f"{c:>16}" for c in COLUMNS))
    for scheme in SCHEMES:
        for label, form in ((scheme, f"scheme/{scheme}/%s/auto"), ("  OpenSSL", f"peer/openssl/{scheme}/%s")):
            cells = [rows.get(form % c) for c in COLUMNS]
            if any(cells):
                print(f"{label:22}" + "".join(f"{c / 1000:16.1f}" if c else f"{'-':>16}" for c in cells))


def main():
    args = sys.argv[1:]
    check = args[:1] == ["--check"]
    out, build, *paths = args[check:]
    rows, said = {}, {}
    for path in paths[:1] if check else paths:
        more, context = counts(path)
        rows.update(more)
        said.update(context)
    if check:
        again, _ = counts(paths[1])
        # Verification depends on its numbers, which are others each time.
        bad = [n for n, c in again.items() if abs(c - rows[n]) > (0.03 if "verify" in n else 2e-4) * c]
        for name in bad:
            print(f"arm-model: {name}: {rows[name]} instructions, then {again[name]}")
        if bad or not again:
            sys.exit("arm-model: two counts do not agree")
    cycles, sizes, tool, same = kernels(build)
    commit = subprocess.run(["git", "describe", "--always", "--dirty", "--tags"], capture_output=True, text=True, check=False).stdout.strip()
    files = []
    for core in CORES:
        how = [f"{tool}, -mcpu={core}: throughput of a hundred passes; no caches, no front end"] if core in cycles and core not in same else []
        figures, about = [], {"limbic_version": said["limbic_version"]}
        if core == "neoverse-n1":  # qemu's CPU
            about.update(said)
            how.append("instructions counted under qemu-aarch64 -cpu neoverse-n1")
            figures = [entry(name, instructions=n) for name, n in rows.items()]
        if core not in same:
            figures += [entry(f"kernel/{k}/a64/throughput", cycles=c, instructions=sizes[k]) for k, c in cycles.get(core, {}).items()]
        if figures:
            files.append(write(out, core, figures, {"model": "; ".join(how), "commit": commit or "unknown", **about}))
    for path in files:
        with open(path, encoding="utf-8") as f:
            data = json.load(f)
        if data["context"]["modelled"] is not True or not all(
                b.get("cycles", 1) > 0 and b["instructions"] > 0 for b in data["benchmarks"]):
            sys.exit(f"arm-model: {path} is not in order")
    table(rows)
    if cycles:
        names = [c for c in cycles if c not in same]
        print(f"\n{tool}, cycles (throughput)\n{'':16}{'instructions':>14}" + "".join(f"{n:>14}" for n in names))
        for k, n in sizes.items():
            print(f"{k:16}{n:14}" + "".join(f"{cycles[c][k]:14.1f}" for c in names))
    print("\narm-model: modelled, not measured: " + " ".join(os.path.relpath(p) for p in files))


if __name__ == "__main__":
    main()
