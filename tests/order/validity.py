# SPDX-License-Identifier: Apache-2.0
"""Which bytes of a kernel that ran nobody had written, as far as they got: a second opinion for mistakes that are not about order.

Bytes of local memory are unwritten when a core starts. An instruction hands that on: byte by byte where its operands have as many bytes as
its result, else from any of them to all of it. What counts is what reaches global memory or the scalar unit.
"""

from __future__ import annotations

from collections import defaultdict

from events import GM, Access, Program, Touch


def unwritten_that_matter(program: Program) -> int:
    """How many instructions hand an unwritten byte to global memory or to the scalar unit, as they stand in the program."""
    found = 0
    for core in program.cores:
        good: dict[str, set[int]] = defaultdict(set)
        for event in core.events:
            if isinstance(event, Access):
                found += _step(event, good)
    return found


def _step(access: Access, good: dict[str, set[int]]) -> bool:
    sources = [touch for touch in access.touches if touch.role in "ru" and not touch.memory.startswith("register")]
    results = [touch for touch in access.touches if touch.role in "wua" and not touch.memory.startswith("register")]
    read = [_bytes(sources, memory) for memory in {touch.memory for touch in sources} if memory != GM]
    is_bad = [[byte not in good[memory] for memory, byte in each] for each in read]
    reaches = any(map(any, is_bad)) and (access.pipe == "S" or any(touch.memory == GM for touch in results))
    written = [place for memory in {touch.memory for touch in results} if memory != GM for place in _bytes(results, memory)]
    same_shape = bool(is_bad) and all(len(each) % max(1, len(written)) == 0 for each in is_bad)
    for index, (memory, byte) in enumerate(written):
        near = (each[at] for each in is_bad for at in range(index, len(each), len(written)))
        bad = any(near) if same_shape else any(map(any, is_bad))
        (good[memory].discard if bad else good[memory].add)(byte)
    return reaches


def _bytes(touches: list[Touch], memory: str) -> list[tuple[str, int]]:
    return [(memory, byte) for touch in touches if touch.memory == memory for byte in range(touch.begin, touch.end)]
