# SPDX-License-Identifier: Apache-2.0
"""What a program did not give back, and where it made it. Places are kept only while ACLIMB_LEAKS is on."""

from __future__ import annotations

import weakref
from collections import Counter
from functools import cache
from typing import Any

from aclimb import knobs
from aclimb.runtime.where import call_place, shown

_MOST = 20  # places that are listed
Place = tuple[str, int]
_objects: weakref.WeakKeyDictionary[Any, tuple[str, Place]] = weakref.WeakKeyDictionary()  # thing -> kind, place
_blocks: dict[int, Place] = {}  # address of acl's memory -> place
_asked = False


@cache
def _by_setting() -> bool:
    """Read once: allocations and streams ask for it."""
    return knobs.leaks()


def watched() -> bool:
    return _asked or _by_setting()


def watch() -> None:
    """Keeps places from now on, whatever the setting says."""
    global _asked
    _asked = True


def made(kind: str, thing: Any) -> None:
    if watched():
        _objects[thing] = kind, call_place()


def ended(thing: Any) -> None:
    _objects.pop(thing, None)


def allocated(address: int) -> int:
    if watched():
        _blocks[address] = call_place()
    return address


def released(address: int) -> None:
    _blocks.pop(address, None)


def sentence(live: dict[str, int]) -> str:
    """What is alive, by kind and then by place; "" where nothing is."""
    left = {kind: count for kind, count in live.items() if count and kind != "bytes"}
    if not left:
        return ""
    size = f" ({live['bytes']} bytes)" if live["bytes"] else ""
    return "\n".join([", ".join(many(count, kind) + (size if kind == "buffers" else "") for kind, count in left.items()), *_places()])


def listed() -> list[tuple[str, Place, int]]:
    """Kind, place and number of what was not given back, most first."""
    found = Counter([*list(_objects.values()), *(("buffers", place) for place in list(_blocks.values()))])
    return [(kind, place, count) for (kind, place), count in found.most_common()]


def _places() -> list[str]:
    rows = [f"    {many(count, kind)} made at {shown(place)}" for kind, place, count in listed()]
    return rows if len(rows) <= _MOST else [*rows[:_MOST], f"    and others, made at {len(rows) - _MOST} more places"]


def many(count: int, kind: str) -> str:
    one = {"binaries": "binary"}.get(kind, kind.removesuffix("s"))
    return f"{count} {one if count == 1 else kind}"
