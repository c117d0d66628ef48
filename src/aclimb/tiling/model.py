# SPDX-License-Identifier: Apache-2.0
"""How long a matmul would take with a tiling: four pipes that overlap, and the memory that all cores share.

The numbers are those of the timing model (chips/data). It is a formula where that one walks through every instruction: good enough to say
which of two tilings is the faster one, not how long either takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import chips
from aclimb.tiling.problem import Problem
from aclimb.tiling.tilings import Ints, Tilings, ceil_div

Floats = NDArray[np.floating[Any]]
# Cycles that keeping the pipes in order costs; fitted to profiles of kernels with a Matmul object. A step of the cube waits for the sum
# before it, a block for FIX, a load for its latency.
_STEP, _BLOCK, _LOAD, _FILL = 34, 250, 100, 200
_CHIP = "Ascend910_9392"  # for rates; A2 and A3 are taken to have the same


@dataclass(frozen=True, slots=True)
class Rates:
    """Cycles, and bytes a cycle."""

    miss: float
    hit: float
    hbm: float
    l2: float
    to_a: float
    to_b: float
    fix: float
    row: float
    copy: float
    read: float  # latency
    hand_over: float
    written: float
    mmad: float
    launch: float
    block: float
    cube_k: dict[int, float]  # by bits of A


@cache
def rates() -> Rates:
    known = {name: each.value for name, each in chips.timing(_CHIP).parameters.items()}
    cycles = known["clock_mhz"] / 1000  # in a ns
    return Rates(
        miss=known["aic_rd_miss"], hit=known["aic_rd_hit"], hbm=known["hbm_gbs"] / cycles, l2=known["l2_gbs"] / cycles,
        to_a=known["l1_l0a"], to_b=known["l1_l0b"], fix=known["fix_gm"], row=known["nd2nz_row_min"], copy=known["mte_issue"],
        read=known["gm_rd_lat_miss_ns"] * cycles, hand_over=known["mte1_fixed"] + 3 * known["flag_handover"],
        written=known["fix_fixed"] + known["gm_wr_lat_ns"] * cycles, mmad=known["mmad_dt"],
        launch=known["launch_base_ns"] * cycles, block=known["dispatch_ns"] * cycles,
        cube_k={4: known["cube_k_i4"], 8: known["cube_k_i8"], 16: known["cube_k_f16"], 32: known["cube_k_f32"]},
    )  # fmt: skip


def cycles(t: Tilings, p: Problem) -> Floats:
    """From launch to end."""
    r = rates()
    used = t.parts_m * t.parts_n * t.parts_k
    a, b = _reads(t, p, r)
    unique = (p.m.length * p.k.length * p.a_bits + p.k.length * p.n.length * p.b_bits) / 8
    c_bytes = p.m.length * p.n.length * p.c_bits / 8 * np.where(t.parts_k > 1, 2 * t.parts_k, 1)  # an atomic add reads, too
    shared = np.maximum((unique + c_bytes) / r.hbm, used * (a.bytes + b.bytes) / r.l2)
    missed = np.minimum(unique / used / (a.bytes + b.bytes), 1)
    rate = 1 / (missed / r.miss + (1 - missed) / r.hit)
    mte2 = np.maximum(a.bytes / rate, a.floor) + np.maximum(b.bytes / rate, b.floor)
    first = r.read + (a.first + b.first) / rate
    drain = t.base_m * t.base_n * p.c_bits / 8 / r.fix + r.written
    loads = t.iters_m * ceil_div(t.iters_k, t.step_ka) + t.iters_n * ceil_div(t.iters_k, t.step_kb)
    core = first + _compute(t, p, r, np.maximum(mte2 - first + r.read, 0) + _LOAD * loads) + r.hand_over + drain + _FILL * loads
    rounds = np.where(used > 1, p.clients, 1)
    result: Floats = r.launch + r.block * used + np.maximum(core * rounds, shared)
    return result


@dataclass(frozen=True, slots=True)
class _Reads:
    bytes: Floats  # of one core
    floor: Floats  # cycles that copies take however short they are
    first: Floats  # bytes of the first load


def _reads(t: Tilings, p: Problem, r: Rates) -> tuple[_Reads, _Reads]:
    """Order M: A comes again for each column of blocks, unless L1 keeps it; B for each row of blocks, unless L1 keeps its column."""
    held_a, held_b = t.step_m * t.step_ka * t.loads_a, t.step_n * t.step_kb * t.loads_b
    rows, columns, deep = t.iters_m, t.iters_n, t.iters_k
    need_a, need_b = (rows * deep, deep) if p.order == 0 else (deep, columns * deep)
    times_a, times_b = np.where(held_a >= need_a, 1, columns), np.where(held_b >= need_b, 1, rows)
    bytes_a = t.single_m * t.single_k * times_a * p.a_bits / 8 * (not p.a_in_l1) + 1
    bytes_b = t.single_n * t.single_k * times_b * p.b_bits / (16 if p.is_sparse else 8) * (not p.b_in_l1) + 1
    across, along = np.minimum(t.step_m * t.base_m, t.single_m), np.minimum(t.step_n * t.base_n, t.single_n)
    deep_a, deep_b = np.minimum(t.step_ka * t.base_k, t.single_k), np.minimum(t.step_kb * t.base_k, t.single_k)
    return (
        _side(bytes_a, across, deep_a, p.a_bits, p.a_trans, p.a_rows, r),
        _side(bytes_b, along, deep_b, p.b_bits, not p.b_trans, p.b_rows, r),
    )


def _side(total: Floats, outer: Ints, deep: Ints, bits: int, is_turned: bool, by_rows: bool, r: Rates) -> _Reads:
    load = outer * deep * bits / 8
    row = (outer if is_turned else deep) * bits / 8
    floor = np.maximum(total / row * r.row, total / load * r.copy) if by_rows else total / load * r.copy
    return _Reads(total, floor, np.minimum(load, total))


def _compute(t: Tilings, p: Problem, r: Rates, mte2: Floats) -> Floats:
    """What overlaps does: MTE2 with the rest where L1 is filled twice, MTE1 with M, M with FIX."""
    blocks = t.iters_m * t.iters_n
    fractals = ceil_div(t.single_m, 16) * ceil_div(t.single_n, 16)
    mte1 = t.single_k * (t.single_m * t.iters_n * p.a_bits / 8 / r.to_a + t.single_n * t.iters_m * p.b_bits / 8 / r.to_b)
    mmad = fractals * ceil_div(t.single_k, p.k.block) * (p.k.block / r.cube_k[p.a_bits]) + blocks * t.iters_k * r.mmad
    fix = t.single_m * t.single_n * p.c_bits / 8 / r.fix
    fed = (t.db_a > 1) & (t.db_b > 1)
    inner = np.where(fed, np.maximum(mte1, mmad), mte1 + mmad + blocks * t.iters_k * r.hand_over)
    inner = inner + _STEP * blocks * t.iters_k + _BLOCK * blocks
    drained = np.where(t.db_c > 1, np.maximum(inner, fix), inner + fix + (blocks - 1) * r.hand_over)
    once_a, once_b = t.loads_a == 1, t.loads_b == 1
    kept_a = t.step_m * t.step_ka >= t.iters_m * t.iters_k
    kept_b = t.step_n * t.step_kb >= t.iters_n * t.iters_k
    waits = (once_a & ~kept_a) | (once_b & ~kept_b)
    result: Floats = np.where(waits, mte2 + drained + blocks * t.iters_k * r.hand_over, np.maximum(mte2, drained))
    return result
