# SPDX-License-Identifier: Apache-2.0
"""Struct: data that travel from the host to a kernel in one piece, as a C++ struct.

class Tiling(asc.Struct):
    length = asc.Field(asc.int32, 0)
    tile = asc.Field(asc.int32, 256)
"""

from __future__ import annotations

import ctypes
from typing import Any, ClassVar, Self

from aclimb.asc.language.core.dtype import DataType, KnownTypes
from aclimb.errors import InvalidArgument

_CTYPES: dict[str, Any] = {
    "int8": ctypes.c_int8, "int16": ctypes.c_int16, "int32": ctypes.c_int32, "int64": ctypes.c_int64, "uint8": ctypes.c_uint8,
    "uint16": ctypes.c_uint16, "uint32": ctypes.c_uint32, "uint64": ctypes.c_uint64, "float32": ctypes.c_float,
    "float64": ctypes.c_double, "int1": ctypes.c_bool,
}  # fmt: skip


class Field:
    """A number: Field(dtype, default). `name` is its C++ name where that is another one, `enum` an IntEnum that its value belongs to."""

    def __init__(self, dtype: DataType, default: Any = 0, name: str | None = None, enum: Any = None) -> None:
        if not isinstance(dtype, DataType) or dtype.name not in _CTYPES:
            raise InvalidArgument(f"Field({dtype!r}): a field takes one of {', '.join(_CTYPES)}")
        self.dtype, self.default, self.name, self.enum = dtype, default, name, enum

    @property
    def ctype(self) -> Any:
        return _CTYPES[self.dtype.name]

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        value = getattr(instance._data, self.attribute)
        return self.enum(value) if self.enum is not None else value

    def __set__(self, instance: Any, value: Any) -> None:
        if self.dtype.is_int() and not isinstance(value, int):
            raise InvalidArgument(f"{type(instance).__name__}.{self.attribute} is {value!r}; it takes a whole number ({self.dtype})")
        lowest, highest = -(2 ** (self.dtype.bitwidth - 1)), 2**self.dtype.bitwidth
        if self.dtype.is_int() and not (lowest if self.dtype.is_signed() else 0) <= value < (
            -lowest if self.dtype.is_signed() else highest
        ):
            raise InvalidArgument(f"{type(instance).__name__}.{self.attribute} is {value}, which {self.dtype} cannot hold")
        setattr(instance._data, self.attribute, value)

    def __set_name__(self, owner: Any, name: str) -> None:
        self.attribute = name


class StructField(Field):
    """A struct inside a struct: StructField(Inner)."""

    def __init__(self, cls: type[Struct], default: Struct | None = None, name: str | None = None) -> None:
        if not (isinstance(cls, type) and issubclass(cls, Struct)):
            raise InvalidArgument(f"StructField({cls!r}): it takes a subclass of asc.Struct")
        self.cls, self.default, self.name, self.enum = cls, default, name, None
        self.dtype = KnownTypes.void

    @property
    def ctype(self) -> Any:
        return self.cls._ctype

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else self.cls._around(getattr(instance._data, self.attribute))

    def __set__(self, instance: Any, value: Any) -> None:
        if not isinstance(value, self.cls):
            raise InvalidArgument(f"{type(instance).__name__}.{self.attribute} takes a {self.cls.__name__}, not a {type(value).__name__}")
        setattr(instance._data, self.attribute, value._data)


class Struct:
    """Subclass it with fields as class attributes. `class S(Struct, pack=8)` sets the greatest alignment of a field."""

    _fields: ClassVar[dict[str, Field]] = {}
    _ctype: Any = None
    _cpp: str = ""  # the name of a C++ struct that exists already
    _data: Any

    def __init_subclass__(cls, pack: int = 8, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._fields = cls._fields | {name: value for name, value in vars(cls).items() if isinstance(value, Field)}
        members = [(name, field.ctype) for name, field in cls._fields.items()]
        cls._ctype = type(cls.__name__, (ctypes.Structure,), {"_pack_": pack, "_fields_": members, "_layout_": "ms"})

    def __init__(self, **values: Any) -> None:
        if not self._fields:
            raise InvalidArgument(f"{type(self).__name__} has no fields; give it class attributes: length = asc.Field(asc.int32, 0)")
        self._data = self._ctype()
        unknown = [name for name in values if name not in self._fields]
        if unknown:
            raise InvalidArgument(f"{type(self).__name__} has no field {unknown[0]}; there are {', '.join(self._fields)}")
        for name, field in self._fields.items():
            value = values.get(name, field.default)
            if value is not None:
                setattr(self, name, value)

    @classmethod
    def _around(cls, data: Any) -> Self:
        made = cls.__new__(cls)
        made._data = data
        return made

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """From the bytes that a kernel would read."""
        if len(data) != ctypes.sizeof(cls._ctype):
            raise InvalidArgument(f"{cls.__name__} has {ctypes.sizeof(cls._ctype)} bytes; {len(data)} are given")
        return cls._around(cls._ctype.from_buffer_copy(data))

    def pack(self) -> bytes:
        """The bytes that a kernel reads."""
        return bytes(self._data)

    def addressof(self) -> int:
        return ctypes.addressof(self._data)

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "_data" and name not in self._fields:
            raise AttributeError(f"{type(self).__name__} has no field {name}; there are {', '.join(self._fields)}")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._fields)})"
