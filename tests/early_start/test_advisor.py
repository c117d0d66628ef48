# SPDX-License-Identifier: Apache-2.0
"""What the advisor prints is proved as it is printed: each patch alone, and all of them at once."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from random_chains import Chain, chain_of

from aclimb import Buffer, Kernel, Program
from aclimb.check import advise, prove
from aclimb.check.advisor import SET, WAIT, Advised
from aclimb.fuse import Member, fuse, stress

# The set of `first` may stand behind the flag that makes MTE3 wait, and not before it.
BEHIND_A_FLAG = """
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t N = 256;
extern "C" __global__ __vector__ void first(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<float> xg, yg;
    xg.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * N, N);
    yg.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * N, N);
    LocalTensor<float> a(TPosition::VECCALC, 0, N), b(TPosition::VECCALC, 4096, N);
    DataCopy(a, xg, N);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(b, a, 1.0f, N);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(yg, b, N);
    SetNextTaskStart();
}
extern "C" __global__ __vector__ void second(GM_ADDR x, GM_ADDR w) {
    GlobalTensor<float> xg, wg;
    xg.SetGlobalBuffer((__gm__ float*)x + (GetBlockIdx() + 1) % GetBlockNum() * N, N);
    wg.SetGlobalBuffer((__gm__ float*)w + GetBlockIdx() * N, N);
    LocalTensor<float> a(TPosition::VECCALC, 32768, N);
    WaitPreTaskEnd();
    DataCopy(a, wg, N);
    SetFlag<HardEvent::MTE2_MTE3>(1);
    WaitFlag<HardEvent::MTE2_MTE3>(1);
    DataCopy(xg, a, N);
}
"""
# `second` passes on what it knows of `first`: it may wait later, or `third` may, and not both.
NOT_BOTH = """
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t N = 256;
struct Row {
    __aicore__ inline Row(GM_ADDR from, uint32_t step) {
        gm.SetGlobalBuffer((__gm__ float*)from + (GetBlockIdx() + step) % GetBlockNum() * N, N);
    }
    GlobalTensor<float> gm;
};
extern "C" __global__ __vector__ void first(GM_ADDR x, GM_ADDR y, GM_ADDR log) {
    LocalTensor<float> a(TPosition::VECCALC, 0, N);
    DataCopy(a, Row(x, 0).gm, N);
    SetFlag<HardEvent::MTE2_MTE3>(0);
    WaitFlag<HardEvent::MTE2_MTE3>(0);
    DataCopy(Row(y, 0).gm, a, N);
    DataCopy(Row(log, 0).gm, a, N);
    SetNextTaskStart();
}
extern "C" __global__ __vector__ void second(GM_ADDR y, GM_ADDR z) {
    LocalTensor<float> a(TPosition::VECCALC, 32768, N);
    WaitPreTaskEnd();
    DataCopy(a, Row(y, 1).gm, N);
    SetFlag<HardEvent::MTE2_MTE3>(1);
    WaitFlag<HardEvent::MTE2_MTE3>(1);
    DataCopy(Row(z, 0).gm, a, N);
    SetNextTaskStart();
}
extern "C" __global__ __vector__ void third(GM_ADDR log, GM_ADDR z, GM_ADDR o) {
    LocalTensor<float> a(TPosition::VECCALC, 65536, N), b(TPosition::VECCALC, 69632, N);
    WaitPreTaskEnd();
    DataCopy(a, Row(log, 1).gm, N);
    DataCopy(b, Row(z, 1).gm, N);
    SetFlag<HardEvent::MTE2_V>(2);
    WaitFlag<HardEvent::MTE2_V>(2);
    Sub(a, a, b, N);
    SetFlag<HardEvent::V_MTE3>(2);
    WaitFlag<HardEvent::V_MTE3>(2);
    DataCopy(Row(o, 0).gm, a, N);
}
"""


def kernel_of(path: Path, *names: str) -> Kernel:
    binary = Program(path).compile()
    return Kernel(fuse([Member(binary, 3, name) for name in names], name="chain"))


def rows(count: int) -> list[Buffer]:
    rng = np.random.default_rng(1)
    return [Buffer.from_array(rng.integers(-9, 9, (3, 256)).astype(np.float32)) for _ in range(count)]


def applied(patch: str, path: Path) -> Path:
    """As `git apply` makes it."""
    to = path.parent / "patched"
    to.mkdir(exist_ok=True)
    (to / path.name).write_text(path.read_text())
    subprocess.run(["git", "apply", "-p1", "-"], cwd=to, input=patch, text=True, check=True, capture_output=True)
    return to / path.name


def test_a_set_moves_behind_the_flag_that_its_proof_rests_on(tmp_path: Path) -> None:
    path = tmp_path / "behind.cpp"
    path.write_text(BEHIND_A_FLAG)
    x, y, w = rows(3)
    advised = advise(kernel_of(path, "first", "second"), x, y, x, w)
    (early,) = [each for each in advised.calls if each.call == SET]
    line = BEHIND_A_FLAG.splitlines().index("    WaitFlag<HardEvent::V_MTE3>(0);") + 1
    assert (early.instruction, early.best) == ("WaitFlag", f"behind.cpp:{line}")
    patched = applied(advised.patch, path)
    text = patched.read_text()
    assert text.index("WaitFlag<HardEvent::V_MTE3>(0)") < text.index("SetNextTaskStart") < text.index("DataCopy(yg")
    x, y, w = rows(3)
    assert prove(kernel_of(patched, "first", "second"), x, y, x, w).answer == "proved"


def test_moves_that_are_safe_one_by_one_only_are_not_offered_together(tmp_path: Path) -> None:
    path = tmp_path / "both.cpp"
    path.write_text(NOT_BOTH)
    names = ("first", "second", "third")
    x, y, log, z, out = rows(5)
    advised = advise(kernel_of(path, *names), x, y, log, y, z, log, z, out)
    dropped = [each for each in advised.calls if each.is_dropped]
    assert dropped
    assert str(dropped[0]).endswith("may move by itself, but not together with the others")
    assert not dropped[0].patch
    x, y, log, z, out = rows(5)
    assert prove(kernel_of(applied(advised.patch, path), *names), x, y, log, y, z, log, z, out).answer == "proved"


def test_a_call_does_not_move_into_a_loop_but_to_the_next_line_that_runs_once(tmp_path: Path) -> None:
    copies = "    for (uint32_t i = 0; i < 2; i++)\n        DataCopy(yg[i * 128], b[i * 128], 128);\n"
    work = "    Duplicate(a, 0.0f, N);\n    Adds(a, a, 1.0f, N);\n"
    path = tmp_path / "looped.cpp"
    path.write_text(BEHIND_A_FLAG.replace("    DataCopy(yg, b, N);\n", copies + work))
    x, y = rows(2)
    advised = advise(kernel_of(path, "first", "second"), x, y, y, x)  # `second` writes over what `first` wrote
    (early,) = [each for each in advised.calls if each.call == SET]
    assert (early.instruction, early.round) == ("DataCopy", "in the last of 2 rounds")
    assert "+    SetNextTaskStart();\n     Adds(a, a, 1.0f, N);\n" in early.patch
    x, y = rows(2)
    assert prove(kernel_of(applied(advised.patch, path), "first", "second"), x, y, y, x).answer == "proved"


def test_a_call_does_not_move_under_an_if(tmp_path: Path) -> None:
    path = tmp_path / "guarded.cpp"
    path.write_text(BEHIND_A_FLAG.replace("    DataCopy(xg, a, N);\n", "    if (GetBlockIdx() < 3)\n        DataCopy(xg, a, N);\n"))
    x, y, w = rows(3)
    advised = advise(kernel_of(path, "first", "second"), x, y, x, w)
    (late,) = [each for each in advised.calls if each.call == WAIT]
    assert late.instruction == "DataCopy"
    assert "+    WaitPreTaskEnd();\n     if" not in late.patch
    assert "if (GetBlockIdx() < 3)\n+" not in late.patch
    assert "+    WaitPreTaskEnd();\n     WaitFlag<HardEvent::MTE2_MTE3>(1);\n" in late.patch


# --- chains made by chance


def proved_as_printed(chain: Chain, path: Path, schedules: int) -> Advised:
    advised = advise(chain.kernel(path), *chain.arguments())
    assert advised.proof, str(advised.proof)
    if not advised.patch:
        return advised
    patched = Chain(applied(advised.patch, path).read_text(), chain.members).kernel(path)
    proof = prove(patched, *chain.arguments())
    assert proof.answer == "proved", f"{proof}\n{advised.patch}"
    told = stress(patched, *chain.arguments(), schedules=schedules)
    assert not told.differences, f"{told.differences[0]}\n{advised.patch}"
    return advised


@pytest.mark.parametrize("seed", range(4))
def test_what_is_printed_for_a_random_chain_is_proved(tmp_path: Path, seed: int) -> None:
    proved_as_printed(chain_of(seed), tmp_path / "chain.cpp", 40)


def test_a_set_with_work_behind_it_gets_a_patch(tmp_path: Path) -> None:
    advised = proved_as_printed(chain_of(100, works_behind=True), tmp_path / "chain.cpp", 40)
    assert next(each for each in advised.calls if each.member == 0 and each.call == SET).patch


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 200, 20))
def test_what_is_printed_for_two_hundred_random_chains_is_proved(tmp_path: Path, first: int) -> None:
    for seed in range(first, first + 20):
        proved_as_printed(chain_of(seed), tmp_path / "chain.cpp", 200)


@pytest.mark.slow
def test_at_least_forty_five_of_fifty_chains_with_a_known_earlier_start_get_a_patch(tmp_path: Path) -> None:
    found = 0
    for seed in range(50):
        advised = advise((chain := chain_of(1000 + seed, works_behind=True)).kernel(tmp_path / "chain.cpp"), *chain.arguments())
        found += any(each.patch for each in advised.calls if each.member == 0 and each.call == SET)
    assert found >= 45
