# SPDX-License-Identifier: Apache-2.0
"""aclrtlaunch_<kernel>: a C function for each kernel of a library, and its header, for host code that another compiler compiles.

Both are told by the compiler what each parameter is: the functions are C++ behind the unit's own text, and the headers are
written after a table of kinds that was compiled there. A header names no type that its reader may not know.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from aclimb.binary import elf
from aclimb.binary.container import replace_file
from aclimb.compile.scan import Declarations, ScannedKernel
from aclimb.compile.tokens import Token

_TABLE = "aclimb_kinds_"


def functions(kernels: Iterable[ScannedKernel]) -> str:
    """C++ for kernels that are neither templates nor instances."""
    return '# 1 "<aclimb>"\n' + "".join(_function(kernel) for kernel in kernels if "<" not in kernel.function)


def _function(kernel: ScannedKernel) -> str:
    names = _names([name for _, name in kernel.parameters])
    kinds = [f"::aclimb_host::Parameter<{at}, decltype(&::{kernel.name})>" for at in range(len(names))]
    blocks, stream = _added(names)
    taken = "".join(f", typename {kind}::type {name}" for kind, name in zip(kinds, names, strict=True))
    given = ", ".join(f"{kind}::value({name})" for kind, name in zip(kinds, names, strict=True))
    head = f"uint32_t aclrtlaunch_{kernel.function}(uint32_t {blocks}, void* {stream}{taken})"
    return (
        f'extern "C" __attribute__((visibility("default"))) {head} {{'
        f' ::aclimb_host::Launch aclimb_with("{kernel.file}", {kernel.line}, {blocks}, nullptr, {stream});'
        f" ::{kernel.name}({given}); return static_cast<uint32_t>(aclimb_configuration()->code); }}\n"
    )


def tables(kernels: list[ScannedKernel]) -> str:
    """C++ that leaves kind and size of each parameter in the object."""
    lines = []
    for number, kernel in enumerate(kernels):
        kinds = [f"::aclimb_host::Parameter<{at}, decltype(&::{kernel.name})>" for at in range(len(kernel.parameters))]
        row = ", ".join(f"{kind}::kind, {kind}::size" for kind in kinds)
        lines.append(f'extern "C" {{ extern const unsigned char {_TABLE}{number}[] = {{{row or 0}}}; }}\n')
    return "".join(lines)


def write_headers(kernels: list[ScannedKernel], compiled: bytes, tokens: list[Token], folder: Path) -> list[Path]:
    """`compiled`: an object with the tables; `tokens`: of the source, which say what is a struct."""
    file = elf.Elf(compiled)
    found = {s.name: file.content(file.sections[s.section])[s.value : s.value + s.size] for s in file.symbols if s.name.startswith(_TABLE)}
    classes = _Classes(tokens)
    classes.run()
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for at, kernel in enumerate(kernels):
        kinds = found[f"{_TABLE}{at}"][: 2 * len(kernel.parameters)]
        types = [
            _type(chr(kind), size, text, classes.found)
            for (text, _), kind, size in zip(kernel.parameters, kinds[::2], kinds[1::2], strict=True)
        ]
        written.append(folder / f"aclrtlaunch_{kernel.function}.h")
        replace_file(written[-1], _header(kernel, types).encode())
    return written


def _header(kernel: ScannedKernel, types: list[str]) -> str:
    name = kernel.function
    names = _names([each for _, each in kernel.parameters])
    blocks, stream = _added(names)
    forward = "".join(f"{each};\n" for each in dict.fromkeys(text.removesuffix("*") for text in types if text.startswith("struct ")))
    taken = "".join(f", {kind} {each}" for kind, each in zip(types, names, strict=True))
    return (
        f"/* Launches {kernel.name}; written by aclimb. */\n"
        f"#ifndef ACLRTLAUNCH_{name.upper()}_H\n#define ACLRTLAUNCH_{name.upper()}_H\n#include <stdbool.h>\n#include <stdint.h>\n"
        '#include "acl/acl_base.h"\n\n'
        "#ifndef ACLRT_LAUNCH_KERNEL\n#define ACLRT_LAUNCH_KERNEL(kernel) aclrtlaunch_##kernel\n#endif\n\n"
        f'{forward}#ifdef __cplusplus\nextern "C"\n#endif\n'
        f"uint32_t aclrtlaunch_{name}(uint32_t {blocks}, aclrtStream {stream}{taken});\n#endif\n"
    )


def _type(kind: str, size: int, text: str, classes: dict[str, str]) -> str:
    match kind:
        case "p":
            return "void*"
        case "s":
            return f"struct {text}*" if classes.get(text) == "struct" else "void*"
        case "b":
            return "bool"
        case "f":
            return "float" if size == 4 else "double"
        case _:
            return f"{'int' if kind == 'i' else 'uint'}{8 * size}_t"


def _names(given: list[str]) -> list[str]:
    return [name or f"p{at}" for at, name in enumerate(given)]


def _added(names: list[str]) -> tuple[str, str]:
    """A kernel may have parameters of these names."""
    blocks, stream = (f"_{word}" if word in names else word for word in ("numBlocks", "stream"))
    return blocks, stream


class _Classes(Declarations):
    """The classes that a text defines outside every namespace, with the word they begin with."""

    def __init__(self, tokens: list[Token]) -> None:
        super().__init__(tokens)
        self.found: dict[str, str] = {}

    def declaration(self) -> None:
        key, name = self.text(self.at), ""
        while self.at < len(self.tokens) and self.text(self.at) not in (";", "{", "}"):
            if self.kind(self.at) == "name" and self.text(self.at + 1) in ("{", ":"):
                name = name or self.text(self.at)
            self.at = self.skip_group(self.at) if self.text(self.at) in ("(", "[") else self.at + 1
        if self.text(self.at) == "{":
            if key in ("struct", "class", "union") and name and not any(self.scopes):
                self.found[name] = key
            self.at = self.skip_group(self.at)
        elif self.text(self.at) == ";":
            self.at += 1
