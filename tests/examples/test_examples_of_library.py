# SPDX-License-Identifier: Apache-2.0
"""Examples with calls of the library: against NumPy at uneven sizes, in every order of the pipes, and what their choices do to the time."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Stream
from aclimb.runtime.fused_runs import ScheduleMode, scheduled
from aclimb.trace.launch import LaunchTiming

EXAMPLES = Path(__file__).parents[2] / "examples"
MODES = [ScheduleMode.late, ScheduleMode.early, ScheduleMode.random]


def load(folder: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{folder}", EXAMPLES / folder / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


layer_norm, rms_norm_quant, topk_sampling, online_softmax = map(load, ("layer_norm", "rms_norm_quant", "topk_sampling", "online_softmax"))


def timing(launch: Callable[[Stream], Any]) -> LaunchTiming:
    with aclimb.profile(timing_only=True, trace=False) as profile:
        stream = Stream()
        launch(stream)
        stream.synchronize()
    return profile.launches[-1]


# --- LayerNorm


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize(("rows", "columns"), [(1, 1024), (49, 1024), (500, 1024), (23, 16), (9, 4096)])
def test_layer_norm_of_any_number_of_rows_is_near_numpy(dtype: str, rows: int, columns: int) -> None:
    got, expected = layer_norm.run(dtype, rows, columns)
    assert got.shape == (rows, columns + 2)
    np.testing.assert_allclose(got, expected, rtol=layer_norm.NEAR[dtype], atol=layer_norm.NEAR[dtype])


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_tiles_buffers_and_scratch_of_layer_norm_change_no_bit(dtype: str) -> None:
    first, _ = layer_norm.run(dtype, 300)
    for choices in ({"tile": 1}, {"tile": 5}, {"buffers": 1}, {"least": True}):
        np.testing.assert_array_equal(layer_norm.run(dtype, 300, **choices)[0], first)


@pytest.mark.parametrize("mode", MODES)
def test_layer_norm_does_not_depend_on_the_order_of_the_pipes(mode: ScheduleMode) -> None:
    stream = Stream()
    with scheduled(stream, mode, 3):
        got, expected = layer_norm.run("float16", 1400, stream=stream)
    np.testing.assert_allclose(got, expected, rtol=layer_norm.NEAR["float16"], atol=layer_norm.NEAR["float16"])


def test_more_scratch_makes_layer_norm_faster_and_so_do_two_buffers() -> None:
    def us(**choices: int) -> LaunchTiming:
        x, gamma, beta = (Buffer(shape, np.float32) for shape in ((4096, 1024), 1024, 1024))
        return timing(lambda stream: layer_norm.normalise(stream, x, gamma, beta, layer_norm.plan(4096, 1024, "float32", **choices)))

    most = us()
    assert most.bound == "V: vector arithmetic"
    assert us(least=True).task_us > 1.5 * most.task_us
    assert us(buffers=1).task_us > 1.1 * most.task_us


# --- RmsNorm and quantisation


@pytest.mark.parametrize(("rows", "columns"), [(1, 2048), (101, 2048), (77, 32), (10, 4096)])
def test_quantised_rows_are_numpys_but_for_ties(rows: int, columns: int) -> None:
    got, expected = rms_norm_quant.run(rows, columns)
    assert got.shape == (rows, columns)
    assert np.abs(got.astype(int) - expected).max() <= 1
    assert np.count_nonzero(got != expected) <= 1e-4 * got.size
    assert np.ptp(expected.astype(int)) > 100


def test_scratch_and_buffers_change_no_quantised_row() -> None:
    first, _ = rms_norm_quant.run(200)
    for choices in ({"in_scratch": 1}, {"in_scratch": 3}, {"buffers": 1}):
        np.testing.assert_array_equal(rms_norm_quant.run(200, **choices)[0], first)


@pytest.mark.parametrize("mode", MODES)
def test_quantised_rows_do_not_depend_on_the_order_of_the_pipes(mode: ScheduleMode) -> None:
    first, _ = rms_norm_quant.run(700)
    stream = Stream()
    with scheduled(stream, mode, 4):
        np.testing.assert_array_equal(rms_norm_quant.run(700, stream=stream)[0], first)


# --- sampling


@pytest.mark.parametrize(
    ("sequences", "vocabulary", "k", "together"),
    [(1, 32000, 40, 1), (7, 32000, 40, 8), (3, 50257, 7, 1), (2, 4096, 64, 1), (60, 1000, 1, 1), (5, 100, 100, 1), (3, 4097, 33, 2)],
)
def test_chosen_tokens_are_numpys(sequences: int, vocabulary: int, k: int, together: int) -> None:
    got, expected = topk_sampling.run(sequences, vocabulary, k, together)
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("longest", [64, 512, 2048])
def test_of_equal_logits_the_first_ones_count(longest: int) -> None:
    """Every piece has many of them, and which k are taken decides on the token."""
    random = np.random.default_rng(2)
    logits = random.integers(0, 4, (20, 3000)).astype(np.float32)
    uniform = ((random.integers(0, 50, 20) + 0.5) / 50).astype(np.float32)
    plan = topk_sampling.plan(20, 3000, 50, longest=longest)
    chosen = topk_sampling.sample(Stream(), *map(Buffer.from_array, (logits, uniform)), plan).to_numpy()
    np.testing.assert_array_equal(chosen, topk_sampling.reference(logits, uniform, 50))
    assert len(set(chosen.tolist())) > 15


@pytest.mark.parametrize("mode", MODES)
def test_chosen_tokens_do_not_depend_on_the_order_of_the_pipes(mode: ScheduleMode) -> None:
    stream = Stream()
    with scheduled(stream, mode, 6):
        got, expected = topk_sampling.run(13, 9000, 20, stream=stream)
    np.testing.assert_array_equal(got, expected)


def test_a_few_sequences_are_faster_where_all_cores_have_pieces_of_them() -> None:
    def us(together: int) -> float:
        logits, uniform = (Buffer.from_array(np.zeros(shape, np.float32)) for shape in ((6, 32000), 6))
        return timing(lambda stream: topk_sampling.sample(stream, logits, uniform, topk_sampling.plan(6, 32000, 40, together))).task_us

    assert us(8) > 3 * us(1)


# --- long rows


@pytest.mark.parametrize(
    ("rows", "columns", "piece"),
    [(1, 50_001, (1, 7168)), (50, 8000, (1, 1024)), (9, 1793, (4, 1792)), (100, 5000, (2, 96)), (3, 5, (4, 8)), (17, 3000, (16, 448))],
)
def test_long_rows_are_close_to_numpy(rows: int, columns: int, piece: tuple[int, int]) -> None:
    got, expected = online_softmax.run(rows, columns, piece)
    np.testing.assert_allclose(got, expected, rtol=online_softmax.RTOL)
    np.testing.assert_allclose(got.sum(axis=1), 1, rtol=online_softmax.RTOL)


@pytest.mark.parametrize("mode", MODES)
def test_long_rows_do_not_depend_on_the_order_of_the_pipes(mode: ScheduleMode) -> None:
    stream = Stream()
    with scheduled(stream, mode, 8):
        got, expected = online_softmax.run(60, 3001, (1, 512), stream)
    np.testing.assert_allclose(got, expected, rtol=online_softmax.RTOL)


def test_short_pieces_of_several_rows_are_folded_faster_than_a_long_one() -> None:
    def us(piece: tuple[int, int]) -> float:
        x = Buffer((192, 50_001), np.float32)
        return timing(lambda stream: online_softmax.softmax(stream, x, online_softmax.plan(192, 50_001, piece))).pipe_us("V")

    assert us((1, 7168)) > 1.1 * us((4, 1792))
