# SPDX-License-Identifier: Apache-2.0
"""Turns a compiler's output into errors at the user's own lines.

An error inside our headers is moved to the line of the user that led there: compilers name that line as "required from
here", "in expansion of macro" or "in instantiation of". Frames of our headers and of the generated wrapper are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from aclimb.compile import api_names, headers
from aclimb.compile.refused_names import Refusals
from aclimb.errors import CompileError, Diagnostic

MOST_ERRORS = 20
_MESSAGE = re.compile(
    r"(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<severity>fatal"
    r" error|error|warning|note): (?P<text>.*)"
)
_FRAME = re.compile(r"(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:(?P<column>\d+):)?\s+(?:recursively )?required (?:from|by) .*")
_INLINED = re.compile(r"\s+inlined from '.*' at (?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+)[,:]?")
_INCLUDED = re.compile(r"(?:In file included| +)\s*from (?P<file>[^:\n]+):(?P<line>\d+)(?::(?P<column>\d+))?[,:]?")
_NOTE_FRAMES = (
    "in expansion of macro",
    "expanded from macro",
    "in instantiation of",
    "while substituting",
    "called from here",
)
_NO_HEADER = r"\1: no such header; aclimb brings the Ascend C kernel headers, other folders come with include_dirs or -I"


@dataclass
class _Error:
    severity: str
    text: str
    places: list[tuple[str, int, int]]  # from the error outwards
    included: list[tuple[str, int, int]]  # the includes that led to its file
    notes: list[str] = field(default_factory=list)


def compile_error(output: str, source: Path, own_folders: tuple[Path, ...], files: Iterable[Path] = ()) -> CompileError:
    """The exception for a failed compiler run. `files`: the user's, without the source itself."""
    own = tuple(f"{folder}/" for folder in own_folders)
    found: list[Diagnostic] = []
    sentences: list[bool] = []
    for error in _parse(output):
        diagnostic = _at_users_line(error, source, own)
        # A name that does not exist brings a tail of errors on the same line; the first one tells the story.
        if all((d.file, d.line) != (diagnostic.file, diagnostic.line) for d in found):
            found.append(diagnostic)
            sentences.append("static assertion failed" in error.text)
    if not found:
        tail = "\n".join(output.strip().splitlines()[-15:])
        return CompileError(f"{source.name} does not compile, and the compiler gave no place:\n{tail}")
    written = (source, *files)
    refusals = Refusals(api_names.missing(headers.include_dir()), written)
    return from_diagnostics(source, *refusals.told(found, sentences))


def from_diagnostics(source: Path, found: list[Diagnostic], left_out: int = 0) -> CompileError:
    """The exception for errors whose places are known. `left_out`: errors that may follow from these."""
    shown = [render(d) for d in found[:MOST_ERRORS]]
    more = len(found) - len(shown)
    if more > 0:
        shown.append(f"... and {more} more")
    if left_out:
        shown.append(f"{left_out} further error{'s' if left_out > 1 else ''} may follow from {'this' if len(found) == 1 else 'these'}")
    count = "1 error" if len(found) == 1 else f"{len(found)} errors"
    return CompileError(f"{source.name} does not compile, {count}\n" + "\n".join(shown), found)


def is_for_clang(error: CompileError) -> bool:
    """Whether g++ stopped at something that clang takes."""
    return any(found.text.startswith(_IN_CLASS) for found in error.diagnostics)


def render(diagnostic: Diagnostic) -> str:
    """file:line:column, the sentence, the source line and a caret."""
    column = f":{diagnostic.column}" if diagnostic.column or not diagnostic.file.endswith(".py") else ""
    place = f"{diagnostic.file}:{diagnostic.line}{column}"
    out = f"{place}: {diagnostic.severity}: {diagnostic.text}"
    text = source_line(diagnostic.file, diagnostic.line)
    if text is None or not text.strip():
        return out
    margin = f"{diagnostic.line:>6} | "
    out += f"\n{margin}{text}"
    if 0 < diagnostic.column <= len(text) + 1:
        lead = "".join("\t" if c == "\t" else " " for c in text[: diagnostic.column - 1])
        out += f"\n{' ' * (len(margin) - 2)}| {lead}^"
    return out


def source_line(file: str, line: int) -> str | None:
    try:
        return Path(file).read_text(errors="replace").splitlines()[line - 1] if line > 0 else None
    except (OSError, IndexError):
        return None


def _parse(output: str) -> list[_Error]:
    errors: list[_Error] = []
    outer: list[tuple[str, int, int]] = []  # frames g++ prints before the error they belong to
    included: list[tuple[str, int, int]] = []
    for line in output.splitlines():
        message = _MESSAGE.match(line)
        if message and message["severity"] in ("error", "fatal error"):
            errors.append(_Error("error", message["text"], [_place(message), *outer], included))
            outer, included = [], []
        elif message and message["severity"] == "note":
            if errors and any(mark in message["text"] for mark in _NOTE_FRAMES):
                errors[-1].places.append(_place(message))
            elif errors:
                errors[-1].notes.append(message["text"])
        elif message:
            outer, included = [], []
        elif frame := _FRAME.match(line) or _INLINED.match(line):
            outer.append(_place(frame))
        elif frame := _INCLUDED.match(line):
            included.append(_place(frame))
        elif ": In " in line:
            outer = []
    return errors


def _place(match: re.Match[str]) -> tuple[str, int, int]:
    return match["file"], int(match["line"]), int(match["column"] or 0)


def _at_users_line(error: _Error, source: Path, own: tuple[str, ...]) -> Diagnostic:
    users = [place for place in (*error.places, *error.included) if not place[0].startswith((*own, "<")) and "/bits/" not in place[0]]
    file, line, column = users[0] if users else (str(source), 0, 0)
    column = 0 if file.endswith(".py") else column  # it counts in the generated C++
    return Diagnostic(file, line, column, error.severity, _sentence(error))


def _sentence(error: _Error) -> str:
    """The compiler's words, or ours where the compiler talks about things the user did not write."""
    text = error.text
    for pattern, replacement in _REWRITES:
        match = pattern.search(text)
        if match:
            return match.expand(replacement)
    for pattern in _MISSING_API:
        if match := pattern.search(text):
            hint = f"; did you mean {match['hint']}?" if match["hint"] else ""
            return f"AscendC::{match['name']} is not in aclimb's device headers: it is misspelt, or not supported yet{hint}"
    for pattern in _MISSING_MEMBER:
        if match := pattern.search(text):
            return f"AscendC::{match['type']} has no {match['name']} in aclimb's device headers: it is misspelt, or not supported yet"
    if match := _OPERATOR_MACRO.search(text):
        argument = match["argument"].lower()
        return (
            f"{match['name']} is not defined: an operator project sets it for each build, from a parameter {argument} of the operator;"
            f' elsewhere give it with defines={{"{match["name"]}": {_OPERATOR_VALUES[match["kind"]]}}} or -D'
        )
    if match := _UNDECLARED_TILING.search(text):
        return f"there is no tiling struct {match[1] or match[2]}: a header declares it, or the host code, with REGISTER_TILING_DATA_CLASS"
    if _UNDECLARED.search(text):
        return f"{text}; if it is an Ascend C call, aclimb's device headers do not have it (yet)"
    if text.startswith("no matching function"):
        reasons = dict.fromkeys(match[0] for note in error.notes if (match := _ARGUMENT_COUNT.search(note)))
        return text + "".join(f"; {reason}" for reason in list(reasons)[:4])
    return text


# Ascend C calls are written with a capital; with `using namespace AscendC` a missing one looks like any other unknown
# name.
_UNDECLARED = re.compile(r"(?:'[A-Z]\w*[a-z]\w*' was not declared in this scope|use of undeclared identifier '[A-Z]\w*[a-z]\w*')$")
_UNDECLARED_TILING = re.compile(
    r"'(\w*Tiling\w*)' (?:was not declared in this scope|does not name a type)$|(?:identifier|type name) '(\w*Tiling\w*)'$"
)
_OPERATOR_MACRO = re.compile(
    r"(?:'|unknown type name '|identifier ')(?P<name>(?P<kind>DTYPE|ORIG_DTYPE|FORMAT)_(?P<argument>[A-Z0-9_]+))'"
    r"(?: was not declared| does not name a type| has not been declared|$|;)"
)
_OPERATOR_VALUES = {"DTYPE": '"half"', "ORIG_DTYPE": '"DT_FLOAT16"', "FORMAT": '"FORMAT_ND"'}
_ARGUMENT_COUNT = re.compile(r"(?:candidate expects|requires) .*provided$")
_MISSING_API = [
    re.compile(r"'(?P<name>\w+)' is not a member of 'AscendC'(?:; did you mean (?P<hint>'[^']*'))?"),
    re.compile(r"no (?:member|template|type) named '(?P<name>\w+)' in namespace 'AscendC'(?:; did you mean (?P<hint>'[^']*'))?"),
]
_MISSING_MEMBER = [
    re.compile(r"'(?:class|struct) AscendC::(?P<type>\w+)[^']*' has no member named '(?P<name>\w+)'"),
    re.compile(r"no member named '(?P<name>\w+)' in 'AscendC::(?P<type>\w+)[^']*'"),
]
_IN_CLASS = "an explicit specialisation stands inside"
_REWRITES = [
    (
        re.compile(r"explicit specialization in non-namespace scope '(?:class |struct )?([^']*)'"),
        rf"{_IN_CLASS} \1, which g++ does not take and clang does",
    ),
    (
        re.compile(r"no matching (?:function|constructor) for .*aclimb_host::Launch"),
        "the values between <<< and >>> are the number of blocks, nullptr and a stream (aclrtStream); the last two may be left out",
    ),
    (re.compile(r"static assertion failed(?: due to requirement '.*?')?:? \"?(.+?)\"?$"), r"\1"),
    (
        re.compile(r"\baclimb_default_tiling\b.* \{aka '?(?:const )?(?:struct |class )?([\w:]+)'?\} has no member named '(\w+)'"),
        r"\1 has no field \2",
    ),
    (
        re.compile(
            r"'aclimb_default_tiling' (?:was not declared|does not name|has not been)|(?:type name|identifier) 'aclimb_default_tiling'"
        ),
        "GET_TILING_DATA does not know the tiling struct: write REGISTER_TILING_DEFAULT(Struct) before it,"
        " or use GET_TILING_DATA_WITH_STRUCT(Struct, name, pointer)",
    ),
    (re.compile(r"(\S+\.h(?:pp)?): No such file or directory"), _NO_HEADER),
    (re.compile(r"'(\S+\.h(?:pp)?)' file not found"), _NO_HEADER),
]
