#!/usr/bin/env python3
"""Tests of limbic report: test_report.py SOURCE_ROOT COMMAND...

COMMAND is the tool, with an emulator before it where one is needed."""
import copy
import csv
import glob
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

root, tool = sys.argv[1], sys.argv[2:]
report = [sys.executable, f"{root}/bench/report.py"]
samples = sorted(glob.glob(f"{root}/bench/samples/*.json"))
passed = failed = skipped = 0


def check(ok, what, detail=""):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what} {detail!s:.600}")
    return ok


def skip(what, why):
    global skipped
    skipped += 1
    print(f"skipped: {what}: {why}")


def run(*args, command=None, env=None):
    return subprocess.run([*(command or report), *args], capture_output=True, text=True, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL)


def load(name):
    with open(name, encoding="utf-8") as f:
        return json.load(f)


class Page(html.parser.HTMLParser):
    """Checks nesting; collects what refers to elsewhere, cells and pictures."""
    VOID = {"meta", "link", "img", "br", "hr", "input"}

    def __init__(self, text):
        super().__init__()
        self.open, self.faults, self.cells, self.count = [], [], set(), {}
        self.feed(text)
        self.close()
        self.faults += [f"{t} not closed" for t in self.open]

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        for name, value in attrs:
            if name in ("src", "href", "xlink:href", "action", "data", "srcset", "poster") and not (value or "").startswith("#"):
                self.faults.append(f"{tag} refers to {value}")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes something else")

    def handle_data(self, data):
        if self.open and self.open[-1] == "td":
            self.cells.add(data.strip())


def rows_of(paths):
    return {b["run_name"] for p in paths for b in load(p)["benchmarks"]}


def modelled_file(folder):
    """As bench/README.md has it."""
    name = f"{folder}/model.json"
    with open(name, "w", encoding="utf-8") as f:
        json.dump({"context": {"modelled": True, "model": "counted by hand", "cpu_model": "Model <b>T</b>"}, "benchmarks": [
            {"name": f"{n}_median", "run_name": n, "run_type": "aggregate", "aggregate_name": "median", **v} for n, v in (
                ("kernel/p256/mul/a64/throughput", {"cycles": 71.25, "instructions": 204}), ("scheme/p256/sign/a64", {"instructions": 145000}))]}, f)
    return name


def formats(folder):
    model = modelled_file(folder)
    paths = [*samples, model]
    names = rows_of(paths)
    r = run("--format", "md", *paths)
    check(r.returncode == 0 and r.stderr == "", "md", r.stderr)
    check(all(f"| {n} |" in r.stdout for n in names), "md: every row", [n for n in names if f"| {n} |" not in r.stdout][:3])
    widths = [line.replace("\\|", "").count("|") for line in r.stdout.splitlines()]
    bad = [i for i in range(1, len(widths)) if widths[i] and widths[i - 1] and widths[i] != widths[i - 1]]
    check(not bad, "md: each table has one width", bad[:3])
    check(re.search(r"(?m)^MODELLED, not measured: Model", r.stdout), "md: modelled figures are marked")
    # No table has figures of both kinds.
    parts = r.stdout.split("\n## ")
    check([p.split("\n")[0] for p in parts if "/a64" in p and "not run" not in p.split("/a64")[0][-200:] and "| kernel/p256/mul/a64" in p] ==
          ["Modelled machines"], "md: modelled figures stand apart")
    r = run("--format", "csv", *paths)
    lines = list(csv.reader(r.stdout.splitlines()))
    check(r.returncode == 0 and all(len(line) == 9 for line in lines), "csv: nine columns", r.stderr)
    check(names <= {line[2] for line in lines if line[0] in ("Every row", "Modelled machines")}, "csv: every row")
    verdicts = {line[8].split(":")[0] for line in lines if line[0].startswith("How cost") and line[3] == "here"}
    check(verdicts and verdicts <= {"confirmed", "refuted"}, "csv: rules of thumb are confirmed or refuted", verdicts)
    check(any(line[0] == "The acceleration gap" and line[3] == "P-384" and line[7] == "x" for line in lines), "csv: the gap")
    r = run(*samples)
    check(r.returncode == 0 and "p256 sign" in r.stdout, "text", r.stderr)
    # A compact file reads as itself.
    for p in samples:
        again = f"{folder}/again.json"
        r = run("--format", "compact", p, "-o", again)
        check(r.returncode == 0 and load(again) == load(p), f"compact of {os.path.basename(p)}", r.stderr)
    return paths, names


def page(folder, paths, names):
    out, picture = f"{folder}/r.html", f"{folder}/gap.svg"
    if not shutil.which("gnuplot"):
        r = run(*paths, "-o", out)
        check(r.returncode == 1 and "gnuplot-nox" in r.stderr and not os.path.exists(out), "html: says that gnuplot is missing", r.stderr)
        skip("html", "no gnuplot")
        return None
    r = run(*paths, "-o", out)
    if not check(r.returncode == 0 and r.stderr == "", "html", r.stderr):
        return None
    with open(out, encoding="utf-8") as f:
        text = f.read()
    p = Page(text)
    check(not p.faults, "html: well-formed, no reference to elsewhere", p.faults[:5])
    check(not re.search(r"https?:|url\((?!#)|@import|<b>T", text), "html: no address of elsewhere, no markup out of a file")
    check(names <= p.cells, "html: every row", list(names - p.cells)[:3])
    check(p.count["svg"] > 8 and p.count["table"] > 10 and "modelled" in text, "html: charts and tables", p.count)
    r = run(f"{root}/bench/samples/all.json", "-o", picture)
    check(r.returncode == 0 and xml.etree.ElementTree.parse(picture).getroot().tag.endswith("svg"), "svg", r.stderr)
    return out


def browser(folder, out):
    """The page's script sorts, in a real browser; nothing is wider than a phone."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not program or not out:
        skip("the page in a browser", "no Chromium" if out else "no page")
        return
    probe = """<script>const r=[],h=[...document.querySelectorAll("th button")].find(b=>b.textContent==="sign"),t=h.closest("table"),i=h.parentNode.cellIndex;
for(let k=0;k<2;k++){h.click();r.push([...t.tBodies[0].rows].map(x=>+x.cells[i].dataset.v).filter(x=>x==x))}
r.push(document.documentElement.scrollWidth<=document.documentElement.clientWidth);document.title="RESULT"+JSON.stringify(r)</script>"""
    with open(out, encoding="utf-8") as f:
        text = f.read()
    probed = f"{folder}/probed.html"
    with open(probed, "w", encoding="utf-8") as f:
        f.write(text.replace("</body>", probe + "</body>"))
    try:
        r = subprocess.run([program, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile", "--window-size=500,900",
                            "--dump-dom", f"file://{probed}"], capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        skip("the page in a browser", "Chromium did not start within a minute")
        return
    found = re.search(r"<title>RESULT(.*?)</title>", r.stdout)
    if not check(found, "browser: the script ran", r.stderr[-300:]):
        return
    down, up, fits = json.loads(found[1])
    check(len(down) > 3 and down == sorted(down, reverse=True) and up == sorted(up), "browser: a column sorts both ways", down)
    check(fits, "browser: nothing is wider than the window")


def faults(folder):
    good = load(samples[0])
    cases = {"no JSON": "{", "a list": "[]", "no context": '{"benchmarks": []}', "nothing in it": '{"context": {}, "benchmarks": []}',
             "wrong kind": json.dumps({**good, "benchmarks": [1]}), "no name": json.dumps({**good, "benchmarks": [{"run_type": "iteration"}]})}
    for what, text in cases.items():
        name = f"{folder}/bad.json"
        with open(name, "w", encoding="utf-8") as f:
            f.write(text)
        r = run(samples[0], name, "--format", "md")
        check(r.returncode == 1 and name in r.stderr and r.stdout == "" and "Traceback" not in r.stderr, f"{what}: named", r.stderr)
    r = run(f"{folder}/none.json")
    check(r.returncode == 1 and "none.json" in r.stderr and "Traceback" not in r.stderr, "no file: named", r.stderr)
    check(run().returncode == 2 and run("--format", "x", samples[0]).returncode == 2, "usage")
    warned = copy.deepcopy(good)
    warned["context"]["warnings"] = "somebody else was at work"
    name = f"{folder}/warned.json"
    with open(name, "w", encoding="utf-8") as f:
        json.dump(warned, f)
    for form in "text", "md":
        check("WARNING: " in run("--format", form, name).stdout, f"{form}: a warning is shown")


def choices(folder):
    """Answers that follow from made-up rates."""
    rates = {"p256": (1000, 500), "sm2": (2000, 600), "p384": (300, 100), "p521": (100, 50), "rsa3072": (10, 9000)}
    name = f"{folder}/rates.json"
    with open(name, "w", encoding="utf-8") as f:
        json.dump({"context": {}, "benchmarks": [{"run_name": f"scheme/{k}/{op}/auto", "aggregate_name": "median", "items_per_second": r}
                                                 for k, both in rates.items() for op, r in zip(("sign", "verify"), both)]}, f)
    for args, answer in (([], "SM2"), (["--compat", "web"], "P-256"), (["--bits", "192"], "P-384"), (["--bits", "193"], "P-521"),
                         (["--compat", "cnsa", "--verify", "1000"], "RSA-3072"), (["--compat", "cnsa", "--verify", "50", "--signature", "96"], "P-384"),
                         (["--bits", "256", "--compat", "web"], None), (["--compat", "web", "--sign", "1001"], None),
                         (["--compat", "web", "--sign", "1001", "--processors", "2"], "P-256")):
        r = run("--choose", name, *args)
        check(r.returncode == (0 if answer else 1) and f": {answer or 'none'}" in r.stdout, f"--choose {args}: {answer}", r.stdout + r.stderr)
    if len(tool) == 1:
        r = run("report", "--choose", "--compat", "gm", command=tool)
        check(r.returncode == 0 and "this machine: SM2 (" in r.stdout, "limbic report --choose measures by itself", r.stdout + r.stderr)
    else:
        skip("limbic report --choose without a file", "the tool needs an emulator")


with tempfile.TemporaryDirectory() as tmp:
    check(samples, "there are samples")
    made = page(tmp, *formats(tmp))
    browser(tmp, made)
    faults(tmp)
    choices(tmp)
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(failed != 0)
