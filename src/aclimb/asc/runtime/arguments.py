# SPDX-License-Identifier: Apache-2.0
"""What a launch is given: bound by name, each value with its type in the kernel and its bytes in the launch."""

from __future__ import annotations

import inspect
import sys
from types import FunctionType
from typing import Any

import numpy as np

from aclimb.asc.codegen.values import Address, Scalar, StructOf, Type
from aclimb.asc.language.core.constexpr import ConstExpr, is_constexpr, wanted_type
from aclimb.asc.language.core.dtype import DataType, float32, int8, int32, of_numpy
from aclimb.asc.language.core.struct import Struct
from aclimb.errors import InvalidArgument
from aclimb.runtime import Buffer


class MockTensor:
    """Stands for an array in compile(): MockTensor(asc.float32)."""

    def __init__(self, dtype: DataType) -> None:
        self.dtype = dtype


class MockValue:
    """Stands for a number in compile(): MockValue(asc.int32)."""

    def __init__(self, dtype: DataType) -> None:
        self.dtype = dtype


class Parameters:
    """The signature of a kernel."""

    def __init__(self, function: FunctionType) -> None:
        self.name = function.__name__
        self.signature = inspect.signature(function)
        for each in self.signature.parameters.values():
            if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
                raise RuntimeError(f"{self.name}(*{each.name}): a kernel names its parameters one by one")
        self.names = tuple(self.signature.parameters)
        notes = {name: _resolved(each.annotation, function) for name, each in self.signature.parameters.items()}
        self.constants = {name: wanted_type(note) for name, note in notes.items() if is_constexpr(note)}

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The values in the order of the parameters, defaults included."""
        if not kwargs and len(args) == len(self.names):
            return list(args)
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.name}: {error}; it takes ({', '.join(self.names)})") from None
        bound.apply_defaults()
        return list(bound.arguments.values())

    def constant(self, name: str, value: Any) -> Any:
        kind = self.constants[name]
        value = value.value if isinstance(value, ConstExpr) else value
        if kind is not None and not isinstance(value, kind) and not (kind is float and isinstance(value, int)):
            raise RuntimeError(
                f"{name} of {self.name} is {value!r}, a {type(value).__name__}; its annotation says ConstExpr[{kind.__name__}]"
            )
        return value


def _resolved(annotation: Any, function: FunctionType) -> Any:
    if not isinstance(annotation, str) or "ConstExpr" not in annotation:
        return annotation
    names = dict(zip(function.__code__.co_freevars, (cell.cell_contents for cell in function.__closure__ or ()), strict=False))
    try:
        return eval(annotation, function.__globals__, names)
    except Exception as error:
        raise RuntimeError(f"the annotation {annotation!r} of {function.__name__} cannot be read: {error}") from error


_SCALARS: dict[type, Type] = {bool: Scalar(int8), int: Scalar(int32), float: Scalar(float32)}
_addresses: dict[Any, Type] = {}
_INT32 = (-(2**31), 2**31 - 1)


def type_of(value: Any, name: str) -> Type:
    """What the kernel sees of it."""
    found = _SCALARS.get(type(value))
    if found is not None:
        if type(value) is int and not _INT32[0] <= value <= _INT32[1]:
            raise InvalidArgument(
                f"{name} is {value}; an int is int32 in a kernel and takes {_INT32[0]} to {_INT32[1]}: give numpy.int64({value})"
            )
        return found
    if isinstance(value, np.ndarray | Buffer):
        return _address(value.dtype, name)
    if isinstance(value, np.generic):
        dtype = of_numpy(value.dtype)
        if dtype is None and value.dtype == np.bool_:
            return Scalar(int8)
        if dtype is None:
            raise InvalidArgument(f"{name} is a {value.dtype}, which kernels in Python do not have")
        return Scalar(dtype)
    if isinstance(value, Struct):
        return StructOf(type(value))
    if isinstance(value, MockTensor | DataType):
        return Address(value if isinstance(value, DataType) else value.dtype)
    if isinstance(value, MockValue):
        return Scalar(value.dtype)
    if is_torch(value):
        return _address(as_array(value, name).dtype, name)
    if isinstance(value, int) and not isinstance(value, bool):  # an IntEnum
        return Scalar(int32)
    raise TypeError(f"{name} is a {type(value).__name__}, which is not supported as an argument of a kernel; "
                    "give an array, a number, an asc.Struct, or make the parameter a ConstExpr")  # fmt: skip


def _address(dtype: Any, name: str) -> Type:
    found = _addresses.get(dtype)
    if found is None:
        own = of_numpy(dtype)
        if own is None:
            raise InvalidArgument(
                f"{name} is an array of {dtype}, which kernels in Python do not have; there are int8 to uint64, float16 to float64"
            )
        found = _addresses[dtype] = Address(own)
    return found


def is_torch(value: Any) -> bool:
    """torch is never imported here: who passes a tensor has done so."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def as_array(value: Any, name: str) -> np.ndarray[Any, Any]:
    """A torch CPU tensor as an array of the same memory."""
    if value.device.type != "cpu":
        raise InvalidArgument(f"{name} is a tensor on {value.device}; move it: {name}.cpu()")
    try:
        return np.asarray(value.detach().numpy())
    except TypeError as error:
        raise InvalidArgument(f"{name} is a tensor of {value.dtype}, which NumPy does not have: {error}") from None
