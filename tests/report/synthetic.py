# SPDX-License-Identifier: Apache-2.0
"""Profiles without an engine: a toy chip with in-order pipes and flags runs a double-buffered add and a tiled matmul.

Always the same numbers for the same arguments. Times are whole picoseconds until the end, so that the parts of a pipe add up.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

PIPES = {"AIV": ("S", "V", "MTE2", "MTE3"), "AIC": ("S", "M", "MTE1", "MTE2", "FIX")}
ADD = """\
// Adds two vectors, tile by tile, with two buffers in flight.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t kTile = 8192;

extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t tiles) {
    GlobalTensor<half> xGm, yGm, zGm;
    xGm.SetGlobalBuffer((__gm__ half*)x + GetBlockIdx() * tiles * kTile, tiles * kTile);
    yGm.SetGlobalBuffer((__gm__ half*)y + GetBlockIdx() * tiles * kTile, tiles * kTile);
    zGm.SetGlobalBuffer((__gm__ half*)z + GetBlockIdx() * tiles * kTile, tiles * kTile);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> xQueue, yQueue;
    TQue<TPosition::VECOUT, 2> zQueue;
    for (uint32_t i = 0; i < tiles; ++i) {
        LocalTensor<half> xLocal = xQueue.AllocTensor<half>();
        LocalTensor<half> yLocal = yQueue.AllocTensor<half>();
        DataCopy(xLocal, xGm[i * kTile], kTile);
        DataCopy(yLocal, yGm[i * kTile], kTile);
        xQueue.EnQue(xLocal);
        yQueue.EnQue(yLocal);
        LocalTensor<half> zLocal = zQueue.AllocTensor<half>();
        Add(zLocal, xQueue.DeQue<half>(), yQueue.DeQue<half>(), kTile); /* the only arithmetic */
        zQueue.EnQue(zLocal);
        DataCopy(zGm[i * kTile], zQueue.DeQue<half>(), kTile);
        zQueue.FreeTensor(zLocal);
    }
}
"""
MATMUL = """\
#include "kernel_operator.h"

// One 128 x 128 tile of C a step.
extern "C" __global__ __aicore__ void matmul_custom(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t steps) {
    Tiles tiles(a, b, c);
    for (uint32_t k = 0; k < steps; ++k) {
        AscendC::DataCopy(tiles.a1, tiles.aGm[k], tiles.nd2nz);
        AscendC::LoadData(tiles.a2, tiles.a1, tiles.load);
        AscendC::Mmad(tiles.c1, tiles.a2, tiles.b2, tiles.mmad);
        if (k % 4 == 3) AscendC::Fixpipe(tiles.cGm[k / 4], tiles.c1, tiles.fixpipe);
    }
}
"""
HARDWARE = "chip data file"


@dataclass
class Step:
    pipe: str
    name: str
    line: int
    ps: int
    bytes: int = 0
    after: tuple[int, ...] = ()  # steps of the same core whose flags this one waits for
    memory_ps: int = 0  # of ps, spent waiting for memory
    tail_ps: int = 0  # visible that much later than the pipe is free


@dataclass
class Lane:
    free: int
    busy: int = 0
    memory: int = 0
    flag: int = 0
    empty: int = 0
    active: int = 0
    active_until: int = 0
    slices: list[tuple[int, int, str, int, int, int]] = field(default_factory=list)  # start, ps, name, line, bytes, step


def add_steps(tiles: int, rng: random.Random) -> list[Step]:
    steps: list[Step] = []
    for i in range(tiles):
        at, wait = len(steps), 160_000 + rng.randrange(60_000)
        buffer = (at - 7,) if i >= 2 else ()  # the Add of two tiles ago frees the buffers
        steps.append(Step("S", "scalar", 15, 20_000 + rng.randrange(9_000)))
        steps.append(Step("MTE2", "DataCopy", 17, 240_000 + wait, 16384, buffer, wait, 90_000))
        steps.append(Step("MTE2", "DataCopy", 18, 240_000 + wait, 16384, (), wait, 90_000))
        steps.append(Step("V", "Add", 22, 55_000, 0, (at + 1, at + 2)))
        steps.append(Step("MTE3", "DataCopy", 24, 210_000 + wait // 3, 16384, (at + 3,), wait // 3, 40_000))
    return steps


def matmul_steps(tiles: int, rng: random.Random) -> list[Step]:
    steps: list[Step] = []
    for i in range(tiles):
        at = len(steps)
        steps.append(Step("S", "scalar", 6, 14_000 + rng.randrange(5_000)))
        steps.append(Step("MTE2", "DataCopy", 7, 330_000 + rng.randrange(90_000), 32768, (), 120_000, 60_000))
        steps.append(Step("MTE1", "LoadData", 8, 140_000, 32768, (at + 1,)))
        steps.append(Step("M", "Mmad", 9, 300_000 + rng.randrange(20_000), 0, (at + 2,)))
        last = Step("FIX", "Fixpipe", 10, 190_000, 65536, (at + 3,), 30_000)
        steps.append(last if i % 4 == 3 else Step("S", "scalar", 6, 4_000))
    return steps


def run(steps: list[Step], pipes: tuple[str, ...], start: int) -> tuple[dict[str, Lane], list[int], dict[Any, list[int]], int]:
    """Lanes, when each step is done, waits as {(pipe, kind, cause, line, line of the setter): [ps, count]}, and the end."""
    lanes = {pipe: Lane(start, active_until=start) for pipe in pipes}
    done: list[int] = []
    waits: dict[Any, list[int]] = defaultdict(lambda: [0, 0])
    issued = start
    for n, step in enumerate(steps):
        lane = lanes[step.pipe]
        issued += 2_000
        arrived = max(lane.free, issued)
        setter = max(step.after, key=lambda s: done[s]) if step.after else None
        begin = max(arrived, done[setter] if setter is not None else 0)
        lane.empty += arrived - lane.free
        lane.flag += begin - arrived
        lane.busy += step.ps - step.memory_ps
        lane.memory += step.memory_ps
        lane.free = begin + step.ps
        finished = lane.free + step.tail_ps
        lane.active += max(0, finished - max(begin, lane.active_until))
        lane.active_until = max(lane.active_until, finished)
        lane.slices.append((begin, step.ps + step.tail_ps, step.name, step.line, step.bytes, n))
        done.append(finished)
        if setter is not None and begin > arrived:
            flag = f"{steps[setter].pipe}_{step.pipe} {n // 5 % 2}"
            _note(waits, (step.pipe, "flag", flag, step.line, steps[setter].line), begin - arrived)
        if step.memory_ps:
            _note(waits, (step.pipe, "memory", "HBM", step.line, None), step.memory_ps)
        if step.pipe == "S":
            issued = lane.free
    end = max(lane.active_until for lane in lanes.values())
    for lane in lanes.values():
        lane.empty += end - lane.free
    return lanes, done, waits, end


def _note(waits: dict[Any, list[int]], key: Any, ps: int) -> None:
    waits[key][0] += ps
    waits[key][1] += 1


class Builder:
    def __init__(self) -> None:
        self.names: list[str] = []
        self.sites: list[dict[str, Any]] = []
        self.lanes: list[dict[str, Any]] = []
        self.columns: dict[str, list[Any]] = {key: [] for key in ("lane", "name", "site", "start_us", "dur_us", "bytes")}
        self.flows: list[list[int]] = []
        self.launches: list[dict[str, Any]] = []

    def index(self, table: list[Any], value: Any) -> int:
        if value not in table:
            table.append(value)
        return table.index(value)

    def add_core(self, launch: int, core: str, file: str, steps: list[Step], lanes: dict[str, Lane]) -> None:
        where: dict[int, int] = {}
        for pipe, lane in lanes.items():
            self.lanes.append({"launch": launch, "core": core, "pipe": pipe})
            for start, ps, name, line, size, step in lane.slices:
                where[step] = len(self.columns["lane"])
                site = self.index(self.sites, {"file": file, "line": line}) if name != "scalar" else -1
                row = (len(self.lanes) - 1, self.index(self.names, name), site, start / 1e6, ps / 1e6, size)
                for column, value in zip(self.columns.values(), row, strict=True):
                    column.append(value)
        self.flows += [[where[s], where[n]] for n, step in enumerate(steps) for s in step.after]


def launch(builder: Builder, kernel: str, cores: int, tiles: int, start: int, seed: int) -> int:
    number, is_cube = len(builder.launches), kernel.startswith("matmul")
    kind, file = ("AIC", "matmul.cpp") if is_cube else ("AIV", "add.cpp")
    rows: list[dict[str, Any]] = []
    totals: dict[Any, list[int]] = defaultdict(lambda: [0, 0])
    ends: list[int] = []
    moved = {"read": 0, "write": 0}
    count = 0
    for n in range(cores):
        rng = random.Random(seed * 1000 + n)
        steps = matmul_steps(tiles, rng) if is_cube else add_steps(tiles, rng)
        begin = start + 500_000 + 50_000 * n
        lanes, _, waits, end = run(steps, PIPES[kind], begin)
        builder.add_core(number, f"{kind} {n}", file, steps, lanes)
        pipes = {}
        for pipe, lane in lanes.items():
            size = sum(each[4] for each in lane.slices)
            parts = {f"{part}_us": getattr(lane, part) / 1e6 for part in ("busy", "memory", "flag", "empty", "active")}
            pipes[pipe] = {**parts, "instructions": len(lane.slices), "bytes": size}
            moved["read"] += size if pipe == "MTE2" else 0
            moved["write"] += size if pipe in ("MTE3", "FIX") else 0
            waits[pipe, "empty", "queue empty", 6, None] = [lane.empty, len(lane.slices)]
        for key, (ps, times) in waits.items():
            _note(totals, key, ps)
            totals[key][1] += times - 1
        count += len(steps)
        ends.append(end)
        row = {"name": f"{kind} {n}", "type": kind, "block": n, "sub": 0, "start_us": begin / 1e6, "end_us": end / 1e6, "pipes": pipes}
        rows.append(row)
    task_us = (max(ends) - start) / 1e6
    stalls = [_stall(file, key, ps, times) for key, (ps, times) in sorted(totals.items(), key=lambda item: -item[1][0])]
    ops = cores * tiles * (2 * 128**3 if is_cube else 8192)
    peak = 3_500_00.0 if is_cube else 11_366.0
    gigabytes = {"HBM": (moved["read"] * 0.2 + moved["write"], 1560.0), "L2": (moved["read"] + moved["write"], 6000.0)}
    near = {"L1": (moved["read"] * 1.5, 5683.0)} if is_cube else {"UB": (3 * 2 * ops, 22_733.0)}
    levels = {**gigabytes, **near}
    builder.launches.append(
        {
            "id": number, "kernel": kernel, "kernel_type": kind, "device": 0, "stream": number % 2, "num_blocks": cores, "tiling_key": 0,
            "start_us": start / 1e6, "task_us": task_us, "core_us": sum(r["end_us"] - r["start_us"] for r in rows) / cores,
            "bound": "M: cube" if is_cube else "MTE2: HBM", "instructions": count, "cores": rows, "stalls": stalls,
            "bandwidth": {
                "hbm_read_bytes": int(moved["read"] * 0.2), "hbm_write_bytes": moved["write"],
                "l2_read_bytes": moved["read"], "l2_write_bytes": moved["write"],
                "gm_read_bytes": moved["read"], "gm_write_bytes": moved["write"],
                "hbm_gbs": (moved["read"] * 0.2 + moved["write"]) / task_us / 1e3,
                "l2_gbs": (moved["read"] + moved["write"]) / task_us / 1e3, "l2_hit_rate": 0.8,
            },
            "memory_flow": memory_flow(is_cube, moved, ops, task_us),
            "arithmetic": {
                "vector_ops_f32": 0, "vector_ops_f16": 0 if is_cube else ops, "vector_ops_int": 0, "cube_ops": ops if is_cube else 0,
            },
            "roofline": [
                {"level": level, "bytes": int(size), "ops": ops, "gbs_peak": gbs, "gops_peak": peak, "gops": ops / task_us / 1e3}
                for level, (size, gbs) in levels.items()
            ],
        }
    )  # fmt: skip
    return max(ends)


def memory_flow(is_cube: bool, moved: dict[str, int], ops: int, task_us: float) -> list[dict[str, Any]]:
    ways = [("HBM", "L2", int(moved["read"] * 0.2)), ("L2", "HBM", moved["write"])]
    if is_cube:
        half = moved["read"] // 2
        ways += [("L2", "L1", moved["read"]), ("L1", "L0A", half), ("L1", "L0B", half), ("L0C", "L2", moved["write"])]
    else:
        ways += [("L2", "UB", moved["read"]), ("UB", "L2", moved["write"]), ("UB", "Vector", 4 * ops), ("Vector", "UB", 2 * ops)]
    return [{"from": source, "to": target, "bytes": size, "gbs": size / task_us / 1e3} for source, target, size in ways]


def _stall(file: str, key: Any, ps: int, times: int) -> dict[str, Any]:
    pipe, kind, cause, line, set_line = key
    advice = {
        "flag": f"{pipe} waits for {cause.split('_')[0]}: give the queue a second buffer, or make the tiles larger.",
        "memory": f"{pipe} waits for memory: larger tiles, fewer small copies, or keep the data in L2.",
        "empty": f"{pipe} has nothing to do: the scalar unit issues too late, or there is no more work for it.",
    }[kind]
    set_by = {"file": file, "line": set_line} if set_line else None
    return {"pipe": pipe, "kind": kind, "cause": cause, "us": ps / 1e6, "count": times, "at": {"file": file, "line": line},
            "set_by": set_by, "advice": advice}  # fmt: skip


def parameters() -> dict[str, Any]:
    rows = [("clock_mhz", 1850, "MHz", "B"), ("hbm_gbs", 1560, "GB/s", "C"), ("aiv_rd_miss", 64, "B/cycle", "C"),
            ("xcore_flag", 300, "cycles", "D"), ("mix_extra_ns", 2000, "ns", "D"), ("h2d_gbs", 24, "GB/s", "D")]  # fmt: skip
    sources = {"B": HARDWARE, "C": "fitted to published measurements", "D": "assumed: no published figure"}
    return {name: {"value": value, "unit": unit, "source": sources[grade], "grade": grade} for name, value, unit, grade in rows}


def profile(slices: int = 2000, cores: int = 8, *, seed: int = 1, mode: str = "full", matmul: bool = True) -> dict[str, Any]:
    """About `slices` slices: an add_custom over `cores` AIVs and, with `matmul`, a second launch on half as many AICs."""
    builder = Builder()
    share = slices * 4 // 5 if matmul else slices
    end = launch(builder, "add_custom", cores, max(1, share // cores // 5), 60_000_000, seed)
    aics = max(1, cores // 2)
    if matmul:
        end = launch(builder, "matmul_custom", aics, max(1, slices // 5 // aics // 5), end + 5_000_000, seed + 1)
    host = [
        {"lane": "host", "name": "load add.o", "start_us": 0.0, "dur_us": 8.0, "bytes": None},
        {"lane": "stream 0", "name": "copy H2D", "start_us": 10.0, "dur_us": 45.0, "bytes": 1 << 20},
    ]
    for each in builder.launches:
        span = {"start_us": each["start_us"], "dur_us": each["task_us"]}
        host.append({"lane": f"stream {each['stream']}", "name": f"launch {each['kernel']}", **span, "bytes": None})
    host.append({"lane": "stream 0", "name": "copy D2H", "start_us": end / 1e6 + 2, "dur_us": 30.0, "bytes": 1 << 20})
    host.append({"lane": "host", "name": "callback", "start_us": end / 1e6 + 33, "dur_us": 3.0, "bytes": None})
    return {
        "format": "aclimb profile", "version": 1, "soc": "Ascend910B1", "mode": mode, "notes": ["L2 starts dirty and warm."],
        "clock_mhz": 1850, "aiv_cores": 48, "aic_cores": 24,
        "model": {"parameters": parameters(), "overrides": {"hbm_gbs": 1560}},
        "peaks": {"hbm_gbs": 1560, "l2_gbs": 6000, "vector_gflops_f32": 5683, "vector_gflops_f16": 11366, "cube_gflops_f16": 350000},
        "launches": builder.launches, "host": host, "lanes": builder.lanes, "names": builder.names, "sites": builder.sites,
        "slices": builder.columns, "flows": builder.flows, "sources": {"add.cpp": ADD, "matmul.cpp": MATMUL},
    }  # fmt: skip
