# SPDX-License-Identifier: Apache-2.0
"""Sort32 and MrgSort against NumPy's stable sort. A pair is a score and an index in 8 bytes; NaN comes before infinity."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from core import DTYPES, NUMPY, OPS, UB_BYTES, VECTOR_PIPE, Array, Core, Done, Head, MergeSort, RefusedError, Vector, execute, place
from hypothesis import given, settings
from hypothesis import strategies as st

SCORES = ["half", "f32"]


def scores(random: np.random.Generator, dtype: str, count: int) -> Array:
    """Many equal ones, both zeros, infinities, NaN, subnormals."""
    made = random.integers(-20, 20, count).astype(NUMPY[dtype])
    made[random.random(count) < 0.1] = np.nan
    made[random.random(count) < 0.1] = np.inf
    made[random.random(count) < 0.1] = -np.inf
    made[random.random(count) < 0.1] = -0.0
    made[random.random(count) < 0.1] = np.finfo(NUMPY[dtype]).smallest_subnormal
    return made


def order(values: Array) -> Array:
    """Greatest first, equal ones as they were; NaN first of all."""
    keys = np.where(np.isnan(values), -np.inf, -values.astype(np.float64))
    return np.lexsort((np.arange(len(values)), keys, ~np.isnan(values)))


def pairs(values: Array, index: Array) -> Array:
    """As they lie in memory; behind a half there are two bytes of zeros."""
    low = values.view(np.uint16 if values.dtype == np.float16 else np.uint32).astype(np.uint64)
    return low | index.astype(np.uint64) << np.uint64(32)


def sorted_pairs(values: Array, index: Array) -> Array:
    return pairs(values, index)[order(values)]


@pytest.mark.requirement("lib-51")
@pytest.mark.parametrize("dtype", SCORES)
@pytest.mark.parametrize("repeat", [1, 7, 255])
def test_sort32_sorts_32_pairs_a_repeat(core: Core, random: np.random.Generator, level: str, dtype: str, repeat: int) -> None:
    values, index = scores(random, dtype, 32 * repeat), random.integers(0, 2**32, 32 * repeat, np.uint32)
    ub = np.full(UB_BYTES, 0xA5, np.uint8)
    ub[65536 : 65536 + values.nbytes] = values.view(np.uint8)
    ub[131072 : 131072 + index.nbytes] = index.view(np.uint8)
    dst = np.zeros(64 * repeat, np.uint32)
    done = core.details(
        "vbitsort", values, index, dst=dst, dtype=dtype, at=(0, 65536, 131072), sizes=(65536, 65536, 65536), ub=ub, repeat=repeat
    )
    expected = [sorted_pairs(values[at : at + 32], index[at : at + 32]) for at in range(0, 32 * repeat, 32)]
    np.testing.assert_array_equal(done.dst.view(np.uint64), np.concatenate(expected))
    assert (done.ub[256 * repeat : 65536] == 0xA5).all()


def test_sort32_of_no_repeat_does_nothing_and_of_256_is_refused(core: Core) -> None:
    values, index = np.ones(32, np.float32), np.zeros(32, np.uint32)
    assert not core.run("vbitsort", values, index, dst=np.zeros(64, np.float32), repeat=0).any()
    with pytest.raises(RefusedError) as refusal:
        core.run("vbitsort", values, index, dst=np.zeros(64, np.float32), repeat=256)
    fault = refusal.value.fault
    assert (fault.kind.name, fault.field, fault.value, fault.highest) == ("field_range", "repeatTime", 256, 255)


def test_sort32_takes_half_and_float(core: Core) -> None:
    with pytest.raises(RefusedError) as refusal:
        core.run("vbitsort", np.ones(32, np.int32), np.zeros(32, np.uint32), dst=np.zeros(64, np.int32))
    assert refusal.value.fault.sentence == "Sort32 does not take int32_t on this chip; it takes half, float. Cast first."


# --- MrgSort


def merge(dtype: str, lists: Sequence[Array], *, suspends: bool = False, at: Sequence[int] | None = None, **changed: Any) -> Done:
    """Lists of pairs one behind the other from byte 65536 on, the result from 0 on."""
    free, addresses = 65536, []
    for each in lists:
        addresses.append(free)
        free += each.nbytes
    addresses = list(at) if at is not None else addresses
    ub = np.full(UB_BYTES, 0xA5, np.uint8)
    for each, address in zip(lists, addresses, strict=True):
        ub[address : address + each.nbytes] = each.view(np.uint8)
    places = [place(address, UB_BYTES - address) for address in addresses] + [place(0, 0)] * (4 - len(lists))
    vector = Vector(dst=place(0, changed.pop("dst_bytes", 65536)), a=places[0], b=places[1], repeat=1)
    size = ctypes.sizeof(MergeSort)
    vector.head = Head(op=OPS["vmrgsort"], pipe=VECTOR_PIPE, dtype=DTYPES.index(dtype), size=size)
    lengths = [len(each) & 0xFFFF for each in lists] + [0] * (4 - len(lists))
    record = MergeSort(vector=vector, c=places[2], d=places[3], suspends=suspends, length=(ctypes.c_uint16 * 4)(*lengths))
    for name, value in changed.items():
        setattr(record, name, value)
    result = execute(record, ub)
    after = np.frombuffer(result["UB"], np.uint8)
    return Done(after, after[:65536].view(np.uint64), result["CMPMASK"], result["REDUCE"], result["COUNTED"])


def used(done: Done) -> list[int]:
    return [done.counted[1] >> 16 * i & 0xFFFF for i in range(4)]


def sorted_lists(random: np.random.Generator, dtype: str, lengths: Sequence[int]) -> tuple[list[Array], list[Array]]:
    """Pairs, and their scores; the index tells list and place."""
    made, values = [], []
    for number, length in enumerate(lengths):
        some = scores(random, dtype, length)
        some = some[order(some)]
        values.append(some)
        made.append(pairs(some, np.arange(length) + 10000 * number))
    return made, values


LENGTHS = [(5, 9), (0, 3), (3, 0), (33, 1, 40), (1, 1, 1, 1), (1024, 7, 0, 900), (2000, 2000, 2000, 2000), (4095, 0, 4000, 1)]


@pytest.mark.requirement("lib-42")
@pytest.mark.parametrize("dtype", SCORES)
@pytest.mark.parametrize("lengths", LENGTHS)
def test_mrg_sort_is_the_stable_sort_of_its_lists(random: np.random.Generator, level: str, dtype: str, lengths: tuple[int, ...]) -> None:
    lists, values = sorted_lists(random, dtype, lengths)
    done = merge(dtype, lists)
    expected = np.concatenate(lists)[order(np.concatenate(values))]
    np.testing.assert_array_equal(done.dst[: len(expected)], expected)
    assert (done.ub[8 * len(expected) : 65536] == 0xA5).all()
    assert used(done)[: len(lengths)] == list(lengths)


@pytest.mark.requirement("lib-42")
@pytest.mark.parametrize("dtype", SCORES)
@pytest.mark.parametrize("lengths", [each for each in LENGTHS if all(each)])
def test_mrg_sort_stops_behind_the_pair_that_empties_a_list(
    random: np.random.Generator, level: str, dtype: str, lengths: tuple[int, ...]
) -> None:
    lists, values = sorted_lists(random, dtype, lengths)
    done = merge(dtype, lists, suspends=True)
    number = np.concatenate([np.full(length, i) for i, length in enumerate(lengths)])[order(np.concatenate(values))]
    ends = [np.flatnonzero(number == i)[-1] + 1 for i in range(len(lengths))]
    stop = min(ends)
    expected = np.concatenate(lists)[order(np.concatenate(values))][:stop]
    np.testing.assert_array_equal(done.dst[:stop], expected)
    assert used(done) == [int((number[:stop] == i).sum()) for i in range(4)]
    assert (done.ub[8 * stop : 65536] == 0xA5).all()


@pytest.mark.requirement("lib-42")
@pytest.mark.parametrize("dtype", SCORES)
def test_mrg_sort_of_several_repeats_merges_four_lists_in_each(random: np.random.Generator, dtype: str) -> None:
    rows = [sorted_lists(random, dtype, (32,) * 4) for _ in range(5)]
    memory = np.concatenate([np.concatenate(lists) for lists, _ in rows])
    done = merge(
        dtype, [memory], length=(ctypes.c_uint16 * 4)(*[32] * 4),
        c=place(65536 + 512, 65536), d=place(65536 + 768, 65536), vector=repeats(dtype, 5),
    )  # fmt: skip
    expected = [np.concatenate(lists)[order(np.concatenate(values))] for lists, values in rows]
    np.testing.assert_array_equal(done.dst[:640], np.concatenate(expected))


def repeats(dtype: str, repeat: int, second: int = 65536 + 256) -> Vector:
    vector = Vector(dst=place(0, 65536), a=place(65536, 65536), b=place(second, 65536), repeat=repeat)
    vector.head = Head(op=OPS["vmrgsort"], pipe=VECTOR_PIPE, dtype=DTYPES.index(dtype), size=ctypes.sizeof(MergeSort))
    return vector


@pytest.mark.requirement("lib-42")
@pytest.mark.parametrize("changed", ["length", "place", "suspends"])
def test_several_repeats_want_four_equal_lists_one_behind_the_other(changed: str) -> None:
    lengths = [32, 32, 32, 31 if changed == "length" else 32]
    second = 65536 + (264 if changed == "place" else 256)
    with pytest.raises(RefusedError) as refusal:
        merge(
            "f32", [np.zeros(640, np.uint64)], suspends=changed == "suspends", length=(ctypes.c_uint16 * 4)(*lengths),
            c=place(65536 + 512, 65536), d=place(65536 + 768, 65536), vector=repeats("f32", 5, second),
        )  # fmt: skip
    assert refusal.value.fault.sentence == (
        "MrgSort with repeatTimes above 1 takes four lists of equal length, one behind the other, validBit 15 and no "
        "ifExhaustedSuspension; merge them one repeat at a time."
    )


def test_a_list_has_at_most_4095_pairs_and_the_result_its_room() -> None:
    with pytest.raises(RefusedError) as refusal:
        merge("f32", [np.zeros(4096, np.uint64), np.zeros(1, np.uint64)])
    fault = refusal.value.fault
    assert (fault.kind.name, fault.field, fault.value, fault.highest) == ("field_range", "elementLengths", 4096, 4095)
    with pytest.raises(RefusedError) as refusal:
        merge("f32", [np.zeros(4, np.uint64), np.zeros(4, np.uint64)], dst_bytes=63)
    assert (refusal.value.fault.kind.name, refusal.value.fault.operand, refusal.value.fault.span) == ("out_of_bounds", 0, 64)


def test_a_list_starts_on_8_bytes_and_the_result_on_32() -> None:
    with pytest.raises(RefusedError) as refusal:
        merge("f32", [np.zeros(4, np.uint64), np.zeros(4, np.uint64)], at=[65536, 70004])
    assert (refusal.value.fault.kind.name, refusal.value.fault.operand, refusal.value.fault.alignment) == ("misaligned", 2, 8)


@settings(deadline=None, max_examples=80)
@given(dtype=st.sampled_from(SCORES), lengths=st.lists(st.integers(0, 60), min_size=2, max_size=4), seed=st.integers(0, 2**32 - 1))
def test_any_lists_merge_as_numpy_sorts_them(dtype: str, lengths: list[int], seed: int) -> None:
    lists, values = sorted_lists(np.random.default_rng(seed), dtype, lengths)
    done = merge(dtype, lists)
    expected = np.concatenate(lists)[order(np.concatenate(values))]
    np.testing.assert_array_equal(done.dst[: len(expected)], expected)
