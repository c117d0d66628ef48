# SPDX-License-Identifier: Apache-2.0
"""A Matmul object in time: its pipes work at once, and the MDL configuration copies fewer and larger pieces."""

from __future__ import annotations

import numpy as np
import pytest
from matmul_runs import integers, kernel, multiply, tiling

from aclimb import Profile
from aclimb.flow import PIPES
from aclimb.trace.launch import EntryKind, LaunchTiming

SIDE = 512


def timed(config: str) -> LaunchTiming:
    which = kernel("half", "float", CONFIG=config)
    cut = tiling(SIDE, SIDE, SIDE, (128, 128, 64), depthA1=8, depthB1=8, stepKa=4, stepKb=4)
    with Profile() as found:
        multiply(which, integers(1, SIDE, SIDE), integers(2, SIDE, SIDE), cut, (SIDE, SIDE), np.float32)
    return found.launches[0]


def copies(launch: LaunchTiming) -> int:
    entries, _ = launch.slices(launch.cores[0])
    return int(np.count_nonzero((entries["kind"] == EntryKind.move) & (entries["pipe"] == PIPES.index("MTE2"))))


@pytest.mark.requirement("mm-20")
def test_pipes_work_at_once_and_groups_are_copied_at_once() -> None:
    norm, mdl = timed("CFG_NORM"), timed("CFG_MDL")
    assert copies(norm) == 4 * copies(mdl)
    (core,) = mdl.cores
    entries, results = mdl.slices(core)
    spans = {}
    for pipe in ("MTE2", "MTE1", "M", "FIX"):
        of_pipe = entries["pipe"] == PIPES.index(pipe)
        works = of_pipe & np.isin(entries["kind"], (EntryKind.move, EntryKind.local, EntryKind.mmad))
        spans[pipe] = list(zip(results["start"][works], results["start"][works] + results["done"][works], strict=True))
    products = spans["M"]
    for pipe in ("MTE2", "MTE1", "FIX"):
        assert any(start < end_m and start_m < end for start, end in spans[pipe] for start_m, end_m in products), pipe
    busy = sum(end - start for start, end in products)
    assert busy > 0.5 * (core.end - core.start), "the cube unit works most of the time"
