# SPDX-License-Identifier: Apache-2.0
"""A lack of value goes through every family of instructions as values do: what depends on it is told, what does not is not.

Tile `a` lacks its last lanes, or `index` its last words; `out` is what one instruction makes of them. Part of it is copied out: a clean
part, or one that hangs on what is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

WORDS = 64  # of a tile


@dataclass(frozen=True)
class Family:
    name: str
    code: str  # from a, b (floats), index (unsigned words) to out
    clean: tuple[int, int]  # words of out that hold values
    bad: tuple[int, int]  # and one that does not


# a has values in words 0 to 55, index in words 0 to 31.
FAMILIES = [
    Family("lane by lane", "Add(out, a, b, kWords);", (0, 56), (56, 57)),
    Family("with a scalar", "Muls(out, a, 2.0f, kWords);", (0, 56), (63, 64)),
    Family("of one operand", "Exp(out, a, kWords);", (0, 56), (60, 61)),
    Family("accumulating", "Duplicate(out, 1.0f, kWords); MulAddDst(out, a, b, kWords);", (0, 56), (56, 57)),
    Family("narrowing", "Cast(out.ReinterpretCast<half>(), a, RoundMode::CAST_NONE, kWords);", (0, 28), (28, 29)),
    Family("moving", "DataCopy(out, a, kWords);", (0, 56), (56, 57)),
    Family("broadcasting blocks", "Brcb(out, a[48], 1, {1, 8});", (0, 64), (-1, -1)),
    Family("of each repeat", "WholeReduceSum(out, a, 56, 1, 1, 1, 8);", (0, 1), (-1, -1)),
    Family("of each repeat, all lanes", "WholeReduceSum(out, a, 64, 1, 1, 1, 8);", (-1, -1), (0, 1)),
    Family("of each block", "BlockReduceSum(out, a, 1, 64, 1, 1, 8);", (0, 7), (7, 8)),
    Family("of each pair", "PairReduceSum(out, a, 1, 64, 1, 1, 8);", (0, 28), (28, 29)),
    Family("gathering lanes", "Gather(out, a, Offsets(index, 32), 0u, 32);", (0, 24), (24, 25)),
    Family("gathering blocks", "Gatherb(out.ReinterpretCast<uint32_t>(), a.ReinterpretCast<uint32_t>(), Offsets(index, 0, 32), 1, {1, 8});",
           (0, 56), (56, 57)),
    Family("squeezing", "uint64_t kept = 0; GatherMask(out, a, 1, false, 0, {1, 1, 8, 0}, kept);", (0, 28), (28, 29)),
    Family("squeezing by bits", "uint64_t kept = 0; Duplicate(bits, 0xff000000u, 8); "
           "GatherMask(out, a, bits, false, 0, {1, 1, 8, 0}, kept);",
           (0, 8), (8, 9)),
    Family("sorting, some indices are missing", "Sort32(out, b, index[8], 1);", (16, 64), (0, 2)),
    Family("sorting, scores are missing", "Sort32(out, a[32], index, 1);", (-1, -1), (0, 1)),
]  # fmt: skip
SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t kWords = 64;
// Words 0 to 31: each so many bytes behind the one before, from a lane on.
__aicore__ inline LocalTensor<uint32_t> Offsets(const LocalTensor<uint32_t>& index, int32_t lane, int32_t bytes = 4) {
    LocalTensor<int32_t> words = index.ReinterpretCast<int32_t>();
    CreateVecIndex(words, 0, 32);
    Muls(words, words, bytes, 32);
    Adds(words, words, lane * 4, 32);
    return index;
}
extern "C" __global__ __aicore__ void family(GM_ADDR x, GM_ADDR z, uint32_t first, uint32_t count, uint32_t form) {
    InitSocState();
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x, kWords);
    to.SetGlobalBuffer((__gm__ float*)z, 8 * kWords);
    LocalTensor<float> a(TPosition::VECCALC, 0, kWords), b(TPosition::VECCALC, 256, kWords), out(TPosition::VECCALC, 1024, 8 * kWords);
    LocalTensor<uint32_t> index(TPosition::VECCALC, 512, kWords), bits(TPosition::VECCALC, 768, 8);
    DataCopy(a, from, 56);
    DataCopy(b, from, kWords);
    DataCopy(index.ReinterpretCast<float>(), from, 32);
    PipeBarrier<PIPE_ALL>();
    switch (form) {
        CASES
    }
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(to, out[first], DataCopyExtParams(1, count * 4, 0, 0, 0));
}
"""


@cache
def kernel() -> Kernel:
    cases = "\n        ".join(f"case {number}: {{ {each.code} break; }}" for number, each in enumerate(FAMILIES))
    return Kernel(Program(SOURCE.replace("CASES", cases), name="family").compile())


def rules_of(family: Family, words: tuple[int, int]) -> set[str]:
    x, z = Buffer.from_array(np.arange(WORDS, dtype=np.float32)), Buffer.from_array(np.zeros(8 * WORDS, np.float32))
    stream, first = Stream(), words[0] // 8 * 8
    with aclimb.check() as check:
        launch(stream, LaunchConfig(1), kernel(), x, z, first, words[1] - first, FAMILIES.index(family))
        stream.synchronize()
    return {each.rule for each in check.findings if each.severity == "error"}


@pytest.mark.parametrize("family", [each for each in FAMILIES if each.clean[0] >= 0], ids=lambda each: each.name)
@pytest.mark.requirement("ord-30")
def test_what_does_not_hang_on_it_is_not_told(family: Family) -> None:
    assert rules_of(family, family.clean) == set()


@pytest.mark.parametrize("family", [each for each in FAMILIES if each.bad[0] >= 0], ids=lambda each: each.name)
@pytest.mark.requirement("ord-29", "ord-30")
def test_what_hangs_on_it_is_told(family: Family) -> None:
    assert rules_of(family, family.bad) == {"I1"}
