# SPDX-License-Identifier: Apache-2.0
"""What a check looks for. Checked when it is made, so a bad value fails where it was written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from aclimb.check.rules import RULES, chosen
from aclimb.errors import InvalidArgument

AUTO_SYNC = ("on", "off", "warn")
INIT = ("reach", "eager", "off")


@dataclass(frozen=True, slots=True)
class Settings:  # -> engine_side.py, collect.py
    auto_sync: str = "on"  # what the vendor's compiler inserts: taken for granted, not there, or listed (O9)
    init: str = "reach"  # unwritten bytes: where they reach something, at their first read, or never
    cache: bool = True  # C1 to C4
    advice: bool = False  # A1 to A4
    leaks: bool = False  # L4
    schedules: int = 0  # S1: so many for each launch
    rules: frozenset[str] | None = None  # None: all

    def __post_init__(self) -> None:
        _one_of("auto_sync", self.auto_sync, AUTO_SYNC)
        _one_of("init", self.init, INIT)

    @classmethod
    def of(cls, *, auto_sync: str, init: str, cache: bool, advice: bool, leaks: bool, rules: Iterable[str] | None) -> Settings:
        """With rules by id or name; a rule that is named is looked for, whatever the other settings say."""
        ids = chosen(rules)
        named = ids or frozenset()
        return cls(
            auto_sync="warn" if "O9" in named and auto_sync == "on" else auto_sync,
            init=init,
            cache=cache,
            advice=advice or any(each.startswith("A") for each in named),
            leaks=leaks or "L4" in named,
            rules=ids,
        )

    @property
    def active(self) -> frozenset[str]:
        """The rules that can have findings."""
        off = set()
        if self.auto_sync != "warn":
            off.add("O9")
        if self.init == "off":
            off |= {"I1", "I2", "I3"}
        if not self.cache:
            off |= {"C1", "C2", "C3", "C4"}
        if not self.advice:
            off |= {"A1", "A2", "A3", "A4"}
        if not self.leaks:
            off.add("L4")
        if not self.schedules:
            off.add("S1")
        return frozenset(RULES if self.rules is None else self.rules) - off


def _one_of(name: str, value: str, accepted: tuple[str, ...]) -> None:
    if value not in accepted:
        raise InvalidArgument(f"{name} is {value!r}; it takes {', '.join(accepted[:-1])} or {accepted[-1]}")
