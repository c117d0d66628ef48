# SPDX-License-Identifier: Apache-2.0
"""What the CMake files of an operator project say about its kernels. They are read, not run: the functions that a generated project brings
along start the vendor's own tools.

add_ops_compile_options(ALL | Type | OP_NAME Type [COMPUTE_UNIT chips] OPTIONS words)      the older generator's
npu_op_kernel_options(library ALL | Type [COMPUTE_UNIT chips] OPTIONS words)
npu_op_kernel_sources(library OP_TYPE Type KERNEL_FILE file [KERNEL_DIR folder])
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_TOKEN = re.compile(r'#\[\[.*?\]\]|#[^\n]*|(\w+)[ \t]*\(|"((?:[^"\\]|\\.)*)"|([^\s()"#]+)|([()])', re.DOTALL)
_VARIABLE = re.compile(r"\$(ENV)?\{(\w+)\}")
_PRODUCT = re.compile(r"\bascend\d\w*")
_MODELLED = {"ascend910b", "ascend910_93"}


@dataclass
class KernelWords:
    """Options and file names of a project, in the order in which its CMake files give them."""

    options: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)  # type or ALL, chips or none, words
    files: dict[str, Path] = field(default_factory=dict)  # by type

    def of(self, op_type: str, unit: str) -> list[str]:
        """The compiler's words for an operator on a chip."""
        return [word for of, units, words in self.options if of in ("ALL", op_type) and (not units or unit in units) for word in words]


def read(folder: Path) -> KernelWords:
    """From CMakeLists.txt of the project and of its two sides."""
    found = KernelWords()
    for place in (folder, folder / "op_host", folder / "op_kernel"):
        path = place / "CMakeLists.txt"
        if path.is_file():
            _Reader(folder, place, found).read(path.read_text(errors="replace"))
    return found


@dataclass
class _If:
    """Conditions are not evaluated: all branches are read, but for those of the build type Debug and of products that are not modelled."""

    is_decided: bool
    is_read: bool

    @classmethod
    def of(cls, words: list[str]) -> _If:
        text = " ".join(words).lower()
        products = _PRODUCT.findall(text)
        is_decided = ("cmake_build_type" in text and "debug" in text) or (bool(products) and not set(products) & _MODELLED)
        return cls(is_decided, not is_decided or "NOT" in words)

    def go_on(self) -> None:
        """The next branch begins."""
        if self.is_decided:
            self.is_decided, self.is_read = not self.is_read, not self.is_read  # after the branch that is taken, none is read


class _Reader:
    """One file, with the variables that it sets."""

    def __init__(self, top: Path, place: Path, found: KernelWords) -> None:
        self.place, self.found = place, found
        self.variables = {
            "CMAKE_CURRENT_SOURCE_DIR": [str(place)],
            "CMAKE_CURRENT_LIST_DIR": [str(place)],
            "CMAKE_SOURCE_DIR": [str(top)],
            "PROJECT_SOURCE_DIR": [str(top)],
        }

    def read(self, text: str) -> None:
        open_ifs: list[_If] = []
        for name, words in _commands(text):
            if name == "if":
                open_ifs.append(_If.of(words))
            elif name in ("else", "elseif") and open_ifs:
                open_ifs[-1].go_on()
            elif name == "endif" and open_ifs:
                open_ifs.pop()
            elif all(each.is_read for each in open_ifs):
                self._take(name, words)

    def _take(self, name: str, words: list[str]) -> None:
        words = [each for word in words for each in self._expanded(word)]
        if name == "set" and len(words) > 1:
            self.variables[words[0]] = words[1:]
        elif name == "add_ops_compile_options":
            self._options(words[1:] if words[:1] in (["OP_NAME"], ["OP_TYPE"]) else words)
        elif name == "npu_op_kernel_options":
            self._options(words[1:])
        elif name == "npu_op_kernel_sources":
            said = _named(words, ("OP_TYPE", "KERNEL_FILE", "KERNEL_DIR", "COMPUTE_UNIT"))
            if said["OP_TYPE"] and said["KERNEL_FILE"]:
                self.found.files[said["OP_TYPE"][0]] = self.place.joinpath(*said["KERNEL_DIR"], said["KERNEL_FILE"][0])

    def _options(self, words: list[str]) -> None:
        said = _named(words, ("COMPUTE_UNIT", "OPTIONS"))
        if words and said["OPTIONS"]:
            units = tuple(each.lower() for each in said["COMPUTE_UNIT"])
            self.found.options.append((words[0], units, tuple(said["OPTIONS"])))

    def _expanded(self, word: str) -> Iterator[str]:
        """With the variables that are known; what needs another one, or a generator expression, is left out."""
        whole = _VARIABLE.fullmatch(word)
        if whole:
            yield from self._value(*whole.groups()) or ()
            return
        values = [self._value(*match.groups()) for match in _VARIABLE.finditer(word)]
        if None not in values and "$<" not in word:
            text = _VARIABLE.sub(lambda match: ";".join(self._value(*match.groups()) or ()), word)
            yield from filter(None, text.split(";"))

    def _value(self, of_environment: str | None, name: str) -> list[str] | None:
        if of_environment:
            return [os.environ[name]] if name in os.environ else None
        return self.variables.get(name)


def _commands(text: str) -> Iterator[tuple[str, list[str]]]:
    name, words, depth = "", list[str](), 0
    for match in _TOKEN.finditer(text):
        call, quoted, plain, sign = match.groups()
        if depth == 0:
            if call:
                name, words, depth = call.lower(), [], 1
            continue
        depth += (call is not None) + (sign == "(") - (sign == ")")
        if depth == 0:
            yield name, words
        else:
            words += [each for each in (call, quoted, plain) if each is not None]


def _named(words: list[str], names: tuple[str, ...]) -> dict[str, list[str]]:
    """cmake_parse_arguments: the words behind each name."""
    found: dict[str, list[str]] = {name: [] for name in names}
    at = ""
    for word in words:
        if word in names:
            at = word
        elif at:
            found[at].append(word)
    return found
