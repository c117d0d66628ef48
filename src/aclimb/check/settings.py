# SPDX-License-Identifier: Apache-2.0
"""What a check looks for. Each setting is declared here and nowhere else: `aclimb.check`, `aclimb check` and ACLIMB_CHECK take them by
these names. Checked when they are made, so a bad value fails where it was written.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, fields, replace
from typing import Any

from aclimb.errors import InvalidArgument


def _setting(default: Any, help: str = "", *, takes: tuple[str, ...] = (), off: tuple[object, ...] = (False,), named: object = None) -> Any:
    """With `off` its rules have no findings; who names one of them means `named`."""
    return field(default=default, metadata={"help": help, "takes": takes, "off": off, "named": named})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:  # -> engine_side.py, collect.py
    auto_sync: str = _setting(
        "on", "Order that the vendor's compiler inserts: on, off, or warn to list it.",
        takes=("on", "off", "warn"), off=("on", "off"), named="warn",
    )  # fmt: skip
    init: str = _setting(
        "reach", "Unwritten bytes: reach tells where they matter, eager at the first read, off never.",
        takes=("reach", "eager", "off"), off=("off",),
    )  # fmt: skip
    cache: bool = _setting(True, "Check the data cache of the scalar unit.")
    advice: bool = _setting(False, "Also tell what costs time: bank conflicts, short copies.", named=True)
    leaks: bool = _setting(False, "Also tell what acl was not given back.", named=True)
    schedules: int = field(default=0, init=False, metadata={"off": (0,)})  # so many for each launch; the check is told by who ran them
    rules: Collection[str] | None = _setting(None, "Look for this rule only, by id or name; may be given again.")  # None: all

    def __post_init__(self) -> None:
        """With rules by their ids; one that is named is looked for, whatever the other settings say."""
        from aclimb.check.rules import RULES, chosen

        for each in fields(Settings):
            _one_of(each.name, getattr(self, each.name), each.metadata.get("takes", ()))
        ids = chosen(self.rules)
        object.__setattr__(self, "rules", ids)
        wanted = {RULES[each].setting for each in ids or ()}
        for each in fields(Settings):
            if each.name in wanted and each.metadata.get("named") and getattr(self, each.name) == each.default:
                object.__setattr__(self, each.name, each.metadata["named"])

    @property
    def active(self) -> frozenset[str]:
        """The rules that can have findings."""
        from aclimb.check.rules import RULES

        off = {each.name for each in fields(Settings) if getattr(self, each.name) in each.metadata["off"]}
        return frozenset(each for each in (RULES if self.rules is None else self.rules) if RULES[each].setting not in off)

    def under(self, schedules: int) -> Settings:
        """The same, of launches that also run under so many schedules."""
        made = replace(self)
        object.__setattr__(made, "schedules", schedules)
        return made


def _one_of(name: str, value: str, accepted: tuple[str, ...]) -> None:
    if accepted and value not in accepted:
        raise InvalidArgument(f"{name} is {value!r}; it takes {', '.join(accepted[:-1])} or {accepted[-1]}")
