# SPDX-License-Identifier: Apache-2.0
"""Rows that a product has only because it was rounded up to whole fractals matter where they are taken out; and launches that a profile
cuts short are not judged."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from vectors import FAULTY, HERE, prepare, source_of

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

SOURCE = """
#include "cube.h"
// Of A only some rows are there; of the product some are taken out.
extern "C" __global__ __cube__ void product(GM_ADDR in, GM_ADDR out, uint32_t rows, uint32_t taken) {
    Cube u(in, 16, 16, 16);
    if (rows) DataCopy(u.a1, u.ga, Nd2NzParams(1, rows, 16, 0, 16, 16, 1, 0));
    DataCopy(u.b1, u.gb, Nd2NzParams(1, 16, 16, 0, 16, 16, 1, 0));
    PipeBarrier<PIPE_ALL>();
    u.Load(0);
    PipeBarrier<PIPE_ALL>();
    Mmad(u.c, u.a2, u.b2, u.Step(0));
    PipeBarrier<PIPE_ALL>();
    FixpipeParamsV220 params(16, taken, 16, 16, false);
    Fixpipe(Floats(out), u.c, params);
}
"""


@cache
def kernel() -> Kernel:
    return Kernel(Program(SOURCE, name="product", include_dirs=[HERE]).compile())


@pytest.mark.parametrize(("rows", "taken", "expected"), [(16, 16, ""), (5, 5, ""), (5, 6, "global memory"), (0, 5, "Mmad")])
@pytest.mark.requirement("ord-17", "ord-29", "ord-30")
def test_a_row_without_values_is_told_where_it_is_taken_out(rows: int, taken: int, expected: str) -> None:
    x, z, stream = Buffer.from_array(np.ones(8192, np.float16)), Buffer.from_array(np.zeros(256, np.float32)), Stream()
    with aclimb.check() as check:
        launch(stream, LaunchConfig(1), kernel(), x, z, rows, taken)
        stream.synchronize()
    assert [each.rule for each in check.findings] == ["I1"] * bool(expected)
    assert not expected or f"reaches {expected}" in check.findings[0].headline


@pytest.mark.parametrize("how", ["timing_only", "sampled"])
def test_a_launch_that_a_profile_cuts_short_is_not_judged(how: str) -> None:
    vector, stream = next(each for each in FAULTY if each.name == "m01_no_flag_in"), Stream()
    run = prepare(vector, source_of(vector, put_right=False))
    with aclimb.check() as check, aclimb.profile(**{how: True}):  # type: ignore[arg-type]
        run.launch(stream)
        stream.synchronize()
    assert not check.findings
    assert f"{vector.name} was launched inside a profile that leaves instructions or blocks out" in check.report()
