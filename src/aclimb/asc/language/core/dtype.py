# SPDX-License-Identifier: Apache-2.0
"""Element types: `asc.float16` and the rest. A DataType is an ordinary Python value, on the host and in a kernel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

_CPP = {"float16": "half", "float32": "float", "float64": "double", "void": "void", "int1": "bool"}
NAMES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "void", "int1")


@dataclass(frozen=True, slots=True, eq=False)
class DataType:
    """A type by its name: DataType("int32"). `kind` is int, uint, float or void; `cpp` its name in Ascend C."""

    name: str
    kind: str = field(init=False, repr=False)
    bitwidth: int = field(init=False, repr=False)
    cpp: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        name = self.name
        if name not in NAMES:
            raise ValueError(f"DataType({name!r}): no such type; there are {', '.join(NAMES)}")
        kind = name.rstrip("0123456789")
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "bitwidth", int(name[len(kind) :] or 0))
        object.__setattr__(self, "cpp", _CPP.get(name) or f"{name}_t")

    def __eq__(self, other: object) -> bool:  # asked for all the time, and nearly always of the same object
        return self is other or (isinstance(other, DataType) and self.name == other.name)

    def __hash__(self) -> int:
        return hash(self.name)

    def sizeof(self) -> int:
        """Bytes of one element."""
        return max(self.bitwidth // 8, 1)

    def is_int(self) -> bool:
        return self.kind in ("int", "uint")

    def is_signed(self) -> bool:
        return self.kind == "int"

    def is_unsigned(self) -> bool:
        return self.kind == "uint"

    def is_float(self) -> bool:
        return self.kind == "float"

    def is_numeric(self) -> bool:
        return self.kind != "void"

    def is_void(self) -> bool:
        return self.kind == "void"

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"asc.{self.name}"


int8, int16, int32, int64 = (DataType(f"int{bits}") for bits in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (DataType(f"uint{bits}") for bits in (8, 16, 32, 64))
float16, float32, float64 = (DataType(f"float{bits}") for bits in (16, 32, 64))
void = DataType("void")
half, float_, double, int_ = float16, float32, float64, int32


class KnownTypes:
    """All types by name."""

    int8, int16, int32, int64 = int8, int16, int32, int64
    uint8, uint16, uint32, uint64 = uint8, uint16, uint32, uint64
    float16, float32, float64 = float16, float32, float64
    half, float_, double, int_ = float16, float32, float64, int32
    void = void
    bit = DataType("int1")
    bool_ = int8


_BY_NUMPY: dict[Any, DataType] = {np.dtype(each.name): each for each in map(DataType, NAMES) if each.name not in ("void", "int1")}


def of_numpy(dtype: Any) -> DataType | None:
    """The type of an array's elements; None where kernels in Python have none (bfloat16, bool, complex)."""
    return _BY_NUMPY.get(np.dtype(dtype))


_SMALLEST = {each.name: -(2 ** (each.bitwidth - 1)) if each.is_signed() else 0 for each in map(DataType, NAMES) if each.is_int()}
_GREATEST = {each.name: (1 << (each.bitwidth - each.is_signed())) - 1 for each in map(DataType, NAMES) if each.is_int()}


def smallest(dtype: DataType) -> int:
    return _SMALLEST[dtype.name]


def greatest(dtype: DataType) -> int:
    return _GREATEST[dtype.name]
