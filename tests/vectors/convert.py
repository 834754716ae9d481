#!/usr/bin/env python3
"""Turns published test vectors into lines for vectors_run.

    convert.py > lines

Sources, each named by an environment variable; what is not there is named in the output with the reason:

    LIMBIC_WYCHEPROOF   directory of Wycheproof's JSON files (testvectors_v1, or its parent); no default
    LIMBIC_VECTORS      directory with rfc6979.json, generated/, bn/, sm2/, boringssl/, openssl/; no default
    LIMBIC_CAVP         NIST CAVP files as Debian's python3-cryptography-vectors has them
                        (default /usr/lib/python3/dist-packages/cryptography_vectors)

The format: one item a line, words with one space between, "# note" may end a line. Bytes are hexadecimal, "-"
is the empty string, HEX*N (N decimal) is HEX N times. Numbers are hexadecimal without a length. CURVE is
p256, p384, p521 or sm2; UNIT is one of the fields of field.h; HASH is sha256, sha384, sha512, sm3 or default.

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
    powm M A E R                             R = A^E mod M, A of any length; none: the modulus is refused
    mont_modulus M VERDICT
    mont_bytes M A VERDICT

    digest HASH MSG DIGEST
    hmac HASH KEY MSG TAG VERDICT            TAG may be cut

    sm2_z ID POINT MSG VERDICT [Z E]         ID is bytes, or default
    sm2_verify POINT E SIG raw|der VERDICT
    sm2_sign_k D K E VERDICT [SIG]           signature of the digest E with the nonce K
    sm2_verify_msg ID POINT MSG SIG VERDICT
    sm2_sign ID D K MSG VERDICT [SIG]        of a message; invalid: by ID or D
    sm2_encrypt FORM POINT KS MSG VERDICT [CT]   KS: nonces, 32 bytes each; FORM is c1c3c2, c1c2c3 or der
    sm2_decrypt FORM D CT VERDICT [MSG]
    sm2_exchange SIDE D R ID POINT EPHEMERAL ID VERDICT [KEY [SEND EXPECT]]
                                             SIDE A begins, B answers: own D, R and ID, the other's POINT..

    pem TEXT VERDICT [DER]                   TEXT as bytes
    ec_key CURVE private|public DER VERDICT [KEY]    the private key, or the point uncompressed

RSA lines name the key of an earlier line, whose verdict was valid; NAME "-" keeps none. Parts of a key are
bytes, "-" where not given. Raw numbers, signatures and ciphertexts are bytes.

    rsa_public NAME N E VERDICT
    rsa_private NAME N E D P Q DP DQ QINV VERDICT
    rsa_der NAME private|public DER VERDICT
    rsa_raw KEY private|public IN VERDICT [OUT]
    rsa_fault KEY DP IN                      with this wrong DP in the key nothing leaves
    rsa_verify KEY HASH DIGEST SIG VERDICT   PKCS#1 v1.5
    rsa_sign KEY HASH DIGEST VERDICT [SIG]
    rsa_verify_pss KEY HASH MGFHASH LENGTH DIGEST SIG VERDICT    LENGTH of the salt: decimal, digest, max, any
    rsa_sign_pss KEY HASH MGFHASH SALT DIGEST VERDICT [SIG]
    rsa_encrypt_oaep KEY HASH MGFHASH LABEL MSG SEED VERDICT [CT]
    rsa_decrypt_oaep KEY HASH MGFHASH LABEL CT VERDICT [MSG]
    rsa_encrypt_pkcs1 KEY MSG VERDICT        valid: with random padding
    rsa_decrypt_pkcs1 KEY CT VERDICT [MSG]   with implicit rejection

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

from reference import HASHES, REFERENCE, RSA, curve_token, digest_of, number, word

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


class Keys:
    """RSA keys, each written once; names by their contents. None: a key that such operations refuse."""

    def __init__(self):
        self.names = {}

    def name(self, *words):
        known = self.names.get(words)
        if known is None:
            known = self.names[words] = "key%d" % len(self.names)
            OUT.add(words[0], known, *words[1:], "valid")
        return known

    def refused(self, *words):
        if words not in self.names:
            self.names[words] = None
            OUT.add(words[0], "-", *words[1:], "invalid:key_size")

    def public(self, n, e):
        bits = int.from_bytes(n, "big").bit_length()
        return self.name("rsa_public", n, e) if bits >= 1024 else self.refused("rsa_public", n, e)

    def private(self, n, e, d, *crt):
        words = ("rsa_private", n, e, d, *(crt or [b""] * 5))
        return self.name(*words) if int.from_bytes(n, "big").bit_length() >= 2041 else self.refused(*words)

    def der(self, side, data):
        return self.name("rsa_der", side, data)


KEYS = Keys()


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


RSA_OID = "2a864886f70d010101"


def integers(data):
    """The numbers of a SEQUENCE of INTEGERs, as bytes."""
    body, rest = tlv(data, 0x30)
    out = []
    while body:
        value, body = tlv(body, 2)
        out.append(value)
    if rest:
        raise BadEncoding
    return out


def rsa_numbers(data):
    """(side, numbers as bytes, the algorithm's OID) of a key in PKCS#1, SubjectPublicKeyInfo or PKCS#8."""
    body, _ = tlv(data, 0x30)
    if body[:1] == b"\x30":
        algorithm, bits = tlv(body, 0x30)
        return "public", integers(tlv(bits, 3)[0][1:]), tlv(algorithm, 6)[0].hex()
    rest = tlv(body, 2)[1]
    if rest[:1] == b"\x30":
        algorithm, rest = tlv(rest, 0x30)
        return "private", integers(tlv(rest, 4)[0])[1:], tlv(algorithm, 6)[0].hex()
    numbers = integers(data)
    return ("public", numbers, RSA_OID) if len(numbers) == 2 else ("private", numbers[1:], RSA_OID)


def lib_hash(name):
    """The library's name of a hash, or None."""
    name = name.lower().replace("-", "")
    return name if name in HASHES else None


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
        if curve is not None:
            ec_keys(curve, group)
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
            ecdh_keys(group, t)
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


def uncompressed(c, point):
    """The point uncompressed, or None for bytes that are none."""
    x, y = (int.from_bytes(v, "big") for v in (point[1:1 + c.bytes], point[1 + c.bytes:]))
    if len(point) == 1 + 2 * c.bytes and point[0] == 4:
        return point if c.on_curve(x, y) else None
    if len(point) != 1 + c.bytes or point[0] not in (2, 3) or x >= c.p:
        return None
    a = c.lift(x)
    return a and c.point(a if a[1] % 2 == point[0] % 2 else c.neg(a))


def ec_keys(curve, group):
    """The key of an ECDSA group, in DER and PEM."""
    if "publicKeyDer" in group or "keyDer" in group:
        der = bytes.fromhex(group.get("publicKeyDer") or group["keyDer"])
        point = spki_point(der)[1]
        OUT.add("ec_key", curve, "public", der, "valid", point)
        text = group.get("publicKeyPem") or group["keyPem"]
        OUT.add("pem", (text.rstrip("\n") + "\n").encode(), "valid", der)


def ecdh_keys(group, t):
    """The keys of an ECDH test, where they stand in DER or PEM."""
    curve = curve_token(group["curve"])
    c = REFERENCE[curve]
    if group["encoding"] not in ("asn", "pem"):
        return
    is_pem = group["encoding"] == "pem"
    try:
        der = pem(t["public"]) if is_pem else bytes.fromhex(t["public"])
    except BadEncoding:
        return OUT.add("pem", t["public"].encode(), "invalid:*")
    try:
        oid, point = spki_point(der)
        point = OIDS.get(oid) == curve and uncompressed(c, point)
    except BadEncoding:
        point = None
    note = "tcId %d %s" % (t["tcId"], t["comment"])
    if not point:
        return OUT.add("ec_key", curve, "public", der, "invalid:*", note=note)
    OUT.add("ec_key", curve, "public", der, "valid", point, note=note)
    if is_pem:
        OUT.add("pem", t["public"].encode(), "valid", der, note=note)
        private = pem(t["private"])
        OUT.add("pem", t["private"].encode(), "valid", private, note=note)
        OUT.add("ec_key", curve, "private", private, "valid",
                c.int(int.from_bytes(pkcs8_private(private)[1], "big")),
                note=note)


def wycheproof_hmac(path):
    data = json.load(open(path))
    hash_name = lib_hash(data["algorithm"][4:])
    OUT.source("wycheproof/" + os.path.basename(path))
    for group in data["testGroups"]:
        for t in group["tests"]:
            if hash_name is None:
                OUT.skip("hash not in the library: " + data["algorithm"])
                continue
            OUT.add("hmac", hash_name, bytes.fromhex(t["key"]), bytes.fromhex(t["msg"]),
                    bytes.fromhex(t["tag"]),
                    verdict(t["result"]), note="tcId %d %s" % (t["tcId"], t["comment"]))
    OUT.done()


def group_keys(group):
    """The key of an RSA group as DER and PEM: (name of the public key, of the private one, RSA or None)."""
    public = group.get("publicKey") or group["privateKey"]
    n, e = (bytes.fromhex(public[x]) for x in ("modulus", "publicExponent"))
    name = KEYS.public(n, e)
    for form in ("publicKeyDer", "publicKeyAsn", "keyDer", "keyAsn"):
        if form in group:
            der = bytes.fromhex(group[form])
            if rsa_numbers(der)[2] == RSA_OID:
                KEYS.der("public", der)
            else:
                OUT.add("rsa_der", "-", "public", der, "invalid:algorithm", note="a key restricted to PSS")
    for form in ("publicKeyPem", "keyPem", "privateKeyPem"):
        if form in group:
            text = group[form].rstrip("\n") + "\n"
            words = ("pem", text.encode(), "valid", pem(text))
            if words not in KEYS.names:
                KEYS.names[words] = None
                OUT.add(*words)
    private = group.get("privateKey")
    if not private:
        return [name], [], None
    parts = [bytes.fromhex(private[x])
             for x in ("privateExponent", "prime1", "prime2", "exponent1", "exponent2",
                                                 "coefficient") if x in private]
    privates = [KEYS.private(n, e, *parts)]
    if privates[0] is None:
        return [name], [], None
    if "privateKeyPkcs8" in group:
        privates.append(KEYS.der("private", bytes.fromhex(group["privateKeyPkcs8"])))
    return [name], privates, RSA(*(int.from_bytes(x, "big") for x in (n, e, parts[0])))


def rsa_skip(group):
    """Why a group does not apply: a hash; None if it does."""
    for x in ("sha", "mgfSha"):
        if x in group and lib_hash(group[x]) is None:
            return "hash not in the library: " + group[x]
    return None


def ciphertext_verdict(key, ct, otherwise):
    if len(ct) != key.bytes:
        return "invalid:length"
    return "invalid:value" if int.from_bytes(ct, "big") >= key.n else otherwise


def wycheproof_rsa(path):
    data = json.load(open(path))
    OUT.source("wycheproof/" + os.path.basename(path))
    for group in data["testGroups"]:
        kind, why = group["type"], rsa_skip(group)
        if why:
            OUT.skip(why, len(group["tests"]))
            continue
        publics, privates, key = group_keys(group)
        for t in group["tests"]:
            note = "tcId %d %s" % (t["tcId"], t["comment"])
            run = {"RsassaPkcs1Verify": rsa_verify, "RsassaPssVerify": rsa_verify_pss,
                   "RsassaPssWithParametersVerify": rsa_verify_pss, "RsaesOaepDecrypt": rsa_decrypt_oaep,
                   "RsaesPkcs1Decrypt": rsa_decrypt_pkcs1, "RsassaPkcs1Generate": rsa_generate}[kind]
            run(group, t, publics, privates, key, note)
    OUT.done()


def rsa_verify(group, t, publics, privates, key, note):
    name, result = lib_hash(group["sha"]), verdict(t["result"])
    if "MissingNull" in t["flags"]:
        result = "invalid:signature"
    OUT.add("rsa_verify", publics[0], name, digest_of(name, bytes.fromhex(t["msg"])), bytes.fromhex(t["sig"]),
            result, note=note)


def rsa_verify_pss(group, t, publics, privates, key, note):
    name, mgf = lib_hash(group["sha"]), lib_hash(group["mgfSha"])
    OUT.add("rsa_verify_pss", publics[0], name, mgf, str(group["sLen"]),
            digest_of(name, bytes.fromhex(t["msg"])),
            bytes.fromhex(t["sig"]), verdict(t["result"]), note=note)


def rsa_generate(group, t, publics, privates, key, note):
    name = lib_hash(group["sha"])
    dg, sig = digest_of(name, bytes.fromhex(t["msg"])), bytes.fromhex(t["sig"])
    OUT.add("rsa_verify", publics[0], name, dg, sig, "valid", note=note)
    for private in privates:
        OUT.add("rsa_sign", private, name, dg, "valid", sig, note=note)
    if not privates:
        OUT.skip("signing with a key below 2041 bits (verified instead)")


def rsa_decrypt_oaep(group, t, publics, privates, key, note):
    name, mgf, ct = lib_hash(group["sha"]), lib_hash(group["mgfSha"]), bytes.fromhex(t["ct"])
    words = ("rsa_decrypt_oaep", privates[-1], name, mgf, bytes.fromhex(t["label"]), ct)
    if t["result"] == "valid":
        OUT.add(*words, "valid", bytes.fromhex(t["msg"]), note=note)
    else:
        OUT.add(*words, ciphertext_verdict(key, ct, "invalid:decrypt"), note=note)


def rsa_decrypt_pkcs1(group, t, publics, privates, key, note):
    ct, msg = bytes.fromhex(t["ct"]), bytes.fromhex(t["msg"])
    result = "valid" if t["result"] == "valid" else ciphertext_verdict(key, ct, "differs")
    OUT.add("rsa_decrypt_pkcs1", privates[-1], ct, result, msg, note=note)


def wycheproof(top):
    if not top:
        return OUT.absent("wycheproof", "LIMBIC_WYCHEPROOF is not set")
    if os.path.isdir(os.path.join(top, "testvectors_v1")):
        top = os.path.join(top, "testvectors_v1")
    used = set()
    for run, scheme, families in (
        (wycheproof_ecdsa, "ecdsa", ("secp256r1", "secp384r1", "secp521r1")),
        (wycheproof_ecdh, "ecdh", ("secp256r1", "secp384r1", "secp521r1")),
        (wycheproof_hmac, "hmac", ("sm3", "sha256", "sha384", "sha512")),
        (wycheproof_rsa, "rsa", ("signature", "pss", "oaep", "pkcs1")),
    ):
        for family in families:
            name = "%s_%s" % (scheme, family)
            paths = sorted(glob.glob(os.path.join(top, name + "_*test.json")))
            if not paths:
                OUT.absent("wycheproof/" + name, "no file in " + top)
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
            if "ModExp" in v and v["A"] >= 0:
                OUT.add("powm", v["M"], v["A"], v["E"], "none", note=note)
            OUT.skip("even modulus")
            continue
        a = v["A"] % v["M"]
        if "ModMul" in v:
            OUT.add("mont", "mul", v["M"], a, v["B"] % v["M"], v["ModMul"], note=note)
        elif "ModSquare" in v:
            OUT.add("mont", "sqr", v["M"], a, "-", v["ModSquare"], note=note)
        elif "ModExp" in v:
            OUT.add("mont", "exp", v["M"], a, v["E"], v["ModExp"], note=note)
            OUT.add("powm", v["M"], v["A"] if v["A"] >= 0 else a, v["E"], v["ModExp"], note=note)
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
        elif op == "sm2-verify-digest":
            OUT.add("sm2_verify", bytes.fromhex(t["pub"]), bytes.fromhex(t["e"]), bytes.fromhex(t["sig_der"]),
                    "der",
                    verdict(t["result"]), note=note)
        elif op == "sm2-sign-verify-loop":
            d, e = int(t["d"], 16), bytes.fromhex(t["e"])
            OUT.add("pubkey", c.name, c.int(d), "valid", bytes.fromhex(t["pub"]), note=note)
            for k in range(2, 1000, 17):  # the signatures are ours, the key and the digest are theirs
                OUT.add("sm2_sign_k", c.int(d), c.int(k), e, "valid",
                        c.sig(*c.sign(d, k, int.from_bytes(e, "big"))),
                        note=note)
        elif op == "sm2-decrypt-der":
            OUT.add("sm2_decrypt", "der", bytes.fromhex(t["d"]), bytes.fromhex(t["ct_der"]), "valid",
                    bytes.fromhex(t["msg"]), note=note)
        elif op == "sm2-decrypt-raw":
            d, msg = bytes.fromhex(t["d"]), bytes.fromhex(t["msg"])
            texts = {x: bytes.fromhex(t["raw_04_" + x.upper()]) for x in ("c1c3c2", "c1c2c3")}
            for form in texts:
                for written, ct in texts.items():
                    if written == form:
                        OUT.add("sm2_decrypt", form, d, ct, "valid", msg, note=note)
                    else:
                        OUT.add("sm2_decrypt", form, d, ct, "invalid:decrypt",
                                note="in the other order, " + note)
            OUT.add("sm2_decrypt", "c1c3c2", d, bytes.fromhex(t["no04_C1C3C2"]), "invalid:*",
                    note="no 04, " + note)
        else:
            OUT.skip("scheme not in the library: " + op)
    if tests:
        OUT.done()
    for name, run in (("generated/sm2/sign_message.json", sm2_message),
                      ("generated/sm2/verify_digest.json", sm2_digest),
                      ("generated/sm2/encrypt.json", sm2_encrypt),
                      ("generated/sm2/sign_retry.json", sm2_retry),
                      ("generated/sm2/verify_der.json", sm2_der)):
        tests = rows_of(top, name)
        seen = set()
        for i, t in enumerate(tests):
            if "d" in t and "pub" in t and t["d"] not in seen:
                seen.add(t["d"])
                OUT.add("pubkey", "sm2", bytes.fromhex(t["d"]), "valid", bytes.fromhex(t["pub"]),
                        note=t["comment"])
            run({k: v if k in ("comment", "note", "result") or not isinstance(v, str) else bytes.fromhex(v)
                 for k, v in t.items()}, "%d %s" % (i, t["comment"]))
        if tests:
            OUT.done()
    gmt0003(top)


def sm2_message(t, note):
    ident, pub, msg = t["id"] * (t["id_repeat"] or 1), t["pub"], t["msg"]
    sig = t["r"] + t["s"]
    OUT.add("sm2_z", ident, pub, msg, "valid", t["Z"], t["e"], note=note)
    OUT.add("sm2_sign", ident, t["d"], t["k"], msg, "valid", sig, note=note)
    OUT.add("sm2_sign_k", t["d"], t["k"], t["e"], "valid", sig, note=note)
    OUT.add("sm2_verify_msg", ident, pub, msg, sig, verdict(t["result"]), note=note)
    if ident == b"1234567812345678":
        OUT.add("sm2_sign", "default", t["d"], t["k"], msg, "valid", sig, note=note)


def sm2_digest(t, note):
    # a compressed key is one of ours
    result = "valid" if t["result"] == "acceptable" else verdict(t["result"])
    OUT.add("sm2_verify", t["pub"], t["e"], t["r"] + t["s"], "raw", result, note=note)
    if "k" in t:
        OUT.add("sm2_sign_k", t["d"], t["k"], t["e"], "valid", t["r"] + t["s"], note=note)


def sm2_encrypt(t, note):
    c = REFERENCE["sm2"]
    raw = t.get("raw_04_C1C3C2")
    if "k" in t:
        nonces = b"".join(bytes.fromhex(k) for k in t["k"])
        swapped = raw[:65] + raw[97:] + raw[65:97]
        for form, ct in (("c1c3c2", raw), ("c1c2c3", swapped), ("der", t["der"])):
            OUT.add("sm2_encrypt", form, t["pub"], nonces, t["msg"], "valid", ct, note=note)
            OUT.add("sm2_decrypt", form, t["d"], ct, "valid", t["msg"], note=note)
        return
    # a message of no bytes is refused
    for form, ct in (("c1c3c2", raw), ("der", t.get("der"))):
        if ct is not None:
            OUT.add("sm2_decrypt", form, c.int(int.from_bytes(t["d"], "big")), ct, "invalid:*", note=note)


def sm2_retry(t, note):
    if "k" not in t:
        sig_line = ("sm2_sign", "default", t["d"], number(1, 32), b"", "invalid:private_key")
        OUT.add(*sig_line, note=note)
        return OUT.add("sm2_sign_k", t["d"], number(1, 32), t["e"], "invalid:private_key", note=note)
    nonces = [bytes.fromhex(k) for k in t["k"]]
    for k in nonces[:-1]:
        in_range = 0 < int.from_bytes(k, "big") < REFERENCE["sm2"].n
        OUT.add("sm2_sign_k", t["d"], k, t["e"],
                "invalid:" + ("signature_range" if in_range else "private_key"),
                note=note)
    OUT.add("sm2_sign_k", t["d"], nonces[-1], t["e"], "valid", t["r"] + t["s"], note=note)


def sm2_der(t, note):
    OUT.add("sm2_verify", t["pub"], t["e"], t["sig_der"], "der", verdict(t["result"]), note=note)
    if t["result"] == "invalid":
        OUT.add("der", "sm2", t["sig_der"], "invalid:*", note=note)


def gmt0003(top):
    path = os.path.join(top, "sm2/gmt0003_5.json")
    if not os.path.exists(path):
        return OUT.absent("vectors/sm2/gmt0003_5.json", "no such file")
    OUT.source("vectors/sm2/gmt0003_5.json")
    c, data = REFERENCE["sm2"], json.load(open(path))

    def point(v):
        return xy(c, *(v if isinstance(v, list) else (v["x"], v["y"])))

    for t in data["sm3"]:
        msg = (t["msg_ascii"][:4] * 16 if "x16" in t["msg_ascii"] else t["msg_ascii"]).encode()
        OUT.add("digest", "sm3", msg, bytes.fromhex(t["digest"]))
    t = data["sign"]
    d, k, z, e, sig = (bytes.fromhex(t[x]) for x in ("d", "k", "Z", "e", "sig_raw"))
    ident, msg, pub = t["id_ascii"].encode(), t["msg_ascii"].encode(), point(t["pub"])
    for name in ("default", ident):
        OUT.add("sm2_z", name, pub, msg, "valid", z, e)
        OUT.add("sm2_sign", name, d, k, msg, "valid", sig)
        OUT.add("sm2_verify_msg", name, pub, msg, sig, "valid")
    OUT.add("sm2_sign_k", d, k, e, "valid", sig)
    OUT.add("sm2_verify", pub, e, bytes.fromhex(t["sig_der"]), "der", "valid")
    OUT.add("base_mul", "sm2", t["k"], c.point(c.mul(int(t["k"], 16))))
    t = data["encrypt"]
    for form, name in (("c1c3c2", "raw_04_C1C3C2"), ("c1c2c3", "raw_04_C1C2C3"), ("der", "der_gmt0009")):
        ct, msg = bytes.fromhex(t[name]), t["msg_ascii"].encode()
        OUT.add("sm2_encrypt", form, point(t["pub"]), bytes.fromhex(t["k"]), msg, "valid", ct)
        OUT.add("sm2_decrypt", form, bytes.fromhex(t["d"]), ct, "valid", msg)
    t = data["key_exchange"]
    for d, pub in (("dA", "P_dA"), ("dB", "P_dB"), ("rA", "P_rA"), ("rB", "P_rB")):
        OUT.add("pubkey", "sm2", bytes.fromhex(t[d]), "valid", point(t[pub]), note=d)
    ids = t["idA"].encode(), t["idB"].encode()
    for side, d, r, own, pub, eph, other in (("A", "dA", "rA", ids[0], "P_dB", "P_rB", ids[1]),
                                             ("B", "dB", "rB", ids[1], "P_dA", "P_rA", ids[0])):
        OUT.add("sm2_exchange", side, bytes.fromhex(t[d]), bytes.fromhex(t[r]), own, point(t[pub]),
                point(t[eph]),
                other, "valid", bytes.fromhex(t["K"]))
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


    boringssl_rsa(os.path.join(top, "boringssl", "rsa_tests.txt"))


def quoted(text):
    return text[1:-1].encode() if text.startswith('"') else bytes.fromhex(text)


def rsa_keys_of(data):
    """(public name, private name, RSA) of a key in DER; None where such a key is refused."""
    side, x, oid = rsa_numbers(data)
    if oid != RSA_OID:
        OUT.add("rsa_der", "-", side, data, "invalid:algorithm")
    if side == "public":
        return KEYS.public(*x), None, RSA(*(int.from_bytes(v, "big") for v in x))
    n, e, d, p, q, dp, dq, qinv = x[:8]
    key = RSA(*(int.from_bytes(v, "big") for v in (n, e, d)))
    if oid != RSA_OID or key.bits < 2041:
        return KEYS.public(n, e), KEYS.private(n, e, d, p, q, dp, dq, qinv), key
    return KEYS.public(n, e), KEYS.der("private", data), key


def boringssl_rsa(path):
    if not os.path.exists(path):
        return OUT.absent("vectors/boringssl/rsa_tests.txt", "no such file")
    OUT.source("vectors/boringssl/rsa_tests.txt")
    keys = {}
    for i, b in enumerate(stanzas(path)):
        b = {k: v.split(" #")[0].strip() for k, v in b.items()}
        if "Key" in b:
            boringssl_key(keys, b)
        else:
            boringssl_rsa_item(keys, b, "%d %s" % (i, b.get("Error", "")))
    OUT.done()


def boringssl_key(keys, b):
    for form in ("PKCS8", "RSAPrivateKey", "SPKI", "SPKINonCanonical", "RSAPublicKey"):
        if form not in b:
            continue
        side, data = "private" if form in ("PKCS8", "RSAPrivateKey") else "public", bytes.fromhex(b[form])
        if "Error" in b:
            OUT.add("rsa_der", "-", side, data, "invalid:*", note=b["Key"])
            continue
        _, numbers, oid = rsa_numbers(data)
        bits = int.from_bytes(numbers[0], "big").bit_length()
        if oid != RSA_OID or bits < (2041 if side == "private" else 1024):
            OUT.add("rsa_der", "-", side, data, "invalid:" + ("key_size" if oid == RSA_OID else "algorithm"),
                    note=b["Key"])
        else:
            KEYS.der(side, data)
        found = rsa_keys_of(data) if oid == RSA_OID else (None, None, None)
        old = keys.get(b["Key"], (None, None, None))
        keys[b["Key"]] = tuple(x or y for x, y in zip(old, found))


def boringssl_rsa_item(keys, b, note):
    op = next(iter(b))
    name = b[op].split("/")[0]
    if op not in ("Sign", "SignMessage", "Verify", "VerifyMessage", "Decrypt"):
        return OUT.skip("%s: its result is random" % op)
    public, private, key = keys.get(name, (None, None, None))
    if key is None:
        return OUT.skip("the key is refused: " + name)
    mode = b.get("RSAPadding", "PKCS1")
    if b[op].endswith("/PublicOnly") or mode not in ("None", "PKCS1", "PSS", "OAEP"):
        return OUT.skip("tests the interface of BoringSSL")
    data, output = quoted(b.get("Input", '""')), quoted(b.get("Output", '""'))
    rsa_item(op.replace("Message", ""), mode.lower(), public, private, key,
             b.get("OAEPDigest" if mode == "OAEP" else "Digest"), b.get("MGF1Digest"), b.get("PSSSaltLength"),
             data,
             output, b.get("Error"), note, message=op.endswith("Message"),
             label=quoted(b.get("OAEPLabel", '""')))


def rsa_item(op, mode, public, private, key, hash_name, mgf_name, salt, data, output, error, note,
             message=False,
             label=b""):
    """One signature or ciphertext, as BoringSSL and OpenSSL write them; error: it must be refused."""
    hash_name = hash_name or ("SHA1" if mode in ("pss", "oaep") else "")
    name, mgf = lib_hash(hash_name), lib_hash(mgf_name or hash_name)
    if mode in ("pss", "oaep") and None in (name,
                                            mgf) or mode == "pkcs1" and op != "Decrypt" and name is None:
        return OUT.skip("hash not in the library, or none: %s %s" % (hash_name, mgf_name or ""))
    if op != "Verify" and private is None:
        return OUT.skip("private operation of a key below 2041 bits")
    if public is None:
        return OUT.skip("a key below 1024 bits")
    if message:
        data = digest_of(name, data)
    if mode == "none":
        if op == "Verify":
            return OUT.add("rsa_raw", public, "public", output, "differs" if error else "valid", data,
                           note=note)
        if len(data) != key.bytes:
            return OUT.add("rsa_raw", private, "private", data, "invalid:length", note=note)
        if int.from_bytes(data, "big") >= key.n:
            return OUT.add("rsa_raw", private, "private", data, "invalid:value", note=note)
        if error:
            return OUT.skip("a rule of another library's interface: " + error)
        return OUT.add("rsa_raw", private, "private", data, "valid", output, note=note)
    if op == "Decrypt" and mode == "pkcs1":
        # an error where there is no implicit rejection: another message here
        result = ciphertext_verdict(key, data, "differs" if error else "valid")
        return OUT.add("rsa_decrypt_pkcs1", private, data, result, output, note=note)
    if op == "Decrypt":
        words = ("rsa_decrypt_oaep", private, name, mgf, label, data)
        if error:
            return OUT.add(*words, ciphertext_verdict(key, data, "invalid:decrypt"), note=note)
        return OUT.add(*words, "valid", output, note=note)
    size = HASHES[name][0]
    if mode == "pkcs1":
        if op == "Verify":
            return OUT.add("rsa_verify", public, name, data, output, "invalid:*" if error else "valid",
                           note=note)
        if error and len(data) == size:
            return OUT.skip("a rule of another library's interface: " + error)
        return OUT.add("rsa_sign", private, name, data, *(["invalid:length"] if error else ["valid", output]),
                       note=note)
    length = {None: "any", "auto": "any", "auto-digestmax": "any", "-2": "any", "-1": "digest"}.get(salt,
                                                                                                    salt)
    if not length.isdigit() and length not in ("digest", "max", "any"):
        return OUT.skip("tests the interface of another library")
    if op == "Verify":
        OUT.add("rsa_verify_pss", public, name, mgf, length, data, output, "invalid:*" if error else "valid",
                note=note)
        found = None if error else key.pss_salt(name, mgf, output, data)
        if found is not None and private is not None:
            OUT.add("rsa_sign_pss", private, name, mgf, found, data, "valid", output,
                    note=note + " (its salt)")
        return None
    if error:
        return OUT.skip("a rule of another library's interface: " + error)
    if not output or not length.isdigit() or int(length):
        return OUT.skip("Sign: its result is random")
    return OUT.add("rsa_sign_pss", private, name, mgf, b"", data, "valid", output, note=note)


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
    openssl_sm2(top)
    openssl_rsa(top)
    openssl_files(top)


def openssl_sm2(top):
    path = os.path.join(top, "openssl", "evppkey_sm2.txt")
    if not os.path.exists(path):
        return OUT.absent("vectors/openssl/evppkey_sm2.txt", "no such file")
    OUT.source("vectors/openssl/evppkey_sm2.txt")
    c, seen = REFERENCE["sm2"], set()
    for i, (keys, block) in enumerate(openssl_blocks(path)):
        op, key = next(((k, v) for k, v in block if k in OPENSSL_OPS), (None, None))
        ctrl = dict(v.split(":", 1) for k, v in block if k == "Ctrl" and ":" in v)
        b = dict(block)
        if op in ("DigestSign", "DigestVerify", "OneShotDigestSign", "OneShotDigestVerify"):
            ctrl.setdefault("digest", key)
            key = b.get("Key")
        if op is None:
            continue
        if key not in keys:
            OUT.skip("%s without a key in the file" % op)
            continue
        der = pem(keys[key])
        d = pkcs8_private(der)[1] if "PRIVATE" in keys[key] else None
        point = c.point(c.mul(int.from_bytes(d, "big"))) if d else spki_point(der)[1]
        if key not in seen:
            seen.add(key)
            OUT.add("pem", keys[key].encode(), "valid", der)
            OUT.add("ec_key", "sm2", "private" if d else "public", der, "valid", d or point)
        note = "%d %s %s" % (i, op, key)
        error = b.get("Result")
        if ctrl.get("digest", "SM3").upper() != "SM3" or error not in (None, "VERIFY_ERROR", "KEYOP_ERROR"):
            OUT.skip("tests the interface of OpenSSL (%s)" % error)
            continue
        data, out = quoted(b["Input"]), quoted(b["Output"])
        ident = bytes.fromhex(ctrl["hexdistid"]) if "hexdistid" in ctrl else ctrl.get("distid", "").encode()
        if op == "Verify":
            OUT.add("sm2_verify", point, data, out, "der", "invalid:*" if error else "valid", note=note)
        elif op.endswith("DigestVerify"):
            OUT.add("sm2_verify_msg", ident, point, data, c.sig(*der_pair(out)),
                    "invalid:*" if error else "valid",
                    note=note)
        elif op == "Decrypt":
            OUT.add("sm2_decrypt", "der", d, data, *(["invalid:*"] if error else ["valid", out]), note=note)
        elif op in ("Sign", "DigestSign", "OneShotDigestSign") and not error:
            r, s = der_pair(out)
            e = data if op == "Sign" else c.e((int.from_bytes(point[1:33], "big"),
                                               int.from_bytes(point[33:], "big")),
                                              data, ident)
            # s = (k - r d)/(1 + d)
            dn = int.from_bytes(d, "big")
            OUT.add("sm2_sign_k", d, c.int((s * (1 + dn) + r * dn) % c.n), e, "valid", c.sig(r, s), note=note)
        else:
            OUT.skip("%s: its result is random" % op)
    OUT.done()


OPENSSL_OPS = ("Sign", "Verify", "VerifyRecover", "Decrypt", "Derive", "DigestSign", "DigestVerify",
               "OneShotDigestSign", "OneShotDigestVerify", "PrivPubKeyPair", "KeyGen")


def der_pair(sig):
    r, rest = tlv(tlv(sig, 0x30)[0], 2)
    return int.from_bytes(r, "big"), int.from_bytes(tlv(rest, 2)[0], "big")


def openssl_rsa(top):
    for name in ("evppkey_rsa.txt", "evppkey_rsa_common.txt"):
        path = os.path.join(top, "openssl", name)
        if not os.path.exists(path):
            OUT.absent("vectors/openssl/" + name, "no such file")
            continue
        OUT.source("vectors/openssl/" + name)
        found = {}
        for i, (keys, block) in enumerate(openssl_blocks(path)):
            for key in keys:
                if key not in found:
                    der = pem(keys[key])
                    OUT.add("pem", keys[key].encode(), "valid", der, note=key)
                    found[key] = rsa_keys_of(der)
            openssl_rsa_item(i, found, block)
        OUT.done()


def openssl_rsa_item(i, found, block):
    op, key = next(((k, v) for k, v in block if k in OPENSSL_OPS), (None, None))
    if op is None:
        return None
    b = dict(block)
    ctrl = dict(v.split(":", 1) for k, v in block if k == "Ctrl" and ":" in v)
    if op in ("DigestSign", "DigestVerify", "OneShotDigestSign", "OneShotDigestVerify"):
        ctrl.setdefault("digest", key)
        key = b.get("Key")
    if op not in ("Sign", "Verify", "Decrypt", "DigestSign", "DigestVerify",
                  "OneShotDigestSign") or key not in found:
        return OUT.skip("tests the interface of OpenSSL: " + op)
    error = b.get("Result")
    public, private, numbers = found[key]
    mode = ctrl.get("rsa_padding_mode", "pkcs1")
    if key.startswith("RSA-PSS-DEFAULT") or key.startswith("RSA-PSS-BAD") or key == "RSA-PSS":
        return OUT.skip("a key restricted to PSS")
    if ("fips" in b.get("Availablein", "") and error or error not in (None, "VERIFY_ERROR", "KEYOP_ERROR")
            or mode == "x931" or "Input" not in b or "rsa_pkcs1_implicit_rejection" in ctrl
        and error is None):
        return OUT.skip("tests the interface of OpenSSL (%s)" % error)
    hash_name = ctrl.get("rsa_oaep_md") if mode == "oaep" else ctrl.get("digest")
    mgf = ctrl.get("rsa_mgf1_md", ctrl.get("mgf1-digest"))
    return rsa_item(op.replace("OneShot", "").replace("Digest", ""), mode, public, private, numbers,
                    hash_name, mgf,
                    ctrl.get("rsa_pss_saltlen"), b"".join(quoted(v) for k, v in block if k == "Input"),
                    quoted(b.get("Output", '""')), error,
                    "%d %s" % (i, key), message="Digest" in op,
                    label=bytes.fromhex(ctrl.get("rsa_oaep_label", "")))


def openssl_files(top):
    """Keys of a file each: private keys, n and above among them, and the public key of a certificate."""
    OUT.source("vectors/openssl/files")
    for path in sorted(glob.glob(os.path.join(top, "openssl", "*.pem")) + glob.glob(os.path.join(top,
                                                                                                 "openssl",
                                                                                                 "*.key"))):
        text = open(path).read()
        der = pem(text)
        oid, d = pkcs8_private(der)
        c = REFERENCE[OIDS[oid]]
        note = os.path.basename(path)
        OUT.add("pem", text.encode(), "valid", der, note=note)
        most = c.n - (2 if c.name == "sm2" else 1)
        good = 0 < int.from_bytes(d, "big") <= most
        OUT.add("ec_key", c.name, "private", der, *(["valid", d] if good else ["invalid:private_key"]),
                note=note)
        for other in REFERENCE.values():
            if other != c:
                OUT.add("ec_key", other.name, "private", der, "invalid:*", note=note + ", another curve")
    for path in sorted(glob.glob(os.path.join(top, "openssl", "*.crt"))):
        text = open(path).read()
        certificate, note = pem(text), os.path.basename(path)
        OUT.add("pem", text.encode(), "invalid:pem", note=note + ": no key")
        at = certificate.index(bytes.fromhex("3059301306072a8648ce3d0201"))
        der = certificate[at:at + 0x5b]
        OUT.add("ec_key", "sm2", "public", der, "valid", spki_point(der)[1], note=note)
        body = tlv(certificate, 0x30)[0]
        signed = body[:len(body) - len(tlv(body, 0x30)[1])]
        sig = tlv(tlv(tlv(body, 0x30)[1], 0x30)[1], 3)[0][1:]
        OUT.add("sm2_verify_msg", "default", spki_point(der)[1], signed, REFERENCE["sm2"].sig(*der_pair(sig)),
                "valid",
                note=note)
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
    r, s = der_pair(sig)
    dn = int.from_bytes(d, "big")
    k = pow(s, -1, c.n) * (c.digest(dg) + r * dn) % c.n
    OUT.add("sign_k", c.name, d, c.int(k), dg, c.sig(r, s), note=note)
    if hash_name.lower() in NONCE_HASHES:
        return OUT.add("sign_det", c.name, hash_name.lower(), d, dg, c.sig(r, s), k, note=note)
    return OUT.skip("nonce made with a hash that the library has not (signed with the nonce instead)")


def vectors(top):
    if not top:
        return OUT.absent("vectors", "LIMBIC_VECTORS is not set")
    for part in (rfc6979, digest_edge, fields, bn, sm2, raw_edge, boringssl, openssl):
        part(top)


def raw_edge(top):
    path = os.path.join(top, "rsa/raw_edge.json")
    if not os.path.exists(path):
        return OUT.absent("vectors/rsa/raw_edge.json", "no such file")
    OUT.source("vectors/rsa/raw_edge.json")
    data = json.load(open(path))
    for t in data["keys"]:
        n, e, d, p, q, dp, dq, qi = (number(int(t[x], 16))
                                     for x in ("n", "e", "d", "p", "q", "dp", "dq", "qi"))
        k = len(n)
        public = KEYS.public(n, e)
        privates = [KEYS.private(n, e, d, p, q, dp, dq, qi), KEYS.private(n, e, d),
                    KEYS.private(n, e, b"", p, q, b"", b"", b"")]
        note = t["comment"]
        for o in t["ops"]:
            m, md, me = (number(int(o[x], 16), k) for x in ("m", "m_pow_d", "m_pow_e"))
            OUT.add("rsa_raw", public, "public", m, "valid", me, note="%s: %s" % (note, o["comment"]))
            for private in privates[:2]:
                OUT.add("rsa_raw", private, "private", m, "valid", md, note="%s: %s" % (note, o["comment"]))
        OUT.add("rsa_raw", privates[2], "private", m, "valid", md, note=note + ", of its primes alone")
        for o in t["must_refuse"]:
            m = number(int(o["m"], 16), k)
            for side, key in [("public", public)] + [("private", x) for x in privates]:
                OUT.add("rsa_raw", key, side, m,
                        "invalid:value" if int(o["m"], 16) >= int(t["n"], 16) else "valid",
                        note="%s: %s" % (note, o["comment"]))
        bad = number(int(t["crt_fault"]["dp_bad"], 16))
        OUT.add("rsa_private", "-", n, e, d, p, q, bad, dq, qi, "invalid:private_key",
                note=note + ": wrong dp")
        OUT.add("rsa_fault", privates[0], bad, number(2, k), note=note)
    for t in data["bad_public_keys"]:
        OUT.add("rsa_public", "-", number(int(t["n"], 16)) or b"\0", number(int(t["e"], 16)) or b"\0",
                "invalid:*",
                note=t["comment"])
    OUT.done()


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
    for name in ("SigGen15_186-2.rsp", "SigGen15_186-3.rsp", "SigVer15_186-3.rsp", "../SigVer15EMTest.txt"):
        cavp_rsa(base, "RSA/FIPS_186-2/" + name, False)
    for name in ("SigGenPSS_186-2.rsp", "SigGenPSS_186-3.rsp", "SigVerPSS_186-3.rsp"):
        cavp_rsa(base, "RSA/FIPS_186-2/" + name, True)
    rsa_labs(base, "RSA/pkcs1v15crypt-vectors.txt", "pkcs1", "")
    rsa_labs(base, "RSA/pkcs1v15sign-vectors.txt", "sign", "sha1")
    rsa_labs(base, "RSA/pkcs-1v2-1d2-vec/oaep-vect.txt", "oaep", "sha1")
    rsa_labs(base, "RSA/pkcs-1v2-1d2-vec/pss-vect.txt", "pss", "sha1")
    for path in sorted(glob.glob(os.path.join(base, "RSA/oaep-custom/*.txt"))):
        rsa_labs(base, "RSA/oaep-custom/" + os.path.basename(path), "oaep", "")
    oaep_label(base)
    cavp_hashes(os.path.join(top, "hashes"))


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


def assignments(path):
    """Every "name = value" of a file, in order, with what stands above it in the file."""
    seen = {}
    for line in open(path):
        if "=" in line and not line.startswith("#"):
            k, v = line.strip().strip("[]").split("=", 1)
            k = k.strip()
            seen[k] = v.strip()
            yield k, seen


def cavp_rsa(base, name, pss):
    path = os.path.normpath(os.path.join(base, name))
    if not os.path.exists(path):
        return OUT.absent("cavp/" + name, "no such file")
    OUT.source("cavp/" + os.path.relpath(path, base))
    verifying = "SigVer" in name
    for i, (k, b) in enumerate(assignments(path)):
        if k != ("Result" if verifying else "S"):
            continue
        hash_name = lib_hash(b["SHAAlg"])
        if hash_name is None:
            OUT.skip("hash not in the library: " + b["SHAAlg"])
            continue
        n, e, msg, sig = (bytes.fromhex(b[x]) for x in ("n", "e", "Msg", "S"))
        result = "valid" if not verifying or b["Result"].startswith("P") else "invalid:*"
        note = "%d %s" % (i, b["Result"] if verifying else "")
        key, dg = KEYS.public(n, e), digest_of(hash_name, msg)
        if not pss:
            OUT.add("rsa_verify", key, hash_name, dg, sig, result, note=note)
            continue
        salt = len(bytes.fromhex(b.get("SaltVal", "")))
        if not verifying:  # the file says how long it is in a comment
            salt = len(RSA(int.from_bytes(n, "big"), int.from_bytes(e, "big")).pss_salt(hash_name, hash_name,
                                                                                        sig, dg))
        OUT.add("rsa_verify_pss", key, hash_name, hash_name, str(salt), dg, sig, result, note=note)
    OUT.done()


def labelled(path):
    """(label, bytes) of a file with "# Label:" above lines of bytes; (text, None) for other comments."""
    label, data = None, ""
    for line in list(open(path)) + ["#"]:
        line = line.strip()
        if re.fullmatch("[0-9a-fA-F ]+", line) and label:
            data += line.replace(" ", "")
        elif line.startswith("#"):
            if label and data:
                yield label, bytes.fromhex(data.zfill(len(data) + len(data) % 2))
            label, data = (line.strip("# :"), "") if line.endswith(":") else (None, "")
            if label is None:
                yield line.strip("# "), None


def rsa_labs(base, name, kind, default):
    """The files of RSA Laboratories, and those made after them."""
    path = os.path.join(base, name)
    if not os.path.exists(path):
        return OUT.absent("cavp/" + name, "no such file")
    OUT.source("cavp/" + name)
    order = ("Modulus", "Public exponent", "Exponent", "Prime 1", "Prime 2", "Prime exponent 1",
             "Prime exponent 2",
             "Coefficient")
    parts, hashes = {}, (default, default)
    for label, data in labelled(path):
        if data is None:
            m = re.search(r"alg=(\w+) mgf1=(\w+)", label)
            hashes = m.groups() if m else hashes
            continue
        parts[label] = data
        if label not in ("Encryption", "Signature"):
            continue
        names = [lib_hash(x) for x in hashes]
        private = KEYS.private(*(parts[x] for x in order))
        if kind != "pkcs1" and None in names:
            OUT.skip("hash not in the library: %s, MGF1 with %s" % hashes)
        elif private is None:
            OUT.skip("private operation of a key below 2041 bits")
        elif kind == "pkcs1":
            OUT.add("rsa_decrypt_pkcs1", private, data, "valid", parts["Message"])
        else:
            OUT.add("rsa_decrypt_oaep", private, *names, b"", data, "valid", parts["Message"])
    OUT.done()


def oaep_label(base):
    path = os.path.join(base, "RSA/oaep-label.txt")
    if not os.path.exists(path):
        return OUT.absent("cavp/RSA/oaep-label.txt", "no such file")
    OUT.source("cavp/RSA/oaep-label.txt")
    for b in stanzas(path):
        name = lib_hash(b["OAEPDigest"])
        OUT.add("rsa_decrypt_oaep", KEYS.der("private", bytes.fromhex(b["KEY"])), name, name,
                bytes.fromhex(b["OAEPLabel"]), bytes.fromhex(b["Input"]), "valid", quoted(b["Output"]))
    OUT.done()


def cavp_hashes(base):
    files = [("SM3/oscca.txt", "sm3")]
    files += [("SHA2/SHA%d%s.rsp" % (bits, kind), "sha%d" % bits)
              for bits in (256, 384, 512) for kind in ("ShortMsg", "LongMsg")]
    for name, hash_name in files:
        path = os.path.join(base, name)
        if not os.path.exists(path):
            OUT.absent("cavp/hashes/" + name, "no such file")
            continue
        OUT.source("cavp/hashes/" + name)
        for b in stanzas(path):
            if "MD" in b:
                OUT.add("digest", hash_name, bytes.fromhex(b["Msg"])[:int(b["Len"]) // 8],
                        bytes.fromhex(b["MD"]))
        OUT.done()


def main():
    wycheproof(os.environ.get("LIMBIC_WYCHEPROOF"))
    vectors(os.environ.get("LIMBIC_VECTORS"))
    cavp(os.environ.get("LIMBIC_CAVP") or "/usr/lib/python3/dist-packages/cryptography_vectors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
