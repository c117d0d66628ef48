# SPDX-License-Identifier: Apache-2.0
"""What a statement means. Run-time conditions and loops become C++ blocks; compile-time ones are decided, or unrolled, here."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, cast

from aclimb.asc.codegen import scalars
from aclimb.asc.codegen.arguments import quoted
from aclimb.asc.codegen.errors import Refusal
from aclimb.asc.codegen.loops import Loops
from aclimb.asc.codegen.values import Array, Object, Scalar, StructOf, Tensor, Value, words
from aclimb.asc.language.core.constexpr import ConstExpr
from aclimb.asc.language.core.dtype import DataType, float32, int32

if TYPE_CHECKING:
    from aclimb.asc.codegen.body import Body

_REFUSED = {
    ast.ClassDef: ("a class", "define it outside; data for a kernel is an asc.Struct"), ast.Try: ("try", "a core has no exceptions"),
    ast.Raise: ("raise", "a core has no exceptions; assert ends the kernel"), ast.Import: ("import", "import at the top of the file"),
    ast.ImportFrom: ("import", "import at the top of the file"), ast.Global: ("global", "pass the value, and return what changes"),
    ast.Nonlocal: ("nonlocal", "pass the value, and return what changes"), ast.Match: ("match", "write if and elif"),
    ast.Delete: ("del", "leave it out: a name ends with its block"), ast.AsyncFunctionDef: ("async", "write a def"),
    ast.AsyncFor: ("async", "write for"), ast.AsyncWith: ("async", "write with"),
}  # fmt: skip


class NestedDef:
    """A def inside a kernel: it is inlined, and sees the names around it."""

    def __init__(self, tree: ast.FunctionDef, frame: Any) -> None:
        self.tree, self.frame = tree, frame


_VISITS = {kind: f"_{kind.__name__}" for kind in ast.stmt.__subclasses__()}


class Statements(Loops):
    def run(self, body: list[ast.stmt]) -> bool:
        """Whether what follows is never reached."""
        for statement in body:
            self.node = statement
            try:
                if self._one(statement):
                    return True
            except Refusal as refusal:
                refusal.node = refusal.node or statement
                raise
        return False

    def _one(self, node: ast.stmt) -> bool:
        visit = getattr(self, _VISITS.get(type(node), ""), None)
        if visit is None:
            what, instead = _REFUSED.get(type(node), (type(node).__name__, ""))
            raise Refusal(f"{what} has no meaning in a kernel", node, instead, is_syntax=True)
        return bool(visit(node))

    def _Pass(self, node: ast.Pass) -> None:  # noqa: N802
        pass

    def _Expr(self, node: ast.Expr) -> None:  # noqa: N802
        value = self.evaluate(node.value)
        if isinstance(value, Value) and value.is_pending:
            self.emit(value.bare or value.text, value.effect)

    # --- binding

    def _Assign(self, node: ast.Assign) -> None:  # noqa: N802
        first = node.targets[0]
        if len(node.targets) == 1 and isinstance(first, ast.Tuple) and isinstance(node.value, ast.Tuple):
            return self._pairs(first, node.value)
        self.hint = first.id if isinstance(first, ast.Name) else ""
        value = self.evaluate(node.value)
        self.hint = ""
        for target in node.targets:
            self._store(target, value, node.value)
            if isinstance(target, ast.Name):
                value = self.names[target.id] if isinstance(value, Value) else value
        return None

    def _pairs(self, targets: ast.Tuple, values: ast.Tuple) -> None:
        """a, b = x, y: one after the other where no value reads a name that is bound here; else all values first."""
        bound = {each.id for each in ast.walk(targets) if isinstance(each, ast.Name)}
        read = {each.id for each in ast.walk(values) if isinstance(each, ast.Name)}
        plain = len(targets.elts) == len(values.elts) and not any(isinstance(each, ast.Starred) for each in (*targets.elts, *values.elts))
        if plain and not bound & read:
            for target, value in zip(targets.elts, values.elts, strict=True):
                self.hint = target.id if isinstance(target, ast.Name) else ""
                found = self.evaluate(value)
                self.hint = ""
                self._store(target, found, value)
            return
        found = [self._copied(each) for each in self._display(values.elts)]
        self._store(targets, tuple(found), values)

    def _copied(self, value: Any) -> Any:
        """A number as it is now."""
        return self.declare(value.type, "old", value.text) if isinstance(value, Value) and value.is_scalar else value

    def _store(self, target: ast.expr, value: Any, node: ast.AST) -> None:
        if isinstance(target, ast.Name):
            self.bind(target.id, value, node)
        elif isinstance(target, ast.Tuple | ast.List):
            self.unpack(target, value)
        elif isinstance(target, ast.Attribute):
            self._set_attribute(target, value, node)
        elif isinstance(target, ast.Subscript):
            self._set_item(target, value, node)
        else:
            raise Refusal("this cannot be assigned to", target, is_syntax=True)

    def _set_attribute(self, target: ast.Attribute, value: Any, node: ast.AST) -> None:
        owner = self.operand(target.value)
        if isinstance(owner, Value) and isinstance(owner.type, StructOf):
            if target.attr not in owner.type.cls._fields:
                raise Refusal(f"{owner.type.cls.__name__} has no field {target.attr}", target)
            self.set_field(owner, target.attr, self.stored(value) if isinstance(value, Value) else value, node)
            return
        if isinstance(owner, Value) and isinstance(owner.type, Object) and target.attr in owner.type.facts.get("members", {}):
            member, dtype = owner.type.facts["members"][target.attr]
            self.emit(f"{owner.text}.{member} = {scalars.convert(value, dtype, node).text}")
            return
        raise Refusal(f"{words(owner)} has no fields to set", target, "fields belong to asc.Struct and to parameter structs")

    def _set_item(self, target: ast.Subscript, value: Any, node: ast.AST) -> None:
        owner = self.operand(target.value)
        if isinstance(owner, Value) and isinstance(owner.type, Tensor):
            raise Refusal("an element of a tensor is not assigned to", target, f"write {ast.unparse(target.value)}.set_value(i, x)")
        index = self.operand(target.slice) if not isinstance(target.slice, ast.Slice) else None
        if isinstance(owner, Value) and isinstance(owner.type, Array) and index is not None:
            element = self.part(owner, index, target)
            new = self.stored(value) if isinstance(value, Value) else value
            self.emit(f"{element.text} = {scalars.convert(new, owner.type.dtype, node).text}")
            return
        if isinstance(owner, list | dict) and not isinstance(index, Value) and index is not None:
            if self.in_run_time_block(owner):
                raise Refusal(
                    f"a compile-time {type(owner).__name__} is changed in a run-time block, where it would happen once",
                    target,
                    "use asc.array",
                )
            owner[index] = self.stored(value) if isinstance(value, Value) else value
            return
        raise Refusal(f"{words(owner)} has no elements to set", target)

    def _AnnAssign(self, node: ast.AnnAssign) -> None:  # noqa: N802
        if node.value is None:
            return
        self.hint = node.target.id if isinstance(node.target, ast.Name) else ""
        value = self.evaluate(node.value)
        self.hint = ""
        wanted = self._annotated(node.annotation)
        if wanted is not None and isinstance(value, Value) and value.is_scalar:
            value = scalars.convert(self.stored(value), wanted, node.value, is_explicit=True)
        self._store(node.target, value, node.value)

    def _annotated(self, node: ast.expr) -> DataType | None:
        try:
            found = self.evaluate(node)
        except Refusal:
            return None
        return found if isinstance(found, DataType) else {int: int32, float: float32}.get(found) if isinstance(found, type) else None

    def _AugAssign(self, node: ast.AugAssign) -> None:  # noqa: N802
        read = ast.copy_location(ast.parse(ast.unparse(node.target), mode="eval").body, node.target)
        for each in ast.walk(read):
            ast.copy_location(each, node.target)
        old, new = self.operand(read), self.operand(node.value)
        if not isinstance(old, Value) and not isinstance(new, Value):
            self._store(node.target, self.evaluate(ast.copy_location(ast.BinOp(read, node.op, node.value), node)), node)
            return
        result = scalars.binary(node.op, old, new, node)
        is_plain = (
            isinstance(old, Value)
            and old.is_scalar
            and result.dtype == old.dtype
            and (result.dtype.is_float() or result.dtype.bitwidth >= 32)
        )
        if isinstance(node.target, ast.Name) and is_plain and self.owns(node.target.id, old):
            right = scalars.convert(new, old.dtype, node)
            self.emit(f"{old.text} {scalars.OPERATORS[type(node.op)][0]}= {right.bare or right.text}")
            return
        self._store(node.target, result, node)

    # --- the rest

    def _If(self, node: ast.If) -> bool:  # noqa: N802
        test = self.evaluate(node.test)
        test = self.stored(test) if isinstance(test, Value) else test
        if not isinstance(test, Value):
            return self.run(node.body if test else node.orelse)
        return self.branches(node, test)

    def _Assert(self, node: ast.Assert) -> None:  # noqa: N802
        value = self.operand(node.test)
        message = "" if node.msg is None else str(self.known(node.msg))
        if isinstance(value, Value):
            text = f", {quoted(message)}" if message else ""
            self.emit(f"ascendc_assert({scalars.truth(value, node).text}{text})")
        elif not value:
            raise Refusal(f"assertion failed: {message or ast.unparse(node.test)}", node)

    def _FunctionDef(self, node: ast.FunctionDef) -> None:  # noqa: N802
        self.names[node.name] = NestedDef(node, self)

    def _Return(self, node: ast.Return) -> bool:  # noqa: N802
        value = None if node.value is None else self.evaluate(node.value)
        self.unit.helpers.returned(cast("Body", self), value, node)
        return True


__all__ = ["ConstExpr", "NestedDef", "Scalar", "Statements"]
