# SPDX-License-Identifier: Apache-2.0
"""libruntime.so and the other names under which programs link what libascendcl.so has.

Each is a library of its own, with a soname equal to its file name: tools look at both, and a program that was linked to libruntime.so asks
for that. A second copy of the functions would be a second door to Python, so the file is a filter (DT_FILTER): it lists the functions for
the linker, and the system takes them from libascendcl.so, which lies beside it. It has no code but a trap that nobody reaches, and is
written without a compiler.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import accumulate

from aclimb.binary.elf import EM_AARCH64, EM_X86_64, HEADER, SECTION, SHN_UNDEF, STB_GLOBAL, STT_FUNC, SYMBOL, Elf

_PROGRAM = struct.Struct("<IIQQQQQQ")
_ET_DYN, _PAGE = 3, 0x10000  # pages of aarch64 may have 64 KiB
_PT_LOAD, _PT_DYNAMIC, _PT_GNU_STACK = 1, 2, 0x6474E551
_R_X, _RW = 5, 6
_NEEDED, _HASH, _STRTAB, _SYMTAB, _STRSZ, _SYMENT, _SONAME, _RUNPATH, _FILTER = 1, 4, 5, 6, 10, 11, 14, 29, 0x7FFFFFFF
_TRAPS = {EM_X86_64: bytes.fromhex("0f0b"), EM_AARCH64: bytes.fromhex("000020d4")}
# Name, type, flags, the section it refers to, bytes of an entry.
_SECTIONS = ((".hash", 5, 2, 2, 4), (".dynsym", 11, 2, 3, SYMBOL.size), (".dynstr", 3, 2, 0, 0), (".text", 1, 6, 0, 0),
             (".dynamic", 6, 3, 3, 16), (".shstrtab", 3, 0, 0, 0))  # fmt: skip
_TEXT, _DYNAMIC = 4, 5  # of these; number 0 is nothing
_START = HEADER.size + 4 * _PROGRAM.size


def write(soname: str, real: str, library: bytes) -> bytes:
    """The file `soname`, whose functions are those of `library`; that one is found under its soname `real`, in the same folder."""
    file = Elf(library)
    functions = [each.name for each in file.dynamic_symbols if each.type == STT_FUNC and each.section != SHN_UNDEF]
    strings, at = _strings(["", soname, real, "$ORIGIN", *functions])
    trap = _TRAPS[file.machine]
    sizes = [4 * (2 + 2 * (len(functions) + 1)), SYMBOL.size * (len(functions) + 1), len(strings), len(trap)]
    hashed, symbols_at, strings_at, trap_at = _places(_START, sizes)
    symbol = [SYMBOL.pack(name, STB_GLOBAL << 4 | STT_FUNC, 0, _TEXT, trap_at, len(trap)) for name in at[4:]]
    entries = [(_SONAME, at[1]), (_NEEDED, at[2]), (_FILTER, at[2]), (_RUNPATH, at[3]), (_HASH, hashed), (_SYMTAB, symbols_at),
               (_STRTAB, strings_at), (_STRSZ, len(strings)), (_SYMENT, SYMBOL.size), (0, 0)]  # fmt: skip
    dynamic = b"".join(struct.pack("<QQ", *each) for each in entries)
    names, name_at = _strings(["", *(name for name, *_ in _SECTIONS)])
    return _file(file.machine, [_hash_table(functions), bytes(SYMBOL.size) + b"".join(symbol), strings, trap, dynamic, names], name_at)


def _strings(texts: Sequence[str]) -> tuple[bytes, list[int]]:
    """A table of strings, and where each begins."""
    parts = [text.encode() + b"\0" for text in texts]
    return b"".join(parts), [0, *accumulate(map(len, parts))][:-1]


def _places(start: int, sizes: Sequence[int]) -> list[int]:
    """Where pieces of these sizes begin, one behind the other, at multiples of 16."""
    found = []
    for size in sizes:
        start += -start % 16
        found.append(start)
        start += size
    return found


def _hash_table(functions: Sequence[str]) -> bytes:
    """Of the symbols behind the empty one: a bucket for each, and chains."""
    count = len(functions) + 1
    buckets, chains = [0] * count, [0] * count
    for number, name in enumerate(functions, 1):
        bucket = _hash(name) % count
        buckets[bucket], chains[number] = number, buckets[bucket]
    return struct.pack(f"<{2 + 2 * count}I", count, count, *buckets, *chains)


def _hash(name: str) -> int:
    value = 0
    for byte in name.encode():
        value = (value << 4) + byte
        value = (value ^ (value & 0xF0000000) >> 24) & 0x0FFFFFFF
    return value


def _file(machine: int, pieces: Sequence[bytes], name_at: Sequence[int]) -> bytes:
    offsets = _places(_START, [len(piece) for piece in pieces])
    at, size = offsets[_DYNAMIC - 1], len(pieces[_DYNAMIC - 1])
    end = offsets[_TEXT - 1] + len(pieces[_TEXT - 1])
    # The loader writes into the dynamic section, so in memory it lies a page behind the rest.
    programs = [(_PT_LOAD, _R_X, 0, 0, 0, end, end, _PAGE), (_PT_LOAD, _RW, at, at + _PAGE, at + _PAGE, size, size, _PAGE),
                (_PT_DYNAMIC, _RW, at, at + _PAGE, at + _PAGE, size, size, 8), (_PT_GNU_STACK, _RW, 0, 0, 0, 0, 0, 16)]  # fmt: skip
    rows = [bytes(SECTION.size)]
    for number, (_, kind, flags, link, entry) in enumerate(_SECTIONS, 1):
        offset = offsets[number - 1]
        address = (offset + _PAGE if number == _DYNAMIC else offset) if flags else 0
        one_local = int(entry == SYMBOL.size)  # of the symbols, the empty one
        rows.append(SECTION.pack(name_at[number], kind, flags, address, offset, len(pieces[number - 1]), link, one_local, 16, entry))
    (table,) = _places(offsets[-1] + len(pieces[-1]), [0])
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    out = bytearray(HEADER.pack(ident, _ET_DYN, machine, 1, 0, HEADER.size, table, 0, HEADER.size, _PROGRAM.size, len(programs),
                                SECTION.size, len(rows), len(_SECTIONS)))  # fmt: skip
    out += b"".join(_PROGRAM.pack(*each) for each in programs)
    for offset, piece in zip([*offsets, table], [*pieces, b"".join(rows)], strict=True):
        out += bytes(offset - len(out)) + piece
    return bytes(out)
