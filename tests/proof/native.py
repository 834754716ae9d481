"""Runs functions of an object file on this CPU."""
import ctypes
import mmap
import elf
import lanes
from x86 import R_X86_64_PC32

NEEDS = {"mulx": "bmi2", "adcx": "adx", "adox": "adx", "vpmadd52luq": "avx512ifma", "vpmadd52huq": "avx512ifma", "vpshufb": "avx512bw"}


def lacks(ops):
    """The CPU features (as /proc/cpuinfo has them) that these opcodes need and this CPU has not."""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as f:
        flags = next((line.split() for line in f if line.startswith("flags")), [])
    return sorted({NEEDS.get(op, "avx512f" if op in lanes.FORMS else "fpu") for op in ops} - set(flags))


class Loaded:
    """An object's .text and .rodata in memory that may be executed."""

    def __init__(self, path):
        with open(path, "rb") as f:
            obj = elf.Object(f.read())
        parts = [i for i, s in enumerate(obj.sections) if s.name in (".text", ".rodata")]
        image, at = bytearray(), {}
        for i in parts:
            image += bytes(-len(image) % 64)
            at[i] = len(image)
            image += obj.sections[i].data
        for r in obj.relocations:
            if r.section in at:
                if r.type != R_X86_64_PC32 or r.symbol.section not in at:
                    raise ValueError(f"{path}: a relocation that is not understood")
                where = at[r.section] + r.offset
                value = at[r.symbol.section] + r.symbol.value + r.addend - where
                image[where:where + 4] = value.to_bytes(4, "little", signed=True)
        self.memory = mmap.mmap(-1, max(len(image), 1), prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self.memory.write(bytes(image))
        base = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        self.addresses = {name: base + at[s.section] + s.value for name, s in obj.functions().items() if s.section in at}

    def call(self, name, *buffers):
        ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(buffers))(self.addresses[name])(*(b.address for b in buffers))


class Words:
    """Words in memory, from an address that is a multiple of 64."""

    def __init__(self, words):
        self.bytes = (ctypes.c_char * (8 * len(words) + 64))()
        self.address = ctypes.addressof(self.bytes) + 63 & -64
        self.words = (ctypes.c_uint64 * len(words)).from_address(self.address)
        self.words[:] = words
