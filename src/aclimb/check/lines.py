# SPDX-License-Identifier: Apache-2.0
"""Lines of one launch that was checked, for whoever names its places without a finding."""

from __future__ import annotations

from aclimb.check.cases import places_of
from aclimb.check.engine_side import CheckedLaunch, FindingSide


class Lines:
    def __init__(self, launch: CheckedLaunch) -> None:
        self._places = places_of(launch.images)

    def row(self, side: FindingSide) -> str:
        """`add.cpp:22   Add(z, x, y, 2048);`, or what else is known of the place."""
        place = self._places.find(side.where)
        return place.row() if place else f"{side.instruction or 'an instruction'} of {side.core_type.name} {side.core_idx}"
