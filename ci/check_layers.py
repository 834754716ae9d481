#!/usr/bin/env python3
"""Checks what may stand where in the tree: top-level names, layers, instruction-set names, foreign headers, text form.
check_layers.py [ROOT]; --self-test breaks a copy in each way and sees it caught."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = {"CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md", "asm", "bench", "ci", "dispatch", "include", "src", "tests"}

# Each folder of the library and the folders that it may include from, besides itself.
BELOW = {"src/base": set(), "src/consts": {"src/base"}, "dispatch": {"src/base", "src/consts"}}
BELOW["src/field"] = BELOW["src/hash"] = {"dispatch", *BELOW["dispatch"]}
BELOW["src/curve"] = {"src/field", *BELOW["src/field"]}
# The schemes hash too.
BELOW["src/scheme"] = {"src/curve", "src/hash", *BELOW["src/curve"]}
BELOW["src/batch"] = {"src/scheme", *BELOW["src/scheme"]}
BELOW["src/provider"] = {"src/batch", *BELOW["src/batch"]}
BELOW["src/tool"] = set()  # the public headers only

# The lowest folder that may see a public header.
PUBLIC = {"limbic.h": "src/base", "field.h": "src/base", "ec.h": "src/curve", "hash.h": "src/hash", "mpn.h": "src/field"}
PUBLIC_ELSE = "src/scheme"
ORDER = ["src/base", "src/consts", "dispatch", "src/field", "src/hash", "src/curve", "src/scheme", "src/batch", "src/provider", "src/tool"]

# Headers of other projects, and where they may stand.
FOREIGN = {r"openssl/": ("src/provider/", "tests/", "bench/peer"), r"gmp\.h": ("tests/", "bench/peer"),
           r"benchmark/": ("bench/shim.cc",)}

CODE = (".c", ".h", ".cc", ".inc", ".S", ".asm", ".def", ".py")
TEXT = (*CODE, ".java", ".sh", ".md", ".txt", ".cmake", ".json", ".map", ".1", ".7", ".in")


def files(root):
    """The files of the project: what git has or would add; without git, all but build products."""
    p = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True)
    if p.returncode == 0:
        return sorted(f for f in os.fsdecode(p.stdout).split("\0") if f and os.path.exists(f"{root}/{f}"))
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [d for d in folders if d not in ("build", "out", ".git")]
        found += [os.path.relpath(f"{folder}/{n}", root) for n in names]
    return sorted(found)


def folder_of(path):
    return "/".join(path.split("/")[:2]) if path.startswith("src/") else path.split("/")[0]


def without_comments(path, text):
    if path.endswith(".py"):
        return re.sub(r"(?m)#.*$", "", text)
    return re.sub(r"(?s)/\*.*?\*/|//[^\n]*", " ", text)


def check(root):
    faults = []
    tree = files(root)
    known = set(tree)
    isas = []
    for name in {f.split("/")[0] for f in tree}:
        if name not in TOP and not name.startswith("."):
            faults.append(f"{name}: the top level has only {' '.join(sorted(TOP))}")
    with open(f"{root}/dispatch/features.def") as f:
        isas = [t for t in re.findall(r"(?m)^ISA\((\w+)", f.read()) if t != "c"]
    if not isas:
        faults.append("dispatch/features.def: no instruction set found")

    for path in tree:
        if not path.endswith(TEXT):
            continue
        with open(f"{root}/{path}", encoding="utf-8") as f:
            text = f.read()
        if text and not text.endswith("\n"):
            faults.append(f"{path}: no newline at the end")
        for n, line in enumerate(text.splitlines(), 1):
            if line != line.rstrip() or "\t" in line:
                faults.append(f"{path}:{n}: tab or space at the end")
        if not path.endswith(CODE):
            continue
        where = folder_of(path)
        code = without_comments(path, text)
        if path.startswith("src/"):
            for isa in isas:
                if isa == "crypto" and where == "src/provider":  # there it is OpenSSL's word
                    continue
                for m in re.finditer(rf"(?i)(?<![a-z0-9]){isa}(?![a-z0-9])", code):
                    faults.append(f"{path}: names the instruction set {isa}: ...{code[max(0, m.start() - 30):m.end()]!r}")
        for bracket, name in re.findall(r'(?m)^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', code):
            for pattern, places in FOREIGN.items():
                if re.match(pattern, name) and not path.startswith(places):
                    faults.append(f"{path}: <{name}> only in {' '.join(places)}")
            if bracket == "<":
                continue
            ways = (os.path.normpath(f"{os.path.dirname(path)}/{name}"), f"src/{name}", name, f"include/{name}")
            target = next((w for w in ways if w in known), None)
            if target is None and where not in ("tests", "bench"):
                faults.append(f"{path}: \"{name}\" is not in the tree")
            if target is None or where not in BELOW:
                continue
            if target.startswith("include/limbic/"):
                low = PUBLIC.get(os.path.basename(target), PUBLIC_ELSE)
                if ORDER.index(where) < ORDER.index(low):
                    faults.append(f"{path}: \"{name}\" belongs to {low} and above")
            elif folder_of(target) != where and folder_of(target) not in BELOW[where]:
                faults.append(f"{path}: {where} does not include from {folder_of(target)} (\"{name}\")")
        if where == "include":
            for name in re.findall(r'#include "([^"]+)"', code):
                if f"include/limbic/{name}" not in known:
                    faults.append(f"{path}: a public header includes public headers, not \"{name}\"")
        if path.startswith("src/") and where not in BELOW:
            faults.append(f"{path}: src/ has only {' '.join(k for k in BELOW if k.startswith('src/'))}")
    return faults


def self_test(root):
    """Each rule, broken once."""
    isa = re.search(r"(?m)^ISA\((?!c,)(\w+)", open(f"{root}/dispatch/features.def").read()).group(1)
    breaks = {
        "top level": ("extra.txt", "x\n"), "layers": ("src/base/x.c", '#include "field/modulus.h"\n'),
        "layers up from dispatch": ("dispatch/x.c", '#include "curve/curve.h"\n'),
        "siblings": ("src/field/x.c", '#include "hash/hash.h"\n'), "tool": ("src/tool/x.c", '#include "base/limb.h"\n'),
        "public": ("src/curve/x.c", '#include "limbic/ecdsa.h"\n'), "instruction set": ("src/curve/x.c", f"int limbic_x_{isa};\n"),
        "openssl": ("src/scheme/x.c", "#include <openssl/ec.h>\n"), "gmp": ("bench/x.c", "#include <gmp.h>\n"),
        "benchmark": ("bench/x.cc", "#include <benchmark/benchmark.h>\n"), "nowhere": ("src/field/x.c", '#include "nosuch.h"\n'),
        "public includes": ("include/limbic/x.h", '#include "base/limb.h"\n'), "space": ("ci/x.sh", "echo \n"), "tab": ("src/base/x.c", "\tint;\n"),
        "folder": ("src/other/x.c", "int x;\n"), "newline": ("ci/x.py", "pass"),
    }
    missed = 0
    with tempfile.TemporaryDirectory() as tmp:
        copy = f"{tmp}/tree"
        for f in files(root):
            os.makedirs(os.path.dirname(f"{copy}/{f}"), exist_ok=True)
            shutil.copy(f"{root}/{f}", f"{copy}/{f}")
        for what, (path, text) in breaks.items():
            os.makedirs(os.path.dirname(f"{copy}/{path}"), exist_ok=True)
            with open(f"{copy}/{path}", "w") as f:
                f.write(text)
            if not any(fault.startswith(path) for fault in check(copy)):
                print(f"FAILED: not caught: {what}")
                missed += 1
            os.remove(f"{copy}/{path}")
    return len(breaks), missed


def main():
    args = [x for x in sys.argv[1:] if x != "--self-test"]
    root = args[0] if args else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    faults = check(root)
    for fault in faults:
        print(f"FAILED: {fault}")
    tested, missed = self_test(root) if "--self-test" in sys.argv else (0, 0)
    print(f"{tested - missed + (not faults)} passed, {missed + len(faults)} failed")
    sys.exit(bool(faults or missed))


main()
