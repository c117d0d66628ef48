# SPDX-License-Identifier: Apache-2.0
"""What a callback gets to see. Everything is borrowed: used after the callback ended, it raises RuntimeError."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from aclimb.errors import DeviceError
from aclimb.op.node.node import OpParameter, OpTensor, Value
from aclimb.op.node.shape import Shape
from aclimb.op.status import TensorPlacement

T = TypeVar("T")


class Lease:
    """Alive while the callback runs."""

    __slots__ = ("alive", "what")

    def __init__(self, what: str) -> None:
        self.alive, self.what = True, what

    def check(self) -> None:
        if not self.alive:
            raise RuntimeError(f"{self.what} is only valid while its callback runs; keep what you need of it, not the view")


class TensorView:
    """A tensor. `aclimb.launch` takes it for a pointer."""

    __slots__ = ("_addressed", "_lease", "_name", "_readable", "_tensor", "role")

    def __init__(self, tensor: OpTensor, lease: Lease, *, readable: bool, addressed: bool, role: str, name: str) -> None:
        self._tensor, self._lease, self._readable, self._addressed = tensor, lease, readable, addressed
        self.role, self._name = role, name  # input or output

    @property
    def shape(self) -> tuple[int, ...]:
        """As it lies in memory."""
        self._lease.check()
        return self._tensor.shape.storage.dims

    @property
    def origin_shape(self) -> tuple[int, ...]:
        self._lease.check()
        return self._tensor.shape.origin.dims

    @property
    def dtype(self) -> np.dtype[Any]:
        self._lease.check()
        return self._tensor.dtype  # type: ignore[no-any-return]

    @property
    def format(self) -> int:
        self._lease.check()
        return self._tensor.format

    @property
    def placement(self) -> TensorPlacement:
        self._lease.check()
        return self._tensor.placement

    @property
    def nbytes(self) -> int:
        self._lease.check()
        return self._tensor.nbytes

    @property
    def size(self) -> int:
        """GetShapeSize: elements, of the storage shape."""
        self._lease.check()
        return self._tensor.shape.storage.size

    @property
    def address(self) -> int:
        """Where it lies; 0 in a callback that sees shapes only."""
        self._lease.check()
        return self._tensor.address if self._addressed or self._readable else 0

    def to_numpy(self) -> NDArray[Any]:
        """The value: of inputs that were declared to be needed on the host."""
        self._lease.check()
        if self._tensor.host is None or not self._readable:
            raise DeviceError(f"the value of {self._name} is in device memory, which this callback must not read; declare the input with "
                              "host_inputs, inputs_data_dependency or tiling_inputs_data_dependency")  # fmt: skip
        return self._tensor.host

    def __index__(self) -> int:
        buffer = self._tensor.buffer
        if self._lease.alive and self._addressed and buffer is not None:
            return buffer.address
        return self.address

    def __repr__(self) -> str:
        return f"<TensorView {self._tensor.dtype}{list(self._tensor.shape.storage)}>"


class PrototypeView(Generic[T]):
    """Values by name or by index in the prototype; a dynamic one is a list, an absent one None."""

    __slots__ = ("_lease", "_parameters", "_show", "_values")

    def __init__(self, parameters: Sequence[OpParameter], values: list[Value], lease: Lease, show: Callable[[OpTensor, int], T]) -> None:
        self._parameters, self._values, self._lease, self._show = parameters, values, lease, show

    def _place(self, key: str | int) -> int:
        self._lease.check()
        if isinstance(key, str):
            for index, parameter in enumerate(self._parameters):
                if parameter.name == key:
                    return index
            raise KeyError(f"{key!r} is not there; there are {', '.join(each.name for each in self._parameters) or 'none'}")
        if not 0 <= key < len(self._values):
            raise IndexError(f"index {key} is not there; there are {len(self._values)}")
        return key

    def __getitem__(self, key: str | int) -> Any:
        index = self._place(key)
        value = self._values[index]
        if type(value) is OpTensor:
            return self._show(value, index)
        if value is None:
            return None
        return [self._show(each, index) for each in value] if isinstance(value, list) else self._show(value, index)

    def __contains__(self, key: object) -> bool:
        """Whether a tensor is there: False for an optional one that was not given, and for a name or index that does not exist."""
        self._lease.check()
        if not isinstance(key, str | int):
            return False
        try:
            value = self._values[self._place(key)]
        except (KeyError, IndexError):
            return False
        return value is not None and value != []

    def __len__(self) -> int:
        self._lease.check()
        return len(self._values)

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))


class Settable(PrototypeView[Any]):
    """The same for what a callback sets."""

    __slots__ = ("_store",)

    def __init__(
        self,
        parameters: Sequence[OpParameter],
        values: list[Value],
        lease: Lease,
        show: Callable[[OpTensor, int], Any],
        store: Callable[[int, Any], None],
    ) -> None:
        super().__init__(parameters, values, lease, show)
        self._store = store

    def __setitem__(self, key: str | int, value: Any) -> None:
        self._store(self._place(key), value)


class AttrsView:
    """`gert::RuntimeAttrs`: by index in the order of the prototype, private ones behind; or by name."""

    __slots__ = ("_items", "_lease")

    def __init__(self, items: list[tuple[str, Any]], lease: Lease) -> None:
        self._items, self._lease = items, lease

    def get_attr_num(self) -> int:
        """GetAttrNum."""
        self._lease.check()
        return len(self._items)

    def value(self, index: int) -> Any:
        """As it is; None for an index that does not exist."""
        self._lease.check()
        return self._items[index][1] if 0 <= index < len(self._items) else None

    def _of(self, index: int, kinds: type | tuple[type, ...]) -> Any:
        value = self.value(index)
        return value if isinstance(value, kinds) and not (isinstance(value, bool) and kinds is int) else None

    def get_int(self, index: int) -> int | None:
        """GetInt."""
        return self._of(index, int)  # type: ignore[no-any-return]

    def get_float(self, index: int) -> float | None:
        """GetFloat."""
        return self._of(index, float)  # type: ignore[no-any-return]

    def get_bool(self, index: int) -> bool | None:
        """GetBool."""
        return self._of(index, bool)  # type: ignore[no-any-return]

    def get_str(self, index: int) -> str | None:
        """GetStr."""
        return self._of(index, str)  # type: ignore[no-any-return]

    def get_list_int(self, index: int) -> list[int] | None:
        """GetListInt."""
        return self._of(index, (list, tuple))  # type: ignore[no-any-return]

    def get_list_float(self, index: int) -> list[float] | None:
        """GetListFloat."""
        return self._of(index, (list, tuple))  # type: ignore[no-any-return]

    def get_list_list_int(self, index: int) -> list[list[int]] | None:
        """GetListListInt."""
        return self._of(index, (list, tuple))  # type: ignore[no-any-return]

    def __getitem__(self, key: str | int) -> Any:
        self._lease.check()
        if isinstance(key, int):
            if not 0 <= key < len(self._items):
                raise IndexError(f"attribute {key} is not there; there are {len(self._items)}")
            return self._items[key][1]
        for name, value in self._items:
            if name == key:
                return value
        raise KeyError(f"attribute {key!r} is not there; there are {', '.join(name for name, _ in self._items) or 'none'}")

    def __contains__(self, key: object) -> bool:
        """Whether there is an attribute of that name, or index."""
        self._lease.check()
        return any(name == key for name, _ in self._items) if isinstance(key, str) else key in range(len(self._items))

    def __iter__(self) -> Iterator[Any]:
        return (value for _, value in self._items)

    def __len__(self) -> int:
        return self.get_attr_num()


class WorkspaceView:
    """A workspace: `ptr` is its device address, None for one of size 0. `aclimb.launch` takes it for a pointer."""

    __slots__ = ("_address", "_lease", "_size")

    def __init__(self, address: int, size: int, lease: Lease) -> None:
        self._address, self._size, self._lease = address, size, lease

    @property
    def ptr(self) -> int | None:
        self._lease.check()
        return self._address or None

    @property
    def size(self) -> int:
        self._lease.check()
        return self._size

    def __index__(self) -> int:
        if not self._lease.alive:
            self._lease.check()
        return self._address


def checked_shape(value: Any) -> Shape:
    return value if isinstance(value, Shape) else Shape(value)
