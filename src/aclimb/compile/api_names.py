# SPDX-License-Identifier: Apache-2.0
"""Which names of Ascend C the device headers have, and what is said about those that they do not have.

What is supported is read from the headers themselves. The rest stands in unsupported.h and not_on_a2_a3.h, for functions that take
tensors, and in data/names.toml. A name that the headers define is supported, whatever else lists it.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

Reason = Literal["not yet", "not on A2 and A3"]

_REFUSING = ("unsupported.h", "not_on_a2_a3.h")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_OWN = re.compile(r"^namespace aclimb \{.*?^\} // namespace aclimb", re.MULTILINE | re.DOTALL)
_REFUSED_TYPE = re.compile(r"(?:struct|class) (\w+) \{\s*static_assert\(aclimb::never<.*?^\};", re.MULTILINE | re.DOTALL)
_DEFINED = [
    re.compile(r"^#\s*define ((?!ACLIMB)\w+)", re.MULTILINE),
    re.compile(r"ACLIMB_API\b[^;{=]*?(?<![.:>])\b([A-Za-z_]\w*)\("),
    re.compile(r"\b(?:class|struct|union|enum(?: class)?)\s+([A-Za-z_]\w*)\s*(?=[:{<])"),
    re.compile(r"\b(?:using|typedef [\w ]+?)\s+([A-Za-z_]\w*)\s*[=;]"),
    re.compile(r"\busing (?:::|\w+::)+(\w+);"),
    re.compile(r"^namespace (?!aclimb)(\w+) \{", re.MULTILINE),
    re.compile(r"\bconstexpr [^;(){}]*?\b([A-Za-z_]\w*)(?:\[\d*\])? ?= "),
    re.compile(r"\bconstexpr Matmul\w+ (\w+)\("),
    re.compile(r"^ACLIMB_(?!API|TYPES|UNSUPPORTED|NOT_ON|REFUSED|EVENT)[A-Z0-9_]+\((\w+)[,)]", re.MULTILINE),
]
_ENUMERATORS = re.compile(r"\benum(?: class)?\s+\w+[^;{]*\{([^}]*)\}")
_ROW = re.compile(r"^(?:.*\b)?(ACLIMB_(?:UNSUPPORTED(?:_CALL)?|NOT_ON_A2_A3|SENTENCE|OTHER_PRODUCT))\((\w+), \"([^\"]*)\"\)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Missing:
    """A name of Ascend C that a kernel cannot use."""

    name: str
    reason: Reason
    nearest: str
    part: str  # what it belongs to; the name itself where it stands alone
    is_bare: bool = False  # written without AscendC::
    is_method: bool = False

    @property
    def sentence(self) -> str:
        shown = self.name if self.is_bare or self.is_method else f"AscendC::{self.name}"
        belongs = f", a part of {self.part}," if self.name not in self.part.split() else ""
        verb = "is not supported yet" if self.reason == "not yet" else "does not exist on Atlas A2 and A3"
        return f"{shown}{belongs} {verb}; nearest: {self.nearest}"


def supported(folder: Path) -> frozenset[str]:
    """Every name that the headers offer to a kernel."""
    return _supported(_state(folder))


def missing(folder: Path) -> dict[str, Missing]:
    """What is not offered, by name."""
    known = supported(folder)
    return {name: each for name, each in _listed(_state(folder)).items() if name not in known}


def unusable(folder: Path) -> dict[str, Missing]:
    """What is missing, and what the headers declare of other products, so that code which mentions it compiles."""
    known = supported(folder)
    return {name: each for name, each in _listed(_state(folder)).items() if name not in known or each.reason == "not on A2 and A3"}


def _state(folder: Path) -> tuple[tuple[Path, int], ...]:
    """The headers with their times: what was read is read again after a change."""
    return tuple((path, path.stat().st_mtime_ns) for path in sorted(folder.rglob("*.h")))


@lru_cache(maxsize=4)
def _supported(files: tuple[tuple[Path, int], ...]) -> frozenset[str]:
    found: set[str] = set()
    refused: set[str] = set()
    for path, _ in files:
        if path.name in _REFUSING:
            continue
        text = _COMMENT.sub("", _OWN.sub("", path.read_text().replace("\\\n", "\n")))
        refused.update(_REFUSED_TYPE.findall(text))
        found.update(name for pattern in _DEFINED for name in pattern.findall(text))
        for body in _ENUMERATORS.findall(text):
            found.update(re.findall(r"(?:^|,)\s*([A-Za-z_]\w*)", body))
    return frozenset(found - refused)


@lru_cache(maxsize=4)
def _listed(files: tuple[tuple[Path, int], ...]) -> dict[str, Missing]:
    found: dict[str, Missing] = {}
    table = tomllib.loads((Path(__file__).parent / "data" / "names.toml").read_text())
    reasons: dict[str, Reason] = {"not_yet": "not yet", "not_on_a2_a3": "not on A2 and A3"}
    for section, reason in reasons.items():
        for row in table[section]:
            bare = row.get("bare", False)
            found |= {name: Missing(name, reason, row["nearest"], row["part"], bare) for name in row["names"]}
            found |= {name: Missing(name, reason, row["nearest"], row["part"], is_method=True) for name in row.get("methods", ())}
    for path, _ in files:
        if path.name in _REFUSING:
            for macro, name, nearest in _ROW.findall(path.read_text()):
                elsewhere = macro in ("ACLIMB_NOT_ON_A2_A3", "ACLIMB_OTHER_PRODUCT")
                found[name] = Missing(name, "not on A2 and A3" if elsewhere else "not yet", nearest, name)
    return found
