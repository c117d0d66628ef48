# SPDX-License-Identifier: Apache-2.0
"""print(...), asc.printf(...) and the f-strings in them, as one format and its values."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from aclimb.asc.codegen.errors import Refusal
from aclimb.asc.codegen.values import Value, words
from aclimb.asc.language.core.dtype import KnownTypes

if TYPE_CHECKING:
    from aclimb.asc.codegen.expressions import Expressions

_SPEC = re.compile(r"[-+ 0]*\d*(\.\d+)?[dxXfeg]?")


def format_and_values(frame: Expressions, node: ast.Call, *, is_python: bool) -> tuple[str, list[str]]:
    """The text of printf's first argument, not yet quoted, and the C++ texts of the others."""
    values: list[str] = []
    if is_python:
        options = {each.arg: frame.known(each.value) for each in node.keywords}
        unknown = [name for name in options if name not in ("end", "sep", "flush")]
        if unknown:
            raise Refusal(f"print in a kernel has no {unknown[0]}", node, "it takes sep and end")
        parts = [_part(frame, each, values) for each in node.args]
        return str(options.get("sep", " ")).join(parts) + str(options.get("end", "\n")), values
    if not node.args:
        raise Refusal("printf takes a format", node, 'asc.printf("%d", x)')
    first, *rest = node.args
    if isinstance(first, ast.JoinedStr):
        return _part(frame, first, values), values
    text = frame.known(first)
    if not isinstance(text, str):
        raise Refusal(f"printf's format is {words(text)}", first, 'it takes a text: asc.printf("%d", x)')
    for each in rest:
        value = frame.operand(each)
        if isinstance(value, str):  # known now: it becomes part of the format
            text = text.replace("%s", value.replace("%", "%%"), 1)
        else:
            values.append(_text(value))
    return text, values


def _part(frame: Expressions, node: ast.expr, values: list[str]) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_part(frame, each, values) for each in node.values)
    spec = ""
    if isinstance(node, ast.FormattedValue):
        if isinstance(node.format_spec, ast.JoinedStr):
            spec = "".join(str(each.value) for each in node.format_spec.values if isinstance(each, ast.Constant))
        node = node.value
    value = frame.operand(node)
    if not isinstance(value, Value):
        return format(value, spec).replace("%", "%%")
    if not value.is_scalar:
        raise Refusal(f"{words(value)} cannot be printed", node, "use asc.dump_tensor(tensor, number, size)")
    if not _SPEC.fullmatch(spec):
        raise Refusal(f"the format {spec!r} is not one of C's", node, "use widths, digits and d, x, f, e, g")
    values.append(_text(value))
    letter = _letter(value)
    return f"%{spec[:-1]}{letter[:-1]}{spec[-1]}" if spec and spec[-1].isalpha() else f"%{spec}{letter}"


def _letter(value: Value) -> str:
    if value.dtype.is_float():
        return "f"
    return ("l" if value.dtype.bitwidth == 64 else "") + ("u" if value.dtype.is_unsigned() else "d")


def _text(value: Any) -> str:
    if not isinstance(value, Value):
        return repr(value) if not isinstance(value, bool) else str(int(value))
    return (
        f"static_cast<int32_t>({value.text})"
        if value.dtype == KnownTypes.bit
        else f"static_cast<float>({value.text})"
        if value.dtype.name == "float16"
        else value.text
    )
