# SPDX-License-Identifier: Apache-2.0
"""Records of instructions that put elements elsewhere, for test_ranges.py: their offsets, bits and lists have to make sense."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import core as vector_core
import numpy as np
from core import DTYPES, NUMPY, OPS, MergeSort, Stride, TransData, Vector, place

Random = np.random.Generator
REGION = 8 << 10


@dataclass
class Case:
    record: ctypes.Structure
    places: list[Any]  # by operand
    sizes: dict[str, int]  # bytes of each memory
    core: str = "AIC"
    contents: dict[int, np.ndarray] = field(default_factory=dict)  # of the UB, by address


def made(rng: Random, name: str, dtype: str, record: type[ctypes.Structure] = Vector, **values: Any) -> tuple[Any, list[Any]]:
    """A Vector with places in regions of their own and any mask; the places, and those of a fourth and fifth operand."""
    pick = rng.integers
    places = [place(region * REGION + 32 * int(pick(8)), REGION - 256) for region in range(5)]
    v = Vector(dst=places[0], a=places[1], b=places[2], repeat=int(pick(5)), **values)
    v.head = vector_core.Head(op=OPS[name], pipe=1, dtype=DTYPES.index(dtype), size=ctypes.sizeof(record))
    words = [int(pick(0, 2**63)) * 2 + int(pick(2)) for _ in range(2)]
    v.mask = (ctypes.c_uint64 * 2)(*[words, vector_core.mask_bits(None), vector_core.mask_bits(int(pick(129)))][pick(3)])
    return v, places


def any_of(rng: Random, *names: str) -> str:
    return names[rng.integers(len(names))]


SIXTEEN_OR_32 = ("half", "bf16", "f32", "i16", "u16", "i32", "u32")
UB = {"UB": 5 * REGION}


def gather_case(rng: Random) -> Case:
    pick, dtype = rng.integers, any_of(rng, *SIXTEEN_OR_32)
    size = np.dtype(NUMPY[dtype]).itemsize
    v, places = made(rng, "vgather", dtype, counted=int(pick(3)), count=int(pick(300)), scalar=4 * int(pick(20)))
    v.dst_stride = Stride(1, int(pick(12)))
    offsets = (size * pick(0, (REGION - 512) // size, 1024)).astype(np.uint32)
    return Case(v, places[:3], UB, "AIV", {places[2].addr: offsets})


def gather_block_case(rng: Random) -> Case:
    v, places = made(rng, "vgatherb", any_of(rng, *SIXTEEN_OR_32))
    v.dst_stride = Stride(int(rng.integers(4)), int(rng.integers(30)))
    return Case(v, places[:3], UB, "AIV", {places[2].addr: (32 * rng.integers(0, 200, 256)).astype(np.uint32)})


def gather_mask_case(rng: Random) -> Case:
    pick = rng.integers
    v, places = made(rng, "vreducev2", any_of(rng, *SIXTEEN_OR_32), counted=2 * int(pick(2)), count=int(pick(300)))
    v.mode = int(pick(8)) if rng.random() < 0.5 else 0
    v.a_stride, v.b_stride = Stride(int(pick(4)), int(pick(16))), Stride(1, int(pick(4)))
    return Case(v, places[:3], UB, "AIV")


def transpose_4d_case(rng: Random) -> Case:
    dtype, pick = any_of(rng, "half", "f32", "i8", "u8", "i16", "i32"), rng.integers
    sizes = [int(pick(3)), int(pick(6)), int(pick(1, 5)), 32]
    v, places = made(rng, "transpose_4d", dtype, mode=int(pick(2)), scalar=sum(size << 16 * i for i, size in enumerate(sizes)))
    v.b.size = 16 << 10  # only its size is looked at
    return Case(v, places[:3], UB, "AIV")


def trans_data_case(rng: Random) -> Case:
    pick, dtype = rng.integers, any_of(rng, "half", "f32", "i8", "u8", "i16", "i32")
    v, places = made(rng, "vnchwconv", dtype, TransData, mode=int(pick(4)))
    v.dst_stride, v.a_stride = Stride(1, int(pick(10))), Stride(1, int(pick(10)))
    lists = [(32 * np.concatenate([[0], 1 + rng.permutation(180)[:15]])).tolist() for _ in range(2)]
    record = TransData(vector=v, dst=(ctypes.c_uint32 * 16)(*lists[0]), src=(ctypes.c_uint32 * 16)(*lists[1]))
    return Case(record, places[:2], UB, "AIV")


def merge_case(rng: Random) -> Case:
    pick = rng.integers
    v, places = made(rng, "vmrgsort", any_of(rng, "half", "f32"), MergeSort)
    lengths = [int(pick(40)) for _ in range(4)]
    suspends = int(pick(2))
    if v.repeat > 1:
        suspends, lengths = 0, [int(pick(1, 30))] * 4
        places[1:] = [place(places[1].addr + 8 * lengths[0] * i, REGION - 256) for i in range(4)]
        v.a, v.b = places[1], places[2]
    record = MergeSort(vector=v, c=places[3], d=places[4], suspends=suspends, length=(ctypes.c_uint16 * 4)(*lengths))
    return Case(record, places, UB, "AIV")


def dequant_case(rng: Random) -> Case:
    pick, dtype = rng.integers, any_of(rng, "i8", "u8")
    word = int(np.float32(0.01).view(np.uint32)) | int(dtype == "i8") << 46
    v, places = made(rng, "vdeq", dtype, counted=int(pick(3)), count=int(pick(300)), mode=int(pick(4)), scalar=word)
    v.dst_stride, v.a_stride = Stride(int(pick(1, 4)), int(pick(12))), Stride(int(pick(4)), int(pick(12)))
    return Case(v, places[:3], UB, "AIV", {places[2].addr: np.full(16, word, np.uint64)})


REARRANGING: dict[str, Callable[[Random], Case]] = {
    "vgather": gather_case,
    "vgatherb": gather_block_case,
    "vreducev2": gather_mask_case,
    "transpose_4d": transpose_4d_case,
    "vnchwconv": trans_data_case,
    "vmrgsort": merge_case,
    "vdeq": dequant_case,
}
# What the data decide is called read as a whole, or updated as far as it may reach.
BY_DATA = [("vgather", 1), ("vgatherb", 1), ("vreducev2", 0)]
