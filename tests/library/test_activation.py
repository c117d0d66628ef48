# SPDX-License-Identifier: Apache-2.0
"""Activations against float64."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_image import COUNTED, WITH_COUNT, WITH_TMP_AND_COUNT, Array, Call, Image, near
from numpy.typing import NDArray

from aclimb import errors

TYPES = {"float": np.float32, "half": np.float16}
Float64 = NDArray[np.float64]
B = 1.5  # of Swish and SwiGLU; a half holds it
B_BITS = int(np.float32(B).view(np.uint32))


def swish(x: Float64, b: float) -> Float64:
    return x / (1 + np.exp(-b * x))


def gelu(x: Float64) -> Float64:
    return swish(x + 0.044715 * x**3, 2 * np.sqrt(2 / np.pi)) / (1 + 0.044715 * x * x)


def gelu_v2(x: Float64) -> Float64:
    bow = -0.1444 * (np.minimum(np.abs(x) / np.sqrt(2), 1.769) - 1.769) ** 2 + 0.5
    return x * (np.sign(x + 1e-12) * bow + 0.5)


def geglu(x: Float64, gate: Float64) -> Float64:
    return x * gate / (1 + np.exp(-0.0713548162726 * gate * (22.363860002236 + gate**2)))


def call(name: str, sources: int = 1, **more: object) -> Call:
    return Call("activation", name, sources, **more)  # type: ignore[arg-type]


FUNCTIONS: dict[Call, Callable[..., Float64]] = {
    call("Sigmoid"): lambda x: 1 / (1 + np.exp(-x)),
    call("Gelu", forms=COUNTED, in_place=True): gelu,
    call("FasterGelu", forms=COUNTED, in_place=True): lambda x: swish(x, 1.702),
    call("FasterGeluV2", forms=COUNTED, in_place=True): gelu_v2,
    call("Silu", forms=(WITH_COUNT,)): lambda x: swish(x, 1),
    call("Swish", forms=(WITH_COUNT,), more=(B_BITS,)): lambda x: swish(x, B),
    call("SwiGLU", 2, more=(B_BITS,)): lambda x, gate: x * swish(gate, B),
    call("GeGLU", 2): geglu,
    call("ReGlu", 2, forms=COUNTED): lambda x, gate: x * np.maximum(gate, 0),
}


@pytest.mark.requirement("lib-21", "lib-3", "lib-4", "lib-5", "lib-6")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("call", FUNCTIONS, ids=lambda call: call.name)
@settings(max_examples=4, deadline=None)
@given(count=st.integers(1, 700), seed=st.integers(0, 99))
def test_any_length_and_form(call: Call, dtype: str, count: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    xs: list[Array] = [random.normal(0, 5, count + 5).astype(TYPES[dtype]) for _ in range(call.sources)]
    xs[-1][: min(count, 6)] = [0, -60, 60, 1e-6, -0.75, 3][: min(count, 6)]
    with np.errstate(over="ignore"):
        near(call.all_ways(xs, count), FUNCTIONS[call](*(x[:count].astype(np.float64) for x in xs)))


@pytest.mark.requirement("lib-21")
@pytest.mark.parametrize(
    ("name", "x", "published"),
    [("FasterGeluV2", 1.074, 0.916), ("FasterGeluV2", -1.251, -0.1411), ("FasterGelu", -1.83887, -0.0769653), ("PreciseGelu", 1.0, 0.8413)],
)
def test_published_values(name: str, x: float, published: float) -> None:
    values = np.full(16, x, np.float16)
    got = Call("activation", name, needs="Gelu").run([values], 16, WITH_COUNT, 0)
    np.testing.assert_allclose(got.astype(np.float64), published, rtol=2e-3)


@pytest.mark.requirement("lib-21")
def test_far_out_and_not_a_number() -> None:
    x = np.array([-1e20, 1e20, np.nan, -3e38, np.inf], np.float32)
    for name in ("Gelu", "FasterGelu", "FastGelu"):
        got = Call("activation", name, needs="Gelu").run([x], x.size, WITH_COUNT, 0)
        np.testing.assert_array_equal(got, np.array([-0.0, 1e20, np.nan, -0.0, np.inf], np.float32))


@pytest.mark.requirement("lib-21")
def test_reglu_of_bfloat16() -> None:
    values = np.random.default_rng(1).normal(0, 4, (2, 200)).astype(np.float32)
    bits = (values.view(np.uint32) >> 16).astype(np.uint16)
    x, gate = (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    image = Image()
    z = image.add(np.zeros(200, np.uint16))
    image.add(bits[0])
    image.add(bits[1])
    image.run("activation", "ReGlu_bfloat16_t", 200, WITH_COUNT)
    got = (image.of(z).astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    np.testing.assert_allclose(got, x * np.maximum(gate, 0), rtol=2**-8)


@pytest.mark.requirement("lib-3", "lib-5")
def test_too_little_scratch_and_overlap_are_reported() -> None:
    x = np.ones(100, np.float16)
    gelu, silu = call("Gelu"), call("Silu")
    with pytest.raises(errors.Misuse, match=r"sharedTmpBuffer of Gelu has 736 bytes, and the least it works with are 768"):
        gelu.run([x], 100, WITH_TMP_AND_COUNT, 736)
    with pytest.raises(errors.Misuse, match="dst and src of Silu share bytes"):
        silu.run([x], 100, WITH_COUNT, 0, in_place=True)


@pytest.mark.requirement("lib-5")
def test_in_place_means_the_same_elements() -> None:
    image = Image()
    z = image.add(np.ones(100, np.float32))
    at, size, *rest = image.places[z]
    image.places.append((at + 32, size, *rest))
    with pytest.raises(errors.Misuse, match="dst and src of Gelu share bytes"):
        image.run("activation", "Gelu_float", 92, WITH_COUNT)


@pytest.mark.requirement("lib-2")
def test_too_little_free_ub_is_reported() -> None:
    image = Image()
    image.add(np.ones(100, np.float16))
    image.add(np.ones(100, np.float16))
    with pytest.raises(errors.Misuse, match=r"Gelu.* 768 .* 256 "):
        image.run("activation", "Crowded", 100)
