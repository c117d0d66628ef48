# SPDX-License-Identifier: Apache-2.0
"""The arguments of a kernel that tiling launches, as they lie in memory."""

from __future__ import annotations

import struct
from typing import Any

from aclimb.op.node.node import OpTensor
from aclimb.op.status import OpError


class ArgsBlock:
    """The argument block: slots of 8 bytes, and the data that some of them point to behind them."""

    def __init__(self, op_type: str) -> None:
        self._op_type = op_type
        self.slots: list[int] = []
        self.roles: list[str] = []
        self._data: list[tuple[int, bytes]] = []  # slot, content
        self._inline = b""

    def by_value(self, content: bytes, parameter: Any) -> None:
        """Tiling data that the kernel takes as a struct."""
        if len(content) != parameter.size:
            raise OpError(message=f"tiling data of {self._op_type} has {len(content)} bytes; the kernel's {parameter} has {parameter.size}")
        self._inline = content
        self.roles.append("tiling")

    def slot(self, address: int, role: str) -> None:
        self.slots.append(address)
        self.roles.append(role)

    def data(self, content: bytes, role: str) -> None:
        """A slot that points to data which travels with the block; 0 when there is none."""
        if content:
            self._data.append((len(self.slots), content))
        self.slot(0, role)

    def add(self, value: Any, role: str) -> None:
        if isinstance(value, list):
            self.data(list_descriptor(self._op_type, value), role)
        else:
            self.slot(value.address if value is not None else 0, role)

    def build(self) -> tuple[bytes, list[tuple[int, int]]]:
        host = struct.pack(f"<{len(self.slots)}Q", *self.slots) + self._inline
        placeholders = []
        for slot, content in self._data:
            host += bytes(-len(host) % 32)
            placeholders.append((8 * slot, len(host)))
            host += content
        return host or bytes(8), placeholders


def list_descriptor(op_type: str, tensors: list[OpTensor]) -> bytes:
    """A dynamic parameter as ListTensorDesc reads it: where the pointers are, rank and dims of each tensor, the pointers.

    The reader takes the first rank for all of them.
    """
    ranks = {max(tensor.shape.storage.dim_num, 1) for tensor in tensors}
    if len(ranks) > 1:
        raise OpError(message=f"the tensors of a list of {op_type} have {', '.join(map(str, sorted(ranks)))} dims; a kernel that reads "
                              "them needs the same number for all")  # fmt: skip
    rank = next(iter(ranks), 1)
    words = [8 * (1 + (1 + rank) * len(tensors))]
    for tensor in tensors:
        words += [rank | len(tensors) << 32, *(tensor.shape.storage.dims or (1,))]
    words += [tensor.address for tensor in tensors]
    return struct.pack(f"<{len(words)}Q", *words)
