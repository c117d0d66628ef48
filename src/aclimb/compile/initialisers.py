# SPDX-License-Identifier: Apache-2.0
"""Variables that only a constructor of the host would fill.

The device part of a program brings no initialisers that run: `const float k = table(3)` would be 0 in a kernel. A kernel that uses such
a variable is refused; one that only the host uses is the host's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from aclimb.binary import elf
from aclimb.compile import diagnostics, facts
from aclimb.compile.demangle import variable_name
from aclimb.errors import Diagnostic

_STARTUP = ("_GLOBAL__sub_I", "_GLOBAL__I", "_Z41__static_initialization", "_Z44__static_initialization", "__cxx_global_var_init")
_TABLES = (".ctors", ".init_array")


def check(objects: Sequence[bytes], source: Path, files: Iterable[Path]) -> None:
    """Of the objects of one image. `files`: the user's, where a variable's line is looked for."""
    lost = variables(objects)
    if lost:
        raise diagnostics.from_diagnostics(source, [_diagnostic(name, [source, *files]) for name in lost])


def variables(objects: Sequence[bytes]) -> list[str]:
    """Those that code at the program's start fills and a kernel reads."""
    references = facts.References(objects)
    filled = {target for node in _startup(references) for target in references.edges.get(node, ())}
    used = set[facts.Node]().union(*(references.reachable(entry) for entry in references.entries().values()))
    lost = {(number, index) for number, index in filled & used if references.files[number].sections[index].type == elf.SHT_NOBITS}
    # clang splits an array, and calls its parts name.0 and name.1.
    return list(dict.fromkeys(
        variable_name(symbol.name.partition(".")[0]) for node, symbol in references.symbols()
        if node in lost and symbol.type == elf.STT_OBJECT and not symbol.name.startswith("_ZGV")
    ))  # fmt: skip


def _startup(references: facts.References) -> set[facts.Node]:
    named = {node for node, symbol in references.symbols() if symbol.type == elf.STT_FUNC and symbol.name.startswith(_STARTUP)}
    for number, file in enumerate(references.files):
        for index, section in enumerate(file.sections):
            if section.type == elf.SHT_INIT_ARRAY or section.name.startswith(_TABLES):
                named |= references.edges.get((number, index), set())
    return named


def _diagnostic(name: str, files: list[Path]) -> Diagnostic:
    text = (
        f"{name} gets its value when the host program starts, and a kernel reads it: on the AI Core it would be 0;"
        " make it constexpr, or pass it to the kernel as an argument"
    )
    file, line = _definition(name.rpartition("::")[2], files)
    return Diagnostic(str(file), line, 0, "error", text)


def _definition(name: str, files: list[Path]) -> tuple[Path, int]:
    """The first line that looks like one; line 0 where none does."""
    looks_so = re.compile(rf"[\w>*&]\s+[*&]?{re.escape(name)}\s*(?:\[[^]]*\]\s*)*[={{(]")
    for file in files:
        lines = file.read_text(errors="replace").splitlines() if file.is_file() else []
        for number, line in enumerate(lines, 1):
            if looks_so.search(line) and not line.lstrip().startswith("return "):
                return file, number
    return files[0], 0
