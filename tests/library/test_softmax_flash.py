# SPDX-License-Identifier: Apache-2.0
"""Soft-max in pieces: joined, the pieces are one soft-max."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_image import WITH_COUNT, WITH_TMP_AND_COUNT, Array, Image, near
from numpy.typing import NDArray
from test_softmax import FORMS, KINDS, blocks, from_nz, reference, rows_of, scratch_of, to_nz

Float64 = NDArray[np.float64]


class Pieces:
    """Calls one behind the other, each with what the one before left."""

    def __init__(self, name: str, kind: str, m: int, width: int, *, dense: bool = False, call: str = "SoftmaxFlashV2") -> None:
        self.name, self.m, self.width, self.dense, self.call = name, m, width, dense, call
        self.dtype, self.sums = KINDS[kind]
        self.total, self.top = self._numbers(self.sums), self._numbers(self.sums)
        self.factor = self._numbers(self.dtype)

    def _numbers(self, dtype: type[np.generic]) -> Array:
        return np.full(self.m, 5, dtype) if self.dense else blocks(self.m, dtype)

    def one_a_row(self, numbers: Array) -> Float64:
        return numbers.reshape(self.m, -1)[:, :1].astype(np.float64)

    def join(self, x: Array, k: int, form: int, least: bool, update: bool, nz: bool = False) -> Array:
        image = Image()
        z, total, top = image.add(to_nz(np.zeros_like(x)) if nz else np.zeros_like(x)), image.add(self.total), image.add(self.top)
        image.add(to_nz(x) if nz else x)
        factor = image.add(self.factor)
        if form == WITH_TMP_AND_COUNT:
            image.scratch(scratch_of(self.call, self.m, self.width, least))
        image.run("softmax_flash", self.name, form=form, more=(self.m, self.width, self.m, k, update))
        self.total, self.top, self.factor = image.of(total), image.of(top), image.of(factor)
        for numbers in (self.total, self.top, self.factor):
            assert (numbers.reshape(self.m, -1) == numbers.reshape(self.m, -1)[:, :1]).all()
        return from_nz(image.of(z), self.m) if nz else image.of(z)


NAMES = [("v2_float", "float", False, False), ("v2_half", "half", False, False), ("v2_mixed", "mixed", False, False),
         ("v2_half_nz", "half", False, True), ("v2_float_dense", "float", True, False), ("v2_half_dense", "half", True, False)]  # fmt: skip


@pytest.mark.requirement("lib-23", "lib-24", "lib-28")
@pytest.mark.parametrize(("name", "kind", "dense", "nz"), NAMES)
@settings(max_examples=6, deadline=None)
@given(m=st.integers(1, 20), tail=st.integers(1, 64), form=FORMS, least=st.booleans(), seed=st.integers(0, 99))
def test_pieces_are_one_softmax(name: str, kind: str, dense: bool, nz: bool, m: int, tail: int, form: int, least: bool, seed: int) -> None:
    pieces = Pieces(name, kind, m, 64, dense=dense)
    x = rows_of(m, 128 + tail, 192, KINDS[kind][0], seed, 2)
    made: list[Float64] = []
    for i, k in enumerate((64, 64, tail)):
        before = pieces.factor
        z = pieces.join(x[:, 64 * i : 64 * i + 64].copy(), k, form, least, i > 0, nz)
        if i == 0:
            np.testing.assert_array_equal(pieces.factor, before)
        else:
            made = [part * pieces.one_a_row(pieces.factor) for part in made]
        made.append(z[:, :k].astype(np.float64))
    quotient, total, top = reference(x[:, : 128 + tail].astype(np.float64))
    np.testing.assert_array_equal(pieces.one_a_row(pieces.top), top)
    near(pieces.one_a_row(pieces.total).astype(pieces.sums), total, 1e-5 if pieces.sums is np.float32 else 3e-3)
    got = np.concatenate(made, 1) / pieces.one_a_row(pieces.total)
    np.testing.assert_allclose(got, quotient, atol=1e-5 if kind == "float" else 3e-3)


@pytest.mark.requirement("lib-23")
@pytest.mark.parametrize(("name", "kind"), [("v1_float", "float"), ("v1_mixed", "mixed")])
@pytest.mark.parametrize("form", [WITH_TMP_AND_COUNT, WITH_COUNT])
def test_the_older_form_divides_at_once(name: str, kind: str, form: int) -> None:
    m = 11
    pieces = Pieces(name, kind, m, 80, call="SoftmaxFlash")
    x = rows_of(m, 160, 160, KINDS[kind][0])
    first = pieces.join(x[:, :80].copy(), 80, form, False, False).astype(np.float64)
    near(first.astype(KINDS[kind][0]), reference(x[:, :80].astype(np.float64))[0])
    second = pieces.join(x[:, 80:].copy(), 80, form, False, True).astype(np.float64)
    got = np.concatenate([first * pieces.one_a_row(pieces.factor), second], 1)
    np.testing.assert_allclose(got, reference(x.astype(np.float64))[0], atol=1e-5 if kind == "float" else 3e-3)


@pytest.mark.requirement("lib-24")
@pytest.mark.parametrize("form", [WITH_TMP_AND_COUNT, WITH_COUNT])
@pytest.mark.parametrize("update", [0, 1, 2])
def test_the_piece_s_own_maxima(form: int, update: int) -> None:
    """They are written with isUpdate; in the mode with blocks the call does nothing at all."""
    m = 13
    x = rows_of(m, 40, 40, np.float32)
    image = Image()
    z, own, total, top = (image.add(np.full(shape, 3, np.float32)) for shape in ((m, 40), m, m, m))
    image.add(x)
    factor = image.add(np.full(m, 3, np.float32))
    if form == WITH_TMP_AND_COUNT:
        image.scratch(scratch_of("SoftmaxFlashV2", m, 40, False))
    image.run("softmax_flash", "v2_reduce_max", form=form, more=(m, 40, m, 40, update))
    if update == 2:
        for each in (z, own, total, top, factor):
            np.testing.assert_array_equal(image.of(each), image.was(each))
        return
    wide = x.astype(np.float64)
    highest = np.maximum(wide.max(1), 3) if update else wide.max(1)
    np.testing.assert_array_equal(image.of(own), wide.max(1) if update else image.was(own))
    np.testing.assert_array_equal(image.of(top), highest)
    near(image.of(z), np.exp(wide - highest[:, None]))
    near(image.of(factor), np.exp(3 - highest) if update else np.full(m, 3.0))
    near(image.of(total), np.exp(wide - highest[:, None]).sum(1) + (3 * np.exp(3 - highest) if update else 0), 1e-5)


def shifted(x: Float64, s: float) -> tuple[Float64, Float64]:
    """The row without its groups' means, and its mean. Groups are 64 columns of the first 512, then 8 of every 64."""
    m, k = x.shape
    groups = x[:, :512].reshape(m, 8, 64).sum(2) + x[:, 512:].reshape(m, -1, 8, 8).sum((1, 3))
    means = groups / (k / 8)
    mean = means.mean(1, keepdims=True)
    return x - np.repeat((mean - means) * s, k // 8, 1), mean


@pytest.mark.requirement("lib-23")
@pytest.mark.parametrize(("m", "k"), [(8, 512), (8, 1024), (3, 2048), (2, 2624)])  # from 2048 on, rows are too far apart for a stride
@pytest.mark.parametrize(("form", "least"), [(WITH_TMP_AND_COUNT, True), (WITH_TMP_AND_COUNT, False), (WITH_COUNT, False)])
def test_means_of_groups_are_taken_first(m: int, k: int, form: int, least: bool) -> None:
    s = 0.9375 / (1 - 0.9375)
    numbers = [blocks(m, np.float32) for _ in range(3)]
    factor = blocks(m, np.float16)
    random = np.random.default_rng(4)
    state: tuple[Float64, Float64, Float64] | None = None
    for loop in (1, 2, 3):
        x = random.normal(0, 0.1, (m, k)).astype(np.float16)
        image = Image()
        z = image.add(np.zeros_like(x))
        kept = [image.add(each) for each in numbers]
        image.add(x)
        made_factor = image.add(factor)
        if form == WITH_TMP_AND_COUNT:
            image.scratch(scratch_of("SoftmaxFlashV3", m, k, least))
        image.run("softmax_flash", "v3", form=form, more=(m, k, m, k, loop > 1, loop))
        y, own_mean = shifted(x.astype(np.float64), s)
        if state is None:
            mean, top = own_mean, y.max(1, keepdims=True)
            e = np.exp(y - top)
            total = e.sum(1, keepdims=True)
            np.testing.assert_array_equal(image.of(made_factor), factor)
        else:
            in_mean, in_total, in_top = state
            mean = (own_mean + in_mean * (loop - 1)) / loop
            now, before = (own_mean - mean) * s, (in_mean - mean) * s
            top = np.maximum(now + y.max(1, keepdims=True), before + in_top)
            e = np.exp(y - (top - now))
            change = np.exp(in_top - top + before)
            total = change * in_total + e.sum(1, keepdims=True)
            near(image.of(made_factor), change * np.ones((1, 16)), 2e-3)
        near(image.of(z), e, 2e-3)
        for got, expected in zip(kept, (mean, total, top), strict=True):
            np.testing.assert_allclose(image.of(got), expected * np.ones((1, 8)), rtol=1e-4, atol=1e-5)
        numbers, factor = [image.of(each) for each in kept], image.of(made_factor)
        state = mean, total, top
