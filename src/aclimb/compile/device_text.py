# SPDX-License-Identifier: Apache-2.0
"""The device part of a preprocessed source that has a host part too.

Host functions become declarations: what they contain (launches, throw, containers, threads) is not for the AI Core, and a
kernel that calls one is refused when the image is linked. What a compiler emits on demand only (templates, inline
functions, classes) stays, without its launches, and is dropped by the linker. No line gets another number.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from aclimb.compile import diagnostics
from aclimb.compile.edits import EditedText
from aclimb.compile.functions import AICORE, HOST, functions, without_marks
from aclimb.compile.launches import BadLaunch, find_launches
from aclimb.compile.scan import Scan, scan_text
from aclimb.compile.tokens import TOKEN

# Behind our headers, and before the user's source.
MARKS = f"#undef __aicore__\n#define __aicore__ {AICORE}\n#undef __host__\n#define __host__ {HOST}\n"
_NEEDS_EXCEPTIONS = {"try", "catch", "throw", "typeid", "dynamic_cast"}
_MAY_HAVE_HOST_PART = re.compile(r"<<<|\bmain\s*\(")


@dataclass(frozen=True)
class DeviceText:
    text: str
    scan: Scan
    host_functions: frozenset[str]  # names of those without a body now
    needs_exceptions: bool


def has_host_part(source: str) -> bool:
    """Whether a source, as it was written, launches or has a main."""
    if not _MAY_HAVE_HOST_PART.search(source):
        return False
    words = [match[0] for match in TOKEN.finditer(source) if match.lastgroup not in ("line", "comment", "tag", "string", "char")]
    pairs = set(pairwise(words))
    return ("main", "(") in pairs or ("<<", "<") in pairs or any(word.startswith("#") and "<<<" in word for word in words)


def device_text(preprocessed: str, source: Path, own_folders: tuple[Path, ...]) -> DeviceText:
    text = EditedText(preprocessed, own_folders)
    found = scan_text(text.users)
    removed: list[tuple[int, int]] = []
    names = set()
    for function in functions(found.tokens):
        if function.is_for_aicore or function.is_emitted_on_demand or function.has_deduced_type:
            continue
        first = found.tokens[function.start if function.is_qualified else function.body].start
        removed.append((first, found.tokens[function.end - 1].start + 1))
        text.replace(*removed[-1], "" if function.is_qualified else ";")
        names.add(function.name)
    is_left = _outside(removed)
    try:
        launches = find_launches([token for token in found.tokens if is_left(token.start)])
    except BadLaunch as error:
        raise diagnostics.from_diagnostics(source, [error.diagnostic]) from None
    for launch in launches:
        text.replace(launch.callee, launch.end, "static_cast<void>(0)")
    needs = any(token.text in _NEEDS_EXCEPTIONS and is_left(token.start) for token in found.tokens)
    found.files = text.files
    return DeviceText(without_marks(text.result()), found, frozenset(names), needs)


def from_source_on(preprocessed: str, source: Path) -> str:
    """Without our own headers, which come first."""
    marker = f'# 1 "{source}"'
    matches = list(re.finditer(rf"^{re.escape(marker)}(?: 2)?$", preprocessed, re.MULTILINE))
    return marker + preprocessed[matches[-1].end() :] if matches else preprocessed


def _outside(ranges: list[tuple[int, int]]) -> Callable[[int], bool]:
    """`ranges` in their order; whether a place is in none of them."""
    starts = [start for start, _ in ranges]

    def is_outside(place: int) -> bool:
        at = bisect_right(starts, place) - 1
        return at < 0 or place >= ranges[at][1]

    return is_outside
