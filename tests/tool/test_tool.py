#!/usr/bin/env python3
"""Tests of the command `limbic`: test_tool.py SOURCE_ROOT BROKEN_TOOL COMMAND...

COMMAND is the tool, with an emulator before it where one is needed; BROKEN_TOOL is the tool linked with failing functions
(tests/tool/broken.c)."""
import json
import os
import re
import shutil
import subprocess
import sys

root, broken, tool = sys.argv[1], sys.argv[2], sys.argv[3:]
# The broken tool runs under the same emulator.
broken = tool[:-1] + [broken]
passed = failed = skipped = 0


def check(ok, what, detail=""):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what} {detail!s:.600}")


def skip(what, why):
    global skipped
    skipped += 1
    print(f"skipped: {what}: {why}")


class Run:
    def __init__(self, *args, command=tool, cpu=None, **kw):
        env = {k: v for k, v in os.environ.items() if k != "LIMBIC_CPU"}
        if cpu is not None:
            env["LIMBIC_CPU"] = cpu
        kw.setdefault("stdout", subprocess.PIPE)
        p = subprocess.run([*command, *args], env=env, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, **kw)
        self.code, self.out, self.err = p.returncode, (p.stdout or b"").decode(), p.stderr.decode()

    def __str__(self):
        return f"[exit {self.code}] {self.out!r} {self.err!r}"


def parsed(run, what):
    """The JSON that a run printed; None, and a failure, if it is none."""
    try:
        value = json.loads(run.out)
    except ValueError as e:
        check(False, f"{what}: valid JSON", f"{e} {run}")
        return None
    check(run.code == 0 and run.err == "", f"{what}: exit 0, nothing on stderr", run)
    return value


def version():
    with open(f"{root}/include/limbic/limbic.h") as f:
        header = re.search(r'#define LIMBIC_VERSION +"(.*)"', f.read()).group(1)
    for args in ["--version"], ["-V"], ["info", "--version"]:
        r = Run(*args)
        check(r.code == 0 and r.out == f"limbic {header}\n" and r.err == "", f"{args}", r)
    return header


def info(header):
    data = parsed(Run("info", "--json"), "info --json")
    if data is None:
        return None
    check(set(data) == {"version", "cpu_features", "unknown_words", "rows"}, "info --json: keys", set(data))
    check(data["version"] == header, "info --json: version", data["version"])
    check(data["unknown_words"] == [], "info --json: no unknown words", data["unknown_words"])
    rows = data["rows"]
    check(len(rows) > 0, "info --json: rows")
    chosen = {}
    for r in rows:
        check(set(r) == {"unit", "op", "isa", "chosen", "usable", "reason"}, "a row's keys", r)
        check(r["chosen"] == (r["reason"] == ""), "a row that does not run has a reason, one that runs has none", r)
        check(r["usable"] or not r["chosen"], "a chosen row is usable", r)
        chosen.setdefault((r["unit"], r["op"]), []).append(r["chosen"])
    for key, flags in chosen.items():
        check(sum(flags) == 1, "one row runs", f"{key} {flags}")
    check(len({(r["unit"], r["op"], r["isa"]) for r in rows}) == len(rows), "no row twice")
    for isa in filter(None, os.environ.get("LIMBIC_REQUIRE", "").split(",")):
        check(any(r["isa"] == isa and r["chosen"] for r in rows), f"a row of {isa} runs (LIMBIC_REQUIRE)")

    r = Run("info")
    check(r.code == 0 and r.err == "", "info", r)
    check(r.out.startswith(f"limbic {header}\nCPU features: "), "info: head", r)
    check(max(map(len, r.out.splitlines()[2:])) <= 100, "info: line length", r)
    r.out = re.sub(r"\n {17}", "", r.out)
    lines = [l.split() for l in r.out.split("\nruns:\n")[1].split("\n\n")[0].splitlines()]
    listed = {(l[0], op, l[1]) for l in lines for op in l[2:]}
    check(listed == {(r["unit"], r["op"], r["isa"]) for r in rows if r["chosen"]}, "info lists what runs", r)
    for x in rows:
        if not x["usable"]:
            line = rf"(?m)^  {x['unit']} +{x['isa']} +{re.escape(x['reason'])}:.* {x['op']}( |$)"
            check(re.search(line, r.out), "info tells why a row can't run", f"{x} {r}")
    r = Run("info", "-v")
    table = [l for l in r.out.split("\n\n", 1)[1].splitlines()]
    check(r.code == 0 and len(table) == len(rows), "info -v: a line for each row", r)
    for line, x in zip(table, rows):
        check(line.split(None, 3) == [x["unit"], x["op"], x["isa"], x["reason"] or "runs"], "info -v: line", f"{line} {x}")
    return data


def switched_off(data):
    """LIMBIC_CPU takes away each feature in turn; the rows that need it stop and say so."""
    before = {(r["unit"], r["op"], r["isa"]): r for r in data["rows"]}
    stopped = set()
    for word in data["cpu_features"]:
        now = parsed(Run("info", "--json", cpu=f"-{word}"), f"LIMBIC_CPU=-{word}")
        if now is None:
            continue
        check(word not in now["cpu_features"], f"LIMBIC_CPU=-{word}: feature gone", now["cpu_features"])
        check(now["unknown_words"] == [], f"LIMBIC_CPU=-{word}: known", now["unknown_words"])
        for r in now["rows"]:
            if before[r["unit"], r["op"], r["isa"]]["usable"] and not r["usable"]:
                stopped.add(r["isa"])
                check(word in r["reason"], f"LIMBIC_CPU=-{word}: the reason names it", r)
    isas = {r["isa"] for r in data["rows"] if r["usable"]} - {"c"}
    check(stopped == isas, "every instruction set can be switched off", f"{stopped} {isas}")
    if not isas:
        skip("switching off", "no row but the portable ones can run here")

    data = parsed(Run("info", "--json", cpu="-nosuch"), "unknown word")
    check(data and len(data["unknown_words"]) == 1 and "nosuch" in data["unknown_words"][0], "unknown word: JSON", data)
    r = Run("info", cpu="-nosuch")
    check(r.code == 0 and re.search(r"(?m)^unknown words in LIMBIC_CPU: .*nosuch", r.out), "unknown word: text", r)
    data = parsed(Run("info", "--json", cpu='-a"b\\,-\x1b[1m,-\udcff'), "hostile words")
    check(data and len(data["unknown_words"]) >= 1, "hostile words: reported", data)
    r = Run("info", cpu="-\x1b[1m,-\udcff")
    check(r.code == 0 and not re.search(r"[^\n -~]", r.out), "hostile words: no control characters printed", r)


def selftest():
    r = Run("selftest")
    check(r.code == 0 and r.out == "self-test passed\n" and r.err == "", "selftest", r)
    data = parsed(Run("selftest", "--json"), "selftest --json")
    check(data and data["passed"] is True and data["failed"] is None, "selftest --json", data)
    r = Run("selftest", command=broken)
    check(r.code == 1 and r.out == 'self-test FAILED: p256 "broken"\n', "selftest that fails", r)
    r = Run("selftest", "-j", command=broken)
    check(r.code == 1 and json.loads(r.out)["failed"] == 'p256 "broken"', "selftest -j that fails", r)


def speed():
    data = parsed(Run("speed", "--json", "--seconds", "0.01"), "speed --json")
    if data is None:
        return
    ops = {"keygen", "sign", "verify", "verify_prepared", "ecdh"}
    rates = data["operations_per_second"]
    check(len(rates) > 0 and data["seconds"] == 0.01, "speed --json", data)
    for curve, r in rates.items():
        missing = {"sign", "verify", "verify_prepared"} if curve == "SM2" else set()
        check(set(r) == ops and {op for op in r if r[op] is None} == missing, f"speed: operations of {curve}", r)
        check(all(v is None or v > 0 for v in r.values()), f"speed: rates of {curve}", r)
        for name in curve, curve.lower().replace("-", ""):
            one = parsed(Run("speed", "-j", "-s0.01", "-c", name), f"speed -c {name}")
            check(one and list(one["operations_per_second"]) == [curve], f"speed -c {name}", one)
    r = Run("speed", "-s", "0.01")
    check(r.code == 0 and [l.split()[0] for l in r.out.splitlines()[2:]] == list(rates), "speed: text", r)
    r = Run("speed", "-s", "0.01", command=broken)
    check(r.code == 1 and "ecdh" in r.err, "speed that fails", r)


def refusals():
    """Exit 2, nothing on stdout, the culprit named."""
    for args, named in (
        ([], "no command"), (["nosuch"], "nosuch"), (["--nosuch"], "--nosuch"), (["-x"], "-x"), (["-j"], "-j"),
        (["info", "more"], "more"), (["info", "-v", "more"], "more"), (["info", "--", "more"], "more"),
        (["info", "--nosuch"], "--nosuch"), (["info", "-jx"], "-x"), (["info", "--json=1"], "-j"),
        (["info", "--seconds", "1"], "--seconds"), (["selftest", "more"], "more"), (["selftest", "-v"], "-v"),
        (["speed", "--curve"], "-c"), (["speed", "-s"], "-s"), (["speed", "-c", "P-255"], "P-255"), (["speed", "-c", ""], "''"),
        (["speed", "-c", "P-256-"], "P-256-"), (["speed", "-c", "P-25"], "P-25"), (["speed", "-s", "x"], "x"), (["speed", "-s", ""], "''"),
        (["speed", "-s", "1x"], "1x"), (["speed", "-s", "0"], "0"), (["speed", "-s", "-1"], "-1"), (["speed", "-s", "nan"], "nan"),
        (["speed", "-s", "inf"], "inf"), (["speed", "-s", "1e9"], "1e9"), (["speed", "-s", "0.01", "more"], "more"),
        (["help"], "help"), ([""], "''"), (["INFO"], "INFO"), (["inf"], "inf"),
    ):
        r = Run(*args)
        check(r.code == 2 and r.out == "" and named in r.err.splitlines()[0], f"refused: {args}", r)


def help_options(text):
    return set(re.findall(r"(?m)^  -(\w), --(\w+)", text))


def help_and_manual():
    whole = Run("--help")
    check(whole.code == 0 and whole.err == "" and whole.out.startswith("usage: limbic "), "--help", whole)
    check(Run("-h").out == whole.out, "-h is --help")
    commands = re.findall(r"(?m)^  (\w+)  ", whole.out.split("\ncommands:\n")[1].split("\n\n")[0])
    options = help_options(whole.out)
    every = {}
    for c in commands:
        r = Run(c, "--help")
        check(r.code == 0 and r.err == "" and r.out.startswith(f"usage: limbic {c} "), f"{c} --help", r)
        every[c] = help_options(r.out)
        options |= every[c]
    # What a command's help lists it takes, what it does not list it refuses: both are seen beside --version.
    for c in commands:
        for letter, name in options:
            takes = (letter, name) in every[c]
            value = {"curve": ["P-256"], "seconds": ["0.01"]}.get(name, [])
            for form in f"-{letter}", f"--{name}":
                r = Run(c, form, *value, "--version")
                check(r.code == (0 if takes else 2), f"{c} {form}: help and parser agree", r)

    page = f"{root}/src/tool/limbic.1"
    with open(page) as f:
        text = f.read().replace("\\-", "-")
    sections = dict(re.findall(r"(?ms)^\.SH (.*?)\n(.*?)(?=^\.SH|\Z)", text))
    check(set(re.findall(r"(?m)^\.B (\w+)$", sections["COMMANDS"])) >= set(commands) and
          set(re.findall(r"(?m)^\.TP\n\.B (\w+)$", sections["COMMANDS"])) == set(commands), "manual: commands", commands)
    paged = set(re.findall(r'(?m)^\.TP\n\.BR -(\w) ", " --(\w+)', sections["OPTIONS"]))
    check(paged == options, "manual: options", f"{paged} {options}")
    for c in commands:
        synopsis = re.search(rf"(?ms)^\.B limbic {c}\n(.*?)(^\.br|\Z)", sections["SYNOPSIS"]).group(1)
        check(set(re.findall(r"\[ -(\w)", synopsis)) == {l for l, _ in every[c]} - {"h", "V"}, f"manual: synopsis of {c}", synopsis)
    if shutil.which("man"):
        r = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", page], capture_output=True,
                           env={**os.environ, "MANROFFSEQ": "", "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
        check(r.returncode == 0 and r.stderr == b"" and b"LIMBIC_CPU" in r.stdout, "manual: no warnings", r)
    else:
        skip("manual: no warnings", "no man")


def write_errors():
    for args in ["info"], ["info", "-j"], ["selftest"], ["speed", "-s", "0.01", "-c", "P-256"], ["--help"], ["--version"]:
        if os.path.exists("/dev/full"):
            with open("/dev/full", "wb") as full:
                r = Run(*args, stdout=full)
            check(r.code == 1 and "standard output" in r.err, f"{args} to a full device", r)
        else:
            skip(f"{args} to a full device", "no /dev/full")
        r = Run(*args, command=["sh", "-c", 'exec "$@" >&-', "sh", *tool])
        check(r.code == 1 and "standard output" in r.err, f"{args} with stdout closed", r)


header = version()
data = info(header)
if data:
    switched_off(data)
selftest()
speed()
refusals()
help_and_manual()
write_errors()
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(failed > 0)
