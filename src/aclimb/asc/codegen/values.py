# SPDX-License-Identifier: Apache-2.0
"""Run-time values: a type and the C++ text that computes it. Everything else a kernel handles is an ordinary Python object."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aclimb.asc.language.core.dtype import DataType, KnownTypes
from aclimb.asc.language.core.struct import Struct

if TYPE_CHECKING:
    from aclimb.asc.codegen.tree import Declare, Effect

# How tightly an expression binds, as in C++; what binds less tightly than its place allows is put in brackets.
ATOM, POSTFIX, UNARY, PRODUCT, SUM, SHIFT, LESS, EQUAL, BIT_AND, BIT_XOR, BIT_OR, AND, OR, CHOICE = range(14)


class Type:
    """Of a run-time value."""

    def cpp(self) -> str:
        raise NotImplementedError

    def words(self) -> str:
        """For messages."""
        return self.cpp()


@dataclass(frozen=True)
class Scalar(Type):
    dtype: DataType

    def cpp(self) -> str:
        return self.dtype.cpp

    def words(self) -> str:
        return "a bool" if self.dtype == KnownTypes.bit else f"a number of type {self.dtype}"


@dataclass(frozen=True)
class Address(Type):
    dtype: DataType

    def cpp(self) -> str:
        return f"__gm__ {self.dtype.cpp}*"

    def words(self) -> str:
        return f"an address of {self.dtype}"


@dataclass(eq=False)
class Tensor(Type):
    """A global tensor has no element type until set_global_buffer; whoever holds this object sees it then."""

    is_local: bool
    dtype: DataType | None = None

    def cpp(self) -> str:
        return f"{'Local' if self.is_local else 'Global'}Tensor<{self.dtype.cpp if self.dtype else '?'}>"

    def words(self) -> str:
        return f"a {'local' if self.is_local else 'global'} tensor of {self.dtype or 'no type yet'}"


@dataclass(eq=False)
class Object(Type):
    """A pipe, a queue, a buffer, a parameter struct, a Matmul."""

    kind: str  # the class in the table
    text: str  # the C++ type
    facts: dict[str, Any] = field(default_factory=dict)

    def cpp(self) -> str:
        return self.text

    def words(self) -> str:
        return f"a {self.kind}"


@dataclass(frozen=True)
class StructOf(Type):
    cls: type[Struct]

    def cpp(self) -> str:
        return self.cls._cpp or self.cls.__name__


@dataclass(frozen=True)
class Array(Type):
    dtype: DataType
    length: int

    def cpp(self) -> str:
        return self.dtype.cpp

    def words(self) -> str:
        return f"an array of {self.length} {self.dtype}"


@dataclass(eq=False)
class Variable:
    """What a name stands for in C++."""

    name: str
    frame: object  # the function body that declared it
    owner: str  # the Python name it belongs to, "" for one of the compiler's own
    declaration: Declare | None = None
    line: int = 0


@dataclass(eq=False)
class Value:
    type: Type
    text: str
    level: int = ATOM
    is_pending: bool = False  # a call that must happen once, here and now
    bare: str = ""  # the text without its cast, for a declaration that names the type anyway
    variable: Variable | None = None
    root: Variable | None = None  # the tensor that this is a part of
    effect: Effect | None = None  # of the call, while it is pending
    flexible: str = ""  # a whole number that a block promoted under this name: it may still turn out to be a float

    def inside(self, level: int) -> str:
        """The text, in brackets where it binds less tightly."""
        return self.text if self.level <= level else f"({self.text})"

    @property
    def dtype(self) -> DataType:
        found = getattr(self.type, "dtype", None)
        assert isinstance(found, DataType)
        return found

    @property
    def is_scalar(self) -> bool:
        return isinstance(self.type, Scalar)

    @property
    def is_tensor(self) -> bool:
        return isinstance(self.type, Tensor)


class Retype(Exception):
    """A number that became a variable turns out to need another type: the block is translated again."""

    def __init__(self, name: str, dtype: DataType) -> None:
        super().__init__(name)
        self.name, self.dtype = name, dtype


class Gone:
    """A name that was bound in a block which has ended."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence


@dataclass(frozen=True)
class Method:
    """A run-time value and the name behind the dot."""

    value: Value
    name: str


def same(one: Type, other: Type) -> bool:
    return one is other or one == other or (type(one) is type(other) and not isinstance(one, Object) and one.cpp() == other.cpp())


def words(value: Any) -> str:
    """What a value is, for messages."""
    if isinstance(value, Value):
        return value.type.words()
    text = repr(value)
    return text if len(text) < 60 else f"a {type(value).__name__}"
