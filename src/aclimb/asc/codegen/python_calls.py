# SPDX-License-Identifier: Apache-2.0
"""Python's own functions in a kernel: computed now where all arguments are known; min, max, abs and the like on the core otherwise."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import Any

from aclimb.asc.codegen import scalars
from aclimb.asc.codegen.arguments import Given
from aclimb.asc.codegen.errors import Refusal
from aclimb.asc.codegen.expressions import Expressions
from aclimb.asc.codegen.values import POSTFIX, Array, Value, words
from aclimb.asc.language.core.dtype import KnownTypes, int32

_PYTHON = {"len", "int", "float", "str", "repr", "list", "tuple", "dict", "range", "isinstance", "issubclass", "type", "min", "max", "abs",
           "round", "sum", "sorted", "enumerate", "zip", "any", "all", "divmod", "bool", "reversed", "hasattr",
           "getattr", "set", "pow", "map"}  # fmt: skip
_INSTEAD = {
    "input": "pass it as an argument",
    "open": "pass the data as an array",
    "breakpoint": "use asc.dump_tensor, print, or kernel.profile(...)",
}


class PythonCalls(Expressions):
    def _at_compile_time(self, function: Any, args: list[Any], kwargs: Given, node: ast.Call) -> Any:
        name = getattr(function, "__name__", repr(function))
        if function in (
            builtins.min,
            builtins.max,
            builtins.abs,
            builtins.len,
            builtins.isinstance,
            builtins.int,
            builtins.float,
            builtins.bool,
        ):
            found = self._python_on_values(function, args, node)
            if found is not None:
                return found
        if not callable(function):
            raise Refusal(f"{words(function)} cannot be called", node)
        if (
            getattr(builtins, name, None) is function
            and name not in _PYTHON
            and not (isinstance(function, type) and issubclass(function, BaseException))
        ):
            raise Refusal(f"{name}() has no meaning in a kernel", node, _INSTEAD.get(name, "compute it on the host, and pass the result"))
        if any(map(has_run_time, (*args, *kwargs.values()))) and name not in (
            "list",
            "tuple",
            "zip",
            "enumerate",
            "reversed",
            "len",
            "append",
        ):
            raise Refusal(f"{name} is Python, which runs at compile time; an argument is only known when the kernel runs", node,
                          "give it @asc.jit, so that it becomes part of the kernel")  # fmt: skip
        own = getattr(function, "__self__", None)
        if isinstance(own, list | dict | set) and self.in_run_time_block(own):
            raise Refusal(
                f"{name} changes a compile-time {type(own).__name__} in a run-time block, where it would happen once", node, "use asc.array"
            )
        return self.python(function, *args, **kwargs)

    def _python_on_values(self, function: Callable[..., Any], args: list[Any], node: ast.AST) -> Any:
        """min, max, abs and the like, where an argument is a run-time value; None where none is."""
        items = list(args[0]) if len(args) == 1 and isinstance(args[0], list | tuple) and function in (builtins.min, builtins.max) else args
        if not any(isinstance(each, Value) for each in items):
            return None
        first = items[0]
        if function is builtins.len and isinstance(first.type, Array):
            return first.type.length
        if function is builtins.isinstance:
            return self.unit.is_instance(first, args[1])
        if function in (builtins.int, builtins.float, builtins.bool) and first.is_scalar:
            if function is builtins.bool:
                return scalars.truth(first, node)
            return scalars.convert(first, int32 if function is builtins.int else KnownTypes.float32, node, is_explicit=True)
        if function is builtins.abs:
            value = self.simple(scalars.as_number(first))
            return self.choice(scalars.compare(ast.Lt(), value, 0, node), scalars.unary(ast.USub(), value, node), value, node)
        if function in (builtins.min, builtins.max):
            best, op = first, ast.Lt() if function is builtins.min else ast.Gt()
            for each in items[1:]:
                best, each = self.simple(best), self.simple(each)
                best = self.choice(scalars.compare(op, each, best, node), each, best, node)
            return best
        return None

    def simple(self, value: Any) -> Any:
        """Computed once, where the text would stand twice."""
        return self.declare(value.type, "value", value.bare or value.text) if isinstance(value, Value) and value.level > POSTFIX else value


def has_run_time(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(has_run_time, value.values()))
    return isinstance(value, Value) or (isinstance(value, list | tuple | set) and any(map(has_run_time, value)))
