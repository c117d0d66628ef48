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
MAIN = """
#include "tiling/hccl/hccl_tiling.h"
int main() {
    AscendC::Mc2CcTilingConfig config("group", HCCL_CMD_ALLREDUCE, "AllReduce=level0:doublering", HCCL_REDUCE_SUM);
    Mc2InitTiling init;
    Mc2CcTiling tiling;
    %s
}
"""


Answer = Callable[[str], tuple[int, str]]


@pytest.fixture
def answer(tmp_path: Path) -> Answer:
    def run(body: str) -> tuple[int, str]:
        (tmp_path / "main.cpp").write_text(MAIN % body)
        flags = ["-std=c++11", "-Wall", "-Wextra", "-Werror", f"-I{HEADERS}"]
        subprocess.run(["g++", *flags, str(tmp_path / "main.cpp"), "-o", str(tmp_path / "main")], check=True)
        done = subprocess.run([str(tmp_path / "main")], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stderr

    return run


@pytest.mark.parametrize("header", ["kernel_tiling/hccl_tilings.h", "hccl/hccl_types.h"])
def test_host_and_device_have_the_same_header(header: str) -> None:
    assert (HEADERS / header).read_bytes() == (DEVICE / header).read_bytes()


SETTERS = {
    "config.SetOpType(HCCL_CMD_ALLGATHER)": 0,
    "config.SetOpType(static_cast<uint32_t>(HcclCMDType::HCCL_CMD_ALLTOALLV))": 0,
    "config.SetOpType(HCCL_CMD_BATCH_WRITE)": 1,
    "config.SetGroupName(std::string(128, 'x'))": 0,
    "config.SetGroupName(std::string(129, 'x'))": 1,
    "config.SetAlgConfig(std::string(129, 'x'))": 1,
    "config.SetReduceType(HCCL_REDUCE_MAX)": 0,
    "config.SetSkipLocalRankCopy(1)": 0,
    "config.SetSkipLocalRankCopy(2)": 1,
    "config.SetSkipBufferWindowCopy(2)": 0,
    "config.SetSkipBufferWindowCopy(3)": 1,
    "config.SetStepSize(0)": 0,
    "config.SetStepSize(1)": 1,
    "config.SetDebugMode(1) + config.SetCommBlockNum(24) + config.SetQueueNum(2) + config.SetCommEngine(3)": 0,
    "config.GetTiling(init) + config.GetTiling(tiling)": 0,
}


def test_setters_answer_0_for_what_they_take_and_1_for_what_they_do_not(answer: Answer) -> None:
    checks = "\n".join(f"    if ({call} != {expected}) return {number};" for number, (call, expected) in enumerate(SETTERS.items(), 1)
                       if "GetTiling" not in call)  # fmt: skip
    assert answer(f"{checks}\n    return 0;") == (0, "")


REFUSED = {
    "config.SetOpType(HCCL_CMD_BATCH_WRITE);": "opType is 18; here it takes HCCL_CMD_ALLREDUCE, ALLGATHER, REDUCE_SCATTER, ALLTOALL and "
    "ALLTOALLV",
    "config.SetStepSize(2);": "SetStepSize is 2; a kernel commits whole rounds here: leave it 0",
}


@pytest.mark.parametrize("call", REFUSED)
def test_a_tiling_that_no_kernel_could_use_is_not_filled(call: str, answer: Answer) -> None:
    status, told = answer(f"{call}\n    return config.GetTiling(tiling) == 1 && tiling.reserved[0] == 0 ? 5 : 0;")
    assert (status, told) == (5, f"Mc2CcTilingConfig::GetTiling: {REFUSED[call]}\n")


def test_a_tiling_is_filled_in_its_first_bytes_only(answer: Answer) -> None:
    body = (
        "return config.GetTiling(init) || config.GetTiling(tiling) || !tiling.reserved[0] || tiling.reserved[100] || sizeof tiling != 280;"
    )
    assert answer(body) == (0, "")


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
