# SPDX-License-Identifier: Apache-2.0
"""From an address in a kernel image to the user's line, through inlining, with the line tables that -g1 leaves.

Only read when a message or a trace needs it. API functions are always inlined, so the chain of an instruction begins in
our headers; the first frame outside them is the line the user wrote.
"""

from __future__ import annotations

import bisect
import hashlib
import io
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from aclimb import knobs

# What images call our headers, wherever they lay when the kernel was built: a binary keeps its lines on another machine, and two
# checkouts can share a cache. The builder maps the folders to these (compile/headers.py).
DEVICE_HEADERS, HOST_HEADERS = "/aclimb:device", "/aclimb:host"


class Frame(NamedTuple):
    file: str
    line: int
    function: str


@dataclass(frozen=True)
class _Inlined:
    """A stretch of code that belongs to a function; call_* say where it was inlined, 0 for the function itself."""

    start: int
    end: int
    function: str
    call_file: str
    call_line: int


class SourceLines:
    """The line tables of one image."""

    def __init__(self, image: bytes) -> None:
        from elftools.elf.elffile import ELFFile  # costs more to import than most programs ever need

        self._starts: list[int] = []
        self._rows: list[tuple[int, str, int]] = []  # (end, file, line) beside _starts
        self._scopes: list[_Inlined] = []
        file = ELFFile(io.BytesIO(image))
        if file.has_dwarf_info():
            self._read(file.get_dwarf_info())

    def frames(self, pc: int) -> list[Frame]:
        """The chain at an address, innermost first; `pc` is an offset in the image's address space. Empty where
        nothing is known."""
        at = bisect.bisect_right(self._starts, pc) - 1
        if at < 0 or pc >= self._rows[at][0]:
            return []
        _, file, line = self._rows[at]
        chain = []
        around = [(s.end - s.start, -i, s) for i, s in enumerate(self._scopes) if s.start <= pc < s.end]
        for _, _, scope in sorted(around, key=lambda row: row[:2]):  # of two equal stretches the inner one is listed later
            chain.append(Frame(file, line, scope.function))
            file, line = scope.call_file, scope.call_line
            if not line:
                break
        return chain or [Frame(file, line, "")]

    def _read(self, dwarf: Any) -> None:
        rows: list[tuple[int, int, str, int]] = []
        lists = dwarf.range_lists()
        for unit in dwarf.iter_CUs():
            program = dwarf.line_program_for_CU(unit)
            if program is None:
                continue
            names = _file_names(program, unit)
            rows += _line_rows(program, names)
            self._scopes += _scopes(unit, names, lists)
        rows.sort()
        self._starts = [row[0] for row in rows]
        self._rows = [(end, file, line) for _, end, file, line in rows]


def _file_names(program: Any, unit: Any) -> dict[int, str]:
    """The file table as whole paths. DWARF 5 counts files and folders from 0, DWARF 4 from 1."""
    is_new = program["version"] >= 5
    folder = _text(unit.get_top_DIE().attributes.get("DW_AT_comp_dir")) or "/"
    folders = [_decoded(d) for d in program["include_directory"]]
    if not is_new:
        folders = [folder, *folders]
    names = {}
    for index, entry in enumerate(program["file_entry"], start=0 if is_new else 1):
        base = folders[entry.dir_index] if entry.dir_index < len(folders) else ""
        names[index] = str(Path(folder) / base / _decoded(entry.name))
    return names


def _line_rows(program: Any, names: dict[int, str]) -> Iterator[tuple[int, int, str, int]]:
    previous = None
    for entry in program.get_entries():
        state = entry.state
        if state is None:
            continue
        if previous is not None and not previous.end_sequence and state.address > previous.address:
            yield previous.address, state.address, names.get(previous.file, ""), previous.line
        previous = state


def _scopes(unit: Any, names: dict[int, str], lists: Any) -> Iterator[_Inlined]:
    base = unit.get_top_DIE().attributes.get("DW_AT_low_pc")
    for die in unit.iter_DIEs():
        if die.tag not in ("DW_TAG_inlined_subroutine", "DW_TAG_subprogram"):
            continue
        is_inlined = die.tag == "DW_TAG_inlined_subroutine"
        file = names.get(_number(die, "DW_AT_call_file"), "") if is_inlined else ""
        line = _number(die, "DW_AT_call_line") if is_inlined else 0
        for start, end in _ranges(die, unit, lists, base.value if base else 0):
            yield _Inlined(start, end, _function_name(die), file, line)


def _ranges(die: Any, unit: Any, lists: Any, base: int) -> Iterator[tuple[int, int]]:
    attributes = die.attributes
    if "DW_AT_low_pc" in attributes and "DW_AT_high_pc" in attributes:
        low, high = attributes["DW_AT_low_pc"].value, attributes["DW_AT_high_pc"]
        yield low, high.value if high.form == "DW_FORM_addr" else low + high.value
    elif "DW_AT_ranges" in attributes and lists is not None:
        where = attributes["DW_AT_ranges"]
        offset = where.value
        if where.form == "DW_FORM_rnglistx":
            offset = unit.dwarfinfo.rnglists_offset_for_CU(unit, offset) if hasattr(unit.dwarfinfo, "rnglists_offset_for_CU") else offset
        for entry in lists.get_range_list_at_offset(offset, cu=unit):
            if hasattr(entry, "base_address"):
                base = entry.base_address
            else:
                shift = 0 if getattr(entry, "is_absolute", False) else base
                yield entry.begin_offset + shift, entry.end_offset + shift


def _function_name(die: Any) -> str:
    for _ in range(4):  # an inlined function names its abstract origin, which may name its declaration
        if "DW_AT_name" in die.attributes:
            return _text(die.attributes["DW_AT_name"])
        link = next((a for a in ("DW_AT_abstract_origin", "DW_AT_specification") if a in die.attributes), None)
        if link is None:
            return ""
        die = die.get_DIE_from_attribute(link)
    return ""


def _number(die: Any, name: str) -> int:
    attribute = die.attributes.get(name)
    return int(attribute.value) if attribute is not None else 0


def _text(attribute: Any) -> str:
    return _decoded(attribute.value) if attribute is not None else ""


def _decoded(value: bytes | str) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else value


# --- the questions messages ask

_images: dict[str, SourceLines] = {}
_IN_PYTHON = {"And": "bitwise_and", "Or": "bitwise_or", "Not": "bitwise_not", "EnQue": "enque", "DeQue": "deque", "SoftMax": "softmax"}
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def lines_of(image: bytes) -> SourceLines:
    """The tables of an image, read once."""
    key = hashlib.blake2b(image).hexdigest()  # not OpenSSL's, which has ended when a C program's last words are looked for
    if key not in _images:
        _images[key] = SourceLines(image)
    return _images[key]


def source_files(image: bytes) -> list[str]:
    """Every file that the line tables name; the tables themselves, which take long, are not read."""
    from elftools.elf.elffile import ELFFile

    file = ELFFile(io.BytesIO(image))
    if not file.has_dwarf_info():
        return []
    dwarf = file.get_dwarf_info()
    programs = [(dwarf.line_program_for_CU(unit), unit) for unit in dwarf.iter_CUs()]
    return sorted({name for program, unit in programs if program is not None for name in _file_names(program, unit).values()})


def is_in_our_headers(file: str) -> bool:
    return file.startswith((f"{DEVICE_HEADERS}/", f"{HOST_HEADERS}/"))


def user_frame(image: bytes, return_address: int) -> Frame | None:
    """The user's line for an address an instruction kept. It is the address after the call, so one byte earlier is
    the call itself."""
    chain = lines_of(image).frames(return_address - 1)
    return next((frame for frame in chain if not is_in_our_headers(frame.file)), None)


@lru_cache(maxsize=64)
def _file_lines(file: str, _mtime: int) -> tuple[str, ...]:
    return tuple(Path(file).read_text(errors="replace").splitlines())


_quotable: set[str] | None = None  # None: every file that an image names


def quote_only(files: Iterable[str | Path]) -> None:
    """From now on images are those of strangers: of the files that their line tables name, only these and those given before are read,
    and what lies below ACLIMB_SOURCES."""
    global _quotable
    _quotable = (_quotable or set()) | {os.path.realpath(each) for each in files}


def _may_be_quoted(file: str) -> bool:
    if _quotable is None:
        return True
    real = os.path.realpath(file)
    folders = [os.path.realpath(each) for each in knobs.sources().split(os.pathsep) if each]
    return real in _quotable or any(real.startswith(os.path.join(each, "")) for each in folders)


def source_text(file: str, line: int, *, trusted: bool = False) -> str:
    """The text of a line, without its margin; empty where the file is gone. `trusted`: the host itself named it, no image did."""
    lines = source_lines(file, trusted=trusted)
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def source_lines(file: str, *, trusted: bool = False) -> tuple[str, ...]:
    """All lines of a file as they are; none where it is gone, or may not be read on the word of an image."""
    try:
        return _file_lines(file, Path(file).stat().st_mtime_ns) if trusted or _may_be_quoted(file) else ()
    except (OSError, ValueError):
        return ()


def call_arguments(file: str, line: int, function: str, *, reach: int = 12) -> list[str]:
    """Texts of the arguments of `function(...)` at this line: operand i of `Add(zLocal, xLocal, yLocal, n)`.

    Best effort. A call over several lines may be noted at its first or its last line, so the lines around are searched.
    Empty if not found.
    """
    lines = source_lines(file)
    if file.endswith(".py"):  # a kernel in Python: the same call under its name there
        function = _IN_PYTHON.get(function) or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", function).lower()
    for first in range(line, max(0, line - reach), -1):
        text = _COMMENT.sub(lambda match: " " * len(match[0]), "\n".join(lines[first - 1 : line + reach]))
        limit = sum(len(part) + 1 for part in lines[first - 1 : line])
        for match in re.finditer(rf"\b{re.escape(function)}\b\s*(?=[<(])", text):
            if match.start() < limit:
                found = _arguments(text, match.end())
                if found is not None:
                    return [re.sub(r"^\w+=(?!=)", "", each) for each in found] if file.endswith(".py") else found
    return []


def _arguments(text: str, at: int) -> list[str] | None:
    if text[at : at + 1] == "<":
        at = _behind(text, at, "<", ">")
        while text[at : at + 1].isspace():
            at += 1
    if text[at : at + 1] != "(":
        return None
    parts, depth = [""], 0
    for letter in text[at:]:
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0:
            parts = [" ".join(part.split()) for part in parts]
            return [] if parts == [""] else parts
        if letter == "," and depth == 1:
            parts.append("")
        elif not (letter == "(" and depth == 1 and parts == [""]):
            parts[-1] += letter
    return None


def _behind(text: str, at: int, opening: str, closing: str) -> int:
    depth = 0
    while at < len(text):
        depth += (text[at] == opening) - (text[at] == closing)
        at += 1
        if depth == 0:
            break
    return at
