# SPDX-License-Identifier: Apache-2.0
"""Launch attributes: which there are on this product, their values, and the time limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from host import argument_list, launch, message, ok, read
from steps import BLOCK_OFFSET, ENGINE, attributes, packed

import acl
from aclimb import capi

Malloc = Callable[[int], int]
Find = Callable[[str], int]
SOON = 20_000  # microseconds
LEGAL = [
    attributes(schedule_mode=0),
    attributes(schedule_mode=1),
    attributes(dynamic_ub=0),
    attributes(prefetch=0),
    attributes(prefetch=1),
    attributes(dump=0),
    attributes(dump=1),
    attributes(timeout=0),
    attributes(timeout=60),
    attributes(timeout_us=0),
    attributes(timeout_us=2**32 - 1),
    attributes(profiling=0),
    attributes(profiling=1),
    attributes(schedule_mode=1, dynamic_ub=0, prefetch=1, dump=0, timeout=60, profiling=0),
]


def name_of(config: list[dict[str, Any]]) -> str:
    return " ".join(f"{each.get('id')}={each.get('value')}" for each in config)


@pytest.fixture
def fill_index(malloc: Malloc, stream: int, function: Find) -> Callable[[Any], tuple[int, bool]]:
    """fill_index(config) is the code of a launch, and whether the kernel did its work."""
    out, kernel = malloc(16), function("fill_index")

    def run(config: Any) -> tuple[int, bool]:
        ok(acl.rt.memset(out, 16, 255, 16))
        ret = acl.rt.launch_kernel_with_config(kernel, 4, stream, config, argument_list(kernel, out), 0)
        ok(acl.rt.synchronize_stream(stream))
        return ret, read(out, 4).tolist() == [0, 1, 2, 3]

    return run


@pytest.mark.requirement("host-123")
@pytest.mark.parametrize("config", LEGAL, ids=name_of)
def test_a_legal_attribute_is_taken(fill_index: Callable[[Any], tuple[int, bool]], config: list[dict[str, int]]) -> None:
    assert fill_index(config) == (0, True)


@pytest.mark.requirement("host-123")
@pytest.mark.parametrize("number", [0, 10, 99, 2**31 - 1])
def test_an_unknown_attribute_is_refused(fill_index: Callable[[Any], tuple[int, bool]], number: int) -> None:
    assert fill_index([{"id": number, "value": 0}]) == (107000, False)
    assert str(number) in message()
    assert fill_index([*attributes(schedule_mode=0), {"id": number, "value": 0}]) == (107000, False)


@pytest.mark.requirement("host-123")
@pytest.mark.parametrize("config", [attributes(prefetch=2), attributes(dump=2), attributes(profiling=2)], ids=name_of)
def test_a_switch_is_on_or_off(fill_index: Callable[[Any], tuple[int, bool]], config: list[dict[str, int]]) -> None:
    assert fill_index(config) == (107000, False)
    assert "2" in message()


@pytest.mark.requirement("host-123")
@pytest.mark.parametrize("element", [None, 1, (1, 0), "schedule"])
def test_an_attribute_is_a_dictionary(fill_index: Callable[[Any], tuple[int, bool]], element: Any) -> None:
    with pytest.raises(TypeError):
        fill_index([element])


@pytest.mark.requirement("host-123")
@pytest.mark.parametrize(
    ("attribute", "code"), [({}, 107000), ({"id": "1"}, 107000), ({"id": 1}, 0), ({"id": 1, "value": "2"}, 0), ({"id": 1, "more": 2}, 0)]
)
def test_what_an_attribute_does_not_say_counts_as_0(
    fill_index: Callable[[Any], tuple[int, bool]], attribute: dict[str, Any], code: int
) -> None:
    assert fill_index([attribute]) == (code, code == 0)


@pytest.mark.requirement("host-123")
def test_every_launch_with_a_configuration_looks_at_it(malloc: Malloc, stream: int, function: Find) -> None:
    kernel, out = function("fill_index"), malloc(16)
    block = packed(out)
    device_block = malloc(8)
    ok(acl.rt.memcpy(device_block, 8, block.ctypes.data, 8, 1))
    for config, expected in ((attributes(schedule_mode=1), 0), (attributes(schedule_mode=2), 107000), ([{"id": 10}], 107000)):
        assert acl.rt.launch_kernel_with_host_args(kernel, 4, stream, config, block.ctypes.data, 8, [], 0) == expected
        assert capi.aclrtLaunchKernelV2(kernel, 4, device_block, 8, config, stream) == expected
        assert acl.rt.launch_kernel_v2(kernel, 4, device_block, 8, config, stream) == expected


@pytest.mark.requirement("host-124")
@pytest.mark.parametrize("mode", [2, 255])
def test_there_are_two_schedule_modes(fill_index: Callable[[Any], tuple[int, bool]], mode: int) -> None:
    assert fill_index(attributes(schedule_mode=mode)) == (107000, False)
    assert str(mode) in message()


@pytest.mark.requirement("host-124")
@pytest.mark.parametrize("mode", [0, 1])
def test_more_blocks_than_cores_run_in_both_schedule_modes(malloc: Malloc, stream: int, function: Find, mode: int) -> None:
    out = malloc(4 * 500)
    ok(launch(function("count_runs"), 500, stream, out, config=attributes(schedule_mode=mode)))
    ok(acl.rt.synchronize_stream(stream))
    assert (read(out, 500) == 1).all()


@pytest.mark.requirement("host-125")
@pytest.mark.parametrize("values", [{"timeout": 1, "timeout_us": 1}, {"timeout_us": 5, "timeout": 0}, {"timeout": 0, "timeout_us": 0}])
def test_there_is_one_time_limit(fill_index: Callable[[Any], tuple[int, bool]], values: dict[str, int]) -> None:
    assert fill_index(attributes(**values)) == (107000, False)
    assert "TIMEOUT and TIMEOUT_US are both given for fill_index; one launch has one time limit" in message()


@pytest.mark.requirement("host-125")
@pytest.mark.parametrize(("name", "code"), [("endless", 507034), ("endless_cube", 507014), ("endless_mix", 507014)])
def test_a_time_limit_ends_an_endless_kernel(malloc: Malloc, stream: int, function: Find, name: str, code: int) -> None:
    out = malloc(64)
    assert launch(function(name), 2, stream, out, np.int32(1), config=attributes(timeout_us=SOON)) == 0
    ok(launch(function("fill_index"), 4, stream, out))
    assert acl.rt.synchronize_stream(stream) == code
    assert name in message()
    assert acl.rt.synchronize_stream(stream) == 0
    assert read(out, 4).tolist() == [0, 1, 2, 3]


@pytest.mark.requirement("host-125")
def test_a_time_limit_can_be_given_in_seconds(malloc: Malloc, stream: int, function: Find) -> None:
    assert launch(function("endless"), 1, stream, malloc(64), np.int32(0), config=attributes(timeout=1)) == 0
    assert acl.rt.synchronize_stream(stream) == 507034


@pytest.mark.requirement("host-125")
def test_a_time_limit_is_for_its_own_launch(malloc: Malloc, stream: int, function: Find) -> None:
    out, slow = malloc(64), function("slow")
    ok(launch(function("endless"), 1, stream, out, np.int32(0), config=attributes(timeout_us=SOON)))
    assert acl.rt.synchronize_stream(stream) == 507034
    ok(launch(slow, 1, stream, out, np.uint64(50_000_000), np.int32(5)))  # some 100 ms
    assert acl.rt.synchronize_stream(stream) == 0
    assert read(out, 1)[0] == 5


@pytest.mark.requirement("host-126")
def test_plain_kernels_have_no_dynamic_ub(fill_index: Callable[[Any], tuple[int, bool]]) -> None:
    ret, ran = fill_index(attributes(dynamic_ub=1024))
    assert ret in (107000, 207000)
    assert not ran
    assert "2" in message()


@pytest.mark.requirement("host-126")
@pytest.mark.parametrize("number", [ENGINE, BLOCK_OFFSET])
@pytest.mark.parametrize("value", [0, 1])
def test_engine_and_block_offset_belong_to_another_product(fill_index: Callable[[Any], tuple[int, bool]], number: int, value: int) -> None:
    ret, ran = fill_index([{"id": number, "value": value}])
    assert ret in (107000, 207000)
    assert not ran
    assert "is not for fill_index on Ascend910_9392; leave it out" in message()


@pytest.mark.requirement("host-127")
def test_of_two_values_of_an_attribute_the_last_counts(malloc: Malloc, stream: int, function: Find) -> None:
    out, short, long = malloc(64), attributes(timeout_us=SOON), attributes(timeout_us=0)
    ok(launch(function("endless"), 1, stream, out, np.int32(0), config=[*long, *short]))
    assert acl.rt.synchronize_stream(stream) == 507034
    ok(launch(function("slow"), 1, stream, out, np.uint64(50_000_000), np.int32(6), config=[*short, *long]))
    assert acl.rt.synchronize_stream(stream) == 0
    assert read(out, 1)[0] == 6


@pytest.mark.requirement("host-125")
def test_the_limit_of_the_process_is_in_whole_intervals(malloc: Malloc, stream: int, function: Find) -> None:
    before = ok(acl.rt.get_op_execute_timeout())  # milliseconds
    assert before > 0
    interval = ok(acl.rt.get_op_timeout_interval())
    assert interval > 0
    try:
        actual = ok(acl.rt.set_op_execute_timeout_v2(60_000_000))
        assert actual >= min(60_000_000, 254 * interval)
        assert actual % interval == 0
        ok(launch(function("endless"), 1, stream, malloc(64), np.int32(0), config=attributes(timeout_us=SOON)))
        assert acl.rt.synchronize_stream(stream) == 507034  # what the launch says comes first
        assert acl.rt.set_op_execute_time_out(60) == 0
    finally:
        ok(acl.rt.set_op_execute_timeout_v2(before * 1000))
