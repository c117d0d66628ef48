# SPDX-License-Identifier: Apache-2.0
"""Tensor descriptors and data buffers, behind the handles that acl gives out for them."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from aclimb.errors import Refused
from aclimb.runtime.handles import NULL, Handles

# aclDataType: bits of one element.
BITS = {0: 32, 1: 16, 2: 8, 3: 32, 4: 8, 6: 16, 7: 16, 8: 32, 9: 64, 10: 64, 11: 64, 12: 8, 16: 64, 17: 128, 27: 16, 29: 4, 30: 1, 33: 32}
UNKNOWN = -1  # of a side
UNDEFINED = -1  # of type and format
ON_DEVICE = 0  # aclMemType; the others are in host memory


@dataclass
class DataBuffer:
    """An address and a size. The memory is the caller's."""

    data: int
    size: int


@dataclass
class TensorDesc:
    """What a tensor looks like, as a program says it."""

    dtype: int
    dims: list[int]
    format: int
    name: str = ""
    ranges: list[tuple[int, int]] = field(default_factory=list)
    other: dict[str, Any] = field(default_factory=dict)  # kept for operators

    @property
    def elements(self) -> int:
        return 0 if any(dim < 0 for dim in self.dims) else math.prod(self.dims)

    @property
    def size_bytes(self) -> int:
        """What the tensor takes as it is stored; 0 while a side or the type is not known."""
        dims = self.stored_dims
        return 0 if any(dim < 0 for dim in dims) else -(-math.prod(dims) * BITS.get(self.dtype, 0) // 8)

    @property
    def stored_dims(self) -> tuple[int, ...]:
        return tuple(self.other.get("storage_shape", self.dims))

    @property
    def is_empty(self) -> bool:
        return 0 in self.dims

    @property
    def is_known(self) -> bool:
        return all(dim >= 0 for dim in self.dims)

    @property
    def is_absent(self) -> bool:
        """An optional input that was left out."""
        return self.dtype == UNDEFINED and self.format == UNDEFINED and not self.dims

    @property
    def on_host(self) -> bool:
        return bool(self.other.get("placement", ON_DEVICE) != ON_DEVICE)

    def dim(self, index: int) -> int:
        if index >= len(self.dims):
            raise Refused(NULL, f"dimension {index} does not exist; the tensor has {len(self.dims)}")
        return self.dims[index]

    @property
    def key(self) -> Hashable:
        """Equal for descriptors that describe the same tensor. The name is only a label."""
        if not self.ranges and not self.other:
            return self.dtype, self.format, *self.dims
        other = frozenset((name, tuple(value) if isinstance(value, list) else value) for name, value in self.other.items())
        return self.dtype, self.format, tuple(self.dims), tuple(self.ranges), other


BUFFERS: Handles[DataBuffer] = Handles("data buffer")
DESCS: Handles[TensorDesc] = Handles("tensor descriptor")
