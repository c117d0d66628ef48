# SPDX-License-Identifier: Apache-2.0
"""How a sample wants to be run, as its run.sh or its README says. Both are read; neither is executed.

Such a script sets up a toolkit of its own, removes folders and starts three commands. What of it matters here is their order and their
words: options of cmake, a script that makes data, the program, a script that compares.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_FENCE = re.compile(r"^[ \t]*```[ \t]*(\w*)[^\n]*\n(.*?)^[ \t]*```[ \t]*$", re.MULTILINE | re.DOTALL)  # of any language: ends have none
_SHELLS = {"", "bash", "sh", "shell", "console"}
_VARIABLE = re.compile(r"\$\{(\w+)(?::?-([^}]*))?\}|\$(\w+)")
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_SEPARATORS = {";", "&", "&&", "|", "||", "(", ")", "{", "}", "then", "do", "else", "sudo", "time", "if", "!"}
_OTHER_MODES = {"--build", "--install", "--version", "-E"}  # of cmake: it makes no build folder
_CHECKS = re.compile(r"verif|compare|check", re.IGNORECASE)
_DATA = re.compile(r"(?:^|_)gen(?:_|erate|$)|golden", re.IGNORECASE)
# What a trial says itself: where the toolkit is, and for what is built.
_OWN_OPTIONS = re.compile(
    r"CMAKE_(?:PREFIX_PATH|INSTALL_PREFIX|ASC_ARCHITECTURES|ASC_RUN_MODE|CXX_COMPILER|C_COMPILER)|ASCEND\w*|RUN_MODE|SOC_VERSION"
)


@dataclass(frozen=True)
class Script:
    path: Path  # below the sample's folder
    arguments: tuple[str, ...] = ()


@dataclass
class Recipe:
    in_build: bool  # whether programs and scripts run in the folder `build`
    is_configured: bool = False
    options: list[str] = field(default_factory=list)  # of the first cmake: -DNAME=VALUE
    data: list[Script] = field(default_factory=list)
    checks: list[Script] = field(default_factory=list)
    programs: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by the name of the file: arguments


def read(folder: Path, *, is_cmake: bool) -> Recipe:
    """Where nothing is written down, scripts with the usual names are taken."""
    run = folder / "run.sh"
    texts = [run.read_text(errors="replace")] if run.is_file() else [_fenced(each) for each in sorted(folder.glob("README*"))]
    recipe = Recipe(in_build=is_cmake and not run.is_file())
    for text in texts:
        _take(recipe, folder, text)
    if not recipe.data and not recipe.checks:
        for path in sorted([*folder.glob("*.py"), *folder.glob("scripts/*.py")]):
            if _CHECKS.search(path.stem):
                recipe.checks.append(Script(path))
            elif _DATA.search(path.stem):
                recipe.data.append(Script(path))
    return recipe


def _fenced(page: Path) -> str:
    return "\n".join(text for language, text in _FENCE.findall(page.read_text(errors="replace")) if language.lower() in _SHELLS)


def _take(recipe: Recipe, folder: Path, text: str) -> None:
    for words in _commands(text):
        if words[0].startswith("python") and len(words) > 1:
            _take_script(recipe, folder, words[1], tuple(words[2:]))
        elif words[0] == "cmake" and not _OTHER_MODES.intersection(words):
            _take_options(recipe, words)
        elif words[0].startswith("./") and not words[0].endswith(".sh"):
            recipe.programs.setdefault(Path(words[0]).name, tuple(words[1:]))


def _take_script(recipe: Recipe, folder: Path, name: str, arguments: tuple[str, ...]) -> None:
    path = folder / Path(*[part for part in Path(name).parts if part not in ("..", ".")])
    if not path.is_file() or any(each.path == path for each in [*recipe.data, *recipe.checks]):
        return  # another variant of the same
    if name.startswith(".."):
        recipe.in_build = True
    is_check = bool(recipe.programs) if not _CHECKS.search(path.stem) else True
    (recipe.checks if is_check else recipe.data).append(Script(path, arguments))


def _take_options(recipe: Recipe, words: list[str]) -> None:
    if recipe.is_configured:
        return  # another variant: its data and its program are not these
    recipe.is_configured = True
    names = (word[2:].partition("=")[0].partition(":")[0] for word in words)
    recipe.options = [word for word, name in zip(words, names, strict=True) if word.startswith("-D") and not _OWN_OPTIONS.fullmatch(name)]


def _commands(text: str) -> Iterator[list[str]]:
    """Words of simple commands. A word with a variable that nothing sets is left out."""
    values: dict[str, str] = {}
    for line in re.sub(r"\\\n", " ", text).splitlines():
        words: list[str] = []
        for word in [*_words(line), ";"]:
            if word in _SEPARATORS:
                if words:
                    yield words
                words = []
            elif not words and (match := _ASSIGNMENT.fullmatch(word)):
                value = _filled(match[2], values)
                if value is not None:
                    values.setdefault(match[1], value)
            elif (filled := _filled(word, values)) is not None and not (not words and filled == "export"):
                words.append(filled)


def _words(line: str) -> list[str]:
    lexer = shlex.shlex(line.lstrip("$ "), posix=True, punctuation_chars="();&|")
    lexer.whitespace_split = True
    try:
        return list(lexer)
    except ValueError:  # a quotation that goes on in the next line
        return []


def _filled(word: str, values: dict[str, str]) -> str | None:
    missing = False

    def value(match: re.Match[str]) -> str:
        nonlocal missing
        found = values.get(match[1] or match[3], match[2])
        missing |= found is None
        return found or ""

    filled = _VARIABLE.sub(value, word)
    return None if missing or "$" in filled else filled
