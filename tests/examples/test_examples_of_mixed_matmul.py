# SPDX-License-Identifier: Apache-2.0
"""Attention with Matmul objects of mixed kernels: against NumPy in double precision, in every order of the pipes."""

from __future__ import annotations

import importlib.util
import itertools
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

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
    times = [tune.measure(way, length=1024).task_us for way in tune.steps().values()]
    assert all(after < before for before, after in itertools.pairwise(times))
    assert times[0] > 3 * times[-1]
