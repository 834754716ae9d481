#!/usr/bin/env python3
"""The provider under unmodified programs: the command openssl with a configuration that loads limbic.so. Each step names the counters of the provider
that must have moved: libcrypto falls back on its own code without a word.
test_provider.py MODULE SAMPLE_CNF WANTED_VERSION CHECKER"""
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

module, sample, wanted, checker = sys.argv[1:5]
passed = failed = skipped = 0
tmp = tempfile.mkdtemp(prefix="limbic-provider-")
counts_file = f"{tmp}/counts"
for name in list(os.environ):
    if name.startswith(("OPENSSL", "SSL_", "LIMBIC_")):
        del os.environ[name]
PLAIN = {**os.environ, "LC_ALL": "C", "OPENSSL_CONF": f"{tmp}/plain.cnf", "HOME": tmp, "RANDFILE": f"{tmp}/rnd"}
OURS = {**PLAIN, "OPENSSL_CONF": f"{tmp}/openssl.cnf", "OPENSSL_MODULES": os.path.dirname(module), "LIMBIC_COUNTS": counts_file}


def check(ok, what, detail=""):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what} {detail!s:.1500}")
    return ok


def write(name, text):
    with open(f"{tmp}/{name}", "w") as f:
        f.write(text)
    return f"{tmp}/{name}"


def counts():
    total = {}
    if os.path.exists(counts_file):
        with open(counts_file) as f:
            for word in f.read().split():
                name, n = word.split("=")
                total[name] = total.get(name, 0) + int(n)
        os.remove(counts_file)
    return total


def run(command, env, stdin=b""):
    p = subprocess.run(["openssl", *command.split()], env=env, cwd=tmp, input=stdin, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, timeout=60)
    return p.returncode, p.stdout.decode(errors="replace")


def moved(what, want):
    """want: counters that must have moved; with a minus, those that must not have."""
    have = counts()
    for name in want.split():
        if name[0] == "-":
            check(have.get(name[1:], 0) == 0, f"{what}: {name[1:]} is not for the provider", have)
        else:
            check(have.get(name, 0) > 0, f"{what}: the provider's {name} ran", have)


def ours(command, want, fails=False, says=""):
    """openssl with the provider: the counters in want must move."""
    code, out = run(command, OURS)
    check((code != 0) == fails and says in out, f"openssl {command}", f"[exit {code}] {out}")
    moved(command, want)
    return out


def plain(command, fails=False, says=""):
    """openssl without the provider."""
    code, out = run(command, PLAIN)
    check((code != 0) == fails and says in out, f"plain openssl {command}", f"[exit {code}] {out}")
    return out


def both(command, want, **how):
    ours(command, want, **how)
    plain(command, **how)


def same(a, b):
    with open(f"{tmp}/{a}", "rb") as f, open(f"{tmp}/{b}", "rb") as g:
        check(f.read() == g.read(), f"{a} equals {b}")


CURVES = {"P-256": ("prime256v1", 32), "P-384": ("secp384r1", 48), "P-521": ("secp521r1", 64)}
OTHERS = ["secp256k1", "brainpoolP384r1", "prime192v1", "secp224r1", "sect233k1"]


def keys():
    """Made by us, read by the other, and the other way round."""
    for curve in CURVES:
        ours(f"genpkey -algorithm EC -pkeyopt ec_paramgen_curve:{curve} -out {curve}.key", "keygen")
        plain(f"genpkey -algorithm EC -pkeyopt ec_paramgen_curve:{curve} -out {curve}.theirs")
        for name in f"{curve}.key", f"{curve}.theirs":
            plain(f"pkey -in {name} -check -noout")
            ours(f"pkey -in {name} -check -noout", "")
            plain(f"pkey -in {name} -pubout -out {name}.pub")
        ours(f"ecparam -name {CURVES[curve][0]} -genkey -noout -out {curve}.ecparam", "keygen")
        plain(f"ec -in {curve}.ecparam -check -noout")
        for form in "compressed", "hybrid", "uncompressed":
            ours(f"genpkey -algorithm EC -pkeyopt ec_paramgen_curve:{curve} -pkeyopt point-format:{form} -out form", "keygen")
            plain("pkey -in form -check -noout")
            plain("pkey -in form -pubout -out form.pub")
            both("pkey -pubin -in form.pub -text -noout", "")
            write("text", form)
            ours("dgst -sha256 -sign form -out form.sig text", "sign")
            both("dgst -sha256 -verify form.pub -signature form.sig text", "", says="OK")
        ours(f"genpkey -algorithm EC -pkeyopt ec_paramgen_curve:{curve} -pkeyopt ec_param_enc:explicit -out explicit", "keygen")
        plain("pkey -in explicit -text -noout", says="Generator")
        # 3.0's own import of such a key keeps the curve's name.
        ours("dgst -sha256 -sign explicit -out explicit.sig text", "sign")
        ours(f"genpkey -genparam -algorithm EC -pkeyopt ec_paramgen_curve:{curve} -out params", "")
        ours("genpkey -paramfile params -out from_params", "")
        plain("pkey -in from_params -check -noout")
    for how in ("genpkey -algorithm SM2", "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:SM2", "ecparam -genkey -noout -name SM2"):
        ours(f"{how} -out sm2.key", "passed-on" if "-algorithm EC" in how else "keygen")
        plain("pkey -in sm2.key -check -noout")
        ours("pkey -in sm2.key -check -noout", "")
    ours("genpkey -algorithm SM2 -out sm2.key", "keygen")
    plain("pkey -in sm2.key -pubout -out sm2.pub")
    ours("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:nosuch", "", fails=True)
    # The same files as from the default provider alone.
    for name in "P-256.theirs", "P-521.theirs", "sm2.key":
        for form in ("-outform DER", "-pubout -outform DER", "-text -noout"):
            ours(f"pkey -in {name} {form} -out a", "")
            plain(f"pkey -in {name} {form} -out b")
            same("a", "b")
    ours("ec -in P-384.theirs -aes-128-cbc -passout pass:secret -out locked", "")
    plain("pkey -in locked -passin pass:secret -check -noout")


def signatures():
    write("text", "to be signed")
    for curve, (_, digest) in CURVES.items():
        for key in f"{curve}.key", f"{curve}.theirs":
            for hash in "sha1", "sha256", "sha512", "sha3-384", "ripemd160":
                ours(f"dgst -{hash} -sign {key} -out sig text", "sign -passed-on")
                plain(f"dgst -{hash} -verify {key}.pub -signature sig text", says="Verified OK")
                plain(f"dgst -{hash} -sign {key} -out sig text")
                ours(f"dgst -{hash} -verify {key}.pub -signature sig text", "verify -passed-on", says="Verified OK")
            ours(f"dgst -sha384 -verify {key}.pub -signature sig text", "verify", fails=True, says="Verification failure")
        with open(f"{tmp}/digest", "wb") as f:
            f.write(os.urandom(digest))
        ours(f"pkeyutl -sign -inkey {curve}.key -in digest -out sig", "sign")
        plain(f"pkeyutl -verify -pubin -inkey {curve}.key.pub -in digest -sigfile sig", says="Success")
        plain(f"pkeyutl -sign -inkey {curve}.key -in digest -out sig")
        ours(f"pkeyutl -verify -pubin -inkey {curve}.key.pub -in digest -sigfile sig", "verify", says="Success")
    # 3.0 to 3.5 sign with an empty ID unless told, later ones with the standard's: both sides are of one version here.
    for option in "", "-pkeyopt distid:1234567812345678", "-pkeyopt distid:Alice@example.com", "-pkeyopt hexdistid:0000":
        tail = f"-rawin -digest sm3 {option} -in text"
        ours(f"pkeyutl -sign -inkey sm2.key -out sig {tail}", "sign")
        plain(f"pkeyutl -verify -pubin -inkey sm2.pub -sigfile sig {tail}", says="Success")
        plain(f"pkeyutl -sign -inkey sm2.key -out sig {tail}")
        ours(f"pkeyutl -verify -pubin -inkey sm2.pub -sigfile sig {tail}", "verify", says="Success")
        ours(f"pkeyutl -verify -pubin -inkey sm2.pub -sigfile sig -rawin -digest sm3 -pkeyopt distid:other -in text", "verify", fails=True)
    with open(f"{tmp}/digest", "wb") as f:
        f.write(os.urandom(32))
    ours("pkeyutl -sign -inkey sm2.key -in digest -out sig", "sign")
    plain("pkeyutl -verify -pubin -inkey sm2.pub -in digest -sigfile sig", says="Success")
    both("dgst -sha256 -sign sm2.key -out sig text", "-sign", fails=True)


def exchange_and_encryption():
    for curve in CURVES:
        for mine, peer in (("key", "theirs"), ("theirs", "key")):
            ours(f"pkeyutl -derive -inkey {curve}.{mine} -peerkey {curve}.{peer}.pub -out a", "derive")
            plain(f"pkeyutl -derive -inkey {curve}.{mine} -peerkey {curve}.{peer}.pub -out b")
            same("a", "b")
        kdf = "-pkeyopt kdf-type:X963KDF -pkeyopt kdf-digest:SHA256 -pkeyopt kdf-outlen:77 -pkeyopt kdf-ukm:abc"
        ours(f"pkeyutl -derive -inkey {curve}.key -peerkey {curve}.theirs.pub {kdf} -pkeyopt ecdh_cofactor_mode:1 -out a", "derive")
        plain(f"pkeyutl -derive -inkey {curve}.key -peerkey {curve}.theirs.pub {kdf} -out b")
        same("a", "b")
    both("pkeyutl -derive -inkey P-256.key -peerkey P-384.key.pub -out a", "-derive", fails=True)
    for n in 1, 31, 1000, 40000:
        with open(f"{tmp}/clear", "wb") as f:
            f.write(os.urandom(n))
        ours("pkeyutl -encrypt -pubin -inkey sm2.pub -in clear -out sealed", "encrypt")
        plain("pkeyutl -decrypt -inkey sm2.key -in sealed -out opened")
        same("clear", "opened")
        plain("pkeyutl -encrypt -pubin -inkey sm2.pub -in clear -out sealed")
        ours("pkeyutl -decrypt -inkey sm2.key -in sealed -out opened", "decrypt")
        same("clear", "opened")
    with open(f"{tmp}/sealed", "r+b") as f:
        f.seek(-1, 2)
        last = f.read(1)[0]
        f.seek(-1, 2)
        f.write(bytes([last ^ 1]))
    ours("pkeyutl -decrypt -inkey sm2.key -in sealed -out opened", "decrypt", fails=True)
    # Another digest is the default provider's.
    ours("pkeyutl -encrypt -pubin -inkey sm2.pub -pkeyopt digest:sha256 -in text -out sealed", "-encrypt")
    plain("pkeyutl -decrypt -inkey sm2.key -pkeyopt digest:sha256 -in sealed -out opened")
    same("text", "opened")


def lanes():
    """Whether RSA's private operations run here: without AVX-512 IFMA they are left to the default provider."""
    with open("/proc/cpuinfo") as f:
        words = set(f.read().split())
    return {"adx", "bmi2", "avx2", "avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512ifma"} <= words


def rsa():
    signing, opening = ("sign", "decrypt") if lanes() else ("-sign", "-decrypt")
    ours("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa2.key", "keygen")
    plain("pkey -in rsa2.key -check -noout")
    ours("genrsa -out rsa3.key 3072", "keygen")
    plain("rsa -in rsa3.key -check -noout", says="RSA key ok")
    ours("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out small.key", "-keygen passed-on")
    ours("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -pkeyopt rsa_keygen_pubexp:3 -out e3.key", "")
    ours("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -pkeyopt rsa_keygen_primes:3 -out three.key", "-keygen passed-on")
    ours("genpkey -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048 -out pss.key", "-keygen")
    ours("genpkey -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048 -pkeyopt rsa_pss_keygen_md:sha256 -pkeyopt rsa_pss_keygen_mgf1_md:sha256 -pkeyopt rsa_pss_keygen_saltlen:32 -out strict.key", "-keygen")
    for key in "rsa2", "rsa3", "small", "e3", "three", "pss", "strict":
        plain(f"pkey -in {key}.key -pubout -out {key}.pub")
        ours(f"pkey -in {key}.key -check -noout", "")
        for hash in "sha1", "sha256", "sha384", "sha512", "sha3-256":
            for options in ("", "-sigopt rsa_padding_mode:pss", "-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest",
                            "-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:max -sigopt rsa_mgf1_md:sha512", "-sigopt rsa_padding_mode:x931"):
                # An RSA-PSS key knows one padding; one with rules, its own digest and no shorter salt.
                if key in ("pss", "strict") and ("x931" in options or not options or (key == "strict" and (hash != "sha256" or "mgf1" in options))):
                    continue
                if ("x931" in options and hash == "sha3-256") or (key != "rsa2" and hash != "sha256"):
                    continue
                fast = hash in ("sha256", "sha384", "sha512") and "x931" not in options and key != "three"
                signs = fast and key not in ("small", "strict")
                checks = fast and key != "strict"
                ours(f"dgst -{hash} {options} -sign {key}.key -out sig text", signing if signs else "-sign")
                plain(f"dgst -{hash} {options} -verify {key}.pub -signature sig text", says="Verified OK")
                plain(f"dgst -{hash} {options} -sign {key}.key -out sig text")
                ours(f"dgst -{hash} {options} -verify {key}.pub -signature sig text", "verify" if checks else "", says="Verified OK")
                ours(f"dgst -{hash} {options} -verify {key}.pub -signature sig clear", "verify" if checks else "", fails=True, says="Verification failure")
    with open(f"{tmp}/digest", "wb") as f:
        f.write(os.urandom(32))
    with open(f"{tmp}/block", "wb") as f:
        f.write(b"\0" + os.urandom(255))
    for options, data, moves in (("-pkeyopt digest:sha256", "digest", 1), ("", "digest", 0)):
        ours(f"pkeyutl -sign -inkey rsa2.key {options} -in {data} -out sig", signing if moves else "-sign")
        plain(f"pkeyutl -verify -pubin -inkey rsa2.pub {options} -in {data} -sigfile sig", says="Success")
        ours(f"pkeyutl -verify -pubin -inkey rsa2.pub {options} -in {data} -sigfile sig", "verify" if moves else "-verify", says="Success")
        both(f"pkeyutl -verifyrecover -pubin -inkey rsa2.pub {options} -in sig -out recovered", "")
        same("recovered", data)
    oaep = "-pkeyopt rsa_padding_mode:oaep"
    for options, data, seals in (("", "text", "encrypt"), (oaep, "text", "encrypt"), (f"{oaep} -pkeyopt rsa_oaep_md:sha256", "text", "encrypt"),
                                 (f"{oaep} -pkeyopt rsa_oaep_md:sha512 -pkeyopt rsa_mgf1_md:sha1 -pkeyopt rsa_oaep_label:6162", "text", "encrypt"),
                                 (f"{oaep} -pkeyopt rsa_oaep_md:sha256 -pkeyopt rsa_oaep_label:6162", "text", "encrypt"),
                                 ("-pkeyopt rsa_padding_mode:none", "block", "encrypt")):
        for key in ("rsa2", "three"):
            ours(f"pkeyutl -encrypt -pubin -inkey {key}.pub {options} -in {data} -out sealed", seals)
            plain(f"pkeyutl -decrypt -inkey {key}.key {options} -in sealed -out opened")
            same(data, "opened")
            plain(f"pkeyutl -encrypt -pubin -inkey {key}.pub {options} -in {data} -out sealed")
            ours(f"pkeyutl -decrypt -inkey {key}.key {options} -in sealed -out opened", opening if key == "rsa2" else "-decrypt")
            same(data, "opened")
    ours("pkeyutl -encrypt -pubin -inkey small.pub -in text -out sealed", "encrypt")
    ours("pkeyutl -decrypt -inkey small.key -in sealed -out opened", "-decrypt")
    same("text", "opened")
    both(f"pkeyutl -decrypt -inkey rsa2.key {oaep} -in block -out opened", "", fails=True)
    for name in "rsa2.key", "pss.key", "strict.key":
        for form in ("-outform DER", "-pubout -outform DER", "-text -noout"):
            ours(f"pkey -in {name} {form} -out a", "")
            plain(f"pkey -in {name} {form} -out b")
            same("a", "b")


def other_curves():
    for curve in OTHERS:
        ours(f"genpkey -algorithm EC -pkeyopt ec_paramgen_curve:{curve} -out other.key", "passed-on -keygen")
        plain("pkey -in other.key -check -noout")
        plain("pkey -in other.key -pubout -out other.pub")
        ours("dgst -sha256 -sign other.key -out sig text", "passed-on -sign")
        plain("dgst -sha256 -verify other.pub -signature sig text", says="Verified OK")
        ours("dgst -sha256 -verify other.pub -signature sig text", "passed-on -verify", says="Verified OK")
        for env in (OURS, PLAIN):
            code, out = run(f"pkeyutl -derive -inkey other.key -peerkey other.pub -out {'a' if env is OURS else 'b'}", env)
            check(code == 0, f"ECDH on {curve}", out)
        same("a", "b")
        counts()


def certificates():
    """Chains: an RSA root, leaves on our curves and SM2; and a root on P-384."""
    ext = write("ext.cnf", "[ca]\nbasicConstraints=critical,CA:TRUE\n[leaf]\nbasicConstraints=CA:FALSE\nsubjectAltName=DNS:localhost\n")
    signing = "sign" if lanes() else "-sign"
    ours("req -x509 -newkey rsa:4096 -nodes -keyout rsa.key -out rsa.pem -subj /CN=rsa -days 30", f"keygen {signing}")
    ours("req -x509 -key pss.key -out pss.pem -subj /CN=pss -days 30", signing)
    both("verify -check_ss_sig -CAfile pss.pem pss.pem", "verify", says="OK")
    ours("req -x509 -key rsa2.key -sigopt rsa_padding_mode:pss -sha512 -out pss2.pem -subj /CN=pss2 -days 30", signing)
    both("verify -check_ss_sig -CAfile pss2.pem pss2.pem", "verify", says="OK")
    ours("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-384 -nodes -keyout root.key -out root.pem -subj /CN=root -days 30", "keygen sign")
    plain("verify -CAfile root.pem root.pem", says="OK")
    for curve in [*CURVES, "sm2", "brainpoolP256r1"]:
        key = "sm2.key" if curve == "sm2" else f"{curve}.leaf.key"
        if curve != "sm2":
            ours(f"genpkey -algorithm EC -pkeyopt ec_paramgen_curve:{curve} -out {key}", "")
        hash = "-sm3 -sigopt distid:1234567812345678" if curve == "sm2" else "-sha384"
        verify = "-vfyopt distid:1234567812345678" if curve == "sm2" else ""
        ours(f"req -new -key {key} {hash} -out csr -subj /CN={curve}", "passed-on" if "brain" in curve else "sign")
        both(f"req -in csr -verify -noout {verify}", "passed-on" if "brain" in curve else "verify")
        for root in "rsa", "root":
            ours(f"x509 -req -in csr {verify} -CA {root}.pem -CAkey {root}.key -CAcreateserial -days 20 -extfile {ext} -extensions leaf -out {curve}.{root}.pem",
                 signing if root == "rsa" else "sign")
            both(f"verify -CAfile {root}.pem {curve}.{root}.pem", "verify", says="OK")
    # A chain whose root is SM2.
    sm2 = "-sigopt distid:1234567812345678"
    ours(f"req -x509 -key sm2.key -sm3 {sm2} -out sm2root.pem -subj /CN=sm2root -days 30", "sign")
    both("x509 -in sm2root.pem -noout -text", "", says="SM2-with-SM3")
    with open(f"{tmp}/text") as f:
        text = f.read()
    for curve in "P-256", "P-521":
        ours(f"cms -sign -in text -signer {curve}.root.pem -inkey {curve}.leaf.key -md sha384 -out cms", "sign")
        both("cms -verify -in cms -CAfile root.pem -purpose any -out opened", "verify")
        ours(f"cms -encrypt -aes-128-cbc -in text -out cms {curve}.root.pem", "derive")
        plain(f"cms -decrypt -in cms -recip {curve}.root.pem -inkey {curve}.leaf.key -out opened")
        plain(f"cms -encrypt -aes-128-cbc -in text -out cms {curve}.root.pem")
        ours(f"cms -decrypt -in cms -recip {curve}.root.pem -inkey {curve}.leaf.key -out opened", "derive")
        with open(f"{tmp}/opened") as f:
            check(text in f.read(), "cms: the text comes back")


def timestamps():
    """A time stamp of a P-384 authority and of an RSA one."""
    section = write("ts.cnf", "[tsa]\ndefault_tsa=t\n[t]\nserial=serial\nsigner_digest=sha256\ndefault_policy=1.2.3.4\ndigests=sha256,sha512,sm3\n"
                    "[ext]\nbasicConstraints=CA:FALSE\nextendedKeyUsage=critical,timeStamping\n")
    write("serial", "01\n")
    ours("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out tsa.key", "keygen")
    for key in "tsa.key", "rsa2.key":
        signs = "sign" if key == "tsa.key" or lanes() else "-sign"
        ours(f"req -new -key {key} -out csr -subj /CN=tsa", signs)
        ours(f"x509 -req -in csr -CA root.pem -CAkey root.key -CAcreateserial -days 20 -extfile {section} -extensions ext -out tsa.pem", "verify sign")
        for digest in "sha512", "sm3":
            plain(f"ts -query -data text -{digest} -cert -out query")
            ours(f"ts -reply -config {section} -queryfile query -signer tsa.pem -inkey {key} -chain root.pem -out reply", signs)
            both("ts -verify -data text -in reply -CAfile root.pem", "verify", says="Verification: OK")
            both("ts -verify -data rsa2.pub -in reply -CAfile root.pem", "", fails=True)


def openssl_check():
    """limbic openssl-check, with the right configuration and each wrong one."""
    def asked(what, config, code, *says, **env):
        p = subprocess.run([checker], env={**OURS, "OPENSSL_CONF": f"{tmp}/{config}", **env}, cwd=tmp, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        check(p.returncode == code and all(s in p.stdout for s in says), f"openssl-check: {what}", f"[exit {p.returncode}] {p.stdout}")
        check(("problem:" in p.stdout) == (code != 0), f"openssl-check: {what}: a problem is told", p.stdout)
        return p.stdout

    out = asked("all is right", "openssl.cnf", 0, "active", "all of it is done by limbic")
    for line in ("keys +EC +limbic", "keys +SM2 +limbic", "keys +RSA +limbic", "keys +RSA-PSS +limbic", "signature +ECDSA +limbic", "signature +SM2 +limbic",
                 "signature +RSA +limbic", "key exchange +ECDH +limbic", "encryption +SM2 +limbic", "encryption +RSA +limbic", "encoder +EC +limbic +output=pem"):
        check(re.search(rf"(?m)^{line}", out), f"openssl-check: {line}", out)
    right = open(f"{tmp}/openssl.cnf").read()
    for what, change, code, says in (
            ("no preference", ("default_properties = ?provider=limbic", ""), 1, ["ECDSA    default", "no line 'default_properties"]),
            ("another preference", ("?provider=limbic", "?provider=other"), 1, ["ECDSA    default", "'default_properties = ?provider=other' does not prefer it"]),
            ("the default provider alone", ("?provider=limbic", "provider=default"), 1, ["keys         EC       default", "does not prefer it"]),
            ("nobody", ("?provider=limbic", "provider=nobody"), 1, ["keys         EC       nowhere", "does not prefer it"]),
            ("not activated", ("[limbic_sect]\nactivate = 1", "[limbic_sect]"), 1, ["is not activated: section [limbic_sect]", "ECDSA    default"]),
            ("the default not activated", ("[default_sect]\nactivate = 1", "[default_sect]"), 1, ["default provider is not active", "ECDSA    limbic"]),
            ("no such section", ("limbic = limbic_sect", ""), 1, ["section [provider_sect] has no line 'limbic = ...'"]),
            ("no providers", ("providers = provider_sect", ""), 1, ["section [openssl_init] has no line 'providers"]),
            ("nothing of it read", ("openssl_conf = openssl_init", ""), 1, ["no line 'openssl_conf"]),
            ("a module that is not there", ("[limbic_sect]", f"[limbic_sect]\nmodule = {tmp}/nosuch.so"), 1, [f"the module can't be loaded: {tmp}/nosuch.so: ", "No such file"]),
            ("no shared library", ("[limbic_sect]", f"[limbic_sect]\nmodule = {tmp}/text"), 1, [f"the module can't be loaded: {tmp}/text: "]),
            ("no provider", ("[limbic_sect]", "[limbic_sect]\nmodule = libc.so.6"), 1, ["libc.so.6 is no provider"]),
            ("no configuration syntax", ("[limbic_sect]", "[limbic_sect"), 1, ["can't be read"])):
        check(right.count(change[0]) == 1, f"openssl-check: {what}: the line to change", change)
        write("changed.cnf", right.replace(*change))
        asked(what, "changed.cnf", code, *says)
    asked("a module folder without it", "openssl.cnf", 1, f"the module can't be loaded: {tmp}/limbic.so: ", OPENSSL_MODULES=tmp)
    asked("no such file", "nosuch.cnf", 1, "can't be read: No such file")
    p = subprocess.run([checker, "x"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    check(p.returncode == 2 and p.stdout.startswith("usage: "), "openssl-check: usage", p.stdout)
    counts()


def tls():
    for key in CURVES:
        for version in "tls1_2", "tls1_3":
            for group in [*CURVES, "X25519"] if key == "P-256" else [key]:
                for server, client in ((OURS, OURS), (OURS, PLAIN), (PLAIN, OURS)):
                    if server is not client and group != key:
                        continue
                    handshake(key, version, group, server, client)
    handshake("P-256", "tls1_2", "brainpoolP256r1", OURS, OURS, leaf="brainpoolP256r1")
    shutil.copy(f"{tmp}/rsa2.key", f"{tmp}/rsa2.leaf.key")
    ours("req -x509 -key rsa2.key -out rsa2.root.pem -subj /CN=localhost -days 30", "")
    for version in "tls1_2", "tls1_3":
        handshake("rsa2", version, "P-256", OURS, OURS)


def handshake(key, version, group, server, client, leaf=None):
    leaf = leaf or key
    # TLS 1.2 takes a certificate on a curve alone that the groups have.
    groups = group if version == "tls1_3" or group == leaf or leaf == "rsa2" else f"{group}:{leaf}"
    root = "rsa2.root" if leaf == "rsa2" else "root"
    what = f"TLS: {version}, key {leaf}, group {group}, server {'ours' if server is OURS else 'plain'}, client {'ours' if client is OURS else 'plain'}"
    s = subprocess.Popen(["openssl", "s_server", "-accept", "127.0.0.1:0", "-naccept", "1", "-cert", f"{leaf}.root.pem", "-key", f"{leaf}.leaf.key",
                          "-groups", groups, f"-{version}"], env=server, cwd=tmp, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    port = None
    lines = []
    for line in s.stdout:
        lines.append(line.decode())
        m = re.match(rb"ACCEPT .*:(\d+)", line)
        if m:
            port = m[1].decode()
            break
    if check(port, what, lines):
        code, out = run(f"s_client -connect 127.0.0.1:{port} -CAfile {root}.pem -groups {groups} -{version} -verify_return_error -servername localhost", client, b"Q\n")
        check(code == 0 and "Verify return code: 0 (ok)" in out, what, out)
    s.stdin.close()
    try:
        s.wait(20)
    except subprocess.TimeoutExpired:
        s.kill()
    have = counts()
    ec = group in CURVES
    if server is OURS and "brain" not in leaf and (leaf != "rsa2" or lanes()):
        check(have.get("sign", 0) > 0, f"{what}: sign", have)
    if client is OURS and "brain" not in leaf:
        check(have.get("verify", 0) > (leaf != "rsa2"), f"{what}: verify", have)
    if ec:
        check(have.get("derive", 0) == (server is OURS) + (client is OURS), f"{what}: derive", have)
    else:
        check(have.get("derive", 0) == 0, f"{what}: no derive", have)


def clients():
    """Programs that are no part of OpenSSL, unmodified, against a server with a key on P-384."""
    global skipped
    ask = "import ssl, socket; c = ssl.create_default_context(cafile='localhost.pem'); c.set_ecdh_curve('secp384r1'); " \
          "s = c.wrap_socket(socket.create_connection(('127.0.0.1', {port})), server_hostname='localhost'); s.close()"
    connect = "const s = require('tls').connect({{host: '127.0.0.1', port: {port}, servername: 'localhost', ca: require('fs').readFileSync('localhost.pem'), " \
              "ecdhCurve: 'P-384'}}, () => s.end()); s.on('error', e => {{ console.log(e); process.exit(1); }})"
    programs = {"curl": ["curl", "-sS", "--cacert", "localhost.pem", "--resolve", "localhost:{port}:127.0.0.1", "--curves", "P-384", "https://localhost:{port}/"],
                sys.executable: [sys.executable, "-c", ask], "node": ["node", "--openssl-shared-config", "-e", connect]}
    ours("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-384 -nodes -keyout localhost.key -out localhost.pem -subj /CN=localhost -addext subjectAltName=DNS:localhost",
         "keygen sign")
    for name, command in programs.items():
        why = "not installed" if not shutil.which(name) else None
        if not why:
            p = subprocess.run([name, *{"curl": ["--version"], "node": ["-p", "process.versions.openssl"]}.get(
                name, ["-c", "import ssl; print(ssl.OPENSSL_VERSION)"])], stdout=subprocess.PIPE, text=True, env=PLAIN)
            if not re.search({"curl": rf"OpenSSL/{wanted[0]}\.", "node": rf"^{wanted[0]}\."}.get(name, rf"^OpenSSL {wanted[0]}\."), p.stdout):
                why = "not with OpenSSL of this version"
        if why:
            print(f"skipped: {os.path.basename(name)} with the provider: {why}")
            skipped += 1
            continue
        s = subprocess.Popen(["openssl", "s_server", "-accept", "127.0.0.1:0", "-naccept", "1", "-cert", "localhost.pem", "-key", "localhost.key", "-www"], env=PLAIN,
                             cwd=tmp, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        port = next((m[1].decode() for m in (re.match(rb"ACCEPT .*:(\d+)", line) for line in s.stdout) if m), None)
        p = subprocess.run([w.format(port=port) for w in command], env=OURS, cwd=tmp, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        check(p.returncode == 0, f"{name} with the provider", p.stdout)
        moved(os.path.basename(name), "keygen verify derive")
        s.kill()
        s.wait()


def nginx():
    """A server with workers, under parallel load of curl: every handshake signs here. curl is without the provider, so that the counts are nginx's."""
    global skipped
    program = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    why = "nginx is not installed" if not program else "curl is not installed" if not shutil.which("curl") else None
    if not why:
        p = subprocess.run([program, "-V"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=PLAIN)
        if not re.search(rf"with OpenSSL {wanted[0]}\.", p.stdout):
            why = "not with OpenSSL of this version"
    if why:
        print(f"skipped: nginx with the provider: {why}")
        skipped += 1
        return
    clients, requests = 4, 25
    kinds = {"P-256": "ec -pkeyopt ec_paramgen_curve:P-256", "P-384": "ec -pkeyopt ec_paramgen_curve:P-384", "RSA": "rsa:2048"}
    for kind, how in kinds.items():
        plain(f"req -x509 -newkey {how} -nodes -keyout nginx.{kind}.key -out nginx.{kind}.pem -subj /CN=localhost -addext subjectAltName=DNS:localhost")
    for kind in kinds:
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        # As root, or its workers could not write the counts.
        conf = write("nginx.conf", f"""user root; worker_processes 2; daemon off; pid {tmp}/nginx.pid; error_log {tmp}/nginx.log;
            events {{ worker_connections 256; }}
            http {{
                access_log off; keepalive_timeout 0; client_body_temp_path {tmp}/n1; proxy_temp_path {tmp}/n2; fastcgi_temp_path {tmp}/n3;
                uwsgi_temp_path {tmp}/n4; scgi_temp_path {tmp}/n5; ssl_session_cache off; ssl_session_tickets off; ssl_ecdh_curve secp384r1;
                server {{ listen 127.0.0.1:{port} ssl; ssl_certificate nginx.{kind}.pem; ssl_certificate_key nginx.{kind}.key; return 200 ok; }}
            }}""")
        server = subprocess.Popen([program, "-p", tmp, "-e", f"{tmp}/nginx.log", "-c", conf], env=OURS, cwd=tmp, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            up = False
            for _ in range(100):
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    up = True
                    break
                except OSError:
                    if server.poll() is not None:
                        break
                    time.sleep(0.1)
            curl = ["curl", "-sS", "-Z", "--parallel-max", str(requests), "--no-sessionid", "--cacert", f"nginx.{kind}.pem", "--resolve", f"localhost:{port}:127.0.0.1",
                    "-w", "%{http_code}\\n", f"https://localhost:{port}/[1-{requests}]", "-o", "/dev/null"]
            load = [subprocess.Popen(curl, env=PLAIN, cwd=tmp, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for _ in range(clients if up else 0)]
            said = [c.communicate(timeout=60)[0] for c in load]
            good = sum(out.count("200\n") for out in said)
            server.send_signal(signal.SIGQUIT)
            out = server.communicate(timeout=30)[0]
            with open(f"{tmp}/nginx.log") as f:
                check(up and good == clients * requests, f"nginx with {kind}: {good} answers", (said, out, f.read()))
        finally:
            if server.poll() is None:
                server.kill()
                server.wait()
        have = counts()
        for what in "sign", "derive":
            if what == "sign" and kind == "RSA" and not lanes():
                check(have.get(what, 0) == 0, f"nginx with {kind}: {what} is not for the provider", have)
            else:
                check(have.get(what, 0) >= clients * requests, f"nginx with {kind}: every {what} ran in the provider", have)


LOW_LEVEL_PYTHON = """
import sys
from cryptography.hazmat.primitives import hashes, serialization as form
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
what, curve = sys.argv[1:]
hash = hashes.SHA256()
def again(key):
    pem = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    return form.load_pem_private_key(pem, None)
if what == "rsa":
    key = rsa.generate_private_key(65537, 2048)
    for key in key, again(key):
        for pad in padding.PKCS1v15(), padding.PSS(padding.MGF1(hash), 32):
            key.public_key().verify(key.sign(b"text", pad, hash), b"text", pad, hash)
        for pad in padding.PKCS1v15(), padding.OAEP(padding.MGF1(hash), hash, None):
            assert key.decrypt(key.public_key().encrypt(b"text", pad), pad) == b"text"
else:
    key = ec.generate_private_key(getattr(ec, curve)())
    copy = again(key)
    for k in key, copy:
        k.public_key().verify(k.sign(b"text", ec.ECDSA(hash)), b"text", ec.ECDSA(hash))
    assert key.exchange(ec.ECDH(), copy.public_key()) == copy.exchange(ec.ECDH(), key.public_key())
"""


def low_level():
    """Programs on the old calls, which the provider alone does not reach: the hooks do."""
    global skipped
    # By the module's path: OPENSSL_MODULES is where python3-cryptography looks for the provider "legacy".
    write("low.cnf", open(sample).read().replace("[limbic_sect]", f"[limbic_sect]\nmodule = {module}\nlow_level = yes"))
    low = {**PLAIN, "OPENSSL_CONF": f"{tmp}/low.cnf", "LIMBIC_COUNTS": counts_file}
    write("low.py", LOW_LEVEL_PYTHON)

    def run_low(what, command, want, stdin=b"", env=low):
        p = subprocess.run(command, env=env, cwd=tmp, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        check(p.returncode == 0, what, p.stdout.decode(errors="replace"))
        if want is not None:
            moved(what, want)

    # The system's Python has the package, which need not be the one that runs this.
    python = next((p for p in dict.fromkeys([sys.executable, "/usr/bin/python3"]) if os.path.exists(p) and subprocess.run(
        [p, "-c", "from cryptography.hazmat.backends.openssl import backend as b; import sys; "
         f"sys.exit(not b.openssl_version_text().startswith('OpenSSL {wanted[0]}.'))"], env=PLAIN, stderr=subprocess.DEVNULL).returncode == 0), None)
    if python:
        for curve in "SECP256R1", "SECP384R1", "SECP521R1":
            run_low(f"python3-cryptography {curve}", [python, "low.py", "ec", curve], "low-level keygen sign verify derive")
        for curve in "SECP256K1", "BrainpoolP256R1":
            run_low(f"python3-cryptography {curve}", [python, "low.py", "ec", curve], "-low-level -sign -verify")
        private = "sign decrypt" if lanes() else "-sign -decrypt"
        run_low("python3-cryptography RSA", [python, "low.py", "rsa", ""], f"low-level keygen verify encrypt {private}")
    else:
        print("skipped: python3-cryptography with the hooks: not installed, or not with OpenSSL of this version")
        skipped += 1
    if not shutil.which("ssh-keygen"):
        print("skipped: ssh-keygen with the hooks: not installed")
        skipped += 1
        return
    for kind, bits in ("ecdsa", 256), ("ecdsa", 384), ("ecdsa", 521), ("rsa", 2048):
        key = f"ssh.{kind}{bits}"
        what = f"ssh-keygen {kind} {bits}"
        write("letter", what)
        run_low(what, ["ssh-keygen", "-q", "-t", kind, "-b", str(bits), "-N", "", "-f", key], "low-level keygen")
        sign = ["ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", "file", "letter"]
        verify = ["ssh-keygen", "-Y", "verify", "-f", "allowed", "-I", "me", "-n", "file", "-s", "letter.sig"]
        with open(f"{tmp}/{key}.pub") as f:
            write("allowed", f"me {f.read()}")
        for signer, verifier in (low, PLAIN), (PLAIN, low):
            if os.path.exists(f"{tmp}/letter.sig"):
                os.remove(f"{tmp}/letter.sig")
            run_low(f"{what}: sign", sign, None if signer is PLAIN else "low-level sign" if kind == "ecdsa" or lanes() else "-sign", env=signer)
            run_low(f"{what}: verify", verify, None if verifier is PLAIN else "low-level verify", what.encode(), env=verifier)


def configuration():
    """The sample as a last line of a configuration, as the README has it; and switched off again."""
    write("whole.cnf", "openssl_conf = openssl_init\n[openssl_init]\nproviders = provider_sect\n[provider_sect]\ndefault = default_sect\nlegacy = legacy_sect\n"
          f"[default_sect]\n[legacy_sect]\nactivate = 1\n.include {tmp}/limbic.cnf\n")
    env = {**OURS, "OPENSSL_CONF": f"{tmp}/whole.cnf"}
    code, out = run("list -providers", {**env, "OPENSSL_MODULES": os.path.dirname(module)})
    check("limbic" in out and "default" in out, "the sample adds to a configuration", out)
    counts()
    code, out = run("dgst -sha256 -sign P-256.key -out sig text", env)
    check(counts().get("sign", 0) == 1, "with the sample as a last line, the provider signs", out)
    # Without the preference, the provider is there and is not used.
    write("off.cnf", "".join(l for l in open(f"{tmp}/limbic.cnf") if "default_properties" not in l))
    code, out = run("dgst -sha256 -sign P-256.key -out sig text", {**OURS, "OPENSSL_CONF": f"{tmp}/off.cnf"})
    have = counts()
    check(code == 0 and have.get("sign", 1) == 0, "without the preference, the provider does not sign", have)
    # Named alone, it needs no preference.
    code, out = run("dgst -sha256 -sign P-256.key -out sig -provider limbic -provider default -propquery ?provider=limbic text", {**OURS, "OPENSSL_CONF": f"{tmp}/plain.cnf"})
    check(code == 0 and counts().get("sign", 0) == 1, "with -provider and -propquery", out)
    out = ours("list -providers -verbose", "", says="name: Limbic")
    check(re.search(r"(?s)limbic\n.*?status: active", out), "status", out)


def main():
    global skipped
    try:
        version = subprocess.run(["openssl", "version"], stdout=subprocess.PIPE, text=True, env=PLAIN).stdout
    except FileNotFoundError:
        version = ""
    m = re.match(r"OpenSSL (\d+)\.", version)
    if not m or m[1] != wanted.split(".")[0]:
        print(f"skipped: provider under programs: the command openssl is {version.strip() or 'missing'}, libcrypto {wanted}")
        skipped += 1
        return
    write("plain.cnf", "[req]\ndistinguished_name=dn\n[dn]\n")
    shutil.copy(sample, f"{tmp}/limbic.cnf")
    write("openssl.cnf", open(sample).read() + open(f"{tmp}/plain.cnf").read())
    for part in keys, signatures, exchange_and_encryption, rsa, other_curves, certificates, timestamps, openssl_check, tls, clients, nginx, low_level, configuration:
        part()


try:
    main()
finally:
    shutil.rmtree(tmp)
print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(failed != 0)
