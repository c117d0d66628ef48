# SPDX-License-Identifier: Apache-2.0
"""What a sentence is made from: the engine's facts with their places looked up, and the table of sentences by kind of fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from aclimb import errors
from aclimb.binary.source_lines import call_arguments
from aclimb.flow import Fault, FaultKind
from aclimb.report.places import SourcePlace, SourcePlaces


@dataclass
class Facts:
    """The engine's fault, with its places looked up in the source."""

    fault: Fault
    places: SourcePlaces

    def __post_init__(self) -> None:
        self.places.call = self.places.called(self.fault.where, self.fault.instruction)

    @property
    def call(self) -> str:
        return self.places.call or "the kernel"

    @property
    def where(self) -> SourcePlace | None:
        return self.places.find(self.fault.where)

    def site(self, index: int) -> SourcePlace | None:
        return self.places.find(self.fault.sites[index][1])

    def operand(self) -> str:
        """The tensor as the user wrote it, or its position in the call."""
        index = self.fault.operand
        if self.fault.instruction != self.call:
            passed = self.places.passed_on(self.fault.where, self.fault.instruction, index)
            index = index if passed is None else passed
        if self.call in ("GetValue", "SetValue"):  # t.GetValue(i), or t(i)
            return self.receiver(self.call, "the tensor")
        written = self.where.argument(index) if self.where else None
        return written or ("the destination" if index == 0 else f"operand {index + 1}")

    def receiver(self, call: str, otherwise: str) -> str:
        """The object whose method the user called."""
        return (self.where.receiver(call) if self.where else None) or otherwise

    def given(self, call: str, otherwise: str) -> str:
        """The first argument of a call that the headers themselves found wrong."""
        written = call_arguments(self.where.file, self.where.line, call) if self.where else []
        return written[0] if written else otherwise


@dataclass
class Words:
    headline: str
    lines: list[str] = field(default_factory=list)  # further places, already laid out
    advice: str = ""


Explain = Callable[[Facts], Words]
KINDS: dict[FaultKind, tuple[type[errors.AclimbError], Explain]] = {}


def kind(name: FaultKind, error: type[errors.AclimbError]) -> Callable[[Explain], Explain]:
    def register(function: Explain) -> Explain:
        KINDS[name] = (error, function)
        return function

    return register
