# SPDX-License-Identifier: Apache-2.0
"""All parts of the schedules, through a fleet: here, or on a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from aclimb.check.schedules.parts import Part, parts_of
from aclimb.check.schedules.tried import Tried, together
from aclimb.fleet import Done, Limits, Task, open_fleet
from aclimb.fleet.progress import progress


@dataclass(frozen=True, slots=True)
class Schedules:  # command line -> here
    """Which schedules, and where the program runs under them."""

    count: int = 0  # 0: none
    replay: str = ""
    jobs: int | None = None
    on: str | None = None  # a cluster
    limits: Limits = field(default_factory=Limits)
    needs: tuple[Path, ...] = ()  # what travels beside the program's folder

    @property
    def parts(self) -> list[Part]:
        return [Part.of(self.replay)] if self.replay else parts_of(self.count)


def across(asked: Schedules, program: Path, arguments: Sequence[str], options: Sequence[str] = (), leave_out: Sequence[Path] = ()) -> Tried:
    """`program` is a Python program or an executable; `leave_out` is not brought to the nodes of a cluster."""
    parts = asked.parts
    results: list[Tried] = []
    failed: list[str] = []
    with open_fleet(asked.on, asked.jobs) as fleet, progress("schedules", len(parts)) as tell:
        folders = fleet.carry([program.absolute().parent, *asked.needs], leave_out)

        def task(part: Part) -> Task:
            words = (str(program.absolute()), list(arguments), list(options), str(part), str(Path.cwd()))
            return Task("aclimb.check.schedules.one:run_part", words, part.words, folders, asked.limits)

        def came(done: Done) -> None:
            tell(done.task.label, done.ok)

        for done in fleet.run(map(task, parts), came):
            if done.ok:
                results.append(Tried.read(done.value))
            else:
                failed.append(f"{done.task.label} were not tried: {done.reason}")
    more = f" (and {len(failed) - 1} more parts)" if len(failed) > 1 else ""
    return together(parts[-1].total, results, f"{failed[0]}{more}" if failed else "")
