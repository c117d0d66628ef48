# SPDX-License-Identifier: Apache-2.0
"""Operators that communicate, as the generator's projects have them: their tiling says what Hccl is to do, on both chips."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from aclimb import Program, op, ranks
from aclimb.errors import CompileError, Misuse
from aclimb.host.op_package import build_project

PROJECT = Path(__file__).with_name("project")
CHIPS = ("Ascend910B1", "Ascend910_9392")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("communicates") / "package"
    build_project(PROJECT, folder)
    return folder


def parts(count: int, shape: tuple[int, ...], dtype: Any, seed: int = 1) -> list[NDArray[Any]]:
    random = np.random.default_rng(seed)
    return [random.integers(-8, 8, shape).astype(dtype) for _ in range(count)]


@pytest.mark.parametrize("chip", CHIPS)
def test_an_operator_gathers_and_multiplies(package: Path, chip: str) -> None:
    a, b = parts(3, (32, 48), np.float16), parts(1, (48, 64), np.float16)[0]
    with op.load(package) as library, ranks(3, window=64, soc=chip) as group:
        made = [library["GatherMatmul"](a[rank.index], b, group="world", rank_size=3, stream=rank.stream) for rank in group]
        group.synchronize()
        for c, gathered in made:
            np.testing.assert_array_equal(gathered.to_numpy(), np.concatenate(a))
            np.testing.assert_array_equal(c.to_numpy(), np.concatenate(a).astype(np.float32) @ b.astype(np.float32))


@pytest.mark.parametrize("chip", CHIPS)
def test_an_operator_has_a_tiling_for_each_of_its_operations(package: Path, chip: str) -> None:
    x = parts(2, (6, 8), np.float32)
    with op.load(package) as library, ranks(2, window=64, soc=chip) as group:
        made = [library["ShareRows"](x[rank.index], group="world", stream=rank.stream) for rank in group]
        group.synchronize()
        for index, (total, part) in enumerate(made):
            np.testing.assert_array_equal(total.to_numpy(), x[0] + x[1])
            np.testing.assert_array_equal(part.to_numpy(), np.maximum(*x)[3 * index : 3 * index + 3])


MISTAKES = {
    1: "no Mc2CcTiling is in use, share_rows block 0",
    2: "the Mc2CcTiling in use is one of AllReduce, share_rows block 0",
    3: "there is no Mc2CcTiling at that place, or it was not filled, share_rows block 0",
    4: "the Mc2InitTiling was not filled, share_rows block 0",
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_tiling_that_was_forgotten_is_named(package: Path, mistake: int) -> None:
    x = parts(1, (6, 8), np.float32)[0]
    with op.load(package) as library, ranks(1, window=64) as group:
        library["ShareRows"](x, group="world", rank_size=1, mistake=mistake, stream=group[0].stream)
        with pytest.raises(Misuse) as found:
            group.synchronize()
        assert str(found.value).startswith(MISTAKES[mistake])


@pytest.mark.parametrize(("chip", "left"), [("Ascend910B1", True), ("Ascend910_9392", False)])
def test_skip_local_rank_copy_leaves_the_own_block_alone_on_a2_only(package: Path, chip: str, left: bool) -> None:
    x = parts(2, (4,), np.float32)
    with op.load(package) as library, ranks(2, window=64, soc=chip) as group:
        made = [library["GatherOthers"](x[rank.index], stream=rank.stream) for rank in group]
        group.synchronize()
        for index, gathered in enumerate(made):
            expected = np.concatenate(x)
            if left:
                expected[4 * index : 4 * index + 4] = -1
            np.testing.assert_array_equal(gathered.to_numpy(), expected)


@pytest.mark.parametrize("header", ["lib/hccl/hccl.h", "adv_api/hccl/hccl.h"])
def test_every_name_of_the_header_brings_hccl(header: str, tmp_path: Path) -> None:
    source = tmp_path / "kernel.cpp"
    source.write_text(f'#include "{header}"\nextern "C" __global__ __aicore__ void f(GM_ADDR x) {{ AscendC::Hccl<> hccl; hccl.Init(x); }}')
    assert [each.name for each in Program(source).compile().kernels] == ["f"]


KERNEL = """
#include "kernel_operator.h"
using namespace AscendC;
struct HcclA2CombineOpParam { // as repositories carry it
    uint64_t workSpace, workSpaceSize;
    uint32_t rankId, rankNum;
    uint64_t winSize, windowsIn[AscendC::HCCL_MAX_RANK_NUM], windowsOut[AscendC::HCCL_MAX_RANK_NUM];
    uint8_t res[8328], multiFlag;
    __gm__ AscendC::IbVerbsData* data;
};
static_assert(sizeof(IbVerbsData) == 4 * 24 + 24 && sizeof(MemDetails) == 24 && HCCL_MAX_RANK_NUM == 32);
static_assert(sizeof(Mc2InitTiling) == 64 && sizeof(AscendC::tiling::Mc2CcTiling) == 280 && sizeof(HcclHandle) == 1);
static_assert(HcclDataType::HCCL_DATA_TYPE_BFP16 == 11 && AscendC::HCCL_REDUCE_MIN == 3 && HcclCMDType::HCCL_CMD_ALLTOALL == 10);
extern "C" __global__ __vector__ void f(GM_ADDR x) {
    %s
}
"""


def test_names_around_hccl_are_there_with_their_published_values() -> None:
    assert Program(KERNEL % "x[0] = INVALID_HANDLE_ID;").compile().kernels[0].name == "f"


REFUSED = {
    "Hccl<HcclServerType::HCCL_SERVER_TYPE_CCU> hccl;": "Atlas A2 and A3 have one communication server",
    "Hccl<> hccl; hccl.Finalize<false>();": "Finalize<false> is for BatchWrite, which aclimb does not have: write Finalize()",
    "Hccl<> hccl; hccl.BatchWrite(x, 1);": "BatchWrite",
    "Hccl<> hccl; hccl.Iterate<true>(0, nullptr, nullptr);": "Iterate",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_hccl_has_on_other_servers_is_refused_in_a_sentence(line: str) -> None:
    with pytest.raises(CompileError, match=REFUSED[line].replace("(", r"\(").replace(")", r"\)")):
        Program(KERNEL % line).compile()
