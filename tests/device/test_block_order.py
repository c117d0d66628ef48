# SPDX-License-Identifier: Apache-2.0
"""WaitPreBlock and its relatives, GroupBarrier, and IBSet on a word that is not empty."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import aclimb
from aclimb import Buffer
from aclimb.errors import KernelFault, Unsupported

Run = Callable[..., None]


def garbage(words: int) -> Buffer:
    return Buffer.from_array(np.random.default_rng(1).integers(-(2**31), 2**31, words).astype(np.int32))


def zeros(words: int) -> Buffer:
    return Buffer.from_array(np.zeros(words, np.int32))


@pytest.mark.requirement("lib-58")
@pytest.mark.parametrize(("blocks", "rounds"), [(1, 3), (4, 1), (7, 5), (48, 2)])
def test_blocks_come_in_their_order_round_by_round(run: Run, blocks: int, rounds: int) -> None:
    z = zeros(512)
    run("block_order", "in_order", garbage(8 * blocks), z, rounds, blocks=blocks)
    log = z.to_numpy()
    assert log[0] == blocks * rounds
    assert log[1 : 1 + blocks * rounds].tolist() == [100 * r + b for r in range(rounds) for b in range(blocks)]


def test_the_order_costs_time_one_block_after_the_other(run: Run) -> None:
    ends = {}
    for blocks in (2, 8):
        with aclimb.profile() as profile:
            run("block_order", "in_order", zeros(8 * blocks), zeros(512), 2, blocks=blocks)
        ends[blocks] = profile.launches[0].task_us
    assert ends[8] > ends[2]


@pytest.mark.requirement("lib-58")
def test_a_block_that_does_not_notify_is_named(run: Run) -> None:
    with pytest.raises(KernelFault, match="WaitPreBlock; it is the turn of block 1, which has not called NotifyNextBlock"):
        run("block_order", "no_notify", zeros(32), zeros(64), blocks=4)


@pytest.mark.requirement("lib-58")
def test_a_notify_without_its_wait_is_refused(run: Run) -> None:
    with pytest.raises(Unsupported, match="NotifyNextBlock by a core whose turn it is not: WaitPreBlock has to come before it"):
        run("block_order", "no_wait", zeros(32), zeros(64), blocks=2)


@pytest.mark.requirement("lib-58")
def test_a_wait_without_init_is_refused(run: Run) -> None:
    with pytest.raises(Unsupported, match="WaitPreBlock needs InitDetermineComputeWorkspace with the same workspace before it"):
        run("block_order", "no_init", zeros(32), zeros(64))


@pytest.mark.requirement("lib-58")
def test_workspaces_have_the_documented_size(run: Run) -> None:
    with pytest.raises(KernelFault, match=r"bytes of ubWorkspace is 32; it takes 160 to"):
        run("block_order", "small_ub", zeros(32), zeros(64), blocks=4)
    with pytest.raises(KernelFault, match="InitDetermineComputeWorkspace"):
        run("block_order", "in_order", zeros(8), zeros(64), 1, blocks=4)


@pytest.mark.parametrize(("blocks", "rounds"), [(3, 1), (8, 4)])
def test_a_group_waits_until_all_of_the_other_arrived(run: Run, blocks: int, rounds: int) -> None:
    waiting = blocks - 2
    z = zeros(waiting * rounds)
    run("block_order", "groups", zeros(128 * blocks), zeros(16), z, rounds, blocks=blocks)
    assert z.to_numpy().reshape(waiting, rounds).tolist() == [[20 * r + 1 for r in range(1, rounds + 1)]] * waiting


def test_those_who_have_not_arrived_are_named(run: Run) -> None:
    with pytest.raises(KernelFault, match=r"GroupBarrier::Wait\(0\); not arrived: 0 2"):
        run("block_order", "nobody_arrives", zeros(512), blocks=2)


def test_an_index_outside_the_group_is_refused(run: Run) -> None:
    with pytest.raises(KernelFault, match="arriveIndex is 3; it takes 0 to 2"):
        run("block_order", "wrong_index", zeros(512))


def test_a_second_set_waits_until_the_first_was_taken(run: Run) -> None:
    z = zeros(64)
    run("block_order", "ten_events", zeros(512), zeros(16), z, blocks=2)
    assert z.to_numpy()[:11].tolist() == [10, *range(10)]


def test_a_set_that_nobody_takes_is_named(run: Run) -> None:
    with pytest.raises(KernelFault, match=r"IBSet\(block 0, event 3\); nobody has waited for the one before, or the workspace was"):
        run("block_order", "set_twice", zeros(512), zeros(64))
