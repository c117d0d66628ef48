# SPDX-License-Identifier: Apache-2.0
"""The numbers of the timing model: all there, each with unit, source and grade, equal to a table of their own, and
overridden only by what makes sense."""

from __future__ import annotations

import math
import re

import pytest

from aclimb import _engine, chips
from aclimb.chips import timing as timing_of
from aclimb.errors import InvalidArgument, UnknownSoc

CHIPS = chips.names()
EVERY = chips.names(query_only=True)
B1 = ("Ascend910B1", "Ascend910_9391", "Ascend910_9392")
B2 = ("Ascend910B2", "Ascend910B2C", "Ascend910B3", "Ascend910_9381", "Ascend910_9382", "Ascend910_9372")
B4 = ("Ascend910B4",)
PR = ("Ascend950PR_9589",)
DT = ("Ascend950DT_9581",)
P3 = ("Ascend310P3",)
# name: 910B1 and 910_939x, 910B2/B3 and 938x/9372, 910B4, 950PR_958x, 950DT_958x, 310P3; None: not a parameter there
TABLE = """
    clock_mhz          1850  1800  1650  1650  1650  1060
    hbm_gbs            1560  1560  720   1650  4000  160
    l2_mib             192   192   96    128   128   16
    l2_gbs             6000  5840  3000  5200  5200  960
    gm_rd_lat_miss_ns  240   240   235   250   250   300
    gm_rd_lat_hit_ns   145   145   160   145   145   200
    gm_wr_lat_ns       110   110   115   110   110   150
    aiv_rd_miss        64    64    64    42    64    17
    aiv_rd_hit         119   119   118   99    99    114
    aiv_wr             86    86    86    80    80    17
    aic_rd_miss        32    32    32    52    80    17
    aic_rd_hit         110   110   110   99    99    114
    fix_gm             113   113   115   79    79    None
    l0c_l1             128   128   128   128   128   None
    l0c_ub             None  None  None  128   128   512
    l1_l0a             256   256   256   256   256   256
    l1_l0b             128   128   128   256   256   128
    l1_ub              None  None  None  128   128   128
    ub_l1              None  None  None  128   128   256
    mte_issue          20.6  20.6  20.6  39.4  39.4  21
    nd2nz_row_min      5.3   5.3   5.3   6     6     None
    sector_bytes       512   512   512   128   128   128
    hbm_s0             1000  1000  1000  2000  2000  1000
    hbm_s0_cap         0.15  0.15  0.15  0.30  0.30  0.15
    queue_depth        32    32    32    32    32    32
    flag_handover      8     8     8     8     8     8
    barrier_v          20    20    20    20    20    20
    xcore_flag         300   300   300   300   300   None
    v_head             12    12    12    None  None  12
    vf_start           None  None  None  23    23    None
    vf_drain           None  None  None  12    12    None
    mmad_dt            9.5   9.5   9.5   9     9     10
    mmad_isolated      62    62    62    62    62    62
    mte1_fixed         27    27    27    27    27    27
    fix_fixed          200   200   200   200   200   None
    ub_scalar          10    10    10    9     9     10
    launch_base_ns     500   500   550   1400  1400  1000
    dispatch_ns        50    50    50    4     4     50
    mix_extra_ns       2000  2000  2000  2000  2000  None
    framework_head_ns  0     0     0     0     0     0
"""
# the same on every chip that can be built for
SHARED = {
    "aic_wr": 86, "l1_bt": 32, "v_counter_extra": 16, "api_issue": 4, "flag_issue": 1, "dcache_hit": 4, "t_line": 4, "tail_ns": 0,
    "sync_all_log": 10, "soft_sync_ns": 2000, "h2d_gbs": 24, "d2h_gbs": 24, "d2d_gbs": 700, "copy_base_ns": 5000, "stream_gap_ns": 1000,
    "sk_entry_ns": 100, "sk_call_ns": 50,
    "cube_k_i4": 64, "cube_k_i8": 32, "cube_k_f16": 16, "cube_k_f32": 4, "cube_k_hf32": 8,
}  # fmt: skip
# Ascend C name: slope of 4-byte and 2-byte elements, fixed, sources, grade
VECTOR = """
    Add 1 1 24 2 A | Sub 1 1 24 2 A | Mul 1 1 25 2 A | Max 1 1 23 2 A | Min 1 1 23 2 A | And 1 1 20 2 A | Or 1 1 20 2 A | Not 1 1 20 1 B
    Div 2 4 31 2 conflict | Exp 2 4 31 1 conflict | Ln 2 4 33 1 B | Sqrt 2 4 39 1 B | Rsqrt 1 1 24 1 A | Reciprocal 1 1 24 1 B
    Abs 1 1 29 1 A | Relu 1 1 23 1 A | LeakyRelu 1 1 26 1 A | Adds 1 1 31 1 A | Muls 1 1 26 1 A | Maxs 1 1 23 1 A | Mins 1 1 23 1 A
    ShiftLeft 1 1 24 1 B | ShiftRight 1 1 24 1 B | Axpy 1 1 26 2 B | MulAddDst 2 2 30 3 B | FusedMulAdd 1 1 26 3 B | AddRelu 1 1 26 2 B
    SubRelu 1 1 26 2 B | Compare 1 1 36 2 B | CompareScalar 1 1 36 1 B | Select 1 1 27 2 B | Cast_same_width 1 1 32 1 B
    Cast_change_width 2 2 32 1 A | Duplicate 1 1 24 0 A | Copy 1 1 24 1 A | Brcb 1 1 24 1 B | CreateVecIndex 1 1 24 0 B
    WholeReduceSum 7 7 46 1 A | WholeReduceMax 7 7 46 1 B | BlockReduceSum 1 7 38 1 B | BlockReduceMax 1 7 31 1 B | PairReduceSum 1 1 38 1 B
    Gather 12.8 25.6 26 1 B | Gatherb 3 3 26 1 B | GatherMask 2 2 34 1 B | Transpose 1 1 24 1 B | TransDataTo5HD 1 1 24 1 B
"""
PATHS = ["GM_to_L1", "L1_to_GM", "GM_to_UB", "UB_to_GM", "L0C_to_GM", "L0C_to_L1", "L1_to_L0A", "L1_to_L0B", "MTE2_write"]
PEAKS = {
    "Ascend910B1": (264, 199.43, 220.06, 186.8, 209.32, 216.88, 437.5, 210.5, 340.1),
    "Ascend910B2": (256.86, 193.99, 214.11, 181.75, 203.66, 211.0, 425.68, 204.81, 330.91),
    "Ascend910B3": (256.86, 193.99, 214.11, 181.75, 203.66, 211.0, 425.68, 204.81, 330.91),
    "Ascend910B4": (222, 189.89, 195.27, 176.75, 190.7, 190.7, 368.2, 173.81, 222.17),
}
PATHS_950 = [
    "GM_to_L1",
    "L1_to_GM",
    "GM_to_UB",
    "UB_to_GM",
    "L0C_to_GM",
    "L0C_to_L1",
    "L0C_to_UB",
    "L1_to_L0A",
    "L1_to_L0B",
    "L1_to_UB",
    "UB_to_L1",
]
PEAKS_950 = {
    "Ascend950PR_9589": (162.77, 131.81, 163.13, 131.76, 130.21, 377.8, 189.02, 377.76, 377.77, 188.99, 188.99),
    "Ascend950PR_9599": (177.57, 143.79, 177.96, 143.74, 142.05, 412.15, 206.2, 412.1, 412.11, 206.18, 206.18),
}


def lines(text: str) -> list[list[str]]:
    return [row.split() for row in re.split(r"[\n|]", text) if row.strip()]


@pytest.mark.parametrize("name", EVERY)
def test_every_number_has_a_unit_a_source_and_a_grade(name: str) -> None:
    known = timing_of(name)
    for each, parameter in known.parameters.items():
        assert math.isfinite(parameter.value), each
        assert parameter.value >= 0, each
        assert parameter.unit, each
        assert parameter.source, each
        assert parameter.grade in ("A", "B", "C", "D", "conflict"), each
        assert parameter.grade == "D" or not parameter.source.startswith("assumed"), each
    for each, cost in known.vector.items():
        assert cost.grade in ("A", "B", "C", "D", "conflict"), each
        assert cost.fixed_grade in ("A", "B", "C", "D"), each
        assert cost.source, each
        assert min(cost.b32, cost.b16, cost.fixed) > 0, each
    assert known.peaks_grade in ("A", "B", "C", "D") if known.peaks else not known.peaks_source


@pytest.mark.parametrize(("column", "members"), list(enumerate((B1, B2, B4, PR, DT, P3))))
def test_parameters_equal_the_table(column: int, members: tuple[str, ...]) -> None:
    for chip in members:
        parameters = timing_of(chip).parameters
        for name, *values in lines(TABLE):
            if values[column] == "None":
                assert name not in parameters, (chip, name)
            else:
                assert parameters[name].value == float(values[column]), (chip, name)


@pytest.mark.parametrize("chip", CHIPS)
def test_chips_that_can_be_built_for_have_the_same_parameters(chip: str) -> None:
    parameters = timing_of(chip).parameters
    assert {name: parameters[name].value for name in SHARED} == SHARED
    assert set(parameters) == {name for name, first, *_ in lines(TABLE) if first != "None"} | set(SHARED)


@pytest.mark.parametrize("chip", CHIPS)
def test_the_vector_table(chip: str) -> None:
    vector = timing_of(chip).vector
    for name, *values, grade in lines(VECTOR):
        row = vector[name]
        assert [row.b32, row.b16, row.fixed, row.sources] == [float(value) for value in values], name
        assert row.grade == grade, name


def test_sorting_costs_are_given_for_a_repeat() -> None:
    vector = timing_of("Ascend910B1").vector
    assert (vector["Sort32"].b32, vector["Sort32"].b16) == (16 * 64 / 32, 16 * 128 / 32)
    assert (vector["MrgSort"].b32, vector["MrgSort"].b16) == (0.5 * 64, 0.5 * 128)


def test_every_vector_instruction_of_the_engine_has_a_cost() -> None:
    vector = timing_of("Ascend910_9392").vector
    names = [row.call for row in _engine.instructions() if row.time == "repeats"]
    assert len(names) > 40
    assert [name for name in names if name not in vector] == ["Cast"]
    assert {"Cast_same_width", "Cast_change_width"} <= set(vector)


def test_peaks_of_the_paths() -> None:
    for chip, values in PEAKS.items():
        assert timing_of(chip).peaks == dict(zip(PATHS, values, strict=True))
    for chip, values in PEAKS_950.items():
        assert timing_of(chip).peaks == dict(zip(PATHS_950, values, strict=True))
    assert all(set(timing_of(chip).peaks) == set(PATHS) for chip in CHIPS)


def test_an_override_takes_the_place_of_one_number_and_says_so() -> None:
    changed = timing_of("ascend910b1", {"hbm_gbs": 1200, "tail_ns": 0})
    assert changed.parameters["hbm_gbs"] == chips.TimingParameter(1200.0, "GB/s", "set for this run; 1560 by default", "set")
    assert timing_of("Ascend910B1").parameters["hbm_gbs"].value == 1560
    changed.parameters.clear()
    assert timing_of("Ascend910B1").parameters


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("hbm_gb", 1, "the timing model of Ascend910B1 has no parameter 'hbm_gb'; the closest are hbm_gbs, hbm_s0, h2d_gbs"),
        ("hbm_gbs", 0, "hbm_gbs is 0; it takes a number, more than 0, in GB/s (1560 by default)"),
        ("hbm_gbs", -1.5, "hbm_gbs is -1.5; it takes a number, more than 0, in GB/s (1560 by default)"),
        ("hbm_gbs", math.inf, "hbm_gbs is inf; it takes a number, more than 0, in GB/s (1560 by default)"),
        ("mte_issue", math.nan, "mte_issue is nan; it takes a number, 0 or more, in cycles (20.6 by default)"),
        ("mte_issue", -1, "mte_issue is -1; it takes a number, 0 or more, in cycles (20.6 by default)"),
        ("queue_depth", 1.5, "queue_depth is 1.5; it takes a whole number, in instructions (32 by default)"),
        ("hbm_gbs", "1200", "hbm_gbs is '1200'; it takes a number, in GB/s"),
        ("hbm_gbs", True, "hbm_gbs is True; it takes a number, in GB/s"),
    ],
)
def test_an_override_that_makes_no_sense_is_refused(name: str, value: float, sentence: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        timing_of("Ascend910B1", {name: value})
    assert str(caught.value) == sentence


def test_a_name_like_no_parameter_gets_them_all() -> None:
    with pytest.raises(InvalidArgument, match=r"has no parameter 'zzzz'; there are aic_rd_hit, .*, xcore_flag$"):
        timing_of("Ascend910B1", {"zzzz": 1})
    with pytest.raises(UnknownSoc):
        timing_of("Ascend910B9")


def test_overrides_from_the_command_line() -> None:
    assert chips.parse_overrides([]) == {}
    assert chips.parse_overrides(["hbm_gbs=1200", " l2_gbs = 5e3 "]) == {"hbm_gbs": 1200.0, "l2_gbs": 5000.0}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["hbm_gbs"], "--set hbm_gbs: it takes name=value, such as hbm_gbs=1200"),
        (["=3"], "--set =3: it takes name=value, such as hbm_gbs=1200"),
        (["hbm_gbs="], "--set hbm_gbs=: it takes name=value, such as hbm_gbs=1200"),
        (["hbm_gbs=fast"], "--set hbm_gbs=fast: 'fast' is not a number; it takes name=value, such as hbm_gbs=1200"),
        (["hbm_gbs=1", "hbm_gbs=2"], "--set hbm_gbs=2: hbm_gbs is given twice"),
    ],
)
def test_an_override_that_cannot_be_read_is_refused(words: list[str], sentence: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        chips.parse_overrides(words)
    assert str(caught.value) == sentence
