# SPDX-License-Identifier: Apache-2.0
"""Two instructions that nothing orders, run the other way round: whether that can be, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aclimb.errors import InvalidArgument
from aclimb.runtime import Buffer, Kernel, LaunchConfig, Stream
from aclimb.runtime.fused_runs import Priorities
from aclimb.schedules.cores import LaunchCores
from aclimb.schedules.difference import Difference
from aclimb.schedules.schedule import Numbered, Schedule
from aclimb.schedules.trial import Trial


@dataclass(frozen=True, slots=True)
class Witness:
    """What came of it."""

    schedule: Schedule
    is_possible: bool  # the second ran before the first
    is_usual: bool  # ... as it does without being asked to
    difference: Difference | None  # from the ordinary run; None: the value does not change here

    @property
    def replay(self) -> str:
        return str(self.schedule)

    def __str__(self) -> str:
        if not self.is_possible:
            said = "it cannot be, something orders the two"
        elif self.is_usual:
            said = "so they run anyway; ask for the other way round"
        else:
            said = self.difference.words if self.difference else "the value does not change here"
        return f'{self.schedule.words}: {said}; replay="{self.schedule}"'


def witness(
    kernel: Kernel,
    *args: Any,
    first: Numbered | str,
    second: Numbered | str,
    config: LaunchConfig | None = None,
    stream: Stream | None = None,
) -> Witness:
    """Holds `first` back until `second` has run, everything else as always, and compares with an ordinary launch.

    An instruction is `AIV0.MTE3.12`: the twelfth of MTE3 on AIV 0 among those that touch memory. The buffers are left as they were found.
    """
    schedule = Schedule.parse(f"1:witness:{first}>{second}")
    stream = stream or Stream(next((each.device for each in args if isinstance(each, Buffer)), None))
    if kernel.binary.plan is not None and config is None:
        config = LaunchConfig(kernel.binary.plan.num_blocks)
    trial = Trial(kernel, args, stream, config)
    order = schedule.engine(trial.cores)
    assert isinstance(order, Priorities)
    try:
        trial.begin()
        difference = trial.run(schedule, order)
    finally:
        trial.put_back()
    _require_both(schedule, order, trial.cores, difference)
    return Witness(schedule, order.happened, order.happened and not order.was_held, difference if order.happened else None)


def _require_both(schedule: Schedule, order: Priorities, cores: LaunchCores, difference: Difference | None) -> None:
    if difference and difference.error:
        return
    for one, had in zip(schedule.pair, order.reached, strict=True):
        if had < one.number:
            where = f"{one.pipe} of {one.core[0]} {one.core[1]}"
            raise InvalidArgument(f"there is no instruction {one}: {where} ran {had} in this launch of {cores.kernel}")
