# SPDX-License-Identifier: Apache-2.0
"""Reads what the headers left in an object file: parameter tables (entry.h) and build facts (facts.h).

A fact names the code that caused it. Each function has its own section, so relocations between sections are the call
graph, and a fact holds for every kernel whose entry reaches the fact's section.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from aclimb.binary import elf

_FACT = struct.Struct("<QQQ")
_TABLE = struct.Struct("<IIII")
_ROW = struct.Struct("<II")
_MAGIC = 0x4D524150
ENTRY = "aclimb_entry_"


class Fact(IntEnum):
    """The numbers of enum Fact in device/include/aclimb/facts.h; a test keeps the two equal."""

    vector = 1
    cube = 2
    sync_all = 3
    cross_core = 4
    gm_sync = 5
    float_atomic = 6
    integer_atomic = 7
    early_set = 8
    early_wait = 9
    tiling_key = 10
    kernel_type = 11
    kernel_type_key = 12
    set_flag = 13
    print = 14
    dump_tensor = 15
    assertion = 16
    workspace = 17
    raw_index = 18
    copy = 19
    other_core = 20
    block_index = 21
    sub_block = 22
    rows = 23
    auto_sync = 24
    clock = 25


class FactSite(NamedTuple):
    """One marker: what it says, and which code it stands in."""

    fact: int
    value: int
    function: str
    offset: int  # bytes from the function's start


@dataclass(frozen=True)
class ObjectFacts:
    """By entry symbol without its prefix: rows (kind, size) of the parameters, and the facts that hold."""

    parameters: dict[str, list[tuple[int, int]]]
    sites: dict[str, list[FactSite]]

    def facts(self, symbol: str) -> set[tuple[int, int]]:
        return {(site.fact, site.value) for site in self.sites.get(symbol, ())}


Node = tuple[int, int]  # object and section


class References:
    """What of the objects of one image refers to what: sections are the nodes, since each function and each variable has its own."""

    def __init__(self, objects: Sequence[bytes]) -> None:
        self.files = [elf.Elf(data) for data in objects]
        self._defined: dict[str, Node] = {}
        for number, file in enumerate(self.files):
            for symbol in file.symbols:
                if symbol.binding != elf.STB_LOCAL and symbol.section != elf.SHN_UNDEF:
                    self._defined.setdefault(symbol.name, (number, symbol.section))
        self.edges: dict[Node, set[Node]] = {}
        for number, file in enumerate(self.files):
            for table in (s for s in file.sections if s.type == elf.SHT_RELA):
                if not file.sections[table.info].flags & elf.SHF_ALLOC:
                    continue  # debug information refers to everything
                targets = self.edges.setdefault((number, table.info), set())
                targets.update(self._node(number, file.symbols[r.symbol]) for r in file.relocations(table))

    def _node(self, number: int, symbol: elf.Symbol) -> Node:
        outside = symbol.section == elf.SHN_UNDEF and bool(symbol.name)
        return self._defined.get(symbol.name, (number, elf.SHN_UNDEF)) if outside else (number, symbol.section)

    def symbols(self) -> Iterator[tuple[Node, elf.Symbol]]:
        for number, file in enumerate(self.files):
            yield from (((number, symbol.section), symbol) for symbol in file.symbols if symbol.section)

    def entries(self) -> dict[str, Node]:
        """Of kernels, by symbol without its prefix."""
        return {symbol.name[len(ENTRY) :]: node for node, symbol in self.symbols() if symbol.name.startswith(ENTRY)}

    def reachable(self, start: Node) -> set[Node]:
        seen, waiting = {start}, [start]
        while waiting:
            for target in self.edges.get(waiting.pop(), ()):
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
        return seen


def read_objects(objects: Sequence[bytes]) -> ObjectFacts:
    """Of the objects that are linked into one image."""
    references = References(objects)
    parameters: dict[str, list[tuple[int, int]]] = {}
    by_node: dict[Node, list[FactSite]] = {}
    for number, file in enumerate(references.files):
        parameters |= _parameter_tables(file)
        by_node |= {(number, section): sites for section, sites in _sites_by_section(file).items()}
    sites = {}
    for symbol, node in references.entries().items():
        sites[symbol] = [site for reached in sorted(references.reachable(node)) for site in by_node.get(reached, ())]
    return ObjectFacts(parameters, sites)


def _parameter_tables(file: elf.Elf) -> dict[str, list[tuple[int, int]]]:
    """Tables lie one behind the other, with zeros between them where the compiler aligned one."""
    found: dict[str, list[tuple[int, int]]] = {}
    for section in (s for s in file.sections if s.name == ".aclimb.params"):
        data, at = file.content(section), 0
        while at + _TABLE.size <= len(data):
            magic, symbol_size, count, _ = _TABLE.unpack_from(data, at)
            if magic != _MAGIC:
                at += 4
                continue
            rows = at + _TABLE.size
            name = rows + max(count, 1) * _ROW.size
            symbol = data[name : name + symbol_size - 1].decode()
            found[symbol] = [_ROW.unpack_from(data, rows + i * _ROW.size) for i in range(count)]
            at = (name + symbol_size + 3) // 4 * 4
    return found


def _sites_by_section(file: elf.Elf) -> dict[int, list[FactSite]]:
    found: dict[int, list[FactSite]] = {}
    functions = {s.section: s for s in file.symbols if s.type == elf.STT_FUNC}  # -ffunction-sections: one in each
    for table in (s for s in file.sections if s.type == elf.SHT_RELA and file.sections[s.info].name == ".aclimb.facts"):
        data = file.content(file.sections[table.info])
        for relocation in file.relocations(table):
            _, fact, value = _FACT.unpack_from(data, relocation.offset)
            symbol = file.symbols[relocation.symbol]
            function, at = functions.get(symbol.section), symbol.value + relocation.addend
            name, offset = (function.name, at - function.value) if function else ("", at)
            found.setdefault(symbol.section, []).append(FactSite(fact, value, name, offset))
    return found
