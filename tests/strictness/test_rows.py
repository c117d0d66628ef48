# SPDX-License-Identifier: Apache-2.0
"""Each row of docs/strict_or_hardware.md: strict refuses with these words; hardware runs as a chip would and says so once; the same kernel
put right is silent in both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from parts import CHIP_RUNS, LENGTH, X, new_kernel, plain, run

from aclimb import Buffer, profile
from aclimb.errors import AclimbError, Hang

TWICE = X + X


def neighbours(blocks: int) -> np.ndarray:
    return np.roll(X, -LENGTH // blocks)


@dataclass(frozen=True)
class Row:
    """`expected` is z on hardware, and of the good kernel."""

    name: str
    expected: np.ndarray
    strict: str
    logged: str
    blocks: int = 1


ROWS = [
    Row(
        "ub_read",
        TWICE,
        "OutOfBounds: Add needs UB bytes 0x0000-0x01ff of a, which has 256 bytes, ub_read block 0 (AIV 0)\n"
        "    rows.cpp:N   Add(total, a, a, kLength);\n"
        "    from there on: 256 bytes of the tensor, 256 of its buffer, 196608 of UB\n"
        "    make the buffer larger, or the count or repeat smaller",
        "ub_read goes on as hardware does: it reads UB behind the tensor\n"
        "    rows.cpp:N   Add(total, a, a, kLength);\n"
        "    strict refuses it: OutOfBounds: Add needs UB bytes 0x0000-0x01ff of a, which has 256 bytes",
    ),
    Row(
        "ub_write",
        np.full(LENGTH, 7, np.float32),
        "OutOfBounds: Duplicate needs UB bytes 0x0000-0x01ff of a, which has 256 bytes, ub_write block 0 (AIV 0)\n"
        "    rows.cpp:N   Duplicate(a, 7.0f, kLength);\n"
        "    from there on: 256 bytes of the tensor, 256 of its buffer, 196608 of UB\n"
        "    make the buffer larger, or the count or repeat smaller",
        "ub_write goes on as hardware does: it writes UB behind the tensor\n"
        "    rows.cpp:N   Duplicate(a, 7.0f, kLength);\n"
        "    strict refuses it: OutOfBounds: Duplicate needs UB bytes 0x0000-0x01ff of a, which has 256 bytes",
    ),
    Row(
        "gm_declared",
        X,
        "OutOfBounds: DataCopy needs 512 bytes of gm.xGm, which was given 256 from there on, gm_declared block 0 (AIV 0)\n"
        "    rows.cpp:N   DataCopy(local, gm.xGm, count);\n"
        "    from there on: 256 bytes of the tensor, 512 of its buffer\n"
        "    the length is the one of SetGlobalBuffer, less the offset",
        "gm_declared goes on as hardware does: it reads behind the length given to SetGlobalBuffer, inside the buffer\n"
        "    rows.cpp:N   DataCopy(local, gm.xGm, count);\n"
        "    strict refuses it: OutOfBounds: DataCopy needs 512 bytes of gm.xGm, which was given 256 from there on",
    ),
    Row(
        "freed",
        TWICE,
        "UseAfterFree: Add uses in (UB bytes 0x0000-0x01ff) after its FreeTensor, freed block 0 (AIV 0)\n"
        "    rows.cpp:N   Add(total, in, in, kLength);\n"
        "    free it after the last use, or AllocTensor/DeQue a new one",
        "freed goes on as hardware does: the bytes of the tensor are used, although its buffer may belong to the next one\n"
        "    rows.cpp:N   Add(total, in, in, kLength);\n"
        "    strict refuses it: UseAfterFree: Add uses in (UB bytes 0x0000-0x01ff) after its FreeTensor",
    ),
    Row(
        "flag_left",
        X,
        "UnbalancedFlags: flag MTE3_V id 2 is still set when the kernel ends, flag_left block 0 (AIV 0)\n"
        "    rows.cpp:N   SetFlag<HardEvent::MTE3_V>(EVENT_ID2);\n"
        "    WaitFlag<HardEvent::MTE3_V>(2) before the end: on hardware it leaks into the next kernel",
        "flag_left goes on as hardware does: the flag stays set; on a chip the next kernel on this core finds it, here it does not\n"
        "    rows.cpp:N   SetFlag<HardEvent::MTE3_V>(EVENT_ID2);\n"
        "    strict refuses it: UnbalancedFlags: flag MTE3_V id 2 is still set when the kernel ends",
    ),
    Row(
        "cross_left",
        X,
        "UnbalancedFlags: cross-core flag 3 is still set, once, when the kernel ends, cross_left block 0 (AIV 0)\n"
        "    rows.cpp:N   CrossCoreSetFlag<0, PIPE_MTE3>(3);\n"
        "    CrossCoreWaitFlag(3) on that core: on hardware it leaks into the next kernel",
        "cross_left goes on as hardware does: the flag stays set; on a chip the next kernel on this core finds it, here it does not\n"
        "    rows.cpp:N   CrossCoreSetFlag<0, PIPE_MTE3>(3);\n"
        "    strict refuses it: UnbalancedFlags: cross-core flag 3 is still set, once, when the kernel ends",
        blocks=3,
    ),
    Row(
        "sync_all",
        neighbours(4),
        "Misuse: SyncAll in a kernel declared AIV_ONLY: its launch does not arm the synchronisation between cores, "
        "sync_all block 0 (AIV 0)\n"
        "    rows.cpp:N   SyncAll();\n"
        "    declare it KERNEL_TYPE_MIX_AIV_1_0, __mix__(0,1)",
        "sync_all goes on as hardware does: its cores are synchronised as those of a MIX kernel are\n"
        "    rows.cpp:N   SyncAll();\n"
        "    strict refuses it: Misuse: SyncAll in a kernel declared AIV_ONLY: its launch does not arm the synchronisation between cores",
        blocks=4,
    ),
    Row(
        "gather",
        X.reshape(4, 32)[:, ::-1].ravel(),
        "Misuse: Gather reads UB bytes 0x007c-0x007f of values (offset 124, element 0) and writes them: source and destination overlap, "
        "gather block 0 (AIV 0)\n"
        "    rows.cpp:N   else Gather(values, values, where, 0, kLength);\n"
        "    give the result a tensor of its own",
        "gather goes on as hardware does: each repeat is read before it is written\n"
        "    rows.cpp:N   else Gather(values, values, where, 0, kLength);\n"
        "    strict refuses it: Misuse: Gather reads UB bytes 0x007c-0x007f of values (offset 124, element 0) and writes them: source and "
        "destination overlap",
    ),
    Row(
        "gatherb",
        X.reshape(2, 8, 8)[:, ::-1].ravel(),
        "Misuse: Gatherb reads UB bytes 0x00e0-0x00ff of values (offset 224, element 0) and writes them: source and destination overlap, "
        "gatherb block 0 (AIV 0)\n"
        "    rows.cpp:N   else Gatherb(values, values, where, 2, {1, 8});\n"
        "    give the result a tensor of its own",
        "gatherb goes on as hardware does: each repeat is read before it is written\n"
        "    rows.cpp:N   else Gatherb(values, values, where, 2, {1, 8});\n"
        "    strict refuses it: Misuse: Gatherb reads UB bytes 0x00e0-0x00ff of values (offset 224, element 0) and writes them: source and "
        "destination overlap",
    ),
    Row(
        "unpadded",
        np.concatenate([X.reshape(8, 16).max(axis=1), np.zeros(LENGTH - 8, np.float32)]),
        "Misuse: srcInnerPad of ReduceMax is false; it takes true: rows are padded to whole blocks of 32 bytes, and here they have 64, "
        "unpadded block 0 (AIV 0)\n"
        "    rows.cpp:N   ReduceMax<float, Pattern::Reduce::AR>(found, values, shape, isPadded);\n"
        "    pass true: these rows are whole blocks",
        "unpadded goes on as hardware does: its rows are whole blocks of 32 bytes, which need no padding\n"
        "    rows.cpp:N   ReduceMax<float, Pattern::Reduce::AR>(found, values, shape, isPadded);\n"
        "    strict refuses it: Misuse: srcInnerPad of ReduceMax is false; it takes true: rows are padded to whole blocks of 32 bytes, and "
        "here they have 64",
    ),
    Row(
        "frees_across",
        X,
        "Misuse: FreeTensor of b, which does not belong to first, frees_across block 0 (AIV 0)\n"
        "    rows.cpp:N   first.FreeTensor(b), second.FreeTensor(a);\n"
        "    EnQue and FreeTensor take what AllocTensor or DeQue of the same queue gave",
        "frees_across goes on as hardware does: the tensor's own buffer is freed, with the flag of the queue that was asked\n"
        "    rows.cpp:N   first.FreeTensor(b), second.FreeTensor(a);\n"
        "    strict refuses it: Misuse: FreeTensor of b, which does not belong to first",
    ),
]


def more(row: Row) -> list[Buffer]:
    return [Buffer.from_array(np.zeros(LENGTH, np.float32))] if "sync_all" in row.name else []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_strict_refuses_what_hardware_runs(row: Row, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(AclimbError) as caught:
        run(new_kernel(row.name), "strict", *more(row), blocks=row.blocks)
    assert plain(f"{type(caught.value).__name__}: {caught.value}") == row.strict + CHIP_RUNS
    assert caplog.messages == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_hardware_runs_it_as_a_chip_would_and_logs_it_once(row: Row, caplog: pytest.LogCaptureFixture) -> None:
    kernel = new_kernel(row.name)
    for _ in range(2):
        np.testing.assert_array_equal(run(kernel, "hardware", *more(row), blocks=row.blocks), row.expected)
    assert [plain(message) for message in caplog.messages] == [row.logged]
    assert [(record.name, record.levelname) for record in caplog.records] == [("aclimb", "WARNING")]


@pytest.mark.parametrize("strictness", ["strict", "hardware"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_kernel_put_right_is_silent_in_both(row: Row, strictness: str, caplog: pytest.LogCaptureFixture) -> None:
    kernel = new_kernel(f"good_{row.name}")
    np.testing.assert_array_equal(run(kernel, strictness, *more(row), blocks=row.blocks), row.expected)
    assert caplog.messages == []


def test_flags_between_cores_work_in_a_vector_kernel_too(caplog: pytest.LogCaptureFixture) -> None:
    np.testing.assert_array_equal(run(new_kernel("cross_flags"), "hardware", blocks=4), X)
    assert [message.splitlines()[1].split("   ")[-1] for message in caplog.messages] == [
        "CrossCoreSetFlag<0, PIPE_MTE3>(5);",
        "CrossCoreWaitFlag(5);",
    ]


def test_a_block_that_misses_the_sync_all_is_a_hang_on_hardware_too() -> None:
    with pytest.raises(Hang, match=r"^hang: 3 of 4 cores wait for another core, 1 has ended"):
        run(new_kernel("sync_all_missed"), "hardware", blocks=4)


def test_a_profile_of_a_sync_all_that_hardware_runs_has_its_time() -> None:
    row = next(each for each in ROWS if each.name == "sync_all")
    with profile() as taken:
        np.testing.assert_array_equal(run(new_kernel("sync_all"), "hardware", *more(row), blocks=4), row.expected)
    assert taken.launches[0].task_us > 0


# --- operands


def test_on_hardware_a_repeat_of_gather_finds_what_the_one_before_it_wrote() -> None:
    """All 128 floats turned round in place: the second repeat of 64 reads what the first one left."""
    expected = X.copy()
    for repeat in (slice(0, 64), slice(64, 128)):
        expected[repeat] = expected[::-1][repeat]
    np.testing.assert_array_equal(run(new_kernel("gather_far"), "hardware"), expected)


@pytest.mark.parametrize("strictness", ["strict", "hardware"])
def test_rows_that_are_no_whole_blocks_need_their_padding_on_hardware_too(strictness: str) -> None:
    with pytest.raises(AclimbError) as caught:
        run(new_kernel("unpadded_12"), strictness)
    assert plain(f"{type(caught.value).__name__}: {caught.value}") == (
        "Misuse: srcInnerPad of ReduceMax is false; it takes true: rows are padded to whole blocks of 32 bytes, and here they have 48, "
        "unpadded_12 block 0 (AIV 0)\n"
        "    rows.cpp:N   ReduceMax<float, Pattern::Reduce::AR>(found, values, shape, isPadded);\n"
        "    pad each row to 64 bytes and pass true"
    )


# --- counts of DataCopy that are no whole blocks

WAYS = [("into UB", 0), ("out of UB", 1), ("inside UB", 2)]


@pytest.mark.parametrize("way", [way for _, way in WAYS], ids=[name for name, _ in WAYS])
def test_strict_refuses_a_copy_of_part_of_a_block_and_names_datacopypad(way: int) -> None:
    with pytest.raises(AclimbError) as caught:
        run(new_kernel("copies"), "strict", way, 13)
    call = [
        "DataCopy(other, gm.xGm, count);",
        "if (way == 1) DataCopy(gm.zGm, local, count);",
        "if (way == 2) DataCopy(other, local, count);",
    ]
    assert plain(f"{type(caught.value).__name__}: {caught.value}") == (
        "Misuse: DataCopy of 52 bytes, which are no multiple of 32: hardware moves 32 of them and leaves out 20, copies block 0 (AIV 0)\n"
        f"    rows.cpp:N   {call[way]}\n"
        "    DataCopyPad moves any number of bytes; or round the count up where source and destination have the room" + CHIP_RUNS
    )


@pytest.mark.parametrize("count", [3, 8, 13, 127])
@pytest.mark.parametrize("way", [way for _, way in WAYS], ids=[name for name, _ in WAYS])
def test_hardware_moves_whole_blocks_only(way: int, count: int, caplog: pytest.LogCaptureFixture) -> None:
    kernel = new_kernel("copies")
    moved = count // 8 * 8
    for _ in range(2):
        np.testing.assert_array_equal(run(kernel, "hardware", way, count), np.where(np.arange(LENGTH) < moved, X, -1))
    what = f"{4 * moved} of {4 * count} bytes are moved" if moved else f"none of {4 * count} bytes is moved"
    assert [message.splitlines()[0] for message in caplog.messages] == (
        [] if moved == count else [f"copies goes on as hardware does: {what}"]
    )


def test_strict_refuses_part_of_a_block_on_the_way_to_l1_and_back() -> None:
    for count, back in ((13, 8), (8, 13)):
        with pytest.raises(AclimbError, match=r"^DataCopy of 52 bytes, which are no multiple of 32: .* copies_l1 block 0 \(AIC 0\)"):
            run(new_kernel("copies_l1"), "strict", count, back)


def test_hardware_moves_whole_blocks_to_l1_and_back(caplog: pytest.LogCaptureFixture) -> None:
    z = run(new_kernel("copies_l1"), "hardware", 21, 21)
    np.testing.assert_array_equal(z, np.where(np.arange(LENGTH) < 16, X, 0))
    assert [message.splitlines()[0] for message in caplog.messages] == 2 * ["copies_l1 goes on as hardware does: 64 of 84 bytes are moved"]


@pytest.mark.parametrize("strictness", ["strict", "hardware"])
@pytest.mark.parametrize("count", [3, 13, 127])
def test_datacopypad_moves_any_number_of_bytes(count: int, strictness: str, caplog: pytest.LogCaptureFixture) -> None:
    np.testing.assert_array_equal(run(new_kernel("good_copies"), strictness, count), np.where(np.arange(LENGTH) < count, X, 0))
    assert caplog.messages == []


# --- errors in both: a chip does not run them, or nobody knows what it would do


@pytest.mark.parametrize("strictness", ["strict", "hardware"])
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("beyond_ub", r"^DataCopy needs UB bytes 0x2fe20-0x3001f of end\[8\], beyond the end of UB \(0x30000\)"),
        ("gm_write", r"^DataCopy needs 512 bytes of zGm\[16\] at 0x\w+, 64 bytes beyond the buffer of 512 bytes"),
        ("frees_twice", r"^FreeTensor of b, which does not belong to first, frees_twice block 0"),
        ("frees_of_vecout", r"^FreeTensor of b, which does not belong to first, frees_of_vecout block 0"),
        ("frees_in_place", r"^FreeTensor of b, which does not belong to first, frees_in_place block 0"),
        ("frees_of_tbuf", r"^FreeTensor of b, which does not belong to queue, frees_of_tbuf block 0"),
        ("enqueues_across", r"^EnQue of b, which does not belong to first, enqueues_across block 0"),
        ("misaligned", r"^local\[1\] starts at UB byte 0x4; DataCopy takes a multiple of 32 there"),
    ],
)
def test_what_a_chip_cannot_run_is_an_error_in_both(name: str, words: str, strictness: str) -> None:
    with pytest.raises(AclimbError, match=words):
        run(new_kernel(name), strictness)
