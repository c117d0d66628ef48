# SPDX-License-Identifier: Apache-2.0
"""ConstExpr: a parameter whose value is part of the program."""

from __future__ import annotations

from typing import Any, Generic, TypeVar, get_args, get_origin

T = TypeVar("T")


class ConstExpr(Generic[T]):
    """As an annotation, `n: asc.ConstExpr[int]`: the kernel is compiled for the value. As a call: a value known then."""

    def __init__(self, value: T) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"ConstExpr({self.value!r})"


def is_constexpr(annotation: Any) -> bool:
    return annotation is ConstExpr or get_origin(annotation) is ConstExpr


def wanted_type(annotation: Any) -> type | None:
    """T of ConstExpr[T], where it is a class."""
    arguments = get_args(annotation)
    return arguments[0] if arguments and isinstance(arguments[0], type) else None
