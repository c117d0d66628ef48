# SPDX-License-Identifier: Apache-2.0
"""The documented order of calls, nine steps from init to finalize, without a synchronise anywhere: the result is there all the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from host import DEVICE_TO_HOST, launch, ok, read, write
from steps import append, fill, launch_list

import acl

COUNT = 200_000  # floats, one after the other: some milliseconds
BEFORE = np.arange(COUNT, dtype=np.float32)


def start(path: Path, name: str) -> tuple[int, int, int]:
    """Steps 1 to 4: a stream, a binary and a function."""
    ok(acl.init())
    ok(acl.rt.set_device(0))
    stream = ok(acl.rt.create_stream())
    binary = ok(acl.rt.binary_load_from_file(str(path), []))
    return stream, binary, ok(acl.rt.binary_get_function(binary, name))


def finish(*memory: int) -> None:
    """Steps 8 and 9, the stream being gone."""
    for address in memory:
        ok(acl.rt.free(address))
    ok(acl.rt.reset_device(0))
    ok(acl.finalize())


@pytest.mark.requirement("host-33", "host-88")
def test_a_pointer_a_scalar_and_a_placeholder_without_a_synchronise(kernels: dict[str, Path]) -> None:
    stream, binary, function = start(kernels["affine"], "affine")
    x, y = (ok(acl.rt.malloc(BEFORE.nbytes, 0)) for _ in range(2))
    write(x, BEFORE)
    args = ok(acl.rt.kernel_args_init(function))
    append(args, x)
    slot = ok(acl.rt.kernel_args_append_place_holder(args))
    append(args, np.uint32(COUNT), y)
    fill(
        ok(acl.rt.kernel_args_get_place_holder_buffer(args, slot, 12)), np.uint32(COUNT).tobytes() + np.array([2, 1], np.float32).tobytes()
    )
    ok(acl.rt.kernel_args_finalize(args))
    ok(launch_list(function, 1, stream, args))

    assert acl.rt.binary_unload(binary) == 0
    assert acl.rt.destroy_stream(stream) == 0
    np.testing.assert_array_equal(read(y, COUNT, np.float32), BEFORE * 2 + 1)
    finish(x, y)


@pytest.mark.requirement("host-33", "host-88", "host-112")
def test_many_launches_of_many_binaries_without_a_synchronise(kernels: dict[str, Path]) -> None:
    stream, binary, function = start(kernels["append_digit"], "append_digit")
    number = ok(acl.rt.malloc(8, 0))
    write(number, np.zeros(1, np.int64))
    for digit in (1, 2, 3, 4):
        ok(launch(function, 1, stream, number, np.int64(digit)))
        assert acl.rt.binary_unload(binary) == 0
        binary = ok(acl.rt.binary_load_from_file(str(kernels["append_digit"]), []))
        function = ok(acl.rt.binary_get_function(binary, "append_digit"))
    ok(acl.rt.binary_unload(binary))
    assert acl.rt.destroy_stream(stream) == 0
    assert read(number, 1, np.int64)[0] == 1234
    finish(number)


@pytest.mark.requirement("host-22", "host-88")
def test_resetting_the_device_waits_and_takes_the_stream_along(kernels: dict[str, Path]) -> None:
    stream, binary, function = start(kernels["slow"], "slow")
    host, word = ok(acl.rt.malloc_host(8)), ok(acl.rt.malloc(4, 0))
    ok(launch(function, 1, stream, word, np.uint64(20_000_000), np.int32(9)))  # some 40 ms
    ok(acl.rt.memcpy_async(host, 4, word, 4, DEVICE_TO_HOST, stream))
    ok(acl.rt.binary_unload(binary))
    assert acl.rt.reset_device(0) == 0
    assert acl.util.ptr_to_numpy(host, (1,), 5)[0] == 9
    assert acl.rt.synchronize_stream(stream) != 0
    ok(acl.rt.free_host(host))
    ok(acl.rt.set_device(0))
    acl.rt.free(word)  # unless the reset has done so
    finish()
