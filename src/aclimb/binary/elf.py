# SPDX-License-Identifier: Apache-2.0
"""A small ELF64 reader and writer: just the section, symbol and relocation tables.

The reader trusts nothing: every offset is checked against the file, and whatever is wrong is a MalformedElf with one
sentence.
"""

from __future__ import annotations

import struct
from functools import cached_property
from typing import NamedTuple

HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SECTION = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
RELA = struct.Struct("<QQq")

ET_REL = 1
SHT_PROGBITS, SHT_SYMTAB, SHT_STRTAB, SHT_RELA, SHT_NOBITS, SHT_DYNSYM, SHT_INIT_ARRAY, SHT_FINI_ARRAY = 1, 2, 3, 4, 8, 11, 14, 15
SHF_ALLOC, SHF_EXECINSTR = 2, 4
STB_LOCAL, STB_GLOBAL, STB_WEAK = 0, 1, 2
STT_OBJECT, STT_FUNC = 1, 2
SHN_UNDEF = 0
EM_X86_64, EM_AARCH64, EM_NPU = 62, 183, 0x1029
MACHINES = {EM_X86_64: "x86_64", EM_AARCH64: "aarch64"}


class MalformedElf(Exception):
    """What is wrong with the file; the caller says which file."""


class Section(NamedTuple):
    name: str
    type: int
    flags: int
    offset: int
    size: int
    link: int
    info: int


class Symbol(NamedTuple):
    name: str
    binding: int
    type: int
    section: int
    value: int
    size: int


class Relocation(NamedTuple):
    offset: int
    symbol: int
    addend: int


class Elf:
    """The tables of one ELF64 file, little endian."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        if data[:4] != b"\x7fELF":
            raise MalformedElf("it does not begin with the ELF mark")
        if len(data) < HEADER.size:
            raise MalformedElf(f"it ends inside its ELF header ({len(data)} bytes)")
        if data[4:6] != b"\x02\x01":
            raise MalformedElf("it is not a 64-bit little-endian ELF file")
        fields = HEADER.unpack_from(data)
        self.type, self.machine = fields[1], fields[2]
        self._table, self._entry_size, self._count, self._names = fields[6], fields[11], fields[12], fields[13]

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        if self._count and self._entry_size != SECTION.size:
            raise MalformedElf(f"its section headers have {self._entry_size} bytes, not {SECTION.size}")
        if self._table + self._count * SECTION.size > len(self.data):
            raise MalformedElf("it is cut off: the section table lies behind the end of the file")
        rows = [SECTION.unpack_from(self.data, self._table + i * SECTION.size) for i in range(self._count)]
        for row in rows:
            if row[1] != SHT_NOBITS and row[4] + row[5] > len(self.data):
                raise MalformedElf("it is cut off: a section lies behind the end of the file")
        if rows and self._names >= len(rows):
            raise MalformedElf("its table of section names does not exist")
        names = self._slice(rows[self._names]) if rows else b""
        return tuple(Section(_text(names, r[0]), r[1], r[2], r[4], r[5], r[6], r[7]) for r in rows)

    def _slice(self, row: tuple[int, ...]) -> bytes:
        return b"" if row[1] == SHT_NOBITS else self.data[row[4] : row[4] + row[5]]

    def content(self, section: Section) -> bytes:
        return b"" if section.type == SHT_NOBITS else self.data[section.offset : section.offset + section.size]

    def find(self, name: str) -> Section | None:
        return next((s for s in self.sections if s.name == name), None)

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """The first symbol table, in order, so that relocations can index it."""
        return self._symbols(SHT_SYMTAB)

    @cached_property
    def dynamic_symbols(self) -> tuple[Symbol, ...]:
        """What a shared library gives and takes."""
        return self._symbols(SHT_DYNSYM)

    def _symbols(self, kind: int) -> tuple[Symbol, ...]:
        table = next((s for s in self.sections if s.type == kind), None)
        if table is None:
            return ()
        names = self._linked(table)
        found = []
        for name, info, _other, section, value, size in SYMBOL.iter_unpack(self._rows(table, SYMBOL.size)):
            found.append(Symbol(_text(names, name), info >> 4, info & 15, section, value, size))
        return tuple(found)

    def relocations(self, section: Section) -> list[Relocation]:
        rows = RELA.iter_unpack(self._rows(section, RELA.size))
        return [Relocation(offset, info >> 32, addend) for offset, info, addend in rows]

    def _rows(self, section: Section, size: int) -> bytes:
        content = self.content(section)
        if len(content) % size:
            raise MalformedElf(f"section {section.name} is not a whole number of entries")
        return content

    def _linked(self, section: Section) -> bytes:
        if section.link >= len(self.sections):
            raise MalformedElf(f"section {section.name} refers to a section that does not exist")
        return self.content(self.sections[section.link])


def _text(names: bytes, offset: int) -> str:
    if offset >= len(names):
        if offset == 0:
            return ""
        raise MalformedElf("a name lies outside its table of names")
    end = names.find(b"\0", offset)
    return names[offset : end if end >= 0 else len(names)].decode("utf-8", "replace")


class _Names:
    """A string table under construction."""

    def __init__(self) -> None:
        self.data = bytearray(b"\0")

    def add(self, name: str) -> int:
        at = len(self.data)
        self.data += name.encode() + b"\0"
        return at


def write(machine: int, contents: list[tuple[str, bytes]], functions: list[tuple[str, str]]) -> bytearray:
    """A relocatable ELF file with these sections, and `functions` (name, section) as its global symbols."""
    index = {name: i + 1 for i, (name, _) in enumerate(contents)}
    names, strings = _Names(), _Names()
    symbols = SYMBOL.pack(0, 0, 0, 0, 0, 0)
    for name, section in functions:
        symbols += SYMBOL.pack(strings.add(name), STB_GLOBAL << 4 | STT_FUNC, 0, index[section], 0, 0)
    executable = {section for _, section in functions}
    out, rows = bytearray(HEADER.size), [SECTION.pack(*[0] * 10)]

    def add(name: str, kind: int, flags: int, content: bytes, link: int = 0, info: int = 0, entry: int = 0) -> None:
        out.extend(b"\0" * (-len(out) % 16))
        rows.append(SECTION.pack(names.add(name), kind, flags, 0, len(out), len(content), link, info, 16, entry))
        out.extend(content)

    for name, content in contents:
        add(name, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR if name in executable else 0, content)
    add(".symtab", SHT_SYMTAB, 0, symbols, link=len(contents) + 2, info=1, entry=SYMBOL.size)
    add(".strtab", SHT_STRTAB, 0, bytes(strings.data))
    at_names = len(rows)
    names_offset = names.add(".shstrtab")
    out.extend(b"\0" * (-len(out) % 16))
    rows.append(SECTION.pack(names_offset, SHT_STRTAB, 0, 0, len(out), len(names.data), 0, 0, 1, 0))
    out.extend(names.data)
    out.extend(b"\0" * (-len(out) % 16))
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    out[: HEADER.size] = HEADER.pack(ident, ET_REL, machine, 1, 0, 0, len(out), 0, HEADER.size, 0, 0, SECTION.size, len(rows), at_names)
    return out + b"".join(rows)


def without_initialisers(data: bytes) -> bytes:
    """An object whose constructors nobody calls: their table is ordinary data now, which a linker drops."""
    file = Elf(data)
    changed = bytearray(data)
    names = file.sections[file._names]
    for index, section in enumerate(file.sections):
        if section.type not in (SHT_INIT_ARRAY, SHT_FINI_ARRAY) and not section.name.startswith((".ctors", ".dtors")):
            continue
        header = file._table + index * SECTION.size
        name_at = names.offset + SECTION.unpack_from(data, header)[0]
        struct.pack_into("<I", changed, header + 4, SHT_PROGBITS)
        changed[name_at : name_at + 2] = b".x"  # .init_array -> .xnit_array
    return bytes(changed)
