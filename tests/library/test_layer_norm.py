# SPDX-License-Identifier: Apache-2.0
"""LayerNorm in both forms, DeepNorm and RmsNorm against float64."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_image import Array, Image, near
from library_rows import Float64, near_sum, padded, pitch_of
from numpy.typing import DTypeLike

from aclimb.errors import Misuse
from aclimb.tiling import library

TYPES = {"float": np.float32, "half": np.float16}
TMP, FREE_UB = 0, 1
EPSILON = {4: np.float32(1e-5), 2: np.float16(1e-3)}


@dataclass
class Norm:
    """One call: its operands as stored, and what came of it."""

    kernel: str
    rows: int
    columns: int
    dtype: DTypeLike = np.float32
    weights: DTypeLike = np.float32  # of gamma and beta
    numbers: DTypeLike = np.float32  # of mean and variance
    seed: int = 0
    least: bool = False
    form: int = TMP
    in_place: bool = False
    behind: float = 77
    scale: float = 1
    offset: float = 0.5

    def __post_init__(self) -> None:
        size = np.dtype(self.dtype).itemsize
        self.pitch = pitch_of(self.columns, size)
        random = np.random.default_rng(self.seed)
        values = [random.normal(self.offset, self.scale, (self.rows, self.columns)) for _ in range(2)]
        self.x, self.gx = (padded(value, self.dtype, self.pitch, self.behind) for value in values)
        self.gamma, self.beta = (random.normal(1, 0.5, self.columns).astype(self.weights) for _ in range(2))
        self.call = self.kernel.split("_")[0].removesuffix("Reuse")
        if self.call in {"Rstd", "Plain", "NoBeta"}:
            self.call = "LayerNorm"
        self.epsilon = float(EPSILON[size]) if self.call == self.kernel.split("_")[0] else {4: 1e-5, 2: 1e-3}[size]

    def run(self) -> Norm:
        image = Image()
        self.image = image
        y = image.add(np.full((self.rows, self.pitch), 3, self.dtype))
        numbers = [] if self.call == "RmsNorm" else [image.add(np.full(self.rows, 5, self.numbers)) for _ in range(2)]
        x = image.same_place(y) if self.in_place else image.add(self.x)
        if self.in_place:
            at = image.places[y][0]
            image.bytes[at : at + self.x.nbytes] = np.frombuffer(self.x.tobytes(), np.uint8)
        sources = [image.add(self.gx)] if self.call == "DeepNorm" else []
        weights = [self.gamma] if self.call == "RmsNorm" else [self.gamma, self.beta]
        sources += [image.add(value) for value in (weights[::-1] if self.call == "DeepNorm" else weights)]
        if self.form == TMP:
            image.scratch(library.row_sizes(self.call, self.rows, self.pitch)[self.least])
        image.run("layer_norm", self.kernel, form=self.form, more=(self.rows, self.columns, self.pitch))
        for source in sources if self.in_place else [x, *sources]:
            np.testing.assert_array_equal(image.of(source), image.was(source))
        np.testing.assert_array_equal(image.of(y)[:, self.columns :], image.was(y)[:, self.columns :])
        self.y = image.of(y)[:, : self.columns]
        self.mean, self.deviation = (image.of(number) for number in numbers) if numbers else (self.y, self.y)
        return self

    def source(self) -> Float64:
        x = self.x[:, : self.columns].astype(np.float64)
        return 0.75 * x + self.gx[:, : self.columns].astype(np.float64) if self.call == "DeepNorm" else x

    def check(self, rstd: bool = False, gamma: bool = True, beta: bool = True) -> None:
        x = self.source()
        mean, variance = x.mean(1), x.var(1)
        factor = 1 / np.sqrt(variance + self.epsilon)
        y = (x - mean[:, None]) * factor[:, None]
        if gamma:
            y *= self.gamma.astype(np.float64)
        if beta:
            y += self.beta.astype(np.float64)
        near_sum(self.mean, mean, self.columns)
        near_sum(self.deviation, factor if rstd else variance, self.columns)
        near_sum(self.y, y, self.columns)


@pytest.mark.requirement("lib-29", "lib-3")
@pytest.mark.parametrize("dtype", TYPES)
@settings(max_examples=12, deadline=None)
@given(
    rows=st.integers(1, 40),
    columns=st.integers(1, 150),
    seed=st.integers(0, 99),
    least=st.booleans(),
    form=st.sampled_from([TMP, FREE_UB]),
)
def test_layer_norm_of_any_shape(dtype: str, rows: int, columns: int, seed: int, least: bool, form: int) -> None:
    kind = TYPES[dtype]
    Norm(f"LayerNorm_{dtype}", rows, columns, kind, kind, kind, seed, least, form).run().check()


@pytest.mark.requirement("lib-29")
@pytest.mark.parametrize(
    ("kernel", "weights", "dtype", "asks"),
    [
        ("Rstd_float_float", np.float32, np.float32, {}),
        ("Rstd_half_half", np.float16, np.float16, {}),
        ("Rstd_float_half", np.float32, np.float16, {}),
        ("Plain_float_float", np.float32, np.float32, {"rstd": False, "gamma": False, "beta": False}),
        ("NoBeta_float_half", np.float32, np.float16, {"beta": False}),
    ],
)
@pytest.mark.parametrize("shape", [(1, 1), (19, 77), (3, 1030)])
def test_layer_norm_with_rstd(kernel: str, weights: DTypeLike, dtype: DTypeLike, asks: dict[str, bool], shape: tuple[int, int]) -> None:
    for form in (TMP, FREE_UB):
        Norm(kernel, *shape, dtype, weights, np.float32, form=form).run().check(**{"rstd": True, **asks})


@pytest.mark.requirement("lib-29", "lib-3")
@pytest.mark.parametrize(
    ("kernel", "rows", "columns"),
    [
        ("LayerNorm_float", 2, 2049),
        ("LayerNorm_float", 30, 200),
        ("LayerNorm_half", 20, 300),
        ("RmsNorm_half", 2, 4200),
        ("DeepNorm_float", 9, 333),
    ],
)
def test_least_scratch_gives_the_result_of_the_greatest(kernel: str, rows: int, columns: int) -> None:
    kind = TYPES[kernel.split("_")[1]]
    few, many = (Norm(kernel, rows, columns, kind, kind, kind, 1, least).run() for least in (True, False))
    for a, b in ((few.y, many.y), (few.mean, many.mean), (few.deviation, many.deviation)):
        np.testing.assert_array_equal(a, b)


@pytest.mark.requirement("lib-5", "lib-29")
@pytest.mark.parametrize("kernel", ["LayerNorm_float", "LayerNorm_half", "RmsNorm_float", "RmsNorm_half", "DeepNormReuse_float"])
def test_in_place(kernel: str) -> None:
    kind = TYPES[kernel.split("_")[1]]
    apart, same = (Norm(kernel, 21, 70, kind, kind, kind, 2, True, in_place=place).run() for place in (False, True))
    np.testing.assert_array_equal(apart.y, same.y)
    np.testing.assert_array_equal(apart.deviation, same.deviation)


@pytest.mark.requirement("lib-5")
@pytest.mark.parametrize("kernel", ["Rstd_float_float", "DeepNorm_float"])
def test_in_place_where_it_is_not_allowed(kernel: str) -> None:
    with pytest.raises(Misuse, match="share bytes"):
        Norm(kernel, 21, 70, in_place=True).run()


@pytest.mark.requirement("lib-3")
def test_too_little_scratch() -> None:
    norm = Norm("RmsNorm_float", 4, 64)
    image = Image()
    for values in (norm.x.copy(), norm.x, norm.gamma):
        image.add(values)
    least = library.row_sizes("RmsNorm", 4, 64)[1]
    image.scratch(least - 32)
    with pytest.raises(Misuse, match=rf"RmsNorm has {least - 32} bytes.*{least}"):
        image.run("layer_norm", "RmsNorm_float", more=(4, 64, 64))


@pytest.mark.requirement("lib-30")
@pytest.mark.parametrize("dtype", TYPES)
@settings(max_examples=8, deadline=None)
@given(rows=st.integers(1, 30), columns=st.integers(1, 150), least=st.booleans(), form=st.sampled_from([TMP, FREE_UB]))
def test_rms_norm(dtype: str, rows: int, columns: int, least: bool, form: int) -> None:
    kind = TYPES[dtype]
    norm = Norm(f"RmsNorm_{dtype}", rows, columns, kind, kind, least=least, form=form).run()
    x = norm.source()
    near_sum(norm.y, norm.gamma * x / np.sqrt((x**2).mean(1) + norm.epsilon)[:, None], columns)


@pytest.mark.requirement("lib-30")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(1, 8), (13, 45), (40, 120)])
def test_deep_norm(dtype: str, shape: tuple[int, int]) -> None:
    kind = TYPES[dtype]
    for least, form in ((False, TMP), (True, TMP), (False, FREE_UB)):
        Norm(f"DeepNorm_{dtype}", *shape, kind, kind, kind, 3, least, form).run().check()  # the variance


@pytest.mark.requirement("lib-29")
def test_epsilon_is_inside_the_root() -> None:
    norm = Norm("Plain_float_float", 3, 64, scale=0, offset=2).run()
    near(norm.y, np.zeros((3, 64)))
    norm = Norm("Rstd_float_float", 3, 64, scale=0, offset=2).run()
    near(norm.deviation, np.full(3, 1e-5**-0.5))


@pytest.mark.requirement("lib-4")
def test_what_lies_behind_the_rows_has_no_influence() -> None:
    first, second = (Norm("LayerNorm_half", 9, 33, np.float16, np.float16, np.float16, behind=b).run() for b in (0, np.nan))
    array: Array = first.y
    np.testing.assert_array_equal(array, second.y)
