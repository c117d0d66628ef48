# SPDX-License-Identifier: Apache-2.0
"""TPipe, TQue, TQueBind, TBuf, TBufPool: the order they give, their event ids, and the mistakes they see."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from aclimb import Buffer
from aclimb.errors import AclimbError, KernelFault

Run = Callable[..., None]
SOURCE = (Path(__file__).with_name("kernels") / "queues.cpp").read_text().splitlines()


@pytest.fixture
def x() -> np.ndarray:
    return np.random.default_rng(4).standard_normal(1024).astype(np.float32)


@pytest.mark.parametrize("name", ["one_buffer", "two_buffers", "in_place", "pools", "between_two", "between_in_place",
                                  "named_positions"])  # fmt: skip
def test_queue_orders_the_pipes(run: Run, x: np.ndarray, name: str) -> None:
    z = Buffer(1024, np.float32)
    run("queues", name, Buffer.from_array(x), z)
    np.testing.assert_array_equal(z.to_numpy(), x + np.float32(1))


def test_the_rest_of_ub_is_there_until_it_is_taken(run: Run, x: np.ndarray) -> None:
    z, found = Buffer(1024, np.float32), Buffer(3, np.int32)
    run("queues", "rest_of_ub", Buffer.from_array(x), z, found)
    np.testing.assert_array_equal(z.to_numpy(), x + np.float32(1))
    assert found.to_numpy().tolist() == [1, (192 * 1024 - 256 - 4096) // 4, 0]  # 256 bytes of UB are the system's


def test_a_pool_of_ones_own_says_where_each_buffer_lies(run: Run, x: np.ndarray) -> None:
    z, places = Buffer(1024, np.float32), Buffer(8, np.int32)
    run("queues", "own_pool", Buffer.from_array(x), z, places)
    np.testing.assert_array_equal(z.to_numpy(), x + np.float32(1))
    # five buffers, three of them from the start on, and every second one of a queue from the end: 512 bytes each; the same after Reset
    assert places.to_numpy().tolist() == [5, 3 * 512, 2 * 512, 5 * 512] * 2


@pytest.mark.parametrize(
    ("which", "comment", "sentence"),
    [
        (0, "outside", r"curPoolAddr of InitBufHandle is 3040; it takes 0 to 3008"),
        (1, "eight handles", r"offset of GetBufHandle is 8; it takes 0 to 7"),
        (2, "second first", r"index of InitBufHandle is 1; it takes 0 to 0"),
        (3, "another between", r"the buffers of one queue are initialised one after the other; another buffer came between"),
    ],
)
def test_a_mistake_with_a_pool_of_ones_own_is_reported_at_its_line(run: Run, which: int, comment: str, sentence: str) -> None:
    with pytest.raises(AclimbError, match=sentence) as caught:
        run("queues", "pool_mistake", which)
    assert f"// {comment}" in str(caught.value)


def test_queue_is_first_in_first_out_and_tags_travel(run: Run, x: np.ndarray) -> None:
    z = Buffer(1024, np.float32)
    run("queues", "deep_queue", Buffer.from_array(x), z)
    np.testing.assert_array_equal(z.to_numpy().reshape(8, 128), x.reshape(8, 128)[::-1])


def test_instruction_that_waits_behind_its_freetensor_is_no_mistake(run: Run, x: np.ndarray) -> None:
    z = Buffer.from_array(np.zeros(1024, np.float32))
    run("queues", "freed_before_it_runs", Buffer.from_array(x), z)
    np.testing.assert_array_equal(z.to_numpy(), np.repeat(np.float32([5, 0]), [128, 896]))


def test_event_ids_are_the_lowest_free_and_shared_with_queues(run: Run) -> None:
    z = Buffer(8, np.int32)
    run("queues", "event_ids", z)
    assert z.to_numpy()[:7].tolist() == [0, 0, 0, 1, 0, 2, 0]


@pytest.mark.parametrize(
    ("which", "comment", "sentence"),
    [
        (0, "no free buffer", r"AllocTensor.* 2 buffers"),
        (1, "over the depth", r"EnQue.*depth.* 1"),
        (2, "empty", r"DeQue.* empty"),
        (3, "not initialised", "InitBuffer"),
        (4, "twice", "FreeTensor"),
        (5, "another queue's", "FreeTensor"),
        (6, "used after", "after its FreeTensor"),
        (7, "two of them", "second TPipe"),
        (8, "the ninth id", r"8 event ids of V_S"),
        (9, "no such id", "eventID of SetFlag is 8; it takes 0 to 7"),
        (10, "not initialised", "InitBuffer"),
        (11, "misaligned", "bufOffset of GetWithOffset is 16; it takes a multiple of 32"),
        (12, "no pipe", "TPipe"),
        (13, "past the declared length", r"given 32 from there on"),
    ],
)
def test_mistake_is_reported_at_its_line(run: Run, x: np.ndarray, which: int, comment: str, sentence: str) -> None:
    with pytest.raises(AclimbError) as caught:
        run("queues", "mistake", Buffer.from_array(np.tile(x, 2)), Buffer(1024, np.float32), which)
    assert re.search(sentence, str(caught.value))
    assert isinstance(caught.value, KernelFault)
    assert SOURCE[caught.value.line - 1].endswith(f"// {comment}")
