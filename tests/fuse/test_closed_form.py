# SPDX-License-Identifier: Apache-2.0
"""The closed forms against numbers worked out by hand, and their laws."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclimb.fuse.closed_form import Core, Costs, Op, Part, early_start, fused, separate

NEAR = pytest.approx


def chain(d: float = 0.0, s: float = 0.5) -> list[Op]:
    """Three equal vector kernels on two AIVs; `d` is how long before its end the set's pipe is done."""
    parts = {("AIV", core): Part(h=1.0, u=0.6, s=s, d=q - d, q=q, qp=q) for core, q in ((0, 3.0), (1, 3.5))}
    return [Op(name, parts, sets=True, waits=True) for name in "abc"]


@pytest.mark.requirement("sk-48")
def test_the_vector_of_three_equal_kernels() -> None:
    assert separate(chain()).total == NEAR(15.90, abs=1e-6)
    assert fused(chain()).total == NEAR(15.15, abs=1e-6)
    early = early_start(chain())
    assert early.total == NEAR(13.05, abs=1e-6)
    assert [each.release for each in early.boundaries] == NEAR([5.15, 8.95], abs=1e-6)


@pytest.mark.requirement("sk-48")
def test_the_vector_with_a_set_before_the_end_of_the_data_path() -> None:
    early = early_start(chain(d=0.8, s=0.4))
    assert early.total == NEAR(11.45, abs=1e-6)
    assert [each.release for each in early.boundaries] == NEAR([4.35, 7.35], abs=1e-6)


def test_what_a_boundary_saves_and_costs() -> None:
    costs = Costs.default()
    [first, second] = early_start(chain()).boundaries
    assert first.dispatch_saved == NEAR(costs.t_gap + costs.t_sched + costs.t_hw + costs.t_dcci + costs.t_rep - costs.t_call)
    assert first.head_hidden == NEAR(1.0)  # all of h: the release comes 3.15 after the call
    assert first.skew == NEAR(0.25)  # core 0 waits half a microsecond, core 1 not at all
    assert first.latency == NEAR(costs.l_same)
    assert second.gain == NEAR(0.75 - 0.30)


def test_a_hand_over_between_kinds_of_cores_costs_more() -> None:
    cube = Op("m", {("AIC", 0): Part(1, 0.6, 0.5, 3, 3, 3)})
    vector = Op("v", {("AIV", 0): Part(1, 0.6, 0.5, 3, 3, 3)})
    [boundary] = fused([cube, vector]).boundaries
    assert boundary.latency == NEAR(0.45)


def test_only_the_set_or_only_the_wait_is_between_the_two() -> None:
    ops = chain(d=0.8, s=0.4)
    only_set = early_start([replace(op, waits=False) for op in ops]).total
    only_wait = early_start([replace(op, sets=False) for op in ops]).total
    assert early_start(ops).total < only_set < fused(ops).total
    assert early_start(ops).total < only_wait < fused(ops).total


TIMES = st.floats(0, 10)


@st.composite
def parts(draw: st.DrawFn) -> Part:
    u, qp = draw(TIMES), draw(TIMES)
    return Part(h=draw(TIMES), u=u, s=draw(st.floats(0, u)), d=draw(st.floats(0, qp)), q=qp + draw(TIMES), qp=qp)


CORES: list[Core] = [(kind, number) for kind in ("AIC", "AIV") for number in range(2)]
OPS = st.builds(Op, st.just("op"), st.dictionaries(st.sampled_from(CORES), parts(), min_size=1), sets=st.just(True), waits=st.just(True))


@pytest.mark.requirement("sk-50")
@given(st.lists(OPS, min_size=1, max_size=6))
def test_early_start_is_never_slower_than_none(ops: list[Op]) -> None:
    assert early_start(ops).total <= fused(ops).total + 1e-9


@given(st.lists(OPS, min_size=1, max_size=6))
def test_no_chain_is_faster_than_its_longest_kernel(ops: list[Op]) -> None:
    longest = max(part.q for op in ops for part in op.parts.values())
    assert min(run(ops).total for run in (separate, fused, early_start)) >= longest


@pytest.mark.requirement("sk-52")
def test_every_cost_has_a_source() -> None:
    from aclimb.chips import superkernel_parameters

    rows = superkernel_parameters()
    assert set(rows) == {"t_sched", "t_hw", "t_rep", "t_gap", "t_entry", "t_call", "t_dcci", "l_same", "l_x"}
    assert all(row.source and row.unit == "us" and row.grade in "ABCD" for row in rows.values())
    assert {name for name, row in rows.items() if row.source.startswith("assumed")} == {
        name for name, row in rows.items() if row.grade == "D"
    }
