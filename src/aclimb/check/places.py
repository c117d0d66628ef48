# SPDX-License-Identifier: Apache-2.0
"""What stands behind the numbers of a launch: lines of the kernel, parameters that lead to an address."""

from __future__ import annotations

from aclimb._engine import CheckedLaunch as CheckedLaunch
from aclimb._engine import Conflict as Conflict
from aclimb._engine import Finding as Finding
from aclimb._engine import FindingSide as FindingSide
from aclimb._engine import HostTask as HostTask
from aclimb._engine import ProvokedLaunch, describe_address
from aclimb._engine import Standing as Standing
from aclimb.report.places import SourcePlaces
from aclimb.runtime.kernel import parameter_names


class LaunchPlaces(SourcePlaces):
    """Lines and names of one launch that was checked."""

    def __init__(self, launch: CheckedLaunch) -> None:
        super().__init__(launch.images)
        self.launch = launch

    def row(self, side: FindingSide) -> str:
        """`add.cpp:22   Add(z, x, y, 2048);`, or what else is known of the place."""
        place = self.find(side.where)
        return place.row() if place else f"{side.instruction or 'an instruction'} of {side.core_type.name} {side.core_idx}"

    def whose(self, address: int) -> tuple[int, str, int]:
        return whose(address, self.launch)

    def name_in_member(self, side: FindingSide, address: int) -> str:
        """How a member of a fused kernel calls what leads there; its parameters are named `<member>_<number>.<name>`."""
        names, prefix = parameter_names(self.launch.kernel), f"{side.member}_{side.sub}."
        mine = {number: name.removeprefix(prefix) for number, name in names.items() if name.startswith(prefix)}
        leads = [(value, mine[number]) for value, number in _leads(address, self.launch) if number in mine]
        return max(leads)[1] if leads else ""


def whose(address: int, launch: CheckedLaunch | ProvokedLaunch | None) -> tuple[int, str, int]:
    """The allocation, and the argument that leads there: its name, or its number, and the distance from it. The host has no arguments."""
    leads = _leads(address, launch) if launch else []
    if launch is None or not leads:
        return _allocation(address), "", 0
    value, number = max(leads)
    return _allocation(address), parameter_names(launch.kernel).get(number, f"argument {number + 1}"), address - value


def _leads(address: int, launch: CheckedLaunch | ProvokedLaunch) -> list[tuple[int, int]]:
    """Arguments that point into the allocation, not behind the address: value and number."""
    base = _allocation(address)
    return [(value, number) for number, value in enumerate(launch.args) if base and base <= value <= address]


def _allocation(address: int) -> int:
    return int(describe_address(address)[1])
