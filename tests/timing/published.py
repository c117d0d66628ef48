# SPDX-License-Identifier: Apache-2.0
"""Published measurements, and kernels of ours that do what was measured.

A row has the core time, the mean over the cores in microseconds, and the active times of pipes where they were published; single units have
cycles. Sources: asc-devkit's samples on the elementwise add, on copies, on UB banks, on fractal layouts and on matmul (A2: 48 AIV, 24 AIC,
1850 MHz), msopprof's samples on the elementwise add (910B4), and the measured values beside PTO's cost model (910B3).

A row that is held out was never used to choose a number or a form of the model: it says how well it does on what it was not made for.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.tiling import TCubeTiling

KERNELS = Path(__file__).parent / "kernels"
A2, B4 = "Ascend910B1", "Ascend910B4"
A2_CLOCK_MHZ = 1850
ADDED, ADDED_B4 = 8192 * 8192, 83_886_080  # elements
SIDE = 12288  # of the matrix that is copied
FULL_TILE = 16384
CUBE = 8192  # side of the matrices that are multiplied
FULL_L1 = (8, 8)  # blocks; published were 16 and 8, which leaves nothing of what the library keeps of L1

OVERRIDES: dict[str, float] = {}  # parameters for which other values are tried

Figures = dict[str, float]  # "core" and names of pipes: microseconds; "cycles" of a single unit


@dataclass(frozen=True)
class Row:
    id: str
    published: Figures
    measure: Callable[[], Figures]
    held_out: bool = False
    slow: bool = False  # takes more than a few seconds

    def __str__(self) -> str:
        return self.id


@dataclass(frozen=True)
class Step:
    """Before and after a change of the kernel."""

    before: str
    after: str
    figure: str = "core"

    def __str__(self) -> str:
        return f"{self.before} > {self.after}" + ("" if self.figure in ("core", "cycles") else f" {self.figure}")


@cache
def kernel(file: str, name: str) -> Kernel:
    return Kernel(Program(KERNELS / file).compile(), name)


@cache
def memory(size_bytes: int, number: int) -> Buffer:
    """The same buffers for all rows; timing does not read them."""
    return Buffer(size_bytes)


def profiled(soc: str, blocks: int, which: Kernel, *args: Any, launches: int = 2, timing_only: bool = True) -> dict[str, Any]:
    """What the profile says about the last of some launches; the ones before it leave their lines in the L2."""
    stream = Stream()
    with aclimb.profile(soc=soc, timing_only=timing_only, trace=False, set=OVERRIDES, limit=4 << 30) as profile:
        for _ in range(launches):
            launch(stream, LaunchConfig(num_blocks=blocks), which, *args)
        stream.synchronize()
    last: dict[str, Any] = profile.json()["launches"][-1]
    return last


def figures(launched: dict[str, Any], times: float = 1) -> Figures:
    """Core time and the active time of each pipe, `times` what was run."""
    names = {name for core in launched["cores"] for name in core["pipes"]}
    active = {
        name: times * statistics.fmean(core["pipes"][name]["active_us"] for core in launched["cores"] if name in core["pipes"])
        for name in names
    }
    return {"core": times * launched["core_us"], **active}


# --- the elementwise add


def add(
    soc: str, length: int, unit: int, tile: int, buffers: int, blocks: int, adds: int = 1, bypass: bool = False, spread: bool = False
) -> Figures:
    x, y, z = (memory(2 * max(ADDED, ADDED_B4), number) for number in range(3))
    return figures(
        profiled(soc, blocks, kernel("add.cpp", "add_half"), x, y, z, length, unit, tile, buffers, adds, int(bypass), int(spread))
    )


def add_a2(tile: int, buffers: int, blocks: int, **extras: bool) -> Figures:
    return add(A2, ADDED, 8192, tile, buffers, blocks, **extras)


def add_b4(tile: int, buffers: int, blocks: int, adds: int = 1) -> Figures:
    return add(B4, ADDED_B4, tile, tile, buffers, blocks, adds)


def add_scalars(part: int = 1024) -> Figures:
    """A part of the add; every tile is alike."""
    x, y, z = (memory(2 * max(ADDED, ADDED_B4), number) for number in range(3))
    return figures(profiled(A2, 1, kernel("add.cpp", "add_scalars"), x, y, z, ADDED // part, launches=1, timing_only=False), part)


ADDS = [
    Row("scalar add", {"core": 1239688.63, "S": 1233742.5}, add_scalars),
    Row("V02", {"core": 6909.14, "S": 231.166, "V": 761.65, "MTE2": 6208.8, "MTE3": 2613.2}, lambda: add_a2(4096, 1, 1)),
    Row("V03", {"core": 297.14, "S": 8.219, "V": 15.885, "MTE2": 215.5, "MTE3": 54.33}, lambda: add_a2(4096, 1, 48)),
    Row("V04", {"core": 261.50, "S": 2.833, "V": 12.845, "MTE2": 184.4, "MTE3": 57.35}, lambda: add_a2(FULL_TILE, 1, 48)),
    Row("V05", {"core": 257.56, "S": 2.796, "V": 12.846, "MTE2": 250.5, "MTE3": 84.99}, lambda: add_a2(FULL_TILE, 2, 48)),
    Row("V06", {"core": 185.15, "S": 4.479, "V": 12.846, "MTE2": 176.0, "MTE3": 160.29}, lambda: add_a2(FULL_TILE, 2, 48, bypass=True)),
    Row(
        "V07",
        {"core": 178.49, "S": 3.424, "V": 6.954, "MTE2": 171.6, "MTE3": 121.4},
        lambda: add_a2(FULL_TILE - 128, 2, 48, bypass=True, spread=True),
    ),
    Row("S01", {"core": 14974.3, "V": 1663.6, "MTE2": 12734, "MTE3": 5924}, lambda: add_b4(2048, 1, 1)),
    Row("S01b", {"core": 2023, "V": 207.9, "MTE2": 1743, "MTE3": 767}, lambda: add_b4(2048, 1, 8)),
    Row("S02", {"core": 831, "V": 109.8, "MTE2": 712, "MTE3": 225}, lambda: add_b4(20480, 1, 8)),
    Row("S03a", {"core": 1370, "V": 844.0, "MTE2": 509.3, "MTE3": 203.9}, lambda: add_b4(20480, 1, 8, adds=8)),
    Row("S03b", {"core": 946, "V": 888.2, "MTE2": 793.4, "MTE3": 249.2}, lambda: add_b4(10240, 2, 8, adds=8)),
]


# --- copies alone


def copied(path: str, tile_m: int, tile_n: int, columns: int = SIDE, parts: int = 1, times: int = 1) -> Figures:
    x, blocks = memory(2 * SIDE * SIDE, 0), {"ub": 48, "l1": 24}[path]
    return figures(profiled(A2, blocks, kernel(f"copy_{path}.cpp", f"copy_{path}"), x, SIDE, columns, tile_m, tile_n, parts, times))


def read_all(path: str, tile_m: int, apart: bool) -> Figures:
    x, blocks = memory(2 * SIDE * SIDE, 0), {"ub": 48, "l1": 24}[path]
    return figures(profiled(A2, blocks, kernel("read_all.cpp", f"read_all_{path}"), x, 6144, 512, tile_m, 64, int(apart)))


def to_nz(apart: int) -> Figures:
    return figures(profiled(A2, 48, kernel("to_nz.cpp", "to_nz"), memory(2 * ADDED, 0), memory(2 * ADDED, 1), apart))


COPIES = [
    Row("C01 UB", {"MTE2": 548.2}, lambda: copied("ub", 1, 64)),
    Row("C02 UB", {"MTE2": 220.8}, lambda: copied("ub", 64, 64)),
    Row("C03 UB", {"core": 209.0, "MTE2": 202.7}, lambda: copied("ub", 64, 1024)),
    Row("C04 UB", {"core": 266.3, "MTE2": 259.0}, lambda: copied("ub", 64, 1024, columns=SIDE - 1)),
    Row("C05 UB", {"core": 816.05}, lambda: copied("ub", 64, 1024, times=4), held_out=True),
    Row("C06 UB", {"core": 354.6}, lambda: copied("ub", 64, 1024, parts=4, times=4)),
    Row("C07 UB", {"core": 482.2, "MTE2": 474.7}, lambda: read_all("ub", 128, False)),
    Row("C08 UB", {"core": 315.9, "MTE2": 307.4}, lambda: read_all("ub", 128, True)),
    Row("C01 L1", {"MTE2": 283.5}, lambda: copied("l1", 64, 64)),
    Row("C02 L1", {"core": 220.6, "MTE2": 214.5}, lambda: copied("l1", 64, 256)),
    Row("C03 L1", {"core": 428.4, "MTE2": 422.5}, lambda: copied("l1", 64, 256, columns=SIDE - 1), held_out=True),
    Row("C04 L1", {"core": 872.19}, lambda: copied("l1", 64, 1024, times=4), held_out=True),
    Row("C05 L1", {"core": 397.8}, lambda: copied("l1", 64, 1024, parts=4, times=4)),
    Row("C06 L1", {"core": 245.0, "MTE2": 240.2}, lambda: read_all("l1", 256, False), held_out=True),
    Row("C07 L1", {"core": 214.7, "MTE2": 209.8}, lambda: read_all("l1", 256, True), held_out=True),
    Row("to NZ, 144 apart", {"core": 138.0, "S": 6.586, "V": 47.79, "MTE2": 113.9, "MTE3": 76.76}, lambda: to_nz(144), held_out=True),
    Row("to NZ, 145 apart", {"core": 131.44, "V": 7.133, "MTE2": 115.4, "MTE3": 76.53}, lambda: to_nz(145), held_out=True),
]


# --- matrix products


def tiling(m: int, n: int, k: int, single: tuple[int, int], base: tuple[int, int, int], depth: tuple[int, int]) -> TCubeTiling:
    """depth: blocks of a and of b in L1, in two halves; 1: each is copied by itself."""
    cut = TCubeTiling()
    cut.usedCoreNum = m * n // (single[0] * single[1])
    cut.M, cut.N, cut.Ka, cut.Kb = m, n, k, k
    cut.singleCoreM, cut.singleCoreN, cut.singleCoreK = *single, k
    cut.baseM, cut.baseN, cut.baseK = base
    cut.depthA1, cut.depthB1 = depth
    cut.stepM = cut.stepN = 1
    cut.stepKa, cut.stepKb = (max(1, each // 2) for each in depth)
    cut.dbL0A = cut.dbL0B = 2
    cut.dbL0C = 1
    cut.iterateOrder = 0
    return cut


def operands() -> list[Buffer]:
    return [memory(2 * CUBE * CUBE, number) for number in range(3)]


def plain(single_m: int, single_n: int, rounds: int) -> Figures:
    which = kernel("matmul_plain.cpp", "matmul_plain")
    return figures(profiled(A2, 24, which, *operands(), CUBE, CUBE, CUBE, single_m, single_n, rounds, launches=1))


def one_core(base_m: int, base_n: int, rows: int) -> Figures:
    """Some rows of blocks of c; all others are alike, and b stays in the L2."""
    m, which = base_m * rows, kernel("matmul_object.cpp", "matmul_norm")
    cut = tiling(m, CUBE, CUBE, (m, CUBE), (base_m, base_n, 64), (1, 1))
    return figures(profiled(A2, 1, which, *operands(), cut, 1, launches=2), CUBE / m)


def all_cores(name: str, single: tuple[int, int], depth: tuple[int, int], rounds: int = 1) -> Figures:
    cut = tiling(CUBE, CUBE, CUBE, single, (128, 256, 64), depth)
    return figures(profiled(A2, 24, kernel("matmul_object.cpp", name), *operands(), cut, rounds, launches=1))


def cube() -> Figures:
    return figures(profiled(A2, 24, kernel("units.cpp", "cube_alone"), CUBE**3 // (128 * 256 * 64)))


PRODUCTS = [
    Row("M of an 8192 cube", {"M": 3081.7}, cube),
    Row(
        "matmul, plain",
        {"core": 3670.7, "S": 337.3, "M": 3081.7, "MTE1": 2538.3, "MTE2": 3552.2, "FIX": 160.4},
        lambda: plain(2048, 1536, 1),
        slow=True,
    ),
    Row(
        "matmul, plain, in two rounds",
        {"core": 3636.85, "M": 3082.2, "MTE1": 2553.1, "MTE2": 3487.1, "FIX": 161.8},
        lambda: plain(1024, 1536, 2),
        held_out=True,
        slow=True,
    ),
    Row(
        "matmul object, one core, 64 x 64",
        {"core": 759363, "S": 508788, "M": 141699, "MTE1": 162104, "MTE2": 582516, "FIX": 34303},
        lambda: one_core(64, 64, 2),
    ),
    Row(
        "matmul object, one core, 128 x 256",
        {"core": 249467, "S": 63609, "M": 81477, "MTE1": 52004, "MTE2": 195613, "FIX": 11314},
        lambda: one_core(128, 256, 4),
    ),
    Row(
        "matmul object, 4 x 6 cores",
        {"core": 10870.96, "S": 2656.3, "M": 3394.9, "MTE1": 2166.8, "MTE2": 8616.7, "FIX": 488.8},
        lambda: all_cores("matmul_norm", (2048, 1536), (1, 1)),
        held_out=True,
        slow=True,
    ),
    Row(
        "matmul object, MDL",
        {"core": 4487.89, "S": 2074.0, "M": 3116.5, "MTE1": 2332.9, "MTE2": 4051.5, "FIX": 44.75},
        lambda: all_cores("matmul_mdl", (2048, 1536), (4, 4)),
        slow=True,
    ),
    Row(
        "matmul object, MDL, full L1",
        {"core": 3925.61, "S": 1464.5, "M": 3352.1, "MTE1": 2750.5, "MTE2": 3778.6, "FIX": 47.85},
        lambda: all_cores("matmul_mdl", (2048, 1536), FULL_L1),
        held_out=True,
        slow=True,
    ),
    Row(
        "matmul object, 2 x 12 cores",
        {"core": 12537.56, "S": 2987.5, "M": 3462.8, "MTE1": 2260.6, "MTE2": 10177.8, "FIX": 875.4},
        lambda: all_cores("matmul_norm", (4096, 683), (1, 1)),
        held_out=True,
        slow=True,
    ),
    Row(
        "matmul object, MDL, in two rounds, tiling at run time",
        {"core": 3786.26, "S": 1753.5, "M": 3254.3, "MTE1": 2680.8, "MTE2": 3625.4, "FIX": 47.4},
        lambda: all_cores("matmul_mdl", (1024, 1536), FULL_L1, 2),
        held_out=True,
        slow=True,
    ),
    # These two have the tiling in their code, which halves their scalar time; the model does not know that.
    Row(
        "matmul object, MDL, in two rounds",
        {"core": 3665.12, "M": 3163.7, "MTE1": 2609.6, "MTE2": 3513.8, "FIX": 45.76},
        lambda: all_cores("matmul_mdl", (1024, 1536), FULL_L1, 2),
        slow=True,
    ),
    Row(
        "matmul object, unit flag",
        {"core": 3559.06, "M": 3076.4, "MTE1": 2533.5, "MTE2": 3435.6, "FIX": 272.6},
        lambda: all_cores("matmul_unit_flag", (1024, 1536), FULL_L1, 2),
        slow=True,
    ),
]


# --- single units, in cycles


def one_add(x: int, y: int, z: int, block: int = 1, repeat: int = 8) -> Figures:
    """One Add among many, without what comes before and after them."""
    which = kernel("units.cpp", "vector_alone")
    few, many = (profiled(A2, 1, which, x, y, z, block, repeat, times)["core_us"] for times in (100, 1100))
    return {"cycles": float(many - few) * A2_CLOCK_MHZ / 1000}


OPERATIONS = ("Exp", "Ln", "Sqrt", "Rsqrt", "Add", "Mul", "Div", "Adds", "Muls", "Mins", "WholeReduceSum", "WholeReduceMax")


def alone(name: str, wide: bool, repeats: int) -> Figures:
    launched = profiled(A2, 1, kernel("units.cpp", "vector_once"), OPERATIONS.index(name), int(wide), repeats, launches=1)
    return {"cycles": figures(launched)["V"] * A2_CLOCK_MHZ}


def instruction(name: str, dtype: str, repeats: int, cycles: float, held_out: bool = False) -> Row:
    return Row(f"{name} {dtype} x {repeats}", {"cycles": cycles}, lambda: alone(name, dtype == "float", repeats), held_out)


def sum_of_256(way: int) -> Figures:
    return figures(profiled(A2, 1, kernel("units.cpp", "sum_of_256"), way, launches=1))


UNITS = [
    Row("Add, no conflict", {"cycles": 88.4}, lambda: one_add(0, 0x10100, 0x20000)),
    Row("Add, sources in one bank", {"cycles": 154.2}, lambda: one_add(0, 0x4000, 0x10000)),
    Row("Add, sources in one group", {"cycles": 154.2}, lambda: one_add(0, 0x10000, 0x14100)),
    Row("Add, result in a source's bank", {"cycles": 88.4}, lambda: one_add(0, 0x10100, 0x4000)),
    Row("Add, result one block off", {"cycles": 138.8}, lambda: one_add(0, 0x10100, 0x4020)),
    Row("Add, in place", {"cycles": 88.4}, lambda: one_add(0, 0x10100, 0x10100)),
    Row("Add, one block a repeat", {"cycles": 132.6}, lambda: one_add(0, 0x10100, 0x10100, 0, 1)),
    Row("Add, one block a repeat, far", {"cycles": 88.4}, lambda: one_add(0, 0x10100, 0x10100, 0, 8), held_out=True),
    instruction("Exp", "half", 8, 47),
    instruction("Exp", "half", 32, 95),
    instruction("Exp", "float", 16, 63),
    instruction("Exp", "float", 64, 159),
    instruction("Sqrt", "half", 32, 102, held_out=True),
    instruction("Rsqrt", "half", 32, 58, held_out=True),
    instruction("Add", "float", 64, 160),
    instruction("Add", "half", 32, 92, held_out=True),
    instruction("Mul", "float", 64, 168),
    instruction("Mul", "half", 32, 96, held_out=True),
    instruction("Div", "float", 64, 288),
    instruction("Div", "half", 32, 304, held_out=True),
    instruction("Adds", "float", 32, 57),
    instruction("Muls", "float", 32, 58),
    instruction("Mins", "float", 64, 87, held_out=True),
    instruction("WholeReduceSum", "float", 64, 492),
    instruction("WholeReduceSum", "half", 64, 495, held_out=True),
    instruction("WholeReduceMax", "float", 64, 480),
    instruction("WholeReduceMax", "half", 64, 481, held_out=True),
    Row("sum of 256, by repeats", {"core": 13.0}, lambda: sum_of_256(0), held_out=True),
    Row("sum of 256, by blocks", {"core": 13.94}, lambda: sum_of_256(1), held_out=True),
    Row("sum of 256, by blocks and repeats", {"core": 8.44}, lambda: sum_of_256(2), held_out=True),
]

ROWS = {row.id: row for row in (*ADDS, *COPIES, *PRODUCTS, *UNITS)}

STEPS = [
    *(Step(*pair) for pair in (
        ("scalar add", "V02"), ("V02", "V03"), ("V03", "V04"), ("V04", "V05"), ("V05", "V06"), ("V06", "V07"),
        ("S01", "S01b"), ("S01b", "S02"), ("S03a", "S03b"),
        ("C05 UB", "C06 UB"), ("C04 UB", "C03 UB"), ("C07 UB", "C08 UB"), ("C04 L1", "C05 L1"), ("C03 L1", "C02 L1"), ("C06 L1", "C07 L1"),
        ("to NZ, 144 apart", "to NZ, 145 apart"),
        ("matmul, plain", "matmul, plain, in two rounds"),
        ("matmul object, one core, 64 x 64", "matmul object, one core, 128 x 256"),
        ("matmul object, one core, 128 x 256", "matmul object, 4 x 6 cores"),
        ("matmul object, 2 x 12 cores", "matmul object, 4 x 6 cores"),
        ("matmul object, 4 x 6 cores", "matmul object, MDL"),
        ("matmul object, MDL", "matmul object, MDL, full L1"),
        ("matmul object, MDL, full L1", "matmul object, MDL, in two rounds, tiling at run time"),
        ("matmul object, MDL, in two rounds", "matmul object, unit flag"),
        ("sum of 256, by repeats", "sum of 256, by blocks and repeats"),
        ("sum of 256, by blocks", "sum of 256, by repeats"),
    )),
    *(Step(*pair, "MTE2") for pair in (("C01 UB", "C02 UB"), ("C02 UB", "C03 UB"), ("C01 L1", "C02 L1"))),
    *(Step(*pair, "cycles") for pair in (
        ("Add, sources in one bank", "Add, no conflict"), ("Add, result one block off", "Add, result in a source's bank"),
        ("Add, one block a repeat", "Add, one block a repeat, far"),
    )),
    Step("to NZ, 144 apart", "to NZ, 145 apart", "V"),
    Step("V06", "V07", "V"),
]  # fmt: skip
