# SPDX-License-Identifier: Apache-2.0
"""A Matmul object of the AIC alone, against NumPy: types, transposes, tails, configurations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matmul_runs import DTYPES, How, integers, kernel, multiply, tiling

TYPES = [("half", "float"), ("half", "half"), ("bfloat16_t", "float"), ("bfloat16_t", "bfloat16_t"), ("float", "float"), ("float", "half"),
         ("int8_t", "int32_t")]  # fmt: skip
MDL = {"CONFIG": "CFG_MDL"}


def expected(a: Any, b: Any, output: str, bias: Any = None) -> Any:
    wide = np.int32 if a.dtype == np.int8 else np.float32
    total = a.astype(wide) @ b.astype(wide) + (0 if bias is None else bias)
    return total.astype(wide).astype(DTYPES[output])


def run(inputs: str, output: str, m: int, n: int, k: int, base: tuple[int, int, int], *, turn_a: bool = False, turn_b: bool = False,
        has_bias: bool = False, by_iterate: int = 0, seed: int = 0, defines: dict[str, str] | None = None, **cut: int) -> None:  # fmt: skip
    dtype = DTYPES[inputs]
    a, b = integers(seed, m, k, dtype=dtype), integers(seed + 1, k, n, dtype=dtype)
    bias = integers(seed + 2, n, dtype=np.int32 if inputs == "int8_t" else np.float32) if has_bias else None
    how = How(turn_a=turn_a, turn_b=turn_b, by_iterate=by_iterate)
    given_a, given_b = (a.T if turn_a else a), (b.T if turn_b else b)
    cut = tiling(m, n, k, base, isBias=int(has_bias), **cut)
    got = multiply(kernel(inputs, output, **(defines or {})), given_a, given_b, cut, (m, n), DTYPES[output], how, bias)
    np.testing.assert_array_equal(got, expected(a, b, output, bias))


@pytest.mark.requirement("mm-7", "mm-9")
@pytest.mark.parametrize("turn_a", [False, True])
@pytest.mark.parametrize("turn_b", [False, True])
@pytest.mark.parametrize(("inputs", "output"), TYPES)
@pytest.mark.parametrize("config", ["CFG_NORM", "CFG_MDL"])
def test_every_type_and_transpose(inputs: str, output: str, turn_a: bool, turn_b: bool, config: str) -> None:
    defines = {"CONFIG": config} if config != "CFG_NORM" else {}
    run(inputs, output, 96, 80, 160, (32, 32, 64), turn_a=turn_a, turn_b=turn_b, has_bias=True, defines=defines, depthA1=4, depthB1=4,
        stepKa=2, stepKb=2)  # fmt: skip


@pytest.mark.requirement("mm-7")
@pytest.mark.parametrize("inputs", ["half", "float", "bfloat16_t"])
def test_a_bias_of_half_becomes_float(inputs: str) -> None:
    a, b = integers(1, 40, 48, dtype=DTYPES[inputs]), integers(2, 48, 72, dtype=DTYPES[inputs])
    bias = (integers(3, 72, dtype=np.float16, high=100) / 8).astype(np.float16)
    got = multiply(kernel(inputs, "float", "half"), a, b, tiling(40, 72, 48, (32, 32, 32), isBias=1), (40, 72), np.float32, None, bias)
    np.testing.assert_array_equal(got, expected(a, b, "float") + bias.astype(np.float32))


@pytest.mark.requirement("mm-8")
@settings(max_examples=60, deadline=None)
@given(
    types=st.sampled_from([("half", "float"), ("float", "float"), ("int8_t", "int32_t"), ("bfloat16_t", "float")]),
    shape=st.tuples(*[st.sampled_from([1, 15, 16, 17, 31, 33, 64, 100, 129])] * 3),
    base=st.tuples(st.sampled_from([16, 32, 48]), st.sampled_from([32, 64]), st.sampled_from([32, 64])),
    turns=st.tuples(st.booleans(), st.booleans()),
    rest=st.tuples(st.booleans(), st.integers(1, 4), st.integers(1, 4), st.integers(1, 2), st.integers(1, 2), st.integers(0, 1)),
)
def test_tails_of_every_length(types: Any, shape: Any, base: Any, turns: Any, rest: Any) -> None:
    has_bias, depth_a, depth_b, l0, l0c, order = rest
    run(*types, *shape, base, turn_a=turns[0], turn_b=turns[1], has_bias=has_bias, depthA1=depth_a, depthB1=depth_b, dbL0A=l0, dbL0B=l0,
        dbL0C=l0c, iterateOrder=order)  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(
    shape=st.tuples(st.integers(1, 200), st.integers(1, 200), st.integers(1, 300)),
    steps=st.tuples(*[st.integers(1, 3)] * 4),
    double=st.tuples(st.integers(1, 2), st.integers(1, 2)),
    turns=st.tuples(st.booleans(), st.booleans()),
    order=st.integers(0, 1),
)
def test_groups_of_blocks(shape: Any, steps: Any, double: Any, turns: Any, order: int) -> None:
    step_m, step_n, step_ka, step_kb = steps
    groups = {"stepM": step_m, "stepN": step_n, "stepKa": step_ka, "stepKb": step_kb, "iterateOrder": order}
    groups |= {"depthA1": step_m * step_ka * double[0], "depthB1": step_n * step_kb * double[1]}
    run("half", "float", *shape, (32, 48, 32), turn_a=turns[0], turn_b=turns[1], defines=MDL, **groups)
