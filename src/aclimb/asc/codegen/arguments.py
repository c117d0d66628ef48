# SPDX-License-Identifier: Apache-2.0
"""A row of the table meets the arguments of a call: which overload it is, and how each argument is written in C++."""

from __future__ import annotations

import ast
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from aclimb.asc.codegen import scalars
from aclimb.asc.codegen.errors import Refusal
from aclimb.asc.codegen.values import Address, Array, Object, Scalar, StructOf, Tensor, Value, words
from aclimb.asc.language import table
from aclimb.asc.language.core import dtype as dtypes
from aclimb.asc.language.core import enums
from aclimb.asc.language.core.dtype import DataType
from aclimb.asc.language.device import in_words, shown

if TYPE_CHECKING:
    from aclimb.asc.codegen.frame import Frame

NUMBERS = {f"{sign}{bits}": DataType(f"{word}{bits}") for sign, word in (("i", "int"), ("u", "uint")) for bits in (8, 16, 32, 64)}
NUMBERS |= {"f16": dtypes.float16, "f32": dtypes.float32, "bool": dtypes.KnownTypes.bit}
Given = dict[str, Any]


def default_of(parameter: table.Parameter) -> Any:
    """What stands in the table behind the equals sign."""
    text = parameter.default
    if text in (None, "None"):
        return None
    head, _, tail = (text or "").partition(".")
    if head in enums.ALL:
        return enums.ALL[head][tail]
    if head == "asc":
        return getattr(dtypes, tail)
    return {"True": True, "False": False}[text] if text in ("True", "False") else int(text or "0", 0)


def fit(overload: table.Overload, args: list[Any], kwargs: Given) -> Given | None:
    """The arguments by name, where this overload takes them."""
    names = [each.name for each in overload.parameters]
    if len(args) > len(names) or any(name not in names for name in kwargs):
        return None
    given = dict(zip(names, args, strict=False))
    if any(name in given for name in kwargs):
        return None
    given |= kwargs
    for parameter in overload.parameters:
        if parameter.name not in given:
            if parameter.default is None:
                return None
            given[parameter.name] = default_of(parameter)
        elif not accepts(parameter, given[parameter.name]):
            return None
    return given


def accepts(parameter: table.Parameter, value: Any) -> bool:
    kind = parameter.kind
    if value is None:
        return parameter.default == "None"
    if kind == "any":
        return True
    type_ = value.type if isinstance(value, Value) else None
    is_number = isinstance(type_, Scalar) or (type_ is None and (scalars.is_number(value) or isinstance(value, IntEnum)))
    match kind:
        case "L" | "G":
            return isinstance(type_, Tensor) and type_.is_local == (kind == "L")
        case "T":
            return isinstance(type_, Tensor)
        case "mask":
            return is_number or isinstance(value, list | tuple)
        case "truth":  # no number, which another overload takes at this place
            return isinstance(value, bool) or (isinstance(type_, Scalar) and type_.dtype == dtypes.KnownTypes.bit)
        case "flag" | "const":
            return scalars.is_number(value)
        case "dtype":
            return isinstance(value, DataType)
        case "str":
            return isinstance(value, str)
        case "tensors":
            return isinstance(value, list | tuple) and all(isinstance(each, Value) and each.is_tensor for each in value)
        case "addresses" | "slices" | "u16s":
            return isinstance(value, list | tuple) or isinstance(type_, Array)
        case "pattern":
            return is_number or isinstance(type_, Tensor)
        case "queue":
            return isinstance(type_, Object) and type_.kind in ("TQue", "TQueBind")
        case "buf":
            return isinstance(type_, Object) and type_.kind == "TBuf"
        case "pool":
            return isinstance(type_, Object) and type_.kind == "TBufPool"
        case "address":
            return isinstance(type_, Address)
    if kind in NUMBERS or kind.startswith("of "):
        return is_number
    if kind in enums.ALL:
        return isinstance(value, enums.ALL[kind])
    return (isinstance(type_, Object) and type_.kind == kind) or (isinstance(type_, StructOf) and type_.cls.__name__ == kind)


def no_fit(name: str, call: table.Call, args: list[Any], kwargs: Given) -> Refusal:
    given = ", ".join([*map(words, args), *(f"{key}={words(value)}" for key, value in kwargs.items())])
    forms = " or ".join(f"{call.name}({', '.join(map(shown, each.parameters))})" for each in call.overloads)
    return Refusal(f"{name} was given ({given})", hint=f"it takes {forms}")


class Written:
    """The arguments of one call, as C++."""

    def __init__(self, frame: Frame, overload: table.Overload, given: Given, nodes: dict[str, ast.AST], own: Value | None) -> None:
        self.frame, self.overload, self.given, self.nodes, self.own = frame, overload, given, nodes, own
        self.by_name = {each.name: each for each in overload.parameters}

    def template(self) -> str:
        """<float, false>, or nothing where all of it is the default."""
        overload, entries = self.overload, list(self.overload.template)
        while entries and not overload.always_template and not entries[-1].startswith("type ") and self._is_default(entries[-1]):
            entries.pop()
        entries = [each for each in entries if each.startswith("type ") or self.given[each] is not None]
        if not entries or (not overload.always_template and all(each.startswith("type ") for each in entries)):
            return ""
        return f"<{', '.join(map(self._template_entry, entries))}>"

    def _is_default(self, name: str) -> bool:
        return bool(self.given[name] == default_of(self.by_name[name]))

    def _template_entry(self, entry: str) -> str:
        if entry.startswith("type "):
            value = self.given[entry[5:]]
            value = value[0] if isinstance(value, list | tuple) else value
            if not isinstance(value, Value):
                return scalars.natural(value).cpp
            return self.frame.dtype_of(value, self._node(entry[5:])).cpp
        value = self.given[entry]
        if isinstance(value, DataType):
            return value.cpp
        if isinstance(value, IntEnum):
            return enums.in_cpp(value)
        return value.text if isinstance(value, Value) else str(value).lower()

    def arguments(self) -> list[str]:
        """In C++'s order. Behind the last one that is not its default nothing is written."""
        overload, in_template = self.overload, {each for each in self.overload.template if not each.startswith("type ")}
        names = list(overload.arguments) if overload.arguments is not None else [each for each in self.by_name if each not in in_template]
        while names and names[-1] in self.by_name and self.by_name[names[-1]].default not in (None, "None") and self._is_default(names[-1]):
            names.pop()
        written = [(name[:1] == "&", name.strip("&!")) for name in names]  # &x is its address; x! is written even as the default
        return [("&" if is_address else "") + self.text(name) for is_address, name in written if self.given[name] is not None]

    def _node(self, name: str) -> ast.AST:
        return self.nodes.get(name, self.frame.node)

    def text(self, name: str) -> str:
        value, kind, node = self.given[name], self.by_name[name].kind, self._node(name)
        if kind in ("mask", "u16s", "addresses", "tensors", "slices") and isinstance(value, list | tuple):
            return self._array(name, kind, list(value), node)
        if isinstance(value, IntEnum) and kind in enums.ALL:
            return enums.in_cpp(value)
        if isinstance(value, Value) and value.is_tensor:
            self.frame.dtype_of(value, node)
            return value.text
        if kind.startswith("of "):
            owner = self.own if kind == "of self" else self.given[kind[3:]]
            assert owner is not None
            dtype = owner if isinstance(owner, DataType) else self.frame.dtype_of(owner, node)
            return scalars.convert(value, dtype, node).text
        if kind in NUMBERS or kind in ("mask", "pattern", "const", "flag"):
            return self._number(value, NUMBERS.get(kind, dtypes.uint64 if kind == "mask" else dtypes.int64), node)
        if isinstance(value, DataType):
            return value.cpp
        if isinstance(value, str):
            return quoted(value)
        return value.bare or value.text if isinstance(value, Value) else scalars.constant(value, node).text

    def _number(self, value: Any, dtype: DataType, node: ast.AST) -> str:
        if not isinstance(value, Value):
            named = self.frame.unit.named(self.frame, node, value)
            text = scalars.literal(value, dtype, node)
            return named or text
        if value.dtype.is_float() and not dtype.is_float():
            what = ast.unparse(node) if isinstance(node, ast.expr) else "the argument"
            raise Refusal(f"{what} is a float; a whole number is wanted",
                          node, "cast it: x.cast(asc.int32)")  # fmt: skip
        return value.bare or value.text

    def _array(self, name: str, kind: str, values: list[Any], node: ast.AST) -> str:
        """A C++ array in front of the call."""
        if kind == "tensors":
            texts, of = [each.text for each in values], f"LocalTensor<{self.frame.dtype_of(values[0], node).cpp}>"
        elif kind == "slices":
            texts, of = [each.text for each in values], "SliceInfo"
        else:
            dtype = dtypes.uint16 if kind == "u16s" else dtypes.uint64
            texts = [each.text if isinstance(each, Value) else scalars.literal(each, dtype, node) for each in values]
            texts, of = (
                [f"static_cast<{dtype.cpp}>({t})" if isinstance(v, Value) else t for t, v in zip(texts, values, strict=True)],
                dtype.cpp,
            )
        array = self.frame.fresh(name)
        self.frame.emit(f"{of} {array}[{len(texts)}] = {{{', '.join(texts)}}}")
        return array


def quoted(text: str) -> str:
    """A C++ string; what the user wrote behind a backslash stays."""
    plain = text.replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{plain}"'


__all__ = ["NUMBERS", "Written", "accepts", "default_of", "fit", "in_words", "no_fit", "quoted"]
