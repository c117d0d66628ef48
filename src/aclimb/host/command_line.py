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

_LANGUAGES = {"asc": "asc", "cce": "asc", "c++": "c++", "c": "c", "none": ""}
_SUFFIXES = {".asc": "asc", ".cce": "asc", ".cpp": "c++", ".cc": "c++", ".cxx": "c++", ".C": "c++", ".c": "c"}
_OBJECTS = (".o", ".a", ".so", ".obj", ".lo")
_BITCODE = (".ll", ".bc", ".mlir")
_ARCHITECTURE = re.compile(r"dav-(?:2201|c220(?P<core>-vec|-cube)?)")
_CORES = {"-vec": "aiv", "-cube": "aic"}
_MOST_FILES = 100  # of options, one in the other
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
    is_said: bool = False  # by -x or another option, not by the suffix


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
    def core(self) -> str:
        """aiv or aic, where the architecture names one sort of core."""
        match = _ARCHITECTURE.fullmatch(self.values.get("--npu-arch") or self.values.get("--cce-aicore-arch") or "")
        return _CORES.get(match["core"], "") if match else ""

    @property
    def has_architecture(self) -> bool:
        return not {"--npu-arch", "--cce-aicore-arch", "--npu-soc"}.isdisjoint(self.values)

    @property
    def is_auto_sync(self) -> bool:
        return self.values.get("--cce-auto-sync", "off") != "off"

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
            if self.only and word == f"-X{self.only}-end":
                self.only = ""
            elif self.only:
                (self.command.host if self.only == "host" else self.command.device).append(word)
            elif word == "-" or not word.startswith("-"):
                inputs.append((word, self.language))
            else:
                self._option(word)
        if self.only:
            raise InvalidArgument(f"-X{self.only}-start has no -X{self.only}-end behind it")
        for name, language in inputs:
            self._input(name, language)
        self._check()
        return self.command

    def _check(self) -> None:
        command = self.command
        if command.has("--cce-aicore-only") and command.has("--cce-host-only"):
            raise InvalidArgument("--cce-aicore-only and --cce-host-only exclude each other; leave both out for host and device code")
        if command.output is not None and any(source.path == command.output.absolute() for source in command.sources):
            raise InvalidArgument(f"-o {command.output} is also a source; give the output another name")

    def _input(self, name: str, language: str) -> None:
        path = Path(name)
        if path.suffix in _BITCODE:
            raise InvalidArgument(f"{name} is no source: aclimb has no bitcode of kernels; give the C++ that it was made of")
        if not language and (path.suffix in _OBJECTS or re.search(r"\.so(\.\d+)*$", name)):
            self.command.objects.append(name)
            return
        default = "asc" if self.command.has("--asc-aicore-lang", "--cce-aicore-lang") else _SUFFIXES.get(path.suffix, "")
        found = language or default
        if not found:
            raise InvalidArgument(f"{name}: the suffix says neither a source nor an object; put -x asc, -x c++ or -x c before it")
        if name != "-" and path.is_dir():
            raise InvalidArgument(f"{name} is a folder; give a source, an object or a library")
        if name != "-" and not path.exists():
            raise InvalidArgument(f"{name} does not exist")
        if name == "-" and found == "asc":
            raise InvalidArgument("- stands for standard input, and sources with kernels are read from files only")
        is_said = bool(language) or default != _SUFFIXES.get(path.suffix, "")
        self.command.sources.append(Source(path if name == "-" else path.absolute(), found, is_said))

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
            self._note(word, option)
        elif option.kind in (Kind.own, Kind.hang):
            self._own(option, word, value)
        elif option.kind is not Kind.quiet:
            target = {Kind.both: self.command.both, Kind.host: self.command.host, Kind.link: self.command.link}[option.kind]
            target += [word] if value is None else [option.name, value]
            told = find(f"-D{value}") if option.name == "-D" and value else None
            if told is not None and told.kind is Kind.noted:
                self.command.notes.append(f"-D{value}: {told.sentence}")

    def _note(self, word: str, option: Option) -> None:
        self.command.notes.append(f"{word}: {option.sentence}")
        if word.startswith("-D"):
            self.command.both.append(word)

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
        elif option.kind is Kind.hang:
            self.command.values[option.name] = "on"
        else:
            self.command.flags.add(option.name)

    def _keep(self, name: str, value: str) -> None:
        if name in ("--npu-arch", "--cce-aicore-arch"):
            _check_architecture(name, value)
        if name == "--npu-soc":
            chips.buildable(value)
        if name == "--run-mode" and value not in ("npu", "cpu", "sim"):
            raise InvalidArgument(f"--run-mode={value}: it takes npu, cpu or sim, which are the same here")
        if name == "--run-mode" and value != "npu":
            self.command.notes.append(f"--run-mode={value}: the same as npu here")
        if name == "--cce-auto-sync" and value not in ("on", "off"):
            raise InvalidArgument(f"--cce-auto-sync={value}: it takes on or off")
        self.command.values[name] = value

    def _set_language(self, name: str) -> None:
        if name not in _LANGUAGES:
            raise InvalidArgument(f"-x {name}: it takes asc, cce, c++, c or none")
        self.language = _LANGUAGES[name]


def _check_architecture(name: str, value: str) -> None:
    if _ARCHITECTURE.fullmatch(value):
        return
    known = next((product for part, product in _OTHER_ARCHITECTURES.items() if part in value), "")
    which = f" ({known})" if known else ""
    raise InvalidArgument(f"{name}={value}{which} is not modelled; aclimb builds for dav-2201, which is Atlas A2 and A3")


def _expanded(words: list[str], depth: int = 0) -> Iterator[str]:
    """With the words of @files in their place."""
    for word in words:
        if not (word.startswith("@") and Path(word[1:]).is_file()):
            yield word
        elif depth == _MOST_FILES:
            raise InvalidArgument(f"{word} names itself, or a file that names it; a file of options cannot")
        else:
            yield from _expanded(_words_of(Path(word[1:])), depth + 1)


def _words_of(file: Path) -> list[str]:
    try:
        return shlex.split(file.read_text())
    except (ValueError, OSError) as error:  # a quote that is not closed; not to be read
        raise InvalidArgument(f"@{file} cannot be read as options: {error}") from None
