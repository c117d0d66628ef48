# SPDX-License-Identifier: Apache-2.0
"""From the engine's facts to cases: each side with its file, its line and the name that the user gave the tensor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from aclimb.binary.source_lines import source_text
from aclimb.check import syncs
from aclimb.check.finding import ATOMIC, Access
from aclimb.check.raw import Images, RawFinding, RawSide, Where
from aclimb.check.syncs import Sync
from aclimb.report.places import SourcePlace, SourcePlaces

Relation = Literal["core", "block", "cores", "tasks", "host", "one"]
_ROLES = {"r": "reads", "w": "writes", "u": "updates", "a": ATOMIC}
_SCALAR_CALLS = ("GetValue", "SetValue")


class Places(Protocol):
    """report.places.SourcePlaces, as far as it is used here."""

    def find(self, where: Where) -> SourcePlace | None: ...
    def called(self, where: Where, instruction: str) -> str: ...


PlacesOf = Callable[[Images], Places]


def places_of(images: Images) -> Places:
    return SourcePlaces(dict(images))


@dataclass(frozen=True, slots=True)
class Case:
    """One finding of the engine with its places looked up."""

    kind: str
    first: Access
    second: Access | None
    relation: Relation
    memory: str
    begin: int  # the common bytes, counted as those of the accesses are
    end: int
    syncs: tuple[Sync, ...] = ()
    count: int = 1
    blocks: int = 1
    bytes: int = 0
    numbers: Mapping[str, int] = field(default_factory=dict)

    @property
    def accesses(self) -> tuple[Access, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)

    @property
    def other(self) -> Access:
        """The second side, of a kind that has one."""
        assert self.second is not None, f"{self.kind} has one side only"
        return self.second

    def number(self, name: str, otherwise: int = 0) -> int:
        return self.numbers.get(name, otherwise)

    def standing(self, *at: str) -> tuple[Sync, ...]:
        """The synchronisation that stands there."""
        return tuple(each for each in self.syncs if each.at in at)


def case_of(raw: RawFinding, look_up: PlacesOf = places_of) -> Case:
    places = look_up(raw.images)
    first = _access(raw.first, places)
    second = _access(raw.second, places) if raw.second is not None else None
    shift = raw.first.begin - first.begin  # from addresses to bytes of the buffer
    relation = _relation(raw.first, raw.second)
    if second is not None and relation == "core" and second.pipe == "D" and second.line <= first.line:
        first, second = second, first  # a store ends with its write-back, which may never come: its line stands first all the same
    return Case(
        kind=raw.kind.name,
        first=first,
        second=second,
        relation=relation,
        memory=raw.first.memory,
        begin=raw.begin - shift,
        end=raw.end - shift,
        syncs=tuple(_sync(each.text, each.at, places.find(each.where)) for each in raw.sync),
        count=raw.count,
        blocks=raw.blocks,
        bytes=raw.bytes,
        numbers=dict(raw.numbers),
    )


def _relation(first: RawSide, second: RawSide | None) -> Relation:
    if second is None:
        return "one"
    if "host" in (first.agent, second.agent):
        return "host"
    if first.task != second.task:
        return "tasks"
    if first.unit == second.unit:
        return "core"
    return "block" if first.block == second.block else "cores"


def _access(side: RawSide, places: Places) -> Access:
    begin, end = _bytes(side)
    common = {"pipe": side.agent, "role": _ROLES.get(side.role, ""), "memory": side.memory, "begin": begin, "end": end,
              "buffer": side.parameter, "kernel": side.kernel}  # fmt: skip
    if side.agent in ("host", "task"):  # its line is one of the host program
        file, line = side.place or ("", 0)
        return Access(file=file, line=line, text=source_text(file, line, trusted=True) if file else "", call=side.op, **common)  # type: ignore[arg-type]
    place = places.find(side.where)
    call = places.called(side.where, side.op)
    return Access(
        file=place.file if place else "",
        line=place.line if place else 0,
        text=source_text(place.file, place.line) if place else "",
        core=f"{side.core_type.name} {side.core_idx}",
        block=side.block,
        tensor=_tensor(place, call, side.operand) if side.role in _ROLES else "",
        member=f"{side.sub} {side.sub_name}".strip() if side.sub >= 0 else "",
        call=call,
        launched_at=side.place,
        **common,  # type: ignore[arg-type]
    )


def _bytes(side: RawSide) -> tuple[int, int]:
    """Global memory is counted from the parameter, else from the allocation: its addresses differ from run to run."""
    if side.memory != "GM":
        return side.begin, side.end
    if side.parameter:
        return side.offset, side.offset + side.end - side.begin
    return (side.begin - side.base, side.end - side.base) if side.base else (0, side.end - side.begin)


def _tensor(place: SourcePlace | None, call: str, operand: int) -> str:
    """As the user wrote it; "" where the line does not show it."""
    if place is None:
        return ""
    named = SourcePlace(place.file, place.line, call)
    if call in _SCALAR_CALLS:  # t.GetValue(i), or t(i)
        return named.receiver(call) or ""
    return named.argument(operand) or ""


def _sync(text: str, at: str, place: SourcePlace | None) -> Sync:
    return syncs.read(text, at, place.file if place else "", place.line if place else 0)
