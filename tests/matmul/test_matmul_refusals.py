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


def batch(layout: str, kind: str = "half", format: str = "ND") -> str:
    return f"MatmulType<TPosition::GM, CubeFormat::{format}, {kind}, true, LayoutMode::{layout}>"


SPARSE = "SparseMatmulType<TPosition::GM, TPosition::GM, CubeFormat::ND, int8_t, true>"
BATCH = "mm.IterateBatch(c, false, 0, false);"
ONE_BIAS = "GetMMConfig<MatmulConfigMode::CONFIG_NORM>(MatmulBatchParams{false, BatchMode::SINGLE_LARGE_THAN_L1, false})"


EACH_K = "[] { auto made = CFG_MDL; made.isPartialOutput = true; return made; }()"


def split(axis: str) -> str:
    policy = f"AscendC::Impl::Detail::Split{axis}MatmulPolicy"
    return f"Matmul<In, B, Out, Out, kConfig, MatmulCallBackFunc<>, {policy}> other; other.IterateAll(c);"


# type of A, type of B or empty for the same, configuration, call, sentence
REFUSED = [
    (HALF, "", "CFG_NORM", "mm.GetTensorC<false>(c);", "GetTensorC<false> belongs to mixed kernels; .* takes GetTensorC<true>"),
    (HALF, "", "CFG_NORM", "mm.SetAntiQuantScalar(half(1), half(1));", "SetAntiQuantScalar of Matmul does not exist on Atlas A2"),
    (HALF, "", "CFG_NORM", "LocalTensor<half> x; mm.SetAntiQuantVector(x, x);", "SetAntiQuantVector of Matmul does not exist on Atlas A2"),
    (BYTES, "", BASIC, "", "doBasicBlock takes half, float or bfloat16_t, ND or NZ; nearest: CFG_NORM"),
    (HALF.replace("ND", "VECTOR"), HALF, BASIC, "", "doBasicBlock takes half, float or bfloat16_t, ND or NZ; nearest: CFG_NORM"),
    (HALF, "", EACH_K.replace("MDL", "NORM"), "", "isPartialOutput of MatmulConfig needs the MDL configuration; nearest: CFG_MDL"),
    (HALF, "", EACH_K, "mm.IterateAll(c);", "IterateAll needs a MatmulConfig without isPartialOutput; nearest: Iterate and GetTensorC"),
    (HALF, "", EACH_K, "mm.SetBias(c);", "a Matmul object with isPartialOutput takes no bias; add it to the sum"),
    (BYTES, SPARSE, "CFG_NORM", "", "a sparse B needs the MDL configuration; nearest: CFG_MDL"),
    (SPARSE, BYTES, "CFG_MDL", "", "of a Matmul object B may be sparse, A is a MatmulType"),
    (BYTES, SPARSE.replace("true", "false"), "CFG_MDL", "mm.SetSparseIndex(bytes);", "a SparseMatmulType is <TPosition::GM, TPosition::GM"),
    (BYTES, SPARSE, "CFG_MDL", "mm.SetBias(c);", "a Matmul object with a sparse B takes no bias; MmadWithSparse has none"),
    (BYTES, "", "CFG_MDL", "mm.SetSparseIndex(bytes);", "SetSparseIndex needs a SparseMatmulType as type of B"),
    (HALF, "", "CFG_NORM", BATCH, "IterateBatch needs a LAYOUT in its MatmulTypes, one for A and B: NORMAL, BSNGD, SBNGD or BNGS1S2"),
    (batch("NORMAL"), batch("BSNGD"), "CFG_NORM", BATCH, "IterateBatch needs a LAYOUT in its MatmulTypes, one for A and B"),
    (batch("NORMAL"), "", "CFG_MDL", BATCH, "IterateBatch needs the Norm configuration; nearest: CFG_NORM or GetNormalConfig"),
    (batch("SBNGD", format="NZ"), "", "CFG_NORM", BATCH, "batches in BSNGD and SBNGD are CubeFormat::ND; nearest: LayoutMode::NORMAL"),
    (batch("NORMAL"), "", ONE_BIAS, BATCH, "isBiasBatch is true where batchMode is SINGLE_LARGE_THAN_L1"),
    (batch("NORMAL", "int4b_t"), "", "CFG_NORM", BATCH, "and is not quantised; nearest: IterateAll in a loop"),
    (batch("NORMAL"), "", "CFG_NORM", "mm.IterateBatch(LocalTensor<float>(), false, 0, true);", "writes to global memory; the UB belongs"),
    (batch("NORMAL"), "", "CFG_NORM", "mm.IterateNBatch(1, 2, 2, false);", "IterateNBatch of Matmul belongs to mixed kernels; on the AIC"),
    (HALF, "", "CFG_MDL", split("M"), "SplitMMatmulPolicy does not exist on Atlas A2 and A3; nearest: MatmulPolicy"),
    (HALF, "", "CFG_MDL", split("N"), "SplitNMatmulPolicy does not exist on Atlas A2 and A3; nearest: MatmulPolicy"),
    (HALF.replace("MatmulType", "AscendC::MatmulTypeWithScale"), "", "CFG_MDL", "", "MatmulTypeWithScale.* does not exist on Atlas A2"),
]  # fmt: skip
ACCEPTED = [
    (HALF, "", "CFG_NORM", "mm.GetTensorC<true>(c);"),
    (HALF, "", BASIC, "mm.IterateAll(c);"),
    (HALF, "", EACH_K, "mm.GetTensorC(c, 0, true);"),
    (BYTES, SPARSE, "CFG_MDL", "mm.SetSparseIndex(bytes);"),
    (batch("NORMAL", "int8_t"), "", "CFG_NORM", BATCH),
    (batch("SBNGD"), "", "CFG_NORM", BATCH),
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


@pytest.mark.requirement("mm-23")
def test_members_of_other_products_are_named_one_by_one(tmp_path: Path) -> None:
    members = ["enVecND2NZ", "isPerTensor", "hasAntiQuantOffset", "intraBlockPartSum", "isCO1Shared", "enableL1BankConflictOptimise",
               "enableRelu", "decompMode"]  # fmt: skip
    made = [f"constexpr MatmulConfig {each}_set = [] {{ auto made = CFG_MDL; made.{each} = 1; return made; }}()" for each in members]
    objects = [f"Matmul<In, B, Out, Out, {each}_set> of_{each};" for each in members]
    with pytest.raises(errors.CompileError) as caught:
        Program(source(tmp_path, HALF, "", ";\n".join(["CFG_MDL", *made]), "\n".join(objects))).compile()
    for member in members:
        assert f"MatmulConfig::{member} does not exist on Atlas A2 and A3; leave it false" in str(caught.value)


def test_an_operand_in_l1_is_refused_in_a_mixed_kernel(tmp_path: Path) -> None:
    source = tmp_path / "k.cpp"
    source.write_text("""#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;
using In = MatmulType<TPosition::TSCM, CubeFormat::NZ, half>;
using Out = MatmulType<TPosition::GM, CubeFormat::ND, float>;
extern "C" __global__ __mix__(1, 2) void k(GM_ADDR a) {
    TPipe pipe;
    TCubeTiling tiling;
    Matmul<In, In, Out> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    mm.SetTensorA(LocalTensor<half>(TPosition::TSCM));
}
""")
    says = "an operand at TPosition::TSCM is not supported yet in mixed kernels; nearest: TPosition::GM, or TPosition::VECOUT for one in UB"
    with pytest.raises(errors.CompileError, match=says):
        Program(source).compile()
