# SPDX-License-Identifier: Apache-2.0
"""Which schedules to try, in which order, and what it says when none of them changes the result."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from aclimb.flow import PIPES
from aclimb.schedules.cores import WHOLE, LaunchCores
from aclimb.schedules.schedule import EARLY, LATE, PIPES_OF, Schedule

DEPTHS = (1, 2, 3)


def extremes(cores: LaunchCores) -> list[Schedule]:
    """One kind of agent, or one core, behind or before all others. A missing order between two accesses needs no more: it is enough that
    the one that has to come first comes last."""
    owners = {pipe: [kind for kind in cores.kinds if pipe in PIPES_OF[kind]] for pipe in (*PIPES[1:], "S")}
    pipes = [pipe for pipe, kinds in owners.items() if kinds]
    found = [Schedule("late", pipe) for pipe in pipes]
    found += [Schedule("late", pipe, ((kind, WHOLE),)) for pipe in pipes for kind in owners[pipe] if len(owners[pipe]) == 2]
    found += [Schedule("early", pipe) for pipe in pipes]
    if len(cores.all) > 1:
        ends = list(dict.fromkeys(core for kind in cores.kinds for core in (cores.of_kind(kind)[0], cores.of_kind(kind)[-1])))
        found += [Schedule("reverse"), *(Schedule("late-core", cores=(core,)) for core in ends)]
        found += [Schedule("early-core", cores=(core,)) for core in ends[1:]]
    return found


@dataclass
class Search:
    """The extremes, the two of the seeds, then in turn priorities of depth 1, 2 and 3 and a random interleaving."""

    cores: LaunchCores
    most: int
    steps: int = 1  # the most that a run took so far: where change points may lie
    agents: int = 0

    def schedules(self) -> Iterator[Schedule]:
        first = [*extremes(self.cores), Schedule("seed", seed=LATE), Schedule("seed", seed=EARLY)]
        yield from first[: self.most]
        for number in range(self.most - len(first)):
            turn, which = divmod(number, len(DEPTHS) + 1)
            yield self.by_chance(turn, DEPTHS[which]) if which < len(DEPTHS) else Schedule("seed", seed=EARLY + 1 + turn)

    def by_chance(self, seed: int, depth: int) -> Schedule:
        number = seed * len(DEPTHS) + depth
        chance = random.Random(number)
        return Schedule("pct", seed=number, changes=tuple(sorted(chance.randint(1, self.steps) for _ in range(depth - 1))))


@dataclass(frozen=True, slots=True)
class Bound:
    """What can be said when none of `runs` runs of this depth found anything."""

    depth: int
    runs: int
    agents: int
    steps: int

    @property
    def missed(self) -> float:
        """The most it can be: the probability that all runs miss a mistake that takes `depth` constraints on the order to show."""
        return float((1 - 1 / (max(self.agents, 1) * max(self.steps, 1) ** (self.depth - 1))) ** self.runs)
