# SPDX-License-Identifier: Apache-2.0
"""Calls of a Matmul object that do not compile, each with a sentence; put right they do."""

from __future__ import annotations

from pathlib import Path

import pytest

from aclimb import Program, errors

SOURCE = """
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;
using In = {type};
using B = {type_b};
using Out = MatmulType<TPosition::GM, CubeFormat::ND, typename GetMmDstType<In::T>::Type, false, In::layout>;
constexpr MatmulConfig kConfig = {config};
extern "C" __global__ __cube__ void k(GM_ADDR a) {{
    TPipe pipe;
    Matmul<In, B, Out, Out, kConfig> mm;
    TCubeTiling tiling{{}};
    GlobalTensor<Out::T> c;
    GlobalTensor<uint8_t> bytes;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    {call}
}}
"""
HALF = "MatmulType<TPosition::GM, CubeFormat::ND, half>"
BYTES = HALF.replace("half", "int8_t")
BASIC = "GetBasicConfig(16, 16, 16)"

# type of A, type of B or empty for the same, configuration, call, sentence
REFUSED = [
    (HALF, "", "CFG_NORM", "mm.GetTensorC<false>(c);", "GetTensorC<false> belongs to mixed kernels; .* takes GetTensorC<true>"),
    (HALF, "", "CFG_NORM", "mm.SetAntiQuantScalar(half(1), half(1));", "do not exist on Atlas A2 and A3; nearest: Cast, Adds and Muls"),
    (HALF, "", "CFG_NORM", "LocalTensor<half> x; mm.SetAntiQuantVector(x, x);", "do not exist on Atlas A2 and A3; nearest: Cast, Adds"),
    (BYTES, "", BASIC, "", "doBasicBlock takes half, float or bfloat16_t, ND or NZ; nearest: CFG_NORM"),
    (HALF.replace("ND", "VECTOR"), HALF, BASIC, "", "doBasicBlock takes half, float or bfloat16_t, ND or NZ; nearest: CFG_NORM"),
]  # fmt: skip
ACCEPTED = [
    (HALF, "", "CFG_NORM", "mm.GetTensorC<true>(c);"),
    (HALF, "", BASIC, "mm.IterateAll(c);"),
]  # fmt: skip


def source(folder: Path, kind: str, kind_b: str, config: str, call: str) -> Path:
    path = folder / "k.cpp"
    path.write_text(SOURCE.format(type=kind, type_b=kind_b or kind, config=config, call=call))
    return path


@pytest.mark.requirement("mm-23")
@pytest.mark.parametrize(("kind", "kind_b", "config", "call", "says"), REFUSED)
def test_a_call_that_does_not_exist_does_not_compile(kind: str, kind_b: str, config: str, call: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(errors.CompileError, match=says):
        Program(source(tmp_path, kind, kind_b, config, call)).compile()


@pytest.mark.parametrize(("kind", "kind_b", "config", "call"), ACCEPTED)
def test_put_right_it_compiles(kind: str, kind_b: str, config: str, call: str, tmp_path: Path) -> None:
    Program(source(tmp_path, kind, kind_b, config, call)).compile()
