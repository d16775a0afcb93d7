# SPDX-License-Identifier: Apache-2.0
"""Makes an object file of a shared library, for static programs: Debian has SLEEF as a shared library only, and of its source
package only the description.

    python3 tools/static_object.py LIBRARY.so PREFIX OUTPUT.s     # then: cc -c OUTPUT.s

A shared library is position-independent code and tables at fixed distances, and a list of words (relocations) into which the
dynamic linker writes addresses. OUTPUT.s holds the library's memory as it stands, those words as references that the static
linker resolves, and the exported functions whose names begin with PREFIX. The memory is read-only: functions that write to
the library's own variables do not work, nor do its constructors. So it is for libraries of pure functions.

64-bit little-endian ELF of x86-64 and aarch64; everything else is an error.
"""

import struct
import sys

PT_LOAD, SHT_RELA, SHT_DYNSYM, STB_WEAK = 1, 4, 11, 2
# What the dynamic linker writes: the base address plus a number, or the address of a symbol plus a number.
RELATIVE = {8, 1027}  # R_X86_64_RELATIVE, R_AARCH64_RELATIVE
SYMBOL = {1, 6, 7, 257, 1025, 1026}  # ..._64 and ..._ABS64, ..._GLOB_DAT, ..._JUMP_SLOT
PAGE = 0x10000  # aarch64's code addresses tables by pages
BASE = "static_object_base"


class Library:
    """What the file says of its memory, symbols and relocations."""

    def __init__(self, path):
        self.data = open(path, "rb").read()
        if self.data[:6] != b"\x7fELF\x02\x01":
            sys.exit(f"{path}: not a 64-bit little-endian ELF file")
        self.programHeaders = self.table("<2I6Q", 0x20, 0x36)
        self.sections = self.table("<2I4Q2I2Q", 0x28, 0x3A)

    def table(self, layout, offsetAt, sizesAt):
        (offset,) = struct.unpack_from("<Q", self.data, offsetAt)
        size, count = struct.unpack_from("<2H", self.data, sizesAt)
        return [struct.unpack_from(layout, self.data, offset + i * size) for i in range(count)]

    def memory(self):
        """All segments as one block, from address 0."""
        loads = [header for header in self.programHeaders if header[0] == PT_LOAD]
        memory = bytearray(max(address + size for _, _, _, address, _, _, size, _ in loads))
        for _, _, offset, address, _, inFile, _, _ in loads:
            memory[address : address + inFile] = self.data[offset : offset + inFile]
        return bytes(memory)

    def symbols(self):
        """Name, whether it may be missing (weak), and address, None if it is in another library, of each symbol."""
        found = []
        for _, kind, _, _, offset, size, link, *_ in self.sections:
            if kind != SHT_DYNSYM:
                continue
            names = self.sections[link][4]
            for at in range(offset, offset + size, 24):
                name, info, _, section, value, _ = struct.unpack_from("<IBBHQQ", self.data, at)
                end = self.data.index(b"\0", names + name)
                found.append((self.data[names + name : end].decode(), info >> 4 == STB_WEAK, value if section else None))
        return found

    def relocations(self):
        """Address, type, number of the symbol, and addend."""
        for _, kind, _, _, offset, size, *_ in self.sections:
            if kind == SHT_RELA:
                for address, info, addend in struct.iter_unpack("<2Qq", self.data[offset : offset + size]):
                    yield address, info & 0xFFFFFFFF, info >> 32, addend


def words(library, symbols):
    """The words that hold addresses: where, and as the assembler writes them."""
    for address, kind, symbol, addend in library.relocations():
        if kind in RELATIVE:
            yield address, f"{BASE} + {addend}"
            continue
        if kind not in SYMBOL:
            sys.exit(f"a relocation of type {kind} at {address:#x}, expected one of {sorted(RELATIVE | SYMBOL)}")
        name, isWeak, value = symbols[symbol]
        if value is not None:
            yield address, f"{BASE} + {value + addend}"
        elif isWeak:
            yield address, "0"  # what only constructors and the dynamic linker call
        else:
            yield address, f"{name} + {addend}"


def write(library, symbols, addresses, prefix, out):
    memory = library.memory()
    print(f'.section .text.static_object,"ax"\n.balign {PAGE}\n{BASE}:', file=out)
    at = 0
    for address, word in addresses:
        writeBytes(memory[at:address], out)
        print(f".quad {word}", file=out)
        at = address + 8
    writeBytes(memory[at:], out)
    for name, _, value in symbols:
        if value is not None and name.startswith(prefix):
            print(f".globl {name}\n.type {name}, %function\n.set {name}, {BASE} + {value}", file=out)
    print('.section .note.GNU-stack,"",%progbits', file=out)


def writeBytes(data, out):
    for at in range(0, len(data), 64):
        print(".byte " + ",".join(map(str, data[at : at + 64])), file=out)


def main(path, prefix, output):
    library = Library(path)
    symbols = library.symbols()
    addresses = sorted(words(library, symbols))
    with open(output, "w") as out:
        write(library, symbols, addresses, prefix, out)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
