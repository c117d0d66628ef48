# SPDX-License-Identifier: Apache-2.0
"""Tiling structs of a kernel, from the classes that the host code registers (BEGIN_TILING_DATA_DEF, REGISTER_TILING_DATA_CLASS).

The class exists on the host only. What stands before a kernel's source has, for each class, a plain struct with the same bytes, and says
which of them GET_TILING_DATA takes:

    REGISTER_TILING_DATA_CLASS(Twice, TwiceTiling)     for all keys
    REGISTER_TILING_DATA_CLASS(Twice_3, TwiceSmall)    for tiling key 3
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from aclimb.compile.headers import include_dir

_REGISTERED = re.compile(r"\bREGISTER_TILING_DEFAULT\b")
_BY_KEY = re.compile(r"\bREGISTER_TILING_FOR_TILINGKEY\b")


@dataclass(frozen=True)
class TilingField:
    name: str
    type: str  # as a kernel spells it
    count: int  # of an array; 0 of a plain field
    struct: TilingClass | None = None


@dataclass(frozen=True)
class TilingClass:  # host library -> kernel
    """A class of tiling data, as the host lays it out."""

    op: str  # what it is registered for: an operator, or an operator with a key
    name: str
    size: int
    fields: tuple[TilingField, ...]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> TilingClass:
        """From a row of a library's description."""
        return cls(row.get("op", ""), _plain(row["class"]), row["size"], tuple(_field(each) for each in row["fields"]))

    def is_of(self, op_type: str) -> bool:
        return self.op == op_type or self.key_of(op_type) is not None

    def key_of(self, op_type: str) -> int | None:
        key = self.op.removeprefix(f"{op_type}_")
        return int(key) if key != self.op and key.isdecimal() else None

    @property
    def parts(self) -> Iterator[TilingClass]:
        """The structs inside, the innermost first."""
        for each in self.fields:
            if each.struct is not None:
                yield from each.struct.parts
                yield each.struct


def _field(row: Mapping[str, Any]) -> TilingField:
    if row["struct_size"]:
        part = TilingClass.of({"class": row["struct"], "size": row["struct_size"], "fields": row["fields"]})
        return TilingField(row["name"], part.name, 0, part)
    return TilingField(row["name"], row["plain"] or row["type"], row["count"])


def _plain(name: str) -> str:
    return name.rpartition("::")[2]


def prelude(classes: Sequence[TilingClass], op_type: str, text: str) -> str:
    """What stands before a kernel. `text`: the kernel's own, with its headers; what that declares itself stays its own."""
    own = [each for each in classes if each.is_of(op_type)]
    named = set(re.findall(r"\w+", text))
    others = [each for each in classes if each.name in named]
    wanted: dict[str, TilingClass] = {}
    for each in (*own, *others):  # of two with one name, the operator's own
        for part in (*each.parts, each):
            wanted.setdefault(part.name, part)
    if not own and not wanted:
        return ""
    mine = {name for name in wanted if _is_declared(name, text)}
    lines = [_struct(each) for name, each in wanted.items() if name not in mine and name not in _of_the_library()]
    spaces = [
        f"namespace optiling {{ using ::{name}; }}" for name in wanted if name not in mine and re.search(rf"\boptiling::{name}\b", text)
    ]
    library = ['#include "kernel_tiling/kernel_tiling.h"'] if _of_the_library() & wanted.keys() else []
    return "\n".join([*library, *lines, *spaces, *_registrations(own, op_type, text, mine)])


def _registrations(own: Iterable[TilingClass], op_type: str, text: str, mine: set[str]) -> Iterator[str]:
    has_default = bool(_REGISTERED.search(text))
    for each in own:
        key = each.key_of(op_type)
        if key is None and not has_default:
            if each.name in mine:
                yield f"struct {each.name};"
            yield f"REGISTER_TILING_DEFAULT({each.name});"
            has_default = True
        elif key is not None and not _BY_KEY.search(text) and each.name not in mine:
            yield f'REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == {key}", {each.name});'


def _struct(made: TilingClass) -> str:
    """With the bytes between two fields as fields of their own, so that a kernel's compiler has nothing to decide."""
    lines = [f"struct {made.name} {{"]
    for number, each in enumerate(made.fields):
        name = f"aclimb_padding_{number}" if each.name == "padding" and each.type == "uint8_t" else each.name
        lines.append(f"    {each.type} {name}{f'[{each.count}]' if each.count else ''};")
    return "\n".join([*lines, "};", f'static_assert(sizeof({made.name}) == {made.size}, "tiling data as the host lays it out");'])


def _is_declared(name: str, text: str) -> bool:
    """Also by the host's own description, where a kernel includes that."""
    declared = rf"\b(?:struct|class)\s+(?:alignas\s*\([^)]*\)\s*|__attribute__\s*\(\([^)]*\)\)\s*)?{name}\b\s*[{{:]"
    return bool(re.search(rf"{declared}|\bBEGIN_TILING_DATA_DEF\s*\(\s*{name}\s*\)|\busing\s+{name}\s*=|}}\s*{name}\s*;", text))


@lru_cache(maxsize=1)
def _of_the_library() -> frozenset[str]:
    """TCubeTiling, SoftMaxTiling: structs that every kernel has."""
    texts = [each.read_text() for each in (include_dir() / "kernel_tiling").glob("*.h")]
    return frozenset(name for text in texts for name in re.findall(r"(?:^struct|^ACLIMB_\w+\(|_TILING\w*\()\s*(\w+)", text, re.MULTILINE))
