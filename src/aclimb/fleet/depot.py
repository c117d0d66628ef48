# SPDX-License-Identifier: Apache-2.0
"""What all nodes of a run share, as an actor of Ray: where files are by their hash, and what was built, by whom and for whom."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Any

from aclimb.compile.shelf import BUILD, ELSEWHERE, HAVE, NONE, WAIT, Entry

CLAIM_S = 60.0  # after that, a builder who said nothing is taken for dead
MOST_BYTES = 512 << 20  # of built kernels; those that were asked for least recently leave

Tools = tuple[str, str, str]


class Depot:
    """Nothing in here knows of Ray; references to files are its references."""

    def __init__(self) -> None:
        self._files: dict[str, Any] = {}
        self._shelf: OrderedDict[str, Entry] = OrderedDict()
        self._claims: dict[str, tuple[str, float]] = {}
        self._tools: Tools | None = None
        self._size = 0
        self._given: dict[str, int] = {}  # files by node, builds by "built": what tests ask for
        self._kept = 0

    # --- files

    def stock(self, files: dict[str, Any]) -> None:
        self._files.update(files)

    def files(self, digests: list[str], node: str) -> dict[str, Any]:
        self._given[node] = self._given.get(node, 0) + len(digests)
        return {digest: self._files[digest] for digest in digests}

    # --- kernels

    def introduce(self, tools: Tools | None) -> Tools | None:
        """A node says which compiler it has; one without is told under whose name it finds kernels."""
        self._tools = self._tools or tools
        return self._tools

    def claim(self, key: str, node: str, can_build: bool) -> tuple[Any, ...]:
        found = self.peek(key)
        if found[0] == HAVE:
            return found
        builder, since = self._claims.get(key, ("", 0.0))
        if builder and builder != node and time.monotonic() - since < CLAIM_S:
            return (WAIT,)
        if not can_build:
            return (ELSEWHERE,)
        self._claims[key] = (node, time.monotonic())
        return (BUILD,)

    def peek(self, key: str) -> tuple[Any, ...]:
        if key not in self._shelf:
            return (NONE,)
        self._shelf.move_to_end(key)
        return (HAVE, *self._shelf[key])

    def keep(self, key: str, files: dict[str, str], data: bytes) -> None:
        self._claims.pop(key, None)
        self._kept += key not in self._shelf and not key.endswith((".json", "-failed"))
        self._size += len(data) - len(self._shelf[key][1] if key in self._shelf else b"")
        self._shelf[key] = (files, data)
        while self._size > MOST_BYTES:
            self._size -= len(self._shelf.popitem(last=False)[1][1])

    def give_up(self, key: str) -> None:
        self._claims.pop(key, None)

    def counts(self) -> dict[str, int]:
        """Files that each node fetched, and how many objects were built."""
        return {**self._given, "built": self._kept}
