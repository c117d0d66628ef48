# SPDX-License-Identifier: Apache-2.0
"""What a random sequence of calls knows: which numbers are alive, and so which answers cannot be.

A call that ends well with a number that is not alive is a mistake of ours. A call that fails is none: the model does not foretell codes.
"""

from __future__ import annotations

from typing import Any

from host import code, message

KINDS = ("context", "stream", "event", "memory", "pinned", "binary", "function", "args", "parameter")
WILD = (0, 1, -1, 2, 64, 12345, 2**31, 2**32 - 1, 2**63, 2**64 - 1, 2**64 + 5, -(2**63))
ANY_WIDTH = 2**64 - 1
SLACK = 64  # bytes that an allocation may have beyond what was asked for

Pick = tuple[str, int]  # where a number comes from, and which one


class Model:
    def __init__(self) -> None:
        self.alive: dict[str, list[int]] = {kind: [] for kind in KINDS}
        self.ended: list[int] = []
        self.unknown: set[int] = set()  # went with what they belonged to, or not: both are fine
        self.owner: dict[int, int] = {}  # stream, event -> context; function -> binary; parameter -> args
        self.sizes: dict[int, int] = {}  # of memory
        self.default_contexts: dict[int, int] = {}  # device -> context
        self.references = [0, 0]  # set_device less reset_device
        self.recorded: set[int] = set()  # events
        self.subscribed: set[int] = set()  # streams

    # --- numbers in

    def begin(self, kind: str, number: int, owner: int = 0) -> None:
        """The number was handed out."""
        assert 0 < number <= ANY_WIDTH
        assert all(number not in numbers for other, numbers in self.alive.items() if other != kind), f"{number} is alive twice"
        self.owner[number] = owner
        self.unknown.discard(number)
        if number in self.ended:
            self.ended.remove(number)
        if number not in self.alive[kind]:
            self.alive[kind].append(number)

    def end(self, kind: str, number: int) -> None:
        self.alive[kind].remove(number)
        self.ended.append(number)
        self.recorded.discard(number)
        self.subscribed.discard(number)

    def end_owned(self, owner: int, *kinds: str, surely: bool) -> None:
        """What belongs to it ended with it; or perhaps it did."""
        for kind in kinds:
            for number in [each for each in self.alive[kind] if self.owner[each] == owner]:
                self.end(kind, number)
                if not surely:
                    self.ended.remove(number)
                    self.unknown.add(number)

    # --- numbers out

    def number(self, kind: str, pick: Pick) -> int:
        source, index = pick
        pool: Any = WILD
        if source == "right":
            pool = self.alive[kind]
        elif source == "ended":
            pool = self.ended
        elif source == "other":  # a host address could be meant, so it is never passed off as something else
            pool = [each for other in KINDS if other not in (kind, "pinned") for each in self.alive[other]]
        chosen: int = pool[index % len(pool)] if pool else WILD[index % len(WILD)]
        return chosen

    def is_alive(self, kind: str, number: int) -> bool:
        number &= ANY_WIDTH
        return number in self.alive[kind] or number in self.unknown

    def covers(self, address: int, count: int) -> bool:
        """Whether the bytes lie in one allocation; also a freed one, whose place the runtime may have taken for itself."""
        address &= ANY_WIDTH
        return any(start <= address and address + count <= start + size + SLACK for start, size in self.sizes.items())

    def went_well(self, result: Any, *uses: tuple[str, int], **facts: bool) -> bool:
        """Whether the call did; it must not have if a number is not alive or a fact does not hold. A failure has a sentence."""
        ret = code(result)
        if ret != 0:
            assert message(), f"{result!r} came without a word"
            return False
        for kind, number in uses:
            is_default = kind == "stream" and number & ANY_WIDTH == 0
            assert is_default or self.is_alive(kind, number), f"{number} is no living {kind}, and the answer is {result!r}"
        assert all(facts.values()), f"{facts}, and the answer is {result!r}"
        return True
