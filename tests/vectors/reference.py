"""Slow arithmetic on the curves, ECDSA, RFC 6979, SM3, SM2, RSA and the line writer of the vector files.

Nothing here is constant time or fast; it is short, so that it can be read. The curves come from params.py.
"""

import hashlib
import hmac
import math
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


def der_tlv(tag, body):
    """A DER element."""
    n = len(body)
    size = bytes([n]) if n < 128 else bytes([0x80 + (n.bit_length() + 7) // 8]) + number(n)
    return bytes([tag]) + size + body


def der_int(v):
    return der_tlv(2, v.to_bytes(v.bit_length() // 8 + 1, "big"))


def der_sig(r, s):
    return der_tlv(0x30, der_int(r) + der_int(s))


def number(v, size=None):
    """Big-endian bytes: as many as it takes, or size."""
    return v.to_bytes((v.bit_length() + 7) // 8 if size is None else size, "big")


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


# --- hashes ---


def sm3(data):
    """GB/T 32905."""
    mask = 0xffffffff

    def rol(x, n):
        n %= 32
        return (x << n | x >> (32 - n)) & mask

    v = [0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e]
    padded = data + b"\x80" + bytes(-(len(data) + 9) % 64) + number(8 * len(data), 8)
    for at in range(0, len(padded), 64):
        w = [int.from_bytes(padded[i:i + 4], "big") for i in range(at, at + 64, 4)]
        for j in range(16, 68):
            x = w[j - 16] ^ w[j - 9] ^ rol(w[j - 3], 15)
            w.append(x ^ rol(x, 15) ^ rol(x, 23) ^ rol(w[j - 13], 7) ^ w[j - 6])
        a, b, c, d, e, f, g, h = v
        for j in range(64):
            first = j < 16
            ss1 = rol((rol(a, 12) + e + rol(0x79cc4519 if first else 0x7a879d8a, j)) & mask, 7)
            ff = a ^ b ^ c if first else (a & b) | (a & c) | (b & c)
            gg = e ^ f ^ g if first else (e & f) | (~e & g)
            tt1 = (ff + d + (ss1 ^ rol(a, 12)) + (w[j] ^ w[j + 4])) & mask
            tt2 = (gg + h + ss1 + w[j]) & mask
            a, b, c, d = tt1, a, rol(b, 9), c
            e, f, g, h = tt2 ^ rol(tt2, 9) ^ rol(tt2, 17), e, rol(f, 19), g
        v = [x ^ y for x, y in zip(v, (a, b, c, d, e, f, g, h))]
    return b"".join(number(x, 4) for x in v)


# Bytes of the digest, of the block, and DER of the object identifier (RFC 8017 appendix B.1; GB/T 33560).
HASHES = {
    "sha256": (32, 64, bytes.fromhex("0609608648016503040201")),
    "sha384": (48, 128, bytes.fromhex("0609608648016503040202")),
    "sha512": (64, 128, bytes.fromhex("0609608648016503040203")),
    "sm3": (32, 64, bytes.fromhex("06082a811ccf55018311")),
}


def digest_of(name, data):
    return sm3(data) if name == "sm3" else hashlib.new(name, data).digest()


def hmac_of(name, key, data):
    """FIPS 198-1."""
    block = HASHES[name][1]
    key = (digest_of(name, key) if len(key) > block else key).ljust(block, b"\0")
    inner = digest_of(name, xor(key, b"\x36" * block) + data)
    return digest_of(name, xor(key, b"\x5c" * block) + inner)


# --- SM2 (GB/T 32918) ---

DEFAULT_ID = b"1234567812345678"


class SM2(Curve):

    def __init__(self):
        super().__init__("sm2")

    def z(self, q, ident=DEFAULT_ID):
        xs = (self.p - 3, self.b, *self.g, *q)
        return sm3(number(8 * len(ident), 2) + ident + b"".join(self.int(x) for x in xs))

    def e(self, q, msg, ident=DEFAULT_ID):
        return sm3(self.z(q, ident) + msg)

    def sign(self, d, k, e):
        """(r, s) of part 2, or None where a signer has to take another nonce."""
        if not 0 < k < self.n:
            return None
        r = (e + self.mul(k)[0]) % self.n
        if r == 0 or r + k == self.n:
            return None
        s = pow(1 + d, -1, self.n) * (k - r * d) % self.n
        return (r, s) if s else None

    def verify(self, q, e, r, s):
        t = (r + s) % self.n
        if not (0 < r < self.n and 0 < s < self.n and t):
            return False
        a = self.add(self.mul(s), self.mul(t, q))
        return a is not None and (e + a[0]) % self.n == r

    @staticmethod
    def kdf(data, size):
        blocks = (sm3(data + number(i, 4)) for i in range(1, size // 32 + 2))
        return b"".join(blocks)[:size]

    def seal(self, c1, shared, msg):
        """(C1, C3, C2) for the shared point; None if the key stream is zero."""
        x2, y2 = (self.int(v) for v in shared)
        t = self.kdf(x2 + y2, len(msg))
        return (c1, sm3(x2 + msg + y2), xor(msg, t)) if any(t) else None

    def encrypt(self, q, nonces, msg):
        """(C1, C3, C2) of part 4 with the first nonce that serves; None if none does."""
        for k in nonces:
            out = 0 < k < self.n and self.seal(self.mul(k), self.mul(k, q), msg)
            if out:
                return out
        return None

    def ciphertext(self, form, parts):
        c1, c3, c2 = parts
        if form == "der":
            return der_tlv(0x30, der_int(c1[0]) + der_int(c1[1]) + der_tlv(4, c3) + der_tlv(4, c2))
        return self.point(c1) + (c3 + c2 if form == "c1c3c2" else c2 + c3)

    def exchange(self, initiator, d, r, ident, q, eph, peer_id, size):
        """(key, what to send, what to expect) of part 3 for one side; None where the point is infinite."""
        own_q, own_eph = self.mul(d), self.mul(r)

        def bar(x):
            return (1 << 127) + (x & ((1 << 127) - 1))

        peer = self.add(q, self.mul(bar(eph[0]), eph))
        u = peer and self.mul(d + bar(own_eph[0]) * r, peer)
        if u is None:
            return None
        ids = self.z(own_q, ident), self.z(q, peer_id)
        ephs = own_eph, eph
        if not initiator:
            ids, ephs = ids[::-1], ephs[::-1]
        x, y = (self.int(v) for v in u)
        inner = sm3(x + ids[0] + ids[1] + b"".join(self.int(v) for point in ephs for v in point))
        confirm = [sm3(tag + y + inner) for tag in (b"\3", b"\2")]  # of the initiator, of the responder
        if not initiator:
            confirm.reverse()
        return (self.kdf(x + y + ids[0] + ids[1], size), *confirm)


REFERENCE["sm2"] = SM2()

# --- RSA (RFC 8017) ---


class RSA:
    """A key: of n and e, with d and perhaps the primes."""

    def __init__(self, n, e, d=None, p=None, q=None):
        self.n, self.e, self.d, self.p, self.q = n, e, d, p, q
        self.bits, self.bytes = n.bit_length(), (n.bit_length() + 7) // 8

    @classmethod
    def of_primes(cls, p, q, e):
        lcm = (p - 1) * (q - 1) // math.gcd(p - 1, q - 1)
        return cls(p * q, e, pow(e, -1, lcm), p, q)

    def crt(self):
        return self.d % (self.p - 1), self.d % (self.q - 1), pow(self.q, -1, self.p)

    def public(self, m):
        return pow(m, self.e, self.n)

    def private(self, c):
        if self.p is None:
            return pow(c, self.d, self.n)
        dp, dq, qinv = self.crt()
        a, b = pow(c, dp, self.p), pow(c, dq, self.q)
        return b + self.q * ((a - b) * qinv % self.p)

    def sign(self, em):
        """The signature whose encoded message is em."""
        return number(self.private(int.from_bytes(em, "big")), self.bytes)

    def encrypt(self, em):
        return number(self.public(int.from_bytes(em, "big")), self.bytes)

    def pkcs1(self, name, digest):
        """EMSA-PKCS1-v1_5 (section 9.2)."""
        info = der_tlv(0x30, der_tlv(0x30, HASHES[name][2] + b"\5\0") + der_tlv(4, digest))
        return b"\0\1" + b"\xff" * (self.bytes - 3 - len(info)) + b"\0" + info

    def pss(self, name, mgf, salt, digest):
        """EMSA-PSS-ENCODE (section 9.1.1); None if there is no room."""
        bits = self.bits - 1
        size = (bits + 7) // 8
        if size < len(digest) + len(salt) + 2:
            return None
        h = digest_of(name, bytes(8) + digest + salt)
        db = bytes(size - len(salt) - len(h) - 2) + b"\1" + salt
        masked = xor(db, mgf1(mgf, h, len(db)))
        return bytes([masked[0] & 0xff >> (8 * size - bits)]) + masked[1:] + h + b"\xbc"

    def pss_salt(self, name, mgf, sig, digest):
        """The salt of a signature; None if it is not right."""
        bits, size = self.bits - 1, (self.bits + 6) // 8
        em = number(self.public(int.from_bytes(sig, "big")), self.bytes)[-size:]
        h = em[-len(digest) - 1:-1]
        db = bytearray(xor(em, mgf1(mgf, h, size - len(h) - 1)))
        db[0] &= 0xff >> (8 * size - bits)
        salt = bytes(db).lstrip(b"\0")[1:]
        return salt if self.pss(name, mgf, salt, digest) == em else None

    def oaep(self, name, mgf, label, msg, seed, first=b"\0", hash_of_label=None, separator=b"\1"):
        """EME-OAEP encoding (section 7.1.1); None if there is no room."""
        h = hash_of_label or digest_of(name, label)
        fill = self.bytes - len(msg) - 2 * len(h) - 2
        if fill < 0:
            return None
        db = h + bytes(fill) + separator + msg
        db = xor(db, mgf1(mgf, seed, len(db)))
        return first + xor(seed, mgf1(mgf, db, len(seed))) + db

    def pkcs1_message(self, c):
        """What decryption with implicit rejection (draft-irtf-cfrg-rsa-guidance) gives."""
        k = self.bytes
        em = number(self.private(int.from_bytes(c, "big")), k)
        end = em.find(b"\0", 2)
        if em[:2] == b"\0\2" and end >= 10:
            return em[end + 1:]
        key = hmac_of("sha256", digest_of("sha256", number(self.d, k)), c)

        def prf(label, size):
            blocks = (hmac_of("sha256", key, number(i, 2) + label + number(8 * size, 2))
                      for i in range(size // 32 + 1))
            return b"".join(blocks)[:size]

        size, most = 0, k - 10
        lengths = prf(b"length", 256)
        for i in range(0, 256, 2):
            length = int.from_bytes(lengths[i:i + 2], "big") & ((1 << most.bit_length()) - 1)
            size = length if length < most else size
        return prf(b"message", k)[k - size:]


def mgf1(name, seed, size):
    blocks = (digest_of(name, seed + number(i, 4)) for i in range(size // HASHES[name][0] + 1))
    return b"".join(blocks)[:size]


def word(v):
    """One field of a line."""
    if isinstance(v, bytes):
        return v.hex() or "-"
    return "%x" % v if isinstance(v, int) else v
