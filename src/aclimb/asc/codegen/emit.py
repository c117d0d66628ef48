# SPDX-License-Identifier: Apache-2.0
"""The tree as Ascend C text: for a person, with the Python line above each statement; for the builder, with #line; for the chip, with the
place as a comment."""

from __future__ import annotations

import linecache
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aclimb.asc.codegen.tree import Block, Declare, Function, Kernel, Line, Node, Place
from aclimb.asc.codegen.values import Array, Object, Type, Value

SHOWN, BUILT, EXPORTED = "shown", "built", "exported"
_INCLUDE = '#include "kernel_operator.h"'


class Printer:
    """One text."""

    def __init__(self, form: str) -> None:
        self.form, self.lines = form, list[str]()
        self._last: Place | None = None

    def out(self, text: str, depth: int = 0) -> None:
        self.lines += [f"{'    ' * depth}{line}" if line else line for line in text.split("\n")]

    def at(self, place: Place | None, depth: int) -> None:
        """Where the next statement comes from."""
        if place is None:
            return
        if self.form == BUILT:
            self.lines.append(f'#line {place.line} "{place.file}"')
        elif place != self._last:
            name = Path(place.file).name
            text = linecache.getline(place.file, place.line).strip()
            self.out(f"// {name}:{place.line}" + (f"  {text}" if text and self.form == SHOWN else ""), depth)
        self._last = place

    def body(self, nodes: list[Node], depth: int) -> None:
        for node in nodes:
            if note := getattr(node, "note", ""):
                self.out("\n".join(f"// {line}" for line in note.split("\n")), depth)
            self.at(node.place, depth)
            if isinstance(node, Line):
                self.out(f"{node.text};", depth)
            elif isinstance(node, Declare):
                self.out(f"{node.text()};", depth)
            elif isinstance(node, Block):
                self._block(node, depth)

    def _block(self, node: Block, depth: int) -> None:
        self.out(f"{node.head} {{".lstrip(), depth)
        self.body(node.body, depth + 1)
        other = node.other
        while other:
            if len(other) == 1 and isinstance(other[0], Block) and other[0].head.startswith("if "):  # else if
                inner = other[0]
                if self.form == BUILT and inner.place:
                    self.out("} else", depth)
                    self.at(inner.place, depth)
                    self.out(f"{inner.head} {{", depth)
                else:
                    self.out(f"}} else {inner.head} {{", depth)
                self.body(inner.body, depth + 1)
                other = inner.other
            else:
                self.out("} else {", depth)
                self.body(other, depth + 1)
                other = None
        self.out(f"}}{node.tail}", depth)


def text_of(kernel: Kernel, form: str, head: str) -> str:
    """All of it."""
    printer = Printer(form)
    printer.out("\n".join(f"// {line}".rstrip() for line in head.split("\n")))
    printer.out("\n".join([*(f"#define {each}" for each in kernel.defines), _INCLUDE, *(f'#include "{each}"' for each in kernel.includes)]))
    printer.out("\nusing namespace AscendC;\n")
    for each in (*kernel.structs, *kernel.before):
        printer.out(f"{each}\n")
    for function in kernel.functions:
        _function(printer, function)
    if form == BUILT:
        printer.at(kernel.place, 0)
    parameters = ", ".join(f"{kind} {name}" for kind, name in kernel.parameters)
    printer.out(f'extern "C" __global__ __aicore__ void {kernel.name}({parameters}) {{')
    printer.out(f"KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_{kernel.kernel_type});", 1)
    _constants(printer, dict(enumerate(kernel.entry)) | kernel.constants)
    printer.body(kernel.body, 1)
    printer.out("}")
    return "\n".join(printer.lines) + "\n"


def _constants(printer: Printer, constants: Mapping[Any, str]) -> None:
    for text in constants.values():
        printer.out(f"{text};", 1)


def _parameter(kind: Type, name: str, by_reference: bool) -> str:
    if isinstance(kind, Array):
        return f"{kind.cpp()} (&{name})[{kind.length}]"
    return f"{kind.cpp()}{'&' if by_reference else ''} {name}"


def _function(printer: Printer, function: Function) -> None:
    if function.result_struct and isinstance(function.result, Object):
        parts: list[Type] = [each.type for each in function.result.facts["parts"] if isinstance(each, Value)]
        numbers = [i for i, each in enumerate(function.result.facts["parts"]) if isinstance(each, Value)]
        members = " ".join(f"{kind.cpp()} v{number};" for number, kind in zip(numbers, parts, strict=True))
        printer.out(f"struct {function.result_struct} {{ {members} }};")
    if printer.form == BUILT:
        printer.at(function.place, 0)
    else:
        printer.out(f"// {Path(function.place.file).name}:{function.place.line}")
    parameters = ", ".join(_parameter(*each) for each in function.parameters)
    result = function.result.cpp() if function.result else "void"
    printer.out(f"__aicore__ inline {result} {function.name}({parameters}) {{")
    _constants(printer, function.constants)
    printer.body(function.body, 1)
    printer.out("}\n")
