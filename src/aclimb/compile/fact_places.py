# SPDX-License-Identifier: Apache-2.0
"""Where the facts of a kernel stand in the user's source.

The object knows to which function a fact belongs, and so for which kernels it holds; the line tables are readable in the
image that was linked from it. The name of the function connects the two.
"""

from __future__ import annotations

from typing import NamedTuple

from aclimb.binary import elf
from aclimb.binary.source_lines import is_in_our_headers, lines_of
from aclimb.compile.facts import Fact, ObjectFacts


class FactPlace(NamedTuple):
    file: str
    line: int
    call: str  # the function of our headers that the line calls


def find(facts: ObjectFacts, symbol: str, fact: Fact, image: bytes) -> set[FactPlace]:
    """The lines at which the code of a kernel's entry leaves this fact."""
    starts = {s.name: s.value for s in elf.Elf(image).symbols if s.type == elf.STT_FUNC}
    sites = [site for site in facts.sites.get(symbol, ()) if site.fact == fact and site.function in starts]
    places = (_place(image, starts[site.function] + site.offset) for site in sites)
    return {place for place in places if place is not None}


def _place(image: bytes, address: int) -> FactPlace | None:
    call = ""
    for frame in lines_of(image).frames(address):
        if not is_in_our_headers(frame.file):
            return FactPlace(frame.file, frame.line, call)
        call = frame.function.partition("<")[0]
    return None
