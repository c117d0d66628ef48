# SPDX-License-Identifier: Apache-2.0
"""MatmulConfig and what makes one: every member against the published defaults, in constant expressions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matmul_runs import HERE, integers, multiply, tiling

from aclimb import Kernel, Program

# Member, in the published order -> value where a function says nothing else.
DEFAULTS = {
    "doNorm": "false", "doBasicBlock": "false", "doMultiDataLoad": "false", "basicM": "0", "basicN": "0", "basicK": "0",
    "intrinsicsCheck": "false", "isNBatch": "false", "enVecND2NZ": "false", "doSpecialBasicBlock": "false", "doMTE2Preload": "0",
    "singleCoreM": "0", "singleCoreN": "0", "singleCoreK": "0", "stepM": "0", "stepN": "0", "baseMN": "0", "singleCoreMN": "0",
    "enUnitFlag": "true", "isPerTensor": "false", "hasAntiQuantOffset": "false", "doIBShareNorm": "false", "doSpecialMDL": "false",
    "enableInit": "true", "batchMode": "BatchMode::NONE", "enableEnd": "true", "enableGetTensorC": "true", "enableSetOrgShape": "true",
    "enableSetBias": "true", "enableSetTail": "true", "enableQuantVector": "true", "enableSetDefineData": "true", "iterateMode": "255",
    "enableReuse": "true", "enableUBReuse": "false", "enableL1CacheUB": "false", "intraBlockPartSum": "false",
    "iterateOrder": "IterateOrder::UNDEF", "scheduleType": "ScheduleType::INNER_PRODUCT", "enableDoubleCache": "false",
    "isBiasBatch": "true", "enableStaticPadZeros": "false", "isPartialOutput": "false", "enableMixDualMaster": "false",
    "isA2B2Shared": "false", "isEnableChannelSplit": "false", "enableKdimReorderLoad": "false", "isCO1Shared": "false",
    "sharedCO1BufferSize": "65536", "bmmOutMode": "BatchOutMode::SINGLE_BATCH", "enableL1BankConflictOptimise": "false",
    "enableRelu": "false",
}  # fmt: skip
LESS = {"batchMode": "BatchMode::BATCH_LESS_THAN_L1"}
BASIC = {"basicM": "128", "basicN": "64", "basicK": "32", **LESS}
MADE = {
    "MatmulConfig{}": {},
    "GetNormalConfig()": {"doNorm": "true", **LESS},
    "CFG_NORM": {"doNorm": "true", **LESS},
    "GetNormalConfig(true, true, false, BatchMode::NONE, false, IterateOrder::ORDER_N, ScheduleType::OUTER_PRODUCT, false, true)": {
        "doNorm": "true", "intrinsicsCheck": "true", "isNBatch": "true", "batchMode": "BatchMode::NONE", "enableReuse": "false",
        "iterateOrder": "IterateOrder::ORDER_N", "scheduleType": "ScheduleType::OUTER_PRODUCT", "enUnitFlag": "false",
        "enableMixDualMaster": "true",
    },
    "CFG_MDL": {"doMultiDataLoad": "true", "enUnitFlag": "false", "enableUBReuse": "true"},
    "GetMDLConfig(true, false, 2, false, false, false, true, true, false, false, false, true)": {
        "doMultiDataLoad": "true", "intrinsicsCheck": "true", "doMTE2Preload": "2", "enableKdimReorderLoad": "true",
    },
    "GetSpecialMDLConfig()": {"doSpecialMDL": "true", "enUnitFlag": "false"},
    "CFG_IBSHARE_NORM": {"doIBShareNorm": "true", **LESS},
    "GetIBShareNormConfig(false, false, false, BatchMode::NONE, true, false)": {
        "doIBShareNorm": "true", "enableDoubleCache": "true", "enUnitFlag": "false",
    },
    "GetBasicConfig(128, 64, 32)": {"doBasicBlock": "true", **BASIC},
    "GetSpecialBasicConfig(128, 64, 32, 256, 512, 96, 1, 2)": {
        "doSpecialBasicBlock": "true", "singleCoreM": "256", "singleCoreN": "512", "singleCoreK": "96", "stepM": "1", "stepN": "2",
        "baseMN": "8192", "singleCoreMN": "131072", **BASIC,
    },
    "MatmulConfig{false, true, false, 128, 64, 32}": {"doBasicBlock": "true", "basicM": "128", "basicN": "64", "basicK": "32"},
    "GetMMConfig<MatmulConfigMode::CONFIG_MDL>(MatmulFuncParams{true}, MatmulShapeParams{1, 2, 3, 128, 64, 32})": {
        "doMultiDataLoad": "true", "enUnitFlag": "false", "intrinsicsCheck": "true", "singleCoreM": "1", "singleCoreN": "2",
        "singleCoreK": "3", "basicM": "128", "basicN": "64", "basicK": "32",
    },
    "GetMMConfig<MatmulConfigMode::CONFIG_NORM>(MatmulShapeParams{0, 0, 0, 16, 16, 16}, MatmulBatchParams{true, BatchMode::NONE, false})": {
        "doNorm": "true", "basicM": "16", "basicN": "16", "basicK": "16", "isNBatch": "true", "isBiasBatch": "false",
    },
}  # fmt: skip
HEAD = '#include "kernel_operator.h"\n#include "lib/matmul_intf.h"\nusing namespace AscendC;\n'
KERNEL = 'extern "C" __global__ __aicore__ void k(GM_ADDR x) { GetBlockIdx(); }\n'


@pytest.mark.requirement("mm-2")
def test_every_function_gives_the_published_values(tmp_path: Path) -> None:
    lines = [f"constexpr MatmulConfig c{number} = {made};" for number, made in enumerate(MADE)]
    for number, changed in enumerate(MADE.values()):
        assert set(changed) <= set(DEFAULTS)
        values = DEFAULTS | changed
        lines += [f'static_assert(c{number}.{member} == {value}, "c{number}.{member}");' for member, value in values.items()]
    source = tmp_path / "config.cpp"
    source.write_text(HEAD + "\n".join(lines) + "\n" + KERNEL)
    Program(source).compile()


@pytest.mark.requirement("mm-1")
@pytest.mark.parametrize("core", ["__cube__", "__vector__", "__mix__(1, 2)"])
def test_names_alone_compile_for_every_core(core: str, tmp_path: Path) -> None:
    text = HEAD + (
        "using A = MatmulType<TPosition::GM, CubeFormat::ND, half, true, LayoutMode::NORMAL, false>;\n"
        "static_assert(A::pos == TPosition::GM && A::format == CubeFormat::ND && A::isTrans && A::layout == LayoutMode::NORMAL);\n"
        "static_assert(std::is_same_v<GetMmDstType<half>::Type, float> && std::is_same_v<GetMmDstType<int8_t>::Type, int32_t>);\n"
        "static_assert(sizeof(TCubeTiling) == 200 && offsetof(TCubeTiling, baseM) == 32 && offsetof(TCubeTiling, mxTypePara) == 196);\n"
        "constexpr MatmulApiStaticTiling fixed = GetMatmulApiTiling<A, A, A, A>(GetBasicConfig(256, 16, 128));\n"
        "static_assert(fixed.baseM == 256 && fixed.dbL0A == 1 && fixed.dbL0B == 2 && fixed.singleCoreM == -1 && fixed.M == -1);\n"
    )
    source = tmp_path / "names.cpp"
    source.write_text(text + KERNEL.replace("__aicore__", core))
    Program(source).compile()


@pytest.mark.requirement("mm-25")
@pytest.mark.parametrize("depth", [6, 8])
def test_a_depth_that_is_no_multiple_of_the_steps_is_a_warning(depth: int, caplog: pytest.LogCaptureFixture) -> None:
    says = "depthA1 of the tiling is no multiple of stepM * stepKa: the rest of it is not used"
    names = {"IN": "half", "OUT": "float", "BIAS": "float", "CONFIG": "CFG_MDL"}
    which = Kernel(Program(HERE / "cube_only.cpp", defines=names).compile(), "multiply")
    a, b = integers(1, 32, 256), integers(2, 256, 32)
    cut = tiling(32, 32, 256, (32, 32, 32), depthA1=depth, depthB1=8, stepKa=4, stepKb=4)
    with caplog.at_level("WARNING", logger="aclimb"):
        got = multiply(which, a, b, cut, (32, 32), np.float32)
    np.testing.assert_array_equal(got, a.astype(np.float32) @ b.astype(np.float32))
    assert [says in message for message in caplog.messages] == ([True] if depth == 6 else [])
