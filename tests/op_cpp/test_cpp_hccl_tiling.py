# SPDX-License-Identifier: Apache-2.0
"""Mc2CcTilingConfig in host code: what it answers, and what it refuses to fill."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from cpp_parts import HEADERS, HERE

from aclimb.host import programs

DEVICE = HERE.parents[1] / "device" / "include"
Answer = Callable[[str], tuple[int, str]]


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Answer:
    program = tmp_path_factory.mktemp("hccl") / "tiling"
    flags = ["-std=c++11", "-Wall", "-Wextra", "-Werror", f"-I{HEADERS}"]
    subprocess.run(["g++", *flags, str(HERE / "sources" / "hccl_tiling.cpp"), "-o", str(program)], check=True)

    def run(word: str) -> tuple[int, str]:
        done = subprocess.run([str(program), word], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stderr

    return run


@pytest.mark.parametrize("header", ["kernel_tiling/hccl_tilings.h", "hccl/hccl_types.h"])
def test_host_and_device_have_the_same_header(header: str) -> None:
    assert (HEADERS / header).read_bytes() == (DEVICE / header).read_bytes()


def test_setters_answer_0_for_what_they_take_and_1_for_what_they_do_not(answer: Answer) -> None:
    assert answer("setters") == (0, "")


REFUSED = {
    "type": "opType is 18; here it takes HCCL_CMD_ALLREDUCE, ALLGATHER, REDUCE_SCATTER, ALLTOALL and ALLTOALLV",
    "step": "SetStepSize is 2; a kernel commits whole rounds here: leave it 0",
}


@pytest.mark.parametrize("word", REFUSED)
def test_a_tiling_that_no_kernel_could_use_is_not_filled(word: str, answer: Answer) -> None:
    assert answer(word) == (1, f"Mc2CcTilingConfig::GetTiling: {REFUSED[word]}\n")


def test_a_tiling_is_filled_in_its_first_bytes_only(answer: Answer) -> None:
    assert answer("fill") == (0, "")


@pytest.mark.parametrize("first", ["kernel_operator.h", "tiling/hccl/hccl_tiling.h"])
def test_a_file_with_a_kernel_may_have_its_tiling_too(first: str, tmp_path: Path) -> None:
    second = ({"kernel_operator.h", "tiling/hccl/hccl_tiling.h"} - {first}).pop()
    (tmp_path / "both.asc").write_text(f"""
    #include "{first}"
    #include "{second}"
    using namespace AscendC;
    __global__ __vector__ void nothing(GM_ADDR x) {{
        Hccl<> hccl;
        hccl.Init(GetHcclContext<0>());
        hccl.Wait(hccl.AllReduce<true>(x, x, 8, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM));
    }}
    int main() {{
        Mc2CcTiling tiling;
        return Mc2CcTilingConfig("g", HCCL_CMD_ALLREDUCE, "a", HCCL_REDUCE_SUM).GetTiling(tiling);
    }}
    """)
    program = programs.build([str(tmp_path / "both.asc")], tmp_path / "both")
    assert subprocess.run([str(program)], timeout=600).returncode == 0
