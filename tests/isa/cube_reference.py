# SPDX-License-Identifier: Apache-2.0
"""Records of the movement and cube instructions, and slow NumPy models of what they do.

The records mirror `device/include/aclimb/abi.h`; the numbers of the instructions are asked of the engine.
The models follow the address formulas element by element, so that they share nothing with the engine's blocked loops.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ml_dtypes
import numpy as np

from aclimb import _engine

ROWS = [row.name for row in _engine.instructions()]

PIPES = {"S": 0, "V": 1, "M": 2, "MTE1": 3, "MTE2": 4, "MTE3": 5, "FIX": 6}
MEMORIES = {"GM": 0, "UB": 1, "L1": 2, "L0A": 3, "L0B": 4, "L0C": 5, "BT": 6, "FB": 7}
SIZES = {"UB": 192 << 10, "L1": 512 << 10, "L0A": 64 << 10, "L0B": 64 << 10, "L0C": 128 << 10, "BT": 1 << 10}
DTYPES = {"i8": 1, "u8": 2, "i16": 3, "i32": 5, "i64": 7, "half": 9, "bf16": 10, "f32": 11, "i4": 12}
NUMPY: dict[str, Any] = {
    "i8": np.int8,
    "u8": np.uint8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "half": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "i4": np.uint8,  # two elements in a byte
}
SATURATE, HF32, HF32_TRUNCATES = 1, 4, 8
ATOMIC = {"add": 1, "max": 2, "min": 3}
NO_QUANT, F322F16, VREQ8, REQ8, VDEQF16, DEQF16, F322BF16, VQF322B8_PRE, QF322B8_PRE = 0, 1, 2, 3, 4, 5, 16, 23, 24
ROW_MAJOR, NZ, COLUMN_MAJOR = 0, 1, 2
LEVELS: list[str] = _engine.simd_levels()


def fields(text: str) -> list[tuple[str, Any]]:
    """`"u32 a b; u8 c"` as ctypes fields."""
    types: dict[str, Any] = {"u8": ctypes.c_uint8, "u16": ctypes.c_uint16, "u32": ctypes.c_uint32, "u64": ctypes.c_uint64}
    types |= {"i64": ctypes.c_int64, "place": Place, "five": ctypes.c_uint8 * 5, "six": ctypes.c_uint8 * 6, "seven": ctypes.c_uint8 * 7}
    return [(name, types[kind]) for part in text.split(";") for kind, *names in [part.split()] for name in names]


class Place(ctypes.Structure):
    _fields_ = [
        ("addr", ctypes.c_uint64),
        ("size", ctypes.c_uint64, 40),
        ("generation", ctypes.c_uint64, 12),
        ("slot", ctypes.c_uint64, 8),
        ("memory", ctypes.c_uint64, 4),
    ]


class Head(ctypes.Structure):
    _fields_ = fields("u16 op; u8 pipe dtype; u16 size; u8 dtype2 ctrl; u64 where")


def record(name: str, layout: str) -> type[ctypes.Structure]:
    return type(name, (ctypes.Structure,), {"_fields_": [("head", Head), *fields(layout)]})


RECORDS = {
    "copy": record(
        "Copy",
        "place dst src; u32 count length; i64 dst_gap src_gap; u64 pad_value; u8 left right pad atomic; u32 element",
    ),
    "nd2nz": record(
        "Nd2Nz",
        "place dst src; u32 nd_num n_value d_value src_d_value dst_c0_stride dst_n_stride;u64 src_nd_stride dst_nd_stride",
    ),
    "load_2d": record("Load2D", "place dst src; u16 start_index src_stride dst_gap; u8 repeat transpose address_mode; seven _"),
    "load_3d": record(
        "Load3D",
        "place dst src; u64 pad_value; u32 boundary; u16 height width; u8 pad_left pad_right pad_top pad_bottom; u16 repeat_stride;"
        "u8 repeat_time repeat_mode; u16 channels k_extension m_extension k_start m_start filter_w filter_h;"
        "u8 stride_w stride_h dilation_w dilation_h transpose; five _",
    ),
    "load_transpose": record(
        "LoadTranspose", "place dst src; u16 start_index src_stride dst_gap dst_frac_gap; u8 repeat descending; six _"
    ),
    "load_sparse": record("LoadSparse", "place dst src index; u16 start_index; u8 repeat; five _"),
    "fill": record("Fill", "place dst; u64 value; u16 repeat blocks dst_gap element"),
    "mmad": record("Mmad", "place dst a b bias; u16 m n k; u8 unit_flag init has_bias k_align; six _"),
    "mmad_sparse": record("Mmad", "place dst a b bias; u16 m n k; u8 unit_flag init has_bias k_align; six _"),
    "fixpipe": record(
        "Fixpipe",
        "place dst src quant; u64 deq_scalar; u32 dst_stride; u16 n m src_stride nd_num src_nd_stride dst_nd_stride;"
        "u8 quant_mode layout relu unit_flag channel_split atomic; six _",
    ),
}


class RefusedError(Exception):
    """The engine ended the core with a fault."""

    def __init__(self, fault: _engine.Fault) -> None:
        self.kind = fault.kind.name
        said = {name: getattr(fault, name, None) for name in dir(fault)}
        self.numbers = {name: value for name, value in said.items() if isinstance(value, int)}
        self.texts = {name: value for name, value in said.items() if isinstance(value, str) and value}
        super().__init__(f"{self.kind} {self.numbers} {self.texts}")


def at(memory: str, addr: int = 0, size: int | None = None) -> Place:
    """An operand; without a size it owns the rest of its memory (a GM tensor: of undeclared length)."""
    rest = 0 if memory == "GM" else SIZES.get(memory, 2048) - addr
    return Place(addr, rest if size is None else size, 0, 255, MEMORIES[memory])


def run(
    name: str, memories: dict[str, bytes], *, core: str = "AIC", pipe: str = "MTE2", dtype: str = "half",
    dtype2: str | None = None, ctrl: int = 0, **values: Any,
) -> dict[str, bytes]:  # fmt: skip
    """Runs one instruction and gives the memories afterwards."""
    kind = RECORDS[name]
    made = kind(**values)
    size = ctypes.sizeof(kind)
    made.head = Head(ROWS.index(name), PIPES[pipe], DTYPES[dtype], size, DTYPES[dtype2 or dtype], ctrl, 0)
    result: dict[str, Any] = _engine.execute(bytes(made), memories, core)
    if "fault" in result:
        raise RefusedError(result["fault"])
    return result


@contextmanager
def simd_level(name: str) -> Iterator[None]:
    assert _engine.set_simd_level(name)
    try:
        yield
    finally:
        _engine.set_simd_level("")


def values(rng: np.random.Generator, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Values whose sums of products stay exact enough to compare, and whose bits are not all alike."""
    if dtype.startswith("i"):
        limits = np.iinfo(NUMPY[dtype])
        return rng.integers(limits.min, limits.max, shape, NUMPY[dtype], endpoint=True)
    return rng.standard_normal(shape).astype(NUMPY[dtype])


def up(value: int, unit: int) -> int:
    return -(-value // unit) * unit


def c0_of(dtype: str) -> int:
    return 32 // int(np.dtype(NUMPY[dtype]).itemsize)


def fractals_of_a(a: np.ndarray, k0: int, k_unit: int | None = None, filler: Any = None) -> np.ndarray:
    """(m, k) as L0A keeps it: (m / 16, k / k0, 16, k0). What is beyond the matrix is `filler`."""
    m, k = up(a.shape[0], 16), up(a.shape[1], k_unit or k0)
    padded = np.full((m, k), a.dtype.type(filler or 0), a.dtype)
    padded[: a.shape[0], : a.shape[1]] = a
    return np.ascontiguousarray(padded.reshape(m // 16, 16, k // k0, k0).transpose(0, 2, 1, 3))


def fractals_of_b(b: np.ndarray, k0: int, k_unit: int | None = None, filler: Any = None) -> np.ndarray:
    """(k, n) as L0B keeps it: (k / k0, n / 16, 16, k0)."""
    k, n = up(b.shape[0], k_unit or k0), up(b.shape[1], 16)
    padded = np.full((k, n), b.dtype.type(filler or 0), b.dtype)
    padded[: b.shape[0], : b.shape[1]] = b
    return np.ascontiguousarray(padded.reshape(k // k0, k0, n // 16, 16).transpose(0, 2, 3, 1))


def fractals_of_c(c: np.ndarray, filler: Any = 0) -> np.ndarray:
    """(m, n) as L0C keeps it: (n / 16, m / 16, 16, 16)."""
    m, n = up(c.shape[0], 16), up(c.shape[1], 16)
    padded = np.full((m, n), filler, c.dtype)
    padded[: c.shape[0], : c.shape[1]] = c
    return np.ascontiguousarray(padded.reshape(m // 16, 16, n // 16, 16).transpose(2, 0, 1, 3))


def matrix_of_c(words: np.ndarray, m: int, n: int) -> np.ndarray:
    """The whole fractals of L0C as a matrix, with what lies beyond m and n."""
    rows, columns = up(m, 16), up(n, 16)
    used = words[: rows * columns].reshape(columns // 16, rows // 16, 16, 16)
    return np.ascontiguousarray(used.transpose(1, 2, 0, 3)).reshape(rows, columns)
