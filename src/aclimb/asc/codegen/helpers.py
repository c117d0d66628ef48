# SPDX-License-Identifier: Apache-2.0
"""Calls of other @asc.jit functions, and of a def in a kernel: a C++ function for each specialisation, or inlined; what return means."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from aclimb.asc.codegen import scalars
from aclimb.asc.codegen.body import Body
from aclimb.asc.codegen.errors import Refusal, located
from aclimb.asc.codegen.frame import Frame
from aclimb.asc.codegen.python_calls import has_run_time
from aclimb.asc.codegen.source import FunctionSource
from aclimb.asc.codegen.statements import NestedDef
from aclimb.asc.codegen.tree import Function, Place
from aclimb.asc.codegen.values import POSTFIX, Address, Array, Object, Scalar, Tensor, Type, Value, Variable, same, words
from aclimb.asc.language.core.constexpr import is_constexpr

if TYPE_CHECKING:
    from aclimb.asc.codegen.unit import Unit

_UNEXPECTED = (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError)


class Helpers:
    """The functions of one kernel beside itself."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._known: dict[Any, tuple[Function, Any, list[Type]]] = {}
        self._calling: list[FunctionSource] = []
        self._results: dict[int, Any] = {}

    def run(self, body: Body, source: FunctionSource) -> None:
        """Translates a body; what it refuses is an error at its place."""
        self._calling.append(source)
        try:
            body.run(_without_docstring(source.tree.body))
        except Refusal as refusal:
            raise located(refusal, source, body.node) from refusal.__cause__
        except _UNEXPECTED as error:  # what nobody thought of still has a line
            unknown = Refusal(f"this cannot be translated ({type(error).__name__}: {error})", hint="write it with simpler expressions")
            raise located(unknown, source, body.node) from error
        finally:
            self._calling.pop()

    def helper(self, frame: Body, source: FunctionSource, args: list[Any], kwargs: dict[str, Any], node: ast.Call) -> Any:
        """A call of another @asc.jit function."""
        if any(each.function is source.function for each in self._calling):
            cycle = " -> ".join([each.name for each in self._calling] + [source.name])
            raise Refusal(f"{cycle} is a recursion, which a core has no stack for", node, "write a loop")
        given = self._bound(source, args, kwargs, node)
        if self.unit.wanted.insert_sync or self.unit.wanted.inlines_all or _must_inline(source) or any(map(_holds_values, given.values())):
            return self._inlined(frame, source, given, None, node)
        return self._called(frame, source, given, node)

    def nested(self, frame: Body, nested: NestedDef, args: list[Any], kwargs: dict[str, Any], node: ast.Call) -> Any:
        """A def inside the function: inlined, with the names around it."""
        tree = nested.tree
        names = [each.arg for each in tree.args.args]
        given = dict(zip(names, args, strict=False)) | kwargs
        for name, default in zip(reversed(names), reversed(tree.args.defaults), strict=False):
            given.setdefault(name, nested.frame.evaluate(default))
        if set(given) != set(names) or len(args) > len(names):
            raise Refusal(f"{tree.name} takes ({', '.join(names)})", node)
        inner = FunctionSource.__new__(FunctionSource)
        inner.__dict__ = frame.source.__dict__ | {"tree": tree, "name": tree.name}
        if any(each.tree is tree for each in self._calling):
            raise Refusal(f"{tree.name} calls itself, which a core has no stack for", node, "write a loop")
        return self._inlined(frame, inner, given, nested.frame, node)

    def _bound(self, source: FunctionSource, args: list[Any], kwargs: dict[str, Any], node: ast.Call) -> dict[str, Any]:
        try:
            bound = source.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise Refusal(f"{source.name}: {error}", node) from None
        bound.apply_defaults()
        annotations = source.annotations
        for name, value in bound.arguments.items():
            note = annotations.get(name)
            if (is_constexpr(note) or (isinstance(note, str) and "ConstExpr" in note)) and isinstance(value, Value):
                raise Refusal(f"{name} of {source.name} is a ConstExpr, and the argument is only known when the kernel runs", node,
                              "pass a compile-time value, or take ConstExpr away")  # fmt: skip
        return dict(bound.arguments)

    def _inlined(self, frame: Body, source: FunctionSource, given: dict[str, Any], outer: Frame | None, node: ast.Call) -> Any:
        body = Body(self.unit, source, outer=outer)
        body.statements, body.cpp_names, body.constants = frame.statements, frame.cpp_names, frame.constants
        body.depth = body.base_depth = frame.depth
        body.is_inlined = True
        for name, value in given.items():
            body.names[name] = value
        self.run(body, source)
        return self._results.pop(id(body), None)

    def _called(self, frame: Body, source: FunctionSource, given: dict[str, Any], node: ast.Call) -> Any:
        """One C++ function for each specialisation."""
        values = {
            name: frame.stored(value, name) if value.is_pending else value for name, value in given.items() if isinstance(value, Value)
        }
        constants = {name: value for name, value in given.items() if not isinstance(value, Value)}
        key = (
            source.function,
            tuple((name, value.type.cpp()) for name, value in values.items()),
            repr(sorted(constants.items(), key=lambda i: i[0])),
        )
        if key not in self._known:
            self._known[key] = self._function(source, values, constants)
        function, result, types = self._known[key]
        texts = []
        for (name, value), kind, (_, _, by_reference) in zip(values.items(), types, function.parameters, strict=True):
            if isinstance(value.type, Tensor) and isinstance(kind, Tensor) and value.type.dtype is None:
                value.type.dtype = kind.dtype
            if by_reference and value.variable is None and not value.text.startswith("(*"):
                value = frame.declare(value.type, name, value.text)
            texts.append(value.bare or value.text if value.is_scalar else value.text)
        text = f"{function.name}({', '.join(texts)})"
        if function.result is None:
            frame.emit(text)
            return result
        if not function.result_struct:
            return Value(function.result, text, POSTFIX, is_pending=True)
        whole = frame.declare(function.result, f"{source.name}_result", text)
        return tuple(Value(part.type, f"{whole.text}.v{i}", POSTFIX) if isinstance(part, Value) else part for i, part in enumerate(result))

    def _function(self, source: FunctionSource, values: dict[str, Value], constants: dict[str, Any]) -> tuple[Function, Any, list[Type]]:
        body = Body(self.unit, source)
        parameters, types = [], list[Type]()
        for name, value in values.items():
            cpp = body.fresh(name)
            by_reference = not isinstance(value.type, Scalar | Address) and (name not in source.stored or isinstance(value.type, Object))
            variable = Variable(cpp, body, name, line=source.tree.lineno)
            body.names[name] = Value(value.type, cpp, variable=variable, root=variable)
            parameters.append((value.type, cpp, by_reference))
            types.append(value.type)
        body.names |= constants
        body.named_constants = set(constants)
        pipe = self.unit.pipe
        self.run(body, source)
        if self.unit.pipe is not pipe:
            raise located(
                Refusal("a TPipe is made in a helper, and ends with it", source.tree, "make it in the kernel and pass it on"),
                source,
                source.tree,
            )
        names = {each.name for each in self.unit.kernel.functions} | {self.unit.kernel.name} | self.unit.cpp_names
        name, number = source.name, 1
        while name in names:
            number += 1
            name = f"{source.name}_{number}"
        function = Function(name, Place(source.file, source.tree.lineno), parameters, body.statements, constants=body.constants)
        result = self._results.pop(id(body), None)
        if isinstance(result, Value):
            function.result = result.type
        elif isinstance(result, tuple) and any(isinstance(each, Value) for each in result):
            function.result_struct = f"{name}_result_t"
            function.result = Object("tuple", function.result_struct, {"parts": result})
        self.unit.kernel.functions.append(function)
        return function, result, types

    def returned(self, frame: Body, value: Any, node: ast.Return) -> None:
        """return in a kernel, in a helper, in an inlined one."""
        if frame.source is self.unit.source and not frame.is_inlined:
            if value is not None:
                raise Refusal("a kernel returns nothing", node, "write the result into an array that is passed to it")
            if frame.depth > 0:
                frame.emit("return")
            return
        at_the_end = frame.depth == frame.base_depth
        if frame.is_inlined:
            if not at_the_end:
                raise Refusal(
                    "return under a run-time condition, in a function that is inlined",
                    node,
                    "bind the result to a name and return it at the end",
                )
            self._results[id(frame)] = frame.stored(value) if isinstance(value, Value) else value
            return
        self._return_from(frame, value, node, at_the_end)

    def _return_from(self, frame: Body, value: Any, node: ast.Return, at_the_end: bool) -> None:
        known = self._results.get(id(frame))
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Value) and isinstance(each.type, Array | Object):
                raise Refusal(f"{words(each)} ends with the function that made it", node, "make it in the kernel and pass it on")
        if isinstance(value, tuple):
            value = tuple(frame.stored(each) if isinstance(each, Value) else each for each in value)
            if not at_the_end or known is not None:
                value = tuple(each if isinstance(each, Value) else scalars.constant(each, node) for each in value)
        elif scalars.is_number(value) and (not at_the_end or known is not None):
            value = (
                scalars.convert(value, known.dtype, node) if isinstance(known, Value) and known.is_scalar else scalars.constant(value, node)
            )
        if known is not None and not _alike(known, value):
            raise Refusal(f"{frame.source.name} returned {words(known)} before, and here {words(value)}", node, "return one type")
        self._results.setdefault(id(frame), value)
        if isinstance(value, Value):
            frame.emit(f"return {value.bare or value.text}")
        elif isinstance(value, tuple) and any(isinstance(each, Value) for each in value):
            frame.emit(f"return {{{', '.join(each.text for each in value if isinstance(each, Value))}}}")
        elif value is None and not at_the_end:
            frame.emit("return")


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    return (
        body[1:] if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str) else body
    )


def _must_inline(source: FunctionSource) -> bool:
    """REGIST_MATMUL_OBJ returns from the function that holds it; a TPipe ends with it."""
    return bool(source.words & {"register_matmul", "LocalTensorAuto", "TPipe"})


def _holds_values(value: Any) -> bool:
    return not isinstance(value, Value) and (has_run_time(value) or isinstance(value, NestedDef))


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(_alike(a, b) for a, b in zip(one, other, strict=True))
    return (
        same(one.type, other.type)
        if isinstance(one, Value) and isinstance(other, Value)
        else type(one) is type(other) and bool(one == other)
    )
