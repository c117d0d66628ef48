# SPDX-License-Identifier: Apache-2.0
"""What an expression means: compile-time parts are computed as Python does, run-time parts become C++ text."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from aclimb.asc.codegen import scalars
from aclimb.asc.codegen.errors import Refusal
from aclimb.asc.codegen.frame import Frame
from aclimb.asc.codegen.values import AND, CHOICE, OR, POSTFIX, Array, Method, Object, Scalar, StructOf, Tensor, Value, words
from aclimb.asc.language.core.constexpr import ConstExpr
from aclimb.asc.language.core.dtype import float32

_PYTHON: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.MatMult: operator.matmul, ast.Not: operator.not_, ast.USub: operator.neg,
    ast.UAdd: operator.pos, ast.Invert: operator.invert, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
_REFUSED = {
    ast.Lambda: ("lambda", "write a def with @asc.jit"), ast.Set: ("a set", "use a tuple"), ast.SetComp: ("a set", "use a list"),
    ast.GeneratorExp: ("a generator", "use a list: [f(x) for x in xs]"), ast.DictComp: ("a dict comprehension", "write the dict out"),
    ast.Await: ("await", "a kernel has no coroutines"), ast.Yield: ("yield", "return the value"),
    ast.YieldFrom: ("yield", "return the value"),
}  # fmt: skip


_VISITS = {kind: f"_{kind.__name__}" for kind in ast.expr.__subclasses__()}


class Expressions(Frame):
    """Gives Python objects for what is known, Values for what the core computes."""

    def call(self, node: ast.Call) -> Any:
        raise NotImplementedError

    def evaluate(self, node: ast.expr) -> Any:
        kind = type(node)
        if kind is ast.Name:
            return self.read(node.id, node)  # type: ignore[attr-defined]
        if kind is ast.Constant:
            return node.value  # type: ignore[attr-defined]
        before, self.node = self.node, node
        try:
            visit = getattr(self, _VISITS[kind], None) if kind in _VISITS else None
            if visit is None:
                what, instead = _REFUSED.get(kind, (kind.__name__, "write it with names, numbers, calls and operators"))
                raise Refusal(f"{what} has no meaning in a kernel", node, instead, is_syntax=True)
            return visit(node)
        except Refusal as refusal:
            refusal.node = refusal.node or node
            raise
        finally:
            self.node = before

    def operand(self, node: ast.expr) -> Any:
        """As part of a larger expression: calls happen in order, before it."""
        hint, self.hint = self.hint, ""
        value = self.evaluate(node)
        self.hint = hint
        return self.stored(value) if isinstance(value, Value) and value.is_pending else value

    def pure(self, node: ast.expr, what: str) -> Any:
        """A part that may not be computed at all: it cannot need statements of its own."""
        count = len(self.statements)
        value = self.operand(node)
        if len(self.statements) > count:
            raise Refusal(f"the call happens before {what} is decided", node, "bind its result to a name in an if of its own")
        return value

    # --- leaves

    def _NamedExpr(self, node: ast.NamedExpr) -> Any:  # noqa: N802
        self.bind(node.target.id, self.evaluate(node.value), node)
        return self.read(node.target.id, node)

    def _display(self, nodes: list[ast.expr]) -> list[Any]:
        found: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                found += self.iterable(self.operand(node.value), node)
            else:
                found.append(self.operand(node))
        return found

    def _List(self, node: ast.List) -> Any:  # noqa: N802
        return self.made(self._display(node.elts))

    def _Tuple(self, node: ast.Tuple) -> Any:  # noqa: N802
        return tuple(self._display(node.elts))

    def _Dict(self, node: ast.Dict) -> Any:  # noqa: N802
        if any(key is None for key in node.keys):
            raise Refusal("** in a dict has no meaning in a kernel", node, "write the entries out", is_syntax=True)
        return self.made(
            {self.known(key): self.operand(value) for key, value in zip(node.keys, node.values, strict=True) if key is not None}
        )

    def made(self, container: Any) -> Any:
        self.made_at[id(container)] = self.depth
        self.unit.kept.append(container)  # its id stays its own
        return container

    def _ListComp(self, node: ast.ListComp) -> Any:  # noqa: N802
        found: list[Any] = []
        before = dict(self.names)
        self._comprehend(node.elt, node.generators, found)
        targets = {each.id for generator in node.generators for each in ast.walk(generator.target) if isinstance(each, ast.Name)}
        self.names = {name: before.get(name, value) for name, value in self.names.items() if name in before or name not in targets}
        return self.made(found)

    def _comprehend(self, element: ast.expr, generators: list[ast.comprehension], found: list[Any]) -> None:
        if not generators:
            found.append(self.operand(element))
            return
        first, *rest = generators
        for item in self.iterable(self.operand(first.iter), first.iter):
            self.unpack(first.target, item)
            if all(self.known(test) for test in first.ifs):
                self._comprehend(element, rest, found)

    def iterable(self, value: Any, node: ast.AST) -> list[Any]:
        """A compile-time sequence."""
        if isinstance(value, Value):
            raise Refusal(f"{words(value)} cannot be gone through at compile time", node, "use for i in range(n)")
        try:
            return list(value)
        except TypeError:
            raise Refusal(f"{words(value)} is no sequence", node) from None

    def known(self, node: ast.expr) -> Any:
        value = self.operand(node)
        if isinstance(value, Value):
            raise Refusal(f"{ast.unparse(node)} is only known when the kernel runs", node, "make it a ConstExpr parameter, or a global")
        return value

    def unpack(self, target: ast.expr, value: Any) -> None:
        """Binds names to a compile-time item."""
        if isinstance(target, ast.Name):
            self.bind(target.id, value, target)
            return
        if not isinstance(target, ast.Tuple | ast.List):
            raise Refusal(f"{ast.unparse(target)} cannot be bound here", target, "bind a name", is_syntax=True)
        items = self.iterable(value, target)
        star = next((i for i, each in enumerate(target.elts) if isinstance(each, ast.Starred)), None)
        if star is not None and len(items) >= len(target.elts) - 1:
            rest = len(target.elts) - star - 1
            items = [*items[:star], items[star : len(items) - rest], *items[len(items) - rest :]]
        if len(items) != len(target.elts):
            raise Refusal(f"{len(items)} values for {len(target.elts)} names", target)
        for each, item in zip(target.elts, items, strict=True):
            self.unpack(each.value if isinstance(each, ast.Starred) else each, item)

    # --- operators

    def _BinOp(self, node: ast.BinOp) -> Any:  # noqa: N802
        left, right = self.operand(node.left), self.operand(node.right)
        if isinstance(left, Value) or isinstance(right, Value):
            return scalars.binary(node.op, self._by_name(left, right, node.left), self._by_name(right, left, node.right), node)
        return self.python(_PYTHON[type(node.op)], left, right)

    def _by_name(self, value: Any, other: Any, node: ast.expr) -> Any:
        """A global, or a ConstExpr, beside a run-time number of its type keeps its name."""
        if isinstance(value, Value) or not isinstance(other, Value) or not scalars.is_number(value) or not other.is_scalar:
            return value
        name = self.unit.named(self, node, value) if scalars.natural(value) == other.dtype and value >= 0 else ""
        return Value(other.type, name) if name else value

    def python(self, function: Callable[..., Any], /, *values: Any, **named: Any) -> Any:
        """Computed now, as Python does."""
        try:
            return function(*values, **named)
        except Refusal:
            raise
        except Exception as error:
            raise Refusal(f"{type(error).__name__}: {error}") from error

    def _UnaryOp(self, node: ast.UnaryOp) -> Any:  # noqa: N802
        value = self.operand(node.operand)
        return scalars.unary(node.op, value, node) if isinstance(value, Value) else self.python(_PYTHON[type(node.op)], value)

    def _BoolOp(self, node: ast.BoolOp) -> Any:  # noqa: N802
        is_and = isinstance(node.op, ast.And)
        parts: list[Value] = []
        for index, each in enumerate(node.values):
            value = self.pure(each, "the condition") if parts else self.operand(each)
            if isinstance(value, Value):
                parts.append(scalars.truth(value, each))
            elif bool(value) != is_and:  # it decides
                return value if not parts else scalars.joined("&&" if is_and else "||", [*parts, scalars.truth(value, each)])
            elif index == len(node.values) - 1 and not parts:
                return value
        return parts[0] if len(parts) == 1 else scalars.joined("&&" if is_and else "||", parts)

    def _Compare(self, node: ast.Compare) -> Any:  # noqa: N802
        left, parts = self.operand(node.left), list[Any]()
        for index, (op, right_node) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right = self.operand(right_node)
            if index < len(node.ops) - 1 and isinstance(right, Value) and right.level > POSTFIX:
                right = self.declare(right.type, "middle", right.text)  # of a < b < c: computed once
            parts.append(self._compared(op, left, right, node))
            left = right
        known = [part for part in parts if not isinstance(part, Value)]
        if not all(known):
            return False
        run_time = [part for part in parts if isinstance(part, Value)]
        return True if not run_time else run_time[0] if len(run_time) == 1 else scalars.joined("&&", run_time)

    def _compared(self, op: ast.cmpop, left: Any, right: Any, node: ast.AST) -> Any:
        if isinstance(op, ast.Is | ast.IsNot):
            is_same = left is right if not (isinstance(left, Value) and isinstance(right, Value)) else left.variable is right.variable
            return is_same == isinstance(op, ast.Is)
        if isinstance(op, ast.In | ast.NotIn):
            if isinstance(right, Value):
                raise Refusal(f"in looks into compile-time containers; this is {words(right)}", node, "compare in a loop")
            if not isinstance(left, Value):
                return (left in right) == isinstance(op, ast.In)
            found = [scalars.compare(ast.Eq(), left, each, node) for each in self.iterable(right, node)]
            either = scalars.joined("||", found) if len(found) > 1 else found[0] if found else scalars.truth(False, node)
            return either if isinstance(op, ast.In) else scalars.unary(ast.Not(), either, node)
        if isinstance(left, Value) or isinstance(right, Value):
            return scalars.compare(op, left, right, node)
        return self.python(_PYTHON[type(op)], left, right)

    def _IfExp(self, node: ast.IfExp) -> Any:  # noqa: N802
        condition = self.operand(node.test)
        if not isinstance(condition, Value):
            return self.evaluate(node.body if condition else node.orelse)
        one, other = self.pure(node.body, "the condition"), self.pure(node.orelse, "the condition")
        return self.choice(scalars.truth(condition, node.test), one, other, node)

    def choice(self, condition: Value, one: Any, other: Any, node: ast.AST) -> Value:
        """condition ? one : other."""
        if not isinstance(one, Value) and not isinstance(other, Value):
            dtype = float32 if isinstance(one, float) or isinstance(other, float) else scalars.natural(max(abs(one), abs(other)))
            one, other = scalars.convert(one, dtype, node), scalars.convert(other, dtype, node)
        elif isinstance(one, Value) and isinstance(one.type, Scalar):
            other = scalars.convert(other, one.dtype, node)
        elif not isinstance(one, Value):
            one = scalars.convert(one, other.dtype, node)
        if one.type.cpp() != other.type.cpp():
            raise Refusal(f"{words(one)} or {words(other)}: both sides need one type", node)
        return Value(one.type, f"{condition.inside(OR)} ? {one.inside(OR)} : {other.inside(CHOICE)}", CHOICE)

    # --- parts of things

    def _Attribute(self, node: ast.Attribute) -> Any:  # noqa: N802
        value = self.operand(node.value)
        if isinstance(value, ConstExpr):
            value = value.value
        if not isinstance(value, Value):
            try:
                found = getattr(value, node.attr)
            except AttributeError:
                raise Refusal(f"{words(value)} has no {node.attr}", node) from None
            return found.value if isinstance(found, ConstExpr) else found
        if isinstance(value.type, StructOf) and node.attr in value.type.cls._fields:
            return self.unit.field(value, node.attr)
        if isinstance(value.type, Object) and value.type.kind in self.unit.records and node.attr in value.type.facts.get("members", {}):
            member, dtype = value.type.facts["members"][node.attr]
            return Value(Scalar(dtype), f"{value.inside(POSTFIX)}.{member}", POSTFIX)
        if node.attr == "dtype" and not isinstance(value.type, Object | StructOf):
            return self.dtype_of(value, node)
        return Method(value, node.attr)

    def _Subscript(self, node: ast.Subscript) -> Any:  # noqa: N802
        value = self.operand(node.value)
        if isinstance(value, Value) and isinstance(node.slice, ast.Slice):
            if node.slice.upper is not None or node.slice.step is not None:
                raise Refusal(
                    "a tensor has no end or step to its parts",
                    node,
                    "t[i:] begins at element i; how many is said by the call",
                    is_syntax=True,
                )
            return self.part(value, self.operand(node.slice.lower) if node.slice.lower else 0, node)
        if isinstance(node.slice, ast.Slice):
            low, high, step = (None if each is None else self.known(each) for each in (node.slice.lower, node.slice.upper, node.slice.step))
            return self.python(operator.getitem, value, slice(low, high, step))
        index = self.operand(node.slice)
        if isinstance(value, Value):
            return self.part(value, index, node)
        if isinstance(index, Value):
            raise Refusal("the index is only known when the kernel runs, and the list only while it compiles", node,
                          "use asc.array for a list that the core reads")  # fmt: skip
        return self.python(operator.getitem, value, index)

    def part(self, value: Value, index: Any, node: ast.AST) -> Value:
        """A sub-tensor, or an element of an array."""
        if not isinstance(value.type, Tensor | Array):
            raise Refusal(f"{words(value)} has no elements", node)
        text = scalars.constant(index, node).text if not isinstance(index, Value) else index.bare or index.text
        kind = value.type if isinstance(value.type, Tensor) else Scalar(value.type.dtype)
        return Value(kind, f"{value.inside(POSTFIX)}[{text}]", POSTFIX, root=value.root)

    def _JoinedStr(self, node: ast.JoinedStr) -> Any:  # noqa: N802
        return "".join(str(each.value) if isinstance(each, ast.Constant) else self._formatted(each) for each in node.values)

    def _formatted(self, node: ast.expr) -> str:
        assert isinstance(node, ast.FormattedValue)
        value = self.operand(node.value)
        if isinstance(value, Value):
            raise Refusal("the value is only known when the kernel runs", node.value, 'print it: print(f"{x}"), or asc.printf("%d", x)')
        spec = self._JoinedStr(node.format_spec) if isinstance(node.format_spec, ast.JoinedStr) else ""
        changes: dict[int, Callable[[Any], str]] = {ord("r"): repr, ord("s"): str, ord("a"): ascii}
        change = changes.get(node.conversion)
        return format(change(value) if change else value, spec)

    def _Call(self, node: ast.Call) -> Any:  # noqa: N802
        return self.call(node)

    def _Starred(self, node: ast.Starred) -> Any:  # noqa: N802
        raise Refusal("* stands in calls, displays and unpacking only", node, is_syntax=True)


assert AND < OR
