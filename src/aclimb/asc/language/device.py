# SPDX-License-Identifier: Apache-2.0
"""What stands for a device call, or a device object, in Python: it has a signature and a docstring, and the compiler knows what to emit.

Outside a kernel each of them raises: there is no core that could do the work.
"""

from __future__ import annotations

from typing import Any, NoReturn

from aclimb.asc.language import table


def refuse(name: str) -> NoReturn:
    raise RuntimeError(
        f"asc.{name} works on a core: call it in a function with @asc.jit that is launched as kernel[cores](...); "
        "kernel(...) without brackets runs the plain Python function"
    )


class DeviceFunction:
    """A call of the table."""

    def __init__(self, call: table.Call, module: str = "") -> None:
        self.call, self.__name__, self.__qualname__ = call, call.name, module + call.name
        self.__doc__ = documentation(call)

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        refuse(self.__qualname__)

    def __repr__(self) -> str:
        return f"<asc.{self.__qualname__}>"


class Special:
    """A call that the compiler knows by name, because its result or its text depends on more than a row can say."""

    def __init__(self, name: str, signature: str, says: str) -> None:
        self.__name__ = self.__qualname__ = name
        self.signature, self.says, self.__doc__ = signature, says, f"{name}{signature}\n\n{says}"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        refuse(self.__name__)

    def __repr__(self) -> str:
        return f"<asc.{self.__name__}>"


class DeviceObject:
    """The base of everything that lives on a core. Its subclasses are for annotations, isinstance, and calls in kernels."""

    signature = "()"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        refuse(type(self).__name__)


def made(name: str, signature: str, says: str) -> type[DeviceObject]:
    """A class of device objects."""
    return type(name, (DeviceObject,), {"__doc__": f"{name}{signature}\n\n{says}.", "signature": signature, "__module__": "aclimb.asc"})


def record_class(record: table.Record) -> type[DeviceObject]:
    inside = ", ".join(["dtype", *map(shown, record.fields)] if record.is_generic else map(shown, record.fields))
    return made(record.name, f"({inside})", f"Parameters of a call, as AscendC::{record.name}; fields are set by position or by name")


def shown(parameter: table.Parameter) -> str:
    """As documentation writes it."""
    head = f"{parameter.name}: {in_words(parameter.kind)}"
    return head if parameter.default is None else f"{head} = {parameter.default}"


_WORDS = {"L": "LocalTensor", "G": "GlobalTensor", "T": "LocalTensor | GlobalTensor", "mask": "int | list[int]", "flag": "bool",
          "truth": "bool", "const": "int", "dtype": "DataType", "any": "Any", "queue": "TQue | TQueBind", "buf": "TBuf", "pool": "TBufPool",
          "tensors": "list[LocalTensor]", "addresses": "list[int]", "pattern": "LocalTensor | int", "slices": "list[SliceInfo]",
          "u16s": "list[int]", "address": "GlobalAddress", "str": "str", "bool": "bool"}  # fmt: skip


def in_words(kind: str) -> str:
    """The kind of a parameter, or of a result, as a Python annotation."""
    if kind in _WORDS:
        return _WORDS[kind]
    if kind.startswith("of "):
        return "float"
    if kind.startswith("tensor"):
        return "LocalTensor"
    if kind.startswith("address"):
        return "GlobalAddress"
    if kind[:1] in "iuf" and kind[1:].isdigit():
        return "float" if kind[0] == "f" else "int"
    return kind or "None"


def documentation(call: table.Call) -> str:
    forms = [f"{call.name}({', '.join(map(shown, each.parameters))}) -> {in_words(each.result)}" for each in call.overloads]
    return "\n".join([f"{call.says}. AscendC::{call.cpp}.", "", *forms])
