# SPDX-License-Identifier: Apache-2.0
"""Kernels in Python: the reference page and the stubs, from the table that the compiler reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from device_table import table

from aclimb.asc.language import specials
from aclimb.asc.language import table as calls
from aclimb.asc.language.core import dtype, enums
from aclimb.asc.language.device import in_words, shown
from aclimb.asc.runtime.options import CodegenOptions, CompileOptions, LaunchOptions

_MODULES = {"core": "Values and types", "fwk": "Pipes, queues, buffers", "basic": "Other calls", "adv": "The library: `asc.adv`"}


def asc_page() -> Iterator[str]:
    yield "# Kernels in Python, name by name"
    yield "From `src/aclimb/asc/language/table`. [A kernel in Python](../kernel_in_python.md) shows them at work. Tensors and run-time"
    yield "numbers live on a core; what is written `int` may be one of these. A call that the device headers lack is an error"
    yield "at its Python line: see [Device API](device_api.md)."
    yield "\n## Options of `@asc.jit`\n"
    rows = [
        (f"`{name}`", f"`{value!r}`") for kind in (CodegenOptions, CompileOptions, LaunchOptions) for name, value in vars(kind()).items()
    ]
    yield from table(("option", "default"), rows)
    yield "\n## Types and enumerations\n"
    yield "Types: " + ", ".join(f"`{each}`" for each in (*dtype.NAMES[:-1], "half", "float_", "double", "int_")) + "."
    yield ""
    yield "Enumerations: " + ", ".join(f"`{each}`" for each in sorted(enums.ALL)) + "."
    for module, title in _MODULES.items():
        yield f"\n## {title}\n"
        rows = [(f"`{row.name}{_escaped(row.signature)}`", row.says) for row in specials.rows() if row.module == module]
        yield from table(("name", "what"), rows)
    for title, group in (("Calls of a core", calls.basic()), ("Calls of `asc.adv`", calls.adv())):
        yield f"\n## {title}\n"
        yield from table(("call", "Ascend C", "what"), _rows(group.values()))
    for name, group in calls.methods().items():
        yield f"\n## Methods of `{name}`\n"
        yield from table(("method", "Ascend C", "what"), _rows(group.values(), with_words=False))
    yield "\n## Parameter structs\n"
    rows = [(f"`{each.name}`", _escaped(", ".join(map(shown, each.fields)))) for each in calls.records().values()]
    yield from table(("struct", "fields"), rows)


def _escaped(text: str) -> str:
    return text.replace("|", "or")


def _rows(group: Iterable[calls.Call], *, with_words: bool = True) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for call in group:
        forms = " ".join(f"`({', '.join(_escaped(shown(p)) for p in form.parameters)})`" for form in call.overloads)
        rows.append((f"`{call.name}` {forms}", f"`{call.cpp}`", call.says if with_words else ""))
    return rows


# --- stubs

_HEAD = """# SPDX-License-Identifier: Apache-2.0
# Written by `make docs`.
from collections.abc import Callable
from typing import Annotated, Any, TypeVar, overload

"""


def stubs() -> dict[str, str]:
    """By path under src/aclimb/asc."""
    return {"__init__.pyi": "\n".join(_asc()) + "\n", "language/adv.pyi": "\n".join(_adv()) + "\n"}


def _asc() -> Iterator[str]:
    yield _HEAD.rstrip("\n")
    yield "from aclimb.asc import language as language"
    yield "from aclimb.asc import runtime as runtime"
    yield "from aclimb.asc.language import adv as adv"
    yield "from aclimb.asc.language import basic as basic"
    yield "from aclimb.asc.language import core as core"
    yield "from aclimb.asc.language import fwk as fwk"
    for name in ("DataType", "KnownTypes", *dtype.NAMES[:-1], "half", "float_", "double", "int_"):
        yield f"from aclimb.asc.language.core.dtype import {name} as {name}"
    for name in sorted(enums.ALL):
        yield f"from aclimb.asc.language.core.enums import {name} as {name}"
    for name in ("Field", "Struct", "StructField"):
        yield f"from aclimb.asc.language.core.struct import {name} as {name}"
    yield "from aclimb.asc.language.device import DeviceObject as DeviceObject"
    yield "from aclimb.asc.runtime.jit import JITFunction"
    for kind in (CodegenOptions, CompileOptions, LaunchOptions):
        yield f"from aclimb.asc.runtime.options import {kind.__name__} as {kind.__name__}"
    yield ""
    yield '_T = TypeVar("_T")\nConstExpr = Annotated[_T, "its value is part of the kernel"]'
    for name in specials.CONSTANTS:
        yield f"{name}: str"
    yield "\n@overload"
    yield "def jit(function: Callable[..., Any], /) -> JITFunction: ..."
    yield "@overload"
    yield "def jit(**options: Any) -> Callable[[Callable[..., Any]], JITFunction]: ..."
    yield _NUMBERS
    for row in specials.rows():
        if row.module != "adv" and row.is_class:
            yield from _class(row)
    for record in calls.records().values():
        fields = ", ".join(["self", *(["dtype: DataType"] if record.is_generic else []), *map(_parameter, record.fields)])
        yield f'class {record.name}(DeviceObject):\n    """Parameters of a call, as AscendC::{record.name}."""'
        yield f"    def __init__({fields}) -> None: ..."
        yield from (f"    {each.name}: Any" for each in record.fields)
    for row in specials.rows():
        if row.module != "adv" and not row.is_class:
            yield _function(row)
    for call in calls.basic().values():
        yield from _call(call)


def _adv() -> Iterator[str]:
    yield _HEAD.rstrip("\n")
    yield "from contextlib import AbstractContextManager\n"
    yield "from aclimb.asc import DataType, GlobalAddress, GlobalTensor, LocalTensor, Number, Real, TPipe"
    yield "from aclimb.asc.language.core.enums import CubeFormat, LayoutMode, MatmulConfigMode, TPosition"
    yield "from aclimb.asc.language.core.struct import Struct"
    yield "from aclimb.asc.language.device import DeviceObject"
    yield ""
    for name in ("TCubeTiling", "SoftmaxTiling", "LayerNormTiling", "RmsNormTiling"):
        yield f'class {name}(Struct):\n    """A tiling of the library."""\n    def __init__(self, **fields: Any) -> None: ...'
        yield "    def __getattr__(self, name: str) -> Any: ..."
    for row in specials.rows():
        if row.module == "adv":
            yield from _class(row) if row.is_class else [_function(row)]
    for call in calls.adv().values():
        yield from _call(call)


_NUMBERS = '''
class Number(int):
    """A whole number that the core computes."""
    dtype: DataType
    def cast(self, dtype: DataType) -> Any: ...
    def ceildiv(self, y: int) -> Number: ...

class Real(float):
    """A float that the core computes."""
    dtype: DataType
    def cast(self, dtype: DataType) -> Any: ...
'''
_MORE = {
    "GlobalAddress": ["dtype: DataType", "def __add__(self, n: int) -> GlobalAddress: ...",
                      "def __sub__(self, n: int) -> GlobalAddress: ...",
                      "def __getitem__(self, begin: Any) -> GlobalTensor: ...  # of helpers that say so and are given a GlobalTensor"],
    "GlobalTensor": ["dtype: DataType", "def __getitem__(self, begin: Any) -> GlobalTensor: ...",
                     "def __call__(self, begin: int) -> GlobalTensor: ...",
                     "def set_global_buffer(self, buffer: GlobalAddress | None = None, buffer_size: int | None = None) -> None: ..."],
    "LocalTensor": ["dtype: DataType", "def __getitem__(self, begin: Any) -> LocalTensor: ...",
                    "def __call__(self, begin: int) -> LocalTensor: ..."],
    "LocalMemAllocator": ["def alloc(self, pos: TPosition, data_type: DataType, tile_size: int) -> LocalTensor: ..."],
}  # fmt: skip
_BASES = {"LocalTensorAuto": "LocalTensor", "TQueBind": "TQue"}


def _class(row: specials.Row) -> Iterator[str]:
    yield f'class {row.name}({_BASES.get(row.name, "DeviceObject")}):\n    """{row.says}."""'
    yield f"    def __init__(self{', ' if row.signature != '()' else ''}{row.signature[1:-1]}) -> None: ..."
    yield from (f"    {each}" for each in _MORE.get(row.name, []))
    for call in calls.methods().get(row.name, {}).values():
        yield from _call(call, "    ")


def _function(row: specials.Row) -> str:
    signature, _, result = row.signature.partition(" -> ")
    return f'def {row.name}{signature} -> {result}:\n    """{row.says}."""'


def _parameter(parameter: calls.Parameter) -> str:
    kind = {"int": "int", "float": "float"}.get(in_words(parameter.kind), in_words(parameter.kind))
    default = (
        "" if parameter.default is None else f" = {parameter.default.removeprefix('asc.')}" if parameter.default != "None" else " = None"
    )
    kind = f"{kind} | None" if parameter.default == "None" and kind != "Any" else kind
    kind = "Any" if kind in ("ShapeInfo", "FixpipeConfig", "QuantConfig") or ("Params" in kind and parameter.default) else kind
    return f"{parameter.name}: {kind}" + (" = ..." if default else "")


def _call(call: calls.Call, margin: str = "") -> Iterator[str]:
    own = ["self"] if margin else []
    for form in call.overloads:
        if len(call.overloads) > 1:
            yield f"{margin}@overload"
        result = {"int": "Number", "float": "Real"}.get(in_words(form.result), in_words(form.result))
        if call.cpp == "Iterate":  # with mm.iterate() as count:
            result = "AbstractContextManager[Number]"
        yield f"{margin}def {call.name}({', '.join([*own, *map(_parameter, form.parameters)])}) -> {result}:"
        yield f'{margin}    """{call.says}. AscendC::{call.cpp}."""'
