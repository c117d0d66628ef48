# SPDX-License-Identifier: Apache-2.0
"""The typed tree between Python and Ascend C: statements with their Python line, in blocks.

Passes over it (codegen/sync) see which call each statement is, and which tensors it reads and writes; emit.py prints it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from aclimb.asc.codegen.values import Array, Type, Value, Variable
from aclimb.asc.language.table import Call


@dataclass(frozen=True)
class Place:
    """A Python line."""

    file: str
    line: int


@dataclass(eq=False)
class Node:
    place: Place | None


@dataclass(eq=False)
class Effect:
    """What a statement does to tensors."""

    call: Call
    owner: str = ""  # the class, for a method
    receiver: Value | None = None
    writes: list[Value] = field(default_factory=list)
    reads: list[Value] = field(default_factory=list)


@dataclass(eq=False)
class Line(Node):
    """One statement, without its semicolon."""

    text: str
    effect: Effect | None = None
    note: str = ""  # a comment in front of it


@dataclass(eq=False)
class Declare(Node):
    """A variable; printed when all types are known."""

    type: Type
    variable: Variable
    init: str | None = None
    effect: Effect | None = None
    qualifier: str = ""
    is_hoisted: bool = False  # declared before its block: here it is only assigned
    is_constructed: bool = False  # init is what stands between the brackets of a constructor
    note: str = ""

    def text(self) -> str:
        name = self.variable.name
        if self.is_hoisted:
            return f"{name} = {self.init}"
        size = f"[{self.type.length}]" if isinstance(self.type, Array) else ""
        start = "" if self.init is None else f"({self.init})" if self.is_constructed else f" = {self.init}"
        return f"{self.qualifier}{self.type.cpp()} {name}{size}{start}"


@dataclass(eq=False)
class Block(Node):
    """`head { body }`; an if has `other` too."""

    head: str
    body: list[Node] = field(default_factory=list)
    other: list[Node] | None = None
    is_loop: bool = False
    tail: str = ""  # behind the bracket: a do-while has one
    note: str = ""
    effect: Effect | None = None


@dataclass(eq=False)
class Function:
    """A helper, one for each specialisation."""

    name: str
    place: Place
    parameters: list[tuple[Type, str, bool]]  # type, name, by reference
    body: list[Node]
    result: Type | None = None
    result_struct: str = ""
    constants: dict[str, str] = field(default_factory=dict)  # name -> C++ declaration


@dataclass(eq=False)
class Kernel:
    """All of it."""

    name: str
    place: Place
    parameters: list[tuple[str, str]] = field(default_factory=list)  # C++ type, name
    body: list[Node] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    structs: list[str] = field(default_factory=list)  # texts, in order
    defines: list[str] = field(default_factory=list)
    includes: list[str] = field(default_factory=list)
    constants: dict[str, str] = field(default_factory=dict)
    before: list[str] = field(default_factory=list)  # asc.inline(..., before_function=True), and constants
    kernel_type: str = "AIV_ONLY"
    notes: list[str] = field(default_factory=list)
    entry: list[str] = field(default_factory=list)  # statements in front of all others


def walk(nodes: list[Node]) -> Iterator[Node]:
    """Every statement, blocks before what is in them."""
    for node in nodes:
        yield node
        if isinstance(node, Block):
            yield from walk(node.body)
            yield from walk(node.other or [])
