# SPDX-License-Identifier: Apache-2.0
"""What the fixtures give: a chip, a device for one test, the modelled times of its launches."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import aclimb
from aclimb import chips, knobs
from aclimb.runtime.device import fresh
from aclimb.trace.launch import LaunchTiming


@contextmanager
def chip(name: str | None) -> Iterator[str]:
    """The name of the chip, which is that of ACLIMB_SOC until the block ends."""
    variable = knobs.soc.variable
    found, before = chips.buildable(name or knobs.soc()).name, os.environ.get(variable)
    os.environ[variable] = found
    try:
        yield found
    finally:
        if before is None:
            del os.environ[variable]
        else:
            os.environ[variable] = before


@contextmanager
def device(soc: str) -> Iterator[aclimb.Device]:
    with fresh(soc=soc) as made:
        yield made
        made.synchronize()


class LaunchTimes:
    """The launches of a test so far, on a modelled chip. Each question waits for what is queued; what comes later is timed too.

    What a profile knows besides is asked of `profile` (`aclimb_profile.profile.query(...)`), which ends the recording.
    """

    def __init__(self, profile: aclimb.Profile) -> None:
        self._profile = profile

    @property
    def launches(self) -> list[LaunchTiming]:
        """The launches in the order they were queued."""
        self._profile.close()
        found = list(self._profile.launches)
        self._profile.__enter__()
        return found

    @property
    def task_us(self) -> float:
        """Microseconds of all launches together, each from the scheduler's start to the end of its last block."""
        return sum(each.task_us for each in self.launches)

    @property
    def profile(self) -> aclimb.Profile:
        """The profile itself, closed: later launches are not in it."""
        self._profile.close()
        return self._profile

    def __repr__(self) -> str:
        return f"<times on {self._profile.chip.name}>"


@contextmanager
def times(soc: str, **options: Any) -> Iterator[LaunchTimes]:
    with aclimb.profile(soc=soc, **options) as recorded:
        yield LaunchTimes(recorded)
