# SPDX-License-Identifier: Apache-2.0
"""The tape that a proof judges again knows every synchronisation that the checker knows: unchanged, it is in order as the run was.

Each pair is a kernel that synchronises through words of global memory, and the same kernel without that.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Program
from aclimb.check.proof import checked_run, prove

SOURCE = Path(__file__).parent / "soft.cpp"
NAMES = ("everybody", "events", "turns", "groups")
BLOCKS = 4


@pytest.fixture(scope="module")
def ordered() -> Any:
    return Program(SOURCE, name="soft").compile()


@pytest.fixture(scope="module")
def unordered() -> Any:
    return Program(SOURCE, name="soft_unordered", defines={"UNORDERED": 1}).compile()


def arguments() -> tuple[Buffer, Buffer, Buffer]:
    return (*(Buffer.from_array(np.zeros(64 * BLOCKS, np.float32)) for _ in range(2)), Buffer.from_array(np.zeros(4096, np.int32)))


def test_every_soft_synchronisation_is_on_the_tape(ordered: Any) -> None:
    for name in NAMES:
        session, failure = checked_run(Kernel(ordered, name), arguments(), LaunchConfig(num_blocks=BLOCKS), None)
        assert failure is None, name
        assert session.launches[0].judge([]) == (False, []), name


@pytest.mark.parametrize("name", NAMES)
def test_a_kernel_that_synchronises_is_proved(ordered: Any, name: str) -> None:
    x, y, words = arguments()
    proof = prove(Kernel(ordered, name), x, y, words, config=LaunchConfig(num_blocks=BLOCKS))
    assert proof.answer == "proved", str(proof)
    step = -1 if name == "turns" else 1
    expected = [(block + step) % BLOCKS + 1 for block in range(BLOCKS)]
    assert y.to_numpy().reshape(BLOCKS, 64)[:, 0].tolist() == expected


@pytest.mark.parametrize("name", NAMES)
def test_the_same_without_it_is_refuted_on_the_tape_too(unordered: Any, name: str) -> None:
    config = LaunchConfig(num_blocks=BLOCKS)
    assert prove(Kernel(unordered, name), *arguments(), config=config).answer == "refuted"
    session, _ = checked_run(Kernel(unordered, name), arguments(), config, None)
    stuck, pairs = session.launches[0].judge([])
    assert not stuck
    assert pairs
