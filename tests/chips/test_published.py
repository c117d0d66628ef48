# SPDX-License-Identifier: Apache-2.0
"""The numbers of the chip files against what was published elsewhere, in the publisher's own units: elements a cycle instead of cycles a
repeat, GB/s of a path instead of bytes a cycle, cycles of a whole copy instead of a latency in ns. A slip in a data file does not
repeat itself here."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import pytest

from aclimb import _engine, chips
from aclimb.chips import timing as timing_of

Values = dict[str, float]
CHIPS = chips.names()
A2 = "Ascend910B1"

# asc-devkit, theoretical performance of vector instructions (A2, A3): elements a cycle of 2-byte and of 4-byte types
ELEMENTS = """
    128 64       Add Sub Mul Max Min Adds Muls Maxs Mins Relu Abs LeakyRelu Reciprocal Rsqrt ShiftLeft ShiftRight Axpy FusedMulAdd
    128 64       AddRelu SubRelu Compare Select PairReduceSum Brcb Duplicate CreateVecIndex Cast_same_width
    64 32        MulAddDst GatherMask Cast_change_width
    32 32        Div
    18.29 9.143  WholeReduceSum WholeReduceMax
    18.29 64     BlockReduceSum BlockReduceMax
    5 5          Gather
    42 21        Gatherb
"""
MEASURED = "Exp Ln Sqrt"  # twice as fast in half as the table says, 64 elements: as PTO measures Exp
PAIRS = "Sort32 MrgSort"  # 2 elements a cycle; of their repeats, 256 bytes of pairs of 8, in every type
# PTO cost model, measured on a 910B3: the part of a vector instruction that does not grow with its repeats
FIXED = {"Add Sub Mul Max Min": (23, 26), "And Or Not": (20, 20), "Div Exp Ln Sqrt": (31, 39), "Relu Maxs Mins": (23, 23),
         "Adds Muls LeakyRelu Select": (25, 27), "Abs Cast_same_width GatherMask Compare": (29, 36), "Duplicate Copy Rsqrt": (24, 24),
         "BlockReduceMax BlockReduceSum WholeReduceSum": (31, 46)}  # fmt: skip
SLOWER = ["Add", "Exp", "Ln", "Sqrt", "WholeReduceSum"]  # each has a larger fixed part than the one before
# msopprof, peak of one core's path on a 910B1, as bytes a cycle at the rated clock; then the same for 950 parts
BYTES_A_CYCLE = {"GM_to_L1": 143, "L1_to_GM": 108, "GM_to_UB": 119, "UB_to_GM": 101, "L0C_to_GM": 113, "L0C_to_L1": 117,
                 "L1_to_L0A": 236, "L1_to_L0B": 114, "MTE2_write": 184}  # fmt: skip
BYTES_A_CYCLE_950 = {"GM_to_L1": 99, "L1_to_GM": 80, "GM_to_UB": 99, "UB_to_GM": 80, "L0C_to_GM": 79, "L0C_to_L1": 229, "L0C_to_UB": 115,
                     "L1_to_L0A": 229, "L1_to_L0B": 229, "L1_to_UB": 115, "UB_to_L1": 115}  # fmt: skip

# What was published or measured: chips, in words, from the parameters, between these
A2_FAST, A2_SLOW = ("Ascend910B1", "Ascend910_9392"), ("Ascend910B4",)
B3, PR, DT, P3 = ("Ascend910B3", "Ascend910_9382"), ("Ascend950PR_9589",), ("Ascend950DT_9581",), ("Ascend310P3",)
Claim = tuple[tuple[str, ...], str, Callable[[Values], float], float, float]
CLAIMS: list[Claim] = [
    (A2_FAST + B3, "HBM, of 1.6 TB/s nominal", lambda p: p["hbm_gbs"] / 1600, 0.9, 1.0),
    (A2_SLOW, "HBM, of 0.8 TB/s nominal", lambda p: p["hbm_gbs"] / 800, 0.9, 1.0),
    (PR, "HBM: 31 bytes x 32 AICs to 16 bytes x 64 AIVs a cycle", lambda p: p["hbm_gbs"] / p["clock_mhz"] * 1e3, 31 * 32, 16 * 64),
    (DT, "HBM: 0.95 of 80 bytes x 32 AICs a cycle", lambda p: p["hbm_gbs"] / p["clock_mhz"] * 1e3 / (80 * 32), 0.94, 0.96),
    (P3, "DDR: 144 GB/s configured, 204 GB/s on the board", lambda p: p["hbm_gbs"], 144, 204),
    (A2_FAST + B3, "L2 gives 3 to 4 times what HBM does", lambda p: p["l2_gbs"] / p["hbm_gbs"], 3, 4),
    (A2_FAST, "24 AICs read 4.9 TB/s from L2", lambda p: 24 * p["aic_rd_hit"] * p["clock_mhz"] / 1e6, 4.85, 4.95),
    (A2_FAST, "msopprof: GM to UB 220 GB/s", lambda p: p["aiv_rd_hit"] * p["clock_mhz"] / 1e3, 219, 221),
    (B3, "msopprof: GM to UB 214 GB/s", lambda p: p["aiv_rd_hit"] * p["clock_mhz"] / 1e3, 213, 215),
    (A2_SLOW, "msopprof: GM to UB 195 GB/s", lambda p: p["aiv_rd_hit"] * p["clock_mhz"] / 1e3, 194, 196),
    (PR, "msopprof: GM to UB 163 GB/s", lambda p: p["aiv_rd_hit"] * p["clock_mhz"] / 1e3, 162, 164),
    (A2_FAST, "msopprof: L0C to GM 209 GB/s", lambda p: p["fix_gm"] * p["clock_mhz"] / 1e3, 208, 210),
    (PR, "msopprof: L0C to GM 130 GB/s", lambda p: p["fix_gm"] * p["clock_mhz"] / 1e3, 129, 131),
    (A2_FAST + B3 + A2_SLOW, "pure writes fit 88 bytes a cycle", lambda p: p["aiv_wr"] / 88, 0.95, 1.05),
    (A2_FAST + B3 + A2_SLOW, "L1 to L0A: two fits, 222 and 256", lambda p: p["l1_l0a"], 222, 256),
    (A2_FAST + B3 + A2_SLOW, "L1 to L0B is half of it", lambda p: p["l1_l0a"] / p["l1_l0b"], 2, 2),
    (PR + DT, "L1 to L0B is as fast", lambda p: p["l1_l0a"] / p["l1_l0b"], 1, 1),
    (A2_FAST, "first byte from HBM: 440 cycles at 1850 MHz", lambda p: p["gm_rd_lat_miss_ns"] * 1.85, 430, 450),
    (A2_SLOW, "first byte from HBM: 390 cycles at 1650 MHz", lambda p: p["gm_rd_lat_miss_ns"] * 1.65, 380, 400),
    (A2_FAST + B3, "first byte from L2: 264 cycles at 1800 MHz", lambda p: p["gm_rd_lat_hit_ns"] * 1.8, 258, 270),
    (A2_FAST + A2_SLOW, "2 KiB that begin inside a sector take 1.28 times as long", lambda p: sectors(p, 2048), 1.2, 1.3),
    (A2_FAST + A2_SLOW, "512 bytes that do, 1.97 times", lambda p: sectors(p, 512), 1.95, 2.05),
    (A2_FAST, "two GetValue and a SetValue: 34 cycles", lambda p: 3 * p["ub_scalar"] + 2 * p["scalar_cycle"], 33, 35),
    (PR, "two GetValue and a SetValue: 30 cycles", lambda p: 3 * p["ub_scalar"], 27, 31),
    (A2_FAST, "4096 multiply-adds of half a cycle", lambda p: side() ** 2 * p["cube_k_f16"], 4096, 4096),
    (A2_FAST, "int8 twice, int4 four times as many", lambda p: (p["cube_k_i8"] / 2 + p["cube_k_i4"] / 4) / p["cube_k_f16"], 2, 2),
    (A2_FAST, "HF32 half, float a quarter", lambda p: (p["cube_k_hf32"] * 2 + p["cube_k_f32"] * 4) / p["cube_k_f16"], 2, 2),
    (A2_FAST, "22 to 23.5 cycles for LoadData, of matmuls", lambda p: p["mte1_fixed"], 22, 23.5),
    (A2_FAST, "PTO: a flag between cores 220 simulated, 1000 on a board", lambda p: p["xcore_flag"], 220, 1000),
    (A2_FAST, "a flag inside a core: at most 10 cycles", lambda p: p["flag_handover"], 1, 10),
    (A2_FAST, "soft SyncAll of 48 cores: 1.5 to 3 us", lambda p: p["soft_sync_ns"], 1500, 3000),
    (A2_FAST + A2_SLOW, "one core: task less core time 0.5 to 0.9 us", lambda p: p["launch_base_ns"] + p["dispatch_ns"], 500, 900),
    (A2_FAST, "48 cores: 2.5 to 9.4 us", lambda p: p["launch_base_ns"] + 48 * p["dispatch_ns"], 2500, 9400),
    (A2_FAST, "AIC and AIV together: 1 to 5 us more", lambda p: p["mix_extra_ns"], 1000, 5000),
    (PR, "an empty kernel: 1.455 us", lambda p: p["launch_base_ns"] + p["dispatch_ns"], 1382, 1528),
    (PR, "with 32 blocks: 1.589 us", lambda p: p["launch_base_ns"] + 32 * p["dispatch_ns"], 1510, 1668),
]  # fmt: skip


def values_of(chip: str) -> Values:
    return {name: parameter.value for name, parameter in timing_of(chip).parameters.items()}


def side() -> int:
    return chips.load(A2).arch.limits["cube_side"]


def sectors(p: Values, length: int) -> float:
    """How much more is moved where a row begins 32 bytes into a sector."""
    return math.ceil((32 + length) / p["sector_bytes"]) * p["sector_bytes"] / length


@pytest.mark.parametrize("claim", CLAIMS, ids=[claim[1] for claim in CLAIMS])
def test_the_model_says_what_was_published(claim: Claim) -> None:
    names, what, derived, low, high = claim
    for chip in names:
        assert low <= derived(values_of(chip)) <= high, f"{chip}: {what}"


@pytest.mark.parametrize("size", [512, 2048, 4096, 8192, 16384])
def test_a_copy_from_l2_takes_as_long_as_the_reference_values_of_pto(size: int) -> None:
    p = values_of("Ascend910B3")  # 264 cycles and one more for each 128 bytes, at 1800 MHz
    assert p["gm_rd_lat_hit_ns"] * 1.8 + size / p["aiv_rd_hit"] == pytest.approx(264 + size / 128, rel=0.025)


@pytest.mark.parametrize("chip", CHIPS)
def test_vector_instructions_have_their_published_rate(chip: str) -> None:
    vector, repeat = timing_of(chip).vector, chips.load(chip).arch.limits["vector_bytes"]
    for narrow, wide, *names in (row.split() for row in ELEMENTS.strip().splitlines()):
        for name in names:
            assert repeat / 2 / vector[name].b16 == pytest.approx(float(narrow), rel=0.02), name
            assert repeat / 4 / vector[name].b32 == pytest.approx(float(wide), rel=0.02), name
    assert {(repeat / 2 / vector[name].b16, repeat / 4 / vector[name].b32) for name in MEASURED.split()} == {(64, 32)}
    assert {repeat / 8 / cycles for name in PAIRS.split() for cycles in (vector[name].b16, vector[name].b32)} == {2}


def test_the_fixed_part_of_vector_instructions_is_the_measured_one() -> None:
    vector = timing_of(A2).vector
    for names, (low, high) in FIXED.items():
        assert all(low <= vector[name].fixed <= high for name in names.split()), names
    fixed = [vector[name].fixed for name in SLOWER]
    assert fixed == sorted(set(fixed))
    assert all(cost.fixed > values_of(A2)["v_head"] for cost in vector.values()), "what is left behind the head is the tail"


def test_sources_are_the_operands_that_the_instruction_reads() -> None:
    vector = timing_of(A2).vector
    for row in _engine.instructions():
        name = re.sub(r" \(.*\)$", "", row.call)
        if row.time == "repeats" and name in vector and name != "Select":  # the selection mask of Select is no lane
            assert vector[name].sources == sum(role in "ru" for role, _ in row.operands), row.name


def test_peaks_of_the_paths() -> None:
    for chip, published in ((A2, BYTES_A_CYCLE), ("Ascend950PR_9589", BYTES_A_CYCLE_950)):
        known = timing_of(chip)
        ghz = known.parameters["clock_mhz"].value / 1e3
        assert {name: round(gbs / ghz) for name, gbs in known.peaks.items()} == published, chip


@pytest.mark.parametrize(
    ("slow", "fast", "ratio"),
    [("Ascend910B2", A2, 1800 / 1850), ("Ascend910B3", "Ascend910B2", 1), ("Ascend950PR_9589", "Ascend950PR_9599", 1650 / 1800)],
)
def test_parts_that_differ_in_their_clock_have_peaks_in_its_ratio(slow: str, fast: str, ratio: float) -> None:
    below, above = timing_of(slow).peaks, timing_of(fast).peaks
    assert {name: below[name] / gbs for name, gbs in above.items()} == pytest.approx(dict.fromkeys(above, ratio), rel=2e-3)


def test_a_part_with_half_the_memory_has_no_faster_path() -> None:
    below, above = timing_of("Ascend910B4").peaks, timing_of(A2).peaks
    assert all(0.6 < below[name] / gbs < 1 for name, gbs in above.items())
