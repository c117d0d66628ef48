# SPDX-License-Identifier: Apache-2.0
"""TCubeTiling: what a Matmul object is told, byte for byte as the C++ struct (kernel_tiling/tcube_tiling.h)."""

from __future__ import annotations

import ctypes
from typing import Any

from aclimb.errors import InvalidArgument

FIELDS = (
    "usedCoreNum", "M", "N", "Ka", "Kb", "singleCoreM", "singleCoreN", "singleCoreK", "baseM", "baseN", "baseK", "depthA1", "depthB1",
    "stepM", "stepN", "isBias", "transLength", "iterateOrder", "shareMode", "shareL1Size", "shareL0CSize", "shareUbSize", "batchM",
    "batchN", "singleBatchM", "singleBatchN", "stepKa", "stepKb", "depthAL1CacheUB", "depthBL1CacheUB", "dbL0A", "dbL0B", "dbL0C",
    "ALayoutInfoB", "ALayoutInfoS", "ALayoutInfoN", "ALayoutInfoG", "ALayoutInfoD", "BLayoutInfoB", "BLayoutInfoS", "BLayoutInfoN",
    "BLayoutInfoG", "BLayoutInfoD", "CLayoutInfoB", "CLayoutInfoS1", "CLayoutInfoN", "CLayoutInfoG", "CLayoutInfoS2", "BatchNum",
    "mxTypePara",
)  # fmt: skip
_HIGHEST = 2**31 - 1


class TCubeTiling(ctypes.Structure):
    """50 numbers of 32 bits. `bytes(tiling)` is what a kernel reads; a launch takes it as it is."""

    _fields_ = tuple((name, ctypes.c_int32) for name in FIELDS)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in FIELDS:
            raise InvalidArgument(f"TCubeTiling has no field {name}; there are {', '.join(FIELDS)}")
        if not -_HIGHEST - 1 <= value <= _HIGHEST:
            raise InvalidArgument(f"field {name} of TCubeTiling is {value}; it has 32 bits")
        super().__setattr__(name, int(value))

    @classmethod
    def unpack(cls, data: bytes) -> TCubeTiling:
        """From what a kernel would read."""
        if len(data) != SIZE:
            raise InvalidArgument(f"TCubeTiling has {SIZE} bytes; {len(data)} are given")
        return cls.from_buffer_copy(data)

    def pack(self) -> bytes:
        return bytes(self)

    def values(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in FIELDS}

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={value}" for name, value in self.values().items() if value)
        return f"TCubeTiling({said})"

    def __eq__(self, other: object) -> bool:
        return bytes(self) == bytes(other) if isinstance(other, TCubeTiling) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


SIZE = ctypes.sizeof(TCubeTiling)
