# SPDX-License-Identifier: Apache-2.0
"""Tilings that hold the rules: cores in a grid, then base blocks, then what L1 keeps. Each stage is arrays with one element a tiling."""

from __future__ import annotations

import numpy as np

from aclimb.tiling.problem import Axis, Problem, up
from aclimb.tiling.tilings import Ints, Tilings, ceil_div, joined, round_up
from aclimb.tiling.words import ScheduleType

_WIDE = 256  # base 128 x 256, or the other way round, is what the cube is fed with best
_SMALL = ((16, 16), (32, 32), (64, 64), (16, 64), (64, 16), (32, 128), (128, 32))
_K_PART = 512  # a core that has less of K than this waits more than it computes


# --- the grid of cores


def parts_of(axis: Axis, most: int) -> list[tuple[int, int]]:
    """(parts, length of one) of an axis, without those that leave a part empty."""
    if axis.single > 0:
        return [(-(-axis.length // axis.single), axis.single)]
    found = []
    for parts in range(1, most + 1):
        single = axis.length if parts == 1 else up(-(-axis.length // parts), axis.align)
        if -(-axis.length // single) == parts and axis.low <= single <= axis.high:
            found.append((parts, single))
    return found


def grids(p: Problem) -> Tilings:
    """One element for each way to give the cores their parts. Everything else is 1."""
    across = parts_of(p.m, 1 if p.a_in_l1 or (p.schedule == ScheduleType.N_BUFFER_33 and p.m.length < 2 * 384) else p.dim)
    along = parts_of(p.n, 1 if p.b_in_l1 else p.dim)
    whole_k = p.k.single if p.k.single > 0 else p.k.length
    deep = -(-p.k.length // whole_k) if p.split_k else 1
    rows = [(m, n, deep, sm, sn, whole_k) for m, sm in across for n, sn in along if m * n * deep <= p.dim]
    if p.split_k and p.k.single <= 0:
        rows += [(1, 1, k, sm, sn, sk) for m, sm in across for n, sn in along if m == n == 1 for k, sk in _parts_of_k(p)]
    table = np.array(rows, dtype=np.int64).reshape(-1, 6).T
    names = ("parts_m", "parts_n", "parts_k", "single_m", "single_n", "single_k")
    return Tilings.of(**dict(zip(names, table, strict=True)))


def _parts_of_k(p: Problem) -> list[tuple[int, int]]:
    """The most parts that are equal, and the most parts."""
    most = min(p.dim, p.k.length // _K_PART)
    found = [each for each in parts_of(p.k, most) if each[0] > 1]
    equal = [each for each in found if each[0] * each[1] == p.k.length]
    return list(dict.fromkeys([*equal[-1:], *found[-1:]]))


# --- base blocks


def with_bases(t: Tilings, p: Problem, *, small: bool = False) -> Tilings:
    """Each grid with some base blocks that fit L0, `small` with many."""
    m, n = round_up(t.single_m, p.m.block), round_up(t.single_n, p.n.block)
    widest = np.where(n <= _WIDE // 2, _WIDE, _WIDE // 2)
    pairs: list[tuple[Ints | int, int]] = [(widest, _WIDE)]
    if p.schedule != ScheduleType.N_BUFFER_33:
        pairs += [(128, 256), (256, 128), (128, 128), (64, 64)]
    if small:
        pairs = list(_SMALL)
    found = [t.but(base_m=_limited(p.m, m, a), base_n=_limited(p.n, n, b)) for a, b in pairs]
    if not small and p.schedule != ScheduleType.N_BUFFER_33:
        found += [_even(each, p) for each in found]
    return _with_depth(joined(_different(found)), p, small)


def _different(found: list[Tilings]) -> list[Tilings]:
    """Without those whose base blocks an earlier one has."""
    kept = []
    for i, each in enumerate(found):
        again = [(each.base_m == other.base_m) & (each.base_n == other.base_n) for other in found[:i]]
        kept.append(each.where(~np.any(again, axis=0)) if again else each)
    return kept


def with_rough_bases(t: Tilings, p: Problem) -> Tilings:
    """Each grid once, with about the base blocks that it will have. Whether they fit is not asked."""
    m, n = (_limited(axis, round_up(single, axis.block), 128) for axis, single in ((p.m, t.single_m), (p.n, t.single_n)))
    k = np.minimum(round_up(t.single_k, p.k.block), max(2048 // p.a_bits, p.k.block))
    t = t.but(base_m=m, base_n=n, base_k=k, db_a=2, db_b=2, db_c=2, loads_a=2, loads_b=2).counted()
    steps = np.minimum(t.iters_k, 4)
    return t.but(step_ka=steps, step_kb=steps)


def _limited(axis: Axis, length: Ints, wanted: Ints | int) -> Ints | int:
    if axis.base > 0:
        return axis.base
    return np.maximum(np.minimum(length, wanted // axis.block * axis.block), axis.block)


def _even(t: Tilings, p: Problem) -> Tilings:
    """As many blocks, all of the same size as far as fractals allow."""
    m = t.base_m if p.m.base > 0 else round_up(ceil_div(t.single_m, ceil_div(t.single_m, t.base_m)), p.m.block)
    n = t.base_n if p.n.base > 0 else round_up(ceil_div(t.single_n, ceil_div(t.single_n, t.base_n)), p.n.block)
    return t.but(base_m=m, base_n=n)


def _with_depth(t: Tilings, p: Problem, small: bool) -> Tilings:
    """base_k: as deep as half of L0A and of L0B, so that one half is filled while the other is used; all of it where that is not enough."""
    a_bits, b_bits = t.base_m * p.a_bits, t.base_n * p.b_bits
    deepest = round_up(t.single_k, p.k.block)
    half = np.minimum(p.l0a * 4 // a_bits, p.l0b * 4 // b_bits) // p.k.block * p.k.block
    whole = np.minimum(p.l0a * 8 // a_bits, p.l0b * 8 // b_bits) // p.k.block * p.k.block
    if p.k.base > 0:
        depth = np.full_like(half, p.k.base)
    else:
        depth = np.minimum(np.where(half > 0, half, whole), deepest)
        if p.schedule == ScheduleType.N_BUFFER_33:  # at most 3 base blocks of K
            depth = np.maximum(depth, np.minimum(round_up(ceil_div(t.single_k, 3), p.k.block), whole))
        if p.schedule == ScheduleType.OUTER_PRODUCT:  # K in one
            depth = np.minimum(deepest, whole)
    if small:
        shallow = [t.but(base_k=np.minimum(depth, each)) for each in (64, 1 << 20)]
        t = joined(shallow)
    else:
        t = t.but(base_k=depth)
    return _fitting_l0(t, p)


def _fitting_l0(t: Tilings, p: Problem) -> Tilings:
    a, b, c = t.base_m * t.base_k * p.a_bits // 8, t.base_n * t.base_k * p.b_bits // 8, t.base_m * t.base_n * 4
    # The rules of SetFixSplit: a base block is not larger than what one core has, but for fractals.
    fits = (a > 0) & (a <= p.l0a) & (b <= p.l0b) & (c <= p.l0c)
    fits &= (t.base_m <= round_up(t.single_m, p.m.block)) & (t.base_n <= round_up(t.single_n, p.n.block))
    if p.bias_bits:
        fits &= t.base_n * 4 <= p.bt
    if p.quant_vector:
        fits &= t.base_n * 8 <= 2048
    if p.c_in_ub:
        # Two such buffers and what the kernel makes of them; a base block that is given has to fit once.
        given = p.m.base > 0 or p.n.base > 0
        fits &= t.base_m * t.base_n * p.c_bits // 8 <= (p.ub if given else (p.ub + 256) // 3)
    t = t.but(db_a=1 + (2 * a <= p.l0a), db_b=1 + (2 * b <= p.l0b), db_c=1 + (2 * c <= p.l0c)).where(fits).counted()
    if p.schedule == ScheduleType.OUTER_PRODUCT:
        return t.where((t.iters_k == 1) & (t.db_c == 2))
    return t.where((t.iters_k <= 3) & (t.iters_m <= 3)) if p.schedule == ScheduleType.N_BUFFER_33 else t
