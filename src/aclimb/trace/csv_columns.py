# SPDX-License-Identifier: Apache-2.0
"""The columns of the CSV files for Atlas A2 and A3, in the order in which tools read them, and where each value comes from.

Column names: msopprof, metric_csv_header.h. A value is None, and `NA` in the file, where the profile has no number for it.
The time of a pipe is the time in which it has work under way (`active_us`): that is what the chip's counters count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Number = float | int | None


@dataclass(frozen=True)
class Core:
    """One core of a launch: a row of every file."""

    row: dict[str, Any]
    clock_mhz: float
    peaks: dict[str, float]

    @property
    def time_us(self) -> float:
        return float(self.row["end_us"] - self.row["start_us"])

    @property
    def cycles(self) -> int:
        return round(self.time_us * self.clock_mhz)

    def pipe(self, name: str, key: str) -> Number:
        pipe = self.row["pipes"].get(name)
        return None if pipe is None else pipe.get(key)

    def counter(self, name: str) -> Number:
        value: Number = self.row.get("counters", {}).get(name)
        # Without a counter: the pipe that serves one path only has moved the same bytes.
        path = {("AIV", "GM_to_UB_bytes"): "MTE2", ("AIV", "UB_to_GM_bytes"): "MTE3",
                ("AIC", "GM_to_L1_bytes"): "MTE2", ("AIC", "L1_to_GM_bytes"): "MTE3"}.get((self.row["type"], name))  # fmt: skip
        return self.pipe(path, "bytes") if value is None and path else value


Value = Callable[[Core], Number]
Column = tuple[str, Value]


def _over(value: Number, whole: float | None) -> Number:
    return None if value is None or not whole else value / whole


def pipe_time(pipe: str) -> Value:
    return lambda core: core.pipe(pipe, "active_us")


def pipe_ratio(pipe: str) -> Value:
    return lambda core: _over(core.pipe(pipe, "active_us"), core.time_us)


def pipe_wait(pipe: str) -> Value:
    return lambda core: _over(core.pipe(pipe, "flag_us"), core.time_us)


def instructions(pipe: str) -> Value:
    return lambda core: core.pipe(pipe, "instructions")


def active_bandwidth(pipe: str) -> Value:
    """GB/s while the pipe is at work."""
    return lambda core: _over(_over(core.pipe(pipe, "bytes"), core.pipe(pipe, "active_us")), 1e3)


def counter(name: str) -> Value:
    return lambda core: core.counter(name)


def counted_time(name: str) -> Value:
    return lambda core: _over(core.counter(name), core.clock_mhz)


def counted_ratio(*names: str) -> Value:
    """The cycles counted under these names as a share of the core's cycles; None where one of them is not counted."""

    def ratio(core: Core) -> Number:
        counts = [core.counter(name) for name in names]
        known = [each for each in counts if each is not None]
        return _over(sum(known), core.cycles) if len(known) == len(counts) else None

    return ratio


def bandwidth(name: str) -> Value:
    """GB/s over the whole time of the core."""
    return lambda core: _over(_over(core.counter(name), core.time_us), 1e3)


def kilobytes(name: str) -> Value:
    return lambda core: _over(core.counter(name), 1024)


def usage_rate(path: str) -> Value:
    """Percent of the path's peak for one core."""

    def rate(core: Core) -> Number:
        achieved = bandwidth(f"{path}_bytes")(core)
        share = _over(achieved, core.peaks.get(path))
        return None if share is None else share * 100

    return rate


def hit_rate(*kinds: str) -> Value:
    """Percent of the L2 accesses of these kinds that hit."""

    def rate(core: Core) -> Number:
        hits = [core.counter(f"l2_{kind}_hits") for kind in kinds]
        misses = [core.counter(f"l2_{kind}_misses") for kind in kinds]
        known = [each for each in (*hits, *misses) if each is not None]
        if len(known) < 2 * len(kinds) or not sum(known):
            return None
        return 100 * sum(each for each in hits if each is not None) / sum(known)

    return rate


def _scalar(core: str, stalls: tuple[tuple[str, str], ...]) -> list[Column]:
    timed = [("single_time", "scalar_single_cycles"), ("dual_time", "scalar_dual_cycles"), *stalls,
             ("wait_ib_time", "scalar_wait_ib_cycles"), ("wait_time", "scalar_wait_cycles")]  # fmt: skip
    return [
        (f"{core}_icache_miss_rate", counter("icache_miss_rate")),
        (f"{core}_scalar_time(us)", pipe_time("S")),
        (f"{core}_scalar_ratio", pipe_ratio("S")),
        *((f"{core}_scalar_{column}(us)", counted_time(name)) for column, name in timed),
    ]


def _l2(core: str) -> list[Column]:
    reads = ("r0_read", "r1_read")
    counts = [
        (f"{core}_{kind}_cache_{column}", counter(f"l2_{kind}_{name}"))
        for kind in ("write", *reads)
        for column, name in (("hit", "hits"), ("miss_allocate", "misses"))
    ]
    rates = [("write", hit_rate("write")), ("read", hit_rate(*reads)), ("total", hit_rate("write", *reads))]
    return [*counts, *((f"{core}_{name}_hit_rate(%)", value) for name, value in rates)]


def _moves(core: str, pipes: tuple[str, ...]) -> list[Column]:
    parts = (("instructions", instructions), ("ratio", pipe_ratio))
    return [(f"{core}_{pipe.lower()}_{name}", value(pipe)) for pipe in pipes for name, value in parts]


def _main_memory(core: str) -> list[Column]:
    return [(f"{core}_main_mem_{way}_bw(GB/s)", bandwidth(f"main_memory_{way}_bytes")) for way in ("read", "write")]


def _paths() -> list[Column]:
    columns: list[Column] = [(f"{way}_main_memory_datas(KB)", kilobytes(f"main_memory_{way}_bytes")) for way in ("read", "write")]
    for path in ("GM_to_L1", "L1_to_GM", "L0C_to_L1", "L0C_to_GM", "GM_to_UB", "UB_to_GM"):
        mark = "(estimate)" if path == "L1_to_GM" else ""
        columns += [(f"{path}_datas(KB){mark}", kilobytes(f"{path}_bytes")), (f"{path}_bw_usage_rate(%){mark}", usage_rate(path))]
    return columns


CUBE_STALLS = tuple((f"{pipe}_stall_time", f"scalar_stall_{pipe}_cycles") for pipe in ("mte1", "mte2", "mte3", "cube"))
VECTOR_STALLS = (
    ("mte2_stall_time", "scalar_stall_mte2_cycles"),
    ("mte3_stall_time", "scalar_stall_mte3_cycles"),
    ("stall_by_ub_time", "scalar_stall_ub_cycles"),
    ("vector_stall_time", "scalar_stall_vector_cycles"),
)
CONFLICTS = tuple(f"vec_{kind}_conflict_cycles" for kind in ("bankgroup", "bank", "resource", "mte"))

# file -> (columns of AIC, columns of AIV, columns of both)
FILES: dict[str, tuple[list[Column], list[Column], list[Column]]] = {
    "PipeUtilization": (
        [("aic_cube_time(us)", pipe_time("M")), ("aic_cube_ratio", pipe_ratio("M")),
         ("aic_mte1_time(us)", pipe_time("MTE1")), ("aic_mte1_ratio", pipe_ratio("MTE1")),
         ("aic_mte2_time(us)", pipe_time("MTE2")), ("aic_mte2_ratio", pipe_ratio("MTE2")),
         ("aic_mte3_time(us)", pipe_time("MTE3")), ("aic_mte3_ratio", pipe_ratio("MTE3")),
         ("aic_mte3_active_bw(GB/s)", active_bandwidth("MTE3")),
         ("aic_fixpipe_time(us)", pipe_time("FIX")), ("aic_fixpipe_ratio", pipe_ratio("FIX")),
         ("aic_fixpipe_active_bw(GB/s)", active_bandwidth("FIX")), *_scalar("aic", CUBE_STALLS)],
        [("aiv_vec_time(us)", pipe_time("V")), ("aiv_vec_ratio", pipe_ratio("V")),
         ("aiv_mte2_time(us)", pipe_time("MTE2")), ("aiv_mte2_ratio", pipe_ratio("MTE2")),
         ("aiv_mte2_active_bw(GB/s)", active_bandwidth("MTE2")),
         ("aiv_mte3_time(us)", pipe_time("MTE3")), ("aiv_mte3_ratio", pipe_ratio("MTE3")),
         ("aiv_mte3_active_bw(GB/s)", active_bandwidth("MTE3")), *_scalar("aiv", VECTOR_STALLS)],
        [],
    ),
    "ArithmeticUtilization": (
        [("aic_cube_ratio", pipe_ratio("M")), ("aic_cube_fp16_ratio", counted_ratio("cube_fp16_cycles")),
         ("aic_cube_int8_ratio", counted_ratio("cube_int8_cycles")), ("aic_cube_fops", counter("cube_fops")),
         ("aic_cube_total_instr_number", instructions("M")), ("aic_cube_fp_instr_number", counter("cube_fp_instructions")),
         ("aic_cube_int_instr_number", counter("cube_int_instructions"))],
        [("aiv_vec_ratio", pipe_ratio("V")),
         *((f"aiv_vec_{kind}_ratio", counted_ratio(f"vec_{kind}_cycles")) for kind in ("fp32", "fp16", "int32", "int16", "misc")),
         ("aiv_vec_fops", counter("vec_fops"))],
        [],
    ),
    "ResourceConflictRatio": (
        [("aic_cube_wait_ratio", pipe_wait("M")), ("aic_mte1_wait_ratio", pipe_wait("MTE1")),
         ("aic_mte2_wait_ratio", pipe_wait("MTE2")), ("aic_mte3_wait_ratio", pipe_wait("MTE3"))],
        [("aiv_vec_total_cflt_ratio", counted_ratio(*CONFLICTS)),
         *((f"aiv_vec_{column}_cflt_ratio", counted_ratio(name))
           for column, name in zip(("bankgroup", "bank", "resc", "mte"), CONFLICTS, strict=True)),
         ("aiv_vec_wait_ratio", pipe_wait("V")), ("aiv_mte2_wait_ratio", pipe_wait("MTE2")), ("aiv_mte3_wait_ratio", pipe_wait("MTE3"))],
        [],
    ),
    "L2Cache": (_l2("aic"), _l2("aiv"), []),
    "Memory": (
        [("aic_l1_read_bw(GB/s)", bandwidth("L1_read_bytes")), ("aic_l1_write_bw(GB/s)", bandwidth("L1_write_bytes")),
         *_main_memory("aic"), *_moves("aic", ("MTE1", "MTE2", "MTE3"))],
        [("aiv_ub_to_gm_bw(GB/s)", bandwidth("UB_to_GM_bytes")), ("aiv_gm_to_ub_bw(GB/s)", bandwidth("GM_to_UB_bytes")),
         *_main_memory("aiv"), *_moves("aiv", ("MTE2", "MTE3"))],
        _paths(),
    ),
    "MemoryL0": (
        [(f"aic_{place}_{way}_bw{unit}(GB/s)", bandwidth(f"{place.upper()}_{way}_bytes"))
         for place, unit in (("l0a", ""), ("l0b", ""), ("l0c", "_cube")) for way in ("read", "write")],
        [],
        [],
    ),
    "MemoryUB": (
        [],
        [(f"aiv_ub_{way}_bw_{unit}(GB/s)", bandwidth(f"UB_{way}_{unit}_bytes"))
         for unit in ("vector", "scalar") for way in ("read", "write")],
        [],
    ),
}  # fmt: skip
