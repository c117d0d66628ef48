# SPDX-License-Identifier: Apache-2.0
"""Numbers outside, objects inside: the handles that acl gives out.

A number is never used twice, and none of them could be the address of anything: bits 48 and up are not what addresses have.
"""

from __future__ import annotations

import itertools
from typing import Generic, TypeVar

from aclimb.errors import Refused

T = TypeVar("T")

NULL, BAD_HANDLE = 100000, 107017
_FIRST = 0x0AC0 << 48
_STEP = 16
_numbers = itertools.count(_FIRST + _STEP, _STEP)
_tables: list[Handles] = []  # type: ignore[type-arg]


def what_is_handle(number: int) -> str | None:
    """The kind of thing that a live handle stands for."""
    return next((table.what for table in _tables if number in table), None)


class Handles(dict[int, T], Generic[T]):
    """`streams[number]` is the live stream of that number; what is not one raises the refusal with its reason."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what
        _tables.append(self)

    def add(self, thing: T) -> int:
        number = next(_numbers)
        self[number] = thing
        return number

    def end(self, number: int) -> T:
        """The thing, whose number is worth nothing from now on."""
        thing = self[number]
        self.pop(number, None)
        return thing

    def __missing__(self, number: int) -> T:
        if number == 0:
            raise Refused(NULL, f"{self.what} is 0 (NULL); give the handle of a live one")
        other = what_is_handle(number)
        if other is not None:
            raise Refused(BAD_HANDLE, f"0x{number:x} is a {other}; a {self.what} is needed here")
        raise Refused(BAD_HANDLE, f"0x{number:x} is not a {self.what} that is alive: it was destroyed, or never was one")
