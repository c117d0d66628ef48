# SPDX-License-Identifier: Apache-2.0
"""From the words of a compiler's command line to what is to be done."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from aclimb import chips, knobs
from aclimb.errors import InvalidArgument
from aclimb.host.driver_options import Kind, Option, find, is_vendors

KERNEL_SUFFIXES = {".asc", ".cce"}
_LANGUAGES = {"asc": "asc", "cce": "asc", "c++": "c++", "c": "c", "none": ""}
_SUFFIXES = {".asc": "asc", ".cce": "asc", ".cpp": "c++", ".cc": "c++", ".cxx": "c++", ".C": "c++", ".c": "c"}
_OBJECTS = (".o", ".a", ".so", ".obj", ".lo")
_OTHER_ARCHITECTURES = {
    "3510": "Ascend 950",
    "c310": "Ascend 950",
    "2002": "310P",
    "m200": "310P",
    "3002": "310B",
    "1001": "910",
    "c100": "910",
}


@dataclass(frozen=True)
class Source:
    path: Path
    language: str  # asc, c++ or c


@dataclass
class Command:
    """What a command line asks for."""

    sources: list[Source] = field(default_factory=list)
    objects: list[str] = field(default_factory=list)  # objects and archives, in their order
    output: Path | None = None
    flags: set[str] = field(default_factory=set)  # -c, -shared, --cce-aicore-only, ... as they were given
    values: dict[str, str] = field(default_factory=dict)  # --npu-arch, -MF, ...; the last counts
    both: list[str] = field(default_factory=list)
    host: list[str] = field(default_factory=list)
    device: list[str] = field(default_factory=list)
    link: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def has(self, *flags: str) -> bool:
        return any(flag in self.flags for flag in flags)

    @property
    def is_shared(self) -> bool:
        return self.has("-shared", "--shared")

    @property
    def soc(self) -> str:
        """The chip to build for: ACLIMB_SOC, or the one that is asked for by name."""
        wanted = self.values.get("--npu-soc")
        has_architecture = "--npu-arch" in self.values or "--cce-aicore-arch" in self.values
        return wanted if wanted and not has_architecture else knobs.soc()


def parse(words: list[str]) -> Command:
    """Raises InvalidArgument for what is refused."""
    return _Parser(words).run()


class _Parser:
    def __init__(self, words: list[str]) -> None:
        self.words: Iterator[str] = iter(list(_expanded(words)))
        self.command, self.language, self.only = Command(), "", ""

    def run(self) -> Command:
        inputs: list[tuple[str, str]] = []
        for word in self.words:
            if word == "-" or not word.startswith("-"):
                inputs.append((word, self.language))
            elif self.only and word == f"-X{self.only}-end":
                self.only = ""
            elif self.only:
                (self.command.host if self.only == "host" else self.command.device).append(word)
            else:
                self._option(word)
        for name, language in inputs:
            self._input(name, language)
        return self.command

    def _input(self, name: str, language: str) -> None:
        path = Path(name)
        if not language and (path.suffix in _OBJECTS or re.search(r"\.so(\.\d+)*$", name)):
            self.command.objects.append(name)
            return
        default = "asc" if self.command.has("--asc-aicore-lang", "--cce-aicore-lang") else _SUFFIXES.get(path.suffix, "")
        found = language or default
        if not found:
            raise InvalidArgument(f"{name}: the suffix says neither a source nor an object; put -x asc, -x c++ or -x c before it")
        if not path.is_file():
            raise InvalidArgument(f"{name} does not exist")
        self.command.sources.append(Source(path.absolute(), found))

    def _option(self, word: str) -> None:
        option = find(word)
        if option is None:
            if not is_vendors(word):
                raise InvalidArgument(f"{word} is not an option; --help lists those that are known")
            self.command.notes.append(f"{word} is not known here and has no effect")
            return
        value = self._value(option, word)
        if option.kind is Kind.refused:
            raise InvalidArgument(f"{word} is not supported: {option.sentence}")
        if option.kind is Kind.noted:
            self.command.notes.append(f"{word}: {option.sentence}")
        elif option.kind is Kind.own:
            self._own(option, word, value)
        elif option.kind is not Kind.quiet:
            target = {Kind.both: self.command.both, Kind.host: self.command.host, Kind.link: self.command.link}[option.kind]
            target += [word] if value is None else [option.name, value]

    def _value(self, option: Option, word: str) -> str | None:
        """The next word, where the option takes one."""
        if not (option.takes_next or (option.may_take_next and word == option.name)):
            return None
        value = next(self.words, None)
        if value is None:
            raise InvalidArgument(f"{word} stands at the end; it takes another word")
        return value

    def _own(self, option: Option, word: str, value: str | None) -> None:
        if option.name == "-x":
            self._set_language(value if value is not None else word[2:])
        elif option.name in ("-Xhost-start", "-Xaicore-start"):
            self.only = option.name.split("-")[1][1:]
        elif option.name == "-o":
            self.command.output = Path(value or "")
        elif "=" in option.spelling:
            self._keep(option.name, word.partition("=")[2])
        elif value is not None:
            self.command.values[option.name] = value
        else:
            self.command.flags.add(option.name)

    def _keep(self, name: str, value: str) -> None:
        if name in ("--npu-arch", "--cce-aicore-arch"):
            _check_architecture(name, value)
        if name == "--npu-soc":
            chips.buildable(value)
        if name == "--run-mode" and value not in ("npu", "cpu", "sim"):
            raise InvalidArgument(f"--run-mode={value}: it takes npu, cpu or sim, which are the same here")
        self.command.values[name] = value

    def _set_language(self, name: str) -> None:
        if name not in _LANGUAGES:
            raise InvalidArgument(f"-x {name}: it takes asc, cce, c++, c or none")
        self.language = _LANGUAGES[name]


def _check_architecture(name: str, value: str) -> None:
    if re.fullmatch(r"dav-(2201|c220(-vec|-cube)?)", value):
        return
    known = next((product for part, product in _OTHER_ARCHITECTURES.items() if part in value), "")
    which = f" ({known})" if known else ""
    raise InvalidArgument(f"{name}={value}{which} is not modelled; aclimb builds for dav-2201, which is Atlas A2 and A3")


def _expanded(words: list[str]) -> Iterator[str]:
    """With the words of @files in their place."""
    for word in words:
        if word.startswith("@") and Path(word[1:]).is_file():
            yield from _expanded(shlex.split(Path(word[1:]).read_text()))
        else:
            yield word
