# SPDX-License-Identifier: Apache-2.0
"""What L1 keeps of A and of B, for tilings whose base blocks are chosen."""

from __future__ import annotations

import numpy as np

from aclimb.tiling.problem import Problem
from aclimb.tiling.tilings import Ints, Tilings, ceil_div, joined
from aclimb.tiling.words import ScheduleType


def with_steps(t: Tilings, p: Problem) -> Tilings:
    """Each tiling with the ways to fill L1 that fit, those that vendors publish first.

    K whole, or evenly cut, on both sides and both twice; A or B whole and once, with as much as fits of the other one, twice; shorter
    loads, with which the cube can start sooner.
    """
    if p.schedule == ScheduleType.N_BUFFER_33:
        return _fitting([t.but(step_m=t.iters_m, step_ka=t.iters_k, step_kb=t.iters_k, loads_b=2)], p)
    if p.schedule == ScheduleType.OUTER_PRODUCT:
        return _fitting(_two_columns(t, p), p)
    a, b = t.block_bytes(p)
    room = p.l1 - t.base_n * p.column_bytes
    both = _passes(t, room // (2 * (a + b)))
    a_whole, b_whole = t.iters_m * t.iters_k, t.iters_n * t.iters_k
    found = [
        t.but(step_ka=both, step_kb=both, loads_a=2, loads_b=2),
        t.but(step_m=t.iters_m, step_ka=t.iters_k, step_kb=_passes(t, (room - a * a_whole) // (2 * b)), loads_b=2),
        t.but(step_n=t.iters_n, step_kb=t.iters_k, step_ka=_passes(t, (room - b * b_whole) // (2 * a)), loads_a=2),
        t.but(step_ka=t.iters_k, step_kb=_passes(t, (room - 2 * a * t.iters_k) // (2 * b)), loads_a=2, loads_b=2),
        t.but(step_kb=t.iters_k, step_ka=_passes(t, (room - 2 * b * t.iters_k) // (2 * a)), loads_a=2, loads_b=2),
        *(t.but(step_ka=each, step_kb=each, loads_a=2, loads_b=2) for each in (ceil_div(both, 2), ceil_div(both, 4))),
        t,  # one block of each
    ]
    if p.a_in_l1 and p.b_in_l1:
        found = [t.but(step_m=t.iters_m, step_ka=t.iters_k, step_n=t.iters_n, step_kb=t.iters_k)]
    elif p.a_in_l1:
        found = found[1:2]
    elif p.b_in_l1:
        found = found[2:3]
    return _fitting(found, p)


def _passes(t: Tilings, most: Ints) -> Ints:
    """Base blocks of K in one load: at most `most`, and about as many in each."""
    return np.where(most > 0, ceil_div(t.iters_k, ceil_div(t.iters_k, np.maximum(most, 1))), 0)


def _two_columns(t: Tilings, p: Problem) -> list[Tilings]:
    """Two blocks of the side that changes: its L0 is filled with one while the cube works with the other."""
    again = [1, 2]
    if p.order == 0:
        step = np.minimum(t.iters_n, 2)
        return [t.but(step_n=step, loads_a=x, loads_b=x) for x in reversed(again)]
    step = np.minimum(t.iters_m, 2)
    return [t.but(step_m=step, loads_a=x, loads_b=x) for x in reversed(again)]


def _fitting(found: list[Tilings], p: Problem) -> Tilings:
    return joined([t.where((t.step_ka > 0) & (t.step_kb > 0) & (t.l1_bytes(p) <= p.l1)) for t in found])
