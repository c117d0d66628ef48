# SPDX-License-Identifier: Apache-2.0
"""One vector instruction on a scratch AIV: builds the record of `abi.h`, runs it, hands back the UB.

    core.run("vadd", a, b, mask=7, repeat=3)

Operands are NumPy arrays; they are laid out in the UB one behind the other unless `at` gives their addresses.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from aclimb import _engine

ROWS: list[tuple[str, str]] = [(row.name, row.shape) for row in _engine.instructions()]
OPS = {name: number for number, (name, _) in enumerate(ROWS)}
LEVELS: list[str] = _engine.simd_levels()

VECTOR_PIPE, UB, NO_SLOT = 1, 1, 255
SATURATE, CAST_TRUNCATES = 1, 2
UB_BYTES = 192 << 10
REPEAT_BYTES, BLOCK_BYTES = 256, 32

DTYPES = ["none", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "half", "bf16", "f32", "i4"]
NUMPY: dict[str, Any] = {
    "i8": np.int8,
    "u8": np.uint8,
    "i16": np.int16,
    "u16": np.uint16,
    "i32": np.int32,
    "u32": np.uint32,
    "i64": np.int64,
    "half": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "i4": np.uint8,  # two elements in a byte
}
Array = np.ndarray[Any, Any]
Strides = tuple[int, int]  # of blocks, of repeats; in 32 bytes


class Head(ctypes.Structure):
    _fields_ = [
        ("op", ctypes.c_uint16),
        ("pipe", ctypes.c_uint8),
        ("dtype", ctypes.c_uint8),
        ("size", ctypes.c_uint16),
        ("dtype2", ctypes.c_uint8),
        ("ctrl", ctypes.c_uint8),
        ("where", ctypes.c_uint64),
    ]


class Place(ctypes.Structure):
    _fields_ = [
        ("addr", ctypes.c_uint64),
        ("size", ctypes.c_uint64, 40),
        ("generation", ctypes.c_uint64, 12),
        ("slot", ctypes.c_uint64, 8),
        ("memory", ctypes.c_uint64, 4),
    ]


class Stride(ctypes.Structure):
    _fields_ = [("block", ctypes.c_uint16), ("repeat", ctypes.c_uint16)]


class Vector(ctypes.Structure):
    _fields_ = [
        ("head", Head),
        ("dst", Place),
        ("a", Place),
        ("b", Place),
        ("dst_stride", Stride),
        ("a_stride", Stride),
        ("b_stride", Stride),
        ("count", ctypes.c_uint32),
        ("mask", ctypes.c_uint64 * 2),
        ("scalar", ctypes.c_uint64),
        ("repeat", ctypes.c_int32),
        ("counted", ctypes.c_uint8),
        ("mode", ctypes.c_uint8),
        ("extra", ctypes.c_uint16),
    ]


class Select(ctypes.Structure):
    _fields_ = [
        ("vector", Vector),
        ("mask", Place),
        ("has_mask", ctypes.c_uint8),
        ("scalar_in_register", ctypes.c_uint8),
        ("reserved", ctypes.c_uint8 * 6),
    ]


class MergeSort(ctypes.Structure):
    _fields_ = [
        ("vector", Vector),
        ("c", Place),
        ("d", Place),
        ("length", ctypes.c_uint16 * 4),
        ("suspends", ctypes.c_uint8),
        ("reserved", ctypes.c_uint8 * 7),
    ]


class TransData(ctypes.Structure):
    _fields_ = [("vector", Vector), ("dst", ctypes.c_uint32 * 16), ("src", ctypes.c_uint32 * 16)]


class RefusedError(Exception):
    """With the engine's fault."""

    def __init__(self, fault: _engine.Fault) -> None:
        super().__init__(fault.kind)
        self.fault = fault


@dataclass
class Done:
    """The UB and the side registers after the instruction."""

    ub: Array
    dst: Array
    cmp_mask: bytes
    reduce: tuple[int, int, int]
    counted: tuple[int, int] = (0, 0)  # what GatherMask kept; what MrgSort used of each list, 16 bits each


def dtype_of(array: Array) -> str:
    return next(name for name, dtype in NUMPY.items() if np.dtype(dtype) == array.dtype)


def lanes_of(dtype: str, other: str | None = None) -> int:
    size = {"i4": 0.5}.get(dtype, np.dtype(NUMPY[dtype]).itemsize)
    size2 = {"i4": 0.5}.get(other, np.dtype(NUMPY[other]).itemsize) if other else 0
    return int(REPEAT_BYTES / max(size, size2))


def mask_bits(mask: int | Sequence[int] | None) -> tuple[int, int]:
    """`None`: all lanes; a number n: the first n; a pair: the two words themselves."""
    if mask is None:
        return (2**64 - 1, 2**64 - 1)
    if isinstance(mask, int):
        bits = 2**mask - 1
        return (bits & (2**64 - 1), bits >> 64)
    return (mask[0], mask[1])


def scalar_bits(value: Any, dtype: str) -> int:
    raw = np.array([value]).astype(NUMPY[dtype]).tobytes()
    return int.from_bytes(raw, "little")


def place(addr: int, size: int) -> Place:
    return Place(addr=addr, size=size, slot=NO_SLOT, memory=UB)


def execute(record: ctypes.Structure, ub: Array, cmp_mask: bytes = bytes(16)) -> dict[str, Any]:
    result = _engine.execute(bytes(record), {"UB": ub.tobytes(), "CMPMASK": cmp_mask})
    if "fault" in result:
        raise RefusedError(result["fault"])
    return result


class Core:
    def run(self, name: str, *sources: Array, **options: Any) -> Array:
        """The destination afterwards, as an array of its element type."""
        return self.details(name, *sources, **options).dst

    def details(
        self,
        name: str,
        *sources: Array,
        dst: Array,
        dtype: str | None = None,  # of dst; taken from the array unless the elements are smaller than a byte
        source_dtype: str | None = None,
        at: Sequence[int] | None = None,  # addresses of dst and the sources
        sizes: Sequence[int] | None = None,  # what the tensors own, in bytes; the arrays' sizes unless given
        ub: Array | None = None,
        count: int | None = None,
        counted: int = 1,
        mask: int | Sequence[int] | None = None,
        repeat: int = 1,
        strides: Sequence[Strides] = ((1, 8), (1, 8), (1, 8)),
        scalar: Any = 0,
        scalar_dtype: str | None = None,
        mode: int = 0,
        ctrl: int = 0,
        selection: Array | None = None,  # Select: the mask tensor
        scalar_in_register: bool = False,  # Select: of the compare-mask register
        cmp_mask: bytes = bytes(16),
    ) -> Done:
        operands = [dst, *sources] + ([selection] if selection is not None else [])
        addresses = list(at) if at is not None else _addresses(operands)
        owned = list(sizes) if sizes is not None else [operand.nbytes for operand in operands]
        memory = np.full(UB_BYTES, 0xA5, np.uint8) if ub is None else ub.copy()
        if ub is None:
            for operand, address in zip(operands, addresses, strict=True):
                memory[address : address + operand.nbytes] = operand.reshape(-1).view(np.uint8)
        places = [place(address, size) for address, size in zip(addresses, owned, strict=True)]
        to = dtype or dtype_of(dst)
        source = source_dtype or (dtype_of(sources[0]) if sources else to)
        record = Vector(dst=places[0], repeat=repeat, mode=mode, scalar=scalar_bits(scalar, scalar_dtype or source))
        if sources:
            record.a = places[1]
        if len(sources) > 1:
            record.b = places[2]
        record.head = Head(op=OPS[name], pipe=VECTOR_PIPE, dtype=DTYPES.index(to), dtype2=DTYPES.index(source), ctrl=ctrl)
        record.dst_stride, record.a_stride, record.b_stride = (Stride(*stride) for stride in strides)
        record.mask = (ctypes.c_uint64 * 2)(*mask_bits(mask))
        if count is not None:
            record.count, record.counted = count, counted
        whole: ctypes.Structure = record
        record.head.size = ctypes.sizeof(record)
        if name == "vsel":
            record.head.size = ctypes.sizeof(Select)
            whole = Select(vector=record, has_mask=selection is not None, scalar_in_register=scalar_in_register)
            if selection is not None:
                whole.mask = places[-1]
        result = execute(whole, memory, cmp_mask)
        after = np.frombuffer(result["UB"], np.uint8)
        out = after[addresses[0] : addresses[0] + dst.nbytes].view(dst.dtype)
        return Done(after, out, result["CMPMASK"], result["REDUCE"], result["COUNTED"])


def _addresses(operands: Sequence[Array]) -> list[int]:
    addresses, free = [], 0
    for operand in operands:
        addresses.append(free)
        free += -(-operand.nbytes // REPEAT_BYTES) * REPEAT_BYTES
    assert free <= UB_BYTES, f"{free} bytes of operands do not fit into the UB"
    return addresses
