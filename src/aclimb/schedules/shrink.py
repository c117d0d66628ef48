# SPDX-License-Identifier: Apache-2.0
"""A schedule that changes the result, made as small as it can be while it still does: change points left out, fewer cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

from aclimb.schedules.cores import WHOLE, Core, LaunchCores
from aclimb.schedules.difference import Difference
from aclimb.schedules.schedule import Schedule

MOST_RUNS = 40


class Shrinker:
    """Tries smaller schedules with `run`, and keeps one when it changes the same buffer, or fails as the larger one did."""

    def __init__(self, run: Callable[[Schedule], Difference | None], cores: LaunchCores) -> None:
        self._run, self._cores, self._left = run, cores, MOST_RUNS

    def shrink(self, found: Difference) -> Difference:
        assert found.schedule is not None
        self._left = MOST_RUNS
        if found.schedule.kind == "pct":
            found = self._without_changes(found)
        if found.schedule is not None and found.schedule.kind in ("late", "early", "pct"):
            found = self._on_fewer_cores(found)
        return found

    def _try(self, found: Difference, schedule: Schedule) -> Difference | None:
        if self._left == 0 or not schedule.fits:
            return None
        self._left -= 1
        smaller = self._run(schedule)
        return smaller if smaller and smaller.parameter == found.parameter else None

    def _without_changes(self, found: Difference) -> Difference:
        at = 0
        while found.schedule and at < len(found.schedule.changes):
            fewer = found.schedule.changes[:at] + found.schedule.changes[at + 1 :]
            smaller = self._try(found, replace(found.schedule, changes=fewer))
            found, at = (smaller, at) if smaller else (found, at + 1)
        return found

    def _on_fewer_cores(self, found: Difference) -> Difference:
        """Cuts the list of cores into ever smaller parts, and goes on with a part, or with what is left without one."""
        assert found.schedule is not None
        listed = self._listed(found.schedule)
        parts = 2
        while len(listed) > 1:
            for fewer in _fewer(listed, parts):
                smaller = self._try(found, replace(found.schedule, cores=self._named(fewer)))
                if smaller:
                    parts = 2 if len(fewer) <= len(listed) // parts + 1 else max(parts - 1, 2)
                    found, listed = smaller, fewer
                    break
            else:
                if parts >= len(listed):
                    break
                parts = min(2 * parts, len(listed))
        return found

    def _listed(self, schedule: Schedule) -> list[Core]:
        given = schedule.cores or tuple((kind, WHOLE) for kind in self._cores.kinds)
        return [core for one in given for core in (self._cores.of_kind(one[0]) if one[1] == WHOLE else (one,))]

    def _named(self, cores: list[Core]) -> tuple[Core, ...]:
        """`AIV` where it is all AIVs."""
        whole = [kind for kind in self._cores.kinds if set(self._cores.of_kind(kind)) <= set(cores) and len(self._cores.of_kind(kind)) > 1]
        return tuple(sorted([(kind, WHOLE) for kind in whole] + [core for core in cores if core[0] not in whole]))


def _fewer(cores: list[Core], parts: int) -> Iterator[list[Core]]:
    """Each of so many parts, then everything but one of them."""
    bounds = [len(cores) * i // parts for i in range(parts + 1)]
    pieces = [cores[a:b] for a, b in pairwise(bounds)]
    yield from pieces
    if parts > 2:
        yield from ([core for core in cores if core not in piece] for piece in pieces)
