# SPDX-License-Identifier: Apache-2.0
"""Mixed kernels with several Matmul objects, and what else an object of an AIV can be told. Against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from matmul_runs import HERE, integers, tiling

from aclimb import Buffer, Kernel, LaunchConfig, Stream, errors, launch
from aclimb.runtime.fused_runs import ScheduleMode, scheduled

SIDE = 64
CUT = tiling(SIDE, SIDE, SIDE, (32, 32, 32))
Load = Callable[..., Kernel]


def run(which: Kernel, arrays: list[Any], outputs: int, blocks: int = 1, stream: Stream | None = None) -> list[Any]:
    """What the kernel left in the last `outputs` arrays but the tiling."""
    buffers, stream = [Buffer.from_array(each) for each in arrays], stream or Stream()
    system = Buffer(16 << 20)
    launch(stream, LaunchConfig(num_blocks=blocks, workspace=system.address), which, *buffers)
    stream.synchronize()
    return [each.to_numpy() for each in buffers[2 : 2 + outputs]]


@pytest.fixture
def matrices() -> tuple[Any, Any]:
    return integers(1, 2, SIDE, SIDE, high=2), integers(2, SIDE, SIDE, high=1)


@pytest.mark.requirement("mm-18")
def test_two_objects_take_turns_and_answers_find_their_callers(load: Load, matrices: tuple[Any, Any]) -> None:
    a, b = matrices
    c, d = run(load(HERE / "mixed_objects.cpp", "two_objects"), [a, b, np.zeros_like(a), np.zeros(a.shape, np.float32), CUT], 2)
    product = a.astype(np.float32) @ b.astype(np.float32)
    np.testing.assert_array_equal(c, product.astype(np.float16))
    np.testing.assert_array_equal(d, product @ b.astype(np.float32))


def test_shared_matrices_are_multiplied_once(load: Load, matrices: tuple[Any, Any]) -> None:
    a, b = matrices
    zeros = np.zeros((SIDE, SIDE), np.float32)
    c, seen = run(load(HERE / "mixed_objects.cpp", "shared"), [a[0], b, zeros, np.zeros((2, SIDE, SIDE), np.float32), CUT], 2)
    product = a[0].astype(np.float32) @ b.astype(np.float32)
    np.testing.assert_array_equal(c, product)
    np.testing.assert_array_equal(seen, [product, product])


def test_a_static_tiling_needs_none_at_run_time(load: Load, matrices: tuple[Any, Any]) -> None:
    a, b = matrices
    (c,) = run(load(HERE / "mixed_objects.cpp", "static_tiling"), [a, b, np.zeros(a.shape, np.float32)], 1)
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))


@pytest.mark.requirement("mm-21")
def test_a_callback_runs_on_the_aic(load: Load, matrices: tuple[Any, Any]) -> None:
    a, b = matrices
    (c,) = run(load(HERE / "mixed_objects.cpp", "callback"), [a, b, np.zeros(a.shape, np.float32), CUT], 1)
    turned = a.reshape(2, 2, 32, SIDE)[:, ::-1].reshape(a.shape)
    np.testing.assert_array_equal(c, turned.astype(np.float32) @ b.astype(np.float32))


@pytest.mark.requirement("mm-13")
def test_results_are_quantised_by_column_or_all_alike(load: Load) -> None:
    a, b = integers(1, 2, SIDE, SIDE, dtype=np.int8), integers(2, SIDE, SIDE, dtype=np.int8)
    scales = np.float32(2.0) ** np.random.default_rng(3).integers(-3, 3, SIDE).astype(np.float32)
    arrays = [a, b, np.zeros(a.shape, np.float16), scales.view(np.uint32).astype(np.uint64), CUT]
    (c,) = run(load(HERE / "mixed_objects.cpp", "quantised"), arrays, 1)
    product = a.astype(np.int32) @ b.astype(np.int32)
    np.testing.assert_array_equal(c, [(product[0] * scales).astype(np.float16), (product[1] * 0.5).astype(np.float16)])


def test_with_two_masters_the_aic_makes_its_calls_itself(load: Load, matrices: tuple[Any, Any]) -> None:
    a, b = matrices
    zeros = np.zeros(a.shape, np.float32)
    c, d = run(load(HERE / "mixed_objects.cpp", "dual_master"), [a, b, zeros, zeros, CUT], 2, blocks=2)
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))
    assert (d == 7).all()


def test_an_object_whose_registration_has_ended_says_so(load: Load, matrices: tuple[Any, Any]) -> None:
    a, b = matrices
    with pytest.raises(errors.Unsupported, match="before REGIST_MATMUL_OBJ named it, or after the function of that macro has ended"):
        run(load(HERE / "mixed_objects.cpp", "too_late"), [a, b, np.zeros(a.shape, np.float32), CUT], 1)


@pytest.mark.parametrize(("name", "is_right"), [("make_a", True), ("make_a_too_late", False)])
def test_a_message_does_not_wait_for_what_its_aiv_still_writes(name: str, is_right: bool, load: Load, matrices: tuple[Any, Any]) -> None:
    a, b = matrices
    stream = Stream()
    with scheduled(stream, ScheduleMode.late, 0):
        (c,) = run(load(HERE / "mixed_objects.cpp", name), [a, b, np.zeros(a.shape, np.float32), CUT], 1, stream=stream)
    made = np.full(a.shape, 3, np.float32) @ b.astype(np.float32)
    assert np.array_equal(c, made) == is_right


@pytest.mark.requirement("mm-14")
def test_only_aivs_come_behind_the_registration(load: Load, matrices: tuple[Any, Any]) -> None:
    (seen,) = run(load(HERE / "mixed_objects.cpp", "behind"), [*matrices, np.zeros((3, 16), np.int32), CUT], 1)
    assert seen[:, 0].tolist() == [1, 1, 0]


@pytest.mark.requirement("mm-15")
def test_a_call_waits_for_its_own_answer(load: Load, matrices: tuple[Any, Any]) -> None:
    a, b = matrices
    stream = Stream()
    arrays = [a, b, np.zeros(a.shape, np.float32), np.zeros((SIDE, SIDE), np.float32), CUT]
    with scheduled(stream, ScheduleMode.late, 0):
        c, seen = run(load(HERE / "mixed_objects.cpp", "own_answer"), arrays, 2, stream=stream)
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))
    np.testing.assert_array_equal(seen, c[1])


def test_a_kernel_without_aics_says_what_to_declare(load: Load, matrices: tuple[Any, Any]) -> None:
    says = r"a Matmul object whose calls an AIV makes needs a kernel with AICs and AIVs: declare it __mix__\(1, 2\)"
    with pytest.raises(errors.Unsupported, match=says) as caught:
        run(load(HERE / "mixed_objects.cpp", "alone"), [*matrices, np.zeros((2, SIDE, SIDE), np.float32), CUT], 1)
    assert "mm.IterateAll(Matrix<float>(c));" in str(caught.value)


def test_ub_needs_the_system_workspace(load: Load) -> None:
    which = load(HERE / "mixed_ub.cpp", "to_ub")
    buffers, stream = [Buffer.from_array(each) for each in (integers(1, SIDE, SIDE), integers(2, SIDE, SIDE), CUT)], Stream()
    launch(stream, LaunchConfig(num_blocks=1), which, *buffers)
    with pytest.raises(errors.Unsupported, match="a Matmul object that reads or writes UB needs the system workspace"):
        stream.synchronize()
