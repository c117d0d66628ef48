# SPDX-License-Identifier: Apache-2.0
"""One kernel with its helpers: Python functions in, a typed tree out."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aclimb.asc.codegen import scalars
from aclimb.asc.codegen.body import Body
from aclimb.asc.codegen.errors import Refusal, located
from aclimb.asc.codegen.frame import Frame
from aclimb.asc.codegen.helpers import Helpers
from aclimb.asc.codegen.source import FunctionSource
from aclimb.asc.codegen.structs import Structs
from aclimb.asc.codegen.sync import insert
from aclimb.asc.codegen.tree import Declare, Kernel, Node, Place
from aclimb.asc.codegen.values import Address, Object, Scalar, StructOf, Tensor, Type, Value, Variable
from aclimb.asc.language import table
from aclimb.asc.language.core.struct import Struct

_CUBE = {"mmad", "mmad_with_sparse", "load_data", "load_data_with_transpose", "load_data_with_sparse", "fixpipe", "init_const_value"}


@dataclass(frozen=True)
class Wanted:
    """What a specialisation is compiled with."""

    kernel_type: str | None = None
    insert_sync: bool = False
    inlines_all: bool = False
    cube_only: bool = False


class Unit:
    """What all functions of a kernel share."""

    def __init__(self, source: FunctionSource, wanted: Wanted) -> None:
        self.source, self.wanted = source, wanted
        self.kernel = Kernel(source.name, Place(source.file, source.tree.lineno))
        self.records = table.records()
        self.structs = Structs(self.kernel)
        self.kept: list[Any] = []
        self.pipe: Value | None = None
        self.autos: list[Node] = []  # buffers of LocalTensorAuto, for the top of the kernel
        self.has_cube = self.has_vector = self.has_matmul = False
        self.cpp_names = {call.cpp for call in (*table.basic().values(), *table.adv().values())} | set(self.records)
        self.helpers = Helpers(self)

    # --- the kernel itself

    def translate(self, types: Mapping[str, Type], constants: Mapping[str, Any]) -> Kernel:
        """`types`: of run-time parameters, by name; `constants`: the values of the others."""
        body = Body(self, self.source)
        for name, kind in types.items():
            self.structs.require(kind)
            cpp = body.fresh(name)
            self.kernel.parameters.append(("GM_ADDR" if isinstance(kind, Address) else kind.cpp(), cpp))
            variable = Variable(cpp, body, name, line=self.source.tree.lineno)
            if isinstance(kind, Address):
                body.names[name] = Value(kind, f"({kind.cpp()}){cpp}", 2)
            else:
                body.names[name] = Value(kind, cpp, variable=variable, root=variable)
        body.names |= constants
        body.named_constants = set(constants)
        self.helpers.run(body, self.source)
        self.kernel.body, self.kernel.constants = body.statements, body.constants
        if self.wanted.insert_sync:
            self._insert(body)
        self.kernel.kernel_type = self.wanted.kernel_type or self._found_type()
        return self.kernel

    def _insert(self, body: Body) -> None:
        pipes = [node for node in self.kernel.body if isinstance(node, Declare) and node.variable is (self.pipe and self.pipe.variable)]
        self.kernel.body[:] = pipes + self.autos + [node for node in self.kernel.body if node not in pipes]
        try:
            insert.insert(self.kernel, self.pipe.text if self.pipe else "")
        except Refusal as refusal:
            raise located(refusal, self.source, self.source.tree) from None

    def own_pipe(self, frame: Frame) -> str:
        """The kernel's TPipe, made where there is none."""
        if self.pipe is None:
            variable = Variable(frame.fresh("pipe"), frame, "")
            frame.cpp_names[0].add(variable.name)
            self.pipe = Value(Object("TPipe", "TPipe"), variable.name, variable=variable)
            self.autos.insert(0, Declare(self.kernel.place, self.pipe.type, variable))
        return self.pipe.text

    def _found_type(self) -> str:
        if self.has_matmul:
            return "AIC_ONLY" if self.wanted.cube_only else "MIX_AIC_1_2"
        if self.has_cube:
            return "MIX_AIC_1_2" if self.has_vector else "AIC_ONLY"
        return "AIV_ONLY"

    def uses(self, call: table.Call, owner: str, frame: Frame) -> None:
        self.has_cube |= call.name in _CUBE and not owner
        self.has_vector |= call.unit == "V" and not owner

    # --- things that expressions ask for

    def field(self, value: Value, name: str) -> Value:
        return self.structs.field(value, name)

    def struct(self, cls: type[Struct]) -> None:
        self.structs.require(StructOf(cls))

    def named(self, frame: Frame, node: ast.AST, value: Any) -> str:
        """A compile-time number under the name it has in Python: a global, or a ConstExpr parameter."""
        assert isinstance(frame, Body)
        if not isinstance(node, ast.Name) or frame.is_inlined or not scalars.is_number(value) or isinstance(value, bool):
            return ""
        if (node.id not in frame.named_constants and node.id in frame.names) or not node.id.isascii():
            return ""
        dtype = scalars.natural(value)
        text = f"constexpr {dtype.cpp} {node.id} = {scalars.literal(value, dtype)}"
        taken = any(node.id in names for names in frame.cpp_names) or node.id in self.cpp_names
        if (taken and frame.constants.get(node.id) != text) or frame.constants.get(node.id, text) != text:
            return ""
        frame.constants[node.id] = text
        return node.id

    def is_instance(self, value: Value, classes: Any) -> bool:
        names = [each.__name__ for each in (classes if isinstance(classes, tuple) else (classes,))]
        match value.type:
            case Tensor(is_local=is_local):
                own = "LocalTensor" if is_local else "GlobalTensor"
            case Address():
                own = "GlobalAddress"
            case Object(kind=kind):
                own = kind
            case StructOf(cls=cls):
                own = cls.__name__
            case Scalar(dtype=dtype):
                own = "float" if dtype.is_float() else "int"
            case _:
                own = ""
        return own in names


def mentions(source: FunctionSource, word: str, seen: frozenset[Any] = frozenset()) -> bool:
    """Whether a function, or a helper that it names, has this word."""
    if source.function in seen:
        return False
    if word in source.words:
        return True
    for head, *_ in source.names:
        _, found = source.lookup(head)
        if hasattr(found, "asc_source") and mentions(found.asc_source(), word, seen | {source.function}):
            return True
    return False


__all__ = ["Unit", "Wanted", "mentions"]
