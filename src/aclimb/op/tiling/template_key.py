# SPDX-License-Identifier: Apache-2.0
"""A tiling key made of template parameters."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aclimb.errors import InvalidArgument
from aclimb.op.node.dtypes import GE_DTYPES
from aclimb.op.status import Format


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    bits: int
    values: Mapping[Any, int]  # what the user writes -> what is packed


class TemplateKey:
    """A tiling key made of template parameters (ASCENDC_TPL_ARGS_DECL): the first one in the lowest bits."""

    def __init__(self, *fields: _Field, select: Sequence[Mapping[str, Any]] | None = None) -> None:
        self.fields, self.select = fields, list(select) if select is not None else None
        if self.bits > 64:
            raise InvalidArgument(f"the fields take {self.bits} bits; a tiling key has 64")

    @staticmethod
    def dtype(name: str, values: Iterable[Any]) -> _Field:
        """ASCENDC_TPL_DATATYPE_DECL: 8 bits."""
        return _Field(name, 8, {value: GE_DTYPES.get(str(value), value) for value in values})

    @staticmethod
    def format(name: str, values: Iterable[int | str]) -> _Field:
        """ASCENDC_TPL_FORMAT_DECL: 8 bits."""
        return _Field(name, 8, {value: Format[value] if isinstance(value, str) else int(value) for value in values})

    @staticmethod
    def kernel_type(name: str, values: Iterable[int]) -> _Field:
        """ASCENDC_TPL_KERNEL_TYPE: 8 bits."""
        return _Field(name, 8, {value: int(value) for value in values})

    @staticmethod
    def uint(name: str, bits: int, values: Iterable[int]) -> _Field:
        """ASCENDC_TPL_UINT_DECL: as many bits as declared. What is packed of a value is its place in the list, as on both sides in C++.

        Ranges are written out: [*range(1, 4), 10] is ASCENDC_TPL_UI_MIX, 1, 1, 3, 10.
        """
        listed = list(values)
        twins = sorted({value for value in listed if listed.count(value) > 1})
        if twins:
            raise InvalidArgument(f"template parameter {name} lists {', '.join(map(str, twins))} twice")
        if len(listed) > 1 << bits:
            raise InvalidArgument(f"template parameter {name} has {len(listed)} values and {bits} bits, which take {1 << bits}; widen it")
        return _Field(name, bits, {value: place for place, value in enumerate(listed)})

    @staticmethod
    def bool(name: str, values: Iterable[int] = (0, 1)) -> _Field:
        """ASCENDC_TPL_BOOL_DECL: 1 bit."""
        return _Field(name, 1, {bool_(value): int(value) for value in values})

    @property
    def bits(self) -> int:
        return sum(field.bits for field in self.fields)

    def pack(self, **values: Any) -> int:
        """GET_TPL_TILING_KEY."""
        names = [field.name for field in self.fields]
        if sorted(values) != sorted(names):
            raise InvalidArgument(f"the key has the parameters {', '.join(names)}; {', '.join(values) or 'none'} are given")
        key = shift = 0
        for field in self.fields:
            value = values[field.name]
            if value not in field.values:
                raise InvalidArgument(f"template parameter {field.name} is {value!r}; it takes {', '.join(map(str, field.values))}")
            key |= field.values[value] << shift
            shift += field.bits
        self._require_selected(values)
        return key

    def unpack(self, key: int) -> dict[str, Any]:
        """What pack() was given."""
        values, rest = {}, key
        for field in self.fields:
            packed = rest & (1 << field.bits) - 1
            rest >>= field.bits
            found = [value for value, number in field.values.items() if number == packed]
            if not found:
                raise InvalidArgument(f"tiling key {key} has {packed} for {field.name}; it takes {', '.join(map(str, field.values))}")
            values[field.name] = found[0]
        if rest:
            raise InvalidArgument(f"tiling key {key} has more than the {self.bits} bits of its parameters")
        self._require_selected(values)
        return values

    def _require_selected(self, values: Mapping[str, Any]) -> None:
        if self.select is not None and not any(all(_in(values[name], wanted) for name, wanted in row.items()) for row in self.select):
            raise InvalidArgument(f"the combination {dict(values)} is not among those that are selected")

    def keys(self) -> list[int]:
        """Every key that can be packed."""
        names = [field.name for field in self.fields]
        found = []
        for combination in itertools.product(*(field.values for field in self.fields)):
            try:
                found.append(self.pack(**dict(zip(names, combination, strict=True))))
            except InvalidArgument:
                continue
        return found


def bool_(value: Any) -> bool:
    return value in (1, True)


def _in(value: Any, wanted: Any) -> bool:
    return value in wanted if isinstance(wanted, list | tuple | set) else value == wanted
