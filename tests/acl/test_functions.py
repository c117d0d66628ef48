# SPDX-License-Identifier: Apache-2.0
"""Kernels in a loaded binary: how they are found, what is known about them, and how long a handle lives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from host import launch, message, ok, read, write
from steps import append, launch_list, loaded, packed

import acl
from aclimb import capi

Kernels = dict[str, Path]
Malloc = Callable[[int], int]
Make = Callable[[], int]
Find = Callable[[str], int]
MIXED_HALVES = ("_mix_aic", "_mix_aiv")


@pytest.fixture
def binary(device: int, kernels: Kernels) -> Iterator[int]:
    with loaded(kernels["fill_index"]) as made:
        yield made


def stored_word(function: int, out: int, *more: object) -> int:
    """What the kernel leaves at `out`."""
    write(out, np.full(1, -1, np.int32))
    ok(launch(function, 1, 0, out, *more))
    ok(acl.rt.synchronize_stream(0))
    return int(read(out, 1)[0])


@pytest.mark.requirement("host-81")
def test_a_name_has_one_handle(binary: int) -> None:
    first = ok(acl.rt.binary_get_function(binary, "fill_index"))
    assert ok(acl.rt.binary_get_function(binary, "fill_index")) == first
    assert ok(acl.rt.binary_get_function(binary, "count_runs")) not in (0, first)


@pytest.mark.requirement("host-81")
@pytest.mark.parametrize("name", ["fill_inde", "fill_index_", "FILL_INDEX", "fill_index ", ""])
def test_a_name_is_matched_exactly(binary: int, name: str) -> None:
    assert acl.rt.binary_get_function(binary, name) == (0, 107000)
    assert "fill_index" in message()  # what there is


@pytest.mark.requirement("host-81")
@pytest.mark.parametrize("length", [4095, 4096, 100_000])
def test_a_name_of_any_length_is_only_unknown(binary: int, length: int) -> None:
    assert acl.rt.binary_get_function(binary, "x" * length) == (0, 107000)
    assert "vector.o has no kernel '" in message()


@pytest.mark.requirement("host-81")
def test_only_a_loaded_binary_is_looked_into(binary: int, stream: int) -> None:
    assert acl.rt.binary_get_function(0, "fill_index") == (0, 100000)
    assert acl.rt.binary_get_function(stream, "fill_index") == (0, 107017)
    ok(acl.rt.binary_unload(binary))
    assert acl.rt.binary_get_function(binary, "fill_index") == (0, 107017)
    assert "is a stream; a binary is needed here" in message()


@pytest.mark.requirement("host-81")
def test_a_name_is_a_text(binary: int) -> None:
    for name in (None, b"fill_index", 7, "fill\0index"):
        with pytest.raises(TypeError, match=r"^acl\.rt\.binary_get_function args parse failed$"):
            acl.rt.binary_get_function(binary, name)


@pytest.mark.requirement("host-82")
def test_the_halves_of_a_mixed_kernel_are_one_kernel(device: int, kernels: Kernels) -> None:
    with loaded(kernels["mix_index"]) as mixed:
        function = ok(acl.rt.binary_get_function(mixed, "mix_index"))
        assert all(ok(acl.rt.get_function_addr(function)))
        for half in MIXED_HALVES:
            assert acl.rt.binary_get_function(mixed, "mix_index" + half) == (0, 107000)


@pytest.mark.requirement("host-83")
@pytest.mark.parametrize("key", [1, 20, 300])
def test_a_tiling_key_leads_to_its_kernel(malloc: Malloc, kernels: Kernels, key: int) -> None:
    with loaded(kernels["three_keys"]) as binary:
        by_key, ret = capi.aclrtBinaryGetFunctionByEntry(binary, key)
        assert ret == 0
        by_name = ok(acl.rt.binary_get_function(binary, f"three_keys_{key}"))
        assert stored_word(by_key, malloc(4)) == key
        assert stored_word(by_name, malloc(4)) == key


@pytest.mark.requirement("host-83")
@pytest.mark.parametrize("key", [2, 30, 2**64 - 1])
def test_a_tiling_key_that_no_kernel_has_is_refused(device: int, kernels: Kernels, key: int) -> None:
    with loaded(kernels["three_keys"]) as binary:
        assert capi.aclrtBinaryGetFunctionByEntry(binary, key) == (0, 107000)
        assert str(key) in message()
        assert acl.rt.binary_get_function(binary, f"three_keys_{key}") == (0, 107000)


@pytest.mark.requirement("host-84")
@pytest.mark.parametrize(
    ("name", "factor"), [("_Z9plain_cppPhi", 1), ("_ZN4deep10nested_cppEPhi", 2), ("plain_cpp", 1), ("deep::nested_cpp", 2)]
)
def test_cpp_kernels_are_found_by_mangled_and_by_written_name(malloc: Malloc, kernels: Kernels, name: str, factor: int) -> None:
    with loaded(kernels["plain_cpp"]) as binary:
        function = ok(acl.rt.binary_get_function(binary, name))
        assert stored_word(function, malloc(4), np.int32(21)) == 21 * factor


@pytest.mark.requirement("host-85")
@pytest.mark.parametrize("name", ["fill_index", "add_custom"])
def test_a_function_tells_its_name_where_there_is_room(binary: int, name: str) -> None:
    function = ok(acl.rt.binary_get_function(binary, name))
    for room in (len(name) + 1, 64, 1023):
        assert acl.rt.get_function_name(function, room) == (name, 0)
    for room in (0, 1, len(name)):
        none, ret = acl.rt.get_function_name(function, room)
        assert ret == 107000
        assert not none
        assert str(room) in message()


@pytest.mark.requirement("host-85")
@pytest.mark.parametrize("room", [1024, 5000, 2**32 - 1])
def test_room_of_a_kilobyte_for_a_name_is_an_error(binary: int, room: int) -> None:
    function = ok(acl.rt.binary_get_function(binary, "fill_index"))
    with pytest.raises(ValueError, match="1024"):
        acl.rt.get_function_name(function, room)


@pytest.mark.requirement("host-86")
@pytest.mark.parametrize(
    ("name", "has_aic", "has_aiv"), [("fill_index", False, True), ("cube_index", True, False), ("mix_index", True, True)]
)
def test_addresses_are_those_of_the_cores_a_kernel_runs_on(function: Find, name: str, has_aic: bool, has_aiv: bool) -> None:
    aic, aiv, ret = acl.rt.get_function_addr(function(name))
    assert ret == 0
    assert (bool(aic), bool(aiv)) == (has_aic, has_aiv)


@pytest.mark.requirement("host-87")
def test_functions_end_with_their_binary(malloc: Malloc, stream: int, kernels: Kernels) -> None:
    out, block = malloc(64), malloc(64)
    write(block, packed(out))
    with loaded(kernels["fill_index"]) as binary:
        function = ok(acl.rt.binary_get_function(binary, "fill_index"))
        args = ok(acl.rt.kernel_args_init(function))
        append(args, out)
        ok(acl.rt.kernel_args_finalize(args))
        ok(acl.rt.binary_unload(binary))

        assert launch_list(function, 1, stream, args) == 107017
        assert "is not a function that is alive: it was destroyed, or never was one" in message()
        assert acl.rt.launch_kernel(function, 1, block, 8, stream) == 107017
        assert acl.rt.kernel_args_init(function) == (0, 107017)
        assert acl.rt.kernel_args_get_handle_mem_size(function) == (0, 107017)
        assert acl.rt.get_function_addr(function) == (0, 0, 107017)
        name, ret = acl.rt.get_function_name(function, 64)
        assert ret == 107017
        assert not name


@pytest.mark.requirement("host-87")
def test_a_binary_is_unloaded_once(binary: int, stream: int) -> None:
    assert acl.rt.binary_unload(binary) == 0
    assert acl.rt.binary_unload(binary) == 107017
    assert "is not a binary that is alive: it was destroyed, or never was one" in message()
    assert acl.rt.binary_unload(stream) == 107017
    assert acl.rt.binary_unload(0) == 100000


@pytest.mark.requirement("host-88")
def test_a_queued_kernel_outlives_its_binary(malloc: Malloc, stream: int, kernels: Kernels) -> None:
    out, runs = malloc(4), malloc(4 * 100)
    with loaded(kernels["slow"]) as binary:
        slow, count = (ok(acl.rt.binary_get_function(binary, name)) for name in ("slow", "count_runs"))
        ok(launch(slow, 1, stream, out, np.uint64(20_000_000), np.int32(7)))  # some 40 ms
        for _ in range(50):
            ok(launch(count, 100, stream, runs))
        assert acl.rt.binary_unload(binary) == 0
        assert acl.rt.binary_get_function(binary, "slow") == (0, 107017)
    ok(acl.rt.synchronize_stream(stream))
    assert read(out, 1)[0] == 7
    assert read(runs, 100).tolist() == [50] * 100


@pytest.mark.requirement("host-88")
def test_a_file_loads_again_while_kernels_of_the_first_load_run(malloc: Malloc, new_stream: Make, kernels: Kernels) -> None:
    first, second = malloc(4), malloc(4)
    streams = new_stream(), new_stream()
    for stream, out, value in zip(streams, (first, second), (1, 2), strict=True):
        with loaded(kernels["slow"]) as binary:
            ok(launch(ok(acl.rt.binary_get_function(binary, "slow")), 1, stream, out, np.uint64(5_000_000), np.int32(value)))
    for stream in streams:
        ok(acl.rt.synchronize_stream(stream))
    assert (read(first, 1)[0], read(second, 1)[0]) == (1, 2)


@pytest.mark.requirement("host-90")
def test_of_two_kernels_with_one_key_the_first_is_found_by_it(malloc: Malloc, kernels: Kernels) -> None:
    out = malloc(4)
    with loaded(kernels["early_7"]) as binary:
        assert stored_word(ok(capi.aclrtBinaryGetFunctionByEntry(binary, 7)), out) == 1
        assert stored_word(ok(acl.rt.binary_get_function(binary, "early_7")), out) == 1
        assert stored_word(ok(acl.rt.binary_get_function(binary, "late_7")), out) == 2
