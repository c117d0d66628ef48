# SPDX-License-Identifier: Apache-2.0
"""The numbers of the timing model: all there, each with unit, source and grade, and overridden only by what makes sense. Whether they are
right is asked in test_published.py."""

from __future__ import annotations

import math

import pytest

from aclimb import _engine, chips
from aclimb.chips import timing as timing_of
from aclimb.errors import InvalidArgument, UnknownSoc

CHIPS = chips.names()
EVERY = chips.names(query_only=True)


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


@pytest.mark.parametrize("chip", CHIPS)
def test_chips_that_can_be_built_for_have_exactly_the_parameters_of_the_engine(chip: str) -> None:
    assert set(timing_of(chip).parameters) == set(_engine.timing_parameters())


def test_chips_of_one_architecture_differ_only_in_what_their_own_files_say() -> None:
    own = {"clock_mhz", "hbm_gbs", "l2_mib", "l2_gbs", "gm_rd_lat_miss_ns", "gm_rd_lat_hit_ns", "gm_wr_lat_ns", "aiv_rd_hit", "fix_gm"}
    shared = [{n: p.value for n, p in timing_of(chip).parameters.items() if n not in {*own, "launch_base_ns"}} for chip in CHIPS]
    assert all(each == shared[0] for each in shared)
    assert all(timing_of(chip).vector == timing_of(CHIPS[0]).vector for chip in CHIPS)


def test_every_vector_instruction_of_the_engine_has_a_cost() -> None:
    vector = timing_of("Ascend910_9392").vector
    names = [row.call for row in _engine.instructions() if row.time == "repeats"]
    assert len(names) > 40
    assert [name for name in names if name not in vector] == ["Cast"]
    assert {"Cast_same_width", "Cast_change_width"} <= set(vector)


def test_an_override_takes_the_place_of_one_number_and_says_so() -> None:
    changed = timing_of("ascend910b1", {"hbm_gbs": 1200, "tail_ns": 0})
    assert changed.parameters["hbm_gbs"] == chips.TimingParameter(1200.0, "GB/s", "set for this run; 1500 by default", "set")
    assert timing_of("Ascend910B1").parameters["hbm_gbs"].value == 1500
    changed.parameters.clear()
    assert timing_of("Ascend910B1").parameters


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("hbm_gb", 1, "the timing model of Ascend910B1 has no parameter 'hbm_gb'; the closest are hbm_gbs, hbm_s0, h2d_gbs"),
        ("hbm_gbs", 0, "hbm_gbs is 0; it takes a number, more than 0, in GB/s (1500 by default)"),
        ("hbm_gbs", -1.5, "hbm_gbs is -1.5; it takes a number, more than 0, in GB/s (1500 by default)"),
        ("hbm_gbs", math.inf, "hbm_gbs is inf; it takes a number, more than 0, in GB/s (1500 by default)"),
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
