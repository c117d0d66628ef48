# SPDX-License-Identifier: Apache-2.0
"""Loops, branches, and what they do to names."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable
from typing import Any

from aclimb.asc.codegen import scalars
from aclimb.asc.codegen.errors import Refusal
from aclimb.asc.codegen.objects import Objects
from aclimb.asc.codegen.tree import Block, Declare
from aclimb.asc.codegen.values import Gone, Object, Retype, Scalar, Value, same, words
from aclimb.asc.language.core.dtype import DataType, int32
from aclimb.asc.language.device import Special


class _Leave(Exception):
    """break or continue in a loop that is unrolled."""

    def __init__(self, is_break: bool) -> None:
        super().__init__()
        self.is_break = is_break


def stored_in(nodes: Iterable[ast.AST]) -> dict[str, int]:
    """Names that statements bind, with the first line; what an inner def binds is its own."""
    found: dict[str, int] = {}
    for node in nodes:
        known: dict[str, int] | None = getattr(node, "asc_stored", None)  # a tree is looked at many times, and does not change
        if known is None:
            known = {}
            _stored(node, known)
            node.asc_stored = known  # type: ignore[attr-defined]
        found = known | found
    return found


def _stored(node: ast.AST, found: dict[str, int]) -> None:
    if isinstance(node, ast.FunctionDef | ast.Lambda | ast.ListComp):
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        found.setdefault(node.id, node.lineno)
    for child in ast.iter_child_nodes(node):
        _stored(child, found)


def _first_use(nodes: Iterable[ast.AST], name: str) -> ast.expr_context | None:
    """Whether the name is read or bound first, as the text runs; the right side of an assignment comes before its left."""
    best: tuple[int, int, int] | None = None
    use: ast.expr_context | None = None
    for top in nodes:
        for node in ast.walk(top):
            if isinstance(node, ast.Name) and node.id == name:
                at = (node.lineno, isinstance(node.ctx, ast.Store), node.col_offset)
                if best is None or at < best:
                    best, use = at, node.ctx
    return use


class Loops(Objects):
    def run(self, body: list[ast.stmt]) -> bool:
        raise NotImplementedError

    # --- blocks whose names may need another type

    def _retried(self, names: dict[str, int], work: Callable[[], Any]) -> Any:
        """Translates a run-time block; where a number in it needs another type than it began with, once more with that type."""
        types: dict[str, DataType] = {}
        outer = dict(self.promoted)
        while True:
            before = (dict(self.names), len(self.statements), [set(each) for each in self.cpp_names], dict(self.constants), self.depth)
            statements = self.statements
            try:
                self.promote(names, types)
                result = work()
                for name in names.keys() - outer.keys():  # from here on its type is settled
                    if isinstance(value := self.names.get(name), Value):
                        value.flexible = ""
                return result
            except Retype as retype:
                if retype.name in outer or retype.name not in names:
                    raise
                self.statements = statements
                self.names, count, self.cpp_names, self.constants, self.depth = before
                del self.statements[count:]
                types[retype.name] = retype.dtype
                self.promoted = dict(outer)
            finally:
                if not types:
                    self.promoted = dict(outer)

    # --- if

    def branches(self, node: ast.If, test: Value) -> bool:
        """Names that both branches bind stay."""
        names = stored_in([*node.body, *node.orelse])
        return bool(self._retried(names, lambda: self._branches(node, test)))

    def _branches(self, node: ast.If, test: Value) -> bool:
        head = f"if {test.bare}" if test.bare.startswith("ASCEND_IS") else f"if ({scalars.truth(test, node.test).text})"
        block = Block(self.place, head)
        before = dict(self.names)
        in_both = [name for name in stored_in(node.body) if name in stored_in(node.orelse) and name not in before]
        reserved = {name: self.fresh(name) for name in in_both}
        ended, names = [], list[dict[str, Any]]()
        at = len(self.statements)
        for body in (node.body, node.orelse):
            if not body:
                ended.append(False)
                names.append(before)
                continue
            into = block.body if body is node.body else []
            if body is node.orelse:
                block.other = into
            self.names = dict(before)
            self.reserved = dict(reserved)
            with self.block(into):
                ended.append(self.run(body))
            names.append(self.names)
            self.reserved = {}
        self.statements.append(block)
        self.names = self._merged(before, names, in_both, at, node)
        return all(ended) and bool(node.orelse)

    def _merged(self, before: dict[str, Any], branches: list[dict[str, Any]], in_both: list[str], at: int, node: ast.If) -> dict[str, Any]:
        after = {}
        for name in {**branches[0], **branches[1]}:
            one, other = branches[0].get(name, before.get(name)), branches[1].get(name, before.get(name))
            if name in in_both and isinstance(one, Value) and isinstance(other, Value):
                after[name] = self._hoisted(name, one, other, at)
            elif (name in before and one is other is before[name]) or (name in branches[0] and name in branches[1] and _equal(one, other)):
                after[name] = one
            else:
                lines = [stored_in(body).get(name) for body in (node.body, node.orelse)]
                where = self._where(lines, node)
                after[name] = Gone(f"{name} was bound {where}; bind it in both branches, or before")
        return after

    def _where(self, lines: list[int | None], node: ast.If) -> str:
        if all(lines):
            return f"at line {lines[0]} and at line {lines[1]}, as different things"
        missing = "its else" if lines[0] else "the if itself"
        return f"at line {lines[0] or lines[1]}, under the if of line {node.lineno}, and not in {missing}"

    def _hoisted(self, name: str, one: Value, other: Value, at: int) -> Any:
        """Declared before the if, assigned in both branches."""
        first, second = one.variable, other.variable
        if first is None or second is None or first.name != second.name or not same(one.type, other.type) or isinstance(one.type, Object):
            lines = f"line {first.line if first else 0} ({words(one)}) and line {second.line if second else 0} ({words(other)})"
            return Gone(f"{name} was bound at {lines}: give it one type in both branches")
        for each in (first, second):
            assert each.declaration is not None
            each.declaration.is_hoisted = True
            if each.declaration.init is None:
                return Gone(f"{name} is made anew in both branches; make it before the if")
        declaration = Declare(self.place, one.type, first)
        self.statements.insert(at, declaration)
        first.declaration = declaration
        return Value(one.type, first.name, variable=first, root=first)

    # --- for and while

    def _For(self, node: ast.For) -> bool:  # noqa: N802
        if node.orelse:
            raise Refusal("for ... else has no meaning in a kernel", node.orelse[0], "use a flag of your own", is_syntax=True)
        call = node.iter
        if isinstance(call, ast.Call):
            function = self.evaluate(call.func)
            name = getattr(function, "__name__", "")
            if function is builtins.range or (isinstance(function, Special) and name == "range"):
                return self._range(node, call)
            if isinstance(function, Special) and name == "static_range":
                bounds = [self.known(each) for each in call.args]
                return self._unrolled(node, builtins.range(*bounds))
        found = self.operand(call)
        return self._unrolled(node, self.iterable(found, call))

    def _unrolled(self, node: ast.For, items: Iterable[Any]) -> bool:
        self.loops.append(self.depth)
        try:
            for item in items:
                try:
                    self.unpack(node.target, item)
                    if self.run(node.body):
                        return True
                except _Leave as leave:
                    if leave.is_break:
                        break
        finally:
            self.loops.pop()
        return False

    def _range(self, node: ast.For, call: ast.Call) -> bool:
        if not isinstance(node.target, ast.Name):
            raise Refusal("range gives one number", node.target, "for i in range(n)")
        if not 1 <= len(call.args) <= 3 or call.keywords:
            raise Refusal("range takes 1 to 3 numbers", call)
        values = [self.operand(each) for each in call.args]
        start, stop, step = (0, values[0], 1) if len(values) == 1 else (values[0], values[1], values[2] if len(values) == 3 else 1)
        if isinstance(step, Value):
            raise Refusal("the step of range is only known when the kernel runs, so its sign is not known", call.args[2],
                          "use while, or a ConstExpr step")  # fmt: skip
        if step == 0:
            raise Refusal("the step of range is 0", call.args[2])
        names = stored_in(node.body)
        names.pop(node.target.id, None)
        reread = {each.id for each in ast.walk(call) if isinstance(each, ast.Name)} & set(names)
        dtype = next(
            (each.dtype for each in (start, stop) if isinstance(each, Value) and each.is_scalar and each.dtype.bitwidth == 64), int32
        )
        if isinstance(stop, Value) and (reread or not stop.is_scalar):
            stop = self.declare(Scalar(dtype), f"{node.target.id}_stop", scalars.convert(stop, dtype, call).text)
        nodes = call.args
        texts = [self._bound_text(each, dtype, nodes[min(i, len(nodes) - 1)]) for i, each in enumerate((start, stop))]
        self._refuse_carried(names, node.body)
        self._retried(names, lambda: self._c_loop(node, texts, step, dtype))
        return False

    def _bound_text(self, value: Any, dtype: DataType, node: ast.AST) -> str:
        if isinstance(value, Value):
            return scalars.convert(value, dtype, node).inside(5)
        return self.unit.named(self, node, value) or scalars.literal(value, dtype, node)

    def _c_loop(self, node: ast.For, texts: list[str], step: int, dtype: DataType) -> None:
        assert isinstance(node.target, ast.Name)
        name, before = node.target.id, dict(self.names)
        rebinds = name in stored_in(node.body)
        self.cpp_names.append(set())
        counter = self.fresh(f"{name}_it" if rebinds else name)
        move = {1: f"++{counter}", -1: f"--{counter}"}.get(step, f"{counter} {'+' if step > 0 else '-'}= {abs(step)}")
        kind = Scalar(dtype)
        block = Block(
            self.place, f"for ({kind.cpp()} {counter} = {texts[0]}; {counter} {'<' if step > 0 else '>'} {texts[1]}; {move})", is_loop=True
        )
        self.statements.append(block)
        self.loops.append(None)
        with self.block(block.body):
            value = Value(kind, counter)
            self.names[name] = self.declare(kind, name, counter, owner=name) if rebinds else value
            self.run(node.body)
        self.loops.pop()
        self.cpp_names.pop()
        self.leave(before, "loop", node.lineno)

    def _refuse_carried(self, names: dict[str, int], body: list[ast.stmt]) -> None:
        """A compile-time thing that one turn of a loop would hand to the next."""
        for name in names:
            old = self.names.get(name, Gone(""))
            if isinstance(old, Gone | Value) or scalars.is_number(old):
                continue
            if isinstance(_first_use(body, name), ast.Load):
                raise Refusal(
                    f"{name} is {words(old)} before the loop of line {getattr(self.node, 'lineno', 0)}, and another thing in its next turn",
                    hint="compile-time values do not change from turn to turn: use a number, a tensor, or asc.static_range",
                )

    def _While(self, node: ast.While) -> bool:  # noqa: N802
        if node.orelse:
            raise Refusal("while ... else has no meaning in a kernel", node.orelse[0], "use a flag of your own", is_syntax=True)
        names = stored_in([*node.body, node.test])
        self._refuse_carried(names, node.body)
        self._retried(names, lambda: self._while(node))
        return False

    def _while(self, node: ast.While) -> None:
        before = dict(self.names)
        block = Block(self.place, "while (true)", is_loop=True)
        with self.block(block.body):
            self.loops.append(None)
            test = self.operand(node.test)
            if not isinstance(test, Value) and not test:
                self.loops.pop()
                return
            condition = scalars.truth(test, node.test) if isinstance(test, Value) else None
            if condition is not None and not block.body:
                block.head = f"while ({condition.text})"
            elif condition is not None:  # the condition needs statements of its own
                block.body.append(Block(self.place, f"if (!{condition.inside(2)})", [self._line("break")]))
            self.run(node.body)
            self.loops.pop()
        self.statements.append(block)
        self.leave(before, "loop", node.lineno)

    def _line(self, text: str) -> Any:
        line = self.emit(text)
        self.statements.pop()
        return line

    def _Break(self, node: ast.Break) -> bool:  # noqa: N802
        return self._leave(node, "break")

    def _Continue(self, node: ast.Continue) -> bool:  # noqa: N802
        return self._leave(node, "continue")

    def _leave(self, node: ast.stmt, word: str) -> bool:
        depth = self.loops[-1]
        if depth is None:
            self.emit(word)
            return True
        if depth < self.depth:
            raise Refusal(
                f"{word} under a run-time condition in a loop that is unrolled",
                node,
                "use range, or a condition that is known at compile time",
            )
        raise _Leave(word == "break")


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, Value | Gone) or isinstance(other, Value | Gone):
        return one is other
    return type(one) is type(other) and bool(one == other)
