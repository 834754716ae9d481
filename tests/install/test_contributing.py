#!/usr/bin/env python3
"""Does to a copy of the tree what CONTRIBUTING.md says, and sees the new rows tested: test_contributing.py ROOT BUILD CMAKE NINJA CC.
Only what the new rows touch is compiled again, without optimization; the rest is the build's own library."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

root, build, cmake, ninja, cc = sys.argv[1:]
passed = failed = 0


def check(ok, what, detail=""):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what} {detail!s:.3000}")
    return ok


def run(*command, cwd):
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=cwd)
    return p.returncode, p.stdout


def read(path):
    with open(path) as f:
        return f.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def edit(tree):
    """The edits of the page, in its order: `file`, new | after `text` | at its end ... and the block that follows."""
    edits = re.findall(r"(?ms)^`([\w./]+)`, (new|at its end|after `([^`\n]+)`)[^\n]*\n(?:[^\n]+\n)*\n```\w+\n(.*?)^```$", read(f"{root}/CONTRIBUTING.md"))
    check(len(edits) == 12 == read(f"{root}/CONTRIBUTING.md").count("\n```\n"), "each block of CONTRIBUTING.md belongs to a file", len(edits))
    for name, where, anchor, block in edits:
        path = f"{tree}/{name}"
        if where == "new":
            check(not os.path.exists(path), f"{name} is new")
            write(path, block)
            continue
        lines = read(path).splitlines(keepends=True)
        at = len(lines) if where == "at its end" else next((i + 1 for i, line in enumerate(lines) if line.startswith(anchor)), 0)
        if check(at, f"{name}: there is a line '{anchor}'"):
            write(path, "".join([*lines[:at], block, *lines[at:]]))


def kernels(tree, objects, *rows):
    """Links the test of kernels from the copy's objects, runs it on rows."""
    libs = [f"{build}/liblimbic.a", "-lgmp", "-lcrypto", "-lm", "-pthread"]
    code, out = run(cc, *objects, *libs, "-o", f"{tree}/kernels", cwd=tree)
    if not check(code == 0, "link", out):
        return 1, ""
    results = [run(f"{tree}/kernels", "--seconds", "0.3", "-v", "--filter", f, cwd=tree) for f in rows]
    return max(r[0] for r in results), "".join(r[1] for r in results)


with tempfile.TemporaryDirectory(prefix="limbic-contributing.") as tmp:
    tree = f"{tmp}/tree"
    for name in "asm", "ci", "dispatch", "include", "src", "tests/kernels":
        shutil.copytree(f"{root}/{name}", f"{tree}/{name}")
    for name in "CMakeLists.txt", "tests/check.h":
        shutil.copy(f"{root}/{name}", f"{tree}/{name}")
    edit(tree)
    code, out = run(sys.executable, "src/consts/gen.py", cwd=tree)
    check(code == 0, "gen.py", out)
    options = ["-DCMAKE_BUILD_TYPE=None", *(f"-DLIMBIC_{o}=OFF" for o in ("BENCH", "CT", "TOOL", "INSTALL"))]
    code, out = run(cmake, "-G", "Ninja", "-S", tree, "-B", f"{tree}/b", f"-DCMAKE_C_COMPILER={cc}", *options, cwd=tree)
    check(code == 0, "configure", out)
    every = re.findall(r"(?m)^(\S+\.o): ", run(ninja, "-t", "targets", "all", cwd=f"{tree}/b")[1])
    objects = [o for o in every if re.match(r"CMakeFiles/limbic_objects\.dir/.*(\.c|dummy\.asm)\.o|CMakeFiles/limbic_objects_src_field_inverse|"
                                            r"tests/kernels/CMakeFiles/kernels\.dir/", o)]
    code, out = run(ninja, *objects, cwd=f"{tree}/b")
    if check(code == 0 and len(objects) > 40, "build", f"{len(objects)} objects {out[-3000:]}"):
        paths = [f"{tree}/b/{o}" for o in objects]
        code, out = kernels(tree, paths, "p256/neg/dummy", "p25519")
        check(code == 0, "kernels", out)
        for row in "p256/neg/dummy", "p25519/mul/c", "p25519/inv/c", "p25519/inv/x64":
            check(re.search(rf"(?m)^ok +{row} ", out), f"{row} is tested", out)
        # Wrong on purpose: it is found.
        source = f"{tree}/asm/x86_64/dummy/p256_neg_dummy.asm"
        right = read(source)
        write(source, right.replace("adc r10, 0", "adc r10, 1"))
        code, out = run(ninja, *objects, cwd=f"{tree}/b")
        check(code == 0, "build of the wrong kernel", out)
        code, out = kernels(tree, paths, "p256/neg/dummy")
        check(code != 0 and re.search(r"(?m)^FAIL +p256/neg/dummy", out), "a wrong kernel is found", out)
        write(source, right)
        run(ninja, *objects, cwd=f"{tree}/b")
        # The checker of objects knows the instruction set and reads the header.
        code, out = run(sys.executable, "ci/check_asm.py", f"{build}/CMakeFiles", f"{tree}/b/CMakeFiles", cwd=tree)
        check(code == 0, "ci/check_asm.py", out)

print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
