# SPDX-License-Identifier: Apache-2.0
"""What a program did not give back, and where it made it. Places are kept only while ACLIMB_LEAKS is on."""

from __future__ import annotations

import weakref
from collections import Counter
from functools import cache
from typing import Any

from aclimb import knobs
from aclimb.runtime.where import call_site

_MOST = 20  # places that are listed
_objects: weakref.WeakKeyDictionary[Any, tuple[str, str]] = weakref.WeakKeyDictionary()  # thing -> kind, place
_blocks: dict[int, str] = {}  # address of acl's memory -> place


@cache
def watched() -> bool:
    """Read once: allocations and streams ask for it."""
    return knobs.leaks()


def made(kind: str, thing: Any) -> None:
    if watched():
        _objects[thing] = kind, call_site()


def ended(thing: Any) -> None:
    _objects.pop(thing, None)


def allocated(address: int) -> int:
    if watched():
        _blocks[address] = call_site()
    return address


def released(address: int) -> None:
    _blocks.pop(address, None)


def sentence(live: dict[str, int]) -> str:
    """What is alive, by kind and then by place; "" where nothing is."""
    left = {kind: count for kind, count in live.items() if count and kind != "bytes"}
    if not left:
        return ""
    size = f" ({live['bytes']} bytes)" if live["bytes"] else ""
    return "\n".join([", ".join(_many(count, kind) + (size if kind == "buffers" else "") for kind, count in left.items()), *_places()])


def _places() -> list[str]:
    found = Counter([*list(_objects.values()), *(("buffers", place) for place in list(_blocks.values()))])
    rows = [f"    {_many(count, kind)} made at {place}" for (kind, place), count in found.most_common()]
    return rows if len(rows) <= _MOST else [*rows[:_MOST], f"    and others, made at {len(rows) - _MOST} more places"]


def _many(count: int, kind: str) -> str:
    one = {"binaries": "binary"}.get(kind, kind.removesuffix("s"))
    return f"{count} {one if count == 1 else kind}"
