#!/usr/bin/env python3
"""Turns published test vectors into lines for vectors_run.

    convert.py > lines

Sources, each named by an environment variable; what is not there is named in the output with the reason:

    LIMBIC_WYCHEPROOF   directory of Wycheproof's JSON files (testvectors_v1, or its parent); no default
    LIMBIC_VECTORS      directory with rfc6979.json, generated/, bn/, sm2/, boringssl/, openssl/; no default
    LIMBIC_CAVP         NIST CAVP files as Debian's python3-cryptography-vectors has them
                        (default /usr/lib/python3/dist-packages/cryptography_vectors)

The format: one item a line, words with one space between, "# note" may end a line. Bytes are hexadecimal, "-"
is the empty string. Numbers are hexadecimal without a length. CURVE is p256, p384, p521 or sm2; UNIT is one
of the fields of field.h.

    source NAME                              the lines after it come from here
    skip COUNT REASON                        so many items of the source do not apply, and why
    absent REASON                            the source is not there

    verify CURVE POINT DIGEST SIG raw|der VERDICT
    sign_k CURVE D K DIGEST SIG|refused      signature r||s with the nonce K
    sign_det CURVE HASH D DIGEST SIG K       signature r||s with the nonce of RFC 6979, which is the number K
    ecdh CURVE D POINT SECRET VERDICT
    pubkey CURVE D VERDICT [POINT]
    decode CURVE POINT VERDICT [POINT]       the second is the same point, uncompressed
    base_mul CURVE K R                       R = K G: K a number, taken mod n; R a point or infinity
    mul CURVE K POINT R                      R = K POINT
    double_mul CURVE U V POINT R             R = U G + V POINT
    add CURVE POINT POINT R
    der CURVE DER VERDICT [SIG]              DER to r||s and back
    field UNIT OP A B R                      plain numbers; OP add sub mul neg sqr inv sqrt, R may be none
    montmul UNIT A B R                       numbers, residues: R = mul(A, B)
    field_bytes UNIT BYTES VERDICT
    mont OP M A B R                          numbers; OP add sub mul sqr exp inv sqrt, R may be none
    mont_modulus M VERDICT
    mont_bytes M A VERDICT

B is "-" where OP takes one operand. VERDICT is valid; invalid:STATUS, a limbic_status in lower case without
LIMBIC_ERR_, or * for any of them; any: valid or refused; differs: refused, or another result than the one
given.
"""

import base64
import collections
import glob
import hashlib
import json
import os
import re
import sys

from reference import REFERENCE, curve_token, word

OIDS = {"2a8648ce3d030107": "p256", "2b81040022": "p384", "2b81040023": "p521", "2a811ccf5501822d": "sm2"}
NONCE_HASHES = ("sha256", "sha384", "sha512")
MAX_BITS = 16384


class Out:
    def __init__(self):
        self.name = None

    def source(self, name):
        self.name, self.skips, self.count = name, collections.Counter(), 0
        print("source " + name)

    def add(self, *words, note=""):
        self.count += 1
        print(" ".join(word(w) for w in words) + (" # %s" % " ".join(note.split()) if note else ""))

    def skip(self, reason, count=1):
        self.skips[reason] += count

    def done(self):
        for reason, count in sorted(self.skips.items()):
            print("skip %d %s" % (count, reason))
        if not self.count and not self.skips:
            print("absent it has no items")

    def absent(self, name, reason):
        print("source %s\nabsent %s" % (name, reason))


OUT = Out()


class BadEncoding(Exception):
    pass


def tlv(data, tag):
    """The body of a strict DER element with this tag, and what follows it."""
    if len(data) < 2 or data[0] != tag:
        raise BadEncoding
    size, at = data[1], 2
    if size >= 128:
        count = size & 127
        size = int.from_bytes(data[2:2 + count], "big")
        at = 2 + count
        if not 0 < count < 4 or size < 128 or size >> (8 * count - 8) == 0:
            raise BadEncoding
    if len(data) < at + size:
        raise BadEncoding
    return data[at:at + size], data[at + size:]


def ec_algorithm(data):
    """The curve's OID of an AlgorithmIdentifier of id-ecPublicKey, or None for explicit parameters."""
    oid, rest = tlv(data, 6)
    if oid.hex() != "2a8648ce3d0201":
        raise BadEncoding
    if rest[:1] == b"\x30":
        return None
    curve, rest = tlv(rest, 6)
    if rest:
        raise BadEncoding
    return curve.hex()


def spki_point(data):
    """(OID of the curve, point) of a SubjectPublicKeyInfo."""
    body, rest = tlv(data, 0x30)
    algorithm, bits = tlv(body, 0x30)
    point, tail = tlv(bits, 3)
    if rest or tail or point[:1] != b"\0":
        raise BadEncoding
    return ec_algorithm(algorithm), point[1:]


def pkcs8_private(data):
    """(OID of the curve, private key) of a PrivateKeyInfo with an ECPrivateKey."""
    body, _ = tlv(data, 0x30)
    _, rest = tlv(body, 2)
    algorithm, rest = tlv(rest, 0x30)
    octets, _ = tlv(rest, 4)
    key, _ = tlv(octets, 0x30)
    _, rest = tlv(key, 2)
    return ec_algorithm(algorithm), tlv(rest, 4)[0]


def pem(text):
    m = re.fullmatch(r"-----BEGIN ([A-Z ]+)-----\n((?:[A-Za-z0-9+/=]+\n)+)-----END \1-----\n?", text)
    if not m:
        raise BadEncoding
    try:
        return base64.b64decode(m.group(2).replace("\n", ""), validate=True)
    except ValueError:
        raise BadEncoding from None


def base64url(text):
    if not re.fullmatch("[A-Za-z0-9_-]*", text):
        raise BadEncoding
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def digest(name, data):
    """The digest, or None for a hash that Python has not."""
    name = name.lower().replace("sha-", "sha").replace("/", "_")
    if name.startswith("shake"):
        return hashlib.new("shake_" + name[5:], data).digest(32 if name == "shake128" else 64)
    if name.startswith("sha3-"):
        name = name.replace("-", "_")
    try:
        return hashlib.new(name, data).digest()
    except ValueError:
        return None


def number_bytes(curve, text):
    """A number of the curve's length, or longer where it does not fit."""
    v = int(text, 16)
    return v.to_bytes(max(curve.bytes, (v.bit_length() + 7) // 8), "big")


def xy(curve, x, y):
    return b"\4" + number_bytes(curve, x) + number_bytes(curve, y)


# --- Wycheproof ---


def verdict(result):
    return {"valid": "valid", "acceptable": "any", "invalid": "invalid:*"}[result]


def wycheproof_ecdsa(path):
    data = json.load(open(path))
    OUT.source("wycheproof/" + os.path.basename(path))
    for group in data["testGroups"]:
        key = group.get("publicKey") or group.get("key")
        curve = curve_token(key["curve"])
        form = "raw" if "P1363" in group["type"] else "der"
        for t in group["tests"]:
            dg = digest(group["sha"], bytes.fromhex(t["msg"]))
            if curve is None or dg is None:
                OUT.skip("curve or hash not supported: %s %s" % (key["curve"], group["sha"]))
                continue
            OUT.add("verify", curve, bytes.fromhex(key["uncompressed"]), dg, bytes.fromhex(t["sig"]), form,
                    verdict(t["result"]),
                    note="tcId %d %s" % (t["tcId"], t["comment"]))
    OUT.done()


def wycheproof_public(group, t):
    """(the key names the curve of the test, its point)"""
    curve, key, encoding = group["curve"], t["public"], group["encoding"]
    if encoding == "ecpoint":
        return True, bytes.fromhex(key)
    if encoding == "webcrypto":
        return key["crv"] == curve, b"\4" + base64url(key["x"]) + base64url(key["y"])
    oid, point = spki_point(pem(key) if encoding == "pem" else bytes.fromhex(key))
    if oid is None:
        return None, point
    return OIDS.get(oid) == curve_token(curve), point


def wycheproof_ecdh(path):
    data = json.load(open(path))
    OUT.source("wycheproof/" + os.path.basename(path))
    for group in data["testGroups"]:
        c = REFERENCE.get(curve_token(group["curve"]))
        for t in group["tests"]:
            if c is None:
                OUT.skip("curve not supported: " + group["curve"])
                continue
            try:
                named, point = wycheproof_public(group, t)
            except BadEncoding:
                if t["result"] == "valid":
                    raise SystemExit("%s: tcId %d: a valid key that is not parsed" % (path, t["tcId"]))
                OUT.skip("encoding: not the one DER form (%s)" % t["result"])
                continue
            if named is None:
                OUT.skip("encoding: explicit curve parameters (%s)" % t["result"])
                continue
            if group["encoding"] == "webcrypto":
                d = base64url(t["private"]["d"])
            elif group["encoding"] == "pem":
                d = pkcs8_private(pem(t["private"]))[1]
            else:
                d = bytes.fromhex(t["private"])
            d = number_bytes(c, d.hex() or "0")
            result = verdict(t["result"])
            if not named:
                half = (len(point) - 1) // 2
                if len(point) == 1 + 2 * c.bytes and c.on_curve(*(int.from_bytes(point[i:i + half],
                                                                                 "big") for i in (1,
                                                                                                  1 + half))):
                    OUT.skip("encoding: another curve's, the point is also on this one (%s)" % t["result"])
                    continue
                result = "invalid:*"
            OUT.add("ecdh", c.name, d, point, bytes.fromhex(t["shared"]), result,
                    note="tcId %d %s" % (t["tcId"], t["comment"]))
    OUT.done()


def wycheproof(top):
    if not top:
        return OUT.absent("wycheproof", "LIMBIC_WYCHEPROOF is not set")
    if os.path.isdir(os.path.join(top, "testvectors_v1")):
        top = os.path.join(top, "testvectors_v1")
    curves = [n for c in ("p256", "p384", "p521") for n in ("secp%sr1" % c[1:],)]
    used = set()
    for scheme, run in (("ecdsa", wycheproof_ecdsa), ("ecdh", wycheproof_ecdh)):
        for curve in curves:
            paths = sorted(glob.glob(os.path.join(top, "%s_%s_*test.json" % (scheme, curve))))
            if not paths:
                OUT.absent("wycheproof/%s_%s" % (scheme, curve), "no file in " + top)
            for path in paths:
                used.add(path)
                run(path)
    others = sorted(set(glob.glob(os.path.join(top, "*.json"))) - used)
    if others:
        OUT.source("wycheproof/others")
        for path in others:
            OUT.skip("files of other schemes or curves")
        OUT.done()


# --- LIMBIC_VECTORS ---


def rows_of(top, name):
    path = os.path.join(top, name)
    if not os.path.exists(path):
        OUT.absent("vectors/" + name, "no such file")
        return []
    OUT.source("vectors/" + name)
    return json.load(open(path))["tests"]


def rfc6979(top):
    tests = rows_of(top, "rfc6979.json")
    for t in tests:
        c = REFERENCE[curve_token(t["curve"])]
        d, k, dg = number_bytes(c, t["d"]), number_bytes(c, t["k"]), bytes.fromhex(t["digest"])
        sig = number_bytes(c, t["r"]) + number_bytes(c, t["s"])
        note = "%s %s %s" % (t["curve"], t["hash"], t["msg_ascii"])
        OUT.add("pubkey", c.name, d, "valid", bytes.fromhex(t["pub"]), note=note)
        OUT.add("sign_k", c.name, d, k, dg, sig, note=note)
        OUT.add("verify", c.name, bytes.fromhex(t["pub"]), dg, bytes.fromhex(t["sig_der"]), "der", "valid",
                note=note)
        if t["hash"] in NONCE_HASHES:
            OUT.add("sign_det", c.name, t["hash"], d, dg, sig, t["k"], note=note)
        else:
            OUT.skip("nonce made with a hash that the library has not")
    if tests:
        OUT.done()


def digest_edge(top):
    tests = rows_of(top, "generated/ecdsa/digest_edge.json")
    for i, t in enumerate(tests):
        c = REFERENCE[curve_token(t["curve"])]
        dg, sig = bytes.fromhex(t["digest"]), number_bytes(c, t["r"]) + number_bytes(c, t["s"])
        note = "%d %s" % (i, t["comment"])
        OUT.add("verify", c.name, bytes.fromhex(t["pub"]), dg, sig, "raw", verdict(t["result"]), note=note)
        if "k" in t:
            ks = t["k"] if isinstance(t["k"], list) else [t["k"]]
            for k in ks[:-1]:
                OUT.add("sign_k", c.name, number_bytes(c, t["d"]), number_bytes(c, k), dg, "refused",
                        note=note)
            OUT.add("sign_k", c.name, number_bytes(c, t["d"]), number_bytes(c, ks[-1]), dg, sig, note=note)
    if tests:
        OUT.done()


def unit_of(mod):
    curve, part = mod.rsplit(".", 1)
    return (curve_token(curve) or curve) + ("n" if part == "n" else "")


def fields(top):
    tests = rows_of(top, "generated/field/modular.json")
    for t in tests:
        unit = unit_of(t["mod"])
        a, b = t["a"], t["b"]
        for op in ("mul", "add", "sub"):
            OUT.add("field", unit, op, a, b, t[op])
        OUT.add("field", unit, "sqr", a, "-", t["sqr_a"])
        OUT.add("field", unit, "inv", a, "-", t["inv_a"] or "0")
    if tests:
        OUT.done()
    tests = rows_of(top, "generated/field/montmul_flag_windows.json")
    for t in tests:
        OUT.add("montmul", unit_of(t["mod"]), t["a"], t["b"], t["montmul"], note=t["kind"])
    if tests:
        OUT.done()


def product(a, b, expected, note):
    """A product of integers as a product modulo something longer than it."""
    bits = max(64, -(-(abs(expected).bit_length() + 1) // 64) * 64)
    if bits > MAX_BITS:
        OUT.skip("longer than %d bits" % MAX_BITS)
        return
    m = (1 << bits) - 1
    if a == b:
        OUT.add("mont", "sqr", m, a % m, "-", expected % m, note=note)
    OUT.add("mont", "mul", m, a % m, b % m, expected % m, note=note)


def bn(top):
    tests = rows_of(top, "bn/reported.json")
    for i, t in enumerate(tests):
        note = "%d %s" % (i, t["why"][:60])
        v = {k: int(x, 16) for k, x in t.items() if k in ("A", "B", "E", "M", "ModMul", "ModSquare", "ModExp",
                                                          "Square")}
        if "Square" in v:
            product(v["A"], v["A"], v["Square"], note)
            continue
        if v["M"] % 2 == 0:
            OUT.skip("even modulus")
            continue
        a = v["A"] % v["M"]
        if "ModMul" in v:
            OUT.add("mont", "mul", v["M"], a, v["B"] % v["M"], v["ModMul"], note=note)
        elif "ModSquare" in v:
            OUT.add("mont", "sqr", v["M"], a, "-", v["ModSquare"], note=note)
        elif "ModExp" in v:
            OUT.add("mont", "exp", v["M"], a, v["E"], v["ModExp"], note=note)
        else:
            OUT.add("mont_bytes", v["M"], v["A"], "invalid:value", note=note)
    if tests:
        OUT.done()


def sm2(top):
    tests = rows_of(top, "sm2/reported.json")
    for i, t in enumerate(tests):
        op, _, curve = t["op"].partition(" ")
        note = "%d %s" % (i, t["why"][:60])
        c = REFERENCE.get(curve_token(curve)) if curve else REFERENCE["sm2"]

        def point(v):
            return xy(c, v[0], v[1])

        if op == "point-add":
            OUT.add("add", c.name, point(t["P1"]), point(t["P2"]), point(t["sum"]), note=note)
        elif op == "base-mul":
            OUT.add("base_mul", c.name, t["k"], point(t["point"]), note=note)
        elif op == "double-mul":
            OUT.add("double_mul", c.name, 32, 31, c.point(c.neg(c.g)), point(t["point"]), note=note)
        elif op == "sm2-signature-forms":
            OUT.add("der", c.name, bytes.fromhex(t["sig_der"]), "valid", bytes.fromhex(t["raw"]), note=note)
        elif op == "sm2-public-key-raw64":
            OUT.add("pubkey", c.name, number_bytes(c, t["d"]), "valid", bytes.fromhex("04" + t["raw64"]),
                    note=note)
        else:
            OUT.skip("scheme not in the library: " + op)
    if tests:
        OUT.done()
    for name in ("generated/sm2/sign_message.json", "generated/sm2/verify_digest.json",
                 "generated/sm2/encrypt.json",
                 "generated/sm2/sign_retry.json", "generated/sm2/verify_der.json"):
        tests = rows_of(top, name)
        seen = set()
        for t in tests:
            OUT.skip("SM2 scheme: not in the library (key pairs, points and DER are used)")
            if "d" in t and "pub" in t and t["d"] not in seen:
                seen.add(t["d"])
                OUT.add("pubkey", "sm2", bytes.fromhex(t["d"]), "valid", bytes.fromhex(t["pub"]),
                        note=t["comment"])
            if name.endswith("verify_der.json") and t["result"] == "invalid":
                OUT.add("der", "sm2", bytes.fromhex(t["sig_der"]), "invalid:*", note=t["comment"])
        if tests:
            OUT.done()


def stanzas(path):
    """Blocks of "name = value" lines between blank lines."""
    block = {}
    for line in list(open(path)) + [""]:
        line = line.strip()
        if not line and block:
            yield block
            block = {}
        elif "=" in line and not line.startswith("#"):
            k, v = line.split("=", 1)
            block[k.strip()] = v.strip()


def boringssl(top):
    def file(name):
        path = os.path.join(top, "boringssl", name)
        if not os.path.exists(path):
            OUT.absent("vectors/boringssl/" + name, "no such file")
            return
        OUT.source("vectors/boringssl/" + name)
        for i, b in enumerate(stanzas(path)):
            c = REFERENCE.get(curve_token(b["Curve"])) if "Curve" in b else None
            if "Curve" in b and c is None:
                OUT.skip("curve not supported: " + b["Curve"])
            else:
                yield i, c, b
        OUT.done()

    for i, c, b in file("ec_scalar_base_mult_tests.txt"):
        x, y = int(b["X"], 16), int(b["Y"], 16)
        OUT.add("base_mul", c.name, b["N"], xy(c, b["X"], b["Y"]) if x or y else "infinity", note=str(i))
    for i, c, b in file("ecdh_tests.txt"):
        d = number_bytes(c, b["Private"])
        OUT.add("pubkey", c.name, d, "valid", xy(c, b["X"], b["Y"]), note=str(i))
        OUT.add("ecdh", c.name, d, xy(c, b["PeerX"], b["PeerY"]), number_bytes(c, b["Z"]), "valid",
                note=str(i))
    for i, c, b in file("ecdsa_sign_tests.txt"):
        d, dg = number_bytes(c, b["Private"]), bytes.fromhex(b["Digest"])
        sig = number_bytes(c, b["R"]) + number_bytes(c, b["S"])
        OUT.add("sign_k", c.name, d, number_bytes(c, b["K"]), dg, sig, note=str(i))
        OUT.add("verify", c.name, xy(c, b["X"], b["Y"]), dg, sig, "raw", "valid", note=str(i))
    for i, _, b in file("product_tests.txt"):
        a = int(b["A"], 16)
        if "Square" in b:
            product(a, a, int(b["Square"], 16), str(i))
        else:
            product(a, int(b["B"], 16), int(b["Product"], 16), str(i))


def openssl_blocks(path):
    """Like stanzas, with the keys' PEM text; yields (first word, its value, other words)."""
    keys, block = {}, []
    for line in list(open(path)) + [""]:
        line = line.rstrip("\n")
        if line.startswith("#"):
            continue
        if line:
            block.append(line)
            continue
        if block and re.match("(Private|Public)Key *=", block[0]):
            keys[block[0].split("=", 1)[1].strip()] = "\n".join(block[1:]) + "\n"
        elif block:
            yield keys, [tuple(x.strip() for x in b.split("=", 1)) for b in block if "=" in b]
        block = []


def openssl(top):
    for name in ("evppkey_ecdsa.txt", "evppkey_ecdsa_rfc6979.txt"):
        path = os.path.join(top, "openssl", name)
        if not os.path.exists(path):
            OUT.absent("vectors/openssl/" + name, "no such file")
            continue
        OUT.source("vectors/openssl/" + name)
        for i, (keys, block) in enumerate(openssl_blocks(path)):
            op = next((k for k, _ in block if k not in ("Availablein", "FIPSversion", "Title")), None)
            if op is None:
                continue
            b = dict(block)
            openssl_item(i, op, keys, b)
        OUT.done()


def openssl_item(i, op, keys, b):
    def load(key):
        der = pem(keys[key])
        if "PRIVATE" in keys[key]:
            oid, d = pkcs8_private(der)
            c = REFERENCE.get(OIDS.get(oid))
            return c, d, None
        oid, point = spki_point(der)
        return REFERENCE.get(OIDS.get(oid)), None, point

    key = b[op].split(":")[0] if op in ("Verify", "Sign", "PrivPubKeyPair") else b.get("Key")
    if key is None or key not in keys:
        return OUT.skip("%s without a key in the file" % op)
    c, d, point = load(key)
    if c is None:
        return OUT.skip("curve not supported, or with explicit parameters")
    note = "%d %s %s" % (i, op, key)
    if op == "PrivPubKeyPair":
        return OUT.add("pubkey", c.name, d, "valid", load(b[op].split(":")[1])[2], note=note)
    result = b.get("Result")
    if "Output" not in b or result not in (None, "VERIFY_ERROR"):
        return OUT.skip("tests the interface of OpenSSL (%s)" % result)
    text = b["Input"]
    data = text[1:-1].encode() if text.startswith('"') else bytes.fromhex(text)
    hash_name = b[op]
    dg = data if op == "Verify" else digest(hash_name, data)
    if dg is None:
        return OUT.skip("hash not in Python: " + hash_name)
    sig = bytes.fromhex(b["Output"])
    if op in ("Verify", "DigestVerify", "OneShotDigestVerify"):
        point = point or c.point(c.mul(int.from_bytes(d, "big")))
        return OUT.add("verify", c.name, point, dg, sig, "der", "invalid:*" if result else "valid", note=note)
    if op != "DigestSign" or b.get("NonceType") != "deterministic":
        return OUT.skip("signature with a random nonce")
    r, rest = tlv(tlv(sig, 0x30)[0], 2)
    r, s = (int.from_bytes(v, "big") for v in (r, tlv(rest, 2)[0]))
    dn = int.from_bytes(d, "big")
    k = pow(s, -1, c.n) * (c.digest(dg) + r * dn) % c.n
    OUT.add("sign_k", c.name, d, c.int(k), dg, c.sig(r, s), note=note)
    if hash_name.lower() in NONCE_HASHES:
        return OUT.add("sign_det", c.name, hash_name.lower(), d, dg, c.sig(r, s), k, note=note)
    return OUT.skip("nonce made with a hash that the library has not (signed with the nonce instead)")


def vectors(top):
    if not top:
        return OUT.absent("vectors", "LIMBIC_VECTORS is not set")
    for part in (rfc6979, digest_edge, fields, bn, sm2, boringssl, openssl):
        part(top)


# --- NIST CAVP ---


def cavp_blocks(path):
    """(curve, section, items) of an .rsp, .fax or .txt file."""
    sets = {"EC": "P-256", "ED": "P-384", "EE": "P-521"}
    curve, section, block = "", "", {}
    for line in list(open(path)) + [""]:
        line = line.strip()
        if line.startswith("["):
            section = line[1:-1]
            first = re.split("[, ]", section)[0]
            if re.fullmatch("[PKB]-[0-9]+|E[A-E]", first):
                curve = sets.get(first, first)
        elif " = " in line and not line.startswith("#"):
            k, v = line.split(" = ", 1)
            block[k] = v
        elif not line and block:
            yield block.get("CURVE", curve), section, block
            block = {}


def cavp(top):
    base = os.path.join(top, "asymmetric")
    if not os.path.isdir(base):
        return OUT.absent("cavp", "no directory %s (Debian: python3-cryptography-vectors)" % base)
    for sub in ("ECDSA/FIPS_186-2", "ECDSA/FIPS_186-3"):
        for name, run in (("SigGen.txt", cavp_sign), ("SigVer.rsp", cavp_verify), ("KeyPair.rsp", cavp_keys),
                          ("PKV.rsp", cavp_points)):
            cavp_file(base, sub + "/" + name, run)
    cavp_file(base, "ECDH/KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_init.fax", cavp_ecdh)
    cavp_file(base, "ECDH/KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_resp.fax", cavp_ecdh)
    cavp_file(base, "EC/compressed_points.txt", compressed)


def cavp_file(base, name, run):
    path = os.path.join(base, name)
    if not os.path.exists(path):
        return OUT.absent("cavp/" + name, "no such file")
    OUT.source("cavp/" + name)
    for i, (curve, section, b) in enumerate(cavp_blocks(path)):
        c = REFERENCE.get(curve_token(curve))
        if c is None:
            OUT.skip("curve not supported")
            continue
        hash_name = section.split(",")[1].strip() if "," in section else "SHA-1"
        run(c, b, hash_name, "%d %s" % (i, b.get("Result", "")))
    OUT.done()


def cavp_sign(c, b, hash_name, note):
    dg, sig = digest(hash_name, bytes.fromhex(b["Msg"])), number_bytes(c, b["R"]) + number_bytes(c, b["S"])
    OUT.add("sign_k", c.name, number_bytes(c, b["d"]), number_bytes(c, b["k"]), dg, sig, note=note)
    OUT.add("verify", c.name, xy(c, b["Qx"], b["Qy"]), dg, sig, "raw", "valid", note=note)


def cavp_verify(c, b, hash_name, note):
    dg, sig = digest(hash_name, bytes.fromhex(b["Msg"])), number_bytes(c, b["R"]) + number_bytes(c, b["S"])
    OUT.add("verify", c.name, xy(c, b["Qx"], b["Qy"]), dg, sig, "raw",
            "valid" if b["Result"].startswith("P") else "invalid:*", note=note)


def cavp_keys(c, b, _, note):
    if "d" in b:
        OUT.add("pubkey", c.name, number_bytes(c, b["d"]), "valid", xy(c, b["Qx"], b["Qy"]), note=note)


def cavp_points(c, b, _, note):
    point = xy(c, b["Qx"], b["Qy"])
    if b["Result"].startswith("P"):
        OUT.add("decode", c.name, point, "valid", point, note=note)
    else:
        OUT.add("decode", c.name, point, "invalid:*", note=note)


def cavp_ecdh(c, b, _, note):
    if "Result" not in b:
        return
    passed, reason = b["Result"][0] == "P", b["Result"].split("(")[1].split(" ")[0]
    d, peer, z = number_bytes(c, b["dsIUT"]), xy(c, b["QsCAVSx"], b["QsCAVSy"]), number_bytes(c, b["Z"])
    iut = xy(c, b["QsIUTx"], b["QsIUTy"])
    if passed:
        OUT.add("ecdh", c.name, d, peer, z, "valid", note=note)
        OUT.add("ecdh", c.name, number_bytes(c, b["dsCAVS"]), iut, z, "valid", note=note + ", other side")
        OUT.add("pubkey", c.name, d, "valid", iut, note=note)
    elif reason in ("1", "2"):
        OUT.add("ecdh", c.name, d, peer, b"", "invalid:*", note=note)
    elif reason in ("5", "6"):
        OUT.add("decode", c.name, iut, "invalid:*", note=note)
    else:
        OUT.add("ecdh", c.name, d, peer, z, "differs", note=note)


def compressed(c, b, _, note):
    OUT.add("decode", c.name, bytes.fromhex(b["POINT"]), "valid", xy(c, b["X"], b["Y"]), note=note)


def main():
    wycheproof(os.environ.get("LIMBIC_WYCHEPROOF"))
    vectors(os.environ.get("LIMBIC_VECTORS"))
    cavp(os.environ.get("LIMBIC_CAVP") or "/usr/lib/python3/dist-packages/cryptography_vectors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
