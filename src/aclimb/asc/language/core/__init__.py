# SPDX-License-Identifier: Apache-2.0
"""Values and types."""

from typing import Any

from aclimb.asc.language import specials
from aclimb.asc.language.core import dtype, enums, struct
from aclimb.asc.language.core.constexpr import ConstExpr
from aclimb.asc.language.core.dtype import DataType, KnownTypes
from aclimb.asc.language.core.struct import Field, Struct, StructField

NAMES: dict[str, Any] = {
    **{name: getattr(dtype, name) for name in dtype.NAMES if name != "int1"},
    **{name: getattr(dtype, name) for name in ("half", "float_", "double", "int_")},
    **enums.ALL,
    **specials.names_of("core"),
    "ConstExpr": ConstExpr,
    "DataType": DataType,
    "Field": Field,
    "KnownTypes": KnownTypes,
    "Struct": Struct,
    "StructField": StructField,
}
del struct


def __getattr__(name: str) -> Any:
    try:
        return NAMES[name]
    except KeyError:
        raise AttributeError(f"module 'asc.language.core' has no attribute {name!r}") from None
