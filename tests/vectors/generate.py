#!/usr/bin/env python3
"""Writes tests/vectors/own/*.txt, edge cases in the line format that convert.py documents.

    generate.py             writes the files
    generate.py --check     exits 1 if a file is not what it would write

Numbers that look random come from SHA-256 of a label, so the files are the same everywhere.
"""

import hashlib
import os
import sys

from reference import REFERENCE, der_int, der_sig, sqrt, word

OWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "own")
ECDSA = [c for c in REFERENCE.values() if c.name != "sm2"]
CURVES = list(REFERENCE.values())


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

    def tlv(tag, body):
        head = bytes([len(body)]) if len(body) < 128 else bytes([0x81, len(body)])
        return bytes([tag]) + head + body

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
    bad(tlv(0x30, body + b"\0"), "a byte behind s")
    bad(tlv(0x30, body + b"\2\1\1"), "three integers")
    bad(tlv(0x30, ri), "r alone")
    bad(tlv(0x30, b""), "nothing inside")
    bad(tlv(0x31, body), "a set")
    bad(tlv(0x10, body), "not constructed")
    bad(tlv(0x70, body), "application tag")
    for tag in (0, 1, 3, 4, 0x0a, 0x22, 0x82):
        bad(tlv(0x30, bytes([tag]) + ri[1:] + si), "r with tag %02x" % tag)
        bad(tlv(0x30, ri + bytes([tag]) + si[1:]), "s with tag %02x" % tag)
    for note, i, other, front in (("r", r, si, True), ("s", s, ri, False)):
        raw = der_int(i)[2:]

        def both(x):
            return tlv(0x30, x + other if front else other + x)

        bad(both(tlv(2, b"\0" + raw)), note + " with a zero in front")
        bad(both(tlv(2, b"\0\0" + raw)), note + " with two zeros in front")
        bad(both(tlv(2, b"\xff" + raw)), note + " with ff in front")
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
        bad(both(tlv(2, neg)), note + " negative")
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
    files["mont"] = Lines("mont")
    mont(files["mont"])
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
