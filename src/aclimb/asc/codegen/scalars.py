# SPDX-License-Identifier: Apache-2.0
"""Numbers on the core: literals, conversions, and the arithmetic of run-time scalars. The rules are those of C++, with two exceptions:
an int and a float do not meet without a cast, and a result is never narrower or wider than its type."""

from __future__ import annotations

import ast
import math
import warnings
from enum import IntEnum
from typing import Any

from aclimb.asc.codegen.errors import Refusal
from aclimb.asc.codegen.values import (
    AND,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    EQUAL,
    LESS,
    OR,
    PRODUCT,
    SHIFT,
    SUM,
    UNARY,
    Address,
    Retype,
    Scalar,
    Value,
    words,
)  # fmt: skip
from aclimb.asc.language.core import enums
from aclimb.asc.language.core.dtype import DataType, KnownTypes, float32, greatest, int32, int64, smallest, uint64
from aclimb.errors import BuildWarning

BIT = KnownTypes.bit
OPERATORS: dict[type[ast.AST], tuple[str, int]] = {
    ast.Add: ("+", SUM), ast.Sub: ("-", SUM), ast.Mult: ("*", PRODUCT), ast.Div: ("/", PRODUCT), ast.FloorDiv: ("/", PRODUCT),
    ast.Mod: ("%", PRODUCT), ast.LShift: ("<<", SHIFT), ast.RShift: (">>", SHIFT), ast.BitAnd: ("&", BIT_AND), ast.BitOr: ("|", BIT_OR),
    ast.BitXor: ("^", BIT_XOR),
}  # fmt: skip
COMPARISONS: dict[type[ast.AST], tuple[str, int]] = {
    ast.Lt: ("<", LESS), ast.LtE: ("<=", LESS), ast.Gt: (">", LESS), ast.GtE: (">=", LESS), ast.Eq: ("==", EQUAL), ast.NotEq: ("!=", EQUAL),
}  # fmt: skip


def is_number(value: Any) -> bool:
    """A number that is known at compile time, and can become a run-time one."""
    return isinstance(value, bool | int | float)


def natural(value: bool | int | float) -> DataType:
    """The type of a literal that nothing around it decides."""
    if isinstance(value, bool):
        return BIT
    if isinstance(value, float):
        return float32
    return int32 if smallest(int32) <= value <= greatest(int32) else int64 if value <= greatest(int64) else uint64


def literal(value: Any, dtype: DataType, node: ast.AST | None = None) -> str:
    """A compile-time number as C++ of that type."""
    if isinstance(value, IntEnum):
        return f"static_cast<{dtype.cpp}>({enums.in_cpp(value)})"
    if dtype == BIT:
        return "true" if value else "false"
    if dtype.is_float():
        text = _float(float(value), dtype)
        return f"static_cast<half>({text})" if dtype.name == "float16" else text
    if isinstance(value, float):
        if not value.is_integer():
            raise Refusal(
                f"{value!r} is no whole number, and {dtype} is wanted",
                node,
                f"write {round(value)}, or cast the other side: x.cast(asc.float32)",
            )
        value = int(value)
    if not smallest(dtype) <= value <= greatest(dtype):
        raise Refusal(f"{value} does not fit {dtype}, which holds {smallest(dtype)} to {greatest(dtype)}", node)
    return _int(int(value), dtype)


def _int(value: int, dtype: DataType) -> str:
    if dtype.bitwidth < 64 and smallest(int32) <= value <= greatest(int32):
        return str(value) if value != smallest(int32) else "(-2147483647 - 1)"
    if dtype == uint64:
        return f"{value}ULL" if value <= 2**32 else f"0x{value:x}ULL"
    if value == smallest(int64):
        return "(-9223372036854775807LL - 1)"
    return (
        f"{value}LL"
        if dtype == int64 and not smallest(int32) <= value <= greatest(int32)
        else f"{value}U"
        if value > greatest(int32)
        else str(value)
    )


def _float(value: float, dtype: DataType) -> str:
    suffix = "" if dtype.name == "float64" else "f"
    if math.isinf(value):
        return f"{'-' if value < 0 else ''}__builtin_inf{suffix}()"
    if math.isnan(value):
        return f'__builtin_nan{suffix}("")'
    text = repr(value)
    return text + suffix if "." in text or "e" in text else f"{text}.0{suffix}"


def constant(value: Any, node: ast.AST | None = None) -> Value:
    """A compile-time number as a run-time value."""
    if isinstance(value, IntEnum):
        return Value(Scalar(int32), literal(value, int32))
    if not is_number(value):
        raise Refusal(f"{words(value)} is known at compile time and cannot become a number on the core", node)
    text = literal(value, natural(value), node)
    return Value(Scalar(natural(value)), text, UNARY if text.startswith("-") else 0)


def convert(value: Any, dtype: DataType, node: ast.AST | None = None, *, is_explicit: bool = False) -> Value:
    """A number of that type; a run-time float becomes an int, or the other way, only where the user casts."""
    if not isinstance(value, Value):
        if not is_number(value) and not isinstance(value, IntEnum):
            raise Refusal(f"{words(value)} stands where a number of type {dtype} is wanted", node)
        text = literal(value, dtype, node)
        return Value(Scalar(dtype), text, UNARY if text.startswith("-") else 0)
    if not value.is_scalar:
        raise Refusal(f"{words(value)} stands where a number of type {dtype} is wanted", node)
    if value.dtype == dtype:
        return value
    if not is_explicit and value.dtype.is_float() and not dtype.is_float():
        raise Refusal(f"a float stands where a number of type {dtype} is wanted", node, f"cast it: x.cast(asc.{dtype})")
    return Value(Scalar(dtype), f"static_cast<{dtype.cpp}>({value.bare or value.text})")


def as_number(value: Value) -> Value:
    """A bool counts as int32, as in Python."""
    return Value(Scalar(int32), f"static_cast<int32_t>({value.text})") if value.dtype == BIT else value


def _are_alike(one: Value, other: Value) -> bool:
    """Numbers of one type, which nothing has to be done to: most of them."""
    kind = one.type
    return isinstance(kind, Scalar) and kind == other.type and kind.dtype != BIT and not one.flexible and not other.flexible


def _common(left: Any, right: Any, node: ast.AST) -> tuple[Value, Value, DataType]:
    """Both sides in the type of the result."""
    if isinstance(left, Value) and isinstance(right, Value) and _are_alike(left, right):
        return left, right, left.dtype
    sides = [as_number(each) if isinstance(each, Value) and each.is_scalar else each for each in (left, right)]
    for each in sides:
        if isinstance(each, Value) and not each.is_scalar:
            raise Refusal(
                f"{words(each)} has no arithmetic", node, "on tensors, call asc.add, asc.muls and the like; an element is t.get_value(i)"
            )
    dtypes = [each.dtype for each in sides if isinstance(each, Value)]
    flexible = next((each.flexible for each in (left, right) if isinstance(each, Value) and each.flexible), "")
    if flexible and any(isinstance(each, float) or (isinstance(each, Value) and each.dtype.is_float()) for each in (left, right)):
        raise Retype(flexible, next((each for each in dtypes if each.is_float()), float32))
    if len(dtypes) == 2 and dtypes[0].is_float() != dtypes[1].is_float():
        raise Refusal(f"{dtypes[0]} meets {dtypes[1]}", node, "say which is meant: i.cast(asc.float32), or f.cast(asc.int32)")
    dtype = dtypes[0] if len(dtypes) == 1 or dtypes[0].bitwidth >= dtypes[1].bitwidth else dtypes[1]
    if len(dtypes) == 1:
        other = next(each for each in sides if not isinstance(each, Value))
        if dtype.is_int() and isinstance(other, float) and not other.is_integer():
            raise Refusal(f"{dtype} meets {other!r}", node, "say which is meant: i.cast(asc.float32), or a whole number")
        if (
            dtype.is_int()
            and isinstance(other, int)
            and natural(other).bitwidth > dtype.bitwidth
            and not smallest(dtype) <= other <= greatest(dtype)
        ):
            dtype = natural(other)
    return convert(sides[0], dtype, node), convert(sides[1], dtype, node), dtype


def binary(op: ast.operator, left: Any, right: Any, node: ast.AST) -> Value:
    """An operation with at least one run-time operand."""
    if isinstance(left, Value) and isinstance(left.type, Address) and isinstance(op, ast.Add | ast.Sub):
        offset = right if isinstance(right, Value) else constant(right, node)
        return Value(left.type, f"{left.inside(SUM)} {OPERATORS[type(op)][0]} {offset.inside(PRODUCT)}", SUM)
    if isinstance(right, Value) and isinstance(right.type, Address) and isinstance(op, ast.Add):
        return binary(op, right, left, node)
    if type(op) not in OPERATORS:
        sign = "**" if isinstance(op, ast.Pow) else "@"
        raise Refusal(f"{sign} is for compile-time values only", node, "multiply, or use asc.adv.power on tensors", is_syntax=True)
    sign, level = OPERATORS[type(op)]
    one, other, dtype = _common(left, right, node)
    if dtype.is_float() and sign in ["%", "<<", ">>", "&", "|", "^"]:
        raise Refusal(f"{sign} does not exist for {dtype} on the core", node, "cast to an integer type first")
    if sign in "/%" and dtype.is_signed():
        _warn_of_negative(left, right, node, "//" if sign == "/" else "%")
    text = f"{one.inside(level)} {sign} {other.inside(level - 1)}"
    if dtype.is_int() and dtype.bitwidth < 32:  # C++ computes in int; the result has its type again
        return Value(Scalar(dtype), f"static_cast<{dtype.cpp}>({text})")
    return Value(Scalar(dtype), text, level)


def _warn_of_negative(left: Any, right: Any, node: ast.AST, sign: str) -> None:
    if any(isinstance(each, int | float) and each < 0 for each in (left, right)):
        warnings.warn(
            f"line {getattr(node, 'lineno', 0)}: {sign} of run-time numbers truncates towards zero as in C++, and an operand is negative: "
            "Python would round down",
            BuildWarning,
            stacklevel=2,
        )


def compare(op: ast.cmpop, left: Any, right: Any, node: ast.AST) -> Value:
    sign, level = COMPARISONS[type(op)]
    if isinstance(left, Value) and isinstance(right, Value) and left.dtype == BIT and right.dtype == BIT:
        one, other = left, right
    else:
        one, other, _ = _common(left, right, node)
    return Value(Scalar(BIT), f"{one.inside(level)} {sign} {other.inside(level - 1)}", level)


def truth(value: Any, node: ast.AST) -> Value:
    """As a condition."""
    if not isinstance(value, Value):
        return Value(Scalar(BIT), "true" if value else "false")
    if not value.is_scalar:
        raise Refusal(f"{words(value)} is no condition", node, "compare something: i < n")
    return value if value.dtype == BIT else Value(Scalar(BIT), f"{value.inside(EQUAL)} != 0", EQUAL)


def joined(sign: str, parts: list[Value]) -> Value:
    """and, or: short-circuit, as in Python."""
    level = AND if sign == "&&" else OR
    return Value(Scalar(BIT), f" {sign} ".join(part.inside(level) if part.level != AND else f"({part.text})" for part in parts), level)


def unary(op: ast.unaryop, value: Value, node: ast.AST) -> Value:
    if isinstance(op, ast.Not):
        return Value(Scalar(BIT), f"!{truth(value, node).inside(UNARY)}", UNARY)
    if not value.is_scalar:
        raise Refusal(f"{words(value)} has no sign", node)
    value = as_number(value)
    if isinstance(op, ast.UAdd):
        return value
    if isinstance(op, ast.Invert) and value.dtype.is_float():
        raise Refusal("~ does not exist for floats", node)
    text = f"{'-' if isinstance(op, ast.USub) else '~'}{value.inside(UNARY - 1)}"
    if value.dtype.is_int() and value.dtype.bitwidth < 32:
        return Value(value.type, f"static_cast<{value.dtype.cpp}>({text})")
    return Value(value.type, text, UNARY)
