# SPDX-License-Identifier: Apache-2.0
"""What an operator declares: inputs, outputs and attributes, and which types go together."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, get_args, get_origin

import numpy as np

from aclimb.errors import InvalidArgument
from aclimb.op.node.dtypes import dtype_of
from aclimb.op.node.node import OpParameter, OpTensor
from aclimb.op.status import ACLNN_ERR_PARAM_INVALID, Format, OpError

REQUIRED = object()
_RESERVED = ("out", "stream", "options", "repeatable", "workspace")  # what a call takes itself
_AS_ND = ("ND", "NCHW", "NHWC")  # formats that count as the same
_ATTR_KINDS = (bool, int, float, str, list[bool], list[int], list[float], list[list[int]])


@dataclass(frozen=True)
class Declared:
    """An input or an output of the prototype."""

    name: str
    dtypes: tuple[str, ...] = ()
    dtype_list: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    format_list: tuple[str, ...] = ()
    follow: str | None = None
    optional: bool = False
    dynamic: bool = False
    value_depend: str | None = None
    host: bool = False
    scalar: bool = False
    nullable: bool = False
    shape_from_kernel: bool = False
    init_value: Any = None

    @cached_property
    def parameter(self) -> OpParameter:
        return OpParameter(self.name, self.optional or self.nullable, self.dynamic)


@dataclass(frozen=True)
class DeclaredAttr:
    """An attribute; without a default it is required."""

    name: str
    kind: Any
    default: Any = REQUIRED
    private: bool = False

    def check(self, operator: str, value: Any) -> Any:
        """The value as the kind has it."""
        if _fits(self.kind, value):
            return value
        if self.kind is float and isinstance(value, int | np.floating | np.integer) and not isinstance(value, bool):
            return float(value)
        if self.kind is int and isinstance(value, np.integer):
            return int(value)
        if self.kind is bool and isinstance(value, np.bool_):
            return bool(value)
        raise InvalidArgument(f"attribute {self.name} of {operator} is {value!r}; it takes {_kind_name(self.kind)}")


def _fits(kind: Any, value: Any) -> bool:
    if get_origin(kind) is list:
        return isinstance(value, list | tuple) and all(_fits(get_args(kind)[0], each) for each in value)
    if kind is int and isinstance(value, bool):
        return False
    return isinstance(value, kind)


def _kind_name(kind: Any) -> str:
    return str(kind) if get_origin(kind) else kind.__name__


@dataclass
class Declaration:
    """The prototype of an operator."""

    op_type: str
    inputs: list[Declared] = field(default_factory=list)
    outputs: list[Declared] = field(default_factory=list)
    attrs: list[DeclaredAttr] = field(default_factory=list)
    _supported: set[Any] = field(default_factory=set)  # types and formats that were asked for and are

    def add(self, to: list[Declared], declared: Declared) -> None:
        taken = {each.name for each in (*self.inputs, *self.outputs)}
        reference = to is self.outputs and any(each.name == declared.name for each in self.inputs)
        reference = reference and bool(declared.dtypes or declared.dtype_list or declared.follow)  # an output that is an input, too
        is_reserved = declared.name in _RESERVED and to is self.inputs
        if not declared.name.isidentifier() or is_reserved or (declared.name in taken and not reference):
            raise InvalidArgument(f"{self.op_type}: {declared.name!r} is no name for a tensor, or there is one of that name already")
        if declared.optional and declared.dynamic:
            raise InvalidArgument(f"{self.op_type}: {declared.name} is optional and dynamic; a dynamic one may be an empty list")
        if declared.follow is not None and declared.follow not in taken:
            raise InvalidArgument(f"{self.op_type}: {declared.name} follows {declared.follow!r}, which is not declared before it")
        for name in (*declared.dtypes, *declared.dtype_list):
            try:
                dtype_of(name)
            except TypeError:
                raise InvalidArgument(f"{self.op_type}: {declared.name} has the type {name!r}, which does not exist") from None
        for name in (*declared.formats, *declared.format_list):
            if name not in Format.__members__:
                raise InvalidArgument(f"{self.op_type}: {declared.name} has the format {name!r}; there are {', '.join(Format.__members__)}")
        to.append(declared)
        self._supported.clear()

    def add_attr(self, attr: DeclaredAttr) -> None:
        if attr.kind not in _ATTR_KINDS:
            raise InvalidArgument(f"attribute {attr.name} of {self.op_type} has type {attr.kind!r}; it takes "
                                  f"{', '.join(map(_kind_name, _ATTR_KINDS))}")  # fmt: skip
        taken = {each.name for each in (*self.inputs, *self.outputs)} | {each.name for each in self.attrs}
        if attr.name in taken or attr.name in _RESERVED or not attr.name.isidentifier():
            raise InvalidArgument(f"{self.op_type}: {attr.name!r} is no name for an attribute, or there is one of that name already")
        if attr.default is not REQUIRED and attr.default is not None:
            attr.check(self.op_type, attr.default)
        self.attrs.append(attr)

    def combinations(self) -> tuple[dict[str, str], ...]:
        """Which types go together: position i of every list, times every choice of the `dtype_list`s."""
        everything = (*self.inputs, *self.outputs)
        lengths = {each.name: len(each.dtypes) for each in everything if each.dtypes}
        lengths |= {f"the formats of {each.name}": len(each.formats) for each in everything if each.formats}
        if len(set(lengths.values())) > 1:
            raise InvalidArgument(f"{self.op_type}: lists of types have different lengths: "
                                  f"{', '.join(f'{name} {length}' for name, length in lengths.items())}")  # fmt: skip
        count = next(iter(lengths.values()), 1)
        choices = [(each.name, each.dtype_list) for each in everything if each.dtype_list]
        choices += [(_format_of(each.name), each.format_list) for each in everything if each.format_list]
        found = []
        for position in range(count):
            for choice in itertools.product(*(values for _, values in choices)):
                row = {each.name: each.dtypes[position] for each in everything if each.dtypes}
                row |= {_format_of(each.name): each.formats[position] for each in everything if each.formats}
                row |= {name: value for (name, _), value in zip(choices, choice, strict=True)}
                for each in everything:
                    if each.follow is not None and each.follow in row:
                        row.setdefault(each.name, row[each.follow])
                found.append(row)
        return tuple(found)

    # --- a call

    def require_supported(self, given: Mapping[str, Sequence[OpTensor]]) -> None:
        """Types and formats of the tensors are one of the combinations."""
        key = tuple([(name, tuple([(each.dtype, each.format) for each in tensors])) for name, tensors in given.items()])
        if key in self._supported:
            return
        rows = self.combinations()
        if any(all(fits_row(row, name, tensor) for name, tensors in given.items() for tensor in tensors) for row in rows):
            self._supported.add(key)
            return
        shown = ", ".join(f"{name} {tensor.dtype} {Format(tensor.format).name}" for name, tensors in given.items() for tensor in tensors)
        known = "; ".join(", ".join(f"{name} {value}" for name, value in row.items()) for row in rows)
        raise OpError(ACLNN_ERR_PARAM_INVALID, f"{self.op_type} does not take {shown}; it takes {known}")

    def bind_attrs(self, given: Mapping[str, Any]) -> list[tuple[str, Any]]:
        """In the order of the prototype, private ones behind; those left out have their default."""
        known = {attr.name for attr in self.attrs}
        for name in given:
            if name not in known:
                raise OpError(ACLNN_ERR_PARAM_INVALID, f"{self.op_type} has no attribute or input {name!r}; it has "
                              f"{', '.join([each.name for each in self.inputs] + sorted(known))}")  # fmt: skip
        bound = []
        for attr in sorted(self.attrs, key=lambda each: each.private):
            if attr.name in given and given[attr.name] is not None:
                bound.append((attr.name, attr.check(self.op_type, given[attr.name])))
            elif attr.default is REQUIRED:
                raise OpError(ACLNN_ERR_PARAM_INVALID, f"{self.op_type} needs the attribute {attr.name}")
            else:
                bound.append((attr.name, attr.default))
        return bound

    def follows(self) -> dict[int, int]:
        """Outputs that follow an input, by index."""
        places = {each.name: index for index, each in enumerate(self.inputs)}
        found = {}
        for index, each in enumerate(self.outputs):
            source = each.follow or (each.name if each.name in places else None)
            while source is not None and source not in places:
                source = next((other.follow for other in self.outputs if other.name == source), None)
            if source is not None:
                found[index] = places[source]
        return found

    def output_dtypes(self, given: Mapping[str, Sequence[OpTensor]]) -> dict[int, Any]:
        """Types of outputs that follow from those of the inputs."""
        found: dict[int, Any] = {}
        for row in self.combinations():
            if all(not tensors or name not in row or tensors[0].dtype == dtype_of(row[name]) for name, tensors in given.items()):
                found = {index: dtype_of(row[each.name]) for index, each in enumerate(self.outputs) if each.name in row}
                break
        for index, source in self.follows().items():
            tensors = given.get(self.inputs[source].name) or ()
            if index not in found and tensors:
                found[index] = tensors[0].dtype
        return found


def _format_of(name: str) -> str:
    return f"{name}.format"


def fits_row(row: Mapping[str, str], name: str, tensor: OpTensor) -> bool:
    if name in row and tensor.dtype != dtype_of(row[name]):
        return False
    wanted, have = row.get(_format_of(name), "ND"), Format(tensor.format).name
    return have == wanted or (have in _AS_ND and wanted in _AS_ND)
