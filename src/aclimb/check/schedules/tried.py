# SPDX-License-Identifier: Apache-2.0
"""What came of schedules: records that travel between processes, as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from aclimb.check.finding import Place


@dataclass(frozen=True, slots=True)
class Changed:
    """A schedule under which a launch leaves something else in device memory, or fails."""

    launch: int  # its number, from 0
    number: int  # of the schedule, from 0
    kernel: str
    place: Place | None  # of the launch, in the host program
    schedule: str  # what replays it
    words: str  # the same for a person
    parameter: str = ""  # whose memory differs; "": that of no parameter, or it failed
    begin: int = 0  # bytes, counted from the parameter
    end: int = 0
    error: str = ""  # what it failed with
    adds_floats: bool = False

    @classmethod
    def read(cls, fields: dict[str, Any]) -> Changed:
        return cls(**{**fields, "place": tuple(fields["place"]) if fields["place"] else None})


@dataclass(frozen=True, slots=True)
class Tried:
    """Of one part, or of all of them together."""

    schedules: int  # of each launch
    launches: int = 0
    changed: tuple[Changed, ...] = ()
    notes: tuple[str, ...] = ()  # what was not tried
    could_not: str = ""

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, text: str) -> Tried:
        fields = json.loads(text)
        return cls(**{**fields, "changed": tuple(map(Changed.read, fields["changed"])), "notes": tuple(fields["notes"])})


def together(schedules: int, parts: Iterable[Tried], could_not: str = "") -> Tried:
    """In the order of the launches and of their schedules, however they were divided."""
    given = list(parts)
    changed = sorted((each for part in given for each in part.changed), key=lambda each: (each.launch, each.number))
    notes = dict.fromkeys(note for part in given for note in part.notes)
    failures = [each.could_not for each in given if each.could_not] + ([could_not] if could_not else [])
    return Tried(schedules, max((each.launches for each in given), default=0), tuple(changed), tuple(notes), "; ".join(failures[:1]))
