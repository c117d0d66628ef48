# SPDX-License-Identifier: Apache-2.0
"""Attention and grouped products with Matmul objects of mixed kernels: against NumPy, in every order of the pipes, and what bounds them."""

from __future__ import annotations

import importlib.util
import itertools
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Stream
from aclimb.runtime.fused_runs import ScheduleMode, scheduled

EXAMPLES = Path(__file__).parents[2] / "examples"
MODES = [ScheduleMode.late, ScheduleMode.early, ScheduleMode.random]


def load(folder: str, file: str = "run.py", name: str = "") -> ModuleType:
    spec = importlib.util.spec_from_file_location(name or f"example_{folder}", EXAMPLES / folder / file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def attention() -> ModuleType:
    return load("flash_attention")


@pytest.mark.parametrize("way", ["PLAIN", "TUNED"])
@pytest.mark.parametrize(("heads", "length", "blocks"), [(1, 1, 1), (3, 130, 2), (1, 512, 1), (2, 1100, 3)])
def test_attention_of_any_length_is_near_numpy(attention: ModuleType, way: str, heads: int, length: int, blocks: int) -> None:
    got, expected = attention.run(heads, length, blocks, getattr(attention, way))
    assert got.shape == (heads, length, 128)
    np.testing.assert_allclose(got, expected, rtol=0, atol=attention.NEAR)


def test_attention_rescales_scores_whose_exponentials_would_overflow(attention: ModuleType) -> None:
    """Scores grow along a row, so that each step shrinks what came before it."""
    random = np.random.default_rng(3)
    q, k, v = (random.standard_normal((1, 600, 128)) for _ in range(3))
    k *= np.linspace(1, 30, 600)[:, None]
    q, k, v = (each.astype(np.float16) for each in (4 * q, k, v))
    scores = q[0].astype(np.float64) @ k[0].astype(np.float64).T * 128**-0.5
    assert scores.max(axis=1).min() > 89  # exp of it is no float
    way = attention.Way(rows=64, columns=128, slice=32, buffers=2, ahead=True)
    got = attention.attend(Stream(), *map(Buffer.from_array, (q, k, v)), 2, way).to_numpy()
    np.testing.assert_allclose(got, attention.reference(q, k, v), rtol=2e-3, atol=attention.NEAR)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("ahead", [False, True])
def test_attention_does_not_depend_on_the_order_of_the_pipes(attention: ModuleType, ahead: bool, mode: ScheduleMode) -> None:
    way = attention.Way(rows=32, columns=128, slice=16, buffers=2, ahead=ahead)
    stream = Stream()
    with scheduled(stream, mode, 5):
        got, expected = attention.run(1, 300, 2, way, stream)
    np.testing.assert_allclose(got, expected, rtol=0, atol=attention.NEAR)


def test_no_step_of_tuning_makes_attention_slower(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "run", load("flash_attention"))
    tune = load("flash_attention", "tune.py", "example_flash_attention_tune")
    timings = [tune.measure(way, length=1024) for way in tune.steps().values()]
    assert all(after.task_us < before.task_us for before, after in itertools.pairwise(timings))
    assert timings[0].task_us > 3 * timings[-1].task_us


# --- groups


@pytest.fixture(scope="module")
def groups() -> ModuleType:
    return load("grouped_matmul")


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize(("rows", "n", "k", "blocks"), [((1,), 16, 32, 1), ((0, 64, 0), 128, 64, 3), ((5, 130, 63, 64, 65), 200, 128, 2)])
def test_groups_of_any_size_equal_numpy(groups: ModuleType, rows: tuple[int, ...], n: int, k: int, blocks: int, waits: bool) -> None:
    got, expected = groups.run(rows, n, k, blocks, waits=waits)
    assert got.shape == (sum(rows), n)
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("mode", MODES)
def test_groups_do_not_depend_on_the_order_of_the_pipes(groups: ModuleType, mode: ScheduleMode) -> None:
    stream = Stream()
    with scheduled(stream, mode, 7):
        got, expected = groups.run((70, 3, 40), 160, 96, 1, stream=stream)
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("waits", [False, True])
def test_the_bound_of_a_mixed_kernel_is_that_of_its_cores_that_work(groups: ModuleType, waits: bool) -> None:
    """AIVs that wait for nothing leave long before their AIC does; those that wait have a second MTE2, which does nothing."""
    rows, n, k = np.full(4, 256, np.int32), 1024, 512
    shapes = (((1024, k), np.int8), ((4, k, n), np.int8), ((4, n), np.uint64))
    with aclimb.profile(timing_only=True) as profile:
        inputs = [*(Buffer(shape, dtype) for shape, dtype in shapes), Buffer.from_array(np.cumsum(rows, dtype=np.int32))]
        groups.multiply(Stream(), *inputs, blocks=4, tile=(128, 128), waits=waits)
    (launch,) = profile.launches
    aiv_us, aic_us = (np.mean([core.time for core in launch.cores if core.type == kind]) / 1e6 for kind in ("AIV", "AIC"))
    assert (aiv_us > 0.9 * aic_us) == waits
    assert launch.bound.startswith("AIC MTE2: ")
