#!/usr/bin/env python3
"""Writes tests/vectors/own/*.txt, edge cases in the line format that convert.py documents.

    generate.py             writes the files
    generate.py --check     exits 1 if a file is not what it would write

Numbers that look random come from SHA-256 of a label, so the files are the same everywhere.
"""

import base64
import hashlib
import itertools
import os
import sys

from reference import (DEFAULT_ID, HASHES, REFERENCE, RSA, der_int, der_sig, der_tlv, digest_of, hmac_of,
                       mgf1,
                       number, sqrt, word, xor)

OWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "own")
ECDSA = [c for c in REFERENCE.values() if c.name != "sm2"]
CURVES = list(REFERENCE.values())
SM2 = REFERENCE["sm2"]


class Lines:
    def __init__(self, name):
        self.name, self.out = name, ["# Written by generate.py.", "source own/" + name]

    def add(self, *words, note=""):
        self.out.append(" ".join(word(w) for w in words) + (" # " + note if note else ""))

    def text(self):
        return "\n".join(self.out) + "\n"


def rand(label, bound):
    """A number in [1, bound - 1]."""
    out, i = b"", 0
    while 8 * len(out) < bound.bit_length() + 64:
        out += hashlib.sha256(("%s/%d" % (label, i)).encode()).digest()
        i += 1
    return 1 + int.from_bytes(out, "big") % (bound - 1)


def rand_bytes(label, size):
    return rand(label, 256 ** (size + 8)).to_bytes(size + 8, "big")[8:]


def first_x(c, xs):
    return next(x for x in xs if c.lift(x))


def key_for(c, point_r, r, s, e):
    """The public key Q with (e/s) G + (r/s) Q = R: a signature by nobody's key."""
    n = c.n
    rest = c.add(point_r, c.neg(c.mul(e * pow(s, -1, n))))
    return c.mul(s * pow(r, -1, n), rest)


def ecdsa_verify(c, f):
    n, p, size = c.n, c.p, c.bytes

    def row(q, e, r, s, result, note, digest=None):
        digest = e_bytes(c, e) if digest is None else digest
        if result in ("valid", "invalid:signature"):
            assert c.verify(q, c.digest(digest), r, s) == (result == "valid"), note
        f.add("verify", c.name, c.point(q, True), digest, c.sig(r, s), "raw", result, note=note)

    def valid(d, k, e, note):
        r, s = c.sign(d, k, e)
        row(c.mul(d), e, r, s, "valid", note)
        return r, s

    d, k, e = (rand("%s verify %s" % (c.name, x), n) for x in "dke")
    q = c.mul(d)
    r, s = valid(d, k, e, "plain")
    top = 256**size - 1
    for note, rr, ss in (("r = 0", 0, s), ("s = 0", r, 0), ("r = s = 0", 0, 0), ("r = n", n, s),
                         ("s = n", r, n),
                         ("r = n + 1", n + 1, s), ("s = n + 1", r, n + 1), ("r = p", p, s), ("s = p", r, p),
                         ("r = p - 1", p - 1, s), ("r all ones", top, s), ("s all ones", r, top),
                         ("r + n", r + n, s) if r + n <= top else ("r = p + 1", p + 1, s)):
        row(q, e, rr, ss, "invalid:signature_range", note)
    for note, rr, ss in (("n - r", n - r, s), ("r + 1", r % (n - 1) + 1, s), ("s + 1", r, s % (n - 1) + 1),
                         ("swapped", s, r), ("r = s = 1", 1, 1), ("r = n - 1", n - 1, s),
                         ("1/s", r, pow(s, -1, n))):
        row(q, e, rr, ss, "invalid:signature", note)
    row(q, e, r, n - s, "valid", "n - s")
    row(c.neg(q), e, r, s, "invalid:signature", "-Q")
    row(q, e + 1 if e + 1 < n else 1, r, s, "invalid:signature", "digest + 1")
    row(q, e, r, s, "invalid:signature", "digest with a byte more in front", digest=b"\0" + e_bytes(c, e))

    # digests by value
    for note, de in (("digest 0", 0), ("digest 1", 1), ("digest n - 1", n - 1), ("digest n", n),
                     ("digest n + 1", n + 1)):
        dg = e_bytes(c, de)
        rr, ss = c.sign(d, k, c.digest(dg))
        row(q, de, rr, ss, "valid", note, digest=dg)
    for note, dg in (("digest all ones", b"\xff" * size),
                     ("digest all ones, a byte more", b"\xff" * (size + 1)),
                     ("digest p", c.int(p)), ("no digest", b"")):
        rr, ss = c.sign(d, k, c.digest(dg))
        row(q, 0, rr, ss, "valid", note, digest=dg)

    # s by value; r and s with leading zeros
    rk = c.mul(k)[0] % n
    for note, ss in (("s = 1", 1), ("s = 2", 2), ("s = n - 1", n - 1), ("s = n - 2", n - 2),
                     ("s = (n + 1)/2", (n + 1) // 2),
                     ("s = 2^64", 1 << 64), ("s = n - 2^64", n - (1 << 64)),
                     ("s of half the length", n >> (n.bit_length() // 2)),
                     ("s one byte short", rand(c.name + " s", n >> 9)),
                     ("s two bytes short", rand(c.name + " s2", n >> 17))):
        row(q, (k * ss - rk * d) % n, rk, ss, "valid", note)
        row(q, (k * ss - rk * d + 1) % n, rk, ss, "invalid:signature", note + ", digest + 1")
    point, kk = c.mul(k), k
    found = []
    while len(found) < 3:
        point, kk = c.add(point, c.g), kk + 1
        if point[0] % n < n >> (n.bit_length() - 8 * (size - 1)):
            found.append(kk)
    for kk in found:
        valid(d, kk, e, "r one byte short")
    for note, xs in (("r small", range(1, 1000)),
                     ("r of half the length", range(1 << (4 * size), 1 << (4 * size + 1))),
                     ("r near n", range(n - 1, 0, -1))):
        x = first_x(c, xs)
        for sign in (0, 1):
            pr = c.lift(x) if sign == 0 else c.neg(c.lift(x))
            row(key_for(c, pr, x, s, e), e, x, s, "valid", note)

    # x(R) in [n, p): r = x - n
    x = first_x(c, range(n + 1, p))
    for pr, note in ((c.lift(x), "x(R) = r + n, smallest"),
                     (c.neg(c.lift(x)), "x(R) = r + n, smallest, other y"),
                     (c.lift(first_x(c, range(p - 1, n, -1))), "x(R) = r + n, largest")):
        rr = pr[0] - n
        qq = key_for(c, pr, rr, s, e)
        row(qq, e, rr, s, "valid", note)
        row(qq, e, rr + 1, s, "invalid:signature", note + ", r + 1")
        row(qq, e, pr[0], s, "invalid:signature_range", note + ", not reduced")
    # x(R) = r + n - p must not be taken for r + n
    for x in (first_x(c, range(1, 1000)), first_x(c, range(2 * n - p - 1, 0, -1))):
        rr = x + p - n
        row(key_for(c, c.lift(x), rr, s, e), e, rr, s, "invalid:signature", "x(R) = r + n - p")
    rr = p - n
    if c.lift(0):
        row(key_for(c, c.lift(0), rr, s, e), e, rr, s, "invalid:signature", "x(R) = 0, r = p - n")

    # the two halves meet
    for i in range(2):
        t = rand("%s meet %d" % (c.name, i), n)
        rr = c.mul(2 * t)[0] % n
        ee = rr * d % n
        row(q, ee, rr, ee * pow(t, -1, n) % n, "valid", "u1 G = u2 Q: doubling")
        row(q, -rr * d % n, rr, s, "invalid:signature", "u1 G = -u2 Q: infinity")
    for note, dd in (("Q = G", 1), ("Q = -G", n - 1), ("Q = 2G", 2), ("Q = -2G", n - 2), ("Q = 3G", 3),
                     ("Q = G/2", (n + 1) // 2)):
        valid(dd, k, e, note)
        valid(dd, k, 0, note + ", u1 = 0")
        valid(dd, (k + dd) % n, rk, note + ", e = r of another")
        rr = c.mul(2)[0] % n
        row(c.mul(dd), rr * dd % n, rr, rr * dd % n, "valid", note + ", u1 = 1") if dd in (1, n - 1) else None
    valid(d, k, 0, "u1 = 0")
    for note, u1, u2 in (("u2 = 1", e, 1), ("u2 = n - 1", e, n - 1), ("u1 = 1", 1, k),
                         ("u1 = n - 1", n - 1, k),
                         ("u1 = u2 = 1", 1, 1), ("u1 = u2", k, k), ("u1 = -u2", k, n - k),
                         ("u1 = 2^64, u2 = 2", 1 << 64, 2),
                         ("u1 = 2, u2 = 2^128", 2, 1 << 128), ("u1 = 0, u2 = 1", 0, 1),
                         ("u1 all ones", (1 << (n.bit_length() - 1)) - 1, k),
                         ("u2 all ones", k, (1 << (n.bit_length() - 1)) - 1), ("u1 = 16, u2 = 16", 16, 16),
                         ("u1 = 31, u2 = 33", 31, 33)):
        pr = c.add(c.mul(u1), c.mul(u2, q))
        rr = pr[0] % n
        ss = rr * pow(u2, -1, n) % n
        row(q, u1 * ss % n, rr, ss, "valid", note)

    # public keys and lengths that are none
    dg, sg = e_bytes(c, e), c.sig(r, s)
    for note, point, status in bad_points(c, q):
        f.add("verify", c.name, point, dg, sg, "raw", "invalid:" + status, note=note)
    for note, bad in (("signature empty", b""), ("a byte short", sg[:-1]), ("a byte long", sg + b"\0"),
                      ("r alone", sg[:size]),
                      ("a zero byte in front", b"\0" + sg)):
        f.add("verify", c.name, c.point(q), dg, bad, "raw", "invalid:length", note=note)
    f.add("verify", c.name, c.point(q), dg, sg, "raw", "valid", note="uncompressed key")


def e_bytes(c, e):
    """Bytes whose leftmost bits are e: as long as the order, shifted where its bits are no whole bytes."""
    shift = 8 * c.bytes - c.n.bit_length()
    return (e << shift).to_bytes(c.bytes, "big")


def ecdsa_sign(c, f):
    n, size = c.n, c.bytes

    def row(d, k, dg, note):
        out = c.sign(d, k, c.digest(dg)) if 0 < d < n else None
        f.add("sign_k", c.name, c.int(d), c.int(k), dg, c.sig(*out) if out else "refused", note=note)

    for length in sorted(set(range(0, 4)) | set(range(0, 2 * size, 8)) | set(range(size - 2,
                                                                                   size + 3)) | {2 * size}):
        label = "%s sign %d" % (c.name, length)
        row(rand(label + " d", n), rand(label + " k", n), rand_bytes(label, length),
            "digest of %d bytes" % length)
    d, k = rand(c.name + " sign d", n), rand(c.name + " sign k", n)
    dg = rand_bytes(c.name + " sign e", size)
    nonces = [("k = %d" % i, i) for i in range(0, 12)] + [("k = n - %d" % i, n - i) for i in range(1, 9)]
    nonces += [("k = n", n), ("k = n + 1", n + 1), ("k all ones", 256**size - 1)]
    nonces += [("k = 2^%d" % i, 1 << i) for i in range(16, n.bit_length(), 48)]
    nonces += [("k of %d bits" % i, (1 << i) - 1 - (1 << i // 2)) for i in range(32, n.bit_length(), 64)]
    for note, kk in nonces:
        row(d, kk, dg, note)
    for note, dd in (("d = 0", 0), ("d = 1", 1), ("d = 2", 2), ("d = n - 2", n - 2), ("d = n - 1", n - 1),
                     ("d = n", n),
                     ("d = n + 1", n + 1), ("d all ones", 256**size - 1),
                     ("d one byte short", rand(c.name + " dd", n >> 9))):
        row(dd, k, dg, note)
    for note, x in (("digest 0", bytes(size)), ("digest n", e_bytes(c, n)),
                    ("digest n - 1", e_bytes(c, n - 1)),
                    ("digest n + 1", e_bytes(c, n + 1)), ("digest all ones", b"\xff" * size),
                    ("long digest of zeros", bytes(2 * size)),
                    ("long digest all ones", b"\xff" * (2 * size)),
                    ("digest with leading zeros", bytes(4) + dg[4:]),
                    ("long digest with leading zeros", bytes(8) + dg)):
        row(d, k, x, note)
    r = c.mul(k)[0] % n
    row(d, k, e_bytes(c, -r * d % n), "s = 0 with this nonce")
    row(d, k, e_bytes(c, (k - r * d) % n), "s = 1")
    row(d, k, e_bytes(c, (-k - r * d) % n), "s = n - 1")

    for name in ("sha256", "sha384", "sha512"):
        for note, dd, x in (("", d, dg), ("no digest", d, b""), ("digest n", d, e_bytes(c, n)),
                            ("digest n + 1", d, e_bytes(c, n + 1)),
                            ("digest all ones", d, b"\xff" * size),
                            ("long digest", d, rand_bytes("long", 2 * size)),
                            ("short digest", d, rand_bytes("short", 20)), ("d = 1", 1, dg),
                            ("d = n - 1", n - 1, dg)):
            kk = c.rfc6979(dd, x, name)
            r, s = c.sign(dd, kk, c.digest(x))
            f.add("sign_det", c.name, name, c.int(dd), x, c.sig(r, s), c.int(kk), note=note)


def bad_points(c, q):
    """(note, bytes, status) of encodings that are no points of the curve."""
    p, size = c.p, c.bytes
    x, y = (c.int(v) for v in q)
    top = b"\xff" * size
    no_x = next(v for v in range(2, 1000) if c.lift(v) is None)
    rows = [
        ("y + 1", b"\4" + x + c.int((q[1] + 1) % p), "not_on_curve"),
        ("x and y swapped", b"\4" + y + x, "not_on_curve"),
        ("(0, 0)", b"\4" + bytes(2 * size), "not_on_curve"),
        ("(1, 1)", b"\4" + c.int(1) + c.int(1), "not_on_curve"),
        ("x = p", b"\4" + c.int(p) + y, "coordinate"),
        ("y = p", b"\4" + x + c.int(p), "coordinate"),
        ("x all ones", b"\4" + top + y, "coordinate"),
        ("y all ones", b"\4" + x + top, "coordinate"),
        ("compressed, x = p", b"\2" + c.int(p), "coordinate"),
        ("compressed, x all ones", b"\3" + top, "coordinate"),
        ("compressed, no such x", b"\2" + c.int(no_x), "not_on_curve"),
        ("compressed, no such x", b"\3" + c.int(no_x), "not_on_curve"),
        ("y of the point on the curve with b + 1",
         b"\4" + c.int(other_b(c, c.b + 1)[0]) + c.int(other_b(c, c.b + 1)[1]), "not_on_curve"),
    ]
    zero_y = c.lift(0)
    small = first_x(c, range(1, 1000))
    sx, sy = c.lift(small)
    if small + p < 256**size:
        rows.append(("x + p for the x of a point", b"\4" + c.int(small + p) + c.int(sy), "coordinate"))
        rows.append(("compressed, x + p", b"\2" + c.int(small + p), "coordinate"))
    if zero_y:
        rows.append(("x = p, a point if reduced", b"\4" + c.int(p) + c.int(zero_y[1]), "coordinate"))
        rows.append(("compressed x = p, a point if reduced", b"\2" + c.int(p), "coordinate"))
    for form in (0, 1, 5, 6, 7, 8, 0x44, 0x84, 0xff):
        rows.append(("form %02x" % form, bytes([form]) + x + y, "point_form"))
        rows.append(("form %02x, short" % form, bytes([form]) + x, "point_form"))
    for note, data in (("form 04, one coordinate", b"\4" + x), ("form 02, two coordinates", b"\2" + x + y),
                       ("form 03, two coordinates", b"\3" + x + y), ("nothing", b""), ("a form alone", b"\4"),
                       ("a byte short", (b"\4" + x + y)[:-1]), ("a byte long", b"\4" + x + y + b"\0"),
                       ("compressed, a byte short", (b"\2" + x)[:-1]),
                       ("compressed, a byte long", b"\2" + x + b"\0"),
                       ("coordinates of another length", b"\4" + x[:-1] + y[:-1])):
        rows.append((note, data, "length"))
    rows += [("infinity", b"\0", "infinity"), ("infinity, padded", bytes(1 + 2 * size), "point_form"),
             ("infinity, padded short", bytes(1 + size), "point_form"), ("no form", x + y, "*")]
    return rows


def other_b(c, b):
    """A point on y^2 = x^3 - 3x + b."""
    for x in range(5, 1000):
        y = sqrt(c.p, (x * x * x - 3 * x + b) % c.p)
        if y:
            return x, y
    return None


def edge_points(c):
    """(note, point): coordinates at the edges."""
    p = c.p
    out = [("x = 0", c.lift(0))] if c.lift(0) else []
    out += [("x smallest", c.lift(first_x(c, range(1, 1000)))),
            ("x largest", c.lift(first_x(c, range(p - 1, 0, -1)))),
            ("x near n", c.lift(first_x(c, range(c.n, p)))),
            ("x = 2^64 + ..", c.lift(first_x(c, range(1 << 64, 1 << 65)))),
            ("x = p - 2^64 - ..", c.lift(first_x(c, range(p - (1 << 64), 0, -1)))),
            ("x = 2^(half)", c.lift(first_x(c, range(1 << (4 * c.bytes), p)))),
            ("x all ones below", c.lift(first_x(c, range((1 << (p.bit_length() - 1)) - 1, 0, -1)))),
            ("x one byte short", c.lift(first_x(c, range(p >> 9, 0, -1))))]
    for y in range(1, 200):
        x = root_for_y(c, y)
        if x is not None:
            out.append(("y = %d" % y, (x, y)))
            break
    return out


def root_for_y(c, y):
    """x with x^3 - 3x + b = y^2, by gcd with x^p - x and splitting; None if there is none."""
    p = c.p
    const = (c.b - y * y) % p

    def mulmod(u, v):  # polynomials of degree < 3 modulo x^3 - 3x + const
        t = [0] * 5
        for i, ui in enumerate(u):
            for j, vj in enumerate(v):
                t[i + j] += ui * vj
        for i in (4, 3):
            t[i - 2] += 3 * t[i]
            t[i - 3] -= const * t[i]
        return [x % p for x in t[:3]]

    def powmod(base, e):
        r = [1, 0, 0]
        for bit in bin(e)[2:]:
            r = mulmod(r, r)
            if bit == "1":
                r = mulmod(r, base)
        return r

    def trim(u):
        u = [x % p for x in u]
        while u and u[-1] == 0:
            u.pop()
        return u

    def gcd(u, v):
        u, v = trim(u), trim(v)
        while v:
            inv = pow(v[-1], -1, p)
            while len(u) >= len(v):
                f, shift = u[-1] * inv, len(u) - len(v)
                for i, x in enumerate(v):
                    u[i + shift] -= f * x
                u = trim(u)
            u, v = v, u
        return [x * pow(u[-1], -1, p) % p for x in u]

    xp = powmod([0, 1, 0], p)
    xp[1] -= 1
    g = gcd([const, -3, 0, 1], xp)
    shift = 0
    while len(g) > 2:
        shift += 1
        half = powmod([shift, 1, 0], (p - 1) // 2)
        half[0] -= 1
        h = gcd(g, half)
        if 1 < len(h) < len(g):
            g = h
    return -g[0] % p if len(g) == 2 else None


def points(c, f):
    n, p, size = c.n, c.p, c.bytes

    def result(a):
        return "infinity" if a is None else c.point(a, True)

    # decoding
    q = c.mul(rand(c.name + " q", n))
    for note, a in edge_points(c) + [("G", c.g), ("-G", c.neg(c.g)), ("", q)]:
        for b in (a, c.neg(a)):
            f.add("decode", c.name, c.point(b), "valid", c.point(b), note=note)
            f.add("decode", c.name, c.point(b, True), "valid", c.point(b), note=note + ", compressed")
    for note, point, status in bad_points(c, q):
        f.add("decode", c.name, point, "invalid:" + status, note=note)

    # k G
    rows = [(str(i), i) for i in range(0, 41)] + [("n - %d" % i, n - i) for i in range(40, 0, -1)]
    rows += [("n", n), ("n + 1", n + 1)]
    if n + 40 < 256**size:
        rows += [("n + 40", n + 40)]
    rows += [("all ones", 256**size - 1), ("(n - 1)/2", (n - 1) // 2), ("(n + 1)/2", (n + 1) // 2)]
    bits = n.bit_length()
    for i in sorted(set(range(5, bits, 17)) | set(range(63, bits, 64)) | set(range(64, bits,
                                                                                   64)) | {bits - 1}):
        rows.append(("2^%d" % i, 1 << i))
    for i in range(64, bits, 64):
        rows += [("2^%d - 1" % i, (1 << i) - 1), ("2^%d + 1" % i, (1 << i) + 1),
                 ("n - 2^%d" % i, n - (1 << i))]
    for w in (4, 5, 6):
        for digit in (1, (1 << w) - 1, 1 << (w - 1)):
            v = sum(digit << i for i in range(0, bits - w, w))
            rows.append(("windows of %d bits, all %d" % (w, digit), v))
    # the top window of a fixed-base table meets the sum of those below: d 2^i = k - d 2^i mod n
    for i in range(bits - 9, bits - 1):
        digit = (n >> i) | 1
        for d in (digit - 2, digit, digit + 2):
            k = (d << (i + 1)) % n
            rows += [("2 * %d * 2^%d" % (d, i), k), ("-2 * %d * 2^%d" % (d, i), n - k)]
    rows.append(("alternating words", sum((2**64 - 1) << i for i in range(0, bits - 64, 128))))
    for note, k in rows:
        f.add("base_mul", c.name, k, result(c.mul(k)), note=note)

    # k P
    ks = (0, 1, 2, 3, 15, 16, 17, 31, 32, 33, n - 33, n - 2, n - 1, n, n + 1, 1 << 64, (1 << (bits - 1)) - 1,
          256**size - 1,
          rand(c.name + " k", n))
    for note, a in edge_points(c) + [("-G", c.neg(c.g)), ("2G", c.mul(2)), ("", q)]:
        for k in ks if note == "" else (n - 2, 33, rand(c.name + note, n)):
            f.add("mul", c.name, k, c.point(a), result(c.mul(k, a)), note=note)

    # u G + v P
    m = rand(c.name + " m", n)
    qm = c.mul(m)
    for u, v in [(0, 0), (0, 1), (1, 0), (1, 1), (1, n - 1), (n, n), (n, 1), (n + 1, n + 1), (2, 3), (31, 32),
                 (n - 1, n - 1), (1 << 64, 1 << 128)]:
        f.add("double_mul", c.name, u, v, c.point(qm), result(c.add(c.mul(u), c.mul(v, qm))))
    t = rand(c.name + " t", n)
    for note, u, v in (("meet", t * m % n, t), ("cancel", -t * m % n, t), ("cancel to G", (1 - t * m) % n, t),
                       ("cancel to -G", (-1 - t * m) % n, t)):
        f.add("double_mul", c.name, u, v, c.point(qm), result(c.mul(u + v * m)), note=note)
    for i in (1, 2, 3, n - 1, n - 2):
        for u, v in ((32, 31), (31, 32), (31, n - 31), (5, 5), (16, n - 8), (rand("u", n), rand("v", n)),
                     (n - i, 1)):
            f.add("double_mul", c.name, u, v, c.point(c.mul(i)), result(c.mul(u + v * i)),
                  note="Q = %s G" % (i if i < 9 else "-%d" % (n - i)))

    # P + Q
    a, b = q, qm
    for note, u, v in (("", a, b), ("P + P", a, a), ("P - P", a, c.neg(a)), ("G + G", c.g, c.g),
                       ("G - G", c.g, c.neg(c.g)),
                       ("2G + G", c.mul(2), c.g), ("2G - G", c.mul(2), c.neg(c.g)),
                       ("G - 2G", c.g, c.neg(c.mul(2))),
                       ("P - 2P", a, c.neg(c.add(a, a)))):
        f.add("add", c.name, c.point(u), c.point(v), result(c.add(u, v)), note=note)
    edges = edge_points(c)
    for (note, u), (_, v) in zip(edges, edges[1:] + edges[:1]):
        f.add("add", c.name, c.point(u), c.point(v), result(c.add(u, v)), note=note)


def ecdh(c, f):
    n, size = c.n, c.bytes
    d = rand(c.name + " ecdh", n - 1)
    for note, a in edge_points(c) + [("G", c.g), ("-G", c.neg(c.g))]:
        f.add("ecdh", c.name, c.int(d), c.point(a), c.int(c.mul(d, a)[0]), "valid", note=note)
        f.add("ecdh", c.name, c.int(d), c.point(c.neg(a), True), c.int(c.mul(d, a)[0]), "valid",
              note=note + ", compressed, other y")
    # secrets at the edges: P = R/d
    inv = pow(d, -1, n)
    for note, a in edge_points(c):
        f.add("ecdh", c.name, c.int(d), c.point(c.mul(inv, a)), c.int(a[0]), "valid", note="secret: " + note)
    q = c.mul(rand(c.name + " peer", n))
    a, k, found = q, 1, 0
    while found < 3:
        a, k = c.add(a, q), k + 1
        if a and a[0] >> (8 * size - 8) == 0 and (size != 66 or a[0] >> 512 == 0):
            found += 1
            f.add("ecdh", c.name, c.int(k), c.point(q), c.int(a[0]), "valid",
                  note="secret with a leading zero byte")
    top = n - 2 if c.name == "sm2" else n - 1
    for note, dd in (("d = 1", 1), ("d = 2", 2), ("d = 3", 3), ("d largest", top), ("d largest - 1", top - 1),
                     ("d = (n + 1)/2", (n + 1) // 2),
                     ("d = 2^64", 1 << 64)):
        f.add("ecdh", c.name, c.int(dd), c.point(q), c.int(c.mul(dd, q)[0]), "valid", note=note)
        f.add("pubkey", c.name, c.int(dd), "valid", c.point(c.mul(dd)), note=note)
    for note, dd in (("d = 0", 0), ("d too large by one", top + 1), ("d = n", n), ("d = n + 1", n + 1),
                     ("d all ones", 256**size - 1)):
        f.add("ecdh", c.name, c.int(dd), c.point(q), "-", "invalid:private_key", note=note)
        f.add("pubkey", c.name, c.int(dd), "invalid:private_key", note=note)
    for note, key in (("private key a byte short", c.int(d)[1:]),
                      ("private key a byte long", b"\0" + c.int(d)), ("no private key", b"")):
        f.add("ecdh", c.name, key, c.point(q), "-", "invalid:length", note=note)
        f.add("pubkey", c.name, key, "invalid:length", note=note)
    for note, point, status in bad_points(c, q):
        f.add("ecdh", c.name, c.int(d), point, "-", "invalid:" + status, note=note)


def field(unit, m, f):
    size = (m.bit_length() + 7) // 8
    words = (m.bit_length() + 63) // 64
    mont = (1 << (64 * words)) % m
    half = 1 << (m.bit_length() - 1)
    corners = [0, 1, m - 1, m - 2, mont, m - mont, half - 1, half, (1 << 64 * (words - 1)) - 1, (m + 1) // 2]
    for i, a in enumerate(corners):
        for j, b in enumerate(corners[i:], i):
            f.add("field", unit, "mul", a, b, a * b % m)
            if j < 6:
                f.add("field", unit, "add", a, b, (a + b) % m)
        for b in corners[:4]:
            f.add("field", unit, "sub", a, b, (a - b) % m)
    more = [3, 4, 5, m - 3, m - 4, (m - 1) // 2, (m - 1) // 3, mont * mont % m, pow(mont, -1, m), 1 << 64,
            (1 << 64) - 1, (1 << 128) - 1,
            1 << 63, (m >> 64) << 64, m >> 9, sum(0xffffffff << (64 * i) for i in range(words - 1))]
    more += [1 << i for i in range(7, m.bit_length() - 1, 61)]
    more += [m - (1 << i) for i in range(11, m.bit_length() - 1, 71)]
    for a in corners:
        f.add("field", unit, "neg", a, "-", -a % m)
    for a in corners + more:
        f.add("field", unit, "sqr", a, "-", a * a % m)
        f.add("field", unit, "inv", a, "-", pow(a, -1, m) if a else 0)
    for a in corners + more[:12]:
        root = sqrt(m, a)
        f.add("field", unit, "sqrt", a, "-", "none" if root is None else min(root, (m - root) % m))
    for a, b in ((m - 1, m - 1), (mont, m - 1), (1, 1), (0, m - 1), (half - 1, m - 2), (m - 2, m - 2)):
        r = 1 if unit == "p521" else 1 << (64 * words)
        f.add("montmul", unit, a, b, a * b * pow(r, -1, m) % m)
    for v in (0, 1, m - 1):
        f.add("field_bytes", unit, v.to_bytes(size, "big"), "valid")
    for v in (m, m + 1, 256**size - 1) + ((1 << m.bit_length(),) if m.bit_length() % 8 else ()):
        f.add("field_bytes", unit, v.to_bytes(size, "big"), "invalid:value")


def mont(f):
    def moduli():
        for words in (1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 32, 33):
            bits = 64 * words
            yield words, "all ones", (1 << bits) - 1
            if words > 8:
                continue
            yield words, "top bit and one", (1 << (bits - 1)) + 1
            yield words, "one bit in the top word", (1 << (bits - 64)) + (3 if words > 1 else 2)
            yield words, "random", rand("mont %d" % words, 1 << bits) | 1 | 1 << (bits - 1)

    for words, note, m in moduli():
        note = "%d words, %s" % (words, note)
        r = (1 << (64 * words)) % m
        a, b = rand(note + "a", m), rand(note + "b", m)
        if words <= 17:
            for u, v in ((m - 1, m - 1), (r, m - 1), (a, b), (m >> 1, (m >> 1) + 1)):
                f.add("mont", "mul", m, u, v, u * v % m, note=note)
            f.add("mont", "add", m, m - 1, m - 1, (m + m - 2) % m, note=note)
            f.add("mont", "add", m, a, b, (a + b) % m, note=note)
            f.add("mont", "sub", m, 0, m - 1, 1 % m, note=note)
            f.add("mont", "sub", m, a, b, (a - b) % m, note=note)
        f.add("mont", "sqr", m, m - 1, "-", (m - 1) * (m - 1) % m, note=note)
        f.add("mont", "sqr", m, m - 2, "-", 4 % m, note=note)
        f.add("mont", "sqr", m, a, "-", a * a % m, note=note)
        for e in (0, 1, 2, 3, 65537, (1 << 64) - 1, (1 << 64) + 13)[:: 1 if words <= 4 else 3]:
            f.add("mont", "exp", m, a, e, pow(a, e, m), note=note)
        if words <= 9:
            for u in (2, m - 1, a):
                try:
                    f.add("mont", "inv", m, u, "-", pow(u, -1, m), note=note)
                except ValueError:
                    f.add("mont", "inv", m, u, "-", "none", note=note)
            f.add("mont", "inv", m, 0, "-", "none", note=note)
    f.add("mont", "inv", 15, 6, "-", "none", note="gcd 3")
    f.add("mont", "inv", 3 * (2**127 - 1), 3 * 12345, "-", "none", note="gcd 3")
    for p in (3, 5, 7, 17, 97, 257, 65537, 2**61 - 1, 2**64 - 59, 2**127 - 1, 2**255 - 19, 2**521 - 1,
              2**64 - 2**32 + 1):
        for a in (0, 1, 2 % p, 3 % p, p - 1, p - 2, rand("sqrt%d" % p, p)):
            root = sqrt(p, a)
            f.add("mont", "sqrt", p, a, "-", "none" if root is None else root)
    for m in (0, 1, 2, 4, 2**64, 2**128 - 2):
        f.add("mont_modulus", m, "invalid:modulus")
    for m in (3, 5, 2**64 + 1, 2**64 - 1):
        f.add("mont_modulus", m, "valid")
        f.add("mont_bytes", m, m - 1, "valid")
        f.add("mont_bytes", m, m, "invalid:value")
        f.add("mont_bytes", m, m + 1, "invalid:value")
        f.add("mont_bytes", m, m + 2**128, "invalid:value")


def der(c, f):
    n = c.n
    size = c.bytes

    def good(r, s, note):
        f.add("der", c.name, der_sig(r, s), "valid", c.sig(r, s), note=note)

    def bad(data, note, status="der"):
        f.add("der", c.name, data, "invalid:" + status, note=note)

    r, s = rand(c.name + " der r", n >> 1) | 1 << (n.bit_length() - 2), n - 1
    for note, rr, ss in (("", r, s), ("1, 1", 1, 1), ("127, 128", 127, 128), ("255, 256", 255, 256),
                         ("n - 1, n - 1", n - 1, n - 1),
                         ("short r", 0x80, s), ("short s", r, 0x7f00)) + \
            tuple(("%d bits" % b, (1 << b) - 1, 1 << (b - 1)) for b in range(7, n.bit_length() - 1, 24)):
        good(rr, ss, note)
    for note, rr, ss in (("r = 0", 0, s), ("s = 0", r, 0), ("both 0", 0, 0), ("r = n", n, s), ("s = n", r, n),
                         ("r = p", c.p, s),
                         ("r = n + 1", n + 1, s)):
        bad(der_sig(rr, ss), note, "signature_range")
    bad(der_sig(256**size, s), "r of a byte too many", "signature_range")
    bad(der_sig(r, 256 ** (size + 4)), "s of bytes too many", "signature_range")
    bad(der_sig(r + 256**size, s), "r + 2^(8 bytes)", "signature_range")
    ri, si = der_int(r), der_int(s)
    full = der_sig(r, s)
    body = ri + si
    head = len(full) - len(body)
    for cut in sorted(set(list(range(0, head + 4)) + [head + len(ri) - 1, head + len(ri), head + len(ri) + 1,
                                                      head + len(ri) + 2, len(full) - 1])):
        bad(full[:cut], "cut to %d bytes" % cut)
    bad(full + b"\0", "a byte behind")
    bad(full + full, "twice")
    bad(der_tlv(0x30, body + b"\0"), "a byte behind s")
    bad(der_tlv(0x30, body + b"\2\1\1"), "three integers")
    bad(der_tlv(0x30, ri), "r alone")
    bad(der_tlv(0x30, b""), "nothing inside")
    bad(der_tlv(0x31, body), "a set")
    bad(der_tlv(0x10, body), "not constructed")
    bad(der_tlv(0x70, body), "application tag")
    for tag in (0, 1, 3, 4, 0x0a, 0x22, 0x82):
        bad(der_tlv(0x30, bytes([tag]) + ri[1:] + si), "r with tag %02x" % tag)
        bad(der_tlv(0x30, ri + bytes([tag]) + si[1:]), "s with tag %02x" % tag)
    for note, i, other, front in (("r", r, si, True), ("s", s, ri, False)):
        raw = der_int(i)[2:]

        def both(x):
            return der_tlv(0x30, x + other if front else other + x)

        bad(both(der_tlv(2, b"\0" + raw)), note + " with a zero in front")
        bad(both(der_tlv(2, b"\0\0" + raw)), note + " with two zeros in front")
        bad(both(der_tlv(2, b"\xff" + raw)), note + " with ff in front")
        bad(both(b"\2\x81" + bytes([len(raw)]) + raw), note + " with a long length")
        bad(both(b"\2\x82\0" + bytes([len(raw)]) + raw), note + " with a longer length")
        bad(both(b"\2\x80" + raw + b"\0\0"), note + " of indefinite length")
        bad(both(b"\2\0"), note + " of no bytes")
        bad(both(b"\2\1\x80"), note + " = -128")
        bad(both(b"\2\1\xff"), note + " = -1")
        bad(both(b"\2\2\0\x7f"), note + " = 127 in two bytes")
        bad(both(b"\2" + bytes([len(raw) + 1]) + raw), note + " length one more")
        bad(both(b"\2" + bytes([len(raw) - 1]) + raw), note + " length one less")
        bad(both(b"\2\x7f" + raw), note + " length 127")
        bad(both(b"\2\x84\xff\xff\xff\xff" + raw), note + " length 2^32 - 1")
        bad(both(b"\2\x88" + b"\xff" * 8 + raw), note + " length 2^64 - 1")
        bad(both(b"\2\x89\1" + len(raw).to_bytes(8, "big") + raw), note + " length 2^64 more")
        bad(both(b"\5\0"), note + " null")
        neg = (i | 1 << (8 * size - 1)).to_bytes(size, "big")
        bad(both(der_tlv(2, neg)), note + " negative")
    if len(body) < 128:
        bad(b"\x30\x81" + bytes([len(body)]) + body, "long length")
    else:
        bad(b"\x30" + bytes([len(body) & 0x7f]) + body, "length without its long form")
    bad(b"\x30\x82\0" + bytes([len(body)]) + body, "longer length")
    bad(b"\x30\x80" + body + b"\0\0", "indefinite length")
    bad(b"\x30\x84\0\0\0" + bytes([len(body)]) + body, "length of four bytes")
    bad(b"\x30\x88" + b"\xff" * 8 + body, "length 2^64 - 1")
    bad(b"\x30\x85\1" + len(body).to_bytes(4, "big") + body, "length 2^32 more")
    bad(b"\x30\x89\1" + len(body).to_bytes(8, "big") + body, "length 2^64 more")
    bad(b"\x30\xff" + body, "length of 127 bytes")
    for off in (-1, 1, 2):
        bad(full[:head - 1] + bytes([len(body) + off & 0xff]) + body, "length off by %d" % off)
    if c.name != "sm2":
        d, k, e = (rand("%s der %s" % (c.name, x), n) for x in "dke")
        rr, ss = c.sign(d, k, e)
        q, dg, sg = c.point(c.mul(d)), e_bytes(c, e), der_sig(rr, ss)
        f.add("verify", c.name, q, dg, sg, "der", "valid")
        f.add("verify", c.name, q, dg, sg + b"\0", "der", "invalid:der", note="a byte behind")
        f.add("verify", c.name, q, dg, der_sig(rr, ss % (n - 1) + 1), "der", "invalid:signature",
              note="s + 1")
        f.add("verify", c.name, q, dg, der_sig(rr, ss + n), "der", "invalid:signature_range", note="s + n")


def hashes(f):
    for name, (size, block, _) in HASHES.items():
        lengths = {0, 1, 2, 3, 31, 32, 1000}
        for blocks in (1, 2, 3):
            end = blocks * block
            lengths |= set(range(end - 18, end - 14)) | set(range(end - 10, end - 6)) | {end - 1, end,
                                                                                         end + 1}
        for n in sorted(lengths):
            f.add("digest", name, "%s*%d" % ("61", n) if n else "-", digest_of(name, b"a" * n))
        f.add("digest", name, rand_bytes(name, 99), digest_of(name, rand_bytes(name, 99)))
        for n in (0, 1, size, block - 1, block, block + 1, 2 * block, 3 * block + 5):
            key, msg = rand_bytes("%s key %d" % (name, n), n), rand_bytes("%s message" % name, n)
            tag = hmac_of(name, key, msg)
            f.add("hmac", name, key, msg, tag, "valid", note="key of %d bytes" % n)
            f.add("hmac", name, key + b"\0", msg, tag, "valid" if n < block else "invalid:*",
                  note="key of %d bytes and a zero" % n)
        f.add("hmac", name, key, msg, tag[:-1] + bytes([tag[-1] ^ 1]), "invalid:*", note="a bit of the code")
        f.add("hmac", name, key, msg, tag[:16], "valid", note="cut")


# --- SM2 ---


def sm2_sign(f):
    c, n = SM2, SM2.n

    def row(d, k, e, note):
        note = note.strip(", ")
        if not 0 < d < n - 1 or not 0 < k < n:
            return f.add("sm2_sign_k", c.int(d), c.int(k), c.int(e), "invalid:private_key", note=note)
        out = c.sign(d, k, e)
        if out is None:
            return f.add("sm2_sign_k", c.int(d), c.int(k), c.int(e), "invalid:signature_range", note=note)
        return f.add("sm2_sign_k", c.int(d), c.int(k), c.int(e), "valid", c.sig(*out), note=note)

    d, k, e = (rand("sm2 sign " + x, n) for x in "dke")
    top = 2**256 - 1
    nonces = [("k = %d" % i, i) for i in (0, 1, 2, 3, 15, 16)] + [("k = n - %d" % i, n - i)
                                                                  for i in (1, 2, 3)]
    nonces += [("k = n", n), ("k = n + 1", n + 1), ("k all ones", top), ("k = 2^255", 1 << 255),
               ("k of nibbles 0f", int("0f" * 31, 16)), ("k of 128 bits", (1 << 128) - 1)]
    for note, x in nonces:
        row(d, x, e, note)
    for note, x in (("d = 0", 0), ("d = 1", 1), ("d = 2", 2), ("d = n - 3", n - 3), ("d = n - 2", n - 2),
                    ("d = n - 1", n - 1), ("d = n", n), ("d = n + 1", n + 1), ("d all ones", top),
                    ("d one byte short", rand("sm2 short d", n >> 8))):
        row(x, k, e, note)
    for note, x in (("e = 0", 0), ("e = 1", 1), ("e = n - 1", n - 1), ("e = n", n), ("e = n + 1", n + 1),
                    ("e = p", c.p), ("e all ones", top)):
        row(d, k, x, note)
    x1 = c.mul(k)[0]
    for note, x in (("r = 0", -x1), ("r = 1", 1 - x1), ("r = n - 1", -1 - x1), ("r + k = n", -k - x1),
                    ("r + k = n + 1", 1 - k - x1), ("r + k = n - 1", -1 - k - x1), ("r = k", k - x1),
                    ("s = 0", k * pow(d, -1, n) - x1), ("r one byte short", rand("sm2 r", n >> 8) - x1),
                    ("r four bytes short", rand("sm2 r4", n >> 32) - x1)):
        row(d, k, x % n, note)
        row(d, k, x % n + n, note + ", e not reduced") if x % n + n <= top else None
    for note, s in (("s = 1", 1), ("s = n - 1", n - 1), ("s = 2^64", 1 << 64),
                    ("s = n - 2^64", n - (1 << 64)),
                    ("s one byte short", rand("sm2 s", n >> 8)),
                    ("s four bytes short", rand("sm2 s4", n >> 32)),
                    ("s at the top", top % n)):
        r = (k - s * (1 + d)) * pow(d, -1, n)
        row(d, k, (r - x1) % n, note)
    for note, size in (("no e", 0), ("e of 31 bytes", 31), ("e of 33 bytes", 33)):
        f.add("sm2_sign_k", c.int(d), c.int(k), bytes(size), "invalid:length", note=note)
    for note, dd in (("no d", b""), ("d of 31 bytes", c.int(d)[1:]), ("d of 33 bytes", b"\0" + c.int(d))):
        f.add("sm2_sign_k", dd, c.int(k), c.int(e), "invalid:length", note=note)

    # messages and IDs
    q = c.point(c.mul(d))
    for note, name, ident in (("default ID", "default", DEFAULT_ID),
                              ("spelled out", DEFAULT_ID.hex(), DEFAULT_ID),
                              ("empty ID", "-", b""), ("ID of a zero", "00", b"\0"),
                              ("longest ID", "61*8191", b"a" * 8191), ("ID of 64 bytes", "62*64", b"b" * 64)):
        for msg in (b"", b"message", bytes(64)):
            z, dg = c.z(c.mul(d), ident), c.e(c.mul(d), msg, ident)
            sig = c.sig(*c.sign(d, k, int.from_bytes(dg, "big")))
            f.add("sm2_z", name, q, msg, "valid", z, dg, note=note)
            f.add("sm2_sign", name, c.int(d), c.int(k), msg, "valid", sig, note=note)
            f.add("sm2_verify_msg", name, q, msg, sig, "valid", note=note)
            f.add("sm2_verify_msg", name, q, msg + b"\0", sig, "invalid:signature", note=note)
    f.add("sm2_verify_msg", "default", q, c.int(e), c.sig(*c.sign(d, k, e)), "invalid:signature",
          note="the signature of 32 bytes as a digest")
    f.add("sm2_z", "61*8192", q, b"", "invalid:id")
    f.add("sm2_verify_msg", "61*8192", q, b"", sig, "invalid:id")
    f.add("sm2_sign", "61*8192", c.int(d), c.int(k), b"", "invalid:id")
    for dd in (0, n - 1, n, top):
        f.add("sm2_sign", "default", c.int(dd), c.int(k), b"", "invalid:private_key")
    for note, point, status in bad_points(c, c.mul(d)):
        f.add("sm2_z", "default", point, b"", "invalid:" + status, note=note)
    for note, lead in (("x", 0), ("y", 1)):
        point = c.mul(d)
        while point[lead] >= c.p >> 8:
            point = c.add(point, c.g)
        f.add("sm2_z", "default", c.point(point), b"", "valid", c.z(point), c.e(point, b""),
              note=note + " of the key one byte short")


def sm2_verify(f):
    c, n, p = SM2, SM2.n, SM2.p

    def row(q, e, r, s, result, note):
        if result in ("valid", "invalid:signature"):
            assert c.verify(q, e, r, s) == (result == "valid"), note
        f.add("sm2_verify", c.point(q, True), c.int(e), c.sig(r, s), "raw", result, note=note)

    def e_for(q, r, s):
        """The digest that makes r, s a signature by q."""
        a = c.add(c.mul(s), c.mul((r + s) % n, q))
        return (r - a[0]) % n

    d, k, e = (rand("sm2 verify " + x, n) for x in "dke")
    q, top = c.mul(d), 2**256 - 1
    r, s = c.sign(d, k, e)
    row(q, e, r, s, "valid", "plain")
    for note, rr, ss in (("r = 0", 0, s), ("s = 0", r, 0), ("both 0", 0, 0), ("r = n", n, s), ("s = n", r, n),
                         ("r = n + 1", n + 1, s), ("r = p", p, s), ("s = p", r, p), ("r all ones", top, s),
                         ("s all ones", r, top)):
        row(q, e, rr, ss, "invalid:signature_range", note)
    for note, rr, ss in (("n - r", n - r, s), ("n - s", r, n - s), ("swapped", s, r), ("r + 1", r + 1, s),
                         ("s + 1", r, s + 1), ("r = s = 1", 1, 1), ("t = 0", r, n - r),
                         ("t = 0, r = 1", 1, n - 1), ("t = 0, s = 1", n - 1, 1)):
        row(q, e, rr, ss, "invalid:signature", note)
    row(c.neg(q), e, r, s, "invalid:signature", "-Q")
    row(q, (e + 1) % n, r, s, "invalid:signature", "e + 1")
    # t = 0 where e = r - x(s G): the equation without the rule
    for s0 in (1, 2, s):
        row(q, (n - s0 - c.mul(s0)[0]) % n, n - s0, s0, "invalid:signature", "t = 0, R = s G")
    for note, rr, ss in (("r = 1", 1, s), ("s = 1", r, 1), ("r = n - 1", n - 1, s), ("s = n - 1", r, n - 1),
                         ("both 1", 1, 1), ("t = 1", r, (1 - r) % n), ("t = n - 1", r, (-1 - r) % n),
                         ("t = 2^64", r, ((1 << 64) - r) % n), ("t = 2^192", r, ((1 << 192) - r) % n),
                         ("s = 2^255", r, 1 << 255), ("r one byte short", r >> 8, s),
                         ("s one byte short", r, s >> 8),
                         ("s of half the length", r, s >> 128), ("r and s of one byte", 0x80, 0x7f),
                         ("t wraps", n - 5, n - 7), ("t does not wrap", n >> 2, n >> 3),
                         ("s = 16, t = 32", 16, 16)):
        ee = e_for(q, rr, ss)
        row(q, ee, rr, ss, "valid", note)
        row(q, (ee + 1) % n, rr, ss, "invalid:signature", note + ", e + 1")
    for note, ee in (("e = 0", 0), ("e = 1", 1), ("e = n - 1", n - 1), ("e = n", n), ("e = n + 1", n + 1),
                     ("e = p", p), ("e all ones", top)):
        row(q, ee, *c.sign(d, k, ee), "valid", note)
    # x(R) of n and above; and x(R) = 0, if there is such a point
    xs = [("x(R) = n, or next", first_x(c, range(n, p))), ("x(R) near p", first_x(c, range(p - 1, n, -1))),
          ("x(R) smallest", first_x(c, range(0, 1000)))]
    for note, x in xs:
        for a in (c.lift(x), c.neg(c.lift(x))):
            t = rand("sm2 t" + note, n)
            qq = c.mul(pow(t, -1, n), c.add(a, c.neg(c.mul(s))))
            row(qq, (t - s - x) % n, (t - s) % n, s, "valid", note)
            row(qq, (t - s - x + p) % n, (t - s) % n, s, "invalid:signature", note + ", mod p")
    # s G and t Q meet
    for i in range(2):
        t = rand("sm2 meet %d" % i, n)
        ss = t * d % n
        rr = (t - ss) % n
        row(q, e_for(q, rr, ss), rr, ss, "valid", "s G = t Q: doubling")
        ss = -t * d % n
        rr = (t - ss) % n
        row(q, rr, rr, ss, "invalid:signature", "s G = -t Q: infinity")
    for note, dd in (("Q = G", 1), ("Q = 2G", 2), ("Q = 3G", 3), ("Q = -2G", n - 2),
                     ("Q = G/2", (n + 1) // 2)):
        row(c.mul(dd), e, *c.sign(dd, k, e), "valid", note)
    qq = c.neg(c.g)  # whose private key is none, and signs nothing
    row(qq, e_for(qq, r, s), r, s, "valid", "Q = -G")

    sig, ee = c.sig(r, s), c.int(e)
    for note, point, status in bad_points(c, q):
        f.add("sm2_verify", point, ee, sig, "raw", "invalid:" + status, note=note)
    f.add("sm2_verify", c.point(ECDSA[0].g), ee, sig, "raw", "invalid:not_on_curve", note="G of P-256")
    for note, bad in (("no signature", b""), ("a byte short", sig[:-1]), ("a byte long", sig + b"\0"),
                      ("r alone", sig[:32])):
        f.add("sm2_verify", c.point(q), ee, bad, "raw", "invalid:length", note=note)
    for size in (0, 31, 33, 64):
        f.add("sm2_verify", c.point(q), bytes(size), sig, "raw", "invalid:length",
              note="e of %d bytes" % size)
    f.add("sm2_verify", c.point(q), ee, der_sig(r, s), "der", "valid")
    f.add("sm2_verify", c.point(q), ee, der_sig(r, s) + b"\0", "der", "invalid:der")
    f.add("sm2_verify", c.point(q), ee, der_sig(r + n, s), "der", "invalid:signature_range", note="r + n")


def sm2_cipher(f):
    c, n = SM2, SM2.n
    forms = ("c1c3c2", "c1c2c3", "der")
    turn = itertools.cycle(forms)

    def row(d, nonces, msg, note):
        """Each line goes through all three forms; one of them is spelled out."""
        q = c.mul(d)
        parts = c.encrypt(q, nonces, msg)
        form = next(turn)
        f.add("sm2_encrypt", form, c.point(q, True), b"".join(c.int(k) for k in nonces), msg, "valid",
              c.ciphertext(form, parts), note=note)
        form = next(turn)
        f.add("sm2_decrypt", form, c.int(d), c.ciphertext(form, parts), "valid", msg, note=note)

    d, k = rand("sm2 cipher d", n), rand("sm2 cipher k", n)
    q = c.mul(d)
    for size in (1, 2, 16, 30, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 257, 512):
        row(d, [k], rand_bytes("sm2 message %d" % size, size), "%d bytes" % size)
    row(d, [k], bytes(100), "zeros")
    row(d, [k], b"\xff" * 100, "all ones")
    row(d, [1], b"k = 1", "k = 1")
    row(d, [n - 1], b"k = n - 1", "k = n - 1")
    row(1, [k], b"Q = G", "Q = G")
    row(n - 2, [k], b"Q = -2G", "Q = -2G")
    row(d, [0, n, n + 1, 2**256 - 1, k], b"fifth", "four nonces out of range")

    # coordinates of C1 = k G and of k Q by value: walk over k
    wanted = {"x1": lambda a, b: a[0] < c.p >> 8, "y1": lambda a, b: a[1] < c.p >> 8, "x2": lambda a,
              b: b[0] < c.p >> 8,
              "y2": lambda a, b: b[1] < c.p >> 8, "x1 = 04..": lambda a, b: a[0] >> 248 == 4,
              "x1 = 00..7f.. (DER)": lambda a, b: a[0] >> 247 == 0,
              "no key stream of one byte": lambda a, b: not c.kdf(c.int(b[0]) + c.int(b[1]), 1)[0]}
    a, b, kk = c.mul(k), c.mul(k, q), k
    zero = None
    while wanted:
        a, b, kk = c.add(a, c.g), c.add(b, q), kk + 1
        for what in [x for x, test in wanted.items() if test(a, b)]:
            del wanted[what]
            if what.startswith("no key"):
                zero = kk
            else:
                row(d, [kk], b"coordinates by value", what + (" one byte short" if len(what) == 2 else ""))
    row(d, [zero, k], b"a", "the first nonce gives no key stream")
    row(d, [zero], b"ab", "its second byte does")
    for form in forms:
        f.add("sm2_encrypt", form, c.point(q), c.int(zero), b"a", "invalid:random", note="no nonce serves")
        f.add("sm2_encrypt", form, c.point(q), c.int(0) + c.int(n), b"ab", "invalid:random",
              note="no nonce in range")
        f.add("sm2_encrypt", form, c.point(q), c.int(k), b"", "invalid:message", note="no message")
        shared = c.mul(zero, q)
        c3 = digest_of("sm3", c.int(shared[0]) + b"a" + c.int(shared[1]))
        f.add("sm2_decrypt", form, c.int(d), c.ciphertext(form, (c.mul(zero), c3, b"a")), "invalid:decrypt",
              note="a key stream of zeros")
    for note, point, status in bad_points(c, q):
        f.add("sm2_encrypt", "c1c3c2", point, c.int(k), b"a", "invalid:" + status, note=note)

    # ciphertexts that are none
    msg = b"message of 24 bytes, yes"
    c1, c3, c2 = c.encrypt(q, [k], msg)
    raw = c.ciphertext("c1c3c2", (c1, c3, c2))
    bad = [("bit of byte %d" % i, raw[:i] + bytes([raw[i] ^ 1]) + raw[i + 1:],
            "point_form" if i == 0 else "not_on_curve" if i < 65 else "decrypt")
           for i in (0, 32, 64, 65, 96, 97, len(raw) - 1)]
    bad += [("cut to %d bytes" % i, raw[:i], "length") for i in (0, 1, 64, 65, 96, 97)]
    bad += [("cut to 98 bytes", raw[:98], "decrypt"), ("a byte short", raw[:-1], "decrypt"),
            ("a byte more", raw + b"\0", "decrypt"), ("without its form", raw[1:], "*"),
            ("form 02", b"\2" + raw[1:], "point_form"), ("form 06", b"\6" + raw[1:], "point_form"),
            ("infinity", b"\0" + raw[1:], "*"), ("x + p", b"\4" + b"\xff" * 32 + raw[33:], "coordinate"),
            ("y = p", raw[:33] + c.int(c.p) + raw[65:], "coordinate"),
            ("order of the other", c.ciphertext("c1c2c3", (c1, c3, c2)), "decrypt"),
            ("DER", c.ciphertext("der", (c1, c3, c2)), "*"),
            ("the key's negative", c.ciphertext("c1c3c2", (c.neg(c1), c3, c2)), "decrypt")]
    zeros = c.seal((0, 0), (0, 0), msg)
    bad.append(("C1 = (0, 0), with its hash and mask", b"\4" + bytes(64) + zeros[1] + zeros[2],
                "not_on_curve"))
    off = other_b(c, c.b + 1)
    shared = c.mul(d, off)  # the formulas do not use b
    made = c.seal(off, shared, msg)
    bad.append(("C1 on another curve, with its hash and mask", c.ciphertext("c1c3c2", made), "not_on_curve"))
    for note, ct, status in bad:
        f.add("sm2_decrypt", "c1c3c2", c.int(d), ct, "invalid:" + status, note=note)
    empty = digest_of("sm3", b"".join(c.int(v) for v in c.mul(k, q)))
    f.add("sm2_decrypt", "c1c3c2", c.int(d), c.point(c1) + empty, "invalid:*",
          note="of a message of no bytes")
    for dd in (0, n - 1, n, 2**256 - 1):
        f.add("sm2_decrypt", "c1c3c2", c.int(dd), raw, "invalid:private_key")
    f.add("sm2_decrypt", "c1c3c2", c.int(d + 1), raw, "invalid:decrypt", note="another key")
    x, y = (der_int(v) for v in c1)
    h, t = der_tlv(4, c3), der_tlv(4, c2)
    for note, body, status in (("C2 before C3", x + y + t + h, "*"),
                               ("hash of 31 bytes", x + y + der_tlv(4, c3[1:]) + t, "der"),
                               ("hash of 33 bytes", x + y + der_tlv(4, c3 + b"\0") + t, "der"),
                               ("no text", x + y + h, "der"), ("empty text", x + y + h + b"\4\0", "*"),
                               ("a byte behind", x + y + h + t + b"\0", "der"),
                               ("x with a zero in front", b"\2\x22\0\0" + c.int(c1[0]) + y + h + t, "der"),
                               ("x negative", b"\2\x20" + c.int(c1[0] | 1 << 255) + y + h + t, "der"),
                               ("x = p", der_int(c.p) + y + h + t, "*"),
                               ("x too long", der_int(c1[0] + (1 << 256)) + y + h + t, "*"),
                               ("y of another point", x + der_int(c1[1] ^ 1) + h + t, "not_on_curve"),
                               ("a bit of the hash", x + y + der_tlv(4, xor(c3, b"\1" + bytes(31))) + t,
                                "decrypt"),
                               ("a bit of the text", x + y + h + der_tlv(4, xor(c2, b"\1" + bytes(23))),
                                "decrypt")):
        f.add("sm2_decrypt", "der", c.int(d), der_tlv(0x30, body), "invalid:" + status, note=note)
    good = der_tlv(0x30, x + y + h + t)
    for cut in (0, 1, 2, 36, 40, len(good) - 1):
        f.add("sm2_decrypt", "der", c.int(d), good[:cut], "invalid:der", note="cut to %d bytes" % cut)
    f.add("sm2_decrypt", "der", c.int(d), good + b"\0", "invalid:der", note="a byte behind")
    f.add("sm2_decrypt", "der", c.int(d), b"\x30\x81" + good[1:], "invalid:der", note="long length")


def sm2_exchange(f):
    c, n = SM2, SM2.n
    da, ra, db, rb = (rand("sm2 exchange " + x, n) for x in ("da", "ra", "db", "rb"))

    def row(da, ra, ida, db, rb, idb, size, note):
        pa, pb, ea, eb = (c.mul(x) for x in (da, db, ra, rb))
        for side, d, r, own, q, eph, peer in (("A", da, ra, ida, pb, eb, idb),
                                              ("B", db, rb, idb, pa, ea, ida)):
            key = c.exchange(side == "A", d, r, own, q, eph, peer, size)
            if side == "A":
                first = key
            assert key[0] == first[0] and (side == "A" or key[1:] == first[:0:-1])
            f.add("sm2_exchange", side, c.int(d), c.int(r), own, c.point(q), c.point(eph, True), peer,
                  "valid", *key,
                  note=note)

    a, b = b"Alice", b"Bob"
    for size in (1, 16, 31, 32, 33, 64, 100):
        row(da, ra, a, db, rb, b, size, "%d bytes" % size)
    row(da, ra, DEFAULT_ID, db, rb, DEFAULT_ID, 32, "default IDs, spelled out")
    row(da, ra, b"", db, rb, b"", 32, "empty IDs")
    row(da, ra, a, da, rb, a, 32, "both sides have one key")
    row(da, ra, a, db, ra, b, 32, "both sides have one ephemeral key")
    row(da, da, a, db, db, b, 32, "ephemeral keys are the keys")
    row(1, 1, a, 1, 1, b, 32, "keys of 1")
    row(n - 2, n - 2, a, n - 2, n - 2, b, 32, "keys of n - 2")
    for what, i in (("x", 0), ("y", 1)):
        rr, point = rb, c.mul(rb)
        while point[i] >= c.p >> 8:
            rr, point = rr + 1, c.add(point, c.g)
        row(da, ra, a, db, rr, b, 32, what + " of an ephemeral key one byte short")
    q, eph = c.mul(db), c.mul(rb)
    key = c.exchange(True, da, ra, DEFAULT_ID, q, eph, DEFAULT_ID, 32)
    f.add("sm2_exchange", "A", c.int(da), c.int(ra), "default", c.point(q), c.point(eph), "default", "valid",
          *key,
          note="default IDs")
    # x with bits of the lower half by value: x mod 2^127 is what counts
    for note, xs in (("lower half of x zero, or next", range(1 << 200, 1 << 201)),
                     ("lower half of x ones, or next", range((1 << 200) - 1, 0, -1)),
                     ("bit 127 of x alone, or next", range((1 << 200) + (1 << 127), 1 << 201))):
        e2 = c.lift(first_x(c, xs))
        key = c.exchange(True, da, ra, a, q, e2, b, 32)
        f.add("sm2_exchange", "A", c.int(da), c.int(ra), a, c.point(q), c.point(e2), b, "valid", *key,
              note=note)
    # the peer's points add to nothing; the own scalar is zero
    half = (1 << 127) + (eph[0] & ((1 << 127) - 1))
    gone = c.neg(c.mul(half, eph))
    assert c.exchange(True, da, ra, a, gone, eph, b, 32) is None
    for side in "AB":
        f.add("sm2_exchange", side, c.int(da), c.int(ra), a, c.point(gone), c.point(eph), b,
              "invalid:infinity",
              note="P + x R is infinite")
    own = c.mul(ra)[0]
    zero = -((1 << 127) + (own & ((1 << 127) - 1))) * ra % n
    assert c.exchange(True, zero, ra, a, q, eph, b, 32) is None
    f.add("sm2_exchange", "A", c.int(zero), c.int(ra), a, c.point(q), c.point(eph), b, "invalid:infinity",
          note="d + x r = 0")
    for x in (0, n - 1, n, 2**256 - 1):
        f.add("sm2_exchange", "A", c.int(x), c.int(ra), a, c.point(q), c.point(eph), b, "invalid:private_key",
              note="d")
        f.add("sm2_exchange", "B", c.int(da), c.int(x), a, c.point(q), c.point(eph), b, "invalid:private_key",
              note="r")
    f.add("sm2_exchange", "A", c.int(da), c.int(ra), "61*8192", c.point(q), c.point(eph), b, "invalid:id")
    f.add("sm2_exchange", "A", c.int(da), c.int(ra), a, c.point(q), c.point(eph), "61*8192", "invalid:id")
    for note, point, status in bad_points(c, q)[::3]:
        f.add("sm2_exchange", "A", c.int(da), c.int(ra), a, point, c.point(eph), b, "invalid:" + status,
              note=note)
        f.add("sm2_exchange", "B", c.int(da), c.int(ra), a, c.point(q), point, b, "invalid:" + status,
              note=note + ", ephemeral")


# --- RSA ---

# What to add to the start that a label gives, for a prime of so many bits.
PRIMES = {
    ("p 2048", 1024): 1843,
    ("q 2048", 1024): 1973,
    ("p 2048, e = 3", 1024): 533,
    ("q 2048, e = 3", 1024): 1155,
    ("p 2047", 1024): 21,
    ("q 2047", 1023): 309,
    ("p 2041", 1021): 2425,
    ("q 2041", 1020): 463,
    ("p 2049", 1025): 1251,
    ("q 2049", 1024): 541,
    ("p uneven", 1536): 509,
    ("q uneven", 600): 175,
    ("p short", 521): 151,
    ("q long", 1600): 635,
    ("p full e", 1024): 1193,
    ("q full e", 1024): 1909,
    ("p 3072", 1536): 55,
    ("q 3072", 1536): 109,
    ("p 1024", 512): 111,
    ("q 1024", 512): 371,
    ("p 1025", 513): 93,
    ("q 1025", 512): 137,
    ("p n = 1", 1024): 783,
}


def prime_start(label, bits):
    return (rand(label, 1 << bits) | 3 << (bits - 2)) & ~1


def prime(label, bits):
    return checked_prime(prime_start(label, bits) + PRIMES[label, bits])


def checked_prime(p):
    assert pow(3, p - 1, p) == 1
    return p


def rsa_key_list():
    """(name, key): moduli of all shapes."""
    e65 = (1 << 64) + 13

    def key(label, bits, e, order=0):
        p, q = (prime("%s %s" % (x, label), b) for x, b in zip("pq", bits))
        if order and (p < q) == (order > 0):
            p, q = q, p
        return RSA.of_primes(p, q, e)

    ones = [checked_prime((1 << 1024) - (1 << 18) + 49), checked_prime((1 << 1024) - (1 << 19) + 423)]
    zeros = [checked_prime((3 << 1022) + i) for i in (1697, 1037)]
    p = prime("p n = 1", 1024)
    start = prime_start("q n = 1", 1024) >> 128 << 128
    q = checked_prime(start + pow(p, -1, 1 << 128) + (251 << 128))
    return [
        ("2048", key("2048", (1024, 1024), 65537, 1)),
        ("2048_e3", key("2048, e = 3", (1024, 1024), 3, -1)),  # p < q
        ("2047", key("2047", (1024, 1023), 65537)),
        ("2041", key("2041", (1021, 1020), 65537)),
        ("2049", key("2049", (1025, 1024), e65)),
        ("uneven", key("uneven", (1536, 600), 65537)),
        ("uneven_q", RSA.of_primes(prime("p short", 521), prime("q long", 1600), 17)),
        ("full_e", key("full e", (1024, 1024), rand("full e", 1 << 2040) | 1 << 2039 | 1)),
        ("ones", RSA.of_primes(*ones, 65537)),
        ("zeros", RSA.of_primes(*zeros, 65537)),
        ("n1", RSA.of_primes(p, q, 65537)),
        ("3072", key("3072", (1536, 1536), 65537)),
    ]


def private_words(key, d=None):
    dp, dq, qinv = key.crt()
    return [number(x) for x in (key.n, key.e, key.d if d is None else d, key.p, key.q, dp, dq, qinv)]


def rsa_keys(f, keys):
    """Key lines: the good ones, then those that do not fit together."""
    for name, key in keys:
        f.add("rsa_private", name, *private_words(key), "valid")
        if name in ("2048", "2041", "2047", "2049", "uneven", "uneven_q", "full_e", "ones"):
            f.add("rsa_public", name + ".public", number(key.n), number(key.e), "valid")
    for name in ("2048", "2041", "2049", "full_e", "uneven"):
        key = dict(keys)[name]
        f.add("rsa_private", name + ".d", number(key.n), number(key.e), number(key.d), *[b""] * 5, "valid",
              note="without primes")
    key = dict(keys)["2048"]
    phi = (key.p - 1) * (key.q - 1)
    d = pow(key.e, -1, phi)
    lcm = phi // 2 if phi // 2 % (key.p - 1) == 0 and phi // 2 % (key.q - 1) == 0 else phi // 4
    d = d if d >= lcm else d + lcm
    assert d < key.n and d != key.d
    f.add("rsa_private", "2048.phi", *private_words(key, d), "valid", note="d mod (p - 1)(q - 1), not lcm")
    zeros = [b"\0\0\0" + x for x in private_words(key)]
    f.add("rsa_private", "-", *zeros, "valid", note="zeros in front")
    n, e, d_lcm, p, q, dp, dq, qinv = private_words(key)
    f.add("rsa_private", "-", n, e, b"", p, q, b"", b"", b"", "valid", note="the primes alone")
    f.add("rsa_private", "-", n, e, b"", q, p, b"", b"", b"", "valid", note="the primes alone, swapped")

    def bad(note, status, **changes):
        """The key with changes; the numbers that these have nothing to do with are not given."""
        words = dict(zip(("n", "e", "d", "p", "q", "dp", "dq", "qinv"), private_words(key)))
        for part in {"d", "dp", "dq", "qinv"} - set(changes):
            words[part] = b""
        words.update({k: v if isinstance(v, bytes) else number(v) or b"\0" for k, v in changes.items()})
        f.add("rsa_private", "-", *words.values(), "invalid:" + status, note=note)

    ints = {k: int.from_bytes(v, "big") for k,
            v in zip(("n", "e", "d", "p", "q", "dp", "dq", "qinv"), private_words(key))}
    for part in ("d", "p", "q", "dp", "dq", "qinv"):
        for delta in (1, 2) if part == "d" else (1,):
            bad("%s %+d" % (part, delta), "private_key", **{part: ints[part] + delta})
        bad(part + " = 0", "private_key", **{part: 0})
    bad("n + 2", "*", n=ints["n"] + 2)
    bad("p and q swapped, not the rest", "private_key", p=q, q=p, dp=dp, dq=dq, qinv=qinv)
    bad("dp and dq swapped", "private_key", dp=dq, dq=dp)
    bad("p = n, q = 1", "private_key", p=n, q=1)
    bad("p = 1, q = n", "private_key", p=1, q=n)
    bad("p alone", "*", q=b"", d=d_lcm)
    bad("q alone", "*", p=b"", d=d_lcm)
    bad("d + n", "private_key", d=ints["d"] + key.n)
    bad("another e", "private_key", e=3, d=d_lcm)
    factor = next(e for e in itertools.count(3, 2) if (key.p - 1) % e == 0 or (key.q - 1) % e == 0)
    bad("an e that divides p - 1 or q - 1", "private_key", e=factor)
    bad("neither d nor primes", "*", p=b"", q=b"")
    bad("e even", "*", e=65536)
    bad("e = 1", "*", e=1)
    f.add("rsa_private", "-", n, e, number(ints["d"] + 2), *[b""] * 5, "invalid:private_key",
          note="without primes, d + 2")
    f.add("rsa_private", "-", n, e, b"\1", *[b""] * 5, "invalid:private_key", note="without primes, d = 1")
    f.add("rsa_private", "-", n, e, n, *[b""] * 5, "invalid:private_key", note="without primes, d = n")

    for note, nn, ee, status in (
        ("even modulus", key.n + 1, 65537, "public_key"), ("e = 0", key.n, 0, "public_key"),
        ("e = 1", key.n, 1, "public_key"), ("e = 2", key.n, 2, "public_key"),
                                 ("e = 65536", key.n, 65536, "public_key"),
        ("e = 2^64", key.n, 1 << 64, "public_key"), ("e = n", key.n, key.n, "public_key"),
        ("e = n + 2", key.n, key.n + 2, "public_key"),
                                 ("e longer than n", key.n, (1 << 2112) + 1, "public_key"),
        ("n = 0", 0, 65537, "key_size"), ("n = 1", 1, 65537, "key_size"),
                                 ("1023 bits", (1 << 1023) - 1, 65537, "key_size"),
        ("16385 bits", (1 << 16384) + 1, 65537, "key_size"),
                                 ("n = 3 p", 3 * prime("p 2048", 1024), 65537, "public_key"),
        ("n = 751 p", 751 * prime("p 2048", 1024), 65537, "public_key"),
    ):
        f.add("rsa_public", "-", number(nn) or b"\0", number(ee) or b"\0", "invalid:" + status, note=note)
    f.add("rsa_public", "-", n, number(key.n - 2), "valid", note="e = n - 2")
    f.add("rsa_public", "-", bytes(10) + n, bytes(300) + e, "valid", note="zeros in front")
    f.add("rsa_public", "-", n, number(0x010000_01), "valid", note="e = 01000001: odd at the right end")


def rsa_raw(f, keys):
    for name, key in keys:
        k, n = key.bytes, key.n
        r = rand("raw " + name, n)
        ms = [("random", r), ("p times", key.p * (r % (key.q - 1) + 1)),
              ("q times", key.q * (r % (key.p - 1) + 1)), ("n - 1", n - 1), ("2", 2),
              ("2^(bits - 1)", 1 << (key.bits - 1)),
              ("m mod p = 1, m mod q = q - 1", key.q - 1 + key.q * ((2 - key.q) * key.crt()[2] % key.p))]
        ms = ms if name == "2048" else ms[:2] + ms[-1:]
        for note, m in ms:
            out = key.private(m)
            assert key.public(out) == m
            f.add("rsa_raw", name, "private", number(m, k), "valid", number(out, k), note=note)
            if note in ("random", "p times") and name in ("2048", "2041", "2049", "full_e", "uneven"):
                f.add("rsa_raw", name + ".d", "private", number(m, k), "valid", number(out, k), note=note)
        if name in ("2041", "2049", "full_e", "ones"):
            f.add("rsa_raw", name + ".public", "public", number(r, k), "valid", number(key.public(r), k),
                  note="random")
    name, key = keys[0]
    k, n = key.bytes, key.n
    for m in (0, 1):
        for side, who in (("private", name), ("private", name + ".d"), ("public", name + ".public")):
            f.add("rsa_raw", who, side, number(m, k), "valid", number(m, k))
    for side in ("private", "public"):
        for note, m in (("n", n), ("n + 1", n + 1), ("all ones", 256**k - 1)):
            f.add("rsa_raw", name, side, number(m, k), "invalid:value", note=note)
        for note, m in (("a byte short", bytes(k - 1)), ("a byte more", bytes(k + 1)), ("nothing", b"")):
            f.add("rsa_raw", name, side, m, "invalid:length", note=note)
    f.add("rsa_raw", "2049.public", "public", bytes(256), "invalid:length", note="256 bytes for 2049 bits")
    for name, key in keys:
        if name in ("2048", "2048_e3", "uneven", "ones"):
            f.add("rsa_fault", name, number(key.crt()[0] + 1), number(2, key.bytes))


def rsa_small():
    return [("1024", RSA.of_primes(prime("p 1024", 512), prime("q 1024", 512), 3)),
            ("1025", RSA.of_primes(prime("p 1025", 513), prime("q 1025", 512), 65537))]


def rsa_signatures(f, keys):
    def sign(name, key, hash_name, digest, note=""):
        f.add("rsa_sign", name, hash_name, digest, "valid", key.sign(key.pkcs1(hash_name, digest)), note=note)

    named = dict(keys)
    for hash_name in HASHES:
        digest = digest_of(hash_name, b"message")
        for name in ("2048", "2041", "2049"):
            sign(name, named[name], hash_name, digest)
    for name, key in keys[4:]:
        sign(name, key, "sha256", digest_of("sha256", name.encode()))
    digest = digest_of("sha256", b"message")
    sign("2048.d", named["2048"], "sha256", digest, "without primes")
    f.add("rsa_sign", "2048", "default", digest, "valid",
          named["2048"].sign(named["2048"].pkcs1("sha256", digest)),
          note="the default is SHA-256")
    for size in (0, 31, 33, 48):
        f.add("rsa_sign", "2048", "sha256", bytes(size), "invalid:length", note="%d bytes" % size)

    for name, key in rsa_small():
        f.add("rsa_public", name, number(key.n), number(key.e), "valid")
        f.add("rsa_private", "-", *private_words(key), "invalid:key_size")
    name, key = rsa_small()[0]
    em = key.pkcs1("sha256", digest)
    sig = key.sign(em)
    k = key.bytes
    oid, info = HASHES["sha256"][2], em[em.index(b"\0", 2) + 1:]
    octets = der_tlv(4, digest)

    def padded(data, fill=None, start=b"\0\1", end=b"\0"):
        fill = b"\xff" * (k - len(start) - len(end) - len(data)) if fill is None else fill
        return (start + fill + end + data).ljust(k, b"\0")

    def algorithm(body):
        return der_tlv(0x30, der_tlv(0x30, body) + octets)

    assert padded(info) == em
    rows = [
        ("no NULL", padded(algorithm(oid))), ("NULL with a byte", padded(algorithm(oid + b"\5\1\0"))),
        ("two NULLs", padded(algorithm(oid + b"\5\0\5\0"))),
            ("parameters that are no NULL", padded(algorithm(oid + b"\4\0"))),
        ("data in the parameters", padded(algorithm(oid + b"\5\x0a" + bytes(10)))),
        ("data behind, short padding", padded(info + bytes(k - 11 - len(info)), b"\xff" * 8)),
        ("data behind", padded(info + b"\0")), ("padding of 8 bytes, the rest random",
                                                padded(info + rand_bytes("rest", k - 11 - len(info)),
                                                       b"\xff" * 8)),
        ("no padding", padded(info + bytes(k - 3 - len(info)), b"")),
        ("a padding byte fe", em[:20] + b"\xfe" + em[21:]), ("a padding byte 00", em[:20] + b"\0" + em[21:]),
        ("the last padding byte 7f", em[:k - len(info) - 2] + b"\x7f" + em[k - len(info) - 1:]),
        ("block type 0", padded(info, start=b"\0\0")), ("block type 2", padded(info, start=b"\0\2")),
        ("first byte 1", b"\1" + em[1:]), ("no zero behind the padding", padded(info, end=b"\xff")),
        ("two zeros behind the padding", padded(b"\0" + info)), ("the digest alone", padded(digest)),
        ("an OCTET STRING alone", padded(octets)),
            ("OID of SHA-384", padded(der_tlv(0x30, der_tlv(0x30, HASHES["sha384"][2] + b"\5\0") + octets))),
        ("OID of SM3", padded(der_tlv(0x30, der_tlv(0x30, HASHES["sm3"][2] + b"\5\0") + octets))),
        ("long length of the sequence", padded(b"\x30\x81" + info[1:])),
        ("long length of the digest",
         padded(der_tlv(0x30, der_tlv(0x30, oid + b"\5\0") + b"\4\x81\x20" + digest))),
        ("indefinite length", padded(b"\x30\x80" + info[2:] + b"\0\0")),
        ("digest of 31 bytes", padded(der_tlv(0x30, der_tlv(0x30, oid + b"\5\0") + der_tlv(4, digest[:31])))),
        ("digest of 33 bytes",
         padded(der_tlv(0x30, der_tlv(0x30, oid + b"\5\0") + der_tlv(4, digest + b"\0")))),
        ("digest with a bit changed", em[:-1] + bytes([em[-1] ^ 1])), ("zeros", bytes(k)),
            ("one", number(1, k)),
    ]
    f.add("rsa_verify", name, "sha256", digest, sig, "valid")
    f.add("rsa_verify", name, "default", digest, sig, "valid")
    for note, bad in rows:
        f.add("rsa_verify", name, "sha256", digest, key.sign(bad), "invalid:signature", note=note)
    # e = 3, a longer modulus: the cube root of a number that begins like an encoding with padding of 8 bytes
    size = named["3072"].bytes
    start = b"\0\1" + b"\xff" * 8 + b"\0" + info
    root = number(cube_root(int.from_bytes(start.ljust(size, b"\xff"), "big")), size)
    assert number(int.from_bytes(root, "big") ** 3, size).startswith(start)
    f.add("rsa_public", "3072.e3", number(named["3072"].n), b"\3", "valid")
    f.add("rsa_verify", "3072.e3", "sha256", digest, root, "invalid:signature", note="a cube root")
    for hash_name in ("sm3", "sha384", "sha512"):
        f.add("rsa_verify", name, hash_name, bytes(HASHES[hash_name][0]), sig, "invalid:signature",
              note="another hash")
    s = int.from_bytes(sig, "big")
    f.add("rsa_verify", name, "sha256", digest, number(key.n - s, k), "invalid:signature", note="n - s")
    for note, bad in (("n", key.n), ("all ones", 256**k - 1), ("s + n", s + key.n)):
        f.add("rsa_verify", name, "sha256", digest, number(bad, max(k, (bad.bit_length() + 7) // 8)),
              "invalid:signature_range" if bad < 256**k else "invalid:length", note=note)
    for note, bad in (("a byte short", sig[:-1]), ("a zero in front", b"\0" + sig),
                      ("a zero behind", sig + b"\0"), ("nothing", b"")):
        f.add("rsa_verify", name, "sha256", digest, bad, "invalid:length", note=note)
    f.add("rsa_verify", name, "sha256", digest[1:], sig, "invalid:length", note="digest of 31 bytes")
    name, key = rsa_small()[1]
    f.add("rsa_verify", name, "sha256", digest, key.sign(key.pkcs1("sha256", digest)), "valid",
          note="1025 bits")


def cube_root(v):
    low, high = 0, 1 << (v.bit_length() // 3 + 2)
    while low < high - 1:
        mid = (low + high) // 2
        low, high = (mid, high) if mid**3 <= v else (low, mid)
    return low


def rsa_pss(f, keys):
    named = dict(keys)

    def sign(name, hash_name, mgf, size, note=""):
        key = named[name.split(".")[0]]
        digest, salt = digest_of(hash_name, b"message"), rand_bytes("salt %s %d" % (name, size), size)
        em = key.pss(hash_name, mgf, salt, digest)
        f.add("rsa_sign_pss", name, hash_name, mgf, salt, digest,
              *(["valid", key.sign(em.rjust(key.bytes, b"\0"))] if em else
                                                                   ["invalid:salt"]), note=note
              or "salt of %d bytes" % size)

    for hash_name, (size, _, _) in HASHES.items():
        sign("2048", hash_name, hash_name, size)
    for size in (0, 1, 20, 190, 222, 223):
        sign("2048", "sha256", "sha256", size)
    sign("2048", "sha256", "sha512", 32, "MGF1 with another hash")
    sign("2048", "sha512", "sm3", 0, "MGF1 with another hash")
    sign("2048.d", "sha256", "sha256", 32, "without primes")
    for name, most in (("2041", 221), ("2047", 222), ("2049", 222)):
        for size in (0, 32, most):
            sign(name, "sha256", "sha256", size)
        sign(name, "sha256", "sha256", most + 1)
    sign("2041", "sha512", "sha512", 189)
    sign("2041", "sha512", "sha512", 190)
    sign("3072", "sha384", "sha384", 48)
    sign("uneven_q", "sha256", "sha256", 32)

    for name, key in rsa_small():
        digest, salt = digest_of("sha256", b"message"), rand_bytes("salt", 20)
        size = (key.bits + 6) // 8
        em = key.pss("sha256", "sha256", salt, digest)

        def sig(em):
            return key.sign(em.rjust(key.bytes, b"\0"))

        def line(em, result, note, length="20", mgf="sha256"):
            f.add("rsa_verify_pss", name, "sha256", mgf, length, digest, sig(em), result, note=note)

        def made(db, h=None, mgf="sha256"):
            """An encoding with this DB."""
            h = h or digest_of("sha256", bytes(8) + digest + salt)
            masked = xor(db, mgf1(mgf, h, len(db)))
            return bytes([masked[0] & 0xff >> (8 * size - key.bits + 1)]) + masked[1:] + h + b"\xbc"

        room = size - 32 - 1
        db = bytes(room - 21) + b"\1" + salt
        assert made(db) == em
        for length in ("20", "any"):
            line(em, "valid", "salt of 20 bytes", length)
        for length in ("digest", "max", "0", "19", "21", "32"):
            line(em, "invalid:signature", "salt of 20 bytes", length)
        line(em, "invalid:*", "more than there is room for", "300")
        line(em, "invalid:*", "more than there is room for", "65556")
        line(key.pss("sha256", "sha256", salt[:room - 1].ljust(room - 1, b"s"), digest), "valid",
             "all the room", "max")
        line(key.pss("sha256", "sha256", b"", digest), "valid", "no salt", "0")
        line(em[:-1] + b"\xbd", "invalid:signature", "trailer bd")
        line(em[:-1] + b"\xcc", "invalid:signature", "trailer cc")
        line(em[:-2] + bytes([em[-2] ^ 1]) + em[-1:], "invalid:signature", "a bit of H")
        line(made(bytes(room - 21) + b"\2" + salt), "invalid:signature", "02 before the salt")
        line(made(bytes(room - 21) + b"\0" + salt), "invalid:signature", "00 before the salt")
        line(made(bytes(5) + b"\1" + bytes(room - 27) + b"\1" + salt), "invalid:signature",
             "01 within the padding")
        line(made(bytes(5) + b"\1" + bytes(room - 27) + b"\1" + salt), "invalid:signature",
             "01 within the padding", "any")
        line(made(b"\1" + bytes(room - 22) + b"\1" + salt), "invalid:signature", "padding begins with 01")
        line(made(bytes(room)), "invalid:signature", "nothing but padding", "any")
        line(made(db, mgf="sha384"), "invalid:signature", "another MGF")
        line(made(db), "invalid:signature", "another MGF asked for", mgf="sha512")
        line(made(db, digest_of("sha256", digest + salt)), "invalid:signature", "H without its zeros")
        line(bytes(size - 1) + b"\xbc", "invalid:signature", "zeros and the trailer")
        if key.bits % 8 == 1:  # a byte above the encoding
            tries = (key.pss("sha256", "sha256", rand_bytes("salt %d" % i, 20), digest)
                     for i in itertools.count())
            line(next(b"\1" + x for x in tries if int.from_bytes(b"\1" + x, "big") < key.n),
                 "invalid:signature",
                 "the byte above the encoding")
        else:
            line(bytes([em[0] | 0x80]) + em[1:], "invalid:signature", "the bit above the encoding") if \
                int.from_bytes(bytes([em[0] | 0x80]) + em[1:], "big") < key.n else None
        value = int.from_bytes(sig(em), "big")
        f.add("rsa_verify_pss", name, "sha256", "default", "20", digest, number(value, key.bytes), "valid",
              note="the default MGF hash is the hash")
        f.add("rsa_verify_pss", name, "sha256", "sha256", "20", digest, number(key.n - value, key.bytes),
              "invalid:signature",
              note="n - s")
        f.add("rsa_verify_pss", name, "sha256", "sha256", "20", digest, number(key.n, key.bytes),
              "invalid:signature_range",
              note="n")
        for bad in (sig(em)[1:], b"\0" + sig(em), b""):
            f.add("rsa_verify_pss", name, "sha256", "sha256", "20", digest, bad, "invalid:length")
        f.add("rsa_verify_pss", name, "sha512", "sha512", "digest", bytes(64), sig(em), "invalid:*",
              note="another hash")


def rsa_oaep(f, keys):
    named = dict(keys)

    def both(name, hash_name, mgf, label, msg, note):
        key, seed = named[name], rand_bytes("seed " + note, HASHES[hash_name][0])
        ct = key.encrypt(key.oaep(hash_name, mgf, label, msg, seed))
        f.add("rsa_encrypt_oaep", name + ".public", hash_name, mgf, label, msg, seed, "valid", ct, note=note)
        f.add("rsa_decrypt_oaep", name, hash_name, mgf, label, ct, "valid", msg, note=note)
        return ct

    key = named["2048"]
    for hash_name, (size, _, _) in HASHES.items():
        both("2048", hash_name, hash_name, b"", b"message", hash_name)
    for size in (0, 1, 189, 190):
        both("2048", "sha256", "sha256", b"", rand_bytes("oaep %d" % size, size), "%d bytes" % size)
    ct = both("2048", "sha256", "sha512", b"label", bytes(20), "a label, MGF1 with another hash")
    both("2048", "sha384", "sm3", bytes(1000), b"\0\1\0\1", "a long label")
    for name, most in (("2041", 190), ("2049", 191), ("uneven", 201)):
        both(name, "sha256", "sha256", b"", rand_bytes("oaep " + name, most), name)
    f.add("rsa_encrypt_oaep", "2048.public", "sha256", "sha256", b"", bytes(191), bytes(32),
          "invalid:message")
    f.add("rsa_encrypt_oaep", "2048.public", "sha512", "sha256", b"", bytes(127), bytes(64),
          "invalid:message")
    f.add("rsa_encrypt_oaep", "1024", "sha256", "sha256", b"", b"", bytes(32), "invalid:key_size")

    seed, msg, lhash = rand_bytes("oaep seed", 32), b"message", digest_of("sha256", b"")

    def bad(note, em, label=b"", hash_name="sha256", mgf="sha256"):
        f.add("rsa_decrypt_oaep", "2048", hash_name, mgf, label,
              em if len(em) != 256 or note == "ct" else key.encrypt(em),
              "invalid:decrypt", note=note)

    def em(**changes):
        return key.oaep("sha256", "sha256", b"", msg, seed, **changes)

    good = em()
    bad("first byte 1", em(first=b"\1"))
    bad("first byte 80", em(first=b"\x80"))
    bad("another label", good, label=b"x")
    bad("a bit of the label's hash", em(hash_of_label=bytes([lhash[0] ^ 0x80]) + lhash[1:]))
    bad("the last bit of the label's hash", em(hash_of_label=lhash[:-1] + bytes([lhash[-1] ^ 1])))
    bad("02 before the message", em(separator=b"\2"))
    bad("ff before the message", em(separator=b"\xff"))
    bad("no 01 anywhere", key.oaep("sha256", "sha256", b"", b"", seed, separator=b"\0"))
    bad("81 before the message", em(separator=b"\x81"))
    bad("another hash", good, hash_name="sm3")
    bad("another hash and its length", good, hash_name="sha512", mgf="sha512")
    bad("another MGF", good, mgf="sha384")
    bad("a bit of the seed", good[:1] + bytes([good[1] ^ 1]) + good[2:])
    bad("a bit of the message", good[:-1] + bytes([good[-1] ^ 1]), label=b"y")
    bad("zeros", bytes(256))
    bad("one", number(1, 256))
    for note, c in (("n", key.n), ("n + 1", key.n + 1), ("c + n", int.from_bytes(ct, "big") + key.n),
                    ("all ones", 256**256 - 1)):
        f.add("rsa_decrypt_oaep", "2048", "sha256", "sha256", b"", number(c),
              "invalid:" + ("value" if c < 256**256 else "length"),
              note=note)
    for note, c in (("a byte short", ct[1:]), ("a zero in front", b"\0" + ct), ("nothing", b"")):
        f.add("rsa_decrypt_oaep", "2048", "sha256", "sha256", b"", c, "invalid:length", note=note)


def rsa_pkcs1(f, keys):
    named = dict(keys)

    def line(names, key, em, note):
        ct = key.encrypt(em)
        msg = key.pkcs1_message(ct)
        for name in names:
            f.add("rsa_decrypt_pkcs1", name, ct, "valid", msg, note=note + (", its %d bytes" % len(msg)))

    def padded(k, msg, start=b"\0\2"):
        fill = bytes(1 + x % 255 for x in rand_bytes("fill %d" % len(msg), k - 3 - len(msg)))
        return start + fill + b"\0" + msg

    key, k = named["2048"], 256
    for size in (0, 1, 48, 244, 245):
        line(["2048"], key, padded(k, rand_bytes("pkcs1 %d" % size, size)), "%d bytes" % size)
    line(["2048"], key, padded(k, bytes(20)), "zeros")
    good = padded(k, b"message")
    rows = [("first byte 1", b"\1" + good[1:]), ("block type 1", b"\0\1" + good[2:]),
            ("block type 0", b"\0\0" + good[2:]),
            ("block type 3", b"\0\3" + good[2:]),
            ("a zero first in the padding", good[:2] + b"\0" + good[3:]),
            ("a zero at byte 8 of the padding", good[:9] + b"\0" + good[10:]),
            ("a zero at byte 7 of the padding", good[:8] + b"\0" + good[9:]),
            ("no zero", good[:2] + good[2:].replace(b"\0", b"\7")),
            ("zeros", bytes(k)), ("one", number(1, k)), ("two in front", b"\2" + good[1:])]
    for note, em in rows:
        line(["2048", "2048.d"] if note in ("first byte 1", "no zero") else ["2048"], key, em, note)
    line(["2048"], key, good[:10] + b"\0" + good[11:], "a zero behind byte 8 of the padding")
    phi = RSA(key.n, key.e, d_of_line(f, "2048.phi"))
    line(["2048.phi"], phi, b"\0\1" + good[2:], "block type 1, d mod (p - 1)(q - 1)")
    for name in ("2041", "2047", "2049", "uneven_q"):
        other = named[name]
        line([name], other, padded(other.bytes, b"message"), "good")
        line([name], other, padded(other.bytes, b"message", b"\0\1"), "block type 1")
        f.add("rsa_encrypt_pkcs1", name + ".public", b"m" * (other.bytes - 10), "invalid:message")
        f.add("rsa_encrypt_pkcs1", name + ".public", b"m" * (other.bytes - 11), "valid")
    # lengths of what stands for a wrongly padded message: shortest, longest
    made = sorted((len(key.pkcs1_message(ct)), ct) for ct in (number(i, k) for i in range(2, 60)))
    for size, ct in (made[0], made[-1]):
        f.add("rsa_decrypt_pkcs1", "2048", ct, "valid", key.pkcs1_message(ct), note="%d bytes" % size)
    ct = key.encrypt(good)
    for note, c in (("n", key.n), ("n + 1", key.n + 1), ("c + n", int.from_bytes(ct, "big") + key.n)):
        f.add("rsa_decrypt_pkcs1", "2048", number(c), "invalid:" + ("value" if c < 256**k else "length"),
              note=note)
    for note, c in (("a byte short", ct[1:]), ("a zero in front", b"\0" + ct), ("nothing", b"")):
        f.add("rsa_decrypt_pkcs1", "2048", c, "invalid:length", note=note)


def d_of_line(f, name):
    """d of a private key that stands in the file."""
    words = next(x for x in (line.split(" ") for line in f.out) if x[:2] == ["rsa_private", name])
    return int(words[4], 16)


def rsa(f):
    keys = rsa_key_list()
    rsa_keys(f, keys)
    rsa_raw(f, keys)
    rsa_signatures(f, keys)
    rsa_pss(f, keys)
    rsa_oaep(f, keys)
    rsa_pkcs1(f, keys)


# --- keys in DER and PEM ---

EC_OID = bytes.fromhex("06072a8648ce3d0201")
CURVE_OIDS = {"p256": "06082a8648ce3d030107", "p384": "06052b81040022", "p521": "06052b81040023",
              "sm2": "06082a811ccf5501822d"}
RSA_ALGORITHM = der_tlv(0x30, bytes.fromhex("06092a864886f70d010101") + b"\5\0")


def pem_text(label, der, width=64):
    text = base64.b64encode(der).decode()
    lines = [text[i:i + width] for i in range(0, len(text), width)]
    return ("-----BEGIN %s-----\n%s\n-----END %s-----\n" % (label, "\n".join(lines), label)).encode()


def key_files(f):
    ders = {}
    for c in CURVES:
        d = rand(c.name + " key", c.n)
        q, oid = c.mul(d), bytes.fromhex(CURVE_OIDS[c.name])
        most = c.n - (2 if c.name == "sm2" else 1)

        def spki(point, oid=oid, unused=b"\0"):
            return der_tlv(0x30, der_tlv(0x30, EC_OID + oid) + der_tlv(3, unused + point))

        def sec1(d, point, params):
            return der_tlv(0x30, b"\2\1\1" + der_tlv(4, d) + (der_tlv(0xa0, params) if params else b"") +
                           (der_tlv(0xa1, der_tlv(3, b"\0" + point)) if point else b""))

        def pkcs8(d, point, params=b"", oid=oid):
            return der_tlv(0x30, b"\2\1\0" + der_tlv(0x30, EC_OID + oid) + der_tlv(4, sec1(d, point, params)))

        def public(der, verdict, note, point=None):
            f.add("ec_key", c.name, "public", der, verdict, *([point] if point else []), note=note)

        def private(der, verdict, note, key=None):
            f.add("ec_key", c.name, "private", der, verdict, *([key] if key else []), note=note)

        full, short, db = c.point(q), c.point(q, True), c.int(d)
        public(spki(full), "valid", "", full)
        public(spki(short), "valid", "compressed", full)
        public(spki(full) + b"\0", "invalid:der", "a byte behind")
        public(spki(full)[:-1], "invalid:der", "cut")
        public(spki(full, unused=b"\1"), "invalid:der", "bits that are not used")
        public(b"\x30\x82\0" + spki(full)[-len(spki(full)) + 1:], "invalid:der", "longer length")
        public(spki(c.point((q[0], (q[1] + 1) % c.p))), "invalid:not_on_curve", "y + 1")
        public(spki(b"\0"), "invalid:*", "infinity")
        other = CURVES[(CURVES.index(c) + 1) % len(CURVES)]
        public(spki(full, bytes.fromhex(CURVE_OIDS[other.name])), "invalid:algorithm", "another curve's name")
        public(spki(full, b"\5\0"), "invalid:*", "no curve's name")
        for params in (b"", oid):
            for point in (b"", full):
                private(pkcs8(db, point, params), "valid", "", db)
        private(sec1(db, full, oid), "valid", "SEC 1", db)
        private(pkcs8(c.int(most), b""), "valid", "largest", c.int(most))
        for note, x in (("0", 0), ("one above the largest", most + 1), ("n", c.n),
                        ("all ones", 256**c.bytes - 1)):
            private(pkcs8(c.int(x), b""), "invalid:private_key", note)
            private(sec1(c.int(x), b"", oid), "invalid:private_key", note + ", SEC 1")
        private(pkcs8(db, c.point(c.neg(q))), "invalid:public_key", "-Q")
        private(pkcs8(db, c.point(c.neg(q), True)), "invalid:*", "-Q, compressed")
        private(pkcs8(db[1:], full), "invalid:*", "a byte short")
        private(pkcs8(b"\0" + db, full), "invalid:*", "a byte long")
        private(pkcs8(db, full) + b"\0", "invalid:der", "a byte behind")
        private(pkcs8(db, full)[:-1], "invalid:der", "cut")
        private(pkcs8(db, full, oid=bytes.fromhex(CURVE_OIDS[other.name])), "invalid:*",
                "another curve's name")
        private(spki(full), "invalid:*", "a public key")
        public(pkcs8(db, full), "invalid:*", "a private key")
        ders[c.name] = spki(full), pkcs8(db, full), sec1(db, full, oid)

    name, key = rsa_key_list()[0]
    numbers = private_words(key)
    ints = [int.from_bytes(x, "big") for x in numbers]
    pkcs1_public = der_tlv(0x30, der_int(key.n) + der_int(key.e))

    def pkcs1(values, version=0):
        return der_tlv(0x30, der_int(version) + b"".join(der_int(x) for x in values))

    def wrapped(body, version=0):
        return der_tlv(0x30, der_int(version) + RSA_ALGORITHM + der_tlv(4, body))

    def rsa_spki(body, algorithm=RSA_ALGORITHM):
        return der_tlv(0x30, algorithm + der_tlv(3, b"\0" + body))

    good = pkcs1(ints)
    f.add("rsa_der", name, "private", good, "valid", note="PKCS#1")
    f.add("rsa_der", name, "private", wrapped(good), "valid", note="PKCS#8")
    f.add("rsa_der", name + ".public", "public", pkcs1_public, "valid", note="PKCS#1")
    f.add("rsa_der", name + ".public", "public", rsa_spki(pkcs1_public), "valid", note="SubjectPublicKeyInfo")
    f.add("rsa_raw", name, "private", number(2, 256), "valid", number(key.private(2), 256))
    f.add("rsa_raw", name + ".public", "public", number(2, 256), "valid", number(key.public(2), 256))
    for note, body, status in (("dp + 1", pkcs1(ints[:5] + [ints[5] + 1] + ints[6:]), "private_key"),
                               ("two numbers short", pkcs1(ints[:6]), "der"),
                               ("a number more", pkcs1(ints + [1]), "der"),
                               ("version 1", pkcs1(ints, 1), "*"), ("a byte behind", good + b"\0", "der")):
        f.add("rsa_der", "-", "private", body, "invalid:" + status, note=note)
        f.add("rsa_der", "-", "private", wrapped(body), "invalid:" + status, note=note + ", PKCS#8")
    negative = der_tlv(0x30, der_tlv(2, number(key.n)) + der_int(key.e))
    pss = der_tlv(0x30, bytes.fromhex("06092a864886f70d01010a"))
    for note, body, status in (("n negative", rsa_spki(negative), "der"),
                               ("n even", rsa_spki(der_tlv(0x30, der_int(key.n + 1) + der_int(3))),
                                "public_key"),
                               ("e = 0", rsa_spki(der_tlv(0x30, der_int(key.n) + b"\2\1\0")), "public_key"),
                               ("PSS alone", rsa_spki(pkcs1_public, pss), "algorithm"),
                               ("a byte behind", rsa_spki(pkcs1_public) + b"\0", "der"),
                               ("an EC key", ders["p256"][0], "algorithm"),
                               ("1023 bits", rsa_spki(der_tlv(0x30, der_int((1 << 1023) - 1) + der_int(3))),
                                "key_size")):
        f.add("rsa_der", "-", "public", body, "invalid:" + status, note=note)
    f.add("ec_key", "p256", "public", rsa_spki(pkcs1_public), "invalid:algorithm", note="an RSA key")

    spki, pkcs8, sec1 = ders["sm2"]
    params = pem_text("EC PARAMETERS", bytes.fromhex(CURVE_OIDS["sm2"]))
    for note, text, der in (("", pem_text("PUBLIC KEY", spki), spki),
                            ("", pem_text("PRIVATE KEY", pkcs8), pkcs8),
                            ("", pem_text("EC PRIVATE KEY", sec1), sec1),
                            ("", pem_text("RSA PRIVATE KEY", good), good),
                            ("", pem_text("RSA PUBLIC KEY", pkcs1_public), pkcs1_public),
                            ("behind EC PARAMETERS", params + pem_text("EC PRIVATE KEY", sec1), sec1),
                            ("text around", b"A key:\n" + pem_text("PUBLIC KEY",
                                                                   spki) + b"and that was it.\n", spki),
                            ("the first of two", pem_text("PUBLIC KEY", spki) + pem_text("PRIVATE KEY",
                                                                                         pkcs8), spki)):
        f.add("pem", text, "valid", der, note=note)
    text = pem_text("PUBLIC KEY", spki)
    for note, bad, status in (("nothing", b"", "pem"), ("no key", params, "pem"),
                              ("no end", text[:-26], "pem"),
                              ("another end", text[:-26] + b"-----END PRIVATE KEY-----\n", "pem"),
                              ("a character that is none", text[:40] + b"!" + text[41:], "pem"),
                              ("= within", text[:40] + b"=" + text[41:], "pem"),
                              ("a character short", text[:40] + text[41:], "pem"),
                              ("encrypted", pem_text("ENCRYPTED PRIVATE KEY", pkcs8), "encrypted")):
        f.add("pem", bad, "invalid:" + status, note=note)


def build():
    files = {}
    for name, curves, parts in (("ecdsa", ECDSA, (ecdsa_verify, ecdsa_sign)), ("points", CURVES, (points,)),
                                ("ecdh", CURVES, (ecdh,)),
                                ("der", CURVES, (der,))):
        files[name] = Lines(name)
        for c in curves:
            for part in parts:
                part(c, files[name])
    files["field"] = Lines("field")
    for c in CURVES:
        field(c.name, c.p, files["field"])
        field(c.name + "n", c.n, files["field"])
    for name, parts in (("mont", (mont,)), ("hash", (hashes,)),
                        ("sm2", (sm2_sign, sm2_verify, sm2_cipher, sm2_exchange)),
                        ("rsa", (rsa,)), ("key", (key_files,))):
        files[name] = Lines(name)
        for part in parts:
            part(files[name])
    return {name + ".txt": f.text() for name, f in files.items()}


def main():
    files = build()
    if sys.argv[1:] == ["--check"]:
        failed = 0
        for name in sorted(set(files) | set(os.listdir(OWN))):
            path = os.path.join(OWN, name)
            same = name in files and os.path.exists(path) and open(path).read() == files[name]
            print("%-12s %s" % (name, "as generated" if same else "DIFFERS"))
            failed += not same
        print("%d passed, %d failed" % (len(files) - failed, failed))
        return failed != 0
    os.makedirs(OWN, exist_ok=True)
    for name, text in files.items():
        with open(os.path.join(OWN, name), "w") as f:
            f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
