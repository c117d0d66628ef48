# SPDX-License-Identifier: Apache-2.0
"""Structs of the user as C++ structs of the same layout."""

from __future__ import annotations

import ctypes

from aclimb.asc.codegen.tree import Kernel
from aclimb.asc.codegen.values import POSTFIX, Scalar, StructOf, Type, Value
from aclimb.asc.language.core.struct import Struct, StructField


class Structs:
    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self._written: dict[str, type[Struct]] = {}

    def require(self, kind: Type) -> None:
        """Writes the definition, and those of what is inside, once."""
        if not isinstance(kind, StructOf) or kind.cpp() in self._written:
            return
        cls = kind.cls
        self._written[kind.cpp()] = cls
        for field in cls._fields.values():
            if isinstance(field, StructField):
                self.require(StructOf(field.cls))
        if cls._cpp:  # one of the library's
            self.kernel.includes = list(dict.fromkeys([*self.kernel.includes, "kernel_tiling/kernel_tiling.h"]))
            return
        lines = [f"struct {cls.__name__} {{"]
        for name, field in cls._fields.items():
            kind_text = StructOf(field.cls).cpp() if isinstance(field, StructField) else field.dtype.cpp
            lines.append(f"    {kind_text} {field.name or name};")
        lines += ["};", f'static_assert(sizeof({cls.__name__}) == {ctypes.sizeof(cls._ctype)}, "as the host packs it");']
        self.kernel.structs.append("\n".join(["#pragma pack(push, 8)", *lines, "#pragma pack(pop)"]))

    def field(self, value: Value, name: str) -> Value:
        assert isinstance(value.type, StructOf)
        field = value.type.cls._fields[name]
        kind: Type = StructOf(field.cls) if isinstance(field, StructField) else Scalar(field.dtype)
        return Value(kind, f"{value.inside(POSTFIX)}.{field.name or name}", POSTFIX, root=value.root)
