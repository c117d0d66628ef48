# SPDX-License-Identifier: Apache-2.0
"""What a sentence is made from: the engine's facts with their places looked up, and the table of sentences by kind of fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aclimb import errors
from aclimb.binary.source_lines import call_arguments
from aclimb.report.places import SourcePlace, SourcePlaces


@dataclass
class Facts:
    """The engine's dictionary, with its places looked up in the source."""

    raw: dict[str, Any]
    places: SourcePlaces
    numbers: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.numbers = self.raw["numbers"]
        self.places.call = self.places.called(self.raw["where"], self.raw["instruction"])

    def text(self, name: str) -> str:
        return next((value for key, value in self.raw["texts"] if key == name), "")

    def all_texts(self, name: str) -> list[str]:
        return [value for key, value in self.raw["texts"] if key == name]

    @property
    def call(self) -> str:
        return self.places.call or "the kernel"

    @property
    def where(self) -> SourcePlace | None:
        return self.places.find(self.raw["where"])

    def site(self, index: int) -> SourcePlace | None:
        return self.places.find(self.raw["sites"][index][1])

    def operand(self) -> str:
        """The tensor as the user wrote it, or its position in the call."""
        index = self.numbers["operand"]
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
KINDS: dict[str, tuple[type[errors.AclimbError], Explain]] = {}


def kind(name: str, error: type[errors.AclimbError]) -> Callable[[Explain], Explain]:
    def register(function: Explain) -> Explain:
        KINDS[name] = (error, function)
        return function

    return register
