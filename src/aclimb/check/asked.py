# SPDX-License-Identifier: Apache-2.0
"""What was asked of a check, by the command line or by ACLIMB_CHECK: how to look, and where the report goes.

The variable holds words with blanks between them, as a shell writes them: `1`, the name of a format, files whose suffix says theirs, and
`name=value` for the settings of `aclimb.check`. `aclimb check` hands its own options on in the same words to a program it cannot look into.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from aclimb import knobs
from aclimb.check import formats
from aclimb.check.schedules.tried import Tried
from aclimb.check.session import Check
from aclimb.check.settings import Settings
from aclimb.errors import InvalidArgument

_YES, _NO = ("1", "on", "true", "yes"), ("0", "off", "false", "no")
_OURS = ("sets_status", "provoke", "provoke_to", "provoked")  # that `aclimb check` gives itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Settings):
    baseline: Path | None = None
    write_baseline: Path | None = None
    warnings_as_errors: bool = False
    format: str = ""  # of what is printed, or of every file; "": text, and what a file's suffix says
    files: tuple[Path, ...] = ()
    sets_status: bool = False  # a C program ends with the status of its check
    provoke: str = ""  # instead of a check: launches under this part of the schedules
    provoke_to: Path | None = None  # ... and where what they change goes
    provoked: Path | None = None  # what schedules changed in other runs of the program

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        if self.format:
            formats.known(self.format)
        for path in self.files:
            _ = self.format or formats.of_suffix(path)
        if self.format == "html" and not self.files:
            raise InvalidArgument("the format html is a page for a browser; say which file it goes to, as report.html")

    def open(self, opened_by: str) -> Check:
        """The check, not yet open."""
        settings = {each.name: getattr(self, each.name) for each in fields(Settings) if each.init}
        check = Check(**settings, baseline=self.baseline, warnings_as_errors=self.warnings_as_errors, opened_by=opened_by)
        if self.provoked is not None:
            check.add(Tried.read(self.provoked.read_text()))
            self.provoked.unlink()
        return check

    @property
    def wants_page(self) -> bool:
        return self.format == "html" or any(not self.format and formats.of_suffix(path) == "html" for path in self.files)


TAKEN = {each.name: each for each in fields(Asked) if each.init and each.name not in ("format", "files")}  # as name=value


# --- as words


def from_variable(text: str) -> Asked | None:
    """None: the check is off."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise refuse(text, f"its quotes do not match ({error})") from None
    if len(words) == 1 and words[0].lower() in _NO:
        return None
    asked: dict[str, Any] = {"files": ()}
    for word in words:
        name, is_setting, value = word.partition("=")
        if is_setting:
            asked[name] = _setting(name, value, text)
        elif word in formats.FORMATS:
            asked["format"] = word
        elif word.lower() not in _YES:
            asked["files"] += (_file(word, text),)
    return Asked(**asked)


def _file(word: str, text: str) -> Path:
    if "." not in word:
        raise refuse(text, f"{word!r} is neither a format ({', '.join(formats.FORMATS)}) nor a file whose suffix names one")
    return Path(word)


def _setting(name: str, value: str, text: str) -> Any:
    if name not in TAKEN:
        raise refuse(text, f"it knows no {name!r}, only {', '.join(each for each in TAKEN if each not in _OURS)}")
    match TAKEN[name].type:
        case "bool" if value.lower() not in (*_YES, *_NO):
            raise refuse(text, f"{name} takes on or off")
        case "bool":
            return value.lower() in _YES
        case "Path | None":
            return Path(value)
        case _:
            return value


def refuse(text: str, why: str) -> InvalidArgument:
    return InvalidArgument(f"{knobs.check.variable} is {text!r}: {why}. 1 checks and reports as text; unset it to check nothing")


def to_variable(asked: Asked) -> str:
    """The same in words; files are those of the current folder."""
    plain = Asked()
    words = ["1"]
    for name in TAKEN:
        value = getattr(asked, name)
        if value != getattr(plain, name):
            shown = {True: "on", False: "off"}[value] if isinstance(value, bool) else ",".join(sorted(value)) if name == "rules" else value
            words.append(f"{name}={shown}")
    words += [asked.format] if asked.format else []
    return shlex.join([*words, *map(str, asked.files)])


def at_home(asked: Asked) -> Asked:
    """With absolute paths: the program may change its folder."""
    paths: dict[str, Any] = {name: path.absolute() for name in TAKEN if isinstance(path := getattr(asked, name), Path)}
    return replace(asked, files=tuple(path.absolute() for path in asked.files), **paths)
