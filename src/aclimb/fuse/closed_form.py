# SPDX-License-Identifier: Apache-2.0
"""Three ways to run a chain of kernels, by formula: separate launches, one SuperKernel, and one with early start. Times are microseconds.

Per kernel and core: h scalar time from entry to the wait, u from the wait to the return, s from the wait to the set, d until the pipe of
the set has done what came before it, q until all pipes are done, qp until the pipe of the set is; each counted from the wait's release.
The formulas know no shared bandwidth; the simulation does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from aclimb.chips import superkernel_parameters

Core = tuple[str, int]  # ("AIV", 3)


@dataclass(frozen=True, slots=True)
class Costs:
    """What stands between two kernels. The defaults are the chip file's."""

    t_sched: float
    t_hw: float
    t_rep: float
    t_gap: float
    t_entry: float
    t_call: float
    t_dcci: float
    l_same: float
    l_x: float

    @classmethod
    def default(cls) -> Costs:
        return cls(**{name: row.value for name, row in superkernel_parameters().items()})


@dataclass(frozen=True, slots=True)
class Part:
    """One kernel on one core."""

    h: float
    u: float
    s: float
    d: float
    q: float
    qp: float


@dataclass(frozen=True, slots=True)
class Op:
    """One kernel of the chain; cores that are not in `parts` are idle during it."""

    name: str
    parts: Mapping[Core, Part]
    sets: bool = False  # SetNextTaskStart takes effect
    waits: bool = False
    fetch: float = 0.0  # stall for its code

    @property
    def kinds(self) -> set[str]:
        return {kind for kind, _ in self.parts}


@dataclass(frozen=True, slots=True)
class Boundary:
    """What happens between two kernels of a fused chain."""

    before: str
    after: str
    release: float  # when the barrier is complete
    dispatch_saved: float  # what the end of one launch and the start of the next would cost
    head_hidden: float  # of the next kernel, before its wait; mean over its cores
    skew: float  # how long the cores wait for the last one, on average
    latency: float  # of the barrier itself
    fetch: float

    @property
    def gain(self) -> float:
        """Of fusing alone, against separate launches; negative where the barrier costs more than the launch."""
        return self.dispatch_saved - self.latency


@dataclass(frozen=True, slots=True)
class Outcome:
    total: float
    boundaries: tuple[Boundary, ...] = field(default=())


def separate(ops: Sequence[Op], costs: Costs | None = None) -> Outcome:
    """Each kernel a launch of its own, on one stream."""
    c = costs or Costs.default()
    end = -c.t_gap
    for op in ops:
        start = end + c.t_gap + c.t_sched + c.t_hw + op.fetch
        end = max(start + part.h + max(part.u, part.q) for part in op.parts.values()) + c.t_dcci + c.t_rep
    return Outcome(end)


def fused(ops: Sequence[Op], costs: Costs | None = None) -> Outcome:
    """One launch; the set at the return of each kernel, the wait before the call of the next."""
    return early_start([replace(op, sets=False, waits=False) for op in ops], costs)


def early_start(ops: Sequence[Op], costs: Costs | None = None) -> Outcome:
    """One launch, with the set and the wait inside the kernels that have them."""
    c = costs or Costs.default()
    cores = sorted({core for op in ops for core in op.parts})
    returned = dict.fromkeys(cores, c.t_sched + c.t_hw + c.t_entry)
    drained, release = dict(returned), 0.0
    boundaries: list[Boundary] = []
    for number, op in enumerate(ops):
        called = {core: (returned[core] if op.waits or not number else max(returned[core], release)) + c.t_call for core in cores}
        is_set, hidden = {}, []
        for core in cores:
            part = op.parts.get(core)
            if part is None:  # it takes part in the synchronisation only
                arrived = max(returned[core], release if number else 0.0)
                returned[core] = is_set[core] = arrived
                continue
            arrival = called[core] + op.fetch + part.h
            waited = max(arrival, release) if op.waits and number else arrival
            if op.waits and number:
                hidden.append(min(part.h, max(0.0, release - called[core])))
            returned[core] = waited + part.u
            drained[core] = max(drained[core], returned[core], waited + part.q)
            is_set[core] = waited + max(part.s, part.d) if op.sets else max(returned[core], waited + part.qp)
        if boundaries:
            boundaries[-1] = replace(boundaries[-1], head_hidden=sum(hidden) / len(hidden) if hidden else 0.0, fetch=op.fetch)
        if number + 1 < len(ops):
            following = ops[number + 1]
            latency = c.l_same + (c.l_x if len(op.kinds | following.kinds) > 1 else 0.0)
            last = max(is_set.values())
            release = last + latency
            saved = c.t_gap + c.t_sched + c.t_hw + c.t_dcci + c.t_rep - c.t_call
            skew = sum(last - each for each in is_set.values()) / len(is_set)
            boundaries.append(Boundary(op.name, following.name, release, saved, 0.0, skew, latency, 0.0))
    return Outcome(max(max(returned.values()), max(drained.values())) + c.t_dcci + c.t_rep, tuple(boundaries))
