# SPDX-License-Identifier: Apache-2.0
"""InitBuffer: sizes that are none, sizes that wrap, and the whole of UB."""

from __future__ import annotations

import numpy as np
import pytest
from parts import CHIP_RUNS, X, new_kernel, plain, run

from aclimb.errors import AclimbError, KernelTrap, Misuse

BOTH = pytest.mark.parametrize("strictness", ["strict", "hardware"])
UB, L1 = 192 * 1024, 512 * 1024

EMPTY = [
    ("buffer_of", (0,), "0 bytes", "pipe.InitBuffer(buffer, bytes);"),
    ("queue_of", (2, 0), "0 bytes", "pipe.InitBuffer(queue, buffers, bytes);"),
    ("queue_of", (0, 64), "0 buffers", "pipe.InitBuffer(queue, buffers, bytes);"),
    ("pool_of", (0,), "0 bytes", "pool.InitBuffer(buffer, bytes);"),
]


@pytest.mark.parametrize(("name", "sizes", "what", "line"), EMPTY)
def test_strict_refuses_a_buffer_without_bytes(name: str, sizes: tuple[int, ...], what: str, line: str) -> None:
    with pytest.raises(Misuse) as caught:
        run(new_kernel(name), "strict", *sizes)
    assert plain(str(caught.value)) == (
        f"InitBuffer asks for {what}, {name} block 0 (AIV 0)\n"
        f"    rows.cpp:N   {line}\n"
        "    leave the buffer out, or check the size: it may come from tiling data that were not set" + CHIP_RUNS
    )


@pytest.mark.parametrize(("name", "sizes", "what", "line"), EMPTY)
def test_hardware_makes_a_buffer_without_bytes_and_logs_it_once(
    name: str, sizes: tuple[int, ...], what: str, line: str, caplog: pytest.LogCaptureFixture
) -> None:
    kernel = new_kernel(name)
    for _ in range(2):
        assert run(kernel, "hardware", *sizes).view(np.uint8)[0] == 1
    assert [plain(message) for message in caplog.messages] == [
        f"{name} goes on as hardware does: the buffer has no bytes\n"
        f"    rows.cpp:N   {line}\n"
        f"    strict refuses it: Misuse: InitBuffer asks for {what}"
    ]


@BOTH
@pytest.mark.parametrize(("name", "sizes"), [("buffer_of", (1,)), ("queue_of", (2, 33)), ("pool_of", (1024,))])
def test_a_buffer_with_bytes_is_made_in_silence(
    name: str, sizes: tuple[int, ...], strictness: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert run(new_kernel(name), strictness, *sizes).view(np.uint8)[0] == 1
    assert caplog.messages == []


@BOTH
@pytest.mark.parametrize(
    ("name", "sizes", "words"),
    [
        ("buffer_of", (0xFFFFFFFF,), f"InitBuffer asks for 1 x {2**32} bytes of UB; {UB} of {UB} are free"),
        ("buffer_of", (0xFFFFFFE1,), f"InitBuffer asks for 1 x {2**32} bytes of UB; {UB} of {UB} are free"),
        ("queue_of", (2, 0x80000000), f"InitBuffer asks for 2 x {2**31} bytes of UB; {UB} of {UB} are free"),
        ("queue_of", (16, 0xFFFFFFFF), f"InitBuffer asks for 16 x {2**32} bytes of UB; {UB} of {UB} are free"),
        ("pool_of", (0xFFFFFFFF,), f"bytes asked of a TBufPool is {2**32}; it takes 0 to 1024"),
        ("buffer_of", (UB + 1,), f"InitBuffer asks for 1 x {UB + 32} bytes of UB; {UB} of {UB} are free"),
    ],
)
def test_a_size_that_would_wrap_is_an_error_in_both(name: str, sizes: tuple[int, ...], words: str, strictness: str) -> None:
    with pytest.raises(AclimbError) as caught:
        run(new_kernel(name), strictness, *sizes)
    assert str(caught.value).splitlines()[0] == f"{words}, {name} block 0 (AIV 0)"


@BOTH
def test_total_ub_size_is_there_to_its_last_byte(strictness: str, caplog: pytest.LogCaptureFixture) -> None:
    np.testing.assert_array_equal(run(new_kernel("whole_ub"), strictness), X)
    assert caplog.messages == []


@BOTH
def test_a_kernel_that_prints_has_256_bytes_less(strictness: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Misuse) as caught:
        run(new_kernel("prints_beside"), strictness, UB)
    assert plain(str(caught.value)) == (
        f"InitBuffer asks for 1 x {UB} bytes of UB; {UB - 256} of {UB - 256} are free, prints_beside block 0 (AIV 0)\n"
        "    rows.cpp:N   pipe.InitBuffer(buffer, bytes);\n"
        "    smaller tiles, or fewer buffers; 256 more are there in a kernel without printf, DumpTensor and assert"
    )
    run(new_kernel("prints_beside"), strictness, UB - 256)
    assert capfd.readouterr().out == f"{UB - 256} bytes\n"


# --- a kernel with ASSERT: documented to have 256 bytes less, and on a chip it has all of them


def test_strict_keeps_256_bytes_for_an_assert() -> None:
    with pytest.raises(Misuse) as caught:
        run(new_kernel("asserts_beside"), "strict", UB)
    assert plain(str(caught.value)) == (
        f"InitBuffer asks for 1 x {UB} bytes of UB; {UB - 256} of {UB - 256} are free, asserts_beside block 0 (AIV 0)\n"
        "    rows.cpp:N   pipe.InitBuffer(buffer, bytes);\n"
        "    smaller tiles, or fewer buffers; 256 more are there in a kernel without printf, DumpTensor and assert" + CHIP_RUNS
    )


def test_hardware_gives_a_kernel_with_an_assert_all_of_ub(caplog: pytest.LogCaptureFixture) -> None:
    kernel = new_kernel("asserts_beside")
    for _ in range(2):
        np.testing.assert_array_equal(run(kernel, "hardware", UB), X)
    assert [plain(message) for message in caplog.messages] == [
        "asserts_beside goes on as hardware does: an assert takes nothing of the memory\n"
        "    rows.cpp:N   pipe.InitBuffer(buffer, bytes);\n"
        f"    strict refuses it: Misuse: InitBuffer asks for 1 x {UB} bytes of UB; {UB - 256} of {UB - 256} are free"
    ]


@BOTH
def test_a_kernel_with_an_assert_has_no_more_than_all_of_ub(strictness: str) -> None:
    with pytest.raises(Misuse, match=rf"^InitBuffer asks for 1 x {UB + 32} bytes of UB; ") as caught:
        run(new_kernel("asserts_beside"), strictness, UB + 32)
    assert CHIP_RUNS not in str(caught.value)


def test_an_assert_that_fails_is_told_in_a_kernel_that_uses_all_of_ub() -> None:
    with pytest.raises(KernelTrap, match=r"^assertion `bytes != 0 && \"of the buffer\"` failed"):
        run(new_kernel("asserts_beside"), "hardware", 0)


@BOTH
def test_a_buffer_that_leaves_256_bytes_is_made_beside_an_assert_in_silence(strictness: str, caplog: pytest.LogCaptureFixture) -> None:
    np.testing.assert_array_equal(run(new_kernel("asserts_beside"), strictness, UB - 256), X)
    assert caplog.messages == []


@BOTH
def test_total_l1_size_is_there(strictness: str) -> None:
    run(new_kernel("l1_of"), strictness, L1 - 128)
    with pytest.raises(Misuse, match=rf"^InitBuffer asks for 1 x {L1 - 96} bytes of L1; {L1 - 128} of {L1 - 128} are free"):
        run(new_kernel("l1_of"), strictness, L1 - 127)
