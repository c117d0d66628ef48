# SPDX-License-Identifier: Apache-2.0
"""Attributes of a single operator (aclopAttr): values under names, each with the type it was set as."""

from __future__ import annotations

import ctypes
import math
import operator
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from aclimb.runtime.handles import Handles


class Value(NamedTuple):
    """1, True and 1.0 are different values."""

    kind: str
    value: Any  # as Python has it; lists are tuples here


class OpAttr(dict[str, Value]):
    """The attributes behind one handle."""

    @property
    def key(self) -> Hashable:
        """Equal for the same attributes, in whatever order they were set."""
        return frozenset(self.items())


ATTRS: Handles[OpAttr] = Handles("set of attributes")
_NONE = OpAttr()


def of(number: int) -> OpAttr:
    """The attributes of a handle; 0 (NULL) stands for none."""
    return ATTRS[number] if number else _NONE


def attributes(op_attr: int) -> dict[str, Any]:
    """What was set on the handle of acl.op.create_attr, by name. C has no call for it; a selector reads its `op_attr` with this."""
    return {name: as_lists(each.value) for name, each in of(op_attr).items()}


def as_lists(value: Any) -> Any:
    return [as_lists(each) for each in value] if isinstance(value, tuple) else value


def to_bool(value: Any) -> bool:
    return bool(value) if isinstance(value, np.bool_) else operator.index(value) != 0


def to_int(value: Any) -> int:
    number = operator.index(value)
    if not -(2**63) <= number < 2**63:
        raise OverflowError(f"{number} does not fit 64 bits")
    return number


def to_float(value: Any) -> float:
    """As C has it: 32 bits. There is one nan, equal to itself in a key."""
    number = ctypes.c_float(value).value
    return math.nan if math.isnan(number) else number


def to_text(value: Any) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise TypeError(f"{value!r} is no text")
    return value


def to_ints(value: Sequence[Any]) -> tuple[int, ...]:
    return tuple(map(to_int, value))


def to_bool_list(value: Sequence[Any]) -> tuple[bool, ...]:
    return tuple(map(to_bool, value))


def to_float_list(value: Sequence[Any]) -> tuple[float, ...]:
    return tuple(map(to_float, value))


def to_text_list(value: Sequence[Any]) -> tuple[str, ...]:
    return tuple(map(to_text, value))


def to_list_of_ints(value: Sequence[Sequence[Any]]) -> tuple[tuple[int, ...], ...]:
    return tuple(map(to_ints, value))


TAKES: dict[str, Callable[[Any], Any]] = {
    "bool": to_bool,
    "int": to_int,
    "float": to_float,
    "string": to_text,
    "data_type": to_int,
    "list_bool": to_bool_list,
    "list_int": to_ints,
    "list_float": to_float_list,
    "list_string": to_text_list,
    "list_data_type": to_ints,
    "list_list_int": to_list_of_ints,
}


def take(kind: str, value: Any) -> Value:
    """The value as an attribute of that type; raises TypeError, ValueError or OverflowError for what is none."""
    return Value(kind, TAKES[kind](value))
