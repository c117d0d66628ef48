# SPDX-License-Identifier: Apache-2.0
"""Problem -> one tiling. Of those that the model finds about equally fast, the one that published tilings and programs expect."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from aclimb.errors import InvalidArgument
from aclimb.tiling.candidates import grids, with_bases, with_rough_bases
from aclimb.tiling.l1 import with_steps
from aclimb.tiling.model import cycles
from aclimb.tiling.problem import Problem
from aclimb.tiling.tilings import Ints, Tilings, joined, round_up
from aclimb.tiling.words import ScheduleType

NEAR, NEAR_PUBLISHED = 1.02, 1.10  # what may be slower than the best, to be what is expected; published tilings give up more
NEAR_EVEN = 1.30  # equal parts of a large problem may cost more: not every kernel calls SetTail
_FEW, _FAR, _LARGE, _LONG = 8, 1.35, 1 << 30, 4096
_LEAST_M, _LEAST_N = 32, 256  # of a core, in published tilings that cut the axis


def choose(p: Problem) -> Tilings:
    """One element. Raises InvalidArgument where no tiling holds the rules."""
    found = grids(p)
    if not len(found):
        raise InvalidArgument(_no_grid(p))
    found = _promising(_expected_grids(found, p), p)
    tilings = with_steps(with_bases(found, p), p)
    if not len(tilings) or (_is_small(p) and p.schedule == ScheduleType.INNER_PRODUCT):
        tilings = joined([tilings, with_steps(with_bases(found, p, small=True), p)])
    if not len(tilings):
        raise InvalidArgument(_no_blocks(p))
    time = cycles(tilings, p)
    near = NEAR_PUBLISHED if p.dim <= 2 or max(p.m.length, p.n.length) > _LONG else NEAR
    near_even = NEAR_EVEN if p.m.length * p.n.length * p.k.length > _LARGE else near
    kept = np.flatnonzero(time <= np.where(_has_tails(tilings, p), near, near_even) * time.min())
    best = kept[np.lexsort(_preferences(tilings.where(kept), p))[0]]
    return tilings.where(np.array([best]))


def _is_small(p: Problem) -> bool:
    """Where filling and draining the pipes takes as long as the rest, which small blocks make shorter."""
    return p.m.length * p.n.length * p.k.length <= 1 << 21


def _expected_grids(t: Tilings, p: Problem) -> Tilings:
    """Grids that programs rely on where the interface does not fix them."""
    usual = _usual(t, p)
    rows = usual & (t.parts_m == 2) & (t.parts_n == 1)
    if p.dim == 2 and rows.any():
        return t.where(rows)  # the two AIVs of one AIC, which see the same B
    kept_in_l1 = p.a_in_l1 or p.b_in_l1 or p.schedule == ScheduleType.N_BUFFER_33
    return t.where(usual) if kept_in_l1 and usual.any() else t


def _promising(t: Tilings, p: Problem) -> Tilings:
    """Leaves out grids that are far behind, whatever else is chosen: most of them."""
    if len(t) < _FEW:
        return t
    time = cycles(with_rough_bases(t, p), p)
    return t.where(time <= _FAR * time.min())


def _usual(t: Tilings, p: Problem) -> NDArray[np.bool_]:
    least_m, least_n = (p.m.base if p.m.base > 0 else _LEAST_M), (p.n.base if p.n.base > 0 else _LEAST_N)
    result: NDArray[np.bool_] = ((t.parts_m == 1) | (t.single_m >= least_m)) & ((t.parts_n == 1) | (t.single_n >= least_n))
    return result


def _has_tails(t: Tilings, p: Problem) -> NDArray[np.bool_]:
    """Whether the last core of a row or column has less than the others."""
    result: NDArray[np.bool_] = p.m.length % t.single_m + p.n.length % t.single_n + p.k.length % t.single_k > 0
    return result


def _preferences(t: Tilings, p: Problem) -> list[Ints]:
    """Least first; the last of the list counts most."""
    used = t.parts_m * t.parts_n * t.parts_k
    area = round_up(t.single_m, 16) * round_up(t.single_n, 16) * t.single_k
    return [
        np.arange(len(t)),  # as with_steps lists them
        t.iters_m * t.iters_n,
        -t.base_m * t.base_n,
        -t.base_n,
        t.parts_m,
        t.parts_n,
        area * (t.base_m + t.base_n) // (t.base_m * t.base_n),
        area,
        _has_tails(t, p).astype(np.int64),
        (~_usual(t, p)).astype(np.int64),
        (t.parts_m > 1).astype(np.int64) * p.c_aligned,  # kernels step through C by N, which is not its row
        ((used % 2 == 1) & (used > 1)).astype(np.int64) * (p.dim % 2 == 0),  # mixed kernels start half as many blocks
        (t.single_n % t.base_n != 0).astype(np.int64) * p.c_in_ub,  # a base block in UB is one row pitch wide
    ]


def _no_grid(p: Problem) -> str:
    singles = tuple(axis.single for axis in (p.m, p.n, p.k))
    if max(singles) > 0:
        cut = (p.m, p.n, p.k) if p.split_k else (p.m, p.n)
        needed = math.prod(-(-axis.length // axis.single) for axis in cut if axis.single > 0)
        return f"SetSingleShape{singles} takes {needed} cores for {_shape(p)}; SetDim allows {p.dim}"
    low = (p.m.low, p.n.low, p.k.low)
    high = (p.m.high, p.n.high, p.k.high)
    return f"no part of {_shape(p)} lies between {low} and {high} with {p.dim} cores; widen SetSingleRange or give SetDim more"


def _no_blocks(p: Problem) -> str:
    fixed = tuple(axis.base for axis in (p.m, p.n, p.k))
    room = f"L0A {p.l0a}, L0B {p.l0b}, L0C {p.l0c}, L1 {p.l1}, UB {p.ub}, bias table {p.bt} bytes"
    if any(each > 0 for each in fixed):
        return f"SetFixSplit{fixed} does not fit {_shape(p)} on {p.dim} cores: blocks at most as large as a core's part, and {room}"
    if p.schedule == ScheduleType.OUTER_PRODUCT:
        return f"OUTER_PRODUCT takes K in one base block, and K of {_shape(p)} does not fit: {room}"
    if p.schedule == ScheduleType.N_BUFFER_33:
        return f"N_BUFFER_33 keeps a core's A as 3 x 3 base blocks, and that of {_shape(p)} does not fit: {room}"
    return f"no base block of {_shape(p)} fits: {room}"


def _shape(p: Problem) -> str:
    return f"{p.m.length} x {p.n.length} x {p.k.length}"
