"""Reads an ELF64 relocatable object: the bytes of its sections, its functions and relocations."""
import struct
from collections import namedtuple

Section = namedtuple("Section", "name type flags offset size link info entsize data")
Symbol = namedtuple("Symbol", "name kind section value size")
Relocation = namedtuple("Relocation", "section offset type symbol addend")
SYMTAB, RELA, NOBITS = 2, 4, 8
WRITE, EXECUTE = 1, 4
FUNC, SECTION = 2, 3
X86_64, AARCH64 = 62, 183


def text(table, at):
    return table[at:table.index(b"\0", at)].decode()


class Object:
    def __init__(self, data):
        if data[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<HH", data, 16)[0] != 1:
            raise ValueError("not a relocatable ELF64 object, least significant byte first")
        self.machine, = struct.unpack_from("<H", data, 18)
        offset, = struct.unpack_from("<Q", data, 40)
        size, count, names = struct.unpack_from("<HHH", data, 58)
        heads = [struct.unpack_from("<IIQQQQIIQQ", data, offset + size * i) for i in range(count)]
        self.sections = [Section("", h[1], h[2], h[4], h[5], h[6], h[7], h[9], b"" if h[1] == NOBITS else data[h[4]:h[4] + h[5]])
                         for h in heads]
        table = self.sections[names].data
        self.sections = [s._replace(name=text(table, h[0])) for s, h in zip(self.sections, heads)]
        self.symbols, self.relocations = [], []
        for s in self.sections:
            if s.type == SYMTAB:
                for name, info, _, section, value, size in struct.iter_unpack("<IBBHQQ", s.data):
                    self.symbols.append(Symbol(text(self.sections[s.link].data, name), info & 15, section, value, size))
        for s in self.sections:
            if s.type == RELA:
                for at, info, addend in struct.iter_unpack("<QQq", s.data):
                    self.relocations.append(Relocation(s.info, at, info & 0xffffffff, self.symbols[info >> 32], addend))

    def functions(self):
        """{name: symbol} of the functions defined here."""
        return {s.name: s for s in self.symbols if s.kind == FUNC and 0 < s.section < len(self.sections)}
