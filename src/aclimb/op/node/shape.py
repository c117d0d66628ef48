# SPDX-License-Identifier: Apache-2.0
"""Shapes as the framework's callbacks see them: at most 25 dims, origin and storage, and the axes a format inserts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from aclimb.errors import InvalidArgument

MAX_DIMS = 25
INVALID_DIM = -(2**63)
UNKNOWN_DIM, UNKNOWN_RANK = -1, -2


class Shape:
    """`gert::Shape`: a rank and its dims. A shape of rank 0 is a scalar, whose size is 1; so is one made of more than 25 dims."""

    __slots__ = ("_dims",)

    def __init__(self, *dims: int | Iterable[int]) -> None:
        given = dims[0] if len(dims) == 1 and isinstance(dims[0], Iterable) else dims
        self._dims = [int(dim) for dim in given]  # type: ignore[arg-type]
        if len(self._dims) > MAX_DIMS:
            self._dims = []

    @classmethod
    def known(cls, dims: tuple[int, ...]) -> Shape:
        """Of dims that are ints, and at most 25 of them."""
        self = cls.__new__(cls)
        self._dims = list(dims)
        return self

    @property
    def dim_num(self) -> int:
        """GetDimNum."""
        return len(self._dims)

    @property
    def is_scalar(self) -> bool:
        """IsScalar."""
        return not self._dims

    @property
    def size(self) -> int:
        """GetShapeSize: the number of elements; INVALID_DIM when 64 bits do not hold it, -1 when a dim is unknown."""
        total = 1
        for dim in self._dims:
            if dim < 0:
                return UNKNOWN_DIM
            total *= dim
            if total >= 2**63:
                return INVALID_DIM
        return total

    def get_dim(self, index: int) -> int:
        """GetDim: INVALID_DIM for an index that does not exist."""
        return self._dims[index] if 0 <= index < len(self._dims) else INVALID_DIM

    def set_dim(self, index: int, dim: int) -> None:
        """SetDim: of a dim that exists."""
        if not 0 <= index < len(self._dims):
            raise IndexError(f"dim {index} does not exist; the shape has {len(self._dims)}: set_dim_num or append_dim first")
        self._dims[index] = int(dim)

    def set_dim_num(self, rank: int) -> None:
        """SetDimNum: dims that come new are 0."""
        if not 0 <= rank <= MAX_DIMS:
            raise InvalidArgument(f"rank is {rank}; it takes 0 to {MAX_DIMS}")
        self._dims = (self._dims + [0] * rank)[:rank]

    def append_dim(self, dim: int) -> Shape:
        """AppendDim. The 26th is ignored."""
        if len(self._dims) < MAX_DIMS:
            self._dims.append(int(dim))
        return self

    def set_scalar(self) -> None:
        """SetScalar."""
        self._dims = []

    def assign(self, dims: Iterable[int]) -> None:
        """All dims at once."""
        self._dims = Shape(dims)._dims

    @property
    def dims(self) -> tuple[int, ...]:
        return tuple(self._dims)

    def __iter__(self) -> Iterator[int]:
        return iter(self._dims)

    def __len__(self) -> int:
        return len(self._dims)

    def __getitem__(self, index: int) -> int:
        return self._dims[index]

    def __setitem__(self, index: int, dim: int) -> None:
        self.set_dim(index, dim)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Shape):
            return self._dims == other._dims
        return isinstance(other, tuple | list) and tuple(self._dims) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self._dims))

    def __repr__(self) -> str:
        return f"Shape({self._dims})"


class ShapeView(Shape):
    """A shape that belongs to a context: changing it changes the tensor, and it ends with the callback."""

    __slots__ = ("_lease", "_target")

    def __init__(self, target: Shape, lease: Any) -> None:
        self._target, self._lease = target, lease

    @property
    def _dims(self) -> list[int]:
        self._lease.check()
        return self._target._dims

    @_dims.setter
    def _dims(self, dims: list[int]) -> None:
        self._lease.check()
        self._target._dims = dims


@dataclass(slots=True)
class StorageShape:
    """`gert::StorageShape`: as the user wrote it, and as it lies in memory."""

    origin: Shape = field(default_factory=Shape)
    storage: Shape = field(default_factory=Shape)

    @classmethod
    def of(cls, dims: Iterable[int]) -> StorageShape:
        """The same for both, as for every ND tensor."""
        dims = tuple(dims)
        return cls(Shape(dims), Shape(dims))


T = TypeVar("T")


@dataclass
class Range(Generic[T]):
    """`gert::Range`: the smallest and the largest."""

    min: T
    max: T


class ExpandDimsType:
    """Which axes a format inserts, written as a text of 0 and 1; a 1 is an axis that was not there: 0110 makes [2, 2] to [2, 1, 1, 2]."""

    MAX_POSITIONS = 56

    def __init__(self, mask: str | int = "") -> None:
        if isinstance(mask, int):  # as int() gives it
            mask = "".join("1" if mask >> position & 1 else "0" for position in range(mask >> 56))
        if set(mask) - {"0", "1"} or len(mask) > self.MAX_POSITIONS:
            raise InvalidArgument(f"expand-dims mask is {mask!r}; it takes up to {self.MAX_POSITIONS} of the characters 0 and 1")
        self.mask = mask

    @property
    def full_size(self) -> int:
        return len(self.mask)

    def __int__(self) -> int:
        """The length in the top 8 bits, then one bit for each position, the first one lowest."""
        bits = sum(1 << position for position, mark in enumerate(self.mask) if mark == "1")
        return len(self.mask) << 56 | bits

    def expand(self, shape: Shape) -> Shape:
        """The shape with the new axes, each of size 1."""
        kept = self.mask.count("0")
        if self.mask and kept != shape.dim_num:
            raise InvalidArgument(f"expand-dims mask {self.mask} keeps {kept} axes; the shape {list(shape)} has {shape.dim_num}")
        old = iter(shape)
        return Shape([1 if mark == "1" else next(old) for mark in self.mask]) if self.mask else Shape(shape)
