# SPDX-License-Identifier: Apache-2.0
"""Matmul objects made and used in other ways: tilings that the compiler knows, copies of one's own, L0C, triangles, several objects."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matmul_runs import OUTSIDE, How, integers, kernel, multiply, tiling

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, _engine, errors, knobs, launch

HERE = Path(__file__).parent


@cache
def binary() -> Any:
    return Program(HERE / "objects.cpp").compile()


def run(name: str, m: int, n: int, k: int, base: tuple[int, int, int], *more: int, copies: int = 1, **cut: int) -> tuple[Any, Any]:
    """(what the kernel wrote, the product)."""
    a, b = integers(1, m, k), integers(2, k, n)
    out, stream = Buffer.from_array(np.full((copies, m, n), OUTSIDE, np.float32)), Stream()
    buffers = [Buffer.from_array(each) for each in (a, b)] + [out, Buffer.from_array(tiling(m, n, k, base, **cut))]
    launch(stream, LaunchConfig(num_blocks=1), Kernel(binary(), name), *buffers, *more)
    stream.synchronize()
    return out.to_numpy(), a.astype(np.float32) @ b.astype(np.float32)


@pytest.mark.requirement("mm-7")
@pytest.mark.parametrize("shape", [(96, 64, 128), (37, 50, 70)])
def test_a_tiling_that_the_compiler_knows(shape: tuple[int, int, int]) -> None:
    got, want = run("known_wholly", *shape, (16, 16, 16), *shape)
    np.testing.assert_array_equal(got[0], want)
    got, want = run("known_partly", *shape, (16, 16, 16))  # its base block is 32 x 64 x 32, whatever the run says
    np.testing.assert_array_equal(got[0], want)


def test_a_tiling_that_comes_by_init() -> None:
    got, want = run("given_by_init", 40, 50, 60, (32, 32, 32))
    np.testing.assert_array_equal(got[0], want)


@pytest.mark.requirement("mm-21")
def test_a_copy_of_ones_own_is_called_once_for_each_base_block(capfd: pytest.CaptureFixture[str]) -> None:
    got, want = run("copied_by_the_kernel", 48, 16, 80, (32, 16, 32), depthA1=6)
    np.testing.assert_array_equal(got[0], want)
    calls = sorted(tuple(map(int, line.split()[-4:])) for line in capfd.readouterr().out.splitlines())
    assert calls == [(0, 0, 32, 32), (0, 1, 32, 32), (0, 2, 32, 16), (1, 0, 16, 32), (1, 1, 16, 32), (1, 2, 16, 16)]


@pytest.mark.requirement("mm-21")
def test_a_way_out_of_ones_own(capfd: pytest.CaptureFixture[str]) -> None:
    got, want = run("written_by_the_kernel", 40, 48, 32, (32, 32, 32))
    np.testing.assert_array_equal(got[0], np.maximum(want, 0))  # it has a ReLU
    calls = sorted(line.split()[-4:] for line in capfd.readouterr().out.splitlines())
    assert calls == sorted([["2", "64", "7", "8"], ["2", "16", "7", "8"], ["1", "64", "7", "8"], ["1", "16", "7", "8"]])


def test_results_that_stay_in_l0c() -> None:
    got, want = run("kept_in_l0c", 64, 64, 48, (32, 32, 16))
    np.testing.assert_array_equal(got[0], want)


@pytest.mark.parametrize("is_upper", [1, 0])
def test_a_triangle_leaves_the_other_blocks_alone(is_upper: int) -> None:
    got, want = run("triangles", 80, 80, 32, (16, 16, 32), is_upper)
    rows, columns = np.indices(want.shape) // 16
    made = rows <= columns if is_upper else rows >= columns
    np.testing.assert_array_equal(got[0], np.where(made, want, OUTSIDE))


@pytest.mark.requirement("mm-18")
def test_two_objects_in_turn() -> None:
    got, want = run("in_turn", 48, 40, 64, (32, 32, 32), 1, copies=4)
    for each in got:
        np.testing.assert_array_equal(each, want)


@pytest.mark.requirement("mm-18")
def test_two_objects_that_do_not_end_are_refused_with_the_line() -> None:
    with pytest.raises(errors.AclimbError, match="two Matmul objects use the same L1 and L0 in turn: call End") as caught:
        run("in_turn", 48, 40, 64, (32, 32, 32), 0, copies=4)
    assert "other.IterateAll(tensors.c[(2 * i + 1) * size]);" in str(caught.value)


def test_products_are_summed_where_iterate_is_asked_to() -> None:
    got, want = run("summed", 32, 32, 32, (32, 32, 32), 3)
    np.testing.assert_array_equal(got[0], 3 * want)


@pytest.mark.parametrize(("made", "says"), [(0, "GetTensorC found no result"), (2, "Iterate found no free part of L0C: call GetTensorC")])
def test_a_result_too_few_or_too_many(made: int, says: str) -> None:
    with pytest.raises(errors.AclimbError, match=says):
        run("taken_too_soon", 64, 64, 32, (32, 32, 32), made, dbL0C=1)


SAME_BITS = """
import hashlib, sys
import numpy as np
sys.path.insert(0, sys.argv[1])
from aclimb import _engine
from matmul_runs import kernel, multiply, tiling
random = np.random.default_rng(0)
a, b = (random.standard_normal(shape).astype(np.float16) for shape in ((70, 90), (90, 80)))
c = multiply(kernel("half", "float"), a, b, tiling(70, 80, 90, (32, 32, 32)), (70, 80), np.float32)
print(_engine.simd_level(), hashlib.sha256(c.tobytes()).hexdigest())
"""


@pytest.mark.requirement("mm-24")
def test_the_same_bits_for_any_threads_and_simd_level() -> None:
    levels = _engine.simd_levels()
    settings = [{"ACLIMB_THREADS": "1"}, {"ACLIMB_THREADS": "16"}, *({knobs.isa.variable: level} for level in levels)]
    command = [sys.executable, "-c", SAME_BITS, str(HERE)]
    told = [subprocess.run(command, env=os.environ | each, capture_output=True, text=True, check=True).stdout.split() for each in settings]
    assert [level for level, _ in told[2:]] == levels
    assert len({bits for _, bits in told}) == 1


# --- what is refused


@pytest.mark.requirement("mm-9")
def test_a_transpose_that_the_type_does_not_have() -> None:
    which, a = kernel("half", "float", MAY_TURN="false"), integers(1, 32, 32)
    for how, side in ((How(turn_a=True), "A"), (How(turn_b=True), "B")):
        with pytest.raises(errors.AclimbError, match=f"SetTensor{side} with isTranspose{side} needs a MatmulType of {side} whose ISTRANS"):
            multiply(which, a, a, tiling(32, 32, 32, (32, 32, 32)), (32, 32), np.float32, how)


@pytest.mark.requirement("mm-19")
@pytest.mark.parametrize(
    ("base", "others", "says"),
    [
        ((256, 16, 128), {}, "bytes of L0A: baseM . baseK . dbL0A is 131072"),
        ((16, 256, 128), {}, "bytes of L0B: baseN . baseK . dbL0B is 131072"),
        ((256, 128, 32), {}, "bytes of L0C: baseM . baseN . 4 . dbL0C is 262144"),
        ((16, 512, 16), {"isBias": 1, "dbL0C": 1}, "bytes of the bias table: baseN . 4 is 2048"),
    ],
)
def test_a_tiling_that_does_not_fit(base: tuple[int, int, int], others: dict[str, int], says: str) -> None:
    a, b = integers(1, 256, 128), integers(2, 128, 512)
    with pytest.raises(errors.AclimbError, match=says):
        multiply(kernel("half", "float"), a, b, tiling(256, 512, 128, base, **others), (256, 512), np.float32)


@pytest.mark.requirement("mm-19")
def test_more_blocks_than_l1_holds() -> None:
    a, b = integers(1, 128, 256), integers(2, 256, 128)
    with pytest.raises(errors.AclimbError, match="L1"):
        multiply(kernel("half", "float"), a, b, tiling(128, 128, 256, (128, 128, 64), depthA1=20, depthB1=20), (128, 128), np.float32)


@pytest.mark.requirement("mm-19")
def test_rows_too_far_apart_for_one_copy() -> None:
    a, b = integers(1, 2, 70000), integers(2, 70000, 16)
    with pytest.raises(errors.AclimbError, match=r"elements from one row of A to the next is 70000; .* 65535"):
        multiply(kernel("half", "float"), a, b, tiling(2, 16, 70000, (16, 16, 64)), (2, 16), np.float32)


@pytest.mark.requirement("mm-19")
def test_rows_too_far_apart_are_copied_one_by_one_where_the_configuration_looks() -> None:
    a, b = integers(1, 2, 70000), integers(2, 70000, 16)
    which = kernel("half", "float", CONFIG="GetMDLConfig(true)")
    got = multiply(which, a, b, tiling(2, 16, 192, (16, 16, 64)), (2, 16), np.float32, How(org=(2, 16, 70000, 70000, 0)))
    np.testing.assert_array_equal(got, a[:, :192].astype(np.float32) @ b[:192].astype(np.float32))


SOURCE = """
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;
using AType = MatmulType<TPosition::GM, CubeFormat::{format}, half>;
using CType = MatmulType<TPosition::GM, CubeFormat::ND, float>;
{config}
extern "C" __global__ __cube__ void k(GM_ADDR a) {{
    TPipe pipe;
    Matmul<AType, AType, CType, CType, kConfig> mm;
    TCubeTiling tiling;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling{more});
}}
"""
NORM = "constexpr MatmulConfig kConfig = CFG_NORM;"


@pytest.mark.requirement("mm-23")
@pytest.mark.parametrize(
    ("format", "config", "more", "says"),
    [
        ("COLUMN_MAJOR", NORM, "", "CubeFormat::COLUMN_MAJOR does not exist on Atlas A2 and A3; nearest: CubeFormat::ND with ISTRANS"),
        ("ND", "constexpr MatmulConfig kConfig = GetNormalConfig(false, false, true);", "", "enVecND2NZ does not exist on Atlas A2 and A3"),
        ("ND", NORM, ", mm, &tiling" * 4, "REGIST_MATMUL_OBJ takes at most four objects"),
        ("ND", NORM.replace("CFG_NORM", "GetMDLConfig(false, false, 0, true)"), "", "enVecND2NZ does not exist on Atlas A2 and A3"),
        ("ND", NORM, ", mm", "REGIST_MATMUL_OBJ takes pairs of an object and the address of its tiling"),
    ],
)
def test_what_a_chip_does_not_have_does_not_compile(format: str, config: str, more: str, says: str, tmp_path: Path) -> None:
    source = tmp_path / "k.cpp"
    source.write_text(SOURCE.format(format=format, config=config, more=more))
    with pytest.raises(errors.CompileError, match=says):
        Program(source).compile()
