# SPDX-License-Identifier: Apache-2.0
"""The cores of a launch by name (`AIV3`), by the engine's number, and as a short list: `AIC0,AIV4-7`, or `AIV` for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from aclimb.errors import InvalidArgument
from aclimb.flow import KernelType

KINDS = ("AIC", "AIV")
_RANGE = re.compile(r"(AIC|AIV)(?:(0|[1-9]\d{0,5})(?:-(0|[1-9]\d{0,5}))?)?", re.ASCII)

Core = tuple[str, int]  # kind, index among those of its kind; WHOLE: all of them
WHOLE = -1


def parse_cores(text: str) -> tuple[Core, ...]:
    """Sorted, each once. A ValueError says what a list looks like."""
    found: set[Core] = set()
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        if not match:
            raise ValueError(f"{part!r} is no core: AIV3, AIV4-7 or AIV")
        kind, first, last = match.groups()
        if first is None:
            found.add((kind, WHOLE))
        elif last is not None and int(last) < int(first):
            raise ValueError(f"{part!r} ends before it begins")
        else:
            found |= {(kind, index) for index in range(int(first), int(last or first) + 1)}
    return simplified(found)


def simplified(cores: Iterable[Core]) -> tuple[Core, ...]:
    """What a list names twice is left out."""
    given = set(cores)
    return tuple(sorted(core for core in given if core[1] == WHOLE or (core[0], WHOLE) not in given))


def write_cores(cores: Iterable[Core]) -> str:
    parts = []
    for kind, of_kind in groupby(cores, key=lambda core: core[0]):
        indices = [index for _, index in of_kind]
        for _, run in groupby(enumerate(indices), key=lambda pair: pair[1] - pair[0]):
            stretch = [index for _, index in run]
            first, last = stretch[0], stretch[-1]
            parts.append(kind if first == WHOLE else f"{kind}{first}" if first == last else f"{kind}{first}-{last}")
    return ",".join(parts)


@dataclass(frozen=True)
class LaunchCores:
    """Which cores a launch has, in the engine's order: of each block its AIC first, then its AIVs."""

    kernel: str
    kernel_type: KernelType
    num_blocks: int

    @cached_property
    def all(self) -> tuple[Core, ...]:
        aics, aivs = self.kernel_type.task_ration
        return tuple(
            (kind, block * ratio + each)
            for block in range(self.num_blocks)
            for kind, ratio in zip(KINDS, (aics, aivs), strict=True)
            for each in range(ratio)
        )

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(kind for kind, ratio in zip(KINDS, self.kernel_type.task_ration, strict=True) if ratio)

    def of_kind(self, kind: str) -> tuple[Core, ...]:
        return tuple(core for core in self.all if core[0] == kind)

    def unit(self, core: Core) -> int:
        """The engine's number."""
        if core not in self._units:
            has = " and ".join(f"{kind} 0 to {self.of_kind(kind)[-1][1]}" for kind in self.kinds)
            raise InvalidArgument(f"there is no {core[0]} {core[1]}: this launch of {self.kernel} has {has}")
        return self._units[core]

    def units(self, cores: Iterable[Core]) -> list[int]:
        return [unit for core in cores for unit in ([self.unit(core)] if core[1] != WHOLE else map(self.unit, self.of_kind(core[0])))]

    @cached_property
    def _units(self) -> dict[Core, int]:
        return {core: unit for unit, core in enumerate(self.all)}
