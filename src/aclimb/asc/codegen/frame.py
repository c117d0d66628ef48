# SPDX-License-Identifier: Apache-2.0
"""A function body while it is translated: its names, its statements so far, and how a name gets its C++ variable."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from aclimb.asc.codegen import scalars
from aclimb.asc.codegen.errors import Refusal
from aclimb.asc.codegen.source import FunctionSource
from aclimb.asc.codegen.tree import Declare, Effect, Line, Node, Place
from aclimb.asc.codegen.values import Array, Gone, Object, Retype, Scalar, Tensor, Type, Value, Variable, same, words
from aclimb.asc.language.core.dtype import DataType

if TYPE_CHECKING:
    from aclimb.asc.codegen.unit import Unit

_TAKEN = frozenset(
    re.findall(
        "[a-z_]+",
        """
alignas alignof and asm auto bool break case catch char class const constexpr continue default delete do double else enum explicit export
extern false float for friend goto half if inline int long namespace new noexcept not operator or private protected public register return
short signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while
xor printf block_idx block_num min max
""",
    )
)


class Frame:
    """State. What statements and expressions mean is in the classes on top of it."""

    def __init__(self, unit: Unit, source: FunctionSource, *, outer: Frame | None = None) -> None:
        self.unit, self.source = unit, source
        self.names: dict[str, Any] = {}
        self.outer = outer  # of a def inside a def: its names are seen
        self.statements: list[Node] = []
        self.node: ast.AST = source.tree
        self.depth = 0  # run-time blocks around the current statement
        self.cpp_names: list[set[str]] = [set()]  # by open C++ block
        self.constants: dict[str, str] = {}
        self.promoted: dict[str, DataType] = {}  # numbers that became variables, and may still change their type
        self.reserved: dict[str, str] = {}  # C++ names that both branches of an if have to use
        self.hint = ""  # the name that the expression will be bound to
        self.made_at: dict[int, int] = {}  # depth at which a list or dict was made, by its id

    # --- places and statements

    @property
    def place(self) -> Place:
        return Place(self.source.file, getattr(self.node, "lineno", self.source.first_line))

    def emit(self, text: str, effect: Effect | None = None, note: str = "") -> Line:
        line = Line(self.place, text, effect, note)
        self.statements.append(line)
        return line

    @contextmanager
    def block(self, into: list[Node]) -> Iterator[None]:
        """Statements go there, in a C++ block of its own."""
        before, self.statements = self.statements, into
        self.cpp_names.append(set())
        self.depth += 1
        try:
            yield
        finally:
            self.statements = before
            self.cpp_names.pop()
            self.depth -= 1

    # --- C++ names

    def fresh(self, wanted: str) -> str:
        """The name itself, or with a number behind it where it is taken."""
        wanted = wanted if wanted.isascii() else "v" + "".join(c if c.isascii() else f"{ord(c):x}" for c in wanted)
        if wanted in _TAKEN or wanted in self.unit.cpp_names or wanted.startswith("__"):
            wanted = f"{wanted.strip('_')}_"
        name, number = wanted, 1
        while any(name in names for names in self.cpp_names) or name in self.constants:
            number += 1
            name = f"{wanted}_{number}"
        self.cpp_names[-1].add(name)
        return name

    def declare(
        self, kind: Type, wanted: str, init: str | None, *, owner: str = "", effect: Effect | None = None, is_constructed: bool = False
    ) -> Value:
        """A new variable with its statement."""
        name = self.reserved.pop(wanted, "") if owner == wanted else ""
        variable = Variable(name or self.fresh(wanted), self, owner, line=self.place.line)
        node = Declare(self.place, kind, variable, init, effect, is_constructed=is_constructed)
        variable.declaration = node
        self.statements.append(node)
        return Value(kind, variable.name, variable=variable, root=variable)

    def stored(self, value: Value, wanted: str = "value") -> Value:
        """A call that must happen once happens now; its result has a name."""
        if not value.is_pending:
            return value
        effect, root = value.effect, value.root
        made = self.declare(value.type, wanted, value.bare or value.text, effect=effect)
        made.root = root or made.root
        return made

    # --- names

    def owns(self, name: str, value: Any) -> bool:
        return isinstance(value, Value) and value.variable is not None and value.variable.frame is self and value.variable.owner == name

    def bind(self, name: str, value: Any, node: ast.AST | None = None) -> None:
        """name = value."""
        old: Any = self.names.get(name)
        if not isinstance(value, Value):
            if self.owns(name, old) and old.is_scalar and (name in self.promoted or self.depth > 0) and scalars.is_number(value):
                self._assign(name, old, scalars.constant(value, node), value, node)
                return
            if name in self.reserved and scalars.is_number(value):
                made = scalars.constant(value, node)
                self.names[name] = self.declare(made.type, name, made.text, owner=name)
                return
            self.names[name] = value
            return
        if isinstance(value.type, Object) and value.type.kind in ("TPipe", "TQue", "TBuf", "TBufPool", "Matmul"):
            self.names[name] = value
        elif (
            self.owns(name, old) and same(old.type, value.type) and (old.is_scalar or (self.depth > 0 and not isinstance(old.type, Array)))
        ) or (self.owns(name, old) and old.is_scalar and value.is_scalar and self.depth > 0 and old.variable is not None):
            self._assign(name, old, value, value, node)
        elif not value.is_scalar and value.variable is not None and not value.is_pending and name not in self.reserved:
            self.names[name] = value  # another name for the same thing
        else:
            effect = value.effect
            made = self.declare(value.type, name, value.bare or value.text, owner=name, effect=effect)
            made.root = value.root if value.root is not None and value.is_tensor else made.root
            self.names[name] = made

    def _assign(self, name: str, old: Value, new: Value, value: Any, node: ast.AST | None) -> None:
        if old.is_scalar and not same(old.type, new.type):
            if name in self.promoted and isinstance(value, Value) and self.promoted[name] != new.dtype:
                raise Retype(name, new.dtype)
            if name in self.promoted and isinstance(value, float) and not old.dtype.is_float():
                raise Retype(name, new.dtype)
            new = scalars.convert(value, old.dtype, node)
        effect = new.effect
        self.emit(f"{old.text} = {new.bare or new.text}", effect)

    def read(self, name: str, node: ast.AST) -> Any:
        if name in self.names:
            found = self.names[name]
            if isinstance(found, Gone):
                raise Refusal(found.sentence, node)
            return found
        if self.outer is not None and name in self.outer.names:
            return self.outer.read(name, node)
        is_there, found = self.source.lookup(name)
        if not is_there:
            raise Refusal(f"{name} is not known here", node, "it is neither bound before this line nor a global of the module")
        from aclimb.asc.language.core.constexpr import ConstExpr

        return found.value if isinstance(found, ConstExpr) else found

    # --- run-time blocks

    def promote(self, names: dict[str, int], types: dict[str, DataType]) -> None:
        """What a run-time block assigns, and was bound before it, becomes a variable of one type."""
        for name in names:
            old: Any = self.names.get(name)
            if isinstance(old, Gone) or (old is None and name not in self.names):
                continue
            if scalars.is_number(old):
                dtype = types.get(name, scalars.natural(old))
                self.names[name] = self.declare(Scalar(dtype), name, scalars.literal(old, dtype), owner=name)
                self.names[name].flexible = name if dtype.is_int() else ""
                self.promoted[name] = dtype
            elif isinstance(old, Value):
                if isinstance(old.type, Object) and old.type.kind in ("TPipe", "TQue", "TBuf", "Matmul"):
                    raise Refusal(f"{name} is {words(old)} and is bound again in a run-time block", hint="give the other one another name")
                others = [other for key, other in self.names.items() if key != name and isinstance(other, Value)]
                shared = any(other.variable is old.variable for other in others)
                if not isinstance(old.type, Array) and (not self.owns(name, old) or (shared and not old.is_scalar)):
                    made = self.declare(old.type, name, old.text, owner=name)
                    made.root = old.root or made.root
                    self.names[name] = made

    def leave(self, before: dict[str, Any], what: str, line: int) -> None:
        """After a run-time block: what was bound in it ends with it."""
        after: dict[str, Any] = {}
        for name, value in self.names.items():
            if (name in before and (before[name] is value or (value == before[name] and not isinstance(value, Value)))) or isinstance(
                value, Gone
            ):
                after[name] = value
            else:
                at = value.variable.line if isinstance(value, Value) and value.variable else line
                after[name] = Gone(
                    f"{name} was bound in the {what} of line {line} (at line {at or line}), and ended with it; bind it before"
                )
        self.names = after

    def in_run_time_block(self, made: Any) -> bool:
        """Whether a compile-time container is older than the run-time block around the current statement."""
        return self.depth > self.made_at.get(id(made), 0)

    def dtype_of(self, value: Value, node: ast.AST) -> DataType:
        if isinstance(value.type, Tensor) and value.type.dtype is None:
            raise Refusal("the global tensor has no element type yet", node, "call set_global_buffer first")
        return value.dtype
