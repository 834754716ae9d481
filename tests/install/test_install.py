#!/usr/bin/env python3
"""Installs a build into an empty folder, looks at what lies there, and builds programs on it as others would: CMake,
pkg-config (shared and static), C++. README's examples are the programs."""
import argparse
import glob
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
for option in ("root", "build", "prefix", "bindir", "libdir", "includedir", "mandir", "machine", "cmake", "cc", "cxx", "nm", "readelf", "strip",
               "pkg-config", "modulesdir", "datadir", "libexecdir", "toolchain", "tool", "config", "emulator"):
    parser.add_argument(f"--{option}", default="")
a = parser.parse_args()
emulator = [w for w in a.emulator.split(";") if w]
passed = failed = skipped = 0
os.environ.update(LC_ALL="C")
for name in "DESTDIR", "LD_LIBRARY_PATH", "CFLAGS", "LDFLAGS":
    os.environ.pop(name, None)


def check(ok, what, detail=""):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what} {detail!s:.1500}")
    return ok


def skip(what, why):
    global skipped
    skipped += 1
    print(f"skipped: {what}: {why}")


def run(*command, env=None, cwd=None):
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=cwd,
                       env={**os.environ, **(env or {})})
    return p.returncode, p.stdout


def must(what, *command, **kw):
    """Runs a command that must succeed; its output, or None."""
    code, out = run(*command, **kw)
    return out if check(code == 0, what, f"[exit {code}] {' '.join(command)}\n{out}") else None


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
    return path


def read(path):
    with open(path) as f:
        return f.read()


def headers():
    return sorted(os.path.basename(p) for p in glob.glob(f"{a.root}/include/limbic/*.h"))


def section_3():
    return ["limbic.3" if h == "limbic.h" else f"limbic_{h[:-2]}.3" for h in headers()]


def installed_files(dest, version, tmp):
    """What is there, and nothing else; no path of the build in a release."""
    major = version.split(".")[0]
    lib = a.libdir
    want = {f"{lib}/liblimbic.a", f"{lib}/liblimbic.so", f"{lib}/liblimbic.so.{major}", f"{lib}/liblimbic.so.{version}",
            f"{lib}/pkgconfig/limbic.pc"}
    want |= {f"{lib}/cmake/limbic/limbic-{n}.cmake" for n in ("config", "config-version", "targets", f"targets-{a.config.lower()}")}
    want |= {f"{a.includedir}/limbic/{h}" for h in headers()}
    if a.tool == "1":
        want |= {f"{a.bindir}/limbic", f"{a.bindir}/limbic-report", f"{a.mandir}/man1/limbic.1"}
    if a.modulesdir:
        want |= {f"{a.datadir}/limbic/limbic.cnf", f"{a.mandir}/man7/limbic-provider.7", f"{a.libexecdir}/limbic/openssl-check"}
        if a.modulesdir.startswith(f"{a.prefix}/"):
            want.add(f"{os.path.relpath(a.modulesdir, a.prefix)}/limbic.so")
    want |= {f"{a.mandir}/man3/{page}" for page in section_3()}
    have = {os.path.relpath(os.path.join(d, f), dest) for d, _, files in os.walk(dest) for f in files}
    check(have == want, "installed files", f"missing {want - have}, too many {have - want}")
    for f in have if a.config == "Release" else ():
        # Symbol tables for debuggers name source files.
        if f.endswith(".a"):
            continue
        path = f"{dest}/{f}"
        if f == f"{a.bindir}/limbic" or ".so" in f or f.endswith("/openssl-check"):
            path = f"{tmp}/stripped"
            must("strip", a.strip, "-o", path, f"{dest}/{f}")
        with open(path, "rb") as binary:
            data = binary.read()
        for path in a.root, a.build:
            check(os.fsencode(path) + b"/" not in data, f"{f} does not name {path}")


def manual_pages(dest):
    """Without a warning of mandoc and of man; a page for each one that another one refers to."""
    pages = glob.glob(f"{dest}/{a.mandir}/man*/*") + [f"{a.root}/bench/limbic-bench.1"]
    if shutil.which("mandoc"):
        # what else the machine has is not looked at
        out = subprocess.run(["mandoc", "-Tlint", *pages], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        bad = [l for l in out.splitlines() if "referenced manual not found" not in l]
        check(not bad, "mandoc -Tlint", "\n".join(bad))
    else:
        skip("mandoc -Tlint", "no mandoc")
    if shutil.which("man"):
        for page in pages:
            code, out = run("man", "--warnings", "-E", "UTF-8", "-l", page, env={"MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
            check(code == 0 and "<standard input>" not in out and len(out) > 1000, f"man -l {os.path.basename(page)}", out)
    else:
        skip("man: no warnings", "no man")
    have = {os.path.basename(p) for p in pages}
    for page in pages:
        refers = {f"{n}.{s}" for n, s in re.findall(r"(?m)^\.Xr (limbic\S*) (\d)", read(page))}
        missing = refers - have - set([] if a.modulesdir else ["limbic-provider.7"]) - set([] if a.tool == "1" else ["limbic.1"])
        check(not missing, f"{os.path.basename(page)} refers to pages that there are", missing)


def declared_symbols(tmp):
    """The functions that the headers declare for others."""
    source = write(f"{tmp}/all.c", "".join(f"#include <limbic/{h}>\n" for h in headers()))
    out = must("headers: preprocess", a.cc, "-E", "-P", f"-I{a.root}/include", source) or ""
    exported = r'__attribute__\(\(visibility\("default"\)(?:, warn_unused_result)?\)\)[^;(]*?\b(limbic_\w+)\('
    names = re.findall(exported, out)
    every = set(re.findall(r"\b(limbic_\w+)\s*\((?=[^;{}]*\);)", out))
    check(every == set(names), "headers: each function has LIMBIC_API or LIMBIC_CHECK", every ^ set(names))
    check(len(names) == len(set(names)) and len(names) > 100, "headers: functions parsed", len(names))
    return set(names)


def shared_library(dest, version, tmp):
    so = f"{dest}/{a.libdir}/liblimbic.so.{version}"
    major = version.split(".")[0]
    for link, target in ("so", f"liblimbic.so.{major}"), (f"so.{major}", f"liblimbic.so.{version}"):
        path = f"{dest}/{a.libdir}/liblimbic.{link}"
        check(os.path.islink(path) and os.readlink(path) == target, f"{link} is a link to {target}")

    node = re.search(r"^(\w+) \{", read(f"{a.root}/src/limbic.map"), re.M).group(1)
    out = must("nm of the shared library", a.nm, "-D", "--defined-only", so) or ""
    symbols = {l.split()[2] for l in out.splitlines()} - {f"{node}", f"{node}@@{node}"}
    want = {f"{n}@@{node}" for n in declared_symbols(tmp)}
    check(symbols == want, "exports are the headers' functions",
          f"only declared: {sorted(want - symbols)}; only exported: {sorted(symbols - want)}")

    out = must("nm: undefined", a.nm, "-D", "--undefined-only", so) or ""
    for line in out.splitlines():
        kind, name = line.split()
        check("@GLIBC" in name or kind == "w", "undefined symbols are the C library's", line)

    out = must("readelf -d", a.readelf, "-dW", so) or ""
    check(re.search(rf"SONAME.*\[liblimbic\.so\.{major}\]", out), "SONAME", out)
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", out))
    check(all(re.match(r"libc\.so|ld-linux", n) for n in needed), "needs the C library alone", needed)
    check("TEXTREL" not in out, "no text relocations", out)
    check("RPATH" not in out and "RUNPATH" not in out, "no run path", out)
    check("BIND_NOW" in out or re.search(r"FLAGS_1.*NOW", out), "bound at load", out)

    out = must("readelf -l", a.readelf, "-lW", so) or ""
    stack = re.search(r"GNU_STACK(?: +0x\w+){5} (.*?) +0x", out)
    check(stack and "E" not in stack.group(1), "stack not executable", out)
    check("GNU_RELRO" in out, "RELRO", out)
    check(not re.search(r"LOAD .* RWE ", out), "nothing writable and executable", out)


def provider_module(tree, tmp):
    """The OpenSSL module, outside the prefix: one exported symbol, libcrypto and the C library needed, no path of the build."""
    if not a.modulesdir:
        skip("OpenSSL provider", "not built (LIMBIC_OPENSSL)")
        return
    so = f"{tree}{a.modulesdir}/limbic.so"
    if not check(os.path.exists(so), f"the provider is in {a.modulesdir}"):
        return
    out = must("nm of the provider", a.nm, "-D", "--defined-only", so) or ""
    check([l.split()[2] for l in out.splitlines()] == ["OSSL_provider_init"], "the provider exports one symbol", out)
    out = must("readelf -d", a.readelf, "-dW", so) or ""
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", out))
    check(all(re.match(r"libcrypto\.so\.[34]$|libc\.so|ld-linux", n) for n in needed), "the provider needs libcrypto and the C library", needed)
    check("TEXTREL" not in out and "RPATH" not in out and "RUNPATH" not in out, "the provider: no text relocations, no run path", out)
    out = must("readelf -l", a.readelf, "-lW", so) or ""
    check("GNU_RELRO" in out and not re.search(r"LOAD .* RWE ", out), "the provider: RELRO, nothing writable and executable", out)
    if a.config == "Release":
        must("strip the provider", a.strip, "-o", f"{tmp}/stripped", so)
        with open(f"{tmp}/stripped", "rb") as binary:
            data = binary.read()
        for path in a.root, a.build:
            check(os.fsencode(path) + b"/" not in data, f"the provider does not name {path}")


def protection_notes(dest, tmp):
    """IBT and SHSTK (x86-64), BTI and PAC (AArch64) in each object and in what they link to; no executable stack."""
    marks, flag = {"x86_64": (("IBT", "SHSTK"), "-fcf-protection=full"),
                   "aarch64": (("BTI", "PAC"), "-mbranch-protection=standard")}.get(a.machine, ((), ""))
    archive = f"{dest}/{a.libdir}/liblimbic.a"
    notes = must("readelf -n", a.readelf, "-nW", archive) or ""
    sections = must("readelf -S", a.readelf, "-SW", archive) or ""
    objects = re.split(r"(?m)^File: .*\((.*)\)$", notes)[1:]
    check(len(objects) > 20, "objects in the archive", len(objects))
    for name, text in zip(objects[::2], objects[1::2]):
        for mark in marks:
            check(re.search(rf"feature: .*\b{mark}\b", text), f"{name} is marked {mark}")
    objects = re.split(r"(?m)^File: .*\((.*)\)$", sections)[1:]
    for name, text in zip(objects[::2], objects[1::2]):
        note = re.search(r"\.note\.GNU-stack +PROGBITS +\w+ +\w+ +\w+ +\w+ +(\w*) +\d", text)
        check(note and "X" not in note.group(1), f"{name} asks for no executable stack")
    if not marks:
        skip("protection marks", f"none known for {a.machine}")
        return
    # The C library's start files may lack the marks, so the whole archive is linked without them.
    so = f"{tmp}/marked.so"
    if must("link the archive alone", a.cc, flag, "-shared", "-nostdlib", "-Wl,--whole-archive", archive, "-Wl,--no-whole-archive",
            "-o", so):
        for mark in marks:
            check(re.search(rf"feature: .*\b{mark}\b", run(a.readelf, "-nW", so)[1]), f"linked, the objects keep {mark}")

    out = must("nm of the archive", a.nm, "-g", "--defined-only", "-P", archive) or ""
    for line in out.splitlines():
        if not line.endswith(":") and line:
            name = line.split()[0]
            check(name.startswith("limbic_") or name.startswith("__x86.get_pc"), "names of the archive", line)


def examples(tmp):
    blocks = re.findall(r"(?ms)^```c\n(.*?)^```$", read(f"{a.root}/README.md"))
    check(len(blocks) > 0, "README has C examples")
    return [write(f"{tmp}/example{i}.c", block) for i, block in enumerate(blocks)]


def more_examples(sources, dest, tmp):
    """README's other programs, with the shared library."""
    for source in sources:
        program = source.removesuffix(".c")
        if must(f"README: {os.path.basename(source)}", a.cc, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{dest}/{a.includedir}", source,
                f"-L{dest}/{a.libdir}", "-llimbic", "-o", program) is not None:
            runs(f"README: {os.path.basename(source)}", program, dest)


def runs(what, program, dest=None, *arguments):
    env = {"LD_LIBRARY_PATH": f"{dest}/{a.libdir}"} if dest else {}
    if emulator and dest:
        env, prefix = {}, emulator + ["-E", f"LD_LIBRARY_PATH={dest}/{a.libdir}"]
    else:
        prefix = emulator
    out = must(what, *prefix, program, *arguments, env=env)
    check(out is not None and "ok" in out.split(), f"{what}: says ok", out)


def cmake_consumer(dest, source, tmp, version):
    write(f"{tmp}/cmake/CMakeLists.txt", f"""cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES C)
find_package(limbic {version} REQUIRED)
foreach(kind shared static)
    add_executable(with_${{kind}} {source})
    target_link_libraries(with_${{kind}} PRIVATE limbic::${{kind}})
endforeach()
""")
    toolchain = [f"-DCMAKE_TOOLCHAIN_FILE={a.toolchain}"] if a.toolchain else []
    args = [a.cmake, "-S", f"{tmp}/cmake", "-B", f"{tmp}/cmake/build", f"-DCMAKE_C_COMPILER={a.cc}", "-G", "Ninja",
            f"-Dlimbic_DIR={dest}/{a.libdir}/cmake/limbic", "-DCMAKE_C_FLAGS=-Wall -Wextra -Wpedantic -Werror", *toolchain]
    if must("CMake: find_package", *args) and must("CMake: build", a.cmake, "--build", f"{tmp}/cmake/build"):
        for kind in "shared", "static":
            runs(f"CMake: program with the {kind} library", f"{tmp}/cmake/build/with_{kind}")
    text = read(f"{tmp}/cmake/CMakeLists.txt").replace(f"limbic {version}", "limbic 99.0")
    write(f"{tmp}/cmake99/CMakeLists.txt", text)
    args[2], args[4] = f"{tmp}/cmake99", f"{tmp}/cmake99/build"
    code, out = run(*args)
    check(code != 0 and "99.0" in out, "CMake: a version that is not there is refused", out)


def pkg_config_consumer(dest, source, tmp, version, tree):
    if not a.pkg_config:
        skip("pkg-config", "not installed")
        return
    env = {"PKG_CONFIG_LIBDIR": f"{dest}/{a.libdir}/pkgconfig", "PKG_CONFIG_SYSROOT_DIR": tree}
    flags = must("pkg-config", a.pkg_config, "--cflags", "--libs", "limbic", env=env)
    static = must("pkg-config --static", a.pkg_config, "--static", "--cflags", "--libs", "limbic", env=env)
    out = must("pkg-config --modversion", a.pkg_config, "--modversion", "limbic", env=env)
    check(out and out.strip() == version, "pkg-config: version", out)
    warn = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    if flags and must("pkg-config: shared", a.cc, *warn, source, *shlex.split(flags), "-o", f"{tmp}/shared"):
        pass
    if os.path.exists(f"{tmp}/shared"):
        out = run(a.readelf, "-dW", f"{tmp}/shared")[1]
        check("[liblimbic.so." in out, "pkg-config: the shared library is used", out)
        runs("pkg-config: program with the shared library", f"{tmp}/shared", dest)
    if static:
        code, out = run(a.cc, *warn, "-static", source, *shlex.split(static), "-o", f"{tmp}/static")
        if check(code == 0, "pkg-config: static", out):
            runs("pkg-config: static program", f"{tmp}/static")


def examples_consumer(dest, tmp, tree):
    """The programs of examples/: the folder as it is with CMake, each file by pkg-config's flags."""
    folder = f"{a.root}/tests/install/examples"
    sources = sorted(glob.glob(f"{folder}/*.c"))
    gmp = run(a.cc, write(f"{tmp}/gmp.c", "#include <gmp.h>\nint main(void) { return !gmp_version; }\n"), "-lgmp", "-o", f"{tmp}/gmp")[0] == 0
    if not gmp:
        skip("examples/powm.c", f"no gmp.h and libgmp for {a.cc}")
    toolchain = [f"-DCMAKE_TOOLCHAIN_FILE={a.toolchain}"] if a.toolchain else []
    built = f"{tmp}/examples"
    if must("examples: CMake", a.cmake, "-S", folder, "-B", built, "-G", "Ninja", f"-DCMAKE_C_COMPILER={a.cc}", "-DCMAKE_C_FLAGS=-Wall -Wextra -Wpedantic -Werror",
            f"-Dlimbic_DIR={dest}/{a.libdir}/cmake/limbic", *([] if gmp else ["-DGMP=GMP-NOTFOUND"]), *toolchain):
        must("examples: build", a.cmake, "--build", built)
    if a.pkg_config:
        env = {"PKG_CONFIG_LIBDIR": f"{dest}/{a.libdir}/pkgconfig", "PKG_CONFIG_SYSROOT_DIR": tree}
        flags = shlex.split(must("examples: pkg-config", a.pkg_config, "--cflags", "--libs", "limbic", env=env) or "")
    else:
        skip("examples by pkg-config", "no pkg-config")
    for source in sources:
        name = os.path.basename(source)[:-2]
        if name == "envelope" or (name == "powm" and not gmp):  # envelope() has it
            continue
        program = f"{built}/{name}"
        if check(os.path.exists(program), f"examples: CMakeLists.txt builds {name}"):
            runs(f"examples/{name}", program, dest, *([tmp] if name == "keyfile" else []))
        if a.pkg_config:
            must(f"examples: {name} by pkg-config", a.cc, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", source, *flags,
                 *(["-lgmp"] if name == "powm" else []), "-o", f"{tmp}/{name}")


def tool_env(dest):
    """For the installed command: below /usr it finds its library where the system looks, which is not there."""
    return {"LD_LIBRARY_PATH": f"{dest}/{a.libdir}"} if a.prefix == "/usr" else {}


def envelope(dest, tmp, tree):
    """The program that seals files with SM2 and SM4-GCM, by pkg-config's flags."""
    what = "envelope"
    if emulator or not a.pkg_config or a.tool != "1":
        skip(what, "emulated" if emulator else "no pkg-config" if not a.pkg_config else "no command limbic, which makes its keys")
        return
    if run(a.cc, write(f"{tmp}/ssl.c", "#include <openssl/evp.h>\nint main(void) { return !EVP_MD_CTX_new(); }\n"), "-lcrypto", "-o", f"{tmp}/ssl")[0] != 0:
        skip(what, f"no headers of libcrypto for {a.cc}")
        return
    flags = must("pkg-config for the envelope", a.pkg_config, "--cflags", "--libs", "limbic",
                 env={"PKG_CONFIG_LIBDIR": f"{dest}/{a.libdir}/pkgconfig", "PKG_CONFIG_SYSROOT_DIR": tree})
    if not flags or must("envelope: compile", a.cc, "-std=c11", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"{a.root}/tests/install/examples/envelope.c",
                         *shlex.split(flags), "-lcrypto", "-o", f"{tmp}/envelope") is None:
        return
    folder = f"{tmp}/envelopes"
    os.mkdir(folder)
    for name in "right", "wrong":
        must("envelope: key", f"{dest}/{a.bindir}/limbic", "keygen", "--alg", "sm2", "--out", f"{folder}/{name}.key", env=tool_env(dest))
        must("envelope: public key", f"{dest}/{a.bindir}/limbic", "pubkey", "--key", f"{folder}/{name}.key", "--out", f"{folder}/{name}.pub", env=tool_env(dest))

    def call(command, key, source, out):
        p = subprocess.run([f"{tmp}/envelope", command, f"{folder}/{key}", source, out], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           env={**os.environ, "LD_LIBRARY_PATH": f"{dest}/{a.libdir}"}, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (1 << 24, 1 << 24)))
        return p.returncode, p.stdout

    def put(name, data):
        with open(f"{folder}/{name}", "wb") as f:
            f.write(data)
        return f"{folder}/{name}"

    def get(name):
        with open(f"{folder}/{name}", "rb") as f:
            return f.read()

    # Around the size of a piece; the last one is larger than the memory that the program may have.
    for size in 0, 1, 15, 16, 17, 65519, 65520, 65521, 65535, 65536, 65537, 131072, 20 << 20:
        data = os.urandom(size)
        code, out = call("seal", "right.pub", put("data", data), f"{folder}/sealed")
        sealed = get("sealed") if code == 0 else b""
        check(code == 0 and len(sealed) == 8 + 125 + size + 16 and (size < 16 or data[:16] not in sealed), f"envelope: seal {size} bytes", out)
        code, out = call("open", "right.key", f"{folder}/sealed", f"{folder}/opened")
        check(code == 0 and get("opened") == data and os.stat(f"{folder}/opened").st_mode & 0o77 == 0, f"envelope: open {size} bytes", out)
    for name in "opened", "data", "sealed":
        os.remove(f"{folder}/{name}")
    data = os.urandom(70000)
    call("seal", "right.pub", put("data", data), f"{folder}/sealed")
    sealed = get("sealed")
    there = set(os.listdir(folder)) | {"bad"}

    def refused(what, blob, key="right.key"):
        code, out = call("open", key, put("bad", blob), f"{folder}/opened")
        check(code == 1 and out.startswith("envelope: ") and set(os.listdir(folder)) == there, f"envelope: {what} is refused and leaves nothing", out)

    refused("another key", sealed, "wrong.key")
    refused("a public key", sealed, "right.pub")
    for what, at in (("its name", 0), ("C1's form", 8), ("C1", 40), ("C3", 8 + 65), ("C2", 8 + 65 + 32), ("the last byte of C2", 132), ("the first byte", 133),
                     ("a byte in the first piece", 5000), ("a byte in the last piece", 69000), ("the last byte", -17), ("the tag", -16), ("the tag's last byte", -1)):
        blob = bytearray(sealed)
        blob[at] ^= 1
        refused(f"{what} changed", blob)
    for n in 0, 7, 8, 132, 133, 148, 149, 65536 + 133, len(sealed) - 16, len(sealed) - 1:
        refused(f"{n} bytes of it", sealed[:n])
    refused("a byte more", sealed + b"\0")
    other = sealed[:133] + sealed[149:] + sealed[133:149]
    refused("its parts in another order", other)
    # A file that is there stays as it was.
    put("opened", b"old")
    there.add("opened")
    refused("a changed one over an old file", sealed[:-1] + bytes([sealed[-1] ^ 1]))
    check(get("opened") == b"old", "envelope: the old file stays")


def moved_prefix(source, tmp):
    """Installed to another prefix than the configured one, with a space in it: pkg-config follows the file."""
    prefix = f"{tmp}/else where"
    if not a.pkg_config or not must("install elsewhere", a.cmake, "--install", a.build, "--prefix", prefix):
        return
    env = {"PKG_CONFIG_LIBDIR": f"{prefix}/{a.libdir}/pkgconfig"}
    flags = must("pkg-config elsewhere", a.pkg_config, "--cflags", "--libs", "limbic", env=env)
    if flags and must("pkg-config elsewhere: compile", a.cc, source, *shlex.split(flags), "-o", f"{tmp}/moved") is not None:
        runs("pkg-config elsewhere: program", f"{tmp}/moved", prefix)


def languages(dest, tmp):
    """Each header alone, in C and C++; all of them in one C++ program."""
    include = f"-I{dest}/{a.includedir}"
    warn = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
    for h in headers():
        source = write(f"{tmp}/one.c", f"#include <limbic/{h}>\n#include <limbic/{h}>\n")
        code, out = run(a.cc, "-std=c11", "-Wstrict-prototypes", *warn, include, source)
        check(code == 0, f"{h} alone, C11", out)
    program = f"{a.root}/tests/install/all_headers.cc"
    check(set(re.findall(r'#include "limbic/(.*)"', read(program))) == set(headers()), "the C++ program has every header")
    if not a.cxx or "NOTFOUND" in a.cxx:
        skip("C++", "no compiler")
        return
    for h in headers():
        source = write(f"{tmp}/one.cc", f"#include <limbic/{h}>\n")
        code, out = run(a.cxx, "-std=c++11", *warn, include, source)
        check(code == 0, f"{h} alone, C++11", out)
    code, out = run(a.cxx, "-std=c++11", *warn[:-1], include, program, f"-L{dest}/{a.libdir}", "-llimbic", "-o", f"{tmp}/cxx")
    if check(code == 0, "C++ program", out):
        runs("C++ program", f"{tmp}/cxx", dest)


def main():
    version = re.search(r'#define LIMBIC_VERSION +"(.*)"', read(f"{a.root}/include/limbic/limbic.h")).group(1)
    with tempfile.TemporaryDirectory(prefix="limbic-install.") as tmp:
        tree = f"{tmp}/tree"
        dest = f"{tree}{a.prefix}"
        if not must("install", a.cmake, "--install", a.build, env={"DESTDIR": tree}):
            return
        installed_files(dest, version, tmp)
        shared_library(dest, version, tmp)
        protection_notes(dest, tmp)
        provider_module(tree, tmp)
        manual_pages(dest)
        if a.tool == "1":
            # The installed tool finds the installed library by itself; below /usr, where the system looks.
            out = must("installed tool", *emulator, f"{dest}/{a.bindir}/limbic", "--version", env=tool_env(dest))
            check(out == f"limbic {version}\n", "installed tool: version", out)
            if a.modulesdir and not emulator:
                out = must("installed tool: openssl-check", f"{dest}/{a.bindir}/limbic", "openssl-check",
                           env={**tool_env(dest), "OPENSSL_CONF": f"{dest}/{a.datadir}/limbic/limbic.cnf", "OPENSSL_MODULES": tree + a.modulesdir})
                check(out and out.endswith("all of it is done by limbic\n"), "installed tool: openssl-check", out)
        sources = examples(tmp)
        if sources:
            cmake_consumer(dest, sources[0], tmp, version)
            pkg_config_consumer(dest, sources[0], tmp, version, tree)
            moved_prefix(sources[0], tmp)
            more_examples(sources[1:], dest, tmp)
        examples_consumer(dest, tmp, tree)
        envelope(dest, tmp, tree)
        languages(dest, tmp)


main()
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(failed > 0)
