# SPDX-License-Identifier: Apache-2.0
"""The end of an allocation: the rest of its last block of 32 bytes, the block that aclrtMalloc adds, and what lies behind them.

Each length is that of a Buffer of floats; 1016 and 1024 floats end where a page of the host does, or close to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pytest
from parts import CHIP_RUNS, LENGTH, X, new_kernel, plain

import acl
from aclimb import Buffer, LaunchConfig, Stream, launch
from aclimb.errors import AclimbError, OutOfBounds, UseAfterFree

BOTH = pytest.mark.parametrize("strictness", ["strict", "hardware"])
PAGE = 1024  # floats


def started(name: str, strictness: str, x: Buffer | int, *more: int) -> np.ndarray:
    target, stream = Buffer.from_array(np.full(LENGTH, -1, np.float32)), Stream()
    launch(stream, LaunchConfig(num_blocks=1, strictness=strictness), new_kernel(name), x, target, *more)
    stream.synchronize()
    return target.to_numpy()


def counted(length: int) -> np.ndarray:
    return np.arange(1, length + 1, dtype=np.float32)


def padded(values: np.ndarray, count: int) -> np.ndarray:
    return np.concatenate([values, np.zeros(count - len(values), np.float32)])


# --- reads of whole blocks that end in the rest of the last one: a warning in both


@BOTH
@pytest.mark.parametrize(("length", "count"), [(13, 16), (1, 8), (20, 24), (127, 128)])
def test_whole_blocks_past_the_end_of_a_buffer_are_read_with_a_warning(
    length: int, count: int, strictness: str, caplog: pytest.LogCaptureFixture
) -> None:
    z = started("reads", strictness, Buffer.from_array(X[:length]), 0, count, 0)
    np.testing.assert_array_equal(z[:count], padded(X[:length], count))
    (message,) = caplog.messages
    assert message.startswith(f"DataCopy reads gm.xGm[from] in whole blocks, {4 * (count - length)} bytes past the end of its buffer of ")


def test_the_warning_names_line_kernel_and_bytes_and_comes_once(caplog: pytest.LogCaptureFixture) -> None:
    kernel, stream = new_kernel("reads"), Stream()
    x, z = Buffer.from_array(X[:13]), Buffer.from_array(np.zeros(LENGTH, np.float32))
    for _ in range(3):
        launch(stream, LaunchConfig(num_blocks=8), kernel, x, z, 0, 16, 0)
        stream.synchronize()
    assert [plain(message) for message in caplog.messages] == [
        "DataCopy reads gm.xGm[from] in whole blocks, 12 bytes past the end of its buffer of 52, reads block 0 (AIV 0)\n"
        "    rows.cpp:N   DataCopy(local, gm.xGm[from], count);\n"
        "    zeros here, and anything on a chip, where the buffer takes 64: right as long as the kernel does not use them; "
        "DataCopyPad reads what is there"
    ]
    assert [(record.name, record.levelname) for record in caplog.records] == [("aclimb", "WARNING")]


@BOTH
def test_a_length_given_to_set_global_buffer_that_is_the_buffers_gets_the_same_warning(
    strictness: str, caplog: pytest.LogCaptureFixture
) -> None:
    z = started("reads", strictness, Buffer.from_array(X[:29]), 8, 24, 29)
    np.testing.assert_array_equal(z[:24], padded(X[8:29], 24))
    assert [message.splitlines()[0] for message in caplog.messages] == [
        "DataCopy reads gm.xGm[from] in whole blocks, 12 bytes past the end of its buffer of 116, reads block 0 (AIV 0)"
    ]


@BOTH
def test_whole_blocks_that_are_there_are_read_in_silence(strictness: str, caplog: pytest.LogCaptureFixture) -> None:
    np.testing.assert_array_equal(started("reads", strictness, Buffer.from_array(X[:24]), 0, 24, 0)[:24], X[:24])
    np.testing.assert_array_equal(started("reads", strictness, Buffer.from_array(X[:24]), 8, 16, 24)[:16], X[8:24])
    assert caplog.messages == []


def test_a_declared_length_that_ends_inside_the_buffer_is_another_tensors_room(caplog: pytest.LogCaptureFixture) -> None:
    """The last block of 13 elements reaches into what follows, which is there and is not zero."""
    x = Buffer.from_array(X)
    with pytest.raises(OutOfBounds, match=r"^DataCopy needs 64 bytes of gm\.xGm\[from\], which was given 52 from there on") as caught:
        started("reads", "strict", x, 0, 16, 13)
    assert str(caught.value).endswith(CHIP_RUNS)
    np.testing.assert_array_equal(started("reads", "hardware", x, 0, 16, 13)[:16], X[:16])
    assert len(caplog.messages) == 1


# --- other reads behind the end


READS = [
    ("the next block", "reads", (0, 24, 0), 13, padded(X[:13], 24)),
    ("only the next block", "reads", (16, 8, 0), 13, np.zeros(8)),
    ("part of a block", "pads", (14,), 13, padded(X[:8], 8)),
    ("a page", "reads", (0, PAGE + 512, 0), 13, np.zeros(LENGTH)),
    ("beyond the last page", "reads", (8, PAGE, 0), PAGE, padded(counted(PAGE)[-LENGTH + 8 :], LENGTH)),
    ("only beyond the last page", "reads", (PAGE, 16, 0), PAGE, np.zeros(16)),
]


@pytest.mark.parametrize(("name", "numbers", "length", "expected"), [row[1:] for row in READS], ids=[row[0] for row in READS])
def test_other_reads_behind_a_buffer_are_refused_by_strict_and_are_zeros_on_hardware(
    name: str, numbers: tuple[int, ...], length: int, expected: np.ndarray, caplog: pytest.LogCaptureFixture
) -> None:
    x = Buffer.from_array(counted(length))
    with pytest.raises(OutOfBounds, match=r"^DataCopy(Pad)? needs \d+ bytes of gm\.xGm.* (beyond|behind) the buffer of ") as caught:
        started(name, "strict", x, *numbers)
    assert str(caught.value).endswith(CHIP_RUNS)
    assert caplog.messages == []
    np.testing.assert_array_equal(started(name, "hardware", x, *numbers)[: len(expected)], expected)
    (message,) = caplog.messages
    assert message.startswith(f"{name} goes on as hardware does: it reads memory that is no buffer's, zeros here and anything on a chip\n")


def test_hardware_reads_zeros_up_to_two_mib_from_the_beginning_of_a_small_buffer(caplog: pytest.LogCaptureFixture) -> None:
    x = Buffer.from_array(X[:13])
    np.testing.assert_array_equal(started("reads", "hardware", x, 2**19 - 8, 8, 0)[:8], 0)
    assert len(caplog.messages) == 1


@BOTH
def test_a_read_far_behind_all_buffers_is_an_error_in_both(strictness: str) -> None:
    x = Buffer.from_array(X[:13])
    with pytest.raises(OutOfBounds, match=r"^DataCopy needs 64 bytes of gm\.xGm\[from\] at 0x\w+, \d+ bytes behind the buffer") as caught:
        started("reads", strictness, x, 2**28, 16, 0)
    assert CHIP_RUNS not in str(caught.value)


def test_a_read_that_reaches_another_buffer_finds_its_bytes() -> None:
    buffers = sorted((Buffer.from_array(n * counted(PAGE)) for n in range(1, 9)), key=lambda each: each.address)
    x, other = min(pairwise(buffers), key=lambda pair: pair[1].address - pair[0].address)
    apart = (other.address - x.address) // 4
    z = started("reads", "hardware", x, PAGE - 8, apart - PAGE + 8 + LENGTH, 0)
    np.testing.assert_array_equal(z, other.to_numpy()[:LENGTH])


@BOTH
def test_a_read_of_freed_memory_is_an_error_in_both(strictness: str) -> None:
    x = Buffer.from_array(X[:13])
    address = x.address
    x.release()
    with pytest.raises(UseAfterFree, match=r"^DataCopy needs 32 bytes of gm\.xGm\[from\] at 0x\w+, in device memory that was freed"):
        started("reads", strictness, address, 0, 8, 0)


# --- writes


WRITES = [(13, 0, 16), (13, 8, 8), (13, 16, 8), (16, 8, 16), (PAGE, PAGE - 8, 16), (PAGE, PAGE, 8), (PAGE - 3, PAGE - 8, 16)]


@pytest.mark.parametrize(("length", "start", "count"), WRITES)
def test_hardware_writes_what_aclrt_malloc_adds_to_a_size(length: int, start: int, count: int, caplog: pytest.LogCaptureFixture) -> None:
    """The rest of the last block and one more; what was written there is read again, also by a later launch."""
    x = Buffer.from_array(np.ones(length, np.float32))
    np.testing.assert_array_equal(started("writes", "hardware", x, start, count)[:count], 7)
    assert caplog.messages[0].startswith(
        "writes goes on as hardware does: it writes the bytes behind the buffer that aclrtMalloc adds to each size\n    rows.cpp:"
    )
    np.testing.assert_array_equal(x.to_numpy(), np.where(np.arange(length) < start, 1, 7))
    np.testing.assert_array_equal(started("reads", "hardware", x, start, count, 0)[:count], 7)


@pytest.mark.parametrize(("length", "start", "count"), WRITES)
def test_strict_refuses_to_write_behind_a_buffer(length: int, start: int, count: int) -> None:
    x = Buffer.from_array(np.ones(length, np.float32))
    words = rf"^DataCopy needs {4 * count} bytes of gm\.xGm\[from\] at 0x\w+, .*(beyond|behind) the buffer"
    with pytest.raises(OutOfBounds, match=words) as caught:
        started("writes", "strict", x, start, count)
    assert str(caught.value).endswith(CHIP_RUNS)
    np.testing.assert_array_equal(x.to_numpy(), 1)


@BOTH
@pytest.mark.parametrize(("length", "start", "count"), [(13, 16, 16), (13, 24, 8), (16, 16, 16), (PAGE, PAGE, 16), (PAGE, PAGE + 8, 8)])
def test_writes_behind_that_are_errors_in_both(length: int, start: int, count: int, strictness: str) -> None:
    x = Buffer.from_array(np.ones(length, np.float32))
    with pytest.raises(OutOfBounds, match=r"^DataCopy needs \d+ bytes of gm\.xGm\[from\] at") as caught:
        started("writes", strictness, x, start, count)
    assert CHIP_RUNS not in str(caught.value)


def test_what_was_written_behind_a_buffer_is_not_there_for_the_next_buffer_at_its_place() -> None:
    for _ in range(8):
        x = Buffer.from_array(np.ones(PAGE, np.float32))
        np.testing.assert_array_equal(started("reads", "hardware", x, PAGE, 8, 0)[:8], 0)
        started("writes", "hardware", x, PAGE, 8)
        x.release()


# --- memory from malloc has those bytes by its promise


Malloc = Callable[[int], int]


@pytest.fixture
def malloc() -> Iterator[Callable[[str], Malloc]]:
    taken: list[int] = []
    assert acl.rt.set_device(0) == 0

    def of(name: str) -> Malloc:
        def take(size: int) -> int:
            address, ret = getattr(acl.rt, name)(size, 0)
            assert ret == 0
            taken.append(address)
            return int(address)

        return take

    yield of
    for address in taken:
        assert acl.rt.free(address) == 0
    acl.rt.reset_device(0)
    acl.get_recent_err_msg()


@BOTH
@pytest.mark.parametrize(("name", "room"), [("malloc", 24), ("malloc_cached", 24), ("malloc_align32", 16)])
def test_memory_of_malloc_has_its_last_block_and_one_more_in_silence(
    name: str, room: int, strictness: str, malloc: Callable[[str], Malloc], caplog: pytest.LogCaptureFixture
) -> None:
    """13 floats; malloc_align32 only rounds up."""
    address = malloc(name)(52)
    np.testing.assert_array_equal(started("writes", strictness, address, 0, room)[:room], 7)
    np.testing.assert_array_equal(started("reads", strictness, address, 0, room, 0)[:room], 7)
    assert caplog.messages == []


@BOTH
@pytest.mark.parametrize(("name", "room"), [("malloc", 24), ("malloc_align32", 16)])
def test_a_write_behind_the_room_of_malloc_is_an_error_in_both(
    name: str, room: int, strictness: str, malloc: Callable[[str], Malloc]
) -> None:
    with pytest.raises(OutOfBounds, match=r"^DataCopy needs 32 bytes of gm\.xGm\[from\] at 0x\w+, right behind the buffer") as caught:
        started("writes", strictness, malloc(name)(52), room, 8)
    assert CHIP_RUNS not in str(caught.value)


@pytest.mark.parametrize(("name", "room"), [("malloc", 24), ("malloc_align32", 16)])
def test_a_read_behind_the_room_of_malloc_is_refused_by_strict_only(
    name: str, room: int, malloc: Callable[[str], Malloc], caplog: pytest.LogCaptureFixture
) -> None:
    address = malloc(name)(52)
    with pytest.raises(AclimbError, match=r"^DataCopy needs 32 bytes of gm\.xGm\[from\]") as caught:
        started("reads", "strict", address, room, 8, 0)
    assert str(caught.value).endswith(CHIP_RUNS)
    np.testing.assert_array_equal(started("reads", "hardware", address, room, 8, 0)[:8], 0)
    assert len(caplog.messages) == 1


@BOTH
def test_a_declared_length_of_malloced_memory_that_ends_with_it_is_a_warning_too(
    strictness: str, malloc: Callable[[str], Malloc], caplog: pytest.LogCaptureFixture
) -> None:
    started("reads", strictness, malloc("malloc")(52), 0, 16, 13)
    assert [message.splitlines()[0] for message in caplog.messages] == [
        "DataCopy reads gm.xGm[from] in whole blocks, 12 bytes past the end of its buffer of 52, reads block 0 (AIV 0)"
    ]
