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
import tempfile

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
    return ok


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
        if "input" not in kw:
            kw["stdin"] = subprocess.DEVNULL
        p = subprocess.run([*command, *args], env=env, stderr=subprocess.PIPE, **kw)
        self.code, self.raw, self.err = p.returncode, p.stdout or b"", p.stderr.decode()
        self.out = self.raw.decode(errors="replace")

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
        check(any(r["isa"] == isa and r["usable"] for r in rows), f"a row of {isa} can run (LIMBIC_REQUIRE)")

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
    ops |= {op + "_batch" for op in ops}
    rates = data["operations_per_second"]
    check(len(rates) > 0 and data["seconds"] == 0.01 and data["batch"] == 64, "speed --json", data)
    for curve, r in rates.items():
        check(set(r) == ops and all(v > 0 for v in r.values()), f"speed: operations of {curve}", r)
        for name in curve, curve.lower().replace("-", ""):
            one = parsed(Run("speed", "-j", "-s0.01", "-c", name), f"speed -c {name}")
            check(one and list(one["operations_per_second"]) == [curve], f"speed -c {name}", one)
    r = Run("speed", "-s", "0.01")
    rows = [l.split() for l in r.out.splitlines()[2:]]
    check(r.code == 0 and [l[0] for l in rows] == [name for curve in rates for name in (curve, "batches")]
          and all(len(l) == 6 for l in rows), "speed: text", r)
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
        (["keygen"], "--alg"), (["keygen", "-a", "p255"], "p255"), (["keygen", "-a", "rsa1024"], "2048"), (["keygen", "-a", "rsa2049"], "2048"),
        (["keygen", "-a", "rsa16386"], "16384"), (["keygen", "-a", "rsa2048x"], "rsa2048x"), (["keygen", "-a", "sm2", "-f", "jwk"], "jwk"),
        (["keygen", "-a", "rsa2048", "-f", "hex"], "hex"), (["keygen", "-a", "sm2", "more"], "more"), (["pubkey"], "--key"),
        (["sign"], "--key"), (["verify", "-k", "x"], "--signature"), (["sign", "-k", "x", "-p", "oaep"], "oaep"), (["sign", "-k", "x", "-f", "pem"], "pem"),
        (["encrypt", "-k", "x", "-p", "pss"], "pss"), (["decrypt", "-k", "x", "-f", "raw"], "raw"), (["sign", "-k", "x", "-a", "dsa"], "dsa"),
        (["help"], "help"), ([""], "''"), (["INFO"], "INFO"), (["inf"], "inf"),
    ):
        r = Run(*args)
        check(r.code == 2 and r.out == "" and named in r.err.splitlines()[0], f"refused: {args}", r)


FLAGS = {"json", "verbose", "traditional", "compressed", "digest", "help", "version"}


def help_options(text):
    return set(re.findall(r"(?m)^  -(\w), --(\w+)", text))


def help_and_manual():
    whole = Run("--help")
    check(whole.code == 0 and whole.err == "" and whole.out.startswith("usage: limbic "), "--help", whole)
    check(Run("-h").out == whole.out, "-h is --help")
    commands = re.findall(r"(?m)^  ([\w-]+)  ", whole.out.split("\ncommands:\n")[1].split("\n\n")[0])
    options = help_options(whole.out)
    every = {}
    for c in commands:
        r = Run(c, "--help")
        check(r.code == 0 and r.err == "" and r.out.startswith(f"usage: limbic {c} "), f"{c} --help", r)
        every[c] = help_options(r.out)
        options |= every[c]
    # What a command's help lists it takes, what it does not list it refuses: both are seen beside --version.
    for c in commands:
        if c == "report":
            continue  # a program of its own, with a test of its own
        for letter, name in options:
            takes = (letter, name) in every[c]
            value = [] if name in FLAGS else [{"curve": "P-256", "seconds": "0.01"}.get(name, "x")]
            for form in f"-{letter}", f"--{name}":
                r = Run(c, form, *value, "--version")
                check(r.code == (0 if takes else 2), f"{c} {form}: help and parser agree", r)

    page = f"{root}/src/tool/limbic.1"
    with open(page) as f:
        text = f.read().replace("\\-", "-")
    sections = dict(re.findall(r"(?ms)^\.SH (.*?)\n(.*?)(?=^\.SH|\Z)", text))
    check(set(re.findall(r"(?m)^\.B ([\w-]+)$", sections["COMMANDS"])) >= set(commands) and
          set(re.findall(r"(?m)^\.TP\n\.B ([\w-]+)$", sections["COMMANDS"])) == set(commands), "manual: commands", commands)
    paged = set(re.findall(r'(?m)^\.TP\n\.BR -(\w) ", " --(\w+)', sections["OPTIONS"]))
    check(paged == options, "manual: options", f"{paged} {options}")
    for c in commands:
        synopsis = re.search(rf"(?ms)^\.B limbic {c}\n(.*?)(^\.br|\Z)", sections["SYNOPSIS"]).group(1)
        check(set(re.findall(r"(?:\[ |(?m:^\.B ))-(\w)", synopsis)) == {l for l, _ in every[c]} - {"h", "V"}, f"manual: synopsis of {c}", synopsis)
    if shutil.which("man"):
        r = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", page], capture_output=True,
                           env={**os.environ, "MANROFFSEQ": "", "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
        check(r.returncode == 0 and r.stderr == b"" and b"LIMBIC_CPU" in r.stdout, "manual: no warnings", r)
    else:
        skip("manual: no warnings", "no man")


def openssl_check():
    r = Run("openssl-check")
    if "openssl-check: No such file" in r.err:
        check(r.code == 1 and "comes with the OpenSSL provider" in r.err, "openssl-check: not built", r)
        skip("openssl-check", "not built (LIMBIC_OPENSSL)")
    else:
        check(r.out.startswith("OpenSSL ") and "\nconfiguration " in r.out, "openssl-check", r)


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


# What openssl calls things.
GROUPS = {"sm2": "SM2", "p256": "P-256", "p384": "P-384", "p521": "P-521"}
HASHES = {"sm2": "sm3", "p256": "sha256", "p384": "sha384", "p521": "sha512", "rsa2048": "sha256"}


def openssl(*args, data=None):
    """The output of an openssl command; None, and a failure, if it fails."""
    p = subprocess.run(["openssl", *args], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(p.returncode == 0, f"openssl {args}", p.stderr)
    return p.stdout if p.returncode == 0 else None


def good(what, *args, **kw):
    r = Run(*args, **kw)
    check(r.code == 0 and r.err == "", what, r)
    return r.raw


def refused(what, named, *args, code=1, **kw):
    r = Run(*args, **kw)
    check(r.code == code and r.raw == b"" and named in r.err, what, r)


def keys(at, alg, other):
    """Key files in all forms, both ways with openssl where it is there."""
    key, pub = f"{at}/{alg}.pem", f"{at}/{alg}.pub"
    good(f"{alg}: keygen", "keygen", "--alg", alg, "--out", key)
    check(os.stat(key).st_mode & 0o777 == 0o600, f"{alg}: a private key is its owner's")
    refused(f"{alg}: keygen overwrites nothing", key, "keygen", "-a", alg, "-o", key)
    good(f"{alg}: pubkey", "pubkey", "-k", key, "-o", pub)
    whole = good(f"{alg}: pubkey to a pipe", "pubkey", "-k", "-", input=open(key, "rb").read())
    check(whole == open(pub, "rb").read() and whole.startswith(b"-----BEGIN PUBLIC KEY-----\n"), f"{alg}: pubkey", whole)
    check(good(f"{alg}: pubkey of a public key", "pubkey", "-k", pub) == whole, f"{alg}: pubkey of a public key")
    der = good(f"{alg}: pubkey, DER", "pubkey", "-k", key, "-f", "der")
    check(good(f"{alg}: a DER key read", "pubkey", "-k", "-", input=der) == whole, f"{alg}: a DER key read")
    old = good(f"{alg}: keygen, traditional", "keygen", "-a", alg, "-T")
    check(old.startswith(b"-----BEGIN RSA PRIVATE KEY-----" if alg.startswith("rsa") else b"-----BEGIN EC PRIVATE KEY-----"), f"{alg}: traditional", old)
    good(f"{alg}: a traditional key read", "pubkey", "-k", "-", input=old)
    refused(f"{alg}: a key of another algorithm", other, "pubkey", "-a", other, "-k", key)
    refused(f"{alg}: a damaged key", "-", "pubkey", "-k", "-", input=whole.replace(b"M", b"", 1))
    refused(f"{alg}: a key with a byte more", "not a DER", "pubkey", "-k", "-", input=der + b"x")
    refused(f"{alg}: the result in place of the key", "replace the key", "pubkey", "-k", key, "-o", key, code=2)
    for form in ["-C"] if alg != "rsa2048" else []:
        short = good(f"{alg}: compressed, DER", "pubkey", "-k", key, form, "-f", "der")
        check(good(f"{alg}: compressed DER read", "pubkey", "-k", "-", input=short) == whole, f"{alg}: compressed DER read")
    if not alg.startswith("rsa"):
        size = {"p384": 48, "p521": 66}.get(alg, 32)
        private = good(f"{alg}: keygen, hex", "keygen", "-a", alg, "-f", "hex")
        check(len(private) == 2 * size + 1, f"{alg}: hex", private)
        point = good(f"{alg}: pubkey, hex", "pubkey", "-k", "-", "-a", alg, "-f", "hex", input=private)
        short = good(f"{alg}: pubkey, compressed", "pubkey", "-k", "-", "-a", alg, "-f", "hex", "-C", input=private)
        check(len(point) == 4 * size + 3 and point[:2] == b"04" and short[2:] == point[2:2 * size + 2] + b"\n" and short[:2] in (b"02", b"03"),
              f"{alg}: points in hex", f"{point} {short}")
        check(good(f"{alg}: a point in hex read", "pubkey", "-k", "-", "-a", alg, "-f", "hex", input=short.upper()) == point, f"{alg}: a point in hex read")
        refused(f"{alg}: hex without --alg", "--alg", "pubkey", "-k", "-", code=2, input=private)
        refused(f"{alg}: a private key of zero", "private key", "pubkey", "-k", "-", "-a", alg, input=b"00" * size)
        refused(f"{alg}: a point that is none", "-", "pubkey", "-k", "-", "-a", alg, input=b"04" + b"11" * (2 * size))
    if have_openssl:
        for form in (["pkcs8", "-topk8", "-nocrypt"], ["ec", "-no_public"]) if not alg.startswith("rsa") else ():
            bare = openssl(*form, "-in", key, "-outform", "DER")
            check(bare and good(f"{alg}: openssl {form}", "pubkey", "-k", "-", input=bare) == whole, f"{alg}: openssl {form}")
        check(openssl("pkey", "-in", key, "-pubout") == whole, f"{alg}: openssl's public key")
        openssl("pkey", "-check", "-noout", data=old)
        made = openssl("genrsa", "2048") if alg.startswith("rsa") else openssl("genpkey", "-algorithm", "EC", "-pkeyopt", f"group:{GROUPS[alg]}")
        check(made and good(f"{alg}: openssl's key read", "pubkey", "-k", "-", input=made) == openssl("pkey", "-pubout", data=made), f"{alg}: openssl's key read")
    return key, pub


def signatures(at, alg, key, pub):
    message = os.urandom(40000)
    path, sig = f"{at}/message", f"{at}/sig"
    with open(path, "wb") as f:
        f.write(message)
    rsa = alg.startswith("rsa")
    for how in (["-p", "pkcs1"], ["-p", "pss"]) if rsa else ([], ["-f", "raw"], ["-f", "hex"]):
        good(f"{alg} {how}: sign", "sign", "-k", key, *how, "-o", sig, path)
        r = Run("verify", "-k", pub, "-S", sig, *how, input=message)
        check(r.code == 0 and r.out == "signature good\n", f"{alg} {how}: verify", r)
        r = Run("verify", "-k", pub, "-S", sig, *how, input=message[:-1])
        check(r.code == 1 and r.out == "" and "BAD" in r.err, f"{alg} {how}: another message", r)
    digest = ["-d", "-H", HASHES[alg]]
    with open(sig, "wb") as f:
        f.write(good(f"{alg}: sign a digest", "sign", "-k", key, *digest, input=b"d" * {"sha384": 48, "sha512": 64}.get(HASHES[alg], 32)))
    r = Run("verify", "-k", pub, "-S", sig, *digest, input=b"d" * {"sha384": 48, "sha512": 64}.get(HASHES[alg], 32))
    check(r.code == 0, f"{alg}: verify a digest", r)
    refused(f"{alg}: a digest of another length", "bytes", "sign", "-k", key, *digest, input=b"d")
    refused(f"{alg}: a public key does not sign", "private", "sign", "-k", pub, path)
    refused(f"{alg}: no such input", "nosuch", "sign", "-k", key, f"{at}/nosuch")
    if alg == "sm2":
        good("sm2: sign with an ID", "sign", "-k", key, "-i", "ALICE123@YAHOO.COM", "-o", sig, path)
        check(Run("verify", "-k", pub, "-S", sig, "-i", "ALICE123@YAHOO.COM", path).code == 0, "sm2: verify with an ID")
        check(Run("verify", "-k", pub, "-S", sig, path).code == 1, "sm2: another ID")
        refused("sm2: another hash", "SM3", "sign", "-k", key, "-H", "sha256", path, code=2)
    else:
        refused(f"{alg}: an ID", "SM2", "sign", "-k", key, "-i", "x", path, code=2)
    refused(f"{alg}: standard input twice", "only one", "sign", "-k", "-", code=2, input=open(key, "rb").read())
    refused(f"{alg}: standard input twice", "only one", "verify", "-k", pub, "-S", "-", code=2, input=b"x")
    with open(f"{at}/there", "w") as f:
        f.write("old")
    os.chmod(f"{at}/there", 0o604)
    good(f"{alg}: sign over a file", "sign", "-k", key, path, "-o", f"{at}/there")
    check(os.stat(f"{at}/there").st_mode & 0o777 == 0o604 and os.path.getsize(f"{at}/there") > 60, f"{alg}: a file replaced keeps its mode")
    check(not [n for n in os.listdir(at) if n.startswith("there.")], f"{alg}: nothing left beside it")
    if rsa:
        refused("rsa: a form of curves", "raw and hex", "sign", "-k", key, "-f", "der", path, code=2)
    if have_openssl:
        option = ["-rawin", "-digest", HASHES[alg]] + (["-pkeyopt", "distid:1234567812345678"] if alg == "sm2" else [])
        good(f"{alg}: sign for openssl", "sign", "-k", key, "-o", sig, path)
        check(b"Success" in (openssl("pkeyutl", "-verify", "-pubin", "-inkey", pub, "-sigfile", sig, "-in", path, *option) or b""), f"{alg}: openssl verifies")
        openssl("pkeyutl", "-sign", "-inkey", key, "-in", path, "-out", sig, *option)
        check(Run("verify", "-k", pub, "-S", sig, path).code == 0, f"{alg}: openssl's signature")
        if rsa:
            pss = [*option, "-pkeyopt", "rsa_padding_mode:pss"]
            good(f"{alg}: sign PSS for openssl", "sign", "-k", key, "-p", "pss", "-o", sig, path)
            openssl("pkeyutl", "-verify", "-pubin", "-inkey", pub, "-sigfile", sig, "-in", path, *pss)
            openssl("pkeyutl", "-sign", "-inkey", key, "-in", path, "-out", sig, *pss)
            check(Run("verify", "-k", pub, "-S", sig, "-p", "pss", path).code == 0, f"{alg}: openssl's PSS signature")


def ciphers(at, alg, key, pub):
    rsa = alg.startswith("rsa")
    ways = ([], ["-p", "oaep", "-H", "sha512", "-l", "label"], ["-p", "pkcs1"]) if rsa else ([], ["-f", "c1c3c2"], ["-f", "c1c2c3"])
    for how in ways:
        for n in (0, 1, 100) if rsa else (1, 100, 5000, 1 << 20):
            message = os.urandom(n)
            text = good(f"{alg} {how}: encrypt {n} bytes", "encrypt", "-k", pub, *how, input=message)
            check(good(f"{alg} {how}: decrypt {n} bytes", "decrypt", "-k", key, *how, input=text) == message, f"{alg} {how}: {n} bytes back")
        changed = text[:-1] + bytes([text[-1] ^ 1])
        if how != ["-p", "pkcs1"]: # which tells no fault
            refused(f"{alg} {how}: a changed ciphertext", "decrypt", "decrypt", "-k", key, *how, input=changed)
    refused(f"{alg}: a public key does not decrypt", "private", "decrypt", "-k", pub, input=text)
    good(f"{alg}: encrypt to a file", "encrypt", "-k", pub, "-o", f"{at}/sealed", input=b"secret")
    good(f"{alg}: decrypt to a file", "decrypt", "-k", key, "-o", f"{at}/plain", f"{at}/sealed")
    check(os.stat(f"{at}/plain").st_mode & 0o777 == 0o600, f"{alg}: what was secret stays so")
    if rsa:
        refused("rsa: endless input", "more than", "encrypt", "-k", pub, input=b"x" * 100000)
        refused("rsa: too long a message", "190 at most", "encrypt", "-k", pub, input=b"x" * 191)
        refused("rsa: a form", "SM2", "encrypt", "-k", pub, "-f", "der", code=2, input=b"x")
    else:
        refused("sm2: an empty message", "one byte or more", "encrypt", "-k", pub, input=b"")
        refused("sm2: a raw ciphertext cut short", "4 bytes", "decrypt", "-k", key, "-f", "c1c3c2", input=b"abc\n")
        refused("sm2: hex and traditional", "traditional", "keygen", "-a", "SM2", "-f", "hex", "-T", code=2)
        refused("sm2: a padding", "RSA", "encrypt", "-k", pub, "-p", "oaep", code=2, input=b"x")
        raw = good("sm2: raw", "encrypt", "-k", pub, "-f", "c1c3c2", input=b"x" * 100)
        refused("sm2: the other order", "decrypt", "decrypt", "-k", key, "-f", "c1c2c3", input=raw)
    if have_openssl:
        option = ["-pkeyopt", "rsa_padding_mode:oaep", "-pkeyopt", "rsa_oaep_md:sha256"] if rsa else []
        text, back = f"{at}/text", f"{at}/back"
        good(f"{alg}: encrypt for openssl", "encrypt", "-k", pub, "-o", text, input=b"message")
        check(openssl("pkeyutl", "-decrypt", "-inkey", key, "-in", text, *option) == b"message", f"{alg}: openssl decrypts")
        with open(back, "wb") as f:
            f.write(b"message")
        openssl("pkeyutl", "-encrypt", "-pubin", "-inkey", pub, "-in", back, "-out", text, *option)
        check(good(f"{alg}: decrypt openssl's", "decrypt", "-k", key, text) == b"message", f"{alg}: openssl's ciphertext")


def bouncy_castle():
    """SM2 with BouncyCastle, both ways: keys, signatures, both orders of a ciphertext."""
    jar = os.environ.get("LIMBIC_BCPROV", "/usr/share/java/bcprov.jar")
    if not shutil.which("java") or not os.path.exists(jar):
        skip("SM2 with BouncyCastle", "no Java" if not shutil.which("java") else f"no {jar} (LIMBIC_BCPROV)")
        return
    ids, forms, lengths = ("1234567812345678", "ALICE123@YAHOO.COM"), ("c1c3c2", "c1c2c3"), (1, 31, 32, 33, 100, 5000)
    with tempfile.TemporaryDirectory() as at:
        def java(what):
            p = subprocess.run(["java", "-cp", jar, f"{root}/tests/tool/Bouncy.java", what, at], capture_output=True)
            return check(p.returncode == 0 and p.stdout == b"done\n", f"BouncyCastle: {what}", p.stderr.decode())
        message = os.urandom(max(lengths))
        with open(f"{at}/message", "wb") as f:
            f.write(message)
        java("make")
        good("BouncyCastle's keys", "pubkey", "-k", f"{at}/key.pem", "-o", f"{at}/same.pub")
        check(open(f"{at}/same.pub").read().split() == open(f"{at}/pub.pem").read().split(), "BouncyCastle's keys belong together")
        good("keygen", "keygen", "-a", "sm2", "-o", f"{at}/own.pem")
        good("pubkey", "pubkey", "-k", f"{at}/own.pem", "-o", f"{at}/own.pub")
        for id in ids:
            r = Run("verify", "-k", f"{at}/pub.pem", "-S", f"{at}/bc.{id}.sig", "-i", id, f"{at}/message")
            check(r.code == 0, f"BouncyCastle's signature, ID {id}", r)
            good("sign", "sign", "-k", f"{at}/own.pem", "-i", id, "-o", f"{at}/own.{id}.sig", f"{at}/message")
        for form in forms:
            for n in lengths:
                text = good(f"BouncyCastle's {form}, {n} bytes", "decrypt", "-k", f"{at}/key.pem", "-f", form, f"{at}/bc.{form}.{n}")
                check(text == message[:n], f"BouncyCastle's {form}, {n} bytes")
                good("encrypt", "encrypt", "-k", f"{at}/own.pub", "-f", form, "-o", f"{at}/own.{form}.{n}", input=message[:n])
        java("check")


def cryptography():
    with tempfile.TemporaryDirectory() as at:
        for alg, other in (("sm2", "p256"), ("p256", "sm2"), ("p384", "rsa"), ("p521", "p384"), ("rsa2048", "rsa3072")):
            key, pub = keys(at, alg, other)
            signatures(at, alg, key, pub)
            if alg in ("sm2", "rsa2048"):
                ciphers(at, alg, key, pub)
        refused("P-256 does not encrypt", "does not encrypt", "encrypt", "-k", f"{at}/p256.pub", input=b"x")


have_openssl = shutil.which("openssl") is not None
if not have_openssl:
    skip("the same files with openssl", "no openssl")
header = version()
data = info(header)
if data:
    switched_off(data)
selftest()
speed()
refusals()
help_and_manual()
openssl_check()
write_errors()
cryptography()
bouncy_castle()
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(failed > 0)
