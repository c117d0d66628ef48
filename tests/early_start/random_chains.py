# SPDX-License-Identifier: Apache-2.0
"""Random chains with early start, in order: each member loads rows, computes, stores its own, and may work before and after that.

Every member waits at its beginning and sets at its end, which is right and seldom the best place.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from aclimb import Buffer, Kernel, Program
from aclimb.fuse import Member, fuse

N, BLOCKS = 256, 3
HEAD = """
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t N = 256;
struct Row {
    __aicore__ inline Row(GM_ADDR from, uint32_t row) { gm.SetGlobalBuffer((__gm__ float*)from + row * N, N); }
    GlobalTensor<float> gm;
};
__aicore__ inline uint32_t Of(uint32_t step) { return (GetBlockIdx() + step) % GetBlockNum(); }
"""


def flag(event: str, identity: int) -> list[str]:
    return [f"SetFlag<HardEvent::{event}>({identity});", f"WaitFlag<HardEvent::{event}>({identity});"]


@dataclass(frozen=True)
class Chain:
    source: str
    members: int

    def kernel(self, path: Path) -> Kernel:
        path.write_text(self.source)
        binary = Program(path).compile()
        return Kernel(fuse([Member(binary, BLOCKS, f"member_{i}") for i in range(self.members)], name="chain"))

    def arguments(self) -> list[Buffer]:
        """Each member reads what the one before wrote."""
        rng = np.random.default_rng(7)
        rows = [Buffer.from_array(rng.integers(-9, 9, (BLOCKS, N)).astype(np.float32)) for _ in range(self.members + 1)]
        return [each for i in range(self.members) for each in (rows[i], rows[i + 1])]


def member(random: Random, number: int, *, works_behind: bool) -> str:
    """Local memory of its own, so that only global memory has to be waited for."""
    base = number * 16384
    lines = [f"LocalTensor<float> {name}(TPosition::VECCALC, {base + 4096 * i}, N);" for i, name in enumerate("abc")]
    lines.append("WaitPreTaskEnd();")
    own = [f"Duplicate(c, {random.randint(1, 5)}.0f, N);", *("Adds(c, c, 1.0f, N);" for _ in range(random.randint(0, 3)))]
    lines += own if random.random() < 0.5 else []
    lines.append(f"DataCopy(a, Row(x, Of({random.randint(0, 2)})).gm, N);")
    lines += flag("MTE2_V", 0)
    lines += [f"{random.choice(['Adds', 'Muls'])}(b, a, {random.randint(1, 4)}.0f, N);" for _ in range(random.randint(1, 2))]
    lines += flag("V_MTE3", 0)
    lines.append("DataCopy(Row(y, GetBlockIdx()).gm, b, N);")
    if works_behind or random.random() < 0.4:
        lines += ["Duplicate(c, 0.0f, N);", *("Adds(c, c, 2.0f, N);" for _ in range(random.randint(2, 5)))]
    lines.append("SetNextTaskStart();")
    body = "\n".join(f"    {line}" for line in lines)
    return f'extern "C" __global__ __vector__ void member_{number}(GM_ADDR x, GM_ADDR y) {{\n{body}\n}}\n'


def chain_of(seed: int, *, works_behind: bool = False) -> Chain:
    """`works_behind`: the first member has work behind its last copy, so its set could stand earlier."""
    random = Random(seed)
    members = random.randint(2, 4)
    return Chain(HEAD + "".join(member(random, i, works_behind=works_behind and i == 0) for i in range(members)), members)
