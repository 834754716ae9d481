"""Slow affine arithmetic on the curves, ECDSA, RFC 6979 and the line writer of the vector files.

Nothing here is constant time or fast; it is short, so that it can be read. The curves come from params.py.
"""

import hashlib
import hmac
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "consts"))
from params import CURVES  # noqa: E402

# The names that published files have for the curves.
ALIASES = {
    "p256": ("secp256r1", "p-256", "prime256v1"),
    "p384": ("secp384r1", "p-384"),
    "p521": ("secp521r1", "p-521"),
    "sm2": ("sm2p256v1", "curvesm2"),
}


class Curve:
    """Points are pairs of numbers, infinity is None."""

    def __init__(self, name):
        c = CURVES[name]
        self.name, self.p, self.n, self.b = name, c.p, c.n, c.b
        self.g = (c.gx, c.gy)
        self.bytes = (c.p.bit_length() + 7) // 8
        self.doubles = {}  # of each point that was multiplied: a, 2a, 4a, ..

    def on_curve(self, x, y):
        return x < self.p and y < self.p and (y * y - (x * x * x - 3 * x + self.b)) % self.p == 0

    def neg(self, a):
        return a and (a[0], -a[1] % self.p)

    def add(self, a, b):
        if a is None or b is None:
            return a or b
        p = self.p
        if a[0] == b[0]:
            if (a[1] + b[1]) % p == 0:
                return None
            slope = (3 * a[0] * a[0] - 3) * pow(2 * a[1], -1, p) % p
        else:
            slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, p) % p
        x = (slope * slope - a[0] - b[0]) % p
        return x, (slope * (a[0] - x) - a[1]) % p

    def mul(self, k, a=None):
        a = self.g if a is None else a
        doubles = self.doubles.setdefault(a, [a])
        r = None
        for i, bit in enumerate(reversed(bin(k % self.n)[2:])):
            if i == len(doubles):
                doubles.append(self.add(doubles[-1], doubles[-1]))
            if bit == "1":
                r = self.add(r, doubles[i])
        return r

    def lift(self, x):
        """The point with this x and an even y, or None."""
        y = sqrt(self.p, (x * x * x - 3 * x + self.b) % self.p)
        return None if y is None else (x, y if y % 2 == 0 else self.p - y)

    def int(self, v, size=None):
        return v.to_bytes(size or self.bytes, "big")

    def point(self, a, compressed=False):
        if compressed:
            return bytes([2 + a[1] % 2]) + self.int(a[0])
        return b"\4" + self.int(a[0]) + self.int(a[1])

    def digest(self, digest):
        """The leftmost bits of a digest, as a number (FIPS 186-5 section 6.4.1)."""
        e = int.from_bytes(digest, "big")
        return e >> max(0, 8 * len(digest) - self.n.bit_length())

    def sign(self, d, k, e):
        """(r, s), or None where a signer has to take another nonce."""
        if not 0 < k < self.n:
            return None
        r = self.mul(k)[0] % self.n
        s = pow(k, -1, self.n) * (e + r * d) % self.n
        return (r, s) if r and s else None

    def verify(self, q, e, r, s):
        if not (0 < r < self.n and 0 < s < self.n):
            return False
        w = pow(s, -1, self.n)
        a = self.add(self.mul(e * w), self.mul(r * w, q))
        return a is not None and a[0] % self.n == r

    def sig(self, r, s):
        return self.int(r) + self.int(s)

    def rfc6979(self, d, digest, hash_name):
        """The nonce of RFC 6979 section 3.2."""
        qlen = self.n.bit_length()

        def mac(key, data):
            return hmac.new(key, data, hash_name).digest()

        h1 = self.int(d) + self.int(self.digest(digest) % self.n)
        size = hashlib.new(hash_name).digest_size
        v, key = b"\1" * size, b"\0" * size
        for tag in b"\0", b"\1":
            key = mac(key, v + tag + h1)
            v = mac(key, v)
        while True:
            t = b""
            while 8 * len(t) < qlen:
                v = mac(key, v)
                t += v
            k = int.from_bytes(t, "big") >> (8 * len(t) - qlen)
            if 0 < k < self.n:
                return k
            key = mac(key, v + b"\0")
            v = mac(key, v)


REFERENCE = {name: Curve(name) for name in CURVES}


def curve_token(name):
    """The curve's name in a vector line, or None for a curve that the library has not."""
    name = name.lower()
    return next((t for t, names in ALIASES.items() if name == t or name in names), None)


def sqrt(p, a):
    """A square root modulo a prime (Tonelli and Shanks), or None."""
    a %= p
    if a == 0:
        return 0
    if pow(a, (p - 1) // 2, p) != 1:
        return None
    q, twos = p - 1, 0
    while q % 2 == 0:
        q, twos = q // 2, twos + 1
    z = next(z for z in range(2, 1000) if pow(z, (p - 1) // 2, p) == p - 1)
    c, t, r = pow(z, q, p), pow(a, q, p), pow(a, (q + 1) // 2, p)
    while t != 1:
        i, u = 0, t
        while u != 1:
            u, i = u * u % p, i + 1
        b = pow(c, 1 << (twos - i - 1), p)
        twos, c, t, r = i, b * b % p, t * b * b % p, r * b % p
    return r


def der_int(v):
    body = v.to_bytes(v.bit_length() // 8 + 1, "big")
    return b"\2" + bytes([len(body)]) + body


def der_sig(r, s):
    body = der_int(r) + der_int(s)
    head = bytes([len(body)]) if len(body) < 128 else bytes([0x81, len(body)])
    return b"\x30" + head + body


def word(v):
    """One field of a line."""
    if isinstance(v, bytes):
        return v.hex() or "-"
    return "%x" % v if isinstance(v, int) else v
